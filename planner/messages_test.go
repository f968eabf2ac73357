package planner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// mistake is a text with one mistake, where « stands; the code of the finding and words that stand in its message or hint.
type mistake struct{ sql, code, words string }

// reading is a SELECT over one projected column, with hints of a mistake in it.
func reading(columns, by, keys string) string {
	return "SELECT * FROM s3.`/p/` WITH (SCHEMA = (data String, " + columns + "), PARTITIONED_BY = " + by + ", " + keys + ")"
}

// numbers, words and days are reading of an integer, an enum and a date projection with one property changed or left out.
func numbers(column string, change string) string {
	return changed("x "+column, map[string]string{"type": "integer", "min": "1", "max": "9"}, []string{"type", "min", "max"}, change)
}

func words(column string, change string) string {
	return changed("x "+column, map[string]string{"type": "enum", "values": "a,b"}, []string{"type", "values"}, change)
}

func days(column string, change string) string {
	return changed("x "+column, map[string]string{"type": "date", "min": "2021-01-01", "max": "2021-01-09", "format": "%Y-%m-%d"},
		[]string{"type", "min", "max", "format"}, change)
}

// changed writes the properties in order, the change "min=«0" in the place of its own or behind the others, and without min for
// "-min".
func changed(column string, props map[string]string, order []string, change string) string {
	keys := []string{"`projection.enabled` = 'true'"}
	name, value, _ := strings.Cut(change, "=")
	if _, known := props[name]; !known && value != "" {
		order = append(order, name)
	}
	for _, p := range order {
		text := props[p]
		switch {
		case p == name:
			text = value
		case "-"+p == change:
			continue
		}
		if rest, key := strings.CutPrefix(text, "«key "); key {
			p, text = "«"+p, rest
		}
		keys = append(keys, "`projection.x."+p+"` = '"+text+"'")
	}
	return reading(column, "(x)", strings.Join(append(keys, "`storage.location.template` = '${x}'"), ", "))
}

const good = "`projection.enabled` = 'true', `projection.x.type` = 'integer', `projection.x.min` = '1', `projection.x.max` = '9'"

