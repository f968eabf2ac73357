package doris

import (
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// unit is a unit of the calendar: of a batch of partitions, or that date_trunc cuts to.
type unit uint8

const (
	noUnit unit = iota
	second
	minute
	hour
	day
	week
	month
	quarter
	year
)

var unitNames = [...]string{second: "second", minute: "minute", hour: "hour", day: "day", week: "week", month: "month", quarter: "quarter", year: "year"}

// unitNamed finds a unit; case doesn't count.
func unitNamed(name string) unit {
	for u, n := range unitNames {
		if n != "" && strings.EqualFold(n, name) {
			return unit(u)
		}
	}
	return noUnit
}

const microsADay = 86400 * 1e6

// length is how long a unit of fixed length is, in microseconds; 0 for months and longer ones.
func (u unit) length() int64 {
	return [...]int64{second: 1e6, minute: 60e6, hour: 3600e6, day: microsADay, week: 7 * microsADay, year: 0}[u]
}

// months is how many months a unit has.
func (u unit) months() int64 { return [...]int64{month: 1, quarter: 3, year: 12}[u] }

// most is a number of units that is longer than the calendar, and yet can be counted in microseconds.
func (u unit) most() int64 {
	const calendar = 10_000 * 366 * microsADay
	if l := u.length(); l > 0 {
		return calendar/l + 1
	}
	return 12 * 10_000
}

// floor is the beginning of the unit that an instant, in microseconds since 1970, is in. Weeks begin on Monday.
func (u unit) floor(micros int64) int64 {
	if n := u.length(); n > 0 {
		shift := int64(0)
		if u == week {
			shift = 3 * microsADay // 1970-01-01 was a Thursday
		}
		return floorTo(micros+shift, n) - shift
	}
	y, m, _ := pruning.CivilFromDays(floorTo(micros, microsADay) / microsADay)
	n := floorTo(int64(y)*12+int64(m)-1, u.months())
	return monthStart(n)
}

// next is the beginning of the n-th unit after the one that begins at micros.
func (u unit) next(micros, n int64) int64 {
	if l := u.length(); l > 0 {
		return micros + n*l
	}
	y, m, _ := pruning.CivilFromDays(micros / microsADay)
	if micros < 0 {
		y, m, _ = pruning.CivilFromDays(floorTo(micros, microsADay) / microsADay)
	}
	return monthStart(int64(y)*12 + int64(m) - 1 + n*u.months())
}

// monthStart is the first instant of the n-th month since year 0.
func monthStart(n int64) int64 {
	y := floorTo(n, 12) / 12
	return pruning.DaysFromCivil(int(y), int(n-12*y)+1, 1) * microsADay
}

// floorTo is the greatest multiple of unit that isn't above n.
func floorTo(n, unit int64) int64 {
	r := n % unit
	if r < 0 {
		r += unit
	}
	return n - r
}

// micros is a value of a date column as microseconds since 1970.
func (c *column) micros(v pruning.Value) int64 {
	if c.typ.Kind == pruning.Date {
		return v.Int() * microsADay
	}
	return v.Int() * c.step()
}

// step is how many microseconds one unit of a DATETIME column has.
func (c *column) step() int64 {
	step := int64(1e6)
	for range c.digits() {
		step /= 10
	}
	return step
}

// ofMicros is the value at an instant, or the first one after it; ok is false above the column's type.
func (c *column) ofMicros(n int64) (v pruning.Value, ok bool) {
	step := c.step()
	if c.typ.Kind == pruning.Date {
		step = microsADay
	}
	v = pruning.Int(-floorTo(-n, step) / step)
	return v, c.typ.Holds(v)
}
