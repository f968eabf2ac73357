package pruning

import (
	"math/bits"
	"slices"
	"strings"
)

// Points are the tuples of values of these keys, in their order, for which d may be TRUE, whatever the other keys are: what
// can be hashed. ok is false when there are more than limit, or when TRUE is possible where one of the keys is NULL,
// which no tuple says; [Diagram.EachPoint] says it. It adds no nodes to d's space.
func (d Diagram) Points(keys []int, limit int) (points [][]Value, ok bool) {
	var flat []Value
	found, null := 0, false
	finite := d.EachPoint(keys, limit, func(tuple []Nullable) bool {
		for _, x := range tuple {
			null = null || x.Null
			flat = append(flat, x.Value)
		}
		found++
		return !null
	})
	if !finite || null {
		return nil, false
	}
	points = make([][]Value, found)
	for i := range points {
		points[i] = flat[i*len(keys) : (i+1)*len(keys) : (i+1)*len(keys)]
	}
	return points, true
}

// Nullable is a value, or NULL.
type Nullable struct {
	Value Value
	Null  bool
}

// EachPoint calls f with the tuples of these keys, in their order, for which d may be TRUE, whatever the other keys are,
// NULL being one of a key's values. A tuple is valid until f returns; f returns false to see no more. finite is false
// when there are more than limit tuples, of which f may then have seen some. It adds no nodes to d's space.
func (d Diagram) EachPoint(keys []int, limit int, f func(tuple []Nullable) bool) (finite bool) {
	if !d.Outcomes().MayBeTrue() {
		return true
	}
	d = d.only(keys)
	p := pointLister{s: d.s, keys: keys, order: levelOrder(keys), tuple: make([]Nullable, len(keys)), left: limit, yield: f}
	return p.list(d.n, 0) || p.stopped
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
	s       *Space
	keys    []int
	order   []int // indices into keys, in the order of levels
	tuple   []Nullable
	left    int // tuples that may still be told
	yield   func([]Nullable) bool
	stopped bool // yield wants no more
}

// list tells the tuples below id, of which the first depth keys in order are settled. It is false when it ended early.
func (p *pointLister) list(id int32, depth int) bool {
	if !p.mayBeTrue(id) {
		return true
	}
	if depth == len(p.order) {
		if p.left--; p.left < 0 {
			return false
		}
		p.stopped = !p.yield(p.tuple)
		return !p.stopped
	}
	at := &p.tuple[p.order[depth]]
	b := p.s.branch(id, int32(p.keys[p.order[depth]]))
	if p.mayBeTrue(b.null()) {
		if *at = (Nullable{Null: true}); !p.list(b.null(), depth+1) {
			return false
		}
	}
	for i := range len(b.cuts) + 1 {
		if p.mayBeTrue(b.kid(i)) && !p.piece(&b, i, depth) {
			return false
		}
	}
	return true
}

// piece goes through the values of one piece.
func (p *pointLister) piece(b *branch, i, depth int) bool {
	t := p.s.keys[p.keys[p.order[depth]]].Type
	v, hi := t.Min(), (*Value)(nil)
	if i > 0 {
		v = b.cuts[i-1]
	}
	if i < len(b.cuts) {
		hi = &b.cuts[i]
	}
	if !p.few(t, v, hi) {
		return false
	}
	for more := true; more && (hi == nil || less(v, *hi)); v, more = t.Succ(v) {
		p.tuple[p.order[depth]] = Nullable{Value: v}
		if !p.list(b.kid(i), depth+1) {
			return false
		}
	}
	return true
}

// few is false when it is clear that the values from lo up to hi, or to the type's top, are too many.
func (p *pointLister) few(t Type, lo Value, hi *Value) bool {
	switch t.Kind {
	case NoKind:
		return false
	case String:
		return hi != nil && fewBetween(lo.s, hi.s)
	case Float32, UUID:
		return true // neighbours are counted as they come
	}
	top, _ := t.Max()
	if hi != nil {
		top = *hi
	}
	if t.isWide() {
		a, b := wideOf(lo), wideOf(top)
		low, borrow := bits.Sub64(b.lo, a.lo, 0)
		return uint64(b.hi)-uint64(a.hi) == borrow && low <= uint64(p.left)
	}
	return uint64(top.n)-uint64(lo.n) <= uint64(p.left)
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
