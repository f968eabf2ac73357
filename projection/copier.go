package projection

import (
	"context"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// Copier is a [System] whose COPY … TO writes directories.
type Copier interface {
	// Copy makes the table that a COPY writes: a branch for each directory, or for the file. The error is ast.Diagnostics
	// with every problem found, or an I/O error.
	Copy(ctx context.Context, env *Env, st *ast.Copy, rows *Rows) (*Table, error)
}

// Rows are what a query yields, as far as it is known while planning.
type Rows struct {
	Columns []Column // names and types
	Open    bool     // there are more, whose names aren't known
	// Undeclared is a column of which only the name is known, with the type that it seems to have; for Open rows.
	Undeclared func(name string) Column
	// Tuples gives the different values that the rows have in some columns.
	Tuples func(columns []int) ([][]Cell, Certainty)
}

// Cell is a value with its text, as a cast to a text writes it.
type Cell struct {
	Text  string
	Value pruning.Value // of a type that is compared here
	Null  bool
}

// Certainty says how the values of rows are known.
type Certainty uint8

const (
	Unknown Certainty = iota // not at all
	AtMost                   // there are no others; some may be missing
	Exactly                  // all of them, and no others
)
