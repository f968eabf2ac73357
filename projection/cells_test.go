package projection

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

// Cells are compared with membership in the sense of the systems: tuples in dictionary order with NULL below all values.
// Cuts only stand at cellValues, so that one value of each stretch between them stands for all.
var (
	cellKeys = []pruning.Key{{Name: "a", Type: pruning.Type{Kind: pruning.Int8}}, {Name: "b", Type: pruning.Type{Kind: pruning.Int8}},
		{Name: "c", Type: pruning.Type{Kind: pruning.Bool}}}
	cellValues = []int64{-128, 0, 1, 2, 3}
	cellReps   = append([]pruning.Nullable{{Null: true}}, nullables(-128, -1, 0, 1, 2, 3, 127)...)
)

func nullables(ns ...int64) []pruning.Nullable {
	out := make([]pruning.Nullable, len(ns))
	for i, n := range ns {
		out[i].Value = pruning.Int(n)
	}
	return out
}

// cellPredicate draws a predicate over the three keys.
func cellPredicate(t *rapid.T, s *pruning.Space, depth int) pruning.Diagram {
	value := func() pruning.Value { return pruning.Int(rapid.SampledFrom(cellValues).Draw(t, "value")) }
	if depth > 0 {
		switch rapid.IntRange(0, 3).Draw(t, "op") {
		case 0:
			return cellPredicate(t, s, depth-1).And(cellPredicate(t, s, depth-1))
		case 1:
			return cellPredicate(t, s, depth-1).Or(cellPredicate(t, s, depth-1))
		case 2:
			return cellPredicate(t, s, depth-1).Not()
		}
	}
	key := rapid.IntRange(0, 2).Draw(t, "key")
	switch rapid.IntRange(0, 5).Draw(t, "leaf") {
	case 0:
		return s.Steps(key, nil, []pruning.Outcomes{pruning.False}, pruning.True) // IS NULL
	case 1:
		return s.Const(rapid.SampledFrom([]pruning.Outcomes{pruning.True, pruning.False, pruning.Null, pruning.Unknown}).Draw(t, "constant"))
	case 2:
		return s.Below(0, pruning.Null, value(), value())
	case 3:
		if key < 2 {
			return s.In(key, pruning.From(value()))
		}
	}
	v := value()
	if key == 2 {
		v = pruning.Int(v.Int() & 1)
	}
	return s.In(key, pruning.Point(cellKeys[key].Type, v))
}

func at(d pruning.Diagram, first int, tuple ...pruning.Nullable) pruning.Diagram {
	d = d.Space().Fork().Adopt(d)
	for i, v := range tuple {
		if v.Null {
			d = d.AtNull(first + i)
		} else {
			d = d.At(first+i, v.Value)
		}
	}
	return d
}

// tuplesOf are all tuples of representatives of n keys.
func tuplesOf(n int, reps []pruning.Nullable) [][]pruning.Nullable {
	if n == 0 {
		return [][]pruning.Nullable{nil}
	}
	var out [][]pruning.Nullable
	for _, t := range tuplesOf(n-1, reps) {
		for _, v := range reps {
			out = append(out, append(slices.Clip(t), v))
		}
	}
	return out
}

// isBelow compares a tuple with a bound, NULL being least.
func isBelow(tuple []pruning.Nullable, bound []pruning.Value) bool {
	for i, v := range bound {
		if c := compareNullable(tuple[i], pruning.Nullable{Value: v}); c != 0 {
			return c < 0
		}
	}
	return false
}

func (c *Columns) takes(tuple []pruning.Nullable) bool {
	for i, v := range tuple {
		if v.Null && !c.Nullable[i] {
			return false
		}
	}
	return true
}

// model is an axis of cells with its membership by brute force.
type model struct {
	Cells
	Columns
	holds func(i uint64, tuple []pruning.Nullable) bool
}

// drawColumns draws one or two keys, kept for levels about some keys.
func drawColumns(t *rapid.T, below []int) Columns {
	c := Columns{}
	for i := range rapid.IntRange(1, 2).Draw(t, "keys") {
		c.Types = append(c.Types, cellKeys[i].Type)
		c.Nullable = append(c.Nullable, rapid.Bool().Draw(t, "nullable"))
		c.Kept = c.Kept || slices.Contains(below, i)
	}
	return c
}

