package duckdb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/planner"
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
	_, p, ds := plan(t, "SELECT * FROM "+tr.from)
	if p == nil {
		t.Fatalf("%s: %s", tr.pattern, message(ds))
	}
	for _, k := range tr.keys {
		types, err := e.column(fmt.Sprintf("SELECT typeof(%s) FROM %s LIMIT 1", k.name, tr.from))
		if err != nil {
			continue // a text is no value of the type
		}
		i := slices.IndexFunc(p.Scans[0].Table.Columns, func(c projection.Column) bool { return c.Name == k.name })
		if i < 0 {
			t.Fatalf("%s has no key %s", tr.pattern, k.name)
		}
		if c := p.Scans[0].Table.Columns[i]; c.Declared != types[0] {
			t.Errorf("%s, key %s %q: %s, DuckDB has %s", tr.pattern, k.name, k.texts, c.Declared, types[0])
		}
		e.compareValues(t, tr.from, p.Scans[0], p.Scans[0].Table.Columns[i])
	}
}

// compareValues compares what a key is in each file, unless DuckDB can't read them all.
func (e *engine) compareValues(t *testing.T, from string, scan *planner.Scan, c projection.Column) {
	t.Helper()
	want, err := e.column(fmt.Sprintf(`SELECT DISTINCT filename || ': ' || coalesce("%s"::VARCHAR, '(null)') FROM %s`, c.Name, from))
	if err != nil {
		return
	}
	var got []string
	for u, err := range scan.Units(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		text := "(null)"
		if v, null, _ := u.Value(c.Key); !null {
			text = string(scan.Table.Layout.Text(nil, scan.Table.Layout.Keys[c.Key].Type, v))
		}
		got = append(got, string(u.AppendPath(nil))+": "+text)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s, key %s %s: %q, DuckDB has %q", from, c.Name, c.Declared, got, want)
	}
}

// compare reports whether the engine gave an answer that the plan could be compared with.
func (e *engine) compare(t *testing.T, tr *tree, where string, keysOnly bool) bool {
	t.Helper()
	from := "FROM " + tr.from + " WHERE " + where
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
