package paimon

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/pruning"
)

// Types of the vectors.
var (
	boolT   = pruning.Type{Kind: pruning.Bool}
	tinyT   = pruning.Type{Kind: pruning.Int8}
	smallT  = pruning.Type{Kind: pruning.Int16}
	intT    = pruning.Type{Kind: pruning.Int32}
	bigT    = pruning.Type{Kind: pruning.Int64}
	floatT  = pruning.Type{Kind: pruning.Float32}
	doubleT = pruning.Type{Kind: pruning.Float64}
	textT   = pruning.Type{Kind: pruning.String}
	dateT   = pruning.Type{Kind: pruning.Date}
	timeT   = pruning.Type{Kind: pruning.Time}
)

func decimalT(p, s uint8) pruning.Type {
	return pruning.Type{Kind: pruning.Decimal, Precision: p, Scale: s}
}

func timestampT(p uint8) pruning.Type {
	if p == 0 {
		return pruning.Type{Kind: pruning.Datetime}
	}
	return pruning.Type{Kind: pruning.Timestamp, Precision: p}
}

// cellOf is a value of a type, written as pruning reads it, or "NULL".
type cellOf struct {
	t    pruning.Type
	text string
}

func rowOf(t testing.TB, cells ...cellOf) (types []pruning.Type, row []pruning.Nullable) {
	t.Helper()
	for _, c := range cells {
		types = append(types, c.t)
		switch {
		case c.text == "NULL":
			row = append(row, pruning.Nullable{Null: true})
			continue
		case c.t.Kind == pruning.String:
			row = append(row, pruning.Nullable{Value: pruning.Text(c.text)})
			continue
		}
		v, err := c.t.Parse(c.text)
		if err != nil {
			t.Fatalf("%s %q: %v", c.t, c.text, err)
		}
		row = append(row, pruning.Nullable{Value: v})
	}
	return types, row
}

func nulls(types ...pruning.Type) (cells []cellOf) {
	for _, t := range types {
		cells = append(cells, cellOf{t, "NULL"})
	}
	return cells
}

