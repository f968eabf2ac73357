package duckdb_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/duckdb"
	"github.com/yqlplan/yqlplan/projection/store"
)

// stopping ends its context at a certain key.
type stopping struct {
	bySteps
	at   string
	stop context.CancelFunc
}

func (s stopping) List(ctx context.Context, prefix string, deep bool) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for e, err := range s.Lister.List(ctx, prefix, deep) {
			if s.at != "" && e.Key == s.at {
				s.stop()
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func numbered(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("t/p=%d/a.parquet", i)
	}
	return keys
}

// TestPartial: a listing that a limit or an interruption ends gives a plan of what was found, marked as partial.
func TestPartial(t *testing.T) {
	for _, c := range []struct {
		sql   string
		keys  int
		pages int    // the limit
		at    string // the key that the listing is interrupted at
		units int
		codes []string
	}{
		{"FROM 't/**/*.parquet'", 2500, 2, "", 2000, []string{"list.limit"}},
		{"FROM 't/*/*.parquet' WHERE p < 5", 10, 4, "", 3, []string{"list.limit"}},
		{"FROM 't/*/*.parquet' WHERE p < 2", 2500, 2, "", 0, []string{"list.limit"}},
		{"FROM read_parquet('t/*/*.parquet', hive_types = {'p': INT}) WHERE p < 2", 2500, 2, "", 0, []string{"list.limit"}},
		{"FROM 't/*/*.parquet' WHERE p < 5", 10, 7, "", 5, nil},
		{"FROM 't/**/*.parquet' WHERE p > 2", 10, 0, "t/p=5/a.parquet", 3, []string{"plan.interrupted"}},
		{"FROM 't/*/*.parquet'", 1, 0, "t/p=0/a.parquet", 1, []string{"plan.interrupted"}},
	} {
		ctx, stop := context.WithCancel(t.Context())
		opt := planner.Options{System: "duckdb", Store: stopping{bySteps{store.NewKeys(numbered(c.keys))}, c.at, stop}}
		opt.Limits.Pages, opt.Limits.Requests = c.pages, 1
		plans, diags := planner.NewSession([]projection.System{duckdb.System{}}, opt).Run(ctx, "q", c.sql)
		if len(plans) != 1 {
			t.Fatalf("%s: no plan: %v", c.sql, diags)
		}
		var codes []string
		for _, d := range diags {
			if codes = append(codes, d.Code); d.Severity != ast.Warning {
				t.Errorf("%s: %v", c.sql, d)
			}
		}
		scan, units := plans[0].Scans[0], 0
		for range scan.Units(t.Context()) {
			units++
		}
		if units != c.units || scan.Listing.Partial != (c.codes != nil) || !slices.Equal(codes, c.codes) {
			t.Errorf("%s: %d units, partial %t, %v", c.sql, units, scan.Listing.Partial, diags)
		}
		if _, total, err := scan.Count(t.Context()); err != nil || scan.Listing.Partial && total != nil {
			t.Errorf("%s: a partial listing has a total of %v (%v)", c.sql, total, err)
		}
		stop()
	}
}
