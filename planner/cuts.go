package planner

import (
	"math"
	"math/big"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// cuts says where a constant stands among the values of another type: the least value that isn't below it, and the
// least that is above it. hit: the first equals it. For 5.5 among integers both are 6.
type cuts struct {
	from, past        pruning.Value
	noFrom, noPast    bool // there is no such value: all are below it, or at most equal
	hit, incomparable bool
}

// cutsAt places the constant v of type u among the values of type t, which must be comparable.
func cutsAt(t, u pruning.Type, v pruning.Value) cuts {
	if isFloat(u.Kind) && math.IsNaN(v.Float()) {
		return cuts{incomparable: true}
	}
	if blurred(t, u, v) {
		return cuts{incomparable: true}
	}
	switch {
	case t == u:
		return hitAt(t, v)
	case isInt(t.Kind) && isInt(u.Kind):
		return cutInt(t.Kind, toWide(u.Kind, v), true)
	case isInt(t.Kind) && isFloat(u.Kind) && math.Abs(v.Float()) < 1<<62:
		f := math.Ceil(v.Float())
		return cutInt(t.Kind, wide(int64(f)), f == v.Float())
	case isDate(t.Kind) && isDate(u.Kind):
		return cutDate(t, nanos(u, v))
	}
	return cutSearch(t, u, v)
}

// blurred: several whole numbers may be equal to one floating point number; see [converted].
func blurred(t, u pruning.Type, v pruning.Value) bool {
	float, whole, n := u.Kind, t.Kind, 0.0
	if isFloat(t.Kind) {
		float, whole = t.Kind, u.Kind
	}
	if !isFloat(float) || !isInt(whole) {
		return false
	}
	n = math.Abs(toFloat(u, v))
	return width(whole) == 64 && n >= 1<<53 && n <= 1<<64 || float == pruning.Float32 && width(whole) >= 32 && n >= 1<<24 && n <= 1<<64
}

// hitAt is the place of a value of the type itself.
func hitAt(t pruning.Type, v pruning.Value) cuts {
	c := cuts{from: v, hit: true}
	var ok bool
	c.past, ok = t.Succ(v)
	c.noPast = !ok
	return c
}

// cutInt places n; when it isn't exact, the constant lies just below n.
func cutInt(k pruning.Kind, n int128, exact bool) cuts {
	t := pruning.Type{Kind: k}
	lo, hi := intRange(k)
	switch {
	case n.cmp(hi) > 0:
		return cuts{noFrom: true, noPast: true}
	case n.cmp(lo) < 0:
		return cuts{from: t.Min(), past: t.Min()}
	}
	v, _ := fromWide(k, n)
	if exact {
		return hitAt(t, v)
	}
	return cuts{from: v, past: v}
}

func cutDate(t pruning.Type, instant int128) cuts {
	per := wide(nanosPer(t))
	lo, hi := wide(math.MinInt64).mul(per), wide(math.MaxInt64).mul(per)
	switch {
	case instant.cmp(hi) > 0:
		return cuts{noFrom: true, noPast: true}
	case instant.cmp(lo) < 0:
		return cuts{from: t.Min(), past: t.Min()}
	}
	n, exact := floorQuo(instant, per)
	if exact {
		return hitAt(t, pruning.Int(n))
	}
	v := pruning.Int(n + 1)
	return cuts{from: v, past: v}
}

// floorQuo is a / b rounded down, and whether nothing was lost. The quotient must have 64 bits.
func floorQuo(a, b int128) (int64, bool) {
	x := new(big.Int)
	m := new(big.Int)
	x.DivMod(a.rat().Num(), b.rat().Num(), m)
	return x.Int64(), m.Sign() == 0
}

// cutSearch finds the place by halving: in the order of n first, which is that of every type but those of 128 bits and
// decimals, whose values are tried through their text.
func cutSearch(t, u pruning.Type, v pruning.Value) cuts {
	if isInt(t.Kind) || isFloat(t.Kind) {
		return searchNumber(t, u, v)
	}
	if t.Kind == pruning.Decimal || t.Kind == pruning.Int128 || t.Kind == pruning.Uint128 {
		return cutDecimal(t, u, v)
	}
	return cuts{incomparable: true}
}

func searchNumber(t, u pruning.Type, v pruning.Value) cuts {
	if isFloat(t.Kind) && !isFloat(u.Kind) {
		f, _ := toRat(u, v).Float64()
		if t.Kind == pruning.Float32 {
			f = float64(float32(f))
		}
		return settle(t, pruning.Float(f), u, v)
	}
	if isFloat(t.Kind) {
		return settle(t, pruning.Float(float64(float32(v.Float()))), u, v)
	}
	lo, hi := intRange(t.Kind)
	if isFloat(u.Kind) && math.IsInf(v.Float(), 0) {
		if v.Float() > 0 {
			return cutInt(t.Kind, hi.add(wide(1)), true)
		}
		return cutInt(t.Kind, lo.sub(wide(1)), true)
	}
	r := toRat(u, v)
	q, exact := ceil(r)
	switch {
	case r.Cmp(hi.rat()) > 0:
		return cutInt(t.Kind, hi.add(wide(1)), true)
	case r.Cmp(lo.rat()) < 0:
		return cutInt(t.Kind, lo.sub(wide(1)), true)
	case q.IsUint64():
		return cutInt(t.Kind, wideUint(q.Uint64()), exact)
	}
	return cutInt(t.Kind, wide(q.Int64()), exact)
}

// settle turns a value near the constant into the cuts, by comparing exactly.
func settle(t pruning.Type, near pruning.Value, u pruning.Type, v pruning.Value) cuts {
	for compareScalars(t, near, u, v) != less {
		below, ok := t.Pred(near)
		if !ok || compareScalars(t, below, u, v) == less || math.IsNaN(below.Float()) {
			break
		}
		near = below
	}
	for compareScalars(t, near, u, v) == less {
		above, ok := t.Succ(near)
		if !ok {
			return cuts{noFrom: true, noPast: true}
		}
		near = above
	}
	if compareScalars(t, near, u, v) == equal {
		return hitAt(t, near)
	}
	return cuts{from: near, past: near}
}

// cutDecimal places a number among decimals, or among whole numbers of 128 bits.
func cutDecimal(t, u pruning.Type, v pruning.Value) cuts {
	if isFloat(u.Kind) && math.IsInf(v.Float(), 0) {
		return cuts{incomparable: true}
	}
	scaled := toRat(u, v)
	if t.Kind == pruning.Decimal {
		scaled.Mul(scaled, new(big.Rat).SetInt(pow10(t.Scale)))
	}
	q, exact := ceil(scaled)
	near, ok := t.FromBig(q)
	switch {
	case ok && exact:
		return hitAt(t, near)
	case ok:
		return cuts{from: near, past: near}
	case q.Sign() < 0:
		return cuts{from: t.Min(), past: t.Min()}
	}
	return cuts{noFrom: true, noPast: true}
}

// ceil is r rounded up, and whether that changed nothing.
func ceil(r *big.Rat) (*big.Int, bool) {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if m.Sign() == 0 {
		return q, true
	}
	return q.Add(q, big.NewInt(1)), false
}

// where is the set of values of t for which "value op constant" is TRUE; ok is false when it isn't a set of intervals,
// as with NaN.
func (c cuts) where(op ast.Op) (set pruning.Set, ok bool) {
	if c.incomparable {
		return set, false
	}
	switch op {
	case ast.OpLt:
		return below(c.from, c.noFrom), true
	case ast.OpLe:
		return below(c.past, c.noPast), true
	case ast.OpGe:
		return above(c.from, c.noFrom), true
	case ast.OpGt:
		return above(c.past, c.noPast), true
	case ast.OpEq:
		return c.equal(), true
	case ast.OpNe:
		return c.equal().Complement(), true
	}
	return set, false
}

// below is the values below v; where there is no such value, all are below it.
func below(v pruning.Value, none bool) pruning.Set {
	if none {
		return pruning.Full()
	}
	return pruning.Before(v)
}

// above is the values from v on.
func above(v pruning.Value, none bool) pruning.Set {
	if none {
		return pruning.Empty()
	}
	return pruning.From(v)
}

// equal is the values that equal the constant: one or, where several are indistinct from it, a range.
func (c cuts) equal() pruning.Set {
	switch {
	case c.noFrom:
		return pruning.Empty()
	case c.noPast:
		return pruning.From(c.from)
	}
	return pruning.Range(c.from, c.past)
}
