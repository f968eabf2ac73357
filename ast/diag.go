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
		line, shown := d.Source.window(at, d.Pos)
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

// window is the line around a place, or of a long one a part of it, and the column of the place in that.
func (s *Source) window(at Position, p Pos) (text string, column int) {
	const before, most = 60, 160
	line := s.Line(at.Line)
	offset := max(0, min(int(p-s.Base-s.lines[at.Line-1]), len(line))) // behind the text, at a line break: the end
	from := back(line, offset, before)
	to := forth(line, from, most)
	if to == len(line) { // the part may begin earlier
		from = back(line, to, most)
	}
	text, column = line[from:to], 1+utf8.RuneCountInString(line[from:offset])
	if from > 0 {
		text, column = "…"+text, column+1
	}
	if to < len(line) {
		text += "…"
	}
	return text, column
}

// back is the offset n characters before another one in s, or 0; forth the one n characters behind it, or the end.
func back(s string, from, n int) int {
	for ; n > 0 && from > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:from])
		from -= size
	}
	return from
}

func forth(s string, from, n int) int {
	for ; n > 0 && from < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[from:])
		from += size
	}
	return from
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

// maxMessage is how long messages and hints may be, in bytes.
const maxMessage = 500

// unlisted is the code of the note that ends a list of findings which had more of them.
const unlisted = "findings"

// Sort orders by position, then code, drops repetitions, and shortens what quotes too long a text.
func (ds *Diagnostics) Sort() {
	for _, d := range *ds {
		d.Msg, d.Hint = shortened(d.Msg), shortened(d.Hint)
	}
	order := func(a, b *Diagnostic) int {
		return cmp.Or(lastly(a)-lastly(b), cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.End, b.End),
			strings.Compare(a.Code, b.Code), strings.Compare(a.Msg, b.Msg))
	}
	slices.SortStableFunc(*ds, order)
	*ds = slices.CompactFunc(*ds, func(a, b *Diagnostic) bool { return order(a, b) == 0 && a.Severity == b.Severity })
}

// lastly is 1 for what stands behind all others, else 0.
func lastly(d *Diagnostic) int {
	if d.Code == unlisted {
		return 1
	}
	return 0
}

// shortened leaves out the middle of a long text.
func shortened(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	from, to := maxMessage*2/3, len(s)-maxMessage/3
	for ; from > 0 && !utf8.RuneStart(s[from]); from-- {
	}
	for ; to < len(s) && !utf8.RuneStart(s[to]); to++ {
	}
	return s[:from] + "…" + s[to:]
}

// Limit keeps n findings, the graver ones first, and a note of how many there are besides.
func (ds *Diagnostics) Limit(n int) {
	more := len(*ds) - n
	if more <= 0 {
		return
	}
	kept := make(Diagnostics, 0, n+1)
	for s := Error; s <= Note; s++ {
		for _, d := range *ds {
			if d.Severity == s && len(kept) < n {
				kept = append(kept, d)
			}
		}
	}
	kept.Sort()
	*ds = append(kept, &Diagnostic{Severity: Note, Code: unlisted, Pos: NoPos, End: NoPos, Msg: fmt.Sprintf("there are %d more findings", more)})
}

// Locate fills in the source of every finding that has a position and no source yet.
func (ds Diagnostics) Locate(ss Sources) {
	for _, d := range ds {
		if d.Source == nil {
			d.Source = ss.At(d.Pos)
		}
	}
}
