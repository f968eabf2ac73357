package planner

import (
	"math"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// span of the calendar: months, days and microseconds are kept apart, since months and days vary in length.
type calendar struct{ months, days, micros int64 }

// calendarType is the type of INTERVAL 1 MONTH.
var calendarType = typ{shape: calendarShape, notNull: true, name: "INTERVAL"}

// calendarValue packs an interval into the parts of a composite value.
func calendarValue(c calendar) value {
	return value{is: some, parts: &parts{items: []value{integer(c.months), integer(c.days), integer(c.micros)}}}
}

// calendarOf unpacks a constant interval.
func calendarOf(x expr) (c calendar, ok bool) {
	k, ok := x.(*constant)
	if !ok || k.t.name != calendarType.name || k.t.shape != calendarShape || k.v.parts == nil || len(k.v.parts.items) != 3 {
		return c, false
	}
	items := k.v.parts.items
	return calendar{items[0].lo.Int(), items[1].lo.Int(), items[2].lo.Int()}, true
}

// calendarUnits are the lengths of the units of INTERVAL, by their names without a plural s.
var calendarUnits = map[string]calendar{
	"year": {months: 12}, "quarter": {months: 3}, "month": {months: 1}, "decade": {months: 120}, "century": {months: 1200},
	"centurie": {months: 1200}, "week": {days: 7}, "day": {days: 1}, "hour": {micros: 3600e6}, "minute": {micros: 60e6}, "second": {micros: 1e6},
	"millisecond": {micros: 1e3}, "microsecond": {micros: 1}, "min": {micros: 60e6}, "sec": {micros: 1e6}, "hr": {micros: 3600e6}, "mon": {months: 1},
}

func calendarUnit(name string) (calendar, bool) {
	name = strings.ToLower(name)
	if c, ok := calendarUnits[name]; ok {
		return c, true
	}
	c, ok := calendarUnits[strings.TrimSuffix(name, "s")]
	return c, ok
}

// times is n units; ok is false where that is out of any range.
func (c calendar) times(n int64) (calendar, bool) {
	const most = 1 << 32
	if n > most || n < -most {
		return c, false
	}
	if unit := max(c.micros, -c.micros); unit > 0 && max(n, -n) > math.MaxInt64/unit {
		return c, false
	}
	return calendar{c.months * n, c.days * n, c.micros * n}, true
}

func (c calendar) plus(d calendar) calendar {
	return calendar{c.months + d.months, c.days + d.days, c.micros + d.micros}
}

// parseCalendar reads "1 month 2 days", "-3 hours", "01:30:00".
func parseCalendar(s string) (out calendar, ok bool) {
	words := strings.Fields(s)
	for len(words) > 0 {
		if clock, isClock := parseSpanClock(words[0]); isClock {
			out, words, ok = out.plus(clock), words[1:], true
			continue
		}
		n, err := strconv.ParseInt(words[0], 10, 64)
		if err != nil || len(words) < 2 {
			return out, false
		}
		unit, known := calendarUnit(strings.TrimSuffix(words[1], ","))
		if !known {
			return out, false
		}
		c, fits := unit.times(n)
		if !fits {
			return out, false
		}
		out, words, ok = out.plus(c), words[2:], true
	}
	return out, ok
}

// parseSpanClock reads h:mm or h:mm:ss.
func parseSpanClock(s string) (c calendar, ok bool) {
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return c, false
	}
	unit := int64(3600e6)
	for _, p := range parts {
		n, err := strconv.ParseInt(p, 10, 32)
		if err != nil || n < 0 {
			return c, false
		}
		c.micros += n * unit
		unit /= 60
	}
	return c, true
}

// calendarLiteral binds INTERVAL 1 DAY and INTERVAL '1 day'; nil when it isn't constant.
func (b *binder) calendarLiteral(e *ast.Interval, sc *scope) expr {
	x := b.bind(e.X, sc)
	c, ok := x.(*constant)
	if !ok {
		return &opaque{at: e, t: calendarType.optional(), why: "an interval that isn't constant", args: []expr{x}}
	}
	v, ok := c.v.known()
	var out calendar
	switch {
	case !ok:
	case e.Unit == "" && c.t.isText():
		out, ok = parseCalendar(v.Text())
	case c.t.isText():
		out, ok = parseCalendar(v.Text() + " " + e.Unit)
	case c.t.isInt():
		if out, ok = calendarUnit(e.Unit); ok {
			n, _ := toWide(c.t.scalar.Kind, v).int64()
			out, ok = out.times(n)
		}
	default:
		ok = false
	}
	if !ok {
		return &opaque{at: e, t: calendarType.optional(), why: "an interval of an unknown form", args: []expr{x}}
	}
	return &constant{at: e, t: calendarType, v: calendarValue(out)}
}

// shiftBy is date + interval, an instant: months first, which end at the month's last day, then days and microseconds.
// It never falls as dates rise, except that times of one day may be mixed up where months are added.
func shiftBy(op ast.Op, c calendar) *function {
	if op == ast.OpSub {
		c = calendar{-c.months, -c.days, -c.micros}
	}
	instant := scalar(pruning.Timestamp)
	instant.wide = true
	return &function{name: string(op), min: 1, max: 1, result: takes("d", instant),
		span: strict(func(a *apply, t typ, x value) value {
			out := anything
			if t.isDate() && x.bounded() && x.is&under == 0 {
				lo, hi := civilOf(t, x.lo), civilOf(t, x.hi)
				s := span128{wide(lo.shifted(c.months) + lo.micros), wide(hi.shifted(c.months) + hi.micros)}
				if x.lo != x.hi && c.months != 0 && !t.is(pruning.Date) {
					s = span128{wide(lo.shifted(c.months)), wide(hi.shifted(c.months) + microsADay - 1)}
				}
				move := wide(c.days).mul(wide(microsADay)).add(wide(c.micros))
				out = dateSpan(a.t, span128{s.lo.add(move), s.hi.add(move)})
			}
			return out
		})}
}
