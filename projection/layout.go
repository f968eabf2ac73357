package projection

import (
	"context"
	"math/big"

	"github.com/yqlplan/yqlplan/pruning"
)

// Layout is how a table lies in storage: keys in the order of the diagram, levels outermost first.
type Layout struct {
	System   string // "yql projection", "doris", … as texts name it
	Shape    string // one line for people: "template ${year}/${month}/"
	Unit     string // what a unit is called, in plural: "prefixes", "files", "buckets"
	Keys     []pruning.Key
	Virtual  int // so many of Keys, at the end, are no partition columns: a file's path. They prune, but aren't told as values
	Levels   []Level
	Source   Source                                                                       // finds levels that stand in the storage; nil: all are known
	Total    *big.Int                                                                     // of units, where that isn't what a walk without conditions finds; nil: unknown
	Open     bool                                                                         // there are more branches than the levels have: they are those that a query names
	Derived  []Derived                                                                    // columns that keys are computed from
	Text     func(dst []byte, t pruning.Type, v pruning.Value) []byte                     // how the system writes dates; nil: as Type.Append
	Template *Template                                                                    // where paths are made by one; Path isn't used then
	Root     string                                                                       // of a template: where all objects of the table lie, "" or ending in "/"
	Files    func(name string) bool                                                       // of a template: whether an object is read, by what its key has behind the prefix; nil: all are
	Path     func(dst []byte, at *Place) []byte                                           // the unit's path; nil where units have none
	Names    func(at *Place) (partition string, bucket int, hasPartition, hasBucket bool) // nil where units have only a path
	// Sizing is what the declaration says of sizes; nil where it says nothing.
	Sizing *Sizing
	// Whole is the layout of the whole table, where a reference names a part of it: PARTITION (p1).
	Whole *Layout
	// Written is how rows are placed that are loaded now, where others may lie elsewhere; nil: no different.
	Written *Layout
	// Closed: rows that have no unit can't be written.
	Closed bool
	// Grows: rows that are loaded make the branches that they need; see [Follower].
	Grows bool
	// Facts are told of what a diagram selects; nil where the units say all.
	Describe func() []string // what partitions there are, as lines for people: ranges with the holes between them, lists; nil: the axes tell
	Facts    func(ctx context.Context, d pruning.Diagram, c Check) ([]Fact, error)
}

// Fact is something that people are told of a plan beside its units: which partitions are read and what they hold.
type Fact struct {
	Label string
	Lines []string
}

// Values are the keys whose values are told of each unit.
func (l *Layout) Values() []pruning.Key { return l.Keys[:len(l.Keys)-l.Virtual] }

// Derived says what "Column IN set" means for the keys computed from Column. Several facts about one column are met.
type Derived struct {
	Column string
	Lift   func(*pruning.Space, pruning.Set) pruning.Diagram
}
