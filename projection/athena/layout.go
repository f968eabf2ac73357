package athena

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// check looks at what hangs together, once everything is read.
func (d *definition) check() {
	d.sort()
	enabled := d.enabled()
	if !enabled && !d.trino {
		d.warnOff()
		return
	}
	if enabled && len(d.partitions) == 0 {
		d.Errorf("partitioned.missing", d.properties.lookup(enabledKey).key, d.partitionHint(), "%s has no partition columns, so there is nothing to project", d.name)
	}
	d.checkOwners()
	if enabled || slices.ContainsFunc(d.fields, func(f *field) bool { return f.any() != nil }) {
		for i, f := range d.fields {
			d.project(i, f)
		}
	}
	ignored := d.trino && isTrue(d.properties.lookup(ignoreKey))
	d.projected = enabled && !ignored
	if d.trino && !enabled {
		d.warnOff()
	}
}

func (d *definition) partitionHint() string {
	if d.trino {
		return "add partitioned_by = ARRAY['…']"
	}
	return "add PARTITIONED BY (dt string)"
}

// enabled reads the switch as Java does: true in any case, else false.
func (d *definition) enabled() bool { return isTrue(d.properties.lookup(enabledKey)) }

func isTrue(s *setting) bool { return s != nil && strings.EqualFold(s.value.S, "true") }

// warnOff tells that settings have no effect because the projection isn't switched on.
func (d *definition) warnOff() {
	var first *setting
	for _, s := range d.properties.list {
		if (isProjection(s.name) && strings.HasPrefix(s.name, "projection.") || s.name == templateKey) && s.name != enabledKey {
			first = s
			break
		}
	}
	if first == nil {
		return
	}
	on := "'" + enabledKey + "'='true'"
	if d.trino {
		on = "partition_projection_enabled = true"
	}
	if s := d.properties.lookup(enabledKey); s != nil {
		d.Warnf("projection.enabled", s.value, "write "+on, "the projection isn't on: %s is %s", s.key.S, projection.Quote(s.value.S))
		return
	}
	d.Warnf("projection.enabled", first.key, "add "+on, "the projection isn't switched on, so %s has no effect", first.key.S)
}

// checkOwners: in Trino's spelling a property stands behind a column, which must be a partition column.
func (d *definition) checkOwners() {
	if !d.trino {
		return
	}
	for i, c := range d.types {
		if d.isPartition(d.columns[i].Name) {
			continue
		}
		for k := range c.Options {
			if o := &c.Options[k]; strings.HasPrefix(strings.ToLower(o.Key.Text), trinoColumn) {
				d.Errorf("projection.column", o.Key, "drop it, or add the column to partitioned_by", "a projection is declared for %s, which is not a partition column", d.columns[i].Name)
				break
			}
		}
	}
}

// layout makes the layout of a definition without errors; nil when that brought up an error.
func (d *definition) layout() *projection.Layout {
	switch {
	case d.projected:
		return d.projection()
	case d.additions != nil:
		return d.catalogued()
	}
	return d.listed()
}

// projection has one level for each partition column, in the order of PARTITIONED BY. With a template, values stand in
// paths as they are; without one, below the location in Hive's folders, escaped.
func (d *definition) projection() *projection.Layout {
	l := &projection.Layout{System: "athena projection", Unit: "prefixes"}
	names := d.partIndex.Names()
	custom := d.properties.lookup(templateKey)
	var name func(string) string
	if custom == nil {
		if !d.hasLocation() {
			return nil
		}
		l.Template, name = projection.HiveTemplate(d.location.S, names), projection.EscapeName
		l.Shape = "folders " + l.Template.String()
	} else {
		if l.Template = d.template(custom); l.Template == nil {
			return nil
		}
		l.Shape = "template " + custom.value.S
	}
	for i, f := range d.fields {
		l.Keys = append(l.Keys, pruning.Key{Name: f.name.S, Type: f.column.Type})
		switch {
		case f.axis == nil:
			l.Source = projection.Injection{Limits: d.env.Limits}
			l.Levels = append(l.Levels, projection.NewInjected(i, name))
		case custom == nil:
			l.Levels = append(l.Levels, projection.Fixed(i, projection.Escape(f.axis)))
		default:
			l.Levels = append(l.Levels, projection.Fixed(i, f.axis))
		}
	}
	if custom != nil && l.Source == nil {
		d.checkCollision(l, custom)
	}
	return l
}

// hasLocation reports a missing location.
func (d *definition) hasLocation() bool {
	if d.located && d.location.S != "" {
		return true
	}
	hint := "add LOCATION 's3://bucket/prefix/'"
	if d.trino {
		hint = "add external_location = 's3://bucket/prefix/'"
	}
	var at ast.Node = d.at
	if d.located {
		at = d.location
	}
	d.Errorf("location.missing", at, hint, "%s has no location, so its paths aren't known", d.name)
	return false
}

// template reads a location template: every partition column stands in it, and no other name.
func (d *definition) template(s *setting) *projection.Template {
	names := d.partIndex.Names()
	t, errs := projection.ParseLocation(s.value.S)
	if len(errs) == 0 {
		errs = t.Check(names)
	}
	for i := range errs {
		e := &errs[i]
		d.explain(e, s.value.S, names)
		d.Errorf(e.Code, s.value.Part(e.From, e.To), e.Hint, "%s: %s", s.key.S, e.Msg)
	}
	if len(errs) > 0 {
		return nil
	}
	return t.Ordered(names).Folder()
}

// explain says more of an error: that a name is a data column, or that a placeholder is written in another form.
func (d *definition) explain(e *projection.TemplateError, text string, names []string) {
	written := text[e.From:e.To]
	if name, ok := strings.CutPrefix(written, "${"); ok && e.Code == "template.column" && strings.HasSuffix(name, "}") && e.To-e.From < len(text) {
		if name = strings.ToLower(strings.TrimSuffix(name, "}")); d.column(name) != nil && !d.isPartition(name) {
			e.Msg = fmt.Sprintf("the placeholder %s is not a partition column: it is a data column", written)
		}
		return
	}
	for _, n := range names {
		if strings.Contains(text, "${"+n+"}") {
			continue
		}
		for _, form := range []string{"{" + n + "}", "$" + n, "%" + n + "%", "<" + n + ">"} {
			if i := strings.Index(text, form); i >= 0 && strings.Contains(e.Msg, `"`+n+`"`) {
				e.From, e.To, e.Hint = i, i+len(form), "write ${"+n+"}"
				return
			}
		}
	}
}

// checkCollision refuses a template by which different values have one path, whatever a WHERE says.
func (d *definition) checkCollision(l *projection.Layout, s *setting) {
	axes := make([]projection.Axis, len(d.fields))
	for i, f := range d.fields {
		axes[i] = f.axis
	}
	if clash, _ := projection.Collide(l.Template, axes); clash != nil {
		d.Errorf("template.collision", s.value, "put a separator between the columns", "different values have one path: %s", clash.Describe(l.Template, axes))
	}
}
