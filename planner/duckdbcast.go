package planner

import (
	"math"
	"math/big"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// duckCastFn is CAST and "::", which fail for a value that the type can't hold; duckTryFn is TRY_CAST, which gives NULL.
var (
	duckCastFn = &function{name: "CAST", op: castFn.op, min: 1, max: 1, mayNull: true, fallible: true, span: duckCastSpan}
	duckTryFn  = &function{name: "TRY_CAST", op: castFn.op, min: 1, max: 1, mayNull: true, span: duckCastSpan}
)

// duckCast binds CAST(x AS t). A constant that can't be cast is an error right away.
func (b *binder) duckCast(e *ast.Cast, x expr, t typ) expr {
	u := x.typ()
	if isZoned(e.Type.Name.Text) && isTextLiteral(x) {
		return duckInstant(e, textOf(x))
	}
	if t.shape != scalarShape || t.is(pruning.Interval) {
		return nil
	}
	t = duckType(t.scalar)
	fn := duckCastFn
	if e.Form == "TRY_CAST" {
		fn = duckTryFn
	}
	if e.Form == "TRY_CAST" && (u.isNumber() && t.isDate() || u.isDate() && t.isNumber()) {
		return &constant{at: e, t: t.optional(), v: nullValue}
	}
	if u.shape != scalarShape && !u.isOpen() || u.isNumber() && t.isDate() || u.isDate() && t.isNumber() {
		return &opaque{at: e, t: t.optional(), why: "a cast to " + t.String(), args: []expr{x}}
	}
	return b.duckCastTo(e, x, t, fn)
}

func (b *binder) duckCastTo(at ast.Expr, x expr, t typ, fn *function) expr {
	t.notNull = x.typ().notNull && fn == duckCastFn
	out := b.fold(&apply{at: at, fn: fn, args: []expr{x}, t: t})
	if c, ok := out.(*constant); ok && c.v.is&raised != 0 {
		v, _ := x.(*constant).v.known()
		b.errorf(at, "bind.cast", "write TRY_CAST, which gives NULL", "'%s' can't be converted to %s", ducktext.Append(nil, x.typ().scalar, v), t)
		return b.failed(at, []expr{x})
	}
	return out
}

func duckCastSpan(a *apply, args []value) value {
	x, t, u := args[0], a.args[0].typ(), a.t
	if x.isNull() {
		return nullValue
	}
	if t.shape != scalarShape {
		return unknown(u.optional())
	}
	out := duckCastValue(t, x.notNull(), u)
	switch {
	case !a.fn.fallible:
	case out.isNull():
		return failing(u)
	default: // what doesn't fit is no value of any row
		out = out.notNull()
	}
	out.is |= x.is & null
	return out
}

// duckCastValue converts bounds where that keeps the order, and texts and decimals only when they are known. NULL stands
// for values that don't fit.
func duckCastValue(t typ, x value, u typ) value {
	from, to := t.scalar, u.scalar
	v, known := x.known()
	switch {
	case from == to:
		return x
	case from.Kind == pruning.String && known:
		if n, ok := ducktext.Parse(to, v.Text()); ok {
			return signedZero(to, n, v.Text())
		}
		return nullValue
	case from.Kind == pruning.String:
		return anything.orNull()
	case to.Kind == pruning.String && known:
		return text(string(ducktext.Append(nil, from, v)))
	case to.Kind == pruning.String && from.Kind == pruning.Date && x.bounded():
		return textBetween(from, x)
	case to.Kind == pruning.String:
		return anything
	case from.Kind == pruning.Decimal || to.Kind == pruning.Decimal || wide128(t) || wide128(u):
		return castExact(t, x, u)
	case isFloat(from.Kind) && isInt(to.Kind) && known:
		return castRounded(v.Float(), to)
	case from.Kind == pruning.Bool && isFloat(to.Kind):
		return castFloat(pruning.Type{Kind: pruning.Int64}, x, to.Kind)
	}
	return castScalar(t, x, u)
}

// signedZero is a number that is written as s, which tells -0.0 from 0.0.
func signedZero(t pruning.Type, n pruning.Value, s string) value {
	v := exactly(n)
	if isFloat(t.Kind) && n.Float() == 0 && strings.HasPrefix(strings.TrimSpace(s), "-") {
		v.is |= minus
	}
	return v
}

// castRounded makes an integer of a float, halves to the even one.
func castRounded(f float64, to pruning.Type) value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nullValue
	}
	n, _ := new(big.Float).SetFloat64(math.RoundToEven(f)).Int(nil)
	if v, ok := to.FromBig(n); ok {
		return exactly(v)
	}
	return nullValue
}

