package planner

import (
	"encoding/hex"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// paimonSemantics are what Flink's and Spark's SQL have in common, in which Paimon's tables are queried: a text that is
// compared with another type is cast to it, numbers with a point are exact, times are UTC. Where the two engines differ
// nothing is said of the result.
var paimonSemantics = sync.OnceValue(func() *semantics {
	return &semantics{
		dialect:    "paimon",
		sameName:   strings.EqualFold,
		lenient:    true,
		likeEscape: '\\',
		calls:      paimonCalls(),
		funcName:   strings.ToLower,
		cast:       paimonCast,
		tryCast:    paimonCast,
		parseDate:  paimonParseDate,
		signed:     (*binder).paimonNumber,
		typed:      (*binder).paimonTyped,
		rare:       (*binder).paimonRare,
		compare:    (*binder).paimonCompare,
		in:         (*binder).paimonIn,
		special:    (*binder).paimonSpecial,
		word:       (*binder).trinoWord,
		interval:   (*binder).trinoInterval,
		operator:   (*binder).trinoOperator,
		literal:    trinoLiteral,
	}
})

// paimonNumber gives a number its type: 1 is INT, 3000000000 BIGINT, 1.50 DECIMAL(3,2), 1e3 DOUBLE. Spark's suffixes ask
// for one: 1L, 1.5D, 1.5BD.
func (b *binder) paimonNumber(l *ast.Literal, minus bool, at ast.Expr) expr {
	sign := ""
	if minus {
		sign = "-"
	}
	switch {
	case l.Kind != ast.IntLit && l.Kind != ast.FloatLit:
		return nil
	case l.Suffix == "d" || l.Suffix == "f" || l.Suffix == "" && strings.ContainsAny(l.Text, "eE") && l.Kind == ast.FloatLit:
		kind := pruning.Float64
		if l.Suffix == "f" {
			kind = pruning.Float32
		}
		return numberOf(at, pruning.Type{Kind: kind}, sign+l.Text)
	case l.Kind == ast.IntLit && len(l.Text) <= 18:
		whole := *l
		if l.Suffix != "bd" {
			whole.Suffix = map[string]string{"l": "l", "s": "s", "y": "t"}[l.Suffix]
			return b.intLiteral(at, &whole, minus)
		}
	}
	whole, frac, _ := strings.Cut(l.Text, ".")
	digits := max(1, len(strings.TrimLeft(whole, "0"))+len(frac))
	if digits > 38 || !digitsAnd(whole+frac, "") {
		return &opaque{at: at, t: typ{notNull: true}, why: "a number that isn't followed here"}
	}
	return numberOf(at, pruning.Type{Kind: pruning.Decimal, Precision: uint8(digits), Scale: uint8(len(frac))}, sign+"0"+l.Text)
}

// numberOf is a text that is a number of a type.
func numberOf(at ast.Expr, t pruning.Type, s string) expr {
	v, err := t.Parse(s)
	if err != nil {
		return &opaque{at: at, t: typ{notNull: true}, why: "a number that isn't followed here"}
	}
	return &constant{at: at, t: scalar(t.Kind).of(t), v: exactly(v)}
}

// of is the type t with another scalar.
func (t typ) of(s pruning.Type) typ {
	t.scalar, t.wide = s, true
	return t
}

// paimonTyped is DATE '2024-01-31', TIMESTAMP '…', TIME '…'. Timestamps keep all digits that are written.
func (b *binder) paimonTyped(at ast.Expr, name string, t typ, s string, where ast.Expr) expr {
	switch {
	case t.shape != scalarShape:
		return nil
	case t.is(pruning.Timestamp), t.is(pruning.Datetime):
		t = scalar(pruning.Timestamp).of(nanoTime)
	case t.is(pruning.Time):
		v, ok := parsePaimonTime(s)
		if !ok {
			b.errorf(where, "bind.literal", "write TIME '12:34:56'", "'%s' is no time of day", s)
			return b.failed(at, nil)
		}
		return &constant{at: at, t: scalar(pruning.Time), v: exactly(v)}
	case !t.is(pruning.Date):
		return nil
	}
	v, bad := paimonParseDate(s, t)
	if bad != nil {
		b.errorf(spot(where, bad), "bind.literal", "", "%s literal: %s", strings.ToUpper(name), bad.msg)
		return b.failed(at, nil)
	}
	t.wide, t.notNull = true, true
	return &constant{at: at, t: t, v: exactly(v)}
}

var nanoTime = pruning.Type{Kind: pruning.Timestamp, Precision: 9}

// parsePaimonTime reads 12:34 or 12:34:56.789.
func parsePaimonTime(s string) (pruning.Value, bool) {
	v, err := (pruning.Type{Kind: pruning.Time}).Parse(padClock(s))
	return v, err == nil
}

// paimonParseDate reads 2024-01-31, and for a timestamp a blank or T and 10:20[:30[.456]] behind it.
func paimonParseDate(s string, t typ) (v pruning.Value, bad *flaw) {
	if t.is(pruning.Date) {
		return trinoParseDate(s, t)
	}
	text := s
	switch len(s) {
	case len("2024-01-31"):
		text += "T00:00:00"
	case len("2024-01-31 10:20"):
		text += ":00"
	}
	v, err := t.scalar.Parse(strings.Replace(text, " ", "T", 1))
	if err != nil {
		return v, &flaw{0, len(s), "'" + s + "' is no timestamp: write 2024-01-31 10:20:30"}
	}
	return v, nil
}

// paimonRare is X'0102', a text of bytes.
func (b *binder) paimonRare(e ast.Expr, _ *scope) expr {
	t, ok := e.(*ast.TypedLiteral)
	if !ok || !strings.EqualFold(t.Type.Name.Text, "x") {
		return nil
	}
	bytes, err := hex.DecodeString(t.Text.Text)
	if err != nil {
		b.errorf(t.Text, "bind.literal", "write two digits for each byte, such as X'0A1F'", "X'%s' is no sequence of bytes", t.Text.Text)
		return b.failed(e, nil)
	}
	return &constant{at: e, t: scalar(pruning.String), v: text(string(bytes))}
}

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
	case "to_date", "to_timestamp":
		if len(e.Args) == 1 {
			return b.paimonTo(e, name, b.bind(e.Args[0].X, sc))
		}
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
