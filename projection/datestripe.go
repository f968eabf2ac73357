package projection

import (
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// dateStripe is a unit of the calendar of which each has texts with the same tails: the days of months, the hours of
// days.
type dateStripe struct {
	unit datefmt.Unit
	tail int
}

// findStripes lists the units that steps divide evenly, small ones first.
func (a *Date) findStripes() (out []dateStripe) {
	for _, u := range []datefmt.Unit{datefmt.Seconds, datefmt.Minutes, datefmt.Hours, datefmt.Days, datefmt.Months, datefmt.Years} {
		fits := a.every > 0 && a.every <= day && day%a.every == 0 // months and years are whole days
		if n := u.Micros(); n > 0 {
			fits = a.every > 0 && a.every < n && n%a.every == 0
		} else if u == datefmt.Years && a.months > 0 {
			fits = a.months < 12 && 12%a.months == 0
		}
		if fits {
			if tail := a.format.Tail(u, a.months > 0, a.first.Day <= 28); tail > 0 {
				out = append(out, dateStripe{u, tail})
			}
		}
	}
	return out
}

// stripe implements striped.
func (a *Date) stripe(i, most uint64) (n uint64, tail int) {
	c := a.civil(i)
	for k := len(a.stripes) - 1; k >= 0; k-- {
		s := a.stripes[k]
		if n := a.stripeLength(s.unit, c); n <= most && a.begins(s.unit, c) {
			return n, s.tail
		}
	}
	if len(a.stripes) == 0 {
		return most, 0
	}
	return min(most, a.toNext(a.stripes[0].unit, c)), 0
}

// stripeLength is the number of steps in the unit that c lies in.
func (a *Date) stripeLength(u datefmt.Unit, c datefmt.Civil) uint64 {
	length := u.Micros()
	switch {
	case a.months > 0:
		return uint64(12 / a.months)
	case u == datefmt.Months:
		length = int64(pruning.DaysInMonth(int(c.Year), int(c.Month))) * day
	case u == datefmt.Years:
		length = int64(337+pruning.DaysInMonth(int(c.Year), 2)) * day
	}
	return uint64(length / a.every)
}

// place is the number of steps from the first one in the unit to c.
func (a *Date) place(u datefmt.Unit, c datefmt.Civil) uint64 {
	into := c.Clock
	switch {
	case a.months > 0:
		return uint64(int64(c.Month-1) / a.months)
	case u == datefmt.Months:
		into += int64(c.Day-1) * day
	case u == datefmt.Years:
		into = c.Micros() - pruning.DaysFromCivil(int(c.Year), 1, 1)*day
	default:
		into %= u.Micros()
	}
	return uint64(into / a.every)
}

// begins reports whether c is the first step in the unit.
func (a *Date) begins(u datefmt.Unit, c datefmt.Civil) bool { return a.place(u, c) == 0 }

// toNext is the number of steps from c to the first one in the next unit.
func (a *Date) toNext(u datefmt.Unit, c datefmt.Civil) uint64 {
	return a.stripeLength(u, c) - a.place(u, c)
}

// turning is what changes in texts from one branch to the next: a number of two digits grows by one, as long as it isn't above top.
type turning struct {
	at, length int    // where it stands in texts of that length
	top        uint64 // 0: other parts change, too
}

// turns finds the number that grows.
func (a *Date) turns() turning {
	for _, u := range [...]struct {
		datefmt.Unit
		top uint64
	}{{datefmt.Months, 12}, {datefmt.Days, 28}, {datefmt.Hours, 23}, {datefmt.Minutes, 59}, {datefmt.Seconds, 59}} {
		if u.Unit == datefmt.Months && (a.months != 1 || a.first.Day > 28) || u.Unit != datefmt.Months && a.every != u.Micros() {
			continue
		}
		if at, length, ok := a.format.Place(u.Unit); ok {
			return turning{at, length, u.top}
		}
	}
	return turning{}
}

// advance implements advancer.
func (a *Date) advance(text []byte, i, j uint64) bool {
	if a.turning.top == 0 || len(text) != a.turning.length || j-i > a.turning.top {
		return false
	}
	digits := text[a.turning.at:][:2]
	n := uint64(digits[0]-'0')*10 + uint64(digits[1]-'0') + j - i
	if n > a.turning.top {
		return false
	}
	digits[0], digits[1] = byte('0'+n/10), byte('0'+n%10)
	return true
}
