package yql

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
	"github.com/yqlplan/yqlplan/projection"
)

var testEnv = &projection.Env{Now: time.Date(2023, 1, 15, 10, 30, 0, 0, time.UTC), Limits: projection.DefaultLimits}

// Commands:
//
//	table               statements; the table that the last one reads, or what is wrong with it
//	column type= kind=  settings of one projected column c as "property: value" lines
//	partitioned         the value of PARTITIONED_BY in a table with the columns a, b and data
//	json                the text of PROJECTION in a table partitioned by the Int32 column y
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			sql := d.Input
			switch d.Cmd {
			case "table":
			case "column":
				sql = columnSQL(t, d)
			case "partitioned":
				sql = "SELECT * FROM s3.`/x/` WITH (SCHEMA = (a String NOT NULL, b String NOT NULL, data String), PARTITIONED_BY = " + d.Input + ")"
			case "json":
				sql = "SELECT * FROM s3.`/` WITH (SCHEMA = (data String, y Int32 NOT NULL), PARTITIONED_BY = (y), PROJECTION = @@" + d.Input + "@@)"
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			return describe(t, sql)
		})
	})
}

func columnSQL(t *testing.T, d *datadriven.TestData) string {
	var typ, kind string
	d.ScanArgs(t, "type", &typ)
	d.ScanArgs(t, "kind", &kind)
	var b strings.Builder
	fmt.Fprintf(&b, "SELECT * FROM s3.`/` WITH (SCHEMA = (data String, c %s NOT NULL), PARTITIONED_BY = (c), `projection.enabled` = 'true', `projection.c.type` = '%s'", typ, kind)
	for line := range strings.Lines(d.Input) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		fmt.Fprintf(&b, ", `projection.c.%s` = '%s'", name, strings.TrimPrefix(value, " "))
	}
	b.WriteString(", `storage.location.template` = '${c}')")
	return b.String()
}

// describe plans the last statement and prints its table, or the diagnostics with the text that each points at.
func describe(t *testing.T, sql string) string {
	t.Helper()
	src := ast.NewSource("test", sql)
	table, err := read(src)
	var out strings.Builder
	if table != nil {
		printTable(&out, table)
		printDiagnostics(&out, src, table.Notes)
	}
	var ds ast.Diagnostics
	if errors.As(err, &ds) {
		printDiagnostics(&out, src, ds)
	} else if err != nil {
		fmt.Fprintf(&out, "%v\n", err)
	}
	return out.String()
}

// read makes the table of the last statement.
func read(src *ast.Source) (*projection.Table, error) {
	table, _, err := readAt(testEnv, src)
	return table, err
}

func readAt(env *projection.Env, src *ast.Source) (*projection.Table, *ast.Select, error) {
	dialect, _ := parser.DialectByName("yql")
	stmts, err := parser.Parse(src, dialect)
	if err != nil {
		return nil, nil, err
	}
	if len(stmts) == 0 {
		return nil, nil, errors.New("no statement")
	}
	last := stmts[len(stmts)-1]
	if x, ok := last.(*ast.Explain); ok {
		last = x.Stmt
	}
	sel, ok := last.(*ast.Select)
	if !ok {
		return nil, nil, errors.New("the last statement is no SELECT")
	}
	ref, ok := sel.From.(*ast.TableRef)
	if !ok {
		return nil, sel, errors.New("the SELECT isn't from one table")
	}
	table, err := System{}.Table(context.Background(), env, ref, stmts[:len(stmts)-1])
	return table, sel, err
}

func printTable(out *strings.Builder, table *projection.Table) {
	l := table.Layout
	fmt.Fprintf(out, "%s: %s, %s\n", table.Name, l.System, l.Shape)
	for _, c := range table.Columns {
		fmt.Fprintf(out, "  %s %s", c.Name, c.Declared)
		if c.Key >= 0 {
			fmt.Fprintf(out, ", key %d", c.Key)
		}
		out.WriteByte('\n')
	}
	first, last, count := &projection.Place{}, &projection.Place{}, []string{}
	for _, level := range l.Levels {
		axis, _ := level.Axis(context.Background(), nil)
		n, _ := axis.Last()
		first.Axes, first.Index = append(first.Axes, axis), append(first.Index, 0)
		last.Axes, last.Index = append(last.Axes, axis), append(last.Index, n)
		count = append(count, fmt.Sprintf("%d+1", n))
	}
	fmt.Fprintf(out, "%s %s: %q … %q\n", strings.Join(count, " × "), l.Unit, l.Template.AppendPath(nil, first), l.Template.AppendPath(nil, last))
}

func printDiagnostics(out *strings.Builder, src *ast.Source, ds ast.Diagnostics) {
	for _, d := range ds {
		at := "?"
		if d.Pos.IsValid() && d.End >= d.Pos && int(d.End) <= len(src.Text) {
			at = src.Slice(d.Pos, d.End)
		}
		fmt.Fprintf(out, "%s %s at «%s»\n  %s\n", d.Severity, d.Code, strings.ReplaceAll(at, "\n", "⏎"), d.Msg)
		if d.Hint != "" {
			fmt.Fprintf(out, "  hint: %s\n", d.Hint)
		}
	}
}
