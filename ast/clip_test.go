package ast

import (
	"strings"
	"testing"
)

// Of a long line, the part around the place is shown, with the marker below it.
func TestExcerptOfLongLine(t *testing.T) {
	for _, at := range []int{0, 5, 60, 61, 500, 900, 999} {
		text := strings.Repeat("é", at) + "X" + strings.Repeat("ü", 999-at)
		pos := Pos(2 * at)
		d := &Diagnostic{Pos: pos, End: pos + 1, Source: NewSource("q", text)}
		lines := strings.Split(d.Excerpt(), "\n")
		marker, _, _ := strings.Cut(lines[1], "^")
		if column := len([]rune(marker)); []rune(lines[0])[column] != 'X' || len([]rune(lines[0])) > 170 {
			t.Errorf("at %d:\n%s", at, d.Excerpt())
		}
	}
}
