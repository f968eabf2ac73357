package pruning

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
)

// Value is one value of a column. It has no type of its own: its column's [Type] reads it. The order within any type is
// n first, then s; two Values of a type are equal exactly when they are ==. NULL isn't a Value.
//
// Integers, dates and times are in n. Unsigned numbers are in n with the sign bit flipped, floats in n by an
// order-preserving map. Text and UUIDs are in s, compared bytewise. Decimals and 128-bit integers have their high half in
// n and their low half in s, big-endian.
type Value struct {
	n int64
	s string
}

// bottom is at or below every Value of every type. As a cut it means "from the least value on".
var bottom = Value{n: math.MinInt64}

// nan is the n of NaN: the one above +Inf.
const nan = 0x7ff0000000000001

// Int is a signed integer of up to 64 bits, a Bool (0 or 1), a date, or a time.
func Int(n int64) Value { return Value{n: n} }

// Uint is an unsigned integer of up to 64 bits.
func Uint(n uint64) Value { return Value{n: int64(n ^ 1<<63)} }

// Float is a Float32 or Float64. -0.0 and 0.0 are one Value. All NaNs are one Value, equal to itself and the greatest of
// all (as in DuckDB and Spark); where a system compares NaN by IEEE 754 (YDB, Trino), a comparison must be lowered so that its
// outcome at NaN is what the system says, for example with [Space.Steps] and a cut at NaN.
func Float(f float64) Value {
	if f != f {
		return Value{n: nan}
	}
	n := int64(math.Float64bits(f))
	if n < 0 {
		n = math.MinInt64 - n
	}
	return Value{n: n}
}

// Text is a string or a sequence of bytes.
func Text(s string) Value { return Value{s: s} }

// Int is what was given to the function [Int].
func (v Value) Int() int64 { return v.n }

// Uint is what was given to the function [Uint].
func (v Value) Uint() uint64 { return uint64(v.n) ^ 1<<63 }

// Float is what was given to the function [Float]; of the Values that Twins gives, also -0.0.
func (v Value) Float() float64 {
	if v.n == nan {
		return math.NaN()
	}
	if v.n < 0 {
		return math.Float64frombits(uint64(-v.n) | 1<<63)
	}
	return math.Float64frombits(uint64(v.n))
}

// Text is what was given to the function [Text]; of a UUID, its 16 bytes.
func (v Value) Text() string { return v.s }

// Compare orders two Values of one type: -1, 0 or 1.
func Compare(a, b Value) int {
	if c := cmp.Compare(a.n, b.n); c != 0 {
		return c
	}
	return cmp.Compare(a.s, b.s)
}

func less(a, b Value) bool { return a.n < b.n || a.n == b.n && a.s < b.s }

// wide is a 128-bit integer in two's complement.
type wide struct {
	hi int64
	lo uint64
}

// value packs w; the halves of an unsigned number are flipped by the caller.
func (w wide) value() Value {
	var b [8]byte
	for i := range b {
		b[i] = byte(w.lo >> (56 - 8*i))
	}
	return Value{n: w.hi, s: string(b[:])}
}

// wideOf unpacks a Value made by value. A Value without low half, which only bottom is, reads as if it were 0.
func wideOf(v Value) wide {
	w := wide{hi: v.n}
	for i := range len(v.s) {
		w.lo = w.lo<<8 | uint64(v.s[i])
	}
	return w
}

func (w wide) add(d int64) wide {
	lo, carry := bits.Add64(w.lo, uint64(d), 0)
	return wide{hi: w.hi + d>>63 + int64(carry), lo: lo}
}

func (w wide) neg() wide {
	lo, borrow := bits.Sub64(0, w.lo, 0)
	return wide{hi: -w.hi - int64(borrow), lo: lo}
}

// mul10 is |w|*10+d as an unsigned number; ok is false when it needs more than 128 bits.
func (w wide) mul10(d uint64) (r wide, ok bool) {
	carry, lo := bits.Mul64(w.lo, 10)
	over, hi := bits.Mul64(uint64(w.hi), 10)
	lo, c := bits.Add64(lo, d, 0)
	hi, c = bits.Add64(hi, carry, c)
	return wide{hi: int64(hi), lo: lo}, over == 0 && c == 0
}

// pow10 is 10^p for p ≤ 38.
func pow10(p int) wide {
	w := wide{lo: 1}
	for range p {
		w, _ = w.mul10(0)
	}
	return w
}

// big is w as a number, signed or not.
func (w wide) big(signed bool) *big.Int {
	x := new(big.Int).SetUint64(uint64(w.hi))
	if signed {
		x.SetInt64(w.hi)
	}
	return x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(w.lo))
}

// wideFrom is the low 128 bits of x.
func wideFrom(x *big.Int) wide {
	mask := new(big.Int).SetUint64(math.MaxUint64)
	lo := new(big.Int).And(x, mask).Uint64()
	hi := new(big.Int).And(new(big.Int).Rsh(x, 64), mask).Uint64()
	return wide{hi: int64(hi), lo: lo}
}
