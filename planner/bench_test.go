package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// parsed is the only statement of a text.
func parsed(tb testing.TB, text string) ast.Stmt {
	tb.Helper()
	d, _ := parser.DialectByName("yql")
	stmts, err := parser.Parse(ast.NewSource("q", text), d)
	if err != nil || len(stmts) != 1 {
		tb.Fatal(err)
	}
	return stmts[0]
}

// wide is a table with as many prefixes as its keys have values: 12 months of years from 1 through max.
func wide(max string, where string) string {
	return `SELECT * FROM s3.` + "`/`" + ` WITH (SCHEMA = (data String, id Int64, month Int32), PARTITIONED_BY = (id, month),
		PROJECTION = @@{"projection.enabled": "true", "projection.id.type": "integer", "projection.id.min": "1",
		"projection.id.max": "` + max + `", "projection.month.type": "integer", "projection.month.min": "1",
		"projection.month.max": "12", "storage.location.template": "${id}/${month}"}@@) WHERE ` + where
}

// firstUnit is what a caller does to know where to begin reading: from the tree to the plan and its first unit.
func firstUnit(tb testing.TB, s *planner.Session, st ast.Stmt) {
	plan, err := s.Exec(tb.Context(), st)
	if err != nil {
		tb.Fatal(err)
	}
	for u, err := range plan.Scans[0].Units(tb.Context()) {
		if err != nil || len(u.Index) != 2 {
			tb.Fatal(err)
		}
		return
	}
	tb.Fatal("no unit")
}

func BenchmarkPlan(b *testing.B) {
	for _, max := range []string{"10000000", "1000000000000000000"} {
		b.Run(max, func(b *testing.B) {
			b.ReportAllocs()
			systems := []projection.System{yql.System{}}
			st := parsed(b, wide(max, "id = 77777 AND month BETWEEN 3 AND 5 AND data = 'x'"))
			for b.Loop() {
				firstUnit(b, planner.NewSession(systems, planner.Options{}), st)
			}
		})
	}
}

// TestPlanAllocations: so many is a plan allowed to take, its table read from the WITH, and no more for a larger domain.
func TestPlanAllocations(t *testing.T) {
	systems := []projection.System{yql.System{}}
	for _, max := range []string{"10000000", "1000000000000000000"} {
		st := parsed(t, wide(max, "id = 77777 AND month BETWEEN 3 AND 5 AND data = 'x'"))
		n := testing.AllocsPerRun(20, func() { firstUnit(t, planner.NewSession(systems, planner.Options{}), st) })
		if n > 150 { // 120, and some of the race detector
			t.Errorf("a plan over 12 * %s prefixes takes %v allocations", max, n)
		}
	}
}

func BenchmarkPlanIn(b *testing.B) {
	list := make([]string, 10_000)
	for i := range list {
		list[i] = fmt.Sprint(i * 37)
	}
	b.ReportAllocs()
	s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{})
	st := parsed(b, wide("1000000", "id IN ("+strings.Join(list, ", ")+") AND month > 3 AND data = 'x'"))
	for b.Loop() {
		firstUnit(b, s, st)
	}
}

func BenchmarkPlanJoin(b *testing.B) {
	b.ReportAllocs()
	s := newSession(b)
	st := parsed(b, "SELECT * FROM t JOIN u ON t.y = u.y AND t.z = u.z WHERE u.y = 3 AND t.v > 0")
	for b.Loop() {
		firstUnit(b, s, st)
	}
}
