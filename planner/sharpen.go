package planner

import (
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

const (
	maxPoints = 1 << 10 // tuples of keys on which a condition is tried that has no form of its own
	maxTried  = 1 << 15 // nodes of it, over all tuples
)

// sharpen tries the conditions that stay open on the few values that all conditions together leave: k IN (1, 2, 3) AND
// k % 2 = 0 leaves 2, and a = 1 AND b = a + 1 leaves (1, 2). It gives the conjunction, of which all is what is known before.
func (l *lowering) sharpen(parts []part, all pruning.Diagram) pruning.Diagram {
	for i := range parts {
		p := &parts[i]
		if p.check.Depths == 0 || !all.Outcomes().MayBeTrue() {
			continue
		}
		var settled bool
		if p.d, settled = l.tried(p, all); settled {
			p.reasons = nil
		}
		all = all.And(p.d)
	}
	return all
}

// tried is p.d with what p comes to at the tuples that all leaves of those of its keys that have few values;
// settled: that is one outcome at each.
func (l *lowering) tried(p *part, all pruning.Diagram) (d pruning.Diagram, settled bool) {
	limit := min(maxPoints, maxTried/size(p.x))
	keys := slices.DeleteFunc(l.keysOf(p.x), func(k int) bool { return !fewPoints(all, k, limit) })
	tuples, ok := tuplesOf(all, keys, limit)
	if !ok || len(keys) == 0 {
		return p.d, false
	}
	settled = true
	cells := map[pruning.Diagram][]pruning.Diagram{}
	var order []pruning.Diagram
	for _, tuple := range tuples {
		at := l.at(p.x, keys, tuple)
		o := at.Outcomes()
		settled = settled && at.IsConst() && o&(o-1) == 0
		if cells[at] == nil {
			order = append(order, at)
		}
		cells[at] = append(cells[at], l.cell(keys, tuple))
	}
	out := p.d
	for _, at := range order {
		cell := l.sp.All(pruning.Diagram.Or, cells[at], l.sp.Const(pruning.False))
		out = out.Given(cell.Not()).Join(out.Given(cell).Meet(at.Given(cell)))
	}
	return out, settled
}

// fewPoints reports whether d can be TRUE for at most limit values of a key.
func fewPoints(d pruning.Diagram, key, limit int) bool {
	return d.Depends(key) && d.EachPoint([]int{key}, limit, func([]pruning.Nullable) bool { return true })
}

// tuplesOf are the tuples of keys for which d can be TRUE; ok is false when these are more than limit.
func tuplesOf(d pruning.Diagram, keys []int, limit int) (tuples [][]pruning.Nullable, ok bool) {
	ok = d.EachPoint(keys, limit, func(tuple []pruning.Nullable) bool {
		tuples = append(tuples, slices.Clone(tuple))
		return true
	})
	return tuples, ok
}

// at is what e comes to where keys have the values of a tuple.
func (l *lowering) at(e expr, keys []int, tuple []pruning.Nullable) pruning.Diagram {
	exact, depths, reasons := l.exact, l.depths, l.reasons
	defer func() { l.exact, l.depths, l.reasons = exact, depths, reasons }()
	return l.bool(replace(e, func(c *column) expr {
		i := slices.Index(keys, l.key(c))
		switch {
		case i < 0:
			return nil
		case tuple[i].Null:
			return &constant{at: c.at, t: c.t, v: nullValue}
		}
		return &constant{at: c.at, t: c.t, v: exactly(tuple[i].Value)}
	}))
}

// cell is where keys have the values of a tuple.
func (l *lowering) cell(keys []int, tuple []pruning.Nullable) pruning.Diagram {
	each := make([]pruning.Diagram, len(keys))
	for i, k := range keys {
		if tuple[i].Null {
			each[i] = atNull(l.sp, k)
		} else {
			each[i] = inside(l.sp, k, pruning.Point(l.sp.Keys()[k].Type, tuple[i].Value))
		}
	}
	return l.sp.All(pruning.Diagram.And, each, l.sp.Const(pruning.True))
}
