package translate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// table is one table on its way into another notation.
type table struct {
	*writer
	name string
}

// setting is one property of a projected column, in Athena's words.
type setting struct{ name, value string }

// write is the whole declaration.
func (t *table) write(ctx context.Context) string {
	var data, keys, settings []string
	columns := map[string][]setting{}
	for _, c := range t.table.Columns {
		if c.Virtual {
			continue
		}
		if c.Key < 0 {
			data = append(data, t.quoted(c.Name)+" "+t.dataType(c))
			continue
		}
		axis, _ := t.table.Layout.Levels[c.Key].Axis(ctx, nil) // nil for an injected column
		columns[c.Name] = t.project(c, axis)
		keys = append(keys, c.Name)
	}
	keys = t.inOrder(keys)
	types := map[string]string{}
	for _, k := range keys {
		types[k] = t.keyType(k)
	}
	for _, k := range keys {
		for _, s := range columns[k] {
			settings = append(settings, t.option("projection."+k+"."+s.name, s.value))
		}
	}
	switch t.opt.To {
	case YQL:
		return t.yql(data, keys, types, settings)
	case Athena:
		return t.athena(data, keys, types, settings)
	}
	return t.trino(data, keys, types, columns)
}

// inOrder puts partition columns in the order of the levels.
func (t *table) inOrder(keys []string) []string {
	out := make([]string, 0, len(keys))
	for _, k := range t.table.Layout.Values() {
		if slices.Contains(keys, k.Name) {
			out = append(out, k.Name)
		}
	}
	return out
}

func (t *table) dataType(c projection.Column) string {
	written := t.types[c.Pos]
	if written == nil {
		t.refuse(c.Name, "declare its type", "the type %s isn't written where the column is declared", c.Declared)
		return ""
	}
	name, loss, lacks, ok := typeIn(t.opt.To, written)
	switch {
	case !ok:
		t.refuse(c.Name, "declare it as a text, or drop it", "the type %s has no counterpart", lacks)
	case loss != "":
		t.Notef("translate.type", t.column(c.Name), "", "%s: %s becomes %s, %s", c.Name, c.Declared, name, loss)
	}
	return name
}

// keyType is the type of a partition column.
func (t *table) keyType(name string) string {
	i := slices.IndexFunc(t.table.Columns, func(c projection.Column) bool { return c.Name == name })
	c := t.table.Columns[i]
	if t.opt.To == YQL && c.Type.Kind == pruning.Timestamp {
		return "Datetime" // the only type of YDB's projections that has a time
	}
	return t.dataType(c)
}

// project are the settings of one column.
func (t *table) project(c projection.Column, axis projection.Axis) []setting {
	switch a := projection.Unescaped(axis).(type) {
	case *projection.Integer:
		return t.number(c, a.Spec())
	case *projection.Date:
		return t.date(c, a)
	case *projection.Enum:
		return t.enum(c, a.Names())
	}
	return []setting{{"type", "injected"}}
}

func (t *table) number(c projection.Column, s projection.NumberSpec) []setting {
	lo, hi := strconv.FormatInt(s.Min, 10), strconv.FormatInt(s.Max, 10)
	out := []setting{{"type", "integer"}, {"range", lo + "," + hi}}
	if t.opt.To == YQL {
		out = []setting{{"type", "integer"}, {"min", lo}, {"max", hi}}
	}
	if t.opt.To == Trino && (s.Min < -1<<31 || s.Max > 1<<31-1) {
		t.refuse(c.Name, "", "Trino keeps numbers of 32 bits, and its range is %s to %s", lo, hi)
	}
	if s.Step > 1 {
		out = append(out, setting{"interval", strconv.FormatUint(s.Step, 10)})
	}
	if s.Width > 1 {
		out = append(out, setting{"digits", strconv.Itoa(s.Width)})
		if c.Type.Kind == pruning.String {
			t.Warnf("translate.text", t.column(c.Name), "compare with its values as they are there",
				"%s is a text: in YDB its values are numbers without zeros in front, in Athena and Trino they have %d digits", c.Name, s.Width)
		}
	}
	return out
}

