package planner

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/yqlplan/yqlplan/pruning"
)

// int128 is a signed whole number of 128 bits: wide enough for sums and products of any two 64-bit numbers and for
// every date in nanoseconds. Operations stop at the ends, which lie outside of every 64-bit type.
type int128 struct {
	hi int64
	lo uint64
}

var (
	minInt128 = int128{math.MinInt64, 0}
	maxInt128 = int128{math.MaxInt64, math.MaxUint64}
)

func wide(n int64) int128      { return int128{n >> 63, uint64(n)} }
func wideUint(n uint64) int128 { return int128{0, n} }

func (a int128) cmp(b int128) int {
	switch {
	case a.hi < b.hi, a.hi == b.hi && a.lo < b.lo:
		return -1
	case a == b:
		return 0
	}
	return 1
}

func (a int128) sign() int { return a.cmp(int128{}) }

func (a int128) add(b int128) int128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi := int64(uint64(a.hi) + uint64(b.hi) + carry)
	if (a.hi < 0) == (b.hi < 0) && (hi < 0) != (a.hi < 0) {
		if a.hi < 0 {
			return minInt128
		}
		return maxInt128
	}
	return int128{hi, lo}
}

func (a int128) neg() int128 {
	if a == minInt128 {
		return maxInt128
	}
	lo, borrow := bits.Sub64(0, a.lo, 0)
	return int128{int64(0 - uint64(a.hi) - borrow), lo}
}

func (a int128) sub(b int128) int128 { return a.add(b.neg()) }

// magnitude is the absolute value when it has 64 bits.
func (a int128) magnitude() (m uint64, ok bool) {
	if a.hi < 0 {
		a = a.neg()
	}
	return a.lo, a.hi == 0
}

func (a int128) mul(b int128) int128 {
	negative := (a.hi < 0) != (b.hi < 0)
	if a.sign() == 0 || b.sign() == 0 {
		return int128{}
	}
	x, okx := a.magnitude()
	y, oky := b.magnitude()
	hi, lo := bits.Mul64(x, y)
	out := int128{int64(hi), lo}
	if !okx || !oky || hi > math.MaxInt64 {
		out = maxInt128
	}
	if negative {
		return out.neg()
	}
	return out
}

// quoRem divides 64-bit magnitudes, truncating; ok is false for wider ones and for b = 0.
func (a int128) quoRem(b int128) (q, r int128, ok bool) {
	x, okx := a.magnitude()
	y, oky := b.magnitude()
	if !okx || !oky || y == 0 {
		return q, r, false
	}
	q, r = wideUint(x/y), wideUint(x%y)
	if (a.hi < 0) != (b.hi < 0) {
		q = q.neg()
	}
	if a.hi < 0 {
		r = r.neg()
	}
	return q, r, true
}

// int64 is the number when it fits.
func (a int128) int64() (int64, bool) { return int64(a.lo), a == wide(int64(a.lo)) }

func (a int128) rat() *big.Rat {
	n := new(big.Int).Lsh(big.NewInt(a.hi), 64)
	return new(big.Rat).SetInt(n.Add(n, new(big.Int).SetUint64(a.lo)))
}

// isInt: whole numbers of up to 64 bits.
func isInt(k pruning.Kind) bool    { return isSigned(k) || isUnsigned(k) }
func isSigned(k pruning.Kind) bool { return k >= pruning.Int8 && k <= pruning.Int64 }
func isUnsigned(k pruning.Kind) bool {
	return k >= pruning.Uint8 && k <= pruning.Uint64
}
func isFloat(k pruning.Kind) bool { return k == pruning.Float32 || k == pruning.Float64 }
func isDate(k pruning.Kind) bool {
	return k == pruning.Date || k == pruning.Datetime || k == pruning.Timestamp
}
func isNumber(k pruning.Kind) bool {
	return isInt(k) || isFloat(k) || k == pruning.Decimal || k == pruning.Int128 || k == pruning.Uint128
}

// width is the number of bits of an integer kind.
func width(k pruning.Kind) int {
	switch k {
	case pruning.Int8, pruning.Uint8:
		return 8
	case pruning.Int16, pruning.Uint16:
		return 16
	case pruning.Int32, pruning.Uint32:
		return 32
	}
	return 64
}

// intRange are the least and the greatest number of an integer kind.
func intRange(k pruning.Kind) (lo, hi int128) {
	w := width(k)
	if isUnsigned(k) {
		return int128{}, wideUint(math.MaxUint64 >> (64 - w))
	}
	return wide(math.MinInt64 >> (64 - w)), wide(math.MaxInt64 >> (64 - w))
}

// toWide reads a value of an integer kind.
func toWide(k pruning.Kind, v pruning.Value) int128 {
	if isUnsigned(k) {
		return wideUint(v.Uint())
	}
	return wide(v.Int())
}

// fromWide makes a value of an integer kind; ok is false outside of its range.
func fromWide(k pruning.Kind, n int128) (v pruning.Value, ok bool) {
	lo, hi := intRange(k)
	if n.cmp(lo) < 0 || n.cmp(hi) > 0 {
		return v, false
	}
	if isUnsigned(k) {
		return pruning.Uint(n.lo), true
	}
	return pruning.Int(int64(n.lo)), true
}
