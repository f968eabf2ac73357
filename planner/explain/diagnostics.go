package explain

import (
	"io"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// Diagnostics writes findings as text for people: place, severity and message, the line with the offending text
// marked, and a hint. Warnings and notes, which may be silenced by their codes, end with these.
//
//	q.sql:11:34: error: projection.month.max: "13x" is not an integer
//	 11 |   `projection.month.max` : "13x",
//	    |                            ^^^^^
//	    hint: write a whole number, for example 12
func Diagnostics(w io.Writer, ds ast.Diagnostics, st Style) error {
	var b strings.Builder
	for _, d := range ds {
		writeDiagnostic(&b, d, st)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeDiagnostic(b *strings.Builder, d *ast.Diagnostic, st Style) {
	if d.Source != nil {
		place := d.Source.Name + ":"
		if d.Pos.IsValid() {
			place += d.Source.Position(d.Pos).String() + ":"
		}
		b.WriteString(st.Name.of(printable(place)) + " ")
	}
	b.WriteString(severity(st, d.Severity).of(d.Severity.String() + ":"))
	b.WriteString(" " + printable(d.Msg))
	if d.Severity != ast.Error && d.Code != "" {
		b.WriteString(" [" + d.Code + "]") // what --ignore takes
	}
	b.WriteByte('\n')
	excerpt := strings.Split(d.Excerpt(), "\n")
	if d.Source != nil && d.Pos.IsValid() {
		b.WriteString(tabbed(excerpt[0]) + "\n" + st.Bad.of(excerpt[1]) + "\n")
	}
	if d.Hint != "" {
		const label = "    hint: "
		lines := wrap(printable(d.Hint), textWidth-len(label), 10)
		b.WriteString(st.Good.of(label+strings.Join(lines, "\n"+strings.Repeat(" ", len(label)))) + "\n")
	}
}

// tabbed is printable for a line of source text, whose tabs the marks below it repeat.
func tabbed(line string) string {
	cells := strings.Split(line, "\t")
	for i, c := range cells {
		cells[i] = printable(c)
	}
	return strings.Join(cells, "\t")
}

func severity(st Style, s ast.Severity) Paint {
	switch s {
	case ast.Error:
		return st.Bad
	case ast.Warning:
		return st.Caution
	}
	return st.Faint
}
