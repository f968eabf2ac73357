package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// fill is ref with the named expressions in its hints replaced by their values, since a system doesn't know them:
// PROJECTION = $projection, PARTITIONED_BY = $columns. A literal keeps its place, so that errors point into its text.
// ok is false when a value isn't known; that is reported.
func (b *builder) fill(ref *ast.TableRef) (filled *ast.TableRef, ok bool) {
	before := len(b.diags)
	if ref.Param != nil {
		named := *ref
		text, _ := constantText(b.bind.bind(ref.Param, &scope{params: b.params}))
		named.Param, named.Name = nil, []ast.Name{{Span: ref.Param.Span, Text: text, Quoted: true}}
		ref = &named
	}
	if ref.Func != nil && b.s.dialect.Name == "duckdb" {
		named := *ref
		named.Func = b.fillArguments(ref.Func)
		ref = &named
	}
	if !slices.ContainsFunc(ref.Hints, func(o ast.Option) bool { return hasParam(o.Value) }) {
		return ref, len(b.diags) == before
	}
	out := *ref
	out.Hints = slices.Clone(ref.Hints)
	for i := range out.Hints {
		if v := out.Hints[i].Value; hasParam(v) {
			out.Hints[i].Value = b.value(v, b.params)
		}
	}
	return &out, len(b.diags) == before
}

// fillArguments is a table function with constant expressions among its arguments replaced by their values: names of
// files, and options that are on or off. What names types, columns and formats stays as it is written.
func (b *builder) fillArguments(f *ast.Call) *ast.Call {
	out := *f
	out.Args = slices.Clone(f.Args)
	for i := range out.Args {
		switch x := out.Args[i].X.(type) {
		case *ast.Literal, *ast.Ident, *ast.StructExpr:
		case *ast.ListExpr:
			if out.Args[i].Name == nil && slices.ContainsFunc(x.Items, hasParam) {
				out.Args[i].X = b.argument(x)
			}
		case *ast.Subquery:
			b.report(x, "table.function", "SET VARIABLE x = (SELECT …) and write getvariable('x')", "a table function can't contain a subquery")
		default:
			out.Args[i].X = b.argument(x)
		}
	}
	return &out
}

// argument is the value of an expression as a literal or a list of literals; what isn't known stays.
func (b *builder) argument(e ast.Expr) ast.Expr {
	x := b.bind.bind(e, &scope{params: b.params})
	items, list := listItems(x)
	if !list {
		return folded(x)
	}
	out := &ast.ListExpr{Span: ast.Span{From: e.Pos(), To: e.End()}, Items: make([]ast.Expr, len(items))}
	for i, item := range items {
		out.Items[i] = folded(item)
	}
	return out
}

// hasParam reports whether a hint's value has to be replaced.
func hasParam(e ast.Expr) bool {
	switch e := e.(type) {
	case nil, *ast.Literal, *ast.Ident:
		return false
	case *ast.Tuple:
		return slices.ContainsFunc(e.Items, hasParam)
	case *ast.ListExpr:
		return slices.ContainsFunc(e.Items, hasParam)
	}
	return true
}

// value is a hint's value with names and constant expressions replaced by literals. Lists stay lists.
func (b *builder) value(e ast.Expr, params *param) ast.Expr {
	switch e := e.(type) {
	case *ast.Literal, *ast.Ident:
		return e
	case *ast.Tuple:
		return &ast.Tuple{Span: e.Span, Items: b.valuesOf(e.Items, params)}
	case *ast.ListExpr:
		return &ast.ListExpr{Span: e.Span, Items: b.valuesOf(e.Items, params)}
	case *ast.Param:
		if p := params.lookup(e.Name); p != nil && p.x != nil && p.typ == nil && p.sel == nil {
			if _, plain := p.x.(*ast.Ident); !plain {
				return b.value(p.x, p.up)
			}
		}
	case *ast.Call:
		if items, ok := listCall(e); ok {
			return &ast.ListExpr{Span: e.Span, Items: b.valuesOf(items, params)}
		}
	}
	before := len(b.diags)
	x := b.bind.bind(e, &scope{params: params})
	if text, ok := constantText(x); ok {
		return &ast.Literal{Span: ast.Span{From: e.Pos(), To: e.End()}, Kind: ast.StringLit, Raw: text, Text: text}
	}
	if len(b.diags) == before {
		b.report(e, "plan.hint", "write the value itself, or a $name of a constant",
			"the value of %s is not known while planning, so it can't be used in WITH", b.text(e))
	}
	return e
}

func (b *builder) valuesOf(items []ast.Expr, params *param) []ast.Expr {
	out := make([]ast.Expr, len(items))
	for i, x := range items {
		out[i] = b.value(x, params)
	}
	return out
}

// listCall gives the items of AsList(…) and AsTuple(…).
func listCall(c *ast.Call) ([]ast.Expr, bool) {
	if name := c.Func.Text; c.Module.Text != "" || !strings.EqualFold(name, "AsList") && !strings.EqualFold(name, "AsTuple") {
		return nil, false
	}
	var items []ast.Expr
	for _, a := range c.Args {
		items = append(items, a.X)
	}
	return items, true
}
