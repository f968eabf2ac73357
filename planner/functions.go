package planner

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// takes makes the typing rule of a function: one letter an argument, the last for all that follow.
// t text, i integer, n number, d date, v interval, b Bool, a anything. NULL arguments make the result NULL.
func takes(kinds string, result typ) func(args []expr) (typ, bool) {
	return func(args []expr) (typ, bool) {
		for i, a := range args {
			if !fits(kinds[min(i, len(kinds)-1)], a.typ()) {
				return typ{}, false
			}
		}
		return result.nullIf(args), true
	}
}

func fits(kind byte, t typ) bool {
	if t.isOpen() {
		return true
	}
	switch kind {
	case 't':
		return t.isText()
	case 'i':
		return t.isInt()
	case 'n':
		return t.isNumber()
	case 'd':
		return t.isDate()
	case 'v':
		return t.is(pruning.Interval)
	case 'b':
		return t.isBool()
	}
	return true
}

// same is the typing rule of a function whose result has the type of its first argument.
func same(kinds string) func(args []expr) (typ, bool) {
	rule := takes(kinds, typ{})
	return func(args []expr) (typ, bool) {
		_, ok := rule(args)
		return args[0].typ().nullIf(args), ok
	}
}

// ofText is a function from texts to a text, sure for all arguments or for those of ASCII only.
func ofText(name string, args int, ascii bool, f func(x []string) string) *function {
	return &function{name: name, min: args, max: args, result: takes("t", scalar(pruning.String)),
		call: func(_ *apply, args []value) value {
			x := make([]string, len(args))
			for i, a := range args {
				if x[i] = a.lo.Text(); ascii && !isASCII(x[i]) || a.parts != nil {
					return anything
				}
			}
			return text(f(x))
		}}
}

// trimFn removes characters of a set at the ends of a text; without a set, blanks.
func trimFn(name, blanks string, trim func(s, set string) string) *function {
	fn := *ofText(name, 2, true, func(x []string) string { return trim(x[0], x[1]) })
	two := fn.call
	fn.min = 1
	fn.call = func(a *apply, args []value) value {
		if len(args) == 1 {
			args = append(args[:1:1], text(blanks))
		}
		return two(a, args)
	}
	return &fn
}

// replaceAllFn puts a text in the place of another, wherever that stands; the empty text stands nowhere.
func replaceAllFn(name string) *function {
	return &function{name: name, min: 3, max: 3, result: takes("t", scalar(pruning.String)),
		call: func(_ *apply, args []value) value {
			s, from, to := args[0].lo.Text(), args[1].lo.Text(), args[2].lo.Text()
			if from == "" {
				return text(s)
			}
			return replaced(s, from, to)
		}}
}

// replaced is s with to in the place of from. What becomes too long isn't known.
func replaced(s, from, to string) value {
	if len(s)+strings.Count(s, from)*len(to) > maxText {
		return anything
	}
	return text(strings.ReplaceAll(s, from, to))
}

// testText is a predicate on two texts; only, if any, gives the first ones that fit the second.
func testText(name string, test func(s, x string) bool, only func(x string) pruning.Set) *function {
	fn := &function{name: name, min: 2, max: 2, result: takes("t", scalar(pruning.Bool))}
	constantOf := func(a *apply) (string, bool) {
		if c, ok := a.args[1].(*constant); ok {
			v, ok := c.v.known()
			return v.Text(), ok
		}
		return "", false
	}
	if only != nil {
		fn.only = func(a *apply) (pruning.Set, bool, bool) {
			x, ok := constantOf(a)
			if !ok {
				return pruning.Set{}, false, false
			}
			return only(x), true, true
		}
	}
	fn.span = func(a *apply, args []value) value {
		if args[0].isNull() || args[1].isNull() {
			return nullValue
		}
		out := pruning.True | pruning.False
		s, ok := args[0].notNull().known()
		x, ok2 := args[1].notNull().known()
		if ok && ok2 {
			out = boolean(test(s.Text(), x.Text())).outcomes()
		} else if only != nil && args[0].bounded() {
			out = onlyOutcomes(fn, a, args[0].notNull())
		}
		return truth(out | (args[0].outcomesNull() | args[1].outcomesNull()))
	}
	return fn
}

