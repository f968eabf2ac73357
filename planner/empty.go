package planner

import (
	"context"
	"slices"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// Emptied are the places in Conjuncts of those to which it is due that a scan reads nothing, and which of them is the first
// that leaves nothing to read after those before it: of y = 2 AND v = 5 AND y = 3 they are 0 and 2, and 2. Where that would
// take another listing it is -1, and all conditions on partition columns count.
func (s *Scan) Emptied(ctx context.Context) (by []int, last int, err error) {
	parts, err := s.emptied(ctx)
	known := len(parts) > 0
	for i := range s.parts {
		if p := &s.parts[i]; !known && len(keysIn(p.x)) > 0 {
			parts = append(parts, p)
		}
	}
	for _, p := range parts {
		if i := slices.IndexFunc(s.Conjuncts, func(c Conjunct) bool { return c.Expr == p.shown }); i >= 0 {
			by = append(by, i)
		}
	}
	if !known || len(by) == 0 {
		return by, -1, err
	}
	return by, by[len(by)-1], err
}

func (s *Scan) emptied(ctx context.Context) (by []*part, err error) {
	if len(s.parts) == 0 || !fixed(s.Table.Layout) {
		return nil, nil
	}
	sp := s.Diagram.Space().Fork()
	reads := func(d pruning.Diagram) bool {
		if s.Table.Layout.Open {
			return d.Outcomes().MayBeTrue()
		}
		for _, e := range projection.Walk(ctx, s.Table.Layout, d, projection.Check{}) {
			err = e
			return true
		}
		return false
	}
	d := sp.Const(pruning.True)
	for i := range s.parts {
		p := &s.parts[i]
		own := sp.Adopt(p.d)
		if d = d.And(own); reads(d) {
			continue
		}
		return append(conflicting(s.parts[:i], sp, own, reads), p), err
	}
	return nil, err
}

// conflicting are the conditions without which another one would read something: none, the one that suffices, or all that are
// about keys.
func conflicting(before []part, sp *pruning.Space, d pruning.Diagram, reads func(pruning.Diagram) bool) (out []*part) {
	if !reads(d) {
		return nil
	}
	for i := range before {
		p := &before[i]
		if !reads(d.And(sp.Adopt(p.d))) {
			return []*part{p}
		}
		if len(keysIn(p.x)) > 0 {
			out = append(out, p)
		}
	}
	return out
}
