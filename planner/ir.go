package planner

import (
	"iter"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// shape tells scalar types from composite ones.
type shape uint8

const (
	anyShape      shape = iota // nothing is known of the type, or nothing compares its values (Json): it fits everywhere
	nullShape                  // the literal NULL: it fits everywhere, too
	scalarShape                // one of pruning's types
	listShape                  // items: the one element type
	tupleShape                 // items: one type a position
	structShape                // items and names: one a field
	dictShape                  // items: key and value; a set has the key only
	lambdaShape                // a function value
	calendarShape              // an interval of months, days and microseconds
)

// typ is the static type of an expression. The zero typ is unknown ("any") and may be NULL.
type typ struct {
	shape   shape
	scalar  pruning.Type   // of a scalarShape
	wide    bool           // Date32, Datetime64, Timestamp64, Interval64: no upper end in 2105
	notNull bool           // no row has NULL here
	length  int            // of varchar(n) in a cast; -1: of texts that are padded, or are bytes
	zone    *time.Location // of a time with a zone; nil: UTC
	items   []typ
	size    int // of a composite type: with the items, and what these are made of
	names   []string
	name    string // as written, for messages; empty: that of scalar
}

// relation is something in FROM that has columns: a table, or a subquery whose output is named.
type relation struct {
	name  string // alias, else the table's own name; what qualifies its columns
	cols  []relColumn
	open  bool              // other names are columns of unknown type
	table *projection.Table // nil unless a scan reads it
	order int               // of the relations of a FROM, from 1; 0: it stands in none
}

// relColumn is a column of a relation.
type relColumn struct {
	name string
	typ  typ
	key  int // index into table.Layout.Keys, or -1

	virtual bool // not among the columns of *
	used    bool // the statement refers to it
}

// scope is what the names of an expression may refer to.
type scope struct {
	rels   []*relation
	params *param
	locals *local // arguments of the lambda that is being applied, innermost first
	outer  *scope // that of the query around a subquery: its columns are correlated, or nil
}

// param is one $name in a list that only grows at its head, so that a scope keeps the names as of its place.
// What reads tables is planned anew where it is used, with the names and rules that stand before it.
type param struct {
	up    *param
	name  string
	x     ast.Expr  // $x = expr; nil for the forms below
	query ast.Query // $x = SELECT …: as a value it is opaque
	typ   *ast.Type // DECLARE $x AS Type: a value that isn't known here; x is the default, if any
	sel   *ast.Name // $a, $b = …: only errors and unknown values come of it
	sem   *semantics
	value expr // of x, when it reads no table: bound once, where it is defined
	// refused: the query of a view that is too large, or reads one. That was told once: a view of it isn't looked into.
	refused bool
}

// lookup finds the newest definition of a name, or nil.
func (p *param) lookup(name string) *param {
	for ; p != nil; p = p.up {
		if p.name == name {
			return p
		}
	}
	return nil
}

// local is one argument of a lambda while its body is bound.
type local struct {
	up   *local
	name string
	bare bool // it is named without a dollar sign
	x    expr
	size int // nodes of x
}

// lookup finds the innermost argument of a name, or nil.
func (l *local) lookup(name string) *local {
	for ; l != nil; l = l.up {
		if l.name == name {
			return l
		}
	}
	return nil
}

// expr is a typed expression. A closed set: constant, column, apply, opaque.
type expr interface {
	node() ast.Expr // what it was bound from, for positions and printing
	typ() typ
}

type (
	// constant is a value known before any row is read.
	constant struct {
		at ast.Expr
		t  typ
		v  value
	}

	// column is a column of a relation in scope. index is -1 for a name that an open relation lets pass.
	column struct {
		at    ast.Expr
		rel   *relation
		index int
		name  string
		t     typ
	}

	// apply is an operator or function with its arguments.
	apply struct {
		at   ast.Expr
		fn   *function
		args []expr
		t    typ
	}

	// opaque is a value that only the rows tell: a subquery, an aggregate, a function that isn't known here, and
	// what is left of an expression with an error. args are kept so that its columns are found.
	opaque struct {
		at   ast.Expr
		t    typ
		why  string // for people: "a subquery", "an aggregate", "the function Foo::Bar"
		args []expr
	}
)

func (e *constant) node() ast.Expr { return e.at }
func (e *column) node() ast.Expr   { return e.at }
func (e *apply) node() ast.Expr    { return e.at }
func (e *opaque) node() ast.Expr   { return e.at }

func (e *constant) typ() typ { return e.t }
func (e *column) typ() typ   { return e.t }
func (e *apply) typ() typ    { return e.t }
func (e *opaque) typ() typ   { return e.t }

// key is the layout key that the column is, or -1. A key of another type than its column has is none here.
func (e *column) key() int {
	if e.index < 0 || e.rel.table == nil || e.rel.table.Layout == nil {
		return -1
	}
	k := e.rel.cols[e.index].key
	if k < 0 || e.rel.table.Layout.Keys[k].Type != e.t.scalar {
		return -1
	}
	return k
}

// columns yields every column reference in e, repeated ones too.
func columns(e expr) iter.Seq[*column] {
	return func(yield func(*column) bool) { walkColumns(e, yield) }
}

func walkColumns(e expr, yield func(*column) bool) bool {
	var args []expr
	switch e := e.(type) {
	case *column:
		return yield(e)
	case *apply:
		args = e.args
	case *opaque:
		args = e.args
	}
	for _, a := range args {
		if !walkColumns(a, yield) {
			return false
		}
	}
	return true
}

// replace rebuilds e with every column c for which f gives an expression replaced by it; f gives nil to keep it.
// Parts without such columns are shared. It is how predicates move through the select lists of subqueries.
func replace(e expr, f func(*column) expr) expr { return substitute(e, (&bounded{f: f}).of) }

// bounded is f until what it puts in the place of columns has grown too large; from then on only other columns take it.
// Queries in queries that name a column twice would double an expression each time.
type bounded struct {
	f     func(*column) expr
	grown int
}

func (b *bounded) of(c *column) expr {
	e := b.f(c)
	if e == nil {
		return nil
	}
	n := size(e) - 1
	if b.grown += n; n > 0 && b.isFull() {
		return hidden(c)
	}
	return e
}

func (b *bounded) isFull() bool { return b.grown > maxReplaced }

func substitute(e expr, f func(*column) expr) expr {
	switch e := e.(type) {
	case *column:
		if x := f(e); x != nil {
			return x
		}
	case *apply:
		if args, changed := substituteAll(e.args, f); changed {
			return &apply{at: e.at, fn: e.fn, args: args, t: e.t}
		}
	case *opaque:
		if args, changed := substituteAll(e.args, f); changed {
			return &opaque{at: e.at, t: e.t, why: e.why, args: args}
		}
	}
	return e
}

func substituteAll(args []expr, f func(*column) expr) (out []expr, changed bool) {
	for i, a := range args {
		x := substitute(a, f)
		if x != a && !changed {
			out, changed = append(make([]expr, 0, len(args)), args[:i]...), true
		}
		if changed {
			out = append(out, x)
		}
	}
	return out, changed
}

// conjuncts appends the operands of the ANDs on top of e, as they are written: BETWEEN is one, and a call of a lambda.
func conjuncts(dst []expr, e expr) []expr {
	if a, ok := e.(*apply); ok && a.fn.op == ast.OpAnd && isChain(a.at) {
		for _, x := range a.args {
			dst = conjuncts(dst, x)
		}
		return dst
	}
	return append(dst, e)
}

// isChain: AND or OR as it is written, where BETWEEN and calls of lambdas come to the same.
func isChain(e ast.Expr) bool {
	_, ok := e.(*ast.Logic)
	return ok
}

// binder gives expressions names, types and constants by the rules of one dialect.
type binder struct {
	sem    *semantics
	now    int64 // microseconds since 1970-01-01T00:00:00Z
	limits projection.Limits
	diags  *ast.Diagnostics
	depth  int // of named expressions and lambdas within each other
	nodes  int // bound so far
	params map[*param]expr
	zones  map[string]*time.Location // that were met, so that two of one name are one

	lambdas  int // being applied, one in the other
	expanded int // nodes bound in them so far

	queries queries // nil: queries in expressions aren't planned
}

// queries is the statements' side of a binder.
type queries interface {
	// inExpression plans a query that stands in an expression: (SELECT …), EXISTS, IN (SELECT …), and $x where that names a
	// query. It is called once for each place, with the scope around it, and gives the columns of the result.
	inExpression(q ast.Query, at ast.Expr, outer *scope) *relation

	// queryRows gives the rows of a query that was planned at a place, where they are known; it then needs no plan.
	queryRows(at ast.Expr) (rows [][]expr, ok bool)
}

// lowered is what a predicate means for the keys of one relation.
type lowered struct {
	d       pruning.Diagram
	check   projection.Check // decides what d leaves open, once keys are known; the zero Check when it can't
	exact   bool             // every leaf of d is a single outcome
	reasons []reason         // why parts of the predicate are not, or not fully, in d
}

// reason says why a part of a predicate could not prune by itself.
type reason struct {
	at   ast.Expr
	text string // for people: "data is no partition column"
}
