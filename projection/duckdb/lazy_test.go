package duckdb_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/duckdb"
	"github.com/yqlplan/yqlplan/projection/store"
)

// TestLazy: a table whose keys have declared types is listed as far as the condition asks for. It reads what the same
// table reads that is listed at once.
func TestLazy(t *testing.T) {
	years := []string{"2024", "2025", "07", "", "__HIVE_DEFAULT_PARTITION__", "x"}
	months := []string{"1", "2", "12", "01", "%31", "null"}
	conditions := []string{"true", "y = 2024", "y IN (7, 2025) AND m = 2", "m = 2", "m IN (1, 12)", "y IS NULL", "m > 1", "y = 2025 OR m = 1", "(y, m) = (2024, 12)",
		"y IS DISTINCT FROM 2024 AND m IS NULL", "y + m = 2026", "y = 2024 AND false", "filename LIKE '%data_1%'", "y = 2024 AND filename LIKE '%m=2/%'", "amount > 5"}
	rapid.Check(t, func(t *rapid.T) {
		part := func(name string, texts []string) string {
			return name + "=" + rapid.SampledFrom(texts).Draw(t, name) + "/"
		}
		turned := rapid.Bool().Draw(t, "turned")
		dirs := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			if turned && rapid.Bool().Draw(t, "m first") {
				return "t/" + part("m", months) + part("y", years)
			}
			return "t/" + part("y", years) + part("m", months)
		}), 1, 12, rapid.ID).Draw(t, "dirs")
		var keys []string
		for _, d := range dirs {
			for f := range rapid.IntRange(0, 2).Draw(t, "files") {
				keys = append(keys, fmt.Sprintf("%sdata_%d.parquet", d, f))
			}
		}
		rest := ", hive_types = {'y': INT, 'm': " + rapid.SampledFrom([]string{"INT", "BIGINT"}).Draw(t, "type") + "}) WHERE " + rapid.SampledFrom(conditions).Draw(t, "where")
		flat, flatDiags := units(t, keys, "FROM read_parquet('t/**/*.parquet'"+rest)
		lazy, lazyDiags := units(t, keys, "FROM read_parquet('t/*/*/*.parquet'"+rest)
		if len(flatDiags) == 1 && flatDiags[0] == "glob.none" {
			return
		}
		if !slices.Equal(flat, lazy) || !slices.Equal(flatDiags, lazyDiags) {
			t.Fatalf("%s\nof %q\nflat %q %q\nlazy %q %q", rest, keys, flat, flatDiags, lazy, lazyDiags)
		}
	})
}

// TestLazyRequests counts requests on 10,000 directories, and on 40 years of days.
func TestLazyRequests(t *testing.T) {
	var days []string
	for y := 1985; y < 2025; y++ {
		for d := range 336 {
			days = append(days, fmt.Sprintf("t/y=%d/m=%d/d=%d/a.parquet", y, d/28+1, d%28+1))
		}
	}
	const in3, day = " WHERE p IN (17, 471, 9999)", " WHERE y = 2024 AND m = 2 AND d IN (3, 4)"
	for _, c := range []struct {
		keys      []string
		from      string
		canonical bool
		files     int
		requests  int64
	}{
		{numbered(10), "'t/*/*.parquet' WHERE p IN (1, 3, 17)", false, 2, 1}, // one page is all
		{numbered(10_000), "'t/**/*.parquet'" + in3, false, 3, 10},
		{numbered(10_000), "'t/*/*.parquet'" + in3, false, 3, 15},                                                               // a look, 10 pages of directories, one to see a file
		{numbered(10_000), "read_parquet('t/*/*.parquet', hive_types = {'p': INT})" + in3, true, 3, 4},                          // one to see how the key is called
		{numbered(10_000), "read_parquet('t/p=*/*.parquet', hive_types = {'p': INT})" + in3, true, 3, 3},                        // nothing but the files
		{numbered(10_000), "read_parquet('t/p=*/*.parquet', hive_types = {'p': VARCHAR})" + in3, true, 3, 13},                   // an unknown number of texts
		{days, "'t/*/*/*/*.parquet'" + day, false, 2, 1 + 1 + 40 + 480 + 1 + 2},                                                 // all directories
		{days, "read_parquet('t/*/*/*/*.parquet', hive_types = {'y': INT, 'm': INT, 'd': INT})" + day, false, 2, 1 + 4 + 3 + 2}, // down to a file, then those asked for
		{days, "read_parquet('t/y=*/m=*/d=*/*.parquet', hive_types = {'y': INT, 'm': INT, 'd': INT})" + day, true, 2, 2},
	} {
		opt := planner.Options{System: "duckdb", Store: store.NewKeys(slices.Clone(c.keys)), Canonical: c.canonical}
		plans, diags := planner.NewSession([]projection.System{duckdb.System{}}, opt).Run(t.Context(), "q", "FROM "+c.from)
		if len(plans) != 1 || diags.HasErrors() {
			t.Fatalf("%s: %v", c.from, diags)
		}
		scan, files := plans[0].Scans[0], 0
		for range scan.Units(t.Context()) {
			files++
		}
		if files != c.files || scan.Listing.Requests != c.requests {
			t.Errorf("%s: %d files by %d requests, want %d by %d", c.from, files, scan.Listing.Requests, c.files, c.requests)
		}
	}
}
