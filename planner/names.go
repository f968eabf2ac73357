package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// closure is a lambda with the names around it.
type closure struct {
	lambda *ast.Lambda
	sc     *scope
	sem    *semantics
}

// ident resolves a possibly qualified name: the innermost scope that knows it wins, outer ones are correlated.
func (b *binder) ident(e *ast.Ident, sc *scope) expr {
	if b.sem.word != nil && len(e.Parts) == 1 && !e.Parts[0].Quoted {
		if x := b.sem.word(b, e); x != nil {
			return x
		}
	}
	if x := b.bareLocal(e, sc.locals); x != nil {
		return x
	}
	for s := sc; s != nil; s = s.outer {
		if x := b.inScope(e, s); x != nil {
			return x
		}
	}
	for s := sc; s != nil; s = s.outer {
		if x := b.inOpen(e, s); x != nil {
			return x
		}
	}
	if b.isRow(e, sc) {
		return &opaque{at: e, why: "a row of " + e.Parts[0].Text}
	}
	b.unknownColumn(e, sc)
	return b.failed(e, nil)
}

// isRow reports whether a name stands for the rows of a table, which are structs in DuckDB.
func (b *binder) isRow(e *ast.Ident, sc *scope) bool {
	for s := sc; s != nil && b.sem.dialect == "duckdb" && len(e.Parts) == 1; s = s.outer {
		if slices.ContainsFunc(s.rels, func(r *relation) bool { return b.sem.sameName(r.name, e.Parts[0].Text) }) {
			return true
		}
	}
	return false
}

// bareLocal is the argument of a lambda that a name means, or a field of it; nil for other names.
func (b *binder) bareLocal(e *ast.Ident, l *local) expr {
	for ; l != nil; l = l.up {
		if !l.bare || !b.sem.sameName(l.name, e.Parts[0].Text) {
			continue
		}
		if b.expanded += l.size; len(e.Parts) == 1 {
			return l.x
		}
		return &opaque{at: e, why: "a field of " + l.name, args: []expr{l.x}}
	}
	return nil
}

// inScope finds a declared column: by its own name in all relations, or behind the name of one. What follows are
// fields of the column.
func (b *binder) inScope(e *ast.Ident, sc *scope) expr {
	var found []*column
	rest := e.Parts[1:]
	for _, r := range sc.rels {
		if i := r.find(e.Parts[0].Text, b.sem.sameName); i >= 0 {
			found = append(found, columnOf(e, r, i))
		}
	}
	for _, q := range b.named(e, sc) {
		if i := q.rel.find(e.Parts[q.parts].Text, b.sem.sameName); i >= 0 {
			found, rest = []*column{columnOf(e, q.rel, i)}, e.Parts[q.parts+1:]
			break
		}
	}
	switch {
	case len(found) == 0:
		return nil
	case len(found) > 1 && !sameColumn(found):
		b.errorf(e, "bind.ambiguous", "write "+found[0].rel.name+"."+e.Parts[0].Text, "%s is a column of %s and of %s", e.Parts[0].Text, found[0].rel.name, found[1].rel.name)
		return b.failed(e, nil)
	case len(rest) > 0:
		return &opaque{at: e, why: "a field of " + found[0].name, args: []expr{found[0]}}
	}
	return found[0]
}

func sameColumn(cs []*column) bool {
	return !slices.ContainsFunc(cs, func(c *column) bool { return c.rel != cs[0].rel })
}

func columnOf(e *ast.Ident, r *relation, i int) *column {
	r.cols[i].used = true
	return &column{at: e, rel: r, index: i, name: r.cols[i].name, t: r.cols[i].typ}
}

// qualified is a relation that the first parts of a name mean.
type qualified struct {
	rel   *relation
	parts int
}

// named are the relations that the beginning of e means: by one part, or by several that end in the relation's name.
func (b *binder) named(e *ast.Ident, sc *scope) (out []qualified) {
	for _, r := range sc.rels {
		for i, p := range e.Parts[:len(e.Parts)-1] {
			if r.name != "" && b.sem.sameName(p.Text, r.name) {
				out = append(out, qualified{r, i + 1})
				break
			}
		}
	}
	return out
}

func (r *relation) find(name string, same func(a, b string) bool) int {
	return slices.IndexFunc(r.cols, func(c relColumn) bool { return same(c.name, name) })
}

