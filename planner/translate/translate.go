// Package translate turns one system's declaration of a projected table into another's.
package translate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
)

// Target is a way of declaring tables.
type Target uint8

// The targets: YDB's external tables, Athena's DDL, and Trino's.
const (
	YQL Target = iota
	Athena
	Trino
)

// Named is the target of a name.
func Named(name string) (Target, bool) {
	for i, n := range [...]string{"yql", "athena", "trino"} {
		if n == name {
			return Target(i), true
		}
	}
	return 0, false
}

// system is the projection.System that reads the target.
func (t Target) system() string { return [...]string{"yql", "athena", "athena"}[t] }

// Options of a translation.
type Options struct {
	planner.Options
	Systems  []projection.System
	To       Target
	Location string // of the bucket or directory that paths lie below, as s3://bucket/; "": as declared
	Name     string // of the only table; "": as declared, and for one that a query declares the last word of its path
}

// Text translates the tables that a text declares, each as its last statement leaves it. What has no counterpart is among
// the findings: as an error where the table would read other paths, and then there is no translation, as a warning or
// note where something else is different. Each translation is read back, and has to plan the same prefixes.
func Text(ctx context.Context, opt Options, name, text string) (string, ast.Diagnostics) {
	session := planner.NewSession(opt.Systems, opt.Options)
	steps, ds := session.Declared(ctx, name, text)
	if ds.HasErrors() {
		return "", ds
	}
	all := &texts{opt: opt, names: map[string]string{}}
	for i, s := range steps {
		if s.Ref != nil || !later(steps[i+1:], s) {
			all.add(ctx, s, steps[:i+1])
		}
	}
	if opt.Name != "" && len(all.out) > 1 {
		all.Errorf("translate.name", nameSpan(steps[0].Name), "leave out --name", "one name is given, and there are %d tables", len(all.out))
	}
	src := ast.NewSource(name, text)
	for _, d := range all.List {
		d.Source = src
	}
	ds = append(ds, all.List...)
	ds.Sort()
	if ds.HasErrors() {
		return "", ds
	}
	return strings.Join(all.out, "\n"), ds
}

// texts are the translations of a text.
type texts struct {
	projection.Findings
	opt   Options
	out   []string
	names map[string]string // of tables that queries declare, with their translations
}

// add translates a table. One that several queries declare alike is translated once.
func (t *texts) add(ctx context.Context, s planner.Step, before []planner.Step) {
	w := writer{opt: t.opt, at: nameSpan(s.Name), table: s.Table, source: t.opt.Location, types: typesOf(s)}
	if w.source == "" {
		w.source = bucketURI(sourceOf(s, before), s.Decls)
	}
	name := cmp.Or(t.opt.Name, s.Name[len(s.Name)-1].Text)
	if s.Ref != nil {
		name = cmp.Or(t.opt.Name, placeholder(s.Name))
	}
	sql := w.translate(ctx, name)
	for n := 2; s.Ref != nil && sql != ""; n++ {
		known, taken := t.names[name]
		if taken && known == sql {
			return
		}
		if !taken {
			t.names[name] = sql
			break
		}
		name = fmt.Sprintf("%s_%d", placeholder(s.Name), n)
		w.List = nil
		sql = w.translate(ctx, name)
	}
	if s.Ref != nil && t.opt.Name == "" {
		w.Notef("translate.name", w.at, "give --name", "the query's table has no name, and is called %s", name)
	}
	t.List = append(t.List, w.List...)
	if sql != "" {
		t.out = append(t.out, sql)
	}
}

// typesOf are the types of a step's columns as written, by the places of their names.
func typesOf(s planner.Step) map[ast.Pos]*ast.Type {
	types := map[ast.Pos]*ast.Type{}
	add := func(columns []ast.Column) {
		for _, c := range columns {
			types[c.Name.From] = c.Type
		}
	}
	for _, st := range s.Decls {
		switch st := st.(type) {
		case *ast.CreateTable:
			add(st.Columns)
			for _, c := range st.Clauses {
				add(c.Columns)
			}
		case *ast.AlterTable:
			for _, a := range st.Actions {
				add(a.Columns)
			}
		}
	}
	if s.Ref != nil {
		for _, o := range s.Ref.Hints {
			add(o.Schema)
			if o.Type != nil {
				for _, f := range o.Type.Args {
					types[cmp.Or(f.Name, &ast.Name{}).From] = f.Type
				}
			}
		}
	}
	return types
}

