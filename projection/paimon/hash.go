package paimon

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/yqlplan/yqlplan/pruning"
)

// Function is a bucket function: what `bucket-function.type` names.
type Function uint8

const (
	Default Function = iota // Murmur3 of the row image (apache/paimon, bucket/DefaultBucketFunction.java)
	Mod                     // the number itself (bucket/ModBucketFunction.java)
	Hive                    // Hive's hash of version 1 (bucket/HiveBucketFunction.java)
)

// functions are the names of the option's values.
var functions = [...]string{Default: "default", Mod: "mod", Hive: "hive"}

// String is the option's value: "default", "mod" or "hive".
func (f Function) String() string { return functions[f] }

// Hash is the hash of a row of bucket keys, and Bucket places it among n buckets; NULL is one of a key's values. The hash
// of mod is the number's low 32 bits, which its buckets aren't made from.
func (f Function) Hash(types []pruning.Type, row []pruning.Nullable) int32 {
	switch f {
	case Mod:
		return int32(row[0].Value.Int())
	case Hive:
		return hiveHash(types, row)
	}
	var room [128]byte
	return Murmur(AppendRow(room[:0], types, row))
}

// Bucket is the bucket of a row of bucket keys among n: from 0 through n-1.
func (f Function) Bucket(types []pruning.Type, row []pruning.Nullable, n int) int {
	switch h := f.Hash(types, row); f {
	case Mod: // NULL reads as 0
		k := int64(0)
		if !row[0].Null {
			k = row[0].Value.Int()
		}
		return int(k - floorDiv(k, int64(n))*int64(n))
	case Hive:
		return int(h&0x7fffffff) % n
	default:
		r := int(h) % n // cut towards zero, unlike a floor modulus
		return max(r, -r)
	}
}

// Murmur is the 32-bit Murmur3 hash, seed 42, of an image, whose length is a multiple of 4 (apache/paimon,
// utils/MurmurHashUtils.java).
func Murmur(image []byte) int32 {
	h := uint32(42)
	for i := 0; i < len(image); i += 4 {
		k := binary.LittleEndian.Uint32(image[i:]) * 0xcc9e2d51
		h ^= bits.RotateLeft32(k, 15) * 0x1b873593
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	h ^= uint32(len(image))
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return int32(h ^ h>>16)
}

// hiveHash combines the fields' hashes (apache/paimon, bucket/HiveHasher.java).
func hiveHash(types []pruning.Type, row []pruning.Nullable) (h int32) {
	for i, t := range types {
		h *= 31
		if !row[i].Null {
			h += hiveField(t, row[i].Value)
		}
	}
	return h
}

func hiveField(t pruning.Type, v pruning.Value) int32 {
	switch t.Kind {
	case pruning.String:
		return hiveText(v.Text())
	case pruning.Decimal:
		return hiveDecimal(t.Big(v), int(t.Scale))
	case pruning.Float32:
		if v.Float() == 0 {
			return 0
		}
		return int32(float32Bits(v))
	case pruning.Float64:
		if v.Float() == 0 {
			return 0
		}
		return fold(int64(float64Bits(v)))
	case pruning.Int64:
		return fold(v.Int())
	}
	return narrow(t, v)
}

// fold is how Java hashes a long.
func fold(n int64) int32 { return int32(n) ^ int32(n>>32) }

// hiveText is a polynomial over signed bytes.
func hiveText(s string) (h int32) {
	for i := range len(s) {
		h = 31*h + int32(int8(s[i]))
	}
	return h
}

// hiveDecimal is the hash of Java's BigDecimal without trailing zeros behind the point.
func hiveDecimal(u *big.Int, scale int) int32 {
	if u.Sign() == 0 {
		return 0
	}
	ten, rest := big.NewInt(10), new(big.Int)
	for q := new(big.Int); scale > 0; scale-- {
		if q.QuoRem(u, ten, rest); rest.Sign() != 0 {
			break
		}
		u, q = q, new(big.Int)
	}
	return 31*javaHash(u) + int32(scale)
}

// javaHash is BigInteger.hashCode: a polynomial over the 32-bit words of the magnitude, the highest first, with the sign.
// That of a BigDecimal which fits a long is the same.
func javaHash(u *big.Int) (h int32) {
	magnitude := u.Bytes()
	for len(magnitude)%4 != 0 {
		magnitude = append([]byte{0}, magnitude...)
	}
	for i := 0; i < len(magnitude); i += 4 {
		h = 31*h + int32(binary.BigEndian.Uint32(magnitude[i:]))
	}
	if u.Sign() < 0 {
		return -h
	}
	return h
}
