package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// copy plans COPY … TO: what the source reads, and the directories that are written, as far as they are known.
func (s *Session) copy(ctx context.Context, st *ast.Copy) (*Plan, error) {
	if st.From {
		return nil, nil
	}
	b := newBuilder(ctx, s)
	var source outNode
	switch {
	case st.Query != nil:
		source = b.query(st.Query, nil)
	case st.Table != nil:
		source = b.table(st.Table, nil)
	}
	if source != nil {
		b.roots = append(b.roots, source)
	}
	plan, err := b.finish(&Plan{Stmt: st, Kind: "copy", now: s.env.Now})
	copier, ok := s.system.(projection.Copier)
	if err != nil || !ok || source == nil {
		return plan, err
	}
	return plan, b.copyTo(plan, copier, st, source)
}

// copyTo adds the scan of what is written.
func (b *builder) copyTo(plan *Plan, copier projection.Copier, st *ast.Copy, source outNode) error {
	w := &copyRows{b: b, plan: plan, source: source}
	rows := w.columns(st)
	if b.diags.HasErrors() {
		return b.diags
	}
	table, err := copier.Copy(b.ctx, &b.s.env, st, rows)
	if err != nil {
		return err
	}
	plan.Notes = append(plan.Notes, table.Notes...)
	ref := &ast.TableRef{Span: ast.Span{From: st.Path.Pos(), To: st.Path.End()}}
	scan := &Scan{Ref: ref, Table: table, Write: true}
	sp := pruning.NewSpace(table.Layout.Keys, b.s.env.Limits.Nodes)
	scan.Diagram, scan.Residual = w.diagram(table, sp), w.open(table)
	if w.certain == projection.Unknown && len(table.Layout.Keys) > 0 {
		scan.Diagram = w.bounds(table, sp)
	}
	plan.Scans = append(plan.Scans, scan)
	return nil
}

// copyRows finds out what is known of the rows that a COPY writes.
type copyRows struct {
	b       *builder
	plan    *Plan
	source  outNode
	index   []int // of each column that is written: its place in the source
	found   [][]projection.Cell
	certain projection.Certainty
}

// columns are those of the source, or those that COPY t (a, b) names.
func (w *copyRows) columns(st *ast.Copy) *projection.Rows {
	rel := w.source.relation()
	out := &projection.Rows{Open: rel.open, Tuples: w.tuples}
	implied := w.b.implied(w.source)
	undeclared := func(name string) projection.Column {
		t := w.guess(implied, name)
		return projection.Column{Name: name, Type: t.scalar, Declared: w.b.bind.typeText(t), Key: -1}
	}
	add := func(i int) {
		c := &rel.cols[i]
		w.index = append(w.index, i)
		out.Columns = append(out.Columns, projection.Column{Name: c.name, Type: c.typ.scalar, Declared: w.b.bind.typeText(c.typ), Key: -1})
	}
	out.Undeclared = undeclared
	if len(st.Columns) == 0 {
		for i := range rel.cols {
			if !rel.cols[i].virtual {
				add(i)
			}
		}
		return out
	}
	out.Open = false
	for i := range st.Columns {
		name := &st.Columns[i]
		k := rel.find(name.Text, w.b.bind.sem.sameName)
		switch {
		case k >= 0:
			add(k)
		case rel.open:
			w.index = append(w.index, -1)
			out.Columns = append(out.Columns, undeclared(name.Text))
		default:
			w.b.report(name, "bind.column", didYouMean(name.Text, rel.names()), "there is no column %s", name.Text)
		}
	}
	return out
}

// guess is the type that a column of unknown type seems to have, by the constants that it is compared with.
func (w *copyRows) guess(implied []pred, name string) typ {
	for _, p := range implied {
		if t := w.comparedWith(p.x, name); t.shape == scalarShape {
			return t
		}
	}
	return typ{}
}

func (w *copyRows) comparedWith(x expr, name string) typ {
	a, ok := x.(*apply)
	if !ok {
		return typ{}
	}
	if len(a.args) == 2 {
		c, isColumn := a.args[0].(*column)
		k, isConstant := a.args[1].(*constant)
		if isColumn && isConstant && w.b.bind.sem.sameName(c.name, name) {
			t := k.t
			if t.shape == listShape && len(t.items) == 1 {
				t = t.items[0]
			}
			if t.isInt() {
				return duckKind(pruning.Int64)
			}
			return t
		}
	}
	for _, arg := range a.args {
		if t := w.comparedWith(arg, name); t.shape == scalarShape {
			return t
		}
	}
	return typ{}
}

