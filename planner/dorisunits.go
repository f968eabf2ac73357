package planner

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// rounding cuts dates to steps along the calendar, counted from an origin; up: to the next one, unless one begins there.
type rounding struct {
	step   calendar
	origin int64 // microseconds since 1970
	up     bool
}

const (
	yearOne   = -719162 * microsADay // 0001-01-01, a Monday, from which Doris counts
	monthsOne = 12                   // months from year 0 to then
)

func (r rounding) of(c civil) int64 {
	us, length := c.instant(), r.step.days*microsADay+r.step.micros
	begin := func(n int64) int64 { return r.origin + n*length }
	n := int64(0)
	if months := r.step.months; months != 0 {
		n = floorDiv(monthOf(c)-monthsOne, months)
		begin = func(n int64) int64 {
			m := n*months + monthsOne
			y := floorDiv(m, 12)
			return monthStart(int(y), int(m-12*y)+1)
		}
	} else {
		n = floorDiv(us-r.origin, length)
	}
	if r.up && begin(n) < us {
		n++
	}
	return begin(n)
}

// dorisRound is month_floor(x[, n][, origin]), hour_ceil(…), date_floor(x, INTERVAL n HOUR); nil for other names.
func (b *binder) dorisRound(e *ast.Call, name string, sc *scope) expr {
	unit, op, _ := strings.Cut(name, "_")
	step, ok := calendarUnit(unit)
	if op != "floor" && op != "ceil" || !ok && unit != "date" || unit != strings.TrimSuffix(unit, "s") {
		return nil
	}
	args := b.arguments(e, sc)
	r := rounding{step: step, origin: yearOne, up: op == "ceil"}
	for i, x := range args[1:] {
		c, isInterval := calendarOf(x)
		n, isNumber := dorisCount(x)
		switch at, isDate := dorisInstant(x); {
		case isInterval && unit == "date" && i == 0:
			r.step, ok = c, true
		case isNumber && ok && i == 0:
			r.step, ok = step.times(n)
		case isDate && step.months == 0 && i == len(args)-2:
			r.origin = at
		default:
			ok = false
		}
	}
	positive := r.step.months >= 0 && r.step.days >= 0 && r.step.micros >= 0 && r.step != calendar{}
	x := b.dorisDate(args[0])
	if t := x.typ(); !ok || !positive || len(args) > 3 || r.step.months != 0 && r.step.days+r.step.micros != 0 || !t.isDate() {
		return &opaque{at: e, why: "the function " + e.Func.Text, args: args}
	}
	t := dorisOf(x.typ().scalar)
	if t.is(pruning.Date) && (r.step.micros != 0 || r.origin%microsADay != 0) {
		t = dorisKind(pruning.Datetime)
	}
	return b.call(e, dorisMoved(name, t, func(lo, hi civil) (int64, int64) { return r.of(lo), r.of(hi) }), x)
}

// dorisMoved is a function that moves dates without changing their order, perhaps out of the calendar, which gives NULL.
// move gives bounds, in microseconds, for bounds.
func dorisMoved(name string, result typ, move func(lo, hi civil) (int64, int64)) *function {
	return &function{name: name, min: 1, max: 1, mayNull: true, result: takes("d", result.optional()),
		span: strict(func(a *apply, t typ, x value) value {
			if !t.isDate() || !inCalendar(t, x) || x.is&under != 0 {
				return anything.orNull()
			}
			lo, hi := move(civilOf(t, x.lo), civilOf(t, x.hi))
			return withinCalendar(between(pruning.Int(lo), pruning.Int(hi)), a.t)
		})}
}

// dorisCount is a constant whole number.
func dorisCount(x expr) (int64, bool) {
	c, ok := x.(*constant)
	if !ok || !c.v.isKnown() {
		return 0, false
	}
	return knownInt(c.t, c.v)
}

// dorisInstant is a constant instant, also as a text, in microseconds.
func dorisInstant(x expr) (micros int64, ok bool) {
	if isTextConstant(x) {
		m, problem := projection.ParseMoment(x.(*constant).v.lo.Text())
		return m.Days*microsADay + m.Micros, problem == ""
	}
	c, ok := x.(*constant)
	if !ok || !c.t.isDate() || !c.v.isKnown() {
		return 0, false
	}
	return civilOf(c.t, c.v.lo).instant(), true
}

