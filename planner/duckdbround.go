package planner

import (
	"math"
	"math/big"

	"github.com/yqlplan/yqlplan/pruning"
)

// placesFn is floor, ceil, trunc and round, the last two to so many places behind the point: round(2.345, 2). Integers and
// decimals are exact, doubles follow f (DuckDB 1.5.6, numeric.cpp). A decimal keeps the places that are left.
func placesFn(name string, most int, f func(float64) float64, exact func(*big.Rat) *big.Int) *function {
	return &function{name: name, min: 1, max: most, rise: "+ ",
		result: func(args []expr) (typ, bool) {
			t := args[0].typ()
			n, ok := places(args)
			switch {
			case !fits('n', t) || len(args) > 1 && !fits('i', args[1].typ()):
				return typ{}, false
			case !ok:
				return typ{}, true
			case t.is(pruning.Decimal):
				t.scalar.Scale = uint8(max(0, min(n, int(t.scalar.Scale))))
			}
			return t.nullIf(args), true
		},
		call: func(a *apply, args []value) value {
			n, _ := places(a.args)
			if a.t.shape != scalarShape {
				return anything
			}
			return cutTo(a, args[0].lo, n, f, exact)
		}}
}

// places are those behind the point that a call asks for; ok is false where they aren't constant or are too many.
func places(args []expr) (n int, ok bool) {
	if len(args) == 1 {
		return 0, true
	}
	c, ok := args[1].(*constant)
	if !ok || !c.v.isKnown() {
		return 0, false
	}
	const most = 15
	n, ok = smallInt(c.t, c.v)
	return n, ok && n >= -most && n <= most
}

// cutTo is a number cut to n places behind the point.
func cutTo(a *apply, v pruning.Value, n int, f func(float64) float64, exact func(*big.Rat) *big.Int) value {
	t := a.args[0].typ()
	switch {
	case t.is(pruning.Float64):
		x, scale := v.Float(), math.Pow10(n)
		if y := f(x*scale) / scale; n >= 0 && !math.IsNaN(y) && !math.IsInf(y, 0) {
			return exactly(pruning.Float(y))
		}
	case t.isNumber() && !isFloat(t.scalar.Kind):
		scale := new(big.Rat).SetInt(pow10(uint8(max(n, -n))))
		if n < 0 {
			scale.Inv(scale)
		}
		r := toRat(t.scalar, v)
		r.SetInt(exact(r.Mul(r, scale)))
		if v, ok := roundedTo(a.t.scalar, r.Quo(r, scale)); ok {
			return exactly(v)
		}
	}
	return anything
}

func truncRat(r *big.Rat) *big.Int { return new(big.Int).Quo(r.Num(), r.Denom()) }
func floorRat(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

func ceilRat(r *big.Rat) *big.Int {
	n := floorRat(new(big.Rat).Neg(r))
	return n.Neg(n)
}

// roundRat rounds halves away from zero.
func roundRat(r *big.Rat) *big.Int {
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	return truncRat(half.Add(half, r))
}
