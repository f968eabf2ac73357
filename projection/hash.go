package projection

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// Hash is the level of the buckets that rows are put into by a hash of some keys. Without keys, rows are spread in a way
// that no value tells, and every bucket may have any row.
type Hash struct {
	By       []int  // the keys, in the order in which they are hashed
	Nullable []bool // of each: rows may have NULL
	// Bucket is the bucket, from 0 on, of a tuple of By among n buckets; -1 where no row has that tuple. It must not keep the
	// tuple.
	Bucket func(tuple []pruning.Nullable, n int) int
	Count  int                 // of buckets below every branch; 0: Counts tells
	Counts func(at *Place) int // of buckets below a branch
	Above  []Level             // the levels that the branches come from
	Limit  int                 // tuples that are hashed for one branch; when there are more, every bucket is read
}

// Keys implements [Level].
func (h *Hash) Keys() []int { return h.By }

// Fixed implements [Level]. The axis is the same everywhere if nothing about By is known from the levels above.
func (h *Hash) Fixed() bool { return h.Count > 0 && !slices.ContainsFunc(h.By, h.above) }

// Computed implements [Computed].
func (h *Hash) Computed() bool { return true }

// above reports whether a level above is about a key.
func (h *Hash) above(key int) bool {
	return slices.ContainsFunc(h.Above, func(l Level) bool { return slices.Contains(l.Keys(), key) })
}

// Axis implements [Level].
func (h *Hash) Axis(_ context.Context, at *Place) (Axis, error) {
	b := &buckets{Hash: h, n: h.Count}
	if b.n == 0 {
		b.n = h.Counts(at)
	}
	if !slices.ContainsFunc(h.By, h.above) {
		return b, nil
	}
	b.fixed = make([]*pruning.Nullable, len(h.By))
	for i, l := range h.Above {
		for k, key := range h.By {
			if !slices.Contains(l.Keys(), key) {
				continue
			}
			if v, null, ok := at.Axes[i].Value(at.Index[i]); ok && Decides(l, key) {
				b.fixed[k] = &pruning.Nullable{Value: v, Null: null}
			} else if c, ok := at.Axes[i].(Cells); ok {
				b.cells = append(b.cells, cell{c, at.Index[i]})
				break
			}
		}
	}
	return b, nil
}

// Reason says why every bucket below a branch is read for d: "id isn't restricted". It is empty where hashing tells the
// buckets.
func (h *Hash) Reason(at *Place, d pruning.Diagram) string {
	axis, err := h.Axis(context.Background(), at)
	b, ok := axis.(*buckets)
	if err != nil || !ok || !d.Outcomes().MayBeTrue() {
		return ""
	}
	if len(h.By) == 0 {
		return "rows are spread at random"
	}
	keys := d.Space().Keys()
	names := make([]string, len(h.By))
	for i, key := range h.By {
		if names[i] = keys[key].Name; b.free(i, d) {
			return names[i] + " isn't restricted"
		}
	}
	c := hashing{buckets: b, hit: map[int]bool{}}
	if !c.all(b.inside(d)) {
		return strings.Join(names, ", ") + " can have too many values"
	}
	return ""
}

// cell is one branch of an axis of cells.
type cell struct {
	axis  Cells
	index uint64
}

// buckets are the buckets below one branch.
type buckets struct {
	*Hash
	n     int
	fixed []*pruning.Nullable // values of By that the branch has; nil: none of all
	cells []cell              // that the branch lies in and that tell something about By
}

// Last implements [Axis].
func (b *buckets) Last() (uint64, bool) { return uint64(b.n) - 1, b.n > 0 }

// Value implements [Axis]: a bucket has many values.
func (b *buckets) Value(uint64) (v pruning.Value, null, ok bool) { return v, false, false }

// AppendName implements [Axis].
func (b *buckets) AppendName(dst []byte, i uint64) []byte { return strconv.AppendUint(dst, i, 10) }

