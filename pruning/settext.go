package pruning

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Texts of sets.
//
//	none   any   5   'it''s'   [6,9)   < 5   >= 2021-01-01   ['a','b']   1, [3,5), > 'x'   not 5, [7,9)
//
// Strings are quoted, with '' for a quote, \\ for a backslash and \x00 for a byte that can't be shown.

// AppendText appends the set as text: 5, [6,9), >= 2021-01-01. Sets without an end are written by what they leave out.
func (s Set) AppendText(dst []byte, t Type) []byte {
	switch {
	case s.IsEmpty():
		return append(dst, "none"...)
	case s.IsFull():
		return append(dst, "any"...)
	case s.cuts[0] == bottom && len(s.cuts)%2 == 1:
		dst, s = append(dst, "not "...), s.Complement()
	}
	for lo, hi := range s.Intervals() {
		if lo != nil && lo != &s.cuts[0] {
			dst = append(dst, ", "...)
		}
		dst = t.appendRange(dst, lo, hi)
	}
	return dst
}

// appendRange appends [lo,hi) in its shortest form.
func (t Type) appendRange(dst []byte, lo, hi *Value) []byte {
	if v, ok := t.single(lo, hi); ok {
		return t.AppendLiteral(dst, v)
	}
	if lo == nil {
		if v, ok := t.after(*hi); ok {
			return t.AppendLiteral(append(dst, "<= "...), v)
		}
		return t.AppendLiteral(append(dst, "< "...), *hi)
	}
	v, after := t.after(*lo)
	switch {
	case hi == nil && after:
		return t.AppendLiteral(append(dst, "> "...), v)
	case hi == nil:
		return t.AppendLiteral(append(dst, ">= "...), *lo)
	case after:
		dst = t.AppendLiteral(append(dst, '('), v)
	default:
		dst = t.AppendLiteral(append(dst, '['), *lo)
	}
	dst = append(dst, ',')
	if v, ok := t.after(*hi); ok {
		return append(t.AppendLiteral(dst, v), ']')
	}
	return append(t.AppendLiteral(dst, *hi), ')')
}

// single reports whether [lo,hi) has one value.
func (t Type) single(lo, hi *Value) (v Value, ok bool) {
	v = t.Min()
	if lo != nil {
		v = *lo
	}
	next, more := t.Succ(v)
	if hi == nil {
		return v, !more && t.Kind != NoKind
	}
	return v, more && next == *hi
}

// after reports whether a cut is better written as the place behind a value: below 'a\x00' is up to 'a', below
// 0.30000000000000004 is up to 0.3.
func (t Type) after(cut Value) (v Value, ok bool) {
	switch t.Kind {
	case String:
		return t.Pred(cut)
	case Float32, Float64, Timestamp, Time:
		if v, ok = t.Pred(cut); ok {
			return v, len(t.Append(nil, v)) < len(t.Append(nil, cut))
		}
	}
	return v, false
}

// AppendLiteral appends v as it stands in sets and diagrams: like Append, with strings quoted.
func (t Type) AppendLiteral(dst []byte, v Value) []byte {
	if t.Kind != String {
		return t.Append(dst, v)
	}
	dst = append(dst, '\'')
	for s := v.s; s != ""; {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '\'' || r == '\\':
			dst = append(dst, s[0], s[0])
		case r < ' ' || r == 0x7f || r == utf8.RuneError && size == 1:
			const digits = "0123456789abcdef"
			dst = append(dst, '\\', 'x', digits[s[0]>>4], digits[s[0]&15])
		default:
			dst = append(dst, s[:size]...)
		}
		s = s[size:]
	}
	return append(dst, '\'')
}

// ParseSet reads the text of a set of values of type t, as AppendText writes it.
func ParseSet(t Type, text string) (Set, error) {
	p := &textParser{text: text}
	set := p.set(t)
	p.end()
	return set, p.err
}

// textParser reads sets and diagrams. After the first problem nothing is left to read.
type textParser struct {
	text string
	pos  int
	err  error
}

func (p *textParser) fail(problem string) {
	if p.err == nil {
		p.err = errors.New("at byte " + strconv.Itoa(p.pos) + ": " + problem)
	}
	p.pos = len(p.text)
}

