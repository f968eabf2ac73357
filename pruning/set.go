package pruning

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// Set is an interval set of one column's values: sorted cuts at which membership toggles, starting outside. [lo,hi) is
// {lo,hi}; an odd number of cuts reaches to the top. Every type has successors, so there are no inclusive bounds:
// x ≤ 5 is [,6). The zero Set is empty.
//
// Sets of one type are equal exactly when their cuts are, once they went through [Set.Clip], which knows the type's ends.
// They don't change once made, and share memory.
type Set struct{ cuts []Value }

// Empty is the set without values.
func Empty() Set { return Set{} }

// Full is the set of all values.
func Full() Set { return Set{cuts: []Value{bottom}} }

// Point is {v}.
func Point(t Type, v Value) Set { return Points(t, []Value{v}) }

// Points is the set of the values vs of type t, in any order, repetitions allowed. vs is left as it is.
func Points(t Type, vs []Value) Set {
	n := len(vs)
	cuts := make([]Value, 2*n)
	sorted := cuts[n:] // the front is filled with at most two cuts for each value that is read from the back
	copy(sorted, vs)
	if !slices.IsSortedFunc(sorted, Compare) {
		sortValues(sorted)
	}
	least := t.Min()
	next := successors{t: t}
	if t.Kind == String {
		next.text = zeroEnded(sorted)
	}
	out := cuts[:0]
	for _, v := range sorted {
		above, more := next.of(v)
		n := len(out)
		lo := v
		if v == least {
			lo = bottom
		}
		switch closed := n > 0 && n%2 == 0; {
		case n%2 == 1 || closed && less(lo, out[n-1]) || less(v, least):
			continue // the value before was the greatest, or is this one, or this one isn't of the type
		case closed && lo == out[n-1]:
			out = out[:n-1]
		default:
			out = append(out, lo)
		}
		if more {
			out = append(out, above)
		}
	}
	return Set{cuts: slices.Clip(out)}
}

// successors gives the successors of values in turn. Those of strings are cut from one text.
type successors struct {
	t    Type
	text string
}

func (s *successors) of(v Value) (Value, bool) {
	if s.t.Kind != String {
		return s.t.Succ(v)
	}
	next := Text(s.text[:len(v.s)+1])
	s.text = s.text[len(v.s)+1:]
	return next, true
}

// zeroEnded is all strings, each with a zero byte behind it.
func zeroEnded(vs []Value) string {
	size := len(vs)
	for i := range vs {
		size += len(vs[i].s)
	}
	var b strings.Builder
	b.Grow(size)
	for i := range vs {
		b.WriteString(vs[i].s)
		b.WriteByte(0)
	}
	return b.String()
}

// sortValues sorts by Compare. Numbers are sorted alone; texts get their first eight bytes as a number for the time
// being, so that most comparisons needn't look at the text.
func sortValues(vs []Value) {
	numbers, texts := true, true
	for i := range vs {
		numbers = numbers && vs[i].s == ""
		texts = texts && vs[i].n == 0
	}
	switch {
	case numbers:
		sortNumbers(vs)
	case texts:
		for i := range vs {
			vs[i].n = Uint(bigEndian(vs[i].s)).n
		}
		slices.SortFunc(vs, Compare)
		for i := range vs {
			vs[i].n = 0
		}
	default:
		slices.SortFunc(vs, Compare)
	}
}

func sortNumbers(vs []Value) {
	ns := make([]int64, len(vs))
	for i := range vs {
		ns[i] = vs[i].n
	}
	slices.Sort(ns)
	for i := range vs {
		vs[i].n = ns[i]
	}
}

// Range is lo ≤ v < hi.
func Range(lo, hi Value) Set {
	if !less(lo, hi) {
		return Set{}
	}
	return Set{cuts: []Value{lo, hi}}
}

// From is lo ≤ v.
func From(lo Value) Set { return Set{cuts: []Value{lo}} }

