package planner

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// trinoParts are year(x), month(x) and the like, with the names that they have in EXTRACT, too.
func trinoParts() map[string]*function {
	parts := map[string]datePart{
		"year":         {pruning.Int64, -1 << 31, 1 << 31, yearOf, always},
		"quarter":      {pruning.Int64, 1, 4, func(c civil) int64 { return int64(c.m-1)/3 + 1 }, yearOf},
		"month":        {pruning.Int64, 1, 12, func(c civil) int64 { return int64(c.m) }, yearOf},
		"week":         {pruning.Int64, 1, 53, isoWeek, isoYear},
		"day":          {pruning.Int64, 1, 31, func(c civil) int64 { return int64(c.d) }, monthOf},
		"day_of_week":  {pruning.Int64, 1, 7, weekday, weekOf},
		"day_of_year":  {pruning.Int64, 1, 366, dayOfYear, yearOf},
		"year_of_week": {pruning.Int64, -1 << 31, 1 << 31, isoYear, always},
		"hour":         {pruning.Int64, 0, 23, func(c civil) int64 { return c.micros / 3600e6 }, dayOf},
		"minute":       {pruning.Int64, 0, 59, func(c civil) int64 { return c.micros / 60e6 % 60 }, hourOf},
		"second":       {pruning.Int64, 0, 59, func(c civil) int64 { return c.micros / 1e6 % 60 }, minuteOf},
		"millisecond":  {pruning.Int64, 0, 999, func(c civil) int64 { return c.micros / 1000 % 1000 }, secondOf},
	}
	out := map[string]*function{}
	for name, p := range parts {
		out[name] = p.function(name, true)
	}
	for alias, name := range map[string]string{"week_of_year": "week", "day_of_month": "day", "dow": "day_of_week", "doy": "day_of_year", "yow": "year_of_week"} {
		out[alias] = out[name]
	}
	return out
}

// addMonths moves a date along the calendar and keeps its type: 2024-03-31 less a month is 2024-02-29.
func addMonths(name string, n int64) *function {
	return &function{name: name, min: 1, max: 1, result: same("d"),
		span: strict(func(a *apply, t typ, x value) value {
			out := anything
			if t.isDate() && inCalendar(t, x) && n > -1e6 && n < 1e6 {
				out = localSpan(a.t, monthsSpan(t, x, n))
			}
			return out
		})}
}

// monthsSpan bounds the dates n months later, in microseconds. Several days may fall on one.
func monthsSpan(t typ, x value, n int64) span128 {
	lo, hi := civilOf(t, x.lo), civilOf(t, x.hi)
	if x.lo == x.hi || t.is(pruning.Date) {
		return span128{wide(lo.shifted(n) + lo.micros), wide(hi.shifted(n) + hi.micros)}
	}
	return span128{wide(lo.shifted(n)), wide(hi.shifted(n) + microsADay - 1)}
}

// trinoUnits are the units of date_trunc: where the unit of an instant begins.
var trinoUnits = map[string]func(c civil) int64{
	"millisecond": func(c civil) int64 { return c.days*microsADay + c.micros/1000*1000 },
	"second":      func(c civil) int64 { return c.days*microsADay + c.micros/1e6*1e6 },
	"minute":      func(c civil) int64 { return c.days*microsADay + c.micros/60e6*60e6 },
	"hour":        func(c civil) int64 { return c.days*microsADay + c.micros/3600e6*3600e6 },
	"day":         func(c civil) int64 { return c.days * microsADay },
	"week":        monday,
	"month":       func(c civil) int64 { return monthStart(c.y, c.m) },
	"quarter":     func(c civil) int64 { return monthStart(c.y, (c.m-1)/3*3+1) },
	"year":        func(c civil) int64 { return monthStart(c.y, 1) },
}

// dateTrunc is date_trunc(unit, x), which keeps the type of x.
func dateTrunc(b *binder, e *ast.Call, unit string) *function {
	first := trinoUnits[strings.ToLower(unit)]
	if first == nil {
		b.unknownUnit(e, unit)
		return nil
	}
	return dateRise("date_trunc", same("d"), func(a *apply, c civil) value { return localSpan(a.t, point128(first(c))) })
}

