// Package athena reads tables as Amazon Athena and Trino's Hive connector declare them: by Hive's CREATE EXTERNAL TABLE
// with TBLPROPERTIES, or by Trino's CREATE TABLE with column properties; with a partition projection, with partitions that
// ALTER TABLE has added, or with listed folders.
package athena

import (
	"context"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// System is Athena's and Trino's way of declaring tables. The zero value is ready for use.
type System struct{}

// Name is the value of --dialect.
func (System) Name() string { return "athena" }

// Dialect is the parser dialect.
func (System) Dialect() string { return "athena" }

// Table makes the table that ref reads. A table that isn't declared, or is made by a query, is nil without an error: what
// it holds is unknown.
func (System) Table(_ context.Context, env *projection.Env, ref *ast.TableRef, decls []ast.Stmt) (*projection.Table, error) {
	if ref.File != nil || ref.Func != nil || len(ref.Name) == 0 {
		return nil, unknown(ref, "a table without a name")
	}
	at := ast.Span{From: ref.Name[0].From, To: ref.Name[len(ref.Name)-1].To}
	stmts := history(decls, ref.Name)
	switch {
	case stmts == nil:
		return nil, unknown(at, dotted(ref.Name)+" isn't declared")
	case stmts[0].(*ast.CreateTable).As != nil:
		return nil, nil
	}
	if t := recall(env, stmts); t != nil {
		named := *t
		named.Name = dotted(ref.Name)
		return &named, nil
	}
	d := &definition{env: env, at: at, name: dotted(ref.Name)}
	d.read(stmts)
	if d.iceberg && !d.anySetting() {
		return nil, ast.Diagnostics{{Severity: ast.Warning, Code: "table.unknown", Pos: at.From, End: at.To,
			Msg: d.name + " is an Iceberg table: which files it reads stands in its metadata, and isn't in the plan"}}
	}
	d.check()
	if d.List.HasErrors() {
		return nil, d.failed()
	}
	l := d.layout()
	if l == nil || d.List.HasErrors() {
		return nil, d.failed()
	}
	t := d.table(l)
	d.keep(stmts, t)
	return t, nil
}

// unknown is a finding that is no error: the query may be right, but a part of it can't be planned.
func unknown(at ast.Node, what string) error {
	return ast.Diagnostics{{Severity: ast.Warning, Code: "table.unknown", Pos: at.Pos(), End: at.End(),
		Msg: what + ": what it reads isn't in the plan", Hint: "put its CREATE TABLE before the query"}}
}

// failed is everything found, in the order of the text.
func (d *definition) failed() error {
	d.List.Sort()
	return d.List
}

// hidden are the columns that every table has beside those declared (Trino, HiveColumnHandle.java).
var hidden = []projection.Column{
	{Name: "$path", Type: pruning.Type{Kind: pruning.String}, Declared: "varchar", Key: -1, Virtual: true},
	{Name: "$bucket", Type: pruning.Type{Kind: pruning.Int32}, Declared: "integer", Nullable: true, Key: -1, Virtual: true},
	{Name: "$file_size", Type: pruning.Type{Kind: pruning.Int64}, Declared: "bigint", Key: -1, Virtual: true},
	{Name: "$file_modified_time", Declared: "timestamp with time zone", Key: -1, Virtual: true},
	{Name: "$partition", Type: pruning.Type{Kind: pruning.String}, Declared: "varchar", Key: -1, Virtual: true},
}

// table puts the parts together.
func (d *definition) table(l *projection.Layout) *projection.Table {
	for k, key := range l.Keys {
		c := d.column(key.Name)
		c.Key, c.Nullable = k, !d.projected
	}
	d.doubts()
	d.List.Sort()
	d.columns = append(d.columns, hidden...)
	return &projection.Table{Name: d.name, System: "athena", Columns: d.columns, Open: d.open, Layout: l, Notes: d.List}
}
