package pruning

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func clipped(t *rapid.T, key int) Set { return genSet(t, key).Clip(modelKeys[key].Type) }

func members(s Set, key int) (in []bool) {
	for _, v := range modelDomain[key][1:] {
		in = append(in, s.Contains(*v))
	}
	return in
}

// Operations on sets are those on membership; equal sets have equal cuts, and are equal after their text is read back.
func TestSetOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.IntRange(0, 2).Draw(t, "key")
		typ := modelKeys[key].Type
		a, b := clipped(t, key), clipped(t, key)
		x, y := members(a, key), members(b, key)
		for _, c := range []struct {
			name string
			got  Set
			in   func(a, b bool) bool
		}{
			{"union", a.Union(b), func(a, b bool) bool { return a || b }},
			{"intersection", a.Intersect(b), func(a, b bool) bool { return a && b }},
			{"difference", a.Minus(b), func(a, b bool) bool { return a && !b }},
			{"complement", a.Complement().Clip(typ), func(a, b bool) bool { return !a }},
		} {
			want := make([]bool, len(x))
			for i := range x {
				want[i] = c.in(x[i], y[i])
			}
			if !slices.Equal(members(c.got, key), want) {
				t.Fatalf("%s of %s and %s is %s", c.name, a.AppendText(nil, typ), b.AppendText(nil, typ), c.got.AppendText(nil, typ))
			}
			checkNormal(t, c.got, typ)
		}
		if a.Equal(b) != slices.Equal(x, y) {
			t.Fatalf("%s equals %s: %v", a.AppendText(nil, typ), b.AppendText(nil, typ), a.Equal(b))
		}
		if !a.Union(b).Complement().Equal(a.Complement().Intersect(b.Complement())) {
			t.Fatal("De Morgan")
		}
	})
}

func checkNormal(t *rapid.T, s Set, typ Type) {
	if !slices.IsSortedFunc(s.Cuts(), Compare) || len(slices.Compact(slices.Clone(s.Cuts()))) != len(s.Cuts()) || !s.Equal(s.Clip(typ)) {
		t.Fatalf("cuts %v aren't normal", s.Cuts())
	}
	text := string(s.AppendText(nil, typ))
	if back, err := ParseSet(typ, text); err != nil || !back.Equal(s) {
		t.Fatalf("%v prints as %s, read back as %v, %v", s.Cuts(), text, back.Cuts(), err)
	}
	if s.IsEmpty() != (text == "none") || s.IsFull() != (text == "any") {
		t.Fatalf("%s is empty: %v, full: %v", text, s.IsEmpty(), s.IsFull())
	}
}

// Texts of sets of all types are read back.
func TestSetTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom(allTypes).Draw(t, "type")
		set := Empty()
		for range rapid.IntRange(0, 3).Draw(t, "intervals") {
			a, b := genOf(t, typ), genOf(t, typ)
			set = rapid.SampledFrom([]Set{Range(a, b), From(a), Before(b), Point(typ, a)}).Draw(t, "more").Union(set)
		}
		checkNormal(t, set.Clip(typ), typ)
	})
}

func TestPointsSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom(allTypes).Draw(t, "type")
		vs := make([]Value, rapid.IntRange(0, 6).Draw(t, "n"))
		want := Empty()
		for i := range vs {
			vs[i] = genOf(t, typ)
			if i > 0 && rapid.Bool().Draw(t, "neighbour") {
				if next, ok := typ.Succ(vs[i-1]); ok {
					vs[i] = next
				}
			}
			want = want.Union(Point(typ, vs[i]))
		}
		before := slices.Clone(vs)
		got := Points(typ, vs)
		checkNormal(t, got, typ)
		if !got.Equal(want) {
			t.Fatalf("points %v are %s, want %s", vs, got.AppendText(nil, typ), want.AppendText(nil, typ))
		}
		if !slices.Equal(vs, before) {
			t.Fatal("the list was changed")
		}
	})
}

// Values that the type doesn't hold are in no set of it.
func TestPointsOutside(t *testing.T) {
	typ := Type{Kind: Int8}
	got := Points(typ, []Value{Int(-128), Int(-200), Int(5), Int(-129), Int(300), Int(127), Int(128)}).Clip(typ)
	if want := Points(typ, []Value{Int(-128), Int(5), Int(127)}); !got.Equal(want) {
		t.Errorf("got %s, want %s", got.AppendText(nil, typ), want.AppendText(nil, typ))
	}
}

func TestIntervals(t *testing.T) {
	typ := Type{Kind: Int32}
	set := Before(Int(0)).Union(Range(Int(3), Int(5))).Union(From(Int(9)))
	n := 0
	for lo, hi := range set.Intervals() {
		if (lo == nil) != (n == 0) || (hi == nil) != (n == 2) {
			t.Errorf("interval %d has bounds %v, %v", n, lo, hi)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%s has %d intervals", set.AppendText(nil, typ), n)
	}
	for range set.Intervals() {
		break
	}
}

func TestSetAllocs(t *testing.T) {
	a, b := Range(Int(0), Int(5)), Range(Int(3), Int(9))
	vs := []Value{Int(3), Int(1), Int(2)}
	for _, c := range []struct {
		name string
		max  float64
		f    func()
	}{
		{"contains", 0, func() { a.Contains(Int(2)) }},
		{"union", 1, func() { a.Union(b) }},
		{"points", 1, func() { Points(Type{Kind: Int32}, vs) }},
	} {
		if n := testing.AllocsPerRun(100, c.f); n > c.max {
			t.Errorf("%s: %v allocations, want %v", c.name, n, c.max)
		}
	}
}

func BenchmarkPointsInt(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	vs := make([]Value, 1_000_000)
	for i := range vs {
		vs[i] = Int(r.Int64())
	}
	for b.Loop() {
		Points(Type{Kind: Int64}, vs)
	}
}

func BenchmarkPointsString(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	vs := make([]Value, 1_000_000)
	for i := range vs {
		vs[i] = Text(string(Type{Kind: Int64}.Append(nil, Int(r.Int64()))))
	}
	for b.Loop() {
		Points(Type{Kind: String}, vs)
	}
}
