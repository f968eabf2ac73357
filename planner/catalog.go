package planner

import (
	"iter"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
)

// catalog holds what statements have declared, in order: at most one CREATE of a kind and name, the ALTERs of a table
// behind its CREATE. It is what a System reads as declarations.
type catalog struct {
	decls   []ast.Stmt
	version int                    // changes with every declaration, so that tables made before are made anew
	same    func(a, b string) bool // whether two parts of names mean the same; nil: when they are equal
}

// object is what a declaration is about. Sources and tables don't share names.
type object struct {
	source bool
	name   []ast.Name
}

func (o object) equal(p object, same func(a, b string) bool) bool {
	return o.source == p.source && slices.EqualFunc(o.name, p.name, func(a, b ast.Name) bool {
		return a.Text == b.Text || same != nil && same(a.Text, b.Text)
	})
}

// objectOf is what st declares; ok is false for statements that declare nothing.
func objectOf(st ast.Stmt) (o object, ok bool) {
	switch st := st.(type) {
	case *ast.CreateSource:
		return object{true, st.Name}, true
	case *ast.CreateTable:
		return object{false, st.Name}, true
	case *ast.CreateView:
		return object{false, st.Name}, true
	case *ast.AlterTable:
		return object{false, st.Name}, true
	case *ast.Insert:
		return object{false, st.Table.Name}, true
	case *ast.Drop:
		return object{st.Kind == "EXTERNAL DATA SOURCE", st.Name}, true
	}
	return object{}, false
}

// declare takes st into account and reports whether it had an effect. A later declaration replaces an earlier one,
// which is a warning where the text doesn't say so.
func (c *catalog) declare(st ast.Stmt, diags *ast.Diagnostics) bool {
	o, ok := objectOf(st)
	if !ok {
		return false
	}
	replace, keep := false, false
	switch st := st.(type) {
	case *ast.CreateSource:
		replace, keep = st.OrReplace, st.IfNotExists
	case *ast.CreateTable:
		replace, keep = st.OrReplace, st.IfNotExists
	case *ast.CreateView:
		replace, keep = st.OrReplace || st.Alter, st.IfNotExists
	case *ast.AlterTable:
		c.add(st)
		return true
	case *ast.Drop:
		c.remove(o)
		return false
	}
	if c.has(o) {
		if keep {
			return false
		}
		if !replace {
			*diags = append(*diags, redeclared(st, o))
		}
		c.remove(o)
	}
	c.add(st)
	return true
}

func redeclared(st ast.Stmt, o object) *ast.Diagnostic {
	d := &ast.Diagnostic{
		Severity: ast.Warning, Code: "plan.redeclared", Pos: st.Pos(), End: st.End(),
		Msg:  dotted(o.name) + " is declared again; from here on this declaration holds",
		Hint: "write CREATE OR REPLACE when that is meant",
	}
	if n := len(o.name); n > 0 {
		d.Pos, d.End = o.name[0].From, o.name[n-1].To
	}
	return d
}

func (c *catalog) add(st ast.Stmt) {
	c.decls = append(c.decls, st) // what was handed out is a prefix of it, or of a list made before a removal
	c.version++
}

// cut takes back all declarations behind the first n: those of a statement that failed.
func (c *catalog) cut(n int) {
	if n < len(c.decls) {
		c.decls = slices.Clip(c.decls[:n])
		c.version++
	}
}

func (c *catalog) has(o object) bool {
	for range c.of(o) {
		return true
	}
	return false
}

// of is where the declarations are, the last first, of the object that has a name now: those by an earlier name of it are
// among them, those of a table that had this name before it was renamed aren't.
func (c *catalog) of(o object) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, st := range slices.Backward(c.decls) {
			p, _ := objectOf(st)
			var to []ast.Name
			if alter, ok := st.(*ast.AlterTable); ok {
				to = alter.Renamed()
			}
			switch {
			case to != nil && object{name: to}.equal(o, c.same):
				o = p
			case !p.equal(o, c.same):
				continue
			case to != nil:
				return
			}
			if !yield(i) {
				return
			}
		}
	}
}

// declares reports whether a table is declared by a name that ends as this one does: t, db.t and catalog.db.t are one.
func (c *catalog) declares(name []ast.Name) bool {
	return slices.ContainsFunc(c.decls, func(st ast.Stmt) bool {
		t, ok := st.(*ast.CreateTable)
		return ok && c.ends(t.Name, name)
	})
}

// ends reports whether the shorter of two names is the end of the other.
func (c *catalog) ends(a, b []ast.Name) bool {
	n := min(len(a), len(b))
	return n > 0 && object{name: a[len(a)-n:]}.equal(object{name: b[len(b)-n:]}, c.same)
}

// remove forgets an object with all its ALTERs.
func (c *catalog) remove(o object) {
	gone, kept := slices.Collect(c.of(o)), make([]ast.Stmt, 0, len(c.decls))
	for i, st := range c.decls {
		if last := len(gone) - 1; last >= 0 && gone[last] == i {
			gone = gone[:last]
		} else {
			kept = append(kept, st)
		}
	}
	c.decls = kept
	c.version++
}

// dotted prints a name for messages.
func dotted(name []ast.Name) string {
	var b []byte
	for i, n := range name {
		if i > 0 {
			b = append(b, '.')
		}
		b = append(b, n.Text...)
	}
	return string(b)
}
