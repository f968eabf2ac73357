package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// hints is WITH (hint, …), or WITH hint.
func (p *parser) hints() ([]ast.Option, error) {
	p.Next()
	if p.is("(") {
		return list(p, "hint", p.hint)
	}
	h, err := p.hint()
	return []ast.Option{h}, err
}

// dynamic is Flink's /*+ OPTIONS('k'='v') */.
func (p *parser) dynamic() ([]ast.Option, error) {
	p.Next()
	if err := p.expect("OPTIONS"); err != nil {
		return nil, err
	}
	opts, err := p.optionList()
	if err != nil {
		return nil, err
	}
	return opts, p.expect("*/")
}

// optionList is (key = value, …).
func (p *parser) optionList() ([]ast.Option, error) { return list(p, "option", p.hint) }

// hint is key, key = value, key : value, or SCHEMA [=] (columns) or a struct type.
func (p *parser) hint() (ast.Option, error) {
	from := p.pos()
	o, err := p.optionKey()
	if err != nil {
		return o, err
	}
	if isSchema(o.Key) {
		done, err := p.schema(&o)
		if err != nil || done {
			o.Span = p.since(from)
			return o, err
		}
	}
	if o.Sep != "" {
		if o.Value, err = p.tag(); err != nil {
			return o, err
		}
	} else if t := p.Peek(); t.Type == tokString || t.Type == tokNumber {
		return o, problem("syntax.unexpected", span(t), "expected `=` between "+o.Key.Text+" and its value, found "+describe(t), "write "+o.Key.Text+" = "+describe(t))
	}
	o.Span = p.since(from)
	return o, nil
}

// tag is a hint's value. YQL's (tag) is a list of one, which tells PARTITIONED_BY = ("year") from the text of a list.
func (p *parser) tag() (ast.Expr, error) {
	from := p.pos()
	x, err := p.expr()
	if !p.Modules || err != nil || x.Pos() == from {
		return x, err
	}
	switch x.(type) {
	case *ast.Ident, *ast.Literal:
		return &ast.Tuple{Span: p.since(from), Items: []ast.Expr{x}}, nil
	}
	return x, nil
}

// setting is an option of COPY: KEY, KEY value, KEY = value.
func (p *parser) setting() (ast.Option, error) {
	from := p.pos()
	o, err := p.optionKey()
	if err != nil {
		return o, err
	}
	if o.Sep == "" && (fold(o.Key.Text, "PARTITION") || fold(o.Key.Text, "PARTITIONED") || fold(o.Key.Text, "ORDER")) && p.accept("BY") {
		o.Key.Text += " BY"
		o.Key.To = end(p.last())
	}
	if !p.is(",") && !p.is(")") && !p.Peek().EOF() {
		if o.Value, err = p.expr(); err != nil {
			return o, err
		}
	}
	o.Span = p.since(from)
	return o, nil
}

// optionKey is a key and the sign behind it. Keys are names, strings, or dotted names.
func (p *parser) optionKey() (o ast.Option, err error) {
	if t := p.Peek(); p.isText(t) {
		l := p.text(p.Next())
		o.Key = ast.Name{Span: l.Span, Text: l.Text, Quoted: true}
	} else {
		at := p.RawCursor()
		const what = "a name of an option"
		if o.Key, err = p.name(what); err != nil {
			return o, err
		}
		if p.accept(".") {
			if _, err := p.dotted(what); err != nil {
				return o, err
			}
			o.Key = ast.Name{Span: p.since(o.Key.From), Text: p.folded(at)}
		}
	}
	switch {
	case p.accept("="):
		o.Sep = "="
	case p.accept(":"):
		o.Sep = ":"
	case p.is("=="):
		return o, problem("syntax.unexpected", span(p.Peek()), "an option is set with one `=`, found `==`", "write "+o.Key.Text+" = …")
	}
	return o, nil
}

// isSchema tells the options whose value is a list of columns. Single underscores don't count (YDB, normalize_name.cpp).
func isSchema(key ast.Name) bool {
	if key.Quoted {
		return false
	}
	text := key.Text
	if strings.IndexByte(text, '_') >= 0 {
		text = strings.ReplaceAll(text, "_", "")
	}
	return fold(text, "SCHEMA") || fold(text, "COLUMNS")
}

// schema is the value of SCHEMA; false when it is an ordinary one.
func (p *parser) schema(o *ast.Option) (done bool, err error) {
	switch {
	case p.is("("):
		o.Schema, err = list(p, "column", p.schemaColumn)
		return true, err
	case p.Peek().Type == tokWord && isPunct(p.ahead(1), "<"):
		o.Type, err = p.typeName()
		return true, err
	}
	return false, nil
}

// schemaColumn is name type [[NOT] NULL], or in YQL's old order type AS name.
func (p *parser) schemaColumn() (c ast.Column, err error) {
	from := p.pos()
	if next := p.ahead(1); isWord(next, "AS") || isPunct(next, "<") || isPunct(next, "(") || isPunct(next, "?") {
		c.TypeFirst = true
		if c.Type, err = p.typeName(); err != nil {
			return c, err
		}
		if err = p.expect("AS"); err != nil {
			return c, err
		}
		c.Name, err = p.name("a column")
	} else {
		if c.Name, err = p.name("a column"); err != nil {
			return c, err
		}
		c.Type, err = p.typeName()
	}
	if err != nil {
		return c, err
	}
	if p.accept("NOT", "NULL") {
		c.NotNull = true
	} else if p.accept("NULL") {
		c.Null = true
	}
	c.Span = p.since(from)
	return c, nil
}
