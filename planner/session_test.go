package planner_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// A finished plan may be walked by several goroutines, each with its own results.
func TestPlansAreShared(t *testing.T) {
	plan := planOf(t, newSession(t), "SELECT * FROM t JOIN u ON t.y = u.y WHERE (t.y + t.z = 5 OR t.v = 1 AND t.y = 2) AND u.z + u.y > 4")
	var want []map[string]bool
	for _, s := range plan.Scans {
		want = append(want, units(t, s, "alone"))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, s := range plan.Scans {
				for u, err := range s.Units(t.Context()) {
					if err != nil || !want[i][key(string(u.AppendPath(nil)))] {
						t.Errorf("%s: %v", u.AppendPath(nil), err)
					}
					s.UnitResidual(u)
				}
				s.Regions(100)
				if n, _, err := s.Count(t.Context()); err != nil || n.Int64() != int64(len(want[i])) {
					t.Errorf("count %v, %v", n, err)
				}
			}
		})
	}
	all.Wait()
}

func TestUnknownSystem(t *testing.T) {
	s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{System: "nosuch"})
	if _, diags := s.Run(t.Context(), "q", "SELECT 1"); !diags.HasErrors() || !strings.Contains(diags.Error(), `"nosuch"`) {
		t.Errorf("got %v", diags)
	}
}

// Statements of any size end with a plan or a diagnostic, well before the time that tests have.
func TestLargeStatements(t *testing.T) {
	repeat := func(n int, sep, format string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return strings.Join(list, sep)
	}
	for _, test := range []struct{ name, text, code string }{
		{"names that double", "$x0 = SELECT * FROM t;" + repeat(40, "", "$y# = SELECT 1;") + doubled(40) + "SELECT * FROM $x40", "plan.limit"},
		{"WITH that doubles", "WITH x0 AS (SELECT * FROM t)" + doubledCTE(40) + " SELECT * FROM x40", "plan.limit"},
		{"names in names", "$x0 = SELECT * FROM t;" + chained(2000) + "SELECT * FROM $x2000", "plan.limit"},
		{"queries that double a column", "$x0 = SELECT y FROM t;" + doubledColumn(60) + "SELECT * FROM $x60 WHERE y = 1", ""},
		{"values in values", "$x = 1;" + strings.Repeat("$x = $x + 1;", 5000) + "SELECT * FROM t WHERE y = $x", ""},
		{"texts that double", "$x = 'ab';" + strings.Repeat("$x = $x || $x;", 60) + "SELECT * FROM t WHERE $x = 'a'", ""},
		{"texts that grow", "$x = 'aa';" + strings.Repeat("$x = String::ReplaceAll($x, 'a', 'aa');", 60) + "SELECT * FROM t WHERE $x = 'a'", ""},
		{"lists that double", "$x = AsList(1, 2);" + strings.Repeat("$x = AsList($x, $x);", 60) + "SELECT * FROM t WHERE ListHas($x, y)", ""},
		{"tuples that double", "$x = AsTuple(1, 2);" + strings.Repeat("$x = AsTuple($x, $x);", 60) + "SELECT * FROM t WHERE y IN $x", "bind.compare"},
		{"lambdas that double", "$f = ($x) -> { RETURN $x + 1; };" + strings.Repeat("$f = ($x) -> { RETURN $f($x) + $f($x); };", 60) +
			"SELECT * FROM t WHERE $f(y) = 1", ""},
		{"LIKE that starts over", "SELECT * FROM t WHERE '" + strings.Repeat("a", 2_000_000) + "' LIKE '%" + strings.Repeat("a", 1_000_000) + "b%'", ""},
		{"LIKE of any characters", "SELECT * FROM t WHERE '" + strings.Repeat("a", 2_000_000) + "' LIKE '%" + strings.Repeat("_", 1_000_000) + "b%'", ""},
		{"a long pattern", "SELECT * FROM t WHERE '" + strings.Repeat("a", 1_000_000) + "' REGEXP '(" + strings.Repeat("a|", 1_000_000) + ")+b'", ""},
		{"a long text", "SELECT * FROM t WHERE '" + strings.Repeat("a", 5_000_000) + "' REGEXP '(" + strings.Repeat("a?", 10_000) + ")b'", ""},
		{"many remainders", "SELECT * FROM s3.`/` WITH (SCHEMA = (v String, a Int64 NOT NULL), PARTITIONED_BY = (a), `projection.enabled` = 'true', " +
			"`projection.a.type` = 'integer', `projection.a.min` = '-9223372036854775808', `projection.a.max` = '9223372036854775807', " +
			"`storage.location.template` = '${a}') WHERE " + repeat(3000, " OR ", "a % # = 3"), "plan.limit"},
		{"many joins", "SELECT 1 FROM t AS a0" + repeat(1000, "", " JOIN t AS b# ON a0.y = b#.y") + " WHERE a0.y = 1", ""},
		{"many conditions", "SELECT * FROM t WHERE " + repeat(20_000, " OR ", "y = # AND z = #"), ""},
		{"a long list", "SELECT * FROM t WHERE y IN (" + repeat(100_000, ", ", "#") + ")", ""},
		{"a long UNION", repeat(2000, " UNION ALL ", "SELECT y FROM t WHERE z = #"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, diags := newSession(t).Run(t.Context(), "q", test.text)
			found := ""
			for _, d := range diags {
				if d.Code == "plan.limit" || d.Severity == 0 {
					found = d.Code
				}
			}
			if found != test.code {
				t.Errorf("found %q, want %q: %.300v", found, test.code, diags)
			}
		})
	}
}

