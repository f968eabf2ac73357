package planner

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// dorisCalls are the functions that predicates over partition and bucket columns use (Doris documentation, "SQL
// functions"). Those of dates are bound by dorisCall, since they take texts, too.
func dorisCalls() *callTable {
	t := &callTable{
		plain: map[string]*function{
			"coalesce": coalesceFn, "ifnull": coalesceFn, "nvl": coalesceFn, "if": ifFn, "nullif": nullIfFn,
			"abs": absFn, "mod": arithmetic(ast.OpMod), "greatest": extreme("greatest", 1), "least": extreme("least", -1),
			"floor": wholeFn("floor", math.Floor), "ceil": wholeFn("ceil", math.Ceil), "ceiling": wholeFn("ceiling", math.Ceil), "sign": signFn,
		},
		rows: words("rand random uuid uuid_numeric random_bytes"),
		totals: words("count sum avg min max any_value min_by max_by group_concat bitmap_union bitmap_union_count hll_union hll_union_agg " +
			"ndv approx_count_distinct percentile percentile_approx stddev stddev_pop stddev_samp variance var_pop var_samp " +
			"collect_list collect_set array_agg topn histogram retention row_number rank dense_rank ntile lag lead first_value last_value"),
	}
	for name, fn := range dorisTexts() {
		t.plain[name] = fn
	}
	return t
}

func dorisTexts() map[string]*function {
	one := func(name string, ascii bool, f func(string) string) *function {
		return ofText(name, 1, ascii, func(x []string) string { return f(x[0]) })
	}
	lower, upper := one("lower", true, asciiLower), one("upper", true, asciiUpper)
	out := map[string]*function{
		"lower": lower, "lcase": lower, "upper": upper, "ucase": upper,
		"trim":    one("trim", false, func(s string) string { return strings.Trim(s, " ") }),
		"ltrim":   one("ltrim", false, func(s string) string { return strings.TrimLeft(s, " ") }),
		"rtrim":   one("rtrim", false, func(s string) string { return strings.TrimRight(s, " ") }),
		"reverse": one("reverse", true, reverse),
		"replace": replaceAllFn("replace"),
		"length":  duckLength("length", false), "char_length": duckLength("char_length", true), "character_length": duckLength("character_length", true),
		"left": cutFn("left", dorisLeft), "strleft": cutFn("strleft", dorisLeft),
		"right": cutFn("right", dorisRight), "strright": cutFn("strright", dorisRight),
		"instr": duckFind("instr"), "lpad": padFn("lpad", true), "rpad": padFn("rpad", false),
		"starts_with": testText("starts_with", strings.HasPrefix, prefixSet),
		"ends_with":   testText("ends_with", strings.HasSuffix, nil),
	}
	for _, name := range []string{"substring", "substr", "mid"} {
		out[name] = dorisSubstring(name)
	}
	return out
}

func dorisLeft(s string, n int) string { return s[:max(0, min(n, len(s)))] }

func dorisRight(s string, n int) string { return s[len(s)-max(0, min(n, len(s))):] }

// dorisSubstring is substr(s, from[, length]): from counts characters from 1 on, from the end when it is negative; 0 gives
// the empty text.
func dorisSubstring(name string) *function {
	return &function{name: name, min: 2, max: 3, result: takes("tii", dorisKind(pruning.String)),
		call: func(a *apply, args []value) value {
			s := args[0].lo.Text()
			from, ok := smallInt(a.args[1].typ(), args[1])
			length := len(s)
			if len(args) > 2 && ok {
				length, ok = smallInt(a.args[2].typ(), args[2])
			}
			if !ok || !isASCII(s) {
				return anything
			}
			if from < 0 {
				from += len(s) + 1
			}
			if from < 1 || from > len(s) || length <= 0 {
				return text("")
			}
			return text(s[from-1 : min(from-1+length, len(s))])
		}}
}

// dorisConcat is concat(a, b, …), which is NULL where one is; other values than texts become texts.
func (b *binder) dorisConcat(e *ast.Call, args []expr) expr {
	for i, x := range args {
		if t := x.typ(); t.shape == scalarShape && !t.isText() {
			args[i] = b.dorisTo(x.node(), x, dorisKind(pruning.String))
		}
	}
	if len(args) < 2 {
		return nil
	}
	return b.call(e, concatFn, args...)
}

// dorisExtreme is greatest(a, b, …) or least: whole numbers of several types are compared as BIGINT.
func (b *binder) dorisExtreme(e *ast.Call, name string, args []expr) expr {
	args = b.dorisUnify(args, func(int) bool { return true })
	if !slices.ContainsFunc(args, func(x expr) bool { return !x.typ().isInt() }) {
		for i, x := range args {
			args[i] = b.dorisOperand(x)
		}
	}
	return b.callNamed(e, b.sem.calls.plain[name], args)
}