// castExact converts known numbers from and to decimals, halves away from zero.
func castExact(t typ, x value, u typ) value {
	v, ok := x.known()
	if !ok || !t.isNumber() || !u.isNumber() || isFloat(t.scalar.Kind) && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)) {
		return anything.orNull()
	}
	r := toRat(t.scalar, v)
	if isFloat(u.scalar.Kind) {
		f, _ := r.Float64()
		if u.is(pruning.Float32) {
			f = float64(float32(f))
		}
		return exactly(pruning.Float(f))
	}
	if v, ok := roundedTo(u.scalar, r); ok {
		return exactly(v)
	}
	return nullValue
}

// roundedTo is a number as a value of an integer or decimal type.
func roundedTo(t pruning.Type, r *big.Rat) (pruning.Value, bool) {
	if t.Kind == pruning.Decimal {
		r = new(big.Rat).Mul(r, new(big.Rat).SetInt(pow10(t.Scale)))
	}
	return t.FromBig(roundRat(r))
}

// duckBinary binds the operators that differ from YQL's: exact decimals, division to doubles, // and **, dates and days.
func (b *binder) duckBinary(e *ast.Binary, l, r expr) expr {
	switch e.Op {
	case ast.OpAdd, ast.OpSub, ast.OpMul, ast.OpMod, ast.OpDiv, ast.OpIntDiv, ast.OpPower:
	case ast.OpEq, ast.OpNe, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe:
		return b.quantified(e, l, r)
	default:
		return nil
	}
	t, u := l.typ(), r.typ()
	if c, ok := calendarOf(r); ok && (e.Op == ast.OpAdd || e.Op == ast.OpSub) {
		return b.duckShift(e, e.Op, l, c)
	}
	if c, ok := calendarOf(l); ok && e.Op == ast.OpAdd {
		return b.duckShift(e, e.Op, r, c)
	}
	switch {
	case t.is(pruning.Date) && u.isInt() && (e.Op == ast.OpAdd || e.Op == ast.OpSub):
		return b.call(e, dayShift(e.Op), l, r)
	case t.isInt() && u.is(pruning.Date) && e.Op == ast.OpAdd:
		return b.call(e, dayShift(e.Op), r, l)
	case t.is(pruning.Date) && u.is(pruning.Date) && e.Op == ast.OpSub:
		return b.call(e, dayDifference, l, r)
	case t.isInt() && u.isInt():
		return b.duckIntegers(e, l, r)
	case e.Op != ast.OpPower && (t.is(pruning.Float32) && u.isNumber() && !u.is(pruning.Float64) || u.is(pruning.Float32) && t.isNumber() && !t.is(pruning.Float64)):
		return &opaque{at: e, t: duckKind(pruning.Float32).optional(), why: "arithmetic of FLOAT", args: []expr{l, r}}
	case t.isNumber() && u.isNumber() && (e.Op == ast.OpDiv || e.Op == ast.OpPower):
		return b.duckDoubles(e, l, r)
	case t.isNumber() && u.isNumber() && !isFloat(t.scalar.Kind) && !isFloat(u.scalar.Kind):
		return b.call(e, decimalArith(e.Op), l, r)
	case t.isNumber() && u.isNumber() && e.Op != ast.OpIntDiv:
		return b.call(e, arithmetic(e.Op), b.toDouble(l), b.toDouble(r))
	}
	return &opaque{at: e, why: "the operator " + string(e.Op) + " on values of these types", args: []expr{l, r}}
}

func (b *binder) duckShift(e ast.Expr, op ast.Op, x expr, c calendar) expr {
	if d, ok := calendarOf(x); ok {
		if op == ast.OpSub {
			c = calendar{-c.months, -c.days, -c.micros}
		}
		return &constant{at: e, t: calendarType, v: calendarValue(d.plus(c))}
	}
	if isTextLiteral(x) || !x.typ().isDate() {
		return &opaque{at: e, why: "an interval added to something else than a date", args: []expr{x}}
	}
	return b.call(e, shiftBy(op, c), x)
}

func (b *binder) duckIntegers(e *ast.Binary, l, r expr) expr {
	switch e.Op {
	case ast.OpDiv, ast.OpPower:
		return b.duckDoubles(e, l, r)
	case ast.OpIntDiv:
		return b.call(e, intDivide, l, r)
	}
	return b.call(e, arithmetic(e.Op), l, r)
}

