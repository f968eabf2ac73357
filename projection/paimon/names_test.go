package paimon

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

func TestEscape(t *testing.T) {
	for s, want := range map[string]string{
		"a b/c": "a b%2Fc", "v1=": "v1%3D", "/f2?": "%2Ff2%3F", "\n": "%0A", "[中文]": "%5B中文%5D", "2024-01-01T12:34": "2024-01-01T12%3A34",
		"a%3Db": "a%253Db", "+&,;@<>|~!$()-_.": "+&,;@<>|~!$()-_.", "\x7f{}^\\": "%7F%7B%7D%5E%5C", `"#'*`: "%22%23%27%2A",
	} {
		if got := escape(s); got != want || projection.UnescapeName(got) != s {
			t.Errorf("%q is escaped to %q, want %q; back: %q", s, got, want, projection.UnescapeName(got))
		}
	}
}

// TestNames: texts of values in both forms, and that a directory with such a text is read as the value.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		t                    pruning.Type
		value, legacy, plain string
	}{
		{boolT, "true", "true", "true"}, {intT, "-5", "-5", "-5"}, {decimalT(10, 3), "12.3", "12.300", "12.300"}, {decimalT(10, 3), "-0.005", "-0.005", "-0.005"},
		{decimalT(5, 0), "7", "7", "7"}, {dateT, "2024-01-01", "19723", "2024-01-01"}, {dateT, "1969-12-31", "-1", "1969-12-31"},
		{timeT, "12:34:56.123", "45296123", "12:34:56.123"}, {timeT, "12:34:56.12", "45296120", "12:34:56.12"}, {timeT, "00:00:00", "0", "00:00:00"},
		{timestampT(3), "2024-01-01T12:34:00", "2024-01-01T12:34", "2024-01-01 12:34:00.000"},
		{timestampT(3), "2024-01-01T12:34:56", "2024-01-01T12:34:56", "2024-01-01 12:34:56.000"},
		{timestampT(3), "2024-01-01T12:34:00.1", "2024-01-01T12:34:00.100", "2024-01-01 12:34:00.100"},
		{timestampT(6), "2024-01-01T12:34:56.000120", "2024-01-01T12:34:56.000120", "2024-01-01 12:34:56.000120"},
		{timestampT(9), "2024-01-01T12:34:56.00000012", "2024-01-01T12:34:56.000000120", "2024-01-01 12:34:56.000000120"},
		{timestampT(2), "2024-01-01T12:34:56.12", "2024-01-01T12:34:56.120", "2024-01-01 12:34:56.12"},
		{timestampT(0), "2024-01-01T12:34:00", "2024-01-01T12:34", "2024-01-01 12:34:00"},
	} {
		v, err := c.t.Parse(c.value)
		if err != nil {
			t.Fatal(err)
		}
		col := &column{typ: c.t}
		for legacy, want := range map[bool]string{true: c.legacy, false: c.plain} {
			n := naming{legacy: legacy}
			got, ok := n.text(col, v)
			if !ok || got != want {
				t.Errorf("%s %s, legacy %v: %q, want %q", c.t, c.value, legacy, got, want)
			}
			if held := n.held(col, escape(got)); held.Unknown || held.Value != v {
				t.Errorf("%s %q is read as %v", c.t, got, held)
			}
		}
	}
}

// TestLeastBlank checks the search for blank texts against trying them.
func TestLeastBlank(t *testing.T) {
	var all []string // blank texts of up to two characters, ascending
	for _, a := range append([]string{""}, blanks...) {
		for _, b := range append([]string{""}, blanks...) {
			if a != "" || b == "" {
				all = append(all, a+b)
			}
		}
	}
	slices.Sort(all)
	if !slices.IsSorted(blanks) {
		t.Fatal("blanks are out of order")
	}
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom(append([]string{"a", "\x00", "\u00a0", "\u2007", "\xe2", "\xe2\x80", "\xff", "~"}, blanks...))
		s := strings.Join(rapid.SliceOfN(part, 0, 2).Draw(t, "text"), "")
		got, ok := leastBlank(s)
		i, _ := slices.BinarySearch(all, s)
		if ok && (got < s || !isBlank(got)) {
			t.Fatalf("%q: %q is no blank text from there on", s, got)
		}
		if i < len(all) && (!ok || got > all[i]) {
			t.Fatalf("%q: %q, %v; but %q is blank", s, got, ok, all[i])
		}
	})
}
