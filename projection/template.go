package projection

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/ast"
)

// Template is a path with columns in it, such as "${year}/${month}/", compiled to literals and level numbers. Level i
// of the layout is the column that stands i-th in it, repetitions not counted, unless it is [Template.Ordered].
type Template struct {
	text     string
	parts    []part
	columns  []string
	tidy     bool // paths are joined as by YDB: no "/" at the start, no two in a row, one at the end
	verbatim bool // there are no escapes
	base     int  // so many bytes of the first part are the table's path
}

// part is a literal, or the text of a level, written from ${ up to } in the template.
type part struct {
	literal  string
	level    int // noLevel for a literal
	from, to int // of a level's part
}

const noLevel = -1

// TemplateError is a finding about a template's text: bytes From up to To of it are wrong.
type TemplateError struct {
	Code     string // "template.escape", "template.unclosed", "template.empty" or "template.column"
	From, To int
	Msg      string // names the thing and the value
	Hint     string // what to write instead
}

// Error is the message.
func (e *TemplateError) Error() string { return e.Msg }

// ParseTemplate compiles a text. \$ \\ \{ and \} stand for the second character; a $, { or } that isn't part of ${…} is
// literal (YDB, documentation of storage.location.template). The template is usable when there are no errors.
func ParseTemplate(text string) (*Template, []TemplateError) {
	return (&templateParser{t: &Template{text: text}}).parse()
}

// ParseLocation compiles a template without escapes: all but ${…} is literal, a backslash, too (Athena user guide,
// "Specifying custom S3 storage locations").
func ParseLocation(text string) (*Template, []TemplateError) {
	return (&templateParser{t: &Template{text: text, verbatim: true}}).parse()
}

func (p *templateParser) parse() (*Template, []TemplateError) {
	text := p.t.text
	n := strings.Count(text, "${")
	p.t.columns, p.t.parts = make([]string, 0, n), make([]part, 0, 2*n+1)
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\' && !p.t.verbatim:
			i = p.escape(i)
		case strings.HasPrefix(text[i:], "${"):
			i = p.variable(i)
		default:
			end := p.plainEnd(i + 1)
			p.literal = append(p.literal, text[i:end]...)
			i = end
		}
	}
	p.flush()
	return p.t, p.errs
}

// plainEnd is where the text from i on stops standing for itself.
func (p *templateParser) plainEnd(i int) int {
	text := p.t.text
	for i < len(text) && (text[i] != '\\' || p.t.verbatim) && !strings.HasPrefix(text[i:], "${") {
		i++
	}
	return i
}

type templateParser struct {
	t       *Template
	errs    []TemplateError
	literal []byte
}

func (p *templateParser) fail(code string, from, to int, msg, hint string) {
	p.errs = append(p.errs, TemplateError{code, from, to, msg, hint})
}

// flush ends the literal that has been read.
func (p *templateParser) flush() {
	if len(p.literal) > 0 {
		p.t.parts = append(p.t.parts, part{literal: string(p.literal), level: noLevel})
		p.literal = p.literal[:0]
	}
}

// escape reads a backslash at i and what it escapes, and tells where the text goes on.
func (p *templateParser) escape(i int) int {
	text := p.t.text
	if i+1 < len(text) && strings.IndexByte(`$\{}`, text[i+1]) >= 0 {
		p.literal = append(p.literal, text[i+1])
		return i + 2
	}
	_, size := utf8.DecodeRuneInString(text[i+1:])
	to := i + 1 + size
	p.fail("template.escape", i, to, fmt.Sprintf("%q is no escape of the template", text[i:to]),
		`write \\ for a backslash; only \$ \\ \{ \} are escapes`)
	return i + 1
}