// width is how many columns there are but for those that aren't among the columns of *, which come last.
func (r *relation) width() int {
	n := len(r.cols)
	for n > 0 && r.cols[n-1].virtual {
		n--
	}
	return n
}

// inOpen takes a name for a data column of a relation whose columns aren't all declared.
func (b *binder) inOpen(e *ast.Ident, sc *scope) expr {
	qs := b.named(e, sc)
	if len(qs) == 0 {
		for _, r := range sc.rels {
			qs = append(qs, qualified{r, 0})
		}
	}
	for _, q := range qs {
		if q.rel.open {
			return &column{at: e, rel: q.rel, index: -1, name: e.Parts[q.parts].Text}
		}
	}
	return nil
}

func (b *binder) unknownColumn(e *ast.Ident, sc *scope) {
	name, rels := e.Parts[0], sc.rels
	if q := b.named(e, sc); len(q) > 0 {
		name, rels = e.Parts[q[0].parts], []*relation{q[0].rel}
	} else if len(e.Parts) > 1 {
		b.unknownTable(e, sc)
		return
	}
	var names, shown []string
	for _, r := range rels {
		for _, c := range r.cols {
			if names = append(names, c.name); !c.virtual {
				shown = append(shown, c.name)
			}
		}
	}
	hint := ""
	if near, ok := ast.Nearest(name.Text, names); ok && strings.EqualFold(near, name.Text) {
		hint = "column names are case-sensitive: write " + near
	} else if ok {
		hint = "did you mean " + near + "?"
	} else if name.Quoted && b.sem.quotedNames {
		hint = "names stand in double quotes; for a text write " + b.sem.literal(scalar(pruning.String), name.Text)
	} else if len(rels) == 0 {
		hint = "there is no FROM here"
	} else if len(shown) > 0 && len(shown) <= 12 {
		hint = "the columns are " + strings.Join(shown, ", ")
	}
	b.errorf(name, "bind.column", hint, "there is no column %s", name.Text)
}

func (b *binder) unknownTable(e *ast.Ident, sc *scope) {
	var names []string
	for _, r := range sc.rels {
		names = append(names, r.name)
	}
	hint := ""
	if near, ok := ast.Nearest(e.Parts[0].Text, names); ok {
		hint = "did you mean " + near + "?"
	}
	b.errorf(e.Parts[0], "bind.table", hint, "there is no table or column %s here", e.Parts[0].Text)
}

// param resolves $name: an argument of the lambda being applied, else a named expression. That one is bound once, with
// the names before it; it can't refer to columns, so a result that isn't constant is merely unknown.
func (b *binder) param(e *ast.Param, sc *scope) expr {
	if l := sc.locals.lookup(e.Name); l != nil {
		b.expanded += l.size
		return l.x
	}
	p := sc.params.lookup(e.Name)
	switch {
	case p == nil && b.sem.openParams:
		name := "$" + e.Name
		if e.Mark {
			name = "?"
		}
		return &opaque{at: e, why: "the parameter " + name}
	case p == nil:
		b.unknownParam(e, sc)
		return b.failed(e, nil)
	case p.query != nil && p.sel == nil:
		defer b.follow(p.sem)()
		return b.subquery(e, p.query, &scope{params: p.up, outer: nil})
	case p.typ != nil:
		return &opaque{at: e, t: b.writtenType(p.typ), why: "the parameter $" + p.name}
	case p.x == nil || p.sel != nil:
		return &opaque{at: e, why: "the value of $" + p.name}
	}
	switch x := b.paramValue(p).(type) {
	case *constant:
		return &constant{at: e, t: x.t, v: x.v}
	default:
		return &opaque{at: e, t: x.typ(), why: "the value of $" + p.name}
	}
}

// follow binds by the rules of another place in the text until the result is called.
func (b *binder) follow(sem *semantics) func() {
	was := b.sem
	if sem != nil {
		b.sem = sem
	}
	return func() { b.sem = was }
}