// intDivide is //, cut towards zero; NULL for a divisor of 0.
var intDivide = &function{name: "//", op: ast.OpIntDiv, min: 2, max: 2, mayNull: true,
	result: func(args []expr) (typ, bool) { return arithType(ast.OpDiv, args[0].typ(), args[1].typ()) },
	span:   func(a *apply, args []value) value { return evalArith(ast.OpDiv, a, args) }}

func (b *binder) duckDoubles(e *ast.Binary, l, r expr) expr {
	if e.Op == ast.OpPower {
		return b.call(e, powerFn, l, r)
	}
	return b.call(e, arithmetic(ast.OpDiv), b.toDouble(l), b.toDouble(r))
}

// powerFn is ** and ^, and pow.
var powerFn = &function{name: "**", op: ast.OpPower, min: 2, max: 2, result: takes("n", scalar(pruning.Float64)),
	call: func(a *apply, args []value) value {
		t, u := a.args[0].typ(), a.args[1].typ()
		if !t.isNumber() || !u.isNumber() {
			return anything
		}
		x, _ := castExact(t, args[0], scalar(pruning.Float64)).known()
		y, _ := castExact(u, args[1], scalar(pruning.Float64)).known()
		return exactly(pruning.Float(math.Pow(x.Float(), y.Float())))
	}}

// dayShift is a date and a number of days.
func dayShift(op ast.Op) *function {
	t := duckKind(pruning.Date)
	return &function{name: string(op), min: 2, max: 2, result: takes("di", t),
		span: func(a *apply, args []value) value {
			if args[0].isNull() || args[1].isNull() {
				return nullValue
			}
			out := anything
			x, ok1 := spanOf(pruning.Int64, args[0])
			n, ok2 := spanOf(a.args[1].typ().scalar.Kind, args[1])
			if ok1 && ok2 && a.args[0].typ().isDate() && a.args[1].typ().isInt() {
				s := span128{x.lo.add(n.lo), x.hi.add(n.hi)}
				if op == ast.OpSub {
					s = span128{x.lo.sub(n.hi), x.hi.sub(n.lo)}
				}
				const most = 1 << 31
				out = inRange(pruning.Int64, s, wide(-most), wide(most), anything)
			}
			out.is |= (args[0].is | args[1].is) & null
			return out
		}}
}

// dayDifference is the number of days between two dates.
var dayDifference = &function{name: "-", min: 2, max: 2, result: takes("d", duckKind(pruning.Int64)),
	span: func(a *apply, args []value) value {
		if args[0].isNull() || args[1].isNull() {
			return nullValue
		}
		out := anything
		x, ok1 := spanOf(pruning.Int64, args[0])
		y, ok2 := spanOf(pruning.Int64, args[1])
		if ok1 && ok2 {
			lo, hi := intRange(pruning.Int64)
			out = inRange(pruning.Int64, span128{x.lo.sub(y.hi), x.hi.sub(y.lo)}, lo, hi, anything)
		}
		out.is |= (args[0].is | args[1].is) & null
		return out
	}}

// decimalArith is + - * % of decimals, and of these with integers, for known values.
func decimalArith(op ast.Op) *function {
	return &function{name: string(op), op: op, min: 2, max: 2, mayNull: true,
		result: func(args []expr) (typ, bool) {
			t, u := args[0].typ(), args[1].typ()
			if t.shape != scalarShape || u.shape != scalarShape {
				return typ{}, true
			}
			scale := max(t.scalar.Scale, u.scalar.Scale)
			if op == ast.OpMul {
				scale = t.scalar.Scale + u.scalar.Scale
			}
			if scale > 38 || op == ast.OpIntDiv {
				return typ{}, true
			}
			return duckType(pruning.Type{Kind: pruning.Decimal, Precision: 38, Scale: scale}).nullIf(args), true
		},
		call: func(a *apply, args []value) value {
			if a.t.shape != scalarShape {
				return anything.orNull()
			}
			x, y := toRat(a.args[0].typ().scalar, args[0].lo), toRat(a.args[1].typ().scalar, args[1].lo)
			r := new(big.Rat)
			switch op {
			case ast.OpAdd:
				r.Add(x, y)
			case ast.OpSub:
				r.Sub(x, y)
			case ast.OpMul:
				r.Mul(x, y)
			default:
				if y.Sign() == 0 {
					return nullValue
				}
				q := r.Quo(x, y)
				whole := new(big.Rat).SetInt(new(big.Int).Quo(q.Num(), q.Denom()))
				r = new(big.Rat).Sub(x, whole.Mul(whole, y))
			}
			if v, ok := roundedTo(a.t.scalar, r); ok {
				return exactly(v)
			}
			return anything.orNull()
		}}
}
