// Package pruning is the algebra of yqlplan: values, interval sets, and three-valued decision diagrams over key tuples.
package pruning

import "iter"

// The declarations of this file fix the package's interface; bodies follow.

type Value struct {
	n int64
	s string
}

func Int(n int64) Value        { panic("") } // numbers, dates: in n
func Uint(n uint64) Value      { panic("") }
func Float(f float64) Value    { panic("") }
func Text(s string) Value      { panic("") } // strings and bytes
func (v Value) Int() int64     { return v.n }
func (v Value) Uint() uint64   { panic("") }
func (v Value) Float() float64 { panic("") }
func (v Value) Text() string   { return v.s }
func Compare(a, b Value) int   { panic("") }

type Kind uint8

const (
	NoKind Kind = iota
	Bool
	Int8
	Int16
	Int32
	Int64
	Int128
	Uint8
	Uint16
	Uint32
	Uint64
	Uint128
	Float32
	Float64
	Decimal   // Precision up to 38, Scale
	String    // text or bytes, compared bytewise
	Date      // days since 1970-01-01, proleptic Gregorian, negative before
	Datetime  // seconds since 1970-01-01T00:00:00Z
	Timestamp // microseconds since then (Precision 6), or milliseconds (3), nanoseconds (9)
	Time      // microseconds of the day
	Interval  // microseconds
	UUID      // 16 bytes in s
)

type Type struct {
	Kind             Kind
	Precision, Scale uint8
}

func (t Type) Parse(text string) (Value, error)  { panic("") }
func (t Type) Append(dst []byte, v Value) []byte { panic("") }
func (t Type) Succ(v Value) (Value, bool)        { panic("") }
func (t Type) Pred(v Value) (Value, bool)        { panic("") } // not for strings and decimals without one
func (t Type) Min() Value                        { panic("") }
func (t Type) Max() (Value, bool)                { panic("") } // false: strings have none
func (t Type) Twins(v Value) []Value             { panic("") }
func (t Type) String() string                    { panic("") }

// Civil calendar, in closed form.
func DaysFromCivil(y, m, d int) int64        { panic("") }
func CivilFromDays(days int64) (y, m, d int) { panic("") }
func DaysInMonth(y, m int) int               { panic("") }

type Set struct{ cuts []Value }

func Empty() Set                    { panic("") }
func Full() Set                     { panic("") }
func Point(t Type, v Value) Set     { panic("") }
func Points(t Type, vs []Value) Set { panic("") } // any order, repetitions allowed
func Range(lo, hi Value) Set        { panic("") } // lo ≤ v < hi
func From(lo Value) Set             { panic("") } // lo ≤ v
func Before(hi Value) Set           { panic("") } // v < hi
func (s Set) Contains(v Value) bool { panic("") }
func (s Set) IsEmpty() bool         { panic("") }
func (s Set) IsFull() bool          { panic("") }
func (s Set) Union(t Set) Set       { panic("") }
func (s Set) Intersect(t Set) Set   { panic("") }
func (s Set) Complement() Set       { panic("") }
func (s Set) Minus(t Set) Set       { panic("") }
func (s Set) Equal(t Set) bool      { panic("") }
func (s Set) Cuts() []Value         { return s.cuts } // not to be changed
// Intervals yields [lo,hi) pairs; lo nil: from the bottom, hi nil: to the top.
func (s Set) Intervals() iter.Seq2[*Value, *Value] { panic("") }
func (s Set) AppendText(dst []byte, t Type) []byte { panic("") } // 5, [6,9), >= 2021-01-01 …

type Outcomes uint8

const (
	True Outcomes = 1 << iota
	False
	Null
	None    Outcomes = 0
	Unknown Outcomes = True | False | Null
)

func (o Outcomes) And(p Outcomes) Outcomes { panic("") }
func (o Outcomes) Or(p Outcomes) Outcomes  { panic("") }
func (o Outcomes) Xor(p Outcomes) Outcomes { panic("") }
func (o Outcomes) Not() Outcomes           { panic("") }
func (o Outcomes) Is(p Outcomes) Outcomes  { panic("") } // TRUE where the outcome is in p, else FALSE
func (o Outcomes) MayBeTrue() bool         { return o&True != 0 }
func (o Outcomes) String() string          { panic("") } // "T", "T|F|N", "-"

