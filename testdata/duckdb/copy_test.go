package duckdb

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
)

// copyValues are expressions for keys of one column each.
var copyValues = [][]string{
	{"1", "2", "-7", "NULL", "2.5"},
	{"'a'", "'a b'", "'x/y'", "'é'", "''", "'k=v'", "'100%'", "NULL", "'..'", "'A'"},
	{"DATE '2024-01-31'", "NULL", "DATE '1969-12-31'", "DATE '2024-01-31' + 1"},
	{"TIMESTAMP '2024-01-31 10:20:30'", "TIMESTAMP '2024-01-31'", "TIMESTAMP '2024-01-31 10:20:30.5'"},
	{"true", "false", "NULL"},
	{"1.5::DOUBLE", "100::DOUBLE", "1e20", "'nan'::DOUBLE", "0.1::DOUBLE"},
	{"1.50", "2.00", "-3.25"},
	{"[1, 2]", "[3]"},
	{"{'a': 1}", "{'a': 2}"},
	{"INTERVAL 1 DAY", "INTERVAL '1 month 2 days'"},
	{"TIME '10:20:30'"},
	{"month(DATE '2024-03-05')", "year(DATE '2024-03-05')"},
	{"lower('ABC')", "'x' || 1", "concat('a', NULL, 2)"},
}

// TestCopy: the directories of a plan are those that the engine writes.
func TestCopy(t *testing.T) {
	e := open(t)
	until := time.Now().Add(budget / 2)
	for seed := uint64(1); time.Now().Before(until) && seed < 300; seed++ {
		g := generator{rand.New(rand.NewPCG(seed, 3))}
		n := 1 + g.IntN(3)
		var keys, rows []string
		kinds := make([][]string, n)
		for i := range n {
			keys = append(keys, string(rune('p'+i)))
			kinds[i] = copyValues[g.IntN(len(copyValues))]
		}
		for range 1 + g.IntN(6) {
			var row []string
			for i := range n {
				row = append(row, g.pick(kinds[i]...))
			}
			rows = append(rows, "("+strings.Join(append(row, "1"), ", ")+")")
		}
		dir := fmt.Sprintf("c%d", seed)
		query := fmt.Sprintf("COPY (SELECT * FROM (VALUES %s) t(%s, v)) TO '%s' (FORMAT parquet, PARTITION_BY (%s))",
			strings.Join(rows, ", "), strings.Join(keys, ", "), dir, strings.Join(keys, ", "))
		got, p, ds := plan(t, query)
		if _, err := e.Exec(query); err != nil {
			continue // columns of values that have no common type
		}
		if p == nil {
			t.Errorf("%s\nrefused: %s", query, message(ds))
			continue
		}
		if want := leaves(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s\nplanned %q\nDuckDB wrote %q", query, got, want)
		}
	}
}

// leaves are the directories with files below a directory.
func leaves(t *testing.T, root string) []string {
	var out []string
	err := fs.WalkDir(os.DirFS("."), root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path.Dir(name)+"/")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestCopyRefused: what the engine refuses is refused.
func TestCopyRefused(t *testing.T) {
	e := open(t)
	e.must(t, "COPY (SELECT 1 AS p, 2 AS v) TO 'full' (FORMAT parquet, PARTITION_BY (p))")
	const source = "COPY (SELECT 1 AS p, 2 AS q, 3 AS v) TO "
	for _, query := range []string{
		source + "'x' (FORMAT parquet, PARTITION_BY (p, nope))",
		source + "'x' (FORMAT parquet, PARTITION_BY (p, q, v))",
		source + "'x' (FORMAT parquet, PARTITION_BY (p), OVERWRITE, APPEND)",
		source + "'x' (FORMAT parquet, PARTITION_BY (p), OVERWRITE false, APPEND)",
		source + "'x' (FORMAT parquet, PARTITION_BY (p), PER_THREAD_OUTPUT)",
		source + "'x' (FORMAT parquet, PARTITION_BY (p), USE_TMP_FILE false)",
		source + "'x' (FORMAT parquet, PARTITION_BY (p), FILE_SIZE_BYTES '1MB')",
		source + "'x' (FORMAT parquet, PARTITION_BY (p), APPEND, FILENAME_PATTERN 'f')",
		source + "'x' (FORMAT parquet, PARTITION_BY (p), NOPE 1)",
		source + "'x' (FORMAT json, PARTITION_BY (p))",
		source + "'x' (FORMAT parquet, PARTITION_BY ())",
		source + "'x' (FORMAT parquet, PARTITION_BY (p + 1))",
		source + "'full' (FORMAT parquet, PARTITION_BY (p))",
	} {
		if _, err := e.Exec(query); err == nil {
			t.Errorf("%s\nDuckDB accepts it", query)
		}
		if _, p, _ := plan(t, query); p != nil {
			t.Errorf("%s\naccepted", query)
		}
	}
	for _, mode := range []string{"OVERWRITE", "OVERWRITE_OR_IGNORE", "APPEND"} {
		query := source + "'full' (FORMAT parquet, PARTITION_BY (p), " + mode + ")"
		if _, p, ds := plan(t, query); p == nil {
			t.Errorf("%s\nrefused: %s", query, message(ds))
		}
		e.must(t, query)
	}
}
