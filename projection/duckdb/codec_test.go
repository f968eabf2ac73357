package duckdb

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/projection"
)

func TestPairs(t *testing.T) {
	for path, want := range map[string][]pair{
		"t/y=2024/m=1/f.parquet": {{"y", "2024"}, {"m", "1"}},
		"t/y=1/y=2/f":            {{"y", "1"}},
		"t/y=1/Y=2/f":            {{"y", "1"}, {"Y", "2"}},
		"t/a=b=c/f":              nil,
		"t/=x=y/f":               {{"=x", "y"}},
		"t/=x/f":                 nil,
		"t/y=/f":                 {{"y", ""}},
		"t/y=1?/f":               nil,
		"t/y=1\n/f":              nil,
		`t\y=1\f`:                {{"y", "1"}},
		"t/y=1":                  nil, // a file
		"t/k=a%3Db/f":            {{"k", "a%3Db"}},
	} {
		if got := pairs(nil, path); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]detected{
		"2024-01-05": asDate, "2024-1-5": asDate, "infinity": asDate,
		"2024-01-05 10:00:00": asTimestamp, "2024-01-05%2010%3A00%3A00": asText,
		"7": asBigint, "-7": asBigint, "9223372036854775807": asBigint,
		"07": asText, "9223372036854775808": asText, "1.5": asText, "true": asText, "": asText, "x": asText,
	} {
		if got := detect(text); got != want {
			t.Errorf("%q: %s, want %s", text, detectedNames[got], detectedNames[want])
		}
	}
}

// TestDirRoundTrip: a written directory name is one key with its value, whatever the texts are.
func TestDirRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, value := rapid.StringN(1, 8, -1).Draw(t, "name"), rapid.String().Draw(t, "value")
		dir := string(appendDir(nil, name, value, false))
		got := pairs(nil, dir+"/f.parquet")
		if len(got) != 1 || decode(got[0].name) != name || decode(got[0].text) != value || meansNull(got[0].text) && !strings.EqualFold(value, "null") {
			t.Fatalf("%q, %q: %q reads as %q", name, value, dir, got)
		}
	})
}

func TestReservedName(t *testing.T) {
	for value, want := range map[string]string{
		"__HIVE_DEFAULT_PARTITION__": "k=%5F_HIVE_DEFAULT_PARTITION__",
		"__hive_default_partition__": "k=%5F_hive_default_partition__",
		"a b":                        "k=a%20b",
	} {
		if got := string(appendDir(nil, "k", value, false)); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
	if got := string(appendDir(nil, "a/b", "", true)); got != "a%2Fb=__HIVE_DEFAULT_PARTITION__" {
		t.Error(got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("a%20b%")
	f.Add("%zz%4")
	f.Fuzz(func(t *testing.T, s string) {
		if got := decode(string(appendEscaped(nil, s))); got != s {
			t.Errorf("%q reads back as %q", s, got)
		}
		if got := decode(s); len(got) > len(s) || !strings.Contains(s, "%") && got != s {
			t.Errorf("%q is decoded as %q", s, got)
		}
	})
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"*", "a/b", false},
		{"**", "a/b", true},
		{"**/f", "f", true},
		{"a/**/f", "a/b/c/f", true},
		{"a/**/c/*", "a/b/c/d/f", false},
		{"**/c/*", "c/x", true},
		{"f[0-9]", "f7", true},
		{"f[!0-9]", "f7", false},
		{"f[0-9", "f7", false},
		{"?", "é", false}, // a byte
		{`\*`, "*", true},
		{`\*`, "x", false},
		{"{a,b}", "a", false},
		{"{a,b}", "{a,b}", true},
		{"*a*b", "xaxaxb", true},
	} {
		g := newGlob(projection.Text{S: test.pattern})
		if got := matchParts(g.parts, test.path); got != test.want {
			t.Errorf("%q with %q: %v", test.pattern, test.path, got)
		}
	}
}

// TestMatchLikeRecursion compares with the plain definition of patterns.
func TestMatchLikeRecursion(t *testing.T) {
	alphabet := []string{"a", "b", "/", "*", "**/", "?", "[ab]", "[!a]"}
	rapid.Check(t, func(t *rapid.T) {
		pattern := strings.Join(rapid.SliceOfN(rapid.SampledFrom(alphabet), 1, 8).Draw(t, "pattern"), "")
		path := strings.Join(rapid.SliceOfN(rapid.SampledFrom(alphabet[:3]), 1, 8).Draw(t, "path"), "")
		var parts []part
		for p := range strings.SplitSeq(pattern, "/") {
			parts = append(parts, newPart(p))
		}
		if got, want := matchParts(parts, path), fits(strings.Split(pattern, "/"), strings.Split(path, "/")); got != want {
			t.Fatalf("%q with %q: %v, want %v", pattern, path, got, want)
		}
	})
}

func fits(pattern, path []string) bool {
	switch {
	case len(pattern) == 0:
		return len(path) == 0
	case pattern[0] == "**" && len(pattern) == 1:
		return len(path) > 0
	case pattern[0] == "**":
		return fits(pattern[1:], path) || len(path) > 1 && fits(pattern, path[1:])
	case len(path) == 0:
		return false
	}
	return fitsPart(pattern[0], path[0]) && fits(pattern[1:], path[1:])
}

func fitsPart(p, s string) bool {
	switch {
	case p == "":
		return s == ""
	case p[0] == '*':
		return fitsPart(p[1:], s) || s != "" && fitsPart(p, s[1:])
	case s == "":
		return false
	case strings.HasPrefix(p, "[ab]"):
		return strings.Contains("ab", s[:1]) && fitsPart(p[4:], s[1:])
	case strings.HasPrefix(p, "[!a]"):
		return s[0] != 'a' && fitsPart(p[4:], s[1:])
	}
	return (p[0] == '?' || p[0] == s[0]) && fitsPart(p[1:], s[1:])
}