func drawRanges(t *rapid.T, below []int) model {
	c := drawColumns(t, below)
	var bounds [][]pruning.Value
	for range rapid.IntRange(2, 7).Draw(t, "bounds") {
		b := make([]pruning.Value, len(c.Types))
		for i := range b {
			b[i] = pruning.Int(rapid.SampledFrom(cellValues).Draw(t, "bound"))
		}
		bounds = append(bounds, b)
	}
	compare := func(a, b []pruning.Value) int { return slices.CompareFunc(a, b, pruning.Compare) }
	slices.SortFunc(bounds, compare)
	bounds = slices.CompactFunc(bounds, func(a, b []pruning.Value) bool { return compare(a, b) == 0 })
	var ranges []Range
	for i := range len(bounds) - 1 {
		if rapid.IntRange(0, 3).Draw(t, "hole") > 0 {
			ranges = append(ranges, Range{fmt.Sprint("p", i), bounds[i], bounds[i+1]})
		}
	}
	if len(ranges) > 0 && rapid.Bool().Draw(t, "no lower limit") {
		ranges[0].Lo = nil
	}
	if len(ranges) > 0 && rapid.Bool().Draw(t, "no upper limit") {
		ranges[len(ranges)-1].Hi = nil
	}
	return model{NewRanges(c, ranges), c, func(i uint64, tuple []pruning.Nullable) bool {
		r := ranges[i]
		return c.takes(tuple) && (r.Lo == nil || !isBelow(tuple, r.Lo)) && (r.Hi == nil || isBelow(tuple, r.Hi))
	}}
}

func drawLists(t *rapid.T, below []int) model {
	c := drawColumns(t, below)
	all := slices.DeleteFunc(tuplesOf(len(c.Types), append(nullables(cellValues...), pruning.Nullable{Null: true})),
		func(tuple []pruning.Nullable) bool { return !c.takes(tuple) })
	var lists []List
	listed := func(tuple []pruning.Nullable) func([]pruning.Nullable) bool {
		return func(x []pruning.Nullable) bool { return slices.Equal(x, tuple) }
	}
	for i, tuple := range rapid.Permutation(all).Draw(t, "tuples")[:rapid.IntRange(0, min(8, len(all))).Draw(t, "n")] {
		if i == 0 || rapid.Bool().Draw(t, "new") {
			lists = append(lists, List{Name: fmt.Sprint("p", i)})
		}
		lists[len(lists)-1].Tuples = append(lists[len(lists)-1].Tuples, tuple)
	}
	if rapid.Bool().Draw(t, "others") {
		var known [][]pruning.Nullable
		for _, l := range lists {
			known = append(known, l.Tuples...)
		}
		lists = slices.Insert(lists, rapid.IntRange(0, len(lists)).Draw(t, "place"), List{Name: "rest", Others: true, Tuples: known})
	}
	return model{NewLists(c, lists), c, func(i uint64, tuple []pruning.Nullable) bool {
		return c.takes(tuple) && slices.ContainsFunc(lists[i].Tuples, listed(tuple)) != lists[i].Others
	}}
}

// TestCells: runs are the cells with a tuple for which the predicate can be TRUE, with all that it can be there.
func TestCells(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T, []int) model{"ranges": drawRanges, "lists": drawLists} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := draw(t, rapid.SampledFrom([][]int{nil, {0}, {1}}).Draw(t, "below"))
				s := pruning.NewSpace(cellKeys, 0)
				d := own(cellPredicate(t, s, 3))
				got := map[uint64]pruning.Diagram{}
				runs, err := m.Runs(nil, d)
				if err != nil {
					t.Fatal(err)
				}
				for k, r := range runs {
					if k > 0 && r.First <= runs[k-1].Last || r.Last < r.First {
						t.Fatalf("runs out of order: %v", runs)
					}
					for i := r.First; i <= r.Last; i++ {
						got[i] = r.Rest
					}
				}
				last, some := m.Last()
				for i := uint64(0); some && i <= last; i++ {
					m.check(t, d, i, got)
				}
			})
		})
	}
}

