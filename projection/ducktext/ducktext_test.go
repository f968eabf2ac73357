package ducktext

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

var (
	int8Type   = pruning.Type{Kind: pruning.Int8}
	int64Type  = pruning.Type{Kind: pruning.Int64}
	uint64Type = pruning.Type{Kind: pruning.Uint64}
	floatType  = pruning.Type{Kind: pruning.Float32}
	doubleType = pruning.Type{Kind: pruning.Float64}
	boolType   = pruning.Type{Kind: pruning.Bool}
	dateType   = pruning.Type{Kind: pruning.Date}
	timeType   = pruning.Type{Kind: pruning.Time}
	stampType  = pruning.Type{Kind: pruning.Timestamp, Precision: 6}
	priceType  = pruning.Type{Kind: pruning.Decimal, Precision: 5, Scale: 2}
	ratioType  = pruning.Type{Kind: pruning.Decimal, Precision: 2, Scale: 2}
)

// TestParse has what DuckDB 1.5.6 makes of texts; testdata/duckdb asks the engine itself.
func TestParse(t *testing.T) {
	for _, test := range []struct {
		typ  pruning.Type
		text string
		want string // what the value is written as, empty for an error
	}{
		{int64Type, " 42 ", "42"},
		{int64Type, "007", "7"},
		{int64Type, "+5", "5"},
		{int64Type, "1_000", "1000"},
		{int64Type, "1e3", "1000"},
		{int64Type, "1.5", "2"},
		{int64Type, "-1.5", "-2"},
		{int64Type, "0x1F", "31"},
		{int64Type, "9223372036854775807", "9223372036854775807"},
		{int64Type, "9223372036854775808", ""},
		{int64Type, "", ""},
		{int64Type, "1_", ""},
		{int8Type, "128", ""},
		{int8Type, "-128", "-128"},
		{uint64Type, "-1", ""},
		{uint64Type, "18446744073709551615", "18446744073709551615"},
		{boolType, "T", "true"},
		{boolType, "no", "false"},
		{boolType, "2", ""},
		{doubleType, "1e400", "inf"},
		{doubleType, "100", "100.0"},
		{doubleType, "1e20", "1e+20"},
		{doubleType, "0.00001", "1e-05"},
		{doubleType, "-NaN", "nan"},
		{doubleType, "+nan(1)", "nan"},
		{doubleType, "nan(", ""},
		{doubleType, "+-1", "-1.0"},
		{doubleType, "++1", ""},
		{floatType, "0.1", "0.1"},
		{priceType, "1.005", "1.01"},
		{priceType, "1000", ""},
		{ratioType, "0.5", ".50"},
		{ratioType, "-0.05", "-.05"},
		{dateType, "2024-1-2", "2024-01-02"},
		{dateType, "2024-02-30", ""},
		{dateType, "0044-03-15 (BC)", "0044-03-15 (BC)"},
		{dateType, "2024-01-02T", "2024-01-02"},
		{stampType, "2024-01-02", "2024-01-02 00:00:00"},
		{stampType, "2024-01-02T03:04:05.5", "2024-01-02 03:04:05.5"},
		{stampType, "2024-01-02 03:04:05+03", "2024-01-02 03:04:05"},
		{timeType, "10:20:30", "10:20:30"},
	} {
		v, ok := Parse(test.typ, test.text)
		got := ""
		if ok {
			got = string(Append(nil, test.typ, v))
		}
		if got != test.want {
			t.Errorf("%s from %q: %q, want %q", test.typ, test.text, got, test.want)
		}
	}
}

func TestParseStrict(t *testing.T) {
	for _, test := range []struct {
		typ  pruning.Type
		text string
		want bool
	}{
		{int64Type, "7", true},
		{int64Type, "-7", true},
		{int64Type, "07", false},
		{int64Type, "1e3", false},
		{int64Type, "1_000", false},
		{int64Type, "1.5", false},
		{dateType, "2024-01-02", true},
		{dateType, "2024-01-02 00:00:00", false},
	} {
		if _, ok := ParseStrict(test.typ, test.text); ok != test.want {
			t.Errorf("%s from %q: %v, want %v", test.typ, test.text, ok, test.want)
		}
	}
}

