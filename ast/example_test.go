package ast_test

import (
	"fmt"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
)

// where parses a query of YQL and gives its WHERE, and how YQL is written.
func where(text string) (ast.Expr, ast.Style) {
	d, _ := parser.DialectByName("yql")
	stmts, err := parser.Parse(ast.NewSource("q.sql", text), d)
	if err != nil {
		panic(err)
	}
	return stmts[0].(*ast.Select).Where, d.Style()
}

// Chains of AND are one node, and parentheses leave none: they are printed where the tree needs them.
func ExamplePrint() {
	x, style := where("SELECT * FROM t WHERE (a == 1) and ((b) OR c) AND d <> 2")
	fmt.Println(len(x.(*ast.Logic).Args))
	fmt.Println(ast.Print(x, style))
	// Output:
	// 3
	// a = 1 AND (b OR c) AND d != 2
}

// The columns that a condition names, in the order of the text.
func ExamplePreorder() {
	x, _ := where("SELECT * FROM t WHERE t.year = 2021 AND month IN (1, $m) OR LENGTH(data) > 3")
	for n := range ast.Preorder(x) {
		if id, ok := n.(*ast.Ident); ok {
			fmt.Println(id.Parts[len(id.Parts)-1].Text)
		}
	}
	// Output:
	// year
	// month
	// data
}

// A tree isn't changed: what is rewritten is new, and the rest is shared.
func ExampleRewrite() {
	x, style := where("SELECT * FROM t WHERE year = $y AND month = 2")
	y := ast.Rewrite(x, func(e ast.Expr) ast.Expr {
		if p, ok := e.(*ast.Param); ok && p.Name == "y" {
			return &ast.Literal{Kind: ast.IntLit, Raw: "2021", Text: "2021"}
		}
		return e
	})
	fmt.Println(ast.Print(y, style))
	fmt.Println(ast.Print(x, style))
	// Output:
	// year = 2021 AND month = 2
	// year = $y AND month = 2
}

// Positions are offsets; lines and columns are looked up when something is printed.
func ExampleSource_Position() {
	src := ast.NewSource("q.sql", "SELECT *\nFROM logs")
	fmt.Println(src.Position(src.Base+14), src.Slice(src.Base+14, src.Base+18))
	// Output:
	// 2:6 logs
}

// All findings of a text are collected, put in order and shown with their lines.
func ExampleDiagnostics() {
	src := ast.NewSource("q.sql", "SELECT mont FROM logs")
	found := ast.Diagnostics{
		{Code: "bind.column", Pos: src.Base + 7, End: src.Base + 11, Msg: "there is no column mont", Hint: "did you mean month?"},
		{Severity: ast.Note, Code: "lint.all", Pos: src.Base + 17, End: src.Base + 21, Msg: "all of logs is read"},
	}
	found.Sort()
	found.Locate(ast.Sources{src})
	for _, d := range found {
		fmt.Print(d.Error(), "\n", d.Excerpt())
	}
	fmt.Println(found.HasErrors())
	// Output:
	// q.sql:1:8: error: there is no column mont
	//   1 | SELECT mont FROM logs
	//     |        ^^^^
	//     hint: did you mean month?
	// q.sql:1:18: note: all of logs is read
	//   1 | SELECT mont FROM logs
	//     |                  ^^^^
	// true
}

func ExampleNearest() {
	fmt.Println(ast.Nearest("yaer", []string{"year", "month", "day"}))
	// Output:
	// year true
}
