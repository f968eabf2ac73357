package planner

import (
	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// tuples lowers the comparison of two tuples element by element, so that keys may stand in any order.
func (l *lowering) tuples(op ast.Op, x, y expr) (pruning.Diagram, bool) {
	xs, ok1 := elements(x)
	ys, ok2 := elements(y)
	if !ok1 || !ok2 || len(xs) != len(ys) || len(xs) == 0 {
		return pruning.Diagram{}, false
	}
	pair := func(op ast.Op, i int) pruning.Diagram {
		return l.bool(&apply{at: x.node(), fn: comparison(op), args: []expr{xs[i], ys[i]}, t: scalar(pruning.Bool).optional()})
	}
	if op == ast.OpEq || op == ast.OpNe {
		ds := make([]pruning.Diagram, len(xs))
		for i := range xs {
			ds[i] = pair(ast.OpEq, i)
		}
		d := l.sp.All(pruning.Diagram.And, ds, l.sp.Const(pruning.True))
		if op == ast.OpNe {
			d = d.Not()
		}
		return d, true
	}
	strict := ast.OpLt
	if op == ast.OpGt || op == ast.OpGe {
		strict = ast.OpGt
	}
	d := pair(op, len(xs)-1)
	for i := len(xs) - 2; i >= 0; i-- {
		d = pair(strict, i).Or(pair(ast.OpEq, i).And(d))
	}
	return d, true
}

// elements are the parts of a tuple, as expressions.
func elements(x expr) ([]expr, bool) {
	switch x := x.(type) {
	case *apply:
		return x.args, x.fn == tupleFn
	case *constant:
		if x.t.shape == tupleShape && x.v.parts != nil {
			return constants(x), true
		}
	}
	return nil, false
}

// inTuples lowers "(k1, k2) IN list" for keys: tuples are gathered by their first elements, so that each branch of one key
// has one set of the next. Three-valued AND and OR are distributive, which makes it the same as comparing one by one.
func (l *lowering) inTuples(x expr, list *constant) (pruning.Diagram, bool) {
	xs, ok := elements(x)
	types := list.t.items[0].items
	if !ok || len(xs) == 0 || len(xs) != len(types) {
		return pruning.Diagram{}, false
	}
	g := tupleSet{l: l, cols: make([]*column, len(xs)), types: types}
	for i, x := range xs {
		if g.cols[i], ok = x.(*column); !ok || l.key(g.cols[i]) < 0 || isFloat(g.cols[i].t.scalar.Kind) || isFloat(types[i].scalar.Kind) {
			return pruning.Diagram{}, false
		}
	}
	return g.lower(0, list.v.parts.items), true
}

type tupleSet struct {
	l     *lowering
	cols  []*column
	types []typ
}

// lower is "the columns from i on are one of the tuples, from i on".
func (g *tupleSet) lower(i int, tuples []value) pruning.Diagram {
	if i == len(g.cols) {
		return g.l.sp.Const(pruning.True)
	}
	t := g.cols[i].t.scalar
	rests := map[pruning.Value][]value{}
	var order []pruning.Value
	var missed []value // equal to no value of the column: NULL at best, where that is NULL
	for _, x := range tuples {
		c := cutsAt(t, g.types[i].scalar, x.parts.items[i].lo)
		if !c.hit {
			missed = append(missed, x)
			continue
		}
		if _, ok := rests[c.from]; !ok {
			order = append(order, c.from)
		}
		rests[c.from] = append(rests[c.from], x)
	}
	firsts := map[pruning.Diagram][]pruning.Value{}
	var below []pruning.Diagram
	for _, v := range order {
		d := g.lower(i+1, rests[v])
		if _, ok := firsts[d]; !ok {
			below = append(below, d)
		}
		firsts[d] = append(firsts[d], v)
	}
	for j, d := range below {
		below[j] = g.l.sp.In(g.l.key(g.cols[i]), pruning.Points(t, firsts[d])).And(d)
	}
	if len(missed) > 0 {
		below = append(below, g.l.sp.In(g.l.key(g.cols[i]), pruning.Empty()).And(g.lower(i+1, missed)))
	}
	return g.l.sp.All(pruning.Diagram.Or, below, g.l.sp.Const(pruning.False))
}
