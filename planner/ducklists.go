package planner

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// What DuckDB makes of lists: comprehensions, functions that take a lambda, slices; and calls that are chained with dots.

// comprehension is [x FOR a, i IN list IF condition] over a list that is known.
func (b *binder) comprehension(e *ast.Comprehension, sc *scope) expr {
	list := b.bind(e.List, sc)
	var keep *ast.Lambda
	if e.If != nil {
		keep = &ast.Lambda{Span: e.Span, Params: e.Params, Body: e.If}
	}
	return b.mapped(e, list, &ast.Lambda{Span: e.Span, Params: e.Params, Body: e.X}, keep, sc)
}

// mapped is a list with a lambda applied to those items for which another, if there is one, is TRUE. Lambdas may take the
// place of the item, too, counted from 1.
func (b *binder) mapped(at ast.Expr, list expr, body, keep *ast.Lambda, sc *scope) expr {
	items, ok := listItems(list)
	if !ok || len(items) > maxConstantRows {
		return &opaque{at: at, why: "a list that isn't known", args: []expr{list}}
	}
	apply := func(l *ast.Lambda, i int) expr {
		args := []expr{items[i], &constant{at: at, t: duckKind(pruning.Int64), v: integer(int64(i + 1))}}
		return b.applyLambda(at, &closure{l, sc, b.sem}, args[:min(len(l.Params), 2)])
	}
	var out []expr
	for i, item := range items {
		if keep != nil {
			keeps, ok := kept(b.wantBool(apply(keep, i), "the condition of the list"))
			if !ok {
				return &opaque{at: at, why: "a list that isn't known", args: []expr{list}}
			}
			if !keeps {
				continue
			}
		}
		if body != nil {
			item = apply(body, i)
		}
		out = append(out, item)
	}
	return b.list(at, out)
}

// duckListCall is list_transform(list, lambda) and list_filter(list, lambda); nil for other calls.
func (b *binder) duckListCall(e *ast.Call, name string, sc *scope) expr {
	if len(e.Args) != 2 {
		return nil
	}
	l, ok := e.Args[1].X.(*ast.Lambda)
	if !ok {
		return nil
	}
	switch name {
	case "list_transform", "array_transform", "list_apply", "array_apply", "apply":
		return b.mapped(e, b.bind(e.Args[0].X, sc), l, nil, sc)
	case "list_filter", "array_filter", "filter":
		return b.mapped(e, b.bind(e.Args[0].X, sc), nil, l, sc)
	}
	return nil
}

// duckSlice is s[2:3] of a text, which counts characters from 1 on, both ends included. Other slices aren't followed.
func (b *binder) duckSlice(e *ast.Slice, sc *scope) expr {
	x := b.bind(e.X, sc)
	args := []expr{x}
	bounds := [2]int{1, -1}
	known := e.Step == nil
	for i, bound := range []ast.Expr{e.Lo, e.Hi, e.Step} {
		if bound == nil {
			continue
		}
		y := b.bind(bound, sc)
		args = append(args, y)
		c, ok := y.(*constant)
		if !ok || i == 2 || !c.v.isKnown() {
			known = false
			continue
		}
		n, ok := smallInt(c.t, c.v)
		bounds[i], known = n, known && ok && n > 0
	}
	if !known || !x.typ().isText() {
		return &opaque{at: e, why: "a slice", args: args}
	}
	number := func(n int) expr { return &constant{at: e, t: duckKind(pruning.Int64), v: integer(int64(n))} }
	call := []expr{x, number(bounds[0])}
	if e.Hi != nil {
		call = append(call, number(max(0, bounds[1]-bounds[0]+1)))
	}
	return b.call(e, duckSubstring("substring"), call...)
}

// schemas hold the functions of DuckDB itself.
var schemas = []string{"main", "system", "pg_catalog", "information_schema", "temp", "memory"}

// chained is x.f(y) as f(x, y); where x is no column but a schema, as f(y). nil for what isn't called by a name.
func (b *binder) chained(e *ast.Call, sc *scope) *ast.Call {
	c := *e
	c.Callee = nil
	switch x := e.Callee.(type) {
	case *ast.Member:
		c.Func = x.Name
		c.Args = append([]ast.Arg{{Span: ast.Span{From: x.X.Pos(), To: x.X.End()}, X: x.X}}, e.Args...)
	case *ast.Ident:
		n := len(x.Parts) - 1
		if n == 0 {
			return nil
		}
		c.Func = x.Parts[n]
		object := &ast.Ident{Span: ast.Span{From: x.From, To: x.Parts[n-1].To}, Parts: x.Parts[:n]}
		if b.isColumn(object, sc) {
			c.Args = append([]ast.Arg{{Span: object.Span, X: object}}, e.Args...)
		}
	default:
		return nil
	}
	return &c
}

// isColumn reports whether a name means a column, or what a lambda is applied to.
func (b *binder) isColumn(e *ast.Ident, sc *scope) bool {
	for _, s := range schemas {
		if strings.EqualFold(e.Parts[0].Text, s) {
			return false
		}
	}
	if b.bareLocal(e, sc.locals) != nil {
		return true
	}
	for s := sc; s != nil; s = s.outer {
		for _, r := range s.rels {
			if r.open || r.find(e.Parts[0].Text, b.sem.sameName) >= 0 {
				return true
			}
		}
		if len(e.Parts) > 1 && len(b.named(e, s)) > 0 {
			return true
		}
	}
	return false
}

// duckArrow is j -> 'path', where the name before the arrow is a column, else a lambda.
func (b *binder) duckArrow(e *ast.Lambda, sc *scope) expr {
	if e.Word || len(e.Params) != 1 {
		return nil
	}
	p := &e.Params[0]
	id := &ast.Ident{Span: p.Span, Parts: []ast.Name{{Span: p.Span, Text: p.Name}}}
	if !b.isColumn(id, sc) {
		return nil
	}
	return &opaque{at: e, why: "the operator ->", args: []expr{b.bind(id, sc), b.bind(e.Body, sc)}}
}
