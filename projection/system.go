package projection

import (
	"context"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// System reads one system's way of declaring tables.
type System interface {
	Name() string    // "yql", "athena", …: the value of --dialect
	Dialect() string // the parser dialect of its SQL
	// Table makes the table that ref reads: from its WITH options, from the statements seen before, or from storage.
	// Named expressions ($x) in the options have been replaced by their values. The error is ast.Diagnostics with every
	// problem found (positions only; the caller adds the source), or an I/O error.
	Table(ctx context.Context, env *Env, ref *ast.TableRef, decls []ast.Stmt) (*Table, error)
}

// Follower is a [System] whose tables depend on more than their declarations: on what INSERT, CALL or TRUNCATE did to them.
type Follower interface {
	System
	// Follows names the declared table that st concerns, so that st is among the statements that Table gets, from the plan
	// of st itself on; nil for none. The constants of the rows of INSERT … VALUES are literals in them.
	Follows(st ast.Stmt, decls []ast.Stmt) []ast.Name
}

// Env is what a System may use beside the statements.
type Env struct {
	Now       time.Time    // the instant that NOW means, UTC
	Store     store.Lister // nil when storage must not be touched
	Canonical bool         // values are taken to stand in directory names in the usual way: see Dirs.Canonical
	Declare   bool         // the table is declared and not read: storage isn't needed, and isn't touched
	Limits    Limits
	// Columns reads the columns of a file out of it, where its format tells them: see store/parquet. nil: files aren't looked
	// into.
	Columns func(ctx context.Context, r store.Reader, file store.Entry) ([]store.Column, error)
	Memo    *Memo // nil: nothing is kept
}

// Memo is room in which a System keeps what it has read, so that declarations aren't read anew for every statement of a
// session.
type Memo struct{ Value any }

// Table is a table as a SELECT reads it.
type Table struct {
	Name    string // as written: s3.`/`
	System  string
	Columns []Column
	Open    bool // names that aren't in Columns are data columns
	Layout  *Layout
	Notes   ast.Diagnostics // warnings and notes about the declaration
}

// Column is a column of a Table.
type Column struct {
	Name     string
	Type     pruning.Type // NoKind for types that no comparison here understands
	Declared string       // the type as written
	Nullable bool
	Default  ast.Expr // what rows have that don't name the column; nil: NULL
	Key      int      // index into Layout.Keys, or -1
	Computed bool     // rows that are written have no value for it
	Virtual  bool     // not among the columns of *, and hidden by a data column of the name
	Pos      ast.Pos
}

// Limits bound what untrusted input can cost. Hitting one widens the plan or ends a listing, and is noted.
type Limits struct {
	Nodes    int // nodes of a diagram space
	Points   int // tuples that are hashed for one partition
	Checks   int // per-branch evaluations while counting
	Sorted   int // branches that an axis may sort by text
	Pages    int // pages of a listing
	Rows     int // constants of one IN list
	Requests int // listings under way at once
}

// DefaultLimits are used where a field of Limits is zero.
var DefaultLimits = Limits{Nodes: pruning.DefaultNodes, Points: 1 << 16, Checks: 1 << 22, Sorted: 1 << 22, Pages: 1 << 20, Rows: 1 << 22, Requests: 32}
