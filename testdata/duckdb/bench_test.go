package duckdb

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

const benchQuery = "SELECT * FROM 'big/*/*.parquet' WHERE p IN (17, 4711, 9999)"

// directories makes 10,000 directories with a file each.
func directories(t testing.TB, e *engine) {
	t.Helper()
	data, err := os.ReadFile(e.templates[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10_000 {
		dir := fmt.Sprintf("big/p=%d", i)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "f.parquet"), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A plan of 10,000 directories asks the storage for the names of the directories and for three files.
func TestRequests(t *testing.T) {
	e := open(t)
	directories(t, e)
	paths, p, _ := plan(t, benchQuery)
	if requests := p.Scans[0].Listing.Requests; len(paths) != 3 || requests > 14 {
		t.Errorf("%d requests for %q", requests, paths)
	}
}

// BenchmarkBeside plans and has DuckDB explain the same query in turn, and tells how many times as long EXPLAIN takes at its
// best. Where the types of the keys have to be found, half of a plan's time is the system's, for reading the names of
// 10,000 directories; where they are declared and the names have one form for each value, nothing but three files is asked for.
func BenchmarkBeside(b *testing.B) {
	const declared = "SELECT * FROM read_parquet('big/p=*/*.parquet', hive_types = {'p': BIGINT}) WHERE p IN (17, 4711, 9999)"
	b.Run("plain", func(b *testing.B) { beside(b, benchQuery, false) })
	b.Run("declared", func(b *testing.B) { beside(b, declared, true) })
}

func beside(b *testing.B, query string, canonical bool) {
	e := open(b)
	directories(b, e)
	ours, theirs := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		if paths, _, ds := planned(b, query, canonical); len(paths) != 3 {
			b.Fatalf("planned %q: %s", paths, message(ds))
		}
		ready := time.Now()
		e.explained(b, query)
		ours, theirs = min(ours, ready.Sub(start)), min(theirs, time.Since(ready))
	}
	b.ReportMetric(float64(theirs)/float64(ours), "times")
}

func BenchmarkPlan(b *testing.B) {
	e := open(b)
	directories(b, e)
	for b.Loop() {
		plan(b, benchQuery)
	}
}

func BenchmarkExplain(b *testing.B) {
	e := open(b)
	directories(b, e)
	for b.Loop() {
		rows, err := e.Query("EXPLAIN " + benchQuery)
		if err != nil {
			b.Fatal(err)
		}
		rows.Close()
	}
}
