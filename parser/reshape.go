package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// reshapes are the verbs of DuckDB that make other rows of a table or query.
var reshapes = []string{"SUMMARIZE", "DESCRIBE", "PIVOT", "PIVOT_WIDER", "UNPIVOT", "PIVOT_LONGER"}

// reshapeAhead reports whether one of them stands n tokens ahead, before what it reads.
func (p *parser) reshapeAhead(n int) bool {
	t, next := p.ahead(n), p.ahead(n+1)
	if !p.Braces || t.Type != tokWord || !oneOf(t.Value, reshapes) {
		return false
	}
	return next.Type == tokString || next.Type == tokName || isPunct(next, "(") && p.queryAhead(n+2) ||
		next.Type == tokWord && (!oneOf(next.Value, notAliases) || oneOf(next.Value, []string{"SELECT", "FROM", "WITH", "VALUES"}))
}

// reshape is SUMMARIZE t, PIVOT t ON … USING … GROUP BY …, UNPIVOT t ON … INTO NAME n VALUE v.
func (p *parser) reshape() (ast.Query, error) {
	from := p.pos()
	q := &ast.Reshape{Verb: strings.ToUpper(p.Next().Value)}
	var err error
	if p.queryAhead(0) && !p.is("(") {
		q.Query, err = p.query()
	} else {
		q.Source, err = p.table()
	}
	if err == nil && p.accept("INCLUDE", "NULLS") {
		q.Nulls = true
	}
	if err == nil && p.accept("ON") {
		q.On, err = p.selectItems()
	}
	if err == nil && p.accept("USING") {
		q.Using, err = p.selectItems()
	}
	if err == nil && p.accept("GROUP", "BY") {
		q.GroupBy, err = p.selectItems()
	}
	if err == nil && p.accept("INTO", "NAME") {
		err = p.unpivoted(q)
	}
	q.Span = p.since(from)
	return q, err
}

// unpivoted is the names behind INTO NAME: n VALUE v, w.
func (p *parser) unpivoted(q *ast.Reshape) error {
	key, err := p.name("a column")
	if q.Name = &key; err != nil {
		return err
	}
	if err = p.expect("VALUE"); err != nil {
		return err
	}
	for {
		n, err := p.name("a column")
		if err != nil {
			return err
		}
		if q.Values = append(q.Values, n); !p.accept(",") {
			return nil
		}
	}
}

// pivotAhead reports whether PIVOT (…) or UNPIVOT (…) stands here, behind a table.
func (p *parser) pivotAhead() bool {
	if !p.Braces || !p.is("PIVOT") && !p.is("UNPIVOT") {
		return false
	}
	return isPunct(p.ahead(1), "(") || isWord(p.ahead(1), "INCLUDE") || isWord(p.ahead(1), "EXCLUDE")
}

// pivoted is t PIVOT (sum(v) FOR y IN (1, 2) GROUP BY m), which is PIVOT t ON y IN (1, 2) USING sum(v) GROUP BY m; and t
// UNPIVOT (v FOR n IN (a, b)), which is UNPIVOT t ON a, b INTO NAME n VALUE v.
func (p *parser) pivoted(from ast.Pos, source ast.TableExpr) (ast.TableExpr, error) {
	at := p.pos()
	q := &ast.Reshape{Source: source, Verb: strings.ToUpper(p.Next().Value)}
	if q.Nulls = p.accept("INCLUDE", "NULLS"); !q.Nulls {
		p.accept("EXCLUDE", "NULLS")
	}
	opener := p.Peek()
	err := p.expect("(")
	if err == nil && q.Verb == "PIVOT" {
		err = p.pivotBody(q)
	} else if err == nil {
		err = p.unpivotBody(q)
	}
	if err != nil {
		return nil, err
	}
	if !p.accept(")") {
		return nil, p.unlisted(opener, ")", "column")
	}
	q.Span = p.since(at)
	d := &ast.DerivedTable{Query: q}
	d.Alias, d.Columns, err = p.tableAlias(nil)
	d.Span = p.since(from)
	return d, err
}

func (p *parser) pivotBody(q *ast.Reshape) (err error) {
	if q.Using, err = p.selectItems(); err != nil {
		return err
	}
	if err = p.expect("FOR"); err != nil {
		return err
	}
	for !p.is(")") && !p.is("GROUP", "BY") && !p.Peek().EOF() {
		x, err := p.expr()
		if err != nil {
			return err
		}
		q.On = append(q.On, ast.SelectItem{Span: ast.Span{From: x.Pos(), To: x.End()}, X: x})
	}
	if p.accept("GROUP", "BY") {
		q.GroupBy, err = p.selectItems()
	}
	return err
}

func (p *parser) unpivotBody(q *ast.Reshape) (err error) {
	if q.Values, err = oneOrList(p, "column", func() (ast.Name, error) { return p.name("a column") }); err != nil {
		return err
	}
	if err = p.expect("FOR"); err != nil {
		return err
	}
	n, err := p.name("a column")
	if q.Name = &n; err != nil {
		return err
	}
	if err = p.expect("IN"); err != nil {
		return err
	}
	q.On, err = list(p, "column", p.flatItem)
	return err
}
