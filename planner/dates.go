package planner

import (
	"github.com/yqlplan/yqlplan/pruning"
)

// tmType is what DateTime::Split, StartOfMonth and the like give: an instant.
var tmType = scalar(pruning.Timestamp).named("Resource<DateTime2.TM>")

// civil is a calendar day with the instant's microseconds since midnight.
type civil struct {
	y, m, d int
	days    int64
	micros  int64
}

func civilOf(t typ, v pruning.Value) civil {
	n, _ := nanos(t.scalar, v).int64Micros()
	if t.zone != nil {
		n += offsetAt(t.zone, n)
	}
	days := floorDiv(n, microsADay)
	y, m, d := pruning.CivilFromDays(days)
	return civil{y, m, d, days, n - days*microsADay}
}

// inCalendar reports whether the bounds of a date are near enough for calendars to be applied. In a zone other than UTC
// they must be one instant: local times may go back as time goes on.
func inCalendar(t typ, x value) bool {
	near := func(v pruning.Value) bool {
		us, ok := nanos(t.scalar, v).int64Micros()
		return ok && us > -maxWideMicros && us < maxWideMicros
	}
	return x.bounded() && near(x.lo) && near(x.hi) && (t.zone == nil || x.lo == x.hi)
}

// int64Micros turns nanoseconds into microseconds, rounded down.
func (a int128) int64Micros() (int64, bool) {
	q, r, ok := a.quoRem(wide(1000))
	if !ok {
		n, _ := floorQuo(a, wide(1000))
		return n, true
	}
	if r.sign() < 0 {
		q = q.sub(wide(1))
	}
	return q.int64()
}

// datePart is DateTime::GetYear and the like. It grows with the date as long as level, the unit around it, stays: the
// month within one year. Across units it may be anything from least through most.
type datePart struct {
	kind        pruning.Kind
	least, most int64
	get, level  func(c civil) int64
}

// function is the part as a function of dates; far says that it is also one of wide dates.
func (p datePart) function(name string, far bool) *function {
	return &function{name: name, min: 1, max: 1, result: takes("d", scalar(p.kind)),
		span: strict(func(a *apply, t typ, x value) value {
			out := anything
			if t.isDate() && (far || !t.wide) && inCalendar(t, x) {
				lo, hi := civilOf(t, x.lo), civilOf(t, x.hi)
				from, to := p.least, p.most
				if p.level(lo) == p.level(hi) {
					from, to = p.get(lo), p.get(hi)
				}
				out = castSpan(pruning.Int64, between(pruning.Int(from), pruning.Int(to)), p.kind)
			}
			return out
		})}
}

// dateName is DateTime::GetMonthName and the like.
func dateName(name string, get func(c civil) string) *function {
	return &function{name: name, min: 1, max: 1, result: takes("d", scalar(pruning.String)),
		call: func(a *apply, args []value) value {
			if t := a.args[0].typ(); t.isDate() {
				return text(get(civilOf(t, args[0].lo)))
			}
			return anything
		}}
}

// timeOfDay is DateTime::TimeOfDay: what has passed since midnight.
var timeOfDay = &function{name: "DateTime::TimeOfDay", min: 1, max: 1, result: takes("d", scalar(pruning.Interval)),
	span: strict(func(a *apply, t typ, x value) value {
		switch {
		case !t.isDate():
			return anything.orNull()
		case t.is(pruning.Date):
			return integer(0)
		case x.bounded():
			if lo, hi := civilOf(t, x.lo), civilOf(t, x.hi); lo.days == hi.days {
				return between(pruning.Int(lo.micros), pruning.Int(hi.micros))
			}
		}
		return between(pruning.Int(0), pruning.Int(microsADay-1))
	})}

