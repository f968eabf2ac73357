package planner

import (
	"math"
	"math/big"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// order is the set of ways in which two values may stand to each other. Systems differ about NaN, which may be anywhere.
type order uint8

const (
	less order = 1 << iota
	equal
	greater
	anyOrder = less | equal | greater
)

func orderOf(c int) order {
	switch {
	case c < 0:
		return less
	case c > 0:
		return greater
	}
	return equal
}

// compareScalars orders two values, each of its own type: numbers by value, dates by instant, texts by bytes.
func compareScalars(t pruning.Type, a pruning.Value, u pruning.Type, b pruning.Value) order {
	switch {
	case isFloat(t.Kind) || isFloat(u.Kind):
		return compareFloats(t, a, u, b)
	case t == u:
		return orderOf(pruning.Compare(a, b))
	case isInt(t.Kind) && isInt(u.Kind):
		return orderOf(toWide(t.Kind, a).cmp(toWide(u.Kind, b)))
	case isNumber(t.Kind) && isNumber(u.Kind):
		return orderOf(toRat(t, a).Cmp(toRat(u, b)))
	case isDate(t.Kind) && isDate(u.Kind):
		return orderOf(nanos(t, a).cmp(nanos(u, b)))
	case t.Kind == pruning.Interval && u.Kind == pruning.Interval:
		return orderOf(pruning.Compare(a, b))
	}
	return anyOrder
}

func compareFloats(t pruning.Type, a pruning.Value, u pruning.Type, b pruning.Value) order {
	if isFloat(t.Kind) && math.IsNaN(a.Float()) || isFloat(u.Kind) && math.IsNaN(b.Float()) {
		return anyOrder
	}
	if isFloat(t.Kind) && isFloat(u.Kind) {
		return orderOf(cmpFloat(a.Float(), b.Float()))
	}
	if !isNumber(t.Kind) || !isNumber(u.Kind) {
		return anyOrder
	}
	if isFloat(u.Kind) {
		return compareFloats(u, b, t, a).flip()
	}
	if f := a.Float(); math.IsInf(f, 0) {
		return orderOf(cmpFloat(f, 0))
	}
	return orderOf(toRat(t, a).Cmp(toRat(u, b))) | converted(t.Kind, a.Float(), u, b)
}

// converted is how a floating point number stands to a whole one that is made such a number first, as most systems do:
// beyond 2^53 several become equal, of Float beyond 2^24.
func converted(k pruning.Kind, f float64, u pruning.Type, n pruning.Value) order {
	if !isInt(u.Kind) {
		return 0
	}
	g := toFloat(u, n)
	if k == pruning.Float32 {
		g = float64(float32(g))
	}
	return orderOf(cmpFloat(f, g))
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// flip is the order with the sides exchanged.
func (o order) flip() order {
	out := o & equal
	if o&less != 0 {
		out |= greater
	}
	if o&greater != 0 {
		out |= less
	}
	return out
}

// toRat reads a finite number exactly.
func toRat(t pruning.Type, v pruning.Value) *big.Rat {
	if isFloat(t.Kind) {
		return new(big.Rat).SetFloat64(v.Float())
	}
	r := new(big.Rat).SetInt(t.Big(v))
	if t.Kind == pruning.Decimal {
		r.Quo(r, new(big.Rat).SetInt(pow10(t.Scale)))
	}
	return r
}

func pow10(n uint8) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// nanosPer is the length of one unit of a date kind in nanoseconds.
func nanosPer(t pruning.Type) int64 {
	switch {
	case t.Kind == pruning.Date:
		return 86400e9
	case t.Kind == pruning.Datetime:
		return 1e9
	case t.Precision == 0:
		return 1e3
	}
	n := int64(1)
	for range 9 - min(t.Precision, 9) {
		n *= 10
	}
	return n
}

// nanos is the instant of a date in nanoseconds since 1970.
func nanos(t pruning.Type, v pruning.Value) int128 { return wide(v.Int()).mul(wide(nanosPer(t))) }

// compareValues is how two abstract values may stand to each other where neither is NULL.
func compareValues(t typ, a value, u typ, b value) order {
	if a.is&some == 0 || b.is&some == 0 {
		return 0
	}
	if t.shape != scalarShape || u.shape != scalarShape {
		return anyOrder
	}
	if isFloat(t.scalar.Kind) && !a.bounded() || isFloat(u.scalar.Kind) && !b.bounded() {
		return anyOrder // NaN is possible
	}
	lower, upper := less, greater
	if (a.is&low)|(b.is&high) == 0 {
		lower = compareScalars(t.scalar, a.lo, u.scalar, b.hi)
	}
	if (a.is&high)|(b.is&low) == 0 {
		upper = compareScalars(t.scalar, a.hi, u.scalar, b.lo)
	}
	if lower == anyOrder || upper == anyOrder {
		return anyOrder
	}
	out := lower&less | upper&greater
	meets := func(o, side order, excluded bool) bool { return o&side != 0 || o&equal != 0 && !excluded }
	if meets(lower, less, b.is&under != 0) && meets(upper, greater, a.is&under != 0) {
		out |= equal
	}
	return out
}

// holds is what a comparison says of values in one of these orders, neither being NULL.
func holds(op ast.Op, o order) (out pruning.Outcomes) {
	var yes order
	switch op {
	case ast.OpEq:
		yes = equal
	case ast.OpNe:
		yes = less | greater
	case ast.OpLt:
		yes = less
	case ast.OpLe:
		yes = less | equal
	case ast.OpGt:
		yes = greater
	case ast.OpGe:
		yes = greater | equal
	}
	if o&yes != 0 {
		out |= pruning.True
	}
	if o&^yes != 0 {
		out |= pruning.False
	}
	return out
}

// compareOp evaluates "a op b" for op one of = != < <= > >=.
func compareOp(op ast.Op, t typ, a value, u typ, b value) pruning.Outcomes {
	if a.isNull() || b.isNull() {
		return pruning.Null
	}
	var out pruning.Outcomes
	if (a.is|b.is)&null != 0 {
		out = pruning.Null
	}
	if t.shape == tupleShape && u.shape == tupleShape && a.parts != nil && b.parts != nil {
		return out | compareTuples(op, t, a, u, b)
	}
	return out | holds(op, compareValues(t, a, u, b))
}

// compareTuples goes by dictionary order. An element that is NULL makes the result NULL unless an earlier one decides;
// for = and != any differing element decides.
func compareTuples(op ast.Op, t typ, a value, u typ, b value) pruning.Outcomes {
	n := min(len(a.parts.items), len(b.parts.items))
	if op == ast.OpEq || op == ast.OpNe {
		out := pruning.True
		for i := range n {
			out = out.And(compareOp(ast.OpEq, t.items[i], a.parts.items[i], u.items[i], b.parts.items[i]))
		}
		if op == ast.OpNe {
			return out.Not()
		}
		return out
	}
	strict := ast.OpLt
	if op == ast.OpGt || op == ast.OpGe {
		strict = ast.OpGt
	}
	out := pruning.False
	if op == ast.OpLe || op == ast.OpGe {
		out = pruning.True
	}
	for i := n - 1; i >= 0; i-- {
		x, y := a.parts.items[i], b.parts.items[i]
		same := compareOp(ast.OpEq, t.items[i], x, u.items[i], y)
		out = lexical(compareOp(strict, t.items[i], x, u.items[i], y), same, out)
	}
	return out
}

// lexical is first OR (same AND rest), where first and same are of one pair of elements: not both can be TRUE.
func lexical(first, same, rest pruning.Outcomes) pruning.Outcomes {
	out := first & (pruning.True | pruning.Null)
	if same&pruning.True != 0 {
		out |= rest
	}
	if first&pruning.False != 0 && same&pruning.False != 0 {
		out |= pruning.False
	}
	return out
}

// distinctOp evaluates "a IS DISTINCT FROM b", which is never NULL.
func distinctOp(t typ, a value, u typ, b value) pruning.Outcomes {
	var out pruning.Outcomes
	if a.mayNull() && b.mayNull() {
		out |= pruning.False
	}
	if a.mayNull() && b.is&some != 0 || b.mayNull() && a.is&some != 0 {
		out |= pruning.True
	}
	if a.is&some == 0 || b.is&some == 0 {
		return out
	}
	o := compareOp(ast.OpNe, t, a.notNull(), u, b.notNull())
	if o&pruning.Null != 0 { // a NULL inside of tuples
		o = pruning.True | pruning.False
	}
	return out | o
}
