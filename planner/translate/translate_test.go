package translate

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection/systems"
)

// Properties draw the same cases in every run, unless -rapid.seed says otherwise.
func TestMain(m *testing.M) {
	flag.Set("rapid.seed", "1")
	flag.Set("rapid.nofailfile", "true")
	flag.Parse()
	os.Exit(m.Run())
}

var now = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

func options(from string, to Target) Options {
	return Options{Options: planner.Options{System: from, Now: now}, Systems: systems.All(), To: to}
}

// TestGolden translates each input: from=yql to=athena.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var from, to string
			d.ScanArgs(t, "from", &from)
			d.ScanArgs(t, "to", &to)
			target, ok := Named(to)
			if !ok {
				d.Fatalf(t, "no target %s", to)
			}
			out, ds := Text(context.Background(), options(from, target), "q.sql", d.Input)
			for _, x := range ds {
				out += fmt.Sprintf("%s: %s: %s\n", x.Severity, x.Code, x.Msg)
				if x.Hint != "" {
					out += "    hint: " + x.Hint + "\n"
				}
			}
			return out
		})
	})
}

// drawTable draws a projected table of YQL whose columns have typed values, so that conditions mean the same everywhere.
func drawTable(t *rapid.T) string {
	type column struct{ name, typ, settings string }
	key := func(col, name, value string) string {
		return fmt.Sprintf(", `projection.%s.%s` = %q", col, name, value)
	}
	var columns []column
	for i := range rapid.IntRange(1, 3).Draw(t, "columns") {
		name := fmt.Sprintf("k%d", i)
		switch rapid.SampledFrom([]string{"integer", "enum", "date", "time"}).Draw(t, "type") {
		case "integer":
			lo := rapid.IntRange(-5, 20).Draw(t, "min")
			s := key(name, "type", "integer") + key(name, "min", fmt.Sprint(lo)) + key(name, "max", fmt.Sprint(lo+rapid.IntRange(0, 9).Draw(t, "more")))
			if rapid.Bool().Draw(t, "stepped") {
				s += key(name, "interval", fmt.Sprint(rapid.IntRange(1, 4).Draw(t, "interval")))
			}
			if rapid.Bool().Draw(t, "filled") {
				s += key(name, "digits", fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "digits")))
			}
			columns = append(columns, column{name, "Int64", s})
		case "enum":
			values := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b c", "Ж", "x'y", "1"}), 1, 4, rapid.ID[string]).Draw(t, "values")
			columns = append(columns, column{name, "String", key(name, "type", "enum") + key(name, "values", strings.Join(values, ","))})
		case "date":
			unit := rapid.SampledFrom([]string{"DAYS", "WEEKS", "MONTHS", "YEARS"}).Draw(t, "unit")
			columns = append(columns, column{name, "Date", key(name, "type", "date") + key(name, "min", fmt.Sprintf("2024-%02d-%02d", rapid.IntRange(1, 3).Draw(t, "month"), rapid.IntRange(1, 29).Draw(t, "day"))) +
				key(name, "max", rapid.SampledFrom([]string{"2024-04-30", "NOW", "NOW-1DAYS", "2026-01-31"}).Draw(t, "max")) + key(name, "unit", unit) +
				key(name, "format", rapid.SampledFrom([]string{"%Y-%m-%d", "%Y/%m/%d", "d=%d.%m.%Y", "%y%j", "%d %b %Y"}).Draw(t, "format")) + key(name, "interval", fmt.Sprint(rapid.IntRange(1, 40).Draw(t, "interval")))})
		default:
			columns = append(columns, column{name, "Datetime", key(name, "type", "date") + key(name, "min", "2024-04-30") + key(name, "max", rapid.SampledFrom([]string{"2024-05-01", "NOW"}).Draw(t, "max")) +
				key(name, "unit", "HOURS") + key(name, "format", rapid.SampledFrom([]string{"%Y-%m-%dT%H", "%Y%m%d/%H"}).Draw(t, "format")) + key(name, "interval", fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "interval")))})
		}
	}
	var names, types, template []string
	settings := ""
	for _, c := range columns {
		names, types, template = append(names, c.name), append(types, c.name+" "+c.typ+" NOT NULL"), append(template, rapid.SampledFrom([]string{"", c.name + "=", "\\\\$x-"}).Draw(t, "prefix")+"${"+c.name+"}")
		settings += c.settings
	}
	return "CREATE EXTERNAL DATA SOURCE s WITH (SOURCE_TYPE = \"ObjectStorage\", LOCATION = \"https://storage.example.net/bucket/\", AUTH_METHOD = \"NONE\");\n" +
		"CREATE EXTERNAL TABLE t (data String, " + strings.Join(types, ", ") + ") WITH (DATA_SOURCE = \"s\", LOCATION = \"/logs/\", PARTITIONED_BY = \"[" + strings.Join(names, ", ") +
		"]\", `projection.enabled` = \"true\"" + settings + ", `storage.location.template` = \"" + strings.Join(template, "/") + "\");\n"
}

