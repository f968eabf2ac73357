package planner

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random conditions over the columns of events, as SQL. Conditions over keys alone avoid what the planner
// leaves open on purpose, such as sums that overflow, so that their diagrams and checks must be exact.
type generator struct {
	*rand.Rand
	data bool // columns that are no keys may occur
}

func (g *generator) pick(ss ...string) string { return ss[g.IntN(len(ss))] }

func (g *generator) maybe(percent int) bool { return g.IntN(100) < percent }

// condition is a Bool of some depth.
func (g *generator) condition(depth int) string {
	if depth == 0 {
		return g.predicate()
	}
	sub := func() string { return g.condition(depth - 1 - g.IntN(depth)) }
	switch g.IntN(14) {
	case 0, 1, 2:
		return "(" + sub() + " AND " + sub() + ")"
	case 3, 4, 5:
		return "(" + sub() + " OR " + sub() + ")"
	case 6:
		return "(" + sub() + " XOR " + sub() + ")"
	case 7, 8:
		return "(NOT (" + sub() + "))"
	case 9:
		return "((" + sub() + ") IS " + g.pick("", "NOT ") + g.pick("NULL", "TRUE", "FALSE") + ")"
	case 10:
		return "IF(" + sub() + ", " + sub() + ", " + sub() + ")"
	case 11:
		return "(CASE WHEN " + sub() + " THEN " + sub() + g.pick("", " ELSE "+sub()) + " END)"
	case 12:
		return "COALESCE(" + sub() + ", " + sub() + ")"
	}
	return "((" + sub() + ") " + g.pick("=", "!=", "IS DISTINCT FROM") + " (" + sub() + "))"
}

// predicate is a condition without conditions in it.
func (g *generator) predicate() string {
	if g.data && g.maybe(8) {
		return g.pick("ok", "(data = \"x\")", "(data IS NULL)", "(num IS NULL)")
	}
	switch g.IntN(8) {
	case 0, 1, 2, 3:
		return g.test(g.number, g.numbers)
	case 4:
		return g.test(g.text, g.texts)
	case 5:
		return g.test(g.date, g.dates)
	case 6:
		return g.textTest()
	}
	return g.tupleTest()
}

// test compares values of one sort.
func (g *generator) test(value func(int) string, constant func() string) string {
	x := value(2)
	other := func() string {
		if g.maybe(30) {
			return value(1)
		}
		return constant()
	}
	not := g.pick("", "", "NOT ")
	switch g.IntN(8) {
	case 0:
		return "(" + x + " " + not + "BETWEEN " + g.pick("", "SYMMETRIC ") + other() + " AND " + other() + ")"
	case 1:
		items := make([]string, 1+g.IntN(4))
		for i := range items {
			items[i] = other()
			if g.maybe(6) {
				items[i] = "NULL"
			}
		}
		list := strings.Join(items, ", ")
		return "(" + x + " " + not + "IN " + g.pick("("+list+")", "AsList("+list+")", "["+list+"]") + ")"
	case 2:
		return "(" + x + " IS " + not + "NULL)"
	case 3:
		return "(" + x + " IS " + not + "DISTINCT FROM " + other() + ")"
	}
	op := g.pick("=", "!=", "<", "<=", ">", ">=", "=")
	if g.maybe(20) {
		return "(" + constant() + " " + op + " " + x + ")"
	}
	return "(" + x + " " + op + " " + other() + ")"
}

func (g *generator) numbers() string {
	return g.pick("1", "2", "3", "5", "2019", "2020", "2021", "2020.0", "2020.5", "2.5", "-1", "0", "-3", "18446744073709551615", "1e30", "-1e30",
		"4294967297", "7", "02", "NULL + 1")
}

func (g *generator) number(depth int) string {
	if depth == 0 || g.maybe(35) {
		if g.data && g.maybe(15) {
			return g.pick("num", "CAST(data AS Int32)")
		}
		return g.pick("year", "month", "part", "n", "year", "month")
	}
	x := func() string { return g.number(depth - 1) }
	whole := func() string { return "CAST(" + x() + " AS Int64)" }
	c := g.pick("1", "2", "3", "-2", "4", "2.5", "100")
	switch g.IntN(16) {
	case 0, 1, 2:
		return "(" + x() + g.pick(" + ", " - ") + c + ")"
	case 3:
		return "(" + c + g.pick(" - ", " + ") + x() + ")"
	case 4:
		return "(" + x() + g.pick(" * ", " / ", " % ") + g.pick("2", "3", "-2", "4", "7") + ")"
	case 5:
		return "(" + g.pick("12", "-7", "4040") + g.pick(" / ", " % ") + x() + ")"
	case 6:
		return "(-" + x() + ")"
	case 7:
		return "ABS(" + x() + ")"
	case 8:
		return "COALESCE(" + whole() + ", " + g.pick("1", "2020", "NULL", "part") + ")"
	case 9:
		return "IF(" + g.predicate() + ", " + whole() + ", " + whole() + ")"
	case 10:
		return "(CASE " + x() + " WHEN " + g.numbers() + " THEN " + whole() + " WHEN " + c + " THEN 7" + g.pick("", " ELSE "+whole()) + " END)"
	case 11:
		return "CAST(DateTime::" + g.pick("GetYear", "GetMonth", "GetDayOfMonth", "GetDayOfWeek", "GetDayOfYear", "GetWeekOfYearIso8601") + "(" + g.date(1) + ")" + " AS Int64)"
	case 12:
		return "CAST(LENGTH(" + g.text(1) + ") AS Int32)"
	case 13:
		return "CAST(" + "CAST(" + x() + " AS " + g.pick("Int8", "Int64", "Uint8", "Double", "Int32", "Uint32") + ") AS Int64)"
	case 14:
		return "NULLIF(" + x() + ", " + c + ")"
	}
	return "(" + whole() + g.pick(" + ", " - ", " ?? ") + whole() + ")"
}

