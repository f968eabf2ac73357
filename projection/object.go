package projection

import (
	"context"
	"fmt"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// Object is a table of one object, which has to exist.
type Object struct {
	At    ast.Node // what messages point at
	Store store.Lister
	Key   string
}

// Layout is the layout before it has been looked up.
func (o *Object) Layout(system string) *Layout {
	return &Layout{System: system, Unit: "files", Source: o, Path: objectPath, Levels: []Level{&dirLevel{}}}
}

// Find implements [Source] by one listing, of which the object is the first entry.
func (o *Object) Find(ctx context.Context, l *Layout, p pruning.Diagram, _ Check) (*Layout, *Listing, error) {
	info := &Listing{Requests: 1, Full: 1}
	objects := &branches{key: noKey}
	for e, err := range o.Store.List(ctx, o.Key, false) {
		if err != nil {
			return nil, nil, storeFailure(o.At, err)
		}
		info.Seen++
		if e.Key == o.Key {
			objects.names, objects.sizes = []string{e.Key}, []int64{e.Size}
		}
		break
	}
	if len(objects.names) == 0 {
		return nil, nil, ast.Diagnostics{{Code: "list.missing", Pos: o.At.Pos(), End: o.At.End(),
			Msg: fmt.Sprintf("the object %s does not exist", Quote(o.Key)), Hint: "end the path in / to read a directory, or use a wildcard such as *"}}
	}
	info.Count(objects.sizes[0])
	if !p.Outcomes().MayBeTrue() {
		objects = &branches{key: noKey}
	}
	return l.listed(objects), info, nil
}