// variable reads ${name} at i and tells where the text goes on.
func (p *templateParser) variable(i int) int {
	t := p.t
	n := strings.IndexByte(t.text[i:], '}')
	if n < 0 {
		p.fail("template.unclosed", i, len(t.text), Quote(t.text[i:])+" is not closed",
			`close it with "}"`+p.or(`write \${ for the two characters`))
		return len(t.text)
	}
	end := i + n + 1
	name := t.text[i+2 : end-1]
	if name == "" {
		p.fail("template.empty", i, end, "${} names no column", "write a column between the braces"+p.or(`\${} for the characters`))
		return end
	}
	p.flush()
	level := slices.Index(t.columns, name)
	if level < 0 {
		level = len(t.columns)
		t.columns = append(t.columns, name)
	}
	t.parts = append(t.parts, part{level: level, from: i, to: end})
	return end
}

// or is the end of a hint that offers an escape, where there are any.
func (p *templateParser) or(escape string) string {
	if p.t.verbatim {
		return ""
	}
	return ", or " + escape
}

// Columns are the names in the template, in the order of the levels.
func (t *Template) Columns() []string { return t.columns }

// Check compares the names in the template with the partition columns: each of these must occur, and nothing else.
func (t *Template) Check(columns []string) []TemplateError {
	var errs []TemplateError
	for _, p := range t.parts {
		if p.level == noLevel || slices.Contains(columns, t.columns[p.level]) {
			continue
		}
		name := t.columns[p.level]
		hint := "partition columns are " + strings.Join(columns, ", ")
		if near, ok := ast.Nearest(name, columns); ok {
			hint = fmt.Sprintf("did you mean ${%s}?", near)
		}
		errs = append(errs, TemplateError{"template.column", p.from, p.to,
			fmt.Sprintf("the template names %q, which is not a partition column", name), hint})
	}
	for _, name := range columns {
		if !slices.Contains(t.columns, name) {
			errs = append(errs, TemplateError{"template.column", 0, len(t.text),
				fmt.Sprintf("the template %s lacks the partition column %q", Quote(t.text), name),
				fmt.Sprintf("put ${%s} where its value stands in paths", name)})
		}
	}
	return errs
}

// Under is the template of paths below a table's path, joined as YDB does: without a slash at the start, with one at
// the end, and never two in a row, whatever the values are.
func (t *Template) Under(base string) *Template {
	out := &Template{text: t.text, columns: t.columns, tidy: true, parts: make([]part, 0, len(t.parts)+2)}
	slash := out.join(part{literal: base, level: noLevel}, true)
	slash = out.join(part{literal: "/", level: noLevel}, slash)
	if len(out.parts) > 0 {
		out.base = len(out.parts[0].literal)
	}
	for _, p := range t.parts {
		slash = out.join(p, slash)
	}
	out.join(part{literal: "/", level: noLevel}, slash)
	return out
}

// join adds a part; slash says whether a slash stands before, and behind.
func (t *Template) join(p part, slash bool) bool {
	if p.level != noLevel {
		t.parts = append(t.parts, p)
		return false
	}
	p.literal, slash = tidyLiteral(p.literal, slash)
	switch n := len(t.parts); {
	case p.literal == "":
	case n > 0 && t.parts[n-1].level == noLevel:
		t.parts[n-1].literal += p.literal
	default:
		t.parts = append(t.parts, p)
	}
	return slash
}

// tidyLiteral drops each slash that follows another one; slash says whether one stands before, and behind.
func tidyLiteral(s string, slash bool) (string, bool) {
	if slash {
		s = strings.TrimLeft(s, "/")
	}
	if s == "" {
		return s, slash
	}
	for strings.Contains(s, "//") { // halves the longest row of slashes
		s = strings.ReplaceAll(s, "//", "/")
	}
	return s, strings.HasSuffix(s, "/")
}

// Ordered is the template with levels in the order of these columns, which are those in it.
func (t *Template) Ordered(columns []string) *Template {
	out := *t
	out.columns, out.parts = columns, slices.Clone(t.parts)
	for i := range out.parts {
		if p := &out.parts[i]; p.level != noLevel {
			p.level = slices.Index(columns, t.columns[p.level])
		}
	}
	return &out
}

