package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// tried reports whether a condition on one key makes the system look at each of its values, where a range would find them:
// Athena makes ranges of comparisons, and of functions of dates and times (Trino, HivePartitionManager.java,
// DomainTranslator.java). Functions of texts and numbers are evaluated for every value that is projected.
func (l *linter) tried(p *part) bool {
	return p.check.Depths != 0 || l.Table.System == "athena" && inFunction(p.x) != nil
}

// inFunction is a column of texts or numbers that stands in a function or in an operator of a condition, or nil. Casts to
// wider whole numbers keep the value, and don't count.
func inFunction(e expr) *column {
	a, ok := e.(*apply)
	if !ok {
		return nil
	}
	plain := a.t.isBool() && (a.fn.op != "" || a.fn.only != nil)
	for _, x := range a.args {
		x = unwidened(x)
		c, ok := x.(*column)
		if !ok {
			c = inFunction(x)
		} else if plain || c.key() < 0 || isDate(c.t.scalar.Kind) {
			c = nil
		}
		if c != nil {
			return c
		}
	}
	return nil
}

// unwidened is e without casts to whole numbers that are at least as wide.
func unwidened(e expr) expr {
	a, ok := e.(*apply)
	if !ok || a.fn.op != castFn.op || !isInt(a.t.scalar.Kind) {
		return e
	}
	if x := a.args[0].typ(); isInt(x.scalar.Kind) && width(a.t.scalar.Kind) >= width(x.scalar.Kind) {
		return unwidened(a.args[0])
	}
	return e
}

// asRange is the condition that selects the same values of the only key that p is about, in the form that finds them at
// once; "" where they don't follow each other, or are too many to be tried.
func (l *linter) asRange(p *part) string {
	var col *column
	for c := range columns(p.x) {
		col = c
	}
	m := l.nearest(col)
	if m == nil {
		return ""
	}
	first, last, ok := l.stretch(p, m)
	if !ok || first == 0 && last == m.last || m.t.Kind == pruning.String && m.descends() {
		return ""
	}
	if _, listed := m.axis.(*projection.Enum); listed && first != last {
		return ""
	}
	return "write " + col.name + m.comparison(p.x, first, last)
}

// comparison is the operator with its operands that selects the branches first to last.
func (m *near) comparison(e expr, first, last uint64) string {
	from, to := m.constant(first), m.constant(last)
	a, _ := e.(*apply)
	compares := a != nil && slices.Contains([]ast.Op{ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe}, a.fn.op)
	switch {
	case first == last:
		return " = " + from
	case compares && last == m.last:
		return " >= " + from
	case compares && first == 0:
		return " <= " + to
	}
	if prefix := m.prefix(first, last); prefix != "" {
		return " LIKE " + m.quotedSQL(prefix+"%")
	}
	return " BETWEEN " + from + " AND " + to
}

// prefix is what the texts of the branches first to last begin with, and those of no others; "" for none.
func (m *near) prefix(first, last uint64) string {
	if m.t.Kind != pruning.String {
		return ""
	}
	a, b := m.value(first), m.value(last)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	runs := m.runs(m.axis, m.key, prefixSet(a[:n]))
	if n == 0 || strings.ContainsAny(a[:n], `%_\`) || len(runs) == 0 || runs[0].First != first || runs[len(runs)-1].Last != last {
		return ""
	}
	return a[:n]
}

// stretch are the branches of a key's axis that a condition on it alone may select; ok is false when there are none, when
// they don't follow each other, or when they are too many to be tried.
func (l *linter) stretch(p *part, m *near) (first, last uint64, ok bool) {
	take := func(i, j uint64) bool {
		if ok && i != last+1 {
			return false
		}
		if !ok {
			first, ok = i, true
		}
		last = j
		return true
	}
	if p.check.Depths == 0 {
		runs, err := m.axis.Runs(nil, l.sp.Adopt(p.d))
		if l.err == nil {
			l.err = err
		}
		for _, r := range runs {
			if !take(r.First, r.Last) {
				return 0, 0, false
			}
		}
		return first, last, ok
	}
	if m.last >= few || !slices.Contains(l.Table.Layout.Levels[0].Keys(), m.key) {
		return 0, 0, false
	}
	at := projection.Place{Axes: []projection.Axis{m.axis}, Index: []uint64{0}}
	for i := range m.last + 1 {
		if at.Index[0] = i; p.check.At(&at, 1).MayBeTrue() && !take(i, i) {
			return 0, 0, false
		}
	}
	return first, last, ok
}

// constant is the value of branch i as the table's dialect writes it.
func (m *near) constant(i uint64) string {
	text := m.value(i)
	switch {
	case m.t.Kind == pruning.String:
		return m.quotedSQL(text)
	case isDate(m.t.Kind) && m.Table.System == "yql":
		return m.t.String() + `("` + text + `")`
	case isDate(m.t.Kind):
		return strings.ToUpper(m.t.String()) + " '" + text + "'"
	}
	return text
}

func (m *near) quotedSQL(text string) string {
	if m.Table.System == "yql" {
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
