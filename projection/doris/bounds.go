package doris

import (
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// bound reads a bound of a range; missing values at its end are the types' least (PartitionKey.java). max: it is MAXVALUE.
func (h *history) bound(t *table, list []ast.Expr) (b []pruning.Value, max, ok bool) {
	if len(list) > len(t.by) {
		h.Errorf("partition.bound", list[len(t.by)], "drop it", "the bound has %s for %s", plural(len(list), "value"), plural(len(t.by), "partition column"))
		return nil, false, false
	}
	b, ok = least(t.by), true
	for i, x := range list {
		d, good := h.datum(x, t.by[i])
		switch {
		case !good:
			ok = false
		case d.max && len(list) == 1:
			max = true
		case d.max:
			h.Errorf("partition.bound", x, "write LESS THAN MAXVALUE alone", "MAXVALUE can't be one of several values of a bound")
			ok = false
		case d.Null:
			h.Errorf("partition.bound", x, "NULL is below every value: it belongs to the range without a lower limit", "NULL can't be in the bound of a range")
			ok = false
		default:
			b[i] = d.Value
		}
	}
	return b, max, ok && len(list) > 0
}

// addRange adds a partition by its upper bound or by both.
func (h *history) addRange(ps *partitions, d *ast.PartitionDef, buckets int) {
	t := ps.table
	p := &partition{name: d.Name.Text, lo: least(t.by), buckets: buckets}
	hi, max, ok := h.bound(t, d.Hi)
	if max {
		hi = nil
	}
	p.hi = hi
	if d.Form == "RANGE" {
		lo, loMax, loOK := h.bound(t, d.Lo)
		if loOK && loMax {
			h.Errorf("partition.bound", d.Lo[0], "", "%s: MAXVALUE can't be a lower bound", p.name)
			return
		}
		p.lo, ok = lo, ok && loOK
	}
	if !ok {
		return
	}
	if d.Form == "LESS THAN" && hi != nil && compareTuples(hi, p.lo) == 0 {
		h.Errorf("partition.bound", span(d.Hi), "write a greater bound", "%s: nothing is below %s, the least value of the type", p.name, t.tupleText(hi, false))
		return
	}
	if !h.place(ps, p, d) {
		return
	}
	if _, ok := t.held(p); !ok {
		h.Warnf("partition.empty", d, "align its bounds with the unit", "%s can never hold a row: no %s begins in %s", p.name, unitNames[t.unit], t.rangeText(p))
	}
}

func span(list []ast.Expr) ast.Span {
	return ast.Span{From: list[0].Pos(), To: list[len(list)-1].End()}
}

// place adds a range where it overlaps no other. One that is only given by its upper bound begins where the nearest one
// below it ends (RangePartitionInfo.java): not where the last one made ends, and holes below that stay holes.
func (h *history) place(ps *partitions, p *partition, d *ast.PartitionDef) bool {
	t := ps.table
	at := ps.ranges.search(func(x *partition) bool { return !endsBelow(x, p.hi) })
	if d.Form == "LESS THAN" {
		if left := ps.ranges.before(at); left != nil {
			p.lo = left.hi
		}
	} else {
		if p.hi != nil && compareTuples(p.lo, p.hi) >= 0 {
			h.Errorf("partition.bound", span(d.Lo), "the lower bound must be below the upper one", "%s: %s is not below %s",
				p.name, t.tupleText(p.lo, true), t.tupleText(p.hi, false))
			return false
		}
		at = ps.ranges.search(func(x *partition) bool { return x.hi == nil || compareTuples(x.hi, p.lo) > 0 })
	}
	if cur := ps.ranges.at(at); cur != nil && (p.hi == nil || compareTuples(cur.lo, p.hi) < 0) {
		what := "partition"
		if ps.temp {
			what = "temporary partition"
		}
		h.Errorf("partition.overlap", overlapAt(d), "ranges must not overlap", "%s: the range %s overlaps the %s %s",
			p.name, t.rangeText(p), what, t.text(cur))
		return false
	}
	ps.insert(p)
	return true
}

func overlapAt(d *ast.PartitionDef) ast.Node {
	switch {
	case d.Form == "LESS THAN":
		return span(d.Hi)
	case len(d.Lo) > 0 && len(d.Hi) > 0:
		return ast.Span{From: d.Lo[0].Pos(), To: d.Hi[len(d.Hi)-1].End()}
	}
	return d
}

// endsBelow reports whether a range ends below a bound.
func endsBelow(p *partition, hi []pruning.Value) bool {
	return p.hi != nil && (hi == nil || compareTuples(p.hi, hi) < 0)
}

// ranges are partitions that don't meet, ascending, in pieces of limited length, so that a new one finds its place and is
// put there without moving all others.
type ranges struct{ chunks [][]*partition }

const chunk = 1024

// place in ranges: a chunk and an index in it.
type rangePlace struct{ c, i int }

// search finds the first partition for which f holds, which then holds for all behind it. It looks at the last one first,
// behind which most new ones belong.
func (r *ranges) search(f func(*partition) bool) rangePlace {
	lo, hi := 0, len(r.chunks)
	if hi > 0 {
		if ch := r.chunks[hi-1]; !f(ch[len(ch)-1]) {
			return rangePlace{hi, 0}
		}
	}
	for lo < hi { // the first chunk whose last partition holds
		mid := (lo + hi) / 2
		if ch := r.chunks[mid]; f(ch[len(ch)-1]) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == len(r.chunks) {
		return rangePlace{lo, 0}
	}
	i, j := 0, len(r.chunks[lo])-1
	for i < j {
		mid := (i + j) / 2
		if f(r.chunks[lo][mid]) {
			j = mid
		} else {
			i = mid + 1
		}
	}
	return rangePlace{lo, i}
}

// at is the partition at a place; nil behind the last.
func (r *ranges) at(p rangePlace) *partition {
	if p.c >= len(r.chunks) {
		return nil
	}
	return r.chunks[p.c][p.i]
}

// after is the next place.
func (r *ranges) after(p rangePlace) rangePlace {
	if p.i++; p.i == len(r.chunks[p.c]) {
		p = rangePlace{p.c + 1, 0}
	}
	return p
}

// before is the partition before a place, or nil.
func (r *ranges) before(p rangePlace) *partition {
	switch {
	case p.i > 0:
		return r.chunks[p.c][p.i-1]
	case p.c > 0:
		ch := r.chunks[p.c-1]
		return ch[len(ch)-1]
	}
	return nil
}

// insert puts a partition at its place.
func (r *ranges) insert(p *partition) {
	at := r.search(func(x *partition) bool { return compareTuples(x.lo, p.lo) > 0 })
	if at.c == len(r.chunks) {
		if at.c == 0 {
			r.chunks = append(r.chunks, nil)
			at.c = 1
		}
		at.c--
		at.i = len(r.chunks[at.c])
	}
	ch := append(r.chunks[at.c], nil)
	copy(ch[at.i+1:], ch[at.i:])
	ch[at.i] = p
	r.chunks[at.c] = ch
	if len(ch) == 2*chunk {
		half := append(make([]*partition, 0, 2*chunk), ch[chunk:]...)
		clear(ch[chunk:])
		r.chunks = append(r.chunks, nil)
		copy(r.chunks[at.c+2:], r.chunks[at.c+1:])
		r.chunks[at.c], r.chunks[at.c+1] = ch[:chunk], half
	}
}

// remove takes a partition out.
func (r *ranges) remove(p *partition) {
	at := r.search(func(x *partition) bool { return compareTuples(x.lo, p.lo) >= 0 })
	ch := r.chunks[at.c]
	ch = append(ch[:at.i], ch[at.i+1:]...)
	r.chunks[at.c] = ch
	if len(ch) == 0 {
		r.chunks = append(r.chunks[:at.c], r.chunks[at.c+1:]...)
	}
}

// all are the partitions in order.
func (r *ranges) all() []*partition {
	return slices.Concat(r.chunks...)
}

// gaps are the stretches between the first and the last of some ranges that none of them has, as ranges without names.
func gaps(list []*partition) []projection.Range {
	var out []projection.Range
	for i, p := range list {
		if i > 0 && compareTuples(list[i-1].hi, p.lo) < 0 {
			out = append(out, projection.Range{Lo: list[i-1].hi, Hi: p.lo})
		}
	}
	return out
}