// mysqlWeek counts weeks as MySQL's modes say: they begin on Monday if mode has 1; the year is that of the week, and not
// of the day, if it has 2; the first one is the first with 4 days or more if it has 4 and weeks begin on Sunday, or hasn't
// and they begin on Monday, else the first full one (MySQL's manual, WEEK; Doris' vdatetime_value.cpp).
func mysqlWeek(c civil, mode int64) (year, week int64) {
	monday, ofWeek := mode&1 != 0, mode&2 != 0
	full := (mode&4 != 0) == monday // the first week is the first full one
	begin := func(year int64) int64 {
		first := pruning.DaysFromCivil(int(year), 1, 1)
		day := floorDiv(first+3, 7)*7 - 3 // the Monday at or before
		if !monday {
			day = floorDiv(first+4, 7)*7 - 4
		}
		if full && day < first || !full && first-day > 3 {
			day += 7
		}
		return day
	}
	year = int64(c.y)
	if c.days < begin(year) {
		if !ofWeek {
			return year, 0
		}
		year--
	} else if ofWeek && c.days >= begin(year+1) {
		year++
	}
	return year, (c.days-begin(year))/7 + 1
}

// dorisWeeks is week(x[, mode]) and yearweek(x[, mode]).
func (b *binder) dorisWeeks(e *ast.Call, name string, args []expr) expr {
	mode, ok := int64(0), len(args) <= 2
	if len(args) == 2 {
		mode, ok = dorisCount(args[1])
	}
	if !ok || mode < 0 || mode > 7 {
		return &opaque{at: e, why: "the function " + e.Func.Text, args: args}
	}
	if name == "yearweek" {
		fn := dateRise(name, takes("d", dorisKind(pruning.Int32)), func(_ *apply, c civil) value {
			year, week := mysqlWeek(c, mode|2)
			return integer(year*100 + week)
		})
		return b.call(e, fn, b.dorisDate(args[0]))
	}
	year := func(c civil) int64 { year, _ := mysqlWeek(c, mode); return year }
	week := func(c civil) int64 { _, week := mysqlWeek(c, mode); return week }
	return b.call(e, datePart{pruning.Int32, 0, 53, week, year}.function(name, true), b.dorisDate(args[0]))
}

// farthest is more than clocks of the earth were ever apart, in microseconds.
const farthest = 32 * 3600e6

// dorisZones is convert_tz(x, from, to). Offsets and UTC are exact; of other zones only how far apart they can be is known.
func (b *binder) dorisZones(e *ast.Call, args []expr) expr {
	if len(args) != 3 || !isTextConstant(args[1]) || !isTextConstant(args[2]) {
		return &opaque{at: e, why: "the function " + e.Func.Text, args: args}
	}
	from, ok1 := zoneOffset(args[1].(*constant).v.lo.Text())
	to, ok2 := zoneOffset(args[2].(*constant).v.lo.Text())
	if ok1 && ok2 {
		return b.dorisShift(e, "convert_tz", args[0], calendar{micros: to - from})
	}
	x := b.dorisDate(args[0])
	t := dorisOf(x.typ().scalar)
	if t.is(pruning.Date) {
		t = dorisKind(pruning.Datetime)
	}
	return b.call(e, dorisMoved("convert_tz", t, func(lo, hi civil) (int64, int64) { return lo.instant() - farthest, hi.instant() + farthest }), x)
}

// instant is when c is, in microseconds since 1970.
func (c civil) instant() int64 { return c.days*microsADay + c.micros }

// zoneOffset is how far a zone is ahead of UTC, in microseconds; ok is false where that depends on the date.
func zoneOffset(name string) (micros int64, ok bool) {
	switch strings.ToUpper(name) {
	case "UTC", "GMT", "ETC/UTC", "ETC/GMT":
		return 0, true
	}
	return projection.ParseOffset(name)
}

// makeDate is makedate(year, day of the year).
var makeDate = &function{name: "makedate", min: 2, max: 2, mayNull: true, result: takes("i", dorisKind(pruning.Date).optional()),
	call: func(a *apply, args []value) value {
		y, ok1 := knownInt(a.args[0].typ(), args[0])
		n, ok2 := knownInt(a.args[1].typ(), args[1])
		if !ok1 || !ok2 || y < 1 || y > 9999 || n > 1<<22 {
			return anything.orNull()
		}
		if n < 1 {
			return nullValue
		}
		return withinCalendar(integer((pruning.DaysFromCivil(int(y), 1, 1)+n-1)*microsADay), a.t)
	}}
