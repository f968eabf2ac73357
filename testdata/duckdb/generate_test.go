package duckdb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// generator makes trees of directories and predicates over their keys and columns.
type generator struct{ *rand.Rand }

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }

// tree is a random set of files of one layout.
type tree struct {
	pattern string
	from    string // the pattern, with the types of keys that aren't detected
	keys    []treeKey
	files   []string
}

// treeKey is a key with the texts of its directories.
type treeKey struct {
	name, kind string
	texts      []string
}

var keyKinds = map[string][]string{
	"int":  {"2024", "2025", "-1", "0", "7", "10"},
	"null": {"1", "2", "__HIVE_DEFAULT_PARTITION__", "NULL"},
	"zero": {"01", "02", "10", "11"},
	"text": {"eu-west", "EU", "a%20b", "x%2Fy", "q7", "é", "Z", "__HIVE_DEFAULT_PARTITION__", ""},
	"date": {"2024-01-31", "2024-02-29", "2025-01-01", "1969-12-31", "2106-03-04", "__HIVE_DEFAULT_PARTITION__"},
	"time": {"2024-01-01 00:00:00", "2024-01-01 13:30:00", "2025-06-30 23:59:59.5"},
	"mix":  {"1", "x", "2024-01-01"},
	"odd":  {"0x10", "3", "+4", "1_0"},

	"BOOLEAN":        {"true", "false", "t", "0", "NULL", "FALSE"},
	"DOUBLE":         {"1.5", "-2", "1e3", "inf", "0.1", "", "7"},
	"'DECIMAL(6,2)'": {"1.50", "2.5", "-0.01", "7", "1.005", "NULL"},
	"TINYINT":        {"1", "01", "-7", "127", "+7", "2.5", ""},
	"TIME":           {"10:20:30", "00:00:00.5", "23%3A59%3A59", "NULL"},
	"TIMESTAMP":      {"2024-01-01%2013%3A30%3A00", "2024-01-01", "2024-06-30 23:59:59.5", "NULL"},
	"DATE":           {"2024-01-31", "2024-2-29", "NULL", "2025-01-01", ""},
	"VARCHAR":        {"01", "1", "eu-west", "NULL", ""},
}

// tree makes the files, each with its own place.
func (g generator) tree(t *testing.T, e *engine, root string) *tree {
	kinds := []string{"int", "null", "zero", "text", "date", "time", "mix", "odd"}
	declared := []string{"BOOLEAN", "DOUBLE", "'DECIMAL(6,2)'", "TINYINT", "TIME", "TIMESTAMP", "DATE", "VARCHAR"}
	out := &tree{pattern: root + "/**/*.parquet"}
	depth := 1 + g.IntN(3)
	for i := range depth {
		kind := kinds[g.IntN(len(kinds))]
		if g.IntN(3) == 0 {
			kind = declared[g.IntN(len(declared))]
		}
		texts := append([]string{}, keyKinds[kind]...)
		g.Shuffle(len(texts), func(a, b int) { texts[a], texts[b] = texts[b], texts[a] })
		out.keys = append(out.keys, treeKey{string(rune('a' + i)), kind, texts[:1+g.IntN(min(4, len(texts)))]})
	}
	out.fill(t, g, e, root, 0)
	if g.IntN(2) == 0 {
		out.pattern = root + strings.Repeat("/*", depth) + "/*.parquet"
	}
	var types []string
	for _, k := range out.keys {
		if slices.Contains(declared, k.kind) {
			types = append(types, "'"+k.name+"': "+k.kind)
		}
	}
	if out.from = "'" + out.pattern + "'"; types != nil {
		out.from = "read_parquet(" + out.from + ", hive_types = {" + strings.Join(types, ", ") + "})"
	}
	return out
}

func (tr *tree) fill(t *testing.T, g generator, e *engine, dir string, i int) {
	if i == len(tr.keys) {
		for n := range 1 + g.IntN(2) {
			name := fmt.Sprintf("%s/f%d.parquet", dir, n)
			e.put(t, name, g.IntN(3))
			tr.files = append(tr.files, name)
		}
		return
	}
	for _, text := range tr.keys[i].texts {
		if i == 0 || g.IntN(5) > 0 || len(tr.files) == 0 {
			tr.fill(t, g, e, dir+"/"+tr.keys[i].name+"="+text, i+1)
		}
	}
}

// predicate makes a condition; keysOnly leaves data columns out.
func (g generator) predicate(tr *tree, depth int, keysOnly bool) string {
	if depth == 0 || g.IntN(4) == 0 {
		return g.leaf(tr, keysOnly)
	}
	sub := func() string { return g.predicate(tr, depth-1, keysOnly) }
	switch g.IntN(7) {
	case 0, 1:
		return "(" + sub() + " AND " + sub() + ")"
	case 2, 3:
		return "(" + sub() + " OR " + sub() + ")"
	case 4:
		return "NOT (" + sub() + ")"
	case 5:
		return "(" + sub() + ") IS " + g.pick("", "NOT ") + g.pick("TRUE", "FALSE", "NULL")
	}
	return g.pick("CASE WHEN "+sub()+" THEN "+sub()+" ELSE "+sub()+" END", "coalesce("+sub()+", "+g.pick("true", "false")+")")
}

