package athena_test

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
	"github.com/yqlplan/yqlplan/projection/athena"
	"github.com/yqlplan/yqlplan/pruning"
)

var testEnv = &projection.Env{Now: time.Date(2024, 3, 31, 10, 30, 0, 0, time.UTC), Limits: projection.DefaultLimits}

// Commands:
//
//	table           statements; the table that the last one reads, or what is wrong with it
//	column type=    settings of one projected column c as "property: value" lines, in Athena's spelling
//	trino type=     the same in Trino's: values are expressions
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			sql := d.Input
			switch d.Cmd {
			case "table":
			case "column":
				sql = hiveColumn(t, d)
			case "trino":
				sql = trinoColumn(t, d)
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			return describe(t, sql)
		})
	})
}

func settings(d *datadriven.TestData) (out [][2]string) {
	for line := range strings.Lines(d.Input) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		out = append(out, [2]string{name, strings.TrimPrefix(value, " ")})
	}
	return out
}

func hiveColumn(t *testing.T, d *datadriven.TestData) string {
	typ := "string"
	d.MaybeScanArgs(t, "type", &typ)
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE EXTERNAL TABLE t (v string) PARTITIONED BY (c %s) LOCATION 's3://b/t' TBLPROPERTIES ('projection.enabled'='true'", typ)
	for _, s := range settings(d) {
		fmt.Fprintf(&b, ", 'projection.c.%s'='%s'", s[0], strings.ReplaceAll(s[1], "'", "''"))
	}
	return b.String() + "); SELECT * FROM t"
}

func trinoColumn(t *testing.T, d *datadriven.TestData) string {
	typ := "varchar"
	d.MaybeScanArgs(t, "type", &typ)
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE hive.s.t (v varchar, c %s WITH (", typ)
	for i, s := range settings(d) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "partition_projection_%s = %s", s[0], s[1])
	}
	return b.String() + ")) WITH (partitioned_by = ARRAY['c'], external_location = 's3://b/t', partition_projection_enabled = true); SELECT * FROM t"
}

// describe plans the last statement and prints its table, or the diagnostics with the text that each points at.
func describe(t *testing.T, sql string) string {
	t.Helper()
	src := ast.NewSource("test", sql)
	table, err := read(t, src)
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

func read(t *testing.T, src *ast.Source) (*projection.Table, error) {
	dialect, _ := parser.DialectByName("athena")
	stmts, err := parser.Parse(src, dialect)
	if err != nil {
		return nil, err
	}
	sel := stmts[len(stmts)-1].(*ast.Select)
	return athena.System{}.Table(t.Context(), testEnv, sel.From.(*ast.TableRef), stmts[:len(stmts)-1])
}

func printTable(out *strings.Builder, table *projection.Table) {
	l := table.Layout
	fmt.Fprintf(out, "%s: %s, %s\n", table.Name, l.System, l.Shape)
	for _, c := range table.Columns {
		if c.Key >= 0 {
			fmt.Fprintf(out, "  key %d %s %s (%s)\n", c.Key, c.Name, c.Declared, c.Type)
		}
	}
	for i, level := range l.Levels {
		if !level.Fixed() {
			fmt.Fprintf(out, "  level %d is open\n", i)
			continue
		}
		axis, _ := level.Axis(context.Background(), nil)
		printAxis(out, axis, l.Keys[i].Type)
	}
}

// printAxis prints the texts of an axis, and values where these differ; of many the first and the last three.
func printAxis(out *strings.Builder, axis projection.Axis, typ pruning.Type) {
	last, _ := axis.Last()
	fmt.Fprintf(out, "  %d+1:", last)
	for i := uint64(0); ; i++ {
		if i == 3 && last > 8 {
			out.WriteString(" …")
			i = last - 2
		}
		v, _, _ := axis.Value(i)
		name, value := string(axis.AppendName(nil, i)), string(typ.Append(nil, v))
		fmt.Fprintf(out, " %q", name)
		if name != value {
			fmt.Fprintf(out, " is %s", value)
		}
		if i == last {
			break
		}
		out.WriteByte(',')
	}
	out.WriteByte('\n')
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
