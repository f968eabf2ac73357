package projection

import (
	"sort"

	"github.com/yqlplan/yqlplan/pruning"
)

// Range is the tuples from Lo up to Hi, in dictionary order with NULL below all values: [("2017-02-01", 1000),
// ("2017-03-01", 2000)). Lo nil: there is no lower limit, so NULL belongs to it; Hi nil: no upper one.
type Range struct {
	Name   string
	Lo, Hi []pruning.Value
}

// Ranges is the axis of ranges that don't meet, in ascending order. A range is found by binary search on the first key.
type Ranges struct {
	Columns
	ranges []Range
}

// NewRanges makes the axis of ranges in ascending order, which aren't changed from here on.
func NewRanges(c Columns, ranges []Range) *Ranges { return &Ranges{c, ranges} }

// Last implements [Axis].
func (r *Ranges) Last() (uint64, bool) { return uint64(len(r.ranges)) - 1, len(r.ranges) > 0 }

// Name implements [Cells].
func (r *Ranges) Name(i uint64) string { return r.ranges[i].Name }

// AppendName implements [Axis].
func (r *Ranges) AppendName(dst []byte, i uint64) []byte { return append(dst, r.ranges[i].Name...) }

// Range is the i-th range.
func (r *Ranges) Range(i uint64) Range { return r.ranges[i] }

// Value implements [Axis]: a range of one value fixes it.
func (r *Ranges) Value(i uint64) (v pruning.Value, null, ok bool) {
	x := &r.ranges[i]
	if len(r.Types) != 1 || x.Lo == nil || x.Hi == nil {
		return v, false, false
	}
	next, more := r.Types[0].Succ(x.Lo[0])
	return x.Lo[0], false, more && next == x.Hi[0]
}

// Cell implements [Cells].
func (r *Ranges) Cell(s *pruning.Space, i uint64) pruning.Diagram {
	x := &r.ranges[i]
	c := s.Const(pruning.True)
	if x.Hi != nil {
		c = s.Below(r.First, pruning.True, x.Hi...)
	}
	if x.Lo != nil {
		c = c.And(s.Below(r.First, pruning.True, x.Lo...).Not())
	}
	return r.filled(c)
}

// Cuts are where ranges begin or end, by the first key: from the least to the greatest bound.
func (r *Ranges) Cuts() []pruning.Value {
	var out []pruning.Value
	for i := range r.ranges {
		for _, bound := range [][]pruning.Value{r.ranges[i].Lo, r.ranges[i].Hi} {
			if bound != nil && (len(out) == 0 || out[len(out)-1] != bound[0]) {
				out = append(out, bound[0])
			}
		}
	}
	return out
}

// Runs implements [Axis]. Ranges that lie within one piece of d, by the first key, are one run; the others, at most one a
// cut, are looked at one by one.
func (r *Ranges) Runs(dst []Run, d pruning.Diagram) ([]Run, error) {
	pieces := d.Branches(r.First)
	s := scratch{d: d}
	for i := 0; i < len(r.ranges); i++ {
		from, to := r.pieces(&pieces, i)
		whole := from == to && !(r.holdsNull(i) && pieces.Null() != pieces.Piece(from))
		last := i
		if whole {
			last = r.lastIn(&pieces, from, i)
		}
		switch kid := pieces.Piece(from); {
		case whole && (!kid.Outcomes().MayBeTrue() || !r.splits(kid)):
			if kid.Outcomes().MayBeTrue() {
				dst = appendRun(dst, Run{uint64(i), uint64(last), r.rest(d, kid)})
			}
		case len(r.Types) == 1:
			dst = r.joined(dst, &pieces, i, d)
			last = i
		default:
			for k := i; k <= last; k++ {
				dst = r.exact(dst, r, uint64(k), &s)
			}
		}
		i = last
	}
	return dst, nil
}

func (r *Ranges) holdsNull(i int) bool { return r.Nullable[0] && r.ranges[i].Lo == nil }

// pieces are the first and the last piece of d that values of the first key in range i are in.
func (r *Ranges) pieces(b *pruning.Branches, i int) (from, to int) {
	x := &r.ranges[i]
	if to = b.Len() - 1; to == 0 {
		return 0, 0
	}
	if x.Lo != nil {
		from = b.Find(x.Lo[0])
	} else {
		from = b.Find(r.Types[0].Min())
	}
	if x.Hi != nil {
		to = r.lastPiece(b, x.Hi)
	}
	return from, to
}

// lastPiece is the piece of the greatest value of the first key below a bound. With more keys it is that of the bound's
// own value: (5, 3) and, below (5, MIN), (5, NULL).
func (r *Ranges) lastPiece(b *pruning.Branches, hi []pruning.Value) int {
	if len(r.Types) > 1 {
		return b.Find(hi[0])
	}
	cuts := b.Cuts()
	return sort.Search(len(cuts), func(k int) bool { return pruning.Compare(cuts[k], hi[0]) >= 0 })
}

// lastIn is the last range from i on that lies within a piece, as range i does.
func (r *Ranges) lastIn(b *pruning.Branches, piece, i int) int {
	if piece == b.Len()-1 {
		return len(r.ranges) - 1
	}
	cut := b.Cuts()[piece]
	return i + sort.Search(len(r.ranges)-i-1, func(k int) bool {
		hi := r.ranges[i+1+k].Hi
		if hi == nil {
			return true
		}
		c := pruning.Compare(hi[0], cut)
		return c > 0 || c == 0 && len(r.Types) > 1
	})
}

// joined appends a range of one key that lies in several pieces.
func (r *Ranges) joined(dst []Run, b *pruning.Branches, i int, d pruning.Diagram) []Run {
	from, to := r.pieces(b, i)
	var kids []pruning.Diagram
	if r.holdsNull(i) {
		kids = append(kids, b.Null())
	}
	for p := from; p <= to; p++ {
		kids = append(kids, b.Piece(p))
	}
	return r.join(dst, uint64(i), kids, d)
}

// join appends a branch in which all of kids apply somewhere.
func (c *Columns) join(dst []Run, i uint64, kids []pruning.Diagram, d pruning.Diagram) []Run {
	may := false
	for _, k := range kids {
		may = may || k.Outcomes().MayBeTrue()
	}
	switch {
	case !may:
		return dst
	case c.Kept:
		return appendRun(dst, Run{i, i, d})
	}
	s := d.Space()
	return appendRun(dst, Run{i, i, s.All(pruning.Diagram.Join, distinct(kids), s.Const(pruning.None))})
}

// distinct drops repetitions, of which a range over many values of a list has thousands.
func distinct(ds []pruning.Diagram) []pruning.Diagram {
	if len(ds) < 3 {
		return ds
	}
	seen := make(map[pruning.Diagram]bool, 8)
	out := ds[:0]
	for _, d := range ds {
		if !seen[d] {
			seen[d] = true
			out = append(out, d)
		}
	}
	return out
}