// Folder is the template with a slash at the end, so that paths are whole folders: day=1/ isn't the beginning of day=10/.
func (t *Template) Folder() *Template {
	out := *t
	out.parts = slices.Clone(t.parts)
	n := len(out.parts)
	switch {
	case n == 0 || out.parts[n-1].level != noLevel:
		out.parts = append(out.parts, part{literal: "/", level: noLevel})
	case !strings.HasSuffix(out.parts[n-1].literal, "/"):
		out.parts[n-1].literal += "/"
	}
	return &out
}

// HiveTemplate is the template of Hive's folders below a location: one column=value for each column, in order. Names are
// escaped; values are the axes' affair.
func HiveTemplate(location string, columns []string) *Template {
	t := &Template{columns: columns, verbatim: true}
	literal := location
	if !strings.HasSuffix(literal, "/") {
		literal += "/"
	}
	for i, c := range columns {
		t.parts = append(t.parts, part{literal: literal + EscapeName(c) + "=", level: noLevel}, part{level: i})
		literal = "/"
	}
	t.parts = append(t.parts, part{literal: literal, level: noLevel})
	return t
}

// AppendPath is the path of a place.
func (t *Template) AppendPath(dst []byte, at *Place) []byte {
	from := len(dst)
	dst = appendParts(dst, t.parts, at)
	if t.tidy {
		return tidyPath(dst, from)
	}
	return dst
}

func appendParts(dst []byte, parts []part, at *Place) []byte {
	for i := range parts {
		switch p := &parts[i]; {
		case p.level == noLevel && len(p.literal) == 1:
			dst = append(dst, p.literal[0])
		case p.level == noLevel:
			dst = append(dst, p.literal...)
		default:
			dst = at.Axes[p.level].AppendName(dst, at.Index[p.level])
		}
	}
	return dst
}

// tidyPath drops the slash that dst[from:] begins with, and each that follows another one, in place.
func tidyPath(dst []byte, from int) []byte {
	if !bytes.HasPrefix(dst[from:], []byte("/")) && !bytes.Contains(dst[from:], []byte("//")) {
		return dst
	}
	out, slash := dst[:from], true
	for _, c := range dst[from:] {
		if c != '/' || !slash {
			out = append(out, c)
		}
		slash = c == '/'
	}
	return out
}

// plain reports whether no path over these axes needs to be tidied.
func (t *Template) plain(axes []Axis) bool {
	if !t.tidy {
		return true
	}
	for _, a := range axes {
		if x, ok := a.(Texts); !ok || !x.Shape().Plain {
			return false
		}
	}
	return true
}

// longest is the most bytes that a path over these axes can have.
func (t *Template) longest(axes []Axis) int {
	n := 0
	for _, p := range t.parts {
		n += len(p.literal)
		if p.level != noLevel {
			n += shapeOf(axes[p.level]).Max
		}
	}
	return n
}

// String is the template as text, with the escapes that it needs: "logs/${year}/".
func (t *Template) String() string { return t.textFrom(0) }

// Below is the text of a template [Template.Under] a path without that path: "${year}/".
func (t *Template) Below() string { return t.textFrom(t.base) }

// textFrom is the text without the first bytes of the first part.
func (t *Template) textFrom(skip int) string {
	var b strings.Builder
	b.Grow(len(t.text) + len("/"))
	for _, p := range t.parts {
		if p.level != noLevel {
			b.WriteString("${")
			b.WriteString(t.columns[p.level])
			b.WriteByte('}')
			continue
		}
		for i := skip; i < len(p.literal); i++ {
			if !t.verbatim && strings.IndexByte(`$\{}`, p.literal[i]) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(p.literal[i])
		}
		skip = 0
	}
	return b.String()
}
