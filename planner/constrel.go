package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// A relation is constant when its rows stand in the statement: VALUES, range(…), a SELECT without FROM, and what is made of
// these by WHERE, joins and UNION ALL. Subqueries and joins over one are decided while planning.

// maxConstantRows bounds them.
const maxConstantRows = 1 << 16

// constantRows are the rows of a node, each with the values of the columns of some relations. Items that aren't known
// stay as they are.
type constantRows struct {
	rels []*relation
	rows [][][]expr // by row, relation and column
}

// lookup gives the value of a column in one row, or nil; it is for replace.
func (c *constantRows) lookup(row int, col *column) expr {
	i := slices.Index(c.rels, col.rel)
	if i < 0 || col.index < 0 || col.index >= len(c.rows[row][i]) {
		return nil
	}
	return c.rows[row][i][col.index]
}

// rowsOf gives the rows of a node that is constant; ok is false for another.
func (b *builder) rowsOf(n node) (c *constantRows, ok bool) {
	switch n := n.(type) {
	case *rowsNode:
		c = &constantRows{rels: []*relation{n.out}}
		for _, row := range n.rows {
			c.rows = append(c.rows, [][]expr{row})
		}
		return c, len(n.rows) <= maxConstantRows
	case *selectNode:
		return b.selectedRows(n)
	case *setNode:
		return b.unitedRows(n)
	case *joinNode:
		return b.joinedRows(n)
	}
	return nil, false
}

// outRows are the rows of a node with one relation.
func (b *builder) outRows(n outNode) ([][]expr, bool) {
	c, ok := b.rowsOf(n)
	if !ok {
		return nil, false
	}
	out := make([][]expr, len(c.rows))
	for i, row := range c.rows {
		out[i] = row[0]
	}
	return out, true
}

// selectedRows are those of a SELECT over constant rows, or without FROM. With GROUP BY each row stands for its group, so
// that some come more than once. What counts rows isn't followed.
func (b *builder) selectedRows(n *selectNode) (*constantRows, bool) {
	whole := n.grouped && len(n.groups) == 0
	if whole && len(n.having) > 0 || n.blurred || n.limited || n.sampled || n.on != nil || len(n.windows)+len(n.qualify) > 0 || n.out.open {
		return nil, false
	}
	from := &constantRows{rows: [][][]expr{nil}}
	if n.from != nil {
		var ok bool
		if from, ok = b.rowsOf(n.from); !ok {
			return nil, false
		}
	}
	kept := &constantRows{rels: from.rels}
	conditions := slices.Concat(n.where, n.having)
	for i, row := range from.rows {
		switch b.holds(conditions, from, i) {
		case pruning.True:
			kept.rows = append(kept.rows, row)
		case pruning.False, pruning.Null, pruning.False | pruning.Null:
		default:
			return nil, false
		}
	}
	out := &constantRows{rels: []*relation{n.out}}
	if whole {
		row, ok := b.combinedRow(n.items, kept)
		out.rows = [][][]expr{{row}}
		return out, ok
	}
	for i := range kept.rows {
		items := make([]expr, len(n.items))
		for j, x := range n.items {
			items[j] = b.inRow(x, kept, i)
		}
		rows, ok := unnestedItems(items)
		if !ok || len(out.rows)+len(rows) > maxConstantRows {
			return nil, false
		}
		for _, row := range rows {
			out.rows = append(out.rows, [][]expr{row})
		}
	}
	return out, true
}

// combinedRow is the one row of aggregates over all rows, where it is known.
func (b *builder) combinedRow(items []expr, rows *constantRows) ([]expr, bool) {
	out := make([]expr, len(items))
	for i, x := range items {
		out[i] = b.combined(x, rows)
		if _, known := out[i].(*constant); !known || unnests(x) {
			return nil, false
		}
	}
	return out, true
}

// combined is e with aggregates over all rows computed as far as possible.
func (b *builder) combined(e expr, rows *constantRows) expr {
	switch e := e.(type) {
	case *opaque:
		return b.extreme(e, rows)
	case *apply:
		a := *e
		a.args = make([]expr, len(e.args))
		for i, x := range e.args {
			a.args[i] = b.combined(x, rows)
		}
		return b.folded(&a)
	}
	return e
}

