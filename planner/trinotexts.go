package planner

import (
	"maps"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// trinoCalls are the functions of Trino that predicates over partition columns use (Trino, "Functions and operators").
func trinoCalls() *callTable {
	plain := trinoDates()
	maps.Copy(plain, trinoTexts())
	maps.Copy(plain, trinoMath())
	maps.Copy(plain, map[string]*function{
		"coalesce": coalesceFn, "nullif": nullIfFn, "if": ifFn,
		"least": extreme("least", -1), "greatest": extreme("greatest", 1),
		"element_at": elementFn, "cardinality": listLengthFn,
	})
	return &callTable{
		plain: plain,
		rows:  words("rand random uuid shuffle"),
		totals: words("count sum avg min max count_if approx_distinct approx_percentile approx_most_frequent arbitrary any_value " +
			"array_agg bool_and bool_or every checksum geometric_mean max_by min_by histogram map_agg map_union multimap_agg " +
			"bitwise_and_agg bitwise_or_agg corr covar_pop covar_samp kurtosis regr_intercept regr_slope skewness stddev " +
			"stddev_pop stddev_samp variance var_pop var_samp listagg reduce_agg set_agg set_union numeric_histogram " +
			"merge tdigest_agg qdigest_agg row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value grouping"),
	}
}

func trinoTexts() map[string]*function {
	one := func(name string, ascii bool, f func(string) string) *function {
		return ofText(name, 1, ascii, func(x []string) string { return f(x[0]) })
	}
	return map[string]*function{
		"lower":       one("lower", true, asciiLower),
		"upper":       one("upper", true, asciiUpper),
		"trim":        trimFn("trim", trinoBlanks, strings.Trim),
		"ltrim":       trimFn("ltrim", trinoBlanks, strings.TrimLeft),
		"rtrim":       trimFn("rtrim", trinoBlanks, strings.TrimRight),
		"reverse":     one("reverse", true, reverse),
		"replace":     replaceFn,
		"concat_ws":   joinFn,
		"translate":   translateFn,
		"format":      trinoFormatFn,
		"length":      trinoLength,
		"substr":      trinoSubstr("substr"),
		"substring":   trinoSubstr("substring"),
		"lpad":        trinoPad("lpad", true),
		"rpad":        trinoPad("rpad", false),
		"starts_with": testText("starts_with", strings.HasPrefix, prefixSet),
		"strpos": {name: "strpos", min: 2, max: 3, result: takes("tti", scalar(pruning.Int64)),
			call: func(_ *apply, args []value) value {
				s, x := args[0].lo.Text(), args[1].lo.Text()
				if !isASCII(s) || !isASCII(x) || len(args) > 2 {
					return anything
				}
				return integer(int64(strings.Index(s, x) + 1))
			}},
		"split_part": {name: "split_part", min: 3, max: 3, mayNull: true, result: takes("tti", scalar(pruning.String).optional()),
			call: func(a *apply, args []value) value {
				n, ok := knownInt(a.args[2].typ(), args[2])
				if !ok || n < 1 || args[1].lo.Text() == "" {
					return anything.orNull()
				}
				if parts := strings.Split(args[0].lo.Text(), args[1].lo.Text()); n <= int64(len(parts)) {
					return text(parts[n-1])
				}
				return nullValue
			}},
		"split": {name: "split", min: 2, max: 3, result: takes("tti", listOf(scalar(pruning.String))),
			call: func(_ *apply, args []value) value {
				if args[1].lo.Text() == "" || len(args) > 2 {
					return anything
				}
				p := &parts{}
				for _, s := range strings.Split(args[0].lo.Text(), args[1].lo.Text()) {
					p.items = append(p.items, text(s))
				}
				return value{is: some, parts: p}
			}},
	}
}

const trinoBlanks = " \t\n\v\f\r"

// replaceFn is replace(s, from[, to]).
var replaceFn = &function{name: "replace", min: 2, max: 3, result: takes("t", scalar(pruning.String)),
	call: func(_ *apply, args []value) value {
		s, from, to := args[0].lo.Text(), args[1].lo.Text(), ""
		if len(args) > 2 {
			to = args[2].lo.Text()
		}
		if from == "" {
			return anything
		}
		return replaced(s, from, to)
	}}

// trinoLength counts characters.
var trinoLength = &function{name: "length", min: 1, max: 1, result: takes("t", scalar(pruning.Int64)),
	call: func(_ *apply, args []value) value {
		s := args[0].lo.Text()
		if !utf8.ValidString(s) {
			return anything
		}
		return integer(int64(utf8.RuneCountInString(s)))
	}}

// trinoSubstr is substr(s, start[, length]) in characters from 1 on; a negative start counts from the end.
func trinoSubstr(name string) *function {
	return &function{name: name, min: 2, max: 3, result: takes("tii", scalar(pruning.String)),
		span: func(a *apply, args []value) value {
			open := anything
			for _, x := range args {
				if x.isNull() {
					return nullValue
				}
				open.is |= x.is & null
			}
			start, ok1 := knownInt(a.args[1].typ(), args[1])
			length, ok2 := int64(math.MaxInt64), true
			if len(args) > 2 {
				length, ok2 = knownInt(a.args[2].typ(), args[2])
			}
			if !ok1 || !ok2 {
				return open
			}
			return trinoSubstring(args[0], start, length, open)
		}}
}

func trinoSubstring(x value, start, length int64, open value) value {
	if start == 0 || length <= 0 {
		out := text("")
		out.is |= open.is & null
		return out
	}
	if start > 0 {
		return substring(x, uint64(start-1), uint64(length), true, open)
	}
	v, ok := x.notNull().known()
	if !ok || !isASCII(v.Text()) {
		return open
	}
	s, from := v.Text(), int64(len(v.Text()))+start
	if from < 0 {
		s = ""
	} else {
		s = s[from:]
	}
	out := text(s[:min(length, int64(len(s)))])
	out.is |= open.is & null
	return out
}

// trinoPad is lpad(s, length, fill) and rpad; a longer text is cut.
func trinoPad(name string, left bool) *function {
	return &function{name: name, min: 3, max: 3, result: takes("tit", scalar(pruning.String)),
		call: func(a *apply, args []value) value {
			s, fill := args[0].lo.Text(), args[2].lo.Text()
			n, ok := knownInt(a.args[1].typ(), args[1])
			if !ok || n < 0 || n > 1<<16 || fill == "" || !isASCII(s) || !isASCII(fill) {
				return anything
			}
			missing := int(n) - len(s)
			if missing <= 0 {
				return text(s[:n])
			}
			pad := strings.Repeat(fill, missing/len(fill)+1)[:missing]
			if left {
				return text(pad + s)
			}
			return text(s + pad)
		}}
}

// elementFn is element_at(list, n) and list[n], from 1 on; a negative n counts from the end.
var elementFn = &function{name: "element_at", min: 2, max: 2, mayNull: true,
	result: func(args []expr) (typ, bool) {
		t := args[0].typ()
		if t.shape != listShape {
			return typ{}, t.isOpen() || t.shape == dictShape
		}
		return t.items[0].optional(), true
	},
	span: func(a *apply, args []value) value {
		list := args[0]
		if list.isNull() || args[1].isNull() {
			return nullValue
		}
		n, ok := knownInt(a.args[1].typ(), args[1])
		p := list.parts
		if !ok || p == nil || p.set != nil || list.mayNull() || args[1].mayNull() || a.t.shape != scalarShape {
			return unknown(a.t)
		}
		if n < 0 {
			n += int64(len(p.items)) + 1
		}
		if n < 1 || n > int64(len(p.items)) {
			return nullValue
		}
		return p.items[n-1]
	}}

// javaRegexp compiles a pattern whose meaning is the same in Java's language and in RE2's; nil for others.
func javaRegexp(s string) *regexp.Regexp {
	if strings.Contains(s, "&&") || strings.Contains(s, `\Q`) || strings.Contains(s, `\v`) || strings.Contains(s, `\h`) || nestedClass(s) {
		return nil
	}
	re, err := compilePattern(s, false)
	if err != nil {
		return nil
	}
	return re
}

// nestedClass reports whether brackets stand within brackets, which Java unites.
func nestedClass(s string) bool {
	in := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			if in {
				return true
			}
			in = true
		case ']':
			in = false
		}
	}
	return false
}

