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

// Columns are counted in characters, in lines of any length, also where the text isn't valid.
func TestColumns(t *testing.T) {
	text := "ab\n" + strings.Repeat("é日\xff\xe6x", 1000) + "\n" + strings.Repeat("x", 3000) + "ü\xe6"
	s := NewSource("q", text)
	line, column := 1, 1
	for at := range text {
		if got, want := s.Position(Pos(at)), (Position{line, column}); got != want {
			t.Fatalf("at %d: %v, want %v", at, got, want)
		}
		column++
		if text[at] == '\n' {
			line, column = line+1, 1
		}
	}
}

// A byte order mark is no column.
func TestByteOrderMark(t *testing.T) {
	s := NewSource("q", "\uFEFFab\ncd")
	for at, want := range map[Pos]Position{0: {1, 1}, 3: {1, 1}, 4: {1, 2}, 6: {2, 1}} {
		if got := s.Position(at); got != want {
			t.Errorf("at %d: %v, want %v", at, got, want)
		}
	}
	if line := s.Line(1); line != "ab" {
		t.Errorf("line %q", line)
	}
}

// Findings about a long line, and messages that quote a long text, stay cheap and short.
func TestManyFindings(t *testing.T) {
	s := NewSource("q", strings.Repeat("é", 1_000_000))
	var ds Diagnostics
	for i := range 20_000 {
		ds = append(ds, &Diagnostic{Severity: Severity(i % 3), Pos: Pos(i * 100), End: Pos(i*100 + 2), Msg: strings.Repeat("é", 1000), Source: s})
	}
	ds.Sort()
	if n := len(ds.Error()); n > 30_000_000 || !strings.Contains(ds.Error(), "é…é") {
		t.Errorf("%d bytes", n)
	}
	ds.Limit(1000)
	if len(ds) != 1001 || ds[999].Severity != Error || ds[1000].Msg != "there are 19000 more findings" {
		t.Errorf("%d findings, the last two %v and %v", len(ds), ds[999], ds[1000])
	}
	if ds.Sort(); ds[1000].Msg != "there are 19000 more findings" {
		t.Errorf("sorted, the last one is %v", ds[1000])
	}
}
