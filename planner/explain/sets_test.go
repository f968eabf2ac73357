package explain

import (
	"testing"

	"github.com/yqlplan/yqlplan/pruning"
)

func TestSetText(t *testing.T) {
	kinds := map[string]pruning.Type{
		"int": {Kind: pruning.Int32}, "uint": {Kind: pruning.Uint8}, "bool": {Kind: pruning.Bool},
		"float": {Kind: pruning.Float64}, "string": {Kind: pruning.String}, "date": {Kind: pruning.Date},
		"datetime": {Kind: pruning.Datetime}, "decimal": {Kind: pruning.Decimal, Precision: 5, Scale: 2},
	}
	for _, test := range []struct {
		kind, set string
		null      bool
		want      string
	}{
		{"int", "5", false, "5"},
		{"int", "[6,9)", false, "6–8"},
		{"int", "[-6,9)", false, "-6 – 8"},
		{"int", "1, [3,5), 12", false, "1, 3–4 or 12"},
		{"int", "1, [3,5), 12", true, "1, 3–4, 12 or NULL"},
		{"int", "< 5", false, "≤ 4"},
		{"int", "<= 5", false, "≤ 5"},
		{"int", "> 5", false, "≥ 6"},
		{"int", "not 5", false, "any but 5"},
		{"int", "not 5, 7", true, "NULL or any but 5 or 7"},
		{"int", "not [5,9)", true, "≤ 4, ≥ 9 or NULL"},
		{"int", "any", false, "not NULL"},
		{"int", "none", true, "NULL"},
		{"int", "1, 3, 5, 7, 9, 11, 13, 15, 17, 19", false, "1, 3, 5, 7, 9, 11, 13, 15 … (10 ranges)"},
		{"uint", "[0,5)", false, "≤ 4"},
		{"uint", "255", false, "255"},
		{"bool", "true", false, "true"},
		{"bool", "false", true, "false or NULL"},
		{"float", "1.5", false, "1.5"},
		{"float", "(1.5,2.5)", false, "> 1.5 and < 2.5"},
		{"float", "[1.5,2.5]", false, "≥ 1.5 and ≤ 2.5"},
		{"string", "'a'", false, "'a'"},
		{"string", "'it''s', 'x'", false, "'it''s' or 'x'"},
		{"string", "['abc','abd')", false, "'abc…'"},
		{"string", "['a','c')", false, "≥ 'a' and < 'c'"},
		{"string", "<= 'a'", false, "≤ 'a'"},
		{"string", "> 'a'", false, "> 'a'"},
		{"string", "not 'x'", true, "NULL or any but 'x'"},
		{"date", "[2021-03-01,2021-04-01)", false, "2021-03-01 – 2021-03-31"},
		{"date", ">= 2021-03-01", false, "≥ 2021-03-01"},
		{"datetime", "[2021-03-01T00:00:00Z,2021-04-01T00:00:00Z)", false, "≥ 2021-03-01T00:00:00Z and < 2021-04-01T00:00:00Z"},
		{"decimal", "[1.50,2.50)", false, "≥ 1.50 and < 2.50"},
	} {
		typ := kinds[test.kind]
		set, err := pruning.ParseSet(typ, test.set)
		if err != nil {
			t.Errorf("%s: %v", test.set, err)
			continue
		}
		if got := setText(typ, pruning.KeySet{Set: set, Null: test.null}); got != test.want {
			t.Errorf("%s %s, NULL %v: %q, want %q", test.kind, test.set, test.null, got, test.want)
		}
	}
}
