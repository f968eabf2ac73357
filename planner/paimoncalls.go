package planner

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// paimonSpecial binds calls whose arguments must be constants, or aren't ordinary values.
func (b *binder) paimonSpecial(e *ast.Call, sc *scope) expr {
	name := strings.ToLower(e.Func.Text)
	switch name {
	case "current_date", "curdate":
		return &constant{at: e, t: wideDate(), v: integer(floorDiv(b.now, microsADay))}
	case "now", "current_timestamp", "localtimestamp":
		return instant(e, b.now, "")
	case "concat":
		if len(e.Args) > 1 {
			return b.call(e, concatFn, b.arguments(e, sc)...)
		}
	case "row":
		return b.call(e, tupleFn, b.arguments(e, sc)...)
	case "position", "locate":
		if args := b.sought(e, sc); args != nil {
			return b.call(e, b.sem.calls.plain["instr"], args...)
		}
	case "to_date", "to_timestamp", "date":
		if len(e.Args) == 1 {
			return b.paimonTo(e, name, b.bind(e.Args[0].X, sc))
		}
	case "floor", "ceil":
		if len(e.Args) == 2 && e.Args[1].Sep == "TO" {
			return b.paimonRound(e, name == "ceil", sc)
		}
	}
	if unit, ok := paimonUnit(e, name); ok {
		return b.paimonUnits(e, name, unit, sc)
	}
	if make := paimonConstant[name]; make != nil && len(e.Args) == make.args {
		if args := b.arguments(e, sc); args[make.at].typ().isText() {
			return b.withConstant(e, make, args)
		}
	}
	return nil
}

// paimonTo is to_date(x) or to_timestamp(x): a cast.
func (b *binder) paimonTo(e *ast.Call, name string, x expr) expr {
	t := wideDate()
	if name == "to_timestamp" {
		t = wideTime()
	}
	return b.fold(&apply{at: e, fn: paimonCast, args: []expr{x}, t: t.optional()})
}

// paimonRound is Flink's FLOOR(x TO MONTH) or CEIL. Its weeks begin on Sundays, unlike Spark's, and aren't followed.
func (b *binder) paimonRound(e *ast.Call, up bool, sc *scope) expr {
	x := b.bind(e.Args[0].X, sc)
	if id, ok := e.Args[1].X.(*ast.Ident); ok && len(id.Parts) == 1 {
		switch unit := strings.ToLower(id.Parts[0].Text); {
		case trinoUnits[unit] == nil, unit == "week":
		case up:
			return b.call(e, ceilTo(unit), x)
		default:
			return b.call(e, dateTruncTo(false)(b, e, unit), x)
		}
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: []expr{x}}
}

// ceilTo is CEIL(x TO unit): where a unit begins, x or the next one behind it. Of parts of a millisecond nothing is said.
func ceilTo(unit string) *function {
	first, months, us := trinoUnits[unit], unitMonths[unit], unitMicros[strings.ToUpper(unit)]
	return &function{name: "ceil", min: 1, max: 1, result: same("d"), call: func(a *apply, args []value) value {
		t := a.args[0].typ()
		if !t.isDate() || !inCalendar(t, args[0]) {
			return anything
		}
		c := civilOf(t, args[0].lo)
		at := first(c)
		switch {
		case c.micros%1000 != 0:
			return anything
		case at == c.local():
		case months > 0:
			y, m, d := pruning.CivilFromDays(floorDiv(at, microsADay))
			at = civil{y: y, m: m, d: d}.shifted(months)
		default:
			at += us
		}
		return dateSpan(a.t, point128(at))
	}}
}

// paimonUnit is the unit that is the first argument of TIMESTAMPADD(DAY, n, x) and the like, and isn't a column.
func paimonUnit(e *ast.Call, name string) (unit string, ok bool) {
	switch name {
	case "timestampadd", "timestampdiff", "dateadd", "date_add", "datediff", "date_diff":
	default:
		return "", false
	}
	if len(e.Args) != 3 {
		return "", false
	}
	switch x := e.Args[0].X.(type) {
	case *ast.Ident:
		if len(x.Parts) == 1 {
			unit = x.Parts[0].Text
		}
	case *ast.Literal:
		unit = x.Text
	}
	unit = strings.ToLower(unit)
	return strings.TrimPrefix(unit, "sql_tsi_"), unit != ""
}

