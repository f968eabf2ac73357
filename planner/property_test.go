package planner_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// world declares two tables with the keys y and z and the data column v.
const world = `
CREATE EXTERNAL DATA SOURCE src WITH (SOURCE_TYPE = "ObjectStorage", LOCATION = "https://storage/b/", AUTH_METHOD = "NONE");
CREATE EXTERNAL TABLE t (v Int32, y Int32 NOT NULL, z Int32 NOT NULL) WITH (
	DATA_SOURCE = "src", LOCATION = "/t/", FORMAT = "parquet", PARTITIONED_BY = "[y, z]", ` + "`projection.enabled`" + ` = "true",
	` + "`projection.y.type`" + ` = "integer", ` + "`projection.y.min`" + ` = "1", ` + "`projection.y.max`" + ` = "4",
	` + "`projection.z.type`" + ` = "integer", ` + "`projection.z.min`" + ` = "1", ` + "`projection.z.max`" + ` = "3",
	` + "`storage.location.template`" + ` = "${y}/${z}");
CREATE EXTERNAL TABLE u (v Int64, y Int64 NOT NULL, z Int32 NOT NULL) WITH (
	DATA_SOURCE = "src", LOCATION = "/u/", FORMAT = "parquet", PARTITIONED_BY = "[y, z]", ` + "`projection.enabled`" + ` = "true",
	` + "`projection.y.type`" + ` = "integer", ` + "`projection.y.min`" + ` = "2", ` + "`projection.y.max`" + ` = "5",
	` + "`projection.z.type`" + ` = "integer", ` + "`projection.z.min`" + ` = "2", ` + "`projection.z.max`" + ` = "3",
	` + "`storage.location.template`" + ` = "${y}/${z}");
`

// tables are all rows of the world: every key with every value of v.
func tables() map[string][]row {
	out := map[string][]row{}
	fill := func(name string, y0, y1, z0, z1 int) {
		for y := y0; y <= y1; y++ {
			for z := z0; z <= z1; z++ {
				for _, v := range []cell{{null: true}, {n: 1}, {n: 3}} {
					out[name] = append(out[name], row{{n: y}, {n: z}, v})
				}
			}
		}
	}
	fill("t", 1, 4, 1, 3)
	fill("u", 2, 5, 2, 3)
	return out
}

var rowColumns = []string{"y", "z", "v"}

// rounds is how many random inputs a test tries: some in a normal run, many with YQLPLAN_LONG.
func rounds(few int) int {
	if os.Getenv("YQLPLAN_LONG") != "" {
		return 100_000
	}
	return few
}

// firstSeed is the flag -seed of the tests inside of the package.
func firstSeed() uint64 { return flag.Lookup("seed").Value.(flag.Getter).Get().(uint64) }

func newSession(t testing.TB) *planner.Session {
	t.Helper()
	s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{})
	if _, diags := s.Run(t.Context(), "world", world); diags.HasErrors() {
		t.Fatal(diags)
	}
	return s
}

func planOf(t testing.TB, s *planner.Session, text string) *planner.Plan {
	t.Helper()
	plans, diags := s.Run(t.Context(), "q", text)
	if diags.HasErrors() || len(plans) != 1 {
		t.Fatalf("%s\n%d plans, %v", text, len(plans), diags)
	}
	return plans[0]
}

// key is the values of a unit: "3/1".
func key(path string) string {
	_, k, _ := strings.Cut(strings.TrimSuffix(path, "/"), "/")
	return k
}

func keyOf(r row) string { return r[0].String() + "/" + r[1].String() }

