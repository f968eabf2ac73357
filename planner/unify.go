package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// coalesce brings all arguments to one type. An argument that is never NULL ends the list.
func (b *binder) coalesce(at ast.Expr, args ...expr) expr {
	for i, x := range args {
		if x.typ().notNull && !x.typ().isOpen() {
			args = args[:i+1]
			break
		}
	}
	if len(args) == 1 {
		return args[0]
	}
	return b.unify(at, coalesceFn, args, func(int) bool { return true })
}

// unify makes a call whose result is one of some arguments, after converting these to the common type.
func (b *binder) unify(at ast.Expr, fn *function, args []expr, result func(i int) bool) expr {
	if b.sem.unify != nil {
		args = b.sem.unify(b, args, result)
	}
	t, ok := fn.result(args)
	if !ok {
		return b.differentTypes(at, fn, args, result)
	}
	for i, x := range args {
		if result(i) {
			args[i] = b.convert(x, t)
		}
	}
	return b.fold(&apply{at: at, fn: fn, args: args, t: t})
}

func (b *binder) differentTypes(at ast.Expr, fn *function, args []expr, result func(i int) bool) expr {
	if b.sem.lenient {
		return &opaque{at: at, why: fn.name + " with results of different types", args: args}
	}
	var types []string
	for i, x := range args {
		if s := b.typeText(x.typ()); result(i) && !slices.Contains(types, s) {
			types = append(types, s)
		}
	}
	b.errorf(at, "bind.argument", "bring them to one type with CAST", "the results of %s have different types: %s", fn.name, strings.Join(types, ", "))
	return b.failed(at, args)
}

// convert is x as a value of a wider type.
func (b *binder) convert(x expr, t typ) expr {
	u := x.typ()
	if u.shape != t.shape || u.sameValues(t) {
		return x
	}
	if t.notNull = u.notNull; t.shape != scalarShape {
		return b.convertItems(x, t)
	}
	fn := castFn
	if b.sem.convert != nil {
		fn = b.sem.convert
	}
	return b.fold(&apply{at: x.node(), fn: fn, args: []expr{x}, t: t})
}

// convertItems is convert for tuples, structs and lists, item by item. One that isn't written out is left open.
func (b *binder) convertItems(x expr, t typ) expr {
	var items []expr
	var fn *function
	switch x := x.(type) {
	case *apply:
		if x.fn == tupleFn || x.fn == structFn || x.fn == listFn {
			items, fn = slices.Clone(x.args), x.fn
		}
	case *constant:
		if x.v.isNull() {
			return &constant{at: x.at, t: t, v: x.v}
		}
		fn = map[shape]*function{tupleShape: tupleFn, structShape: structFn, listShape: listFn}[t.shape]
		if p := x.v.parts; p != nil && p.set == nil && fn != nil {
			items = constants(x)
		}
	}
	if items == nil || fn == nil {
		return &opaque{at: x.node(), t: t, why: whyOf(x), args: []expr{x}}
	}
	for i, item := range items {
		items[i] = b.convert(item, t.items[min(i, len(t.items)-1)])
	}
	return b.fold(&apply{at: x.node(), fn: fn, args: items, t: t})
}

func (b *binder) cast(e *ast.Cast, sc *scope) expr {
	x, t := b.bind(e.X, sc), b.writtenType(e.Type)
	if b.sem.castAs != nil {
		if y := b.sem.castAs(b, e, x, t); y != nil {
			return y
		}
	}
	fn := b.sem.cast
	if e.Form == "TRY_CAST" {
		fn = b.sem.tryCast
	}
	if t.shape != scalarShape || e.Form == "BITCAST" || fn == nil {
		return &opaque{at: e, t: t.optional(), why: "a cast to " + e.Type.Name.Text, args: []expr{x}}
	}
	if t.is(pruning.String) && t.name != "Utf8" {
		t.name = ""
	}
	if !b.alwaysFits(x.typ(), t) {
		t.notNull = false
	}
	t.notNull = t.notNull && x.typ().notNull
	return b.fold(&apply{at: e, fn: fn, args: []expr{x}, t: t})
}

// alwaysFits: no value of type t is NULL after a cast to u.
func (b *binder) alwaysFits(t, u typ) bool {
	if t.shape != scalarShape {
		return false
	}
	if c, ok := common(t.named(""), u.named("")); ok && c.shape == scalarShape && c.scalar == u.scalar && u.name != "Utf8" {
		return c.wide == u.wide
	}
	return u.isText() && u.name != "Utf8" && !t.isText()
}

func (b *binder) caseOf(e *ast.Case, sc *scope) expr {
	var operand expr
	if e.Operand != nil {
		operand = b.bind(e.Operand, sc)
	}
	args := make([]expr, 0, 2*len(e.Whens)+1)
	for _, w := range e.Whens {
		c := b.bind(w.If, sc)
		if operand != nil {
			c = b.compare(w.If, ast.OpEq, operand, c)
		}
		args = append(args, b.wantBool(c, "the condition of WHEN"), b.bind(w.Then, sc))
	}
	if e.Else == nil {
		args = append(args, &constant{at: e, t: typ{shape: nullShape}, v: nullValue})
	} else {
		args = append(args, b.bind(e.Else, sc))
	}
	return b.caseCall(e, args)
}

// caseCall takes conditions and results in turn, then the ELSE.
func (b *binder) caseCall(at ast.Expr, args []expr) expr {
	last := len(args) - 1
	return b.unify(at, caseFn, args, func(i int) bool { return i%2 == 1 || i == last })
}
