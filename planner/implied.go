package planner

import (
	"slices"

	"github.com/yqlplan/yqlplan/ast"
)

// implications keeps what implied has found, since every operator above may ask for it.
type implications struct {
	known bool
	preds []pred
}

// implied is what holds for all rows of n: conditions on its columns that are TRUE in each of them. It lets the
// conditions inside a subquery restrict what it is joined with.
func (b *builder) implied(n node) []pred {
	switch n := n.(type) {
	case *joinNode:
		return n.once(func() []pred { return n.implied(b) })
	case *selectNode:
		return n.once(func() []pred { return n.implied(b) })
	case *setNode:
		return n.once(func() []pred { return n.implied(b) })
	}
	return nil
}

// given is implied for those rows of n for which conditions can be TRUE: an outer join that they narrow tells more.
func (b *builder) given(n node, ps []pred) []pred {
	j, ok := n.(*joinNode)
	if !ok {
		return b.implied(n)
	}
	switch kind, l, r := j.narrowed(ps); {
	case j.last-j.first > maxCarried:
		return nil
	case kind == j.kind && kind != leftJoin:
		return b.implied(n)
	case kind == innerJoin:
		return slices.Concat(b.given(l, ps), b.given(r, ps), j.on)
	default:
		return b.given(l, ps)
	}
}

func (i *implications) once(find func() []pred) []pred {
	if !i.known {
		i.preds, i.known = find(), true
	}
	return i.preds
}

// maxTransitive bounds the equalities of a scan that are compared with its other conditions.
const maxTransitive = 16

// transitive is what equalities between a key and something else say of the key: y = year(d) AND year(d) < 2025 gives
// y < 2025, and y = v AND v IN (2, 3) gives y IN (2, 3).
func (b *builder) transitive(ps []pred) []pred {
	var out []pred
	eqs := equalities(ps)
	if len(eqs) > maxTransitive {
		return nil
	}
	for _, e := range eqs {
		for _, side := range [2][2]expr{{e.x, e.y}, {e.y, e.x}} {
			key, other := side[0], bare(side[1])
			c, ok := bare(key).(*column)
			if !ok || c.key() < 0 || !deterministic(other) {
				continue
			}
			for i := range ps {
				if &ps[i] == e.pred {
					continue
				}
				if p, ok := b.asKey(&ps[i], c, side[1]); ok {
					out = append(out, p)
				} else if p, ok := b.through(&ps[i], c, other); ok {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// asKey is the condition p with the key c in the place of a column that is equal to it and of the same type.
func (b *builder) asKey(p *pred, c *column, equal expr) (pred, bool) {
	data, ok := equal.(*column)
	if !ok || data.key() >= 0 || !data.t.sameResult(c.t) || isFloat(c.t.scalar.Kind) {
		return pred{}, false
	}
	out := p.with(func(x *column) expr {
		if x.id() == data.id() {
			return c
		}
		return nil
	})
	if out.x == p.x {
		return pred{}, false
	}
	out.extra, out.from = true, b.text(p.shown)
	return out, true
}

// through is the condition p about an expression as one about a column that is equal to it.
func (b *builder) through(p *pred, c *column, equal expr) (pred, bool) {
	a, ok := p.x.(*apply)
	if !ok || len(a.args) != 2 || !isComparison(a.fn.op) {
		return pred{}, false
	}
	x, k, op := bare(a.args[0]), a.args[1], a.fn.op
	if _, first := a.args[0].(*constant); first {
		x, k, op = bare(a.args[1]), a.args[0], mirror(op)
	}
	if _, ok := k.(*constant); !ok || !equalExpr(x, equal) || !(x.typ().sameScalar(c.t) || x.typ().isInt() && c.t.isInt()) {
		return pred{}, false
	}
	return pred{x: b.bind.compareAlike(a.at, op, c, k), shown: replaceNode(p.shown, x.node(), c.at), extra: true, from: b.text(p.shown)}, true
}

func isComparison(op ast.Op) bool {
	switch op {
	case ast.OpEq, ast.OpNe, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe:
		return true
	}
	return false
}

// deterministic reports whether x is the same wherever it stands in a row: it is made of columns by functions.
func deterministic(x expr) bool {
	switch x := x.(type) {
	case *column:
		return true
	case *apply:
		return !slices.ContainsFunc(x.args, func(a expr) bool { return !deterministic(a) && !isConstant(a) || isOpaque(a) })
	}
	return false
}

func isOpaque(x expr) bool { _, ok := x.(*opaque); return ok }

// replaceNode is e with one node in the place of another.
func replaceNode(e, from, to ast.Expr) ast.Expr {
	return ast.Rewrite(e, func(x ast.Expr) ast.Expr {
		if x == from {
			return to
		}
		return x
	})
}

func (j *joinNode) implied(b *builder) []pred {
	if j.last-j.first > maxCarried {
		return nil
	}
	switch j.kind {
	case innerJoin:
		return slices.Concat(b.implied(j.l), b.implied(j.r), j.on)
	case semiJoin:
		own := b.implied(j.l)
		return append(b.toward(j.l, slices.Concat(j.on, b.implied(j.r)), own), own...)
	case leftJoin, antiJoin:
		return b.implied(j.l)
	}
	return nil
}

// implied is what the clauses of n and the node below it say about the columns of the result.
func (n *selectNode) implied(b *builder) []pred {
	if n.blurred {
		return nil
	}
	var out []pred
	outer := map[columnID]expr{}
	for i, x := range n.items {
		switch x := x.(type) {
		case *column:
			if outer[x.id()] == nil {
				outer[x.id()] = n.out.column(i)
			}
		case *constant:
			if !x.v.isNull() {
				c := n.out.column(i)
				out = append(out, pred{x: b.bind.compare(c.at, ast.OpEq, c, x), shown: equals(c.at, x.at), extra: true})
			}
		}
	}
	if n.grouped && len(n.groups) == 0 || n.from == nil {
		return out
	}
	for _, p := range slices.Concat(n.where, n.having, n.qualify, b.implied(n.from)) {
		kept := false
		p = p.with(func(c *column) expr {
			if x, ok := outer[c.id()]; ok {
				kept = true
				return x
			}
			if n.passes == c.rel && c.index < 0 && n.passes != nil { // a column that * lets through
				kept = true
				return &column{at: c.at, rel: n.out, index: -1, name: c.name, t: c.t}
			}
			if n.from.owns(c.rel) {
				return hidden(c)
			}
			return nil
		})
		if kept {
			out = append(out, p)
		}
	}
	return out
}

func (n *setNode) implied(b *builder) []pred {
	var out []pred
	for k, arg := range n.args {
		if n.op != "INTERSECT" && (n.op != "EXCEPT" || k > 0) {
			continue
		}
		for _, p := range b.implied(arg) {
			out = append(out, n.lifted(k, arg.relation(), p))
		}
	}
	return out
}

// lifted is a condition on the rows of the k-th branch, of relation r, as one on the columns of the result.
func (n *setNode) lifted(k int, r *relation, p pred) pred {
	return p.with(func(c *column) expr {
		if c.rel != r {
			return nil
		}
		if i := slices.Index(n.columns[k], c.index); i >= 0 && c.index >= 0 && n.out.cols[i].typ.scalar == c.t.scalar {
			return n.out.column(i)
		}
		return hidden(c)
	})
}
