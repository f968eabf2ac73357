// Package explain renders read plans: as text for people, as JSON for programs, as bare paths for pipes; and
// diagnostics as text.
//
// Renderers ask a scan how many units it has and walk over those that are shown. They hold one unit at a time, so a
// plan of 10^15 prefixes costs as much as one of ten.
package explain

import (
	"context"
	"iter"
	"math/big"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
)

// Window is the part of a list of units that is shown. Text and JSON show one list for each scan, paths are one list
// of all scans' units. The zero Window is everything.
//
// Of 156 units, {Shard: 2, Shards: 3, Offset: 50} is the last two of the second third: 102 and 103, counted from 0.
type Window struct {
	Shard, Shards uint64   // the part Shard (from 1) of Shards equal ones; 0 of 0: no parts
	Offset        *big.Int // how many units to leave out in front, of the part; nil: none
	Limit         uint64   // at most so many units; 0: all
}

// of is the window's first unit in a list of count, and how many follow with it.
func (w Window) of(count *big.Int) (first, n *big.Int) {
	first, end := new(big.Int), count
	if w.Shards > 0 {
		first, end = portion(count, w.Shard-1, w.Shards), portion(count, w.Shard, w.Shards)
	}
	if w.Offset != nil {
		first.Add(first, w.Offset)
	}
	if first.Cmp(end) > 0 {
		first.Set(end)
	}
	n = new(big.Int).Sub(end, first)
	if limit := new(big.Int).SetUint64(w.Limit); w.Limit > 0 && n.Cmp(limit) > 0 {
		n = limit
	}
	return first, n
}

// portion is count·i/of, rounded down: where the i-th of equal parts ends.
func portion(count *big.Int, i, of uint64) *big.Int {
	n := new(big.Int).SetUint64(i)
	return n.Mul(n, count).Quo(n, new(big.Int).SetUint64(of))
}

// units yields n units from the first-th on.
func units(ctx context.Context, s *planner.Scan, first, n *big.Int) iter.Seq2[*projection.Unit, error] {
	return func(yield func(*projection.Unit, error) bool) {
		if n.Sign() == 0 {
			return
		}
		left := ^uint64(0) // more than anyone waits for
		if n.IsUint64() {
			left = n.Uint64()
		}
		all := s.Units(ctx)
		if first.Sign() > 0 {
			all = s.Seek(ctx, first)
		}
		for u, err := range all {
			if !yield(u, err) || err != nil {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}
