package parser

import "github.com/yqlplan/yqlplan/ast"

// star is what may follow * in a select list: EXCLUDE (a, b) REPLACE (a + 1 AS a) RENAME (b AS c).
func (p *parser) star(from ast.Pos, table []ast.Name) (ast.Expr, error) {
	s := &ast.Star{Table: table}
	var err error
	if p.is("EXCLUDE") || p.is("EXCEPT", "(") && !p.queryAhead(2) {
		p.Next()
		s.Exclude, err = oneOrList(p, "column", func() (ast.Name, error) { return p.name("a column name") })
	}
	if err == nil && p.Prefixed && p.accept("REPLACE") {
		s.Replace, err = oneOrList(p, "column", p.replacement)
	}
	if err == nil && p.Prefixed && p.accept("RENAME") {
		s.Rename, err = oneOrList(p, "column", p.renaming)
	}
	s.Span = p.since(from)
	return s, err
}

// oneOrList is an item, or several in brackets.
func oneOrList[T any](p *parser, what string, item func() (T, error)) ([]T, error) {
	if p.is("(") {
		return list(p, what, item)
	}
	x, err := item()
	return []T{x}, err
}

// replacement is expr AS column.
func (p *parser) replacement() (it ast.SelectItem, err error) {
	from := p.pos()
	if it.X, err = p.expr(); err != nil {
		return it, err
	}
	if err = p.expect("AS"); err != nil {
		return it, err
	}
	n, err := p.name("a column name")
	it.Alias, it.Span = &n, p.since(from)
	return it, err
}

// renaming is column AS name.
func (p *parser) renaming() (r ast.Renaming, err error) {
	if r.From, err = p.name("a column name"); err != nil {
		return r, err
	}
	if err = p.expect("AS"); err == nil {
		r.To, err = p.name("a column name")
	}
	return r, err
}
