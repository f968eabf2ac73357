package doris_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/doris"
)

// FuzzStatements: whatever parses is followed without a panic, and what is found has a place in the text, a code and a
// message.
func FuzzStatements(f *testing.F) {
	f.Add("CREATE TABLE t (d DATE, i INT NOT NULL, v INT) PARTITION BY RANGE(d, i) (PARTITION p VALUES LESS THAN ('2017-01-01', -5), PARTITION q VALUES [('2018-01-01'), (MAXVALUE))) " +
		"DISTRIBUTED BY HASH(i) BUCKETS 3; ALTER TABLE t DROP PARTITION p, ADD TEMPORARY PARTITION r VALUES LESS THAN MAXVALUE; INSERT INTO t VALUES ('2019-01-01', 1, 2); " +
		"SELECT * FROM t PARTITION (q) WHERE month(d) = 3 OR i <=> NULL XOR d > '2020-1-1 10:00'")
	f.Add("CREATE TABLE t (c VARCHAR(9), b BOOLEAN) PARTITION BY LIST(c, b) (PARTITION p VALUES IN (('a', true), (NULL, 0)), PARTITION q) DISTRIBUTED BY RANDOM BUCKETS AUTO PROPERTIES ('estimate_partition_size' = '10G'); " +
		"ALTER TABLE t ADD TEMPORARY PARTITION r VALUES IN (('a', 1)), REPLACE PARTITION (p) WITH TEMPORARY PARTITION (r); SELECT * FROM t WHERE c LIKE 'a%' AND NOT b")
	f.Add("CREATE TABLE t (d DATETIME(3) NOT NULL, i LARGEINT) AUTO PARTITION BY RANGE(date_trunc(d, 'week')) () DISTRIBUTED BY HASH(i, d) BUCKETS 7; INSERT INTO t VALUES (now(), 1); SELECT * FROM t WHERE i IN (1, 2.5, '3')")
	f.Add("CREATE TABLE t (d DATE) PARTITION BY RANGE(d) (FROM ('2020') TO ('2024') INTERVAL 1 YEAR, FROM ('2024-01-01') TO ('2024-02-01') INTERVAL 3 DAY); CREATE TABLE u LIKE t; SELECT * FROM u WHERE date_format(d, '%Y') = '2021'")
	f.Fuzz(func(t *testing.T, sql string) {
		if len(sql) > 1<<12 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		s := planner.NewSession([]projection.System{doris.System{}}, planner.Options{System: "doris", Now: time.Unix(1.7e9, 0)})
		plans, found := s.Run(ctx, "fuzz", sql)
		for _, d := range found {
			if d.Pos.IsValid() && (d.End < d.Pos || int(d.End) > len(sql)) || d.Code == "" || d.Msg == "" {
				t.Fatalf("%q: %+v", sql, d)
			}
		}
		for _, p := range plans {
			for _, scan := range p.Scans {
				n, total, err := scan.Count(ctx)
				if err == nil && total != nil && n.Cmp(total) > 0 {
					t.Fatalf("%q: %v of %v", sql, n, total)
				}
			}
		}
	})
}

// TestLargeDefinitions: twice the definitions take about twice the memory.
func TestLargeDefinitions(t *testing.T) {
	const n = 5_000
	small, large := definitions(n), definitions(2*n)
	for name := range small {
		t.Run(name, func(t *testing.T) {
			allocated := func(sql string) float64 {
				return testing.AllocsPerRun(1, func() {
					s := planner.NewSession([]projection.System{doris.System{}}, planner.Options{System: "doris"})
					s.Run(t.Context(), "q", sql+"; SELECT * FROM t WHERE 1 = 1")
				})
			}
			if once, twice := allocated(small[name]), allocated(large[name]); twice > 2.5*once {
				t.Errorf("%.0f allocations for %d, %.0f for %d", once, n, twice, 2*n)
			}
		})
	}
}

// definitions are statements of n parts.
func definitions(n int) map[string]string {
	list := func(format, sep string) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf(strings.ReplaceAll(format, "#", "%[1]d"), i)
		}
		return strings.Join(out, sep)
	}
	return map[string]string{
		"columns":    "CREATE TABLE t (" + list("c# INT", ", ") + ") DISTRIBUTED BY HASH(" + list("c#", ", ") + ") BUCKETS 3;",
		"ranges":     "CREATE TABLE t (k INT) PARTITION BY RANGE(k) (" + list("PARTITION p# VALUES LESS THAN (#)", ", ") + ") DISTRIBUTED BY HASH(k) BUCKETS 3;",
		"descending": "CREATE TABLE t (k INT) PARTITION BY RANGE(k) (" + list("PARTITION p# VALUES [(-#), (1))", ", ") + ") DISTRIBUTED BY HASH(k) BUCKETS 3;",
		"lists":      "CREATE TABLE t (k INT) PARTITION BY LIST(k) (PARTITION p VALUES IN (" + list("#", ", ") + "), PARTITION q) DISTRIBUTED BY HASH(k) BUCKETS 3;",
		"twice":      "CREATE TABLE t (k INT) PARTITION BY LIST(k) (PARTITION p VALUES IN (" + strings.Repeat("1, ", n) + "1)) DISTRIBUTED BY HASH(k) BUCKETS 3;",
		"changes": "CREATE TABLE t (k INT) PARTITION BY RANGE(k) () DISTRIBUTED BY HASH(k) BUCKETS 3;" +
			list("ALTER TABLE t ADD PARTITION p# VALUES LESS THAN (#);", "") + list("ALTER TABLE t ADD PARTITION p# VALUES [(-#), (0));", ""),
		"replaced": "CREATE TABLE t (k INT) PARTITION BY RANGE(k) (FROM (0) TO (" + fmt.Sprint(n) + ") INTERVAL 1) DISTRIBUTED BY HASH(k) BUCKETS 3; ALTER TABLE t " +
			list("ADD TEMPORARY PARTITION p# VALUES [(#), (2000000))", ", ") + ", REPLACE PARTITION (p_5_6) WITH TEMPORARY PARTITION (p0) PROPERTIES ('strict_range' = 'false')",
	}
}

