package planner

import (
	"strconv"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// semantics are the rules of one dialect: what names mean and how values of different types meet. The engine itself
// knows no dialect.
type semantics struct {
	dialect       string
	sameName      func(a, b string) bool // whether a written name means a declared one
	moreArguments bool                   // functions may take more arguments than are known: nothing is known of such a result
	lenient       bool                   // values of different types may meet: nothing is known of the result, instead of an error
	strictNull    bool                   // a type without "?" or Optional is never NULL
	strictNumbers bool                   // an integer above 2^64-1 is an error, not a floating point number
	intDivision   bool                   // integer / integer is an integer, cut towards zero
	lateSettings  bool                   // ALTER TABLE may add what a CREATE TABLE lacks
	quotedNames   bool                   // "x" is a name and often meant as a text
	narrowDates   bool                   // Date, Datetime and Timestamp run from 1970 to 2105, unless their names say 32 or 64
	likeEscape    rune                   // without ESCAPE; 0 for none
	checked       bool                   // whole numbers that overflow become NULL
	positional    bool                   // UNION and its like match columns by position
	looseIn       bool                   // IN doesn't say NULL for sure where SQL does
	arrayCalls    bool                   // functions of texts may take arrays, too
	chains        bool                   // x.f(y) is f(x, y)
	openParams    bool                   // a ? or $x that has no value isn't known, instead of an error
	aliases       bool                   // WHERE and GROUP BY may use the names that the select list gives
	calls         *callTable
	funcName      func(s string) string // how a function's name is looked up in calls

	cast, tryCast *function                                          // CAST and TRY_CAST; nil: results aren't known
	parseDate     func(s string, t typ) (v pruning.Value, bad *flaw) // the text of a typed literal; set if cast is

	// These bind what other dialects don't have or don't mean; nil, and a nil result, for none.
	special  func(b *binder, e *ast.Call, sc *scope) expr   // calls that aren't ordinary functions of their arguments
	word     func(b *binder, e *ast.Ident) expr             // names that aren't columns: CURRENT_DATE
	interval func(b *binder, e *ast.Interval) expr          // INTERVAL '1' DAY
	number   func(b *binder, l *ast.Literal) expr           // 1.5
	operator func(b *binder, e *ast.Binary, l, r expr) expr // l op r

	// For messages.
	typeName func(t pruning.Type) string  // nil: YQL's names
	literal  func(t typ, s string) string // the text s as a literal of type t

	// Where a dialect goes its own way; nil functions, and nil results, leave it to what all have in common.
	signed  func(b *binder, l *ast.Literal, minus bool, at ast.Expr) expr                   // 1, -1.50
	typed   func(b *binder, at ast.Expr, name string, t typ, s string, where ast.Expr) expr // DATE '2024-01-31'
	castAs  func(b *binder, e *ast.Cast, x expr, t typ) expr                                // CAST(x AS t)
	compare func(b *binder, at ast.Expr, op ast.Op, l, r expr) expr                         // operands of different types
	in      func(b *binder, e *ast.In, x expr, items []expr) expr                           // x IN a list of items of different types
	rare    func(b *binder, e ast.Expr, sc *scope) expr                                     // INTERVAL, EXTRACT, x[i] and the like
	truth   func(b *binder, x expr) expr                                                    // another value where a Bool is wanted
	concat  func(b *binder, at ast.Expr, args []expr) expr                                  // ||
	pattern func(b *binder, e *ast.Like, x expr, pattern string) expr                       // SIMILAR TO, GLOB
	meet    func(t, u typ) (typ, bool)                                                      // the type of values of two types, where common says less
	texts   func(b *binder, x expr) expr                                                    // what LIKE takes for a text
	store   func(b *binder, x expr, t typ) expr                                             // a value as it is written to a column
	convert *function                                                                       // the cast to a wider type; nil: castFn
	unify   func(b *binder, args []expr, result func(i int) bool) []expr                    // results of CASE and COALESCE brought to one type
}

// callTable has the functions of a dialect by normalised name.
type callTable struct {
	plain   map[string]*function            // COALESCE → coalesce
	modules map[string]map[string]*function // DateTime::GetYear
	rows    map[string]bool                 // differ from row to row: RANDOM
	totals  map[string]bool                 // aggregates and window functions
	types   map[string]bool                 // take names of types for arguments: ENSURETYPE
}

// semanticsOf are the rules of a parser dialect. One without rules of its own has only what SQL leaves no choice
// about: the rest is unknown, which prunes less and never wrongly.
func semanticsOf(dialect string) *semantics {
	switch dialect {
	case "yql", "":
		return yqlSemantics()
	case "athena":
		return trinoSemantics()
	case "duckdb":
		return duckdbSemantics()
	case "paimon":
		return paimonSemantics()
	case "doris":
		return dorisSemantics()
	}
	return &semantics{dialect: dialect, sameName: strings.EqualFold, lenient: true, calls: plainCalls(), funcName: normalName, literal: yqlLiteral}
}

var yqlSemantics = sync.OnceValue(func() *semantics {
	return &semantics{
		dialect:       "yql",
		sameName:      func(a, b string) bool { return a == b },
		strictNull:    true,
		strictNumbers: true,
		intDivision:   true,
		narrowDates:   true,
		calls:         yqlCalls(),
		funcName:      normalName,
		cast:          castFn,
		tryCast:       castFn,
		parseDate:     parseDate,
		special:       (*binder).yqlSpecial,
		literal:       yqlLiteral,
	}
})

var plainCalls = sync.OnceValue(func() *callTable {
	return &callTable{plain: map[string]*function{
		"coalesce": coalesceFn, "nullif": nullIfFn,
	}}
})

// yqlLiteral is "5" or Date("2021-01-05").
func yqlLiteral(t typ, s string) string {
	if t.isText() {
		return strconv.Quote(s)
	}
	return t.String() + "(" + strconv.Quote(s) + ")"
}

// typeText names a type in messages.
func (b *binder) typeText(t typ) string {
	if t.name == "" && t.shape == scalarShape && b.sem.typeName != nil {
		return b.sem.typeName(t.scalar)
	}
	return t.String()
}
