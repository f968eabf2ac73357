package doris

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// memory is what is kept in a session: tables as of a place among the declarations.
type memory map[string]*remembered

type remembered struct {
	table *table
	decls int      // that the table has been through
	last  ast.Stmt // of them
}

// tableOf follows the declarations of the table that ref names. found has what was found wrong in those that were read
// now; a table whose CREATE is wrong is nil, and its findings are told each time.
func tableOf(env *projection.Env, ref *ast.TableRef, decls []ast.Stmt) (t *table, found *projection.Findings) {
	found = &projection.Findings{}
	if len(ref.Name) == 0 {
		found.Errorf("table.form", ref, "name a table that CREATE TABLE has declared", "only tables can be read in Doris")
		return nil, found
	}
	name := plainName(ref.Name)
	known := recall(env, name, decls)
	if known == nil {
		known = &remembered{}
	}
	h := history{Findings: found, env: env, decls: decls, table: known.table}
	for i := known.decls; i < len(decls); i++ {
		h.follow(i, ref.Name)
	}
	if h.table == nil {
		if !found.List.HasErrors() {
			h.unknown(ref)
		}
		return nil, found
	}
	if m, ok := memoOf(env); ok {
		m[name] = &remembered{h.table, len(decls), decls[len(decls)-1]}
	}
	return h.table, found
}

func memoOf(env *projection.Env) (memory, bool) {
	if env.Memo == nil {
		return nil, false
	}
	m, ok := env.Memo.Value.(memory)
	if !ok {
		m = memory{}
		env.Memo.Value = m
	}
	return m, true
}

// recall is what is kept of a table, if the declarations still begin as they did then.
func recall(env *projection.Env, name string, decls []ast.Stmt) *remembered {
	m, _ := memoOf(env)
	r := m[name]
	if r == nil || r.decls > len(decls) || decls[r.decls-1] != r.last {
		return nil
	}
	return r
}

// history follows declarations.
type history struct {
	*projection.Findings
	env   *projection.Env
	decls []ast.Stmt
	table *table
	depth int // of CREATE TABLE … LIKE
}

// follow takes the i-th declaration into account, if it is about the table.
func (h *history) follow(i int, name []ast.Name) {
	switch s := h.decls[i].(type) {
	case *ast.CreateTable:
		if same(s.Name, name) {
			h.table = h.create(s, i)
		}
	case *ast.AlterTable:
		if same(s.Name, name) && h.table != nil {
			for k := range s.Actions {
				h.alter(&s.Actions[k])
			}
		}
	case *ast.Insert:
		if s.Table != nil && same(s.Table.Name, name) && h.table != nil {
			h.load(s)
		}
	}
}

// same reports whether two names mean one table: t, db.t and catalog.db.t do.
func same(a, b []ast.Name) bool {
	n := min(len(a), len(b))
	return n > 0 && slices.EqualFunc(a[len(a)-n:], b[len(b)-n:], func(x, y ast.Name) bool { return x.Text == y.Text })
}

func plainName(parts []ast.Name) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, ".")
}

// unknown complains about a table that isn't declared.
func (h *history) unknown(ref *ast.TableRef) {
	var names []string
	for _, s := range h.decls {
		if s, ok := s.(*ast.CreateTable); ok {
			names = append(names, plainName(s.Name))
		}
	}
	hint := projection.DidYouMean(plainName(ref.Name), names)
	if hint == "" {
		hint = "declare it by CREATE TABLE before"
	}
	h.Errorf("table.unknown", nameSpan(ref.Name), hint, "the table %s is not declared", plainName(ref.Name))
}

func nameSpan(name []ast.Name) ast.Span {
	return ast.Span{From: name[0].From, To: name[len(name)-1].To}
}
