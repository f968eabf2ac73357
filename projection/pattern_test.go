package projection

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, prefix string
		crosses         bool
		match, other    []string
	}{
		{"*", "", true, []string{"", "a", "a/b"}, nil},
		{"*", "", false, []string{"", "a"}, []string{"a/b"}},
		{"*t?.csv", "", true, []string{"at1.csv", "x/t2.csv"}, []string{"fruits.txt", "t.csv", "t12.csv"}},
		{"?", "", true, []string{"a", "é", "/", "\xff"}, []string{"", "ab"}},
		{"?", "", false, []string{"a", "é"}, []string{"/"}},
		{"logs/{a,bc}/*.csv", "logs/", true, []string{"logs/a/.csv", "logs/bc/x/y.csv"}, []string{"logs/b/x.csv", "logs/{a,bc}/x.csv"}},
		{"{c,a}.*", "", true, []string{"c.csv", "a."}, []string{"b.csv", "c"}},
		{"{a*,?}x", "", true, []string{"ax", "abcx", "bx"}, []string{"bbx", "x"}},
		{"{a,}b", "", true, []string{"ab", "b"}, []string{"aab"}},
		{"a}b,c", "a}b,c", true, []string{"a}b,c"}, []string{"ab"}},
		{"a.b", "a.b", true, []string{"a.b"}, []string{"axb", "a.b/"}},
		{"", "", true, []string{""}, []string{"a"}},
		{"ab*ba", "ab", true, []string{"abba", "ab-ba"}, []string{"aba"}},
	} {
		p := ParsePattern(c.pattern, c.crosses)
		if p.Prefix() != c.prefix || p.String() != c.pattern {
			t.Errorf("%q begins with %q", p, p.Prefix())
		}
		for _, s := range c.match {
			if !p.Match(s) {
				t.Errorf("%q doesn't match %q", c.pattern, s)
			}
		}
		for _, s := range c.other {
			if p.Match(s) {
				t.Errorf("%q matches %q", c.pattern, s)
			}
		}
	}
}

// A pattern matches what the regular expression does that says the same.
func TestPatternAgainstRegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ab/.*?]|\{[ab*?]{0,2}(,[ab/]{0,2}){0,2}\}){0,6}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab/.é]{0,8}`).Draw(t, "name")
		crosses := rapid.Bool().Draw(t, "crosses")
		one := "[^/]"
		if crosses {
			one = "."
		}
		expr, group := "(?s)^", false
		for _, c := range text {
			switch {
			case c == '*':
				expr += one + "*"
			case c == '?':
				expr += one
			case c == '{':
				expr, group = expr+"(?:", true
			case c == '}':
				expr, group = expr+")", false
			case c == ',' && group:
				expr += "|"
			default:
				expr += regexp.QuoteMeta(string(c))
			}
		}
		want := regexp.MustCompile(expr + "$").MatchString(name)
		if got := ParsePattern(text, crosses).Match(name); got != want {
			t.Fatalf("%q matches %q: %v, want %v", text, name, got, want)
		}
	})
}

// Patterns that make backtracking matchers slow take steps in proportion to pattern times name.
func TestPatternIsLinear(t *testing.T) {
	p := ParsePattern(strings.Repeat("*{a,aa}", 200)+"b", true)
	if name := strings.Repeat("a", 5000); p.Match(name+"c") || !p.Match(name+"b") || !utf8.ValidString(name) {
		t.Error("wrong")
	}
}
