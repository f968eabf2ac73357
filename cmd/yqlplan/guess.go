package main

import (
	"fmt"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// signs are words that the default dialect doesn't have, and the dialects that do; the first that is found counts.
var signs = []struct{ word, dialect string }{
	{"USING PAIMON", "paimon"},
	{"NOT ENFORCED", "paimon"},
	{"TBLPROPERTIES", "athena"},
	{"ROW FORMAT SERDE", "athena"},
	{"STORED AS", "athena"},
	{"LOCATION '", "athena"}, // YQL has an equals sign between these
	{"EXTERNAL_LOCATION", "athena"},
	{"DISTRIBUTED BY", "doris"},
	{"PARTITION BY RANGE", "doris"},
	{"PARTITION BY LIST", "doris"},
	{"READ_PARQUET", "duckdb"},
	{"READ_CSV", "duckdb"},
	{"READ_JSON", "duckdb"},
	{"HIVE_PARTITIONING", "duckdb"},
	{"PARTITION_BY", "duckdb"},
	{"FROM '", "duckdb"},
}

// longestGuess is how many bytes of a text are searched for signs.
const longestGuess = 1 << 20

// otherDialect tells that texts in which the default dialect finds errors look like another's. Nothing is told where
// the dialect was chosen.
func (in *script) otherDialect(texts []text) ast.Diagnostics {
	if in.Dialect != "auto" {
		return nil
	}
	for _, t := range texts {
		if t.dialect(dialects()) != "" {
			return nil
		}
	}
	for _, t := range texts {
		upper := strings.ToUpper(t.sql[:min(len(t.sql), longestGuess)])
		for _, s := range signs {
			if strings.Contains(upper, s.word) {
				return ast.Diagnostics{looksLike(t, s.word, s.dialect)}
			}
		}
	}
	return nil
}

func looksLike(t text, word, dialect string) *ast.Diagnostic {
	return &ast.Diagnostic{Severity: ast.Note, Code: "input.dialect", Pos: ast.NoPos, End: ast.NoPos,
		Msg:  fmt.Sprintf("%s: read as %s, since nothing names a dialect, but %s looks like %s", t.name, defaultDialect, word, dialect),
		Hint: fmt.Sprintf("give --dialect %s, or begin the file with -- yqlplan: dialect=%[1]s", dialect)}
}