// dateRise is a function of a date that never falls as dates rise.
func dateRise(name string, result func(args []expr) (typ, bool), call func(a *apply, c civil) value) *function {
	return &function{name: name, min: 1, max: 1, rise: "+", result: result,
		call: func(a *apply, args []value) value {
			t := a.args[0].typ()
			if !t.isDate() || !inCalendar(t, args[0]) {
				return anything
			}
			return call(a, civilOf(t, args[0].lo))
		}}
}

func (b *binder) unknownUnit(e *ast.Call, unit string) {
	units := []string{"millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"}
	hint := "units are " + strings.Join(units, ", ")
	if near, ok := ast.Nearest(strings.ToLower(unit), units); ok {
		hint = "did you mean '" + near + "'?"
	}
	b.errorf(e, "bind.unit", hint, "%s: %q is no unit", strings.ToLower(e.Func.Text), unit)
}

// unitMonths are the units that move along the calendar.
var unitMonths = map[string]int64{"month": 1, "quarter": 3, "year": 12}

// dateAdd is date_add(unit, n, x) with a constant unit.
func dateAdd(b *binder, e *ast.Call, unit string) *function {
	unit = strings.ToLower(unit)
	months, us := unitMonths[unit], unitMicros[strings.ToUpper(unit)]
	if months == 0 && us == 0 {
		b.unknownUnit(e, unit)
		return nil
	}
	return &function{name: "date_add", min: 2, max: 2,
		result: func(args []expr) (typ, bool) {
			return args[1].typ().nullIf(args), fits('i', args[0].typ()) && fits('d', args[1].typ())
		},
		span: func(a *apply, args []value) value {
			t, x, n := a.args[1].typ(), args[1], args[0]
			if x.isNull() || n.isNull() {
				return nullValue
			}
			out := anything
			if count, ok := knownInt(a.args[0].typ(), n); ok && t.isDate() && inCalendar(t, x) && count > -1e9 && count < 1e9 {
				out = addUnits(a.t, t, x, count, months, us)
			}
			out.is |= (x.is | n.is) & null
			return out
		}}
}

func addUnits(result, t typ, x value, n, months, us int64) value {
	if months != 0 {
		if n*months > 1e6 || n*months < -1e6 {
			return anything
		}
		return localSpan(result, monthsSpan(t, x, n*months))
	}
	if t.zone != nil && us >= microsADay {
		return localSpan(result, point128(civilOf(t, x.lo).local()+n*us))
	}
	s, ok := microSpan(t, x)
	if !ok {
		return anything
	}
	move := wide(n).mul(wide(us))
	return dateSpan(result, span128{s.lo.add(move), s.hi.add(move)})
}

// knownInt is a whole number that is known.
func knownInt(t typ, v value) (int64, bool) {
	n, ok := v.notNull().known()
	if !ok || !t.isInt() {
		return 0, false
	}
	return toWide(t.scalar.Kind, n).int64()
}

// dateDiff is date_diff(unit, x, y): the whole units from x to y.
func dateDiff(b *binder, e *ast.Call, unit string) *function {
	unit = strings.ToLower(unit)
	months, us := unitMonths[unit], unitMicros[strings.ToUpper(unit)]
	if months == 0 && us == 0 {
		b.unknownUnit(e, unit)
		return nil
	}
	return &function{name: "date_diff", min: 2, max: 2, rise: "-+", result: takes("d", scalar(pruning.Int64)),
		call: func(a *apply, args []value) value {
			t, u := a.args[0].typ(), a.args[1].typ()
			if months == 0 && us < microsADay {
				t.zone, u.zone = nil, nil
			}
			if t.zone != u.zone || !t.isDate() || !u.isDate() || !inCalendar(t, args[0]) || !inCalendar(u, args[1]) {
				return anything
			}
			x, y := civilOf(t, args[0].lo), civilOf(u, args[1].lo)
			if months == 0 {
				return integer((y.days*microsADay + y.micros - x.days*microsADay - x.micros) / us)
			}
			return integer(monthsBetween(x, y) / months)
		}}
}

