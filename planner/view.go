package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// A view is a named query of the catalog: what reads it reads its query, and conditions move down into that.

// createView declares a view and finds the errors of its query. What it reads is listed when something reads the view.
func (s *Session) createView(ctx context.Context, st *ast.CreateView) error {
	var diags ast.Diagnostics
	if !s.catalog.declare(st, &diags) {
		return s.found(diags)
	}
	diags = append(diags, doubtView(st.Name, st.Options)...)
	if s.views == nil {
		s.views = map[*ast.CreateView]*param{}
	}
	s.views[st] = &param{up: s.params, query: st.As, sem: s.sem}
	b := newBuilder(ctx, s)
	b.env.Declare, b.quiet = true, true
	n := b.query(st.As, nil)
	b.rename(n.relation(), "", viewColumns(st))
	if b.err != nil {
		return b.err
	}
	s.views[st].refused = b.refused || b.limited()
	if b.diags.HasErrors() {
		return append(diags, b.diags...)
	}
	return s.found(diags)
}

// viewColumns are the names that a view gives to the columns of its query.
func viewColumns(st *ast.CreateView) []ast.Name {
	names := make([]ast.Name, len(st.Columns))
	for i := range st.Columns {
		names[i] = st.Columns[i].Name
	}
	return names
}

// view is the node of a reference to a view; nil for other tables. YQL binds a view's names where it was created, others
// where it is read: getvariable('x') is the variable's value then (DuckDB documentation, "CREATE VIEW").
func (b *builder) view(ref *ast.TableRef, alias string) outNode {
	if len(ref.Name) == 0 || ref.Func != nil || ref.At {
		return nil
	}
	v := b.s.catalog.view(ref.Name, !b.yql())
	if v == nil {
		return nil
	}
	if alias == "" {
		alias = v.Name[len(v.Name)-1].Text
	}
	if slices.Contains(b.views, v) {
		b.report(ref, "plan.recursive", "", "the view %s reads itself", dotted(v.Name))
		return &opaqueNode{&relation{name: alias, open: true}}
	}
	p := b.s.views[v]
	if p.refused && b.quiet {
		b.refused = true
		return &opaqueNode{&relation{name: alias, open: true}}
	}
	b.views = append(b.views, v)
	defer func() { b.views = b.views[:len(b.views)-1] }()
	params := p.up
	if !b.yql() {
		params = b.params
	}
	defer b.bind.follow(p.sem)()
	n := b.unfold(p.query, params, ref.Pos())
	b.rename(n.relation(), "", viewColumns(v))
	b.rename(n.relation(), alias, ref.Columns)
	return n
}

// view is the view that a name means, or nil. Loosely, names are compared from their ends: t, db.t and catalog.db.t are
// one; the same name comes first.
func (c *catalog) view(name []ast.Name, loose bool) *ast.CreateView {
	var out *ast.CreateView
	for _, st := range slices.Backward(c.decls) {
		v, ok := st.(*ast.CreateView)
		switch {
		case !ok:
		case object{name: v.Name}.equal(object{name: name}, c.same):
			return v
		case out == nil && loose && c.ends(v.Name, name):
			out = v
		}
	}
	return out
}

// doubtView tells of the settings of a projection on a view, which nothing looks at (Athena user guide, "Partition
// projection with Amazon Athena").
func doubtView(name []ast.Name, options []ast.Option) (ds ast.Diagnostics) {
	for _, o := range options {
		if strings.HasPrefix(strings.ToLower(o.Key.Text), "projection.") {
			return ast.Diagnostics{{Severity: ast.Warning, Code: "lint.view", Pos: o.Key.From, End: o.Key.To,
				Msg: dotted(name) + " is a view, and nothing looks at the properties of views", Hint: "declare the projection of the table that it reads"}}
		}
	}
	return nil
}
