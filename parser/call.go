package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// wordedCall is a word with a bracket behind it: a function, or a form that looks like one.
func (p *parser) wordedCall(t *lexer.Token) (ast.Expr, error) {
	from := ast.Pos(t.Pos.Offset)
	switch strings.ToUpper(t.Value) {
	case "CASE":
		return p.caseExpr()
	case "CAST", "TRY_CAST", "BITCAST":
		return p.cast()
	case "EXISTS":
		if p.queryAhead(2) {
			p.Next()
			q, err := p.subquery()
			return &ast.Exists{Span: p.since(from), Query: q}, err
		}
	case "EXTRACT":
		if field := p.ahead(2); field.Type == tokWord && isWord(p.ahead(3), "FROM") {
			return p.extract()
		}
	case "INTERVAL": // INTERVAL (n) DAY, but Interval("P1D") of YQL is a call
		if !p.Modules {
			return p.interval()
		}
	}
	if oneOf(t.Value, notOperands) && (p.levels[ast.OpXor] > 0 || !fold(t.Value, "XOR")) { // xor(a, b) where it's no operator
		return nil, p.operand()
	}
	p.Next()
	return p.call(from, &ast.Call{Func: nameOf(t)})
}

// module is a::f(x); without arguments it is a name with "::" in it.
func (p *parser) module() (ast.Expr, error) {
	mod := nameOf(p.Next())
	p.Next()
	fn, err := p.name("a function of " + mod.Text)
	if err != nil {
		return nil, err
	}
	if p.is("(") {
		return p.call(mod.From, &ast.Call{Module: mod, Func: fn})
	}
	n := ast.Name{Span: p.since(mod.From), Text: mod.Text + "::" + fn.Text}
	return &ast.Ident{Span: n.Span, Parts: []ast.Name{n}}, nil
}

// cast is CAST(x AS type).
func (p *parser) cast() (ast.Expr, error) {
	from := p.pos()
	c := &ast.Cast{Form: strings.ToUpper(p.Next().Value)}
	opener := p.Next()
	var err error
	if c.X, err = p.expr(); err != nil {
		return nil, err
	}
	if err = p.expect("AS"); err != nil {
		return nil, err
	}
	if c.Type, err = p.typeName(); err != nil {
		return nil, err
	}
	if !p.accept(")") {
		return nil, p.unlisted(opener, ")", "type")
	}
	c.Span = p.since(from)
	return c, nil
}

// extract is EXTRACT(field FROM x).
func (p *parser) extract() (ast.Expr, error) {
	from := p.pos()
	p.Next()
	opener := p.Next()
	e := &ast.Extract{Field: nameOf(p.Next())}
	p.Next()
	var err error
	if e.X, err = p.expr(); err != nil {
		return nil, err
	}
	if !p.accept(")") {
		return nil, p.unlisted(opener, ")", "expression")
	}
	e.Span = p.since(from)
	return e, nil
}

// call is the arguments of c and what may follow them.
func (p *parser) call(from ast.Pos, c *ast.Call) (ast.Expr, error) {
	if err := p.args(c, false); err != nil {
		return nil, err
	}
	var err error
	if p.is("WITHIN", "GROUP", "(") {
		p.Next()
		p.Next()
		opener := p.Next()
		if c.Within, err = p.orderBy(); err != nil {
			return nil, err
		}
		if !p.accept(")") {
			return nil, p.unlisted(opener, ")", "order")
		}
	}
	if p.is("FILTER", "(") {
		p.Next()
		opener := p.Next()
		if err = p.expect("WHERE"); err != nil && !p.Braces {
			return nil, err
		}
		if c.Filter, err = p.expr(); err != nil {
			return nil, err
		}
		if !p.accept(")") {
			return nil, p.unlisted(opener, ")", "filter")
		}
	}
	if p.is("IGNORE", "NULLS") || p.is("RESPECT", "NULLS") {
		c.Nulls = strings.ToUpper(p.Next().Value)
		p.Next()
	}
	if p.is("OVER") {
		if c.Over, err = p.over(); err != nil {
			return nil, err
		}
	}
	c.Span = p.since(from)
	return c, nil
}

