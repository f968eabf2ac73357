package projection

import (
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// branches is the axis of directories or objects that a listing has told, in byte order.
type branches struct {
	key    int      // that the branches fix, or noKey
	base   int      // length of the prefix that the names have in common
	names  []string // whole keys; those of directories end in "/"
	values []pruning.Value
	states []keyState  // of values
	mixed  KeyValue    // what branches with several values have, the same for all
	below  []*branches // of directories, when what lies below them has been listed
	sizes  []int64     // of objects; -1 unknown
}

// keyState says what a value is.
type keyState uint8

const (
	valued keyState = iota
	isNull
	unfit   // the text is no value of the column
	several // there are several values
)

const noKey = -1

// Last implements [Axis].
func (b *branches) Last() (uint64, bool) { return uint64(len(b.names)) - 1, len(b.names) > 0 }

// Value implements [Axis].
func (b *branches) Value(i uint64) (v pruning.Value, null, ok bool) {
	if b.key == noKey || b.states[i] >= unfit {
		return v, false, false
	}
	return b.values[i], b.states[i] == isNull, true
}

// AppendName implements [Axis].
func (b *branches) AppendName(dst []byte, i uint64) []byte {
	name := b.names[i][b.base:]
	if n := len(name); n > 0 && name[n-1] == '/' {
		name = name[:n-1]
	}
	return append(dst, name...)
}

// Runs implements [Axis] by looking at every branch: they are in the order of their texts.
func (b *branches) Runs(dst []Run, d pruning.Diagram) ([]Run, error) {
	last, ok := b.Last()
	if !ok || !d.Outcomes().MayBeTrue() {
		return dst, nil
	}
	if b.key == noKey {
		return append(dst, Run{Last: last, Rest: d}), nil
	}
	at := newRests(d, b.key)
	for i := range b.names {
		if rest := at.of(b.values[i], b.states[i], &b.mixed); rest.Outcomes().MayBeTrue() {
			dst = appendRun(dst, Run{uint64(i), uint64(i), rest})
		}
	}
	return dst, nil
}

func (b *branches) add(name string, v KeyValue) {
	b.names = append(b.names, name)
	b.values = append(b.values, v.Value)
	b.states = append(b.states, v.state())
	if v.Several != nil {
		b.mixed = v
	}
}

// keep drops the branches that f doesn't want.
func (b *branches) keep(f func(i int) bool) {
	n := 0
	for i := range b.names {
		if !f(i) {
			continue
		}
		b.names[n], b.values[n], b.states[n] = b.names[i], b.values[i], b.states[i]
		if b.below != nil {
			b.below[n] = b.below[i]
		}
		n++
	}
	b.cut(n)
}

// cut keeps the first n branches.
func (b *branches) cut(n int) {
	clear(b.names[n:])
	b.names, b.values, b.states = b.names[:n], b.values[:n], b.states[:n]
	if b.below != nil {
		clear(b.below[n:])
		b.below = b.below[:n]
	}
}

// clip gives memory back that branches were expected to need.
func (b *branches) clip() {
	if cap(b.names) > len(b.names)+len(b.names)/4 {
		b.names, b.values, b.states = slices.Clone(b.names), slices.Clone(b.values), slices.Clone(b.states)
		b.below, b.sizes = slices.Clone(b.below), slices.Clone(b.sizes)
	}
}

// loose notes the levels, from that of b on, with a branch that doesn't have exactly one value.
func (b *branches) loose(level int, at []bool) {
	if b.key == noKey {
		return
	}
	at[level] = at[level] || slices.ContainsFunc(b.states, func(s keyState) bool { return s >= unfit })
	for _, below := range b.below {
		if below != nil {
			below.loose(level+1, at)
		}
	}
}

// rests tells what a diagram leaves below the values of its top key.
type rests struct {
	b   pruning.Branches
	d   pruning.Diagram
	key int
	any *pruning.Diagram // below an unknown value, once asked for
	mix *pruning.Diagram // below several values, likewise
}

func newRests(d pruning.Diagram, key int) rests { return rests{b: d.Branches(key), d: d, key: key} }

// of is what is left below a value in a state; mixed are the several ones.
func (r *rests) of(v pruning.Value, s keyState, mixed *KeyValue) pruning.Diagram {
	switch s {
	case isNull:
		return r.b.Null()
	case unfit:
		return r.unknown()
	case several:
		return r.several(mixed)
	}
	return r.b.Piece(r.b.Find(v))
}

// unknown is what is left where the key may be anything. It is in a space of its own.
func (r *rests) unknown() pruning.Diagram {
	if r.any == nil {
		d := own(r.d).Forget(r.key)
		r.any = &d
	}
	return *r.any
}

// several is what is left where the key may be any of some values. It is in a space of its own.
func (r *rests) several(v *KeyValue) pruning.Diagram {
	if r.mix != nil {
		return *r.mix
	}
	d := own(r.d)
	sum := d.Space().Const(pruning.None)
	if v.Null {
		sum = sum.Join(r.b.Null())
	}
	cuts, lo := r.b.Cuts(), d.Space().Keys()[r.key].Type.Min()
	for i := range r.b.Len() {
		hi := (*pruning.Value)(nil)
		if i < len(cuts) {
			hi = &cuts[i]
		}
		if v.Several(lo, hi) {
			sum = sum.Join(r.b.Piece(i))
		}
		if hi != nil {
			lo = *hi
		}
	}
	r.mix = &sum
	return sum
}
