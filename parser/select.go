package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// notAliases are the words that can't be an alias without AS, since a clause begins with them.
var notAliases = []string{"FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "OFFSET", "FETCH", "UNION", "INTERSECT", "EXCEPT", "MINUS", "JOIN", "INNER", "LEFT",
	"RIGHT", "FULL", "CROSS", "EXCLUSION", "NATURAL", "SEMI", "ANTI", "ASOF", "POSITIONAL", "ANY", "ON", "USING", "WITH", "AS", "WINDOW",
	"QUALIFY", "WITHOUT", "SAMPLE", "TABLESAMPLE", "FLATTEN", "SELECT", "VALUES", "SET", "INTO", "ASSUME", "RETURN", "THEN", "ELSE", "END", "WHEN",
	"AND", "OR", "FOR", "VERSION", "TO", "VIEW", "PARTITION", "PARTITIONS", "TEMPORARY", "TABLET", "PROPERTIES", "RETURNING"}

// query is a whole query: [WITH …], terms joined by set operations, ORDER BY, LIMIT, OFFSET.
func (p *parser) query() (ast.Query, error) {
	from := p.pos()
	var with []ast.CTE
	if p.is("WITH") {
		var err error
		if with, err = p.ctes(); err != nil {
			return nil, err
		}
	}
	q, err := p.setOps()
	if err != nil {
		return nil, err
	}
	tail, err := p.tail()
	if err != nil {
		return nil, err
	}
	if len(with) == 0 && bare(tail) {
		return q, nil
	}
	return dress(q, with, tail, p.since(from)), nil
}

// dress adds WITH and a tail to a query. One in brackets with its own becomes a derived table.
func dress(q ast.Query, with []ast.CTE, tail ast.Tail, at ast.Span) ast.Query {
	switch q := q.(type) {
	case *ast.Select:
		if q.With == nil && bare(q.Tail) {
			q.With, q.Tail, q.Span = with, tail, at
			return q
		}
	case *ast.SetOp:
		if q.With == nil && bare(q.Tail) {
			q.With, q.Tail, q.Span = with, tail, at
			return q
		}
	case *ast.Values:
		if len(with) == 0 && bare(q.Tail) {
			q.Tail, q.Span = tail, at
			return q
		}
	}
	inner := ast.Span{From: q.Pos(), To: q.End()}
	return &ast.Select{Span: at, With: with, Tail: tail, From: &ast.DerivedTable{Span: inner, Query: q},
		Items: []ast.SelectItem{{Span: inner, X: &ast.Star{Span: inner}}}}
}

func bare(t ast.Tail) bool {
	return t.OrderBy == nil && t.Limit == nil && t.Offset == nil && t.Result == nil
}

// subquery is a query in brackets.
func (p *parser) subquery() (ast.Query, error) {
	opener := p.Peek()
	if err := p.expect("("); err != nil {
		return nil, err
	}
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	if p.accept(")") {
		return q, nil
	}
	if p.Peek().EOF() {
		return nil, problem("syntax.unclosed", span(opener), "the bracket ( of the subquery is not closed", "")
	}
	return nil, p.misplaced()
}

// ctes is WITH [RECURSIVE] name [(cols)] AS (query), ….
func (p *parser) ctes() ([]ast.CTE, error) {
	p.Next()
	recursive := p.accept("RECURSIVE")
	var out []ast.CTE
	for {
		c := ast.CTE{Recursive: recursive}
		from := p.pos()
		var err error
		if c.Name, err = p.name("a name of a subquery"); err != nil {
			return nil, err
		}
		if p.is("(") {
			if c.Columns, err = p.names("column"); err != nil {
				return nil, err
			}
		}
		if err = p.expect("AS"); err != nil {
			return nil, err
		}
		if !p.accept("MATERIALIZED") {
			p.accept("NOT", "MATERIALIZED")
		}
		if c.Query, err = p.subquery(); err != nil {
			return nil, err
		}
		c.Span = p.since(from)
		out = append(out, c)
		if !p.accept(",") {
			return out, nil
		}
	}
}

// setOps is a chain of UNION and EXCEPT over chains of INTERSECT.
func (p *parser) setOps() (ast.Query, error) {
	return p.setOp(p.intersections, "UNION", "EXCEPT", "MINUS")
}

func (p *parser) intersections() (ast.Query, error) { return p.setOp(p.term, "INTERSECT") }

