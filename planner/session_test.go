package planner_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// A finished plan may be walked by several goroutines, each with its own results.
func TestPlansAreShared(t *testing.T) {
	plan := planOf(t, newSession(t), "SELECT * FROM t JOIN u ON t.y = u.y WHERE (t.y + t.z = 5 OR t.v = 1 AND t.y = 2) AND u.z + u.y > 4")
	var want []map[string]bool
	for _, s := range plan.Scans {
		want = append(want, units(t, s, "alone"))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, s := range plan.Scans {
				for u, err := range s.Units(t.Context()) {
					if err != nil || !want[i][key(string(u.AppendPath(nil)))] {
						t.Errorf("%s: %v", u.AppendPath(nil), err)
					}
					s.UnitResidual(u)
				}
				s.Regions(100)
				if n, _, err := s.Count(t.Context()); err != nil || n.Int64() != int64(len(want[i])) {
					t.Errorf("count %v, %v", n, err)
				}
			}
		})
	}
	all.Wait()
}

func TestUnknownSystem(t *testing.T) {
	s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{System: "nosuch"})
	if _, diags := s.Run(t.Context(), "q", "SELECT 1"); !diags.HasErrors() || !strings.Contains(diags.Error(), `"nosuch"`) {
		t.Errorf("got %v", diags)
	}
}

// Statements of any size end, soon, with a plan or a diagnostic.
func TestLargeStatements(t *testing.T) {
	repeat := func(n int, sep, format string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return strings.Join(list, sep)
	}
	for _, test := range []struct{ name, text, code string }{
		{"names that double", "$x0 = SELECT * FROM t;" + repeat(40, "", "$y# = SELECT 1;") + doubled(40) + "SELECT * FROM $x40", "plan.limit"},
		{"WITH that doubles", "WITH x0 AS (SELECT * FROM t)" + doubledCTE(40) + " SELECT * FROM x40", "plan.limit"},
		{"names in names", "$x0 = SELECT * FROM t;" + chained(2000) + "SELECT * FROM $x2000", "plan.limit"},
		{"many joins", "SELECT 1 FROM t AS a0" + repeat(1000, "", " JOIN t AS b# ON a0.y = b#.y") + " WHERE a0.y = 1", ""},
		{"many conditions", "SELECT * FROM t WHERE " + repeat(20_000, " OR ", "y = # AND z = #"), ""},
		{"a long list", "SELECT * FROM t WHERE y IN (" + repeat(100_000, ", ", "#") + ")", ""},
		{"a long UNION", repeat(2000, " UNION ALL ", "SELECT y FROM t WHERE z = #"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			_, diags := newSession(t).Run(t.Context(), "q", test.text)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			found := ""
			for _, d := range diags {
				if d.Code == "plan.limit" || d.Severity == 0 {
					found = d.Code
				}
			}
			if found != test.code {
				t.Errorf("found %q, want %q: %.300v", found, test.code, diags)
			}
		})
	}
}

func doubled(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "$x%d = SELECT a.y AS y FROM $x%d AS a JOIN $x%d AS b ON a.y = b.y;", i+1, i, i)
	}
	return b.String()
}

func doubledCTE(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ", x%d AS (SELECT a.y AS y FROM x%d AS a JOIN x%d AS b ON a.y = b.y)", i+1, i, i)
	}
	return b.String()
}

func chained(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "$x%d = SELECT y FROM $x%d;", i+1, i)
	}
	return b.String()
}
