package yql

import (
	"math"
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
	word           // one of rule.words
	character      // exactly one character
	number         // a whole number in a text
	pattern        // a path pattern with wildcards
	object         // a JSON object of projection keys
	names          // column names
	schema         // columns with types
	anything       // no value that matters here
)

// option is one option of a WITH.
type option uint8

const (
	dataSource option = iota
	location
	schemaOption
	columnsOption
	formatOption
	compression
	partitionedBy
	projectionOption
	filePattern
	csvDelimiter
	intervalUnit
	datetimeFormatName
	datetimeFormat
	timestampFormatName
	timestampFormat
	dateFormat
	readMaxBytes
	withInfer
	constraints
	noOption
)

// rule is what YDB accepts of an option (yql_s3_io_discovery.cpp, yql_s3_datasource_type_ann.cpp, object_storage.cpp).
type rule struct {
	name            string
	inSelect, inDDL bool
	form            form
	words           []string
	format          string // the only FORMAT that it goes with; empty: all
}

var (
	formats      = []string{"csv_with_names", "tsv_with_names", "json_list", "json", "raw", "json_as_string", "json_each_row", "parquet"}
	compressions = []string{"gzip", "zstd", "lz4", "brotli", "bzip2", "xz"}
	dateFormats  = []string{"POSIX", "ISO"}
	timeFormats  = []string{"POSIX", "ISO", "UNIX_TIME_SECONDS", "UNIX_TIME_MILLISECONDS", "UNIX_TIME_MICROSECONDS"}
	intervals    = []string{"MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS", "WEEKS"}
)

var rules = [noOption]rule{
	dataSource:          {name: "DATA_SOURCE", inDDL: true},
	location:            {name: "LOCATION", inDDL: true},
	schemaOption:        {name: "SCHEMA", inSelect: true, form: schema},
	columnsOption:       {name: "COLUMNS", inSelect: true, form: schema},
	formatOption:        {name: "FORMAT", inSelect: true, inDDL: true, form: word, words: formats},
	compression:         {name: "COMPRESSION", inSelect: true, inDDL: true, form: word, words: compressions},
	partitionedBy:       {name: "PARTITIONED_BY", inSelect: true, inDDL: true, form: names},
	projectionOption:    {name: "PROJECTION", inSelect: true, form: object},
	filePattern:         {name: "FILE_PATTERN", inSelect: true, inDDL: true, form: pattern},
	csvDelimiter:        {name: "CSV_DELIMITER", inSelect: true, inDDL: true, form: character, format: "csv_with_names"},
	intervalUnit:        {name: "DATA.INTERVAL.UNIT", inSelect: true, inDDL: true, form: word, words: intervals},
	datetimeFormatName:  {name: "DATA.DATETIME.FORMAT_NAME", inSelect: true, inDDL: true, form: word, words: dateFormats},
	datetimeFormat:      {name: "DATA.DATETIME.FORMAT", inSelect: true, inDDL: true},
	timestampFormatName: {name: "DATA.TIMESTAMP.FORMAT_NAME", inSelect: true, inDDL: true, form: word, words: timeFormats},
	timestampFormat:     {name: "DATA.TIMESTAMP.FORMAT", inSelect: true, inDDL: true},
	dateFormat:          {name: "DATA.DATE.FORMAT", inSelect: true, inDDL: true},
	readMaxBytes:        {name: "READ_MAX_BYTES", inSelect: true, form: number, format: "raw"},
	withInfer:           {name: "WITH_INFER", inSelect: true, form: anything},
	constraints:         {name: "CONSTRAINTS", inSelect: true, form: anything},
}

// conflicts are options that exclude each other.
var conflicts = [][2]option{{datetimeFormatName, datetimeFormat}, {timestampFormatName, timestampFormat}}