// outcomesNull is Null for a value that may be NULL.
func (v value) outcomesNull() pruning.Outcomes {
	if v.mayNull() {
		return pruning.Null
	}
	return pruning.None
}

// lengthFn counts bytes; of characters, when runes is set.
func lengthFn(name string, runes bool) *function {
	return &function{name: name, min: 1, max: 1,
		result: func(args []expr) (typ, bool) {
			return scalar(pruning.Uint32).nullIf(args), fits('t', args[0].typ())
		},
		call: func(a *apply, args []value) value {
			s := args[0].lo.Text()
			n := len(s)
			if runes {
				n = utf8.RuneCountInString(s)
			}
			if !a.args[0].typ().isText() || runes && !utf8.ValidString(s) {
				return anything
			}
			return exactly(pruning.Uint(uint64(n)))
		}}
}

// findFn is FIND and RFIND: the place of a text in another, NULL when it isn't there; a place to start is left open.
func findFn(name string, index func(s, x string) int) *function {
	return &function{name: name, min: 2, max: 3, mayNull: true, result: takes("tti", scalar(pruning.Uint32).optional()),
		call: func(_ *apply, args []value) value {
			if len(args) > 2 {
				return anything.orNull()
			}
			if i := index(args[0].lo.Text(), args[1].lo.Text()); i >= 0 {
				return exactly(pruning.Uint(uint64(i)))
			}
			return nullValue
		}}
}

// substringFn is SUBSTRING(s[, from[, length]]) in bytes, from 0 on; in characters for ASCII texts of Unicode::Substring.
func substringFn(name string, ascii bool) *function {
	return &function{name: name, min: 1, max: 3, result: takes("tii", scalar(pruning.String)),
		span: func(a *apply, args []value) value {
			var at [2]uint64
			at[1] = math.MaxUint64
			out := anything
			for i, x := range args {
				if x.isNull() && i == 0 {
					return nullValue
				}
				out.is |= x.is & null
				if i > 0 {
					v, ok := x.known()
					t := a.args[i].typ()
					if !ok || !t.isInt() || toWide(t.scalar.Kind, v).sign() < 0 {
						return out.orNull()
					}
					at[i-1], _ = toWide(t.scalar.Kind, v).magnitude()
				}
			}
			return substring(args[0], at[0], at[1], ascii, out)
		}}
}

func substring(x value, from, length uint64, ascii bool, open value) value {
	out := open
	if v, ok := x.notNull().known(); ok {
		s := v.Text()
		if ascii && !isASCII(s) {
			return open
		}
		s = s[min(from, uint64(len(s))):]
		out = text(s[:min(length, uint64(len(s)))])
	} else if p := x.prefix(); from == 0 && p != "" && isASCII(p) {
		if out = prefixed(p); uint64(len(p)) >= length {
			out = text(p[:length])
		}
	}
	out.is |= open.is & null
	return out
}

// padFn is String::LeftPad and RightPad: up to a length, with blanks or a given character.
func padFn(name string, left bool) *function {
	return &function{name: name, min: 2, max: 3, result: takes("tit", scalar(pruning.String)),
		call: func(a *apply, args []value) value {
			s, fill := args[0].lo.Text(), " "
			t := a.args[1].typ()
			if len(args) > 2 {
				fill = args[2].lo.Text()
			}
			if !t.isInt() || len(fill) != 1 || !isASCII(s) {
				return anything
			}
			n, ok := toWide(t.scalar.Kind, args[1].lo).int64()
			if !ok || n < 0 || n > 1<<16 {
				return anything
			}
			pad := strings.Repeat(fill, max(0, int(n)-len(s)))
			if left {
				return text(pad + s)
			}
			return text(s + pad)
		}}
}

// absFn is ABS of signed numbers.
var absFn = &function{name: "ABS", min: 1, max: 1, result: same("n"),
	span: strict(func(a *apply, t typ, x value) value {
		out := anything
		switch {
		case !t.isInt():
			if v, ok := x.notNull().known(); ok && t.isNumber() && isFloat(t.scalar.Kind) {
				out = exactly(pruning.Float(math.Abs(v.Float())))
			}
		case isUnsigned(t.scalar.Kind):
			return x
		default:
			if s, ok := spanOf(t.scalar.Kind, x); ok {
				lo, hi := intRange(t.scalar.Kind)
				out = inRange(t.scalar.Kind, absSpan(s), lo, hi, anything)
			}
		}
		return out
	})}

