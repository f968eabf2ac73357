package planner

import (
	"context"
	"fmt"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// builder makes the nodes of one statement and finds all of its errors on the way.
type builder struct {
	s       *Session
	ctx     context.Context
	bind    *binder // binder
	binder  binder
	diags   ast.Diagnostics
	err     error // an I/O error
	cut     error // what ended a listing before its time
	params  *param
	ctes    *cte
	env     projection.Env
	at      []ast.Pos         // the places of the $names, CTEs and views that are being unfolded
	views   []*ast.CreateView // that are being unfolded
	scans   []*scanNode
	tables  map[*ast.TableRef]madeTable // inside of $names and CTEs
	roots   []node                      // what the statement reads
	inner   []innerQuery                // queries in expressions
	writes  []*Scan
	placed  int // relations so far
	queries int // made so far
	// checking: only errors are looked for, so that a named query that was checked before counts as its columns.
	checking bool
	quiet    bool // what is wrong with tables isn't told
	refused  bool // a view was read that is too large
	depth    int  // of queries within each other
}

// innerQuery is a query in an expression.
type innerQuery struct {
	at   ast.Expr
	node outNode
}

const (
	maxDepth   = 256    // of queries within each other, by $names too
	maxQueries = 10_000 // in one statement; a name that is used twice counts twice
)

func newBuilder(ctx context.Context, s *Session) *builder {
	b := &builder{s: s, ctx: ctx, params: s.params, env: s.env}
	b.binder = *s.binder(&b.diags)
	b.bind, b.binder.queries = &b.binder, b
	return b
}

// report adds an error about a node.
func (b *builder) report(n ast.Node, code, hint, format string, args ...any) {
	b.diags = append(b.diags, &ast.Diagnostic{
		Code: code, Pos: n.Pos(), End: n.End(), Msg: fmt.Sprintf(format, args...), Hint: hint,
	})
}

// text prints an expression for messages.
func (b *builder) text(e ast.Expr) string { return ast.Print(e, b.s.dialect.Style()) }

// yql reports whether the statement is YQL, which matches columns by name where SQL does by position.
func (b *builder) yql() bool { return b.s.dialect.Name == "yql" }

// query makes the node of a query. outer is the scope around it.
func (b *builder) query(q ast.Query, outer *scope) outNode {
	b.queries++
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth || b.queries > maxQueries {
		if b.queries > maxQueries {
			b.tooBig(q, fmt.Sprintf("the statement reads more than %d queries", maxQueries))
		} else {
			b.tooBig(q, fmt.Sprintf("queries stand within each other more than %d deep", maxDepth))
		}
		return &opaqueNode{&relation{open: true}}
	}
	before := b.ctes
	var n outNode
	switch q := q.(type) {
	case *ast.Select:
		b.with(q.With, outer)
		n = b.sel(q, outer)
	case *ast.SetOp:
		b.with(q.With, outer)
		n = b.setOp(q, outer)
	case *ast.Values:
		n = b.values(q, outer)
	case *ast.Reshape:
		n = b.reshape(q, outer)
	}
	b.without(before)
	return n
}

// tooBig reports a limit, once.
func (b *builder) tooBig(n ast.Node, msg string) {
	if !b.limited() {
		b.report(n, "plan.limit", "", "%s", msg)
	}
}

// limited reports whether the statement was found to be too large.
func (b *builder) limited() bool {
	return slices.ContainsFunc(b.diags, func(d *ast.Diagnostic) bool { return d.Code == "plan.limit" && d.Severity == ast.Error })
}

// inExpression is the binder's way to plan a query in an expression.
func (b *builder) inExpression(q ast.Query, at ast.Expr, outer *scope) *relation {
	var n outNode
	if _, ok := at.(*ast.Param); ok {
		n = b.unfold(q, outer.params, at.Pos())
	} else {
		n = b.query(q, outer)
	}
	b.inner = append(b.inner, innerQuery{at, n})
	return n.relation()
}

// innerAt is the place in inner of the query that stands in an expression, or -1.
func (b *builder) innerAt(at ast.Expr) int {
	return slices.IndexFunc(b.inner, func(q innerQuery) bool { return q.at == at })
}

// settled puts the value in the place of subqueries that don't read anything: (SELECT 2025), EXISTS (SELECT 1 WHERE …).
func (b *builder) settled(e expr) expr {
	if len(b.inner) == 0 {
		return e
	}
	switch e := e.(type) {
	case *apply:
		args, changed := e.args, false
		for i, a := range e.args {
			if x := b.settled(a); x != a {
				if !changed {
					args, changed = slices.Clone(args), true
				}
				args[i] = x
			}
		}
		if changed {
			return b.bind.fold(&apply{at: e.at, fn: e.fn, args: args, t: e.t})
		}
	case *opaque:
		i := b.innerAt(e.at)
		if i < 0 {
			break
		}
		if n, ok := b.inner[i].node.(*selectNode); ok && !n.limited && !n.sampled && n.on == nil && len(n.qualify)+len(n.windows) == 0 {
			return b.valueOf(e, n)
		}
	}
	return e
}

// valueOf is the value of a subquery without FROM, or over rows that are known.
func (b *builder) valueOf(e *opaque, n *selectNode) expr {
	from, ok := &constantRows{rows: [][][]expr{nil}}, true
	if n.from != nil {
		if from, ok = b.rowsOf(n.from); !ok || len(from.rows) > maxPerRow {
			return e
		}
	}
	if _, ok := e.at.(*ast.Exists); ok {
		if n.grouped || slices.ContainsFunc(n.items, unnests) { // perhaps no row at all, or one whatever the rows are
			return e
		}
		return b.existsIn(e, n, from)
	}
	if rows, ok := b.outRows(n); ok && len(rows) < 2 && len(n.items) == 1 {
		if len(rows) == 0 {
			return &constant{at: e.at, t: typ{shape: nullShape}, v: nullValue}
		}
		if c, ok := rows[0][0].(*constant); ok {
			return &constant{at: e.at, t: c.t, v: c.v}
		}
	}
	return e
}

// existsIn is EXISTS over known rows: the condition holds for one of them.
func (b *builder) existsIn(e *opaque, n *selectNode, from *constantRows) expr {
	var rows []expr
	for i := range from.rows {
		each := []expr{&constant{at: e.at, t: e.t, v: boolean(true)}}
		for _, p := range n.where {
			each = append(each, b.inRow(p.x, from, i))
		}
		rows = append(rows, b.bind.call(e.at, isFn(pruning.True), b.chain(e.at, andFn, each)))
	}
	if len(rows) == 0 {
		return &constant{at: e.at, t: e.t, v: boolean(false)}
	}
	return b.chain(e.at, orFn, rows)
}

// unfold makes the node of $x = SELECT … with the names that were known there.
func (b *builder) unfold(q ast.Query, params *param, at ast.Pos) outNode {
	if r := b.s.outputs[q]; r != nil && b.checking {
		return &opaqueNode{&relation{cols: slices.Clone(r.cols), open: r.open}}
	}
	was, ctes := b.params, b.ctes
	b.params, b.ctes = params, nil
	b.at = append(b.at, at)
	defer func() { b.params, b.ctes, b.at = was, ctes, b.at[:len(b.at)-1] }()
	return b.query(q, nil)
}

// cte is one name of a WITH, in a list that grows at its head.
type cte struct {
	up    *cte
	def   *ast.CTE
	outer *scope
	used  bool
	busy  bool // it is being unfolded
}

// with brings the names of a WITH into scope.
func (b *builder) with(defs []ast.CTE, outer *scope) {
	for i := range defs {
		b.ctes = &cte{up: b.ctes, def: &defs[i], outer: outer}
	}
}

// without ends the scope of names. One that was never read has no scans, but it is still checked.
func (b *builder) without(before *cte) {
	for c := b.ctes; c != before; c = c.up {
		if !c.used {
			scans, inner := len(b.scans), len(b.inner)
			b.unfoldCTE(c, c.def.Pos())
			b.scans, b.inner = b.scans[:scans], b.inner[:inner]
		}
	}
	b.ctes = before
}

// unfoldCTE makes the node of a WITH's name where it is used. A recursive name inside itself yields unknown rows.
func (b *builder) unfoldCTE(c *cte, at ast.Pos) outNode {
	c.used = true
	if c.busy {
		return &opaqueNode{&relation{open: true}}
	}
	ctes, busy := b.ctes, c.busy
	b.ctes = c.up
	if c.def.Recursive {
		b.ctes, c.busy = c, true
	}
	b.at = append(b.at, at)
	defer func() { b.ctes, c.busy, b.at = ctes, busy, b.at[:len(b.at)-1] }()
	n := b.query(c.def.Query, c.outer)
	b.rename(n.relation(), "", c.def.Columns)
	return n
}

// lookupCTE finds the WITH name that a table reference means, or nil.
func (b *builder) lookupCTE(ref *ast.TableRef) *cte {
	if len(ref.Name) != 1 || ref.At {
		return nil
	}
	for c := b.ctes; c != nil; c = c.up {
		if b.bind.sem.sameName(c.def.Name.Text, ref.Name[0].Text) {
			return c
		}
	}
	return nil
}

// rename gives a relation and its columns the names of an alias. In an open relation nobody knows which columns these are:
// they are data, and a column of such a name is no longer meant.
func (b *builder) rename(r *relation, alias string, columns []ast.Name) {
	r.name = alias
	for i, c := range columns {
		if r.open {
			if k := r.find(c.Text, b.bind.sem.sameName); k >= 0 {
				r.cols[k].name = ""
			}
			continue
		}
		if i < len(r.cols) {
			r.cols[i].name = c.Text
		} else {
			b.report(&columns[i], "plan.columns", "", "there is no column for the name %s: the query has %d", c.Text, len(r.cols))
		}
	}
}

// preds splits a condition at its ANDs.
func preds(e expr) []pred {
	if e == nil {
		return nil
	}
	list := conjuncts(make([]expr, 0, 4), e)
	out := make([]pred, len(list))
	for i, x := range list {
		out[i] = pred{x: x, shown: x.node()}
	}
	return out
}

// column is the i-th column of r as an expression, with a name in no text.
func (r *relation) column(i int) *column { return new(unwritten).column(r, i) }

// unwritten is the memory of a column with a name in no text.
type unwritten struct {
	col   column
	ident ast.Ident
	parts [2]ast.Name
}

func (x *unwritten) column(r *relation, i int) *column {
	c := &r.cols[i]
	x.parts = [2]ast.Name{{Text: r.name}, {Text: c.name}}
	x.ident = ast.Ident{Span: ast.Span{From: ast.NoPos, To: ast.NoPos}, Parts: x.parts[:]}
	if r.name == "" {
		x.ident.Parts = x.parts[1:]
	}
	x.col = column{at: &x.ident, rel: r, index: i, name: c.name, t: c.typ}
	return &x.col
}
