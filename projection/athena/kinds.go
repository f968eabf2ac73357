package athena

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// field is what the settings say about one partition column.
type field struct {
	name     projection.Text
	column   *projection.Column
	declared *ast.Column
	settings [7]*setting // by place in suffixes
	kind     string
	axis     projection.Axis // of a computed column, once its settings are read without an error
}

func (f *field) lookup(suffix string) *setting { return f.settings[slices.Index(suffixes, suffix)] }
func (f *field) set(suffix string, s *setting) { f.settings[slices.Index(suffixes, suffix)] = s }

// any is one of the settings, or nil.
func (f *field) any() *setting {
	for _, s := range f.settings {
		if s != nil {
			return s
		}
	}
	return nil
}

var kinds = []string{"enum", "integer", "date", "injected"}

// key is how a property of a column is written here: projection.day.range, or partition_projection_range.
func (d *definition) key(f *field, suffix string) string {
	if d.trino {
		return trinoColumn + strings.ReplaceAll(suffix, ".", "_")
	}
	return "projection." + f.name.S + "." + suffix
}

// called is how messages call a property: in Trino's spelling with its column.
func (d *definition) called(f *field, suffix string) string {
	if d.trino {
		return d.key(f, suffix) + " of " + f.name.S
	}
	return d.key(f, suffix)
}

// example is a property with a value, as it is written here.
func (d *definition) example(f *field, suffix, value string) string {
	switch {
	case !d.trino:
		return "'" + d.key(f, suffix) + "'='" + value + "'"
	case suffix == "range", suffix == "values":
		return d.key(f, suffix) + " = ARRAY['" + strings.ReplaceAll(value, ",", "', '") + "']"
	case suffix == "interval", suffix == "digits":
		return d.key(f, suffix) + " = " + value
	}
	return d.key(f, suffix) + " = '" + value + "'"
}

// required is a property that a column can't be without; why says for what. nil when it is missing, which has been told.
func (d *definition) required(f *field, suffix, value, why string) *setting {
	s := f.lookup(suffix)
	if s == nil {
		var at ast.Node = f.name
		if t := f.lookup("type"); t != nil {
			at = t.key
		}
		msg := d.called(f, suffix) + " is missing: " + why
		if near := d.near(f, suffix); near != nil {
			at = near.key
			msg += "; " + near.name + " has no meaning"
		}
		d.Errorf("projection.required", at, "add "+d.example(f, suffix, value), "%s", msg)
	}
	return s
}

// near is a key without meaning that was probably meant to be a property of f: projection.day.unit.
func (d *definition) near(f *field, suffix string) *setting {
	for _, s := range d.other {
		rest, ok := strings.CutPrefix(s.name, "projection."+f.name.S+".")
		if !ok {
			continue
		}
		if near, ok := ast.Nearest(rest, suffixes); ok && near == suffix || strings.HasPrefix(suffix, rest) || strings.HasSuffix(suffix, strings.TrimSuffix(rest, "s")) {
			return s
		}
	}
	return nil
}

// project reads the settings of one column and makes its axis when they are right.
func (d *definition) project(key int, f *field) {
	t := f.lookup("type")
	if t == nil {
		d.Errorf("projection.required", f.name, "add "+d.example(f, "type", cmp.Or(f.likely(), "date")),
			"the partition column %s has no projection: %s is missing", f.name.S, d.called(f, "type"))
		d.readAs(key, f, f.likely())
		return
	}
	text := trim(t.value)
	i := slices.IndexFunc(kinds, func(k string) bool { return strings.EqualFold(k, text.S) })
	if i < 0 {
		d.Errorf("projection.type", t.value, projection.Known(strings.ToLower(text.S), kinds), "%s: the type %s is unknown",
			d.called(f, "type"), projection.Quote(text.S))
		d.readAs(key, f, f.likely())
		return
	}
	d.readAs(key, f, kinds[i])
}

// likely is the type of projection that a property belongs to which no other type has, or "": so the settings of a column
// without a known type are read all the same.
func (f *field) likely() string {
	switch {
	case f.lookup("values") != nil:
		return "enum"
	case f.lookup("digits") != nil:
		return "integer"
	case f.lookup("format") != nil, f.lookup("interval.unit") != nil:
		return "date"
	}
	return ""
}

// readAs makes the axis of a column with a type of projection; "" for none.
func (d *definition) readAs(key int, f *field, kind string) {
	switch f.kind = kind; kind {
	case "enum":
		f.axis = d.enum(key, f)
	case "integer":
		f.axis = d.integer(key, f)
	case "date":
		f.axis = d.date(key, f)
	case "injected":
		d.columnType(f, isText(f.declared) || d.trino && kindIs(f.column, injectable...), "string")
	}
}

// injectable are the types besides texts of which Trino makes names of folders (Trino, InjectedProjection.java).
var injectable = []pruning.Kind{pruning.Bool, pruning.Int8, pruning.Int16, pruning.Int32, pruning.Int64, pruning.Date}

// columnType holds a column's type against those that its kind of projection may feed (Trino, IntegerProjection.java and
// its neighbours; for injected columns Athena's user guide, "Supported types for partition projection").
func (d *definition) columnType(f *field, ok bool, allowed string) bool {
	if !ok && f.declared.Type != nil {
		article := "a"
		if strings.Contains("aeiou", f.kind[:1]) {
			article = "an"
		}
		d.Errorf("partitioned.type", f.declared.Type, "declare it as "+allowed, "the column %s: %s %s projection is not possible on a column of type %s",
			f.name.S, article, f.kind, f.column.Declared)
	}
	return ok
}

