package pruning

import (
	"cmp"
	"slices"
)

// All combines many diagrams of s, or of spaces that it was forked from. op is And, Or, Xor, Meet or Join; zero is the
// result for none. It is much faster than one after the other: diagrams with one top key are combined in one sweep over
// their cuts, so that an OR of n comparisons of a key costs n log n and one node.
func (s *Space) All(op func(Diagram, Diagram) Diagram, ds []Diagram, zero Diagram) Diagram {
	if len(ds) == 0 {
		return zero
	}
	ids := make([]int32, len(ds))
	for i, d := range ds {
		ids[i] = s.Adopt(d).n
	}
	c := combiner{s, op}
	if len(ids) >= minSweep {
		ids = c.sweepGroups(ids)
	}
	return Diagram{s, c.balanced(ids)}
}

// minSweep is the least number of diagrams for which a sweep is worth its tables.
const minSweep = 8

// combiner applies a caller's operation to nodes.
type combiner struct {
	s  *Space
	op func(Diagram, Diagram) Diagram
}

func (c combiner) apply(a, b int32) int32 { return c.op(Diagram{c.s, a}, Diagram{c.s, b}).n }

// balanced combines by halves: left-deep would look at the first operands again and again.
func (c combiner) balanced(ids []int32) int32 {
	if len(ids) == 1 {
		return ids[0]
	}
	half := len(ids) / 2
	return c.apply(c.balanced(ids[:half]), c.balanced(ids[half:]))
}

// sweepGroups combines the nodes of each top key into one, and the constants.
func (c combiner) sweepGroups(ids []int32) []int32 {
	s := c.s
	slices.SortFunc(ids, s.compareTops)
	out := make([]int32, 0, len(s.keys)+1)
	for len(ids) > 0 {
		key := s.keyOf(ids[0])
		n := 1
		for n < len(ids) && s.keyOf(ids[n]) == key {
			n++
		}
		combine := c.sweep
		if n < minSweep || key == leafKey {
			combine = c.balanced
		}
		out = append(out, combine(ids[:n]))
		ids = ids[n:]
	}
	return out
}

// event is a cut of one of the nodes of a sweep: from cut on, it continues as kid.
type event struct {
	cut    Value
	member int32
	kid    int32
}

// sweep combines nodes of one top key. It goes over all their cuts in order and keeps a tournament tree: leaf n+i is what
// node i is at the cut, an inner node j combines 2j and 2j+1, and 1 is what all are together.
func (c combiner) sweep(ids []int32) int32 {
	s, n := c.s, len(ids)
	key, events := s.keyOf(ids[0]), s.events(ids)
	tree := make([]int32, 2*n)
	for i, id := range ids {
		tree[n+i] = s.node(id).kids[0]
	}
	for j := n - 1; j > 0; j-- {
		tree[j] = c.apply(tree[2*j], tree[2*j+1])
	}
	var cuts []Value
	kids := []int32{tree[1]}
	dirty := make([]int32, 0, 64)
	for len(events) > 0 {
		cut := events[0].cut
		dirty = dirty[:0]
		for len(events) > 0 && events[0].cut == cut {
			j := int32(n) + events[0].member
			tree[j] = events[0].kid
			dirty = append(dirty, j)
			events = events[1:]
		}
		c.replay(tree, dirty)
		if tree[1] != kids[len(kids)-1] {
			cuts, kids = append(cuts, cut), append(kids, tree[1])
		}
	}
	for i, id := range ids {
		x := s.node(id)
		ids[i] = x.kids[len(x.cuts)+1]
	}
	kids = append(kids, c.balanced(ids))
	var all Outcomes
	for _, kid := range kids {
		all |= s.outcomesOf(kid)
	}
	s.begin()
	return s.end(s.mk(key, cuts, kids, true), all).n
}

// events are the cuts of all nodes in order; of equal cuts the last node's comes first.
func (s *Space) events(ids []int32) []event {
	total := 0
	for _, id := range ids {
		total += len(s.node(id).cuts)
	}
	events := make([]event, 0, total)
	for i, id := range ids {
		x := s.node(id)
		for k, cut := range x.cuts {
			events = append(events, event{cut, int32(i), x.kids[k+1]})
		}
	}
	slices.SortFunc(events, func(a, b event) int {
		if c := Compare(a.cut, b.cut); c != 0 {
			return c
		}
		return int(b.member - a.member)
	})
	return events
}

// replay combines again what the dirty leaves are part of. Indices descend in the queue, so both children of a node are
// settled before it.
func (c combiner) replay(tree, queue []int32) {
	n := int32(len(tree) / 2)
	for h := 0; h < len(queue); h++ {
		j := queue[h]
		if j < n {
			r := c.apply(tree[2*j], tree[2*j+1])
			if r == tree[j] {
				continue
			}
			tree[j] = r
		}
		if up := j / 2; up > 0 && queue[len(queue)-1] != up {
			queue = append(queue, up)
		}
	}
}

// compareTops orders nodes by their key, and those of one key by their first cut, so that equal and neighbouring
// intervals are combined early.
func (s *Space) compareTops(a, b int32) int {
	if c := cmp.Compare(s.keyOf(a), s.keyOf(b)); c != 0 || a < leaves {
		return cmp.Or(c, int(a-b))
	}
	x, y := s.node(a).cuts, s.node(b).cuts
	if len(x) == 0 || len(y) == 0 {
		return cmp.Or(len(x)-len(y), int(a-b))
	}
	return cmp.Or(Compare(x[0], y[0]), int(a-b))
}
