package duckdb_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/duckdb"
	"github.com/yqlplan/yqlplan/projection/store"
)

// TestDepthBySegments: a pattern that gives the depth is listed directory by directory, one with ** at once; both are the
// same table.
func TestDepthBySegments(t *testing.T) {
	years := []string{"2024", "2025", "07", "x", "", "__HIVE_DEFAULT_PARTITION__"}
	months := []string{"1", "2", "12", "a%20b", "2024-01-01"}
	conditions := []string{"true", "y = 2024", "y = '07'", "m = 2", "m IN (1, 12)", "y IS NULL", "m > '1'", "y = '2025' AND m = '2'", "y <> 'x' OR m = '1'"}
	rapid.Check(t, func(t *rapid.T) {
		dirs := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return "t/y=" + rapid.SampledFrom(years).Draw(t, "y") + "/m=" + rapid.SampledFrom(months).Draw(t, "m") + "/"
		}), 1, 12, rapid.ID).Draw(t, "dirs")
		var keys []string
		for _, d := range dirs {
			for f := range rapid.IntRange(1, 3).Draw(t, "files") {
				keys = append(keys, fmt.Sprintf("%sdata_%d.parquet", d, f))
			}
		}
		where := " WHERE " + rapid.SampledFrom(conditions).Draw(t, "where")
		flat, flatDiags := units(t, keys, "SELECT * FROM 't/**/*.parquet'"+where)
		deep, deepDiags := units(t, keys, "SELECT * FROM 't/*/*/*.parquet'"+where)
		if !slices.Equal(flat, deep) || !slices.Equal(flatDiags, deepDiags) {
			t.Fatalf("%s\nof %q\nflat %q %q\ndeep %q %q", where, keys, flat, flatDiags, deep, deepDiags)
		}
	})
}

// bySteps is a listing that is taken directory by directory, as file trees are: without a look whether one page is all.
type bySteps struct{ store.Lister }

func (bySteps) Tree() bool { return true }

// units are the paths that a query reads, and the codes of what is wrong with it.
func units(t *rapid.T, keys []string, text string) (paths, codes []string) {
	opt := planner.Options{System: "duckdb", Store: bySteps{store.NewKeys(slices.Clone(keys))}}
	plans, diags := planner.NewSession([]projection.System{duckdb.System{}}, opt).Run(t.Context(), "q", text)
	for _, d := range diags {
		codes = append(codes, d.Code)
	}
	for _, p := range plans {
		for _, s := range p.Scans {
			for u, err := range s.Units(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				paths = append(paths, strings.TrimPrefix(string(u.AppendPath(nil)), "/"))
			}
		}
	}
	slices.Sort(paths)
	return paths, codes
}
