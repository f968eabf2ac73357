package planner

import (
	"strings"
	"sync"
)

// semantics are the rules of one dialect: what names mean and how values of different types meet. The engine itself
// knows no dialect.
type semantics struct {
	dialect       string
	sameName      func(a, b string) bool // whether a written name means a declared one
	lenient       bool                   // values of different types may meet: nothing is known of the result, instead of an error
	strictNull    bool                   // a type without "?" or Optional is never NULL
	strictNumbers bool                   // an integer above 2^64-1 is an error, not a floating point number
	intDivision   bool                   // integer / integer is an integer, cut towards zero
	narrowDates   bool                   // Date, Datetime and Timestamp run from 1970 to 2105, unless their names say 32 or 64
	casts         bool                   // CAST and typed literals follow castScalar
	likeEscape    rune                   // without ESCAPE; 0 for none
	calls         *callTable
}

// callTable has the functions of a dialect by normalised name.
type callTable struct {
	plain   map[string]*function            // COALESCE → coalesce
	modules map[string]map[string]*function // DateTime::GetYear
	rows    map[string]bool                 // differ from row to row: RANDOM
	totals  map[string]bool                 // aggregates and window functions
}

// semanticsOf are the rules of a parser dialect. One without rules of its own has only what SQL leaves no choice
// about: the rest is unknown, which prunes less and never wrongly.
func semanticsOf(dialect string) *semantics {
	if dialect == "yql" || dialect == "" {
		return yqlSemantics()
	}
	s := &semantics{dialect: dialect, sameName: strings.EqualFold, lenient: true, calls: plainCalls()}
	if dialect == "doris" || dialect == "paimon" {
		s.likeEscape = '\\'
	}
	return s
}

var yqlSemantics = sync.OnceValue(func() *semantics {
	return &semantics{
		dialect:       "yql",
		sameName:      func(a, b string) bool { return a == b },
		strictNull:    true,
		strictNumbers: true,
		intDivision:   true,
		narrowDates:   true,
		casts:         true,
		calls:         yqlCalls(),
	}
})

var plainCalls = sync.OnceValue(func() *callTable {
	return &callTable{plain: map[string]*function{
		"coalesce": coalesceFn, "nullif": nullIfFn,
	}}
})
