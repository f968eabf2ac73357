package planner_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// TestPlans runs the files of testdata/plan. "session" starts a session that declares the tables of world and those of its
// input; "plan" executes statements in it and prints their plans, with units=N the first N units of each scan.
func TestPlans(t *testing.T) {
	datadriven.Walk(t, "../testdata/plan", func(t *testing.T, path string) {
		s := newSession(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "session":
				opt := planner.Options{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
				for _, limit := range d.CmdArgs {
					limit.Scan(t, 0, map[string]*int{"checks": &opt.Limits.Checks, "nodes": &opt.Limits.Nodes}[limit.Key])
				}
				s = planner.NewSession([]projection.System{yql.System{}}, opt)
				_, diags := s.Run(t.Context(), "world", world+d.Input)
				return findings(diags)
			case "plan":
				limit := 0
				d.MaybeScanArgs(t, "units", &limit)
				plans, diags := s.Run(t.Context(), "q", d.Input)
				var b strings.Builder
				for _, p := range plans {
					printPlan(t, &b, p, limit)
				}
				return b.String() + findings(diags)
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}

func findings(diags ast.Diagnostics) string {
	var b strings.Builder
	for _, d := range diags {
		b.WriteString(d.Error() + " [" + d.Code + "]\n" + d.Excerpt())
	}
	return b.String()
}

func sql(s *planner.Scan, e ast.Expr) string {
	d, _ := parser.DialectByName(s.Table.System)
	return ast.Print(e, d.Style())
}

func printPlan(t *testing.T, b *strings.Builder, p *planner.Plan, limit int) {
	fmt.Fprintln(b, p.Kind)
	for _, s := range p.Scans {
		n, total, err := s.Count(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		verb := "read"
		if s.Write {
			verb = "write"
		}
		fmt.Fprintf(b, "  %s %s", verb, s.Table.Name)
		if s.Alias != "" {
			fmt.Fprintf(b, " as %s", s.Alias)
		}
		fmt.Fprintf(b, ": %v of %v\n", n, total)
		for _, c := range s.Conjuncts {
			fmt.Fprintf(b, "    %s: %s", c.Effect, sql(s, c.Expr))
			if c.From != "" {
				fmt.Fprintf(b, ", from %s", c.From)
			}
			if c.Reason != "" {
				fmt.Fprintf(b, " (%s)", c.Reason)
			}
			fmt.Fprintln(b)
		}
		if s.Residual != nil {
			fmt.Fprintf(b, "    residual: %s\n", sql(s, s.Residual))
		}
		printUnits(t, b, s, limit)
	}
}

func printUnits(t *testing.T, b *strings.Builder, s *planner.Scan, limit int) {
	var paths strings.Builder
	if err := s.WritePaths(t.Context(), &paths, nil, big.NewInt(int64(limit)), '\n'); err != nil {
		t.Fatal(err)
	}
	for p := range strings.Lines(paths.String()) {
		b.WriteString("    " + p)
	}
}
