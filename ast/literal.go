package ast

import (
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// LiteralKind is what a literal looks like; its type is settled when it is bound.
type LiteralKind uint8

const (
	NullLit   LiteralKind = iota // NULL
	BoolLit                      // TRUE, FALSE
	IntLit                       // 12, 0x1F, 0b1, 5ul
	FloatLit                     // 1.5, 1e3, 1.5f; also exact decimals of dialects that read them so
	StringLit                    // 'a', "a", @@a@@, with a suffix or without
)

// Quote is the way in which a string literal is written, which decides how its text is decoded.
type Quote uint8

const (
	NoQuote      Quote = iota // not a quoted text: a number, a word
	CQuote                    // backslash escapes: 'a\n'
	DoubledQuote              // a doubled quote stands for one: 'it''s'
	BothQuote                 // backslash escapes and doubled quotes
	RawQuote                  // @@…@@ with @@@@ for @@
	UnicodeQuote              // U&'d\0061t' and U&'d!0061t' UESCAPE '!'; the latter part is the suffix
	DollarQuote               // $$…$$ or $tag$…$tag$, nothing is decoded
)

// Literal is a constant in the text: 5ul, 1.5e3f, "text"u, NULL, true.
type Literal struct {
	Span
	Kind   LiteralKind
	Raw    string // as written, with quotes and suffix
	Text   string // strings: decoded content; numbers: the digits without suffix, as written
	Suffix string // lower case, such as "ul" or "u"; empty without
	Quote  Quote
}

// SetText decodes Raw into Text by the rules of Quote. Kind, Raw, Suffix and Quote must be set.
func (l *Literal) SetText() {
	from, to := l.body()
	body, delim := l.Raw[from:to], l.delim()
	if !l.Quote.escapes(body, delim) {
		l.Text = body
		return
	}
	out := make([]byte, 0, len(body))
	for i, w := 0, 0; i < len(body); i += w {
		out, w = l.Quote.unit(out, body[i:], delim)
	}
	l.Text = string(out)
}

// At is the place in the source of the i-th byte of Text. Escapes make the two differ: the b of "a\tb" is byte 2 of the
// text and stands 4 bytes behind the quote. len(Text) gives the place of the closing quote.
func (l *Literal) At(i int) Pos { return l.Places()(i) }

// Places is At for many places of one literal.
func (l *Literal) Places() func(i int) Pos {
	if l.Kind != StringLit {
		return func(i int) Pos { return l.From + Pos(i) }
	}
	from, to := l.body()
	body, delim := l.Raw[from:to], l.delim()
	if !l.Quote.escapes(body, delim) {
		return func(i int) Pos { return l.From + Pos(from+min(i, len(body))) }
	}
	at := Decoding(len(body), func(at int) (out, in int) {
		var buf [utf8.UTFMax]byte
		text, in := l.Quote.unit(buf[:0], body[at:], delim)
		return len(text), in
	})
	return func(i int) Pos { return l.From + Pos(from+at(i)) }
}

// Decoding tells where the i-th byte of a decoded text stands in its source of a length. unit measures what stands at a
// place of the source: its bytes there and when decoded. Some of the way is remembered, so that asking often costs little.
func Decoding(length int, unit func(at int) (out, in int)) func(i int) int {
	type step struct{ out, in int }
	const every = 256
	steps := []step{{}}
	return func(i int) int {
		s := steps[max(0, sort.Search(len(steps), func(k int) bool { return steps[k].out > i })-1)]
		for s.in < length {
			out, in := unit(s.in)
			if s.out+out > i {
				break
			}
			s.out, s.in = s.out+out, s.in+in
			if last := steps[len(steps)-1]; s.out >= last.out+every {
				steps = append(steps, s)
			}
		}
		return s.in
	}
}

// body is the range of Raw between the quotes.
func (l *Literal) body() (from, to int) {
	to = len(l.Raw) - len(l.Suffix)
	switch l.Quote {
	case NoQuote:
		return 0, to
	case RawQuote:
		return 2, to - 2
	case DollarQuote:
		from = strings.IndexByte(l.Raw[1:], '$') + 2
		return from, to - from
	default: // a prefix such as the E of E'a' may stand before the quote
		return strings.IndexAny(l.Raw, "'\"`") + 1, to - 1
	}
}

// delim is the quote character; of U&'…' the one that begins an escape.
func (l *Literal) delim() byte {
	if l.Quote != UnicodeQuote {
		return l.Raw[len(l.Raw)-len(l.Suffix)-1]
	}
	if l.Suffix == "" {
		return '\\'
	}
	return l.Suffix[len(l.Suffix)-2]
}

// BadEscape is where Text has an escape of U&'…' that isn't one, or -1.
func (l *Literal) BadEscape() int {
	if l.Quote != UnicodeQuote {
		return -1
	}
	from, to := l.body()
	body, delim := l.Raw[from:to], l.delim()
	for i, w := 0, 0; i < len(body); i += w {
		if _, w = l.Quote.unit(nil, body[i:], delim); w == 1 && body[i] == delim {
			return i
		}
	}
	return -1
}

// escapes reports whether a body has anything to decode.
func (q Quote) escapes(body string, delim byte) bool {
	switch q {
	case CQuote:
		return strings.IndexByte(body, '\\') >= 0
	case DoubledQuote:
		return strings.IndexByte(body, delim) >= 0
	case BothQuote:
		return strings.IndexByte(body, '\\') >= 0 || strings.IndexByte(body, delim) >= 0
	case UnicodeQuote:
		return strings.IndexByte(body, delim) >= 0 || strings.IndexByte(body, '\'') >= 0
	case RawQuote:
		return strings.Contains(body, "@@@@")
	}
	return false
}

// unit appends what the first character or escape of a body stands for, and tells its width in the source.
func (q Quote) unit(dst []byte, s string, delim byte) ([]byte, int) {
	switch {
	case q == RawQuote && strings.HasPrefix(s, "@@@@"):
		return append(dst, "@@"...), 4
	case (q == DoubledQuote || q == BothQuote) && len(s) > 1 && s[0] == delim && s[1] == delim:
		return append(dst, delim), 2
	case (q == CQuote || q == BothQuote) && len(s) > 1 && s[0] == '\\':
		return escape(dst, s)
	case q == UnicodeQuote:
		return codePoint(dst, s, delim)
	}
	return append(dst, s[0]), 1
}

// escape decodes a backslash and what belongs to it (YQL: lexer reference, "String literals"). A backslash before a
// character without a meaning is dropped.
func escape(dst []byte, s string) ([]byte, int) {
	const from, to = "ntrbfav0", "\n\t\r\b\f\a\v\x00"
	switch c := s[1]; {
	case c >= '0' && c <= '3' && digits(s[2:], 8) >= 2:
		return append(dst, byte(number(s[1:4], 8))), 4
	case c == 'x' && digits(s[2:], 16) >= 2:
		return append(dst, byte(number(s[2:4], 16))), 4
	case c == 'u' && digits(s[2:], 16) >= 4:
		r := number(s[2:6], 16)
		if utf16.IsSurrogate(r) && len(s) >= 12 && s[6:8] == `\u` && digits(s[8:], 16) >= 4 {
			return utf8.AppendRune(dst, utf16.DecodeRune(r, number(s[8:12], 16))), 12
		}
		return utf8.AppendRune(dst, r), 6
	case c == 'U' && digits(s[2:], 16) >= 8:
		return utf8.AppendRune(dst, number(s[2:10], 16)), 10
	case strings.IndexByte(from, c) >= 0:
		return append(dst, to[strings.IndexByte(from, c)]), 2
	default:
		return append(dst, c), 2
	}
}

// codePoint decodes what an escape of U&'…' stands for: four hexadecimal digits, or + and six (SQL-92, "Unicode delimited
// literals").
func codePoint(dst []byte, s string, mark byte) ([]byte, int) {
	switch {
	case strings.HasPrefix(s, "''"):
		return append(dst, '\''), 2
	case s[0] != mark || len(s) < 2:
	case s[1] == mark:
		return append(dst, mark), 2
	case s[1] == '+' && digits(s[2:], 16) >= 6:
		return utf8.AppendRune(dst, number(s[2:8], 16)), 8
	case digits(s[1:], 16) >= 4:
		return utf8.AppendRune(dst, number(s[1:5], 16)), 5
	}
	return append(dst, s[0]), 1
}

// digits counts the leading digits of s, up to 8.
func digits(s string, base rune) int {
	n := 0
	for n < len(s) && n < 8 && digit(s[n]) < base {
		n++
	}
	return n
}

func digit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return 99
}

// number reads digits; what is no character becomes negative or large, which utf8 replaces by U+FFFD.
func number(s string, base rune) rune {
	n := rune(0)
	for i := range len(s) {
		n = n*base + digit(s[i])
	}
	return n
}