// TestRoundTrip: a table that comes back from Athena's or Trino's notation plans the same prefixes.
func TestRoundTrip(t *testing.T) {
	done := 0
	rapid.Check(t, func(t *rapid.T) {
		original := drawTable(t)
		want, ds := prefixes("yql", original)
		if ds != "" {
			t.Skip(ds) // two values with one path, or an empty range
		}
		via := rapid.SampledFrom([]Target{Athena, Trino}).Draw(t, "via")
		there, found := Text(context.Background(), options("yql", via), "there.sql", original)
		if found.HasErrors() {
			t.Logf("refused: %v", found)
			return
		}
		back, found := Text(context.Background(), options("athena", YQL), "back.sql", there)
		if found.HasErrors() {
			t.Fatalf("%s\n%s\n%v", original, there, found)
		}
		got, ds := prefixes("yql", back)
		if ds != "" || !slices.Equal(got, want) {
			t.Fatalf("%s\n%s\n%s\n%s: %q, want %q", original, there, back, ds, got, want)
		}
		done++
	})
	if done < 40 {
		t.Errorf("only %d tables were translated", done)
	}
}

// drawAthena draws a projected table of Athena: all kinds but injected, all types that they may feed, all units.
func drawAthena(t *rapid.T) string {
	pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
	var columns, settings, template []string
	for i := range rapid.IntRange(1, 3).Draw(t, "columns") {
		name := fmt.Sprintf("k%d", i)
		set := func(key, value string) {
			settings = append(settings, fmt.Sprintf("'projection.%s.%s'='%s'", name, key, value))
		}
		typ := "string"
		switch kind := pick("kind", "integer", "enum", "date"); kind {
		case "integer":
			typ = pick("type", "int", "bigint", "string")
			lo := rapid.IntRange(-5, 20).Draw(t, "min")
			set("range", fmt.Sprintf("%d,%d", lo, lo+rapid.IntRange(0, 9).Draw(t, "more")))
			if rapid.Bool().Draw(t, "stepped") {
				set("interval", pick("interval", "1", "3"))
			}
			if rapid.Bool().Draw(t, "filled") {
				set("digits", pick("digits", "1", "2", "4"))
			}
			set("type", kind)
		case "enum":
			set("values", strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b c", "Ж", "1", "$", `x\\y`}), 1, 4, rapid.ID[string]).Draw(t, "values"), ","))
			set("type", kind)
		default:
			typ = pick("type", "string", "date", "timestamp")
			form := pick("format", "yyyy-MM-dd", "yyyy/MM/dd", "yyyyMMdd", "yyyy-MM", "yyyy", "dd.MM.yyyy", "MMM d yyyy", "yyyy-DDD", "yyyy/MM/dd/HH", "'d='yyyy-MM-dd''T''HH")
			form = strings.ReplaceAll(form, "'", "\\'")
			set("format", form)
			set("range", pick("range", "NOW-40DAYS,NOW", "NOW-2MONTHS,NOW+1DAYS", "NOW - 3 YEARS , NOW"))
			if strings.Contains(form, "HH") || rapid.Bool().Draw(t, "stepped") {
				set("interval", pick("interval", "1", "5"))
				set("interval.unit", pick("unit", "YEARS", "MONTHS", "WEEKS", "DAYS"))
			}
			set("type", kind)
		}
		columns = append(columns, name+" "+typ)
		template = append(template, pick("prefix", "", name+"=", "x/y-")+"${"+name+"}"+pick("suffix", "", "_"))
	}
	if rapid.Bool().Draw(t, "template") {
		settings = append(settings, "'storage.location.template'='s3://b/t/"+strings.Join(template, "/")+pick("end", "", "/")+"'")
	}
	return "CREATE EXTERNAL TABLE t (v string, s struct<a:int,b:array<string>>) PARTITIONED BY (" + strings.Join(columns, ", ") +
		") LOCATION 's3://b/t/' TBLPROPERTIES ('projection.enabled'='true', " + strings.Join(settings, ", ") + ");\n"
}

// TestRoundTripAthena: a table that goes through other notations plans the same prefixes, in each of them.
func TestRoundTripAthena(t *testing.T) {
	done := map[Target]int{}
	rapid.Check(t, func(t *rapid.T) {
		original := drawAthena(t)
		want, ds := prefixes("athena", original)
		if ds != "" {
			t.Skip(ds)
		}
		via := rapid.SampledFrom([]Target{Trino, YQL}).Draw(t, "via")
		there, found := Text(context.Background(), options("athena", via), "there.sql", original)
		if found.HasErrors() {
			return
		}
		system := via.system()
		opt := options(system, Athena)
		back, found := Text(context.Background(), opt, "back.sql", there)
		if found.HasErrors() {
			t.Fatalf("%s\n%s\n%v", original, there, found)
		}
		if got, ds := prefixes("athena", back); ds != "" || !slices.Equal(got, want) {
			t.Fatalf("%s\n%s\n%s\n%s: %q, want %q", original, there, back, ds, got, want)
		}
		done[via]++
	})
	if done[Trino] < 20 || done[YQL] < 10 {
		t.Errorf("only %v tables were translated", done)
	}
}

// prefixes are those of a table t, in order.
func prefixes(system, sql string) (out []string, errors string) {
	plans, ds := planner.NewSession(systems.All(), planner.Options{System: system, Now: now}).Run(context.Background(), "q.sql", sql+"; SELECT * FROM t;")
	if ds.HasErrors() {
		return nil, ds.Error()
	}
	for u, err := range plans[0].Scans[0].Units(context.Background()) {
		if err != nil {
			return nil, err.Error()
		}
		out = append(out, string(u.AppendPath(nil)))
	}
	slices.Sort(out)
	return out, ""
}
