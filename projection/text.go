package projection

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// Text is a decoded piece of text that knows where it stands in the source, so that a message can point at a part of it.
// Places are worked out only when asked for: finding one may take a walk over the whole literal.
type Text struct {
	S        string
	whole    ast.Span            // of a text without parent, quotes included
	places   func(i int) ast.Pos // where S[i] stands in a literal, or nil
	first    ast.Pos             // where S[0] stands, when all bytes follow one by one; else NoPos
	quote    int32               // so many bytes of the piece stand before S
	parent   *Text               // the text that this is a piece of
	from, to int32               // the piece in parent.S, quotes included
	offset   func(i int) int     // where byte i of S stands in parent.S; nil when that is from + quote + i
}

// NewText is a text whose parts have the place of the whole.
func NewText(span ast.Span, s string) Text { return Text{S: s, whole: span, first: ast.NoPos} }

// LiteralText is the text of a string literal.
func LiteralText(l *ast.Literal) Text {
	var places func(i int) ast.Pos
	return Text{S: l.Text, whole: l.Span, first: ast.NoPos, places: func(i int) ast.Pos {
		if places == nil {
			places = l.Places()
		}
		return places(i)
	}}
}

// NameText is a name as a text. The parts of one that is written with escapes have the place of the whole.
func NameText(n ast.Name) Text {
	t := NewText(n.Span, n.Text)
	if quotes := int(n.To-n.From) - len(n.Text); quotes == 0 || quotes == 2 {
		t.first = n.From + ast.Pos(quotes/2)
	}
	return t
}

// Pos is where the text begins, at its opening quote if it has one.
func (t Text) Pos() ast.Pos {
	if t.parent == nil {
		return t.whole.From
	}
	if p, ok := t.parent.place(int(t.from)); ok {
		return p
	}
	return t.parent.Pos()
}

// End is just behind the text and its closing quote.
func (t Text) End() ast.Pos {
	if t.parent == nil {
		return t.whole.To
	}
	if p, ok := t.parent.place(int(t.to)); ok {
		return max(p, t.Pos()+1)
	}
	return t.parent.End()
}

func (t *Text) place(i int) (ast.Pos, bool) {
	switch {
	case t.parent != nil && t.offset != nil:
		return t.parent.place(t.offset(i))
	case t.parent != nil:
		return t.parent.place(int(t.from+t.quote) + i)
	case t.places != nil:
		return t.places(i), true
	case t.first.IsValid():
		return t.first + ast.Pos(i), true
	}
	return ast.NoPos, false
}

// Part is where the bytes from i up to j stand. An empty part is widened by one so that a marker shows; an empty text
// has the place of the whole.
func (t Text) Part(i, j int) ast.Span {
	if t.S == "" {
		return ast.Span{From: t.Pos(), To: t.End()}
	}
	i = max(0, min(i, len(t.S)))
	p := t.Slice(i, max(i, min(j, len(t.S))))
	return ast.Span{From: p.Pos(), To: p.End()}
}

// Slice is t.S[i:j] with its place.
func (t *Text) Slice(i, j int) Text {
	return Text{S: t.S[i:j], parent: t, from: int32(i), to: int32(j)}
}

// Quoted is t.S[i+1:j-1], which stands in quotes of one byte and needs no decoding.
func (t *Text) Quoted(i, j int) Text {
	return Text{S: t.S[i+1 : j-1], parent: t, from: int32(i), to: int32(j), quote: 1}
}

// Decoded is the text s that stands as t.S[i:j] in another notation, such as JSON's; offset tells where in t.S the
// byte k of s stands.
func (t *Text) Decoded(i, j int, s string, offset func(k int) int) Text {
	return Text{S: s, parent: t, from: int32(i), to: int32(j), offset: offset}
}

// Quote is text as messages show it: in double quotes, clipped when long.
func Quote(s string) string { return strconv.Quote(Clip(s)) }

// Clip shortens a text for a message.
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}

// Grouped writes a number for people, with commas: 1,460.
func Grouped[N uint64 | int64 | *big.Int](n N) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// TypeText is a type as it is written, blanks and arguments that are types aside: varchar(10), array.
func TypeText(t *ast.Type) string {
	if len(t.Params) == 0 {
		return t.Name.Text
	}
	var b strings.Builder
	b.WriteString(t.Name.Text)
	for i, p := range t.Params {
		b.WriteString([...]string{"(", ","}[min(i, 1)] + p.Raw)
	}
	b.WriteByte(')')
	return b.String()
}
