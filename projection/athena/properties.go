package athena

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// Keys of the table, in Athena's spelling.
const (
	enabledKey  = "projection.enabled"
	templateKey = "storage.location.template"
	ignoreKey   = "trino.partition_projection.ignore"
)

// trinoTable are Trino's properties of a table that mean one of Athena's (Trino, PartitionProjectionProperties.java).
var trinoTable = map[string]string{
	"partition_projection_enabled":           enabledKey,
	"partition_projection_location_template": templateKey,
	"partition_projection_ignore":            ignoreKey,
}

// trinoColumn is what Trino's properties of a column begin with.
const trinoColumn = "partition_projection_"

// setting is one property of the table or of a column.
type setting struct {
	name  string          // Athena's key: projection.day.range; as written where it isn't about the projection
	key   projection.Text // where that is written
	value projection.Text
	list  []projection.Text // the elements of an ARRAY
	array bool
}

// items are the elements of a list: those of an ARRAY, or else what stands between commas. Trino joins the elements of an
// ARRAY by commas when it stores them, so that a comma within one divides it; it drops blanks around elements, and empty
// ones (Trino, PartitionProjectionProperties.java). Athena keeps both.
func (s *setting) items() (out []projection.Text) {
	if !s.array {
		return split(s.value)
	}
	for _, t := range s.list {
		for _, item := range split(t) {
			if item = trim(item); item.S != "" {
				out = append(out, item)
			}
		}
	}
	return out
}

func split(t projection.Text) (out []projection.Text) {
	for from := 0; ; {
		i := strings.IndexByte(t.S[from:], ',')
		if i < 0 {
			return append(out, t.Slice(from, len(t.S)))
		}
		out = append(out, t.Slice(from, from+i))
		from += i + 1
	}
}

// trim is a text without blanks at its ends.
func trim(t projection.Text) projection.Text {
	left := len(t.S) - len(strings.TrimLeft(t.S, blanks))
	inner := strings.Trim(t.S, blanks)
	if len(inner) == len(t.S) {
		return t
	}
	return t.Slice(left, left+len(inner))
}

const blanks = " \t\n\r\f\v"

// properties are the settings of a table in the order in which they were first given; a later value replaces an earlier
// one.
type properties struct {
	list  []*setting
	index map[string]int
}

func (p *properties) set(s *setting) {
	if i, ok := p.index[s.name]; ok {
		p.list[i] = s
		return
	}
	if p.index == nil {
		p.index = map[string]int{}
	}
	p.index[s.name] = len(p.list)
	p.list = append(p.list, s)
}

// lookup is a property by its exact key, or nil.
func (p *properties) lookup(name string) *setting {
	if i, ok := p.index[name]; ok {
		return p.list[i]
	}
	return nil
}

func (p *properties) remove(name string) {
	i, ok := p.index[name]
	if !ok {
		return
	}
	p.list = slices.Delete(p.list, i, i+1)
	delete(p.index, name)
	for n, k := range p.index {
		if k > i {
			p.index[n] = k - 1
		}
	}
}

// property takes a property of the table.
func (d *definition) property(o *ast.Option) {
	name := o.Key.Text
	if d.trino {
		name = strings.ToLower(name)
		if own, ok := trinoTable[name]; ok {
			name = own
		}
	} else if lower := strings.ToLower(name); isProjection(lower) && lower != name {
		d.Warnf("lint.case", o.Key, "write "+lower, "%s: keys are looked up in lower case", name)
		name = lower
	}
	s, ok := d.value(name, o)
	if !ok {
		return
	}
	if d.trino && name == "external_location" {
		d.location, d.located = s.value, true
	}
	d.properties.set(s)
}

// columnProperty takes a property that Trino has behind a column's type.
func (d *definition) columnProperty(c *ast.Column, o *ast.Option) {
	suffix, ok := strings.CutPrefix(strings.ToLower(o.Key.Text), trinoColumn)
	if !ok {
		return
	}
	if suffix == "interval_unit" {
		suffix = "interval.unit"
	}
	if s, ok := d.value("projection."+strings.ToLower(c.Name.Text)+"."+suffix, o); ok {
		d.properties.set(s)
	}
}

// value reads a text, a number, true or false, or an ARRAY of these.
func (d *definition) value(name string, o *ast.Option) (*setting, bool) {
	s := &setting{name: name, key: projection.NameText(o.Key)}
	if list, ok := o.Value.(*ast.ListExpr); ok {
		s.array, s.value = true, projection.NewText(list.Span, "")
		for _, x := range list.Items {
			t, ok := literalText(x)
			if !ok {
				d.Errorf("property.value", x, "write ARRAY['…', '…']", "%s: an element is no constant", o.Key.Text)
				return nil, false
			}
			s.list = append(s.list, t)
		}
		return s, true
	}
	t, ok := literalText(o.Value)
	if !ok && isProjection(name) {
		d.Errorf("property.value", o, "write a text in quotes", "%s needs a constant", o.Key.Text)
	}
	s.value = t
	return s, ok
}

// isProjection reports whether a key is about the projection, so that its value matters here.
func isProjection(name string) bool {
	return strings.HasPrefix(name, "projection.") && len(name) > len("projection.") || name == templateKey || name == ignoreKey || name == "partitioned_by" || name == "external_location"
}

func literalText(x ast.Expr) (projection.Text, bool) {
	switch x := x.(type) {
	case *ast.Literal:
		if x.Kind == ast.StringLit {
			return projection.LiteralText(x), true
		}
		return projection.NewText(x.Span, x.Raw), x.Kind != ast.NullLit
	case *ast.Unary:
		if l, ok := x.X.(*ast.Literal); ok && x.Op == ast.OpNeg {
			return projection.NewText(x.Span, "-"+l.Raw), true
		}
	}
	return projection.Text{}, false
}

// suffixes are the properties of a column, the longest first where one ends another.
var suffixes = []string{"interval.unit", "interval", "values", "range", "digits", "format", "type"}

// sort hands the projection's keys to their columns. A key is recognised by the name of a partition column and a known
// property, as names may have dots in them.
func (d *definition) sort() {
	d.fields = make([]*field, len(d.partitions))
	for i, p := range d.partitions {
		d.fields[i] = &field{name: p, column: d.column(p.S), declared: d.types[d.index.Find(p.S)]}
	}
	for _, s := range d.properties.list {
		rest, ok := strings.CutPrefix(s.name, "projection.")
		if !ok || s.name == enabledKey {
			continue
		}
		if !d.assign(rest, s) {
			d.other = append(d.other, s)
		}
	}
}

// assign files a key, without "projection.", under its column.
func (d *definition) assign(rest string, s *setting) bool {
	for _, suffix := range suffixes {
		name, ok := strings.CutSuffix(rest, "."+suffix)
		if !ok {
			continue
		}
		if i := d.partIndex.Find(name); i >= 0 {
			d.fields[i].set(suffix, s)
			return true
		}
	}
	return false
}
