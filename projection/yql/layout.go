package yql

import (
	"context"
	"slices"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// layout makes the layout of a definition without errors; nil when that brought up an error.
func (d *definition) layout(ctx context.Context) (*projection.Layout, error) {
	if d.template == nil {
		return d.listed(ctx)
	}
	l := &projection.Layout{
		System:   "yql projection",
		Shape:    "template " + d.shape,
		Unit:     "prefixes",
		Template: d.template,
	}
	for i, name := range d.keys {
		l.Keys = append(l.Keys, pruning.Key{Name: name, Type: d.column(name).Type})
		l.Levels = append(l.Levels, projection.Fixed(i, d.axes[name]))
	}
	return l, nil
}

// listed makes the layout of a table that has to be listed: PARTITIONED_BY without a projection, or no partitions.
func (d *definition) listed(context.Context) (*projection.Layout, error) {
	d.Errorf("store.needed", d.path, "give --store or --objects", "%s needs a listing: which files there are stands in the storage only", d.name)
	return nil, nil
}

func (d *definition) column(name string) *projection.Column {
	i := slices.IndexFunc(d.columns, func(c projection.Column) bool { return c.Name == name })
	return &d.columns[i]
}
