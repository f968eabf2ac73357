// Package parser reads SQL of several dialects into the trees of package ast.
//
// One permissive grammar serves all of them; what differs is data ([Dialect]). What a dialect forbids is for its
// system to say, with a better message than a syntax error.
package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

const (
	maxErrors = 100    // statements of one text that are complained about
	maxReread = 10_000 // tokens of a statement with an open bracket that are read again as statements of their own
)

// Parse reads the statements of a text. The error is [ast.Diagnostics] with at most one finding for each statement; the
// statements that have none are returned too. Positions count from src.Base.
func Parse(src *ast.Source, d *Dialect) ([]ast.Stmt, error) {
	d, err := d.of(src)
	if err != nil {
		return nil, err
	}
	s := newScanner(src, d)
	defer s.leave()
	return s.all(src)
}

// isFlink reports whether a text declares tables, and not in Spark's form. Without a backslash that makes no difference.
func isFlink(text string) bool {
	if !strings.Contains(text, `\`) {
		return false
	}
	text = strings.ToUpper(text)
	return strings.Contains(text, "CREATE TABLE") && !strings.Contains(text, "TBLPROPERTIES") && !strings.Contains(text, "USING PAIMON")
}

// of is the dialect that a text asks for by comments before all else (YQL reference, "Lexical structure": --!ansi_lexer), or
// by its form.
func (d *Dialect) of(src *ast.Source) (*Dialect, error) {
	if d.Plain != nil && isFlink(src.Text) {
		return d.Plain, nil
	}
	if d.ANSI == nil {
		return d, nil
	}
	at := len(src.Text) - len(strings.TrimPrefix(src.Text, "\uFEFF"))
	for line := range strings.Lines(src.Text[at:]) {
		words, ok := strings.CutPrefix(line, "--!")
		switch words = strings.TrimSpace(words); {
		case !strings.HasPrefix(line, "--"):
			return d, nil
		case !ok:
		case words == "ansi_lexer":
			d = d.ANSI
		case words == "syntax_pg":
			diag := problem("syntax.dialect", ast.Span{From: src.Base + ast.Pos(at), To: src.Base + ast.Pos(at+len("--!"+words))},
				"the syntax of PostgreSQL isn't read here", "write the statements in YQL")
			diag.Source = src
			return nil, ast.Diagnostics{diag}
		}
		if at += len(line); d.ANSI == nil {
			break
		}
	}
	return d, nil
}

// all parses all statements.
func (s *scanner) all(src *ast.Source) ([]ast.Stmt, error) {
	var stmts []ast.Stmt
	var found ast.Diagnostics
	for s.statement() && len(found) < maxErrors {
		st, diag := s.parse(src)
		if diag == nil {
			stmts = append(stmts, st)
			continue
		}
		diag.Source = src
		found = append(found, diag)
	}
	return stmts, found.Err()
}

// parse reads one statement; after an error it goes on to the next semicolon.
func (s *scanner) parse(src *ast.Source) (ast.Stmt, *ast.Diagnostic) {
	start := s.pos
	p, err := s.stream()
	if err != nil {
		return nil, diagnostic(err)
	}
	st, err := p.statement()
	if err == nil {
		err = p.end()
	}
	if err == nil {
		if o := verbatim(st); o != nil {
			o.Text = src.Slice(o.From, o.To)
		}
		return st, nil
	}
	diag := diagnostic(err)
	switch {
	case s.cut:
		s.skip(s.pos)
	case len(s.open) > 0 && s.count < maxReread: // a brace that isn't closed has taken the following statements along
		s.skip(max(start, int(diag.Pos)-s.base))
	}
	return nil, diag
}

// verbatim is the statement or explained statement that is kept as it is written, or nil.
func verbatim(s ast.Stmt) *ast.Other {
	switch s := s.(type) {
	case *ast.Other:
		return s
	case *ast.Explain:
		return verbatim(s.Stmt)
	}
	return nil
}

// ParseExpr reads a text that is one expression.
func ParseExpr(src *ast.Source, d *Dialect) (ast.Expr, error) {
	s := newScanner(src, d)
	defer s.leave()
	s.statement()
	p, err := s.stream()
	if err != nil {
		return nil, err
	}
	x, err := p.expr()
	if err == nil {
		err = p.end()
	}
	if err == nil && s.pos < len(s.text) {
		err = problem("syntax.unexpected", ast.Span{From: ast.Pos(s.base + s.pos), To: ast.Pos(s.base + s.pos + 1)},
			"an expression ends before `;`", "")
	}
	if err != nil {
		diag := diagnostic(err)
		diag.Source = src
		return nil, ast.Diagnostics{diag}
	}
	return x, nil
}

// parser is the token stream that participle hands to the bodies, with the dialect. It holds no state of its own, since
// participle copies the stream; what must outlive a copy is kept in the tokens (see enter).
type parser struct {
	*lexer.PeekingLexer
	*Dialect
}

// enter counts one more level of nesting, leave one less. The count stands where all copies of the stream look: in the
// line number of the first token, which nothing else uses.
func (p *parser) enter() error {
	depth := &p.Range(0, 1)[0].Pos.Line
	if *depth++; *depth > maxDepth {
		return deep(p.Peek())
	}
	return nil
}

func (p *parser) leave() { p.Range(0, 1)[0].Pos.Line-- }

// ahead is the n-th token from here on, or EOF.
func (p *parser) ahead(n int) *lexer.Token {
	at := p.RawCursor()
	for ; n > 0 && !p.Range(at, at+1)[0].EOF(); n-- {
		at++
	}
	return &p.Range(at, at+1)[0]
}

// closing is the bracket that closes the one at a place; false when none does.
func (p *parser) closing(at lexer.RawCursor) (lexer.RawCursor, bool) {
	shut := p.Range(at, at+1)[0].Pos.Column
	return lexer.RawCursor(shut), shut > 0
}

// last is the token that was taken last.
func (p *parser) last() *lexer.Token { return &p.Range(p.RawCursor()-1, p.RawCursor())[0] }

// pos is where the next token begins.
func (p *parser) pos() ast.Pos { return ast.Pos(p.Peek().Pos.Offset) }

// since is the span from a place to the end of the token taken last.
func (p *parser) since(from ast.Pos) ast.Span {
	if p.RawCursor() == 0 {
		return ast.Span{From: from, To: from}
	}
	return ast.Span{From: from, To: max(from, end(p.last()))}
}

func span(t *lexer.Token) ast.Span { return ast.Span{From: ast.Pos(t.Pos.Offset), To: end(t)} }

func end(t *lexer.Token) ast.Pos { return ast.Pos(t.Pos.Offset + len(t.Value)) }

// isWord reports whether t is the upper case keyword.
func isWord(t *lexer.Token, word string) bool { return t.Type == tokWord && fold(t.Value, word) }

func isName(t *lexer.Token) bool { return t.Type == tokWord || t.Type == tokName }

func isPunct(t *lexer.Token, text string) bool { return t.Type == tokPunct && t.Value == text }

// is reports whether the next tokens are these keywords or, where not a letter, this punctuation.
func (p *parser) is(words ...string) bool {
	for i, w := range words {
		t := p.Peek()
		if i > 0 {
			t = p.ahead(i)
		}
		if !isWord(t, w) && !isPunct(t, w) {
			return false
		}
	}
	return true
}

// accept takes the keywords or punctuation if they stand here.
func (p *parser) accept(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	for range words {
		p.Next()
	}
	return true
}

// acceptOne takes one of the keywords and returns it, or "".
func (p *parser) acceptOne(words ...string) string {
	t := p.Peek()
	if t.Type == tokWord {
		for _, w := range words {
			if fold(t.Value, w) {
				p.Next()
				return w
			}
		}
	}
	return ""
}

// expect takes the keywords or punctuation, or fails.
func (p *parser) expect(words ...string) error {
	for _, w := range words {
		if !p.accept(w) {
			return p.unexpected(w)
		}
	}
	return nil
}

// end expects the end of the statement.
func (p *parser) end() error {
	if p.Peek().EOF() {
		return nil
	}
	return p.misplaced()
}

// name is one word or quoted name.
func (p *parser) name(what string) (ast.Name, error) {
	t := p.Peek()
	if t.Type != tokWord && t.Type != tokName {
		return ast.Name{}, p.unexpected(what)
	}
	p.Next()
	return nameOf(t), nil
}

func nameOf(t *lexer.Token) ast.Name {
	if t.Type == tokWord {
		return ast.Name{Span: span(t), Text: t.Value}
	}
	l := ast.Literal{Kind: ast.StringLit, Raw: t.Value, Quote: ast.Quote(t.Pos.Column)}
	l.SetText()
	return ast.Name{Span: span(t), Text: l.Text, Quoted: true}
}

// optionalName is a name that may be missing.
func (p *parser) optionalName() *ast.Name {
	if t := p.Peek(); t.Type == tokWord || t.Type == tokName {
		n := nameOf(p.Next())
		return &n
	}
	return nil
}

// dotted is a.b.c.
func (p *parser) dotted(what string) ([]ast.Name, error) {
	var out []ast.Name
	for {
		n, err := p.name(what)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
		if !p.accept(".") {
			return out, nil
		}
	}
}

// dottedTable is a name of a table: a.b.c, and where the dialect has it so `a.b`.
func (p *parser) dottedTable(what string) ([]ast.Name, error) {
	first := p.Peek()
	names, err := p.dotted(what)
	return p.parted(first, names), err
}

// parted are the names `a` and `b` of `a.b`, where the dialect has it so.
func (p *parser) parted(first *lexer.Token, names []ast.Name) []ast.Name {
	if !p.DottedQuotes || len(names) != 1 || !strings.HasPrefix(first.Value, "`") {
		return names
	}
	n := names[0]
	dot := strings.IndexByte(n.Text, '.')
	if dot < 1 || dot+1 == len(n.Text) || int(n.To-n.From) != len(n.Text)+len("``") { // escapes shift the places
		return names
	}
	at := n.From + 1 + ast.Pos(dot)
	return []ast.Name{
		{Span: ast.Span{From: n.From, To: at}, Text: n.Text[:dot], Quoted: true},
		{Span: ast.Span{From: at + 1, To: n.To}, Text: n.Text[dot+1:], Quoted: true},
	}
}

