package doris_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/doris"
)

// TestGolden runs the files of testdata. "partitions" executes statements and prints behind the first line of each what
// partitions the table has then, holes included, or what is wrong with it. "plan" plans statements as of 2024-05-01
// 12:30:45 and prints what each of them reads or writes. Tables of a file stay.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := session{env: &projection.Env{Declare: true, Limits: projection.DefaultLimits, Memo: &projection.Memo{}}}
		opt := planner.Options{System: "doris", Now: time.Date(2024, 5, 1, 12, 30, 45, 0, time.UTC)}
		planned := planner.NewSession([]projection.System{doris.System{}}, opt)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "partitions":
				return s.run(t, d.Input)
			case "plan":
				return plan(t, planned, d.Input)
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
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

// plan runs statements and prints for each scan what is read, with the buckets where not all of a partition are, and what
// is left to filter.
func plan(t *testing.T, s *planner.Session, text string) string {
	dialect, _ := parser.DialectByName("doris")
	plans, found := s.Run(t.Context(), "q", text)
	var b strings.Builder
	for _, p := range plans {
		for _, scan := range p.Scans {
			n, total, err := scan.Count(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s: %v of %v buckets", ast.Print(p.Stmt, dialect.Style()), n, total)
			b.WriteString(units(t, scan))
			if scan.Residual != nil {
				b.WriteString("; filter " + ast.Print(scan.Residual, dialect.Style()))
			}
			b.WriteByte('\n')
		}
	}
	for _, d := range found {
		fmt.Fprintf(&b, "%s [%s]\n%s", d.Error(), d.Code, d.Excerpt())
	}
	return b.String()
}

// units are partitions with their buckets: p1 3,5.
func units(t *testing.T, s *planner.Scan) string {
	var b strings.Builder
	last := ""
	for u, err := range s.Units(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		name, bucket, _, _ := s.Table.Layout.Names(&u.Place)
		if name != last {
			last = name
			fmt.Fprintf(&b, "; %s %d", name, bucket)
		} else {
			fmt.Fprintf(&b, ",%d", bucket)
		}
	}
	return b.String()
}
