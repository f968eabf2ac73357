package planner

import (
	"context"
	"slices"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// Partitions by ranges and lists leave several values of their keys. What such a level knows helps where a predicate has no
// form of its own: the values that are listed are all there are, the bounds of ranges tell where to look closely, and a
// cell bounds what its rows have.

// listedBy are the values that a level says rows can have for a key.
func (l *lowering) listedBy(d *domain, k int) bool {
	for _, level := range l.levels() {
		axis, ok := cellsOf(level)
		if !ok || !slices.Contains(level.Keys(), k) {
			continue
		}
		listing, ok := axis.(interface {
			Values(key int) (vs []pruning.Value, null, ok bool)
		})
		if !ok {
			continue
		}
		values, null, ok := listing.Values(k)
		if ok && 0 < len(values) && len(values) <= maxListed {
			d.values, d.axis, d.null = values, true, d.null && null
			return true
		}
	}
	return false
}

// cellsOf is the axis of a level of cells, which is the same everywhere.
func cellsOf(level projection.Level) (projection.Cells, bool) {
	if !level.Fixed() {
		return nil, false
	}
	axis, err := level.Axis(context.Background(), &projection.Place{})
	if err != nil {
		return nil, false
	}
	cells, ok := axis.(projection.Cells)
	return cells, ok
}

// maxStretches bounds the ranges whose bounds are taken into account.
const maxStretches = 1 << 12

// stretches cut the domain of a key where ranges begin and end, so that the few values of a short range are looked at as
// closely as the many of a long one.
func (l *lowering) stretches(d *domain, k int) []piece {
	whole := []piece{{last: d.last()}}
	if d.listed() {
		return whole
	}
	for _, level := range l.levels() {
		axis, ok := cellsOf(level)
		if !ok || level.Keys()[0] != k {
			continue
		}
		ranges, ok := axis.(*projection.Ranges)
		if last, some := axis.Last(); !ok || !some || last >= maxStretches {
			continue
		}
		out := whole
		for _, cut := range ranges.Cuts() {
			at := cut.Int()
			if at <= d.lo || at > d.hi {
				continue
			}
			i := uint64(at) - uint64(d.lo)
			end := &out[len(out)-1]
			out = append(out, piece{first: i, last: end.last})
			out[len(out)-2].last = i - 1
		}
		return out
	}
	return whole
}

const (
	cellBoxes = 64  // boxes of a predicate in one cell that are looked at
	cellTries = 128 // evaluations for one cell, of all cells within Limits.Checks together
	maxCells  = 1 << 17
	cellWalks = 8 // of a plan over all cells, at most
)

// cellCheck evaluates the parts that the diagram can't say for each cell, within the boxes of keys that the diagram leaves
// there: k1 = 7 AND k1 > k2 is FALSE in [(7, 10), (8, 0)). Other layouts keep their check. The more cells there are and the
// longer the parts, the less closely each cell is looked at: all together take no more than limit checks.
func (l *lowering) cellCheck(s *Scan, parts []part, limit int) projection.Check {
	levels := s.Table.Layout.Levels
	if s.Check.Depths == 0 || len(levels) == 0 {
		return s.Check
	}
	cells, ok := cellsOf(levels[0])
	if !ok {
		return s.Check
	}
	last, _ := cells.Last()
	if last >= maxCells {
		return projection.Check{}
	}
	open := slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return p.check.Depths == 0 })
	tries := limit / cellWalks / weight(open) / int(last+1)
	c := celled{d: s.Diagram, rel: l.rel, parts: open, tries: max(1, min(tries, cellTries))}
	for _, p := range open {
		c.keys = append(c.keys, l.keysOf(p.x)...)
	}
	slices.Sort(c.keys)
	c.keys = slices.Compact(c.keys)
	return projection.Check{Depths: 1, At: c.at}
}

// celled is what the check of a cell needs.
type celled struct {
	d     pruning.Diagram
	rel   *relation
	parts []part
	keys  []int // that parts are about
	tries int   // for one cell
}

