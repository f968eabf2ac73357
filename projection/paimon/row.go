package paimon

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// AppendRow appends the binary image of a row: what Paimon hashes, and stores as a key (apache/paimon,
// data/BinaryRow.java and data/AbstractBinaryWriter.java). It is a header with a bit for each NULL, a slot of 8 bytes a
// field, and then the values that don't fit into a slot, each padded to 8 bytes; all of it little-endian. INT 5 is
//
//	0000000000000000 0500000000000000
func AppendRow(dst []byte, types []pruning.Type, row []pruning.Nullable) []byte {
	start := len(dst)
	head := headerSize(len(types))
	dst = appendZeros(dst, head+8*len(types))
	for i, t := range types {
		slot := start + head + 8*i
		if row[i].Null {
			bit := i + 8 // the first byte is the row kind, INSERT
			dst[start+bit/8] |= 1 << (bit % 8)
		}
		dst = appendField(dst, start, slot, t, row[i])
	}
	return dst
}

// headerSize is the size of the bit set of a row of n fields.
func headerSize(n int) int { return (n + 8 + 63) / 64 * 8 }

func appendZeros(dst []byte, n int) []byte {
	from := len(dst)
	dst = slices.Grow(dst, n)[:from+n]
	clear(dst[from:])
	return dst
}

// appendField fills a slot, and appends what doesn't fit into it.
func appendField(dst []byte, start, slot int, t pruning.Type, x pruning.Nullable) []byte {
	switch {
	case longDecimal(t):
		return appendDecimal(dst, start, slot, t, x)
	case longTimestamp(t):
		return appendTimestamp(dst, start, slot, t, x)
	case x.Null:
		return dst
	case t.Kind == pruning.String:
		return appendText(dst, start, slot, x.Value.Text())
	}
	putNumber(dst[slot:slot+8], t, x.Value)
	return dst
}

// shortText is the length up to which a text stands in its slot.
const shortText = 7

func appendText(dst []byte, start, slot int, s string) []byte {
	if len(s) <= shortText {
		copy(dst[slot:], s)
		dst[slot+7] = 0x80 | byte(len(s))
		return dst
	}
	putPart(dst[slot:], len(s), len(dst)-start)
	at := len(dst)
	dst = appendZeros(dst, (len(s)+7)/8*8)
	copy(dst[at:], s)
	return dst
}

// putPart writes the slot of a value that stands behind the slots.
func putPart(slot []byte, size, offset int) {
	binary.LittleEndian.PutUint32(slot, uint32(size))
	binary.LittleEndian.PutUint32(slot[4:], uint32(offset))
}

// longDecimal reports whether a decimal has more digits than 64 bits hold.
func longDecimal(t pruning.Type) bool { return t.Kind == pruning.Decimal && t.Precision > 18 }

// appendDecimal reserves 16 bytes, for NULL as well, and puts the shortest two's complement there, big-endian.
func appendDecimal(dst []byte, start, slot int, t pruning.Type, x pruning.Nullable) []byte {
	const room = 16
	var text []byte
	if !x.Null {
		text = appendBig(nil, t.Big(x.Value))
	}
	putPart(dst[slot:], len(text), len(dst)-start)
	at := len(dst)
	dst = appendZeros(dst, room)
	copy(dst[at:], text)
	return dst
}

// appendBig appends the shortest two's complement of x as Java's BigInteger.toByteArray gives it.
func appendBig(dst []byte, x *big.Int) []byte {
	size := x.BitLen()/8 + 1
	if x.Sign() < 0 {
		size = new(big.Int).Not(x).BitLen()/8 + 1
		x = new(big.Int).Add(x, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	from := len(dst)
	dst = appendZeros(dst, size)
	x.FillBytes(dst[from:])
	return dst
}

// longTimestamp reports whether timestamps are finer than milliseconds.
func longTimestamp(t pruning.Type) bool { return t.Kind == pruning.Timestamp && t.Precision > 3 }

// appendTimestamp puts nanoseconds within the millisecond into the slot and milliseconds behind the slots. For NULL, 8
// bytes are reserved, too.
func appendTimestamp(dst []byte, start, slot int, t pruning.Type, x pruning.Nullable) []byte {
	var millis, nanos int64
	if !x.Null {
		millis, nanos = instant(t, x.Value)
	}
	putPart(dst[slot:], int(nanos), len(dst)-start)
	return binary.LittleEndian.AppendUint64(dst, uint64(millis))
}

// instant is a timestamp as milliseconds since 1970, rounded down, and the nanoseconds after that.
func instant(t pruning.Type, v pruning.Value) (millis, nanos int64) {
	n, digits := v.Int(), int(t.Precision)
	if t.Kind == pruning.Datetime {
		digits = 0
	}
	if digits <= 3 {
		return n * power(3-digits), 0
	}
	unit := power(digits - 3)
	millis = floorDiv(n, unit)
	return millis, (n - millis*unit) * power(9-digits)
}

func power(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// putNumber writes a value of fixed length. What it doesn't need of the slot stays 0: there is no sign extension.
func putNumber(slot []byte, t pruning.Type, v pruning.Value) {
	switch t.Kind {
	case pruning.Bool, pruning.Int8:
		slot[0] = byte(v.Int())
	case pruning.Int16:
		binary.LittleEndian.PutUint16(slot, uint16(v.Int()))
	case pruning.Int32, pruning.Date, pruning.Time:
		binary.LittleEndian.PutUint32(slot, uint32(narrow(t, v)))
	case pruning.Float32:
		binary.LittleEndian.PutUint32(slot, float32Bits(v))
	case pruning.Float64:
		binary.LittleEndian.PutUint64(slot, float64Bits(v))
	default:
		binary.LittleEndian.PutUint64(slot, uint64(long(t, v)))
	}
}

// narrow is a value that Paimon keeps as an int: days, or the millisecond of the day.
func narrow(t pruning.Type, v pruning.Value) int32 {
	if t.Kind == pruning.Time {
		return int32(v.Int() / 1000)
	}
	return int32(v.Int())
}

// long is a value that Paimon keeps as a long: milliseconds since 1970, or a decimal's unscaled number.
func long(t pruning.Type, v pruning.Value) int64 {
	switch t.Kind {
	case pruning.Datetime, pruning.Timestamp:
		millis, _ := instant(t, v)
		return millis
	case pruning.Decimal:
		return t.Big(v).Int64()
	}
	return v.Int()
}

// float32Bits are the bits of a FLOAT. There is one NaN, Java's.
func float32Bits(v pruning.Value) uint32 {
	if f := v.Float(); f == f {
		return math.Float32bits(float32(f))
	}
	return 0x7fc00000
}

// float64Bits are the bits of a DOUBLE.
func float64Bits(v pruning.Value) uint64 {
	if f := v.Float(); f == f {
		return math.Float64bits(f)
	}
	return 0x7ff8000000000000
}
