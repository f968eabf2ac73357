package pruning

import (
	"hash/maphash"
	"math"
)

// Key is a column, or something computed from a column, that a layout branches on.
type Key struct {
	Name string
	Type Type
}

// DefaultNodes is the limit of a [Space] that was given none.
const DefaultNodes = 65536

// Space holds the nodes of all diagrams over one list of keys. Key order is the order of levels. Equal nodes are one
// node, so equal functions are equal handles.
//
// An operation that would add more nodes than the limit (a node with many cuts counts for several), or bring the space
// above 16 times the limit, is done without the last keys it depends on: at each tuple the result has the outcomes of all
// tuples that differ only there. That is sound wherever it is used. [Space.Hit] tells that it happened.
//
// A Space isn't safe for concurrent use while nodes are added: by And, Or, Xor, Not, Is, May, Must, Meet, Join, Given,
// Forget, Adopt, by At and AtNull of a key below the diagram's top key, and by the constructors except Const. All else
// only reads. Once a Space gets no more nodes, any number of goroutines may read it, and [Space.Fork] it to add more.
type Space struct {
	keys   []Key
	parent *Space
	base   int32 // nodes below it are the parent's
	seed   maphash.Seed

	nodes  []node
	weight int     // of nodes
	index  []int32 // hash table of nodes: open addressing, 0 is free
	memo   memo

	values slab[Value]
	kids   slab[int32]
	stackV []Value // of unfinished nodes
	stackK []int32

	budget
}

// NewSpace makes a space for functions of keys, which are not to be changed any more. limit bounds what one operation may add;
// 0 means DefaultNodes.
func NewSpace(keys []Key, limit int) *Space {
	if limit <= 0 {
		limit = DefaultNodes
	}
	r := &roomySpace{Space: Space{keys: keys, base: leaves, seed: maphash.MakeSeed(), budget: newBudget(limit)}}
	s := &r.Space
	s.nodes, s.index, s.memo.entries = r.nodes[:0], r.index[:], r.memo[:]
	s.values.free, s.kids.free = r.values[:], r.kids[:]
	s.stackV, s.stackK = r.stackV[:0], r.stackK[:0]
	return s
}

// roomySpace is a space with the memory that the predicates of a usual query need.
type roomySpace struct {
	Space
	nodes  [8]node
	index  [16]int32
	memo   [16]memoEntry
	values [12]Value
	kids   [48]int32
	stackV [8]Value
	stackK [32]int32
}

// Keys are the keys, outermost first. They are not to be changed.
func (s *Space) Keys() []Key { return s.keys }

// Hit reports whether an operation went over the limit, so that some diagrams are wider than their predicates.
func (s *Space) Hit() bool { return s.hit }

// Fork is a new space with all diagrams of s, which can be used with it as they are. Nodes that are added to the fork
// leave s alone. It costs little, and nothing in the number of nodes.
func (s *Space) Fork() *Space {
	return &Space{keys: s.keys, seed: s.seed, parent: s, base: s.base + int32(len(s.nodes)), budget: newBudget(s.limit)}
}

// Adopt is the function of d as a diagram of s. It costs nothing if s is a fork, or a fork's fork, of d's space.
func (s *Space) Adopt(d Diagram) Diagram {
	if d.n < leaves || s.sees(d) {
		return Diagram{s, d.n}
	}
	s.begin()
	return s.end(s.copyOf(d.s, d.n, map[int32]int32{}), d.Outcomes())
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
