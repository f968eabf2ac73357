package pruning

// Outcomes is the set of outcomes that some row with given key values could give a predicate. {} means that there are no
// such rows. It prints as "T", "T|F|N" or, for {}, "-".
type Outcomes uint8

const (
	True  Outcomes = 1 << iota // some row may satisfy the predicate
	False                      // some row may fail it
	Null                       // for some row it may be NULL

	None    Outcomes = 0                   // no rows
	Unknown Outcomes = True | False | Null // nothing is known
)

// An op is a binary operation on Outcomes. Unary ones are binary ones with a fixed second operand.
type op uint8

const (
	opAnd op = iota
	opOr
	opXor
	opMeet
	opJoin
	opGiven
	opIs
	opMay
	opMust
	opOpen
	ops // their number

	// Operations on diagrams that aren't pointwise; they stand here because they share the memo table.
	opAt
	opForget
)

// commutative and idempotent operations: o∘p = p∘o, and o∘o = o for all sets of outcomes.
func (o op) commutative() bool { return o <= opJoin }
func (o op) idempotent() bool  { return o <= opJoin && o != opXor }

// table holds every operation by its operands. SQL's three-valued operators are lifted to sets: {x∘y | x ∈ a, y ∈ b}.
var table = [ops][8][8]Outcomes{
	opAnd: {
		{0, 0, 0, 0, 0, 0, 0, 0},
		{0, 1, 2, 3, 4, 5, 6, 7},
		{0, 2, 2, 2, 2, 2, 2, 2},
		{0, 3, 2, 3, 6, 7, 6, 7},
		{0, 4, 2, 6, 4, 4, 6, 6},
		{0, 5, 2, 7, 4, 5, 6, 7},
		{0, 6, 2, 6, 6, 6, 6, 6},
		{0, 7, 2, 7, 6, 7, 6, 7},
	},
	opOr: {
		{0, 0, 0, 0, 0, 0, 0, 0},
		{0, 1, 1, 1, 1, 1, 1, 1},
		{0, 1, 2, 3, 4, 5, 6, 7},
		{0, 1, 3, 3, 5, 5, 7, 7},
		{0, 1, 4, 5, 4, 5, 4, 5},
		{0, 1, 5, 5, 5, 5, 5, 5},
		{0, 1, 6, 7, 4, 5, 6, 7},
		{0, 1, 7, 7, 5, 5, 7, 7},
	},
	opXor: {
		{0, 0, 0, 0, 0, 0, 0, 0},
		{0, 2, 1, 3, 4, 6, 5, 7},
		{0, 1, 2, 3, 4, 5, 6, 7},
		{0, 3, 3, 3, 4, 7, 7, 7},
		{0, 4, 4, 4, 4, 4, 4, 4},
		{0, 6, 5, 7, 4, 6, 5, 7},
		{0, 5, 6, 7, 4, 5, 6, 7},
		{0, 7, 7, 7, 4, 7, 7, 7},
	},
	opMeet: {
		{0, 0, 0, 0, 0, 0, 0, 0},
		{0, 1, 0, 1, 0, 1, 0, 1},
		{0, 0, 2, 2, 0, 0, 2, 2},
		{0, 1, 2, 3, 0, 1, 2, 3},
		{0, 0, 0, 0, 4, 4, 4, 4},
		{0, 1, 0, 1, 4, 5, 4, 5},
		{0, 0, 2, 2, 4, 4, 6, 6},
		{0, 1, 2, 3, 4, 5, 6, 7},
	},
	opJoin: {
		{0, 1, 2, 3, 4, 5, 6, 7},
		{1, 1, 3, 3, 5, 5, 7, 7},
		{2, 3, 2, 3, 6, 7, 6, 7},
		{3, 3, 3, 3, 7, 7, 7, 7},
		{4, 5, 6, 7, 4, 5, 6, 7},
		{5, 5, 7, 7, 5, 5, 7, 7},
		{6, 7, 6, 7, 6, 7, 6, 7},
		{7, 7, 7, 7, 7, 7, 7, 7},
	},
	opGiven: {
		{0, 0, 0, 0, 0, 0, 0, 0},
		{0, 1, 0, 1, 0, 1, 0, 1},
		{0, 2, 0, 2, 0, 2, 0, 2},
		{0, 3, 0, 3, 0, 3, 0, 3},
		{0, 4, 0, 4, 0, 4, 0, 4},
		{0, 5, 0, 5, 0, 5, 0, 5},
		{0, 6, 0, 6, 0, 6, 0, 6},
		{0, 7, 0, 7, 0, 7, 0, 7},
	},
	opIs: {
		{0, 0, 0, 0, 0, 0, 0, 0},
		{2, 1, 2, 1, 2, 1, 2, 1},
		{2, 2, 1, 1, 2, 2, 1, 1},
		{2, 3, 3, 1, 2, 3, 3, 1},
		{2, 2, 2, 2, 1, 1, 1, 1},
		{2, 3, 2, 3, 3, 1, 3, 1},
		{2, 2, 3, 3, 3, 3, 1, 1},
		{2, 3, 3, 3, 3, 3, 3, 1},
	},
	opMay: {
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 1, 1, 1, 1, 1, 1, 1},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 1, 1, 1, 1, 1, 1, 1},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 1, 1, 1, 1, 1, 1, 1},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 1, 1, 1, 1, 1, 1, 1},
	},
	opMust: {
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 1, 1, 1, 1, 1, 1, 1},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{2, 2, 2, 2, 2, 2, 2, 2},
	},
	opOpen: {
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 2, 1, 1, 1, 1, 1, 1},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 2, 1, 1, 1, 1, 1, 1},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 2, 1, 1, 1, 1, 1, 1},
		{2, 2, 2, 2, 2, 2, 2, 2},
		{1, 2, 1, 1, 1, 1, 1, 1},
	},
}

// And is SQL's AND of any outcome in o with any in p.
func (o Outcomes) And(p Outcomes) Outcomes { return table[opAnd][o&7][p&7] }

// Or is SQL's OR of any outcome in o with any in p.
func (o Outcomes) Or(p Outcomes) Outcomes { return table[opOr][o&7][p&7] }

// Xor is SQL's XOR (<> of truth values) of any outcome in o with any in p.
func (o Outcomes) Xor(p Outcomes) Outcomes { return table[opXor][o&7][p&7] }

// Not swaps TRUE and FALSE.
func (o Outcomes) Not() Outcomes { return o.Xor(True) }

// Is tells whether an outcome is in p: TRUE for those of o that are, FALSE for those that aren't.
// x IS NULL is Is(Null), x IS NOT TRUE is Is(False|Null).
func (o Outcomes) Is(p Outcomes) Outcomes { return table[opIs][o&7][p&7] }

// MayBeTrue reports whether TRUE is among the outcomes.
func (o Outcomes) MayBeTrue() bool { return o&True != 0 }

// String is the outcomes as they stand in diagrams.
func (o Outcomes) String() string {
	return [8]string{"-", "T", "F", "T|F", "N", "T|N", "F|N", "T|F|N"}[o&7]
}