// units are the keys of what a scan reads. Counting, seeking and writing must agree with it.
func units(t testing.TB, s *planner.Scan, text string) map[string]bool {
	t.Helper()
	var paths []string
	for u, err := range s.Units(t.Context()) {
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		paths = append(paths, string(u.AppendPath(nil)))
	}
	n, _, err := s.Count(t.Context())
	if err != nil || n.Cmp(big.NewInt(int64(len(paths)))) != 0 {
		t.Fatalf("%s: count %v, %v, but %d units", text, n, err, len(paths))
	}
	from := len(paths) / 2
	var rest []string
	for u, err := range s.Seek(t.Context(), big.NewInt(int64(from))) {
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		rest = append(rest, string(u.AppendPath(nil)))
	}
	if !slices.Equal(rest, paths[from:]) {
		t.Fatalf("%s: from unit %d on: %q, want %q", text, from, rest, paths[from:])
	}
	var b bytes.Buffer
	if err := s.WritePaths(t.Context(), &b, nil, nil, '\n'); err != nil || b.String() != lines(paths) {
		t.Fatalf("%s: %v, wrote %q, want %q", text, err, b.String(), lines(paths))
	}
	out := map[string]bool{}
	for _, p := range paths {
		out[key(p)] = true
	}
	return out
}

func lines(list []string) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(s)
		b.WriteByte('\n')
	}
	return b.String()
}

// TestRandomWhere checks the plan of one table's random WHERE row by row.
func TestRandomWhere(t *testing.T) {
	all := tables()["t"]
	s := newSession(t)
	for seed := range rounds(400) {
		if seed%2000 == 1999 {
			s = newSession(t)
		}
		g := &generator{Rand: rand.New(rand.NewPCG(1, firstSeed()+uint64(seed))), lo: 1, hi: 4}
		var parts []condition
		text := "SELECT * FROM t WHERE "
		for i := range 1 + g.IntN(3) {
			c := g.condition(rowColumns, 2)
			if i > 0 {
				text += " AND "
			}
			parts, text = append(parts, c), text+c.text
		}
		checkWhere(t, planOf(t, s, text).Scans[0], text, all, parts)
	}
}

func checkWhere(t *testing.T, scan *planner.Scan, text string, all []row, parts []condition) {
	t.Helper()
	where := condition{eval: func(r row) truth {
		out := yes
		for _, p := range parts {
			out = and(out, p.eval(r))
		}
		return out
	}}
	read := units(t, scan, text)
	for _, r := range all {
		if where.eval(r) == yes && !read[keyOf(r)] {
			t.Fatalf("%s: %v is TRUE, but its unit isn't read", text, r)
		}
	}
	if scan.Exact() {
		for _, r := range all {
			if read[keyOf(r)] && where.eval(r) != yes {
				t.Fatalf("%s: told to be exact, but %v isn't TRUE", text, r)
			}
		}
	}
}

// TestRandomKeys checks that conditions on keys alone are exact, and that p, NOT p and p IS NULL cover everything.
func TestRandomKeys(t *testing.T) {
	all := tables()["t"]
	s := newSession(t)
	for seed := range rounds(300) {
		if seed%2000 == 1999 {
			s = newSession(t)
		}
		g := &generator{Rand: rand.New(rand.NewPCG(2, firstSeed()+uint64(seed))), lo: 1, hi: 4}
		c := g.condition(rowColumns[:2], 3)
		scan := planOf(t, s, "SELECT * FROM t WHERE "+c.text).Scans[0]
		read := units(t, scan, c.text)
		if !scan.Exact() {
			t.Fatalf("%s: a condition on keys alone leaves a filter: %v", c.text, scan.Conjuncts)
		}
		for _, r := range all {
			if read[keyOf(r)] != (c.eval(r) == yes) {
				t.Fatalf("%s: %v is %v, read %v", c.text, r, c.eval(r), read[keyOf(r)])
			}
		}
		d := g.condition(rowColumns, 2)
		covered := map[string]bool{}
		for _, form := range []string{"%s", "NOT (%s)", "(%s) IS NULL"} {
			for k := range units(t, planOf(t, s, "SELECT * FROM t WHERE "+fmt.Sprintf(form, d.text)).Scans[0], d.text) {
				covered[k] = true
			}
		}
		if len(covered) != 12 {
			t.Fatalf("%s: it, its negation and IS NULL read %d of 12 units", d.text, len(covered))
		}
	}
}

