package planner

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/internal/oracle"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// edge is a key with the values at which its type's arithmetic, casts and comparisons turn.
type edge struct {
	name, declared string
	kind           pruning.Kind
	nullable       bool
	values         []oracle.Value
}

func edges() []edge {
	ints := func(bits uint, unsigned bool, ns ...string) (out []oracle.Value) {
		for _, s := range ns {
			n, _ := new(big.Int).SetString(s, 10)
			out = append(out, oracle.Int{N: n, Bits: bits, Unsigned: unsigned})
		}
		return out
	}
	const top = 49673*86400 - 1
	return []edge{
		{"t", "Int8", pruning.Int8, false, ints(8, false, "-128", "-1", "0", "3", "127")},
		{"s", "Int16", pruning.Int16, true, append(ints(16, false, "-32768", "5", "32767"), nil)},
		{"i", "Int32", pruning.Int32, false, ints(32, false, "-2147483648", "-7", "0", "2", "2020", "2147483647")},
		{"l", "Int64", pruning.Int64, true, append(ints(64, false, "-9223372036854775808", "-3", "9007199254740993", "9223372036854775807"), nil)},
		{"ut", "Uint8", pruning.Uint8, false, ints(8, true, "0", "7", "255")},
		{"u", "Uint32", pruning.Uint32, true, append(ints(32, true, "0", "18628", "4294967295"), nil)},
		{"ul", "Uint64", pruning.Uint64, false, ints(64, true, "0", "3", "9223372036854775807", "9223372036854775808", "18446744073709551615")},
		{"f", "Double", pruning.Float64, true, []oracle.Value{-2.5, 0.0, 0.1, 3.0, 1e300, nil}},
		{"k", "String", pruning.String, false, []oracle.Value{"", "0", "02", "2021-01-01", "a%b", "é_", "zz"}},
		{"x", "Utf8", pruning.String, true, []oracle.Value{"a", "ab", "-5", "true", nil}},
		{"d", "Date", pruning.Date, false, []oracle.Value{oracle.Date(0), oracle.Date(1), oracle.Date(18628), oracle.Date(49672)}},
		{"at", "Datetime", pruning.Datetime, true, []oracle.Value{oracle.Datetime(0), oracle.Datetime(1609459199), oracle.Datetime(1609459200), oracle.Datetime(top), nil}},
		{"b", "Bool", pruning.Bool, true, []oracle.Value{true, false, nil}},
	}
}

// edgeTable has a key of each sort, all of them listed.
func edgeTable() *relation {
	layout := &projection.Layout{System: "test"}
	r := &relation{name: "e", table: &projection.Table{Name: "edges", Layout: layout}}
	for i, c := range edges() {
		t := scalar(c.kind).named(c.declared)
		t.notNull = !c.nullable
		r.cols = append(r.cols, relColumn{name: c.name, typ: t, key: i})
		layout.Keys = append(layout.Keys, pruning.Key{Name: c.name, Type: t.scalar})
		layout.Levels = append(layout.Levels, &listed{i, projection.NewEnum(i, nil, []string{"a"})})
	}
	return r
}

func asEdge(v oracle.Value) (out pruning.Value, null bool) {
	switch v := v.(type) {
	case oracle.Int:
		if v.Unsigned {
			return pruning.Uint(v.N.Uint64()), false
		}
	case float64:
		return pruning.Float(v), false
	case bool:
		if v {
			return pruning.Int(1), false
		}
		return pruning.Int(0), false
	}
	return asValue(v)
}

