package duckdb_test

import (
	"context"
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
	"github.com/yqlplan/yqlplan/projection/duckdb"
	"github.com/yqlplan/yqlplan/projection/store"
)

// TestPlans runs the files of testdata. "objects" sets the listing; "columns" those of files, by how their keys begin, or
// why they can't be read; "plan" plans statements over it.
func TestPlans(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var keys []string
		var files footers
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "objects":
				keys = strings.Split(d.Input, "\n")
				return ""
			case "columns":
				files = strings.Split(d.Input, "\n")
				return ""
			case "plan":
				return plan(t, keys, files, d.Input)
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}

// footers are lines such as "t/: id INTEGER, name VARCHAR".
type footers []string

// readable is a listing of files that could be read.
type readable struct{ store.Lister }

func (readable) ReadAt(context.Context, string, []byte, int64) error { return nil }

func (f footers) columns(ctx context.Context, _ store.Reader, file store.Entry) (out []store.Column, err error) {
	store.Read(ctx)
	for _, line := range f {
		prefix, columns, _ := strings.Cut(line, ": ")
		if !strings.HasPrefix(file.Key, prefix) {
			continue
		}
		if why, bad := strings.CutPrefix(columns, "error "); bad {
			return nil, errors.New(why)
		}
		for c := range strings.SplitSeq(columns, ", ") {
			name, kind, _ := strings.Cut(c, " ")
			out = append(out, store.Column{Name: name, Type: kind})
		}
		return out, nil
	}
	return nil, errors.ErrUnsupported
}

func plan(t *testing.T, keys []string, files footers, text string) string {
	opt := planner.Options{System: "duckdb", Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Store: readable{store.NewKeys(append([]string{}, keys...))}}
	if files != nil {
		opt.Columns = files.columns
	}
	plans, diags := planner.NewSession([]projection.System{duckdb.System{}}, opt).Run(t.Context(), "q", text)
	var b strings.Builder
	for _, p := range plans {
		for _, s := range p.Scans {
			print(t, &b, s)
		}
	}
	for _, d := range diags {
		b.WriteString(d.Error() + " [" + d.Code + "]\n" + d.Excerpt())
	}
	return b.String()
}

func print(t *testing.T, b *strings.Builder, s *planner.Scan) {
	n, total, err := s.Count(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dialect, _ := parser.DialectByName("duckdb")
	sql := func(e ast.Expr) string {
		if e == nil {
			return "none"
		}
		return ast.Print(e, dialect.Style())
	}
	verb := map[bool]string{false: "read", true: "write"}[s.Write]
	fmt.Fprintf(b, "%s %s: %v of %v\n", verb, s.Table.Layout.Shape, n, total)
	fmt.Fprintf(b, "  residual %s\n", sql(s.Residual))
	if s.Listing != nil && s.Listing.Reads > 0 {
		fmt.Fprintf(b, "  reads %d\n", s.Listing.Reads)
	}
	if s.Table.Layout.Facts != nil {
		facts, err := s.Table.Layout.Facts(t.Context(), s.Diagram, s.Check)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			fmt.Fprintf(b, "  %s %s\n", f.Label, strings.Join(f.Lines, "; "))
		}
	}
	for u, err := range s.Units(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(b, "  %s", u.AppendPath(nil))
		for k, key := range s.Table.Layout.Values() {
			switch v, null, ok := u.Value(k); {
			case !ok:
				fmt.Fprintf(b, " %s unknown", key.Name)
			case null:
				fmt.Fprintf(b, " %s NULL", key.Name)
			default:
				fmt.Fprintf(b, " %s %s", key.Name, s.Table.Layout.Text(nil, key.Type, v))
			}
		}
		b.WriteByte('\n')
	}
}