// enum makes the axis of listed values; a value that is listed twice is projected once.
func (d *definition) enum(key int, f *field) projection.Axis {
	text := isText(f.declared) && !(d.trino && isChar(f.declared))
	typed := d.columnType(f, text || !d.trino && kindIs(f.column, pruning.Int8, pruning.Int16, pruning.Int32, pruning.Int64), "string")
	s := d.required(f, "values", "a,b", "an enum column needs them")
	if s == nil || !typed {
		return nil
	}
	var names []string
	var values []pruning.Value
	seen := map[string]bool{}
	for _, item := range s.items() {
		if item.S == "" || seen[item.S] {
			continue
		}
		seen[item.S] = true
		names = append(names, item.S)
		if isText(f.declared) {
			continue
		}
		v, err := f.column.Type.Parse(strings.Trim(item.S, blanks))
		if err != nil {
			d.Errorf("projection.values", item, "declare the column as string", "%s: %s is no value of the type %s", d.called(f, "values"), projection.Quote(item.S), f.column.Declared)
			return nil
		}
		values = append(values, v)
	}
	if len(names) == 0 {
		d.Errorf("projection.values", s.value, "write values between commas: 'a,b'", "%s: there are no values", d.called(f, "values"))
		return nil
	}
	return projection.NewEnum(key, values, names)
}

// integer makes the axis of the numbers min, min+interval, … up to max.
func (d *definition) integer(key int, f *field) projection.Axis {
	text := isText(f.declared) && !isChar(f.declared)
	typed := d.columnType(f, text || kindIs(f.column, pruning.Int32, pruning.Int64), "int, bigint or string")
	bounds, ok := d.bounds(f, "1,12", "an integer column needs its least and its greatest value")
	var lo, hi int64
	if ok {
		var ok1, ok2 bool
		lo, ok1 = d.whole(f, bounds[0])
		hi, ok2 = d.whole(f, bounds[1])
		ok = ok1 && ok2
	}
	step, ok1 := d.positive(f, "interval", 1, math.MaxInt64)
	digits, ok2 := d.positive(f, "digits", 0, mostDigits)
	switch {
	case !ok || !ok1 || !ok2 || !typed:
		return nil
	case lo > hi:
		d.emptyRange(f, strconv.FormatInt(lo, 10), strconv.FormatInt(hi, 10))
		return nil
	}
	a := projection.NewInteger(key, f.column.Type, lo, hi, uint64(step), int(digits)).Filled()
	if n, unfit := a.Unfit(); unfit {
		d.Errorf("projection.range", f.lookup("range").value, "declare it as bigint, or narrow the range", "%s: the value %d doesn't fit the type %s of the column",
			d.called(f, "range"), n, f.column.Declared)
		return nil
	}
	return a
}

// mostDigits is more than a key of an object can have.
const mostDigits = 1024

// bounds are the two elements of a range.
func (d *definition) bounds(f *field, example, why string) (b [2]projection.Text, ok bool) {
	s := d.required(f, "range", example, why)
	if s == nil {
		return b, false
	}
	items := s.items()
	if len(items) != 2 {
		hint := "write " + d.example(f, "range", example)
		if len(items) == 1 && strings.Count(items[0].S, "-") == 1 && f.kind == "integer" {
			hint = "put a comma between the bounds, not a hyphen: " + d.example(f, "range", strings.Replace(strings.Trim(items[0].S, blanks), "-", ",", 1))
		}
		d.Errorf("projection.range", s.value, hint, "%s needs two bounds separated by a comma, and has %d", d.called(f, "range"), len(items))
		return b, false
	}
	return [2]projection.Text(items), true
}

// whole reads a bound of an integer range: 64 bits, blanks at its ends and leading zeros allowed.
func (d *definition) whole(f *field, t projection.Text) (int64, bool) {
	t = trim(t)
	if projection.IsNow(t.S) {
		d.Errorf("projection.bound", t, "write a whole number, or the type date", "%s: NOW is not allowed in an integer range", d.called(f, "range"))
		return 0, false
	}
	return d.Int("projection.bound", d.called(f, "range"), t, math.MinInt64, math.MaxInt64)
}

// positive reads interval or digits: a number from 1 on, blanks around it allowed.
func (d *definition) positive(f *field, suffix string, otherwise, most int64) (int64, bool) {
	s := f.lookup(suffix)
	if s == nil {
		return otherwise, true
	}
	return d.Int("projection."+suffix, d.called(f, suffix), trim(s.value), 1, most)
}

// emptyRange refuses a range without values: it is a mistake, and no empty read.
func (d *definition) emptyRange(f *field, from, to string) {
	d.Errorf("projection.range", f.lookup("range").value, "swap the bounds", "%s: the start %s is after the end %s, so there are no values",
		d.called(f, "range"), from, to)
}

// units are the steps of a date projection by their names in Athena (java.time.temporal.ChronoUnit; MILLISECONDS is what an
// older page says).
var (
	unitNames = []string{"YEARS", "MONTHS", "WEEKS", "DAYS", "HOURS", "MINUTES", "SECONDS", "MILLIS", "MILLISECONDS"}
	units     = []datefmt.Unit{datefmt.Years, datefmt.Months, datefmt.Weeks, datefmt.Days, datefmt.Hours, datefmt.Minutes, datefmt.Seconds,
		datefmt.Milliseconds, datefmt.Milliseconds}
)
