package pruning

import (
	"slices"
	"strings"
)

// Points are the tuples of values of these keys, in their order, for which d may be TRUE, whatever the other keys are: what
// can be hashed. ok is false when there are more than limit, or when TRUE is possible where one of the keys is NULL,
// which no tuple says. It adds no nodes to d's space.
func (d Diagram) Points(keys []int, limit int) (points [][]Value, ok bool) {
	if !d.Outcomes().MayBeTrue() {
		return nil, true
	}
	d = d.only(keys)
	p := pointLister{s: d.s, keys: keys, order: levelOrder(keys), tuple: make([]Value, len(keys)), limit: limit}
	if !p.list(d.n, 0) {
		return nil, false
	}
	points = make([][]Value, p.found)
	for i := range points {
		points[i] = p.flat[i*len(keys) : (i+1)*len(keys) : (i+1)*len(keys)]
	}
	return points, true
}

// levelOrder is the order in which keys come in diagrams, as indices.
func levelOrder(keys []int) []int {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return keys[i] - keys[j] })
	return order
}

// only is d with all keys but these forgotten, in a fork if there are any.
func (d Diagram) only(keys []int) Diagram {
	var others []int
	for k := range d.spaceKeys() {
		if !slices.Contains(keys, k) && d.Depends(k) {
			others = append(others, k)
		}
	}
	if len(others) == 0 {
		return d
	}
	return d.s.Fork().Adopt(d).May().Forget(others...)
}

// spaceKeys are the keys of d's space; a zero Diagram has none.
func (d Diagram) spaceKeys() []Key {
	if d.s == nil {
		return nil
	}
	return d.s.keys
}

type pointLister struct {
	s     *Space
	keys  []int
	order []int // indices into keys, in the order of levels
	tuple []Value
	flat  []Value // the tuples found, one after the other
	found int
	limit int
}

// list appends the tuples below id, of which the first depth keys in order are settled.
func (p *pointLister) list(id int32, depth int) bool {
	if !p.mayBeTrue(id) {
		return true
	}
	if depth == len(p.order) {
		p.flat = append(p.flat, p.tuple...)
		p.found++
		return p.found <= p.limit
	}
	key := p.keys[p.order[depth]]
	if p.s.keyOf(id) != int32(key) {
		return false // any value and NULL
	}
	x := p.s.node(id)
	if p.mayBeTrue(x.kids[len(x.cuts)+1]) {
		return false
	}
	for i, kid := range x.kids[:len(x.cuts)+1] {
		if p.mayBeTrue(kid) && !p.piece(x, i, depth) {
			return false
		}
	}
	return true
}

// piece goes through the values of one piece.
func (p *pointLister) piece(x *node, i, depth int) bool {
	t := p.s.keys[x.key].Type
	v := t.Min()
	if i > 0 {
		v = x.cuts[i-1]
	}
	bounded := i < len(x.cuts)
	if t.Kind == String && !(bounded && fewBetween(v.s, x.cuts[i].s)) || t.Kind == NoKind {
		return false
	}
	for more := true; more && (!bounded || less(v, x.cuts[i])); v, more = t.Succ(v) {
		p.tuple[p.order[depth]] = v
		if !p.list(x.kids[i], depth+1) {
			return false
		}
	}
	return true
}

// fewBetween reports whether finitely many strings are in [lo,hi): if hi is lo and zero bytes.
func fewBetween(lo, hi string) bool {
	rest, ok := strings.CutPrefix(hi, lo)
	return ok && strings.Trim(rest, "\x00") == ""
}

func (p *pointLister) mayBeTrue(id int32) bool {
	return p.s.outcomesOf(id).MayBeTrue()
}

// Set is the values of one key for which d may be TRUE, whatever the other keys are. NULL isn't among them.
func (d Diagram) Set(key int) Set {
	if !d.Outcomes().MayBeTrue() {
		return Empty()
	}
	if d.n < leaves || d.s.keyOf(d.n) > int32(key) {
		return Full()
	}
	var sets []Set
	d.s.each(d.n, func(x *node) bool {
		for _, kid := range x.kids {
			if x.key < int32(key) && d.s.keyOf(kid) > int32(key) && d.s.outcomesOf(kid).MayBeTrue() {
				sets = append(sets, Full())
				return false
			}
		}
		if x.key == int32(key) {
			sets = append(sets, d.s.trueSet(x))
		}
		return x.key < int32(key)
	})
	return unionAll(sets)
}

// trueSet is the values of x's key for which TRUE is possible.
func (s *Space) trueSet(x *node) Set {
	var set Set
	for i, kid := range x.kids[:len(x.cuts)+1] {
		if s.outcomesOf(kid).MayBeTrue() {
			set.addPiece(x.cuts, i)
		}
	}
	return set
}

// addPiece appends piece i of a node's cuts to a set of pieces before it.
func (s *Set) addPiece(cuts []Value, i int) {
	lo := bottom
	if i > 0 {
		lo = cuts[i-1]
	}
	if n := len(s.cuts); n > 0 && n%2 == 0 && s.cuts[n-1] == lo {
		s.cuts = s.cuts[:n-1]
	} else {
		s.cuts = append(s.cuts, lo)
	}
	if i < len(cuts) {
		s.cuts = append(s.cuts, cuts[i])
	}
}

func unionAll(sets []Set) Set {
	switch len(sets) {
	case 0:
		return Set{}
	case 1:
		return sets[0]
	}
	half := len(sets) / 2
	return unionAll(sets[:half]).Union(unionAll(sets[half:]))
}
