package ast

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	keys := []string{"SELECT", "SET", "FORMAT", "PARTITIONED_BY", "year", "month", "от"}
	for _, c := range []struct{ word, want string }{
		{"SELCT", "SELECT"},
		{"slect", "SELECT"},
		{"SLEECT", "SELECT"}, // two neighbours swapped
		{"FROMAT", "FORMAT"},
		{"PARTITIOND_BY", "PARTITIONED_BY"},
		{"Year", "year"},
		{"yaer", "year"},
		{"year", ""}, // never itself
		{"xyz", ""},
		{"", ""},
		{strings.Repeat("a", 5000), ""},
	} {
		got, ok := Nearest(c.word, keys)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", c.word, got, ok, c.want)
		}
	}
}

// The bounded distance agrees with the plain definition.
func TestDistance(t *testing.T) {
	var plain func(a, b string) int
	plain = func(a, b string) int {
		if a == "" || b == "" {
			return len(a) + len(b)
		}
		change := 1
		if a[len(a)-1] == b[len(b)-1] {
			change = 0
		}
		d := min(plain(a[:len(a)-1], b)+1, plain(a, b[:len(b)-1])+1, plain(a[:len(a)-1], b[:len(b)-1])+change)
		if m, n := len(a), len(b); m > 1 && n > 1 && a[m-1] == b[n-2] && a[m-2] == b[n-1] {
			d = min(d, plain(a[:m-2], b[:n-2])+1)
		}
		return d
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching("[abc]{0,5}")
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		limit := rapid.IntRange(0, 6).Draw(t, "limit")
		if got, want := distance(a, b, limit), min(plain(a, b), limit+1); got != want {
			t.Fatalf("distance(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
		}
	})
}