func (p *textParser) rest() string { return p.text[p.pos:] }

// eat takes the first of the tokens that stands next.
func (p *textParser) eat(tokens ...string) string {
	p.pos = len(p.text) - len(strings.TrimLeft(p.rest(), " \t\n"))
	for _, t := range tokens {
		if strings.HasPrefix(p.rest(), t) {
			p.pos += len(t)
			return t
		}
	}
	return ""
}

func (p *textParser) want(tokens ...string) string {
	t := p.eat(tokens...)
	if t == "" {
		p.fail("want " + strings.Join(tokens, " or "))
	}
	return t
}

func (p *textParser) end() {
	if p.eat(); p.rest() != "" {
		p.fail("want the end")
	}
}

// word takes what stands before the next blank, bracket, comma or arrow.
func (p *textParser) word() string {
	p.eat()
	w := p.rest()
	if i := strings.IndexAny(w, " \t\n,()[]→"); i >= 0 {
		w = w[:i]
	}
	p.pos += len(w)
	return w
}

// set reads a list of items.
func (p *textParser) set(t Type) Set { return p.list(t, p.item).Clip(t) }

func (p *textParser) list(t Type, read func(Type) Set) Set {
	sets := []Set{read(t)}
	for p.eat(",") != "" {
		sets = append(sets, read(t))
	}
	return unionAll(sets)
}

// item reads one interval, or not and all intervals that follow.
func (p *textParser) item(t Type) Set {
	switch {
	case p.keyword("none"):
		return Empty()
	case p.keyword("any"):
		return Full()
	case p.keyword("not"):
		return p.list(t, p.interval).Complement()
	}
	return p.interval(t)
}

// keyword takes a word if it is w.
func (p *textParser) keyword(w string) bool {
	from := p.pos
	if p.word() == w {
		return true
	}
	p.pos = from
	return false
}

func (p *textParser) interval(t Type) Set {
	switch open := p.eat("<=", "<", ">=", ">", "[", "("); open {
	case "<=":
		return p.above(t).Complement()
	case "<":
		return Before(p.literal(t))
	case ">=":
		return From(p.literal(t))
	case ">":
		return p.above(t)
	case "[", "(":
		lo := p.bound(t, open == "(")
		p.want(",")
		v := p.literal(t)
		if p.want(")", "]") == "]" {
			return lo.Minus(succSet(t, v))
		}
		return lo.Intersect(Before(v))
	}
	return Point(t, p.literal(t))
}

// bound is the values from a literal on, or above it.
func (p *textParser) bound(t Type, above bool) Set {
	if above {
		return p.above(t)
	}
	return From(p.literal(t))
}

func (p *textParser) above(t Type) Set { return succSet(t, p.literal(t)) }

// succSet is the values above v.
func succSet(t Type, v Value) Set {
	if next, ok := t.Succ(v); ok {
		return From(next)
	}
	return Empty()
}

func (p *textParser) literal(t Type) Value {
	p.eat()
	from := p.pos
	text := ""
	switch {
	case strings.HasPrefix(p.rest(), "'"):
		text = p.quoted()
	case t.Kind == String:
		p.fail("want a string in quotes")
		return Value{}
	default:
		text = p.word()
	}
	v, err := t.Parse(text)
	if err != nil {
		p.pos = from
		p.fail(err.Error())
	}
	return v
}

// quoted reads a string in quotes.
func (p *textParser) quoted() string {
	var b []byte
	s := p.rest()[1:]
	for s != "" {
		switch {
		case s[0] == '\'' && !strings.HasPrefix(s, "''"):
			p.pos = len(p.text) - len(s) + 1
			return string(b)
		case s[0] == '\'' || strings.HasPrefix(s, `\\`):
			b, s = append(b, s[0]), s[2:]
		case s[0] == '\\':
			n, err := strconv.ParseUint(s[min(2, len(s)):min(4, len(s))], 16, 8)
			if err != nil || len(s) < 4 || s[1] != 'x' {
				p.fail(`want \\ or \x00 after a backslash`)
				return ""
			}
			b, s = append(b, byte(n)), s[4:]
		default:
			b, s = append(b, s[0]), s[1:]
		}
	}
	p.fail("the string has no end")
	return ""
}
