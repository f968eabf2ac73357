package duckdb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/projection"
)

// budget bounds how long random comparisons run.
const budget = 20 * time.Second

// TestRows: every file that yields a row is in the plan. Where a condition is about keys alone, no other file is, and
// EXPLAIN doesn't do better.
func TestRows(t *testing.T) {
	e := open(t)
	until := time.Now().Add(budget)
	compared := 0
	for seed := uint64(1); time.Now().Before(until) && compared < 4000; seed++ {
		g := generator{rand.New(rand.NewPCG(seed, 14))}
		tr := g.tree(t, e, fmt.Sprintf("t%d", seed))
		e.compareKeys(t, tr)
		for range 25 {
			keysOnly := g.IntN(2) == 0
			where := g.predicate(tr, g.IntN(4), keysOnly)
			if e.compare(t, tr, where, keysOnly) {
				compared++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d predicates compared", compared)
	if compared < 100 {
		t.Errorf("only %d predicates could be compared", compared)
	}
}

// compareKeys compares the keys' types and values.
func (e *engine) compareKeys(t *testing.T, tr *tree) {
	t.Helper()
	_, p, ds := plan(t, "SELECT * FROM '"+tr.pattern+"'")
	if p == nil {
		t.Fatalf("%s: %s", tr.pattern, message(ds))
	}
	for _, k := range tr.keys {
		types, err := e.column(fmt.Sprintf("SELECT typeof(%s) FROM '%s' LIMIT 1", k.name, tr.pattern))
		if err != nil {
			t.Fatal(err)
		}
		values, err := e.column(fmt.Sprintf("SELECT DISTINCT filename || ': ' || coalesce(%s::VARCHAR, '(null)') FROM '%s' ORDER BY 1", k.name, tr.pattern))
		if err != nil {
			t.Fatal(err)
		}
		scan := p.Scans[0]
		i := slices.IndexFunc(scan.Table.Layout.Keys, func(key keyType) bool { return key.Name == k.name })
		if i < 0 {
			t.Fatalf("%s has no key %s", tr.pattern, k.name)
		}
		var got []string
		for u, err := range scan.Units(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			text := "(null)"
			if v, null, _ := u.Value(i); !null {
				text = string(scan.Table.Layout.Text(nil, scan.Table.Layout.Keys[i].Type, v))
			}
			got = append(got, string(u.AppendPath(nil))+": "+text)
		}
		slices.Sort(got)
		slices.Sort(values)
		c := scan.Table.Columns[slices.IndexFunc(scan.Table.Columns, func(c projection.Column) bool { return c.Key == i })]
		if c.Declared != types[0] || !slices.Equal(got, values) {
			t.Errorf("%s, key %s %q: %s %q, DuckDB has %s %q", tr.pattern, k.name, k.texts, c.Declared, got, types[0], values)
		}
	}
}

// compare reports whether the engine gave an answer that the plan could be compared with.
func (e *engine) compare(t *testing.T, tr *tree, where string, keysOnly bool) bool {
	t.Helper()
	from := "FROM '" + tr.pattern + "' WHERE " + where
	want, err := e.column("SELECT DISTINCT filename " + from)
	got, p, ds := plan(t, "SELECT * "+from)
	switch {
	case err != nil:
		return false
	case p == nil && (len(want) == 0 || strings.Contains(message(ds), "can't be converted")):
		// DuckDB doesn't come to a literal that can't be converted where no file is read, or where other items of a list decide.
		return false
	case p == nil:
		t.Errorf("%s\nrefused: %s\nDuckDB has %q", from, message(ds), want)
		return false
	}
	for _, file := range want {
		if !slices.Contains(got, file) {
			t.Errorf("%s\nlost %s\nplanned: %q", from, file, got)
			return true
		}
	}
	if keysOnly && len(got) > len(want) {
		t.Errorf("%s\nplanned %q\nrows in %q", from, got, want)
	}
	if n, ok := e.explained(t, "SELECT * "+from); ok && n < len(got) && (n > 0 || keysOnly) { // statistics of Parquet files may tell that there is no row
		t.Errorf("%s\nDuckDB reads %d files, planned %d", from, n, len(got))
	}
	return true
}
