package projection

import (
	"math"

	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

const day = int64(24 * 60 * 60 * 1_000_000) // in microseconds, as all instants here

// steps are the instants start, start+step, … in closed form. A step is a fixed time, or a number of months.
type steps struct {
	start    int64
	last     uint64
	empty    bool
	every    int64         // microseconds of a step,
	days     int64         // days of a step, when these are whole, or
	months   int64         // months of a step
	first    datefmt.Civil // start
	firstDay int64         // its day
	drops    []drop
}

// drop says that from step k on the day of the month is another one. A month that is too short clamps the day, and
// the next step starts there: 01-31, 02-28, 03-28. So the day of step k is the least of the start's day and of the
// lengths of the months visited, which changes three times at most (31, 30, 29, 28).
type drop struct {
	k   uint64
	day uint8
}

// newSteps makes the instants of interval units from start up to end, both included.
func newSteps(unit datefmt.Unit, interval, start, end int64) *steps {
	s := &steps{start: start, empty: start > end, first: datefmt.FromMicros(start)}
	s.firstDay = s.first.Days()
	if s.empty {
		return s
	}
	if unit == datefmt.Years || unit == datefmt.Months {
		s.months = interval
		if unit == datefmt.Years {
			s.months = scaled(interval, 12)
		}
		s.months = min(s.months, 1<<40) // farther than any instant
		s.last = uint64((datefmt.FromMicros(end).Months() - s.first.Months()) / s.months)
		s.drops = s.clamps()
		if s.at(s.last) > end {
			s.last--
		}
		return s
	}
	s.every = scaled(interval, unit.Micros())
	if s.every%day == 0 {
		s.days = s.every / day
	}
	s.last = (uint64(end) - uint64(start)) / uint64(s.every)
	return s
}

// scaled is n*by, or the greatest number if that is beyond it.
func scaled(n, by int64) int64 {
	if n > math.MaxInt64/by {
		return math.MaxInt64
	}
	return n * by
}

// clamps finds the steps at which the day drops. After 4800 months the calendar repeats.
func (s *steps) clamps() (out []drop) {
	d, february := s.first.Day, s.meetsFebruary()
	for k := uint64(1); k <= min(s.last, 4800) && d > 28 && (d > 30 || february); k++ {
		y, m := s.month(k)
		if n := uint8(pruning.DaysInMonth(y, m)); n < d {
			d = n
			out = append(out, drop{k, d})
		}
	}
	return out
}

// meetsFebruary reports whether a step lies in a February.
func (s *steps) meetsFebruary() bool {
	for k := range uint64(12) {
		if _, m := s.month(k); m == 2 {
			return true
		}
	}
	return false
}

// month is the month of step k.
func (s *steps) month(k uint64) (y, m int) {
	n := s.first.Months() + int64(k)*s.months
	return int(n / 12), int(n%12) + 1
}

// civil is the date-time of step k.
func (s *steps) civil(k uint64) datefmt.Civil {
	switch {
	case s.days > 0:
		c := datefmt.FromDays(s.firstDay + int64(k)*s.days)
		c.Clock = s.first.Clock
		return c
	case s.months == 0:
		return datefmt.FromMicros(s.start + int64(k)*s.every)
	}
	c := s.first
	y, m := s.month(k)
	c.Year, c.Month = int32(y), uint8(m)
	for i := range s.drops {
		if k >= s.drops[i].k {
			c.Day = s.drops[i].day
		}
	}
	return c
}

// at is the instant of step k.
func (s *steps) at(k uint64) int64 {
	if s.months == 0 {
		return s.start + int64(k)*s.every
	}
	return s.civil(k).Days()*day + s.first.Clock
}

// below is the number of steps before an instant.
func (s *steps) below(us int64) uint64 {
	switch {
	case us <= s.start:
		return 0
	case us > s.at(s.last):
		return s.last + 1
	case s.months == 0:
		return (uint64(us)-uint64(s.start)-1)/uint64(s.every) + 1
	}
	k := uint64((datefmt.FromMicros(us).Months() - s.first.Months()) / s.months)
	if s.at(k) < us { // the step in the month of us, or the last one before
		k++
	}
	return k
}

// gap is a time that neighbouring steps are at least apart.
func (s *steps) gap() int64 {
	if s.months == 0 {
		return s.every
	}
	return scaled(s.months, 28*day)
}
