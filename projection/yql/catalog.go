package yql

import (
	"maps"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// catalog is the statements before a query, in order.
type catalog []ast.Stmt

// table is the declaration of a table that holds: a later one replaces an earlier one.
func (c catalog) table(name string) (t *ast.CreateTable) {
	for _, s := range c {
		switch s := s.(type) {
		case *ast.CreateTable:
			if is(s.Name, name) && (t == nil || !s.IfNotExists) {
				t = s
			}
		case *ast.Drop:
			if !isSource(s) && is(s.Name, name) {
				t = nil
			}
		}
	}
	return t
}

// source is the declaration of a data source that holds.
func (c catalog) source(name string) (src *ast.CreateSource) {
	for _, s := range c {
		switch s := s.(type) {
		case *ast.CreateSource:
			if is(s.Name, name) && (src == nil || !s.IfNotExists) {
				src = s
			}
		case *ast.Drop:
			if isSource(s) && is(s.Name, name) {
				src = nil
			}
		}
	}
	return src
}

// use is the source that the last USE names, or "".
func (c catalog) use() string {
	for i := len(c) - 1; i >= 0; i-- {
		if s, ok := c[i].(*ast.Other); ok && s.Verb == "USE" {
			return plainName(s.Name)
		}
	}
	return ""
}

// names are the tables or data sources that are declared, for near names.
func (c catalog) names(sources bool) []string {
	known := map[string]bool{}
	for _, s := range c {
		switch s := s.(type) {
		case *ast.CreateTable:
			known[plainName(s.Name)] = !sources
		case *ast.CreateSource:
			known[plainName(s.Name)] = sources
		case *ast.Drop:
			if isSource(s) == sources {
				delete(known, plainName(s.Name))
			}
		}
	}
	maps.DeleteFunc(known, func(_ string, wanted bool) bool { return !wanted })
	return slices.Sorted(maps.Keys(known))
}

func isSource(s *ast.Drop) bool { return s.Kind == "EXTERNAL DATA SOURCE" }

func is(parts []ast.Name, name string) bool {
	if len(parts) == 1 {
		return parts[0].Text == name
	}
	return plainName(parts) == name
}

func plainName(parts []ast.Name) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, ".")
}

// find reads the description of the table that ref names.
func (d *definition) find(ref *ast.TableRef, c catalog) {
	switch n := len(ref.Name); {
	case ref.File != nil:
		d.Errorf("table.form", ref.File, "write a source and a path: s3.`/logs/`", "a file in quotes is no table in YQL")
	case ref.Func != nil:
		if p, ok := ref.Func.Callee.(*ast.Param); ok {
			d.Errorf("table.form", ref.Func, "write the query itself, or $x = SELECT …", "what $%s(…) reads is not planned", p.Name)
			break
		}
		d.Errorf("table.form", ref.Func, "read a path or an external table", "%s(…) is no table in object storage", ref.Func.Func.Text)
	case ref.Param != nil:
		d.Errorf("table.unknown", ref.Param, "", "$%s is no table here", ref.Param.Name)
	case n == 0:
		d.Errorf("table.form", ref, "write a source and a path: s3.`/logs/`", "the table has no name")
	case n == 2:
		d.checkSource(c.source(ref.Name[0].Text), &ref.Name[0])
		d.inSelect(ref, ref.Name[1])
	case n > 2:
		d.Errorf("table.form", ref.Name[2], "write the path in backticks: "+ref.Name[0].Text+".`/a/b/`",
			"%s has more than two parts: a source and a path", d.name)
	default:
		d.findOne(ref, c)
	}
}

// findOne reads a name of one part: a declared table, or a path in the source of the last USE.
func (d *definition) findOne(ref *ast.TableRef, c catalog) {
	name := ref.Name[0]
	switch t := c.table(name.Text); {
	case t == nil && c.use() != "":
		d.inSelect(ref, name)
	case t == nil:
		d.Errorf("table.unknown", name, either(projection.DidYouMean(name.Text, c.names(false)), "declare it by CREATE EXTERNAL TABLE, or read a path of a source: s3.`/logs/`"),
			"the table %s does not exist", name.Text)
	case !t.External:
		d.Errorf("table.form", name, "declare it by CREATE EXTERNAL TABLE",
			"%s is no external table: its data isn't in object storage", name.Text)
	default:
		for _, h := range ref.Hints {
			d.Errorf("with.unknown", h, "drop it, or put it into CREATE EXTERNAL TABLE",
				"%s stands in the declaration of %s and can't be changed in a SELECT", h.Key.Text, name.Text)
		}
		d.inTable(t, c)
	}
}

// checkDeclared looks at the data source of an external table.
func (d *definition) checkDeclared(source projection.Text, c catalog) {
	s := c.source(source.S)
	if s == nil {
		d.Errorf("source.unknown", source, either(projection.DidYouMean(source.S, c.names(true)), "declare it by CREATE EXTERNAL DATA SOURCE"),
			"the data source %s does not exist", projection.Quote(source.S))
		return
	}
	d.checkSource(s, source)
}

// checkSource looks whether a source is object storage. One that isn't declared may exist already.
func (d *definition) checkSource(s *ast.CreateSource, at ast.Node) {
	if s == nil {
		return
	}
	for _, o := range s.Options {
		v, ok := o.Value.(*ast.Literal)
		if ok && strings.EqualFold(o.Key.Text, "SOURCE_TYPE") && v.Kind == ast.StringLit && v.Text != "ObjectStorage" {
			d.Errorf("source.type", at, `SOURCE_TYPE should be "ObjectStorage"`, "the source %s is %s and no object storage",
				plainName(s.Name), projection.Quote(v.Text))
		}
	}
}
