package planner

import (
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// Bodies follow; the signatures are what the statements' side calls.

// semantics are the rules of one dialect.
type semantics struct{}

// function is an operator or function; op is set for operators: ast.OpAnd, ast.OpEq, … (comparisons with the
// sides as written), so that equalities between columns can be found: fn.op == ast.OpEq with two columns as args.
type function struct {
	name string
	op   ast.Op
}

// value is what is known of an expression's value: one value, NULL, or something in between.
type value struct{}

func (v value) known() (pruning.Value, bool) { panic("") } // the value, when it is exactly one and not NULL
func (v value) isNull() bool                 { panic("") } // certainly NULL
func (v value) outcomes() pruning.Outcomes   { panic("") } // of a Bool
func unknownValue() value                    { panic("") }

// newBinder makes a binder of a parser dialect ("yql", …). Problems are appended to diags.
func newBinder(dialect string, now time.Time, limits projection.Limits, diags *ast.Diagnostics) *binder {
	panic("")
}

// bind gives e names and types. A problem is reported and leaves an opaque expression, so that all are found.
func (b *binder) bind(e ast.Expr, sc *scope) expr { panic("") }

// condition is bind for what must be Bool (WHERE, ON, HAVING): else the error bind.bool, and an opaque Bool.
func (b *binder) condition(e ast.Expr, sc *scope) expr { panic("") }

// compare is the bound "l op r" with op one of the comparisons, =, <, IS NOT DISTINCT FROM …
func (b *binder) compare(at ast.Expr, op ast.Op, l, r expr) expr { panic("") }

// columnType is the type of a table's column, for relColumn.
func (b *binder) columnType(c *projection.Column) typ { panic("") }

// writtenType resolves a type in the text: the error bind.type when it isn't one of the dialect.
func (b *binder) writtenType(t *ast.Type) typ { panic("") }

// constantText is the text of a constant number, string, boolean or date, as WITH options want it: "12", "a/b/".
func constantText(e expr) (string, bool) { panic("") }

// env gives columns their values while evaluating. nil: all columns are unknown.
type env func(*column) value

// eval is what is known of e when columns have the given values. It never fails; what isn't understood is unknown.
func eval(e expr, at env) value { panic("") }

// lower turns a Bool into a diagram over the keys of rel's layout. Columns of other relations and data columns are
// unknown. No problem is reported here: a part that can't be used has a reason.
func lower(e expr, rel *relation, sp *pruning.Space) lowered { panic("") }