// Before is v < hi.
func Before(hi Value) Set { return Range(bottom, hi) }

// Contains reports whether v is in the set, by binary search.
func (s Set) Contains(v Value) bool { return pieceOf(s.cuts, v)%2 == 1 }

// pieceOf is the number of cuts at or below v.
func pieceOf(cuts []Value, v Value) int {
	return sort.Search(len(cuts), func(i int) bool { return less(v, cuts[i]) })
}

// IsEmpty reports whether the set has no values.
func (s Set) IsEmpty() bool { return len(s.cuts) == 0 }

// IsFull reports whether the set has all values.
func (s Set) IsFull() bool { return len(s.cuts) == 1 && s.cuts[0] == bottom }

// Union is the values of s or t.
func (s Set) Union(t Set) Set { return merge(s, t, func(a, b bool) bool { return a || b }) }

// Intersect is the values of s and t.
func (s Set) Intersect(t Set) Set { return merge(s, t, func(a, b bool) bool { return a && b }) }

// Minus is the values of s that aren't in t.
func (s Set) Minus(t Set) Set { return merge(s, t, func(a, b bool) bool { return a && !b }) }

// Complement is the values that aren't in s.
func (s Set) Complement() Set {
	if len(s.cuts) > 0 && s.cuts[0] == bottom {
		return Set{cuts: s.cuts[1:]}
	}
	return Set{cuts: append(append(make([]Value, 0, len(s.cuts)+1), bottom), s.cuts...)}
}

// Equal reports whether the cuts are equal: of Sets of one type that were clipped, whether they are the same.
func (s Set) Equal(t Set) bool { return slices.Equal(s.cuts, t.cuts) }

// Cuts are where membership toggles. They are not to be changed.
func (s Set) Cuts() []Value { return s.cuts }

// merge keeps the cuts of both at which in toggles. in(false, false) must be false.
func merge(s, t Set, in func(a, b bool) bool) Set {
	a, b := s.cuts, t.cuts
	out := make([]Value, 0, len(a)+len(b))
	i, j := 0, 0
	inside := false
	for i < len(a) || j < len(b) {
		var cut Value
		if j == len(b) || i < len(a) && !less(b[j], a[i]) {
			cut = a[i]
			i++
			if j < len(b) && b[j] == cut {
				j++
			}
		} else {
			cut = b[j]
			j++
		}
		if now := in(i%2 == 1, j%2 == 1); now != inside {
			out = append(out, cut)
			inside = now
		}
	}
	return Set{cuts: out}
}

// Clip is the same set of values of type t with the cuts that t's range makes pointless taken away: [0,5) of uint8 is
// [,5), and [5,300) of int8 is [5,).
func (s Set) Clip(t Type) Set {
	cuts := s.cuts
	n := pieceOf(cuts, t.Min())
	from := max(n-1, 0) // the last cut at or below the least value decides about it
	cuts = cuts[from:]
	if top, ok := t.Max(); ok {
		cuts = cuts[:pieceOf(cuts, top)]
	}
	if n == 0 || len(cuts) == 0 || cuts[0] == bottom {
		return Set{cuts: cuts}
	}
	if n%2 == 0 {
		return Set{cuts: cuts[1:]}
	}
	cuts = slices.Clone(cuts)
	cuts[0] = bottom
	return Set{cuts: cuts}
}

// Intervals yields the set's intervals [lo,hi) in order; lo nil: from the bottom, hi nil: to the top. What they point to
// is not to be changed.
func (s Set) Intervals() iter.Seq2[*Value, *Value] {
	return func(yield func(lo, hi *Value) bool) {
		for i := 0; i < len(s.cuts); i += 2 {
			lo, hi := &s.cuts[i], (*Value)(nil)
			if *lo == bottom {
				lo = nil
			}
			if i+1 < len(s.cuts) {
				hi = &s.cuts[i+1]
			}
			if !yield(lo, hi) {
				return
			}
		}
	}
}
