// Package duckdb reads tables as DuckDB does: files that a glob pattern names, with the keys of hive partitions found in
// their paths (DuckDB 1.5.6: src/common/hive_partitioning.cpp, multi_file/multi_file_reader.cpp, multi_file_list.cpp).
package duckdb

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// System is DuckDB's way of reading files. The zero value is ready for use.
type System struct{}

// Name is the value of --dialect.
func (System) Name() string { return "duckdb" }

// Dialect is the parser dialect.
func (System) Dialect() string { return "duckdb" }

// Table makes the table of 'ev/**/*.parquet' or of read_parquet(…), read_csv(…) and read_json(…). What the keys of its
// paths are, and of which types, stands in the names of all files, so that it is listed here; where hive_types gives all
// of them types, one directory tells enough, and the layout lists what a condition leaves. Env.Columns, when set, is asked
// for the columns of the first Parquet file, or of all with union_by_name. Where Limits.Pages or ctx
// ends the listing, it is that of the files found until then. A name of another kind is a table of the database itself: it
// is no table here, which a note tells.
func (System) Table(ctx context.Context, env *projection.Env, ref *ast.TableRef, decls []ast.Stmt) (*projection.Table, error) {
	if env.Declare {
		return nil, nil
	}
	r := &reader{env: env, decls: decls}
	if !r.read(ref) || r.List.HasErrors() {
		return nil, r.failed()
	}
	if env.Store == nil {
		r.Errorf("store.needed", r.at, "give --store or --objects", "%s needs a listing: which files there are stands in the storage only", r.name)
		return nil, r.failed()
	}
	t := &tree{reader: r}
	t.meter.Limit = int64(cmp.Or(env.Limits.Pages, projection.DefaultLimits.Pages))
	listing := t.meter.Context(ctx)
	steps, err := t.plan(listing)
	for err = t.ended(ctx, err); ; steps = steps[1:] {
		if err != nil {
			return nil, r.storeFailure(err)
		}
		if r.List.HasErrors() {
			return nil, r.failed()
		}
		if len(steps) == 0 {
			return t.table(), nil
		}
		err = t.ended(ctx, steps[0](listing))
	}
}

// plan gives the steps that learn of the table, after a look at what there is.
func (t *tree) plan(ctx context.Context) (steps []func(context.Context) error, err error) {
	steps = []func(context.Context) error{t.list, t.learn, t.learnColumns}
	if whole, err := t.probe(ctx); whole || err != nil {
		return steps[1:], err
	}
	if sketched, err := t.sketch(ctx); sketched || err != nil {
		return steps[2:], err
	}
	return steps, nil
}

// failed is everything found, in the order of the text.
func (r *reader) failed() error {
	r.List.Sort()
	if len(r.List) == 0 {
		return nil
	}
	return r.List
}

// storeFailure is an error of the storage as a finding about the table. An error that knows a way out says it by a
// method Hint.
func (r *reader) storeFailure(err error) error {
	hint := ""
	if h := interface{ Hint() string }(nil); errors.As(err, &h) {
		hint = h.Hint()
	}
	return ast.Diagnostics{{Code: "store.list", Pos: r.at.Pos(), End: r.at.End(), Msg: err.Error(), Hint: hint, Err: err}}
}

// filename is the column that every file has beside its own: its path (DuckDB, virtual column "filename").
const filename = "filename"

// table puts the parts together. The keys are columns, and so is the file's path.
func (t *tree) table() *projection.Table {
	l := &projection.Layout{System: "duckdb files", Shape: t.shape(), Unit: "files", Source: t, Path: filePath, Text: ducktext.Append}
	for i, k := range t.keys {
		typ := k.typ
		if typ.Kind == pruning.NoKind {
			typ.Kind = pruning.String
		}
		l.Keys = append(l.Keys, pruning.Key{Name: k.name, Type: typ})
		l.Levels = append(l.Levels, &level{tree: t, key: i})
	}
	l.Levels = append(l.Levels, &level{tree: t, key: len(t.keys)})
	l.Keys = append(l.Keys, pruning.Key{Name: t.filename, Type: pruning.Type{Kind: pruning.String}})
	l.Virtual = 1
	t.List.Sort()
	return &projection.Table{Name: t.name, System: "duckdb", Open: !t.closed, Layout: l, Columns: t.columns(), Notes: t.List}
}

// shape is the patterns, and the keys with their types: ev/**/*.parquet by y BIGINT, m BIGINT.
func (t *tree) shape() string {
	var b strings.Builder
	for i, g := range t.globs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(g.text)
	}
	for i, k := range t.keys {
		b.WriteString(map[bool]string{true: " by ", false: ", "}[i == 0])
		b.WriteString(k.name + " " + k.declared)
		if k.given {
			b.WriteString(" (hive_types)")
		}
	}
	return b.String()
}
