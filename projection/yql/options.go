package yql

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// form is what an option's value looks like.
type form uint8

const (
	freeText  form = iota
	word           // one of option.words
	character      // exactly one character
	number         // a whole number in a text
	pattern        // a path pattern with wildcards
	object         // a JSON object of projection keys
	names          // column names
	schema         // columns with types
	anything       // no value that matters here
)

// option describes one option of a WITH (YDB: yql_s3_io_discovery.cpp, yql_s3_datasource_type_ann.cpp,
// object_storage.cpp).
type option struct {
	name            string
	inSelect, inDDL bool
	form            form
	words           []string
	format          string // the only FORMAT that it goes with; empty: all
	not             string // the option that it excludes
}

var (
	formats      = []string{"csv_with_names", "tsv_with_names", "json_list", "json", "raw", "json_as_string", "json_each_row", "parquet"}
	compressions = []string{"gzip", "zstd", "lz4", "brotli", "bzip2", "xz"}
	dateFormats  = []string{"POSIX", "ISO"}
	timeFormats  = []string{"POSIX", "ISO", "UNIX_TIME_SECONDS", "UNIX_TIME_MILLISECONDS", "UNIX_TIME_MICROSECONDS"}
	intervals    = []string{"MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS", "WEEKS"}
)

var options = []option{
	{name: "DATA_SOURCE", inDDL: true},
	{name: "LOCATION", inDDL: true},
	{name: "SCHEMA", inSelect: true, form: schema},
	{name: "COLUMNS", inSelect: true, form: schema},
	{name: "FORMAT", inSelect: true, inDDL: true, form: word, words: formats},
	{name: "COMPRESSION", inSelect: true, inDDL: true, form: word, words: compressions},
	{name: "PARTITIONED_BY", inSelect: true, inDDL: true, form: names},
	{name: "PROJECTION", inSelect: true, form: object},
	{name: "FILE_PATTERN", inSelect: true, inDDL: true, form: pattern},
	{name: "CSV_DELIMITER", inSelect: true, inDDL: true, form: character, format: "csv_with_names"},
	{name: "DATA.INTERVAL.UNIT", inSelect: true, inDDL: true, form: word, words: intervals},
	{name: "DATA.DATETIME.FORMAT_NAME", inSelect: true, inDDL: true, form: word, words: dateFormats, not: "DATA.DATETIME.FORMAT"},
	{name: "DATA.DATETIME.FORMAT", inSelect: true, inDDL: true},
	{name: "DATA.TIMESTAMP.FORMAT_NAME", inSelect: true, inDDL: true, form: word, words: timeFormats, not: "DATA.TIMESTAMP.FORMAT"},
	{name: "DATA.TIMESTAMP.FORMAT", inSelect: true, inDDL: true},
	{name: "DATA.DATE.FORMAT", inSelect: true, inDDL: true},
	{name: "READ_MAX_BYTES", inSelect: true, form: number, format: "raw"},
	{name: "WITH_INFER", inSelect: true, form: anything},
	{name: "CONSTRAINTS", inSelect: true, form: anything},
}

// clashes are values that exclude each other.
var clashes = []struct{ format, compression string }{
	{"parquet", ""}, {"raw", "lz4"}, {"json_list", "lz4"},
}

