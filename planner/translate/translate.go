// Package translate turns one system's declaration of a projected table into another's.
package translate

import (
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
}

// Text translates the tables that a text declares, each as its last statement leaves it. What has no counterpart is among
// the findings: as an error where the table would read other paths, and then there is no translation, as a warning or
// note where something else is different. Each translation is read back, and has to plan the same prefixes.
func Text(ctx context.Context, opt Options, name, text string) (string, ast.Diagnostics) {
	session := planner.NewSession(opt.Systems, opt.Options)
	steps, ds := session.Steps(ctx, name, text)
	if ds.HasErrors() {
		return "", ds
	}
	var b strings.Builder
	src := ast.NewSource(name, text)
	for i, s := range steps {
		if later(steps[i+1:], s) {
			continue
		}
		w := writer{opt: opt, at: nameSpan(s.Name), table: s.Table, source: opt.Location}
		if c := created(steps[:i+1], s); w.source == "" && c != nil {
			w.source = bucketURI(c, s.Decls)
		}
		if sql := w.translate(ctx, s.Name); !w.List.HasErrors() {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(sql)
		}
		for _, d := range w.List {
			d.Source = src
		}
		ds = append(ds, w.List...)
	}
	ds.Sort()
	if ds.HasErrors() {
		return "", ds
	}
	return b.String(), ds
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
}

const code = "translate.lossy"

// translate writes the table and compares what it plans.
func (w *writer) translate(ctx context.Context, name []ast.Name) string {
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
	t := table{writer: w, name: name[len(name)-1].Text}
	sql := t.write(ctx)
	if w.List.HasErrors() {
		return ""
	}
	w.compare(ctx, name[len(name)-1], sql)
	return sql
}

// compared is how many prefixes are compared one by one.
const compared = 10_000

// compare reads a translation back and holds its prefixes against those of the original: their number, and the first ones.
func (w *writer) compare(ctx context.Context, name ast.Name, sql string) {
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
		w.Errorf(code, w.at, "", "%s can't be translated: %s", name.Text, msg)
		return
	}
	if why := differ(ctx, w.table.Layout, steps[len(steps)-1].Table.Layout, w.base()); why != "" {
		w.Errorf(code, w.at, "", "%s can't be translated: it would read other prefixes: %s", name.Text, why)
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

// lossless refuses what would change the prefixes.
func (w *writer) refuse(column, hint, format string, args ...any) {
	w.Errorf(code, w.column(column), hint, "%s: %s", column, fmt.Sprintf(format, args...))
}
