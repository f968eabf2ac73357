package parser

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/cockroachdb/datadriven"

	"github.com/yqlplan/yqlplan/ast"
)

// Commands, each with dialect=… (yql by default):
//
//	parse   the trees of the statements
//	expr    the tree of one expression, and how it is printed
//	print   the statements on one line each
//	fmt     the formatted script
//	error   the findings
//	grammar the dialect's EBNF
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata/golden", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			name := "yql"
			td.MaybeScanArgs(t, "dialect", &name)
			d, ok := DialectByName(name)
			if !ok {
				td.Fatalf(t, "unknown dialect %s", name)
			}
			return golden(t, td, ast.NewSource("q", td.Input), d)
		})
	})
}

func golden(t *testing.T, td *datadriven.TestData, src *ast.Source, d *Dialect) string {
	switch td.Cmd {
	case "grammar":
		return Grammar(d)
	case "fmt":
		out, err := Format(src, d)
		if err != nil {
			return findings(err)
		}
		return out
	case "expr":
		x, err := ParseExpr(src, d)
		if err != nil {
			return findings(err)
		}
		return dump(x) + "\n" + ast.Print(x, d.Style()) + "\n"
	}
	stmts, err := Parse(src, d)
	var b strings.Builder
	for _, s := range stmts {
		switch td.Cmd {
		case "parse":
			b.WriteString(dump(s) + "\n")
		case "print":
			b.WriteString(ast.Print(s, d.Style()) + ";\n")
		case "error":
		default:
			td.Fatalf(t, "unknown command %s", td.Cmd)
		}
	}
	return b.String() + findings(err)
}

// findings prints diagnostics with their codes.
func findings(err error) string {
	if err == nil {
		return ""
	}
	var b strings.Builder
	for _, d := range err.(ast.Diagnostics) {
		fmt.Fprintf(&b, "%s: [%s] %s\n%s", d.Source.Position(d.Pos), d.Code, d.Msg, d.Excerpt())
	}
	return b.String()
}

// dump is a tree as nested brackets: types, and the fields that aren't zero.
func dump(n any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(n))
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
		b.WriteByte('-')
		return
	}
	switch x := v.Interface().(type) {
	case ast.Name:
		if x.Quoted {
			fmt.Fprintf(b, "`%s`", x.Text)
		} else {
			b.WriteString(x.Text)
		}
		return
	case *ast.Literal:
		if x != nil {
			b.WriteString(x.Raw)
			if x.Kind == ast.StringLit && !strings.Contains(x.Raw, x.Text) {
				fmt.Fprintf(b, "=%q", x.Text)
			}
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Struct:
		fmt.Fprintf(b, "(%s", v.Type().Name())
		dumpFields(b, v)
		b.WriteByte(')')
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func dumpFields(b *strings.Builder, v reflect.Value) {
	for i := range v.NumField() {
		f, typ := v.Field(i), v.Type().Field(i)
		switch {
		case typ.Type == reflect.TypeFor[ast.Span](), typ.Type == reflect.TypeFor[ast.Pos](), f.IsZero():
		case typ.Anonymous:
			dumpFields(b, f)
		case f.Kind() == reflect.Bool:
			fmt.Fprintf(b, " %s", typ.Name)
		default:
			fmt.Fprintf(b, " %s:", typ.Name)
			dumpValue(b, f)
		}
	}
}

// Every production that the grammar uses is defined in it.
func TestGrammarComplete(t *testing.T) {
	for _, d := range Dialects() {
		defined, used := map[string]bool{}, map[string]bool{}
		for line := range strings.Lines(Grammar(d)) {
			name, right, ok := strings.Cut(strings.TrimSpace(line), " = ")
			if !ok || !strings.HasSuffix(right, " .") {
				t.Errorf("%s: no production: %s", d.Name, line)
			}
			defined[name] = true
			for i, part := range strings.Split(right, `"`) {
				if i%2 == 0 { // not a quoted word
					for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return !unicode.IsLetter(r) && r != '<' && r != '>' }) {
						if unicode.IsUpper(rune(word[0])) {
							used[word] = true
						}
					}
				}
			}
		}
		for name := range used {
			if !defined[name] {
				t.Errorf("%s: %s is used, but not defined", d.Name, name)
			}
		}
		for name := range defined {
			if !used[name] && name != "Script" {
				t.Errorf("%s: %s is defined, but not used", d.Name, name)
			}
		}
	}
}
