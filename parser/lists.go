package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// listExpr is [a, b] or [x FOR a IN list IF condition].
func (p *parser) listExpr() (ast.Expr, error) {
	from := p.pos()
	var loop *ast.Comprehension
	items, err := between(p, "[", "]", "list item", func() (ast.Expr, error) {
		x, err := p.expr()
		if err == nil && p.Braces && p.is("FOR") {
			loop = &ast.Comprehension{X: x}
			err = p.comprehension(loop)
		}
		return x, err
	})
	if loop == nil || err != nil {
		return &ast.ListExpr{Span: p.since(from), Items: items}, err
	}
	if len(items) > 1 {
		return nil, problem("syntax.unexpected", p.since(from), "a list with FOR has one item", "")
	}
	loop.Span = p.since(from)
	return loop, nil
}

// comprehension is FOR a[, i] IN list [IF condition].
func (p *parser) comprehension(c *ast.Comprehension) (err error) {
	p.Next()
	for {
		n, err := p.name("a name")
		if err != nil {
			return err
		}
		c.Params = append(c.Params, ast.Param{Span: n.Span, Name: n.Text, Bare: true})
		if !p.accept(",") {
			break
		}
	}
	if err = p.expect("IN"); err != nil {
		return err
	}
	if c.List, err = p.expr(); err == nil && p.accept("IF") {
		c.If, err = p.expr()
	}
	return err
}

// lambdaWord is lambda x, y: body.
func (p *parser) lambdaWord() (ast.Expr, error) {
	from := p.pos()
	p.Next()
	l := &ast.Lambda{Word: true}
	for {
		n, err := p.name("a parameter")
		if err != nil {
			return nil, err
		}
		l.Params = append(l.Params, ast.Param{Span: n.Span, Name: n.Text, Bare: true})
		if !p.accept(",") {
			break
		}
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	var err error
	l.Body, err = p.expr()
	l.Span = p.since(from)
	return l, err
}

// slice is what follows x[lo, which may be missing: [:hi], [lo:hi:step]; - stands for no upper bound.
func (p *parser) slice(from ast.Pos, x, lo ast.Expr, opener *lexer.Token) (ast.Expr, error) {
	s := &ast.Slice{X: x, Lo: lo}
	var err error
	p.Next()
	switch {
	case p.is("-", ":"), p.is("-", "]"):
		p.Next()
	case !p.is("]") && !p.is(":"):
		if s.Hi, err = p.expr(); err != nil {
			return nil, err
		}
	}
	if p.accept(":") {
		if s.Step, err = p.expr(); err != nil {
			return nil, err
		}
	}
	if !p.accept("]") {
		return nil, p.unlisted(opener, "]", "bound")
	}
	s.Span = p.since(from)
	return s, nil
}

// mapExpr is MAP {k: v, …}.
func (p *parser) mapExpr() (ast.Expr, error) {
	from := p.pos()
	p.Next()
	d := &ast.DictExpr{}
	_, err := between(p, "{", "}", "item", func() (struct{}, error) {
		k, err := p.expr()
		if err != nil {
			return struct{}{}, err
		}
		if err = p.expect(":"); err != nil {
			return struct{}{}, err
		}
		v, err := p.expr()
		d.Keys, d.Values = append(d.Keys, k), append(d.Values, v)
		return struct{}{}, err
	})
	d.Span = p.since(from)
	return d, err
}

// joinedText is a string with those that follow on the next lines, in dialects that take them for one.
func (p *parser) joinedText(l *ast.Literal) ast.Expr {
	for p.JoinedStrings && p.Peek().Type == tokString && p.Peek().Pos.Line > 0 {
		next := p.text(p.Next())
		l = &ast.Literal{Span: p.since(l.From), Kind: ast.StringLit, Quote: l.Quote, Text: l.Text + next.Text, Raw: l.Raw + "\n" + next.Raw}
	}
	return l
}