func always(civil) int64      { return 0 }
func yearOf(c civil) int64    { return int64(c.y) }
func monthOf(c civil) int64   { return int64(c.y)*12 + int64(c.m) - 1 }
func dayOf(c civil) int64     { return c.days }
func weekday(c civil) int64   { return c.days + 4 - 7*weekOf(c) } // Monday is 1
func weekOf(c civil) int64    { return floorDiv(c.days+3, 7) }
func secondOf(c civil) int64  { return c.days*86400 + c.micros/1000000 }
func dayOfYear(c civil) int64 { return c.days - pruning.DaysFromCivil(c.y, 1, 1) + 1 }
func hourOf(c civil) int64    { return c.days*24 + c.micros/3600e6 }
func minuteOf(c civil) int64  { return c.days*1440 + c.micros/60e6 }
func thursday(c civil) civil  { return civilOf(scalar(pruning.Date), pruning.Int(c.days+4-weekday(c))) }
func isoWeek(c civil) int64   { return (dayOfYear(thursday(c))-1)/7 + 1 }
func isoYear(c civil) int64   { return int64(thursday(c).y) }

// dateParts are the Get… functions of YQL's module DateTime.
func dateParts() map[string]datePart {
	return map[string]datePart{
		"GetYear":                {pruning.Uint16, 1970, 2105, yearOf, always},
		"GetMonth":               {pruning.Uint8, 1, 12, func(c civil) int64 { return int64(c.m) }, yearOf},
		"GetDayOfMonth":          {pruning.Uint8, 1, 31, func(c civil) int64 { return int64(c.d) }, monthOf},
		"GetDayOfYear":           {pruning.Uint16, 1, 366, dayOfYear, yearOf},
		"GetDayOfWeek":           {pruning.Uint8, 1, 7, weekday, weekOf},
		"GetWeekOfYearIso8601":   {pruning.Uint8, 1, 53, isoWeek, isoYear},
		"GetHour":                {pruning.Uint8, 0, 23, func(c civil) int64 { return c.micros / 3600e6 }, dayOf},
		"GetMinute":              {pruning.Uint8, 0, 59, func(c civil) int64 { return c.micros / 60e6 % 60 }, hourOf},
		"GetSecond":              {pruning.Uint8, 0, 59, func(c civil) int64 { return c.micros / 1e6 % 60 }, minuteOf},
		"GetMillisecondOfSecond": {pruning.Uint32, 0, 999, func(c civil) int64 { return c.micros / 1000 % 1000 }, secondOf},
		"GetMicrosecondOfSecond": {pruning.Uint32, 0, 999999, func(c civil) int64 { return c.micros % 1000000 }, secondOf},
	}
}

// startOf is DateTime::StartOfMonth and the like: the first instant of the unit, never falling as dates rise.
func startOf(name string, first func(c civil) int64) *function {
	return &function{name: name, min: 1, max: 1, rise: "+", mayNull: true, result: takes("d", tmType.optional()),
		call: func(a *apply, args []value) value {
			if t := a.args[0].typ(); t.isDate() {
				return dateSpan(tmType, point128(first(civilOf(t, args[0].lo))))
			}
			return anything.orNull()
		}}
}

// local is the time as the calendar shows it, in microseconds.
func (c civil) local() int64 { return c.days*microsADay + c.micros }

func point128(n int64) span128 { return span128{wide(n), wide(n)} }

// endOf is DateTime::EndOfMonth and the like: within the last day, hour … of the unit. Which instant of that day it is
// isn't relied upon.
func endOf(name string, next func(c civil) int64) *function {
	return &function{name: name, min: 1, max: 1, mayNull: true, result: takes("d", tmType.optional()),
		call: func(a *apply, args []value) value {
			t := a.args[0].typ()
			if !t.isDate() {
				return anything.orNull()
			}
			end := next(civilOf(t, args[0].lo))
			return dateSpan(tmType, span128{wide(end - microsADay), wide(end - 1)})
		}}
}

func monthStart(y, m int) int64 { return pruning.DaysFromCivil(y, m, 1) * microsADay }

// monthsLater is the first day of the month n months after (y, m), in microseconds.
func monthsLater(y, m, n int) int64 {
	k := y*12 + m - 1 + n
	return monthStart(k/12, k%12+1)
}

