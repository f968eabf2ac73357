package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// Route is one row of INSERT … VALUES and where it goes.
type Route struct {
	Row     []ast.Expr // its values as written
	Diagram pruning.Diagram
}

// asLoaded is an INSERT with the constants of its rows as literals; what its query gives isn't known.
func asLoaded(st *ast.Insert, source outNode) *ast.Insert {
	rows, ok := source.(*rowsNode)
	if !ok {
		return st
	}
	values := &ast.Values{Span: ast.Span{From: st.Query.Pos(), To: st.Query.End()}}
	for _, row := range rows.rows {
		tuple := &ast.Tuple{}
		for _, x := range row {
			tuple.Items = append(tuple.Items, folded(x))
		}
		values.Rows = append(values.Rows, tuple)
	}
	loaded := *st
	loaded.Query = values
	return &loaded
}

// folded is the literal that an expression comes to, or the expression as it is written.
func folded(x expr) ast.Expr {
	c, ok := x.(*constant)
	if !ok {
		return x.node()
	}
	at := ast.Span{From: c.at.Pos(), To: c.at.End()}
	v, known := c.v.known()
	switch {
	case c.v.isNull():
		return &ast.Literal{Span: at, Kind: ast.NullLit, Raw: "NULL"}
	case !known || c.t.shape != scalarShape:
		return x.node()
	case c.t.isText():
		return &ast.Literal{Span: at, Kind: ast.StringLit, Text: v.Text()}
	case c.t.isDate():
		return &ast.Literal{Span: at, Kind: ast.StringLit, Text: string(projection.AppendMoment(nil, c.t.scalar, v))}
	}
	return &ast.Literal{Span: at, Kind: ast.StringLit, Text: string(c.t.scalar.Append(nil, v))}
}

// rowAllowed reports what is wrong with a row of VALUES for a table that doesn't take every row.
func (b *builder) rowAllowed(st *ast.Insert, n *scanNode, to []int, r result) {
	want := n.rel.width()
	if len(st.Columns) > 0 {
		want = len(st.Columns)
	}
	if len(r.items) != want && !n.rel.open {
		b.report(rowSpan(r.items), "insert.values", "write one value for each column", "the row has %d values for %d columns", len(r.items), want)
		return
	}
	for j, x := range r.items {
		c, ok := x.(*constant)
		if !ok || j >= len(to) || to[j] < 0 || !c.v.isNull() {
			continue
		}
		if col := &n.rel.cols[to[j]]; col.typ.notNull {
			b.report(c.at, "insert.null", "write a value", "NULL can't be written to %s, which is NOT NULL", col.name)
		}
	}
}

func rowSpan(items []expr) ast.Span {
	return ast.Span{From: items[0].node().Pos(), To: items[len(items)-1].node().End()}
}

// rowPlaced reports a row for which the table has no unit. The values of all keys are known.
func (b *builder) rowPlaced(n *scanNode, to []int, r result, d pruning.Diagram) {
	l := n.table.Layout
	for _, err := range projection.Walk(b.ctx, l, d, projection.Check{}) {
		if b.err == nil {
			b.err = err
		}
		return
	}
	var values []string
	for j, x := range r.items {
		if j >= len(to) || to[j] < 0 {
			continue
		}
		if col := &n.rel.cols[to[j]]; col.key >= 0 && len(l.Levels) > 0 && slices.Contains(l.Levels[0].Keys(), col.key) {
			values = append(values, col.name+" "+b.text(x.node()))
		}
	}
	hint := "add one that holds it"
	if l.Facts != nil {
		facts, _ := l.Facts(b.ctx, d, projection.Check{})
		for _, f := range facts {
			if f.Label == "holes" && len(f.Lines) > 0 {
				hole, _, _ := strings.Cut(f.Lines[0], ": ")
				hint = "there is a hole: " + hole
			}
		}
	}
	b.report(rowSpan(r.items), "insert.partition", hint, "no partition of %s takes the row (%s)", n.table.Name, strings.Join(values, ", "))
}

// defaultWord is what is opaque of DEFAULT in a row: the column's default.
const defaultWord = "DEFAULT"

// omitted is what a row has in a column that it doesn't name: the default, or NULL. It is nil where that isn't declared.
func (b *builder) omitted(n *scanNode, i int, c *column) expr {
	if !n.table.Layout.Closed {
		return nil
	}
	if x := n.table.Columns[i].Default; x != nil {
		return b.bind.bind(x, &scope{params: b.params})
	}
	if c.t.notNull {
		return nil
	}
	return &constant{at: c.at, t: typ{shape: nullShape}, v: nullValue}
}
