package planner

import (
	"context"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// prepare keeps a statement for EXECUTE.
func (s *Session) prepare(st *ast.Prepare) {
	if s.prepared == nil {
		s.prepared = map[string]ast.Stmt{}
	}
	s.prepared[strings.ToLower(st.Name.Text)] = st.Stmt
}

// execute plans a prepared statement with values in the place of its parameters.
func (s *Session) execute(ctx context.Context, st *ast.Execute) (*Plan, error) {
	inner, ok := s.prepared[strings.ToLower(st.Name.Text)]
	if !ok {
		return nil, ast.Diagnostics{{Code: "plan.prepared", Pos: st.Name.From, End: st.Name.To,
			Msg: "no statement " + st.Name.Text + " is prepared", Hint: "write PREPARE " + st.Name.Text + " FROM … before it"}}
	}
	names := map[string]bool{}
	for n := range ast.Preorder(inner) {
		if p, ok := n.(*ast.Param); ok && (p.Mark || s.sem.chains && !p.Bare) {
			names[p.Name] = true
		}
	}
	marks := len(names)
	if marks != len(st.Args) {
		return nil, ast.Diagnostics{{Code: "bind.arguments", Pos: st.Pos(), End: st.End(),
			Msg: st.Name.Text + " takes " + argumentCount(marks, marks) + ", not " + strconv.Itoa(len(st.Args))}}
	}
	name, before := strings.ToLower(st.Name.Text), s.params
	delete(s.prepared, name) // it can't execute itself
	defer func() { s.params, s.prepared[name] = before, inner }()
	for i, x := range st.Args {
		s.params = &param{up: s.params, name: strconv.Itoa(i + 1), x: x, sem: s.sem}
	}
	return s.Exec(ctx, inner)
}