func (m *model) check(t *rapid.T, d pruning.Diagram, i uint64, got map[uint64]pruning.Diagram) {
	may := false
	below := map[pruning.Nullable]pruning.Outcomes{}
	cell := m.Cell(d.Space().Fork(), i)
	for _, tuple := range tuplesOf(len(m.Types), cellReps) {
		inside := m.holds(i, tuple)
		if o := at(cell, 0, tuple...).Outcomes(); o != map[bool]pruning.Outcomes{true: pruning.True, false: pruning.False}[inside] {
			t.Fatalf("cell %d is %v at %v", i, o, tuple)
		}
		if !inside {
			continue
		}
		left := at(d, 0, tuple...)
		may = may || left.Outcomes().MayBeTrue()
		for _, c := range append(nullables(0, 1), pruning.Nullable{Null: true}) {
			below[c] |= at(left, 2, c).Forget(1).Outcomes()
		}
	}
	rest, told := got[i]
	if told != may {
		t.Fatalf("%v: branch %d is told: %v, may match: %v", d, i, told, may)
	}
	switch {
	case !told:
	case m.Kept && rest != d:
		t.Fatalf("%v: %v is left below branch %d", d, rest, i)
	case !m.Kept:
		for c, want := range below {
			if o := at(rest, 2, c).Forget(1).Outcomes(); o != want {
				t.Fatalf("%v: %v is left below branch %d, want %v at %v", d, rest, i, want, c)
			}
		}
	}
}

// bucketOf is a hash that spreads small numbers and NULL.
func bucketOf(tuple []pruning.Nullable, n int) int {
	sum := 0
	for _, v := range tuple {
		if v.Null {
			sum = 31*sum + 7
		} else {
			sum = 31*sum + int(v.Value.Int()+128)
		}
	}
	return sum % n
}

// TestHash: below a cell the buckets are those of the tuples for which the predicate can be TRUE.
func TestHash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.SampledFrom([][]int{{0}, {1}, {2}, {2, 1}, {1, 0}}).Draw(t, "by")
		m := rapid.SampledFrom([]func(*rapid.T, []int) model{drawRanges, drawLists}).Draw(t, "cells")(t, by)
		last, some := m.Last()
		if !some {
			return
		}
		h := &Hash{By: by, Bucket: bucketOf, Count: rapid.IntRange(1, 5).Draw(t, "buckets"), Limit: 1 << 17}
		for _, k := range by {
			h.Nullable = append(h.Nullable, k == 2 || k >= len(m.Types) || m.Nullable[k])
		}
		level := CellLevel(m.Cells, m.Keys())
		h.Above = []Level{level}
		l := &Layout{Keys: cellKeys, Levels: []Level{level, h}}
		d := cellPredicate(t, pruning.NewSpace(cellKeys, 0), 3)
		want := map[[2]uint64]bool{}
		every := func(n int) []pruning.Nullable { // all values of the keys that are hashed
			if !slices.Contains(by, n) {
				return cellReps
			}
			out := []pruning.Nullable{{Null: true}}
			for v := int64(-128); v < 128; v++ {
				out = append(out, pruning.Nullable{Value: pruning.Int(v)})
			}
			return out
		}
		if slices.Contains(by, 0) && slices.Contains(by, 1) {
			every = func(int) []pruning.Nullable { return cellReps } // enough to lose none, not to have all
		}
		for _, a := range every(0) {
			for _, b := range every(1) {
				for _, c := range append(nullables(0, 1), pruning.Nullable{Null: true}) {
					tuple := []pruning.Nullable{a, b, c}
					if !at(d, 0, tuple...).Outcomes().MayBeTrue() {
						continue
					}
					var hashed []pruning.Nullable
					ok := true
					for j, k := range by {
						hashed = append(hashed, tuple[k])
						ok = ok && (h.Nullable[j] || !tuple[k].Null)
					}
					for i := uint64(0); ok && i <= last; i++ {
						if m.holds(i, tuple[:len(m.Types)]) {
							want[[2]uint64{i, uint64(bucketOf(hashed, h.Count))}] = true
						}
					}
				}
			}
		}
		got := map[[2]uint64]bool{}
		for u, err := range Walk(context.Background(), l, d, Check{}) {
			if err != nil {
				t.Fatal(err)
			}
			got[[2]uint64{u.Index[0], u.Index[1]}] = true
		}
		for u := range want {
			if !got[u] {
				t.Fatalf("%v: %v is lost of %v", d, u, got)
			}
		}
		if exact := !(slices.Contains(by, 0) && slices.Contains(by, 1)); exact && len(got) != len(want) {
			t.Fatalf("%v: read %v, want %v", d, got, want)
		}
	})
}

