package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// generics are the types that take arguments in angles; behind any other, < is less than: x::INT < 3.
var generics = []string{"OPTIONAL", "LIST", "STRUCT", "TUPLE", "DICT", "SET", "VARIANT", "STREAM", "FLOW", "ENUM", "TAGGED", "RESOURCE", "CALLABLE",
	"ARRAY", "MAP", "ROW", "MULTISET", "UNIONTYPE", "VECTOR", "AGG_STATE"}

// behindType are the words that go on with a type; any other behind a first one is the type of a field with that name.
var behindType = []string{"PRECISION", "WITH", "WITHOUT", "VARYING", "UNSIGNED", "NOT", "COMMENT"}

// typeName is a type: Int32, Decimal(22,9), List<Int32?>, map<string,array<int>>, row(a integer), int[].
func (p *parser) typeName() (*ast.Type, error) {
	t, over, err := p.angled()
	if err == nil && over > 0 {
		err = problem("syntax.unexpected", span(p.last()), "`"+p.last().Value+"` closes more types than are open", "")
	}
	return t, err
}

// angled is a type; over counts the closing angles of enclosing types that its last token brought along: List<List<a>>.
func (p *parser) angled() (t *ast.Type, over int, err error) {
	if err := p.enter(); err != nil {
		return nil, 0, err
	}
	defer p.leave()
	from := p.pos()
	t = &ast.Type{Span: ast.Span{From: from}}
	if t.Name, err = p.typeWord(); err != nil {
		return nil, 0, err
	}
	switch {
	case oneOf(t.Name.Text, generics) && p.accept("<>"):
		t.Args = []ast.TypeField{}
	case p.is("<") && oneOf(t.Name.Text, generics):
		over, err = p.angles(t)
	case p.is("("):
		err = p.parens(t)
	}
	if err != nil {
		return nil, 0, err
	}
	if over == 0 {
		p.postfixType(t)
	}
	t.Span = p.since(from)
	t.To -= ast.Pos(over)
	return t, over, nil
}

// typeWord is the name of a type, which may have several words.
func (p *parser) typeWord() (ast.Name, error) {
	from, cursor := p.pos(), p.RawCursor()
	n, err := p.name("a type")
	if err != nil || n.Quoted {
		return n, err
	}
	switch {
	case p.is("."): // pg.int4 and the like
		for p.accept(".") {
			if _, err := p.name("a type"); err != nil {
				return n, err
			}
		}
	case fold(n.Text, "DOUBLE") && p.accept("PRECISION"):
	case oneOf(n.Text, []string{"CHARACTER", "CHAR", "BINARY"}) && p.accept("VARYING"):
	case p.accept("UNSIGNED"):
	default:
		return n, nil
	}
	return ast.Name{Span: p.since(from), Text: p.folded(cursor)}, nil
}

// angles is <a, b> or <name: a, name: b>.
func (p *parser) angles(t *ast.Type) (over int, err error) {
	opener := p.Next()
	for over == 0 {
		var f ast.TypeField
		if p.Peek().Type == tokNumber { // VECTOR<FLOAT, 3>
			var l *ast.Literal
			if l, err = p.number(); err != nil {
				return 0, err
			}
			t.Params = append(t.Params, l)
		} else if f, over, err = p.typeField(); err != nil {
			return 0, err
		} else {
			t.Args = append(t.Args, f)
		}
		switch {
		case over > 0:
		case p.accept(","):
			if p.is(">") {
				p.Next()
				over = 1
			}
		case p.accept(">"):
			over = 1
		case p.accept(">>"):
			over = 2
		default:
			return 0, p.unlisted(opener, ">", "type")
		}
	}
	return over - 1, nil
}

// typeField is an argument in angles: a type, or name: type [COMMENT '…'].
func (p *parser) typeField() (f ast.TypeField, over int, err error) {
	from := p.pos()
	if next := p.ahead(1); isPunct(next, ":") {
		var n ast.Name
		if t := p.Peek(); t.Type == tokString { // Enum and Variant name their fields with strings
			l := p.text(p.Next())
			n = ast.Name{Span: l.Span, Text: l.Text, Quoted: true}
		} else if n, err = p.name("a field name"); err != nil {
			return f, 0, err
		}
		f.Name = &n
		p.Next()
	} else if (next.Type == tokWord || next.Type == tokName) && !oneOf(next.Value, behindType) { // Flink: ROW<a INT>
		n, err := p.name("a field name")
		if err != nil {
			return f, 0, err
		}
		f.Name = &n
	}
	if f.Type, over, err = p.angled(); err != nil {
		return f, 0, err
	}
	if over == 0 && p.is("NOT", "NULL") { // says nothing that matters here
		p.Next()
		p.Next()
	}
	if over == 0 && p.accept("COMMENT") {
		if f.Comment, err = p.stringLit(); err != nil {
			return f, 0, err
		}
	}
	f.Span = p.since(from)
	f.To -= ast.Pos(over)
	return f, over, nil
}

// parens is (22, 9), or (a integer, b row(…)), or (bigint).
func (p *parser) parens(t *ast.Type) error {
	if p.ahead(1).Type == tokNumber {
		params, err := list(p, "type parameter", func() (*ast.Literal, error) {
			if p.Peek().Type != tokNumber {
				return nil, p.unexpected("a number")
			}
			return p.number()
		})
		t.Params = params
		return err
	}
	var err error
	t.Parens = true
	t.Args, err = list(p, "type", func() (f ast.TypeField, err error) {
		from := p.pos()
		if next := p.ahead(1); next.Type == tokWord && !oneOf(next.Value, behindType) ||
			next.Type == tokName {
			n, err := p.name("a field name")
			if err != nil {
				return f, err
			}
			f.Name = &n
		}
		f.Type, err = p.typeName()
		f.Span = p.since(from)
		return f, err
	})
	return err
}

// postfixType is what may follow a type: ?, [], WITH TIME ZONE.
func (p *parser) postfixType(t *ast.Type) {
	for {
		switch {
		case p.is("?") && !t.Optional:
			p.Next()
			t.Optional = true
		case p.is("??"): // optional twice: there is no short form in the tree
			p.Next()
			inner := *t
			inner.Optional = true
			inner.Span = p.since(t.From)
			*t = ast.Type{Name: ast.Name{Span: inner.Span, Text: "Optional"}, Args: []ast.TypeField{{Span: inner.Span, Type: &inner}}}
		case p.is("[", "]"):
			p.Next()
			p.Next()
			t.Array++
		case p.is("WITH", "TIME") || p.is("WITHOUT", "TIME") || p.is("WITH", "LOCAL"):
			at := p.RawCursor()
			for p.acceptOne("WITH", "WITHOUT", "LOCAL", "TIME", "ZONE") != "" {
			}
			t.Name.Text += " " + strings.ToLower(p.folded(at))
		default:
			return
		}
	}
}
