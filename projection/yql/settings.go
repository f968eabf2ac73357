package yql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

const (
	enabledKey  = "projection.enabled"
	templateKey = "storage.location.template"
	keyHint     = "keys are projection.enabled, projection.<column>.<property> and storage.location.template"
)

// isProjectionKey reports whether a key of a WITH is one of the projection's; these are exact in case.
func isProjectionKey(key string) bool {
	first, _, dotted := strings.Cut(key, ".")
	return dotted && (first == "projection" || first == "storage")
}

// setting files one projection key. A key may be given once, in whatever spelling.
func (d *definition) setting(s projection.Setting) {
	if !d.settings.Add(s) {
		d.Errorf("projection.duplicate", s.Key, "drop one of them", "the key %s is given twice", projection.Quote(s.Key.S))
	}
}

// projection reads the text of PROJECTION: a flat JSON object of projection keys.
func (d *definition) projection(t projection.Text) {
	const code, hint = "projection.json", `write {"projection.enabled": "true", …}`
	if strings.TrimSpace(t.S) == "" {
		d.Errorf(code, t, hint, "PROJECTION is empty")
		d.broken = true
		return
	}
	if c := strings.TrimSpace(t.S)[0]; c != '{' {
		d.Errorf(code, t, hint, "PROJECTION: the JSON is no object, it begins with %q", c)
		d.broken = true
		return
	}
	d.settings.Grow(min(strings.Count(t.S, ",")+1, mostExpected))
	if err := readObject(t, d.member); err != nil {
		d.Errorf(code, t.Part(err.from, err.to), err.hint, "PROJECTION: %s", err.msg)
		d.broken = true
	}
	if len(d.settings.All()) == 0 && !d.broken {
		d.Errorf(code, t, hint, "PROJECTION has no keys")
		d.broken = true
	}
}

// mostExpected bounds the settings that room is made for before they are read.
const mostExpected = 64

func (d *definition) member(m jsonMember) {
	switch m.value.kind {
	case jsonNull:
		d.Errorf("projection.json", m.value, "write a text, or drop the key", "%s is null", m.key.S)
	case jsonObject, jsonList:
		d.Errorf("projection.json", m.value, `write flat keys: "projection.year.type": "integer"`, "%s is %s: the keys must be flat",
			projection.Quote(m.key.S), m.value.kind)
	default:
		d.setting(projection.Setting{Key: m.key.Text, Value: m.value.Text})
		return
	}
	d.broken = true
}

// column is what the settings say about one projected column.
type column struct {
	name   string
	props  []prop          // at least one
	axis   projection.Axis // nil when the settings are wrong
	kind   string          // of one with an axis
	values values
}

// newColumn is a column with room for as many properties as a kind has.
func newColumn(name string) *column {
	c := &struct {
		column
		room [6]prop
	}{column: column{name: name}}
	c.props = c.room[:0]
	return &c.column
}

// prop is one property; its key is the full one.
type prop struct {
	name string
	*projection.Setting
}

func (c *column) lookup(name string) *projection.Setting {
	for i := range c.props {
		if c.props[i].name == name {
			return c.props[i].Setting
		}
	}
	return nil
}

// sort puts the settings in order by column and gives the switch and the template, where there are any.
func (d *definition) sort() (enabled, template *projection.Setting) {
	list := d.settings.All()
	for i := range list {
		s := &list[i]
		if s.Key.S == enabledKey {
			enabled = s
			continue
		}
		if s.Key.S == templateKey {
			template = s
			continue
		}
		first, rest, _ := strings.Cut(s.Key.S, ".")
		name, property, _ := strings.Cut(rest, ".")
		if first != "projection" || name == "" || property == "" || strings.Contains(property, ".") {
			d.badKey(s.Key)
			continue
		}
		n, added := d.projectedIndex.Add(name)
		if added {
			if d.projected == nil {
				d.projected = make([]*column, 0, len(d.partitions))
			}
			d.projected = append(d.projected, newColumn(name))
		}
		d.projected[n].props = append(d.projected[n].props, prop{property, s})
	}
	return enabled, template
}

func (d *definition) badKey(key projection.Text) {
	parts := strings.Split(key.S, ".")
	switch {
	case slices.Contains(parts, ""):
		d.Errorf("projection.key", key, keyHint, "the key %s has an empty part", projection.Quote(key.S))
	case len(parts) > 3 && (parts[0] == "projection" || parts[0] == "storage"):
		d.Errorf("projection.key", key, keyHint, "the key %s has %d parts, and a key has three at most; names with dots can't be projected",
			projection.Quote(key.S), len(parts))
	default:
		hint := projection.DidYouMean(key.S, []string{enabledKey, templateKey})
		d.Errorf("projection.key", key, either(hint, keyHint), "the key %s is unknown", projection.Quote(key.S))
	}
}