// TestLowerEdges compares random conditions over keys of all types with evaluating them on rows. What is left open on purpose,
// such as sums that overflow, may stay open; nothing may be left out.
func TestLowerEdges(t *testing.T) {
	r := edgeTable()
	open, wrong, unsupported := 0, 0, 0
	for i := range *conditions {
		g := &edgeGenerator{generator{Rand: rand.New(rand.NewPCG(11, *firstSeed+uint64(i)))}}
		text := "$f = ($p, $q?) -> { $r = $p; RETURN $r = ($q ?? $r); }; SELECT * FROM e WHERE " + g.condition(1+i%3)
		e, found, _ := bound(t, r, text)
		if found.HasErrors() {
			wrong++
			continue
		}
		names, where, _ := parse(t, text)
		w := edgeRows{t: t, text: text, where: where, rel: r, low: lower(e, r, pruning.NewSpace(r.table.Layout.Keys, 0)),
			row: oracle.Row{Columns: map[string]oracle.Value{}, Names: map[string]ast.Expr{names.name: names.x}, Now: now}}
		for c := range columns(e) {
			w.ids = append(w.ids, c.key())
		}
		switch ok, exact := w.run(g.Rand); {
		case !ok:
			unsupported++
		case !exact:
			open++
		}
		if t.Failed() {
			t.Fatalf("seed %d", i)
		}
	}
	if n := *conditions; wrong > n/4 || unsupported > n/10 || open > n/4 {
		t.Errorf("of %d conditions %d have wrong types, %d have no row-by-row result, %d are left open", n, wrong, unsupported, open)
	}
}

// edgeRows evaluates one condition on rows of edges.
type edgeRows struct {
	t     *testing.T
	text  string
	where ast.Expr
	rel   *relation
	low   lowered
	row   oracle.Row
	ids   []int // of the keys in it
}

// run tries all rows, or some when there are many. exact: every row had one outcome, and that was right.
func (w *edgeRows) run(r *rand.Rand) (supported, exact bool) {
	all, most := edges(), 1
	for _, id := range w.ids {
		most *= len(all[id].values)
	}
	exact = true
	for range min(2*most, 60) {
		d, place := w.low.d, newPlace(w.rel)
		for id, c := range all {
			v := c.values[r.IntN(len(c.values))]
			w.row.Columns[c.name] = v
			x, null := asEdge(v)
			if null {
				d = d.AtNull(id)
			} else {
				d = d.At(id, x)
			}
			place.fix(id, x, null)
		}
		v, err := oracle.Eval(w.where, &w.row)
		if errors.Is(err, oracle.ErrUnsupported) {
			return false, false
		}
		want, got := outcomeOf(v), d.Outcomes()
		if w.low.check.At != nil {
			got &= w.low.check.At(&place.Place, len(place.Axes))
		}
		if want&^got != 0 {
			w.t.Errorf("%s\nat %v: diagram and check say %v, rows give %v\n%v", w.text, w.row.Columns, got, want, w.low.d)
			return true, false
		}
		exact = exact && got == want
	}
	return true, exact
}

// edgeGenerator writes conditions over edges.
type edgeGenerator struct{ generator }

func (g *edgeGenerator) condition(depth int) string {
	if depth == 0 || g.maybe(20) {
		return g.predicate()
	}
	sub := func() string { return g.condition(depth - 1) }
	switch g.IntN(12) {
	case 0, 1:
		return "(" + sub() + " AND " + sub() + ")"
	case 2, 3:
		return "(" + sub() + " OR " + sub() + ")"
	case 4:
		return "(" + sub() + " XOR " + sub() + ")"
	case 5, 6:
		return "(NOT " + sub() + ")"
	case 7:
		return "(" + sub() + " IS " + g.pick("", "NOT ") + g.pick("NULL", "TRUE", "FALSE") + ")"
	case 8:
		return "IF(" + sub() + ", " + sub() + g.pick("", ", "+sub()) + ")"
	case 9:
		return "(CASE WHEN " + sub() + " THEN " + sub() + " WHEN " + sub() + " THEN " + sub() + g.pick("", " ELSE "+sub()) + " END)"
	case 10:
		return "COALESCE(" + sub() + ", " + sub() + ")"
	}
	return "(" + sub() + g.pick(" = ", " != ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM ") + sub() + ")"
}

func (g *edgeGenerator) predicate() string {
	switch g.IntN(9) {
	case 0, 1, 2, 3:
		return g.compared(func() string { return g.number(2) })
	case 4:
		return g.compared(func() string { return g.text(2) })
	case 5:
		return g.compared(func() string { return g.date(2) })
	case 6:
		return g.compared(func() string { return g.interval(2) })
	case 7:
		return g.tuples()
	}
	return g.pick("b", "(b IS NULL)", "(b = true)", "(b < true)", "(b IN (true, NULL))", g.like())
}

