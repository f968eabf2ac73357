package yql

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// listedTypes are the types of partition columns whose values stand in directory names (YDB,
// yql_s3_datasource_type_ann.cpp).
var listedTypes = []string{"String", "Utf8", "Int32", "Uint32", "Int64", "Uint64", "Date", "Datetime"}

// kind describes one type of projection and what may be set for it (YDB, yql_s3_path_generator.cpp).
type kind struct {
	name    string
	what    string   // with its article, for messages
	columns []string // the column types that it may feed
	props   []property
	axis    func(d *definition, c *column, t pruning.Type, v *values) projection.Axis // nil: an error has been told
}

// property describes one setting of a column's projection.
type property struct {
	name     string
	required bool
	example  string
	read     func(r reading, v *values) bool
}

// reading is the value of one setting on its way into values.
type reading struct {
	*definition
	name string // the whole key
	text projection.Text
}

// values are the settings of one column, read. They start as the defaults.
type values struct {
	min, max int64 // numbers, or instants in microseconds
	interval int64
	digits   int64
	words    []string
	unit     datefmt.Unit
	format   *datefmt.Format
}

var kinds = []kind{
	{"integer", "an integer projection", []string{"String", "Utf8", "Int32", "Uint32", "Int64", "Uint64"}, []property{
		{"min", true, "1", func(r reading, v *values) bool { return r.bound(&v.min) }},
		{"max", true, "100", func(r reading, v *values) bool { return r.bound(&v.max) }},
		{"interval", false, "1", func(r reading, v *values) bool { return r.interval(&v.interval) }},
		{"digits", false, "2", func(r reading, v *values) bool { return r.digits(&v.digits) }},
	}, integerAxis},
	{"enum", "an enum projection", []string{"String"}, []property{
		{"values", true, "a,b", func(r reading, v *values) bool { return r.words(&v.words) }},
	}, enumAxis},
	{"date", "a date projection", []string{"String", "Utf8", "Uint32", "Date", "Datetime"}, []property{
		{"min", true, "2020-01-01", func(r reading, v *values) bool { return r.instant(&v.min) }},
		{"max", true, "NOW", func(r reading, v *values) bool { return r.instant(&v.max) }},
		{"format", true, "%Y-%m-%d", func(r reading, v *values) bool { return r.format(&v.format) }},
		{"unit", false, "DAYS", func(r reading, v *values) bool { return r.unit(&v.unit) }},
		{"interval", false, "1", func(r reading, v *values) bool { return r.interval(&v.interval) }},
	}, dateAxis},
}

var kindNames = []string{kinds[0].name, kinds[1].name, kinds[2].name}

func (k *kind) property(name string) *property {
	for i := range k.props {
		if k.props[i].name == name {
			return &k.props[i]
		}
	}
	return nil
}

// project reads the settings of one column and makes its axis, when they are right.
func (d *definition) project(c *column) {
	k, ok := d.kindOf(c)
	if k == nil {
		return
	}
	v := &c.values
	*v = values{interval: 1, unit: datefmt.Days}
	for _, s := range c.props {
		if s.name == "type" {
			continue
		}
		if p := k.property(s.name); p != nil {
			ok = p.read(reading{d, s.Key.S, s.Value}, v) && ok
		} else {
			d.foreign(c, k, s)
			ok = false
		}
	}
	for i := range k.props {
		if p := &k.props[i]; p.required && !d.broken && c.lookup(p.name) == nil {
			d.Errorf("projection.required", c.props[0].Key, fmt.Sprintf(`add projection.%s.%s = "%s"`, c.name, p.name, p.example),
				"projection.%s.%s is missing: the type %s needs it", c.name, p.name, k.name)
			ok = false
		}
	}
	t, typed := d.checkType(c.name, k.columns, k.what)
	if ok && typed && !d.broken {
		c.axis, c.kind = k.axis(d, c, t, v), k.name
	}
}

// kindOf reads the type of a projection, which decides what else may be set. ok is false when it is missing or unknown, which
// is told; the kind is then the one that its other settings belong to, so that these are read all the same, or nil.
func (d *definition) kindOf(c *column) (k *kind, ok bool) {
	t := c.lookup("type")
	if t == nil {
		if !d.broken {
			at, hint := c.untyped()
			d.Errorf("projection.required", at, hint,
				"projection.%s.type is missing: write one of %s", c.name, strings.Join(kindNames, ", "))
		}
		return c.likely(), false
	}
	if i := d.OneOf("projection.type", t.Key.S, t.Value, kindNames); i >= 0 {
		return &kinds[i], true
	}
	return c.likely(), false
}

// likely is the only kind that has all settings of a column, or nil.
func (c *column) likely() (k *kind) {
	for i := range kinds {
		lacks := func(p prop) bool { return p.name != "type" && kinds[i].property(p.name) == nil }
		switch {
		case slices.ContainsFunc(c.props, lacks):
		case k != nil:
			return nil
		default:
			k = &kinds[i]
		}
	}
	return k
}

