package projection

import (
	"cmp"
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// inverse finds branches by value. An axis whose values ascend answers with one run; one whose values don't (numbers
// or dates in a text column, enums) with several.
type inverse interface {
	// between appends the branches with lo ≤ value < hi (nil: no bound) as runs that leave rest, in any order.
	between(dst []Run, lo, hi *pruning.Value, rest pruning.Diagram) []Run
}

// valueRuns is [Axis.Runs] for an axis that fixes a key to the values that inv finds: each piece of the diagram that
// can be TRUE is turned into branches, and these are brought into the axis's order. last is the last branch.
func valueRuns(dst []Run, d pruning.Diagram, key int, last uint64, inv inverse) []Run {
	if !d.Outcomes().MayBeTrue() {
		return dst
	}
	b := d.Branches(key)
	cuts := b.Cuts()
	if len(cuts) == 0 {
		if b.Piece(0).Outcomes().MayBeTrue() {
			dst = append(dst, Run{Last: last, Rest: b.Piece(0)})
		}
		return dst
	}
	dst = slices.Grow(dst, b.Len()/2+1)
	runs := dst[len(dst):] // and so is what is returned, where that was enough
	for i := range b.Len() {
		rest := b.Piece(i)
		if !rest.Outcomes().MayBeTrue() {
			continue
		}
		var lo, hi *pruning.Value
		if i > 0 {
			lo = &cuts[i-1]
		}
		if i < len(cuts) {
			hi = &cuts[i]
		}
		runs = inv.between(runs, lo, hi, rest)
	}
	return append(dst, orderRuns(runs)...)
}

// orderRuns sorts disjoint runs and merges neighbours that leave the same diagram, in place.
func orderRuns(runs []Run) []Run {
	byFirst := func(a, b Run) int { return cmp.Compare(a.First, b.First) }
	if !slices.IsSortedFunc(runs, byFirst) {
		slices.SortFunc(runs, byFirst)
	}
	out := runs[:0]
	for _, r := range runs {
		out = appendRun(out, r)
	}
	return out
}

// sorted is the inverse of an axis of few branches: their values, and an index that sorts them. Equal values are
// allowed.
type sorted struct {
	values []pruning.Value
	order  []uint32 // branches by value
}

// newSorted builds the index. It takes n log n comparisons, so an axis bounds n by Limits.Sorted.
func newSorted(values []pruning.Value) *sorted {
	s := &sorted{values: values, order: make([]uint32, len(values))}
	for i := range s.order {
		s.order[i] = uint32(i)
	}
	slices.SortFunc(s.order, func(a, b uint32) int {
		if c := pruning.Compare(values[a], values[b]); c != 0 {
			return c
		}
		return int(a) - int(b)
	})
	return s
}

func (s *sorted) between(dst []Run, lo, hi *pruning.Value, rest pruning.Diagram) []Run {
	i, j := 0, len(s.order)
	if lo != nil {
		i = s.from(*lo)
	}
	if hi != nil {
		j = s.from(*hi)
	}
	for ; i < j; i++ {
		b := uint64(s.order[i])
		dst = appendRun(dst, Run{b, b, rest})
	}
	return dst
}

// from is the number of branches, by value, that lie below v.
func (s *sorted) from(v pruning.Value) int {
	i, _ := slices.BinarySearchFunc(s.order, v, func(b uint32, v pruning.Value) int {
		return pruning.Compare(s.values[b], v)
	})
	return i
}

// equal are two branches with one value.
func (s *sorted) equal() (i, j uint64, found bool) {
	for k := 1; k < len(s.order); k++ {
		a, b := s.order[k-1], s.order[k]
		if pruning.Compare(s.values[a], s.values[b]) == 0 {
			return uint64(a), uint64(b), true
		}
	}
	return 0, 0, false
}