// args is (a, b AS c, …) with DISTINCT and ORDER BY; table: name = value is a named argument, not a comparison.
func (p *parser) args(c *ast.Call, table bool) error {
	opener := p.Next()
	if p.acceptOne("DISTINCT", "ALL") == "DISTINCT" {
		c.Distinct = true
	}
	for !p.accept(")") {
		if p.is("ORDER", "BY") {
			var err error
			if c.OrderBy, err = p.orderBy(); err != nil {
				return err
			}
		} else {
			a, err := p.arg(c, table)
			if err != nil {
				return err
			}
			c.Args = append(c.Args, a)
		}
		switch {
		case p.accept(","), p.is(")"), p.is("FROM"), p.is("FOR"), p.is("TO"), p.is("PLACING"), p.is("ORDER", "BY"):
		case len(c.Func.Text) > 5 && strings.EqualFold(c.Func.Text[:5], "JSON_") && p.closes():
			at := p.RawCursor()
			p.balanced()
			c.Extra = p.folded(at)
		default:
			return p.unlisted(opener, ")", "argument")
		}
	}
	return nil
}

// arg is an argument of a call.
func (p *parser) arg(c *ast.Call, table bool) (a ast.Arg, err error) {
	from := p.pos()
	if a.Sep = p.separator(c); a.Sep == "" {
		if t := p.Peek(); t.Type == tokWord || t.Type == tokName {
			sep := p.ahead(1)
			if isPunct(sep, "=>") || isPunct(sep, ":=") || table && isPunct(sep, "=") {
				n := nameOf(p.Next())
				a.Name, a.Sep = &n, p.Next().Value
			}
		}
	}
	if p.queryAhead(0) && !p.is("(") { // ANY (SELECT …)
		at := p.pos()
		q, err := p.query()
		if err != nil {
			return a, err
		}
		a.X = &ast.Subquery{Span: p.since(at), Query: q}
	} else if a.X, err = p.expr(); err != nil {
		return a, err
	}
	if a.Sep == "" && p.accept("AS") {
		n, err := p.key("a name")
		if err != nil {
			return a, err
		}
		a.Name, a.Sep = &n, "AS"
	}
	a.Span = p.since(from)
	return a, nil
}

// separator is the word before an argument: SUBSTRING(x FROM 2 FOR 3), TRIM(LEADING '0' FROM x), TRIM(BOTH FROM x).
func (p *parser) separator(c *ast.Call) string {
	if len(c.Args) == 0 && strings.EqualFold(c.Func.Text, "trim") && !isPunct(p.ahead(1), ")") && !isPunct(p.ahead(1), ",") {
		if side := p.acceptOne(sides...); side != "" && p.accept("FROM") {
			return side + " FROM"
		} else if side != "" {
			return side
		}
	}
	return p.acceptOne("FROM", "FOR", "TO", "PLACING")
}

// sides say where TRIM removes characters.
var sides = []string{"BOTH", "LEADING", "TRAILING"}

// over is OVER w or OVER (…).
func (p *parser) over() (*ast.Window, error) {
	p.Next()
	if p.is("(") {
		return p.window()
	}
	n, err := p.name("a window")
	return &ast.Window{Span: n.Span, Name: &n, Bare: true}, err
}

// window is ([base] [PARTITION BY …] [ORDER BY …] [frame]).
func (p *parser) window() (*ast.Window, error) {
	opener := p.Peek()
	if err := p.expect("("); err != nil {
		return nil, err
	}
	w := &ast.Window{}
	frames := []string{"ROWS", "RANGE", "GROUPS"}
	if t := p.Peek(); (t.Type == tokWord || t.Type == tokName) && !oneOf(t.Value, frames) && !isWord(t, "PARTITION") && !isWord(t, "ORDER") {
		w.Name = p.optionalName()
	}
	var err error
	if p.accept("PARTITION") {
		p.accept("COMPACT")
		if err = p.expect("BY"); err != nil {
			return nil, err
		}
		if w.PartitionBy, err = p.selectItems(); err != nil {
			return nil, err
		}
	}
	if p.is("ORDER") {
		if w.OrderBy, err = p.orderBy(); err != nil {
			return nil, err
		}
	}
	if t := p.Peek(); t.Type == tokWord && oneOf(t.Value, frames) {
		at := p.RawCursor()
		p.balanced()
		w.Frame = p.folded(at)
	}
	if !p.accept(")") {
		return nil, p.unlisted(opener, ")", "window")
	}
	w.Span = p.since(ast.Pos(opener.Pos.Offset))
	return w, nil
}