func (g generator) leaf(tr *tree, keysOnly bool) string {
	if !keysOnly && g.IntN(3) == 0 {
		return g.pick("amount > 50", "id = 3", "name = 'x'", "d >= DATE '2025-06-01'", "name IS NULL", "id % 2 = 0", "amount IS NOT NULL",
			"year(d) = 2025", "name LIKE 'x%'", "id + amount > 20")
	}
	k := tr.keys[g.IntN(len(tr.keys))]
	op := g.pick("=", "<>", "<", "<=", ">", ">=")
	null := k.name + g.pick(" IS NULL", " IS NOT NULL", " IS DISTINCT FROM NULL")
	var forms []string
	switch k.kind {
	case "BOOLEAN":
		b := g.pick("true", "false", "NULL", "'t'")
		forms = []string{k.name, "NOT " + k.name, k.name + " " + op + " " + b, k.name + " IN (" + b + ", false)", k.name + " IS NOT TRUE", k.name + "::VARCHAR = 'true'",
			k.name + "::INT + 1 " + op + " 1", "coalesce(" + k.name + ", true)", k.name + " IS DISTINCT FROM " + b, "if(" + k.name + ", 1, 2) = 2"}
	case "DOUBLE", "'DECIMAL(6,2)'":
		n := g.pick("1.5", "-2", "0.1", "7", "'1.5'", "1e3", "NULL", "0.1::FLOAT", "2.50")
		forms = []string{k.name + " " + op + " " + n, n + " " + op + " " + k.name, k.name + " IN (" + n + ", 7)", k.name + " NOT IN (1.5, " + n + ")", k.name + " BETWEEN -1 AND 2",
			k.name + "::INT " + op + " 2", k.name + "::VARCHAR LIKE '%5%'", "coalesce(" + k.name + ", 0) = 0", k.name + " IS DISTINCT FROM " + n}
	case "TIME":
		forms = []string{k.name + " " + op + " TIME '10:20:30'", k.name + " " + op + " '12:00:00'", k.name + "::VARCHAR LIKE '%:30'", k.name + " IN (TIME '00:00:00.5', '23:59:59')", k.name + " BETWEEN '00:00:00' AND '11:00:00'"}
	case "int", "null", "odd", "TINYINT":
		n := g.pick("0", "1", "2", "7", "2024", "2025", "-1", "16", "6.0", "2.5", "1e0", "NULL")
		forms = []string{
			k.name + " " + op + " " + n, n + " " + op + " " + k.name, k.name + " IN (" + n + ", 2024)", k.name + " NOT IN (1, " + n + ")",
			k.name + " BETWEEN 0 AND 2024", k.name + " + 1 " + op + " " + n, k.name + " % 2 = " + g.pick("0", "1"), "-" + k.name + " = -1",
			k.name + "::VARCHAR LIKE '" + g.pick("2%", "%4", "_", "20__") + "'", k.name + " || 'x' = '2024x'", "abs(" + k.name + ") " + op + " 7",
			"coalesce(" + k.name + ", 0) = 0", k.name + " IS DISTINCT FROM " + n, k.name + " // 2 " + op + " 3", k.name + " / 4 " + op + " 1.75",
			k.name + " * 1.5 " + op + " 10", "(" + k.name + ", 1) " + op + " (" + n + ", 1)", "(" + k.name + ", NULL) " + g.pick("=", "<>", "<") + " (7, NULL)",
			"greatest(" + k.name + ", 5) " + op + " 7", k.name + " = ANY([7, " + n + "])", "list_contains([7, NULL], " + k.name + ")", k.name + " IN [7, NULL]",
			k.name + " NOT IN [7, NULL]", k.name + "::DOUBLE " + op + " 7.5", "(" + k.name + " = 7) = (" + k.name + " <> 7)", k.name + " = true",
			"if(" + k.name + " > 5, 1, 0) = 1", "sign(" + k.name + ") = 1", k.name + " IN (SELECT 7 UNION ALL SELECT 1)", k.name + " NOT IN (SELECT 7)",
			"EXISTS (SELECT 1 FROM (VALUES (7), (1)) v(x) WHERE x = " + k.name + ")", k.name + " ** 2 " + op + " 49", k.name + " >= '1'", "try_cast(" + k.name + " AS TINYINT) " + op + " 7",
			k.name + "::DECIMAL(10, 2) " + op + " 7.00", "length(" + k.name + "::VARCHAR) = 4", k.name + " = (SELECT 7)", "nullif(" + k.name + ", 7) IS NULL",
			"@" + k.name + " " + op + " 7", k.name + " IN [x * 7 FOR x IN [0, 1] IF x >= 0]", "list_contains(list_filter([1, 7, 2024], lambda x: x > 5), " + k.name + ")",
			k.name + ".abs() = 7", k.name + " NOT IN list_transform([7, 1], (x, i) -> x - i)",
		}
	case "zero", "text", "mix", "VARCHAR":
		s := g.pick("'01'", "'02'", "'eu-west'", "'EU'", "'a b'", "'x/y'", "''", "'é'", "'x'", "NULL", "'1'")
		forms = []string{
			k.name + " " + op + " " + s, k.name + " IN (" + s + ", 'q7')", k.name + " NOT IN (" + s + ", 'q7')", k.name + " LIKE '" + g.pick("e%", "%1", "_", "0_", "%", "%e%") + "'",
			k.name + " NOT LIKE '0%'", k.name + " ILIKE 'eu%'", "lower(" + k.name + ") = 'eu'", "length(" + k.name + ") = 2", k.name + " BETWEEN '0' AND 'b'",
			"starts_with(" + k.name + ", 'e')", "contains(" + k.name + ", 'e')", k.name + " || '!' = 'x!'", "regexp_matches(" + k.name + ", '^[0-9]+$')",
			"try_cast(" + k.name + " AS INT) " + op + " 2", "substring(" + k.name + ", 1, 1) = '0'", "replace(" + k.name + ", '0', '') = '1'", k.name + " GLOB '[a-z]*'",
			"upper(" + k.name + ") = 'EU'", "left(" + k.name + ", 2) = 'eu'", "concat(" + k.name + ", '-', 1) = '01-1'", k.name + " SIMILAR TO '0.'",
			"(" + k.name + ", 1) " + op + " (" + s + ", 1)", "try_cast(" + k.name + " AS DATE) IS NULL", "suffix(" + k.name + ", '1')",
			k.name + " ^@ '" + g.pick("e", "0", "") + "'", k.name + " ~~ 'e%'", k.name + " !~~ '%1'", k.name + " ~~* 'EU%'", k.name + " !~~* '%Z'", k.name + " ~~~ '[a-z]*'",
			k.name + " ~ '0.'", k.name + " !~ 'eu.*'", k.name + "[1:2] = 'eu'", k.name + "[2:] = '1'", k.name + ".upper() = 'EU'", "trim(LEADING '0' FROM " + k.name + ") = '1'",
			k.name + " IN [x || 'u' FOR x IN ['e', 'E']]", "'a' || " + k.name + " ^@ 'ae'", k.name + " = 'x'\n'/y'",
		}
	case "date", "DATE":
		d := g.pick("DATE '2024-01-31'", "'2024-02-29'", "DATE '2025-01-01'", "TIMESTAMP '2024-02-29 10:00:00'", "DATE '1970-01-01'", "NULL")
		forms = []string{
			k.name + " " + op + " " + d, k.name + " IN (DATE '2024-01-31', " + d + ")", "year(" + k.name + ") " + op + " 2024", "month(" + k.name + ") = " + g.pick("1", "2", "12"),
			"date_trunc('month', " + k.name + ") = DATE '2024-01-01'", k.name + " + INTERVAL 1 DAY " + op + " DATE '2024-02-01'", k.name + " - INTERVAL 1 MONTH " + op + " DATE '2024-01-29'",
			k.name + "::VARCHAR LIKE '2024-%'", k.name + " + 1 " + op + " DATE '2024-02-01'", k.name + " - DATE '2024-01-01' " + op + " 30", "dayofweek(" + k.name + ") = 3",
			"strftime(" + k.name + ", '%Y-%m') = '2024-01'", "last_day(" + k.name + ") = " + k.name, k.name + " BETWEEN '2024-01-01' AND '2024-12-31'",
			"date_diff('day', DATE '2024-01-01', " + k.name + ") " + op + " 30", "extract(quarter FROM " + k.name + ") = 1", "date_part('year', " + k.name + ") = 2025",
			"monthname(" + k.name + ") = 'January'", "isodow(" + k.name + ") " + op + " 3", "week(" + k.name + ") " + op + " 5", "dayofyear(" + k.name + ") " + op + " 60",
			"make_date(year(" + k.name + "), 1, 1) " + op + " DATE '2024-01-01'", "(" + k.name + "::TIMESTAMP) " + op + " TIMESTAMP '2024-02-29 00:00:00'", "coalesce(" + k.name + ", DATE '2024-01-31') = DATE '2024-01-31'",
			"decade(" + k.name + ") = 202", "epoch(" + k.name + ") > 0",
		}
	case "time", "TIMESTAMP":
		forms = []string{
			k.name + " " + op + " TIMESTAMP '2024-01-01 13:30:00'", k.name + " " + op + " DATE '2024-01-01'", k.name + " " + op + " '2024-01-01 00:00:00'", "hour(" + k.name + ") = 13",
			k.name + "::DATE = DATE '2024-01-01'", "date_trunc('day', " + k.name + ") = DATE '2024-01-01'", k.name + "::VARCHAR LIKE '%:30:00'", k.name + " + INTERVAL 1 HOUR " + op + " TIMESTAMP '2024-01-01 14:30:00'",
			"second(" + k.name + ") " + op + " 30", "minute(" + k.name + ") = 59", k.name + " - INTERVAL '1 month 2 days' " + op + " TIMESTAMP '2023-11-29 13:30:00'",
		}
	}
	return g.pick(append(forms, null)...)
}