// setOp is a chain of set operations; neighbours with the same operation are one node.
func (p *parser) setOp(term func() (ast.Query, error), words ...string) (ast.Query, error) {
	from := p.pos()
	left, err := term()
	var chain *ast.SetOp
	for n := 0; err == nil; n++ {
		op := p.acceptOne(words...)
		if op == "" {
			return left, nil
		}
		if op == "MINUS" {
			op = "EXCEPT"
		}
		all := p.acceptOne("ALL", "DISTINCT") == "ALL"
		byName := p.accept("BY", "NAME")
		if chain == nil || chain.Op != op || chain.All != all || chain.Name != byName {
			if n > maxChain {
				return nil, chained(p.Peek())
			}
			chain = &ast.SetOp{Op: op, All: all, Name: byName, Args: []ast.Query{left}}
			left = chain
		}
		var right ast.Query
		if right, err = term(); err == nil {
			chain.Args = append(chain.Args, right)
			chain.Span = p.since(from)
		}
	}
	return nil, err
}

// term is a SELECT, VALUES, or a query in brackets.
func (p *parser) term() (ast.Query, error) {
	switch {
	case p.is("("):
		return p.subquery()
	case p.is("VALUES"):
		return p.values()
	case p.is("SELECT"), p.is("FROM"):
		return p.selectStmt()
	case p.reshapeAhead(0):
		return p.reshape()
	case p.tableAhead(0):
		return p.wholeTable()
	}
	return nil, p.unexpected("SELECT")
}

// wholeTable is TABLE t, which is FROM t.
func (p *parser) wholeTable() (ast.Query, error) {
	from := p.pos()
	p.Next()
	t, err := p.table()
	star := ast.Span{From: from, To: from}
	return &ast.Select{Span: p.since(from), FromFirst: true, From: t, Items: []ast.SelectItem{{Span: star, X: &ast.Star{Span: star}}}}, err
}

// tableAhead reports whether TABLE t stands n tokens ahead where a query may.
func (p *parser) tableAhead(n int) bool {
	next := p.ahead(n + 1)
	return !p.Modules && isWord(p.ahead(n), "TABLE") && (next.Type == tokName || next.Type == tokWord && !oneOf(next.Value, notAliases))
}

func (p *parser) values() (ast.Query, error) {
	from := p.pos()
	p.Next()
	v := &ast.Values{}
	for {
		at := p.pos()
		items, err := p.row()
		if err != nil {
			return nil, err
		}
		v.Rows = append(v.Rows, &ast.Tuple{Span: p.since(at), Items: items})
		if !p.accept(",") {
			v.Span = p.since(from)
			return v, nil
		}
	}
}

// row is (a, b), or a value alone where the dialect has rows of one column without brackets.
func (p *parser) row() ([]ast.Expr, error) {
	if p.BareRows && !p.is("(") {
		x, err := p.expr()
		return []ast.Expr{x}, err
	}
	return list(p, "value", p.expr)
}

// selectStmt runs the grammar's SELECT and makes its node.
func (p *parser) selectStmt() (ast.Query, error) {
	from := p.pos()
	g, err := run(p, p.grammar().selectStmt)
	if err != nil {
		return nil, err
	}
	s := &ast.Select{Span: p.since(from), Where: g.Where, Having: g.Having, Qualify: g.Qualify}
	if g.Sample != nil {
		s.Sample = g.Sample.(string)
	}
	if g.Lead != nil {
		s.FromFirst, s.From = true, g.Lead
	} else {
		s.From = g.From
	}
	if g.Lead != nil && g.From != nil {
		return nil, problem("syntax.unexpected", ast.Span{From: g.From.Pos(), To: g.From.End()}, "a SELECT has one FROM only", "")
	}
	if g.Items != nil {
		it := g.Items.(*itemList)
		s.Distinct, s.On, s.Items = it.distinct, it.on, it.items
	} else { // FROM t, all columns
		s.Items = []ast.SelectItem{{Span: ast.Span{From: from, To: from}, X: &ast.Star{Span: ast.Span{From: from, To: from}}}}
	}
	if g.Without != nil {
		s.Without = g.Without.([]*ast.Ident)
	}
	if g.Group != nil {
		it := g.Group.(*itemList)
		s.GroupHow, s.GroupBy = it.how, it.items
	}
	for _, w := range []windows{g.Window, g.Late} {
		if w != nil {
			s.Windows = append(s.Windows, w.([]ast.NamedWindow)...)
		}
	}
	return s, nil
}

// itemList is a select list or a grouping.
type itemList struct {
	distinct bool
	on       []ast.Expr // DISTINCT ON (…)
	how      string
	items    []ast.SelectItem
}

