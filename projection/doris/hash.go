package doris

import (
	"encoding/binary"
	"hash/crc32"
	"math/big"
	"slices"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// hasher makes the hash of some columns: the bucket is the CRC-32 of their values' bytes, one after the other, modulo the
// partition's number of buckets (be/src/util/hash_util.hpp, be/src/exec/tablet_info.h).
func hasher(columns []*column) func(tuple []pruning.Nullable, n int) int {
	return func(tuple []pruning.Nullable, n int) int {
		var buf [64]byte
		b := buf[:0]
		for i, v := range tuple {
			b = columns[i].appendHashed(b, v)
		}
		return int(crc32.ChecksumIEEE(b) % uint32(n))
	}
}

// appendHashed appends the bytes of a value that are hashed (be/src/runtime/raw_value.h). NULL is the INT 0.
func (c *column) appendHashed(dst []byte, v pruning.Nullable) []byte {
	if v.Null {
		return append(dst, 0, 0, 0, 0)
	}
	switch c.kind {
	case "char", "varchar", "string":
		return append(dst, v.Value.Text()...)
	case "date":
		return c.appendDate(dst, v.Value)
	case "datetime", "timestamptz":
		return c.appendDatetime(dst, v.Value)
	case "decimal":
		return c.appendDecimal(dst, v.Value)
	}
	width, ok := widths[c.kind]
	if !ok {
		return appendLittle(dst, c.typ.Big(v.Value), 16) // LARGEINT, IPV6
	}
	n := uint64(v.Value.Int())
	if c.kind == "ipv4" {
		n = v.Value.Uint()
	}
	for i := range width {
		dst = append(dst, byte(n>>(8*i)))
	}
	return dst
}

// widths are the bytes of the numbers that an int64 holds.
var widths = map[string]int{"boolean": 1, "tinyint": 1, "smallint": 2, "int": 4, "bigint": 8, "ipv4": 4}

// appendDate packs a day as year, month and day in 16, 4 and 5 bits.
func (c *column) appendDate(dst []byte, v pruning.Value) []byte {
	if c.old {
		return projection.AppendMoment(dst, c.typ, v)
	}
	y, m, d := pruning.CivilFromDays(v.Int())
	return binary.LittleEndian.AppendUint32(dst, uint32(y<<9+m<<5+d))
}

// appendDatetime packs an instant; it has microseconds whatever the column's precision is.
func (c *column) appendDatetime(dst []byte, v pruning.Value) []byte {
	if c.old {
		return projection.AppendMoment(dst, c.typ, v)
	}
	micros := c.micros(v)
	days := floorTo(micros, microsADay) / microsADay
	micros -= days * microsADay
	y, m, d := pruning.CivilFromDays(days)
	sec := micros / 1e6
	n := uint64(y)<<46 + uint64(m)<<42 + uint64(d)<<37 + uint64(sec/3600)<<32 + uint64(sec/60%60)<<26 + uint64(sec%60)<<20 + uint64(micros%1e6)
	return binary.LittleEndian.AppendUint64(dst, n)
}

// appendDecimal appends the unscaled number in as many bytes as the column's precision takes; of the old DECIMALV2 the
// whole part and the fraction in units of 10^-9.
func (c *column) appendDecimal(dst []byte, v pruning.Value) []byte {
	n := c.typ.Big(v)
	if c.old {
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.typ.Scale)), nil)
		whole, frac := new(big.Int).QuoRem(n, unit, new(big.Int))
		frac.Mul(frac, big.NewInt(1e9)).Quo(frac, unit)
		return appendLittle(appendLittle(dst, whole, 8), frac, 4)
	}
	return appendLittle(dst, n, decimalBytes(int(c.typ.Precision)))
}

func decimalBytes(precision int) int {
	switch {
	case precision <= 9:
		return 4
	case precision <= 18:
		return 8
	case precision <= 38:
		return 16
	}
	return 32
}

// appendLittle appends n in two's complement, the least byte first.
func appendLittle(dst []byte, n *big.Int, width int) []byte {
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*width)))
	}
	from := len(dst)
	dst = append(dst, make([]byte, width)...)
	n.FillBytes(dst[from:])
	slices.Reverse(dst[from:])
	return dst
}
