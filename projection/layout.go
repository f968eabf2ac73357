package projection

import (
	"context"

	"github.com/yqlplan/yqlplan/pruning"
)

// Level splits a branch into the branches of an axis.
type Level interface {
	Keys() []int // the keys that it decides or narrows; none for a level such as random buckets
	Fixed() bool // the same axis below every branch: counts multiply
	Axis(ctx context.Context, at *Place) (Axis, error)
}

// Place is the way from the root of a layout to a branch: one axis and index a level. It is reused while walking.
type Place struct {
	Axes  []Axis
	Index []uint64
}

// Layout is how a table lies in storage: keys in the order of the diagram, levels outermost first.
type Layout struct {
	System  string // "yql projection", "doris", … as texts name it
	Shape   string // one line for people: "template ${year}/${month}/"
	Unit    string // what a unit is called, in plural: "prefixes", "files", "buckets"
	Keys    []pruning.Key
	Levels  []Level
	Derived []Derived                                                                    // columns that keys are computed from
	Path    func(dst []byte, at *Place) []byte                                           // the unit's path; nil where units have none
	Names   func(at *Place) (partition string, bucket int, hasPartition, hasBucket bool) // nil where units have only a path
}

// Derived says what "Column IN set" means for the keys computed from Column. Several facts about one column are met.
type Derived struct {
	Column string
	Lift   func(*pruning.Space, pruning.Set) pruning.Diagram
}
