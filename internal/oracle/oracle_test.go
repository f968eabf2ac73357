package oracle

import (
	"fmt"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
)

// Facts of YQL's documentation: three-valued logic, integer division, casts, dates.
func TestEval(t *testing.T) {
	row := &Row{Now: time.Date(2021, 3, 5, 10, 30, 0, 0, time.UTC), Columns: map[string]Value{
		"n": nil, "x": Int32(5), "s": "buy", "d": Date(18691),
	}}
	for text, want := range map[string]string{
		"NULL AND false": "false", "NULL OR true": "true", "NULL XOR true": "<nil>", "NOT (n = 1)": "<nil>",
		"n IN (1, 2)": "<nil>", "x IN (1, NULL)": "<nil>", "x IN (5, NULL)": "true", "x NOT IN (1, 2)": "true",
		"n IS NULL": "true", "(x = 1) IS NOT TRUE": "true", "n IS DISTINCT FROM x": "true", "n ?? 3": "{3 32 false}",
		"7 / 2": "{3 32 false}", "-7 / 2": "{-3 32 false}", "-7 % 2": "{-1 32 false}", "7 / 0": "<nil>", "x / 2.0": "2.5",
		"2147483647 + 1": "{-2147483648 32 false}", "x = 5.0": "true", "x < 18446744073709551615": "true",
		"(x, n) > (4, 1)": "true", "(x, n) > (5, 1)": "<nil>", "(x, n) = (4, 1)": "false",
		"x BETWEEN 6 AND 4": "false", "x BETWEEN SYMMETRIC 6 AND 4": "true",
		`CAST("abc" AS Int32)`: "<nil>", `CAST("02" AS Int32)`: "{2 32 false}", "CAST(300 AS Uint8)": "<nil>", "CAST(x AS String)": "5",
		`s LIKE "b%"`: "true", `s LIKE "_uy"`: "true", `s LIKE "b!%" ESCAPE "!"`: "false", `s ILIKE "BU%"`: "true", `s REGEXP "u"`: "true", `s MATCH "u"`: "false",
		`d = Date("2021-03-05")`: "true", `d + Interval("P1D") > Datetime("2021-03-05T23:59:59Z")`: "true", "d = CurrentUtcDate()": "true",
		"DateTime::GetDayOfWeek(d)": "{5 16 true}", `DateTime::MakeDate(DateTime::ShiftMonths(Date("2023-01-31"), 1)) = Date("2023-02-28")`: "true",
		`Date("2105-12-31") + Interval("P1D")`: "<nil>", "SUBSTRING(s, 1, 1) || s": "ubuy",
		"CASE x WHEN 1 THEN 1 END": "<nil>", "IF(n = 1, 1, 2)": "{2 32 false}",
	} {
		v, err := Eval(expression(t, text), row)
		if got := fmt.Sprint(v); err != nil || got != want {
			t.Errorf("%s = %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestEvalUnsupported(t *testing.T) {
	for _, text := range []string{"nosuch", "Foo::Bar(1)", "5 / 0.0"} {
		if v, err := Eval(expression(t, text), &Row{}); err == nil {
			t.Errorf("%s = %v", text, v)
		}
	}
}

func expression(t *testing.T, text string) ast.Expr {
	yql, _ := parser.DialectByName("yql")
	e, err := parser.ParseExpr(ast.NewSource("q", text), yql)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