// extreme is the value of min(x) or max(x), or e. Values of several types, and floating point numbers, whose NaN systems
// order differently, aren't compared.
func (b *builder) extreme(e *opaque, rows *constantRows) expr {
	call, ok := e.at.(*ast.Call)
	if !ok || e.why != anAggregate || len(e.args) != 1 || call.Module.Text != "" || call.Over != nil || call.Filter != nil || call.Extra != "" {
		return e
	}
	sign, ok := map[string]int{"min": -1, "max": 1}[strings.ToLower(call.Func.Text)]
	if !ok {
		return e
	}
	best := &constant{at: e.at, t: typ{shape: nullShape}, v: nullValue}
	for i := range rows.rows {
		c, ok := b.inRow(e.args[0], rows, i).(*constant)
		switch {
		case !ok || !c.v.isNull() && (!c.v.isKnown() || c.t.shape != scalarShape || c.t.is(pruning.Float32) || c.t.is(pruning.Float64)):
			return e
		case c.v.isNull():
		case best.v.isNull():
			best = c
		case best.t.scalar != c.t.scalar:
			return e
		case pruning.Compare(c.v.lo, best.v.lo)*sign > 0:
			best = c
		}
	}
	return &constant{at: e.at, t: best.t, v: best.v}
}

// holds are the outcomes of conditions for one row.
func (b *builder) holds(ps []pred, c *constantRows, row int) pruning.Outcomes {
	out := pruning.True
	for _, p := range ps {
		x, ok := b.inRow(p.x, c, row).(*constant)
		if !ok {
			return pruning.Unknown
		}
		out = out.And(x.v.outcomes())
	}
	return out
}

// inRow is e with the values of one row in the place of columns, computed as far as possible.
func (b *builder) inRow(e expr, c *constantRows, row int) expr {
	return b.folded(replace(e, func(col *column) expr { return c.lookup(row, col) }))
}

// folded is e with calls of constants replaced by their values.
func (b *builder) folded(e expr) expr {
	a, ok := e.(*apply)
	if !ok {
		return e
	}
	args, changed := a.args, false
	for i, x := range a.args {
		y := b.folded(x)
		if y != x && !changed {
			args, changed = slices.Clone(a.args), true
		}
		if changed {
			args[i] = y
		}
	}
	if changed {
		a = &apply{at: a.at, fn: a.fn, args: args, t: a.t}
	}
	return b.bind.fold(a)
}

func (b *builder) unitedRows(n *setNode) (*constantRows, bool) {
	if n.op != "UNION" || n.limited || n.out.open {
		return nil, false
	}
	out := &constantRows{rels: []*relation{n.out}}
	for k, arg := range n.args {
		rows, ok := b.outRows(arg)
		if !ok || len(out.rows)+len(rows) > maxConstantRows {
			return nil, false
		}
		for _, row := range rows {
			items := make([]expr, len(n.out.cols))
			for i, j := range n.columns[k] {
				if j < 0 {
					items[i] = &constant{at: noExpr, t: typ{shape: nullShape}, v: nullValue}
				} else {
					items[i] = b.bind.convert(row[j], n.out.cols[i].typ)
				}
			}
			out.rows = append(out.rows, [][]expr{items})
		}
	}
	return out, true
}

// noExpr stands where an expression isn't in any text.
var noExpr = &ast.Literal{Span: ast.Span{From: ast.NoPos, To: ast.NoPos}, Kind: ast.NullLit, Raw: "NULL", Text: "NULL"}

func (b *builder) joinedRows(n *joinNode) (*constantRows, bool) {
	if n.kind != innerJoin || n.anyL || n.anyR {
		return nil, false
	}
	l, ok1 := b.rowsOf(n.l)
	r, ok2 := b.rowsOf(n.r)
	if !ok1 || !ok2 || len(l.rows)*len(r.rows) > maxConstantRows {
		return nil, false
	}
	both := &constantRows{rels: slices.Concat(l.rels, r.rels), rows: make([][][]expr, 0, 1)}
	out := &constantRows{rels: both.rels}
	for _, x := range l.rows {
		for _, y := range r.rows {
			both.rows = append(both.rows[:0], slices.Concat(x, y))
			switch o := b.holds(n.on, both, 0); {
			case o == pruning.True:
				out.rows = append(out.rows, both.rows[0])
			case o.MayBeTrue():
				return nil, false
			}
		}
	}
	return out, true
}

