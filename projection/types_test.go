package projection

import (
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// typeOf makes name(params) as a dialect's parser would.
func typeOf(text string) *ast.Type {
	name, params, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	t := &ast.Type{Name: ast.Name{Text: name}}
	for p := range strings.SplitSeq(params, ",") {
		if p != "" {
			t.Params = append(t.Params, &ast.Literal{Kind: ast.IntLit, Text: p})
		}
	}
	return t
}

func TestResolveType(t *testing.T) {
	for _, c := range []struct {
		dialect, text string
		want          pruning.Type
		known         bool
	}{
		{"yql", "Int32", pruning.Type{Kind: pruning.Int32}, true},
		{"yql", "utf8", pruning.Type{Kind: pruning.String}, true},
		{"yql", "Decimal(22,9)", pruning.Type{Kind: pruning.Decimal, Precision: 22, Scale: 9}, true},
		{"yql", "Decimal", pruning.Type{}, false},
		{"yql", "Decimal(5,9)", pruning.Type{}, false},
		{"yql", "Timestamp64", pruning.Type{Kind: pruning.Timestamp, Precision: 6}, true},
		{"yql", "Json", pruning.Type{}, true},
		{"yql", "varchar", pruning.Type{}, false},
		{"athena", "timestamp", pruning.Type{Kind: pruning.Timestamp, Precision: 3}, true},
		{"athena", "VARCHAR(10)", pruning.Type{Kind: pruning.String}, true},
		{"duckdb", "int8", pruning.Type{Kind: pruning.Int64}, true},
		{"duckdb", "DECIMAL", pruning.Type{Kind: pruning.Decimal, Precision: 18, Scale: 3}, true},
		{"doris", "DATETIME", pruning.Type{Kind: pruning.Datetime}, true},
		{"doris", "datetimev2(4)", pruning.Type{Kind: pruning.Timestamp, Precision: 4}, true},
		{"paimon", "TIMESTAMP(9)", pruning.Type{Kind: pruning.Timestamp, Precision: 9}, true},
		{"paimon", "ipv4", pruning.Type{}, false},
	} {
		got, known := ResolveType(c.dialect, typeOf(c.text))
		if got != c.want || known != c.known {
			t.Errorf("%s %s: %v, %v; want %v, %v", c.dialect, c.text, got, known, c.want, c.known)
		}
	}
}

func TestResolveTypeNested(t *testing.T) {
	opt := &ast.Type{Name: ast.Name{Text: "Optional"}, Args: []ast.TypeField{{Type: typeOf("Date")}}}
	if got, known := ResolveType("yql", opt); got.Kind != pruning.Date || !known {
		t.Errorf("Optional<Date>: %v, %v", got, known)
	}
	list := typeOf("int")
	list.Array = 1
	if got, known := ResolveType("duckdb", list); got.Kind != pruning.NoKind || !known {
		t.Errorf("int[]: %v, %v", got, known)
	}
}
