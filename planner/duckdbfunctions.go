package planner

import (
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// duckdbCalls are the functions that predicates over partition keys use (DuckDB documentation, "Functions").
func duckdbCalls() *callTable {
	t := &callTable{
		plain: map[string]*function{},
		rows: words("random uuid genrandomuuid uuidv4 uuidv7 nextval currval setseed rowid filerownumber inbytesize currentquery " +
			"clocktimestamp"),
		totals: words("count countstar sum avg mean min max first last anyvalue argmax argmin maxby minby arrayagg list stringagg groupconcat " +
			"listagg median quantile quantilecont quantiledisc mode stddev stddevpop stddevsamp variance varpop varsamp corr covarpop " +
			"covarsamp approxcountdistinct approxquantile bitand bitor bitxor booland boolor countif product histogram entropy " +
			"kurtosis skewness fsum favg kahansum rownumber rank denserank percentrank cumedist ntile lag lead firstvalue lastvalue nthvalue grouping " +
			"regrslope regrcount mad reservoirquantile bitstringagg arbitrary"),
	}
	for _, fns := range []map[string]*function{duckTexts(), duckNumbers(), duckDates()} {
		for name, fn := range fns {
			t.plain[normalName(name)] = lenientFn(fn)
		}
	}
	for name, fn := range map[string]*function{"coalesce": coalesceFn, "ifnull": coalesceFn, "if": ifFn, "try": tryFn,
		"list_value": listFn, "list_pack": listFn} {
		t.plain[normalName(name)] = fn
	}
	return t
}

// lenientFn is fn with a result of unknown type for arguments that it doesn't take: texts as written may stand for any.
func lenientFn(fn *function) *function {
	out := *fn
	if fn.result == nil {
		return fn
	}
	out.result = func(args []expr) (typ, bool) {
		if t, ok := fn.result(args); ok {
			return t, true
		}
		return typ{}, true
	}
	if call := fn.call; call != nil {
		out.call = func(a *apply, args []value) value {
			if a.t.shape == anyShape {
				return anything.orNull()
			}
			return call(a, args)
		}
	}
	if span := fn.span; span != nil {
		out.span = func(a *apply, args []value) value {
			if a.t.shape == anyShape {
				return unknown(a.t)
			}
			return span(a, args)
		}
	}
	return &out
}

func duckDates() map[string]*function {
	out := map[string]*function{
		"make_date": makeDateFn, "last_day": lastDayFn, "epoch": epochFn,
		"monthname": nameOfPart("monthname", monthNames, func(c civil) int64 { return int64(c.m) - 1 }),
		"dayname":   nameOfPart("dayname", dayNames, func(c civil) int64 { return weekday(c) % 7 }),
	}
	for name, u := range duckUnits {
		out[name] = u.part(name)
	}
	for _, name := range []string{"dayofmonth", "weekofyear", "weekday"} {
		u, _ := duckUnitOf(name)
		out[name] = u.part(name)
	}
	return out
}

func duckTexts() map[string]*function {
	one := func(name string, ascii bool, f func(string) string) *function {
		return ofText(name, 1, ascii, func(x []string) string { return f(x[0]) })
	}
	out := map[string]*function{
		"lower": caseMapFn("lower", unicode.ToLower), "lcase": caseMapFn("lcase", unicode.ToLower),
		"upper": caseMapFn("upper", unicode.ToUpper), "ucase": caseMapFn("ucase", unicode.ToUpper),
		"trim": trimFn("trim", " ", strings.Trim), "ltrim": trimFn("ltrim", " ", strings.TrimLeft), "rtrim": trimFn("rtrim", " ", strings.TrimRight),
		"reverse": one("reverse", true, reverse),
		"replace": replaceAllFn("replace"),
		"length":  duckLength("length", true), "len": duckLength("len", true), "char_length": duckLength("char_length", true),
		"strlen":      duckLength("strlen", false),
		"starts_with": testText("starts_with", strings.HasPrefix, prefixSet), "prefix": testText("prefix", strings.HasPrefix, prefixSet),
		"ends_with": testText("ends_with", strings.HasSuffix, nil), "suffix": testText("suffix", strings.HasSuffix, nil),
		"left":   runesFn("left", func(s []rune, n int) []rune { return s[:ends(n, len(s))] }),
		"right":  runesFn("right", func(s []rune, n int) []rune { return s[len(s)-ends(n, len(s)):] }),
		"repeat": repeatFn,
		"lpad":   padFn("lpad", true), "rpad": padFn("rpad", false),
		"instr": duckFind("instr"), "strpos": duckFind("strpos"),
		"split_part": splitPartFn,
	}
	for _, name := range []string{"substring", "substr"} {
		out[name] = duckSubstring(name)
	}
	return out
}

// ends is how many of n characters left(s, n) takes; of a negative number, all but so many.
func ends(n, length int) int {
	if n < 0 {
		n += length
	}
	return max(0, min(n, length))
}

// repeatFn is repeat(s, n). What becomes too long isn't known.
var repeatFn = &function{name: "repeat", min: 2, max: 2, result: takes("ti", duckKind(pruning.String)),
	call: func(a *apply, args []value) value {
		n, ok := smallInt(a.args[1].typ(), args[1])
		s := args[0].lo.Text()
		if !ok || n > 0 && len(s) > maxText/n {
			return anything
		}
		return text(strings.Repeat(s, max(n, 0)))
	}}

// caseMapFn maps the characters of a text one by one. Those for which tables of Unicode differ are left open.
func caseMapFn(name string, f func(rune) rune) *function {
	return &function{name: name, min: 1, max: 1, result: takes("t", duckKind(pruning.String)),
		call: func(_ *apply, args []value) value {
			s := args[0].lo.Text()
			if strings.ContainsFunc(s, unsureCase) {
				return anything
			}
			return text(strings.Map(f, s))
		}}
}

// unsureCase holds for characters outside of ASCII, Latin-1, Greek and Cyrillic letters with one counterpart.
func unsureCase(r rune) bool {
	switch {
	case r < utf8.RuneSelf, 0xC0 <= r && r <= 0xFE && r != 0xD7 && r != 0xDF && r != 0xF7, 0x391 <= r && r <= 0x3C9 && r != 0x3C2, 0x400 <= r && r <= 0x45F:
		return false
	}
	return true
}

// duckLength counts characters, or bytes; of a list, its items.
func duckLength(name string, runes bool) *function {
	return &function{name: name, min: 1, max: 1, result: takes("t", duckKind(pruning.Int64)),
		call: func(_ *apply, args []value) value {
			s := args[0].lo.Text()
			if runes && !isASCII(s) {
				return integer(int64(utf8.RuneCountInString(s)))
			}
			return integer(int64(len(s)))
		}}
}

// cutFn is a function of an ASCII text and a number of characters.
func cutFn(name string, f func(s string, n int) string) *function {
	return &function{name: name, min: 2, max: 2, result: takes("ti", duckKind(pruning.String)),
		call: func(a *apply, args []value) value {
			n, ok := smallInt(a.args[1].typ(), args[1])
			if s := args[0].lo.Text(); ok && isASCII(s) {
				return text(f(s, n))
			}
			return anything
		}}
}

// runesFn is a function of a text and a number of characters.
func runesFn(name string, f func(s []rune, n int) []rune) *function {
	return &function{name: name, min: 2, max: 2, result: takes("ti", duckKind(pruning.String)),
		call: func(a *apply, args []value) value {
			const longest = 1 << 12
			n, ok := smallInt(a.args[1].typ(), args[1])
			s := args[0].lo.Text()
			if !ok || !utf8.ValidString(s) || max(n, 1)*len(s) > longest {
				return anything
			}
			return text(string(f([]rune(s), n)))
		}}
}

// smallInt is a known integer that counts characters.
func smallInt(t typ, v value) (int, bool) {
	if !t.isInt() {
		return 0, false
	}
	n, ok := toWide(t.scalar.Kind, v.lo).int64()
	return int(n), ok && n > -1<<20 && n < 1<<20
}

// duckFind is instr(s, part): the place from 1 on, 0 where it isn't found.
func duckFind(name string) *function {
	return &function{name: name, min: 2, max: 2, result: takes("t", duckKind(pruning.Int64)),
		call: func(_ *apply, args []value) value {
			s := args[0].lo.Text()
			if !isASCII(s) {
				return anything
			}
			return integer(int64(strings.Index(s, args[1].lo.Text()) + 1))
		}}
}

// duckSubstring is substring(s, from[, length]): from counts characters from 1 on, from the end when it is negative; a negative
// length counts backwards. Places before the first character count, too: substring('abc', 0, 2) is 'a'.
func duckSubstring(name string) *function {
	return &function{name: name, min: 2, max: 3, result: takes("tii", duckKind(pruning.String)),
		call: func(a *apply, args []value) value {
			s := []rune(args[0].lo.Text())
			from, ok := smallInt(a.args[1].typ(), args[1])
			length := 0
			if len(args) > 2 && ok {
				length, ok = smallInt(a.args[2].typ(), args[2])
			}
			if !ok || !utf8.ValidString(args[0].lo.Text()) {
				return anything
			}
			lo := from - 1
			if from < 0 {
				lo = from + len(s)
			}
			hi := len(s)
			if len(args) > 2 {
				hi = lo + length
			}
			place := func(i int) int { return max(0, min(i, len(s))) }
			return text(string(s[place(min(lo, hi)):place(max(lo, hi))]))
		}}
}

// splitPartFn is split_part(s, separator, n).
var splitPartFn = &function{name: "split_part", min: 3, max: 3, result: takes("tti", duckKind(pruning.String)),
	call: func(a *apply, args []value) value {
		n, ok := smallInt(a.args[2].typ(), args[2])
		sep := args[1].lo.Text()
		if !ok || sep == "" || n == 0 {
			return anything
		}
		parts := strings.Split(args[0].lo.Text(), sep)
		if n < 0 {
			n += len(parts) + 1
		}
		if n < 1 || n > len(parts) {
			return text("")
		}
		return text(parts[n-1])
	}}

func duckNumbers() map[string]*function {
	double := func(name string, f func(float64) float64) *function { return mathFn(name, f) }
	return map[string]*function{
		"abs": absFn, "mod": arithmetic(ast.OpMod), "pow": powerFn, "power": powerFn, "sqrt": double("sqrt", math.Sqrt),
		"floor": placesFn("floor", 1, math.Floor, floorRat), "ceil": placesFn("ceil", 1, math.Ceil, ceilRat), "ceiling": placesFn("ceiling", 1, math.Ceil, ceilRat),
		"trunc": placesFn("trunc", 2, math.Trunc, truncRat), "round": placesFn("round", 2, math.Round, roundRat),
		"xor":      bitwiseCall("xor", ast.OpBitXor),
		"greatest": pickFn("greatest", 1), "least": pickFn("least", -1), "sign": signFn,
	}
}

// wholeFn is floor, ceil and the like: integers stay, doubles follow f.
func wholeFn(name string, f func(float64) float64) *function {
	return &function{name: name, min: 1, max: 1, rise: "+", result: same("n"),
		call: func(a *apply, args []value) value {
			switch t := a.args[0].typ(); {
			case t.isInt():
				return args[0]
			case t.is(pruning.Float64):
				return exactly(pruning.Float(f(args[0].lo.Float())))
			}
			return anything
		}}
}

var signFn = &function{name: "sign", min: 1, max: 1, result: takes("n", duckKind(pruning.Int8)),
	call: func(a *apply, args []value) value {
		t := a.args[0].typ()
		if !t.isInt() {
			return anything
		}
		return integer(int64(toWide(t.scalar.Kind, args[0].lo).sign()))
	}}

// pickFn is greatest and least, which pass over NULL.
func pickFn(name string, sign int) *function {
	fn := *extreme(name, sign)
	fn.result = func(args []expr) (typ, bool) {
		out := args[0].typ()
		for _, x := range args[1:] {
			var ok bool
			if out, ok = common(out, x.typ()); !ok {
				return typ{}, false
			}
		}
		out.notNull = false
		return out, true
	}
	fn.call, fn.rise = nil, ""
	fn.span = func(a *apply, args []value) value {
		best := -1
		for i, x := range args {
			if x.isNull() {
				continue
			}
			t := a.args[i].typ()
			if !x.settled() || t.shape != scalarShape || isFloat(t.scalar.Kind) {
				return unknown(a.t)
			}
			if best < 0 {
				best = i
				continue
			}
			switch o := compareScalars(t.scalar, x.lo, a.args[best].typ().scalar, args[best].lo); {
			case o == anyOrder:
				return unknown(a.t)
			case o == greater && sign > 0, o == less && sign < 0:
				best = i
			}
		}
		if best < 0 {
			return nullValue
		}
		return duckCastValue(a.args[best].typ(), args[best], a.t)
	}
	return &fn
}

// duckRegexp is regexp_matches(s, pattern), which finds a pattern anywhere, and regexp_full_match, which wants all of s.
func (b *binder) duckRegexp(e *ast.Call, name string, sc *scope) expr {
	args := b.arguments(e, sc)
	if len(args) < 2 {
		return nil
	}
	pattern, ok := constantText(args[1])
	if !ok || len(args) > 2 || !args[0].typ().isText() {
		return boolOpaque(e, "the function "+name, args...)
	}
	return b.duckPattern(e, pattern, name == "regexp_full_match", args[0])
}

func (b *binder) duckPattern(at ast.Expr, pattern string, full bool, x expr) expr {
	op := ast.OpRegexp
	if full {
		op = ast.OpMatch
	}
	re, err := compilePattern(pattern, full)
	if err != nil {
		b.report(ast.Warning, at, "bind.pattern", "", "the pattern can't be used: "+err.Error())
		return boolOpaque(at, "a pattern that can't be used", x)
	}
	folds := strings.Contains(pattern, "(?i") // which characters are one letter may differ
	return b.call(at, textPredicate(string(op), op, func(s string) (fits, sure bool) {
		return re.MatchString(s), isASCII(s) || !folds && utf8.ValidString(s)
	}), x)
}

// likeRegexp is a LIKE pattern with _ as a regular expression, which goes by characters.
func likeRegexp(like string) string {
	var b strings.Builder
	b.WriteString("(?s)")
	for _, r := range like {
		switch r {
		case '%':
			b.WriteString(".*")
		case '_':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return b.String()
}

// globPattern turns a GLOB pattern into a regular expression: * any text, ? one character, [a-z], [!a].
func globPattern(glob string) string {
	var b strings.Builder
	b.WriteString("(?s)")
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; c {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteString(".")
		case '[':
			end := strings.IndexByte(glob[i+1:], ']')
			if end < 0 {
				return "[^\\x00-\\x{10FFFF}]"
			}
			set, negated := strings.CutPrefix(glob[i+1:i+1+end], "!")
			b.WriteString(map[bool]string{true: "[^", false: "["}[negated] + strings.NewReplacer(`\`, `\\`, "^", `\^`, "[", `\[`).Replace(set) + "]")
			i += end + 1
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return b.String()
}
