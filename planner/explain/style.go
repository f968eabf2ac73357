package explain

import (
	"strings"
	"unicode/utf8"
)

// Style paints the parts of a text. A nil Paint leaves its part as it is, so the zero Style is plain text.
type Style struct {
	Name    Paint // tables, positions
	Label   Paint // the words in front of a line: read, regions, residual
	Good    Paint // what is decided, hints
	Caution Paint // what still has to be filtered, warnings
	Bad     Paint // errors, the marks below a line
	Faint   Paint // lines of the tree, remarks
}

// Paint puts the codes of a colour around a text.
type Paint func(string) string

func (p Paint) of(s string) string {
	if p == nil || s == "" {
		return s
	}
	return p(s)
}

// printable shows control characters as their pictures (␛ for escape), so that a name can't steer the terminal.
func printable(s string) string {
	if !strings.ContainsFunc(s, unprintable) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ':
			return '␀' + r
		case r == 0x7f:
			return '␡'
		case unprintable(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

func unprintable(r rune) bool {
	return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == utf8.RuneError
}

// width is how many columns a text takes, counted in characters.
func width(s string) int { return utf8.RuneCountInString(s) }

// pad fills a text up to n columns.
func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-width(s))) }

// clip shortens a text to n columns.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n == 0 {
			if width(s[i:]) > 1 {
				return s[:i] + "…"
			}
			break
		}
	}
	return s
}

// wrap breaks a text into at most rows lines of n columns at blanks; the last one is clipped.
func wrap(s string, n, rows int) []string {
	var out []string
	for len(out) < rows-1 && width(s) > n {
		head := clip(s, n+1)
		at := strings.LastIndexByte(head, ' ')
		if at <= 0 {
			break
		}
		out = append(out, s[:at])
		s = s[at+1:]
	}
	return append(out, clip(s, n))
}