// given is what a WITH says of one option.
type given struct {
	at    *ast.Option      // nil: nothing
	value *projection.Text // the value, when it is a text and right; else nil
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

// option files one option of a WITH.
func (d *definition) option(o *ast.Option) {
	if isProjectionKey(o.Key.Text) {
		if v, ok := d.value(o); ok {
			d.setting(projection.Setting{Key: projection.NameText(o.Key), Value: v})
		} else {
			d.broken = true
		}
		return
	}
	known := d.lookup(o)
	if known == noOption {
		return
	}
	slot := known
	if known == columnsOption {
		slot = schemaOption // a synonym
	}
	if first := d.given[slot].at; first != nil {
		d.Errorf("with.duplicate", o.Key, "drop one of them", "%s is given twice: %s before", o.Key.Text, projection.Quote(first.Key.Text))
		return
	}
	d.given[slot].at = o
	d.take(known, o)
}

// lookup finds an option by its name, or tells that there is none.
func (d *definition) lookup(o *ast.Option) option {
	key := o.Key.Text
	if !d.ddl && strings.Contains(key, "__") {
		d.Errorf("with.unknown", o.Key, "write one underscore", "the option %s has a doubled underscore", key)
		return noOption
	}
	for i := range noOption {
		r := &rules[i]
		switch {
		case !d.same(r.name, key):
			continue
		case !d.ddl && !r.inSelect:
			d.Errorf("with.unknown", o.Key, "it belongs into CREATE EXTERNAL TABLE", "the option %s has no meaning in a SELECT", key)
			return noOption
		case d.ddl && !r.inDDL:
			d.Errorf("with.unknown", o.Key, "it belongs into the WITH of a SELECT", "the setting %s has no meaning in CREATE EXTERNAL TABLE", key)
			return noOption
		}
		return i
	}
	what := "option"
	if d.ddl {
		what = "setting"
	}
	d.Errorf("with.unknown", o.Key, d.nearOption(key), "the %s %s is unknown", what, projection.Quote(key))
	return noOption
}

func (d *definition) optionNames() []string {
	var out []string
	for i := range rules {
		if r := &rules[i]; d.ddl && r.inDDL || !d.ddl && r.inSelect {
			out = append(out, r.name)
		}
	}
	return out
}

// nearOption looks among the options and the projection keys; a part of an option's name is near, too.
func (d *definition) nearOption(key string) string {
	known := append(d.optionNames(), enabledKey, templateKey)
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
func (d *definition) take(known option, o *ast.Option) {
	r := &rules[known]
	switch r.form {
	case schema:
		return // read when everything else is known
	case anything:
		d.inferred = d.inferred || known == withInfer
		return
	case names:
		d.partitionedBy(o)
		return
	}
	v, ok := d.value(o)
	switch {
	case r.form == object && ok:
		d.projection(v)
	case r.form == object:
		d.broken = true
	case ok && d.valid(r, v):
		t := v // only these need memory
		d.given[known].value = &t
	}
}

// get is the value of an option that has a right one.
func (d *definition) get(o option) (v projection.Text, ok bool) {
	if t := d.given[o].value; t != nil {
		return *t, true
	}
	return v, false
}

// value reads a text. In a SELECT a name may stand for it; numbers and booleans are no hints in YQL, and no settings of
// an external table. A list of one tag is that tag.
func (d *definition) value(o *ast.Option) (projection.Text, bool) {
	x := o.Value
	if list, ok := x.(*ast.Tuple); ok && len(list.Items) == 1 {
		x = list.Items[0]
	}
	switch v := x.(type) {
	case *ast.Literal:
		if v.Kind == ast.StringLit {
			return projection.LiteralText(v), true
		}
		d.Errorf("with.value", v, `write "`+v.Raw+`"`, "%s: %s is no text", o.Key.Text, projection.Clip(v.Raw))
		return projection.Text{}, false
	case *ast.Ident:
		if len(v.Parts) == 1 && !d.ddl {
			return projection.NameText(v.Parts[0]), true
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
func (d *definition) valid(r *rule, v projection.Text) bool {
	code := "with.value"
	if r == &rules[formatOption] {
		code = "with.format"
	}
	before := len(d.List)
	switch r.form {
	case word:
		d.OneOf(code, r.name, v, r.words)
	case character:
		if n := utf8.RuneCountInString(v.S); n != 1 {
			d.Errorf(code, v, "write exactly one character", "%s: %s has %d characters", r.name, projection.Quote(v.S), n)
		}
	case number:
		d.Int(code, r.name, v, 0, math.MaxInt64)
	case pattern:
		d.checkPattern(r.name, v)
	}
	return len(d.List) == before
}

// checkFormat looks at the options and the columns that a FORMAT doesn't go with, and at options that exclude each other.
func (d *definition) checkFormat() {
	for _, c := range conflicts {
		if first, second := d.given[c[0]].at, d.given[c[1]].at; first != nil && second != nil {
			d.Errorf("with.conflict", first.Key, "keep one of them", "%s and %s exclude each other", rules[c[0]].name, rules[c[1]].name)
		}
	}
	f, ok := d.get(formatOption)
	if !ok {
		return
	}
	for i := range rules {
		if r := &rules[i]; r.format != "" && r.format != f.S && d.given[i].at != nil {
			d.Errorf("with.format", d.given[i].at.Key, "drop it, or write FORMAT = \""+r.format+`"`, "%s goes with %s only, and the format is %s",
				r.name, r.format, f.S)
		}
	}
	if c, ok := d.get(compression); ok {
		for _, clash := range clashes {
			if clash.format == f.S && (clash.compression == "" || clash.compression == c.S) {
				d.Errorf("with.format", c, "drop COMPRESSION, or choose another", "the compression %s doesn't go with %s", c.S, f.S)
			}
		}
	}
	d.checkColumns(f)
}
