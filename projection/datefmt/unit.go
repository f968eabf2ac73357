package datefmt

import "math/bits"

// Unit is a unit of the calendar or of the clock, coarse to fine. Written and printed in plural, as in YDB's
// "projection.<column>.unit": YEARS, DAYS.
type Unit uint8

// The units that steps are counted in, and those that only texts can tell apart.
const (
	NoUnit Unit = iota
	Centuries
	Years
	ISOYears // years of ISO 8601 weeks
	Months
	SundayWeeks
	Weeks // from Monday, as in ISO 8601
	Days
	HalfDays
	Hours
	Minutes
	Seconds
	Tenths // of a second, and so on by powers of ten
	Hundredths
	Milliseconds
	TenThousandths
	HundredThousandths
	Microseconds
	units
)

var unitNames = [units]string{"NONE", "CENTURIES", "YEARS", "ISO YEARS", "MONTHS", "SUNDAY WEEKS", "WEEKS", "DAYS", "HALF DAYS", "HOURS",
	"MINUTES", "SECONDS", "TENTHS", "HUNDREDTHS", "MILLISECONDS", "TEN-THOUSANDTHS", "HUNDRED-THOUSANDTHS", "MICROSECONDS"}

// String is the plural in capitals: "MONTHS".
func (u Unit) String() string { return unitNames[u] }

var unitMicros = [units]int64{SundayWeeks: 7 * perDay, Weeks: 7 * perDay, Days: perDay, HalfDays: perDay / 2, Hours: perHour,
	Minutes: perMinute, Seconds: perSecond, Tenths: 100_000, Hundredths: 10_000, Milliseconds: 1000, TenThousandths: 100,
	HundredThousandths: 10, Microseconds: 1}

// Micros is the unit's length in microseconds, or 0 where it varies: years and months.
func (u Unit) Micros() int64 { return unitMicros[u] }

// unitSet says in which units something is known to lie as a whole. {Days} alone never occurs: what lies within a day
// lies within its month, its year, and so on.
type unitSet uint32

func (s unitSet) has(u Unit) bool { return u == NoUnit || s>>u&1 != 0 }

// add puts u and every unit that u never straddles into s. A week may straddle years and months but not ISO years.
func (s unitSet) add(u Unit) unitSet {
	switch {
	case u == NoUnit || s.has(u):
		return s
	case u == Years:
		s = s.add(Centuries)
	case u == Months:
		s = s.add(Years)
	case u == Weeks:
		s = s.add(ISOYears)
	case u == Days:
		s = s.add(Months).add(Weeks).add(SundayWeeks)
	case u > Days:
		s = s.add(u - 1)
	}
	return s | 1<<u
}

// finest is the finest unit of s.
func (s unitSet) finest() Unit { return Unit(max(0, bits.Len32(uint32(s))-1)) }

// shared are the units that hold both instants, a before b, and therefore everything between them.
func shared(a, b Civil) unitSet {
	days := b.Days() - a.Days()
	s := unitSet(0).sharing(Centuries, a, b).sharing(Years, a, b).sharing(Months, a, b)
	switch {
	case days == 0:
		s = s.add(Days)
		for u := HalfDays; u < units && a.Clock/u.Micros() == b.Clock/u.Micros(); u++ {
			s = s.add(u)
		}
	case days < 7:
		s = s.sharing(SundayWeeks, a, b).sharing(Weeks, a, b).sharing(ISOYears, a, b)
	case days < 371:
		s = s.sharing(ISOYears, a, b)
	}
	return s
}

// sharing adds u if it holds both instants.
func (s unitSet) sharing(u Unit, a, b Civil) unitSet {
	if u.Ordinal(a) == u.Ordinal(b) {
		return s.add(u)
	}
	return s
}

// Ordinal numbers the units along time: two instants of one unit have the same ordinal.
func (u Unit) Ordinal(c Civil) int64 {
	switch u {
	case Centuries:
		q, _ := floorDiv(int64(c.Year), 100)
		return q
	case Years:
		return int64(c.Year)
	case ISOYears:
		y, _ := c.isoWeek()
		return int64(y)
	case Months:
		return c.Months()
	}
	q, _ := floorDiv(c.Micros()+u.offset(), u.Micros())
	return q
}

// Into is the time from the beginning of the unit to an instant, for units of fixed length.
func (u Unit) Into(us int64) int64 {
	_, r := floorDiv(us+u.offset(), u.Micros())
	return r
}

// offset is the time from the beginning of the unit of 1970-01-01, a Thursday, to that day.
func (u Unit) offset() int64 {
	switch u {
	case SundayWeeks:
		return 4 * perDay
	case Weeks:
		return 3 * perDay
	}
	return 0
}
