package planner

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// literal gives a literal its type and value.
func (b *binder) literal(l *ast.Literal) expr {
	if b.sem.signed != nil {
		if x := b.sem.signed(b, l, false, l); x != nil {
			return x
		}
	}
	switch l.Kind {
	case ast.NullLit:
		return &constant{at: l, t: typ{shape: nullShape}, v: nullValue}
	case ast.BoolLit:
		return &constant{at: l, t: scalar(pruning.Bool), v: boolean(strings.EqualFold(l.Text, "true"))}
	case ast.IntLit:
		return b.intLiteral(l, l, false)
	case ast.FloatLit:
		return b.floatLiteral(l)
	}
	suffix := l.Suffix
	if l.Quote == ast.UnicodeQuote {
		suffix = ""
	}
	switch suffix {
	case "", "s", "b":
		return &constant{at: l, t: scalar(pruning.String), v: text(l.Text)}
	case "u":
		return &constant{at: l, t: scalar(pruning.String).named("Utf8"), v: text(l.Text)}
	}
	return &opaque{at: l, t: typ{notNull: true}, why: "a literal of a type that isn't compared here"}
}

// intLiteral reads a whole number, negated when minus stands before it, so that the least Int64 can be written.
// Without a suffix it has the smallest of Int32, Int64 and Uint64 that holds it; with one, that type (YQL, lexer:
// u unsigned; t, s, l of 8, 16, 64 bits).
func (b *binder) intLiteral(at ast.Expr, l *ast.Literal, minus bool) expr {
	n, err := parseWhole(l.Text)
	if err != nil {
		if errors.Is(err, strconv.ErrRange) && !b.sem.strictNumbers {
			return b.floatLiteral(l)
		}
		b.errorf(l, "bind.number", "write it as a floating point number, such as 1e30", "%s is above the greatest integer, 18446744073709551615", l.Raw)
		return b.failed(at, nil)
	}
	w := wideUint(n)
	if minus {
		w = w.neg()
	}
	kind, ok := suffixKind(l.Suffix, w)
	if !ok {
		b.errorf(l, "bind.number", "leave out the suffix "+strconv.Quote(l.Suffix), "the suffix of %s is unknown", l.Raw)
		return b.failed(at, nil)
	}
	v, ok := fromWide(kind, w)
	if minus && isUnsigned(kind) && l.Suffix != "" {
		return &opaque{at: at, t: scalar(kind), why: "the negative of an unsigned number"}
	}
	if !ok {
		lo, hi := intRange(kind)
		b.errorf(l, "bind.number", "leave out the suffix, or write one of a wider type",
			"%s is outside of %s, which its suffix asks for: %s … %s", l.Raw, scalar(kind), lo.rat().Num(), hi.rat().Num())
		return b.failed(at, nil)
	}
	return &constant{at: at, t: scalar(kind), v: exactly(v)}
}

// parseWhole reads 12, 012 (which is twelve), 0x1F, 0o17, 0b101.
func parseWhole(s string) (uint64, error) {
	s = strings.ReplaceAll(s, "_", "")
	if len(s) > 2 && s[0] == '0' {
		switch s[1] | 0x20 {
		case 'x':
			return strconv.ParseUint(s[2:], 16, 64)
		case 'o':
			return strconv.ParseUint(s[2:], 8, 64)
		case 'b':
			return strconv.ParseUint(s[2:], 2, 64)
		}
	}
	return strconv.ParseUint(s, 10, 64)
}

// suffixKind is the type that a suffix names, or for none the smallest that holds n.
func suffixKind(suffix string, n int128) (pruning.Kind, bool) {
	if suffix == "" {
		for _, k := range [...]pruning.Kind{pruning.Int32, pruning.Int64} {
			if _, ok := fromWide(k, n); ok {
				return k, true
			}
		}
		return pruning.Uint64, true
	}
	size, rest := pruning.Int32, strings.Replace(suffix, "u", "", 1)
	switch rest {
	case "":
	case "t":
		size = pruning.Int8
	case "s":
		size = pruning.Int16
	case "l":
		size = pruning.Int64
	default:
		return 0, false
	}
	if rest != suffix {
		size += pruning.Uint8 - pruning.Int8
	}
	return size, true
}

func (b *binder) floatLiteral(l *ast.Literal) expr {
	if b.sem.number != nil {
		if x := b.sem.number(b, l); x != nil {
			return x
		}
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(l.Text, "_", ""), 64)
	kind := pruning.Float64
	if l.Suffix == "f" {
		kind, f = pruning.Float32, float64(float32(f))
	}
	if err != nil || math.IsInf(f, 0) {
		b.errorf(l, "bind.number", "", "%s is too large for %s", l.Raw, scalar(kind))
		return b.failed(l, nil)
	}
	return &constant{at: l, t: scalar(kind), v: exactly(pruning.Float(f))}
}

// typedLiteral is Date("2021-01-01"), DATE '2021-01-01': the text s, written at where, as a value of type t.
func (b *binder) typedLiteral(at ast.Expr, name string, t typ, s string, where ast.Expr) expr {
	if b.sem.typed != nil {
		if x := b.sem.typed(b, at, name, t, s, where); x != nil {
			return x
		}
	}
	if t.shape != scalarShape || b.sem.cast == nil {
		return &opaque{at: at, t: t, why: "a literal of type " + name}
	}
	t.notNull = true
	v, bad := b.parseLiteral(s, name, t)
	if bad != nil {
		b.errorf(spot(where, bad), "bind.literal", "", "%s literal: %s", name, bad.msg)
		return &opaque{at: at, t: t, why: "an expression with an error"}
	}
	return &constant{at: at, t: t, v: v.notNull()}
}

func (b *binder) parseLiteral(s, name string, t typ) (value, *flaw) {
	var v pruning.Value
	var bad *flaw
	switch {
	case t.isDate():
		v, bad = b.sem.parseDate(s, t)
	case t.is(pruning.Interval):
		v, bad = parseInterval(s)
	case t.isText():
		out := castText(text(s), t)
		if out.isNull() {
			bad = &flaw{0, len(s), "the text isn't valid UTF-8"}
		}
		return out, bad
	default:
		out := parseText(s, t)
		if out.isNull() {
			bad = &flaw{0, len(s), strconv.Quote(s) + " is not a value of type " + name}
		}
		return out, bad
	}
	return exactly(v), bad
}

// spot is the part of a literal that a flaw is about; all of the expression when that isn't a literal.
func spot(where ast.Expr, bad *flaw) ast.Node {
	l, ok := where.(*ast.Literal)
	if !ok || l.Kind != ast.StringLit || bad.from == bad.to {
		return where
	}
	return ast.Span{From: l.At(bad.from), To: l.At(bad.to)}
}
