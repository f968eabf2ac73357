package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// units may follow INTERVAL n.
var units = []string{"DAY", "DAYS", "HOUR", "HOURS", "MONTH", "MONTHS", "YEAR", "YEARS", "MINUTE", "MINUTES", "SECOND", "SECONDS",
	"WEEK", "WEEKS", "QUARTER", "QUARTERS", "MILLISECOND", "MILLISECONDS", "MICROSECOND", "MICROSECONDS"}

// worded is an operand that begins with a word: a literal, a special form, a call or a name.
func (p *parser) worded(t *lexer.Token) (ast.Expr, error) {
	next := p.ahead(1)
	if next.Type == tokPunct {
		switch next.Value {
		case "(":
			return p.wordedCall(t)
		case "::":
			if p.Modules {
				return p.module()
			}
		case "<", "?":
			if p.typeAhead() {
				from := p.pos()
				typ, err := p.typeName()
				return &ast.TypeExpr{Span: p.since(from), Type: typ}, err
			}
		case "[":
			if fold(t.Value, "ARRAY") {
				p.Next()
				items, err := between(p, "[", "]", "list item", p.expr)
				return &ast.ListExpr{Span: p.since(ast.Pos(t.Pos.Offset)), Items: items, Array: true}, err
			}
		case "{":
			if p.Braces && fold(t.Value, "MAP") {
				return p.mapExpr()
			}
		case "->":
			if constant(t.Value) || oneOf(t.Value, notOperands) {
				break
			}
			p.Next()
			return p.arrow([]ast.Param{{Span: span(t), Name: t.Value, Bare: true}}, ast.Pos(t.Pos.Offset))
		case ".", ",", ")", "=":
			if !oneOf(t.Value, notOperands) && !constant(t.Value) {
				return p.ident()
			}
		}
	}
	if l := p.constant(t); l != nil {
		return l, nil
	}
	switch {
	case fold(t.Value, "CASE") && !p.nameAhead():
		return p.caseExpr()
	case next.Type == tokString && p.typedText(t), p.zonedAhead():
		return p.typedLiteral()
	case p.Braces && fold(t.Value, "LAMBDA") && next.Type == tokWord && (isPunct(p.ahead(2), ":") || isPunct(p.ahead(2), ",")):
		return p.lambdaWord()
	case fold(t.Value, "INTERVAL") && p.intervalAhead(next):
		return p.interval()
	case oneOf(t.Value, notOperands):
		return nil, p.operand()
	}
	return p.ident()
}

// intervalAhead tells INTERVAL 1 DAY, INTERVAL k DAY and INTERVAL f(k) DAY from a column of that name.
func (p *parser) intervalAhead(next *lexer.Token) bool {
	switch {
	case next.Type == tokNumber, next.Type == tokString:
		return true
	case isPunct(next, "-"), isPunct(next, "+"):
		return p.unitAhead(3)
	case next.Type != tokWord || oneOf(next.Value, notOperands):
		return false
	case !isPunct(p.ahead(2), "("):
		return p.unitAhead(2)
	}
	for i, open := 3, 1; i < maxCallAhead; i++ {
		switch t := p.ahead(i); {
		case t.EOF():
			return false
		case isPunct(t, "("):
			open++
		case isPunct(t, ")"):
			if open--; open == 0 {
				return p.unitAhead(i + 1)
			}
		}
	}
	return false
}

// maxCallAhead is how far the end of a call behind INTERVAL is looked for.
const maxCallAhead = 64

// unitAhead tells INTERVAL -1 DAY from interval - 1.
func (p *parser) unitAhead(n int) bool {
	t := p.ahead(n)
	return t.Type == tokWord && oneOf(t.Value, units)
}

func constant(word string) bool { return oneOf(word, []string{"NULL", "TRUE", "FALSE"}) }

// constant is NULL, TRUE or FALSE, or nil.
func (p *parser) constant(t *lexer.Token) ast.Expr {
	kind := ast.BoolLit
	switch {
	case fold(t.Value, "NULL"):
		kind = ast.NullLit
	case !fold(t.Value, "TRUE") && !fold(t.Value, "FALSE"):
		return nil
	}
	p.Next()
	return &ast.Literal{Span: span(t), Kind: kind, Raw: t.Value, Text: t.Value}
}

