package duckdb_test

import (
	"testing"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/projection/systems"
)

// TestListedOnce: a table that a statement reads twice is listed once, in whatever dialect; the next statement lists anew.
func TestListedOnce(t *testing.T) {
	const yql = "s3.`/t/` WITH (SCHEMA = (data String, p Int32), PARTITIONED_BY = (p))"
	for _, c := range []struct {
		system, sql string
		requests    []int64 // of each scan
	}{
		{"duckdb", "FROM 't/*/*.parquet' a JOIN 't/*/*.parquet' b USING (p) WHERE p < 3; FROM 't/*/*.parquet' WHERE p < 3", []int64{7, 0, 7}},
		{"duckdb", "FROM 't/**/*.parquet' WHERE p = 1 UNION ALL FROM 't/**/*.parquet'", []int64{3, 0}},
		{"yql", "SELECT a.data FROM " + yql + " AS a JOIN " + yql + " AS b ON a.p = b.p WHERE a.p IN (1, 2);", []int64{6, 0}},
		{"yql", "$t = SELECT * FROM " + yql + " WHERE p = 7; SELECT a.data FROM $t AS a JOIN $t AS b ON a.p = b.p;", []int64{5, 0}},
	} {
		opt := planner.Options{System: c.system, Store: store.NewKeys(numbered(2500))}
		plans, diags := planner.NewSession(systems.All(), opt).Run(t.Context(), "q", c.sql)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		i := 0
		for _, p := range plans {
			for _, s := range p.Scans {
				if got := s.Listing.Requests; i >= len(c.requests) || got != c.requests[i] {
					t.Errorf("%s: scan %d takes %d requests, want %v", c.sql, i, got, c.requests)
				}
				i++
			}
		}
	}
}
