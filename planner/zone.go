package planner

import (
	"strconv"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// A time in a zone is an instant whose calendar is that of the zone: two of them compare as instants, while their parts and
// texts are local. Clocks that are put back repeat local times, so that only single instants are followed: see [inCalendar].

// timeZone finds a zone by its name in the tz database or its distance from UTC, +05:30; nil is UTC. What the process
// doesn't know may exist elsewhere, and is a warning.
func (b *binder) timeZone(x expr) (zone *time.Location, ok bool) {
	c, ok := x.(*constant)
	if !ok || !c.t.isText() {
		return nil, false
	}
	v, ok := c.v.known()
	switch {
	case !ok:
		return nil, false
	case isUTC(v.Text()):
		return nil, true
	}
	if zone = b.zones[v.Text()]; zone != nil {
		return zone, true
	}
	if zone = loadZone(v.Text()); zone != nil {
		if b.zones == nil {
			b.zones = map[string]*time.Location{}
		}
		b.zones[v.Text()] = zone
	} else {
		b.report(ast.Warning, x.node(), "bind.zone", "write a name such as Europe/Berlin, or an offset such as +02:00",
			"the time zone "+strconv.Quote(v.Text())+" isn't known here")
	}
	return zone, zone != nil
}

func isUTC(name string) bool {
	switch strings.ToUpper(name) {
	case "UTC", "GMT", "Z", "ETC/UTC", "+00:00", "-00:00", "+00", "UT", "ZULU":
		return true
	}
	return false
}

// loadZone is nil for a name that the process doesn't know. What it calls local has no meaning in a query.
func loadZone(name string) *time.Location {
	if us, ok := projection.ParseOffset(name); ok && len(name) == len("+05:30") {
		return time.FixedZone(name, int(us/1e6))
	}
	if name == "" || name == "Local" {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// offsetAt is how far local time is ahead of UTC at an instant, in microseconds.
func offsetAt(zone *time.Location, us int64) int64 {
	_, seconds := time.UnixMicro(us).In(zone).Zone()
	return int64(seconds) * 1e6
}

// instants are what local times of a type's zone stand for; ok is false where a clock shows one twice or never.
func (t typ) instants(local span128) (s span128, ok bool) {
	if t.zone == nil {
		return local, true
	}
	us, ok := local.lo.int64()
	if !ok || local.lo != local.hi {
		return s, false
	}
	const beyond = 15 * 3600e6 // no zone is as far from UTC
	before, after := us-offsetAt(t.zone, us-beyond), us-offsetAt(t.zone, us+beyond)
	shows := func(instant int64) bool { return instant+offsetAt(t.zone, instant) == us }
	switch {
	case before == after:
		return point128(before), true
	case shows(before) != shows(after):
		if shows(after) {
			before = after
		}
		return point128(before), true
	}
	return s, false
}

// localSpan makes dates of local times, as dateSpan does.
func localSpan(t typ, local span128) value {
	s, ok := t.instants(local)
	if !ok {
		return anything
	}
	return dateSpan(t, s)
}

// inZone is the instant x with the calendar of a zone: x AT TIME ZONE 'Asia/Tokyo'.
func (b *binder) inZone(at ast.Expr, args []expr) expr {
	return b.zoned(at, args, func(_ typ, x value) value { return x })
}

// withZone takes x for the local time of a zone: with_timezone(x, 'Asia/Tokyo').
func (b *binder) withZone(at ast.Expr, args []expr) expr {
	return b.zoned(at, args, func(t typ, x value) value {
		us, _ := nanos(t.scalar, x.lo).int64Micros()
		return localSpan(t, point128(us))
	})
}

func (b *binder) zoned(at ast.Expr, args []expr, instant func(t typ, x value) value) expr {
	if len(args) != 2 || !args[0].typ().isDate() || args[0].typ().is(pruning.Date) && args[0].typ().zone == nil {
		return &opaque{at: at, why: "a time in a zone", args: args}
	}
	zone, ok := b.timeZone(args[1])
	switch {
	case !ok:
		return &opaque{at: at, why: "a time in a zone that isn't known", args: args}
	case zone == nil && args[0].typ().zone == nil:
		return standsFor(at, args[0])
	}
	t := args[0].typ().named(zoned)
	t.zone, t.wide = zone, true
	return b.call(at, &function{name: "AT TIME ZONE", min: 1, max: 1,
		result: func(args []expr) (typ, bool) { return t.nullIf(args), true },
		span: func(a *apply, args []value) value {
			x := args[0]
			switch {
			case x.isNull():
				return nullValue
			case x.notNull().isKnown() && inCalendar(a.args[0].typ(), x):
				out := instant(a.t, x.notNull())
				out.is |= x.is & null
				return out
			}
			return unknown(t.optional())
		}}, args[0])
}

// trinoTyped is DECIMAL '1.5', or TIMESTAMP '2024-05-01 10:00 Europe/Berlin', whose text ends in a zone; nil for other literals.
func (b *binder) trinoTyped(at ast.Expr, name string, t typ, s string, where ast.Expr) expr {
	if strings.EqualFold(name, "decimal") {
		return trinoDecimal(at, s)
	}
	const day = len("2024-05-01T")
	if !t.isDate() || t.is(pruning.Date) || len(s) < day {
		return nil
	}
	i := strings.IndexFunc(s[day:], func(r rune) bool { return !strings.ContainsRune("0123456789:. ", r) })
	if i < 0 || isUTC(s[day+i:]) {
		return nil
	}
	v, bad := trinoParseDate(strings.TrimRight(s[:day+i], " "), t)
	if bad != nil {
		return nil
	}
	t.notNull = true
	zone := &constant{at: where, t: scalar(pruning.String), v: text(s[day+i:])}
	return b.withZone(at, []expr{&constant{at: at, t: t, v: exactly(v)}, zone})
}
