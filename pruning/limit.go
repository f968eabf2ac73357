package pruning

import "math/bits"

const (
	spaceNodes = 16  // a space holds this many times the nodes that one operation may add
	stepsANode = 128 // pieces that an operation may look at for each node that it may add
	leastNodes = 256 // to which failures lower what one operation may add, if the limit isn't below
)

// budget bounds the memory of a space and the time of its operations. Each failure halves what later operations may add,
// so that the time spent on failing is bounded, too.
type budget struct {
	limit int   // nodes that one operation may add
	allow int   // what is left of that after failures
	left  int   // nodes that the running operation may still add
	steps int   // pieces that it may still look at
	mark  int   // nodes before it
	depth int32 // keys from here on are joined away in it
	over  bool  // it failed: its result is of no use
	hit   bool  // one failed
}

func newBudget(limit int) budget { return budget{limit: limit, allow: limit, depth: leafKey} }

// begin starts an operation that may add nodes.
func (s *Space) begin() { s.beginWith(s.allow) }

func (s *Space) beginWith(allow int) {
	s.left = min(allow, s.limit*spaceNodes-s.weight)
	s.steps = allow * stepsANode
	s.mark = len(s.nodes)
	s.over = false
}

// end finishes an operation with its result, or, if it failed, with all that the result could be.
func (s *Space) end(r int32, all Outcomes) Diagram {
	if s.over {
		s.rollBack()
		r = int32(all)
	}
	return Diagram{s, r}
}

// spend takes steps from the running operation; true when it has none left.
func (s *Space) spend(n int) bool {
	s.steps -= n
	s.over = s.over || s.steps < 0
	return s.over
}

// binary is the operation o on a and b. If it fails, it is done again on fewer keys, down to none.
func (s *Space) binary(o op, a, b int32) Diagram {
	s.begin()
	r := s.apply(o, a, b)
	if !s.over {
		return Diagram{s, r}
	}
	s.rollBack()
	top := min(s.keyOf(a), s.keyOf(b))
	for depth, allow := s.deepest(a, b), s.allow; depth > top; depth -= max(1, (depth-top)/4) {
		s.depth = depth
		s.beginWith(allow)
		r = s.apply(o, a, b)
		s.depth = leafKey
		s.memo.forgetAll() // of keys that were joined away
		if !s.over {
			return Diagram{s, r}
		}
		s.takeBack()
		allow = s.halve(allow)
	}
	return Diagram{s, int32(table[o][s.outcomesOf(a)][s.outcomesOf(b)])}
}

// deepest is the last key that a or b depends on, or one after it.
func (s *Space) deepest(a, b int32) int32 {
	if len(s.keys) > 64 {
		return int32(len(s.keys))
	}
	deps := uint64(0)
	for _, id := range [2]int32{a, b} {
		if id >= leaves {
			deps |= s.node(id).deps
		}
	}
	return int32(bits.Len64(deps)) - 1
}

// rollBack takes away what the failed operation added.
func (s *Space) rollBack() {
	s.hit = true
	s.allow = s.halve(s.allow)
	s.takeBack()
}

func (b *budget) halve(allow int) int { return max(allow/2, min(b.limit, leastNodes)) }

func (s *Space) takeBack() {
	s.stackV, s.stackK = s.stackV[:0], s.stackK[:0]
	if len(s.nodes) == s.mark {
		return
	}
	for i := len(s.nodes) - 1; i >= s.mark; i-- {
		s.weight -= weight(len(s.nodes[i].cuts))
		s.remove(s.base + int32(i))
		s.nodes[i] = node{}
	}
	s.nodes = s.nodes[:s.mark]
	s.memo.forgetAll()
}