func (g *edgeGenerator) compared(value func() string) string {
	x, not := value(), g.pick("", "NOT ")
	switch g.IntN(9) {
	case 0:
		return "(" + x + " " + not + "BETWEEN " + g.pick("", "SYMMETRIC ") + value() + " AND " + value() + ")"
	case 1:
		return "(" + x + " " + not + "IN " + g.pick("(", "AsList(") + value() + ", " + value() + g.pick("", ", NULL") + "))"
	case 2:
		return "(" + x + " IS " + not + "NULL)"
	case 3:
		return "(" + x + " IS " + not + "DISTINCT FROM " + g.pick(value(), "NULL") + ")"
	case 4:
		return "$f(" + x + g.pick("", ", "+value()) + ")"
	}
	return "(" + x + g.pick(" = ", " != ", " < ", " <= ", " > ", " >= ") + value() + ")"
}

func (g *edgeGenerator) literal() string {
	return g.pick("0", "1", "-1", "2", "3", "7", "02", "127", "-128", "255", "256", "32767", "2020", "2147483647", "2147483648", "-2147483648", "4294967295",
		"9007199254740992", "9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615", "0x7F", "0b11", "0o17",
		"5u", "5t", "5ut", "5s", "5us", "5l", "5ul", "-5l", "0.1", "-0.5", "2.5", "3.0", "1e18", "1e300", "-1e300", "NULL")
}

func (g *edgeGenerator) number(depth int) string {
	if depth == 0 || g.maybe(30) {
		if g.maybe(30) {
			return g.literal()
		}
		return g.pick("t", "s", "i", "l", "ut", "u", "ul", "f")
	}
	x := func() string { return g.number(depth - 1) }
	switch g.IntN(14) {
	case 0, 1, 2:
		return "(" + x() + g.pick(" + ", " - ", " * ") + x() + ")"
	case 3:
		return "(" + x() + g.pick(" / ", " % ") + x() + ")"
	case 4:
		return "(" + x() + g.pick(" & ", " | ", " ^ ") + x() + ")"
	case 5:
		return "(" + g.pick("ut", "u", "ul", "5", "7ul") + g.pick(" << ", " >> ") + g.pick("1", "3", "7") + ")"
	case 6:
		return "(" + g.pick("- ", "~") + x() + ")"
	case 7:
		return "ABS(" + x() + ")"
	case 8:
		return "CAST(" + x() + " AS " + g.pick("Int8", "Int16", "Int32", "Int64", "Uint8", "Uint16", "Uint32", "Uint64", "Double", "Bool") + ")"
	case 9:
		return "CAST(" + g.text(1) + " AS " + g.pick("Int32", "Uint64", "Int8") + ")"
	case 10:
		return "CAST(" + g.date(1) + " AS " + g.pick("Uint32", "Int64", "Int32", "Uint64", "Int8") + ")"
	case 11:
		return "NULLIF(" + x() + ", " + x() + ")"
	case 12:
		return "DateTime::" + g.pick("ToSeconds(", "GetYear(", "GetDayOfYear(") + g.date(1) + ")"
	}
	return "CAST(" + g.interval(1) + g.pick(" AS Int64)", " AS Int32)")
}

func (g *edgeGenerator) text(depth int) string {
	if depth == 0 || g.maybe(40) {
		return g.pick("k", "x", "k", `""`, `"a"`, `"02"`, `"-5"`, `"é"`, `"2021-01-01"`, `"zz"`, `"2"u`, "NULL || k")
	}
	x := func() string { return g.text(depth - 1) }
	switch g.IntN(7) {
	case 0:
		return "CAST(" + g.pick("t", "s", "i", "l", "u", "ul", "d", "b", "at") + " AS " + g.pick("String", "Utf8") + ")"
	case 1:
		return "(" + x() + " || " + x() + ")"
	case 2:
		return "SUBSTRING(" + x() + g.pick("", ", 0, 1", ", 1", ", 5, 9", ", NULL, 1") + ")"
	case 3:
		return "String::ReplaceAll(" + x() + `, "a", ` + g.pick(`""`, `"bb"`, "k") + ")"
	case 4:
		return "COALESCE(" + x() + ", " + x() + ")"
	case 5:
		return g.pick(`DateTime::Format("%Y-%m-%d")(`, "DateTime::GetMonthName(", "DateTime::GetDayOfWeekName(") + g.date(1) + ")"
	}
	return "IF(b, " + x() + ", " + x() + ")"
}