// names is (a, b, …).
func (p *parser) names(what string) ([]ast.Name, error) {
	return list(p, what, func() (ast.Name, error) { return p.name(what) })
}

// list is (item, item, …), possibly empty and with a trailing comma; never nil.
func list[T any](p *parser, what string, item func() (T, error)) ([]T, error) {
	return between(p, "(", ")", what, item)
}

// between is a list of items between brackets.
func between[T any](p *parser, open, shut, what string, item func() (T, error)) ([]T, error) {
	opener := p.Peek()
	if err := p.expect(open); err != nil {
		return nil, err
	}
	var few [8]T // most lists are no longer, and take their memory once
	out := few[:0]
	for !p.accept(shut) {
		x, err := item()
		if err != nil {
			return nil, err
		}
		out = append(out, x)
		if !p.accept(",") && !p.is(shut) {
			return nil, p.unlisted(opener, shut, what)
		}
	}
	return append([]T{}, out...), nil
}

// folded is the source text from a token on, with its blanks folded to one.
func (p *parser) folded(from lexer.RawCursor) string {
	var b strings.Builder
	to := 0
	for i, t := range p.Range(from, p.RawCursor()) {
		if i > 0 && t.Pos.Offset > to {
			b.WriteByte(' ')
		}
		b.WriteString(t.Value)
		to = t.Pos.Offset + len(t.Value)
	}
	return b.String()
}

// balanced takes tokens up to a comma or closing bracket of the bracket that it stands in, or up to one of the words.
func (p *parser) balanced(stop ...string) {
	for depth := 0; ; p.Next() {
		t := p.Peek()
		if t.Type <= tokIllegal || t.EOF() {
			return
		}
		if depth == 0 && (isPunct(t, ",") || t.Type == tokWord && oneOf(t.Value, stop)) {
			return
		}
		if t.Type != tokPunct {
			continue
		}
		switch t.Value {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return
			}
		}
	}
}

// run parses with a production of the grammar.
func run[T any](p *parser, g *participle.Parser[T]) (*T, error) {
	return g.ParseFromLexer(p.PeekingLexer, participle.AllowTrailing(true))
}

// valueList is (expr, expr, …).
func (p *parser) valueList() ([]ast.Expr, error) { return list(p, "value", p.expr) }
