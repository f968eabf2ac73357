package planner_test

import (
	"testing"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/doris"
)

// All cells together are looked at within the limit of checks, each less closely the more there are: wider, never wrong.
func TestCellsWithinLimit(t *testing.T) {
	const text = `CREATE TABLE t (a INT, b INT) PARTITION BY RANGE(a, b) (PARTITION p1 VALUES LESS THAN (100, 100), PARTITION p2 VALUES LESS THAN (200, 200))
		DISTRIBUTED BY HASH(a) BUCKETS 1;
		SELECT * FROM t WHERE a BETWEEN 10 AND 90 AND b BETWEEN 10 AND 1000 AND a + b > 150 AND a * b < 200`
	for checks, want := range map[int]int64{projection.DefaultLimits.Checks: 0, 64: 1} {
		s := planner.NewSession([]projection.System{doris.System{}}, planner.Options{System: "doris", Limits: projection.Limits{Checks: checks}})
		plans, diags := s.Run(t.Context(), "q", text)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		n, _, err := plans[0].Scans[0].Count(t.Context())
		if err != nil || n.Int64() != want {
			t.Errorf("with %d checks %v buckets are read, want %d; %v", checks, n, want, err)
		}
	}
}
