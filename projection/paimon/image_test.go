package paimon_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"

	"github.com/yqlplan/yqlplan/projection/paimon"
)

// slice is the values of some columns. Its image, hash and names are written down here once more, from the documents and
// without the code that is tested.
type slice struct {
	fields []field
	cells  []cell
}

// bucket is where a row of bucket keys lies.
func (s slice) bucket(f paimon.Function, n int) int {
	if f == paimon.Hive {
		h := int32(0)
		for i := range s.fields {
			h = 31*h + s.fields[i].hive(s.cells[i])
		}
		return int(h&math.MaxInt32) % n
	}
	b := int(murmur42(s.image())) % n
	if b < 0 {
		return -b
	}
	return b
}

// murmur42 is the 32-bit Murmur3 of x86, seed 42.
func murmur42(data []byte) int32 {
	rotate := func(x uint32, n int) uint32 { return x<<n | x>>(32-n) }
	h, size := uint32(42), uint32(len(data))
	for len(data) >= 4 {
		k := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
		h = rotate(h^rotate(k*0xcc9e2d51, 15)*0x1b873593, 13)*5 + 0xe6546b64
		data = data[4:]
	}
	h ^= size
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return int32(h ^ h>>16)
}

// image is the row as Paimon stores it.
func (s slice) image() []byte {
	n := len(s.fields) // few enough for one word of bits
	out := make([]byte, 8+8*n)
	for i, f := range s.fields {
		c, slot := s.cells[i], out[8+8*i:16+8*i]
		if c.null {
			out[(i+8)/8] |= 1 << ((i + 8) % 8)
		}
		long := f.kind == "DECIMAL" && f.p > 18 || strings.HasPrefix(f.kind, "TIMESTAMP") && f.p > 3
		switch {
		case long:
			head, tail := f.variable(c)
			binary.LittleEndian.PutUint32(slot, head)
			binary.LittleEndian.PutUint32(slot[4:], uint32(len(out)))
			out = append(out, tail...)
		case c.null:
		case c.num == nil && len(c.text) > 7:
			binary.LittleEndian.PutUint32(slot, uint32(len(c.text)))
			binary.LittleEndian.PutUint32(slot[4:], uint32(len(out)))
			out = append(out, c.text...)
			for len(out)%8 != 0 {
				out = append(out, 0)
			}
		case c.num == nil:
			copy(slot, c.text)
			slot[7] = byte(0x80 + len(c.text))
		default:
			number := make([]byte, 8)
			binary.LittleEndian.PutUint64(number, uint64(f.long(c)))
			copy(slot, number[:f.width()])
		}
	}
	return out
}

// width is how many bytes of its slot a type uses.
func (f *field) width() int {
	switch f.kind {
	case "BOOLEAN", "TINYINT":
		return 1
	case "SMALLINT":
		return 2
	case "INT", "DATE", "TIME", "FLOAT":
		return 4
	}
	return 8
}

// long is a value that stands in its slot, as a whole number.
func (f *field) long(c cell) int64 {
	whole := new(big.Int).Quo(c.num.Num(), c.num.Denom())
	switch f.kind {
	case "FLOAT":
		x, _ := c.num.Float32()
		return int64(math.Float32bits(x))
	case "DOUBLE":
		x, _ := c.num.Float64()
		return int64(math.Float64bits(x))
	case "DECIMAL":
		return f.unscaled(c).Int64()
	case "TIME":
		return whole.Int64() / 1e6
	case "TIMESTAMP", "TIMESTAMP_LTZ":
		return new(big.Int).Div(whole, big.NewInt(1e6)).Int64() // Euclidean: rounded down
	}
	return whole.Int64()
}

// unscaled is a decimal without its point.
func (f *field) unscaled(c cell) *big.Int {
	return new(big.Rat).Mul(c.num, big.NewRat(pow(f.s), 1)).Num()
}

