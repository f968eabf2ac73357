package projection

import (
	"cmp"
	"slices"
	"sort"

	"github.com/yqlplan/yqlplan/pruning"
)

// List is the tuples that a partition lists: (1, "Beijing"), (1, NULL).
type List struct {
	Name   string
	Tuples [][]pruning.Nullable
	// Others: the partition takes every tuple but Tuples. There is at most one such list.
	Others bool
}

// Lists is the axis of lists in the order in which they are declared. What can be TRUE is found by binary search among
// all tuples, on the first key.
type Lists struct {
	Columns
	lists   []List
	entries []entry
	others  int // the list of all other tuples, or -1
}

// entry is a tuple and the branch that lists it.
type entry struct {
	tuple  []pruning.Nullable
	branch int
}

// NewLists makes the axis of lists, which aren't changed from here on.
func NewLists(c Columns, lists []List) *Lists {
	l := &Lists{Columns: c, lists: lists, others: -1}
	for i := range lists {
		if lists[i].Others {
			l.others = i
			continue
		}
		for _, t := range lists[i].Tuples {
			l.entries = append(l.entries, entry{t, i})
		}
	}
	slices.SortFunc(l.entries, func(a, b entry) int {
		return cmp.Or(slices.CompareFunc(a.tuple, b.tuple, compareNullable), a.branch-b.branch)
	})
	return l
}

// compareNullable orders values with NULL below all of them.
func compareNullable(a, b pruning.Nullable) int {
	switch {
	case a.Null && b.Null:
		return 0
	case a.Null:
		return -1
	case b.Null:
		return 1
	}
	return pruning.Compare(a.Value, b.Value)
}

// Last implements [Axis].
func (l *Lists) Last() (uint64, bool) { return uint64(len(l.lists)) - 1, len(l.lists) > 0 }

// Name implements [Cells].
func (l *Lists) Name(i uint64) string { return l.lists[i].Name }

// AppendName implements [Axis].
func (l *Lists) AppendName(dst []byte, i uint64) []byte { return append(dst, l.lists[i].Name...) }

// List is the i-th list.
func (l *Lists) List(i uint64) List { return l.lists[i] }

// Value implements [Axis]: a list of one value fixes it.
func (l *Lists) Value(i uint64) (v pruning.Value, null, ok bool) {
	x := &l.lists[i]
	if len(l.Types) != 1 || len(x.Tuples) != 1 || x.Others {
		return v, false, false
	}
	return x.Tuples[0][0].Value, x.Tuples[0][0].Null, true
}

// Values are the values that rows can have for a key of the level; ok is false when a list takes all others.
func (l *Lists) Values(key int) (vs []pruning.Value, null, ok bool) {
	for i := range l.entries {
		x := l.entries[i].tuple[key-l.First]
		if null = null || x.Null; !x.Null {
			vs = append(vs, x.Value)
		}
	}
	slices.SortFunc(vs, pruning.Compare)
	return slices.Compact(vs), null, l.others < 0
}

// Cell implements [Cells].
func (l *Lists) Cell(s *pruning.Space, i uint64) pruning.Diagram {
	x := &l.lists[i]
	c := l.tuples(s, x.Tuples)
	if x.Others {
		c = l.filled(c.Not())
	}
	return c
}

// tuples is the cell of some tuples.
func (l *Lists) tuples(s *pruning.Space, tuples [][]pruning.Nullable) pruning.Diagram {
	if len(l.Types) == 1 {
		return oneOf(s, l.First, slices.Concat(tuples...))
	}
	ds := make([]pruning.Diagram, len(tuples))
	for i, t := range tuples {
		ds[i] = s.Const(pruning.True)
		for k := len(t) - 1; k >= 0; k-- {
			ds[i] = oneOf(s, l.First+k, t[k:k+1]).And(ds[i])
		}
	}
	return s.All(pruning.Diagram.Or, ds, s.Const(pruning.False))
}

// oneOf is the cell of some values of a key.
func oneOf(s *pruning.Space, key int, list []pruning.Nullable) pruning.Diagram {
	var vs []pruning.Value
	null := pruning.False
	for _, x := range list {
		if x.Null {
			null = pruning.True
		} else {
			vs = append(vs, x.Value)
		}
	}
	cuts := pruning.Points(s.Keys()[key].Type, vs).Cuts()
	outs := make([]pruning.Outcomes, len(cuts)+1)
	for i := range outs {
		outs[i] = [2]pruning.Outcomes{pruning.False, pruning.True}[i%2]
	}
	return s.Steps(key, cuts, outs, null)
}

// Runs implements [Axis].
func (l *Lists) Runs(dst []Run, d pruning.Diagram) ([]Run, error) {
	if last, ok := l.Last(); ok && d.IsConst() && d.Outcomes().MayBeTrue() && l.others < 0 {
		return appendRun(dst, Run{0, last, d}), nil
	}
	branches := l.hits(d)
	if l.others >= 0 {
		branches = append(branches, l.others)
	}
	slices.Sort(branches)
	var kids []pruning.Diagram
	for _, i := range slices.Compact(branches) {
		if i == l.others {
			dst = l.exact(dst, l, uint64(i), &scratch{d: d})
			continue
		}
		kids = kids[:0]
		for _, t := range l.lists[i].Tuples {
			kids = append(kids, along(d, l.First, t))
		}
		dst = l.join(dst, uint64(i), kids, d)
	}
	return dst, nil
}

// hits are the branches of the tuples for which d can be TRUE.
func (l *Lists) hits(d pruning.Diagram) (branches []int) {
	nulls := sort.Search(len(l.entries), func(i int) bool { return !l.entries[i].tuple[0].Null })
	pieces := d.Branches(l.First)
	branches = appendHits(branches, l.entries[:nulls], pieces.Null(), l.First)
	rest := l.entries[nulls:]
	for p := range pieces.Len() {
		n := len(rest)
		if p < pieces.Len()-1 {
			cut := pieces.Cuts()[p]
			n = sort.Search(len(rest), func(i int) bool { return pruning.Compare(rest[i].tuple[0].Value, cut) >= 0 })
		}
		branches = appendHits(branches, rest[:n], pieces.Piece(p), l.First)
		rest = rest[n:]
	}
	return branches
}

// appendHits appends the branches of entries for which d, which the first key has led to, can be TRUE.
func appendHits(branches []int, entries []entry, d pruning.Diagram, first int) []int {
	if !d.Outcomes().MayBeTrue() {
		return branches
	}
	for i := range entries {
		if along(d, first+1, entries[i].tuple[1:]).Outcomes().MayBeTrue() {
			branches = append(branches, entries[i].branch)
		}
	}
	return branches
}

// along is what is left of d, whose keys before first are settled, for a tuple of the keys from there on. It only reads.
func along(d pruning.Diagram, first int, tuple []pruning.Nullable) pruning.Diagram {
	for k, v := range tuple {
		if v.Null {
			d = d.AtNull(first + k)
		} else {
			d = d.At(first+k, v.Value)
		}
	}
	return d
}