// items is [ALL|DISTINCT [ON (…)]] item, ….
func (p *parser) items() (items, error) {
	l := &itemList{distinct: p.acceptOne("DISTINCT", "ALL", "STREAM") == "DISTINCT"}
	var err error
	if l.distinct && p.is("ON", "(") {
		p.Next()
		if l.on, err = p.valueList(); err != nil {
			return nil, err
		}
	}
	l.items, err = p.selectItems()
	return l, err
}

// selectItems is expr [AS alias], …; a comma may trail.
func (p *parser) selectItems() ([]ast.SelectItem, error) {
	out := make([]ast.SelectItem, 0, 1)
	for {
		from := p.pos()
		it := ast.SelectItem{}
		var err error
		it.Alias = p.aliasBefore()
		if it.X, err = p.expr(); err != nil {
			return nil, err
		}
		if _, star := it.X.(*ast.Star); !star && it.Alias == nil {
			if it.Alias, err = p.alias(); err != nil {
				return nil, err
			}
		}
		it.Span = p.since(from)
		out = append(out, it)
		if !p.accept(",") {
			return out, nil
		}
		if t := p.Peek(); t.EOF() || isPunct(t, ")") || isWord(t, "FROM") || isWord(t, "WHERE") {
			return out, nil
		}
	}
}

// alias is [AS] name, or nil.
func (p *parser) alias() (*ast.Name, error) {
	t := p.Peek()
	switch {
	case p.accept("AS"):
		n, err := p.key("an alias")
		return &n, err
	case p.is("INCLUDE", "NULLS"), p.pivotAhead():
	case t.Type == tokName, t.Type == tokWord && !oneOf(t.Value, notAliases):
		n := nameOf(p.Next())
		return &n, nil
	}
	return nil, nil
}

// aliasBefore is the name of name: x, or nil.
func (p *parser) aliasBefore() *ast.Name {
	t := p.Peek()
	if !p.Prefixed || t.Type != tokWord && t.Type != tokName || !isPunct(p.ahead(1), ":") {
		return nil
	}
	n := nameOf(p.Next())
	p.Next()
	return &n
}

// without is the list of YQL's SELECT * WITHOUT a, b.
func (p *parser) without() (idents, error) {
	var out []*ast.Ident
	p.accept("IF", "EXISTS")
	for {
		from := p.pos()
		parts, err := p.dotted("a column")
		if err != nil {
			return nil, err
		}
		out = append(out, &ast.Ident{Span: p.since(from), Parts: parts})
		if !p.accept(",") || p.is("FROM") {
			return out, nil
		}
	}
}

// grouping is [COMPACT] BY items, BY ROLLUP (…), BY GROUPING SETS (…).
func (p *parser) grouping() (grouping, error) {
	l := &itemList{}
	if p.accept("COMPACT") {
		l.how = "COMPACT"
	}
	if err := p.expect("BY"); err != nil {
		return nil, err
	}
	var err error
	if p.accept("GROUPING", "SETS") {
		l.how = "GROUPING SETS"
		l.items, err = list(p, "grouping set", func() (ast.SelectItem, error) {
			x, err := p.expr()
			if err != nil {
				return ast.SelectItem{}, err
			}
			return ast.SelectItem{Span: ast.Span{From: x.Pos(), To: x.End()}, X: x}, nil
		})
		return l, err
	}
	if l.items, err = p.selectItems(); err != nil || l.how != "" || len(l.items) != 1 {
		return l, err
	}
	// GROUP BY ROLLUP (a, b) reads like a call.
	if c, ok := l.items[0].X.(*ast.Call); ok && l.items[0].Alias == nil && c.Callee == nil && oneOf(c.Func.Text, []string{"ROLLUP", "CUBE"}) {
		l.how, l.items = strings.ToUpper(c.Func.Text), nil
		for _, a := range c.Args {
			l.items = append(l.items, ast.SelectItem{Span: a.Span, X: a.X, Alias: a.Name})
		}
	}
	return l, nil
}

// windows is the list of WINDOW w AS (…), ….
func (p *parser) windows() (windows, error) {
	var out []ast.NamedWindow
	for {
		from := p.pos()
		n, err := p.name("a window")
		if err != nil {
			return nil, err
		}
		if err = p.expect("AS"); err != nil {
			return nil, err
		}
		w, err := p.window()
		if err != nil {
			return nil, err
		}
		out = append(out, ast.NamedWindow{Span: p.since(from), Name: n, Window: w})
		if !p.accept(",") {
			return out, nil
		}
	}
}