func absSpan(s span128) span128 {
	switch {
	case s.lo.sign() >= 0:
		return s
	case s.hi.sign() <= 0:
		return span128{s.hi.neg(), s.lo.neg()}
	}
	top := s.lo.neg()
	if s.hi.cmp(top) > 0 {
		top = s.hi
	}
	return span128{int128{}, top}
}

// extreme is MIN_OF and MAX_OF over values of one type.
func extreme(name string, sign int) *function {
	return &function{name: name, min: 1, max: -1, rise: "+",
		result: func(args []expr) (typ, bool) {
			out := args[0].typ()
			for _, x := range args[1:] {
				var ok bool
				if out, ok = common(out, x.typ()); !ok {
					return typ{}, false
				}
			}
			return out.nullIf(args), true
		},
		call: func(a *apply, args []value) value {
			t := a.t
			var out value
			for i, x := range args {
				u := a.args[i].typ()
				if t.shape != scalarShape || u.shape != scalarShape {
					return anything
				}
				if x = castScalar(u, x, t); !x.settled() {
					return anything
				}
				if i == 0 || pruning.Compare(x.lo, out.lo)*sign > 0 {
					out = x
				}
			}
			return out
		}}
}

// mathFn is a function on doubles.
func mathFn(name string, f func(float64) float64) *function {
	return &function{name: name, min: 1, max: 1, result: takes("n", scalar(pruning.Float64)),
		call: func(a *apply, args []value) value {
			t := a.args[0].typ()
			if t.shape != scalarShape || !isInt(t.scalar.Kind) && !isFloat(t.scalar.Kind) {
				return anything
			}
			return exactly(pruning.Float(f(toFloat(t.scalar, args[0].lo))))
		}}
}

// identityFn gives its argument: Unwrap, Just, EnsureType and the like.
func identityFn(name string, notNull bool) *function {
	return &function{name: name, min: 1, max: -1,
		result: func(args []expr) (typ, bool) {
			t := args[0].typ()
			t.notNull = t.notNull || notNull && !t.isOpen()
			return t, true
		},
		span: func(_ *apply, args []value) value {
			if notNull {
				if args[0].isNull() { // no row survives it
					return value{is: some | low | high}
				}
				return args[0].notNull()
			}
			return args[0]
		}}
}

// listHasFn is ListHas(list, x), without the NULLs of IN.
var listHasFn = &function{name: "ListHas", min: 2, max: 2,
	result: takes("a", scalar(pruning.Bool)),
	span: func(a *apply, args []value) value {
		list, x := args[0].parts, args[1]
		t, u := a.args[0].typ(), a.args[1].typ()
		if list == nil || list.set != nil || t.shape != listShape || args[0].mayNull() || x.mayNull() {
			return truth(pruning.Unknown)
		}
		out := pruning.False
		for _, item := range list.items {
			if item.mayNull() {
				return truth(pruning.Unknown)
			}
			out = out.Or(compareOp("=", t.items[0], item, u, x))
		}
		return truth(out)
	}}

// listLengthFn counts the items of a list.
var listLengthFn = &function{name: "ListLength", min: 1, max: 1, result: takes("a", scalar(pruning.Uint64)),
	span: func(_ *apply, args []value) value {
		if p := args[0].parts; p != nil && p.set == nil && !args[0].mayNull() {
			return exactly(pruning.Uint(uint64(len(p.items))))
		}
		return anything.orNull()
	}}

// sought are the arguments of POSITION(x IN s) and LOCATE(x, s) in the order of INSTR: the text, then what is looked for in
// it. It is nil for calls of another form.
func (b *binder) sought(e *ast.Call, sc *scope) []expr {
	switch len(e.Args) {
	case 1:
		if in, ok := e.Args[0].X.(*ast.In); ok && !in.Not {
			return []expr{b.bind(in.Set, sc), b.bind(in.X, sc)}
		}
	case 2:
		return []expr{b.bind(e.Args[1].X, sc), b.bind(e.Args[0].X, sc)}
	}
	return nil
}