// TestRows checks images, hashes and buckets of single rows.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		name       string
		row        []cellOf
		image      string
		hash       int32
		b4, b16, b int // buckets of 4, 16 and 100
	}{
		{"true", []cellOf{{boolT, "true"}}, "0000000000000000 0100000000000000", 1465514398, 2, 14, 98},
		{"false", []cellOf{{boolT, "false"}}, "0000000000000000 0000000000000000", -300363099, 3, 11, 99},
		{"bigint 0", []cellOf{{bigT, "0"}}, "0000000000000000 0000000000000000", -300363099, 3, 11, 99},
		{"tinyint -2", []cellOf{{tinyT, "-2"}}, "0000000000000000 fe00000000000000", 1831745471, 3, 15, 71},
		{"smallint -2", []cellOf{{smallT, "-2"}}, "0000000000000000 feff000000000000", 557672611, 3, 3, 11},
		{"int -2", []cellOf{{intT, "-2"}}, "0000000000000000 feffffff00000000", -964855945, 1, 9, 45},
		{"bigint -2", []cellOf{{bigT, "-2"}}, "0000000000000000 feffffffffffffff", 2079607996, 0, 12, 96},
		{"decimal -0.02", []cellOf{{decimalT(10, 2), "-0.02"}}, "0000000000000000 feffffffffffffff", 2079607996, 0, 12, 96},
		{"tinyint 5", []cellOf{{tinyT, "5"}}, "0000000000000000 0500000000000000", 260196596, 0, 4, 96},
		{"smallint 5", []cellOf{{smallT, "5"}}, "0000000000000000 0500000000000000", 260196596, 0, 4, 96},
		{"int 5", []cellOf{{intT, "5"}}, "0000000000000000 0500000000000000", 260196596, 0, 4, 96},
		{"bigint 5", []cellOf{{bigT, "5"}}, "0000000000000000 0500000000000000", 260196596, 0, 4, 96},
		{"int 42", []cellOf{{intT, "42"}}, "0000000000000000 2a00000000000000", 907821237, 1, 5, 37},
		{"int 12345", []cellOf{{intT, "12345"}}, "0000000000000000 3930000000000000", 767607022, 2, 14, 22},
		{"int max", []cellOf{{intT, "2147483647"}}, "0000000000000000 ffffff7f00000000", -1125657321, 1, 9, 21},
		{"int min", []cellOf{{intT, "-2147483648"}}, "0000000000000000 0000008000000000", 916225219, 3, 3, 19},
		{"bigint max", []cellOf{{bigT, "9223372036854775807"}}, "0000000000000000 ffffffffffffff7f", -1566569095, 3, 7, 95},
		{"bigint min", []cellOf{{bigT, "-9223372036854775808"}}, "0000000000000000 0000000000000080", 302122119, 3, 7, 19},
		{"float 2.5", []cellOf{{floatT, "2.5"}}, "0000000000000000 0000204000000000", 1011882217, 1, 9, 17},
		{"double 2.5", []cellOf{{doubleT, "2.5"}}, "0000000000000000 0000000000000440", 727599657, 1, 9, 57},
		{"double -0.1", []cellOf{{doubleT, "-0.1"}}, "0000000000000000 9a9999999999b9bf", 2120462013, 1, 13, 13},
		{"date", []cellOf{{dateT, "2024-01-01"}}, "0000000000000000 0b4d000000000000", -1439008885, 1, 5, 85},
		{"date -1", []cellOf{{dateT, "1969-12-31"}}, "0000000000000000 ffffffff00000000", 1133687267, 3, 3, 67},
		{"time", []cellOf{{timeT, "23:59:59.999"}}, "0000000000000000 ff5b260500000000", -370972758, 2, 6, 58},
		{"empty", []cellOf{{textT, ""}}, "0000000000000000 0000000000000080", 302122119, 3, 7, 19},
		{"a", []cellOf{{textT, "a"}}, "0000000000000000 6100000000000081", 943281246, 2, 14, 46},
		{"hello", []cellOf{{textT, "hello"}}, "0000000000000000 68656c6c6f000085", 243722546, 2, 2, 46},
		{"7 bytes", []cellOf{{textT, "1234567"}}, "0000000000000000 3132333435363787", 199144172, 0, 12, 72},
		{"8 bytes", []cellOf{{textT, "12345678"}}, "0000000000000000 0800000010000000 3132333435363738", -391021801, 1, 9, 1},
		{"12 bytes", []cellOf{{textT, "привет"}}, "0000000000000000 0c00000010000000 d0bfd180d0b8d0b2 d0b5d18200000000", -1300505898, 2, 10, 98},
		{"10 bytes", []cellOf{{textT, "2025-03-27"}}, "0000000000000000 0a00000010000000 323032352d30332d 3237000000000000", 2095574670, 2, 14, 70},
		{"18 bytes", []cellOf{{textT, "order-000000000001"}}, "0000000000000000 1200000010000000 6f726465722d3030 3030303030303030 3031000000000000", 1335574649, 1, 9, 49},
		{"bytes", []cellOf{{textT, "\x01\x02\x03"}}, "0000000000000000 0102030000000083", 1066645297, 1, 1, 97},
		{"long bytes", []cellOf{{textT, "\x00\x01\x02\x03\x04\x05\x06\x07"}}, "0000000000000000 0800000010000000 0001020304050607", 2001678904, 0, 8, 4},
		{"decimal(10,2)", []cellOf{{decimalT(10, 2), "123.45"}}, "0000000000000000 3930000000000000", 767607022, 2, 14, 22},
		{"decimal(18,4)", []cellOf{{decimalT(18, 4), "-1"}}, "0000000000000000 f0d8ffffffffffff", -397402792, 0, 8, 92},
		{"decimal(19,2)", []cellOf{{decimalT(19, 2), "123.45"}}, "0000000000000000 0200000010000000 3039000000000000 0000000000000000", -118192725, 1, 5, 25},
		{"decimal(38,18)", []cellOf{{decimalT(38, 18), "-1"}}, "0000000000000000 0800000010000000 f21f494c589c0000 0000000000000000", 1178005182, 2, 14, 82},
		{"decimal 0", []cellOf{{decimalT(38, 0), "0"}}, "0000000000000000 0100000010000000 0000000000000000 0000000000000000", 728486185, 1, 9, 85},
		{"decimal max", []cellOf{{decimalT(38, 0), strings.Repeat("9", 38)}}, "0000000000000000 1000000010000000 4b3b4ca85a86c47a 098a223fffffffff", -1064641625, 1, 9, 25},
		{"timestamp(0)", []cellOf{{timestampT(0), "2024-01-01T12:34:56"}}, "0000000000000000 801d05c58c010000", -1848096836, 0, 4, 36},
		{"timestamp(3)", []cellOf{{timestampT(3), "1969-12-31T23:59:59.999"}}, "0000000000000000 ffffffffffffffff", -821098432, 0, 0, 32},
		{"timestamp(6)", []cellOf{{timestampT(6), "2025-03-27T00:00:00"}}, "0000000000000000 0000000010000000 0008e6d495010000", 1770515090, 2, 2, 90},
		{"timestamp(6) with micros", []cellOf{{timestampT(6), "2025-03-27T10:20:30.654321"}}, "0000000000000000 e8e5040010000000 3e201ed795010000", -1526736423, 3, 7, 23},
		{"timestamp(9)", []cellOf{{timestampT(9), "1969-12-31T23:59:59.999999999"}}, "0000000000000000 3f420f0010000000 ffffffffffffffff", 61627685, 1, 5, 85},
		{"null", nulls(intT), "0001000000000000 0000000000000000", -1748325344, 0, 0, 44},
		{"null text", nulls(textT), "0001000000000000 0000000000000000", -1748325344, 0, 0, 44},
		{"null decimal(19)", nulls(decimalT(19, 0)), "0001000000000000 0000000010000000 0000000000000000 0000000000000000", -1380280760, 0, 8, 60},
		{"null timestamp(6)", nulls(timestampT(6)), "0001000000000000 0000000010000000 0000000000000000", -340882661, 1, 5, 61},
		{"5, 6", []cellOf{{intT, "5"}, {intT, "6"}}, "0000000000000000 0500000000000000 0600000000000000", 131015827, 3, 3, 27},
		{"6, 5", []cellOf{{intT, "6"}, {intT, "5"}}, "0000000000000000 0600000000000000 0500000000000000", -308068439, 3, 7, 39},
		{"5, 6, 7", []cellOf{{intT, "5"}, {intT, "6"}, {intT, "7"}}, "0000000000000000 0500000000000000 0600000000000000 0700000000000000", 1805332940, 0, 12, 40},
		{"100, test", []cellOf{{intT, "100"}, {textT, "test"}}, "0000000000000000 6400000000000000 7465737400000084", -487360894, 2, 14, 94},
		{"abcdefgh, 1", []cellOf{{textT, "abcdefgh"}, {intT, "1"}}, "0000000000000000 0800000018000000 0100000000000000 6162636465666768", -831652438, 2, 6, 38},
		{"two texts", []cellOf{{textT, "abcdefgh"}, {textT, "ijklmnopq"}}, "0000000000000000 0800000018000000 0900000020000000 6162636465666768 696a6b6c6d6e6f70 7100000000000000", -1890011916, 0, 12, 16},
		{"1, null", []cellOf{{bigT, "1"}, {textT, "NULL"}}, "0002000000000000 0100000000000000 0000000000000000", -74682006, 2, 6, 6},
		{"decimal, text", []cellOf{{decimalT(20, 2), "1.00"}, {textT, "longer than seven"}}, "0000000000000000 0100000018000000 1100000028000000 6400000000000000 0000000000000000 6c6f6e6765722074 68616e2073657665 6e00000000000000", -1702252206, 2, 14, 6},
	} {
		types, row := rowOf(t, c.row...)
		if got := hex.EncodeToString(AppendRow(nil, types, row)); got != strings.ReplaceAll(c.image, " ", "") {
			t.Errorf("%s: image %s, want %s", c.name, got, c.image)
		}
		if got := Default.Hash(types, row); got != c.hash {
			t.Errorf("%s: hash %d, want %d", c.name, got, c.hash)
		}
		got := [...]int{Default.Bucket(types, row, 4), Default.Bucket(types, row, 16), Default.Bucket(types, row, 100)}
		if want := [...]int{c.b4, c.b16, c.b}; got != want {
			t.Errorf("%s: buckets %v, want %v", c.name, got, want)
		}
	}
}