// read parses statements.
func read(t testing.TB, sql string) []ast.Stmt {
	t.Helper()
	dialect, _ := parser.DialectByName("doris")
	stmts, err := parser.Parse(ast.NewSource("q", sql), dialect)
	if err != nil {
		t.Fatal(err)
	}
	return stmts
}

// TestMemo: what a session keeps of a table is what reading all declarations anew would give, whatever becomes of them.
func TestMemo(t *testing.T) {
	decls := read(t, `CREATE TABLE t (k INT) PARTITION BY RANGE(k) (PARTITION a VALUES LESS THAN (1)) DISTRIBUTED BY HASH(k) BUCKETS 3;
		ALTER TABLE t ADD PARTITION b VALUES LESS THAN (2);
		CREATE TABLE u LIKE t;
		ALTER TABLE t DROP PARTITION a;
		ALTER TABLE t DROP PARTITION a;
		ALTER TABLE u ADD PARTITION c VALUES LESS THAN (9);
		CREATE TABLE t (k INT) PARTITION BY RANGE(k) (PARTITION z VALUES LESS THAN (1)) DISTRIBUTED BY HASH(k) BUCKETS 3;
		ALTER TABLE t ADD PARTITION y VALUES LESS THAN (7);`)
	env := &projection.Env{Limits: projection.DefaultLimits, Memo: &projection.Memo{}}
	fresh := &projection.Env{Limits: projection.DefaultLimits}
	for _, order := range [][]int{{1}, {2}, {5}, {3}, {8}, {6}, {7}, {8}, {2}} {
		for _, name := range []string{"t", "u"} {
			ref := &ast.TableRef{Name: []ast.Name{{Text: name}}}
			got, want := (doris.System{}).Describe(env, ref, decls[:order[0]]), (doris.System{}).Describe(fresh, ref, decls[:order[0]])
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s after %d statements: %q, want %q", name, order[0], got, want)
			}
		}
	}
	_, err := (doris.System{}).Table(t.Context(), env, &ast.TableRef{Name: []ast.Name{{Text: "v"}}}, decls)
	var found ast.Diagnostics
	if !errors.As(err, &found) || found[0].Code != "table.unknown" {
		t.Error("an unknown table:", err)
	}
}

// TestEarlierPlans: what a plan tells is of the table as it was, whatever later statements do.
func TestEarlierPlans(t *testing.T) {
	s := planner.NewSession([]projection.System{doris.System{}}, planner.Options{System: "doris"})
	plans, diags := s.Run(t.Context(), "q", `
		CREATE TABLE l (k INT) PARTITION BY LIST(k) (PARTITION a VALUES IN (5), PARTITION b VALUES IN (7), PARTITION c VALUES IN (8)) DISTRIBUTED BY RANDOM BUCKETS 1;
		CREATE TABLE r (k INT) PARTITION BY RANGE(k) (PARTITION a VALUES LESS THAN (5), PARTITION b VALUES [(7), (9))) DISTRIBUTED BY RANDOM BUCKETS 1;
		SELECT * FROM l WHERE k > 5;
		SELECT * FROM r WHERE k BETWEEN 4 AND 7;
		SELECT * FROM r PARTITION (a);
		ALTER TABLE l DROP PARTITION b, RENAME PARTITION c d;
		ALTER TABLE r DROP PARTITION b, RENAME PARTITION a d;`)
	if diags.HasErrors() || len(plans) != 3 {
		t.Fatal(diags)
	}
	for i, want := range []string{
		`lists: 2 of 3 partitions, b: ("7"), c: ("8")`,
		"ranges: 2 of 2 partitions, a: [MIN_VALUE, 5), b: [7, 9); holes: [5, 7): no row can be there",
		"ranges: 1 of 2 partitions, a: [MIN_VALUE, 5)",
	} {
		scan := plans[i].Scans[0]
		facts, err := scan.Table.Layout.Facts(t.Context(), scan.Diagram, scan.Check)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range facts {
			if f.Label != "buckets" {
				got = append(got, f.Label+": "+strings.Join(f.Lines, ", "))
			}
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%d: %s, want %s", i, text, want)
		}
	}
}
