package pruning

import (
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
)

const (
	leaves   = 8   // nodes 0…7 are the constants, by their Outcomes
	nodeCuts = 128 // so many cuts count as one more node
	leafKey  = math.MaxInt32
)

// node is an inner node: below cut 0 kids[0] applies, from cut i-1 on and below cut i kids[i], and kids[len(cuts)+1] for
// NULL. Neighbouring kids differ, and not all are equal. All its keys come after its own.
type node struct {
	cuts   []Value
	kids   []int32
	deps   uint64 // keys that it depends on, modulo 64
	hash   uint32
	key    int32
	leaves uint8 // which of the eight constants it reaches
}

// slab hands out copies from growing blocks, so that small nodes cost no allocation each.
type slab[T any] struct {
	free  []T
	block int
}

func (s *slab[T]) clone(x []T) []T {
	if len(x) > s.block/4 && s.block > 0 {
		return slices.Clone(x)
	}
	if len(x) > len(s.free) {
		s.block = min(max(2*s.block, 16), 4096)
		s.free = make([]T, max(s.block, len(x)))
	}
	out := s.free[:len(x):len(x)]
	s.free = s.free[len(x):]
	copy(out, x)
	return out
}

// node is an inner node of s or of a space that it was forked from.
func (s *Space) node(id int32) *node {
	for id < s.base {
		s = s.parent
	}
	return &s.nodes[id-s.base]
}

func (s *Space) keyOf(id int32) int32 {
	if id < leaves {
		return leafKey
	}
	return s.node(id).key
}

// leafSet is which constants id reaches, as bits.
func (s *Space) leafSet(id int32) uint8 {
	if id < leaves {
		return 1 << id
	}
	return s.node(id).leaves
}

// outcomesOf is the union of all leaves.
func (s *Space) outcomesOf(id int32) Outcomes {
	if id < leaves {
		return Outcomes(id)
	}
	return unions(s.node(id).leaves)
}

func unions(set uint8) (o Outcomes) {
	for ; set != 0; set &= set - 1 {
		o |= Outcomes(bits.TrailingZeros8(set))
	}
	return o
}

// weight is what a node counts.
func weight(cuts int) int { return 1 + cuts/nodeCuts }

// mk is the node with these cuts, of which neighbouring kids differ, and kids, the last of which is for NULL. It copies
// both; cuts that may be shared aren't.
func (s *Space) mk(key int32, cuts []Value, kids []int32, share bool) int32 {
	if len(cuts) == 0 && kids[0] == kids[1] {
		return kids[0]
	}
	h := s.hash(key, cuts, kids)
	seen := int32(math.MaxInt32)
	for p := s; p != nil; p = p.parent {
		if id := p.find(h, key, cuts, kids); id != 0 && id < seen {
			return id
		}
		seen = p.base
	}
	s.left -= weight(len(cuts))
	if s.left < 0 {
		s.over = true
		return int32(Unknown)
	}
	x := node{cuts: cuts, kids: s.kids.clone(kids), deps: 1 << (key % 64), hash: h, key: key}
	if !share {
		x.cuts = s.values.clone(cuts)
	}
	for i, k := range kids {
		if i > 0 && k == kids[i-1] || i > 1 && k == kids[i-2] {
			continue
		}
		x.leaves |= s.leafSet(k)
		if k >= leaves {
			x.deps |= s.node(k).deps
		}
	}
	s.weight += weight(len(cuts))
	if s.nodes == nil {
		s.nodes = make([]node, 0, 8)
	}
	s.nodes = append(s.nodes, x)
	id := s.base + int32(len(s.nodes)) - 1
	if len(s.nodes)*4 > len(s.index)*3 {
		s.reindex(max(2*len(s.index), 16))
	} else {
		s.insert(id)
	}
	return id
}

const mixer = 0x9E3779B97F4A7C15

func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^x, mixer)
	return hi ^ lo
}

func (s *Space) hash(key int32, cuts []Value, kids []int32) uint32 {
	h := maphash.String(s.seed, "") ^ uint64(key)
	for i := range cuts {
		h = mix(h, uint64(cuts[i].n))
		if text := cuts[i].s; text != "" {
			h ^= maphash.String(s.seed, text)
		}
	}
	for _, k := range kids {
		h = mix(h, uint64(k))
	}
	return uint32(h >> 32)
}

// find looks for an equal node of this space alone.
func (s *Space) find(h uint32, key int32, cuts []Value, kids []int32) int32 {
	if len(s.index) == 0 {
		return 0
	}
	mask := uint32(len(s.index) - 1)
	for i := h & mask; s.index[i] != 0; i = (i + 1) & mask {
		x := &s.nodes[s.index[i]-s.base]
		if x.hash == h && x.key == key && slices.Equal(x.kids, kids) && equalCuts(x.cuts, cuts) {
			return s.index[i]
		}
	}
	return 0
}

func equalCuts(a, b []Value) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

func (s *Space) insert(id int32) {
	mask := uint32(len(s.index) - 1)
	i := s.nodes[id-s.base].hash & mask
	for s.index[i] != 0 {
		i = (i + 1) & mask
	}
	s.index[i] = id
}

// remove takes away the node that was inserted last. Slots that it was kept from by others stay taken, so nothing moves.
func (s *Space) remove(id int32) {
	mask := uint32(len(s.index) - 1)
	i := s.nodes[id-s.base].hash & mask
	for s.index[i] != id {
		i = (i + 1) & mask
	}
	s.index[i] = 0
}

func (s *Space) reindex(size int) {
	s.index = make([]int32, size)
	for i := range s.nodes {
		s.insert(s.base + int32(i))
	}
}
