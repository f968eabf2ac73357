package planner

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// trinoMath are the functions on numbers (Trino, "Mathematical functions").
func trinoMath() map[string]*function {
	out := map[string]*function{
		"abs": absFn, "mod": arithmetic(ast.OpMod), "sqrt": mathFn("sqrt", math.Sqrt),
		"ceil": roundFn("ceil", math.Ceil), "ceiling": roundFn("ceiling", math.Ceil), "floor": roundFn("floor", math.Floor),
		"round": roundFn("round", math.Round), "truncate": roundFn("truncate", math.Trunc),
		"bitwise_and": bitwiseCall("bitwise_and", ast.OpBitAnd), "bitwise_or": bitwiseCall("bitwise_or", ast.OpBitOr),
		"bitwise_xor": bitwiseCall("bitwise_xor", ast.OpBitXor),
		"sign": {name: "sign", min: 1, max: 1, rise: "+", result: roundedType,
			call: func(a *apply, args []value) value {
				t := a.args[0].typ()
				switch {
				case t.isInt():
					return integer(int64(toWide(t.scalar.Kind, args[0].lo).sign()))
				case t.is(pruning.Float64):
					return exactly(pruning.Float(float64(cmpFloat(args[0].lo.Float(), 0))))
				}
				return anything
			}},
	}
	return out
}

// roundFn is a function that makes doubles whole and leaves whole numbers as they are. To how many digits it rounds isn't
// followed.
func roundFn(name string, f func(float64) float64) *function {
	fn := *wholeFn(name, f)
	one := fn.call
	fn.max, fn.rise, fn.result = 2, "+ ", roundedType
	fn.call = func(a *apply, args []value) value {
		if len(args) == 2 {
			return anything
		}
		return one(a, args)
	}
	return &fn
}

// roundedType keeps the type of a number. Decimals get another scale, and stay unknown.
func roundedType(args []expr) (typ, bool) {
	t, ok := same("ni")(args)
	if t.is(pruning.Decimal) {
		t = typ{}.nullIf(args)
	}
	return t, ok
}

// bitwiseCall is an operation on the bits of whole numbers, which become bigint.
func bitwiseCall(name string, op ast.Op) *function {
	fn := *bitwise(op)
	fn.name, fn.op, fn.result = name, "", takes("i", scalar(pruning.Int64))
	return &fn
}

// joinFn is concat_ws(separator, text, …).
var joinFn = &function{name: "concat_ws", min: 2, max: -1, result: takes("t", scalar(pruning.String)),
	span: func(_ *apply, args []value) value {
		words := make([]string, len(args))
		for i, x := range args {
			v, ok := x.known()
			if !ok {
				return anything.orNull() // a NULL among the texts is left out
			}
			words[i] = v.Text()
		}
		return text(strings.Join(words[1:], words[0]))
	}}

// translateFn is translate(s, from, to): each character of from becomes the one at its place in to, or nothing.
var translateFn = &function{name: "translate", min: 3, max: 3, result: takes("t", scalar(pruning.String)),
	call: func(_ *apply, args []value) value {
		s, from, to := args[0].lo.Text(), args[1].lo.Text(), args[2].lo.Text()
		if !isASCII(s) || !isASCII(from) || !isASCII(to) {
			return anything
		}
		return text(strings.Map(func(r rune) rune {
			switch i := strings.IndexRune(from, r); {
			case i < 0:
				return r
			case i < len(to):
				return rune(to[i])
			}
			return -1
		}, s))
	}}

// trinoFormatFn is format('%02d', n) with the directives %s of texts and %d of whole numbers, as Java's Formatter has them.
var trinoFormatFn = &function{name: "format", min: 1, max: -1,
	result: func(args []expr) (typ, bool) {
		return scalar(pruning.String).nullIf(args[:1]), fits('t', args[0].typ())
	},
	span: func(a *apply, args []value) value {
		if args[0].isNull() {
			return nullValue
		}
		pattern, ok := args[0].known()
		if !ok {
			return unknown(a.t)
		}
		var out strings.Builder
		rest, next := pattern.Text(), 1
		for rest != "" {
			plain, directive, found := strings.Cut(rest, "%")
			out.WriteString(plain)
			if rest = directive; !found {
				break
			}
			if strings.HasPrefix(rest, "%") {
				out.WriteByte('%')
				rest = rest[1:]
				continue
			}
			if next >= len(args) || !formatOne(&out, &rest, a.args[next].typ(), args[next]) {
				return unknown(a.t)
			}
			next++
		}
		return text(out.String())
	}}

// formatOne writes a value as the directive that rest begins with, behind its %, says: s, d, 5d, 05d.
func formatOne(out *strings.Builder, rest *string, t typ, x value) bool {
	n := strings.IndexFunc(*rest, func(r rune) bool { return r < '0' || r > '9' })
	v, ok := x.known()
	if n < 0 || n > 3 || !ok {
		return false
	}
	width, _ := strconv.Atoi((*rest)[:n])
	verb := (*rest)[n]
	zeros := n > 0 && (*rest)[0] == '0'
	*rest = (*rest)[n+1:]
	switch {
	case verb == 's' && t.isText() && !zeros && isASCII(v.Text()):
		fmt.Fprintf(out, "%*s", width, v.Text())
	case verb == 'd' && t.isInt() && zeros:
		fmt.Fprintf(out, "%0*d", width, t.scalar.Big(v))
	case verb == 'd' && t.isInt():
		fmt.Fprintf(out, "%*d", width, t.scalar.Big(v))
	default:
		return false
	}
	return true
}

// matchItems is any_match(list, x -> condition), all_match or none_match. It is followed for a list whose items stand in the
// statement.
func (b *binder) matchItems(e *ast.Call, name string, args []expr) expr {
	if len(args) != 2 {
		return boolOpaque(e, "the function "+name, args...)
	}
	items, ok := listItems(args[0])
	f, isLambda := args[1].(*constant)
	if !ok || !isLambda || f.v.parts == nil || f.v.parts.fn == nil || len(items) == 0 {
		return boolOpaque(e, "a list that isn't known", args...)
	}
	out := make([]expr, len(items))
	for i, item := range items {
		out[i] = b.wantBool(b.applyLambda(e, f.v.parts.fn, []expr{item}), "the condition of "+name)
	}
	switch name {
	case "all_match":
		return b.chain(e, andFn, out)
	case "any_match":
		return b.chain(e, orFn, out)
	}
	return b.call(e, notFn, b.chain(e, orFn, out))
}
