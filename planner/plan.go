// Package planner turns statements into read plans: it binds names and types, lowers predicates to diagrams, and
// tells what each table's scan reads.
package planner

import (
	"context"
	"io"
	"iter"
	"math/big"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// Options of a Session. The zero value plans YQL as of the present, without touching storage.
type Options struct {
	System string            // name of the projection.System that reads tables; "" is yql
	Now    time.Time         // what NOW and CurrentUtcDate() mean; zero: the time of NewSession
	Store  store.Lister      // nil: storage isn't touched
	Limits projection.Limits // zero fields take their defaults
}

// Session executes statements in order and remembers what they declare: tables, sources, named expressions.
type Session struct{ _ int }

func NewSession(systems []projection.System, opt Options) *Session { panic("") }

// Run parses a text and executes its statements. The plans are those of the statements that have one; the
// diagnostics are all findings, sorted and located, statements that failed included.
func (s *Session) Run(ctx context.Context, name, text string) ([]*Plan, ast.Diagnostics) { panic("") }

// Exec executes one statement: nil for one without a plan. The error is ast.Diagnostics or an I/O error.
func (s *Session) Exec(ctx context.Context, st ast.Stmt) (*Plan, error) { panic("") }

// Plan is what a statement reads or writes.
type Plan struct {
	Stmt  ast.Stmt
	Kind  string // "select", "copy" or "insert"
	Scans []*Scan
	Notes ast.Diagnostics // warnings and notes; errors make Exec fail
}

// Scan is the part of a plan that concerns one reference to a table.
type Scan struct {
	Ref       *ast.TableRef
	Alias     string // what the statement calls the table, when it isn't the table's own name
	Table     *projection.Table
	Write     bool     // the units are what is written
	Where     ast.Expr // the conjunction of all predicates that concern this scan alone, or nil
	Residual  ast.Expr // what is still to be filtered in what is read, or nil
	Conjuncts []Conjunct
	Diagram   pruning.Diagram
	Check     projection.Check
}

// Effect is what a conjunct did for a scan.
type Effect uint8

const (
	Decided Effect = iota // every unit read satisfies it: no filter remains
	Pruned                // it dropped units, but a filter remains
	Unused                // it could not drop anything
)

// Conjunct is one top-level condition of a scan and what became of it.
type Conjunct struct {
	Expr   ast.Expr
	Effect Effect
	Reason string // why it could not prune, or not fully: "data is no partition column"
	From   string // where it comes from when it isn't the scan's own WHERE: "join with u on u.year = t.year"
}

// Count is how many units are selected, and of how many. total is nil when that is unknown without listing.
func (s *Scan) Count(ctx context.Context) (selected, total *big.Int, err error) { panic("") }

// Units yields what is read. A unit is valid until the next one.
func (s *Scan) Units(ctx context.Context) iter.Seq2[*projection.Unit, error] { panic("") }

// Seek is Units from the n-th (from 0) on.
func (s *Scan) Seek(ctx context.Context, n *big.Int) iter.Seq2[*projection.Unit, error] { panic("") }

// WritePaths writes n paths from the first-th on (n nil: all), each followed by sep.
func (s *Scan) WritePaths(ctx context.Context, w io.Writer, first, n *big.Int, sep byte) error {
	panic("")
}

// Exact reports whether every row of what is read is wanted, so that no filter remains.
func (s *Scan) Exact() bool { return s.Residual == nil }

// UnitResidual is what is still to be filtered in one unit, or nil.
func (s *Scan) UnitResidual(u *projection.Unit) ast.Expr { panic("") }

// Regions are the boxes of key values that are read; ok is false when there are more than limit.
func (s *Scan) Regions(limit int) (rs []pruning.Region, ok bool) { panic("") }