// Views that are too deep are told of where the bound is crossed and where one is read, not for each view behind it.
func TestDeepViews(t *testing.T) {
	text := "CREATE VIEW v0 WITH (security_invoker = TRUE) AS SELECT 1 AS y;"
	for i := range 1000 {
		text += fmt.Sprintf("CREATE VIEW v%d WITH (security_invoker = TRUE) AS SELECT * FROM v%d;", i+1, i)
	}
	plans, diags := newSession(t).Run(t.Context(), "q", text+"SELECT * FROM v1000;")
	if len(plans) > 0 || len(diags) != 2 || diags[0].Code != "plan.limit" || diags[1].Code != "plan.limit" {
		t.Errorf("%d plans, %d findings: %.600v", len(plans), len(diags), diags)
	}
}

// Conditions on levels beyond the 64th can't be evaluated on the way down: they remain as a filter.
func TestDeepLayout(t *testing.T) {
	var columns, settings, path []string
	for i := range 80 {
		name := fmt.Sprintf("p%d", i)
		most := "1"
		if i == 3 || i == 79 {
			most = "100000"
		}
		columns = append(columns, name)
		path = append(path, "${"+name+"}")
		settings = append(settings, fmt.Sprintf("`projection.%s.type` = 'integer', `projection.%s.min` = '1', `projection.%s.max` = '%s'", name, name, name, most))
	}
	text := "SELECT * FROM s3.`/` WITH (SCHEMA = (v String, " + strings.Join(columns, " Int64 NOT NULL, ") + " Int64 NOT NULL), PARTITIONED_BY = (" +
		strings.Join(columns, ", ") + "), `projection.enabled` = 'true', " + strings.Join(settings, ", ") +
		", `storage.location.template` = '" + strings.Join(path, "/") + "') WHERE p3 < 3 AND p79 < 3 AND p3 * p79 = 2"
	scan := planOf(t, newSession(t), text).Scans[0]
	n, _, err := scan.Count(t.Context())
	if err != nil || scan.Exact() && n.Int64() != 2 || n.Int64() < 2 {
		t.Errorf("%v units, %v, exact %v", n, err, scan.Exact())
	}
	for u, err := range scan.Units(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := u.Value(3)
		last, _, _ := u.Value(79)
		if filtered := scan.UnitResidual(u) != nil; filtered != (first.Int()*last.Int() != 2) {
			t.Errorf("p3 = %v, p79 = %v: filtered %v", first.Int(), last.Int(), filtered)
		}
	}
}

func doubledColumn(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "$x%d = SELECT y + y AS y FROM $x%d;", i+1, i)
	}
	return b.String()
}

func doubled(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "$x%d = SELECT a.y AS y FROM $x%d AS a JOIN $x%d AS b ON a.y = b.y;", i+1, i, i)
	}
	return b.String()
}

func doubledCTE(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ", x%d AS (SELECT a.y AS y FROM x%d AS a JOIN x%d AS b ON a.y = b.y)", i+1, i, i)
	}
	return b.String()
}

func chained(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "$x%d = SELECT y FROM $x%d;", i+1, i)
	}
	return b.String()
}