// same reports whether two option names mean the same. In a SELECT's hints case and single underscores don't count (YQL,
// normalize_name.cpp), in DDL case doesn't.
func (d *definition) same(a, b string) bool {
	if d.ddl {
		return strings.EqualFold(a, b)
	}
	i, j := 0, 0
	for {
		for i < len(a) && a[i] == '_' {
			i++
		}
		for j < len(b) && b[j] == '_' {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if upper(a[i]) != upper(b[j]) {
			return false
		}
		i, j = i+1, j+1
	}
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}

// option files one option of a WITH and gives its name in the table of options: "SCHEMA" for COLUMNS, too, and "" for
// what isn't known or was there before.
func (d *definition) option(o *ast.Option) string {
	if key := o.Key.Text; isProjectionKey(key) {
		if v, ok := d.value(o); ok {
			d.setting(projection.Setting{Key: pathText(o.Key), Value: v})
		} else {
			d.broken = true
		}
		return ""
	} else if !d.ddl && strings.Contains(key, "__") {
		d.Errorf("with.unknown", o.Key, "write one underscore",
			"the option %s has a doubled underscore", key)
		return ""
	}
	known := d.lookup(o)
	if known == nil {
		return ""
	}
	name := known.name
	if name == "COLUMNS" {
		name = "SCHEMA"
	}
	if first, ok := d.given[name]; ok {
		d.Errorf("with.duplicate", o.Key, "drop one of them", "%s is given twice: %s before", o.Key.Text, projection.Quote(first))
		return ""
	}
	if d.given == nil {
		d.given = map[string]string{}
	}
	d.given[name] = o.Key.Text
	d.take(known, o)
	return name
}

// lookup finds the description of an option, or tells that there is none.
func (d *definition) lookup(o *ast.Option) *option {
	for i := range options {
		known := &options[i]
		if !d.same(known.name, o.Key.Text) {
			continue
		}
		if !d.ddl && !known.inSelect {
			d.Errorf("with.unknown", o.Key, "it belongs into CREATE EXTERNAL TABLE", "the option %s has no meaning in a SELECT", o.Key.Text)
			return nil
		}
		if d.ddl && !known.inDDL {
			d.Errorf("with.unknown", o.Key, "it belongs into the WITH of a SELECT", "the setting %s has no meaning in CREATE EXTERNAL TABLE", o.Key.Text)
			return nil
		}
		return known
	}
	what := "option"
	if d.ddl {
		what = "setting"
	}
	d.Errorf("with.unknown", o.Key, d.nearOption(o.Key.Text), "the %s %s is unknown", what, projection.Quote(o.Key.Text))
	return nil
}

func (d *definition) optionNames() []string {
	var out []string
	for _, o := range options {
		if d.ddl && o.inDDL || !d.ddl && o.inSelect {
			out = append(out, o.name)
		}
	}
	return out
}

// nearOption looks among the options and the projection keys; a part of an option's name is near, too.
func (d *definition) nearOption(key string) string {
	known := append(d.optionNames(), "projection.enabled", templateKey)
	if hint := projection.DidYouMean(key, known); hint != "" {
		return hint
	}
	i := slices.IndexFunc(known, func(n string) bool {
		return len(key) > 3 && strings.HasSuffix(n, "_"+strings.ToUpper(key))
	})
	if i >= 0 {
		return "did you mean " + known[i] + "?"
	}
	return "known are " + strings.Join(d.optionNames(), ", ")
}

// take reads the value of a known option by its form.
func (d *definition) take(known *option, o *ast.Option) {
	switch known.form {
	case schema:
		return // read when everything else is known
	case anything:
		d.inferred = d.inferred || known.name == "WITH_INFER"
		return
	case names:
		d.partitioned = true
		list, ok := d.partitionNames(o)
		d.partitions, d.listBroken = list, !ok
		return
	}
	v, ok := d.value(o)
	switch {
	case !ok:
		d.broken = d.broken || known.form == object
	case known.form == object:
		d.projection(v)
	case d.valid(known, v):
		d.options.Add(projection.Setting{Key: projection.NewText(o.Key.Span, known.name, nil), Value: v})
	}
}

// value reads a text. In a SELECT a name may stand for it; numbers and booleans are no hints in YQL, and no settings of
// an external table.
func (d *definition) value(o *ast.Option) (projection.Text, bool) {
	switch v := o.Value.(type) {
	case *ast.Literal:
		if v.Kind == ast.StringLit {
			return literalText(v), true
		}
		d.Errorf("with.value", v, `write "`+v.Raw+`"`, "%s: %s is no text", o.Key.Text, projection.Clip(v.Raw))
		return projection.Text{}, false
	case *ast.Ident:
		if len(v.Parts) == 1 && !d.ddl {
			return projection.NewText(v.Span, v.Parts[0].Text, nil), true
		}
	case *ast.Param:
		d.unknownParam(o, v)
		return projection.Text{}, false
	case nil:
		d.Errorf("with.value", o, "write "+o.Key.Text+` = "…"`, "%s needs a text", o.Key.Text)
		return projection.Text{}, false
	}
	d.Errorf("with.value", o.Value, "write "+o.Key.Text+` = "…"`, "%s needs a text in quotes", o.Key.Text)
	return projection.Text{}, false
}

// unknownParam reports a $name that is left: those with a value have been replaced.
func (d *definition) unknownParam(o *ast.Option, p *ast.Param) {
	d.Errorf("with.value", p, "declare it before: $"+p.Name+` = "…";`, "%s: $%s has no value here", o.Key.Text, p.Name)
}

// valid checks a value by itself.
func (d *definition) valid(known *option, v projection.Text) bool {
	code := "with.value"
	if known.name == "FORMAT" {
		code = "with.format"
	}
	before := len(d.List)
	switch known.form {
	case word:
		d.OneOf(code, known.name, v, known.words)
	case character:
		if n := utf8.RuneCountInString(v.S); n != 1 {
			d.Errorf(code, v, "write exactly one character", "%s: %s has %d characters", known.name, projection.Quote(v.S), n)
		}
	case number:
		d.Int(code, known.name, v, 0, 1<<63-1)
	case pattern:
		d.checkPattern(known.name, v)
	}
	return len(d.List) == before
}

// checkFormat looks at the options and the columns that a FORMAT doesn't go with.
func (d *definition) checkFormat() {
	for i := range options {
		o := &options[i]
		v, ok := d.options.Lookup(o.name)
		if !ok {
			continue
		}
		if other, both := d.options.Lookup(o.not); both {
			d.Errorf("with.conflict", v.Key, "keep one of them", "%s and %s exclude each other", o.name, other.Key.S)
		}
		if f, ok := d.options.Lookup("FORMAT"); ok && o.format != "" && f.Value.S != o.format {
			d.Errorf("with.format", v.Key, "drop it, or write FORMAT = \""+o.format+`"`, "%s goes with %s only, and the format is %s",
				o.name, o.format, f.Value.S)
		}
	}
	f, ok := d.options.Lookup("FORMAT")
	if !ok {
		return
	}
	if c, ok := d.options.Lookup("COMPRESSION"); ok {
		for _, clash := range clashes {
			if clash.format == f.Value.S && (clash.compression == "" || clash.compression == c.Value.S) {
				d.Errorf("with.format", c.Value, "drop COMPRESSION, or choose another", "the compression %s doesn't go with %s", c.Value.S, f.Value.S)
			}
		}
	}
	d.checkColumns(f.Value)
}
