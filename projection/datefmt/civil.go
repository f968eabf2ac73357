// Package datefmt writes and reads dates by pattern: C's strftime, Java's DateTimeFormatter, and ISO 8601 bounds.
//
// A pattern is compiled to a list of operations on a civil date-time, so that writing needs neither a clock nor a
// time zone nor an allocation, and so that questions about all texts of a pattern can be answered without writing
// them: which unit do they tell apart ([Format.Unit]), does their order follow time ([Format.Ordered]).
package datefmt

import "github.com/yqlplan/yqlplan/pruning"

// Lengths in microseconds, the resolution of every instant here.
const (
	perSecond int64 = 1_000_000
	perMinute       = 60 * perSecond
	perHour         = 60 * perMinute
	perDay          = 24 * perHour
)

// Civil is a date-time of the proleptic Gregorian calendar, UTC: 2021-02-03 and 14706000007 are 2021-02-03
// 04:05:06.000007. It is small, so that it travels in registers.
type Civil struct {
	Year       int32
	Month, Day uint8
	Clock      int64 // microseconds since midnight
}

// FromMicros is the date-time that many microseconds after 1970-01-01T00:00:00.
func FromMicros(us int64) Civil {
	days, rest := floorDiv(us, perDay)
	c := FromDays(days)
	c.Clock = rest
	return c
}

// FromDays is midnight of the day that many days after 1970-01-01.
func FromDays(days int64) Civil {
	y, m, d := pruning.CivilFromDays(days)
	return Civil{Year: int32(y), Month: uint8(m), Day: uint8(d)}
}

func (c Civil) hour() uint8   { return uint8(uint64(c.Clock) / uint64(perHour)) }
func (c Civil) minute() uint8 { return uint8(uint64(c.Clock) / uint64(perMinute) % 60) }
func (c Civil) second() uint8 { return uint8(uint64(c.Clock) / uint64(perSecond) % 60) }

// Days counts the days from 1970-01-01 to c.
func (c Civil) Days() int64 { return pruning.DaysFromCivil(int(c.Year), int(c.Month), int(c.Day)) }

// Micros is the inverse of [FromMicros].
func (c Civil) Micros() int64 { return c.Days()*perDay + c.Clock }

// Months counts the months from January of year 0 to c.
func (c Civil) Months() int64 { return int64(c.Year)*12 + int64(c.Month) - 1 }

// yearDay is the day of the year, from 0.
func (c Civil) yearDay() int { return int(c.Days() - pruning.DaysFromCivil(int(c.Year), 1, 1)) }

// weekday counts from Sunday = 0. 1970-01-01 was a Thursday.
func (c Civil) weekday() int {
	_, w := floorDiv(c.Days()+4, 7)
	return int(w)
}

// isoWeek is the week of ISO 8601 and the year that it belongs to: that of the week's Thursday.
func (c Civil) isoWeek() (year, week int) {
	thursday := c.Days() + 3 - int64((c.weekday()+6)%7)
	y, _, _ := pruning.CivilFromDays(thursday)
	return y, int(thursday-pruning.DaysFromCivil(y, 1, 1))/7 + 1
}

// floorDiv divides towards minus infinity, so that the rest is never negative.
func floorDiv(a, b int64) (q, r int64) {
	q, r = a/b, a%b
	if r < 0 {
		q, r = q-1, r+b
	}
	return q, r
}

// AppendDay appends the day in ISO 8601: 2021-02-03.
func (c Civil) AppendDay(dst []byte) []byte {
	y := op{field: year, width: 4, pad: '0'}
	dst = y.appendNumber(dst, int64(c.Year))
	return append(dst, '-', '0'+c.Month/10, '0'+c.Month%10, '-', '0'+c.Day/10, '0'+c.Day%10)
}

// ParseDay is the inverse of AppendDay for the years 0 to 9999: the days from 1970-01-01.
func ParseDay(text string) (days int64, ok bool) {
	if len(text) != 10 || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	var v [10]int
	for i := range len(text) {
		if i == 4 || i == 7 {
			continue
		}
		if !isDigit(text[i]) {
			return 0, false
		}
		v[i] = int(text[i] - '0')
	}
	y, m, d := v[0]*1000+v[1]*100+v[2]*10+v[3], v[5]*10+v[6], v[8]*10+v[9]
	if m < 1 || m > 12 || d < 1 || d > pruning.DaysInMonth(y, m) {
		return 0, false
	}
	return pruning.DaysFromCivil(y, m, d), true
}
