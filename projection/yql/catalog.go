package yql

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// catalog is what the statements before a query have declared.
type catalog struct {
	tables, sources map[string]ast.Stmt
	tableNames      []string // in order, for near names; may hold dropped ones
	sourceNames     []string
	use             string // the source of USE, or ""
}

// declared runs through the statements in order; a later declaration replaces an earlier one.
func declared(decls []ast.Stmt) *catalog {
	c := &catalog{tables: map[string]ast.Stmt{}, sources: map[string]ast.Stmt{}}
	for _, s := range decls {
		switch s := s.(type) {
		case *ast.CreateTable:
			c.tableNames = declare(c.tables, c.tableNames, s.Name, s, s.IfNotExists)
		case *ast.CreateSource:
			c.sourceNames = declare(c.sources, c.sourceNames, s.Name, s, s.IfNotExists)
		case *ast.Drop:
			if s.Kind == "EXTERNAL DATA SOURCE" {
				delete(c.sources, plainName(s.Name))
			} else {
				delete(c.tables, plainName(s.Name))
			}
		case *ast.Other:
			if s.Verb == "USE" {
				c.use = plainName(s.Name)
			}
		}
	}
	return c
}

func declare(m map[string]ast.Stmt, names []string, name []ast.Name, s ast.Stmt, keep bool) []string {
	key := plainName(name)
	if _, ok := m[key]; ok && keep {
		return names
	}
	m[key] = s
	return append(names, key)
}

func plainName(parts []ast.Name) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, ".")
}

// find reads the description of the table that ref names.
func (d *definition) find(ref *ast.TableRef, c *catalog) {
	switch n := len(ref.Name); {
	case ref.File != nil:
		d.Errorf("table.form", ref.File, "write a source and a path: s3.`/logs/`", "a file in quotes is no table in YQL")
	case ref.Func != nil:
		d.Errorf("table.form", ref.Func, "read a path or an external table", "%s(…) is no table in object storage", ref.Func.Func.Text)
	case ref.Param != nil:
		d.Errorf("table.unknown", ref.Param, "", "$%s is no table here", ref.Param.Name)
	case n == 0:
		d.Errorf("table.form", ref, "write a source and a path: s3.`/logs/`", "the table has no name")
	case n == 2:
		d.checkSource(ref.Name[0], c)
		d.inSelect(ref, ref.Name[1])
	case n > 2:
		d.Errorf("table.form", ref.Name[2], "write the path in backticks: "+ref.Name[0].Text+".`/a/b/`",
			"%s has more than two parts: a source and a path", d.name)
	default:
		d.findOne(ref, c)
	}
}

// findOne reads a name of one part: a declared table, or a path in the source of the last USE.
func (d *definition) findOne(ref *ast.TableRef, c *catalog) {
	name := ref.Name[0]
	decl, ok := c.tables[name.Text]
	switch t, _ := decl.(*ast.CreateTable); {
	case !ok && c.use != "":
		d.inSelect(ref, name)
	case !ok:
		d.Errorf("table.unknown", name, either(didYouMean(name.Text, c.tables, c.tableNames),
			"declare it by CREATE EXTERNAL TABLE, or read a path of a source: s3.`/logs/`"),
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

// checkSource accepts sources that aren't declared: they may exist already.
func (d *definition) checkSource(name ast.Name, c *catalog) {
	s, ok := c.sources[name.Text].(*ast.CreateSource)
	if !ok {
		return
	}
	for _, o := range s.Options {
		if !strings.EqualFold(o.Key.Text, "SOURCE_TYPE") {
			continue
		}
		if v, ok := o.Value.(*ast.Literal); ok && v.Kind == ast.StringLit && v.Text != "ObjectStorage" {
			d.Errorf("source.type", name, `SOURCE_TYPE should be "ObjectStorage"`,
				"the source %s is %s and no object storage", name.Text, projection.Quote(v.Text))
		}
	}
}

func didYouMean(name string, known map[string]ast.Stmt, names []string) string {
	var left []string
	for _, n := range names {
		if _, ok := known[n]; ok {
			left = append(left, n)
		}
	}
	return projection.DidYouMean(name, left)
}