// tuples are the different values of some columns.
func (w *copyRows) tuples(columns []int) ([][]projection.Cell, projection.Certainty) {
	places := make([]int, len(columns))
	for i, c := range columns {
		if c >= len(w.index) || w.index[c] < 0 {
			return nil, projection.Unknown
		}
		places[i] = w.index[c]
	}
	found := &tupleList{}
	switch {
	case w.constant(found, places):
		w.certain = projection.Exactly
	case w.traced(found, places):
		w.certain = projection.AtMost
	default:
		return nil, projection.Unknown
	}
	w.found = found.tuples
	return found.tuples, w.certain
}

// constant takes the values from rows that stand in the statement.
func (w *copyRows) constant(found *tupleList, places []int) bool {
	rows, ok := w.b.outRows(w.source)
	if !ok {
		return false
	}
	for _, row := range rows {
		xs := make([]expr, len(places))
		for i, p := range places {
			xs[i] = row[p]
		}
		if !found.add(xs) {
			return false
		}
	}
	return true
}

// traced takes the values from the keys of what is read, where each column is made of the keys of one scan.
func (w *copyRows) traced(found *tupleList, places []int) bool {
	for _, branch := range w.b.origins(w.source) {
		xs := make([]expr, len(places))
		var rel *relation
		for i, p := range places {
			xs[i] = branch(p)
			for c := range columns(xs[i]) {
				if rel == nil {
					rel = c.rel
				}
				if c.rel != rel || c.key() < 0 {
					return false
				}
			}
		}
		if rel == nil {
			if !found.add(xs) {
				return false
			}
			continue
		}
		if !w.walk(found, rel, xs) {
			return false
		}
	}
	return true
}

// walk evaluates expressions over the keys of a scan in each of its units.
func (w *copyRows) walk(found *tupleList, rel *relation, xs []expr) bool {
	i := slices.IndexFunc(w.plan.Scans, func(s *Scan) bool { return s.node != nil && s.node.rel == rel })
	if i < 0 {
		return false
	}
	s := w.plan.Scans[i]
	keys := make([]expr, len(rel.cols))
	last := -1
	for u, err := range s.Units(w.b.ctx) {
		if last++; err != nil || last > maxTuples {
			return false
		}
		for k := range rel.cols {
			if key := rel.cols[k].key; key >= 0 {
				keys[k] = &constant{at: noExpr, t: rel.cols[k].typ, v: keyOf(u, key)}
			}
		}
		row := make([]expr, len(xs))
		for i, x := range xs {
			row[i] = w.b.folded(replace(x, func(c *column) expr { return keys[c.index] }))
		}
		if !found.add(row) {
			return false
		}
	}
	return true
}

// maxTuples bounds the units whose keys are looked at.
const maxTuples = 1 << 20

// tupleList are different tuples in the order in which they came.
type tupleList struct {
	tuples [][]projection.Cell
	seen   map[string]bool
}

