package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// columnAction is an action of ALTER TABLE on columns, or RENAME TO, in Flink's or Spark's form; false when it is another
// one. What it says beside names, types and places isn't kept but in its text.
func (p *parser) columnAction() (a ast.AlterAction, ok bool) {
	at, cursor := p.MakeCheckpoint(), p.RawCursor()
	verb := strings.ToUpper(p.Next().Value)
	word := p.acceptOne("COLUMNS", "COLUMN")
	var err error
	switch verb {
	case "ADD", "MODIFY":
		err = p.columnDefs(&a)
	case "DROP":
		p.accept("IF", "EXISTS")
		err = p.droppedColumns(&a)
	case "RENAME":
		if word == "" && p.accept("TO") {
			word = "TO"
			a.Names, err = p.dottedTable("a table")
		} else {
			err = p.renamedColumn(&a)
		}
	case "CHANGE":
		if a.Names, err = p.columnNames(); err == nil {
			err = p.columnDefs(&a)
		}
	case "ALTER":
		err = p.alteredColumn(&a)
	default:
		err = p.unexpected("an action")
	}
	if err == nil {
		err = p.rollup()
	}
	if err != nil || !p.actionEnds() {
		p.LoadCheckpoint(at)
		return ast.AlterAction{}, false
	}
	a.Kind, a.Text = verb+" COLUMN", p.folded(cursor)
	if word == "TO" {
		a.Kind = "RENAME TO"
	}
	return a, true
}

// rollup is Doris' [TO | FROM rollup] [PROPERTIES (…)], which says nothing about the table.
func (p *parser) rollup() (err error) {
	if p.acceptOne("TO", "FROM") != "" {
		_, err = p.name("a rollup")
	}
	if err == nil && p.accept("PROPERTIES") {
		_, err = p.optionList()
	}
	return err
}

// actionEnds reports whether an action is over: the statement is, or a comma and another follow.
func (p *parser) actionEnds() bool {
	t := p.Peek()
	return t.EOF() || isPunct(t, ";") || isPunct(t, ",")
}

// columnDefs is c INT [FIRST | AFTER b], or several in brackets.
func (p *parser) columnDefs(a *ast.AlterAction) error {
	if p.is("(") {
		var err error
		a.Columns, err = list(p, "column", p.placedColumn)
		return err
	}
	for {
		c, err := p.placedColumn()
		if err != nil {
			return err
		}
		a.Columns = append(a.Columns, c)
		next := p.ahead(1)
		if !p.is(",") || next.Type != tokWord && next.Type != tokName || oneOf(next.Value, alterVerbs) {
			return nil
		}
		p.Next()
	}
}

// alterVerbs begin an action of ALTER TABLE.
var alterVerbs = []string{"ADD", "DROP", "MODIFY", "REPLACE", "RENAME", "SET", "UNSET", "RESET", "CHANGE", "ALTER"}

// placedColumn is a column and where it is put. Parts of nested columns, keys and watermarks are no columns of a table.
func (p *parser) placedColumn() (c ast.Column, err error) {
	if p.constraintAhead() || isPunct(p.ahead(1), ".") {
		return c, p.unexpected("a column")
	}
	if c, err = p.column(); err != nil {
		return c, err
	}
	_, err = p.columnPlace(&c)
	c.To = p.since(c.From).To
	return c, err
}

// columnPlace reads FIRST or AFTER a, if one of them is there.
func (p *parser) columnPlace(c *ast.Column) (ok bool, err error) {
	switch {
	case p.accept("FIRST"):
		c.First = true
	case p.accept("AFTER"):
		var n ast.Name
		n, err = p.name("a column")
		c.After = &n
	default:
		return false, nil
	}
	return true, err
}

// columnNames is a, or (a, b).
func (p *parser) columnNames() ([]ast.Name, error) {
	if p.is("(") {
		return p.names("column")
	}
	n, err := p.name("a column")
	return []ast.Name{n}, err
}

// droppedColumns is what DROP drops, unless it is a key, a constraint or a watermark.
func (p *parser) droppedColumns(a *ast.AlterAction) (err error) {
	if p.is("PRIMARY", "KEY") || p.is("WATERMARK") || p.is("CONSTRAINT") && p.ahead(1).Type == tokWord {
		return p.unexpected("a column")
	}
	a.Names, err = p.columnNames()
	for err == nil && p.is(",") && !oneOf(p.ahead(1).Value, alterVerbs) {
		p.Next()
		var more []ast.Name
		more, err = p.columnNames()
		a.Names = append(a.Names, more...)
	}
	return err
}

// renamedColumn is a TO b, in Doris a b.
func (p *parser) renamedColumn(a *ast.AlterAction) error {
	from, err := p.name("a column")
	if err != nil {
		return err
	}
	p.accept("TO")
	to, err := p.name("a column")
	a.Names = []ast.Name{from, to}
	return err
}

// alteredColumn is Spark's c TYPE BIGINT, c SET NOT NULL, c FIRST and the like.
func (p *parser) alteredColumn(a *ast.AlterAction) error {
	from := p.pos()
	n, err := p.name("a column")
	if err != nil {
		return err
	}
	c := ast.Column{Name: n}
	switch {
	case p.accept("TYPE"):
		c.Type, err = p.typeName()
	case p.accept("SET", "NOT", "NULL"):
		c.NotNull = true
	case p.accept("DROP", "NOT", "NULL"):
		c.Null = true
	case p.accept("COMMENT"):
		c.Comment, err = p.stringLit()
	case p.accept("SET", "DEFAULT"):
		c.Default, err = p.expr()
	case p.accept("DROP", "DEFAULT"):
	default:
		var placed bool
		if placed, err = p.columnPlace(&c); !placed {
			return p.unexpected("TYPE, SET or DROP")
		}
	}
	c.Span = p.since(from)
	a.Columns = []ast.Column{c}
	return err
}
