package pruning

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Kind is the kind of a [Type].
type Kind uint8

const (
	NoKind Kind = iota // a type that no comparison here understands
	Bool
	Int8
	Int16
	Int32
	Int64
	Int128
	Uint8
	Uint16
	Uint32
	Uint64
	Uint128
	Float32
	Float64
	Decimal   // Precision digits (up to 38), Scale of them after the point; the Value is the unscaled number
	String    // text or bytes, compared bytewise
	Date      // days since 1970-01-01, proleptic Gregorian, negative before; years 0000–9999
	Datetime  // seconds since 1970-01-01T00:00:00Z, same years
	Timestamp // units of 10^-Precision seconds since then, Precision 1…9; 0 means 6, microseconds
	Time      // microseconds of the day
	Interval  // microseconds
	UUID      // 16 bytes in s
)

// Type is a column's type. It gives meaning to Values: text, range and neighbours.
type Type struct {
	Kind             Kind
	Precision, Scale uint8
}

var kindNames = [...]string{"untyped", "bool", "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32", "uint64",
	"uint128", "float32", "float64", "decimal", "string", "date", "datetime", "timestamp", "time", "interval", "uuid"}

// String is the type's name in messages: "int32", "decimal(10,2)", "timestamp(6)".
func (t Type) String() string {
	name := kindNames[0]
	if int(t.Kind) < len(kindNames) {
		name = kindNames[t.Kind]
	}
	switch t.Kind {
	case Decimal:
		return name + "(" + strconv.Itoa(int(t.Precision)) + "," + strconv.Itoa(int(t.Scale)) + ")"
	case Timestamp:
		return name + "(" + strconv.Itoa(t.fraction()) + ")"
	}
	return name
}

// fraction is how many digits of a second the type holds.
func (t Type) fraction() int {
	switch {
	case t.Kind == Datetime:
		return 0
	case t.Kind == Timestamp && 1 <= t.Precision && t.Precision <= 9:
		return int(t.Precision)
	}
	return 6
}

// unsigned reports whether numbers of the type have their sign bit flipped.
func (t Type) unsigned() bool { return Uint8 <= t.Kind && t.Kind <= Uint128 }

// isWide reports whether Values of the type are in two halves.
func (t Type) isWide() bool { return t.Kind == Int128 || t.Kind == Uint128 || t.Kind == Decimal }

const (
	dayMicros = 24 * 60 * 60 * 1e6
	firstDay  = -719528 // 0000-01-01
	lastDay   = 2932896 // 9999-12-31
	firstSec  = firstDay * 86400
	lastSec   = lastDay*86400 + 86399
)

// bounds are the least and the greatest n of the kinds that use n alone; ok is false for the others.
func (t Type) bounds() (lo, hi int64, ok bool) {
	switch t.Kind {
	case Bool:
		return 0, 1, true
	case Int8, Int16, Int32, Int64:
		width := 8 << (t.Kind - Int8)
		return math.MinInt64 >> (64 - width), math.MaxInt64 >> (64 - width), true
	case Uint8, Uint16, Uint32, Uint64:
		width := 8 << (t.Kind - Uint8)
		return math.MinInt64, Uint(math.MaxUint64 >> (64 - width)).n, true
	case Float32, Float64:
		return Float(math.Inf(-1)).n, nan, true
	case Date:
		return firstDay, lastDay, true
	case Datetime, Timestamp:
		unit := int64(pow10(t.fraction()).lo)
		lo, ok := instant(firstSec, 0, unit)
		if !ok {
			lo = math.MinInt64
		}
		if hi, ok = instant(lastSec, unit-1, unit); !ok {
			hi = math.MaxInt64
		}
		return lo, hi, true
	case Time:
		return 0, dayMicros - 1, true
	case Interval:
		return math.MinInt64, math.MaxInt64, true
	}
	return 0, 0, false
}

// instant is sec seconds and frac units, of which a second has unit; ok is false when an int64 doesn't hold it.
func instant(sec, frac, unit int64) (n int64, ok bool) {
	if sec < 0 && frac > 0 { // so that both have one sign, and the sum grows away from zero
		sec, frac = sec+1, frac-unit
	}
	hi, lo := bits.Mul64(uint64(max(sec, -sec)), uint64(unit))
	n = sec*unit + frac
	return n, hi == 0 && lo <= math.MaxInt64 && (n < 0) == (sec < 0 || frac < 0)
}

// Min is the type's least value: the empty string, -Inf, 0000-01-01.
func (t Type) Min() Value {
	if lo, _, ok := t.bounds(); ok {
		return Value{n: lo}
	}
	switch t.Kind {
	case Int128, Uint128:
		return wide{hi: math.MinInt64}.value()
	case Decimal:
		return pow10(t.digits()).add(-1).neg().value()
	case String:
		return Value{}
	case UUID:
		return Text(strings.Repeat("\x00", 16))
	}
	return bottom
}