// dorisDateCalls are the functions of dates whose arguments are ordinary values.
var dorisDateCalls = sync.OnceValue(func() map[string]*function {
	out := map[string]*function{}
	for name, p := range map[string]datePart{
		"year":      {pruning.Int32, 0, 9999, yearOf, always},
		"quarter":   {pruning.Int32, 1, 4, func(c civil) int64 { return int64(c.m-1)/3 + 1 }, yearOf},
		"month":     {pruning.Int32, 1, 12, func(c civil) int64 { return int64(c.m) }, yearOf},
		"day":       {pruning.Int32, 1, 31, func(c civil) int64 { return int64(c.d) }, monthOf},
		"dayofyear": {pruning.Int32, 1, 366, dayOfYear, yearOf},
		"dayofweek": {pruning.Int32, 1, 7, func(c civil) int64 { return weekday(c)%7 + 1 }, dayOf},
		"weekday":   {pruning.Int32, 0, 6, func(c civil) int64 { return weekday(c) - 1 }, weekOf},

		"weekofyear": {pruning.Int32, 1, 53, isoWeek, isoYear},
		"hour":       {pruning.Int32, 0, 23, func(c civil) int64 { return c.micros / 3600e6 }, dayOf},
		"minute":     {pruning.Int32, 0, 59, func(c civil) int64 { return c.micros / 60e6 % 60 }, hourOf},
		"second":     {pruning.Int32, 0, 59, func(c civil) int64 { return c.micros / 1e6 % 60 }, minuteOf},
	} {
		out[name] = p.function(name, true)
	}
	out["dayofmonth"], out["doy"], out["dow"] = out["day"], out["dayofyear"], out["dayofweek"]
	for name, fn := range dorisDays() {
		out[name] = fn
	}
	for _, unit := range []string{"year", "quarter", "month", "week", "day", "hour", "minute", "second"} {
		if unit != "quarter" {
			out[unit+"s_diff"] = dorisDiff(unit)
		}
	}
	out["dayname"] = nameOfPart("dayname", dayNames, func(c civil) int64 { return weekday(c) % 7 })
	out["monthname"] = nameOfPart("monthname", monthNames, func(c civil) int64 { return int64(c.m) - 1 })
	out["makedate"] = makeDate
	return out
})

// dorisDays are functions that give or take days.
func dorisDays() map[string]*function {
	day := dorisKind(pruning.Date)
	days := func(name string, f func(c civil) int64) *function {
		return dateRise(name, takes("d", day), func(_ *apply, c civil) value { return integer(f(c)) })
	}
	const yearZero = 719528 // days from 0000-01-01 to 1970-01-01
	return map[string]*function{
		"date":      days("date", dayOf),
		"to_date":   days("to_date", dayOf),
		"datev2":    days("datev2", dayOf),
		"to_monday": days("to_monday", dorisMonday),
		"last_day":  days("last_day", func(c civil) int64 { return pruning.DaysFromCivil(c.y, c.m, pruning.DaysInMonth(c.y, c.m)) }),
		"to_days": dateRise("to_days", takes("d", dorisKind(pruning.Int32)), func(_ *apply, c civil) value {
			return integer(c.days + yearZero)
		}),
		"datediff": {name: "datediff", min: 2, max: 2, rise: "+-", result: takes("d", dorisKind(pruning.Int32)),
			call: func(a *apply, args []value) value {
				t, u := a.args[0].typ(), a.args[1].typ()
				if !t.isDate() || !u.isDate() || !inCalendar(t, args[0]) || !inCalendar(u, args[1]) {
					return anything
				}
				return integer(civilOf(t, args[0].lo).days - civilOf(u, args[1].lo).days)
			}},
		"from_days": {name: "from_days", min: 1, max: 1, rise: "+", mayNull: true, result: takes("i", day.optional()),
			call: func(a *apply, args []value) value {
				n, ok := knownInt(a.args[0].typ(), args[0])
				if !ok || n < yearZero || n > 3652424 {
					return anything.orNull()
				}
				return integer(n - yearZero)
			}},
		"unix_timestamp": dorisUnix,
	}
}

// dorisMonday is the Monday of the week; of the days before the first one in 1970, that year's first day
// (to_monday in be/src/vec).
func dorisMonday(c civil) int64 {
	if 0 <= c.days && c.days < 4 {
		return 0
	}
	return c.days + 1 - weekday(c)
}

// dorisUnix is unix_timestamp(x): seconds since 1970, in UTC, and 0 before. Of instants with fractions nothing is said.
var dorisUnix = dateRise("unix_timestamp", func(args []expr) (typ, bool) {
	t := args[0].typ()
	if t.is(pruning.Timestamp) {
		return typ{}, true
	}
	return dorisKind(pruning.Int64).nullIf(args), t.isOpen() || t.isDate()
}, func(a *apply, c civil) value {
	if a.t.shape != scalarShape {
		return anything
	}
	return integer(max(0, secondOf(c)))
})

// dorisArith is + - * % of BIGINT, which wraps around.
func dorisArith(op ast.Op) *function {
	return &function{name: string(op), op: op, min: 2, max: 2, mayNull: true,
		result: func(args []expr) (typ, bool) { return arithType(op, args[0].typ(), args[1].typ()) },
		span: func(a *apply, args []value) value {
			x, y := args[0], args[1]
			if x.isNull() || y.isNull() {
				return nullValue
			}
			out := anything
			xs, ok1 := spanOf(pruning.Int64, x)
			ys, ok2 := spanOf(pruning.Int64, y)
			switch {
			case op == ast.OpMod:
				out = intArith(op, pruning.Int64, x, pruning.Int64, y, pruning.Int64)
			case ok1 && ok2:
				out = wrapped(exactArith(op, xs, ys))
			}
			out.is |= (x.is | y.is) & null
			return out
		}}
}

// exactArith bounds a sum, a difference or a product.
func exactArith(op ast.Op, a, b span128) span128 {
	switch op {
	case ast.OpAdd:
		return span128{a.lo.add(b.lo), a.hi.add(b.hi)}
	case ast.OpSub:
		return span128{a.lo.sub(b.hi), a.hi.sub(b.lo)}
	}
	return corners(a, b, int128.mul)
}

// wrapped is what 64 bits hold of the numbers of a range, which stay in their order unless the range wraps within.
func wrapped(s span128) value {
	half := int128{0, 1 << 63}
	if s.lo.add(half).hi != s.hi.add(half).hi {
		return anything
	}
	return between(pruning.Int(int64(s.lo.lo)), pruning.Int(int64(s.hi.lo)))
}