// shiftFn is DateTime::ShiftMonths and the like: a calendar step that keeps the time and the day, or takes the month's
// last day. Several days may fall on one, so that only days keep their order, not times.
func shiftFn(name string, months int64) *function {
	return &function{name: name, min: 2, max: 2, mayNull: true, result: takes("di", tmType.optional()),
		span: func(a *apply, args []value) value {
			t, u := a.args[0].typ(), a.args[1].typ()
			x, n := args[0], args[1]
			if x.isNull() || n.isNull() {
				return nullValue
			}
			out := anything.orNull()
			if steps, ok := n.known(); ok && u.isInt() && t.isDate() && x.bounded() {
				out = shiftMonths(t, x, toWide(u.scalar.Kind, steps).mul(wide(months)))
			}
			out.is |= (x.is | n.is) & null
			return out
		}}
}

func shiftMonths(t typ, x value, steps int128) value {
	n, ok := steps.int64()
	if !ok || n < -1e6 || n > 1e6 {
		return nullValue
	}
	lo, hi := civilOf(t, x.lo), civilOf(t, x.hi)
	s := span128{wide(lo.shifted(n) + lo.micros), wide(hi.shifted(n) + hi.micros)}
	if x.lo != x.hi && !t.is(pruning.Date) {
		s = span128{wide(lo.shifted(n)), wide(hi.shifted(n) + microsADay - 1)}
	}
	return dateSpan(tmType, s)
}

// shifted is the midnight of the day n months later, in microseconds.
func (c civil) shifted(n int64) int64 {
	k := int64(c.y)*12 + int64(c.m) - 1 + n
	y := floorDiv(k, 12)
	m := int(k-y*12) + 1
	return pruning.DaysFromCivil(int(y), m, min(c.d, pruning.DaysInMonth(int(y), m))) * microsADay
}

// makeFn is DateTime::MakeDate and the like: the date cut to the type's unit.
func makeFn(name string, k pruning.Kind) *function {
	return &function{name: name, min: 1, max: 1, result: takes("d", scalar(k)),
		span: strict(func(a *apply, t typ, x value) value {
			out := anything
			if t.isDate() {
				out = castScalar(t.optional(), x.notNull(), scalar(k))
			}
			return out
		})}
}

// sinceFn is DateTime::ToSeconds, ToMilliseconds, ToMicroseconds of a date, or of an interval like ToDays.
func sinceFn(name string, k pruning.Kind, unit int64) *function {
	return &function{name: name, min: 1, max: 1,
		result: func(args []expr) (typ, bool) {
			t := args[0].typ()
			if t.is(pruning.Interval) {
				return scalar(pruning.Int64).nullIf(args), true
			}
			return scalar(k).nullIf(args), t.isOpen() || t.isDate()
		},
		span: strict(func(a *apply, t typ, x value) value {
			out := anything
			if t.isDate() || t.is(pruning.Interval) {
				if s, ok := microSpan(t, x); ok {
					q, _, _ := divide("/", s, point128(unit))
					lo, hi := intRange(a.t.scalar.Kind)
					out = inRange(a.t.scalar.Kind, q, lo, hi, anything)
				}
			}
			return out
		})}
}

// fromFn is DateTime::FromSeconds and the like, or IntervalFromDays: a number of units.
func fromFn(name string, result typ, unit int64) *function {
	return &function{name: name, min: 1, max: 1, mayNull: true, result: takes("i", result.optional()),
		span: strict(func(a *apply, t typ, x value) value {
			out := anything.orNull()
			if t.isInt() {
				if s, ok := spanOf(t.scalar.Kind, x); ok {
					s = span128{s.lo.mul(wide(unit)), s.hi.mul(wide(unit))}
					if result.isDate() {
						out = dateSpan(result, s)
					} else {
						out = inRange(pruning.Int64, s, wide(-maxMicros), wide(maxMicros), anything.orNull())
					}
				}
			}
			return out
		})}
}