// TestPublishedHashes has the numbers of paimon-cpp's tests: murmurhash_utils_test.cpp, binary_row_test.cpp,
// default_bucket_function_test.cpp.
func TestPublishedHashes(t *testing.T) {
	raw := []byte{3, 10, 20, 30, 40, 50, 67, 89, 111, 51, 33, 67, 70, 25, 48, 10}
	if got := uint32(Murmur(raw)); got != 0x46bdab5b {
		t.Errorf("16 bytes: %#x", got)
	}
	if got := uint32(Murmur(append(raw, 54, 100, 43, 21))); got != 0xb39f33e6 {
		t.Errorf("20 bytes: %#x", got)
	}
	for _, c := range []struct {
		row  []cellOf
		size int
		hash uint32
	}{
		{[]cellOf{{timestampT(3), "2024-08-13T07:55:14.123"}, {timestampT(9), "2024-08-13T07:55:13.000001234"}, {decimalT(6, 2), "1234.56"},
			{decimalT(23, 5), "123456789987654321.45678"}, {decimalT(27, 4), "0"}, {decimalT(6, 2), "-1234.56"},
			{decimalT(23, 5), "-123456789987654321.45678"}}, 120, 0x773cf266},
		{[]cellOf{{timestampT(9), "NULL"}, {timestampT(9), "2024-08-13T07:55:13.567001234"}, {decimalT(27, 4), "NULL"},
			{decimalT(23, 5), "-123456789987654321.45678"}, {intT, "NULL"}}, 96, 0xedbc7d65},
	} {
		types, row := rowOf(t, c.row...)
		image := AppendRow(nil, types, row)
		if len(image) != c.size {
			t.Errorf("%v: %d bytes, want %d", c.row, len(image), c.size)
		}
		if got := uint32(Murmur(image)); got != c.hash {
			t.Errorf("%v: hash %#x, want %#x", c.row, got, c.hash)
		}
	}
	for _, c := range []struct {
		t    pruning.Type
		f    float64
		hash int32
		b    int // of 1000
	}{
		{floatT, math.NaN(), -2039172089, 89}, {floatT, math.Inf(1), 2139216202, 202}, {floatT, math.Inf(-1), -106221671, 671},
		{floatT, 0, -300363099, 99}, {doubleT, math.NaN(), -1323214697, 697}, {doubleT, math.Inf(1), -1556713404, 404},
		{doubleT, math.Inf(-1), -2079171840, 840}, {doubleT, 0, -300363099, 99},
	} {
		types, row := []pruning.Type{c.t}, []pruning.Nullable{{Value: pruning.Float(c.f)}}
		if h, b := Default.Hash(types, row), Default.Bucket(types, row, 1000); h != c.hash || b != c.b {
			t.Errorf("%s %v: hash %d and bucket %d, want %d and %d", c.t, c.f, h, b, c.hash, c.b)
		}
	}
	for typ, hash := range map[pruning.Type]int32{floatT: 916225219, doubleT: 302122119} {
		negative := typ.Twins(pruning.Float(0))[0]
		if h := Default.Hash([]pruning.Type{typ}, []pruning.Nullable{{Value: negative}}); h != hash {
			t.Errorf("%s -0.0: hash %d, want %d", typ, h, hash)
		}
	}
}

