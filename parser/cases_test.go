package parser

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/internal/casefile"
)

// sameTree compares trees without their places in the text.
var sameTree = cmp.Options{cmpopts.IgnoreTypes(ast.Span{}, ast.Pos(0))}

// The cases that are refused for their syntax; all others parse.
var badSyntax = map[string]string{
	"ydb-syn-090": "syntax.unclosed",
	"ydb-syn-091": "syntax.unclosed",
	"ydb-syn-092": "syntax.unclosed",
	"ydb-syn-093": "syntax.unclosed",
	"ydb-syn-096": "syntax.order",
	"ydb-syn-097": "syntax.operand",
	"ydb-syn-098": "syntax.comma",
}

func eachCase[T testing.TB](t T, f func(t T, c casefile.Case, d *Dialect)) {
	files, err := filepath.Glob("../testdata/cases/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, name := range files {
		cases, err := casefile.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			d, ok := DialectByName(c.Dialect)
			if !ok {
				t.Fatalf("%s: dialect %q", c.ID, c.Dialect)
			}
			f(t, c, d)
		}
	}
}

func TestCasesParse(t *testing.T) {
	eachCase(t, func(t *testing.T, c casefile.Case, d *Dialect) {
		_, err := Parse(ast.NewSource(c.ID, c.SQL), d)
		want := badSyntax[c.ID]
		switch {
		case err == nil && want != "":
			t.Errorf("%s: parsed, want %s", c.ID, want)
		case err != nil && want == "":
			t.Errorf("%s: %v", c.ID, err)
		case err != nil && err.(ast.Diagnostics)[0].Code != want:
			t.Errorf("%s: %s, want %s", c.ID, err.(ast.Diagnostics)[0].Code, want)
		}
	})
}

func TestCasesPrint(t *testing.T) {
	eachCase(t, func(t *testing.T, c casefile.Case, d *Dialect) {
		stmts, err := Parse(ast.NewSource(c.ID, c.SQL), d)
		if err != nil {
			return
		}
		for _, width := range []int{0, 40, 100} {
			st := d.Style()
			st.Width = width
			var text []string
			for _, s := range stmts {
				text = append(text, ast.Print(s, st))
			}
			printed := strings.Join(text, ";\n")
			again, err := Parse(ast.NewSource(c.ID, printed), d)
			if err != nil {
				t.Errorf("%s: %v\n%s", c.ID, err, printed)
				return
			}
			if diff := cmp.Diff(stmts, again, sameTree); diff != "" {
				t.Errorf("%s: width %d:\n%s\n%s", c.ID, width, printed, diff)
				return
			}
		}
	})
}

func TestCasesFormat(t *testing.T) {
	eachCase(t, func(t *testing.T, c casefile.Case, d *Dialect) {
		if badSyntax[c.ID] != "" {
			return
		}
		out, err := Format(ast.NewSource(c.ID, c.SQL), d)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			return
		}
		if again, err := Format(ast.NewSource(c.ID, out), d); err != nil || again != out {
			t.Errorf("%s: formatted twice: %v\n%s\n%s", c.ID, err, out, again)
		}
	})
}
