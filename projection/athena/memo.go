package athena

import (
	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// kept are the projected tables of a session, so that a declaration isn't read, nor an axis sorted, for each query anew.
// What lies in storage or in a catalog is looked up each time.
type kept map[*ast.CreateTable]made

// made is what the declaration of a table and so many statements behind it came to.
type made struct {
	table *projection.Table
	n     int
	last  ast.Stmt // the n-th
}

// recall is the table that some statements came to before, or nil.
func recall(env *projection.Env, stmts []ast.Stmt) *projection.Table {
	if env.Memo == nil {
		return nil
	}
	tables, _ := env.Memo.Value.(kept)
	m := tables[stmts[0].(*ast.CreateTable)]
	if m.n != len(stmts) || m.last != stmts[len(stmts)-1] {
		return nil
	}
	return m.table
}

// keep remembers the table that some statements have come to.
func (d *definition) keep(stmts []ast.Stmt, t *projection.Table) {
	if d.env.Memo == nil || !d.projected {
		return
	}
	tables, ok := d.env.Memo.Value.(kept)
	if !ok {
		tables = kept{}
		d.env.Memo.Value = tables
	}
	tables[d.create] = made{t, len(stmts), stmts[len(stmts)-1]}
}
