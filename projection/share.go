package projection

import (
	"cmp"
	"context"
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// Share reports whether some unit may have rows for which d is TRUE and rows for which e is: not one row for both. Where
// every unit has one tuple of keys that is the same as d AND e; a range or a bucket has many.
func Share(ctx context.Context, l *Layout, d, e pruning.Diagram) (bool, error) {
	return newDuo(ctx, l, false).start(d, e)
}

// Some reports whether some unit may have rows for which d is TRUE. It may add nodes to d's space.
func Some(ctx context.Context, l *Layout, d pruning.Diagram) (bool, error) {
	if !slices.ContainsFunc(l.Levels, func(l Level) bool { return !l.Fixed() }) {
		return someBelow(ctx, l.Levels, d)
	}
	for _, err := range Walk(ctx, l, d, Check{}) {
		return err == nil, err
	}
	return false, nil
}

// someBelow is Some for levels whose axes are the same everywhere, so that one branch of a run is like the others.
func someBelow(ctx context.Context, levels []Level, d pruning.Diagram) (bool, error) {
	if len(levels) == 0 || !d.Outcomes().MayBeTrue() {
		return d.Outcomes().MayBeTrue(), nil
	}
	axis, err := levels[0].Axis(ctx, &Place{})
	if err != nil {
		return false, err
	}
	runs, err := axis.Runs(nil, d)
	for i := 0; i < len(runs) && err == nil; i++ {
		var some bool
		if some, err = someBelow(ctx, levels[1:], runs[i].Rest); some {
			return true, err
		}
	}
	return false, err
}

// Misses reports whether some unit has rows, but none for which d can be TRUE: whether d drops a unit.
func Misses(ctx context.Context, l *Layout, d pruning.Diagram) (bool, error) {
	if d.IsConst() && d.Outcomes().MayBeTrue() {
		return false, nil
	}
	return newDuo(ctx, l, true).start(d.Space().Const(pruning.True), d)
}

// duo walks a layout with two diagrams at once, until a unit is found.
type duo struct {
	*walker
	without bool // units of the first that the second doesn't have, instead of units that both have
	seen    map[duoNode]bool
}

type duoNode struct {
	level int
	d, e  pruning.Diagram
}

func newDuo(ctx context.Context, l *Layout, without bool) *duo {
	return &duo{walker: newWalker(ctx, l, Check{}), without: without, seen: map[duoNode]bool{}}
}

func (t *duo) start(d, e pruning.Diagram) (bool, error) {
	d = own(d)
	found := t.walk(0, d, d.Space().Adopt(e))
	return found, t.err
}

// walk reports whether a unit is found from level l down.
func (t *duo) walk(l int, d, e pruning.Diagram) bool {
	switch {
	case t.err != nil || !d.Outcomes().MayBeTrue() || !t.without && !e.Outcomes().MayBeTrue():
		return false
	case l == len(t.unit.Index):
		return !t.without || !e.Outcomes().MayBeTrue()
	case t.frames[l].free:
		if t.seen[duoNode{l, d, e}] {
			return false // or the walk would have ended
		}
		t.seen[duoNode{l, d, e}] = true
	}
	axis, err := t.axis(l)
	if err != nil {
		t.err = err
		return false
	}
	ds, err1 := axis.Runs(nil, d)
	es, err2 := axis.Runs(nil, e)
	if t.err = cmp.Or(err1, err2); t.err != nil {
		return false
	}
	return t.merge(l, ds, es)
}

// merge goes over the runs of both.
func (t *duo) merge(l int, ds, es []Run) bool {
	for _, r := range ds {
		for len(es) > 0 && es[0].Last < r.First {
			es = es[1:]
		}
		from, more := r.First, true // branches not looked at
		for _, e := range es {
			if e.First > r.Last || !more {
				break
			}
			first, last := max(r.First, e.First), min(r.Last, e.Last)
			if t.without && from < first || t.branches(l, first, last, r.Rest, e.Rest) {
				return true
			}
			from, more = last+1, last < r.Last
		}
		if t.without && more {
			return true
		}
	}
	return false
}

// branches looks below branches that both have.
func (t *duo) branches(l int, first, last uint64, d, e pruning.Diagram) bool {
	for i := first; ; i++ {
		t.unit.Index[l] = i
		if t.steps++; t.steps%poll == 0 && t.ctx.Err() != nil {
			t.err = t.ctx.Err()
			return false
		}
		if t.walk(l+1, d, e) {
			return true
		}
		if t.err != nil || i == last || t.frames[l+1].free {
			return false
		}
	}
}