// queryRows are the rows of a query in an expression, where they are known. It then needs no plan of its own.
func (b *builder) queryRows(at ast.Expr) ([][]expr, bool) {
	i := b.innerAt(at)
	if i < 0 {
		return nil, false
	}
	rows, ok := b.outRows(b.inner[i].node)
	if !ok {
		return nil, false
	}
	for _, row := range rows {
		if slices.ContainsFunc(row, func(x expr) bool { _, ok := x.(*constant); return !ok }) {
			return nil, false
		}
	}
	b.inner = slices.Delete(b.inner, i, i+1)
	return rows, true
}

// tableFunction makes the rows of range(…) and generate_series(…); nil for other functions.
func (b *builder) tableFunction(ref *ast.TableRef, outer *scope) outNode {
	f := ref.Func
	name := strings.ToLower(f.Func.Text)
	closed := name == "generate_series"
	if b.s.dialect.Name != "duckdb" || !closed && name != "range" {
		return nil
	}
	args := make([]expr, len(f.Args))
	for i, a := range f.Args {
		args[i] = b.bind.bind(a.X, &scope{params: b.params, outer: outer})
	}
	rel := &relation{cols: []relColumn{{name: name, key: -1}}}
	b.rename(rel, aliasText(ref.Alias), ref.Columns)
	if rel.name == "" {
		rel.name = name
	}
	items, ok := series(f, args, closed)
	if !ok {
		return &opaqueNode{rel}
	}
	n := &rowsNode{out: rel}
	for _, x := range items {
		rel.cols[0].typ = x.typ()
		n.rows = append(n.rows, []expr{x})
	}
	return n
}

// series are the numbers or dates of range(to), range(from, to[, step]), with the end in generate_series.
func series(at *ast.Call, args []expr, closed bool) ([]expr, bool) {
	if len(args) == 3 {
		if step, ok := calendarOf(args[2]); ok {
			return dateSeries(at, args[0], args[1], step, closed)
		}
	}
	n := [3]int64{0, 0, 1}
	for i, x := range args {
		c, ok := x.(*constant)
		if !ok || i > 2 || !c.t.isInt() || !c.v.isKnown() {
			return nil, false
		}
		if n[i], ok = toWide(c.t.scalar.Kind, c.v.lo).int64(); !ok {
			return nil, false
		}
	}
	if len(args) == 1 {
		n[0], n[1] = 0, n[0]
	}
	const far = 1 << 60
	if len(args) == 0 || n[2] == 0 || n[0] < -far || n[0] > far || n[1] < -far || n[1] > far || n[2] < -far || n[2] > far {
		return nil, false
	}
	var out []expr
	for v := n[0]; n[2] > 0 && v < n[1] || n[2] < 0 && v > n[1] || closed && v == n[1]; v += n[2] {
		if len(out) == maxConstantRows {
			return nil, false
		}
		out = append(out, &constant{at: at, t: duckKind(pruning.Int64), v: integer(v)})
	}
	return out, true
}

// dateSeries are instants a step apart.
func dateSeries(at *ast.Call, from, to expr, step calendar, closed bool) ([]expr, bool) {
	x, ok1 := from.(*constant)
	y, ok2 := to.(*constant)
	if !ok1 || !ok2 || !x.t.isDate() || !y.t.isDate() || !x.v.isKnown() || !y.v.isKnown() || step.months <= 0 && step.days <= 0 && step.micros <= 0 ||
		step.months < 0 || step.days < 0 || step.micros < 0 {
		return nil, false
	}
	end, _ := nanos(y.t.scalar, y.v.lo).int64Micros()
	var out []expr
	for i := int64(0); len(out) <= maxConstantRows; i++ {
		by, ok := step.times(i)
		if !ok {
			return nil, false
		}
		v := eval(&apply{at: at, fn: shiftBy(ast.OpAdd, by), args: []expr{x}, t: duckKind(pruning.Timestamp)}, nil)
		n, known := v.known()
		if !known {
			return nil, false
		}
		if n.Int() > end || n.Int() == end && !closed {
			return out, true
		}
		out = append(out, &constant{at: at, t: duckKind(pruning.Timestamp), v: v})
	}
	return nil, false
}
