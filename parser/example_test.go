package parser_test

import (
	"fmt"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
)

func ExampleParse() {
	d, _ := parser.DialectByName("yql")
	src := ast.NewSource("q.sql", "SELECT a FROM s3.`/logs/` WITH (FORMAT = \"csv_with_names\") WHERE year == 2021")
	stmts, err := parser.Parse(src, d)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := stmts[0].(*ast.Select)
	fmt.Println(ast.Print(q.Where, d.Style()))
	fmt.Println(q.From.(*ast.TableRef).Hints[0].Key.Text)
	// Output:
	// year = 2021
	// FORMAT
}

func ExampleParse_error() {
	d, _ := parser.DialectByName("yql")
	_, err := parser.Parse(ast.NewSource("q.sql", "SELECT a FROM t WHRE b = 1"), d)
	fmt.Println(err)
	// Output:
	// q.sql:1:17: error: WHRE is not a keyword
	//   1 | SELECT a FROM t WHRE b = 1
	//     |                 ^^^^
	//     hint: did you mean WHERE?
}

func ExampleFormat() {
	d, _ := parser.DialectByName("yql")
	out, _ := parser.Format(ast.NewSource("q.sql", "select a,b from t -- all of it\nwhere x=1"), d)
	fmt.Print(out)
	// Output:
	// SELECT a, b
	// FROM t -- all of it
	// WHERE x = 1;
}

func ExampleGrammar() {
	d, _ := parser.DialectByName("yql")
	lines := strings.Split(parser.Grammar(d), "\n")
	fmt.Println(lines[0])
	// Output:
	// Script = Statement? (";" Statement?)* .
}
