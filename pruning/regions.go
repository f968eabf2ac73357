package pruning

import "slices"

// Region is a box of key tuples: one set for each key that is restricted, in key order. Without any it is everything.
type Region []KeySet

// KeySet is the values of one key in a Region.
type KeySet struct {
	Key  int // its place in Space.Keys
	Set  Set
	Null bool // NULL belongs to it
}

// Regions are disjoint boxes that together are the tuples where TRUE is possible: y 2021, m 12 and y 2022, m 1. ok is false
// when there are more than limit. Values of a key with the same rest are in one box; the order is that of values. It
// adds no nodes to d's space.
func (d Diagram) Regions(limit int) (regions []Region, ok bool) {
	if d.n >= leaves {
		d = d.s.Fork().Adopt(d)
	}
	r := regionLister{s: d.s, limit: limit}
	ok = r.list(d.May().n, nil)
	return r.out, ok
}

type regionLister struct {
	s     *Space
	limit int
	out   []Region
}

func (r *regionLister) list(id int32, box Region) bool {
	if id < leaves {
		if !Outcomes(id).MayBeTrue() {
			return true
		}
		r.out = append(r.out, slices.Clone(box))
		return len(r.out) <= r.limit
	}
	x := r.s.node(id)
	for _, g := range x.groups() {
		if g.kid != int32(False) && !r.list(g.kid, append(box, KeySet{int(x.key), g.set, g.null})) {
			return false
		}
	}
	return true
}

// group is the values of a node's key that have one kid.
type group struct {
	kid  int32
	set  Set
	null bool
}

// groups are a node's branches, with equal kids in one, in the order of their least values; NULL is the last.
func (x *node) groups() []group {
	var out []group
	at := map[int32]int{}
	find := func(kid int32) *group {
		i, ok := at[kid]
		if !ok {
			i = len(out)
			at[kid] = i
			out = append(out, group{kid: kid})
		}
		return &out[i]
	}
	for i, kid := range x.kids[:len(x.cuts)+1] {
		find(kid).set.addPiece(x.cuts, i)
	}
	find(x.kids[len(x.cuts)+1]).null = true
	return out
}
