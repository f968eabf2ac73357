package planner

import (
	"math"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// duckCompare brings the operands of a comparison to one type (DuckDB, bound_comparison_expression.cpp): a text literal
// takes the other side's; a text column meets a number as a number and a date as a text, but by = and <> only; a Bool
// meets a number as a number. It gives nil where nothing has to be done.
func (b *binder) duckCompare(at ast.Expr, op ast.Op, l, r expr) expr {
	if l.typ().shape == tupleShape && r.typ().shape == tupleShape {
		return b.duckTuples(at, op, l, r)
	}
	l, r = unnarrowed(l, r), unnarrowed(r, l)
	x, y, ok := b.duckMeet(at, op, l, r)
	switch {
	case !ok:
		return boolOpaque(at, "an expression with an error", l, r)
	}
	return b.compareAlike(at, op, x, y)
}

// unnarrowed is x without a cast to a narrower integer, where it is compared with a constant integer: DuckDB moves such
// casts to the constant (comparison_simplification.cpp), so that values out of range are neither NULL nor errors.
func unnarrowed(x, other expr) expr {
	a, ok := x.(*apply)
	if _, constant := other.(*constant); !ok || !constant || a.fn != duckCastFn && a.fn != duckTryFn {
		return x
	}
	if !a.t.isInt() || !a.args[0].typ().isInt() || !other.typ().isInt() {
		return x
	}
	return a.args[0]
}

func isEquality(op ast.Op) bool {
	switch op {
	case ast.OpEq, ast.OpNe, ast.OpDistinct, ast.OpNotDistinct, "IN":
		return true
	}
	return false
}

// duckMeet gives both operands as values of types that compare; ok is false after an error.
func (b *binder) duckMeet(at ast.Expr, op ast.Op, l, r expr) (x, y expr, ok bool) {
	t, u := l.typ(), r.typ()
	switch {
	case t.shape != scalarShape || u.shape != scalarShape:
		return l, r, true
	case isFloat(t.scalar.Kind) || isFloat(u.scalar.Kind):
		if t.isNumber() && u.isNumber() {
			return b.meetFloats(l, r)
		}
	case t.isNumber() && u.isNumber(), t.isDate() && u.isDate(), t.scalar == u.scalar:
		return l, r, true
	}
	switch {
	case isTextLiteral(r) && !t.isText():
		y := b.duckParse(r.node(), r.node(), duckType(t.scalar), textOf(r))
		return l, y, !b.failedNow(y)
	case isTextLiteral(l) && !u.isText():
		x := b.duckParse(l.node(), l.node(), duckType(u.scalar), textOf(l))
		return x, r, !b.failedNow(x)
	case t.isText() && isEquality(op) && (u.isNumber() || u.isBool()):
		return b.duckCastTo(l.node(), l, duckType(u.scalar), duckCastFn), r, true
	case u.isText() && isEquality(op) && (t.isNumber() || t.isBool()):
		return l, b.duckCastTo(r.node(), r, duckType(t.scalar), duckCastFn), true
	case t.isText() && isEquality(op):
		return l, b.duckCastTo(r.node(), r, duckKind(pruning.String), duckCastFn), true
	case u.isText() && isEquality(op):
		return b.duckCastTo(l.node(), l, duckKind(pruning.String), duckCastFn), r, true
	case t.isBool() && u.isNumber():
		return b.duckCastTo(l.node(), l, duckType(u.scalar), duckCastFn), r, true
	case u.isBool() && t.isNumber():
		return l, b.duckCastTo(r.node(), r, duckType(t.scalar), duckCastFn), true
	}
	b.errorf(at, "bind.compare", castHint(l, r), "%s can't be compared with %s", b.described(l), b.described(r))
	return l, r, false
}

// castHint says how a text column is compared with a value of another type.
func castHint(l, r expr) string {
	if r.typ().isText() {
		l, r = r, l
	}
	if n := nodeText(l); l.typ().isText() && n != "the operand" {
		return "write " + n + "::" + r.typ().String()
	}
	return ""
}

// meetFloats compares a double with another number as doubles. Where the double is a constant that every number around it
// keeps apart from others, comparing exactly is the same.
func (b *binder) meetFloats(l, r expr) (x, y expr, ok bool) {
	if exactFloat(l) || exactFloat(r) || l.typ().scalar == r.typ().scalar {
		return l, r, true
	}
	return b.toDouble(l), b.toDouble(r), true
}

// exactFloat: a constant below 2^24, where floats of 32 bits hold all integers. Decimals aren't exact as floats.
func exactFloat(x expr) bool {
	c, ok := x.(*constant)
	if !ok || !isFloat(c.t.scalar.Kind) {
		return false
	}
	v, ok := c.v.known()
	return ok && math.Abs(v.Float()) < 1<<24
}

func (b *binder) toDouble(x expr) expr {
	if x.typ().is(pruning.Float64) {
		return x
	}
	return b.duckCastTo(x.node(), x, duckKind(pruning.Float64), duckCastFn)
}

// duckTuples compares rows, which DuckDB takes for structs: the result is never NULL, NULL equals NULL and is above all
// other values.
func (b *binder) duckTuples(at ast.Expr, op ast.Op, l, r expr) expr {
	xs, ok1 := elements(l)
	ys, ok2 := elements(r)
	if !ok1 || !ok2 || len(xs) != len(ys) || len(xs) == 0 {
		return nil
	}
	pair := func(op ast.Op, i int) expr { return b.duckElement(at, op, xs[i], ys[i]) }
	if isEquality(op) {
		all := make([]expr, len(xs))
		for i := range xs {
			all[i] = pair(ast.OpNotDistinct, i)
		}
		out := b.chain(at, andFn, all)
		if op == ast.OpNe || op == ast.OpDistinct {
			return b.call(at, notFn, out)
		}
		return out
	}
	strict := ast.OpLt
	if op == ast.OpGt || op == ast.OpGe {
		strict = ast.OpGt
	}
	out := pair(op, len(xs)-1)
	for i := len(xs) - 2; i >= 0; i-- {
		out = b.call(at, orFn, pair(strict, i), b.call(at, andFn, pair(ast.OpNotDistinct, i), out))
	}
	return out
}

// chain is a call of AND or OR, or its only operand.
func (b *binder) chain(at ast.Expr, fn *function, args []expr) expr {
	if len(args) == 1 {
		return args[0]
	}
	return b.call(at, fn, args...)
}

// duckElement compares elements of two rows: NULL is equal to itself and above all else. A text and a number are equal as
// texts, even where the text is a literal; they have no order.
func (b *binder) duckElement(at ast.Expr, op ast.Op, x, y expr) expr {
	if t, u := x.typ(), y.typ(); t.isText() != u.isText() && t.shape == scalarShape && u.shape == scalarShape {
		if !isEquality(op) {
			b.errorf(at, "bind.compare", "", "%s can't be compared with %s in a row", b.described(x), b.described(y))
			return boolOpaque(at, "an expression with an error", x, y)
		}
		if t.isNumber() {
			x = b.duckCastTo(x.node(), x, duckKind(pruning.String), duckCastFn)
		} else if u.isNumber() {
			y = b.duckCastTo(y.node(), y, duckKind(pruning.String), duckCastFn)
		}
	}
	if op == ast.OpNotDistinct {
		return b.compare(at, op, x, y)
	}
	isNull := func(x expr) expr { return b.call(at, isFn(pruning.Null), x) }
	known := b.call(at, isFn(pruning.True), b.compare(at, op, x, y))
	greater, other := y, x
	if op == ast.OpGt || op == ast.OpGe {
		greater, other = x, y
	}
	if op == ast.OpLe || op == ast.OpGe {
		return b.call(at, orFn, known, isNull(greater))
	}
	return b.call(at, orFn, known, b.call(at, andFn, isNull(greater), b.call(at, notFn, isNull(other))))
}

// duckIn brings x and the items of a list to one type: that of the items that are no text literals, else that of x. A
// list in brackets, [1, NULL], is searched by list_contains, for which NULL is in no list.
func (b *binder) duckIn(e *ast.In, x expr, items []expr) expr {
	if _, brackets := e.Set.(*ast.ListExpr); brackets {
		items = slices.DeleteFunc(slices.Clone(items), isNullConstant)
	}
	if x.typ().shape == tupleShape {
		return b.duckInTuples(e, x, items)
	}
	for _, item := range items {
		if t := item.typ(); x.typ().isText() && t.shape == scalarShape && !t.isText() {
			x = b.firstMeet(e, x, item)
			break
		}
	}
	out := make([]expr, len(items))
	for i, item := range items {
		y, z, ok := b.duckMeet(e, "IN", x, item)
		if !ok || b.failedNow(z) {
			return boolOpaque(e, "an expression with an error", x)
		}
		if out[i] = z; y != x { // a double among integers
			out[i] = item
		}
	}
	return b.inAlike(e, x, out)
}

// duckInTuples compares a row with rows. Where these are constants without NULL, comparing one by one is TRUE for the same
// rows, and FALSE stands for its NULL.
func (b *binder) duckInTuples(e *ast.In, x expr, items []expr) expr {
	var plain, out []expr
	for _, item := range items {
		c, ok := item.(*constant)
		if ok && c.t.shape == tupleShape && c.t.scalars() && c.v.settled() && comparableTypes(x.typ(), c.t) {
			plain = append(plain, item)
		} else {
			out = append(out, b.compare(e, ast.OpEq, x, item))
		}
	}
	if len(plain) > 0 {
		out = append(out, b.call(e, isFn(pruning.True), b.inAlike(e, x, plain)))
	}
	if len(out) == 0 {
		return &constant{at: e, t: duckKind(pruning.Bool), v: boolean(false)}
	}
	return b.chain(e, orFn, out)
}

// firstMeet is x as it compares with an item.
func (b *binder) firstMeet(e *ast.In, x, item expr) expr {
	y, _, _ := b.duckMeet(e, "IN", x, item)
	return y
}

func isNullConstant(x expr) bool {
	c, ok := x.(*constant)
	return ok && c.v.isNull()
}