// TestWideRows has more fields than one word of NULL bits.
func TestWideRows(t *testing.T) {
	for n, want := range map[int]struct {
		size int
		hash int32
	}{56: {456, 1501504567}, 57: {472, 1861663351}} {
		types, row := make([]pruning.Type, n), make([]pruning.Nullable, n)
		for i := range types {
			types[i] = intT
		}
		image := AppendRow(nil, types, row)
		if len(image) != want.size || Murmur(image) != want.hash {
			t.Errorf("%d fields: %d bytes, hash %d; want %d, %d", n, len(image), Murmur(image), want.size, want.hash)
		}
	}
}

// TestPublishedBuckets has the numbers of Paimon's and paimon-cpp's tests for whole rows.
func TestPublishedBuckets(t *testing.T) {
	ints := func(ns ...int) (cells []cellOf) {
		for _, n := range ns {
			cells = append(cells, cellOf{intT, fmt.Sprint(n)})
		}
		return cells
	}
	longs := func(n int) []cellOf { return []cellOf{{bigT, fmt.Sprint(n)}} }
	stamps := []pruning.Type{timestampT(0), timestampT(3), timestampT(6), timestampT(9), timestampT(0), timestampT(3), timestampT(6), timestampT(9)}
	for _, c := range []struct {
		f    Function
		row  []cellOf
		n, b int
	}{
		{Default, ints(5), 100, 96}, {Default, ints(5), 10, 6}, {Default, ints(7), 10, 1}, {Default, ints(5, 6), 100, 27},
		{Default, ints(5, 6, 7), 100, 40}, {Default, ints(5, 5), 10, 0}, {Default, ints(7, 5), 10, 5},
		{Default, ints(0), 2, 1}, {Default, ints(1), 2, 0},
		{Default, nulls(boolT, tinyT, smallT, intT, bigT, floatT, doubleT, dateT, timestampT(9), decimalT(5, 2), decimalT(30, 2), textT, textT), 12345, 10663},
		{Default, nulls(stamps...), 12345, 6373},
		{Default, []cellOf{{stamps[0], "1812-09-26T13:12:15"}, {stamps[1], "1739-11-21T03:17:15.631"}, {stamps[2], "1707-03-17T12:18:12.957808"},
			{stamps[3], "1842-04-18T18:36:11.481263403"}, {stamps[4], "2195-03-01T10:11:31"}, {stamps[5], "1959-12-16T21:34:06.337"},
			{stamps[6], "2004-05-05T12:46:23.081836"}, {stamps[7], "NULL"}}, 12345, 2104},
		{Mod, ints(1), 5, 1}, {Mod, ints(7), 5, 2}, {Mod, ints(-2), 5, 3}, {Mod, longs(8), 5, 3}, {Mod, longs(0), 5, 0}, {Mod, longs(-3), 5, 2},
		{Mod, longs(17), 5, 2}, {Mod, longs(10), 10, 0}, {Mod, longs(-1), 10, 9}, {Mod, longs(50), 10, 0}, {Mod, longs(-13), 10, 7}, {Mod, nulls(bigT), 10, 0},
		{Hive, []cellOf{{intT, "7"}, {textT, "hello"}, {textT, "\x01\x02\x03"}, {decimalT(10, 4), "12.34"}}, 8, 1},
		{Hive, []cellOf{{intT, "7"}, {textT, "hello"}, {textT, "\x01\x02\x03"}, {decimalT(10, 4), "12.34"}}, 128, 25},
		{Hive, []cellOf{{boolT, "true"}, {intT, "42"}, {bigT, "100"}, {floatT, "0"}, {doubleT, "0"}, {textT, "a"}}, 128, 70},
		{Hive, ints(-1), 128, 127}, {Hive, ints(-2147483648), 128, 0}, {Hive, []cellOf{{bigT, "4294967296"}}, 128, 1},
		{Hive, []cellOf{{bigT, "9223372036854775807"}}, 128, 0}, {Hive, longs(-1), 128, 0}, {Hive, []cellOf{{floatT, "1.0"}}, 128, 0},
		{Hive, []cellOf{{textT, "a"}}, 128, 97}, {Hive, []cellOf{{dateT, "1975-06-24"}}, 128, 80},
		{Hive, []cellOf{{tinyT, "-1"}}, 1000, 647}, {Hive, []cellOf{{tinyT, "-128"}}, 1000, 520}, {Hive, []cellOf{{smallT, "1234"}}, 1000, 234},
		{Hive, []cellOf{{floatT, "nan"}}, 1000, 344}, {Hive, []cellOf{{doubleT, "nan"}}, 1000, 360},
	} {
		types, row := rowOf(t, c.row...)
		if got := c.f.Bucket(types, row, c.n); got != c.b {
			t.Errorf("%s %v of %d: bucket %d, want %d", c.f, c.row, c.n, got, c.b)
		}
	}
	for _, c := range []struct {
		cell cellOf
		hash int32
	}{
		{cellOf{textT, "hello"}, 99162322}, {cellOf{textT, "\x01\x02\x03"}, 1026}, {cellOf{decimalT(10, 4), "12.3400"}, 38256},
		// Java: new BigDecimal("-1234567890123456789012").hashCode() and Hive's own test values.
		{cellOf{decimalT(10, 0), "18"}, 558}, {cellOf{decimalT(10, 0), "-18"}, -558}, {cellOf{decimalT(18, 9), "123456.123456789"}, 1871500252},
	} {
		types, row := rowOf(t, c.cell)
		if got := Hive.Hash(types, row); got != c.hash {
			t.Errorf("hive %v: %d, want %d", c.cell, got, c.hash)
		}
	}
}

// TestFillsBuckets: the keys 1 to 20 leave three of ten buckets empty (BucketFilterScanTest).
func TestFillsBuckets(t *testing.T) {
	var filled [10]bool
	for k := range int64(20) {
		filled[Default.Bucket([]pruning.Type{intT}, []pruning.Nullable{{Value: pruning.Int(k + 1)}}, 10)] = true
	}
	if want := [10]bool{0: true, 1: true, 4: true, 5: true, 6: true, 7: true, 8: true}; filled != want {
		t.Errorf("filled %v, want %v", filled, want)
	}
}

func TestBucketAllocatesNothing(t *testing.T) {
	types, row := rowOf(t, cellOf{bigT, "12345"}, cellOf{textT, "order-000000000001"}, cellOf{timestampT(6), "2025-03-27T10:20:30.654321"})
	if n := testing.AllocsPerRun(100, func() { Default.Bucket(types, row, 16) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkBucket(b *testing.B) {
	types, row := rowOf(b, cellOf{bigT, "12345"})
	for b.Loop() {
		Default.Bucket(types, row, 16)
	}
}