// variable is the first half of the slot, and what stands behind the slots.
func (f *field) variable(c cell) (head uint32, tail []byte) {
	if f.kind == "DECIMAL" {
		tail = make([]byte, 16)
		if c.null {
			return 0, tail
		}
		text := twosComplement(f.unscaled(c))
		copy(tail, text)
		return uint32(len(text)), tail
	}
	tail = make([]byte, 8)
	if c.null {
		return 0, tail
	}
	millis, nanos := new(big.Int).DivMod(c.num.Num(), big.NewInt(1e6), new(big.Int))
	binary.LittleEndian.PutUint64(tail, uint64(millis.Int64()))
	return uint32(nanos.Int64()), tail
}

// twosComplement is the shortest there is, big-endian.
func twosComplement(x *big.Int) []byte {
	for n := uint(1); ; n++ {
		bound := new(big.Int).Lsh(big.NewInt(1), 8*n-1)
		if x.Cmp(bound) < 0 && x.Cmp(new(big.Int).Neg(bound)) >= 0 {
			return new(big.Int).And(x, new(big.Int).Sub(new(big.Int).Lsh(bound, 1), big.NewInt(1))).FillBytes(make([]byte, n))
		}
	}
}

// hive is the hash of a field in Hive's first version.
func (f *field) hive(c cell) int32 {
	switch {
	case c.null:
		return 0
	case c.num == nil:
		h := int32(0)
		for _, b := range []byte(c.text) {
			h = 31*h + int32(int8(b))
		}
		return h
	case f.kind == "DECIMAL":
		return f.hiveDecimal(c)
	case f.kind == "FLOAT" && c.num.Sign() == 0:
		return 0
	}
	n := f.long(c)
	if f.kind == "BIGINT" || f.kind == "DOUBLE" {
		return int32(n) ^ int32(n>>32)
	}
	return int32(n)
}

func (f *field) hiveDecimal(c cell) int32 {
	if c.num.Sign() == 0 {
		return 0
	}
	scale, ten := 0, big.NewRat(10, 1)
	x := new(big.Rat).Set(c.num)
	for ; !x.IsInt(); scale++ {
		x.Mul(x, ten)
	}
	u := new(big.Int).Abs(x.Num())
	t := int32(0)
	if u.IsInt64() {
		a := u.Int64()
		t = 31*int32(a>>32) + int32(a)
	} else {
		word := new(big.Int)
		for shift := uint(u.BitLen()-1) / 32 * 32; ; shift -= 32 {
			t = 31*t + int32(uint32(word.And(word.Rsh(u, shift), big.NewInt(math.MaxUint32)).Uint64()))
			if shift == 0 {
				break
			}
		}
	}
	if c.num.Sign() < 0 {
		t = -t
	}
	return 31*t + int32(scale)
}

// directory is the name of a partition's value.
func (f *field) directory(c cell, legacy bool) string {
	const none = "__DEFAULT_PARTITION__"
	if c.null || c.num == nil && strings.Trim(c.text, " \u3000") == "" {
		return none
	}
	text := c.text
	switch {
	case c.num == nil:
	case legacy && f.kind == "DATE":
		text = c.num.Num().String()
	case legacy && f.kind == "TIME":
		text = big.NewInt(f.long(c)).String()
	case legacy && strings.HasPrefix(f.kind, "TIMESTAMP"):
		text = strings.Replace(f.sql(c), " ", "T", 1)
		clock, fraction, _ := strings.Cut(text, ".")
		fraction = strings.TrimRight(fraction, "0")
		for len(fraction)%3 != 0 {
			fraction += "0"
		}
		if text = strings.TrimSuffix(clock+"."+fraction, "."); fraction == "" {
			text = strings.TrimSuffix(text, ":00")
			if len(text) < len("2024-01-01T00:00") {
				text += ":00"
			}
		}
	case f.kind == "TIME":
		if text = f.sql(c); f.p > 0 {
			text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
	default:
		text = f.sql(c)
	}
	var b strings.Builder
	for _, r := range []byte(text) {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`"#%'*/:=?\{}[]^`, rune(r)) {
			b.WriteString("%" + strings.ToUpper(string("0123456789abcdef"[r>>4])+string("0123456789abcdef"[r&15])))
		} else {
			b.WriteByte(r)
		}
	}
	return b.String()
}
