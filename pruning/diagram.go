package pruning

import "slices"

// Diagram is a function from key tuples to [Outcomes], for example y: 2021 → (m: 12 → T). It is a small handle: == of
// diagrams of one [Space] is equality of functions (unless the space was hit by its limit). The zero Diagram is {}
// everywhere.
//
// Operands may be of different spaces if one is a fork of the other, or comes from one; the result is then of the fork.
// A diagram of an unrelated space with the same keys is copied.
type Diagram struct {
	s *Space
	n int32 // a constant's Outcomes or a node
}

// Space is where d's nodes are.
func (d Diagram) Space() *Space { return d.s }

// And is SQL's AND at each tuple.
func (d Diagram) And(e Diagram) Diagram { return d.apply(opAnd, e) }

// Or is SQL's OR at each tuple.
func (d Diagram) Or(e Diagram) Diagram { return d.apply(opOr, e) }

// Xor is SQL's XOR, or <> of truth values, at each tuple.
func (d Diagram) Xor(e Diagram) Diagram { return d.apply(opXor, e) }

// Not is SQL's NOT at each tuple: TRUE and FALSE change places.
func (d Diagram) Not() Diagram { return d.unary(opXor, True) }

// Is is TRUE where the outcome is one of o and FALSE where it isn't: IS TRUE, IS NOT FALSE (True|Null), IS NULL.
func (d Diagram) Is(o Outcomes) Diagram { return d.unary(opIs, o) }

// May is a cell: {T} where TRUE is possible, else {F}. Like Must it speaks of what is known: where the limit made d wider
// than its predicate, May may say T for F, and Must F for T, but not the other way round.
func (d Diagram) May() Diagram { return d.unary(opMay, None) }

// Must is a cell: {T} where d is {T}, so that every row is wanted, else {F}. See May.
func (d Diagram) Must() Diagram { return d.unary(opMust, None) }

// Open is a cell: {T} where d may be TRUE and e isn't {T}, else {F}: where e is still to be filtered in what d asks for. It is
// d.May().And(e.Must().Not()) without the diagrams in between.
func (d Diagram) Open(e Diagram) Diagram { return d.apply(opOpen, e) }

// Meet puts two facts about one predicate together: only outcomes that both allow, at each tuple.
func (d Diagram) Meet(e Diagram) Diagram { return d.apply(opMeet, e) }

// Join is what is known when either may be the case: the outcomes of both, at each tuple.
func (d Diagram) Join(e Diagram) Diagram { return d.apply(opJoin, e) }

// Given is d inside a cell, that is where the cell may be TRUE, and {} outside: there are no rows.
func (d Diagram) Given(cell Diagram) Diagram { return d.apply(opGiven, cell) }

func (d Diagram) apply(o op, e Diagram) Diagram {
	s := d.s
	switch {
	case s == e.s:
	case s == nil || e.s.sees(d):
		s = e.s
	default:
		e = s.Adopt(e)
	}
	if d.n < leaves && e.n < leaves {
		return Diagram{s, int32(table[o][d.n][e.n])}
	}
	return s.binary(o, d.n, e.n)
}

func (d Diagram) unary(o op, p Outcomes) Diagram { return d.apply(o, Diagram{d.s, int32(p & Unknown)}) }

// At is d for one value of a key: what is left to decide below that branch. Of the top key, and of a key that d doesn't
// depend on, it only reads.
func (d Diagram) At(key int, v Value) Diagram { return d.at(key, &v) }

// AtNull is d where a key is NULL.
func (d Diagram) AtNull(key int) Diagram { return d.at(key, nil) }

func (d Diagram) at(key int, v *Value) Diagram {
	if d.n < leaves {
		return d
	}
	if d.s.keyOf(d.n) >= int32(key) || !d.mayDepend(key) {
		return Diagram{d.s, d.s.at(d.n, int32(key), v, 0)}
	}
	d.s.begin()
	return d.s.end(d.s.at(d.n, int32(key), v, d.s.memo.nextSerial()), d.Outcomes())
}

// Forget joins d over all values of the keys, NULL among them: what is known when they aren't.
func (d Diagram) Forget(keys ...int) Diagram {
	if d.n < leaves {
		return d
	}
	drop := make([]bool, len(d.s.keys))
	deps := uint64(0)
	for _, k := range keys {
		drop[k] = true
		deps |= 1 << (k % 64)
	}
	d.s.begin()
	return d.s.end(d.s.forget(d.n, drop, deps, d.s.memo.nextSerial()), d.Outcomes())
}

// Outcomes are the outcomes of all tuples together. It costs nothing.
func (d Diagram) Outcomes() Outcomes {
	if d.n < leaves {
		return Outcomes(d.n)
	}
	return d.s.outcomesOf(d.n)
}

// IsConst reports whether d is the same at all tuples.
func (d Diagram) IsConst() bool { return d.n < leaves }

// mayDepend is false if d doesn't depend on the key.
func (d Diagram) mayDepend(key int) bool {
	return d.n >= leaves && d.s.node(d.n).deps&(1<<(key%64)) != 0
}

// Depends reports whether d depends on a key.
func (d Diagram) Depends(key int) bool {
	if !d.mayDepend(key) || len(d.s.keys) <= 64 {
		return d.mayDepend(key)
	}
	found := false
	d.s.each(d.n, func(x *node) bool {
		found = found || x.key == int32(key)
		return !found && x.key < int32(key)
	})
	return found
}

// each calls f once for every node below and at id, until it doesn't want a node's kids.
func (s *Space) each(id int32, f func(x *node) bool) {
	seen := map[int32]bool{}
	var visit func(id int32)
	visit = func(id int32) {
		if id < leaves || seen[id] {
			return
		}
		seen[id] = true
		x := s.node(id)
		if !f(x) {
			return
		}
		for _, k := range x.kids {
			visit(k)
		}
	}
	visit(id)
}

// Branches are how a diagram depends on its top key: cuts ascending, the diagram of each of the Len() pieces between
// them, and the one for NULL. It is a view: making one allocates nothing.
type Branches struct {
	d    Diagram
	cuts []Value
	kids []int32 // nil: d doesn't depend on the key
}

// Branches is how d depends on key, when key is d's top key. Otherwise there is one piece, and it and NULL are d.
// This is what axes merge their branches with.
func (d Diagram) Branches(key int) Branches {
	b := Branches{d: d}
	if d.n >= leaves {
		if x := d.s.node(d.n); x.key == int32(key) {
			b.cuts, b.kids = x.cuts, x.kids
		}
	}
	return b
}

// Len is the number of pieces: one more than cuts.
func (b Branches) Len() int { return len(b.cuts) + 1 }

// Cuts are where pieces meet: piece i is Cuts()[i-1] ≤ v < Cuts()[i]. They are not to be changed.
func (b Branches) Cuts() []Value { return b.cuts }

// Piece is the diagram of piece i. Neighbouring pieces differ.
func (b Branches) Piece(i int) Diagram { return b.kid(i) }

// Null is the diagram where the key is NULL.
func (b Branches) Null() Diagram { return b.kid(len(b.cuts) + 1) }

// Find is the piece that holds v, by binary search.
func (b Branches) Find(v Value) int { return pieceOf(b.cuts, v) }

func (b Branches) kid(i int) Diagram {
	if b.kids == nil {
		return b.d
	}
	return Diagram{b.d.s, b.kids[i]}
}

// distinct sorts a copy of ids and drops repetitions.
func distinct(ids []int32) []int32 {
	out := slices.Clone(ids)
	slices.Sort(out)
	return slices.Compact(out)
}