// Runs implements [Axis]: the buckets of the tuples for which d can be TRUE, all when these aren't finitely many.
func (b *buckets) Runs(dst []Run, d pruning.Diagram) ([]Run, error) {
	open := b.open(d)
	inside := b.filled(d)
	if !open {
		inside = b.inside(inside)
	}
	if !inside.Outcomes().MayBeTrue() || b.n == 0 {
		return dst, nil
	}
	rest := d.Space().Const(inside.Outcomes())
	h := hashing{buckets: b, hit: map[int]bool{}}
	if open || !h.all(inside) || len(h.hit) == b.n {
		return append(dst, Run{0, uint64(b.n) - 1, rest}), nil
	}
	for _, i := range slices.Sorted(maps.Keys(h.hit)) {
		dst = appendRun(dst, Run{uint64(i), uint64(i), rest})
	}
	return dst, nil
}

// open reports whether it is clear without a look into d that every bucket may be hit.
func (b *buckets) open(d pruning.Diagram) bool {
	if len(b.By) == 0 {
		return true
	}
	for i := range b.By {
		if b.free(i, d) {
			return true
		}
	}
	return false
}

// free reports whether the i-th key can have any value of a large type.
func (b *buckets) free(i int, d pruning.Diagram) bool {
	key := b.By[i]
	return !b.known(i) && !d.Depends(key) && !small(d.Space().Keys()[key].Type)
}

// known reports whether levels above tell something about the i-th key.
func (b *buckets) known(i int) bool { return b.fixed != nil && b.above(b.By[i]) }

// small reports whether a type has so few values that they may be hashed.
func small(t pruning.Type) bool {
	return t.Kind == pruning.Bool || t.Kind == pruning.Int8 || t.Kind == pruning.Int16 || t.Kind == pruning.Uint8 || t.Kind == pruning.Uint16
}

// filled is d without the NULLs that no row has.
func (b *buckets) filled(d pruning.Diagram) pruning.Diagram {
	for i, key := range b.By {
		if !b.Nullable[i] && d.Depends(key) {
			s := d.Space().Fork()
			d = s.Adopt(d).Given(s.Steps(key, nil, []pruning.Outcomes{pruning.True}, pruning.False))
		}
	}
	return d
}

// inside is d in the cells that the branch lies in.
func (b *buckets) inside(d pruning.Diagram) pruning.Diagram {
	if len(b.cells) == 0 {
		return d
	}
	s := d.Space().Fork()
	d = s.Adopt(d)
	for _, c := range b.cells {
		d = d.Given(c.axis.Cell(s, c.index))
	}
	return d
}

// hashing collects the buckets that are hit.
type hashing struct {
	*buckets
	types  []pruning.Key
	places []int // of the keys that points are about, in tuple
	tuple  []pruning.Nullable
	hit    map[int]bool
}

// all hashes the tuples for which d can be TRUE; false when these are too many.
func (h *hashing) all(d pruning.Diagram) bool {
	h.types, h.tuple = d.Space().Keys(), make([]pruning.Nullable, len(h.By))
	var free []int
	for i, key := range h.By {
		if h.fixed != nil && h.fixed[i] != nil {
			h.tuple[i] = *h.fixed[i]
			continue
		}
		free, h.places = append(free, key), append(h.places, i)
	}
	return d.EachPoint(free, h.Limit, h.add)
}

// add hashes a point; false when every bucket is hit.
func (h *hashing) add(point []pruning.Nullable) bool {
	for k, i := range h.places {
		if point[k].Null && !h.Nullable[i] {
			return true
		}
		h.tuple[i] = point[k]
	}
	h.twins(0)
	return len(h.hit) < h.n
}

// twins hashes the tuple with each encoding of its values from the i-th on: -0.0 is 0.0, but has a hash of its own.
func (h *hashing) twins(i int) {
	if i == len(h.tuple) {
		if n := h.Bucket(h.tuple, h.n); n >= 0 {
			h.hit[n] = true
		}
		return
	}
	h.twins(i + 1)
	v := h.tuple[i]
	if v.Null {
		return
	}
	for _, twin := range h.types[h.By[i]].Type.Twins(v.Value) {
		h.tuple[i].Value = twin
		h.twins(i + 1)
	}
	h.tuple[i] = v
}
