package projection

import (
	"context"
	"math/big"

	"github.com/yqlplan/yqlplan/pruning"
)

// Count is the number of units that [Walk] yields. On fixed levels without checks it multiplies: its cost is in the
// number of different diagrams, not of units. Above them, and above the deepest check, it goes branch by branch.
func Count(ctx context.Context, l *Layout, d pruning.Diagram, c Check) (*big.Int, error) {
	if !d.Outcomes().MayBeTrue() {
		return new(big.Int), nil
	}
	n, err := newWalker(ctx, l, c).count(0, own(d))
	if err != nil {
		return nil, err
	}
	return new(big.Int).Set(n), nil
}

// count is the number of units from level l down, below the current branch. The result isn't to be changed.
func (w *walker) count(l int, d pruning.Diagram) (*big.Int, error) {
	if l == len(w.unit.Index) {
		return one, nil
	}
	if n, ok := w.counts[node{l, d}]; ok {
		return n, nil
	}
	runs, err := w.runs(l, d)
	if err != nil {
		return nil, err
	}
	sum := new(big.Int)
	for _, r := range runs {
		if err := w.countRun(sum, l, r); err != nil {
			return nil, err
		}
	}
	if w.frames[l].free {
		w.keep(node{l, d}, sum)
	}
	return sum, nil
}

// countRun adds the units of a run of level l to sum.
func (w *walker) countRun(sum *big.Int, l int, r Run) error {
	if !w.frames[l].checked && w.frames[l+1].free {
		each, err := w.count(l+1, r.Rest)
		if err == nil {
			sum.Add(sum, new(big.Int).Mul(each, r.length()))
		}
		return err
	}
	for i := r.First; ; i++ {
		if w.steps++; w.steps%poll == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		w.unit.Index[l] = i
		if !w.frames[l].checked || w.check.At(&w.unit.Place, l+1).MayBeTrue() {
			n, err := w.count(l+1, r.Rest)
			if err != nil {
				return err
			}
			sum.Add(sum, n)
		}
		if i == r.Last {
			return nil
		}
	}
}

func (w *walker) keep(n node, sum *big.Int) {
	if w.counts == nil {
		w.counts = make(map[node]*big.Int)
	}
	w.counts[n] = sum
}

// Checks is how often [Count] would call c.At if that never dropped a branch. It calls it not at all, so a planner
// learns in advance what checking would cost.
func Checks(ctx context.Context, l *Layout, d pruning.Diagram, c Check) (*big.Int, error) {
	deepest := -1
	for i := range l.Levels {
		if c.after(i) {
			deepest = i
		}
	}
	w := newWalker(ctx, &Layout{Levels: l.Levels[:deepest+1]}, Check{})
	if !d.Outcomes().MayBeTrue() {
		return new(big.Int), nil
	}
	return w.checks(0, own(d), &c, make(map[node]*big.Int))
}

// checks is the number of calls from level l down. seen holds what is known of fixed levels.
func (w *walker) checks(l int, d pruning.Diagram, c *Check, seen map[node]*big.Int) (*big.Int, error) {
	sum := new(big.Int)
	if l == len(w.unit.Index) {
		return sum, nil
	}
	if n, ok := seen[node{l, d}]; ok {
		return n, nil
	}
	runs, err := w.runs(l, d)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if c.after(l) {
			sum.Add(sum, r.length())
		}
		for i := r.First; ; i++ {
			if w.steps++; w.steps%poll == 0 && w.ctx.Err() != nil {
				return nil, w.ctx.Err()
			}
			w.unit.Index[l] = i
			each, err := w.checks(l+1, r.Rest, c, seen)
			if err != nil {
				return nil, err
			}
			if w.frames[l+1].free {
				sum.Add(sum, new(big.Int).Mul(each, r.length()))
				break
			}
			if sum.Add(sum, each); i == r.Last {
				break
			}
		}
	}
	if w.frames[l].free {
		seen[node{l, d}] = sum
	}
	return sum, nil
}
