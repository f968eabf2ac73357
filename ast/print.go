package ast

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Print is a tree as SQL, on one line or, with a width, over several. Brackets stand only where the dialect's
// precedences need them; parsing the text gives an equal tree.
//
//	year = 2021 AND month IN (1, 2)
func Print(n Node, st Style) string { return string(Append(nil, n, st)) }

// Append appends what [Print] returns.
func Append(dst []byte, n Node, st Style) []byte {
	p := printer{Style: st, dst: dst, start: len(dst)}
	p.node(n)
	return p.dst
}

// printer appends SQL to dst. With a width, line and comma break lines at the current indentation.
type printer struct {
	Style
	dst      []byte
	start    int // of the line in dst
	indent   int
	comments []Comment // not printed yet, in order
}

const tab = "    "

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case Expr:
		p.expr(n, 0)
	case Stmt:
		p.stmt(n)
	case TableExpr:
		p.table(n)
	case *Type:
		p.typ(n)
	case *Option:
		p.option(n)
	case *Column:
		p.column(n)
	case *SelectItem:
		p.item(n)
	case *Clause:
		p.clause(n)
	case *PartitionDef:
		p.partition(n)
	}
}

// put appends words, with a blank before each but at the start of a line or bracket.
func (p *printer) put(words ...string) {
	for _, w := range words {
		if w != "" {
			p.space()
			p.dst = append(p.dst, w...)
		}
	}
}

// space appends a blank unless one stands there, or nothing may.
func (p *printer) space() {
	if n := len(p.dst); n > p.start {
		switch p.dst[n-1] {
		case ' ', '(', '\n':
		default:
			p.dst = append(p.dst, ' ')
		}
	}
}

// add appends text as it is.
func (p *printer) add(text string) { p.dst = append(p.dst, text...) }

// wide reports whether lines are broken.
func (p *printer) wide() bool { return p.Width > 0 }

// line begins a new line, or puts a blank on one line. Comments that stand before at in the source come first.
func (p *printer) line(at Pos) {
	if !p.wide() {
		p.space()
		return
	}
	p.flush(at)
	if len(bytes.TrimLeft(p.dst[p.start:], " ")) == 0 { // a fresh line, at another indentation perhaps
		p.dst = p.dst[:p.start]
	} else {
		p.dst = append(bytes.TrimRight(p.dst, " "), '\n')
		p.start = len(p.dst)
	}
	for range p.indent {
		p.add(tab)
	}
}

// flush prints the comments before at: one that trails code at the end of the line, others on lines of their own.
func (p *printer) flush(at Pos) {
	for len(p.comments) > 0 && p.comments[0].From < at {
		c := p.comments[0]
		p.comments = p.comments[1:]
		fresh := len(bytes.TrimLeft(p.dst[p.start:], " ")) == 0
		if !fresh && !c.Trailing {
			p.dst = append(bytes.TrimRight(p.dst, " "), '\n')
			p.start = len(p.dst)
			fresh = true
		}
		if fresh {
			p.dst = p.dst[:p.start]
			for range p.indent {
				p.add(tab)
			}
		} else {
			p.space()
		}
		p.add(c.Text)
		if i := strings.LastIndexByte(c.Text, '\n'); i >= 0 {
			p.start = len(p.dst) - len(c.Text) + i + 1
		}
		if strings.HasPrefix(c.Text, "--") {
			p.add("\n")
			p.start = len(p.dst)
		}
	}
}

// pending reports whether a comment stands before at that has no place yet.
func (p *printer) pending(at Pos) bool { return len(p.comments) > 0 && p.comments[0].From < at }

// fits reports whether what f prints fits on the rest of the line, with room for tail more bytes. Nothing is printed.
func (p *printer) fits(tail int, f func()) bool {
	q := *p
	p.Width, p.comments = 0, nil
	f()
	width := utf8.RuneCount(p.dst[p.start:])
	multi := bytes.IndexByte(p.dst[len(q.dst):], '\n') >= 0
	q.dst = p.dst[:len(q.dst)]
	*p = q
	return width+tail <= p.Width && !multi
}

// flat prints on one line.
func (p *printer) flat(f func()) {
	width := p.Width
	p.Width = 0
	f()
	p.Width = width
}

// commas prints n items on a line.
func (p *printer) commas(n int, item func(i int)) {
	for i := range n {
		if i > 0 {
			p.add(", ")
		}
		item(i)
	}
}

