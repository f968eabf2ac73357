package athena

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// Follows names the table whose partitions MSCK REPAIR TABLE enters into the catalog.
func (System) Follows(st ast.Stmt, decls []ast.Stmt) []ast.Name {
	if o, ok := st.(*ast.Other); ok && o.Verb == repairVerb && history(decls, o.Name) != nil {
		return o.Name
	}
	return nil
}

const repairVerb = "MSCK REPAIR TABLE"

// history is the declaration of a table that holds, and the ALTERs and repairs behind it; nil for a table that isn't declared. Of
// several declarations whose names fit, one of exactly this name comes first, then the newest.
func history(decls []ast.Stmt, name []ast.Name) []ast.Stmt {
	at := -1
	for i, s := range decls {
		t, ok := s.(*ast.CreateTable)
		if ok && same(t.Name, name) && (at < 0 || len(t.Name) == len(name) || len(decls[at].(*ast.CreateTable).Name) != len(name)) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	out := decls[at : at+1 : at+1]
	declared := decls[at].(*ast.CreateTable).Name
	for _, s := range decls[at+1:] {
		switch s := s.(type) {
		case *ast.AlterTable:
			if same(s.Name, declared) {
				out = append(out, s)
			}
		case *ast.Other:
			if same(s.Name, declared) {
				out = append(out, s)
			}
		}
	}
	return out
}

// same reports whether two names may mean one table: one is the end of the other, as t is of db.t. Case doesn't count.
func same(a, b []ast.Name) bool {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if !strings.EqualFold(a[len(a)-i].Text, b[len(b)-i].Text) {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

// dotted is a name as people write it in queries: db."my table".
func dotted(parts []ast.Name) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte('.')
		}
		if p.Quoted && strings.ContainsFunc(p.Text, func(r rune) bool { return !isWord(r) }) {
			b.WriteString(`"` + strings.ReplaceAll(p.Text, `"`, `""`) + `"`)
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}