func (g *edgeGenerator) like() string {
	pattern := g.pick(`"%"`, `"_"`, `"__"`, `""`, `"a%"`, `"%b"`, `"a!%b" ESCAPE "!"`, `"%!_" ESCAPE "!"`, `"a\\%%"`, `"%0%2%"`, `"%é%"`, `"é%"`, "x", "NULL")
	return "(" + g.text(1) + g.pick(" ", " NOT ") + g.pick("LIKE", "LIKE", "ILIKE") + " " + pattern + ")"
}

func (g *edgeGenerator) date(depth int) string {
	if depth == 0 || g.maybe(40) {
		return g.pick("d", "at", "d", `Date("1970-01-01")`, `Date("2105-12-31")`, `Datetime("2020-12-31T23:59:59Z")`, `Timestamp("2020-12-31T23:59:59.999999Z")`,
			`CurrentUtcDate()`, "CAST(NULL AS Date)")
	}
	x := func() string { return g.date(depth - 1) }
	switch g.IntN(7) {
	case 0, 1:
		return "(" + x() + g.pick(" + ", " - ") + g.interval(1) + ")"
	case 2:
		return "CAST(" + x() + " AS " + g.pick("Date", "Datetime", "Timestamp") + ")"
	case 3:
		return "CAST(" + g.number(1) + " AS " + g.pick("Date", "Datetime", "Timestamp") + ")"
	case 4:
		return "CAST(" + g.text(1) + " AS Date)"
	case 5:
		return "DateTime::MakeDate(DateTime::" + g.pick("StartOfMonth(", "StartOfYear(", "StartOfWeek(") + x() + "))"
	}
	return "DateTime::MakeDate(DateTime::" + g.pick("ShiftMonths(", "ShiftYears(") + x() + ", " + g.pick("1", "-1", "t", "2000") + "))"
}

func (g *edgeGenerator) interval(depth int) string {
	if depth == 0 || g.maybe(40) {
		return g.pick(`Interval("P1D")`, `Interval("PT1H")`, `Interval("PT0S")`, `Interval("P20000D")`, "DateTime::IntervalFromDays(t)", "DateTime::IntervalFromHours(s)",
			"DateTime::IntervalFromSeconds(2)")
	}
	x := func() string { return g.interval(depth - 1) }
	switch g.IntN(5) {
	case 0:
		return "(" + x() + g.pick(" + ", " - ") + x() + ")"
	case 1:
		return "(" + g.date(1) + " - " + g.date(1) + ")"
	case 2:
		return "(" + x() + g.pick(" * ", " / ") + g.pick("2", "-3", "t", "0") + ")"
	case 3:
		return "DateTime::TimeOfDay(" + g.date(1) + ")"
	}
	return "(- " + x() + ")"
}

func (g *edgeGenerator) tuples() string {
	item := func() string { return g.pick("t", "l", "f", "u", "ul", "NULL", "1", "0", "2.5", "CAST(k AS Int32)") }
	tuple := func() string { return "(" + strings.Join([]string{item(), item(), item()}, ", ") + ")" }
	if g.maybe(40) {
		return "(" + tuple() + g.pick(" IN ", " NOT IN ") + "(" + tuple() + ", " + tuple() + "))"
	}
	return "(" + tuple() + g.pick(" = ", " != ", " < ", " <= ", " > ", " >= ") + tuple() + ")"
}

// Queries in queries that name a column twice make a condition larger up to one bound, however many they are.
func TestReplacedIsBounded(t *testing.T) {
	c := &column{rel: &relation{name: "t"}, at: &ast.Ident{}}
	p := pred{x: c, shown: c.at}
	for range 60 {
		p = p.with(func(c *column) expr { return &apply{at: c.at, args: []expr{c, c}} })
	}
	if n := size(p.x); n > maxReplaced+1 {
		t.Errorf("%d nodes, want no more than %d", n, maxReplaced+1)
	}
}