// add takes the values of a row; it is false when one isn't known.
func (l *tupleList) add(xs []expr) bool {
	tuple := make([]projection.Cell, len(xs))
	var key strings.Builder
	for i, x := range xs {
		c, ok := x.(*constant)
		if !ok {
			return false
		}
		text, ok := textOfValue(c.t, c.v)
		if !ok {
			return false
		}
		tuple[i] = projection.Cell{Text: text, Null: c.v.isNull(), Value: pruning.Text(text)}
		if v, ok := c.v.known(); ok && c.t.shape == scalarShape {
			tuple[i].Value = v
		}
		key.WriteString(text)
		key.WriteByte(map[bool]byte{true: 1, false: 0}[tuple[i].Null])
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	if !l.seen[key.String()] {
		l.seen[key.String()] = true
		l.tuples = append(l.tuples, tuple)
	}
	return true
}

// origins tell, for each branch of a query, what its columns are in terms of the tables that are read.
func (b *builder) origins(n outNode) []func(i int) expr {
	switch n := n.(type) {
	case *scanNode:
		return []func(i int) expr{func(i int) expr { return n.rel.column(i) }}
	case *selectNode:
		inner := b.columnsBelow(n.from)
		return []func(i int) expr{func(i int) expr { return b.folded(replace(n.items[i], inner)) }}
	case *setNode:
		var out []func(i int) expr
		for k, arg := range n.args {
			for _, f := range b.origins(arg) {
				out = append(out, func(i int) expr {
					switch j := n.columns[k][i]; {
					case j == -1:
						return &constant{at: noExpr, t: typ{shape: nullShape}, v: nullValue}
					case j < 0:
						return &opaque{at: noExpr}
					default:
						return b.bind.convert(f(j), n.out.cols[i].typ)
					}
				})
			}
		}
		return out
	case *rowsNode:
		var out []func(i int) expr
		for _, row := range n.rows {
			out = append(out, func(i int) expr { return row[i] })
		}
		return out
	}
	return []func(i int) expr{func(int) expr { return &opaque{at: noExpr, why: "a value that isn't known here"} }}
}

// columnsBelow replaces columns of a FROM by what they are in terms of the tables that are read. Of one that stems from
// several branches nothing is known.
func (b *builder) columnsBelow(n node) func(c *column) expr {
	var nodes []outNode
	var collect func(n node)
	collect = func(n node) {
		switch n := n.(type) {
		case *joinNode:
			collect(n.l)
			collect(n.r)
		case outNode:
			nodes = append(nodes, n)
		}
	}
	collect(n)
	return func(c *column) expr {
		i := slices.IndexFunc(nodes, func(n outNode) bool { return n.owns(c.rel) })
		if i < 0 || c.index < 0 {
			return nil
		}
		if _, scan := nodes[i].(*scanNode); scan {
			return nil
		}
		if fs := b.origins(nodes[i]); len(fs) == 1 {
			return fs[0](c.index)
		}
		return hidden(c)
	}
}

// bounds are the values of the keys that rows can have, as far as conditions of the source tell.
func (w *copyRows) bounds(t *projection.Table, sp *pruning.Space) pruning.Diagram {
	rel := &relation{table: t}
	for i := range t.Columns {
		c := &t.Columns[i]
		rel.cols = append(rel.cols, relColumn{name: c.Name, typ: w.b.bind.columnType(c), key: c.Key})
	}
	from := w.source.relation()
	var ds []pruning.Diagram
	for _, p := range w.b.implied(w.source) {
		p = p.with(func(c *column) expr {
			if i := rel.find(c.name, w.b.bind.sem.sameName); c.rel == from && i >= 0 && (c.t.isOpen() || rel.cols[i].typ.sameScalar(c.t)) {
				return rel.column(i)
			}
			return hidden(c)
		})
		ds = append(ds, lower(p.x, rel, sp).d)
	}
	return sp.All(pruning.Diagram.And, ds, sp.Const(pruning.True))
}

// maxShown bounds the tuples that a diagram is made of.
const maxShown = 1000

// diagram has the tuples that are written, so that regions can be told of them.
func (w *copyRows) diagram(t *projection.Table, sp *pruning.Space) pruning.Diagram {
	if len(w.found) == 0 || len(w.found) > maxShown {
		return sp.Const(pruning.True)
	}
	ds := make([]pruning.Diagram, len(w.found))
	for i, tuple := range w.found {
		d := sp.Const(pruning.True)
		for k, cell := range tuple {
			if cell.Null {
				d = d.And(atNull(sp, k))
			} else {
				d = d.And(inside(sp, k, pruning.Point(t.Layout.Keys[k].Type, cell.Value)))
			}
		}
		ds[i] = d
	}
	return sp.All(pruning.Diagram.Or, ds, sp.Const(pruning.False))
}

// open are the keys whose values only the rows tell.
func (w *copyRows) open(t *projection.Table) ast.Expr {
	if w.certain == projection.Exactly {
		return nil
	}
	var keys []ast.Expr
	for i := range t.Columns {
		keys = append(keys, &ast.Ident{Span: noExpr.Span, Parts: []ast.Name{{Text: t.Columns[i].Name}}})
	}
	return all(keys)
}
