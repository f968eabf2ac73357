package planner

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// duckUnit is a unit of dates: which part of a date it is, how many of it there have been, and where one begins. The part
// grows with the date as long as level, the unit around it, stays.
type duckUnit struct {
	least, most int64
	get, level  func(c civil) int64
	count       func(c civil) int64 // nil: date_diff doesn't know it
	first       func(c civil) int64 // microseconds; nil: date_trunc doesn't know it
}

const farYears = 300_000 // beyond all dates

func quarterOf(c civil) int64 { return int64(c.y)*4 + int64(c.m-1)/3 }
func isoMonday(c civil) int64 { return monday(c) }
func ofMicros(unit int64) func(c civil) int64 {
	return func(c civil) int64 { return c.days*microsADay + c.micros/unit*unit }
}

// duckUnits are the date parts of DuckDB by name (documentation, "Date Part Functions").
var duckUnits = map[string]duckUnit{
	"year": {-farYears, farYears, yearOf, always, yearOf, func(c civil) int64 { return monthStart(c.y, 1) }},
	"quarter": {1, 4, func(c civil) int64 { return int64(c.m-1)/3 + 1 }, yearOf, quarterOf,
		func(c civil) int64 { return monthStart(c.y, (c.m-1)/3*3+1) }},
	"month": {1, 12, func(c civil) int64 { return int64(c.m) }, yearOf, monthOf, func(c civil) int64 { return monthStart(c.y, c.m) }},
	"week":  {1, 53, isoWeek, isoYear, weekOf, isoMonday},
	"day":   {1, 31, func(c civil) int64 { return int64(c.d) }, monthOf, dayOf, func(c civil) int64 { return c.days * microsADay }},
	"decade": {-farYears / 10, farYears / 10, func(c civil) int64 { return int64(c.y) / 10 }, always, nil,
		func(c civil) int64 { return monthStart(int(floorDiv(int64(c.y), 10)*10), 1) }},
	"dayofweek": {0, 6, func(c civil) int64 { return weekday(c) % 7 }, dayOf, nil, nil},
	"isodow":    {1, 7, weekday, weekOf, nil, nil},
	"dayofyear": {1, 366, dayOfYear, yearOf, nil, nil},
	"isoyear":   {-farYears, farYears, isoYear, always, nil, nil},
	"yearweek":  {-farYears * 100, farYears * 100, func(c civil) int64 { return isoYear(c)*100 + isoWeek(c) }, always, nil, nil},
	"hour":      {0, 23, func(c civil) int64 { return c.micros / 3600e6 }, dayOf, hourOf, ofMicros(3600e6)},
	"minute":    {0, 59, func(c civil) int64 { return c.micros / 60e6 % 60 }, hourOf, minuteOf, ofMicros(60e6)},
	"second":    {0, 59, func(c civil) int64 { return c.micros / 1e6 % 60 }, minuteOf, secondOf, ofMicros(1e6)},
}

var duckUnitNames = map[string]string{
	"years": "year", "y": "year", "yr": "year", "yrs": "year", "quarters": "quarter", "months": "month", "mon": "month", "mons": "month",
	"weeks": "week", "w": "week", "weekofyear": "week", "days": "day", "d": "day", "dayofmonth": "day", "decades": "decade",
	"dow": "dayofweek", "weekday": "dayofweek", "doy": "dayofyear", "hours": "hour", "h": "hour", "hr": "hour", "minutes": "minute",
	"min": "minute", "mins": "minute", "m": "minute", "seconds": "second", "sec": "second", "secs": "second", "s": "second",
}

func duckUnitOf(name string) (duckUnit, bool) {
	name = strings.ToLower(name)
	if long, ok := duckUnitNames[name]; ok {
		name = long
	}
	u, ok := duckUnits[name]
	return u, ok
}

// duckPart is year(d), date_part('year', d), EXTRACT(year FROM d).
func (b *binder) duckPart(at ast.Expr, name string, x expr) expr {
	u, ok := duckUnitOf(name)
	if !ok || isTextLiteral(x) {
		return &opaque{at: at, why: "the date part " + name, args: []expr{x}}
	}
	return b.duckApply(at, u.part(name), x)
}

// duckApply calls a function, and leaves the result unknown where the arguments don't fit.
func (b *binder) duckApply(at ast.Expr, fn *function, args ...expr) expr {
	t, ok := fn.result(args)
	if !ok {
		return &opaque{at: at, why: fn.name + " of values of these types", args: args}
	}
	return b.fold(&apply{at: at, fn: fn, args: args, t: t})
}

func (u duckUnit) part(name string) *function {
	return &function{name: name, min: 1, max: 1, result: takes("d", duckKind(pruning.Int64)),
		span: strict(func(a *apply, t typ, x value) value {
			out := anything
			if t.isDate() && x.bounded() && x.is&under == 0 {
				lo, hi := civilOf(t, x.lo), civilOf(t, x.hi)
				out = between(pruning.Int(u.least), pruning.Int(u.most))
				if u.level(lo) == u.level(hi) {
					out = between(pruning.Int(u.get(lo)), pruning.Int(u.get(hi)))
				}
			}
			return out
		})}
}

