package planner

import (
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// Conditions move down by substitution: a condition on the rows of a subquery becomes one on the rows below by putting
// the items of its select list in the place of their names. What an operator doesn't let through becomes unknown, which
// widens the condition and never makes it wrong; so nothing has to be split, and a condition over several tables goes
// to each of them whole.
//
//	operator            what a condition above may use below it
//	DISTINCT            everything
//	GROUP BY            grouping expressions; nothing under ROLLUP, CUBE, GROUPING SETS
//	aggregate alone     nothing
//	window functions    expressions that stand in every PARTITION BY
//	LIMIT, OFFSET       nothing
//	DISTINCT ON         expressions of ON
//	a sample of n rows  nothing, not even the WHERE behind it
//	UNION, INTERSECT    everything, in each branch
//	EXCEPT              everything, on both sides: what is taken away elsewhere doesn't matter
//	joins               see joinNode.push

// push brings conditions on the rows of n down to the scans below it.
func (b *builder) push(n node, ps []pred) {
	switch n := n.(type) {
	case *scanNode:
		n.preds = append(ps[:len(ps):len(ps)], b.transitive(ps)...)
	case *joinNode:
		n.push(b, ps)
	case *selectNode:
		n.push(b, ps)
	case *setNode:
		n.push(b, ps)
	}
}

func (n *selectNode) push(b *builder, ps []pred) {
	if n.from == nil {
		return
	}
	down := make([]pred, 0, len(ps)+len(n.qualify)+len(n.having)+len(n.where))
	for _, p := range ps {
		p = p.with(n.item)
		if n.limited {
			p = p.through(nil)
		}
		down = append(down, p)
	}
	if n.on != nil {
		through(down, n.on)
	}
	down = append(down, n.qualify...)
	for _, w := range n.windows {
		through(down, w)
	}
	down = append(down, n.having...)
	switch {
	case n.blurred:
		through(down, nil)
	case n.grouped:
		through(down, n.groups)
	}
	if down = append(down, n.where...); n.counted {
		through(down, nil)
	}
	b.push(n.from, down)
}

// item is the expression behind a column of n's result; it is for pred.with.
func (n *selectNode) item(c *column) expr {
	switch {
	case c.rel != n.out:
		return nil
	case c.index >= 0:
		return n.items[c.index]
	case n.passes != nil:
		return &column{at: c.at, rel: n.passes, index: -1, name: c.name, t: c.t}
	}
	return hidden(c)
}

// hidden stands for a column whose value can't be followed.
func hidden(c *column) expr {
	return &opaque{at: c.at, t: c.t.optional(), why: "a value that isn't known here"}
}

// with replaces columns in p, also as it is shown.
func (p pred) with(f func(*column) expr) pred {
	var shown map[ast.Expr]ast.Expr
	b := &bounded{f: f, grown: p.grown}
	x := substitute(p.x, func(c *column) expr {
		e := b.of(c)
		if e == nil {
			return nil
		}
		if _, lost := e.(*opaque); !lost {
			if shown == nil {
				shown = map[ast.Expr]ast.Expr{}
			}
			shown[c.at] = e.node()
		}
		return e
	})
	if x == p.x {
		return p
	}
	p.x, p.grown = x, b.grown
	if shown != nil && !b.isFull() {
		p.shown = ast.Rewrite(p.shown, func(e ast.Expr) ast.Expr {
			if y, ok := shown[e]; ok {
				return y
			}
			return e
		})
	}
	return p
}

// through replaces in each condition what lies outside the given expressions.
func through(ps []pred, by []expr) {
	for i := range ps {
		ps[i] = ps[i].through(by)
	}
}

func (p pred) through(by []expr) pred {
	if x := seen(p.x, by); x != p.x {
		p.x, p.extra = x, true
	}
	return p
}

// seen is e as far as the expressions of by tell it.
func seen(e expr, by []expr) expr {
	if slices.ContainsFunc(by, func(x expr) bool { return equalExpr(x, e) }) {
		return e
	}
	switch e := e.(type) {
	case *column:
		return hidden(e)
	case *opaque:
		return &opaque{at: e.at, t: e.t, why: e.why}
	case *apply:
		args, changed := e.args, false
		for i, a := range e.args {
			if x := seen(a, by); x != a {
				if !changed {
					args, changed = slices.Clone(args), true
				}
				args[i] = x
			}
		}
		if changed {
			return &apply{at: e.at, fn: e.fn, args: args, t: e.t}
		}
	}
	return e
}

// equalExpr reports whether two expressions have the same value in every row. It may fail to see it.
func equalExpr(a, b expr) bool {
	switch a := a.(type) {
	case *column:
		b, ok := b.(*column)
		return ok && a.id() == b.id()
	case *constant:
		b, ok := b.(*constant)
		return ok && a.v == b.v && a.t.scalar == b.t.scalar
	case *apply:
		b, ok := b.(*apply)
		return ok && a.fn == b.fn && a.t.sameResult(b.t) && slices.EqualFunc(a.args, b.args, equalExpr)
	}
	return false
}

// columnID tells columns apart.
type columnID struct {
	rel   *relation
	index int
	name  string // of a column without an index
}

func (e *column) id() columnID {
	if e.index >= 0 {
		return columnID{rel: e.rel, index: e.index}
	}
	return columnID{e.rel, -1, e.name}
}

func (n *setNode) push(b *builder, ps []pred) {
	for k, arg := range n.args {
		down := make([]pred, 0, len(ps))
		for _, p := range ps {
			p = p.with(func(c *column) expr { return n.branch(b, k, c) })
			if n.limited {
				p = p.through(nil)
			}
			p.extra = p.extra || k > 0 && n.op == "EXCEPT"
			down = append(down, p)
		}
		for j, other := range n.args {
			if j != k && !n.limited && (n.op == "INTERSECT" || n.op == "EXCEPT" && j == 0) {
				down = append(down, n.across(b, j, k, b.implied(other))...)
			}
		}
		b.push(arg, down)
	}
}

// branch is what a column of the result is in the k-th branch; it is for pred.with.
func (n *setNode) branch(b *builder, k int, c *column) expr {
	if c.rel != n.out {
		return nil
	}
	if c.index < 0 {
		return hidden(c)
	}
	i := n.columns[k][c.index]
	if i < 0 {
		return &constant{at: c.at, t: c.t, v: nullValue}
	}
	x := n.args[k].relation().column(i)
	switch {
	case x.t.shape != scalarShape || c.t.shape != scalarShape:
		return hidden(c)
	case x.t.scalar == c.t.scalar:
		return x
	}
	return b.bind.convert(x, c.t)
}

// across turns what holds for the rows of the j-th branch into conditions on those of the k-th.
func (n *setNode) across(b *builder, j, k int, ps []pred) []pred {
	out := make([]pred, len(ps))
	for i, p := range ps {
		p = n.lifted(j, n.args[j].relation(), p)
		p = p.with(func(c *column) expr { return n.branch(b, k, c) })
		p.extra, p.from = true, n.op
		out[i] = p
	}
	return out
}

// never reports whether x can't be TRUE when the columns have the given values, all others being unknown.
func never(x expr, at env) bool { return eval(x, at).outcomes()&pruning.True == 0 }
