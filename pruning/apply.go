package pruning

import (
	"math/bits"
	"slices"
)

// apply is the function whose outcomes at each tuple are o applied to those of a and b. All operations on two diagrams
// are this one; so are the unary ones, with a constant b.
func (s *Space) apply(o op, a, b int32) int32 {
	if a < leaves && b < leaves {
		return int32(table[o][a][b])
	}
	if a < b && o.commutative() {
		a, b = b, a
	}
	if a == b && o.idempotent() {
		return a
	}
	if r, ok := s.applyConst(o, a, b); ok {
		return r
	}
	if s.depth < leafKey && s.keyOf(a) >= s.depth && s.keyOf(b) >= s.depth {
		return int32(table[o][s.outcomesOf(a)][s.outcomesOf(b)])
	}
	if r, ok := s.memo.recall(o, a, b); ok {
		return r
	}
	if s.over {
		return int32(Unknown)
	}
	return s.keep(o, a, b, s.applyNodes(o, a, b))
}

// keep remembers a result, unless the operation failed.
func (s *Space) keep(o op, a, b, r int32) int32 {
	if s.over {
		return int32(Unknown)
	}
	s.memo.remember(o, a, b, r)
	return r
}

// applyConst settles the case of one constant when it maps the other's leaves to themselves or all to one.
func (s *Space) applyConst(o op, a, b int32) (r int32, ok bool) {
	var row *[8]Outcomes
	var image [8]Outcomes
	x := a
	switch {
	case b < leaves:
		for l := range image {
			image[l] = table[o][l][b]
		}
		row = &image
	case a < leaves:
		row, x = &table[o][a], b
	default:
		return 0, false
	}
	same, one := true, true
	set := s.leafSet(x)
	first := row[bits.TrailingZeros8(set)]
	for ; set != 0; set &= set - 1 {
		l := bits.TrailingZeros8(set)
		same = same && int(row[l]) == l
		one = one && row[l] == first
	}
	if same {
		return x, true
	}
	return int32(first), one
}

// branch is a node as seen from a key: itself or, if it doesn't depend on the key, one piece.
type branch struct {
	id   int32
	cuts []Value
	kids []int32 // nil: every piece is id
}

func (s *Space) branch(id, key int32) branch {
	if s.keyOf(id) != key {
		return branch{id: id}
	}
	x := s.node(id)
	return branch{id, x.cuts, x.kids}
}

func (b *branch) kid(i int) int32 {
	if b.kids == nil {
		return b.id
	}
	return b.kids[i]
}

func (b *branch) null() int32 { return b.kid(len(b.cuts) + 1) }

// applyNodes merges the pieces of a and b at the first key of either.
func (s *Space) applyNodes(o op, a, b int32) int32 {
	key := min(s.keyOf(a), s.keyOf(b))
	x, y := s.branch(a, key), s.branch(b, key)
	if s.spend(len(x.cuts) + len(y.cuts) + 2) {
		return int32(Unknown)
	}
	w := s.start(key, len(x.cuts)+len(y.cuts))
	w.add(Value{}, s.apply(o, x.kid(0), y.kid(0)))
	for i, j := 0, 0; i < len(x.cuts) || j < len(y.cuts); {
		var cut Value
		switch {
		case j == len(y.cuts) || i < len(x.cuts) && less(x.cuts[i], y.cuts[j]):
			cut = x.cuts[i]
			i++
		case i == len(x.cuts) || less(y.cuts[j], x.cuts[i]):
			cut = y.cuts[j]
			j++
		default:
			cut = x.cuts[i]
			i++
			j++
		}
		w.add(cut, s.apply(o, x.kid(i), y.kid(j)))
	}
	return w.finish(s.apply(o, x.null(), y.null()), x.cuts, y.cuts)
}

// writer builds a node on the space's stacks, so that nothing is allocated for what isn't kept. Writers nest.
type writer struct {
	s            *Space
	key          int32
	fromV, fromK int
}

