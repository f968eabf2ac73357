package projection

import (
	"context"
	"math/big"

	"github.com/yqlplan/yqlplan/pruning"
)

// Layout is how a table lies in storage: keys in the order of the diagram, levels outermost first.
type Layout struct {
	System  string // "yql projection", "doris", … as texts name it
	Shape   string // one line for people: "template ${year}/${month}/"
	Unit    string // what a unit is called, in plural: "prefixes", "files", "buckets"
	Keys    []pruning.Key
	Virtual int // so many of Keys, at the end, are no partition columns: a file's path. They prune, but aren't told as values
	Levels  []Level
	Source  Source    // finds levels that stand in the storage; nil: all are known
	Derived []Derived // columns that keys are computed from

	// Total is the number of units, where that isn't what a walk without conditions finds; nil: unknown.
	Total *big.Int
	// Open: there are more branches than the levels have; they are those that a query names.
	Open bool
	// Closed: rows that have no unit can't be written.
	Closed bool
	// Grows: rows that are loaded make the branches that they need; see [Follower].
	Grows bool

	// Template makes the paths of units; nil: Path does. Units whose Path is nil, too, have none.
	Template *Template
	Path     func(dst []byte, at *Place) []byte
	// Root is where all objects of a table with a Template lie, "" or ending in "/". Files tells which of them are read, by
	// what their keys have behind the prefix; nil: all are.
	Root  string
	Files func(name string) bool
	// Names are the unit's partition and bucket; nil where units have only a path.
	Names func(at *Place) (partition string, bucket int, hasPartition, hasBucket bool)

	// Text is how the system writes dates; nil: as Type.Append.
	Text func(dst []byte, t pruning.Type, v pruning.Value) []byte
	// Sizing is what the declaration says of sizes; nil where it says nothing.
	Sizing *Sizing
	// Whole is the layout of the whole table, where a reference names a part of it: PARTITION (p1).
	Whole *Layout
	// Written is how rows are placed that are loaded now, where others may lie elsewhere; nil: no different.
	Written *Layout
	// Describe tells what partitions there are, as lines for people: ranges with the holes between them, lists; nil: the
	// axes tell.
	Describe func() []string
	// Facts are told of what a diagram selects; nil where the units say all.
	Facts func(ctx context.Context, d pruning.Diagram, c Check) ([]Fact, error)
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
