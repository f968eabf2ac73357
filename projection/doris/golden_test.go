package doris_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/doris"
)

// TestGolden runs the files of testdata. "partitions" executes statements and prints behind the first line of each what
// partitions the table has then, holes included, or what is wrong with it. Tables of a file stay.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := session{env: &projection.Env{Declare: true, Limits: projection.DefaultLimits, Memo: &projection.Memo{}}}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "partitions" {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			return s.run(t, d.Input)
		})
	})
}

// session is what statements have declared.
type session struct {
	env   *projection.Env
	decls []ast.Stmt
}

func (s *session) run(t *testing.T, text string) string {
	dialect, _ := parser.DialectByName("doris")
	src := ast.NewSource("q", text)
	stmts, err := parser.Parse(src, dialect)
	var b strings.Builder
	findings(&b, err, src)
	for _, st := range stmts {
		var name []ast.Name
		switch st := st.(type) {
		case *ast.CreateTable:
			name = st.Name
		case *ast.AlterTable:
			name = st.Name
		case *ast.Insert:
			name = st.Table.Name
		default:
			continue
		}
		s.decls = append(s.decls, st)
		first, _, _ := strings.Cut(src.Slice(st.Pos(), st.End()), "\n")
		b.WriteString(first + "\n")
		ref := &ast.TableRef{Span: ast.Span{From: st.Pos(), To: st.End()}, Name: name}
		table, err := (doris.System{}).Table(t.Context(), s.env, ref, s.decls)
		if err == nil {
			err = table.Notes
		}
		findings(&b, err, src)
		for _, line := range (doris.System{}).Describe(s.env, ref, s.decls) {
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}

func findings(b *strings.Builder, err error, src *ast.Source) {
	var found ast.Diagnostics
	if !errors.As(err, &found) {
		return
	}
	found.Locate(ast.Sources{src})
	for _, d := range found {
		b.WriteString(d.Error() + " [" + d.Code + "]\n" + d.Excerpt())
	}
}