// start begins a node of at most n cuts.
func (s *Space) start(key int32, n int) writer {
	if cap(s.stackV)-len(s.stackV) < n || cap(s.stackK)-len(s.stackK) < n+2 {
		s.stackV, s.stackK = slices.Grow(s.stackV, max(n, 16)), slices.Grow(s.stackK, max(n+2, 32))
	}
	return writer{s, key, len(s.stackV), len(s.stackK)}
}

// add says that from cut on (of the first call: from the bottom on) kid applies.
func (w *writer) add(cut Value, kid int32) {
	s := w.s
	if n := len(s.stackK); n > w.fromK {
		if s.stackK[n-1] == kid {
			return
		}
		s.stackV = append(s.stackV, cut)
	}
	s.stackK = append(s.stackK, kid)
}

// finish is the node. Its cuts share memory with one of the lists like, if they are the same.
func (w *writer) finish(null int32, like ...[]Value) int32 {
	s := w.s
	if s.over {
		s.stackV, s.stackK = s.stackV[:w.fromV], s.stackK[:w.fromK]
		return int32(Unknown)
	}
	s.stackK = append(s.stackK, null)
	cuts, share := s.stackV[w.fromV:], false
	for _, l := range like {
		if len(l) > 0 && equalCuts(l, cuts) {
			cuts, share = l, true
			break
		}
	}
	r := s.mk(w.key, cuts, s.stackK[w.fromK:], share)
	s.stackV, s.stackK = s.stackV[:w.fromV], s.stackK[:w.fromK]
	return r
}

// at fixes a key: to a value, or to NULL when v is nil. serial tells this call's memo entries from others'.
func (s *Space) at(a, key int32, v *Value, serial int32) int32 {
	switch k := s.keyOf(a); {
	case k > key || s.node(a).deps&(1<<(key%64)) == 0:
		return a
	case k == key:
		x := s.node(a)
		if v == nil {
			return x.kids[len(x.cuts)+1]
		}
		return x.kids[pieceOf(x.cuts, *v)]
	}
	return s.rebuild(opAt, a, serial, func(kid int32) int32 { return s.at(kid, key, v, serial) })
}

// rebuild is a with f applied to all kids of its top node.
func (s *Space) rebuild(o op, a, serial int32, f func(int32) int32) int32 {
	if r, ok := s.memo.recall(o, a, serial); ok {
		return r
	}
	x := *s.node(a)
	if s.spend(len(x.kids)) {
		return int32(Unknown)
	}
	w := s.start(x.key, len(x.cuts))
	for i, kid := range x.kids[:len(x.cuts)+1] {
		var cut Value
		if i > 0 {
			cut = x.cuts[i-1]
		}
		w.add(cut, f(kid))
	}
	r := w.finish(f(x.kids[len(x.cuts)+1]), x.cuts)
	return s.keep(o, a, serial, r)
}

// forget joins a over all values of the keys in drop.
func (s *Space) forget(a int32, drop []bool, deps uint64, serial int32) int32 {
	if a < leaves || s.node(a).deps&deps == 0 {
		return a
	}
	key := s.node(a).key
	down := func(kid int32) int32 { return s.forget(kid, drop, deps, serial) }
	if !drop[key] {
		return s.rebuild(opForget, a, serial, down)
	}
	if r, ok := s.memo.recall(opForget, a, serial); ok {
		return r
	}
	if s.spend(len(s.node(a).kids)) {
		return int32(Unknown)
	}
	kids := distinct(s.node(a).kids)
	for i, kid := range kids {
		kids[i] = down(kid)
	}
	r := s.joinAll(distinct(kids))
	return s.keep(opForget, a, serial, r)
}

func (s *Space) joinAll(ids []int32) int32 {
	if len(ids) == 1 {
		return ids[0]
	}
	half := len(ids) / 2
	return s.apply(opJoin, s.joinAll(ids[:half]), s.joinAll(ids[half:]))
}
