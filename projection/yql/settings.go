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
	members, err := readObject(t)
	if err != nil {
		d.Errorf(code, t.Part(err.from, err.to), err.hint, "PROJECTION: %s", err.msg)
		d.broken = true
	}
	for _, m := range members {
		d.member(m)
	}
	if d.settings.All() == nil && !d.broken {
		d.Errorf(code, t, hint, "PROJECTION has no keys")
		d.broken = true
	}
}

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
	name  string
	first projection.Text // the key that names it first
	props projection.Settings
}

// sorted puts the settings in order by column and gives the switch and the template, where there are any.
func (d *definition) sorted() (columns []*column, enabled, template *projection.Setting) {
	byName := map[string]*column{}
	for _, s := range d.settings.All() {
		parts := strings.Split(s.Key.S, ".")
		switch {
		case s.Key.S == enabledKey:
			enabled = &s
		case s.Key.S == templateKey:
			template = &s
		case parts[0] == "projection" && len(parts) == 3 && parts[1] != "" && parts[2] != "":
			c := byName[parts[1]]
			if c == nil {
				c = &column{name: parts[1], first: s.Key}
				byName[c.name] = c
				columns = append(columns, c)
			}
			c.props.Add(projection.Setting{Key: s.Key.Slice(len("projection.")+len(parts[1])+1, len(s.Key.S)), Value: s.Value})
		default:
			d.badKey(s.Key, parts)
		}
	}
	return columns, enabled, template
}

func (d *definition) badKey(key projection.Text, parts []string) {
	hint := projection.DidYouMean(key.S, []string{enabledKey, templateKey})
	switch {
	case parts[0] != "projection" && parts[0] != "storage":
		d.Errorf("projection.key", key, either(hint, keyHint), "the key %s is unknown", projection.Quote(key.S))
	case slices.Contains(parts, ""):
		d.Errorf("projection.key", key, keyHint, "the key %s has an empty part", projection.Quote(key.S))
	case len(parts) > 3:
		d.Errorf("projection.key", key, keyHint, "the key %s has %d parts, and a key has three at most; names with dots can't be projected",
			projection.Quote(key.S), len(parts))
	default:
		d.Errorf("projection.key", key, either(hint, keyHint), "the key %s is unknown", projection.Quote(key.S))
	}
}

// checkEnabled tells whether the projection is switched on. Switched off, its keys would do nothing, and the read would be
// a full listing that nobody meant: an error (YDB: the same in a SELECT).
func (d *definition) checkEnabled(s *projection.Setting) {
	if s == nil {
		if !d.broken {
			d.Errorf("projection.enabled", d.settings.All()[0].Key, `add projection.enabled = "true", or drop the projection keys`,
				"projection.enabled is missing")
		}
		return
	}
	switch strings.ToLower(s.Value.S) {
	case "true", "t", "yes", "y", "on", "1":
	case "false", "f", "no", "n", "off", "0":
		d.Errorf("projection.enabled", s.Value, `write "true", or drop all projection keys`, "the projection is not enabled: projection.enabled is %s",
			projection.Quote(s.Value.S))
	default:
		d.Errorf("projection.enabled", s.Value, `write "true"`, "projection.enabled: %s is neither true nor false", projection.Quote(s.Value.S))
	}
}

// checkPartitions looks at PARTITIONED_BY and the projection together. With complete, all columns are declared.
func (d *definition) checkPartitions(complete bool) {
	d.checkNames(complete)
	if len(d.settings.All()) == 0 {
		d.checkListed()
		return
	}
	columns, enabled, template := d.sorted()
	d.checkEnabled(enabled)
	if !d.partitioned {
		d.Errorf("partitioned.missing", d.settings.All()[0].Key, "add PARTITIONED_BY = ("+projectedNames(columns)+")",
			"a projection needs PARTITIONED_BY")
	}
	d.readTemplate(template)
	d.checkSets(columns)
	d.axes, d.projected = make(map[string]projection.Axis, len(columns)), make(map[string]*column, len(columns))
	for _, c := range columns {
		d.projected[c.name] = c
		d.project(c)
	}
}

func projectedNames(columns []*column) string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.name
	}
	if len(out) == 0 {
		return "year, month"
	}
	return strings.Join(out, ", ")
}

// checkNames keeps the names of PARTITIONED_BY that are columns, each once.
func (d *definition) checkNames(complete bool) {
	known := make(map[string]*projection.Column, len(d.columns))
	for i := range d.columns {
		known[d.columns[i].Name] = &d.columns[i]
	}
	seen := make(map[string]bool, len(d.partitions))
	kept := d.partitions[:0:0]
	for _, p := range d.partitions {
		switch {
		case seen[p.S]:
			d.Errorf("partitioned.duplicate", p, "drop one of them", "PARTITIONED_BY: the column %s is listed twice", p.S)
			continue
		case known[p.S] == nil && len(d.columns) > 0:
			d.Errorf("partitioned.column", p, either(projection.DidYouMean(p.S, d.columnNames()), "declare it in the schema"),
				"the partition column %s is not in the schema", projection.Quote(p.S))
		case known[p.S] == nil && !complete:
			d.Errorf("schema.missing", p, schemaHint, "the type of the partition column %s is not known", p.S)
		}
		seen[p.S] = true
		kept = append(kept, p)
	}
	d.partitions = kept
	if len(kept) > 0 && len(d.columns) > 0 && !slices.ContainsFunc(d.columns, func(c projection.Column) bool { return !seen[c.Name] }) {
		d.Errorf("partitioned.all", kept[0], "add the columns that the files hold", "all columns are partition columns: nothing is read from the files")
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

func (d *definition) columnNames() []string {
	out := make([]string, len(d.columns))
	for i, c := range d.columns {
		out[i] = c.Name
	}
	return out
}

// checkSets compares the columns that are projected with those of PARTITIONED_BY.
func (d *definition) checkSets(columns []*column) {
	if !d.partitioned || d.listBroken {
		return
	}
	projected := map[string]bool{}
	for _, c := range columns {
		projected[c.name] = true
		if !d.isPartition(c.name) {
			d.Errorf("projection.column", c.first, either(projection.DidYouMean(c.name, d.partitionTexts()), "add it to PARTITIONED_BY, or drop its keys"),
				"%s has a projection but is not in PARTITIONED_BY", projection.Quote(c.name))
		}
	}
	for _, p := range d.partitions {
		if !projected[p.S] && !d.broken {
			d.Errorf("projection.column", p, fmt.Sprintf(`add projection.%s.type = "integer" and its properties`, p.S),
				"the partition column %s has no projection", p.S)
		}
	}
}

func (d *definition) partitionTexts() []string {
	out := make([]string, len(d.partitions))
	for i, p := range d.partitions {
		out[i] = p.S
	}
	return out
}

// checkListed looks at the types of columns whose values stand in directory names.
func (d *definition) checkListed() {
	for _, p := range d.partitions {
		d.checkType(p.S, listedTypes, "a partition column")
	}
}