// nameAhead reports whether CASE is a name here: an operator or the end of the expression follows.
func (p *parser) nameAhead() bool {
	t := p.ahead(1)
	return t.EOF() || t.Type == tokPunct && strings.Contains("=<>,;)", t.Value[:1])
}

// typeAhead reports whether a type stands where a value is expected: List<Int32>, Int32?.
func (p *parser) typeAhead() bool {
	t, next := p.Peek(), p.ahead(1)
	if next.Value == "?" {
		after := p.ahead(2)
		return p.Modules && (isPunct(after, ")") || isPunct(after, ","))
	}
	return p.Modules && oneOf(t.Value, generics) && end(t) == ast.Pos(next.Pos.Offset)
}

// typedText reports whether the word before a string is a type: DATE '2021-01-01', X'0A'.
func (p *parser) typedText(t *lexer.Token) bool {
	return !oneOf(t.Value, notOperands) && !fold(t.Value, "INTERVAL") && !fold(t.Value, "NOT")
}

// zonedAhead reports whether TIMESTAMP WITH TIME ZONE '…' stands here.
func (p *parser) zonedAhead() bool {
	return (p.is("TIMESTAMP") || p.is("TIME")) && (isWord(p.ahead(1), "WITH") || isWord(p.ahead(1), "WITHOUT")) && isWord(p.ahead(2), "TIME") &&
		isWord(p.ahead(3), "ZONE") && p.ahead(4).Type == tokString
}

func (p *parser) typedLiteral() (ast.Expr, error) {
	from, at := p.pos(), p.RawCursor()
	n := nameOf(p.Next())
	for p.Peek().Type == tokWord {
		p.Next()
		n = ast.Name{Span: p.since(from), Text: p.folded(at)}
	}
	l := p.text(p.Next())
	return &ast.TypedLiteral{Span: p.since(from), Type: &ast.Type{Span: n.Span, Name: n}, Text: l}, nil
}

// interval is INTERVAL 1 DAY, INTERVAL f(k) DAY, INTERVAL '1' DAY, INTERVAL '1 02:03' DAY TO MINUTE or INTERVAL '1 day'.
func (p *parser) interval() (ast.Expr, error) {
	from := p.pos()
	p.Next()
	x, err := p.prefix()
	if err != nil {
		return nil, err
	}
	unit := p.acceptOne(units...)
	if unit != "" && p.is("TO") && p.unitAhead(1) {
		p.Next()
		unit += " TO " + p.acceptOne(units...)
	}
	return &ast.Interval{X: x, Unit: unit, Span: p.since(from)}, nil
}

// caseExpr is CASE [operand] WHEN … THEN … [ELSE …] END.
func (p *parser) caseExpr() (ast.Expr, error) {
	opener := p.Next()
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	c := &ast.Case{}
	var err error
	if !p.is("WHEN") {
		if c.Operand, err = p.expr(); err != nil {
			return nil, err
		}
	}
	for p.is("WHEN") {
		from := p.pos()
		var w ast.When
		p.Next()
		if w.If, err = p.expr(); err != nil {
			return nil, err
		}
		if err = p.expect("THEN"); err != nil {
			return nil, err
		}
		if w.Then, err = p.expr(); err != nil {
			return nil, err
		}
		w.Span = p.since(from)
		c.Whens = append(c.Whens, w)
	}
	if len(c.Whens) == 0 {
		return nil, p.unexpected("WHEN")
	}
	if p.accept("ELSE") {
		if c.Else, err = p.expr(); err != nil {
			return nil, err
		}
	}
	if !p.accept("END") {
		if d := unreadable(p.Peek()); d != nil {
			return nil, d
		}
		return nil, problem("syntax.unclosed", span(opener), "CASE is not closed: expected END, found "+describe(p.Peek()), "")
	}
	c.Span = p.since(ast.Pos(opener.Pos.Offset))
	return c, nil
}

// parenthesised is (x), a tuple, a struct (a AS x, …), a lambda's parameters, or a subquery.
func (p *parser) parenthesised() (ast.Expr, error) {
	from := p.pos()
	if p.queryAhead(1) {
		q, err := p.subquery()
		return &ast.Subquery{Span: p.since(from), Query: q}, err
	}
	if p.lambdaAhead() {
		return p.lambda()
	}
	opener := p.Next()
	var items []ast.Expr
	for !p.is(")") {
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		if p.is("AS") && len(items) == 0 {
			return p.namedTuple(from, opener, x)
		}
		items = append(items, x)
		if p.accept(",") {
			continue
		}
		if !p.is(")") {
			return nil, p.unlisted(opener, ")", "expression")
		}
		if len(items) == 1 { // no comma: only brackets
			p.Next()
			return x, nil
		}
	}
	p.Next()
	return &ast.Tuple{Span: p.since(from), Items: items}, nil
}