// monthsBetween counts the whole months from x to y, cut towards zero.
func monthsBetween(x, y civil) int64 {
	if x.days > y.days || x.days == y.days && x.micros > y.micros {
		return -monthsBetween(y, x)
	}
	n := monthOf(y) - monthOf(x)
	if at := x.shifted(n) + x.micros; at > y.days*microsADay+y.micros {
		n--
	}
	return n
}

// mysqlPattern translates the directives of date_format and date_parse (MySQL's) to Java's letters; ok is false for those
// that have none.
func mysqlPattern(s string) (pattern string, ok bool) {
	var out, text strings.Builder
	flush := func() { // quotes side by side would be one quote
		if text.Len() > 0 {
			out.WriteString("'" + strings.ReplaceAll(text.String(), "'", "''") + "'")
			text.Reset()
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			text.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", false
		}
		letters, known := mysqlDirectives[s[i]]
		switch {
		case !known:
			text.WriteByte(s[i])
		case letters == "", text.Len() == 0 && strings.HasSuffix(out.String(), letters[:1]):
			return "", false // the same letters side by side would be one field
		default:
			flush()
			out.WriteString(letters)
		}
	}
	flush()
	return out.String(), true
}

var mysqlDirectives = map[byte]string{'a': "EEE", 'b': "MMM", 'c': "M", 'd': "dd", 'e': "d", 'f': "SSSSSS", 'H': "HH", 'h': "hh", 'I': "hh",
	'i': "mm", 'j': "DDD", 'k': "H", 'l': "h", 'M': "MMMM", 'm': "MM", 'p': "a", 'r': "hh:mm:ss a", 'S': "ss", 's': "ss", 'T': "HH:mm:ss",
	'W': "EEEE", 'Y': "yyyy", 'y': "yy", 'v': "", 'x': "", 'D': "", 'U': "", 'u': "", 'V': "", 'w': "", 'X': ""}

