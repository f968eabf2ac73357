package planner_test

import (
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/yqlplan/yqlplan/internal/casefile"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/projection/systems"
	"github.com/yqlplan/yqlplan/pruning"
)

// planned are the dialects whose cases are run here.
var planned = []string{"yql", "athena", "doris", "paimon", "duckdb"}

// caseFiles are the files of testdata/cases.
var caseFiles = []string{"ydb", "athena", "doris", "paimon", "hive", "reports"}

// TestCases runs facts about real systems.
func TestCases(t *testing.T) {
	for _, name := range caseFiles {
		cases, err := casefile.ReadFile("../testdata/cases/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if !slices.Contains(planned, c.Dialect) {
				continue
			}
			t.Run(c.ID, func(t *testing.T) {
				if why := c.Judge(answer(t, &c)); why != "" {
					t.Errorf("%s\n%s\n%s", c.Why, c.SQL, why)
				}
			})
		}
	}
}

func answer(t *testing.T, c *casefile.Case) *casefile.Answer {
	opt := planner.Options{System: c.Dialect}
	if c.Now != nil {
		opt.Now = *c.Now
	}
	if c.Objects != nil {
		opt.Store = store.NewKeys(slices.Clone(*c.Objects))
	}
	plans, diags := planner.NewSession(systems.All(), opt).Run(t.Context(), c.ID+".sql", c.SQL)
	a := &casefile.Answer{Planned: len(plans) > 0, Diagnostics: diags}
	if !a.Planned || diags.HasErrors() {
		return a
	}
	for _, s := range plans[len(plans)-1].Scans {
		n, _, err := s.Count(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		scan := casefile.Scan{Selected: n}
		if c.Expect.Count == nil && n.Cmp(big.NewInt(1_000_000)) < 0 {
			scan.Units = unitsOf(t, s)
		}
		a.Scans = append(a.Scans, scan)
	}
	return a
}

func unitsOf(t *testing.T, s *planner.Scan) []casefile.Unit {
	var out []casefile.Unit
	for u, err := range s.Units(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		unit := casefile.Unit{Path: string(u.AppendPath(nil)), Values: map[string]string{}}
		if names := s.Table.Layout.Names; names != nil {
			unit.Partition, unit.Bucket, _, _ = names(&u.Place)
		}
		for k, key := range s.Table.Layout.Values() {
			switch v, null, ok := u.Value(k); {
			case ok && null:
				unit.Values[key.Name] = "null"
			case ok:
				unit.Values[key.Name] = jsonValue(s.Table.Layout, key.Type, v)
			}
		}
		out = append(out, unit)
	}
	return out
}

func jsonValue(l *projection.Layout, t pruning.Type, v pruning.Value) string {
	write := t.Append
	if l.Text != nil {
		write = func(dst []byte, v pruning.Value) []byte { return l.Text(dst, t, v) }
	}
	text := string(write(nil, v))
	if t.Kind >= pruning.Int8 && t.Kind <= pruning.Float64 {
		return text
	}
	return strconv.Quote(text)
}
