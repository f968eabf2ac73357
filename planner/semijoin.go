package planner

import (
	"slices"

	"github.com/yqlplan/yqlplan/ast"
)

// semiJoins turns conditions "x IN (SELECT …)" and [NOT] EXISTS of WHERE into semi joins and anti joins, so that what is known
// of either side restricts the other. The conditions stay, too: they are the filter.
func (s *selection) semiJoins(from node) node {
	if from == nil {
		return nil
	}
	for _, p := range s.n.where {
		from = s.exists(from, p)
		in, ok := p.shown.(*ast.In)
		if !ok || in.Not {
			continue
		}
		i := s.b.innerAt(in.Set)
		if i < 0 {
			continue
		}
		sub := s.b.inner[i].node
		rel := sub.relation()
		xs, ok := sought(p.x, in)
		if !ok || len(xs) != len(rel.cols) || rel.open {
			continue
		}
		s.b.place(rel)
		j := newJoin(semiJoin, from, sub)
		j.within = true
		for k, x := range xs {
			y := rel.column(k)
			j.on = append(j.on, pred{x: s.b.bind.compare(in, ast.OpEq, x, y), shown: equals(x.node(), y.at), from: "IN (SELECT …)", extra: true})
		}
		s.b.inner = slices.Delete(s.b.inner, i, i+1)
		from = j
	}
	return from
}

// exists joins from with what [NOT] EXISTS (SELECT … FROM … WHERE …) reads: its WHERE is what rows meet by.
func (s *selection) exists(from node, p pred) node {
	kind, x := semiJoin, p.shown
	if not, ok := x.(*ast.Unary); ok && not.Op == ast.OpNot {
		kind, x = antiJoin, not.X
	}
	if _, ok := x.(*ast.Exists); !ok {
		return from
	}
	i := s.b.innerAt(x)
	if i < 0 {
		return from
	}
	sub, ok := s.b.inner[i].node.(*selectNode)
	if !ok || sub.from == nil || sub.grouped || sub.limited || len(sub.qualify)+len(sub.windows) > 0 || slices.ContainsFunc(sub.items, unnests) {
		return from
	}
	j := newJoin(kind, from, sub.from)
	j.on, j.within = sub.where, true
	s.b.inner = slices.Delete(s.b.inner, i, i+1)
	return j
}

// sought is what IN looks for, as bound in e: the elements of a tuple, or one value.
func sought(e expr, in *ast.In) ([]expr, bool) {
	o, ok := e.(*opaque)
	if !ok || o.at != in || len(o.args) != 1 {
		return nil, false
	}
	if _, ok := in.X.(*ast.Tuple); ok {
		return elements(o.args[0])
	}
	return o.args, true
}
