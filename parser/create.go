package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// creates reports whether CREATE stands before a table or an external data source.
func (p *parser) creates() bool {
	for n := 1; ; n++ {
		switch t := p.ahead(n); {
		case p.Modules && isWord(p.ahead(n-1), "EXTERNAL"):
			return true
		case t.Type != tokWord:
			return false
		case fold(t.Value, "TABLE"), fold(t.Value, "DATA"), fold(t.Value, "VIEW"):
			return true
		case !oneOf(t.Value, []string{"OR", "REPLACE", "EXTERNAL", "TEMPORARY", "TEMP"}):
			// A slip such as EXTERNL gets its message from the grammar.
			_, slip := ast.Nearest(t.Value, []string{"TABLE", "EXTERNAL"})
			return slip
		}
	}
}

// create is CREATE TABLE, CREATE VIEW or CREATE EXTERNAL DATA SOURCE.
func (p *parser) create() (ast.Stmt, error) {
	from := p.pos()
	g, err := run(p, p.grammar().createStmt)
	if err != nil {
		return nil, err
	}
	if s := g.Source; s != nil {
		return &ast.CreateSource{Span: p.since(from), OrReplace: g.Replace, IfNotExists: s.IfNotExists,
			Name: s.Name.([]ast.Name), Options: s.Options.([]ast.Option)}, nil
	}
	if g.View != nil {
		v, err := p.view(g.View)
		if err != nil {
			return nil, err
		}
		v.Span, v.OrReplace, v.Temporary = p.since(from), g.Replace, g.Temporary
		return v, nil
	}
	t := &ast.CreateTable{OrReplace: g.Replace, External: g.External, Temporary: g.Temporary,
		IfNotExists: g.Table.IfNotExists, Name: g.Table.Name.([]ast.Name)}
	if e, ok := g.Table.Elements.(*tableElements); ok {
		t.Columns, t.Constraints, t.ColumnsSpan = e.columns, e.constraints, e.span
	}
	c := g.Table.Clauses.(*tableClauses)
	t.Clauses, t.Options, t.OptionsWord, t.As, t.Data, t.Like, t.LikeHow = c.clauses, c.options, c.optionsWord, c.as,
		c.data, c.like, c.likeHow
	t.Span = p.since(from)
	return t, nil
}

// view makes the node of a view, which has a query.
func (p *parser) view(g *createTable) (*ast.CreateView, error) {
	v := &ast.CreateView{IfNotExists: g.IfNotExists, Name: g.Name.([]ast.Name)}
	if e, ok := g.Elements.(*tableElements); ok {
		v.Columns, v.ColumnsSpan = e.columns, e.span
	}
	c := g.Clauses.(*tableClauses)
	v.Clauses, v.Options, v.OptionsWord, v.As = c.clauses, c.options, c.optionsWord, c.as
	if v.As == nil {
		return nil, p.unexpected("AS SELECT …")
	}
	return v, nil
}

// alterView is ALTER VIEW name AS query.
func (p *parser) alterView() (ast.Stmt, error) {
	from := p.pos()
	p.Next()
	p.Next()
	names, err := p.dottedTable("a view")
	if err != nil {
		return nil, err
	}
	v := &ast.CreateView{Alter: true, Name: names}
	if err = p.expect("AS"); err != nil {
		return nil, err
	}
	v.As, err = p.query()
	v.Span = p.since(from)
	return v, err
}

// viewAhead reports whether ALTER VIEW a.b AS stands here: other forms of it don't change what a view reads.
func (p *parser) viewAhead() bool {
	if !p.is("ALTER", "VIEW") {
		return false
	}
	n := 3
	for isPunct(p.ahead(n), ".") {
		n += 2
	}
	return isWord(p.ahead(n), "AS")
}

// tableElements is what stands between the brackets of CREATE TABLE.
type tableElements struct {
	columns     []ast.Column
	constraints []ast.Constraint
	span        ast.Span
}

func (p *parser) elements() (elements, error) {
	e := &tableElements{columns: []ast.Column{}}
	from := p.pos()
	_, err := list(p, "column", func() (struct{}, error) {
		if p.constraintAhead() {
			c, err := p.constraint()
			e.constraints = append(e.constraints, c)
			return struct{}{}, err
		}
		c, err := p.column()
		e.columns = append(e.columns, c)
		return struct{}{}, err
	})
	e.span = p.since(from)
	return e, err
}

// constraintAhead tells PRIMARY KEY (…), WATERMARK FOR … and the like from a column of that name.
func (p *parser) constraintAhead() bool {
	t, next := p.Peek(), p.ahead(1)
	if t.Type != tokWord {
		return false
	}
	bracket := isPunct(next, "(")
	switch {
	case fold(t.Value, "PRIMARY"), fold(t.Value, "FOREIGN"):
		return isWord(next, "KEY")
	case fold(t.Value, "UNIQUE"):
		return bracket || isWord(next, "KEY")
	case fold(t.Value, "CHECK"):
		return bracket
	case fold(t.Value, "CONSTRAINT"):
		return true
	case fold(t.Value, "WATERMARK"):
		return isWord(next, "FOR")
	case fold(t.Value, "INDEX"), fold(t.Value, "FAMILY"):
		return !bracket && (isPunct(p.ahead(2), "(") || isWord(p.ahead(2), "GLOBAL") || isWord(p.ahead(2), "USING"))
	}
	return false
}