// mistakes are the conditions under which YDB refuses a query over object storage, and those that it fails to see.
func mistakes() []mistake {
	template := func(t string) string {
		return reading("x Int32 NOT NULL", "(x)", good+", `storage.location.template` = '"+t+"'")
	}
	where := func(w string) string { return template("${x}") + " WHERE " + w }
	json := func(j string) string { return reading("x Int32 NOT NULL", "(x)", "PROJECTION = "+j) }
	with := func(o string) string {
		return reading("x Int32 NOT NULL", "(x)", o+", "+good+", `storage.location.template` = '${x}'")
	}
	return []mistake{
		{with("«FOO = '1'"), "with.unknown", "FOO unknown"},
		{with("FORMAT = '«xml'"), "with.format", "FORMAT xml csv_with_names"},
		{with("COMPRESSION = '«rar'"), "with.value", "COMPRESSION rar gzip"},
		{with("FORMAT = 'parquet', COMPRESSION = '«gzip'"), "with.format", "parquet"},
		{with("FORMAT = 'raw', COMPRESSION = '«lz4'"), "with.format", "lz4 raw"},
		{with("FORMAT = 'json_list', COMPRESSION = '«lz4'"), "with.format", "lz4 json_list"},
		{with("FORMAT = 'csv_with_names', CSV_DELIMITER = '«;;'"), "with.value", "CSV_DELIMITER one character"},
		{with("`DATA.INTERVAL.UNIT` = '«YEARS'"), "with.value", "DATA.INTERVAL.UNIT YEARS SECONDS"},
		{"SELECT * FROM «s3.`/p/`", "schema.missing", "schema"},
		{reading("x Int32, «x Int32", "(x)", good+", `storage.location.template` = '${x}'"), "schema.duplicate", "x twice"},
		{reading("x Int32", "(«y)", good+", `storage.location.template` = '${x}'"), "partitioned.column", "y schema"},
		{reading("x Int32", "(x, «x)", good+", `storage.location.template` = '${x}'"), "partitioned.duplicate", "x twice"},
		{reading("x Int32", "'«year'", good+", `storage.location.template` = '${x}'"), "partitioned.list", "year list"},
		{reading("x Int32", "«'[]'", good+", `storage.location.template` = '${x}'"), "partitioned.list", "empty"},
		{reading("x Int32", "'[«1]'", good+", `storage.location.template` = '${x}'"), "partitioned.list", "names"},
		{reading("x Int32, y Int32", "(x, «y)", good+", `storage.location.template` = '${x}/${y}'"), "projection.column", "y projection"},
		{json("@@«[]@@"), "projection.json", "object"},
		{json("@@{\"projection.enabled\": «null}@@"), "projection.json", "null"},
		{json("«''"), "projection.json", "empty"},
		{reading("x Int32", "(x)", "«`projection.x.type` = 'integer', `projection.x.min` = '1', `projection.x.max` = '9', `storage.location.template` = '${x}'"),
			"projection.enabled", "missing"},
		{numbers("Int32", "enabled=«key 1"), "projection.property", "enabled"},
		{numbers("Int32", "step=«key 1"), "projection.property", "step"},
		{numbers("Int32", "values=«key 1"), "projection.property", "values"},
		{numbers("Int32", "type=«int"), "projection.type", "int integer enum date"},
		{numbers("Int32", "min=«1.5"), "projection.bound", "min 1.5 whole"},
		{numbers("Int32", "max=«9223372036854775808"), "projection.bound", "max 9223372036854775808"},
		{numbers("Int32", "min=«10"), "projection.range", "min 10 max 9"},
		{numbers("Int32", "interval=«0"), "projection.interval", "interval 1"},
		{numbers("Int32", "digits=«65"), "projection.digits", "digits 64"},
		{numbers("«Bool", ""), "partitioned.type", "x Bool integer"},
		{numbers("Uint32", "min=«-1"), "projection.range", "-1 Uint32"},
		{numbers("Int32", "max=«2147483648"), "projection.range", "2147483648 Int32"},
		{words("String", "values=«,"), "projection.values", "values"},
		{words("String", "values=a,b,«a"), "projection.values", "a twice"},
		{words("«Int32", ""), "partitioned.type", "x Int32 enum"},
		{words("String", "min=«key 1"), "projection.property", "min"},
		{days("Date", "min=2021-02-«30"), "projection.bound", "min 2021-02-30"},
		{days("Date", "max=«2106-01-01"), "projection.range", "max 2105-12-31"},
		{days("Date", "max=NOW+«4096YEARS"), "projection.range", "max 2105-12-31"},
		{days("Date", "max=NOW+1 «MILLISECONDS"), "projection.now", "MILLISECONDS DAYS"},
		{days("Date", "unit=«DAY"), "projection.unit", "unit DAY DAYS"},
		{days("Date", "format=«"), "projection.format", "format empty"},
		{days("Date", "digits=«key 2"), "projection.property", "digits"},
		{days("«Int32", ""), "partitioned.type", "x Int32 date"},
		{strings.Replace(reading("x Int32", "(x)", good), "s3", "«s3", 1), "template.missing", "storage.location.template x=${x}/"},
		{template("«abc"), "template.column", "x"},
		{template("${x}/${«y}"), "template.column", "y"},
		{template("${x}/«${"), "template.unclosed", "${"},
		{template("«\\\\q${x}"), "template.escape", "\\"},
		{days("Date", "format=«%Y"), "template.collision", "2021"},
		{where("«yaer = 1"), "bind.column", "yaer"},
		{where("«X = 1"), "bind.column", "X case-sensitive x"},
		{where("x = «'1'"), "bind.compare", "Int32 String 1"},
		{where("x = «Date('2021-01-01')"), "bind.compare", "Int32 Date"},
		{where("x = 1 AND Date('«2021-02-30') IS NULL"), "bind.literal", "2021-02-30 day"},
		{where("«x"), "bind.bool", "Int32 Bool"},
		{where("«NOT x = 1"), "bind.bool", "NOT binds tighter"},
		{where("x = «$z"), "bind.param", "$z defined"},
		{where("x = «300t"), "bind.number", "300t"},
		{where("x = 1 AND «AND x = 2"), "syntax.operand", "missing AND"},
		{"SELECT * FROM «nowhere", "table.unknown", "nowhere exist"},
		{"SELECT * FROM s3.`/a«*`" + strings.TrimPrefix(template("${x}"), "SELECT * FROM s3.`/p/`"), "path.wildcard", "wildcard"},
	}
}

// Each mistake is found where it is, with one code, and said in words that name the thing and the value.
func TestMessages(t *testing.T) {
	for _, m := range mistakes() {
		before, after, _ := strings.Cut(m.sql, "«")
		s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{Now: time.Date(2024, 5, 17, 0, 0, 0, 0, time.UTC)})
		_, found := s.Run(t.Context(), "q", before+after)
		if !found.HasErrors() {
			t.Errorf("%s\naccepted, want %s", m.sql, m.code)
			continue
		}
		hit := false
		for _, d := range found {
			text := d.Msg + " " + d.Hint
			from, to := d.Source.Position(d.Pos).Column, d.Source.Position(d.End).Column
			at := from <= len(before)+1 && len(before)+1 <= to && d.End-d.Pos < 50
			says := true
			for w := range strings.FieldsSeq(m.words) {
				says = says && strings.Contains(text, w)
			}
			hit = hit || d.Code == m.code && at && says
		}
		if !hit {
			t.Errorf("%s\nwant %s with %q, got\n%s", m.sql, m.code, m.words, findings(found))
		}
	}
}
