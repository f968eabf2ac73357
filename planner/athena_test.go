package planner_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/athena"
	"github.com/yqlplan/yqlplan/projection/store"
)

// TestAthena runs the files of testdata/athena. "table" declares what its input says in a new session, with now= the
// instant of NOW; "objects" does so with a listing, one key a line up to a line "--"; "plan" executes statements in it and
// prints their plans, with units=N the first N units of each scan.
func TestAthena(t *testing.T) {
	datadriven.Walk(t, "../testdata/athena", func(t *testing.T, path string) {
		var s *planner.Session
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			sql := d.Input
			opt := planner.Options{System: "athena", Now: time.Date(2025, 6, 1, 12, 30, 0, 0, time.UTC)}
			switch d.Cmd {
			case "objects":
				keys, rest, _ := strings.Cut(d.Input, "--\n")
				opt.Store, sql = store.NewKeys(strings.Fields(keys)), rest
				fallthrough
			case "table":
				var now string
				if d.MaybeScanArgs(t, "now", &now); now != "" {
					var err error
					if opt.Now, err = time.Parse(time.RFC3339, now); err != nil {
						t.Fatal(err)
					}
				}
				s = planner.NewSession([]projection.System{athena.System{}}, opt)
				_, diags := s.Run(t.Context(), "table", sql)
				return findings(diags)
			case "plan":
				limit := 0
				d.MaybeScanArgs(t, "units", &limit)
				plans, diags := s.Run(t.Context(), "q", sql)
				var b strings.Builder
				for _, p := range plans {
					printPlan(t, &b, p, limit)
				}
				diags = slices.DeleteFunc(diags, func(d *ast.Diagnostic) bool { return d.Source.Name != "q" }) // told when it was declared
				return b.String() + findings(diags)
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}
