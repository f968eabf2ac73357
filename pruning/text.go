package pruning

import (
	"encoding/hex"
	"math/bits"
	"strconv"
)

// Append appends the canonical text of v, which Parse reads back: 5, 0.50, true, 2021-01-01, 2021-01-01T00:00:00Z,
// 2021-01-01T00:00:00.500000Z, 23:59:59, PT1H. A string is appended as it is.
func (t Type) Append(dst []byte, v Value) []byte {
	switch t.Kind {
	case Bool:
		return strconv.AppendBool(dst, v.n != 0)
	case Int8, Int16, Int32, Int64, NoKind:
		return strconv.AppendInt(dst, v.n, 10)
	case Uint8, Uint16, Uint32, Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10)
	case Int128, Uint128, Decimal:
		return t.appendWide(dst, v)
	case Float32:
		return strconv.AppendFloat(dst, v.Float(), 'g', -1, 32)
	case Float64:
		return strconv.AppendFloat(dst, v.Float(), 'g', -1, 64)
	case Date:
		return appendDay(dst, v.n)
	case Datetime, Timestamp:
		return t.appendInstant(dst, v.n)
	case Time:
		return appendClock(dst, v.n/1e6, v.n%1e6, 6)
	case Interval:
		return appendInterval(dst, v.n)
	case UUID:
		return appendUUID(dst, v.s)
	}
	return append(dst, v.s...)
}

// appendWide appends a 128-bit number, with a point before its last Scale digits if it is a decimal.
func (t Type) appendWide(dst []byte, v Value) []byte {
	w := wideOf(v)
	switch {
	case t.unsigned():
		w.hi ^= -1 << 63
	case w.hi < 0:
		dst, w = append(dst, '-'), w.neg()
	}
	var buf [40]byte
	i := len(buf)
	for w != (wide{}) || len(buf)-i <= int(t.Scale) {
		var d uint64
		w, d = w.div10()
		i--
		buf[i] = '0' + byte(d)
	}
	if t.Kind != Decimal || t.Scale == 0 {
		return append(dst, buf[i:]...)
	}
	point := len(buf) - int(t.Scale)
	dst = append(append(dst, buf[i:point]...), '.')
	return append(dst, buf[point:]...)
}

// div10 divides w as an unsigned number.
func (w wide) div10() (q wide, rest uint64) {
	hi, rest := uint64(w.hi)/10, uint64(w.hi)%10
	lo, rest := bits.Div64(rest, w.lo, 10)
	return wide{hi: int64(hi), lo: lo}, rest
}

func appendUUID(dst []byte, s string) []byte {
	for i := range len(s) {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, []byte{s[i]})
	}
	return dst
}
