package planner

import (
	"math/rand/v2"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// Whatever parses is bound, lowered and evaluated without a panic, and findings lie inside the text.
func FuzzCondition(f *testing.F) {
	for i := range 200 {
		g := &generator{Rand: rand.New(rand.NewPCG(3, uint64(i))), data: true}
		f.Add(g.condition(i % 3))
	}
	for _, s := range []string{
		`$x`, `NOT year = 2021`, `year || "x"`, `Date("2021-02-30") = dt`, `(year, month) IN ((1, NULL), (2, 3.5))`,
		`year IN {1, 2, 3}`, `year IN (SELECT 1)`, `EXISTS (SELECT 1)`, `<|a: year|>.a = 1`, `(($x) -> ($x + 1))(year) = 2021`,
		`DateTime::Format("%Y%m")(dt) = "202101"`, `Re2::Grep("a")(kind)`, `year[0] = 1`, `CAST(NULL AS Int32) = NULL`,
		`-9223372036854775808 = n`, `5 / 0 = year`, `1e308 * 10 > year`, `Interval("P1D") * 5 > dt - Date("2021-01-01")`,
		`COALESCE(NULL, NULL) = 1`, `CASE WHEN NULL THEN 1 END = 1`, `IF(NULL, NULL, NULL)`, `AsList() = AsList()`, `year IN AsList()`,
		`ListFromRange(1, 10, 0) = 1`, `Unwrap(NULL) = 1`, `month % 0 = 1`, `MIN_OF(year, month, 2.5) = 1`, `String::LeftPad("x", 1000000000) = "x"`,
	} {
		f.Add(s)
	}
	yql, _ := parser.DialectByName("yql")
	f.Fuzz(func(t *testing.T, text string) {
		src := ast.NewSource("q", text)
		where, err := parser.ParseExpr(src, yql)
		if err != nil {
			return
		}
		for _, dialect := range []string{"yql", "duckdb"} {
			var found ast.Diagnostics
			r := events()
			b := newBinder(semanticsOf(dialect), now, projection.DefaultLimits, &found)
			e := b.condition(where, &scope{rels: []*relation{r}})
			l := lower(e, r, pruning.NewSpace(r.table.Layout.Keys, 4096))
			// A key that is never NULL still has its branch for NULL.
			if got, all := eval(e, nil).outcomes(), l.d.Outcomes()&^pruning.Null; all&^got != 0 {
				t.Errorf("%s: the diagram has %v, evaluated with nothing known it gives %v", text, all, got)
			}
			for _, d := range found {
				if d.Pos < 0 || d.End < d.Pos || int(d.End) > len(text) {
					t.Errorf("%s: %v lies at %d…%d", text, d, d.Pos, d.End)
				}
			}
		}
	})
}