// TestRoundTrip: a written value reads back as itself.
func TestRoundTrip(t *testing.T) {
	const micros = 86400 * 1e6
	rapid.Check(t, func(t *rapid.T) {
		for _, c := range []struct {
			typ pruning.Type
			v   pruning.Value
		}{
			{int64Type, pruning.Int(rapid.Int64().Draw(t, "n"))},
			{doubleType, pruning.Float(rapid.Float64().Draw(t, "double"))},
			{floatType, pruning.Float(float64(rapid.Float32().Draw(t, "float")))},
			{boolType, pruning.Int(rapid.Int64Range(0, 1).Draw(t, "bool"))},
			{dateType, pruning.Int(rapid.Int64Range(-1e6, 1e6).Draw(t, "date"))},
			{timeType, pruning.Int(rapid.Int64Range(0, micros-1).Draw(t, "time"))},
			{stampType, pruning.Int(rapid.Int64Range(-1e6*micros, 1e6*micros).Draw(t, "timestamp"))},
			{priceType, decimal(rapid.Int64Range(-99999, 99999).Draw(t, "decimal"))},
			{pruning.Type{Kind: pruning.String}, pruning.Text(rapid.String().Draw(t, "text"))},
		} {
			text := string(Append(nil, c.typ, c.v))
			if back, ok := Parse(c.typ, text); !ok || back != c.v {
				t.Fatalf("%s %q reads as %q, %v", c.typ, text, Append(nil, c.typ, back), ok)
			}
		}
	})
}

func decimal(unscaled int64) pruning.Value {
	v, _ := priceType.FromBig(big.NewInt(unscaled))
	return v
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "1e3", "0x1F", "2024-01-02 03:04:05+03:30", "0044-03-15 (BC)", "infinity", "1_0.5e-3", "{00000000-0000-0000-0000-000000000000}"} {
		f.Add(s)
	}
	kinds := []pruning.Type{int8Type, int64Type, uint64Type, floatType, doubleType, boolType, dateType, timeType, stampType, priceType, {Kind: pruning.UUID}}
	f.Fuzz(func(t *testing.T, s string) {
		for _, typ := range kinds {
			strict, ok := ParseStrict(typ, s)
			v, ok2 := Parse(typ, s)
			if ok && (!ok2 || v != strict && !math.IsNaN(v.Float())) {
				t.Errorf("%s %q: strict %v, else %v", typ, s, strict, v)
			}
			if ok2 {
				text := string(Append(nil, typ, v))
				if back, ok := Parse(typ, text); !ok || back != v {
					t.Errorf("%s %q is written as %q, which reads as %v", typ, s, text, back)
				}
			}
		}
	})
}

// TestZoned has instants as DuckDB 1.5.6 writes them where the session's zone is UTC.
func TestZoned(t *testing.T) {
	for _, test := range [][2]string{
		{"2024-01-05 10:20:30+02", "2024-01-05 08:20:30"},
		{"2024-01-05 10:20:30-01:30", "2024-01-05 11:50:30"},
		{"2024-01-05T23:00:00.5-0130", "2024-01-06 00:30:00.5"},
		{"2024-01-05 10:20:30Z", "2024-01-05 10:20:30"},
		{" 2024-01-05 ", "2024-01-05 00:00:00"},
		{"2024-01-05 10:20:30 Europe/Berlin", ""},
		{"2024-13-05", ""},
	} {
		v, ok := Zoned(test[0])
		if got := string(Append(nil, stampType, v)); ok && got != test[1] || ok != (test[1] != "") {
			t.Errorf("%s: %s, %v; want %s", test[0], got, ok, test[1])
		}
	}
}
