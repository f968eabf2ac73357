package yql

import (
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// layout makes the layout of a definition without errors; nil when that brought up an error.
func (d *definition) layout() *projection.Layout {
	if d.template == nil {
		return d.listed()
	}
	l := &projection.Layout{
		System:   "yql projection",
		Shape:    "template " + d.template.Below(),
		Unit:     "prefixes",
		Template: d.template,
		Root:     below(normal(d.path.S)),
		Files:    d.visible(),
	}
	axes := make([]projection.Axis, len(d.keys))
	l.Keys, l.Levels = make([]pruning.Key, len(axes)), make([]projection.Level, len(axes))
	for i, name := range d.keys {
		axes[i] = d.projected[d.projectedIndex.Find(name)].axis
		l.Keys[i] = pruning.Key{Name: name, Type: d.column(name).Type}
		l.Levels[i] = projection.Fixed(i, axes[i])
	}
	d.checkCollision(axes)
	return l
}

// checkCollision refuses definitions by which different values have one path, whatever a WHERE says.
func (d *definition) checkCollision(axes []projection.Axis) {
	const code = "template.collision"
	clash, decided := projection.Collide(d.template, axes)
	if clash == nil {
		if !decided {
			d.Notef(code, d.location, "put a separator between the columns",
				"%s: whether different values have one path could not be decided", templateKey)
		}
		return
	}
	if f, ok := d.coarse(clash); ok {
		d.Errorf(code, f, "write a finer format, or a coarser unit", "the format %s gives several dates of the column %s one path: %s",
			projection.Quote(f.S), d.keys[alone(clash)], projection.Quote(clash.Path))
		return
	}
	hint := "put a separator between the columns"
	if i := alone(clash); i >= 0 {
		hint = "change the values of " + d.keys[i] + ": a path has no slash at its ends, nor two in a row"
	}
	d.Errorf(code, d.location, hint, "different values have one path: %s", clash.Describe(d.template, axes))
}

// coarse is the date format that can't tell the steps of its column apart, where that is what a clash comes from.
func (d *definition) coarse(c *projection.Clash) (projection.Text, bool) {
	i := alone(c)
	if i < 0 {
		return projection.Text{}, false
	}
	f := d.projected[d.projectedIndex.Find(d.keys[i])].lookup("format")
	if f == nil {
		return projection.Text{}, false
	}
	return f.Value, true
}

// alone is the only level in which the two sides of a clash differ, or -1.
func alone(c *projection.Clash) int {
	found := -1
	for i := range c.A {
		if c.A[i] == c.B[i] {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// column is a declared column, or nil.
func (d *definition) column(name string) *projection.Column {
	if i := d.columnIndex.Find(name); i >= 0 {
		return &d.columns[i]
	}
	return nil
}
