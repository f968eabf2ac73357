package projection

import (
	"sort"
	"sync"

	"github.com/yqlplan/yqlplan/pruning"
)

// dateTexts finds branches by their texts.
type dateTexts struct {
	a       *Date
	ordered bool // the texts ascend
	read    bool // the branch can be read from the text
	limit   uint64
	index   func() *sorted // by text, built on first use
}

func (a *Date) newTexts() *dateTexts {
	t := &dateTexts{a: a, limit: uint64(a.spec.Sorted)}
	if t.limit == 0 {
		t.limit = uint64(DefaultLimits.Sorted)
	}
	lo, hi := a.first, a.civil(a.last)
	_, exact := a.format.Apart(lo, hi)
	t.ordered = a.format.Ordered(lo, hi)
	t.read = exact && a.format.Lacks() == "" && a.format.Reads(lo, hi)
	t.index = sync.OnceValue(t.sort)
	return t
}

func (t *dateTexts) sort() *sorted {
	values := make([]pruning.Value, t.a.last+1)
	for i := range values {
		values[i] = pruning.Text(string(t.a.AppendName(nil, uint64(i))))
	}
	return newSorted(values)
}

// sortable reports whether the branches are few enough to be sorted.
func (t *dateTexts) sortable() bool { return t.a.last < t.limit }

// runs is [Axis.Runs]. Where texts neither ascend nor can be read, and are too many to be sorted, it takes all branches
// and says nothing about what is below: more is read than needed, never less.
func (t *dateTexts) runs(dst []Run, d pruning.Diagram) []Run {
	a := t.a
	switch {
	case t.read && onlyPoints(d, a.spec.Key):
		return valueRuns(dst, d, a.spec.Key, a.last, textPoints{t})
	case t.ordered:
		return valueRuns(dst, d, a.spec.Key, a.last, t)
	case t.sortable():
		return valueRuns(dst, d, a.spec.Key, a.last, t.index())
	case len(d.Branches(a.spec.Key).Cuts()) > 0 && d.Outcomes().MayBeTrue():
		return append(dst, Run{Last: a.last, Rest: d.Space().Const(pruning.Unknown)})
	}
	return valueRuns(dst, d, a.spec.Key, a.last, t)
}

// between implements inverse for texts that ascend.
func (t *dateTexts) between(dst []Run, lo, hi *pruning.Value, rest pruning.Diagram) []Run {
	i, j := uint64(0), t.a.last+1
	if lo != nil {
		i = t.from(lo.Text())
	}
	if hi != nil {
		j = t.from(hi.Text())
	}
	if i >= j {
		return dst
	}
	return appendRun(dst, Run{i, j - 1, rest})
}

// from is the number of branches with texts below v, when texts ascend.
func (t *dateTexts) from(v string) uint64 {
	var buf [64]byte
	i, j := uint64(0), t.a.last+1
	for i < j {
		mid := i + (j-i)/2
		if string(t.a.AppendName(buf[:0], mid)) < v {
			i = mid + 1
		} else {
			j = mid
		}
	}
	return i
}

// textPoints is the inverse of single texts.
type textPoints struct{ *dateTexts }

func (t textPoints) between(dst []Run, lo, hi *pruning.Value, rest pruning.Diagram) []Run {
	if i, ok := t.find(lo.Text()); ok {
		dst = append(dst, Run{i, t.lastLike(i, lo.Text()), rest})
	}
	return dst
}

// lastLike is the last of the branches from i on with a text; when texts can be read, these are neighbours.
func (t *dateTexts) lastLike(i uint64, text string) uint64 {
	var buf [64]byte
	like := func(k uint64) bool { return string(t.a.AppendName(buf[:0], k)) == text }
	width := uint64(1)
	for i+width <= t.a.last && like(i+width) {
		width *= 2
	}
	n := sort.Search(int(min(width, t.a.last-i+1)), func(k int) bool { return !like(i + uint64(k)) })
	return i + uint64(n) - 1
}

// find is the first branch with a text; it is right only if read is set.
func (t *dateTexts) find(text string) (i uint64, ok bool) {
	c, ok := t.a.format.Parse(text)
	if !ok {
		return 0, false
	}
	var buf [64]byte
	i = t.a.below(c.Micros())
	return i, i <= t.a.last && string(t.a.AppendName(buf[:0], i)) == text
}

// lookup is the branch with a text, from the index.
func (t *dateTexts) lookup(text string) (i uint64, ok bool) {
	s := t.index()
	k := s.from(pruning.Text(text))
	if k == len(s.order) || s.values[s.order[k]].Text() != text {
		return 0, false
	}
	return uint64(s.order[k]), true
}

// onlyPoints reports whether d can be TRUE only for single texts of the key.
func onlyPoints(d pruning.Diagram, key int) bool {
	b := d.Branches(key)
	cuts := b.Cuts()
	for i := range b.Len() {
		if b.Piece(i).Outcomes().MayBeTrue() && !(i > 0 && i < len(cuts) && cuts[i].Text() == cuts[i-1].Text()+"\x00") {
			return false
		}
	}
	return true
}
