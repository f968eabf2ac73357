package athena_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/internal/casefile"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/athena"
)

// TestRobust plans statements with pieces cut out, doubled and moved: nothing may panic, and every finding has its place
// inside of the text.
func TestRobust(t *testing.T) {
	cases, err := casefile.ReadFile("../../testdata/cases/athena.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rounds := 20
	if os.Getenv("YQLPLAN_LONG") != "" {
		rounds = 2000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range cases {
		for range rounds {
			sql := mutated(r, c.SQL)
			plans, diags := planner.NewSession([]projection.System{athena.System{}}, planner.Options{System: "athena", Now: testEnv.Now}).Run(t.Context(), "q", sql)
			for _, d := range diags {
				if d.Pos.IsValid() && (d.Source == nil || d.End < d.Pos || int(d.End-d.Source.Base) > len(sql)) {
					t.Fatalf("%s\n%s at %d…%d of %d bytes", sql, d.Msg, d.Pos, d.End, len(sql))
				}
			}
			for _, p := range plans {
				for _, s := range p.Scans {
					if _, _, err := s.Count(t.Context()); err != nil {
						t.Fatalf("%s\n%v", sql, err)
					}
					n := 0
					for _, err := range s.Units(t.Context()) {
						if n++; err != nil || n > 5 {
							break
						}
					}
				}
			}
		}
	}
}

// TestLarge: large declarations take time and memory in proportion to their size.
func TestLarge(t *testing.T) {
	const n = 20_000
	repeat := func(s string) string { return strings.Repeat(s, n) }
	number := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	table := func(properties string) string {
		return "CREATE EXTERNAL TABLE t (v string) PARTITIONED BY (a string) LOCATION 's3://b/t' TBLPROPERTIES ('projection.enabled'='true', 'projection.a.type'='enum'" + properties + "); SELECT * FROM t"
	}
	for name, sql := range map[string]string{
		"columns":    "CREATE EXTERNAL TABLE t (v string" + number(", c%d int") + ") PARTITIONED BY (a string" + number(", p%d int") + ") LOCATION 's3://b/t'; SELECT * FROM t",
		"same":       "CREATE EXTERNAL TABLE t (v string" + repeat(", c int") + ") PARTITIONED BY (a string" + repeat(", p int") + ") LOCATION 's3://b/t'; SELECT * FROM t",
		"properties": table(", 'projection.a.values'='x'" + number(", 'projection.b%d.type'='x'")),
		"values":     table(", 'projection.a.values'='x" + number(",y%d") + "'"),
		"template":   table(", 'projection.a.values'='x', 'storage.location.template'='s3://b/${a}" + repeat("${x}") + "'"),
		"again":      table(", 'projection.a.values'='x', 'storage.location.template'='s3://b/" + repeat("${a}") + "'"),
		"one alter":  "CREATE EXTERNAL TABLE t (v string) PARTITIONED BY (a int) LOCATION 's3://b/t'; ALTER TABLE t ADD" + number(" PARTITION (a = %d)") + "; SELECT * FROM t",
		"alters":     "CREATE EXTERNAL TABLE t (v string) PARTITIONED BY (a int) LOCATION 's3://b/t'; " + number("ALTER TABLE t ADD PARTITION (a = %d);") + "SELECT * FROM t",
		"in":         table(", 'projection.a.values'='x'") + " WHERE a IN ('x'" + number(", 'y%d'") + ")",
		"or":         table(", 'projection.a.values'='x'") + " WHERE a = 'x'" + number(" OR substr(a, 1, 3) = 'y%d'"),
	} {
		t.Run(name, func(t *testing.T) {
			plans, diags := planner.NewSession([]projection.System{athena.System{}}, planner.Options{System: "athena", Now: testEnv.Now}).Run(t.Context(), "q", sql)
			if len(diags) > 300 || len(plans) == 0 && !diags.HasErrors() {
				t.Errorf("%d plans, %d findings", len(plans), len(diags))
			}
		})
	}
}

// mutated cuts out, doubles or moves a piece of a text, or changes a byte.
func mutated(r *rand.Rand, s string) string {
	i := r.IntN(len(s))
	j := min(len(s), i+1+r.IntN(12))
	switch k := r.IntN(len(s)); r.IntN(5) {
	case 0:
		return s[:i] + s[j:]
	case 1:
		return s[:j] + s[i:]
	case 2:
		return s[:k] + s[i:j] + s[k:]
	case 3:
		return s[:i] + string("0,'\"-${}NOW()"[r.IntN(12)]) + s[j:]
	}
	return s[:i] + string(rune(r.IntN(300))) + s[i+1:]
}