// block prints n items in brackets: on one line if they fit, else each on its own.
func (p *printer) block(end Pos, n int, at func(i int) Pos, item func(i int), open, shut string) {
	all := func() {
		p.add(open)
		p.commas(n, item)
		p.add(shut)
	}
	if !p.wide() || !p.pending(end) && p.fits(1, all) {
		p.flat(all)
		return
	}
	p.add(open)
	p.indent++
	for i := range n {
		p.line(at(i))
		item(i)
		if i < n-1 {
			p.add(",")
		}
	}
	p.flush(end) // what stands before the closing bracket is indented like the items
	p.indent--
	p.line(end)
	p.add(shut)
}

// comma prints n items with commas: on one line if they fit, else each on its own, further in.
func (p *printer) comma(end Pos, n int, at func(i int) Pos, item func(i int)) {
	all := func() {
		for i := range n {
			if i > 0 {
				p.add(",")
			}
			p.space()
			item(i)
		}
	}
	if !p.wide() || !p.pending(end) && p.fits(1, all) {
		p.flat(all)
		return
	}
	p.indent++
	for i := range n {
		p.line(at(i))
		item(i)
		if i < n-1 {
			p.add(",")
		}
	}
	p.indent--
}

// name prints a name, quoted as it was.
func (p *printer) name(n *Name) {
	if n.Quoted {
		p.dst = appendQuoted(p.dst, n.Text, p.NameQuote, p.nameEscapes())
		return
	}
	p.add(n.Text)
}

// nameEscapes: only YQL has escapes within backticks, and writes strings with escapes only.
func (p *printer) nameEscapes() Quote {
	if p.Escapes == CQuote {
		return BothQuote
	}
	return DoubledQuote
}

// key prints the key of an option.
func (p *printer) key(n *Name) {
	switch {
	case !n.Quoted:
		p.add(n.Text)
	case p.KeyQuote == p.NameQuote:
		p.name(n)
	default:
		p.dst = appendQuoted(p.dst, n.Text, p.KeyQuote, p.Escapes)
	}
}

func (p *printer) dotted(ns []Name) {
	for i := range ns {
		if i > 0 {
			p.add(".")
		}
		p.name(&ns[i])
	}
}

// names prints (a, b).
func (p *printer) names(ns []Name) {
	p.add("(")
	p.commas(len(ns), func(i int) { p.name(&ns[i]) })
	p.add(")")
}

// appendQuoted quotes a text.
func appendQuoted(dst []byte, text string, quote byte, how Quote) []byte {
	dst = append(dst, quote)
	for i := range len(text) {
		switch c := text[i]; {
		case c == quote && how == CQuote, c == '\\' && how != DoubledQuote:
			dst = append(dst, '\\', c)
		case c == quote:
			dst = append(dst, c, c)
		case c == '\n' && how == CQuote:
			dst = append(dst, `\n`...)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, quote)
}

// literal prints a literal as it was written, or one without a source from its parts.
func (p *printer) literal(l *Literal) {
	switch {
	case l.Raw != "":
		p.add(l.Raw)
	case l.Kind == StringLit:
		p.dst = appendQuoted(p.dst, l.Text, p.TextQuote, p.Escapes)
		p.add(l.Suffix)
	case l.Kind == NullLit:
		p.add("NULL")
	default:
		p.add(l.Text)
		p.add(l.Suffix)
	}
}

// typ prints a type.
func (p *printer) typ(t *Type) {
	// timestamp(3) with time zone: the parameters stand inside the name.
	base, rest := t.Name.Text, ""
	if i := strings.Index(base, " with"); i > 0 && !t.Name.Quoted {
		base, rest = base[:i], base[i:]
		p.add(base)
	} else {
		p.name(&t.Name)
	}
	switch {
	case t.Params != nil && t.Args == nil:
		p.add("(")
		p.commas(len(t.Params), func(i int) { p.literal(t.Params[i]) })
		p.add(")")
	case t.Args != nil:
		p.typeArgs(t)
	}
	p.add(rest)
	if t.Optional {
		p.add("?")
	}
	for range t.Array {
		p.add("[]")
	}
}

func (p *printer) typeArgs(t *Type) {
	open, shut := "<", ">"
	if t.Parens {
		open, shut = "(", ")"
	}
	p.add(open)
	p.commas(len(t.Args), func(i int) {
		a := &t.Args[i]
		if a.Name != nil {
			p.name(a.Name)
			if !t.Parens {
				p.add(":")
			}
			p.add(" ")
		}
		p.typ(a.Type)
		if a.Comment != nil {
			p.put("COMMENT")
			p.add(" ")
			p.literal(a.Comment)
		}
	})
	for _, l := range t.Params { // VECTOR<FLOAT, 3>
		p.add(", ")
		p.literal(l)
	}
	p.add(shut)
}
