package planner_test

import (
	"testing"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// A condition that is evaluated branch by branch is no filter any more when it was seen to be TRUE for every unit, and
// only then: where there are too many units to look at each, it remains.
func TestCertain(t *testing.T) {
	for _, test := range []struct {
		max      string
		residual bool
	}{{"700", false}, {"7000000", true}} {
		s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{})
		st := parsed(t, wide(test.max, "id % 7 = month % 3"))
		plan, err := s.Exec(t.Context(), st)
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Scans[0].Residual != nil; got != test.residual {
			t.Errorf("ids up to %s: a residual: %t, want %t", test.max, got, test.residual)
		}
	}
}
