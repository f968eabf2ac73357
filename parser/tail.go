package parser

import "github.com/yqlplan/yqlplan/ast"

// tail is [ORDER BY …] [INTO RESULT name] [LIMIT n [OFFSET m]] in the orders that dialects know.
func (p *parser) tail() (t ast.Tail, err error) {
	p.accept("ASSUME") // YQL: the rows are in this order already
	if p.is("ORDER") {
		if t.OrderBy, err = p.orderBy(); err != nil {
			return t, err
		}
	}
	if p.Modules && p.accept("INTO", "RESULT") {
		var n ast.Name
		n, err = p.key("a name of the result")
		t.Result = &n
	}
	for err == nil {
		switch {
		case t.Limit == nil && p.accept("LIMIT"):
			if p.accept("ALL") {
				continue
			}
			if t.Limit, t.Percent, err = p.limit(); err == nil && t.Offset == nil && p.accept(",") { // LIMIT offset, count
				t.Offset = t.Limit
				t.Limit, err = p.expr()
			}
		case t.Offset == nil && p.accept("OFFSET"):
			t.Offset, err = p.expr()
			p.acceptOne("ROW", "ROWS")
		case t.Limit == nil && (p.is("FETCH", "FIRST") || p.is("FETCH", "NEXT")):
			p.Next()
			p.Next()
			if t.Limit, err = p.expr(); err == nil {
				p.acceptOne("ROW", "ROWS")
				err = p.expect("ONLY")
			}
		default:
			return t, nil
		}
	}
	return t, err
}

// limit is n, or 10% and x PERCENT of dialects that have it: a % behind a number alone never divides there.
func (p *parser) limit() (x ast.Expr, percent bool, err error) {
	if p.Braces && p.Peek().Type == tokNumber && isPunct(p.ahead(1), "%") {
		if x, err = p.number(); err == nil {
			p.Next()
		}
		return x, true, err
	}
	x, err = p.expr()
	return x, err == nil && p.accept("PERCENT"), err
}

// orderBy is ORDER BY expr [ASC|DESC] [NULLS FIRST|LAST], ….
func (p *parser) orderBy() ([]ast.OrderItem, error) {
	p.Next()
	if err := p.expect("BY"); err != nil {
		return nil, err
	}
	return p.orderItems()
}

func (p *parser) orderItems() ([]ast.OrderItem, error) {
	var out []ast.OrderItem
	for {
		o, err := p.orderItem()
		if err != nil {
			return nil, err
		}
		out = append(out, o)
		if !p.accept(",") {
			return out, nil
		}
	}
}

func (p *parser) orderItem() (o ast.OrderItem, err error) {
	from := p.pos()
	if o.X, err = p.expr(); err != nil {
		return o, err
	}
	o.Desc = p.acceptOne("ASC", "DESC") == "DESC"
	if p.accept("NULLS") {
		if o.Nulls = p.acceptOne("FIRST", "LAST"); o.Nulls == "" {
			return o, p.unexpected("FIRST or LAST")
		}
	}
	o.Span = p.since(from)
	return o, nil
}
