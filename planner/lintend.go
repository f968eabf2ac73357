package planner

import (
	"math/big"
	"slices"
	"time"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
)

const (
	mostWalked = 10_000 // units that are looked at one by one
	farBefore  = 30     // values without data that a range may begin with, without a remark
)

// leading tells of ranges that begin long before the first data, where the storage was looked at.
func (l *linter) leading(selected *big.Int) {
	if l.Listing == nil || l.Listing.Prefixes == nil || l.Listing.Partial || selected.Cmp(big.NewInt(mostWalked)) > 0 {
		return
	}
	firsts, found := make([]uint64, len(l.Table.Layout.Levels)), false
	var path []byte
	for u, err := range l.Units(l.ctx) {
		if err != nil {
			l.err = err
			return
		}
		path = u.AppendPath(path[:0])
		if h, ok := l.Listing.Prefixes.Of(path); !ok || h.Objects == 0 {
			continue
		}
		for i, at := range u.Index {
			if !found || at < firsts[i] {
				firsts[i] = at
			}
		}
		found = true
	}
	for i, level := range l.Table.Layout.Levels {
		key := level.Keys()[0]
		a := projection.Unescaped(l.axis(key))
		if first := firsts[i]; first >= farBefore && isRange(a) && !l.restricts(key) {
			name, from := l.Table.Layout.Keys[key].Name, a.AppendName(nil, first)
			l.Notef("lint.end", l.reference(), "begin it at "+string(from), "the range of %s begins at %s, and its first data lies at %s: %s values are looked for in vain",
				name, a.AppendName(nil, 0), from, projection.Grouped(first))
		}
	}
}

// ended tells of open conditions on dates and years whose projection ended before now: what has been added since isn't read.
func (l *linter) ended(now time.Time) {
	for k, key := range l.Table.Layout.Keys {
		at := slices.IndexFunc(l.parts, func(p part) bool { return p.d.Depends(k) })
		a := projection.Unescaped(l.axis(k))
		if at < 0 || len(l.sp.Adopt(l.Diagram).Set(k).Cuts())%2 == 0 || !isPast(a, key.Name, now) {
			continue
		}
		last, _ := a.Last()
		l.Notef("lint.end", l.parts[at].shown, "let the projection go on when there are newer ones", "the range of %s ends at %s, which is past: newer partitions aren't read", key.Name, a.AppendName(nil, last))
	}
}

// isPast reports whether the value behind the last one of an axis would have been reached by now.
func isPast(a projection.Axis, column string, now time.Time) bool {
	switch a := a.(type) {
	case *projection.Integer:
		const first = 1900 // lesser numbers are no years
		return projection.IsYear(column) && a.Spec().Max >= first && a.Spec().Max < int64(now.Year())
	case *projection.Date:
		s := a.Spec()
		last, ok := a.Last()
		end, step := time.UnixMicro(a.Instant(last)).UTC(), int(min(s.Interval, 1<<20))
		switch s.Unit {
		case datefmt.Years:
			end = end.AddDate(step, 0, 0)
		case datefmt.Months:
			end = end.AddDate(0, step, 0)
		default:
			end = end.Add(time.Duration(s.Unit.Micros()) * time.Microsecond * time.Duration(step))
		}
		return ok && s.To == "" && end.Before(now)
	}
	return false
}

func isRange(a projection.Axis) bool {
	switch a.(type) {
	case *projection.Date, *projection.Integer:
		return true
	}
	return false
}
