package ast

import (
	"strings"
	"testing"
)

func TestLiteralText(t *testing.T) {
	for _, c := range []struct {
		quote       Quote
		raw, suffix string
		text        string
		at          []Pos // the place of each byte of text, then of the closing quote
	}{
		{CQuote, `"abc"`, "", "abc", []Pos{1, 2, 3, 4}},
		{CQuote, `"a\tb"u`, "u", "a\tb", []Pos{1, 2, 4, 5}},
		{CQuote, `'\'\"\$'`, "", `'"$`, []Pos{1, 3, 5, 7}},
		{CQuote, `"\x53P\102"`, "", "SPB", []Pos{1, 5, 6, 10}},
		{CQuote, `"\x5\8\400"`, "", "x58400", []Pos{1, 3, 4, 6, 8, 9, 10}},
		{CQuote, `"\u00e9."`, "", "é.", []Pos{1, 1, 7, 8}},
		{CQuote, `"\ud83d\ude00"`, "", "😀", []Pos{1, 1, 1, 1, 13}},
		{CQuote, `"\U0001F600"`, "", "😀", []Pos{1, 1, 1, 1, 11}},
		{CQuote, `"\ud83d"`, "", "\uFFFD", []Pos{1, 1, 1, 7}},
		{DoubledQuote, `'it''s \n'`, "", `it's \n`, []Pos{1, 2, 3, 5, 6, 7, 8, 9}},
		{BothQuote, `'a''\n'`, "", "a'\n", []Pos{1, 2, 4, 6}},
		{BothQuote, `E'\''`, "", "'", []Pos{2, 4}},
		{RawQuote, "@@{\"a\"}@@", "", `{"a"}`, []Pos{2, 3, 4, 5, 6, 7}},
		{RawQuote, "@@a@@@@b\\n@@j", "j", `a@@b\n`, []Pos{2, 3, 3, 7, 8, 9, 10}},
		{UnicodeQuote, `U&'a\0041''\\\+01F600'`, "", `aA'\😀`, []Pos{3, 4, 9, 11, 13, 13, 13, 13, 21}},
		{UnicodeQuote, `U&'a!0041\' UESCAPE '!'`, " UESCAPE '!'", `aA\`, []Pos{3, 4, 9, 10}},
		{DollarQuote, "$x$a'$b$x$", "", "a'$b", []Pos{3, 4, 5, 6, 7}},
		{CQuote, `""`, "", "", []Pos{1}},
	} {
		l := &Literal{Span: Span{100, 100 + Pos(len(c.raw))}, Kind: StringLit, Raw: c.raw, Suffix: c.suffix, Quote: c.quote}
		l.SetText()
		if l.Text != c.text {
			t.Errorf("%s: text %q, want %q", c.raw, l.Text, c.text)
			continue
		}
		for i, want := range c.at {
			if got := l.At(i) - 100; got != want {
				t.Errorf("%s: At(%d) = %d, want %d", c.raw, i, got, want)
			}
		}
	}
}

// Places in a long text are found at once, in any order.
func TestPlaces(t *testing.T) {
	l := &Literal{Kind: StringLit, Raw: `"` + strings.Repeat(`a\x41\\`, 100_000) + `"`, Quote: CQuote}
	l.SetText()
	at := l.Places()
	for i := range 100_000 {
		k := i * 7919 % 100_000
		if got, want := at(3*k+2), Pos(1+7*k+5); got != want {
			t.Fatalf("At(%d) = %d, want %d", 3*k+2, got, want)
		}
	}
}