// sourceOf is the name of the data source that a table lies in.
func sourceOf(s planner.Step, before []planner.Step) string {
	if s.Ref != nil {
		return s.Name[0].Text
	}
	if c := created(before, s); c != nil {
		return textOption(c.Options, "DATA_SOURCE")
	}
	return ""
}

// later reports whether a later step is about the same table.
func later(steps []planner.Step, s planner.Step) bool {
	for _, other := range steps {
		if dotted(other.Name) == dotted(s.Name) {
			return true
		}
	}
	return false
}

// created is the CREATE TABLE that a step goes back to.
func created(steps []planner.Step, s planner.Step) (c *ast.CreateTable) {
	for _, other := range steps {
		if t, ok := other.Stmt.(*ast.CreateTable); ok && dotted(other.Name) == dotted(s.Name) {
			c = t
		}
	}
	return c
}

func nameSpan(name []ast.Name) ast.Span {
	return ast.Span{From: name[0].From, To: name[len(name)-1].To}
}

func dotted(name []ast.Name) string {
	parts := make([]string, len(name))
	for i, n := range name {
		parts[i] = strings.ToLower(n.Text)
	}
	return strings.Join(parts, ".")
}

// writer writes one table.
type writer struct {
	projection.Findings
	opt    Options
	at     ast.Span
	table  *projection.Table
	source string // what a relative path lies below
	types  map[ast.Pos]*ast.Type
}

const code = "translate.lossy"

// translate writes the table and compares what it plans.
func (w *writer) translate(ctx context.Context, name string) string {
	l := w.table.Layout
	if l.Template == nil {
		w.Errorf(code, w.at, "", "%s has no projection, so there is nothing to translate", w.table.Name)
		return ""
	}
	for k, level := range l.Levels {
		if _, injected := level.(*projection.Injected); injected && w.opt.To == YQL {
			w.Errorf(code, w.at, "list the values as an enum, or read listed directories", "%s is injected, which YDB has no counterpart for", l.Keys[k].Name)
		}
	}
	t := table{writer: w, name: name}
	sql := t.write(ctx)
	if w.List.HasErrors() {
		return ""
	}
	if w.compare(ctx, name, sql); w.List.HasErrors() {
		return ""
	}
	return sql
}

// compared is how many prefixes are compared one by one.
const compared = 10_000

// compare reads a translation back and holds its prefixes against those of the original: their number, and the first ones.
func (w *writer) compare(ctx context.Context, name, sql string) {
	opt := w.opt.Options
	opt.System = w.opt.To.system()
	steps, ds := planner.NewSession(w.opt.Systems, opt).Steps(ctx, "translation", sql)
	if ds.HasErrors() || len(steps) == 0 {
		msg := "it can't be read"
		for _, d := range ds {
			if d.Severity == ast.Error {
				msg = d.Msg
				break
			}
		}
		w.Errorf(code, w.at, "", "%s can't be translated: %s", name, msg)
		return
	}
	if why := differ(ctx, w.table.Layout, steps[len(steps)-1].Table.Layout, w.base()); why != "" {
		w.Errorf(code, w.at, "", "%s can't be translated: it would read other prefixes: %s", name, why)
	}
}

// base is what one of the layouts has in front of its paths and the other hasn't.
func (w *writer) base() string {
	if w.table.System == "yql" && w.opt.To != YQL {
		return w.source
	}
	if w.table.System != "yql" && w.opt.To == YQL {
		if bucket, _, ok := split(w.table.Layout.Template.String()); ok {
			return bucket
		}
	}
	return ""
}

func (w *writer) column(name string) ast.Node {
	for _, c := range w.table.Columns {
		if c.Name == name && c.Pos.IsValid() {
			return ast.Span{From: c.Pos, To: c.Pos + ast.Pos(len(name))}
		}
	}
	return w.at
}

// refuse reports what would change the prefixes.
func (w *writer) refuse(column, hint, format string, args ...any) {
	w.Errorf(code, w.column(column), hint, "%s: %s", column, fmt.Sprintf(format, args...))
}