// constraint keeps its text; a key also its columns.
func (p *parser) constraint() (c ast.Constraint, err error) {
	from, at := p.pos(), p.RawCursor()
	if p.accept("CONSTRAINT") {
		if _, err = p.name("a name of a constraint"); err != nil {
			return c, err
		}
	}
	c.Kind = p.acceptOne("PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "WATERMARK", "INDEX", "FAMILY")
	if c.Kind == "" {
		return c, p.unexpected("PRIMARY KEY")
	}
	if c.Kind != "CHECK" && p.accept("KEY") {
		c.Kind += " KEY"
	}
	if c.Kind != "CHECK" && p.is("(") {
		if c.Columns, err = p.names("column"); err != nil {
			return c, err
		}
	}
	p.balanced()
	c.Span, c.Text = p.since(from), p.folded(at)
	return c, nil
}

// column is name [type] [attributes].
func (p *parser) column() (c ast.Column, err error) {
	from := p.pos()
	if t := p.Peek(); t.Type == tokName && t.Value[0] == '"' && p.hive() {
		return c, problem("syntax.quote", span(t), "a string stands where a column is wanted", "write names in backticks: `"+strings.Trim(t.Value, `"`)+"`")
	}
	if c.Name, err = p.name("a column"); err != nil {
		return c, err
	}
	if t := p.Peek(); t.Type == tokName || t.Type == tokWord && !oneOf(t.Value, attributes) && !oneOf(t.Value, aggregates) {
		if c.Type, err = p.typeName(); err != nil {
			return c, err
		}
	}
	for more := true; more && err == nil; {
		more, err = p.attribute(&c)
	}
	c.Span = p.since(from)
	return c, err
}

// hive reports whether the statement is Hive's CREATE EXTERNAL TABLE, in which double quotes are those of strings.
func (p *parser) hive() bool {
	if p.DDL == nil {
		return false
	}
	for _, t := range p.Range(0, p.RawCursor()) {
		if t.Type != tokWord || fold(t.Value, "TABLE") {
			return false
		}
		if fold(t.Value, "EXTERNAL") {
			return true
		}
	}
	return false
}

// attributes are the words behind a column that has no type.
var attributes = []string{"AS", "COMMENT", "DEFAULT", "NOT", "NULL", "GENERATED", "METADATA", "WITH", "PRIMARY", "KEY", "AUTO_INCREMENT"}

// aggregates are the ways in which Doris merges the values of a column.
var aggregates = []string{"SUM", "MIN", "MAX", "REPLACE", "REPLACE_IF_NOT_NULL", "HLL_UNION", "BITMAP_UNION", "QUANTILE_UNION", "GENERIC"}

// attribute is one attribute of a column; false when none follows.
func (p *parser) attribute(c *ast.Column) (more bool, err error) {
	switch {
	case p.accept("NOT", "NULL"):
		c.NotNull = true
	case p.accept("NULL"):
		c.Null = true
	case p.accept("PRIMARY", "KEY"):
		c.Key = true
		p.accept("NOT", "ENFORCED")
	case p.accept("KEY"):
		c.Key = true
	case p.is("AS"), p.is("GENERATED"):
		c.Generated, err = p.generated()
	case p.accept("DEFAULT"):
		if c.Default, err = p.expr(); err == nil && p.accept("ON", "UPDATE") {
			c.OnUpdate, err = p.expr()
		}
	case p.accept("COMMENT"):
		c.Comment, err = p.stringLit()
	case p.is("WITH", "("):
		p.Next()
		c.Options, err = p.optionList()
	case p.is("METADATA"):
		at := p.RawCursor()
		p.Next()
		if p.accept("FROM") {
			_, err = p.stringLit()
		}
		p.accept("VIRTUAL")
		c.Metadata = p.folded(at)
	case p.accept("AUTO_INCREMENT"):
		c.AutoInc = true
		if p.is("(") {
			_, err = list(p, "value", p.expr)
		}
	default:
		t := p.Peek()
		if t.Type != tokWord || !oneOf(t.Value, aggregates) {
			return false, nil
		}
		c.Aggregate = p.acceptOne(aggregates...)
	}
	return err == nil, err
}

// generated is [GENERATED ALWAYS] AS expr.
func (p *parser) generated() (ast.Expr, error) {
	if p.accept("GENERATED") {
		p.accept("ALWAYS")
	}
	if err := p.expect("AS"); err != nil {
		return nil, err
	}
	x, err := p.expr()
	p.acceptOne("VIRTUAL", "STORED")
	return x, err
}