// Max is the type's greatest value; false for strings, which have none.
func (t Type) Max() (Value, bool) {
	if _, hi, ok := t.bounds(); ok {
		return Value{n: hi}, true
	}
	switch t.Kind {
	case Int128, Uint128:
		return wide{hi: math.MaxInt64, lo: math.MaxUint64}.value(), true
	case Decimal:
		return pow10(t.digits()).add(-1).value(), true
	case UUID:
		return Text(strings.Repeat("\xff", 16)), true
	}
	return Value{}, false
}

// digits is a decimal's precision; 0 and what doesn't fit in 128 bits mean 38.
func (t Type) digits() int {
	if t.Precision == 0 || t.Precision > 38 {
		return 38
	}
	return int(t.Precision)
}

// Succ is the least value above v, which is a value of the type: 6 after 5, 0.02 after 0.01, 'a\x00' after 'a'. It is
// false at the top.
func (t Type) Succ(v Value) (Value, bool) {
	if t.Kind == String {
		return Text(v.s + "\x00"), true
	}
	if top, ok := t.Max(); !ok || !less(v, top) {
		return Value{}, false
	}
	return t.step(v, 1), true
}

// Pred is the greatest value below v. It is false at the bottom and for strings that don't end in a zero byte: below 'b'
// there is no greatest string.
func (t Type) Pred(v Value) (Value, bool) {
	if t.Kind == String {
		s, ok := strings.CutSuffix(v.s, "\x00")
		return Text(s), ok
	}
	if _, ok := t.Max(); !ok || !less(t.Min(), v) {
		return Value{}, false
	}
	return t.step(v, -1), true
}

// step is the neighbour of v on either side; v isn't the last on that side.
func (t Type) step(v Value, by int64) Value {
	switch {
	case t.Kind == Float32:
		return stepFloat32(v, by)
	case t.Kind == UUID:
		return stepUUID(v, by)
	case t.isWide():
		return wideOf(v).add(by).value()
	}
	return Value{n: v.n + by}
}

func stepFloat32(v Value, by int64) Value {
	inf := float32(math.Inf(int(by)))
	f := float32(v.Float())
	switch {
	case v.n == nan: // down from the top
		return Float(math.Inf(1))
	case f == inf: // up to the top
		return Value{n: nan}
	}
	return Float(float64(math.Nextafter32(f, inf)))
}

func stepUUID(v Value, by int64) Value {
	half := min(8, len(v.s))
	w := wide{hi: int64(bigEndian(v.s[:half])), lo: bigEndian(v.s[half:])}.add(by)
	return Text(wide{lo: uint64(w.hi)}.value().s + w.value().s)
}

// bigEndian is the first eight bytes of s as a number; what is missing is zero.
func bigEndian(s string) (n uint64) {
	for i := range 8 {
		n <<= 8
		if i < len(s) {
			n |= uint64(s[i])
		}
	}
	return n
}

// Twins are the other encodings of v that are equal to it and yet hash apart: -0.0 for 0.0. Nearly all values have none.
// A twin is for hashing only, not for sets and diagrams.
func (t Type) Twins(v Value) []Value {
	if (t.Kind == Float32 || t.Kind == Float64) && v.n == 0 {
		return []Value{{n: math.MinInt64}} // Float reads it as -0.0
	}
	return nil
}

// Big is v as a whole number: an integer, a decimal's unscaled number, days, seconds. It is nil for floats, strings and
// UUIDs.
func (t Type) Big(v Value) *big.Int {
	switch {
	case t.isWide():
		w := wideOf(v)
		if t.unsigned() {
			w.hi ^= math.MinInt64
		}
		return w.big(!t.unsigned())
	case t.unsigned():
		return new(big.Int).SetUint64(v.Uint())
	}
	if _, _, ok := t.bounds(); !ok || t.Kind == Float32 || t.Kind == Float64 {
		return nil
	}
	return big.NewInt(v.n)
}

// FromBig is the Value whose Big is x; false when the type doesn't hold it.
func (t Type) FromBig(x *big.Int) (Value, bool) {
	if x.BitLen() > 128 || t.Kind == Float32 || t.Kind == Float64 {
		return Value{}, false
	}
	w := wideFrom(x)
	v := Int(int64(w.lo))
	if t.isWide() {
		v = w.value()
	}
	if t.unsigned() {
		v.n ^= math.MinInt64
	}
	back := t.Big(v)
	if back == nil || back.Cmp(x) != 0 || !t.Holds(v) {
		return Value{}, false
	}
	return v, true
}

// Holds reports whether v is in the type's range.
func (t Type) Holds(v Value) bool {
	top, ok := t.Max()
	return !less(v, t.Min()) && (!ok || !less(top, v))
}
