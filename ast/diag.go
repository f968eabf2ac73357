package ast

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Severity of a [Diagnostic].
type Severity uint8

const (
	Error   Severity = iota // the input is refused
	Warning                 // a plan is made, but something is probably not meant
	Note                    // worth knowing: a limit was hit, an assumption made
)

// String is the word that messages and JSON use: "error", "warning" or "note".
func (s Severity) String() string { return [...]string{"error", "warning", "note"}[s] }

// Diagnostic is one finding about a text: where, what is wrong with which value, and what to write instead.
//
//	q.sql:11:34: error: projection.month.max: "13x" is not an integer
//	 11 |   `projection.month.max` : "13x",
//	    |                            ^^^^^
//	    hint: write a whole number, for example 12
type Diagnostic struct {
	Severity Severity
	Code     string // stable words such as "projection.bound"; tests match these
	Pos, End Pos    // the offending text; NoPos when there is none
	Msg      string // names the thing and the value
	Hint     string // what to write instead, or empty
	Source   *Source
	Err      error // an underlying error, or nil
}

// Error prints the first line of the diagnostic.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	if d.Source != nil {
		b.WriteString(d.Source.Name)
		b.WriteByte(':')
		if d.Pos.IsValid() {
			b.WriteString(d.Source.Position(d.Pos).String())
			b.WriteByte(':')
		}
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "%s: %s", d.Severity, d.Msg)
	return b.String()
}

// Unwrap gives the underlying error to errors.Is and errors.As.
func (d *Diagnostic) Unwrap() error { return d.Err }

// Excerpt is the source line with the range underlined, and the hint, each line ending in "\n"; empty without a position.
func (d *Diagnostic) Excerpt() string {
	var b strings.Builder
	if d.Source != nil && d.Pos.IsValid() {
		at := d.Source.Position(d.Pos)
		line, shown := clip(d.Source.Line(at.Line), at.Column)
		width := 1
		if end := d.Source.Position(d.End); d.End > d.Pos {
			width = end.Column - at.Column
			if end.Line > at.Line {
				width = utf8.RuneCountInString(line) - shown + 1
			}
		}
		width = max(1, min(width, utf8.RuneCountInString(line)-shown+1))
		number := fmt.Sprintf("%3d", at.Line)
		fmt.Fprintf(&b, "%s | %s\n", number, line)
		fmt.Fprintf(&b, "%s | %s%s\n", strings.Repeat(" ", len(number)), blanks(line, shown-1), strings.Repeat("^", width))
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, "    hint: %s\n", d.Hint)
	}
	return b.String()
}

// clip keeps a window of a long line around column (from 1) and tells where the column is in it.
func clip(line string, column int) (string, int) {
	const before, window = 60, 160
	if utf8.RuneCountInString(line) <= window {
		return line, column
	}
	count := utf8.RuneCountInString(line)
	from := max(0, min(column-1-before, count-window))
	out := line[offset(line, from):]
	cut := offset(out, window)
	out, column = out[:cut], column-from
	if from > 0 {
		out = "…" + out
		column++
	}
	if from+window < count {
		out += "…"
	}
	return out, column
}

// offset is where the n-th character of s begins.
func offset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// blanks is n columns of white space that keep the line's tabs, so that markers stand right below.
func blanks(line string, n int) string {
	var b strings.Builder
	for _, r := range line {
		if n--; n < 0 {
			break
		}
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Diagnostics are the findings about one or more texts. As an error it is all of them.
type Diagnostics []*Diagnostic

// Error prints every diagnostic with its excerpt.
func (ds Diagnostics) Error() string {
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(d.Error())
		b.WriteByte('\n')
		b.WriteString(d.Excerpt())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Unwrap gives each diagnostic to errors.Is and errors.As.
func (ds Diagnostics) Unwrap() []error {
	out := make([]error, len(ds))
	for i, d := range ds {
		out[i] = d
	}
	return out
}

// HasErrors reports whether any finding has severity [Error].
func (ds Diagnostics) HasErrors() bool { return ds.Has(Error) }

// Has reports whether any finding has a severity.
func (ds Diagnostics) Has(s Severity) bool {
	return slices.ContainsFunc(ds, func(d *Diagnostic) bool { return d.Severity == s })
}

// Err is nil when no finding has severity [Error], else all findings as an error.
func (ds Diagnostics) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	return ds
}

// Sort orders by position, then code, and drops repetitions.
func (ds *Diagnostics) Sort() {
	order := func(a, b *Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.End, b.End),
			strings.Compare(a.Code, b.Code), strings.Compare(a.Msg, b.Msg))
	}
	slices.SortStableFunc(*ds, order)
	*ds = slices.CompactFunc(*ds, func(a, b *Diagnostic) bool { return order(a, b) == 0 && a.Severity == b.Severity })
}

// Locate fills in the source of every finding that has a position and no source yet.
func (ds Diagnostics) Locate(ss Sources) {
	for _, d := range ds {
		if d.Source == nil {
			d.Source = ss.At(d.Pos)
		}
	}
}
