package pruning

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Every operation is what its definition says at each tuple; equal functions are equal handles, also when the text is
// parsed back.
func TestOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, m := genDiagram(t, s, rapid.IntRange(0, 6).Draw(t, "size"))
		if got := tableOf(d); !slices.Equal(got, m) {
			t.Fatalf("%v\ngot  %v\nwant %v", d, got, m)
		}
		e, n := genDiagram(t, s, rapid.IntRange(0, 3).Draw(t, "size"))
		if (d == e) != slices.Equal(m, n) {
			t.Fatalf("one handle for two functions, or two for one: %v, %v", d, e)
		}
		if back, err := s.Parse(d.String()); err != nil || back != d {
			t.Fatalf("%v parses back as %v, %v", d, back, err)
		}
		if d.IsConst() != (slices.Max(m) == slices.Min(m)) {
			t.Fatalf("%v is constant: %v", d, d.IsConst())
		}
		var union Outcomes
		for _, o := range m {
			union |= o
		}
		if d.Outcomes() != union {
			t.Fatalf("%v has outcomes %v, want %v", d, d.Outcomes(), union)
		}
		if s.Hit() {
			t.Fatal("hit a limit")
		}
	})
}

func TestCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, m := genDiagram(t, s, rapid.IntRange(0, 6).Draw(t, "size"))
		if got := tableOf(d.May()); !slices.Equal(got, m.apply(slowMay)) {
			t.Fatalf("May of %v is %v", d, got)
		}
		if got := tableOf(d.Must()); !slices.Equal(got, m.apply(slowMust)) {
			t.Fatalf("Must of %v is %v", d, got)
		}
		e, k := genDiagram(t, s, rapid.IntRange(0, 6).Draw(t, "size"))
		if got := tableOf(d.Open(e)); !slices.Equal(got, m.with(k, slowOpen)) {
			t.Fatalf("%v is open in %v: %v", e, d, got)
		}
	})
}

// All is the operation applied one after the other.
func TestAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		op := rapid.SampledFrom([]func(Diagram, Diagram) Diagram{
			Diagram.And, Diagram.Or, Diagram.Xor, Diagram.Meet, Diagram.Join}).Draw(t, "op")
		var ds []Diagram
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			d, _ := genDiagram(t, s, rapid.IntRange(0, 2).Draw(t, "size"))
			ds = append(ds, d)
		}
		before := slices.Clone(ds)
		want := s.Const(Unknown)
		for i, d := range ds {
			if i == 0 {
				want = d
			} else {
				want = op(want, d)
			}
		}
		if got := s.All(op, ds, s.Const(Unknown)); got != want {
			t.Fatalf("got %v, want %v", got, want)
		}
		if !slices.Equal(ds, before) {
			t.Fatal("All changed its operands")
		}
	})
}

// Diagrams of a fork are those of its space.
func TestForks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, m := genDiagram(t, s, 3)
		size := len(s.nodes)
		f := s.Fork()
		e, n := genDiagram(t, f, 3)
		if f.Adopt(d) != (Diagram{f, d.n}) {
			t.Fatal("adopting from the parent isn't free")
		}
		both := rapid.SampledFrom([]Diagram{d.And(e), e.And(d)}).Draw(t, "order")
		if both.Space() != f || !slices.Equal(tableOf(both), m.with(n, slowAnd)) {
			t.Fatalf("AND of %v and %v of a fork is %v", d, e, both)
		}
		g := f.Fork()
		if h := g.Adopt(d).And(e); h != g.Adopt(both) {
			t.Fatalf("in a fork's fork it is %v", h)
		}
		if len(s.nodes) != size {
			t.Fatal("the fork added nodes to its parent")
		}
		if back := s.Adopt(both); back.Space() != s || !slices.Equal(tableOf(back), tableOf(both)) {
			t.Fatalf("%v was copied as %v", both, back)
		}
	})
}

func TestDepends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, m := genDiagram(t, s, 4)
		for key := range modelKeys {
			want := false
			for _, v := range modelDomain[key] {
				want = want || !slices.Equal(m.at(key, v), m)
			}
			if d.Depends(key) != want {
				t.Fatalf("%v: Depends(%d) = %v", d, key, !want)
			}
		}
	})
}

func TestSetOfKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, m := genDiagram(t, s, 4)
		for key := range modelKeys {
			set := d.Set(key)
			if !set.Equal(set.Clip(modelKeys[key].Type)) {
				t.Fatalf("%v: values of key %d aren't clipped: %v", d, key, set)
			}
			for _, v := range modelDomain[key][1:] {
				want := slices.ContainsFunc(m.at(key, v), Outcomes.MayBeTrue)
				if set.Contains(*v) != want {
					t.Fatalf("%v: values of key %d are %s", d, key, set.AppendText(nil, modelKeys[key].Type))
				}
			}
		}
	})
}

func TestPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, m := genDiagram(t, s, 4)
		keys := rapid.SampledFrom([][]int{{0}, {1}, {2}, {1, 0}, {0, 2}, {2, 1, 0}, {}}).Draw(t, "keys")
		size := len(s.nodes)
		points, ok := d.Points(keys, 1000)
		if len(s.nodes) != size {
			t.Fatal("Points added nodes")
		}
		nulls := false
		for i, x := range allTuples {
			if !m[i].MayBeTrue() {
				continue
			}
			var want []Value
			for _, k := range keys {
				if x[k] == nil {
					nulls = true
				} else {
					want = append(want, *x[k])
				}
			}
			if ok && !slices.ContainsFunc(points, func(p []Value) bool { return slices.Equal(p, want) }) {
				t.Fatalf("%v: points %v of %v lack %v", d, points, keys, want)
			}
		}
		if ok && nulls {
			t.Fatalf("%v: points %v leave out NULL", d, points)
		}
		for i, p := range points {
			e := d
			for j, k := range keys {
				e = e.At(k, p[j])
			}
			if !e.Outcomes().MayBeTrue() || slices.ContainsFunc(points[:i], func(q []Value) bool { return slices.Equal(p, q) }) {
				t.Fatalf("%v: point %v can't be TRUE or is there twice", d, p)
			}
		}
		if ok && len(points) > 0 {
			if _, ok := d.Points(keys, len(points)-1); ok {
				t.Fatal("the limit was overlooked")
			}
		}
	})
}

// TestEachPoint: the tuples told are those that can be TRUE, each once, with NULL as one of the values.
func TestEachPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, m := genDiagram(t, s, 4)
		keys := rapid.SampledFrom([][]int{{0}, {1}, {2}, {1, 0}, {0, 2}, {2, 1, 0}}).Draw(t, "keys")
		var told [][]Nullable
		finite := d.EachPoint(keys, 1000, func(tuple []Nullable) bool {
			told = append(told, slices.Clone(tuple))
			return true
		})
		for i, x := range allTuples {
			if !finite || !m[i].MayBeTrue() {
				continue
			}
			want := make([]Nullable, len(keys))
			for j, k := range keys {
				if want[j].Null = x[k] == nil; x[k] != nil {
					want[j].Value = *x[k]
				}
			}
			if !slices.ContainsFunc(told, func(p []Nullable) bool { return slices.Equal(p, want) }) {
				t.Fatalf("%v: points %v of %v lack %v", d, told, keys, want)
			}
		}
		for i, p := range told {
			e := d
			for j, k := range keys {
				if p[j].Null {
					e = e.AtNull(k)
				} else {
					e = e.At(k, p[j].Value)
				}
			}
			if !e.Outcomes().MayBeTrue() || slices.ContainsFunc(told[:i], func(q []Nullable) bool { return slices.Equal(p, q) }) {
				t.Fatalf("%v: point %v can't be TRUE or is there twice", d, p)
			}
		}
		if !finite || len(told) < 2 {
			return
		}
		calls := 0
		count := func([]Nullable) bool { calls++; return true }
		if d.EachPoint(keys, len(told)-1, count) || calls > len(told)-1 {
			t.Fatalf("%d calls with a limit of %d", calls, len(told)-1)
		}
		calls = 0
		if !d.EachPoint(keys, 1000, func([]Nullable) bool { calls++; return false }) || calls != 1 {
			t.Fatalf("%d calls for one that wants no more", calls)
		}
	})
}

