package pruning

import (
	"math/rand/v2"
	"testing"
)

var benchKeys = []Key{{"a", Type{Kind: Int64}}, {"b", Type{Kind: Int32}}, {"c", Type{Kind: String}}}

func ints(n, step int) []Value {
	vs := make([]Value, n)
	for i, k := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		vs[i] = Int(int64(k * step))
	}
	return vs
}

// a IN (10,000 values) AND b BETWEEN … AND NOT c = …, from nothing.
func BenchmarkDiagramIn10000(b *testing.B) {
	vs := ints(10_000, 7)
	b.ReportAllocs()
	for b.Loop() {
		s := NewSpace(benchKeys, 0)
		d := s.In(0, Points(benchKeys[0].Type, vs))
		d = d.And(s.In(1, Range(Int(3), Int(9)))).And(s.In(2, Point(benchKeys[2].Type, Text("x"))).Not())
		if !d.Outcomes().MayBeTrue() || s.Hit() {
			b.Fatal("wrong")
		}
	}
}

// benchmarkOr is OR of n equalities on one key.
func benchmarkOr(b *testing.B, n int) {
	vs := ints(n, 7)
	b.ReportAllocs()
	for b.Loop() {
		s := NewSpace(benchKeys, 0)
		ds := make([]Diagram, n)
		for i, v := range vs {
			ds[i] = s.In(0, Point(benchKeys[0].Type, v))
		}
		if d := s.All(Diagram.Or, ds, s.Const(False)); d.Branches(0).Len() != 2*n+1 || s.Hit() {
			b.Fatal("wrong")
		}
	}
}

func BenchmarkDiagramOr1000(b *testing.B)   { benchmarkOr(b, 1000) }
func BenchmarkDiagramOr100000(b *testing.B) { benchmarkOr(b, 100_000) }

// benchmarkOrAnd is OR of n terms a = … AND b = ….
func benchmarkOrAnd(b *testing.B, n int) {
	vs := ints(n, 7)
	b.ReportAllocs()
	for b.Loop() {
		s := NewSpace(benchKeys, 0)
		ds := make([]Diagram, n)
		for i, v := range vs {
			ds[i] = s.In(0, Point(benchKeys[0].Type, v)).And(s.In(1, Point(benchKeys[1].Type, Int(int64(i%100)))))
		}
		if d := s.All(Diagram.Or, ds, s.Const(False)); !d.Outcomes().MayBeTrue() || d.IsConst() || s.Hit() {
			b.Fatal("wrong")
		}
	}
}

func BenchmarkDiagramOrAnd1000(b *testing.B)   { benchmarkOrAnd(b, 1000) }
func BenchmarkDiagramOrAnd100000(b *testing.B) { benchmarkOrAnd(b, 100_000) }

// AND of two diagrams of 1,000 intervals each, of two keys.
func BenchmarkDiagramAnd1000(b *testing.B) {
	s := NewSpace(benchKeys, 0)
	make1000 := func(step int64, key int) Diagram {
		var cuts []Value
		for i := range int64(1000) {
			cuts = append(cuts, Int(i*step), Int(i*step+step/2))
		}
		return s.In(key, Set{cuts: cuts})
	}
	d := make1000(10, 0).Or(make1000(4, 1))
	e := make1000(14, 0).Or(make1000(6, 1))
	b.ReportAllocs()
	for b.Loop() {
		if s.Fork().Adopt(d).And(e).IsConst() {
			b.Fatal("wrong")
		}
	}
}

// A walk's step: what is left below a value, on a finished diagram.
func BenchmarkDiagramAt(b *testing.B) {
	s := NewSpace(benchKeys, 0)
	d := s.In(0, Points(benchKeys[0].Type, ints(1000, 7))).And(s.In(1, Range(Int(3), Int(9))))
	b.ReportAllocs()
	for i := int64(0); b.Loop(); i++ {
		d.At(0, Int(i%7000)).Outcomes()
	}
}

// A narrow predicate within cells: a range partition's Given and Points on a fork, as a hash level does below it.
func BenchmarkDiagramCellPoints(b *testing.B) {
	s := NewSpace(benchKeys, 0)
	d := s.In(0, Range(Int(5), Int(7))).And(s.In(1, Point(benchKeys[1].Type, Int(3))))
	cell := s.Below(0, True, Int(100)).And(s.Below(0, True, Int(0)).Not())
	f := s.Fork()
	b.ReportAllocs()
	for b.Loop() {
		if ps, ok := f.Adopt(d).Given(cell).Points([]int{1}, 100); !ok || len(ps) != 1 {
			b.Fatal("wrong")
		}
	}
}

// Making the diagram of a small predicate from nothing.
func BenchmarkDiagramSmall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s := NewSpace(benchKeys, 0)
		x := s.In(0, Point(benchKeys[0].Type, Int(2021))).And(s.In(1, Point(benchKeys[1].Type, Int(12))))
		y := s.In(0, Point(benchKeys[0].Type, Int(2022))).And(s.In(1, Point(benchKeys[1].Type, Int(1))))
		if x.Or(y).IsConst() {
			b.Fatal("wrong")
		}
	}
}

func TestDiagramAllocs(t *testing.T) {
	s := NewSpace(benchKeys, 0)
	d := s.In(0, Points(benchKeys[0].Type, ints(1000, 7))).And(s.In(1, Range(Int(3), Int(9))))
	e := s.In(1, Range(Int(5), Int(20))).Or(s.In(0, Range(Int(100), Int(900))))
	all := d.And(e)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"At", func() { d.At(0, Int(7)) }},
		{"AtNull", func() { d.AtNull(0) }},
		{"Branches", func() { b := d.Branches(0); b.Piece(b.Find(Int(7))); b.Null() }},
		{"And again", func() { all = d.And(e) }},
		{"Not again", func() { all = all.Not() }},
		{"Outcomes", func() { all.Outcomes() }},
	} {
		c.f()
		c.f()
		if n := testing.AllocsPerRun(100, c.f); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}