func (g *generator) texts() string {
	return g.pick(`"a"`, `"b"`, `"buy"`, `"sell"`, `"view"`, `"2020"`, `"02"`, `"s"`, `""`, `"ab"`, `"1"`, `"x"`)
}

func (g *generator) text(depth int) string {
	if depth == 0 || g.maybe(40) {
		if g.data && g.maybe(15) {
			return "data"
		}
		return g.pick("kind", "name", "kind")
	}
	x := func() string { return g.text(depth - 1) }
	switch g.IntN(9) {
	case 0, 1:
		return "CAST(" + g.pick("year", "month", "dt", "part", "n", "at") + " AS String)"
	case 2, 3:
		return "(" + x() + " || " + g.pick(x(), g.texts()) + ")"
	case 4:
		return "SUBSTRING(" + x() + ", " + g.pick("0, 1", "1", "1, 2", "0, 9") + ")"
	case 5:
		return "String::" + g.pick("AsciiToUpper(", "AsciiToLower(") + x() + ")"
	case 6:
		return "String::LeftPad(" + x() + ", 4, \"0\")"
	case 7:
		return "COALESCE(" + x() + ", " + g.texts() + ")"
	}
	return "IF(" + g.predicate() + ", " + x() + ", " + x() + ")"
}

func (g *generator) textTest() string {
	x := g.text(2)
	switch g.IntN(6) {
	case 0:
		return "StartsWith(" + x + ", " + g.texts() + ")"
	case 1:
		return "(" + g.pick("EndsWith", "String::Contains", "String::HasPrefix") + "(" + x + ", " + g.texts() + "))"
	case 2:
		return "(" + x + g.pick(" ", " NOT ") + g.pick("REGEXP", "MATCH") + " " + g.pick(`"^[a-s]"`, `"a|b"`, `"2.2"`) + ")"
	case 3:
		return "(FIND(" + x + ", " + g.texts() + ")" + g.pick(" IS NULL", " = 0", " > 1") + ")"
	}
	pattern := g.pick(`"b%"`, `"%y"`, `"%e%"`, `"s_ll"`, `"a"`, `"%"`, `"2020%"`, `"_"`, `"a!%" ESCAPE "!"`, `""`, `"%b"`, `"vi%w"`)
	return "(" + x + g.pick(" ", " NOT ") + g.pick("LIKE", "LIKE", "ILIKE") + " " + pattern + ")"
}

func (g *generator) dates() string {
	return g.pick(`Date("2021-01-01")`, `Date("2020-12-31")`, `Datetime("2020-12-31T12:00:00Z")`, `Timestamp("2021-01-02T00:00:00.000001Z")`,
		`Date("1970-01-01")`, `Date("2105-12-31")`, `CurrentUtcDate()`)
}

func (g *generator) date(depth int) string {
	if depth == 0 || g.maybe(45) {
		return g.pick("dt", "dt", "at")
	}
	x := func() string { return g.date(depth - 1) }
	switch g.IntN(7) {
	case 0, 1:
		return "(" + x() + g.pick(" + ", " - ") + g.pick(`Interval("P1D")`, `Interval("PT36H")`, `DateTime::IntervalFromDays(2)`, `DateTime::IntervalFromDays(40000)`) + ")"
	case 2:
		return "CAST(" + x() + " AS " + g.pick("Date", "Datetime", "Timestamp") + ")"
	case 3:
		return "DateTime::" + g.pick("StartOfMonth", "StartOfYear", "StartOfQuarter", "StartOfWeek") + "(" + x() + ")"
	case 4:
		return "DateTime::MakeDate(" + x() + ")"
	case 5:
		return "DateTime::" + g.pick("ShiftMonths", "ShiftYears") + "(" + x() + ", " + g.pick("1", "-2", "month") + ")"
	}
	return "COALESCE(" + x() + ", " + x() + ")"
}

func (g *generator) tupleTest() string {
	names := []string{"year", "month", "part"}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:2+g.IntN(2)]
	tuple := func() string {
		items := make([]string, len(names))
		for i, n := range names {
			items[i] = map[string]string{"year": g.pick("2019", "2020", "2021"), "month": g.pick("1", "2", "3", "1.5"), "part": g.pick("-1", "0", "1", "0.5")}[n]
			if g.maybe(5) {
				items[i] = "NULL"
			}
		}
		return "(" + strings.Join(items, ", ") + ")"
	}
	x := "(" + strings.Join(names, ", ") + ")"
	if g.maybe(40) {
		return fmt.Sprintf("(%s %sIN (%s, %s))", x, g.pick("", "NOT "), tuple(), tuple())
	}
	return "(" + x + " " + g.pick("=", "!=", "<", "<=", ">", ">=") + " " + tuple() + ")"
}
