package projection

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
)

// located is a text whose byte i stands at 10 + 2i, behind a backslash.
func located(s string) Text {
	l := &ast.Literal{Span: ast.Span{From: 9, To: 11 + 2*ast.Pos(len(s))}, Kind: ast.StringLit, Quote: ast.CQuote, Raw: `"`}
	for _, c := range s {
		l.Raw += `\` + string(c)
	}
	l.Raw += `"`
	l.SetText()
	return LiteralText(l)
}

func TestTextPlaces(t *testing.T) {
	whole := located("ABCDEF")
	slice := whole.Slice(2, 5) // CDE
	twice := slice.Slice(1, 3) // DE
	decoded := whole.Decoded(1, 5, "BC", func(k int) int { return 2 + k })
	unplaced := NewText(ast.Span{From: 3, To: 7}, "xyz")
	for _, c := range []struct {
		name     string
		at       ast.Node
		from, to ast.Pos
	}{
		{"whole", whole, 9, 23},
		{"part", whole.Part(1, 3), 12, 16},
		{"no further than the end", whole.Part(4, 99), 18, 22},
		{"empty", whole.Part(2, 2), 14, 15},
		{"slice", slice, 14, 20},
		{"slice of a slice", twice, 16, 20},
		{"part of it", twice.Part(1, 2), 18, 20},
		{"decoded", decoded, 12, 20},
		{"part of decoded", decoded.Part(1, 2), 16, 18},
		{"unplaced", unplaced.Part(1, 2), 3, 7},
		{"slice of unplaced", unplaced.Slice(1, 2), 3, 7},
		{"empty text", located("").Part(0, 0), 9, 11},
		{"name", NameText(ast.Name{Span: ast.Span{From: 3, To: 6}, Text: "abc"}).Part(1, 2), 4, 5},
		{"quoted name", NameText(ast.Name{Span: ast.Span{From: 3, To: 8}, Text: "abc", Quoted: true}).Part(1, 2), 5, 6},
		{"name with escapes", NameText(ast.Name{Span: ast.Span{From: 3, To: 9}, Text: "a`b", Quoted: true}).Part(1, 2), 3, 9},
	} {
		if c.at.Pos() != c.from || c.at.End() != c.to {
			t.Errorf("%s: %d-%d, want %d-%d", c.name, c.at.Pos(), c.at.End(), c.from, c.to)
		}
	}
}

func TestInt(t *testing.T) {
	for _, c := range []struct {
		in     string
		lo, hi int64
		want   string
	}{
		{"12", 0, 64, "12"},
		{"004", 0, 64, "4"},
		{"-5", -9, 9, "-5"},
		{"-0", 0, 9, "0"},
		{"9223372036854775807", math.MinInt64, math.MaxInt64, "9223372036854775807"},
		{"-9223372036854775808", math.MinInt64, math.MaxInt64, "-9223372036854775808"},
		{"9223372036854775808", math.MinInt64, math.MaxInt64, "n: 9223372036854775808 is too large"},
		{"-9223372036854775809", math.MinInt64, math.MaxInt64, "n: -9223372036854775809 is too small"},
		{"65", 0, 64, "n: 65 is too large"},
		{"0", 1, 64, "n: 0 is too small"},
		{"", 0, 9, "n is empty"},
		{"-", 0, 9, `n: "-" is not a whole number`},
		{"+1", 0, 9, `n: "+1" is not a whole number`},
		{" 1", 0, 9, `n: " 1" is not a whole number`},
		{"1_0", 0, 99, `n: "1_0" is not a whole number`},
		{"0x1", 0, 9, `n: "0x1" is not a whole number`},
		{"1e3", 0, 9, `n: "1e3" is not a whole number`},
		{"1.5", 0, 9, `n: "1.5" is not a whole number`},
	} {
		var f Findings
		n, ok := f.Int("code", "n", NewText(ast.Span{}, c.in), c.lo, c.hi)
		got := fmt.Sprint(n)
		if !ok {
			got = f.List[0].Msg
		}
		if got != c.want || ok == f.List.HasErrors() {
			t.Errorf("%q: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestOneOf(t *testing.T) {
	words := []string{"integer", "enum", "date"}
	for _, c := range []struct{ in, hint string }{
		{"date", ""},
		{"int", "did you mean integer? Known are integer, enum, date"},
		{"Date", "did you mean date? Known are integer, enum, date"},
		{"enmu", "did you mean enum? Known are integer, enum, date"},
		{"string", "write one of integer, enum, date"},
		{"", "write one of integer, enum, date"},
	} {
		var f Findings
		got := f.OneOf("code", "type", NewText(ast.Span{}, c.in), words)
		if got != slices.Index(words, c.in) || c.hint != "" && f.List[0].Hint != c.hint || c.hint == "" && f.List != nil {
			t.Errorf("%q: %d, %v", c.in, got, f.List)
		}
	}
}

func TestSettings(t *testing.T) {
	var s Settings
	for _, n := range []int{3, 20, 100} { // few, and many
		for i := range n {
			key := fmt.Sprint(i % 50)
			want := s.Lookup(key) == nil
			if got := s.Add(Setting{NewText(ast.Span{}, key), NewText(ast.Span{}, key+"!")}); got != want {
				t.Errorf("Add %s = %v", key, got)
			}
		}
		for i, st := range s.All() {
			if key := fmt.Sprint(i); st.Key.S != key || s.Lookup(key).Value.S != key+"!" {
				t.Errorf("%d is %s", i, st.Key.S)
			}
		}
		if want := min(n, 50); len(s.All()) != want || s.Lookup("x") != nil {
			t.Errorf("%d settings, want %d", len(s.All()), want)
		}
	}
}

// However many warnings there are, an error is still kept.
func TestManyFindings(t *testing.T) {
	var f Findings
	for range 1000 {
		f.Warnf("w", ast.Span{}, "", "w")
	}
	for range 1000 {
		f.Errorf("e", ast.Span{}, "", "e")
	}
	if !f.List.HasErrors() || len(f.List) != 2*mostFindings {
		t.Errorf("%d findings", len(f.List))
	}
}

func TestClip(t *testing.T) {
	long := strings.Repeat("я", 40)
	if got := Clip(long); got != strings.Repeat("я", 30)+"…" {
		t.Errorf("%q", got)
	}
	if got := Clip("short"); got != "short" {
		t.Errorf("%q", got)
	}
}
