package pruning

// Const is the same at all tuples: what is TRUE, FALSE, NULL or, with Unknown, not understood.
func (s *Space) Const(o Outcomes) Diagram { return Diagram{s, int32(o & Unknown)} }

// In is key IN set: T inside, F outside, N where the key is NULL, as in y: [2021,2023) → T, null → N. A key that can't be
// NULL never takes that branch.
func (s *Space) In(key int, set Set) Diagram {
	cuts := set.Clip(s.keys[key].Type).cuts
	outside, inside := int32(False), int32(True)
	if len(cuts) > 0 && cuts[0] == bottom {
		cuts, outside, inside = cuts[1:], inside, outside
	}
	s.begin()
	w := s.start(int32(key), len(cuts))
	w.add(Value{}, outside)
	for i, cut := range cuts {
		kid := inside
		if i%2 == 1 {
			kid = outside
		}
		w.add(cut, kid)
	}
	return s.end(w.finish(int32(Null), cuts), Unknown)
}

// Steps is a function of one key: outs[0] below cuts[0], outs[i] from cuts[i-1] on, and null where the key is NULL. Cuts
// ascend; there is one less than outs.
func (s *Space) Steps(key int, cuts []Value, outs []Outcomes, null Outcomes) Diagram {
	kids := make([]int32, len(outs))
	for i, o := range outs {
		kids[i] = int32(o & Unknown)
	}
	s.begin()
	return s.end(s.pieces(int32(key), cuts, kids, int32(null&Unknown)), Unknown)
}

// pieces is the node with these cuts, which ascend, and kids. Cuts beyond the ends of the key's type are dropped.
func (s *Space) pieces(key int32, cuts []Value, kids []int32, null int32) int32 {
	t := s.keys[key].Type
	least := t.Min()
	top, bounded := t.Max()
	w := s.start(key, len(cuts))
	first := pieceOf(cuts, least)
	w.add(Value{}, kids[first])
	for i := first; i < len(cuts) && !(bounded && less(top, cuts[i])); i++ {
		if i+1 < len(cuts) && cuts[i+1] == cuts[i] {
			continue // an empty piece
		}
		w.add(cuts[i], kids[i+1])
	}
	return w.finish(null)
}

// Below is (key, key+1, …) < tuple in dictionary order; the empty tuple is below nothing. null is the outcome on meeting a
// NULL: Null in a predicate, True in a cell of a system where NULL is least. (y, m) < (2021, 12) is
// y: < 2021 → T, 2021 → (m: < 12 → T).
func (s *Space) Below(key int, null Outcomes, tuple ...Value) Diagram {
	s.begin()
	rest := int32(False)
	for i := len(tuple) - 1; i >= 0; i-- {
		v := tuple[i]
		cuts, kids := []Value{v}, []int32{int32(True), rest}
		if next, ok := s.keys[key+i].Type.Succ(v); ok {
			cuts, kids = append(cuts, next), append(kids, int32(False))
		}
		rest = s.pieces(int32(key+i), cuts, kids, int32(null&Unknown))
	}
	return s.end(rest, Unknown)
}