// TestEachPointOfTypes: all values of a small type are told, and those of a large one aren't tried.
func TestEachPointOfTypes(t *testing.T) {
	for _, x := range []struct {
		kind Kind
		n    int // values with NULL; 0: too many
	}{{Bool, 3}, {Int8, 257}, {Int16, 65537}, {Int32, 0}, {Int64, 0}, {Int128, 0}, {Uint64, 0}, {String, 0}, {NoKind, 0}, {Date, 0}} {
		s := NewSpace([]Key{{Name: "k", Type: Type{Kind: x.kind}}}, 0)
		calls := 0
		finite := s.Const(True).EachPoint([]int{0}, 1<<17, func([]Nullable) bool { calls++; return true })
		if finite != (x.n > 0) || finite && calls != x.n || !finite && calls > 1 {
			t.Errorf("%v: %d points, all: %v", Type{Kind: x.kind}, calls, finite)
		}
	}
	s := NewSpace([]Key{{Name: "k", Type: Type{Kind: Int128}}}, 0)
	lo, _ := s.keys[0].Type.Parse("18446744073709551615")
	hi, _ := s.keys[0].Type.Parse("18446744073709551618")
	if p, ok := s.In(0, Range(lo, hi)).Points([]int{0}, 10); !ok || len(p) != 3 {
		t.Error("around 2^64:", p, ok)
	}
}

func TestRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, m := genDiagram(t, s, 4)
		size := len(s.nodes)
		regions, ok := d.Regions(1000)
		if !ok || len(s.nodes) != size {
			t.Fatal("Regions hit the limit or added nodes")
		}
		for i, x := range allTuples {
			in := 0
			for _, r := range regions {
				if r.contains(x) {
					in++
				}
			}
			if m[i].MayBeTrue() && in != 1 || !m[i].MayBeTrue() && in != 0 {
				t.Fatalf("%v: %v is in %d regions", d, x, in)
			}
		}
		if len(regions) > 0 {
			if _, ok := d.Regions(len(regions) - 1); ok {
				t.Fatal("the limit was overlooked")
			}
		}
	})
}

func (r Region) contains(x tuple) bool {
	for _, k := range r {
		if v := x[k.Key]; v == nil && !k.Null || v != nil && !k.Set.Contains(*v) {
			return false
		}
	}
	return true
}

func TestBranches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, 0)
		d, _ := genDiagram(t, s, 4)
		b := d.Branches(0)
		if b.Null() != d.AtNull(0) {
			t.Fatalf("%v: NULL branch is %v", d, b.Null())
		}
		for _, v := range modelDomain[0][1:] {
			if got := b.Piece(b.Find(*v)); got != d.At(0, *v) {
				t.Fatalf("%v: branch of %v is %v", d, v, got)
			}
		}
		if b.Len() != len(b.Cuts())+1 {
			t.Fatal("pieces and cuts don't fit")
		}
	})
}

// The zero Diagram has no rows anywhere and goes with diagrams of any space.
func TestZeroDiagram(t *testing.T) {
	var zero Diagram
	s := NewSpace(modelKeys, 0)
	d := s.In(0, From(Int(1)))
	if !zero.IsConst() || zero.Outcomes() != None || zero.String() != "-" || zero.Not() != zero || zero.May().Outcomes() != False ||
		zero.At(0, Int(1)) != zero || zero.Forget(0) != zero || zero.Depends(0) || !zero.Set(0).IsEmpty() {
		t.Error("the zero Diagram isn't {} everywhere")
	}
	if zero.Join(d) != d || d.Join(zero) != d || d.Given(zero) != s.Const(None) {
		t.Error("the zero Diagram doesn't go with others")
	}
	if points, ok := zero.Is(True).Points([]int{0}, 10); !ok || len(points) != 0 {
		t.Error("the zero Diagram has points")
	}
	if r, ok := zero.Regions(1); !ok || len(r) != 0 {
		t.Error("the zero Diagram has regions")
	}
	if _, ok := zero.Must().Not().Points([]int{0}, 10); ok {
		t.Error("what is always TRUE has points")
	}
	if !slices.Equal(s.Keys(), modelKeys) {
		t.Error("the keys are others")
	}
}
