package planner

import "github.com/yqlplan/yqlplan/pruning"

// boxer evaluates a predicate over several keys with few values each, one key below the other.
type boxer struct {
	l    *lowering
	e    expr
	keys []int
}

// split lowers the predicate for the values that the keys before the i-th have at the moment.
func (b *boxer) split(i int) pruning.Diagram {
	l, k := b.l, b.keys[i]
	d := l.domain(k)
	for _, later := range b.keys[i+1:] {
		l.ev.keys[later] = l.domain(later).whole()
	}
	sets := map[pruning.Diagram]pruning.Set{}
	var order []pruning.Diagram
	rest := pruning.Full()
	add := func(x pruning.Diagram, first, last uint64) {
		if _, ok := sets[x]; !ok {
			order = append(order, x)
		}
		stretch := d.between(first, last)
		sets[x], rest = sets[x].Union(stretch), rest.Minus(stretch)
	}
	b.halve(i, 0, d.last(), add)
	out := l.sp.Const(pruning.False).Given(inside(l.sp, k, rest))
	for _, x := range order {
		out = out.Join(x.Given(inside(l.sp, k, sets[x])))
	}
	if d.null {
		l.ev.keys[k] = nullValue
		out = out.Join(b.below(i).Given(atNull(l.sp, k)))
	}
	l.ev.keys[k] = d.whole()
	return out
}

// inside is the cell of one key's values in a set.
func inside(sp *pruning.Space, k int, set pruning.Set) pruning.Diagram {
	return sp.In(k, set).Is(pruning.True)
}

// atNull is the cell where a key is NULL.
func atNull(sp *pruning.Space, k int) pruning.Diagram {
	return sp.Steps(k, nil, []pruning.Outcomes{pruning.False}, pruning.True)
}

// halve calls add for ranges of key i with what is left to decide below each.
func (b *boxer) halve(i int, first, last uint64, add func(x pruning.Diagram, first, last uint64)) {
	b.l.ev.keys[b.keys[i]] = b.l.domain(b.keys[i]).span(first, last)
	v := b.l.try(b.e)
	if o := v.outcomes(); o&(o-1) == 0 || v.is&live == 0 {
		if o&(o-1) != 0 {
			b.l.because(b.e, b.l.blame(b.e))
		}
		add(b.l.sp.Const(o), first, last)
		return
	}
	if first == last {
		add(b.below(i), first, last)
		return
	}
	mid := first + (last-first)/2
	b.halve(i, first, mid, add)
	b.halve(i, mid+1, last, add)
	b.l.ev.keys[b.keys[i]] = b.l.domain(b.keys[i]).whole()
}

// below is the predicate with key i at one value.
func (b *boxer) below(i int) pruning.Diagram {
	if i+1 < len(b.keys) {
		return b.split(i + 1)
	}
	o := b.l.try(b.e).outcomes()
	if o&(o-1) != 0 {
		b.l.because(b.e, b.l.blame(b.e))
	}
	return b.l.sp.Const(o)
}
