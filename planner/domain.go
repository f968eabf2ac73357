package planner

import (
	"context"
	"slices"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// domain is what values a key can have: those of a fixed axis when these are few, else a range of numbers.
type domain struct {
	t      pruning.Type
	values []pruning.Value // ascending; nil when they aren't listed
	lo, hi int64           // of the values' numbers, when they aren't listed
	ranged bool            // lo and hi are set
	axis   bool            // other values have no rows
	null   bool            // rows may have NULL
}

func (d *domain) listed() bool { return d.values != nil }

// last is the index of the greatest value.
func (d *domain) last() uint64 {
	if d.listed() {
		return uint64(len(d.values) - 1)
	}
	return uint64(d.hi) - uint64(d.lo)
}

func (d *domain) value(i uint64) pruning.Value {
	if d.listed() {
		return d.values[i]
	}
	return pruning.Int(int64(uint64(d.lo) + i))
}

// span is a key that is anything from its i-th through its j-th value.
func (d *domain) span(i, j uint64) value {
	v := between(d.value(i), d.value(j))
	if i != j {
		v.is |= live
	}
	return v
}

// whole is a key of which nothing is known yet.
func (d *domain) whole() value {
	v := value{is: some | low | high | live}
	if d.listed() || d.ranged {
		v = d.span(0, d.last())
	}
	if d.null {
		v.is |= null | live
	}
	return v
}

// domain finds out what values key k can have.
func (l *lowering) domain(k int) *domain {
	if l.domains[k] == nil {
		l.domains[k] = l.newDomain(k)
	}
	return l.domains[k]
}

func (l *lowering) newDomain(k int) *domain {
	d := &domain{t: l.sp.Keys()[k].Type, null: true}
	t := typ{shape: scalarShape, scalar: d.t}
	for _, c := range l.rel.cols {
		if c.key == k {
			d.null, t = !c.typ.notNull, c.typ
		}
	}
	if l.listAxis(d, k) || l.listedBy(d, k) {
		return d
	}
	if !d.ranged {
		d.lo, d.hi, d.ranged = numberRange(t)
	}
	return d
}

// numberRange are the values of a type that are in the order of their numbers.
func numberRange(t typ) (lo, hi int64, ok bool) {
	switch k := t.scalar.Kind; {
	case k == pruning.Date && !t.wide:
		return 0, maxDay - 1, true
	case t.isDate() && !t.wide && nanosPer(t.scalar) >= 1000:
		unit := nanosPer(t.scalar) / 1000
		return 0, (maxMicros - 1) / unit, true
	case isInt(k), t.isDate(), k == pruning.Interval, k == pruning.Bool, k == pruning.Time:
		top, _ := t.scalar.Max()
		return t.scalar.Min().Int(), top.Int(), true
	}
	return 0, 0, false
}

// listAxis lists the values of the fixed axis that decides the key, if there is one that isn't too long. Of a longer one
// it takes the ends, if its values ascend.
func (l *lowering) listAxis(d *domain, k int) bool {
	axis, whole := l.fixedAxis(k)
	if axis == nil {
		return false
	}
	last, ok := axis.Last()
	if !ok {
		return false
	}
	if last >= maxListed {
		d.ends(axis, last)
		return false
	}
	values, nulls := make([]pruning.Value, 0, last+1), false
	for i := range last + 1 {
		v, null, ok := axis.Value(i)
		if !ok {
			return false
		}
		if nulls = nulls || null; !null {
			values = append(values, v)
		}
	}
	d.null = d.null && (nulls || !whole)
	if len(values) == 0 {
		return false
	}
	slices.SortFunc(values, pruning.Compare)
	d.values, d.axis = slices.Compact(values), true
	return true
}

// fixedAxis is the axis that decides a key below every branch; or a whole one, with the values of all branches; nil for
// neither.
func (l *lowering) fixedAxis(k int) (axis projection.Axis, whole bool) {
	for _, level := range l.levels() {
		if w, ok := level.(interface{ Whole() projection.Axis }); ok && projection.Decides(level, k) {
			return w.Whole(), true
		}
		if level.Fixed() && projection.Decides(level, k) {
			if axis, err := level.Axis(context.Background(), &projection.Place{}); err == nil {
				return axis, false
			}
		}
	}
	return nil, false
}

// ends takes the first and last value of an axis of numbers or dates in ascending order.
func (d *domain) ends(axis projection.Axis, last uint64) {
	if !projection.Ascends(axis) || d.t.Kind == pruning.String {
		return
	}
	first, _, ok1 := axis.Value(0)
	final, _, ok2 := axis.Value(last)
	if ok1 && ok2 {
		d.lo, d.hi, d.ranged, d.axis = first.Int(), final.Int(), true, true
	}
}

// between are the values from the first-th through the last-th.
func (d *domain) between(first, last uint64) pruning.Set {
	if next, ok := d.t.Succ(d.value(last)); ok {
		return pruning.Range(d.value(first), next)
	}
	return pruning.From(d.value(first))
}
