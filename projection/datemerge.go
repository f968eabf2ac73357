package projection

import (
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// Merged is the axis of a's different texts, in the order in which they first occur: Athena and Trino project days
// written as yyyy-MM once a month (Trino, DateProjection.java). Steps shorter than the unit that the format shows
// become steps of that unit, from its beginning. Other axes are listed; ok is false when they have more than limit
// branches.
func (a *Date) Merged(limit int) (m Axis, ok bool) {
	_, _, found, decided := a.Twins()
	if decided && !found {
		return a, true
	}
	u, exact := a.format.Apart(a.first, a.civil(a.last))
	if least := leastLength(u); exact && a.months == 0 && a.every <= least && least > 0 {
		return a.everyUnit(u), true
	}
	n := a.last + 1
	if exact && u == datefmt.NoUnit { // one text for all
		n = 1
	}
	if n > uint64(limit) {
		return nil, false
	}
	var texts []string
	var values []pruning.Value
	seen := map[string]bool{}
	for i := range n {
		if text := string(a.AppendName(nil, i)); !seen[text] {
			seen[text] = true
			v, _, _ := a.Value(i)
			texts, values = append(texts, text), append(values, v)
		}
	}
	return NewEnum(a.spec.Key, values, texts), true
}

// leastLength is the shortest time that a unit takes; 0 for units that steps aren't counted in.
func leastLength(u datefmt.Unit) int64 {
	switch u {
	case datefmt.Years:
		return 365 * day
	case datefmt.Months:
		return 28 * day
	}
	return u.Micros()
}

// everyUnit is the axis with one step in each unit that a has steps in.
func (a *Date) everyUnit(u datefmt.Unit) *Date {
	s := a.spec
	s.Unit, s.Interval = u, 1
	first := a.first
	switch u {
	case datefmt.Years:
		first.Month, first.Day, first.Clock = 1, 1, 0
	case datefmt.Months:
		first.Day, first.Clock = 1, 0
	default:
		first = datefmt.FromMicros(a.start - u.Into(a.start))
	}
	s.Min, s.Max = first.Micros(), a.at(a.last)
	return NewDate(s)
}