// paimonUnits is TIMESTAMPADD(unit, n, x), the sum of x and an interval, or TIMESTAMPDIFF(unit, x, y).
func (b *binder) paimonUnits(e *ast.Call, name, unit string, sc *scope) expr {
	_, known := calendarUnit(unit)
	switch {
	case known && strings.HasSuffix(name, "add"):
		n := &ast.Interval{Span: e.Span, X: e.Args[1].X, Unit: strings.ToUpper(unit)}
		return b.bind(&ast.Binary{Span: e.Span, Op: ast.OpAdd, L: e.Args[2].X, R: n}, sc)
	case unitMonths[unit]+unitMicros[strings.ToUpper(unit)] > 0 && strings.HasSuffix(name, "diff"):
		return b.call(e, paimonDiff(b, e, unit), b.bind(e.Args[1].X, sc), b.bind(e.Args[2].X, sc))
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: []expr{b.bind(e.Args[1].X, sc), b.bind(e.Args[2].X, sc)}}
}

// paimonDiff is TIMESTAMPDIFF(unit, x, y): the whole units from x to y. Nothing is said where Flink and Spark count apart:
// of months from or to the last days of one, and of parts of a millisecond, which Flink cuts off first.
func paimonDiff(b *binder, e *ast.Call, unit string) *function {
	fn := *dateDiff(b, e, unit)
	diff := fn.call
	fn.rise = ""
	fn.call = func(a *apply, args []value) value {
		for i, x := range args {
			t := a.args[i].typ()
			if !t.isDate() || !inCalendar(t, x) {
				return anything
			}
			if c := civilOf(t, x.lo); c.micros%1000 != 0 || unitMonths[unit] > 0 && c.d > 28 {
				return anything
			}
		}
		return diff(a, args)
	}
	return &fn
}

// javaPattern is a pattern of Java's letters.
func javaPattern(s string) (string, bool) { return s, true }

// paimonConstant are the functions with an argument that must be constant for anything to be known.
var paimonConstant = map[string]*constantMaker{
	"date_trunc":   {at: 0, args: 2, make: dateTruncTo(false)},
	"trunc":        {at: 1, args: 2, make: dateTruncTo(true)},
	"date_format":  writeDate("date_format", javaPattern),
	"to_date":      readDate("to_date", javaPattern, wideDate()),
	"to_timestamp": readDate("to_timestamp", javaPattern, wideTime()),
	"regexp_like":  {at: 1, args: 2, make: regexpLike},
	"rlike":        {at: 1, args: 2, make: regexpLike},
	"regexp":       {at: 1, args: 2, make: regexpLike},

	"regexp_replace": {at: 1, args: 3, make: regexpReplace},
}

// dateTruncTo is date_trunc('MONTH', x), or Spark's trunc(x, 'MM') of dates; an unknown unit gives NULL, which isn't followed.
func dateTruncTo(short bool) func(b *binder, e *ast.Call, unit string) *function {
	shorts := map[string]string{"yyyy": "year", "yy": "year", "mon": "month", "mm": "month", "dd": "day"}
	return func(_ *binder, _ *ast.Call, unit string) *function {
		unit = strings.ToLower(unit)
		if long, ok := shorts[unit]; ok {
			unit = long
		}
		first := trinoUnits[unit]
		if first == nil || short && unit != "year" && unit != "quarter" && unit != "month" && unit != "week" {
			return nil
		}
		return dateRise("date_trunc", same("d"), func(a *apply, c civil) value { return dateSpan(a.t, point128(first(c))) })
	}
}