func (t *table) enum(c projection.Column, words []string) []setting {
	for _, w := range words {
		switch {
		case strings.Contains(w, ","):
			t.refuse(c.Name, "", "the value %s has a comma", projection.Quote(w))
		case w != strings.TrimSpace(w) && t.opt.To != Athena:
			t.refuse(c.Name, "", "the value %s has blanks at its ends, which would be dropped", projection.Quote(w))
		}
	}
	return []setting{{"type", "enum"}, {"values", strings.Join(words, ",")}}
}

// date writes the dates of a column: the pattern in the target's language, and bounds in its form.
func (t *table) date(c projection.Column, a *projection.Date) []setting {
	s := a.Spec()
	last, _ := a.Last()
	format, lacks := s.Format.AsJava()
	if t.opt.To == YQL {
		format, lacks = s.Format.AsStrftime()
	}
	if lacks != "" {
		t.refuse(c.Name, "", "the format %s has no counterpart: %s", projection.Quote(s.Format.String()), lacks)
		return nil
	}
	from, to := t.bound(s.From, s, a.Instant(0)), t.bound(s.To, s, a.Instant(last))
	t.textOfDate(c, s)
	out := []setting{{"type", "date"}, {"format", format}}
	unit := s.Unit.String()
	if t.opt.To == YQL {
		out = append(out, setting{"min", from}, setting{"max", to}, setting{"unit", unit})
	} else {
		if s.Unit == datefmt.Milliseconds {
			unit = "MILLIS"
		}
		out = append(out, setting{"range", from + "," + to}, setting{"interval.unit", unit})
	}
	return append(out, setting{"interval", strconv.FormatInt(max(1, s.Interval), 10)})
}

