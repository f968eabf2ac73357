// Package ast holds the syntax trees of all dialects, source positions and diagnostics.
//
// Nodes are plain structs with exported fields. They are made by package parser, never changed afterwards, and may
// be shared between goroutines. Nodes are told apart by type switches: [Stmt], [Query], [Expr] and the like are closed.
// [Preorder] walks a tree, [Rewrite] makes another of it, [Print] writes it as SQL.
//
// A [Pos] is an offset; a [Source] knows lines and columns. What is wrong with a text is a list of [Diagnostics].
package ast

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode/utf8"
)

// Pos is a byte offset into the texts of a session, which stand one behind the other ([Sources]); with a single text
// it is the offset into it. Line and column are computed only when something is printed.
type Pos int32

// NoPos marks what has no place in the text.
const NoPos Pos = -1

// IsValid reports whether p is a place in a text.
func (p Pos) IsValid() bool { return p >= 0 }

// Span is the half-open range of bytes that a node covers; embedding it makes a struct a [Node].
type Span struct{ From, To Pos }

// Pos is the offset of the first byte of the node.
func (s Span) Pos() Pos { return s.From }

// End is the offset just behind the node.
func (s Span) End() Pos { return s.To }

// Source is a named text with a table of its lines.
type Source struct {
	Name  string
	Text  string
	Base  Pos   // what Pos counts for the first byte
	lines []Pos // offset of each line's first byte in Text
	marks []mark
}

// mark is a place in a text with the number of characters before it. There is one for every kilobyte, so that a column
// is found at once in a line of any length.
type mark struct{ offset, runes Pos }

const markEvery = 1024

// NewSource prepares a text that stands alone. name is what messages call it, such as "q.sql" or "<stdin>".
func NewSource(name, text string) *Source {
	s := &Source{Name: name, Text: text, lines: []Pos{0}, marks: []mark{{}}}
	if strings.HasPrefix(text, "\uFEFF") {
		s.lines[0] = Pos(len("\uFEFF")) // a mark of the encoding, which nobody sees
	}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			s.lines = append(s.lines, Pos(i+1))
		}
	}
	for last := (mark{}); len(text)-int(last.offset) > markEvery; s.marks = append(s.marks, last) {
		to := last.offset + markEvery
		for back := Pos(0); back < utf8.UTFMax && !utf8.RuneStart(text[to]); back++ {
			to--
		}
		last = mark{to, last.runes + Pos(utf8.RuneCountInString(text[last.offset:to]))}
	}
	return s
}

// runes is the number of characters before an offset.
func (s *Source) runes(at Pos) int {
	i := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].offset > at }) - 1
	return int(s.marks[i].runes) + utf8.RuneCountInString(s.Text[s.marks[i].offset:at])
}

// Position is a place as people count it: line and column from 1, the column in characters.
type Position struct{ Line, Column int }

// String prints "line:column".
func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// Position converts an offset; one outside the text is moved to its nearer end.
func (s *Source) Position(p Pos) Position {
	p = max(s.lines[0], min(p-s.Base, Pos(len(s.Text))))
	i := sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > p }) - 1
	return Position{Line: i + 1, Column: 1 + s.runes(p) - s.runes(s.lines[i])}
}

// Line is the text of a line (from 1) without its line break.
func (s *Source) Line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	end := len(s.Text)
	if n < len(s.lines) {
		end = int(s.lines[n]) - 1
	}
	return strings.TrimSuffix(s.Text[s.lines[n-1]:end], "\r")
}

// Slice is the text between two positions of this source.
func (s *Source) Slice(from, to Pos) string { return s.Text[from-s.Base : to-s.Base] }

// Sources are the texts of a session. Their positions don't overlap, so a Pos alone tells the text.
type Sources []*Source

// Add appends a text. It fails when all texts together would be longer than positions can count.
func (ss *Sources) Add(name, text string) (*Source, error) {
	base := int64(0)
	if n := len(*ss); n > 0 {
		last := (*ss)[n-1]
		base = int64(last.Base) + int64(len(last.Text)) + 1
	}
	if base+int64(len(text)) > math.MaxInt32 {
		return nil, fmt.Errorf("%s: the texts are longer than 2 GiB together", name)
	}
	s := NewSource(name, text)
	s.Base = Pos(base)
	*ss = append(*ss, s)
	return s, nil
}

// At is the text that a position lies in, or nil.
func (ss Sources) At(p Pos) *Source {
	i := sort.Search(len(ss), func(i int) bool { return ss[i].Base > p }) - 1
	if i < 0 || !p.IsValid() {
		return nil
	}
	return ss[i]
}
