package planner_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/internal/casefile"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection/systems"
)

// remarked are the cases whose remarks say what belongs to be told, each with the codes of that. Everything else that is
// told of them is listed, too, so that nothing is told without being looked at here.
var remarked = map[string]struct{ due, besides string }{
	"ath-int-008":  {"lint.digits", ""},
	"ath-int-009":  {"lint.property lint.template", "lint.split"},
	"ath-int-012":  {"lint.value", ""},
	"ath-enum-003": {"lint.enum lint.value", ""},
	"ath-enum-007": {"lint.enum", "lint.factor"},
	"ath-date-004": {"lint.zone", ""},
	"ath-date-014": {"lint.drift", "lint.factor"},
	"ath-date-016": {"lint.value", "lint.step"},
	"ath-date-018": {"lint.step", "lint.factor"},
	"ath-date-062": {"lint.value", ""},
	"ath-date-066": {"lint.function", ""},
	"ath-inj-018":  {"lint.factor lint.end", ""},
	"ath-tpl-004":  {"lint.template", ""},
	"ath-cfg-012":  {"lint.split", "lint.factor"},
	"ath-prn-009":  {"lint.null", ""},
	"ath-prn-017":  {"lint.runtime", "lint.factor table.unknown"},
	"ath-prn-021":  {"lint.between", ""},
	"ath-prn-025":  {"lint.mixed", ""},
}

// TestRemarksOfCases: what a case's remark says is told, and nothing that isn't known.
func TestRemarksOfCases(t *testing.T) {
	seen := 0
	for _, name := range caseFiles {
		cases, err := casefile.ReadFile("../testdata/cases/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if !strings.Contains(c.Why, "Lint:") {
				continue
			}
			seen++
			want, known := remarked[c.ID]
			if !known {
				t.Errorf("%s isn't in the table: %s", c.ID, c.Why)
			}
			codes := slices.Concat(strings.Fields(want.due), strings.Fields(want.besides))
			slices.Sort(codes)
			if diff := cmp.Diff(codes, codesOf(t, &c)); diff != "" {
				t.Errorf("%s: %s\n%s", c.ID, c.Why, diff)
			}
		}
	}
	if seen != len(remarked) {
		t.Errorf("%d cases have remarks, and the table has %d", seen, len(remarked))
	}
}

// codesOf are the codes of what is told about a case, each once.
func codesOf(t *testing.T, c *casefile.Case) (codes []string) {
	opt := planner.Options{System: c.Dialect, Lint: true, Now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	if c.Now != nil {
		opt.Now = *c.Now
	}
	_, ds := planner.NewSession(systems.All(), opt).Run(t.Context(), c.ID+".sql", c.SQL)
	for _, d := range ds {
		if d.Severity == ast.Error {
			t.Errorf("%s: %v", c.ID, d)
		}
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}
