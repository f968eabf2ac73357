package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// insert is INSERT INTO, INSERT OVERWRITE, UPSERT INTO or REPLACE INTO.
func (p *parser) insert() (ast.Stmt, error) {
	from := p.pos()
	g, err := run(p, p.grammar().insertStmt)
	if err != nil {
		return nil, err
	}
	s := g.Table.(*ast.Insert)
	s.Span = p.since(from)
	s.Verb = strings.ToUpper(g.Verb + " " + g.How)
	s.Query = g.Query
	return s, nil
}

// writtenPartitions is PARTITION (p, q), PARTITION (k = v, …), PARTITION (*), or PARTITION p; TEMPORARY may stand before it.
func (p *parser) writtenPartitions(s *ast.Insert) (err error) {
	switch {
	case p.is("TEMPORARY") || !isPunct(p.ahead(1), "("):
		return p.partitionNames(s.Table)
	case isPunct(p.ahead(2), "*") && isPunct(p.ahead(3), ")"):
		for range 4 {
			p.Next()
		}
		s.Detect = true
		return nil
	}
	p.Next()
	s.Partition, err = p.optionList()
	return err
}

// insertInto is the table that is written: name, hints, PARTITION (…), columns.
func (p *parser) insertInto() (insertInto, error) {
	s := &ast.Insert{Table: &ast.TableRef{}}
	from := p.pos()
	var err error
	if t := p.Peek(); t.Type == tokWord || t.Type == tokName {
		s.Table.Name, err = p.dottedTable("a table") // a bracket begins its columns, not arguments
	} else {
		err = p.tableName(s.Table)
	}
	if err != nil {
		return nil, err
	}
	if p.is("/*+") {
		if s.Table.Dynamic, err = p.dynamic(); err != nil {
			return nil, err
		}
	}
	if p.is("WITH", "(") || p.is("WITH") && !p.is("WITH", "LABEL") && !isWord(p.ahead(2), "AS") && !isPunct(p.ahead(2), "(") {
		at := p.pos()
		if s.Table.Hints, err = p.hints(); err != nil {
			return nil, err
		}
		s.Table.HintsSpan = p.since(at)
	}
	s.Table.Span = p.since(from)
	for n := 0; n < 3; n++ { // PARTITION (…), WITH LABEL and the columns come in any order
		switch {
		case p.accept("WITH", "LABEL"):
			if _, err = p.name("a label"); err != nil {
				return nil, err
			}
		case s.Partition == nil && s.Table.Partitions == nil && p.partitionsAhead():
			if err = p.writtenPartitions(s); err != nil {
				return nil, err
			}
		case !s.ByName && p.accept("BY", "NAME"):
			s.ByName = true
		case s.Columns == nil && p.is("(") && !p.queryAhead(1):
			if s.Columns, err = p.names("column"); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// copy is COPY table | (query) TO | FROM 'path' [(settings)].
func (p *parser) copy() (ast.Stmt, error) {
	from := p.pos()
	g, err := run(p, p.grammar().copyStmt)
	if err != nil {
		return nil, err
	}
	c := g.Source.(*ast.Copy)
	c.Span, c.Unload, c.From, c.Path = p.since(from), g.Unload, g.From, g.Path
	if g.Settings != nil {
		c.Options = g.Settings.([]ast.Option)
	}
	return c, nil
}

func (p *parser) copySource() (copySource, error) {
	c := &ast.Copy{}
	var err error
	if p.is("(") {
		c.Query, err = p.subquery()
		return c, err
	}
	from := p.pos()
	c.Table = &ast.TableRef{}
	if c.Table.Name, err = p.dottedTable("a table"); err != nil {
		return nil, err
	}
	c.Table.Span = p.since(from)
	if p.is("(") {
		c.Columns, err = p.names("column")
	}
	return c, err
}

func (p *parser) settings() (settings, error) { return list(p, "option", p.setting) }

func (p *parser) optionsBody() (options, error) { return p.optionList() }
