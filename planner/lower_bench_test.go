package planner

import (
	"strconv"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// wide conditions and those without an interval form, from tree to diagram.
func BenchmarkLower(b *testing.B) {
	numbers := func(n int, sep string, item func(i int) string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item(i)
		}
		return strings.Join(items, sep)
	}
	text := func(i int) string { return strconv.Itoa(i * 7) }
	for _, c := range []struct{ name, where string }{
		{"equal", "year = 2021 AND month = 2"},
		{"in10k", "n IN (" + numbers(10_000, ",", text) + ") AND year = 2021 AND month > 3"},
		{"or10k", numbers(10_000, " OR ", func(i int) string { return "n = " + text(i) })},
		{"tuples10k", "(year, n) IN (" + numbers(10_000, ",", func(i int) string { return "(" + strconv.Itoa(2019+i%4) + "," + text(i) + ")" }) + ")"},
		{"month%4", "month % 4 = 0"},
		{"n%7", "n % 7 = 0"},
		{"getYear", "DateTime::GetYear(dt) = 2021 AND DateTime::GetMonth(dt) = 2"},
		{"getYearSeconds", "DateTime::GetYear(at) = 2021 AND DateTime::GetMonth(at) = 2"},
		{"twoKeys", "month > year - 2011"},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := events()
			names, where, _ := parse(b, "SELECT * FROM t WHERE "+c.where)
			b.ReportAllocs()
			for b.Loop() {
				lowerWhere(r, names, where)
			}
		})
	}
}

func lowerWhere(r *relation, names *param, where ast.Expr) lowered {
	var found ast.Diagnostics
	b := newBinder(yqlSemantics(), now, projection.DefaultLimits, &found)
	e := b.condition(where, &scope{rels: []*relation{r}, params: names})
	return lower(e, r, pruning.NewSpace(r.table.Layout.Keys, 0))
}

// Large conditions must be planned in time that grows with them, and exactly.
func TestLowerLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	var in, or strings.Builder
	in.WriteString("n IN (0")
	or.WriteString("n = 0")
	for i := 1; i < 1_000_000; i++ {
		in.WriteString("," + strconv.Itoa(i*3))
		if i < 100_000 {
			or.WriteString(" OR n = " + strconv.Itoa(i*3) + " AND year = 2021")
		}
	}
	in.WriteString(")")
	for _, text := range []string{in.String(), or.String()} {
		names, where, _ := parse(t, "SELECT * FROM t WHERE "+text)
		l := lowerWhere(events(), names, where)
		if o := l.d.At(4, pruning.Int(30)).At(0, pruning.Int(2021)).Outcomes(); o != pruning.True {
			t.Errorf("%.30s…: n = 30 gives %v", text, o)
		}
		if o := l.d.At(4, pruning.Int(31)).At(0, pruning.Int(2021)).Outcomes(); o != pruning.False {
			t.Errorf("%.30s…: n = 31 gives %v", text, o)
		}
		if !l.exact {
			t.Errorf("%.30s… isn't exact: %v", text, l.reasons)
		}
	}
}