// paimonCalls are the functions that predicates over partition columns use, as far as Flink and Spark agree about them.
func paimonCalls() *callTable {
	plain := trinoParts()
	plain["dayofweek"] = datePart{pruning.Int64, 1, 7, func(c civil) int64 { return weekday(c)%7 + 1 }, dayOf}.function("dayofweek", true)
	plain["weekday"] = datePart{pruning.Int64, 0, 6, func(c civil) int64 { return weekday(c) - 1 }, weekOf}.function("weekday", true)
	for _, name := range []string{"day_of_week", "dow", "day_of_year", "doy", "yow", "year_of_week", "millisecond", "day_of_month", "week_of_year"} {
		delete(plain, name)
	}
	texts := trinoTexts()
	for name, fn := range map[string]*function{
		"dayofmonth": plain["day"], "dayofyear": trinoParts()["day_of_year"], "weekofyear": plain["week"],
		"lower": texts["lower"], "lcase": texts["lower"], "upper": texts["upper"], "ucase": texts["upper"],
		"substr": paimonSubstr("substr"), "substring": paimonSubstr("substring"),
		"length": texts["length"], "char_length": texts["length"], "character_length": texts["length"],
		"replace": texts["replace"], "concat_ws": joinFn, "split_index": splitIndex, "lpad": texts["lpad"], "rpad": texts["rpad"],
		"trim":       ofText("trim", 1, false, func(x []string) string { return strings.Trim(x[0], " ") }),
		"ltrim":      ofText("ltrim", 1, false, func(x []string) string { return strings.TrimLeft(x[0], " ") }),
		"rtrim":      ofText("rtrim", 1, false, func(x []string) string { return strings.TrimRight(x[0], " ") }),
		"startswith": testText("startswith", strings.HasPrefix, prefixSet), "endswith": testText("endswith", strings.HasSuffix, nil),
		"contains": testText("contains", strings.Contains, nil),
		"left":     runesFn("left", func(s []rune, n int) []rune { return s[:max(0, min(n, len(s)))] }),
		"right":    runesFn("right", func(s []rune, n int) []rune { return s[len(s)-max(0, min(n, len(s))):] }),
		"reverse":  texts["reverse"], "instr": texts["strpos"], "split_part": texts["split_part"],
		"coalesce": coalesceFn, "nvl": coalesceFn, "ifnull": coalesceFn, "nullif": nullIfFn, "if": ifFn,
		"abs": absFn, "mod": arithmetic(ast.OpMod),
		"last_day": lastDayFn, "datediff": dayDifference,
		"date_add": dayShift(ast.OpAdd), "date_sub": dayShift(ast.OpSub),
	} {
		if fn != nil {
			plain[name] = fn
		}
	}
	return &callTable{
		plain: plain,
		rows:  words("rand random rand_integer uuid shuffle monotonically_increasing_id input_file_name"),
		totals: words("count sum avg min max mean first last any_value collect_list collect_set collect listagg string_agg array_agg bool_and bool_or " +
			"every some stddev stddev_pop stddev_samp variance var_pop var_samp approx_count_distinct percentile percentile_approx max_by min_by " +
			"count_if row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value grouping grouping_id"),
	}
}

// paimonSubstr is substring(s, from[, length]) in characters from 1 on. Engines differ about places before the first.
func paimonSubstr(name string) *function {
	fn := *trinoSubstr(name)
	inner := fn.span
	fn.span = func(a *apply, args []value) value {
		if n, ok := knownInt(a.args[1].typ(), args[1]); ok && n < 1 {
			return anything.orNull()
		}
		return inner(a, args)
	}
	return &fn
}

// splitIndex is Flink's SPLIT_INDEX(s, separator, n): the part with the number n, counted from 0, or NULL. The empty text has
// no parts.
var splitIndex = &function{name: "split_index", min: 3, max: 3, mayNull: true, result: takes("tti", scalar(pruning.String).optional()),
	call: func(a *apply, args []value) value {
		s, separator := args[0].lo.Text(), args[1].lo.Text()
		n, ok := knownInt(a.args[2].typ(), args[2])
		if !ok || separator == "" {
			return anything.orNull()
		}
		if parts := strings.Split(s, separator); s != "" && 0 <= n && n < int64(len(parts)) {
			return text(parts[n])
		}
		return nullValue
	}}
