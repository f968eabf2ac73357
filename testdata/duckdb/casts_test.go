package duckdb

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// castTypes are the types whose texts are read, by the names that the engine knows.
var castTypes = map[string]pruning.Type{
	"BOOLEAN": {Kind: pruning.Bool}, "TINYINT": {Kind: pruning.Int8}, "INTEGER": {Kind: pruning.Int32}, "BIGINT": {Kind: pruning.Int64},
	"HUGEINT": {Kind: pruning.Int128}, "UTINYINT": {Kind: pruning.Uint8}, "UBIGINT": {Kind: pruning.Uint64}, "DOUBLE": {Kind: pruning.Float64},
	"FLOAT": {Kind: pruning.Float32}, "DECIMAL(10,2)": {Kind: pruning.Decimal, Precision: 10, Scale: 2}, "DATE": {Kind: pruning.Date},
	"TIMESTAMP": {Kind: pruning.Timestamp, Precision: 6}, "TIMESTAMP_S": {Kind: pruning.Datetime}, "TIMESTAMP_MS": {Kind: pruning.Timestamp, Precision: 3},
	"TIME": {Kind: pruning.Time}, "UUID": {Kind: pruning.UUID},
}

// texts are pieces that casts read in various ways.
var texts = strings.Split("0|1|-1|+1|01|007|1.5|2.5|-2.5|.5|1.|1e3|1e-3|1E2|1_000|1__0|0x1F|0b101|-0x1|255|256|127|128|9223372036854775807|9223372036854775808|"+
	"t|true|TRUE|yes|no|y|n|f|false|on|nan|NaN|inf|-inf|infinity|epoch|2024-01-31|2024-1-2|2024/01/02|2024 01 02|24-01-02|2024-02-30|2024-13-01|20240131|"+
	"2024-01-31x|12024-01-02|2024-01-31 10:20:30|2024-01-31T10:20:30Z|2024-01-31 10:20|2024-01-31 10|2024-01-31 10:20:30.5|2024-01-31 10:20:30.1234567|"+
	"2024-01-31 10:20:30+02|2024-01-31 10:20:30+02:30|2024-01-31 10:20:30 UTC|2024-01-31 24:00:00|2024-01-31 25:00:00|10:20:30|10:20|10:20:30.25|1:2:3|"+
	"6ba7b810-9dad-11d1-80b4-00c04fd430c8|abc||-|.|e5|1e400|99999999999999999999999999999999999999999|0.1|0.30000000000000004|1e16|1e15|123456.125", "|")

// TestCasts: texts are read and written as the engine does.
func TestCasts(t *testing.T) {
	e := open(t)
	g := generator{rand.New(rand.NewPCG(1, 1))}
	all := texts
	for range 300 { // a text with a byte more, less or of another kind
		s := texts[g.IntN(len(texts))]
		at := g.IntN(len(s) + 1)
		all = append(all, s[:at]+g.pick(" ", "0", "9", ".", "-", "e", "_", ":")+s[at:])
	}
	for name, typ := range castTypes {
		for _, s := range all {
			out, err := e.column("SELECT TRY_CAST('" + strings.ReplaceAll(s, "'", "''") + "' AS " + name + ")::VARCHAR")
			if err != nil {
				t.Fatal(err)
			}
			got := "NULL"
			if v, ok := ducktext.Parse(typ, s); ok {
				got = string(ducktext.Append(nil, typ, v))
			}
			if got != out[0] && out[0] != "-0.0" { // one value with 0.0 here
				t.Errorf("CAST(%q AS %s): %s, DuckDB has %s", s, name, got, out[0])
			}
		}
	}
}