// checkEnabled tells whether the projection is switched on. Switched off, its keys would do nothing, and the read would be
// a full listing that nobody meant: an error (YDB: the same in a SELECT). It reports whether the keys are off on purpose, so
// that what they lack needn't be told.
func (d *definition) checkEnabled(s *projection.Setting) (off bool) {
	if s == nil {
		if !d.broken {
			d.Errorf("projection.enabled", d.settings.All()[0].Key, `add projection.enabled = "true", or drop the projection keys`,
				"projection.enabled is missing")
		}
		return false
	}
	switch strings.ToLower(s.Value.S) {
	case "true", "t", "yes", "y", "on", "1":
	case "false", "f", "no", "n", "off", "0":
		d.Errorf("projection.enabled", s.Value, `write "true", or drop all projection keys`, "the projection is not enabled: projection.enabled is %s",
			projection.Quote(s.Value.S))
		return true
	default:
		d.Errorf("projection.enabled", s.Value, `write "true"`, "projection.enabled: %s is neither true nor false", projection.Quote(s.Value.S))
	}
	return false
}

// likely are the partition columns for a hint: those that are listed, those that are projected, or an example.
func (d *definition) likely() []string {
	if names := d.partitionIndex.Names(); len(names) > 0 {
		return names
	}
	if names := d.projectedIndex.Names(); len(names) > 0 {
		return names
	}
	return []string{"year", "month"}
}

// checkPartitions looks at PARTITIONED_BY and the projection together.
func (d *definition) checkPartitions() {
	d.checkNames()
	if len(d.settings.All()) == 0 {
		d.checkListed()
		return
	}
	enabled, template := d.sort()
	if d.checkEnabled(enabled) {
		return
	}
	if !d.partitioned {
		d.Errorf("partitioned.missing", d.settings.All()[0].Key, "add PARTITIONED_BY = ("+strings.Join(d.likely(), ", ")+")",
			"a projection needs PARTITIONED_BY")
	}
	d.readTemplate(template)
	d.checkSets()
	for _, c := range d.projected {
		d.project(c)
	}
}

// checkNames looks for the columns of PARTITIONED_BY in the schema.
func (d *definition) checkNames() {
	for _, p := range d.partitions {
		switch {
		case d.Full() || d.column(p.S) != nil:
		case len(d.columns) > 0:
			d.Errorf("partitioned.column", p, either(projection.DidYouMean(p.S, d.columnIndex.Names()), "declare it in the schema"),
				"the partition column %s is not in the schema", projection.Quote(p.S))
		case d.inferred && d.given[schemaOption].at == nil:
			d.Errorf("schema.missing", p, schemaHint, "the type of the partition column %s is not known", p.S)
		}
	}
	data := func(c projection.Column) bool { return !d.isPartition(c.Name) }
	if len(d.columns) > 0 && !slices.ContainsFunc(d.columns, data) {
		d.Errorf("partitioned.all", d.partitions[0], "add the columns that the files hold", "all columns are partition columns: nothing is read from the files")
	}
}

// noteNullable tells once about partition columns that YDB itself would refuse.
func (d *definition) noteNullable() {
	var names []string
	var first ast.Span
	for i, c := range d.columns {
		if !c.Nullable || !d.isPartition(c.Name) {
			continue
		}
		if len(names) == 0 {
			first = d.declared[i].Span
		}
		names = append(names, c.Name)
	}
	if len(names) > 0 {
		d.Notef("partitioned.nullable", first, "write NOT NULL", "YDB itself takes only NOT NULL partition columns, and %s may be NULL here",
			strings.Join(names, ", "))
	}
}

// checkSets compares the columns that are projected with those of PARTITIONED_BY.
func (d *definition) checkSets() {
	if !d.partitioned || d.listBroken {
		return
	}
	for _, c := range d.projected {
		if !d.isPartition(c.name) && !d.Full() {
			near := projection.DidYouMean(c.name, d.partitionIndex.Names())
			d.Errorf("projection.column", c.props[0].Key, either(near, "add it to PARTITIONED_BY, or drop its keys"),
				"%s has a projection but is not in PARTITIONED_BY", projection.Quote(c.name))
		}
	}
	for _, p := range d.partitions {
		if d.projectedIndex.Find(p.S) < 0 && !d.broken {
			d.Errorf("projection.column", p, fmt.Sprintf(`add projection.%s.type = "integer" and its properties`, p.S),
				"the partition column %s has no projection", p.S)
		}
	}
}

// checkListed looks at the types of columns whose values stand in directory names.
func (d *definition) checkListed() {
	for _, p := range d.partitions {
		d.checkType(p.S, listedTypes, "a partition column")
	}
}