// bound is a NOW expression as it was written, or an instant: as ISO in YQL, in the column's format elsewhere.
func (t *table) bound(now string, s projection.DateSpec, us int64) string {
	switch {
	case now != "" && t.opt.To == YQL:
		return now
	case now != "":
		return strings.ToUpper(strings.Join(strings.Fields(now), ""))
	case t.opt.To != YQL:
		return string(s.Format.Append(nil, datefmt.FromMicros(us)))
	}
	at := time.UnixMicro(us).UTC()
	if us%datefmt.Days.Micros() == 0 {
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02T15:04:05.999999Z")
}

// textOfDate warns of text columns, whose values are in the column's format in one system and ISO dates in the other.
func (t *table) textOfDate(c projection.Column, s projection.DateSpec) {
	same := (t.table.System == "yql") == (t.opt.To == YQL)
	if iso, _ := s.Format.AsStrftime(); c.Type.Kind == pruning.String && !same && iso != "%Y-%m-%d" {
		t.Warnf("translate.text", t.column(c.Name), "compare with its values as they are there",
			"%s is a text: in YDB its values are dates such as 2021-02-03, in Athena and Trino they are in the format of paths", c.Name)
	}
}

func (t *table) quoted(name string) string {
	switch {
	case t.opt.To == Trino:
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// option is one key with its value.
func (t *table) option(key, value string) string {
	if t.opt.To == YQL {
		return "`" + key + "` = " + yqlText(value)
	}
	return "'" + key + "' = '" + hiveEscapes.Replace(value) + "'"
}

var hiveEscapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

func yqlText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func list(items []string) string { return "    " + strings.Join(items, ",\n    ") }

// yql writes a data source and an external table.
func (t *table) yql(data, keys []string, types map[string]string, settings []string) string {
	bucket, source := "source", t.source
	text := t.table.Layout.Template.Write(escapeYQL, func(c string) string { return "${" + c + "}" })
	if t.table.System != "yql" {
		var ok bool
		if bucket, text, ok = split(text); !ok || strings.Contains(bucket, "$") {
			t.Errorf(code, t.at, "", "%s: the template doesn't begin with a bucket", t.table.Name)
			return ""
		}
		source = "https://" + bucket + ".s3.amazonaws.com/"
	}
	i := strings.LastIndexByte(text[:strings.Index(text+"$", "$")], '/')
	location := "/" + text[:i+1]
	text = text[i+1:]
	for _, k := range keys {
		data = append(data, t.quoted(k)+" "+types[k]+" NOT NULL")
	}
	options := []string{"DATA_SOURCE = " + yqlText(bucket), "LOCATION = " + yqlText(location),
		"PARTITIONED_BY = " + yqlText("['"+strings.Join(keys, "', '")+"']"), "`projection.enabled` = \"true\""}
	options = append(append(options, settings...), "`storage.location.template` = "+yqlText(text))
	return fmt.Sprintf("CREATE EXTERNAL DATA SOURCE IF NOT EXISTS `%s` WITH (\n    SOURCE_TYPE = \"ObjectStorage\",\n    LOCATION = %s,\n    AUTH_METHOD = \"NONE\"\n);\n\n"+
		"CREATE EXTERNAL TABLE %s (\n%s\n) WITH (\n%s\n);\n", bucket, yqlText(source), t.quoted(t.name), list(data), list(options))
}

func escapeYQL(s string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`, `{`, `\{`, `}`, `\}`).Replace(s)
}

// template is the path of a prefix as an absolute one; ok is false when it can't be written.
func (t *table) template() (text, location string, ok bool) {
	literal := func(s string) string {
		if strings.Contains(s, "${") {
			t.Errorf(code, t.at, "", "%s: the template has a literal ${, which can't be written", t.table.Name)
		}
		return s
	}
	text = t.table.Layout.Template.Write(literal, func(c string) string { return "${" + c + "}" })
	if t.table.System == "yql" {
		if t.source == "" {
			t.Errorf("translate.location", t.at, "give --location s3://bucket/", "%s: which bucket its data source means isn't known", t.table.Name)
			return "", "", false
		}
		text = strings.TrimSuffix(t.source, "/") + "/" + text
	}
	fixed := text[:strings.Index(text+"$", "$")]
	return text, fixed[:strings.LastIndexByte(fixed, '/')+1], true
}

// athena writes a table of Hive's DDL.
func (t *table) athena(data, keys []string, types map[string]string, settings []string) string {
	text, location, ok := t.template()
	if !ok {
		return ""
	}
	var partitions []string
	for _, k := range keys {
		partitions = append(partitions, t.quoted(k)+" "+types[k])
	}
	settings = append([]string{t.option("projection.enabled", "true")}, settings...)
	settings = append(settings, t.option("storage.location.template", text))
	return fmt.Sprintf("CREATE EXTERNAL TABLE %s (\n%s\n)\nPARTITIONED BY (\n%s\n)\nLOCATION '%s'\nTBLPROPERTIES (\n%s\n);\n",
		t.quoted(t.name), list(data), list(partitions), hiveEscapes.Replace(location), list(settings))
}

// trino writes a table with properties behind its columns.
func (t *table) trino(data, keys []string, types map[string]string, columns map[string][]setting) string {
	text, location, ok := t.template()
	if !ok {
		return ""
	}
	var names []string
	for _, k := range keys {
		names = append(names, sqlText(k))
		var props []string
		for _, s := range columns[k] {
			props = append(props, "partition_projection_"+strings.ReplaceAll(s.name, ".", "_")+" = "+trinoValue(s))
		}
		data = append(data, t.quoted(k)+" "+types[k]+" WITH ("+strings.Join(props, ", ")+")")
	}
	options := []string{"external_location = " + sqlText(location), "partitioned_by = ARRAY[" + strings.Join(names, ", ") + "]",
		"partition_projection_enabled = true", "partition_projection_location_template = " + sqlText(text)}
	return fmt.Sprintf("CREATE TABLE %s (\n%s\n) WITH (\n%s\n);\n", t.quoted(t.name), list(data), list(options))
}

func trinoValue(s setting) string {
	switch s.name {
	case "values", "range":
		parts := strings.Split(s.value, ",")
		for i := range parts {
			parts[i] = sqlText(parts[i])
		}
		return "ARRAY[" + strings.Join(parts, ", ") + "]"
	case "interval", "digits":
		return s.value
	case "type":
		return sqlText(strings.ToUpper(s.value))
	}
	return sqlText(s.value)
}