func (c *celled) at(at *projection.Place, _ int) pruning.Outcomes {
	sp := c.d.Space().Fork()
	d := sp.Adopt(c.d).Given(at.Axes[0].(projection.Cells).Cell(sp, at.Index[0]))
	if tuples, ok := tuplesOf(d, c.keys, cellTries); ok {
		return c.anyOf(tuples, sp)
	}
	boxes, ok := d.Regions(cellBoxes)
	if !ok {
		return pruning.Unknown
	}
	ev := evaluator{rel: c.rel, keys: make([]value, len(sp.Keys()))}
	tries := c.tries
	for _, box := range boxes {
		for k, key := range sp.Keys() {
			ev.keys[k] = hullOf(key.Type, pruning.KeySet{Set: pruning.Full(), Null: true})
		}
		for _, x := range box {
			ev.keys[x.Key] = hullOf(sp.Keys()[x.Key].Type, x)
		}
		if c.mayBeTrue(&ev, sp, &tries) {
			return pruning.Unknown
		}
	}
	return pruning.False
}

// anyOf reports whether all parts can be TRUE at one of a few tuples.
func (c *celled) anyOf(tuples [][]pruning.Nullable, sp *pruning.Space) pruning.Outcomes {
	ev := evaluator{rel: c.rel, keys: make([]value, len(sp.Keys()))}
	for _, tuple := range tuples {
		for i, k := range c.keys {
			if ev.keys[k] = exactly(tuple[i].Value); tuple[i].Null {
				ev.keys[k] = nullValue
			}
		}
		if !slices.ContainsFunc(c.parts, func(p part) bool { return !ev.eval(p.x).outcomes().MayBeTrue() }) {
			return pruning.Unknown
		}
	}
	return pruning.False
}

// hullOf is a key that is anything from the least through the greatest value of a set.
func hullOf(t pruning.Type, x pruning.KeySet) value {
	out := value{lo: t.Min()}
	if x.Null {
		out.is |= null
	}
	first := true
	for lo, hi := range x.Set.Intervals() {
		if first && lo != nil {
			out.lo = *lo
		}
		first = false
		out.is = out.is&^under | some
		if hi == nil {
			var bounded bool
			if out.hi, bounded = t.Max(); !bounded {
				out.is |= high
			}
		} else if below, ok := t.Pred(*hi); ok {
			out.hi = below
		} else {
			out.hi, out.is = *hi, out.is|under
		}
	}
	if !out.isKnown() {
		out.is |= live
	}
	return out
}

// mayBeTrue reports whether all parts can be TRUE at once where the keys have the values of ev. Where that is open it
// halves the box, as long as there are tries left.
func (c *celled) mayBeTrue(ev *evaluator, sp *pruning.Space, tries *int) bool {
	decided := true
	for i := range c.parts {
		v := ev.eval(c.parts[i].x)
		switch o := v.outcomes(); {
		case !o.MayBeTrue():
			return false
		case o&(o-1) != 0 && v.is&live != 0:
			decided = false
		}
	}
	k, mid := c.widest(ev, sp)
	if *tries--; decided || *tries <= 0 || k < 0 {
		return true
	}
	whole := ev.keys[k]
	defer func() { ev.keys[k] = whole }()
	ev.keys[k].hi, ev.keys[k].is = pruning.Int(mid), whole.is&^null
	if c.mayBeTrue(ev, sp, tries) {
		return true
	}
	ev.keys[k].hi, ev.keys[k].lo = whole.hi, pruning.Int(mid+1)
	if c.mayBeTrue(ev, sp, tries) {
		return true
	}
	if ev.keys[k] = nullValue; whole.mayNull() {
		return c.mayBeTrue(ev, sp, tries)
	}
	return false
}

// widest is the key with the widest range of numbers, and its middle; -1 for none.
func (c *celled) widest(ev *evaluator, sp *pruning.Space) (key int, mid int64) {
	key = -1
	most := uint64(0)
	for k, v := range ev.keys {
		if _, _, ok := numberRange(typ{shape: scalarShape, scalar: sp.Keys()[k].Type, wide: true}); !ok || v.is&some == 0 || !v.bounded() || v.is&under != 0 {
			continue
		}
		if w := uint64(v.hi.Int()) - uint64(v.lo.Int()); w > most {
			key, most, mid = k, w, v.lo.Int()+int64(w/2)
		}
	}
	return key, mid
}
