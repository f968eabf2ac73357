package planner

import (
	"math"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// arithmetic is one of + - * / % on numbers, dates and intervals.
func arithmetic(op ast.Op) *function {
	return &function{
		name: string(op), op: op, min: 2, max: 2, mayNull: true,
		result: func(args []expr) (typ, bool) { return arithType(op, args[0].typ(), args[1].typ()) },
		span:   func(a *apply, args []value) value { return evalArith(op, a, args) },
	}
}

// arithType gives the type of "t op u". Of two integers it is the wider type, of two as wide the unsigned one (YQL,
// "Arithmetic operators"); a quotient may be NULL.
func arithType(op ast.Op, t, u typ) (typ, bool) {
	if t.isOpen() || u.isOpen() {
		return typ{}, true
	}
	if t.shape != scalarShape || u.shape != scalarShape {
		return typ{}, false
	}
	a, b := t.scalar.Kind, u.scalar.Kind
	switch {
	case isInt(a) && isInt(b):
		out := scalar(widerInt(a, b))
		out.notNull = t.notNull && u.notNull && op != ast.OpDiv && op != ast.OpMod
		return out, true
	case t.isNumber() && u.isNumber():
		return floatType(t, u).orNull(t).orNull(u), true
	}
	out, ok := intervalType(op, t, u)
	out.notNull, out.name = false, ""
	return out, ok
}

func widerInt(a, b pruning.Kind) pruning.Kind {
	if width(a) > width(b) || width(a) == width(b) && isUnsigned(a) {
		return a
	}
	return b
}

// floatType is Double if one is; of Float and integers too, as far as values are computed here. Decimals stay open.
func floatType(t, u typ) typ {
	a, b := t.scalar.Kind, u.scalar.Kind
	if a == pruning.Float32 && b == pruning.Float32 {
		return scalar(pruning.Float32)
	}
	if (isFloat(a) || isInt(a)) && (isFloat(b) || isInt(b)) {
		return scalar(pruning.Float64)
	}
	return typ{}
}

// intervalType: date ± interval, date - date, interval ± interval, interval times or by a whole number.
func intervalType(op ast.Op, t, u typ) (typ, bool) {
	ti, ui := t.is(pruning.Interval), u.is(pruning.Interval)
	switch {
	case t.isDate() && ui && (op == ast.OpAdd || op == ast.OpSub):
		return t, true
	case ti && u.isDate() && op == ast.OpAdd:
		return u, true
	case t.isDate() && u.isDate() && op == ast.OpSub:
		return scalar(pruning.Interval), true
	case ti && ui && (op == ast.OpAdd || op == ast.OpSub):
		return t, true
	case ti && u.isInt() && (op == ast.OpMul || op == ast.OpDiv):
		return t, true
	case t.isInt() && ui && op == ast.OpMul:
		return u, true
	case ti && ui && op == ast.OpDiv:
		return scalar(pruning.Int64), true
	}
	return typ{}, false
}

// evalArith dispatches on the types of the operands.
func evalArith(op ast.Op, a *apply, args []value) value {
	x, y := args[0], args[1]
	if x.isNull() || y.isNull() {
		return nullValue
	}
	out := unknown(a.t)
	if a.t.shape == scalarShape {
		t, u := a.args[0].typ(), a.args[1].typ()
		switch {
		case t.isInt() && u.isInt():
			out = intArith(op, t.scalar.Kind, x, u.scalar.Kind, y, a.t.scalar.Kind)
		case t.isNumber() && u.isNumber():
			out = floatArith(op, t.scalar, x, u.scalar, y, a.t.scalar.Kind)
		default:
			out = dateArith(op, t, x, u, y, a.t)
		}
	}
	out.is |= (x.is | y.is) & null
	return out
}

// span128 is a range of whole numbers.
type span128 struct{ lo, hi int128 }

func spanOf(k pruning.Kind, v value) (span128, bool) {
	if !v.bounded() || v.is&under != 0 {
		return span128{}, false
	}
	return span128{toWide(k, v.lo), toWide(k, v.hi)}, true
}

func intArith(op ast.Op, k pruning.Kind, x value, m pruning.Kind, y value, result pruning.Kind) value {
	open := anything
	if op == ast.OpDiv || op == ast.OpMod {
		open = open.orNull()
	}
	a, okA := spanOf(k, x)
	b, okB := spanOf(m, y)
	if !okA || !okB {
		return open
	}
	lo, hi := intRange(result)
	if isUnsigned(k) != isUnsigned(m) {
		// Which of the two ways a negative operand goes in such a mix is not relied upon.
		if width(k) == width(m) {
			_, hi = intRange(signed(result))
		}
		if (op == ast.OpDiv || op == ast.OpMod) && (a.lo.sign() < 0 || b.lo.sign() < 0) && isUnsigned(result) {
			return open
		}
	}
	s, out, ok := a.with(op, b)
	if !ok {
		return out
	}
	return inRange(result, s, lo, hi, open)
}

// with bounds s op t; ok is false when out is all that can be said.
func (s span128) with(op ast.Op, t span128) (_ span128, out value, ok bool) {
	switch op {
	case ast.OpAdd:
		return span128{s.lo.add(t.lo), s.hi.add(t.hi)}, out, true
	case ast.OpSub:
		return span128{s.lo.sub(t.hi), s.hi.sub(t.lo)}, out, true
	case ast.OpMul:
		return corners(s, t, int128.mul), out, true
	}
	return divide(op, s, t)
}

// signed is the signed kind of the same width as an unsigned one.
func signed(k pruning.Kind) pruning.Kind { return k - pruning.Uint8 + pruning.Int8 }

// inRange makes a value of the results that fit; whether others wrap around or become NULL is left open.
func inRange(k pruning.Kind, s span128, lo, hi int128, open value) value {
	switch {
	case s.lo.cmp(hi) > 0 || s.hi.cmp(lo) < 0:
		open.is |= dead
		return open
	case s.lo.cmp(lo) < 0 || s.hi.cmp(hi) > 0:
		return open
	}
	from, _ := fromWide(k, s.lo)
	to, _ := fromWide(k, s.hi)
	return between(from, to)
}

// corners bounds an operation that is monotone in each operand.
func corners(a, b span128, op func(a, b int128) int128) span128 {
	first := op(a.lo, b.lo)
	s := span128{first, first}
	for _, v := range [...]int128{op(a.lo, b.hi), op(a.hi, b.lo), op(a.hi, b.hi)} {
		if v.cmp(s.lo) < 0 {
			s.lo = v
		}
		if v.cmp(s.hi) > 0 {
			s.hi = v
		}
	}
	return s
}

// divide bounds a / b or a % b, truncating; ok is false when out is all that can be said.
func divide(op ast.Op, a, b span128) (s span128, out value, ok bool) {
	switch {
	case b.lo.sign() == 0 && b.hi.sign() == 0:
		return s, nullValue, false
	case b.lo.sign() <= 0 && b.hi.sign() >= 0:
		return s, anything.orNull(), false
	case op == ast.OpDiv:
		return corners(a, b, func(x, y int128) int128 { q, _, _ := x.quoRem(y); return q }), out, true
	case b.lo != b.hi:
		return s, anything, false
	}
	return remainder(a, b.lo), out, true
}

// remainder bounds a % c: it grows with a as long as the quotient and the sign of a stay.
func remainder(a span128, c int128) span128 {
	q1, r1, _ := a.lo.quoRem(c)
	q2, r2, _ := a.hi.quoRem(c)
	if q1 == q2 && (a.lo.sign() >= 0 || a.hi.sign() <= 0) {
		return span128{r1, r2}
	}
	if c.sign() < 0 {
		c = c.neg()
	}
	top := c.sub(wide(1))
	s := span128{top.neg(), top}
	if a.lo.sign() >= 0 {
		s.lo = int128{}
	}
	if a.hi.sign() <= 0 {
		s.hi = int128{}
	}
	return s
}

// toFloat reads a number as a double; rounding keeps the order.
func toFloat(t pruning.Type, v pruning.Value) float64 {
	switch {
	case isFloat(t.Kind):
		return v.Float()
	case t.Kind == pruning.Decimal, t.Kind == pruning.Int128, t.Kind == pruning.Uint128:
		f, _ := toRat(t, v).Float64()
		return f
	case isUnsigned(t.Kind):
		return float64(v.Uint())
	}
	return float64(v.Int())
}

func floatArith(op ast.Op, t pruning.Type, x value, u pruning.Type, y value, result pruning.Kind) value {
	open := anything
	if op == ast.OpDiv || op == ast.OpMod {
		open = open.orNull()
	}
	mixed := t.Kind == pruning.Float32 && u.Kind != t.Kind || u.Kind == pruning.Float32 && t.Kind != u.Kind
	if !isFloat(result) || mixed || !x.bounded() || !y.bounded() {
		return open
	}
	xs := [2]float64{toFloat(t, x.lo), toFloat(t, x.hi)}
	ys := [2]float64{toFloat(u, y.lo), toFloat(u, y.hi)}
	if op == ast.OpMod && (xs[0] != xs[1] || ys[0] != ys[1]) || (op == ast.OpDiv || op == ast.OpMod) && ys[0] <= 0 && ys[1] >= 0 {
		return open
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, a := range xs {
		for _, b := range ys {
			f := floatOp(op, a, b)
			if result == pruning.Float32 {
				f = float64(float32(f))
			}
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return open
			}
			lo, hi = min(lo, f), max(hi, f)
		}
	}
	return between(pruning.Float(lo), pruning.Float(hi))
}

func floatOp(op ast.Op, a, b float64) float64 {
	switch op {
	case ast.OpAdd:
		return a + b
	case ast.OpSub:
		return a - b
	case ast.OpMul:
		return a * b
	case ast.OpDiv:
		return a / b
	}
	return math.Mod(a, b)
}

// The ends of YDB's narrow date types: 2106-01-01 is out of range.
const (
	maxDay     = 49673
	microsADay = 86400 * 1000000
	maxMicros  = maxDay * microsADay

	// Wide types reach at least this far in both directions.
	maxWideMicros = 50_000_000 * microsADay
)

// dateArith computes in microseconds, as YDB does (minikql, datetime add and sub). A result that a narrow type can't
// hold is NULL; of wide types and intervals it is left open.
func dateArith(op ast.Op, t typ, x value, u typ, y value, result typ) value {
	a, okA := microSpan(t, x)
	b, okB := microSpan(u, y)
	open := anything.orNull()
	if !okA || !okB {
		return open
	}
	s, out, ok := a.with(op, b)
	if !ok {
		return out
	}
	if result.isDate() {
		return dateSpan(result, s)
	}
	limit := wide(maxMicros)
	return inRange(pruning.Int64, s, limit.neg(), limit, open)
}

// microSpan reads dates and intervals in microseconds, other whole numbers as they are.
func microSpan(t typ, v value) (span128, bool) {
	if !t.isDate() {
		k := t.scalar.Kind
		if k == pruning.Interval {
			k = pruning.Int64
		}
		return spanOf(k, v)
	}
	s, ok := spanOf(pruning.Int64, v)
	per := nanosPer(t.scalar)
	if per < 1000 {
		return s, false
	}
	unit := wide(per / 1000)
	return span128{s.lo.mul(unit), s.hi.mul(unit)}, ok
}

// dateSpan makes dates of microseconds, rounding down; outside of its range a narrow date is NULL.
func dateSpan(t typ, s span128) value {
	lo, hi := int128{}, wide(maxMicros-1)
	if t.wide {
		lo, hi = wide(-maxWideMicros), wide(maxWideMicros)
	}
	out := value{}
	if s.lo.cmp(lo) < 0 || s.hi.cmp(hi) > 0 {
		out.is |= null
	}
	if s.hi.cmp(lo) < 0 || s.lo.cmp(hi) > 0 {
		if t.wide {
			return value{is: some | null | low | high | dead}
		}
		return out
	}
	if t.wide && out.is&null != 0 {
		return anything.orNull()
	}
	if s.lo.cmp(lo) < 0 {
		s.lo = lo
	}
	if s.hi.cmp(hi) > 0 {
		s.hi = hi
	}
	unit := nanosPer(t.scalar) / 1000
	from, _ := s.lo.int64()
	to, _ := s.hi.int64()
	out.is |= some
	out.lo, out.hi = pruning.Int(floorDiv(from, unit)), pruning.Int(floorDiv(to, unit))
	return out
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
