package duckdb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var (
	layoutTexts = []string{"1", "2", "10", "-1", "01", "", "NULL", "null", "Null", "%31", "a%20b", "a%2", "%zz", "2024-01-01", "2024-1-2", "2024-01-01 10:00:00",
		"2024-01-01%2010%3A00%3A00", "2024-01-01T10:00:00Z", "true", "1.5", "1e3", "é", "%C3%A9", "__HIVE_DEFAULT_PARTITION__", "__hive_default_partition__", "infinity",
		"epoch", "0x10", " 1", "1 ", "9223372036854775808", "1_000", "+1", "{a,b}", "a+b", "10:20:30", "2024-13-01", "20240131", "00000000-0000-0000-0000-000000000001", "a'b"}
	layoutParts = []string{"x", "_tmp", ".hid", "=x", "=x=y", "k=a=b", "k=1?x", "k=1", "j=1", "x=", "k==", "_k=1", "m%20n=1", "a b=1"}
	layoutGlobs = []string{"**/*.parquet", "**/*.parquet", "*/*.parquet", "*/*/*.parquet", "*/*/*.parquet", "k=*/*.parquet", "k=[0-9]*/*.parquet", "[jk]=?/**/*.parquet",
		"{k=1,k=2}/*.parquet", "**/f*", "**", "?=[!1]*/**/*.parquet", "**/j=*/*.parquet", "*/j=*/f?.parquet", "[jk]=1*/**", "", "/", "k=1/*.parquet", "*/f0.parquet", "*=*/*=*/*"}
	layoutOptions = []string{"", "", "", ", hive_partitioning = true", ", hive_partitioning = false", ", hive_types_autocast = false", ", hive_types = {'k': INT}",
		", hive_types = {'k': VARCHAR, 'j': BIGINT}", ", hive_types = {'K': INT}", ", hive_types = {'k': DATE}", ", hive_types = {'k': BOOLEAN}", ", hive_types = {'k': DOUBLE}",
		", hive_types = {'k': 'DECIMAL(5,2)'}", ", hive_types = {'k': TIMESTAMP}", ", hive_types = {'k': TIME}", ", hive_types = {'k': UUID}", ", hive_types = {'k': UTINYINT}, hive_types_autocast = 0",
		", hive_types = {'k': INT}, hive_partitioning = false", ", hive_types = {'j': 'SMALLINT'}, filename = true"}
)

// layout makes a few files, mostly of one layout.
func (g generator) layout(t *testing.T, e *engine, root string) {
	names := [][]string{{"k"}, {"k", "j"}, {"j", "k"}, {"ID"}, {"name", "k"}, {"k", "k"}, {"é", "k"}}[g.IntN(7)]
	texts := make([]string, 1+g.IntN(3))
	for i := range texts {
		texts[i] = g.pick(layoutTexts...)
	}
	for range 1 + g.IntN(4) {
		dir := root
		for _, name := range names {
			dir += "/" + name + "=" + g.pick(texts...)
		}
		switch g.IntN(12) {
		case 0:
			dir += "/" + g.pick(layoutParts...)
		case 1:
			dir = root + "/" + g.pick(layoutParts...)
		case 2:
			dir = root
		}
		for f := range 1 + g.IntN(2) {
			e.put(t, fmt.Sprintf("%s/f%d.parquet", dir, f), g.IntN(3))
		}
	}
}

// TestLayouts: whatever the directories are called and whatever the pattern and the options, the files, the columns with
// their types, and the values of the keys are DuckDB's.
func TestLayouts(t *testing.T) {
	e := open(t)
	until := time.Now().Add(budget)
	compared, refused := 0, 0
	for seed := uint64(1); time.Now().Before(until) && !t.Failed(); seed++ {
		g := generator{rand.New(rand.NewPCG(seed, 15))}
		root := fmt.Sprintf("l%d", seed)
		g.layout(t, e, root)
		for range 12 {
			from := "read_parquet('" + root + "/" + g.pick(layoutGlobs...) + "'" + g.pick(layoutOptions...) + ")"
			if e.compareLayout(t, from) {
				compared++
			} else {
				refused++
			}
		}
	}
	t.Logf("%d layouts compared, %d refused", compared, refused)
	if compared < 100 {
		t.Errorf("only %d layouts could be compared", compared)
	}
}

// compareLayout reports whether DuckDB reads the files.
func (e *engine) compareLayout(t *testing.T, from string) bool {
	t.Helper()
	want, err := e.column("SELECT column_name || ' ' || column_type FROM (DESCRIBE SELECT * FROM " + from + ")")
	paths, p, ds := plan(t, "SELECT * FROM "+from)
	switch {
	case err != nil:
		if p != nil {
			t.Errorf("%s\nplanned %q\nDuckDB: %v", from, paths, err)
		}
		return false
	case p == nil:
		if _, err := e.column("SELECT * FROM " + from); err == nil {
			t.Errorf("%s\nrefused: %s\nDuckDB has the columns %q", from, message(ds), want)
		}
		return false
	}
	files, err := e.column("SELECT DISTINCT filename FROM " + from + " ORDER BY 1")
	if err == nil && !slices.Equal(files, paths) {
		t.Errorf("%s\nplanned %q\nDuckDB has %q", from, paths, files)
	}
	var columns []string
	scan := p.Scans[0]
	for _, c := range scan.Table.Columns {
		if !c.Virtual {
			columns = append(columns, c.Name+" "+c.Declared)
		}
		if stored := c.Name == "id" || c.Name == "name"; !stored && c.Key >= 0 && c.Key < len(scan.Table.Layout.Values()) {
			e.compareValues(t, from, scan, c)
		}
	}
	if !slices.Equal(columns, want) {
		order, _ := e.column("SELECT DISTINCT file_index, filename FROM " + from + " ORDER BY 1")
		t.Errorf("%s\ncolumns %q\nDuckDB has %q of the files %q", from, columns, want, order)
	}
	return true
}