// untyped is where a missing type is told, and what to write: the property that was probably meant for it, else the first.
func (c *column) untyped() (at ast.Node, hint string) {
	for _, p := range c.props {
		if !knownProperty(p.name) && projection.DidYouMean(p.name, []string{"type"}) != "" {
			return p.Key.Part(len(p.Key.S)-len(p.name), len(p.Key.S)), "did you mean type?"
		}
	}
	name := kinds[0].name
	if k := c.likely(); k != nil {
		name = k.name
	}
	return c.props[0].Key, fmt.Sprintf(`add projection.%s.type = "%s"`, c.name, name)
}

func knownProperty(name string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return k.property(name) != nil })
}

// foreign reports a property that the type of projection doesn't have.
func (d *definition) foreign(c *column, k *kind, s prop) {
	at := s.Key.Part(len(s.Key.S)-len(s.name), len(s.Key.S))
	var own, others []string
	for i := range k.props {
		own = append(own, k.props[i].name)
	}
	for i := range kinds {
		if kinds[i].property(s.name) != nil {
			others = append(others, kinds[i].name)
		}
	}
	hint := projection.Known(s.name, append(own, "type"))
	if others != nil {
		d.Errorf("projection.property", at, hint, "projection.%s: %s is no property of the type %s; it belongs to %s",
			c.name, s.name, k.name, strings.Join(others, " and "))
		return
	}
	d.Errorf("projection.property", at, hint, "projection.%s: the property %s is unknown", c.name, projection.Quote(s.name))
}

// checkType holds a partition column's type against those that what, such as "an enum projection", may feed. ok is false
// also when the column or its type is unknown, which has been told then.
func (d *definition) checkType(name string, allowed []string, what string) (t pruning.Type, ok bool) {
	i := d.columnIndex.Find(name)
	if i < 0 || d.declared[i].Type == nil {
		return pruning.Type{}, false
	}
	written := d.declared[i].Type
	if _, known := projection.ResolveType("yql", written); !known {
		return pruning.Type{}, false
	}
	if !slices.Contains(allowed, canonical(written)) {
		d.Errorf("partitioned.type", written, projection.Known("", allowed), "the column %s: %s is no type for %s",
			name, typeText(written), what)
		return pruning.Type{}, false
	}
	return d.columns[i].Type, true
}

// bound reads the least or the greatest number.
func (r reading) bound(to *int64) (ok bool) {
	if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(r.text.S)), "NOW") {
		r.Errorf("projection.bound", r.text, "write a whole number, or the type date", "%s: NOW is for dates only", r.name)
		return false
	}
	*to, ok = r.Int("projection.bound", r.name, r.text, math.MinInt64, math.MaxInt64)
	return ok
}

func (r reading) interval(to *int64) (ok bool) {
	*to, ok = r.Int("projection.interval", r.name, r.text, 1, math.MaxInt64)
	return ok
}

func (r reading) digits(to *int64) (ok bool) {
	*to, ok = r.Int("projection.digits", r.name, r.text, 0, 64)
	return ok
}

// words splits values at commas. Empty items are dropped, then spaces at the ends of each.
func (r reading) words(to *[]string) bool {
	const code = "projection.values"
	s, seen := r.text.S, map[string]bool{}
	for at, end := 0, 0; at < len(s); at = end + 1 {
		end = len(s)
		if i := strings.IndexByte(s[at:], ','); i >= 0 {
			end = at + i
		}
		word := strings.Trim(s[at:end], " ")
		switch {
		case at == end:
			continue
		case word == "":
			r.Errorf(code, r.text.Part(at, end), "drop it", "%s: a value is blank", r.name)
			return false
		case seen[word]:
			from := at + strings.Index(s[at:end], word)
			r.Errorf(code, r.text.Part(from, from+len(word)), "drop one of them", "%s: the value %s occurs twice", r.name, projection.Quote(word))
			return false
		}
		seen[word] = true
		*to = append(*to, word)
	}
	if len(seen) == 0 {
		r.Errorf(code, r.text, `write values between commas: "a,b"`, "%s: there are no values", r.name)
	}
	return len(seen) > 0
}

// integerAxis makes the axis of the numbers from min to max.
func integerAxis(d *definition, c *column, t pruning.Type, v *values) projection.Axis {
	if v.min > v.max {
		d.emptyRange(c, strconv.FormatInt(v.min, 10), strconv.FormatInt(v.max, 10))
		return nil
	}
	a := projection.NewInteger(slices.Index(d.keys, c.name), t, v.min, v.max, uint64(v.interval), int(v.digits))
	n, unfit := a.Unfit()
	if !unfit {
		return a
	}
	at := c.lookup("max")
	if n < 0 {
		at = c.lookup("min")
	}
	d.Errorf("projection.range", at.Value, "write Int64, or narrow the range", "the column %s: the value %d doesn't fit %s",
		c.name, n, d.column(c.name).Declared)
	return nil
}

// emptyRange refuses a range without values: it is a mistake, and no empty read.
func (d *definition) emptyRange(c *column, min, max string) {
	d.Errorf("projection.range", c.lookup("min").Value, "write a min that isn't above max",
		"projection.%s: min %s is greater than max %s, so there are no values", c.name, min, max)
}

// enumAxis makes the axis of listed words.
func enumAxis(d *definition, c *column, _ pruning.Type, v *values) projection.Axis {
	return projection.NewEnum(slices.Index(d.keys, c.name), nil, v.words)
}