// duckPartCall is date_trunc('month', d), date_part('year', d) or date_diff('day', a, b).
func (b *binder) duckPartCall(e *ast.Call, name string, sc *scope) expr {
	args := b.arguments(e, sc)
	unit, ok := constantText(args[0])
	u, known := duckUnitOf(unit)
	open := &opaque{at: e, why: "the function " + e.Func.Text, args: args}
	switch {
	case !ok || !known:
		return open
	case strings.HasSuffix(name, "part") && len(args) == 2:
		return b.duckPart(e, unit, args[1])
	case strings.HasSuffix(name, "trunc") && len(args) == 2 && u.first != nil:
		return b.duckApply(e, truncTo(name, u), args[1])
	case strings.HasSuffix(name, "diff") && len(args) == 3 && u.count != nil:
		return b.duckApply(e, &function{name: name, min: 2, max: 2, rise: "-+", result: takes("d", duckKind(pruning.Int64)),
			call: func(a *apply, args []value) value {
				t, v := a.args[0].typ(), a.args[1].typ()
				if !t.isDate() || !v.isDate() {
					return anything
				}
				return integer(u.count(civilOf(v, args[1].lo)) - u.count(civilOf(t, args[0].lo)))
			}}, args[1], args[2])
	}
	return open
}

// truncTo is the instant at which the unit around a date begins. It never falls as dates rise.
func truncTo(name string, u duckUnit) *function {
	return &function{name: name, min: 1, max: 1, rise: "+", result: takes("d", duckKind(pruning.Timestamp)),
		call: func(a *apply, args []value) value {
			if t := a.args[0].typ(); t.isDate() {
				return dateSpan(a.t, point128(u.first(civilOf(t, args[0].lo))))
			}
			return anything
		}}
}

// duckFormat is strftime(d, '%Y-%m'), in either order.
func (b *binder) duckFormat(e *ast.Call, sc *scope) expr {
	args := b.arguments(e, sc)
	if len(args) != 2 {
		return nil
	}
	if args[0].typ().isText() {
		args[0], args[1] = args[1], args[0]
	}
	pattern, ok := constantText(args[1])
	if !ok {
		return &opaque{at: e, why: "strftime with a format that isn't constant", args: args}
	}
	return b.duckApply(e, formatFn("strftime", pattern), args[0])
}

// makeDateFn is make_date(year, month, day), which fails for days that don't exist. make_date(days since 1970) isn't followed.
var makeDateFn = &function{name: "make_date", min: 1, max: 3, fallible: true, result: takes("i", duckKind(pruning.Date)),
	call: func(a *apply, args []value) value {
		var n [3]int64
		if len(args) != len(n) {
			return anything
		}
		for i, x := range args {
			t := a.args[i].typ()
			if !t.isInt() {
				return anything
			}
			n[i], _ = toWide(t.scalar.Kind, x.lo).int64()
		}
		y, m, d := n[0], n[1], n[2]
		if y < -farYears || y > farYears || m < 1 || m > 12 || d < 1 || d > int64(pruning.DaysInMonth(int(y), int(m))) {
			return failing(a.t)
		}
		return integer(pruning.DaysFromCivil(int(y), int(m), int(d)))
	}}

// epochFn is epoch(d), in seconds.
var epochFn = &function{name: "epoch", min: 1, max: 1, rise: "+", result: takes("d", duckKind(pruning.Float64)),
	call: func(a *apply, args []value) value {
		t := a.args[0].typ()
		if !t.isDate() {
			return anything
		}
		micros, _ := nanos(t.scalar, args[0].lo).int64Micros()
		return exactly(pruning.Float(float64(micros) / 1e6))
	}}

// lastDayFn is last_day(d).
var lastDayFn = &function{name: "last_day", min: 1, max: 1, rise: "+", result: takes("d", duckKind(pruning.Date)),
	call: func(a *apply, args []value) value {
		t := a.args[0].typ()
		if !t.isDate() {
			return anything
		}
		c := civilOf(t, args[0].lo)
		return integer(pruning.DaysFromCivil(c.y, c.m, pruning.DaysInMonth(c.y, c.m)))
	}}

var (
	monthNames = strings.Fields("January February March April May June July August September October November December")
	dayNames   = strings.Fields("Sunday Monday Tuesday Wednesday Thursday Friday Saturday")
)

// nameOfPart is monthname(d) or dayname(d).
func nameOfPart(name string, names []string, index func(c civil) int64) *function {
	return &function{name: name, min: 1, max: 1, result: takes("d", duckKind(pruning.String)),
		call: func(a *apply, args []value) value {
			if t := a.args[0].typ(); t.isDate() {
				return text(names[index(civilOf(t, args[0].lo))])
			}
			return anything
		}}
}
