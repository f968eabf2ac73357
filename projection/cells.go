package projection

import (
	"context"

	"github.com/yqlplan/yqlplan/pruning"
)

// Cells is an axis whose branches hold several tuples of their keys: the partitions of a table that are declared by
// ranges or by lists of values. A tuple is in one branch at most.
type Cells interface {
	Axis
	// Cell is what branch i can hold: T there and F elsewhere, as in d: [2017-02-01,2017-03-01) → T.
	Cell(s *pruning.Space, i uint64) pruning.Diagram
	// Name is the name of branch i.
	Name(i uint64) string
}

// CellLevel is the level of one axis of cells below every branch.
func CellLevel(c Cells, keys []int) Level { return &cellLevel{c, keys} }

type cellLevel struct {
	axis Cells
	keys []int
}

func (l *cellLevel) Keys() []int                                { return l.keys }
func (l *cellLevel) Fixed() bool                                { return true }
func (l *cellLevel) Axis(context.Context, *Place) (Axis, error) { return l.axis, nil }

// Columns are the keys that cells are about: neighbours in a layout's list.
type Columns struct {
	First    int
	Types    []pruning.Type
	Nullable []bool
	// Kept: levels below are about these keys, too. They restrict the diagram to the cell where they need it, so that
	// a run of many cells stays one run. Otherwise the cells' keys are forgotten.
	Kept bool
}

// Keys are the places of the keys in the layout's list.
func (c *Columns) Keys() []int {
	keys := make([]int, len(c.Types))
	for i := range keys {
		keys[i] = c.First + i
	}
	return keys
}

// filled is where no key is NULL that can't be.
func (c *Columns) filled(d pruning.Diagram) pruning.Diagram {
	for i, nullable := range c.Nullable {
		if !nullable {
			d = d.And(d.Space().Steps(c.First+i, nil, []pruning.Outcomes{pruning.True}, pruning.False))
		}
	}
	return d
}

// splits reports whether d depends on other keys of the cells than the first.
func (c *Columns) splits(d pruning.Diagram) bool {
	for i := 1; i < len(c.Types); i++ {
		if d.Depends(c.First + i) {
			return true
		}
	}
	return false
}

// rest is what is left of d below branches for which only the part x of d counts.
func (c *Columns) rest(d, x pruning.Diagram) pruning.Diagram {
	if c.Kept {
		return d
	}
	return x
}

// scratch is room for diagrams of single cells, so that a walk over very many of them doesn't fill the walk's own space.
type scratch struct {
	d     pruning.Diagram
	space *pruning.Space
	used  int
}

const scratchCells = 1024

// inside is d in one cell.
func (s *scratch) inside(a Cells, i uint64) pruning.Diagram {
	if s.used%scratchCells == 0 {
		s.space = s.d.Space().Fork()
	}
	s.used++
	return s.space.Adopt(s.d).Given(a.Cell(s.space, i))
}

// exact appends branch i if d can be TRUE in its cell, with what is left below it.
func (c *Columns) exact(dst []Run, a Cells, i uint64, s *scratch) []Run {
	x := s.inside(a, i)
	if !x.Outcomes().MayBeTrue() {
		return dst
	}
	if c.Kept {
		return appendRun(dst, Run{i, i, s.d})
	}
	return appendRun(dst, Run{i, i, s.d.Space().Adopt(x.Forget(c.Keys()...))})
}