func (b *binder) paramValue(p *param) expr {
	if p.value != nil {
		return p.value
	}
	if x, ok := b.params[p]; ok {
		return x
	}
	defer b.follow(p.sem)()
	if b.depth >= maxNested {
		b.errorf(p.x, "bind.depth", "", "$%s refers to named expressions more than %d deep", p.name, maxNested)
		return b.failed(p.x, nil)
	}
	b.depth++
	x := b.bind(p.x, &scope{params: p.up})
	b.depth--
	if b.params == nil {
		b.params = map[*param]expr{}
	}
	b.params[p] = x
	return x
}

func (b *binder) unknownParam(e *ast.Param, sc *scope) {
	var names []string
	for p := sc.params; p != nil; p = p.up {
		names = append(names, p.name)
	}
	hint := ""
	if near, ok := ast.Nearest(e.Name, names); ok {
		hint = "did you mean $" + near + "?"
	}
	b.errorf(e, "bind.param", hint, "the name $%s is not defined", e.Name)
}

// plan hands a query inside of an expression to the statements' side.
func (b *binder) plan(q ast.Query, at ast.Expr, sc *scope) *relation {
	if b.queries == nil {
		return nil
	}
	return b.queries.inExpression(q, at, sc)
}

// subquery is the value of (SELECT …), which only its rows tell.
func (b *binder) subquery(at ast.Expr, q ast.Query, sc *scope) expr {
	out := &opaque{at: at, why: "a subquery"}
	if r := b.plan(q, at, sc); r != nil && len(r.cols) == 1 {
		out.t = r.cols[0].typ.optional()
	}
	return out
}

// applyLambda binds the body of a lambda with the arguments in place of its parameters.
func (b *binder) applyLambda(at ast.Expr, f *closure, args []expr) expr {
	l := f.lambda
	if least := required(l); len(args) < least || len(args) > len(l.Params) {
		b.errorf(at, "bind.arguments", "", "the lambda takes %s, not %d", argumentCount(least, len(l.Params)), len(args))
		return b.failed(at, args)
	}
	if b.depth >= maxNested || b.expanded > maxExpanded {
		return &opaque{at: at, why: "a lambda that is nested too deep", args: args}
	}
	b.depth++
	b.lambdas++
	defer func() { b.depth--; b.lambdas-- }()
	defer b.follow(f.sem)()
	sc := *f.sc
	for i, p := range l.Params {
		var x expr = &constant{at: at, t: typ{shape: nullShape}, v: nullValue} // left out
		if i < len(args) {
			x = args[i]
		}
		sc.locals = newLocal(sc.locals, p.Name, x)
		sc.locals.bare = p.Bare
	}
	for _, let := range l.Lets {
		if let.X == nil || len(let.Names) != 1 {
			return &opaque{at: at, why: "a lambda with a query", args: args}
		}
		x := b.bind(let.X, &sc)
		sc.locals = newLocal(sc.locals, let.Names[0].Name, x)
	}
	return standing(b.bind(l.Body, &sc), at)
}

// standing is x as what stands at another place: the body of a lambda where that is called.
func standing(x expr, at ast.Expr) expr {
	switch x := x.(type) {
	case *constant:
		return &constant{at: at, t: x.t, v: x.v}
	case *column:
		return &column{at: at, rel: x.rel, index: x.index, name: x.name, t: x.t}
	case *apply:
		return &apply{at: at, fn: x.fn, args: x.args, t: x.t}
	case *opaque:
		return &opaque{at: at, t: x.t, why: x.why, args: x.args}
	}
	return x
}

// required is how many arguments a lambda takes at least: those behind may be left out where they are written $x?.
func required(l *ast.Lambda) int {
	n := len(l.Params)
	for n > 0 && l.Params[n-1].Optional {
		n--
	}
	return n
}

// newLocal counts the nodes of x: an argument that is used twice in each of n nested lambdas would grow to 2^n of them,
// though bound only once.
func newLocal(up *local, name string, x expr) *local {
	return &local{up: up, name: name, x: x, size: size(x)}
}

func size(e expr) int {
	n := 1
	switch e := e.(type) {
	case *apply:
		for _, a := range e.args {
			n += size(a)
		}
	case *opaque:
		for _, a := range e.args {
			n += size(a)
		}
	}
	return n
}

// boolOpaque is a Bool of which nothing is known.
func boolOpaque(at ast.Expr, why string, args ...expr) expr {
	return &opaque{at: at, t: scalar(pruning.Bool).optional(), why: why, args: args}
}