// jodaPattern is that of format_datetime and parse_datetime, where Y is the year, too.
func jodaPattern(s string) (string, bool) {
	var b strings.Builder
	quoted := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '\'':
			quoted = !quoted
		case c == 'Y' && !quoted:
			c = 'y'
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

// patternReader translates patterns to Java's letters.
type patternReader func(s string) (string, bool)

// compile makes the pattern; nil for one that isn't followed here.
func (read patternReader) compile(s string) *datefmt.Format {
	pattern, ok := read(s)
	if !ok {
		return nil
	}
	f, bad := datefmt.Java(pattern)
	if bad != nil {
		return nil
	}
	return f
}

// writeDate is date_format(x, pattern).
func writeDate(name string, read patternReader) *constantMaker {
	return &constantMaker{at: 1, args: 2, make: func(_ *binder, _ *ast.Call, s string) *function {
		f := read.compile(s)
		if f == nil {
			return nil
		}
		return &function{name: name, min: 1, max: 1, result: takes("d", scalar(pruning.String)),
			call: func(a *apply, args []value) value {
				t := a.args[0].typ()
				if !t.isDate() || !inCalendar(t, args[0]) {
					return anything
				}
				if t.zone != nil && strings.ContainsAny(s, "XxZz") {
					return anything
				}
				return text(string(f.Append(nil, datefmt.FromMicros(civilOf(t, args[0].lo).local()))))
			}}
	}}
}

// readDate is date_parse(text, pattern). Texts that weren't written by the pattern may fail or be read leniently.
func readDate(name string, read patternReader, result typ) *constantMaker {
	return &constantMaker{at: 1, args: 2, make: func(_ *binder, _ *ast.Call, s string) *function {
		f := read.compile(s)
		if f == nil || f.Base() != 2000 {
			return nil
		}
		twoDigits := strings.Contains(s, "%y")
		return &function{name: name, min: 1, max: 1, result: takes("t", result),
			call: func(_ *apply, args []value) value {
				c, ok := f.Parse(args[0].lo.Text())
				if !ok || twoDigits && c.Year >= 2070 {
					return anything
				}
				if result.is(pruning.Date) {
					return integer(floorDiv(c.Micros(), microsADay))
				}
				return integer(c.Micros())
			}}
	}}
}

// fromISO is from_iso8601_timestamp: a text without a zone is UTC.
func fromISO(name string, result typ) *function {
	return &function{name: name, min: 1, max: 1, result: takes("t", result),
		call: func(_ *apply, args []value) value {
			us, _, bad := datefmt.ParseISO(args[0].lo.Text())
			if bad != nil {
				return anything
			}
			if result.is(pruning.Date) {
				return integer(floorDiv(us, microsADay))
			}
			return integer(us)
		}}
}

// trinoDates are the functions on dates whose arguments are ordinary values.
func trinoDates() map[string]*function {
	out := trinoParts()
	out["date"] = &function{name: "date", min: 1, max: 1,
		result: func(args []expr) (typ, bool) {
			t := args[0].typ()
			return wideDate().nullIf(args), t.isOpen() || t.isText() || t.isDate()
		},
		span: func(a *apply, args []value) value { return trinoCast.span(a, args) }}
	out["last_day_of_month"] = dateRise("last_day_of_month", takes("d", wideDate()), func(a *apply, c civil) value {
		return integer(pruning.DaysFromCivil(c.y, c.m, pruning.DaysInMonth(c.y, c.m)))
	})
	out["from_iso8601_timestamp"] = fromISO("from_iso8601_timestamp", wideTime().named(zoned))
	out["from_iso8601_date"] = fromISO("from_iso8601_date", wideDate())
	out["to_iso8601"] = &function{name: "to_iso8601", min: 1, max: 1, result: takes("d", scalar(pruning.String)),
		call: func(a *apply, args []value) value {
			if t := a.args[0].typ(); t.is(pruning.Date) {
				return trinoFormat(t, args[0])
			}
			return anything
		}}
	out["to_unixtime"] = &function{name: "to_unixtime", min: 1, max: 1, rise: "+", result: takes("d", scalar(pruning.Float64)),
		call: func(a *apply, args []value) value {
			if t := a.args[0].typ(); t.isDate() && inCalendar(t, args[0]) {
				us, _ := nanos(t.scalar, args[0].lo).int64Micros()
				return exactly(pruning.Float(float64(us) / 1e6))
			}
			return anything
		}}
	out["from_unixtime"] = &function{name: "from_unixtime", min: 1, max: 1, rise: "+", result: takes("n", wideTime().named(zoned)),
		call: func(a *apply, args []value) value {
			if n, ok := knownInt(a.args[0].typ(), args[0]); ok && n > -maxWideMicros/1e6 && n < maxWideMicros/1e6 {
				return integer(n * 1e6)
			}
			return anything
		}}
	return out
}

// trinoConstant are the functions with an argument that must be constant for anything to be known.
var trinoConstant = map[string]*constantMaker{
	"date_trunc":      {at: 0, args: 2, make: dateTrunc},
	"date_add":        {at: 0, args: 3, make: dateAdd},
	"date_diff":       {at: 0, args: 3, make: dateDiff},
	"date_format":     writeDate("date_format", mysqlPattern),
	"format_datetime": writeDate("format_datetime", jodaPattern),
	"date_parse":      readDate("date_parse", mysqlPattern, wideTime()),
	"parse_datetime":  readDate("parse_datetime", jodaPattern, wideTime().named(zoned)),
	"regexp_like":     {at: 1, args: 2, make: regexpLike},
	"regexp_replace":  {at: 1, args: 2, more: 1, make: regexpReplace},
	"regexp_extract":  {at: 1, args: 2, more: 1, make: regexpExtract},
}
