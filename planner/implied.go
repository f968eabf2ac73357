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
