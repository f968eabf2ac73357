package planner_test

import (
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/athena"
)

// sixtyYears is a text column over every day of sixty years.
const sixtyYears = `CREATE EXTERNAL TABLE t (v string) PARTITIONED BY (dt string) LOCATION 's3://b/t/'
TBLPROPERTIES ('projection.enabled'='true', 'projection.dt.type'='date', 'projection.dt.format'='yyyy-MM-dd', 'projection.dt.range'='1970-01-01,2029-12-31');`

// BenchmarkAthenaText plans a range of a text column over a long axis of dates, and finds the first prefix.
func BenchmarkAthenaText(b *testing.B) {
	for name, where := range map[string]string{
		"between": "dt BETWEEN '2024-02-01' AND '2024-02-29'",
		"like":    "dt LIKE '2024-02-%'",
		"in":      "dt IN ('2024-02-01', '2023-02-01', '1999-12-31')",
		"parsed":  "date_parse(dt, '%Y-%m-%d') >= TIMESTAMP '2029-12-01 00:00:00'",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s := planner.NewSession([]projection.System{athena.System{}}, planner.Options{System: "athena", Now: time.Unix(0, 0)})
			d, _ := parser.DialectByName("athena")
			stmts, err := parser.Parse(ast.NewSource("q", sixtyYears+"SELECT * FROM t WHERE "+where), d)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Exec(b.Context(), stmts[0]); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				plan, err := s.Exec(b.Context(), stmts[1])
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range plan.Scans[0].Units(b.Context()) {
					if err != nil {
						b.Fatal(err)
					}
					break
				}
			}
		})
	}
}

// TestAthenaTextAllocations holds planning over a declared table to what the query itself needs.
func TestAthenaTextAllocations(t *testing.T) {
	s := planner.NewSession([]projection.System{athena.System{}}, planner.Options{System: "athena", Now: time.Unix(0, 0)})
	d, _ := parser.DialectByName("athena")
	stmts, err := parser.Parse(ast.NewSource("q", sixtyYears+"SELECT * FROM t WHERE dt BETWEEN '2024-02-01' AND '2024-02-29'"), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range stmts {
		if _, err := s.Exec(t.Context(), st); err != nil {
			t.Fatal(err)
		}
	}
	const most = 100
	if n := testing.AllocsPerRun(100, func() { _, err = s.Exec(t.Context(), stmts[1]) }); err != nil || n > most {
		t.Errorf("a plan takes %v allocations, want at most %d (%v)", n, most, err)
	}
}
