package yql

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
)

const documented = "SELECT * FROM s3.`/` WITH (SCHEMA = (data String, year Int32 NOT NULL, month Int32 NOT NULL), PARTITIONED_BY = \"['year', 'month']\"," +
	"`projection.enabled` = 'true', `projection.year.type` = 'integer', `projection.year.min` = '2010', `projection.year.max` = '2022', `projection.year.interval` = '1'," +
	"`projection.month.type` = 'integer', `projection.month.min` = '1', `projection.month.max` = '12', `projection.month.interval` = '1', `projection.month.digits` = '2'," +
	"`storage.location.template` = '${year}/${month}')"

// Whatever parses is read without a panic, and what is found has a place in the text, a code and a message.
func FuzzTable(f *testing.F) {
	f.Add(documented)
	f.Add("SELECT * FROM s3.`/` WITH (SCHEMA = Struct<d:String?, y:Int32>, PARTITIONED_BY = (y), PROJECTION = @@{'projection.enabled': true, projection.y.type: date, projection.y.min: \"NOW-3DAYS\", \"projection.y.max\": NOW, \"projection.y.format\": \"%Y\\u002f%m\", \"storage.location.template\": \"${y}/x\\\\$\"}@@)")
	f.Add("CREATE EXTERNAL DATA SOURCE s WITH (SOURCE_TYPE = 'ObjectStorage'); CREATE EXTERNAL TABLE t (a String, b Date) WITH (DATA_SOURCE = 's', LOCATION = '/', PARTITIONED_BY = '[b]', FORMAT = 'raw'); SELECT * FROM t")
	f.Add("USE s; SELECT * FROM `/{a,b}*` WITH SCHEMA (a Int32)")
	f.Fuzz(func(t *testing.T, sql string) {
		src := ast.NewSource("fuzz", sql)
		_, err := read(src)
		var ds ast.Diagnostics
		if !errors.As(err, &ds) {
			return
		}
		for _, d := range ds {
			if strings.HasPrefix(d.Code, "syntax.") {
				return
			}
			if !d.Pos.IsValid() || d.End < d.Pos || int(d.End) > len(sql) || d.Code == "" || d.Msg == "" {
				t.Fatalf("%q: %+v", sql, d)
			}
		}
	})
}

// Large definitions take time and memory in proportion to their size.
func TestLargeDefinitions(t *testing.T) {
	const n = 30_000
	repeat := func(s string) string { return strings.Repeat(s, n) }
	for name, sql := range map[string]string{
		"options":  "SELECT * FROM s3.`/` WITH (SCHEMA = (a String)" + repeat(", `projection.a.b` = 'x'") + ")",
		"columns":  "SELECT * FROM s3.`/` WITH (SCHEMA = (a String" + repeat(", b String") + "))",
		"names":    "SELECT * FROM s3.`/` WITH (SCHEMA = (a String), PARTITIONED_BY = (a" + repeat(", b") + "))",
		"list":     "SELECT * FROM s3.`/` WITH (SCHEMA = (a String), PARTITIONED_BY = \"[a" + repeat(", \\\"b\\\"") + "]\")",
		"json":     "SELECT * FROM s3.`/` WITH (SCHEMA = (a String), PARTITIONED_BY = (a), PROJECTION = \"{a:1" + repeat(", \\\"b\\\": 1") + "}\")",
		"words":    strings.Replace(documented, "'12'", "'"+repeat("1,")+"'", 1),
		"template": strings.Replace(documented, "${month}", "${month}"+repeat("${x}"), 1),
		"path":     strings.Replace(documented, "`/`", "`"+repeat("*/")+"`", 1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(ast.NewSource("test", sql))
			var ds ast.Diagnostics
			if !errors.As(err, &ds) || len(ds) > 300 {
				t.Errorf("%d findings, %T", len(ds), err)
			}
		})
	}
}

func BenchmarkTable(b *testing.B) {
	dialect, _ := parser.DialectByName("yql")
	stmts, err := parser.Parse(ast.NewSource("bench", documented), dialect)
	if err != nil {
		b.Fatal(err)
	}
	ref := stmts[0].(*ast.Select).From.(*ast.TableRef)
	env := &projection.Env{Now: testEnv.Now}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (System{}).Table(context.Background(), env, ref, nil); err != nil {
			b.Fatal(err)
		}
	}
}
