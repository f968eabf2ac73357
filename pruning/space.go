package pruning

import (
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
)

// Key is a column, or something computed from a column, that a layout branches on.
type Key struct {
	Name string
	Type Type
}

// DefaultNodes is the limit of a [Space] that was given none.
const DefaultNodes = 65536

const (
	leaves     = 8       // nodes 0…7 are the constants, by their Outcomes
	nodeCuts   = 128     // so many cuts count as one more node
	spaceNodes = 16      // a space holds this many times the nodes that one operation may add
	stepsANode = 128     // pieces that an operation may look at for each node that it may add
	leastNodes = 64      // to which failures lower what one operation may add, if the limit isn't below
	maxMemo    = 1 << 17 // entries
	leafKey    = math.MaxInt32
)

// Space holds the nodes of all diagrams over one list of keys. Key order is the order of levels. Equal nodes are one
// node, so equal functions are equal handles.
//
// An operation that would add more than the limit's nodes (a node with many cuts counts for several), or bring the space
// above 16 times the limit, adds nothing and gives {T,F,N}: sound wherever it is used, and what was built before or comes
// after keeps its precision. [Space.Hit] tells that it happened. Each failure halves what later operations may add, so that
// the time spent on failing stays bounded.
//
// A Space isn't safe for concurrent use while nodes are added: by And, Or, Xor, Not, Is, May, Must, Meet, Join, Given,
// Forget, Adopt, by At and AtNull of a key below the diagram's top key, and by the constructors except Const. All else
// only reads. Once a Space gets no more nodes, any number of goroutines may read it, and [Space.Fork] it to add more.
type Space struct {
	keys   []Key
	limit  int // nodes that one operation may add
	parent *Space
	base   int32 // nodes below it are the parent's
	seed   maphash.Seed

	nodes  []node
	weight int     // of nodes
	index  []int32 // hash table of nodes: open addressing, 0 is free
	memo   []memoEntry
	stored int // in memo since it last grew
	serial int32

	values slab[Value]
	kids   slab[int32]
	stackV []Value // of unfinished nodes
	stackK []int32

	allow int // nodes that the next operation may add
	left  int // of it, in the running operation
	steps int // that are left to the running operation
	over  bool
	mark  int // nodes before it
	hit   bool
}

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

type memoEntry struct {
	op      op
	a, b, r int32
}

// slab hands out slices of growing blocks.
type slab[T any] struct{ free []T }

func (s *slab[T]) clone(x []T) []T {
	if len(x) > len(s.free) {
		size := max(len(x), min(2*cap(s.free), 4096), 16)
		s.free = make([]T, size)
	}
	out := s.free[:len(x):len(x)]
	s.free = s.free[len(x):]
	copy(out, x)
	return out
}

// NewSpace makes a space for functions of keys. limit bounds what one operation may add; 0 means DefaultNodes.
func NewSpace(keys []Key, limit int) *Space {
	if limit <= 0 {
		limit = DefaultNodes
	}
	return &Space{keys: slices.Clone(keys), limit: limit, allow: limit, base: leaves, seed: maphash.MakeSeed()}
}

// Keys are the keys, outermost first. They are not to be changed.
func (s *Space) Keys() []Key { return s.keys }

// Hit reports whether an operation went over the limit, so that some diagrams are wider than their predicates.
func (s *Space) Hit() bool { return s.hit }

// Fork is a new space with all diagrams of s, which can be used with it as they are. Nodes that are added to the fork
// leave s alone. It costs little, and nothing in the number of nodes.
func (s *Space) Fork() *Space {
	return &Space{keys: s.keys, limit: s.limit, allow: s.limit, seed: s.seed, parent: s, base: s.base + int32(len(s.nodes))}
}

// Adopt is the function of d as a diagram of s. It costs nothing if s is a fork, or a fork's fork, of d's space.
func (s *Space) Adopt(d Diagram) Diagram {
	if d.n < leaves || s.sees(d) {
		return Diagram{s, d.n}
	}
	s.begin()
	return s.end(s.copyOf(d.s, d.n, map[int32]int32{}))
}

// sees reports whether d is of s or was there when s, or a space that s comes from, was forked from d's space.
func (s *Space) sees(d Diagram) bool {
	n := int32(math.MaxInt32)
	for ; s != nil; s = s.parent {
		if s == d.s {
			return d.n < n
		}
		n = s.base
	}
	return false
}

func (s *Space) copyOf(from *Space, id int32, done map[int32]int32) int32 {
	if id < leaves || s.over {
		return id & int32(Unknown)
	}
	if r, ok := done[id]; ok {
		return r
	}
	x := from.node(id)
	kids := make([]int32, len(x.kids))
	for i, k := range x.kids {
		kids[i] = s.copyOf(from, k, done)
	}
	r := s.mk(x.key, x.cuts, kids, true)
	done[id] = r
	return r
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

// begin starts an operation that may add nodes, end finishes it with its result.
func (s *Space) begin() {
	s.left = min(s.allow, s.limit*spaceNodes-s.weight)
	s.steps = s.allow * stepsANode
	s.over = false
	s.mark = len(s.nodes)
}

func (s *Space) end(r int32) Diagram {
	if s.over {
		s.rollBack()
		r = int32(Unknown)
	}
	return Diagram{s, r}
}

// rollBack takes away what the failed operation added.
func (s *Space) rollBack() {
	s.hit = true
	s.allow = max(s.allow/2, min(s.limit, leastNodes))
	for _, x := range s.nodes[s.mark:] {
		s.weight -= weight(len(x.cuts))
	}
	clear(s.nodes[s.mark:])
	s.nodes = s.nodes[:s.mark]
	s.stackV, s.stackK = s.stackV[:0], s.stackK[:0]
	clear(s.memo)
	s.reindex(len(s.index))
}

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
	s.nodes = append(s.nodes, x)
	id := s.base + int32(len(s.nodes)) - 1
	if len(s.nodes)*4 > len(s.index)*3 {
		s.reindex(max(2*len(s.index), 32))
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

func (s *Space) reindex(size int) {
	s.index = make([]int32, size)
	for i := range s.nodes {
		s.insert(s.base + int32(i))
	}
}

func memoSlot(op op, a, b int32, size int) uint64 {
	return mix(uint64(op)<<56^uint64(a)<<28, uint64(b)) & uint64(size-1)
}

// recall looks an earlier result up. The table forgets; then the work is done again.
func (s *Space) recall(op op, a, b int32) (int32, bool) {
	if len(s.memo) == 0 {
		return 0, false
	}
	e := &s.memo[memoSlot(op, a, b, len(s.memo))]
	return e.r, e.a == a && e.b == b && e.op == op
}

func (s *Space) remember(op op, a, b, r int32) {
	if s.stored >= len(s.memo) && len(s.memo) < maxMemo {
		old := s.memo
		s.memo = make([]memoEntry, max(2*len(old), 32))
		for _, e := range old {
			if e.a|e.b != 0 {
				s.memo[memoSlot(e.op, e.a, e.b, len(s.memo))] = e
			}
		}
		s.stored = 0
	}
	s.memo[memoSlot(op, a, b, len(s.memo))] = memoEntry{op, a, b, r}
	s.stored++
}
