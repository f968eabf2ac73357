package yql

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// drawDefinition draws a valid definition: columns as they are declared, names, and projection keys with values.
func drawDefinition(t *rapid.T) (columns, names []string, keys [][2]string) {
	set := func(key, value string) { keys = append(keys, [2]string{key, value}) }
	set("projection.enabled", rapid.SampledFrom([]string{"true", "T", "yes", "1", "on"}).Draw(t, "enabled"))
	template := ""
	for i := range rapid.IntRange(1, 3).Draw(t, "columns") {
		name := fmt.Sprintf("c%d", i)
		own := func(property, value string) { set("projection."+name+"."+property, value) }
		typ := ""
		switch kind := rapid.SampledFrom([]string{"integer", "enum", "date"}).Draw(t, "kind"); kind {
		case "integer":
			typ = rapid.SampledFrom([]string{"String", "Utf8", "Int32", "Int64"}).Draw(t, "type")
			min := rapid.Int64Range(-20, 20).Draw(t, "min")
			own("type", kind)
			own("min", fmt.Sprint(min))
			own("max", fmt.Sprint(min+rapid.Int64Range(0, 9).Draw(t, "span")))
			own("interval", fmt.Sprint(rapid.IntRange(1, 4).Draw(t, "interval")))
			own("digits", fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "digits")))
		case "enum":
			typ = "String"
			own("type", kind)
			own("values", strings.Join(rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z"'\\ é{}$%][a-z]`), 1, 4,
				strings.TrimSpace).Draw(t, "values"), ", "))
		case "date":
			typ = rapid.SampledFrom([]string{"String", "Utf8", "Uint32", "Date", "Datetime"}).Draw(t, "type")
			own("type", kind)
			own("min", rapid.SampledFrom([]string{"2021-01-31", "NOW - 3 MONTHS", "2021-02-28T10:00:00Z"}).Draw(t, "min"))
			own("max", rapid.SampledFrom([]string{"NOW", "2024-01-01", "NOW+1DAY"}).Draw(t, "max"))
			own("unit", rapid.SampledFrom([]string{"DAYS", "WEEKS", "MONTHS", "YEARS"}).Draw(t, "unit"))
			own("format", rapid.SampledFrom([]string{"%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y"}).Draw(t, "format"))
		}
		names, columns = append(names, name), append(columns, name+" "+typ+" NOT NULL")
		template += name + "=${" + name + "}/"
	}
	set(templateKey, template)
	return append(columns, "data String"), names, keys
}

// quoteSQL writes a string literal of YQL.
func quoteSQL(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// spell writes the definition in each of the four ways.
func spell(columns, names []string, keys [][2]string) []string {
	flat := func(sep string) string {
		var b strings.Builder
		for _, k := range keys {
			fmt.Fprintf(&b, ", `%s` %s %s", k[0], sep, quoteSQL(k[1]))
		}
		return b.String()
	}
	object := map[string]string{}
	for _, k := range keys {
		object[k[0]] = k[1]
	}
	text, _ := json.Marshal(object)
	schema, tuple, list := strings.Join(columns, ", "), strings.Join(names, ", "), `"['`+strings.Join(names, `', '`)+`']"`
	selects := "SELECT * FROM s3.`/t/` WITH (SCHEMA = (" + schema + "), PARTITIONED_BY = "
	return []string{
		selects + "(" + tuple + "), PROJECTION = " + quoteSQL(string(text)) + ")",
		selects + list + flat("=") + ")",
		selects + "(" + tuple + ")" + flat(":") + ")",
		`CREATE EXTERNAL DATA SOURCE s3 WITH (SOURCE_TYPE = "ObjectStorage", LOCATION = "https://x/");` +
			"CREATE EXTERNAL TABLE `s3.t` (" + schema + `) WITH (DATA_SOURCE = "s3", LOCATION = "/t/", PARTITIONED_BY = ` + list + flat("=") + ");SELECT * FROM `s3.t`",
	}
}

// The four spellings of one definition make the same layout.
func TestSpellings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns, names, keys := drawDefinition(t)
		want := ""
		for i, sql := range spell(columns, names, keys) {
			table, err := read(ast.NewSource("test", sql))
			if err != nil {
				t.Fatalf("%s\n%v", sql, err)
			}
			var out strings.Builder
			table.Name = ""
			printTable(&out, table)
			printAxes(&out, table.Layout)
			if i == 0 {
				want = out.String()
			} else if got := out.String(); got != want {
				t.Fatalf("%s\n got %s\nwant %s", sql, got, want)
			}
		}
	})
}

func printAxes(out *strings.Builder, l *projection.Layout) {
	for i, level := range l.Levels {
		axis, _ := level.Axis(context.Background(), nil)
		last, _ := axis.Last()
		for n := range min(last, 50) + 1 {
			v, null, ok := axis.Value(n)
			fmt.Fprintf(out, "%q %s %v %v\n", axis.AppendName(nil, n), l.Keys[i].Type.Append(nil, v), null, ok)
		}
	}
}