// regexpLike is regexp_like(s, pattern), which finds the pattern anywhere.
func regexpLike(_ *binder, _ *ast.Call, pattern string) *function {
	re := javaRegexp(pattern)
	if re == nil {
		return nil
	}
	return regexpFn(ast.OpRegexp, re)
}

// regexpExtract is regexp_extract(s, pattern[, group]): the first match, or NULL.
func regexpExtract(_ *binder, _ *ast.Call, pattern string) *function {
	re := javaRegexp(pattern)
	if re == nil || !isASCII(pattern) {
		return nil
	}
	return &function{name: "regexp_extract", min: 1, max: 2, mayNull: true, result: takes("ti", scalar(pruning.String).optional()),
		call: func(a *apply, args []value) value {
			s, group := args[0].lo.Text(), int64(0)
			if len(args) == 2 {
				group, _ = knownInt(a.args[1].typ(), args[1])
			}
			if !isASCII(s) || group < 0 || group > int64(re.NumSubexp()) {
				return anything.orNull()
			}
			m := re.FindStringSubmatchIndex(s)
			if m == nil || m[2*group] < 0 {
				return nullValue
			}
			return text(s[m[2*group]:m[2*group+1]])
		}}
}

// regexpReplace is regexp_replace(s, pattern[, to]) where to has no references to groups.
func regexpReplace(_ *binder, _ *ast.Call, pattern string) *function {
	re := javaRegexp(pattern)
	if re == nil || !isASCII(pattern) || re.MatchString("") {
		return nil
	}
	return &function{name: "regexp_replace", min: 1, max: 2,
		result: func(args []expr) (typ, bool) {
			if len(args) == 2 && args[1].typ().shape == lambdaShape {
				return scalar(pruning.String).optional(), true
			}
			return takes("t", scalar(pruning.String))(args)
		},
		call: func(a *apply, args []value) value {
			s, to := args[0].lo.Text(), ""
			if len(args) == 2 {
				if to = args[1].lo.Text(); !a.args[1].typ().isText() {
					return anything.orNull()
				}
			}
			if !isASCII(s) || strings.ContainsAny(to, `$\`) || len(s)*(1+len(to)) > maxText {
				return anything
			}
			return text(re.ReplaceAllLiteralString(s, to))
		}}
}
