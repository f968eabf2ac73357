package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// setting is a PRAGMA that changes what queries mean (YQL reference, "PRAGMA"). Others are taken as they are: they change
// how a query is executed, or nothing that a plan shows.
type setting struct {
	name  string // normalised
	usual bool   // what holds without it
	set   func(s *semantics, on bool)
}

var settings = []setting{
	{"classicdivision", true, func(s *semantics, on bool) {
		s.intDivision, s.operator = on, nil
		if !on {
			s.operator = (*binder).realDivision
		}
	}},
	{"checkedops", false, func(s *semantics, on bool) { s.checked = on }},
	{"positionalunionall", false, func(s *semantics, on bool) { s.positional = on }},
	{"ansiinforemptyornullableitemscollections", true, func(s *semantics, on bool) { s.looseIn = !on }},
}

// pragma changes the rules for all that follows.
func (s *Session) pragma(st *ast.Pragma) error {
	if s.sem.dialect != "yql" || len(st.Name) != 1 {
		return nil
	}
	name := normalName(st.Name[0].Text)
	i := slices.IndexFunc(settings, func(x setting) bool { return x.name == name || "disable"+x.name == name })
	if i < 0 {
		return nil
	}
	x := &settings[i]
	on, known := x.value(st.Values)
	if !known {
		return s.found(ast.Diagnostics{{
			Code: "pragma.value", Pos: st.Values[0].Pos(), End: st.Values[len(st.Values)-1].End(),
			Msg: fmt.Sprintf("PRAGMA %s is on or off", st.Name[0].Text), Hint: `write "true" or "false"`,
		}})
	}
	sem := *s.sem
	x.set(&sem, on == (name == x.name))
	s.sem = &sem
	return nil
}

// value is what stands behind the name: nothing switches it on.
func (x *setting) value(list []ast.Expr) (on, known bool) {
	if len(list) == 0 {
		return true, true
	}
	text := ""
	switch v := list[0].(type) {
	case *ast.Literal:
		text = v.Text
	case *ast.Ident:
		text = v.Parts[0].Text
	}
	switch strings.ToLower(text) {
	case "true", "t", "yes", "y", "on", "1":
		return true, true
	case "false", "f", "no", "n", "off", "0":
		return false, true
	case "default":
		return x.usual, true
	}
	return false, false
}

// arithmetic is an operator as the settings have it.
func (b *binder) arithmetic(op ast.Op) *function {
	fn := arithmetic(op)
	if !b.sem.checked {
		return fn
	}
	checked := *fn
	checked.result = func(args []expr) (typ, bool) {
		t, ok := fn.result(args)
		return t.optional(), ok
	}
	checked.span = func(a *apply, args []value) value {
		out := fn.span(a, args)
		if !out.bounded() { // there may be an overflow
			return out.orNull()
		}
		return out
	}
	return &checked
}

// realDivision is / of two integers as a Double, without ClassicDivision.
func (b *binder) realDivision(e *ast.Binary, l, r expr) expr {
	if e.Op != ast.OpDiv || !l.typ().isInt() || !r.typ().isInt() {
		return nil
	}
	double := scalar(pruning.Float64)
	return b.call(e, b.arithmetic(e.Op), b.convert(l, double), b.convert(r, double))
}