// TestRandomResidual checks that what is read and passes the residual is what the WHERE wants, for the whole scan and
// for each unit.
func TestRandomResidual(t *testing.T) {
	all := tables()["t"]
	s := newSession(t)
	for seed := range rounds(400) {
		if seed%2000 == 1999 {
			s = newSession(t)
		}
		g := &generator{Rand: rand.New(rand.NewPCG(3, firstSeed()+uint64(seed))), lo: 1, hi: 4}
		var parts []condition
		for range 1 + g.IntN(3) {
			c := g.condition(rowColumns, 2)
			for c.and {
				c = g.condition(rowColumns, 2)
			}
			parts = append(parts, c)
		}
		text := "SELECT * FROM t WHERE "
		ends := []int{}
		for i, p := range parts {
			if i > 0 {
				text += " AND "
			}
			text += p.text
			ends = append(ends, len(text))
		}
		checkResidual(t, s, text, all, parts, ends)
	}
}

func checkResidual(t *testing.T, s *planner.Session, text string, all []row, parts []condition, ends []int) {
	t.Helper()
	plan := planOf(t, s, text)
	scan, base := plan.Scans[0], plan.Stmt.Pos()
	open := func(e ast.Expr) func(row) bool {
		if e == nil {
			return func(row) bool { return true }
		}
		list := []ast.Expr{e}
		if l, ok := e.(*ast.Logic); ok && l.Op == ast.OpAnd {
			list = l.Args
		}
		return func(r row) bool {
			return !slices.ContainsFunc(list, func(x ast.Expr) bool {
				i, _ := slices.BinarySearch(ends, int(x.Pos()-base)+1)
				return parts[i].eval(r) != yes
			})
		}
	}
	wanted := func(r row) bool {
		return !slices.ContainsFunc(parts, func(p condition) bool { return p.eval(r) != yes })
	}
	whole := open(scan.Residual)
	for u, err := range scan.Units(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		k, here := key(string(u.AppendPath(nil))), open(scan.UnitResidual(u))
		for _, r := range all {
			if keyOf(r) == k && (whole(r) != wanted(r) || here(r) != wanted(r)) {
				t.Fatalf("%s: %v: wanted %v, passes the residual %v, that of its unit %v", text, r, wanted(r), whole(r), here(r))
			}
		}
	}
}

// TestRandomQueries checks that a query has the same result over what its scans read as over everything.
func TestRandomQueries(t *testing.T) {
	all := tables()
	s := newSession(t)
	for seed := range rounds(1500) {
		if seed%1000 == 999 {
			s = newSession(t)
		}
		g := &generator{Rand: rand.New(rand.NewPCG(4, firstSeed()+uint64(seed))), lo: 1, hi: 5}
		var q query
		switch seed % 5 {
		case 0:
			q = g.query(3)
		case 1:
			q = g.query(2)
		case 4:
			q = g.chained()
		default:
			q = g.join(seed%5 - 1)
		}
		plan := planOf(t, s, q.text)
		if len(plan.Scans) != len(g.refs) {
			t.Fatalf("%s\n%d scans, want %d", q.text, len(plan.Scans), len(g.refs))
		}
		full, read := map[string][]row{}, map[string][]row{}
		for _, r := range g.refs {
			full[r.alias] = all[r.table]
		}
		for _, scan := range plan.Scans {
			kept := units(t, scan, q.text)
			read[scan.Alias] = slices.DeleteFunc(slices.Clone(full[scan.Alias]), func(r row) bool { return !kept[keyOf(r)] })
		}
		want, got := fmt.Sprint(q.eval(full)), fmt.Sprint(q.eval(read))
		if got != want {
			t.Fatalf("seed %d: %s\nresult %s\nwant   %s\n%s", seed, q.text, got, want, describe(plan))
		}
	}
}

func describe(p *planner.Plan) string {
	var b strings.Builder
	for _, s := range p.Scans {
		n, total, _ := s.Count(context.Background())
		b.WriteString(s.Table.Name + " " + s.Alias + ": " + n.String() + " of " + total.String() + ", " + strconv.Itoa(len(s.Conjuncts)) + " conditions, " + s.Diagram.String() + "\n")
	}
	return b.String()
}
