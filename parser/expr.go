package parser

import (
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// notOperands are the words that can't be a column's name, so that a missing operand is seen where it is missing.
var notOperands = []string{"AND", "OR", "XOR", "IN", "IS", "LIKE", "ILIKE", "BETWEEN", "WHERE", "FROM", "GROUP", "HAVING", "ORDER", "LIMIT",
	"UNION", "INTERSECT", "EXCEPT", "JOIN", "ON", "USING", "AS", "THEN", "WHEN", "ELSE", "END", "SELECT", "BY", "WITH", "SET", "INTO"}

// expr is a whole expression.
func (p *parser) expr() (ast.Expr, error) { return p.climb(1) }

// climb is precedence climbing: an operand, then all operators of at least the level and their right sides.
func (p *parser) climb(level int) (ast.Expr, error) {
	from := p.pos()
	left, err := p.prefix()
	for chain := 0; err == nil; chain++ {
		op, ok := p.operator()
		if !ok || op.level < level {
			return left, nil
		}
		if chain == maxChain {
			return nil, chained(p.Peek())
		}
		left, err = p.infix(from, left, op)
	}
	return nil, err
}

// nested is climb where the text nests without a bracket: these levels are counted.
func (p *parser) nested(level int) (ast.Expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	x, err := p.climb(level)
	p.leave()
	return x, err
}

// operator is the infix or postfix operator that comes next, which isn't taken.
func (p *parser) operator() (operator, bool) {
	t := p.Peek()
	var op operator
	var ok bool
	switch t.Type {
	case tokPunct:
		op, ok = p.operators[t.Value]
	case tokWord:
		var buf [16]byte
		if len(t.Value) > len(buf) {
			return op, false
		}
		for i := range len(t.Value) {
			c := t.Value[i]
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			buf[i] = c
		}
		op, ok = p.operators[string(buf[:len(t.Value)])]
	}
	if !ok {
		return op, false
	}
	switch op.op {
	case ast.OpNot: // a NOT IN b
		if next := p.ahead(1); next.Type == tokWord {
			op, ok = p.operators[strings.ToUpper(next.Value)]
			return op, ok && predicate(op.op)
		}
		return op, false
	case ast.OpIs:
		if p.is("IS", "DISTINCT") || p.is("IS", "NOT", "DISTINCT") {
			return operator{ast.OpDistinct, p.levels[ast.OpDistinct]}, true
		}
	}
	return op, true
}

// predicate reports whether an operator may stand behind NOT.
func predicate(op ast.Op) bool {
	switch op {
	case ast.OpIn, ast.OpBetween, ast.OpLike, ast.OpILike, ast.OpGlob, ast.OpRegexp, ast.OpRLike, ast.OpMatch, ast.OpSimilar:
		return true
	}
	return false
}

// infix takes the operator and what stands to its right.
func (p *parser) infix(from ast.Pos, left ast.Expr, op operator) (ast.Expr, error) {
	switch op.op {
	case ast.OpAnd, ast.OpOr, ast.OpXor, ast.OpConcat:
		return p.chain(from, left, op)
	case ast.OpDistinct:
		return p.distinct(from, left, op)
	case ast.OpIs:
		return p.isNull(from, left)
	case ast.OpBetween:
		return p.between(from, left, op)
	case ast.OpIn:
		return p.in(from, left, op)
	}
	if predicate(op.op) {
		return p.like(from, left, op)
	}
	at := p.pos()
	p.Next()
	var right ast.Expr
	var err error
	if op.op == ast.OpCoalesce { // right-associative
		right, err = p.nested(op.level)
	} else {
		right, err = p.climb(op.level + 1)
	}
	if err != nil {
		return nil, err
	}
	return &ast.Binary{Span: p.since(from), Op: op.op, OpPos: at, L: left, R: right}, nil
}

// chain is a AND b AND c: one node, whatever its length.
func (p *parser) chain(from ast.Pos, left ast.Expr, op operator) (ast.Expr, error) {
	args := append(make([]ast.Expr, 0, 4), left)
	for next := op; next == op; next, _ = p.operator() {
		p.Next()
		x, err := p.climb(op.level + 1)
		if err != nil {
			return nil, err
		}
		args = append(args, x)
	}
	return &ast.Logic{Span: p.since(from), Op: op.op, Args: args}, nil
}

func (p *parser) distinct(from ast.Pos, left ast.Expr, op operator) (ast.Expr, error) {
	x := &ast.Binary{Op: ast.OpDistinct, OpPos: p.pos(), L: left}
	p.Next()
	if p.accept("NOT") {
		x.Op = ast.OpNotDistinct
	}
	if err := p.expect("DISTINCT", "FROM"); err != nil {
		return nil, err
	}
	var err error
	x.R, err = p.climb(op.level + 1)
	x.Span = p.since(from)
	return x, err
}

// isNull is IS [NOT] NULL, ISNULL, NOTNULL, IS [NOT] TRUE and so on.
func (p *parser) isNull(from ast.Pos, left ast.Expr) (ast.Expr, error) {
	x := &ast.Is{X: left, What: "NULL"}
	if t := p.Next(); fold(t.Value, "IS") {
		x.Not = p.accept("NOT")
		if x.What = p.acceptOne("NULL", "TRUE", "FALSE", "UNKNOWN"); x.What == "" {
			return nil, p.unexpected("NULL, TRUE or FALSE")
		}
	} else {
		x.Not = fold(t.Value, "NOTNULL")
	}
	x.Span = p.since(from)
	return x, nil
}

func (p *parser) between(from ast.Pos, left ast.Expr, op operator) (ast.Expr, error) {
	x := &ast.Between{X: left, Not: p.accept("NOT")}
	p.Next()
	x.Symmetric = p.acceptOne("SYMMETRIC", "ASYMMETRIC") == "SYMMETRIC"
	var err error
	if x.Lo, err = p.climb(op.level + 1); err != nil {
		return nil, err
	}
	if err = p.expect("AND"); err != nil {
		return nil, err
	}
	x.Hi, err = p.climb(op.level + 1)
	x.Span = p.since(from)
	return x, err
}

func (p *parser) in(from ast.Pos, left ast.Expr, op operator) (ast.Expr, error) {
	x := &ast.In{X: left, Not: p.accept("NOT")}
	p.Next()
	p.accept("COMPACT")
	var err error
	if p.is("(") && !p.queryAhead(1) { // always a list, also with one item
		at := p.pos()
		var items []ast.Expr
		if items, err = list(p, "value", p.expr); err != nil {
			return nil, err
		}
		x.Set = &ast.Tuple{Span: p.since(at), Items: items}
	} else if x.Set, err = p.climb(op.level + 1); err != nil {
		return nil, err
	}
	x.Span = p.since(from)
	return x, nil
}

func (p *parser) like(from ast.Pos, left ast.Expr, op operator) (ast.Expr, error) {
	x := &ast.Like{Op: op.op, X: left, Not: p.accept("NOT")}
	if t := p.Next(); t.Type == tokPunct {
		x.Not = t.Value[0] == '!'
	} else if op.op == ast.OpSimilar {
		if err := p.expect("TO"); err != nil {
			return nil, err
		}
	}
	var err error
	if x.Pattern, err = p.climb(op.level + 1); err != nil {
		return nil, err
	}
	if p.accept("ESCAPE") {
		if x.Escape, err = p.climb(op.level + 1); err != nil {
			return nil, err
		}
	}
	x.Span = p.since(from)
	return x, nil
}

// prefix is an operand with the signs and NOTs before it.
func (p *parser) prefix() (ast.Expr, error) {
	t := p.Peek()
	op := ast.Op(t.Value)
	level := len(p.Levels) + 1 // tighter than any infix operator
	switch {
	case isWord(t, "NOT"):
		op = ast.OpNot
		if l, ok := p.levels[ast.OpNot]; ok {
			level = l
		}
	case t.Type != tokPunct:
		return p.postfix()
	case t.Value == "!":
		op = ast.OpNot
	case t.Value == "@" && p.Chained, t.Value == "*" && p.ahead(1).Type == tokWord && fold(p.ahead(1).Value, "COLUMNS") && isPunct(p.ahead(2), "("):
	case t.Value != "-" && t.Value != "+" && t.Value != "~":
		return p.postfix()
	}
	p.Next()
	x, err := p.nested(level)
	if err != nil {
		return nil, err
	}
	return &ast.Unary{Span: p.since(ast.Pos(t.Pos.Offset)), Op: op, X: x}, nil
}

// postfix is a primary with what may follow it: .name, [i], (args), ::type.
func (p *parser) postfix() (ast.Expr, error) {
	from := p.pos()
	x, err := p.primary()
	for n := 0; err == nil; n++ {
		if n == maxChain {
			return nil, chained(p.Peek())
		}
		switch t := p.Peek(); {
		case t.Type == tokPunct:
			switch t.Value {
			case ".":
				x, err = p.member(from, x)
				continue
			case "[":
				x, err = p.index(from, x)
				continue
			case "::":
				p.Next()
				c := &ast.Cast{X: x, Form: "::"}
				c.Type, err = p.typeName()
				c.Span = p.since(from)
				x = c
				continue
			case "(":
				if callable(x) || p.method(x) {
					x, err = p.call(from, &ast.Call{Callee: x})
					continue
				}
			}
			return x, nil
		case p.is("AT", "TIME", "ZONE"):
			x, err = p.infixWord(from, x, 3, ast.AtTimeZone, p.primary)
			continue
		case p.Chained && p.is("COLLATE"):
			x, err = p.infixWord(from, x, 1, ast.Collate, p.collation)
			continue
		}
		return x, nil
	}
	return nil, err
}

// infixWord is a call that is written with words between its arguments: x AT TIME ZONE zone, x COLLATE name.
func (p *parser) infixWord(from ast.Pos, x ast.Expr, words int, name string, right func() (ast.Expr, error)) (ast.Expr, error) {
	at := p.pos()
	for range words {
		p.Next()
	}
	fn := ast.Name{Span: p.since(at), Text: name}
	y, err := right()
	if err != nil {
		return nil, err
	}
	arg := func(x ast.Expr) ast.Arg { return ast.Arg{Span: ast.Span{From: x.Pos(), To: x.End()}, X: x} }
	return &ast.Call{Span: p.since(from), Func: fn, Args: []ast.Arg{arg(x), arg(y)}}, nil
}

// collation is a name such as nocase.noaccent.
func (p *parser) collation() (ast.Expr, error) {
	from := p.pos()
	parts, err := p.dotted("a collation")
	return &ast.Ident{Span: p.since(from), Parts: parts}, err
}

// method reports whether ( behind x is a call in dialects that chain them: name.starts_with('a').
func (p *parser) method(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && p.Chained && len(id.Parts) > 1 && !id.Parts[len(id.Parts)-1].Quoted
}

// callable reports whether ( behind x is a call: $f(x), $m.f(x), f(x)(y).
func callable(x ast.Expr) bool {
	switch x.(type) {
	case *ast.Param, *ast.Member, *ast.Index, *ast.Call:
		return true
	}
	return false
}

func (p *parser) member(from ast.Pos, x ast.Expr) (ast.Expr, error) {
	p.Next()
	t := p.Peek()
	if t.Type == tokNumber {
		p.Next()
		return &ast.Member{Span: p.since(from), X: x, Name: ast.Name{Span: span(t), Text: t.Value}}, nil
	}
	n, err := p.name("a field name")
	if err != nil {
		return nil, err
	}
	return &ast.Member{Span: p.since(from), X: x, Name: n}, nil
}

func (p *parser) index(from ast.Pos, x ast.Expr) (ast.Expr, error) {
	opener := p.Next()
	var i ast.Expr
	var err error
	if !p.is(":") {
		if i, err = p.expr(); err != nil {
			return nil, err
		}
	}
	if p.is(":") && p.Braces {
		return p.slice(from, x, i, opener)
	}
	if !p.accept("]") {
		return nil, p.unlisted(opener, "]", "index")
	}
	return &ast.Index{Span: p.since(from), X: x, I: i}, nil
}

// primary is an operand without operators.
func (p *parser) primary() (ast.Expr, error) {
	switch t := p.Peek(); t.Type {
	case tokNumber:
		return p.number()
	case tokString:
		return p.literal()
	case tokParam:
		p.Next()
		return &ast.Param{Span: span(t), Name: t.Value[1:]}, nil
	case tokName:
		if p.isText(t) {
			return p.text(p.Next()), nil
		}
		return p.ident()
	case tokWord:
		return p.worded(t)
	case tokPunct:
		return p.bracketed(t)
	}
	return nil, p.operand()
}

// bracketed is an operand that begins with punctuation.
func (p *parser) bracketed(t *lexer.Token) (ast.Expr, error) {
	switch t.Value {
	case "(":
		return p.parenthesised()
	case "[":
		return p.listExpr()
	case "{":
		return p.braces()
	case "<|":
		return p.structExpr()
	case "?":
		if p.Marks {
			p.Next()
			return &ast.Param{Span: span(t), Name: strconv.Itoa(t.Pos.Column), Mark: true}, nil
		}
	case "*":
		p.Next()
		return p.star(ast.Pos(t.Pos.Offset), nil)
	}
	return nil, p.operand()
}

// ident is a name, possibly qualified, or a star: a, a.b, a.*.
func (p *parser) ident() (ast.Expr, error) {
	x := &struct {
		ast.Ident
		room [2]ast.Name
	}{}
	first := nameOf(p.Next())
	parts := append(x.room[:0], first)
	for p.is(".") && len(parts) < maxChain {
		switch next := p.ahead(1); next.Type {
		case tokWord, tokName:
			p.Next()
			parts = append(parts, nameOf(p.Next()))
			continue
		case tokPunct:
			if next.Value == "*" {
				p.Next()
				p.Next()
				return p.star(first.From, parts)
			}
		}
		break
	}
	x.Ident = ast.Ident{Span: p.since(first.From), Parts: parts}
	return &x.Ident, nil
}
