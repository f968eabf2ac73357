package doris

import (
	"encoding/hex"
	"hash/crc32"
	"math/big"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// vectors are published results of Doris' own tests (be/test/expected_result/vec/columns, test_function_signature_all_types.out,
// OlapScanNodeTest.java), and results of zlib for bytes by the same rules.
var vectors = []struct {
	types, values []string
	bytes         string
	hash          uint32
	buckets       [3]int // of 3, 10 and 16
}{
	{[]string{"BOOLEAN"}, []string{"false"}, "00", 3523407757, [3]int{1, 7, 13}},
	{[]string{"BOOLEAN"}, []string{"true"}, "01", 2768625435, [3]int{0, 5, 11}},
	{[]string{"TINYINT"}, []string{"-1"}, "ff", 4278190080, [3]int{0, 0, 0}},
	{[]string{"TINYINT"}, []string{"-2"}, "fe", 2282172566, [3]int{2, 6, 6}},
	{[]string{"TINYINT"}, []string{"3"}, "03", 1259060791, [3]int{1, 1, 7}},
	{[]string{"SMALLINT"}, []string{"0"}, "0000", 1104745215, [3]int{0, 5, 15}},
	{[]string{"SMALLINT"}, []string{"-1"}, "ffff", 4294901760, [3]int{0, 0, 0}},
	{[]string{"SMALLINT"}, []string{"279"}, "1701", 861775615, [3]int{1, 5, 15}},
	{[]string{"INT"}, []string{"0"}, "00000000", 558161692, [3]int{1, 2, 12}},
	{[]string{"INT"}, []string{"-1"}, "ffffffff", 4294967295, [3]int{0, 5, 15}},
	{[]string{"INT"}, []string{"100"}, "64000000", 2499854152, [3]int{1, 2, 8}},
	{[]string{"INT"}, []string{"-200"}, "38ffffff", 342174016, [3]int{1, 6, 0}},
	{[]string{"INT"}, []string{"1817422"}, "4ebb1b00", 984754809, [3]int{0, 9, 9}},
	{[]string{"BIGINT"}, []string{"0"}, "0000000000000000", 1696784233, [3]int{1, 3, 9}},
	{[]string{"BIGINT"}, []string{"1000"}, "e803000000000000", 83884832, [3]int{2, 2, 0}},
	{[]string{"BIGINT"}, []string{"-2000"}, "30f8ffffffffffff", 1197847561, [3]int{1, 1, 9}},
	{[]string{"BIGINT"}, []string{"1"}, "0100000000000000", 2844319735, [3]int{1, 5, 7}},
	{[]string{"BIGINT"}, []string{"2"}, "0200000000000000", 654825492, [3]int{0, 2, 4}},
	{[]string{"LARGEINT"}, []string{"-1"}, "ffffffffffffffffffffffffffffffff", 1068746266, [3]int{1, 6, 10}},
	{[]string{"LARGEINT"}, []string{"10000"}, "10270000000000000000000000000000", 425215055, [3]int{2, 5, 15}},
	{[]string{"DATE"}, []string{"2021-12-31"}, "9fcb0f00", 3724888960, [3]int{1, 0, 0}},
	{[]string{"DATE"}, []string{"2024-02-05"}, "45d00f00", 2275368684, [3]int{0, 4, 12}},
	{[]string{"DATE"}, []string{"2017-02-01"}, "41c20f00", 392150693, [3]int{2, 3, 5}},
	{[]string{"DATETIME"}, []string{"2024-02-05 11:00:00"}, "00000000ab08fa01", 1745824116, [3]int{0, 6, 4}},
	{[]string{"DATETIME"}, []string{"2021-12-31 12:23:34"}, "0000205eec73f901", 2647320862, [3]int{1, 2, 14}},
	{[]string{"DATETIME(6)"}, []string{"2021-12-31 12:23:34.123456"}, "40e2215eec73f901", 3946073960, [3]int{2, 0, 8}},
	{[]string{"DATEV1"}, []string{"2024-02-05"}, "323032342d30322d3035", 3274217159, [3]int{2, 9, 7}},
	{[]string{"DATETIMEV1"}, []string{"2024-02-05 11:00:00"}, "323032342d30322d30352031313a30303a3030", 1499767275, [3]int{0, 5, 11}},
	{[]string{"CHAR(10)"}, []string{"test"}, "74657374", 3632233996, [3]int{1, 6, 12}},
	{[]string{"VARCHAR"}, []string{"varchar"}, "76617263686172", 4292140476, [3]int{0, 6, 12}},
	{[]string{"VARCHAR"}, []string{"zero"}, "7a65726f", 2883514770, [3]int{0, 0, 2}},
	{[]string{"STRING"}, []string{"test3"}, "7465737433", 1690090958, [3]int{2, 8, 14}},
	{[]string{"VARCHAR"}, []string{""}, "", 0, [3]int{0, 0, 0}},
	{[]string{"VARCHAR"}, []string{"Beijing"}, "4265696a696e67", 3117835745, [3]int{2, 5, 1}},
	{[]string{"VARCHAR"}, []string{"北京"}, "e58c97e4baac", 3429596817, [3]int{0, 7, 1}},
	{[]string{"DECIMAL(1,0)"}, []string{"1"}, "01000000", 2583214201, [3]int{1, 1, 9}},
	{[]string{"DECIMAL(10,2)"}, []string{"1.5"}, "9600000000000000", 2362270239, [3]int{0, 9, 15}},
	{[]string{"DECIMAL(8,3)"}, []string{"3"}, "b80b0000", 4124530312, [3]int{1, 2, 8}},
	{[]string{"DECIMAL(18,0)"}, []string{"1"}, "0100000000000000", 2844319735, [3]int{1, 5, 7}},
	{[]string{"DECIMAL(38,0)"}, []string{"1"}, "01000000000000000000000000000000", 1121180356, [3]int{1, 6, 4}},
	{[]string{"DECIMAL(76,0)"}, []string{"-1"}, "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 4285311755, [3]int{2, 5, 11}},
	{[]string{"IPV4"}, []string{"127.0.0.1"}, "0100007f", 1497552084, [3]int{0, 4, 4}},
	{[]string{"IPV6"}, []string{"2001:db8::1234"}, "341200000000000000000000b80d0120", 3609036864, [3]int{0, 4, 0}},
	{[]string{"INT"}, []string{"NULL"}, "00000000", 558161692, [3]int{1, 2, 12}},
	{[]string{"TINYINT", "INT", "VARCHAR"}, []string{"-2", "-200", "test2"}, "fe38ffffff7465737432", 4257622985, [3]int{2, 5, 9}},
	{[]string{"TINYINT", "INT", "VARCHAR"}, []string{"0", "0", "zero"}, "00000000007a65726f", 1821588000, [3]int{0, 0, 0}},
	{[]string{"TINYINT", "INT", "VARCHAR"}, []string{"1", "100", "varchar"}, "016400000076617263686172", 1657105784, [3]int{2, 4, 8}},
	{[]string{"BIGINT", "BIGINT"}, []string{"-200", "2000"}, "38ffffffffffffffd007000000000000", 924151174, [3]int{1, 4, 6}},
	{[]string{"INT", "INT"}, []string{"NULL", "1"}, "0000000001000000", 3718166540, [3]int{2, 0, 12}},
	{[]string{"INT", "INT"}, []string{"1", "NULL"}, "0100000000000000", 2844319735, [3]int{1, 5, 7}},
	{[]string{"VARCHAR", "INT"}, []string{"", "7"}, "07000000", 3163809701, [3]int{2, 1, 5}},
	{[]string{"BIGINT", "VARCHAR", "DATE", "INT"}, []string{"1", "2", "2025-07-29", "0"}, "010000000000000032fdd20f0000000000", 3890901896, [3]int{2, 6, 8}},
}

// hashedColumn is a column of a type as it is written in a CREATE TABLE.
func hashedColumn(t *testing.T, typ string) *column {
	t.Helper()
	d, _ := parser.DialectByName("doris")
	stmts, err := parser.Parse(ast.NewSource("q", "CREATE TABLE t (c "+typ+")"), d)
	if err != nil {
		t.Fatal(err)
	}
	h, tab := history{Findings: &projection.Findings{}}, &table{}
	h.columnsOf(tab, stmts[0].(*ast.CreateTable).Columns)
	if h.List != nil {
		t.Fatal(h.List)
	}
	return tab.columns[0]
}

func TestHashVectors(t *testing.T) {
	for _, x := range vectors {
		var columns []*column
		var tuple []pruning.Nullable
		var bytes []byte
		for i, typ := range x.types {
			c := hashedColumn(t, typ)
			v := pruning.Nullable{Null: x.values[i] == "NULL"}
			switch {
			case v.Null:
			case c.wide:
				n, _ := new(big.Int).SetString(x.values[i], 10)
				bytes = appendLittle(bytes, n, decimalBytes(76))
				continue
			default:
				v.Value = valueOf(t, c, x.values[i])
			}
			columns, tuple = append(columns, c), append(tuple, v)
			bytes = c.appendHashed(bytes, v)
		}
		if got := hex.EncodeToString(bytes); got != x.bytes || crc32.ChecksumIEEE(bytes) != x.hash {
			t.Errorf("%v %v: bytes %s and hash %d, want %s and %d", x.types, x.values, got, crc32.ChecksumIEEE(bytes), x.bytes, x.hash)
		}
		for i, n := range [3]int{3, 10, 16} {
			if columns == nil {
				continue
			}
			if got := hasher(columns)(tuple, n); got != x.buckets[i] {
				t.Errorf("%v %v: bucket %d of %d, want %d", x.types, x.values, got, n, x.buckets[i])
			}
		}
	}
}

// valueOf reads the text of a vector.
func valueOf(t *testing.T, c *column, text string) pruning.Value {
	t.Helper()
	switch c.kind {
	case "decimal":
		v, err := c.typ.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	case "ipv4", "ipv6":
		n, ok := projection.ParseIP(text, c.typ)
		if !ok {
			t.Fatal(text)
		}
		return n
	}
	v, problem, _ := c.parse(text)
	if problem != "" {
		t.Fatalf("%s: %s %s", c.declared, text, problem)
	}
	return v
}

// TestHashCounts holds how many buckets products of values hit (HashDistributionPrunerTest.java, PruneOlapScanTabletTest.java).
func TestHashCounts(t *testing.T) {
	tests := []struct {
		types  []string
		values [][]string
		n      int
		want   int
	}{
		{[]string{"DATEV1", "CHAR(10)", "CHAR(10)", "CHAR(10)", "CHAR(10)"},
			[][]string{{"2019-08-22"}, {"1323", "2528", "9610", "3893", "6121"}, {"9719", "11163"}, {"1", "3"}, {"2"}}, 300, 20},
		{[]string{"DATEV1", "CHAR(10)", "CHAR(10)", "CHAR(10)", "CHAR(10)"},
			[][]string{{"2019-08-22"}, {"1323", "2528", "9610", "3893", "6121"}, {"9719", "11163"}, {"1", "3"}, {"2", "4"}}, 300, 39},
		{[]string{"DATEV1", "INT", "INT", "INT", "INT"},
			[][]string{{"2019-08-22"}, {"101", "201", "301", "401", "500"}, {"901", "1101"}, {"1", "3"}, {"10"}}, 300, 19},
	}
	for _, x := range tests {
		var columns []*column
		for _, typ := range x.types {
			columns = append(columns, hashedColumn(t, typ))
		}
		hit := map[int]bool{}
		var each func(tuple []pruning.Nullable)
		each = func(tuple []pruning.Nullable) {
			if i := len(tuple); i < len(columns) {
				for _, text := range x.values[i] {
					each(append(tuple[:i:i], pruning.Nullable{Value: valueOf(t, columns[i], text)}))
				}
				return
			}
			hit[hasher(columns)(tuple, x.n)] = true
		}
		each(nil)
		if len(hit) != x.want {
			t.Errorf("%v: %d buckets, want %d", x.values, len(hit), x.want)
		}
	}
}

// TestHashOfSmallKeys: CRC-32 is linear, so that SMALLINT keys 0…511 reach half of 512 buckets, and x meets x XOR 0x117.
func TestHashOfSmallKeys(t *testing.T) {
	bucket := hasher([]*column{hashedColumn(t, "SMALLINT")})
	hit := map[int]bool{}
	for x := range int64(512) {
		b := bucket([]pruning.Nullable{{Value: pruning.Int(x)}}, 512)
		if b != bucket([]pruning.Nullable{{Value: pruning.Int(x ^ 0x117)}}, 512) {
			t.Errorf("%d and %d are in different buckets", x, x^0x117)
		}
		hit[b] = true
	}
	if len(hit) != 256 {
		t.Errorf("%d buckets are hit", len(hit))
	}
	want := []int{12, 9, 7, 2, 11, 14, 0, 5, 3, 6, 8, 13, 4, 1, 15, 10}
	bucket = hasher([]*column{hashedColumn(t, "INT")})
	for x, b := range want {
		if got := bucket([]pruning.Nullable{{Value: pruning.Int(int64(x))}}, 16); got != b {
			t.Errorf("INT %d is in bucket %d of 16, want %d", x, got, b)
		}
	}
}
