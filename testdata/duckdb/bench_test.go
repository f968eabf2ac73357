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

// TestFaster: on 10,000 directories, a plan takes a small part of the time of EXPLAIN: a sixtieth on a machine with nothing
// else to do. Half of it is the system's, for reading the names of the directories.
func TestFaster(t *testing.T) {
	e := open(t)
	directories(t, e)
	best := func(n int, f func()) time.Duration {
		least := time.Hour
		for range n {
			start := time.Now()
			f()
			least = min(least, time.Since(start))
		}
		return least
	}
	const wanted = 60
	for try := 1; ; try++ { // another process may have taken the time
		theirs := best(3, func() { e.explained(t, benchQuery) })
		var paths []string
		ours := best(30, func() { paths, _, _ = plan(t, benchQuery) })
		_, p, _ := plan(t, benchQuery)
		t.Logf("EXPLAIN %v, plan %v: %.0f times, %d requests", theirs, ours, float64(theirs)/float64(ours), p.Scans[0].Listing.Requests)
		switch {
		case len(paths) != 3:
			t.Fatalf("planned %q", paths)
		case theirs >= wanted*ours:
			return
		case try == 3:
			t.Fatalf("EXPLAIN takes %v, a plan %v", theirs, ours)
		}
	}
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
