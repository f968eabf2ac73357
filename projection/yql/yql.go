// Package yql reads tables as YDB's federated queries over object storage declare them: by the WITH of a SELECT, or
// by CREATE EXTERNAL TABLE; with a partition projection, with listed directories, or unpartitioned.
package yql

import (
	"context"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// System is YDB's way of declaring tables. The zero value is ready for use.
type System struct{}

// Name is the value of --dialect.
func (System) Name() string { return "yql" }

// Dialect is the parser dialect.
func (System) Dialect() string { return "yql" }

// Table makes the table that ref reads. A name of two parts, s3.`/logs/`, is a path in a source and is described by the
// WITH behind it; a name of one part is a declared external table.
func (System) Table(_ context.Context, env *projection.Env, ref *ast.TableRef, decls []ast.Stmt) (*projection.Table, error) {
	d := &definition{env: env, at: ref.Span, name: tableName(ref.Name)}
	if len(ref.Name) > 0 {
		d.at = nameSpan(ref.Name)
	}
	d.find(ref, decls)
	if d.List.HasErrors() {
		return nil, d.failed()
	}
	layout := d.layout()
	if layout == nil || d.List.HasErrors() {
		return nil, d.failed()
	}
	return d.table(layout), nil
}

// failed is everything found, in the order of the text.
func (d *definition) failed() error {
	d.List.Sort()
	return d.List.Err()
}

// table puts the parts together; keys take the places that they have in the layout.
func (d *definition) table(layout *projection.Layout) *projection.Table {
	t := &projection.Table{Name: d.name, System: "yql", Columns: d.columns, Open: d.inferred, Layout: layout}
	for k, key := range layout.Keys {
		d.column(key.Name).Key = k
	}
	d.noteNullable()
	d.doubts()
	d.List.Sort()
	t.Notes = d.List
	return t
}

// tableName is a name as people write it: s3.`/logs/`.
func tableName(parts []ast.Name) string {
	var b strings.Builder
	size := 0
	for i := range parts {
		size += len(parts[i].Text) + len("``.")
	}
	b.Grow(size)
	for i, p := range parts {
		if i > 0 {
			b.WriteByte('.')
		}
		if p.Quoted {
			b.WriteByte('`')
			b.WriteString(strings.ReplaceAll(p.Text, "`", "``"))
			b.WriteByte('`')
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}
