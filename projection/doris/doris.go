// Package doris reads tables as Apache Doris and ApsaraDB SelectDB declare them: CREATE TABLE with partitions by ranges or
// lists and with hash or random buckets, and the ALTER TABLEs that follow.
package doris

import (
	"context"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// System is Doris' way of declaring tables. The zero value is ready for use.
type System struct{}

// Name is the value of --dialect.
func (System) Name() string { return "doris" }

// Dialect is the parser dialect.
func (System) Dialect() string { return "doris" }

// Follows names the table that rows are loaded into: those of AUTO PARTITION BY get partitions from them.
func (System) Follows(st ast.Stmt, _ []ast.Stmt) []ast.Name {
	if s, ok := st.(*ast.Insert); ok && s.Table != nil {
		return s.Table.Name
	}
	return nil
}

// Table makes the table that ref reads, from its CREATE TABLE and the statements that changed it, in order.
func (System) Table(_ context.Context, env *projection.Env, ref *ast.TableRef, decls []ast.Stmt) (*projection.Table, error) {
	t, found := tableOf(env, ref, decls)
	if t == nil || found.List.HasErrors() {
		found.List.Sort()
		return nil, found.List.Err()
	}
	out := &projection.Table{Name: plainName(t.name), System: "doris", Columns: t.projected(), Open: t.open}
	if !env.Declare {
		out.Layout = t.layout(env, ref, found)
	}
	found.List.Sort()
	if err := found.List.Err(); err != nil {
		return nil, err
	}
	out.Notes = found.List
	return out, nil
}

// Describe is the partitions that a table has after decls as texts, with the holes between ranges:
//
//	p201702: [2017-02-01, 2017-03-01)
//	hole: [2017-03-01, 2017-04-01)
//
// It is nil for a table that isn't there.
func (System) Describe(env *projection.Env, ref *ast.TableRef, decls []ast.Stmt) []string {
	t, _ := tableOf(env, ref, decls)
	if t == nil {
		return nil
	}
	return t.describe()
}
