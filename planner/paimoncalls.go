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
	case "to_date", "to_timestamp", "date":
		if len(e.Args) == 1 {
			return b.paimonTo(e, name, b.bind(e.Args[0].X, sc))
		}
	case "floor", "ceil":
		if len(e.Args) == 2 && e.Args[1].Sep == "TO" {
			return b.paimonFloor(e, name, sc)
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

// paimonFloor is Flink's FLOOR(x TO MONTH), which is DATE_TRUNC.
func (b *binder) paimonFloor(e *ast.Call, name string, sc *scope) expr {
	x := b.bind(e.Args[0].X, sc)
	if id, ok := e.Args[1].X.(*ast.Ident); ok && name == "floor" && len(id.Parts) == 1 {
		if fn := dateTruncTo(false)(b, e, id.Parts[0].Text); fn != nil {
			return b.call(e, fn, x)
		}
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: []expr{x}}
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

// paimonUnits is TIMESTAMPADD(unit, n, x), the sum of x and an interval. What TIMESTAMPDIFF counts isn't followed.
func (b *binder) paimonUnits(e *ast.Call, name, unit string, sc *scope) expr {
	if _, known := calendarUnit(unit); known && strings.HasSuffix(name, "add") {
		n := &ast.Interval{Span: e.Span, X: e.Args[1].X, Unit: strings.ToUpper(unit)}
		return b.bind(&ast.Binary{Span: e.Span, Op: ast.OpAdd, L: e.Args[2].X, R: n}, sc)
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: []expr{b.bind(e.Args[1].X, sc), b.bind(e.Args[2].X, sc)}}
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
		"replace": texts["replace"], "lpad": texts["lpad"], "rpad": texts["rpad"],
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