// namedTuple is (1 AS a, 2 AS b), which is a struct.
func (p *parser) namedTuple(from ast.Pos, opener *lexer.Token, first ast.Expr) (ast.Expr, error) {
	s := &ast.StructExpr{}
	for x := first; ; {
		if err := p.expect("AS"); err != nil {
			return nil, err
		}
		n, err := p.name("a field name")
		if err != nil {
			return nil, err
		}
		s.Fields = append(s.Fields, ast.Arg{Span: p.since(x.Pos()), Name: &n, Sep: "AS", X: x})
		if !p.accept(",") && !p.is(")") {
			return nil, p.unlisted(opener, ")", "field")
		}
		if p.accept(")") {
			s.Span = p.since(from)
			return s, nil
		}
		if x, err = p.expr(); err != nil {
			return nil, err
		}
	}
}

// structExpr is <|a: 1, b: 2|>.
func (p *parser) structExpr() (ast.Expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	from := p.pos()
	fields, err := between(p, "<|", "|>", "field", func() (ast.Arg, error) { return p.field(":") })
	return &ast.StructExpr{Span: p.since(from), Fields: fields}, err
}

// field is name: value; the name may be a string.
func (p *parser) field(sep string) (a ast.Arg, err error) {
	from := p.pos()
	n, err := p.key("a field name")
	if err != nil {
		return a, err
	}
	if err = p.expect(sep); err != nil {
		return a, err
	}
	a = ast.Arg{Name: &n, Sep: sep}
	a.X, err = p.expr()
	a.Span = p.since(from)
	return a, err
}

// key is a name or a string that stands for one.
func (p *parser) key(what string) (ast.Name, error) {
	if t := p.Peek(); t.Type == tokString {
		l := p.text(p.Next())
		return ast.Name{Span: l.Span, Text: l.Text, Quoted: true}, nil
	}
	return p.name(what)
}

// braces is {k: v}, {a, b} or {}; in some dialects a struct, {'k': v}.
func (p *parser) braces() (ast.Expr, error) {
	from := p.pos()
	if p.Braces {
		fields, err := between(p, "{", "}", "field", func() (ast.Arg, error) { return p.field(":") })
		return &ast.StructExpr{Span: p.since(from), Fields: fields}, err
	}
	d := &ast.DictExpr{}
	_, err := between(p, "{", "}", "item", func() (struct{}, error) {
		k, err := p.expr()
		if err != nil {
			return struct{}{}, err
		}
		var v ast.Expr
		if p.accept(":") {
			if v, err = p.expr(); err != nil {
				return struct{}{}, err
			}
		}
		d.Keys, d.Values = append(d.Keys, k), append(d.Values, v)
		return struct{}{}, nil
	})
	d.Span = p.since(from)
	return d, err
}

// queryAhead reports whether a query stands n tokens ahead; it may stand in further brackets.
func (p *parser) queryAhead(n int) bool {
	t := p.ahead(n)
	if isPunct(t, "(") {
		if !p.queryAhead(n + 1) {
			return false
		}
		// ((SELECT 1) + 1) is an expression, ((SELECT 1) UNION SELECT 2) a query.
		shut, ok := p.closing(p.RawCursor() + lexer.RawCursor(n))
		if !ok {
			return true
		}
		after := &p.Range(shut+1, shut+2)[0]
		return isPunct(after, ")") || after.Type == tokWord && oneOf(after.Value, []string{"UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "OFFSET"})
	}
	if t.Type != tokWord {
		return false
	}
	next := p.ahead(n + 1)
	switch {
	case p.reshapeAhead(n):
		return true
	case p.tableAhead(n):
		return p.Braces // elsewhere a name may stand behind the table TABLE
	case fold(t.Value, "SELECT"), fold(t.Value, "VALUES"):
		return !isPunct(next, ",") && !isPunct(next, ")")
	case fold(t.Value, "FROM"), fold(t.Value, "WITH"):
		return next.Type != tokPunct || next.Value == "(" || next.Value == "@"
	}
	return false
}