// TestShare compares with every unit.
func TestShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom([]func(*rapid.T, []int) model{drawRanges, drawLists}).Draw(t, "cells")(t, nil)
		level := CellLevel(m.Cells, m.Keys())
		h := &Hash{By: []int{2}, Nullable: []bool{true}, Bucket: bucketOf, Count: 3, Limit: 10, Above: []Level{level}}
		if rapid.Bool().Draw(t, "counts") {
			h.Count, h.Counts = 0, func(at *Place) int { return int(at.Index[0]) + 1 }
		}
		l := &Layout{Keys: cellKeys, Levels: []Level{level, h}}
		s := pruning.NewSpace(cellKeys, 0)
		units := func(d pruning.Diagram) map[[2]uint64]bool {
			out := map[[2]uint64]bool{}
			for u, err := range Walk(context.Background(), l, d, Check{}) {
				if err != nil {
					t.Fatal(err)
				}
				out[[2]uint64{u.Index[0], u.Index[1]}] = true
			}
			return out
		}
		d, e := cellPredicate(t, s, 2), cellPredicate(t, s, 2)
		ds, es, all := units(d), units(e), units(s.Const(pruning.True))
		share := false
		for u := range ds {
			share = share || es[u]
		}
		if got, err := Share(context.Background(), l, d, e); got != share || err != nil {
			t.Fatalf("%v, %v share: %v %v, units %v and %v", d, e, got, err, ds, es)
		}
		if got, err := Misses(context.Background(), l, d); got != (len(ds) < len(all)) && !d.IsConst() || err != nil {
			t.Fatalf("%v misses: %v %v, units %v of %v", d, got, err, ds, all)
		}
	})
}

// days are n ranges of a day each.
func days(n int) *Ranges {
	ranges := make([]Range, n)
	bounds := make([]pruning.Value, n+1)
	for i := range bounds {
		bounds[i] = pruning.Int(int64(i))
	}
	for i := range ranges {
		ranges[i] = Range{"p", bounds[i : i+1], bounds[i+1 : i+2]}
	}
	return NewRanges(Columns{Types: []pruning.Type{int64s}, Nullable: []bool{true}}, ranges)
}

// BenchmarkMillionRanges walks to the buckets of one range of a million.
func BenchmarkMillionRanges(b *testing.B) {
	keys := []pruning.Key{{Name: "d", Type: int64s}, {Name: "id", Type: int64s}}
	r := days(1_000_000)
	level := CellLevel(r, []int{0})
	l := &Layout{Keys: keys, Levels: []Level{level,
		&Hash{By: []int{1}, Nullable: []bool{true}, Bucket: bucketOf, Count: 16, Above: []Level{level}, Limit: 4096}}}
	s := pruning.NewSpace(keys, 0)
	narrow := s.In(0, pruning.Range(pruning.Int(654321), pruning.Int(654322))).And(s.In(1, pruning.Point(int64s, pruning.Int(7))))
	ctx := context.Background()
	b.Run("narrow", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			for range Walk(ctx, l, narrow, Check{}) {
				n++
			}
			if n != 1 {
				b.Fatal(n)
			}
		}
	})
	b.Run("count all", func(b *testing.B) {
		for b.Loop() {
			if n, _ := Count(ctx, l, s.Const(pruning.True), Check{}); n.Int64() != 16_000_000 {
				b.Fatal(n)
			}
		}
	})
}