type Key struct {
	Name string
	Type Type
}

type Space struct{ _ int }

const DefaultNodes = 65536

func NewSpace(keys []Key, limit int) *Space                                                { panic("") }
func (s *Space) Keys() []Key                                                               { panic("") }
func (s *Space) Hit() bool                                                                 { panic("") } // the node limit was hit
func (s *Space) Fork() *Space                                                              { panic("") }
func (s *Space) Adopt(d Diagram) Diagram                                                   { panic("") } // the same function as a diagram of this fork
func (s *Space) Const(o Outcomes) Diagram                                                  { panic("") }
func (s *Space) In(key int, set Set) Diagram                                               { panic("") }
func (s *Space) Steps(key int, cuts []Value, outs []Outcomes, null Outcomes) Diagram       { panic("") } // len(outs) = len(cuts)+1
func (s *Space) Below(key int, null Outcomes, tuple ...Value) Diagram                      { panic("") }
func (s *Space) All(op func(Diagram, Diagram) Diagram, ds []Diagram, zero Diagram) Diagram { panic("") } // balanced tree
func (s *Space) Parse(text string) (Diagram, error)                                        { panic("") } // the notation of String

// Diagram is a small comparable handle; == is equality of functions within one Space.
type Diagram struct {
	s *Space
	n int32
}

func (d Diagram) Space() *Space                                  { return d.s }
func (d Diagram) And(e Diagram) Diagram                          { panic("") }
func (d Diagram) Or(e Diagram) Diagram                           { panic("") }
func (d Diagram) Xor(e Diagram) Diagram                          { panic("") }
func (d Diagram) Not() Diagram                                   { panic("") }
func (d Diagram) Is(o Outcomes) Diagram                          { panic("") }
func (d Diagram) May() Diagram                                   { panic("") }
func (d Diagram) Must() Diagram                                  { panic("") }
func (d Diagram) Meet(e Diagram) Diagram                         { panic("") }
func (d Diagram) Join(e Diagram) Diagram                         { panic("") }
func (d Diagram) Given(cell Diagram) Diagram                     { panic("") }
func (d Diagram) At(key int, v Value) Diagram                    { panic("") }
func (d Diagram) AtNull(key int) Diagram                         { panic("") }
func (d Diagram) Forget(keys ...int) Diagram                     { panic("") }
func (d Diagram) Outcomes() Outcomes                             { panic("") } // union of all leaves, O(1)
func (d Diagram) IsConst() bool                                  { panic("") }
func (d Diagram) Depends(key int) bool                           { panic("") }
func (d Diagram) Points(keys []int, limit int) ([][]Value, bool) { panic("") }
func (d Diagram) Set(key int) Set                                { panic("") }
func (d Diagram) String() string                                 { panic("") }

// Branches are how a diagram depends on its top key: cuts ascending, the diagram of each of the Len() pieces between
// them, and the one for NULL. It is a view: making one allocates nothing.
type Branches struct {
	d    Diagram
	cuts []Value
	kids []int32
}

// Branches is how d depends on key, when key is d's top key. Otherwise there is one piece, and it and NULL are d.
// This is what axes merge their branches with.
func (d Diagram) Branches(key int) Branches { panic("") }
func (b Branches) Len() int                 { panic("") } // of pieces: one more than cuts
func (b Branches) Cuts() []Value            { panic("") } // piece i is Cuts()[i-1] ≤ v < Cuts()[i]; not to be changed
func (b Branches) Piece(i int) Diagram      { panic("") }
func (b Branches) Null() Diagram            { panic("") }
func (b Branches) Find(v Value) int         { panic("") } // the piece that holds v, by binary search

// Region is a box of key tuples: one set a key that is restricted.
type Region []KeySet
type KeySet struct {
	Key  int
	Set  Set
	Null bool // NULL belongs to it
}

// Regions are disjoint boxes that together are the tuples where TRUE is possible; false when there are more than limit.
func (d Diagram) Regions(limit int) ([]Region, bool) { panic("") }
