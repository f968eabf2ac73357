package parser

import (
	"github.com/yqlplan/yqlplan/ast"
)

// lambdaAhead reports whether the bracket here holds the parameters of a lambda.
func (p *parser) lambdaAhead() bool {
	if !isPunct(p.ahead(1), ")") && p.ahead(1).Type != tokParam && p.ahead(1).Type != tokWord {
		return false
	}
	for at := p.RawCursor() + 1; ; at++ {
		switch t := &p.Range(at, at+1)[0]; {
		case isPunct(t, ")"):
			return isPunct(&p.Range(at+1, at+2)[0], "->")
		case t.Type != tokParam && t.Type != tokWord && !isPunct(t, ",") && !isPunct(t, "?"):
			return false
		}
	}
}

// lambda is ($x, $y?) -> (body) or ($x) -> { … RETURN body; }.
func (p *parser) lambda() (ast.Expr, error) {
	from := p.pos()
	params, err := list(p, "parameter", func() (ast.Param, error) {
		t := p.Next()
		param := ast.Param{Name: t.Value, Bare: true}
		if t.Type == tokParam {
			param = ast.Param{Name: t.Value[1:]}
		}
		param.Optional = p.accept("?")
		param.Span = p.since(ast.Pos(t.Pos.Offset))
		return param, nil
	})
	if err != nil {
		return nil, err
	}
	return p.arrow(params, from)
}

// arrow is -> and the body of a lambda.
func (p *parser) arrow(params []ast.Param, from ast.Pos) (ast.Expr, error) {
	if err := p.expect("->"); err != nil {
		return nil, err
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	l := &ast.Lambda{Params: params}
	var err error
	if p.is("{") {
		err = p.block(l)
	} else {
		l.Body, err = p.expr()
	}
	l.Span = p.since(from)
	return l, err
}

// block is { $a = …; RETURN body; }.
func (p *parser) block(l *ast.Lambda) error {
	l.Block = true
	opener := p.Next()
	for p.Peek().Type == tokParam {
		let, err := p.let()
		if err != nil {
			return err
		}
		l.Lets = append(l.Lets, let)
		if err := p.expect(";"); err != nil {
			return err
		}
	}
	if err := p.expect("RETURN"); err != nil {
		return err
	}
	var err error
	if l.Body, err = p.expr(); err != nil {
		return err
	}
	p.accept(";")
	if p.Peek().EOF() {
		return problem("syntax.unclosed", span(opener), "the bracket { of the lambda is not closed", "")
	}
	return p.expect("}")
}
