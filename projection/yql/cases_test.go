package yql

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/internal/casefile"
	"github.com/yqlplan/yqlplan/projection"
)

// The facts about declarations: which are refused, and what whole tables without a WHERE consist of.
func TestCases(t *testing.T) {
	cases, err := casefile.ReadFile("../../testdata/cases/ydb.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	groups := []string{"int", "enum", "date", "now", "tpl", "with", "ddl"}
	for _, c := range cases {
		if !slices.Contains(groups, strings.Split(c.ID, "-")[1]) || c.Objects != nil || c.ID == "ydb-ddl-032" { // that is about the SELECT
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			env := *testEnv
			if c.Now != nil {
				env.Now = *c.Now
			}
			table, sel, err := readAt(&env, ast.NewSource(c.ID, c.SQL))
			switch {
			case c.Expect.Rejected && err == nil:
				t.Errorf("accepted: %s", c.Expect.Error)
			case c.Expect.Rejected:
				t.Logf("%s\n%v", c.Expect.Error, err)
			case err != nil:
				t.Errorf("refused: %v", err)
			case c.Expect.Paths != nil && sel.Where == nil:
				got := allPaths(t, table.Layout)
				slices.Sort(got)
				if want := slices.Sorted(slices.Values(c.Expect.Paths)); !slices.Equal(got, want) {
					t.Errorf("paths %q, want %q", got, want)
				}
			}
		})
	}
}

// allPaths are the paths of all combinations of branches.
func allPaths(t *testing.T, l *projection.Layout) (paths []string) {
	t.Helper()
	at := &projection.Place{Axes: make([]projection.Axis, len(l.Levels)), Index: make([]uint64, len(l.Levels))}
	var below func(level int)
	below = func(level int) {
		if level == len(l.Levels) {
			paths = append(paths, string(l.Template.AppendPath(nil, at)))
			return
		}
		axis, err := l.Levels[level].Axis(context.Background(), at)
		if err != nil {
			t.Fatal(err)
		}
		last, ok := axis.Last()
		if !ok || last > 1000 {
			t.Fatalf("%d branches, %v", last, ok)
		}
		at.Axes[level] = axis
		for i := range last + 1 {
			at.Index[level] = i
			below(level + 1)
		}
	}
	below(0)
	return paths
}
