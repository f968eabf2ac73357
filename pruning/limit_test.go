package pruning

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// Under any limit a diagram has at least the outcomes that it has without one. May claims no less, Must no more.
func TestLimit(t *testing.T) {
	hit := 0
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, rapid.IntRange(1, 8).Draw(t, "limit"))
		d, m := genDiagram(t, s, rapid.IntRange(0, 12).Draw(t, "size"))
		got := tableOf(d)
		for i := range m {
			if m[i]&^got[i] != 0 {
				t.Fatalf("%v at %v: lost %v", d, allTuples[i], m[i]&^got[i])
			}
		}
		may, must := tableOf(d.May()), tableOf(d.Must())
		for i := range m {
			if m[i].MayBeTrue() && !may[i].MayBeTrue() || m[i]&^True != 0 && must[i] == True {
				t.Fatalf("%v at %v: May %v, Must %v, exactly %v", d, allTuples[i], may[i], must[i], m[i])
			}
		}
		if s.Hit() {
			hit++
		}
		checkStore(t, s)
	})
	if hit == 0 {
		t.Error("the limit was never hit")
	}
}

// checkStore checks that a space is as if what failed had never been: no node twice, all found, all counted.
func checkStore(t *rapid.T, s *Space) {
	sum := 0
	for i, x := range s.nodes {
		if id := s.find(x.hash, x.key, x.cuts, x.kids); id != s.base+int32(i) {
			t.Fatalf("node %d is found as %d", s.base+int32(i), id)
		}
		for _, kid := range x.kids {
			if kid >= s.base+int32(i) {
				t.Fatal("a kid comes after its parent")
			}
		}
		sum += weight(len(x.cuts))
	}
	if sum != s.weight {
		t.Fatalf("weight %d, counted %d", s.weight, sum)
	}
}

// All keeps to the limit, too.
func TestAllLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSpace(modelKeys, rapid.IntRange(1, 8).Draw(t, "limit"))
		var ds []Diagram
		want := tabulate(func(tuple) Outcomes { return False })
		for range rapid.IntRange(8, 30).Draw(t, "n") {
			d, m := genDiagram(t, s, 1)
			ds = append(ds, d)
			want = want.with(m, slowOr)
		}
		for i, o := range tableOf(s.All(Diagram.Or, ds, s.Const(False))) {
			if want[i]&^o != 0 {
				t.Fatalf("at %v: lost %v", allTuples[i], want[i]&^o)
			}
		}
	})
}

func boolKeys(n int) (keys []Key) {
	for i := range n {
		keys = append(keys, Key{fmt.Sprint("k", i), Type{Kind: Bool}})
	}
	return keys
}

// (x1 = y1) AND … AND (xn = yn) with all x before all y needs 2^n nodes. What explodes ends soon, and what stands beside
// it still prunes.
func TestExplosion(t *testing.T) {
	for _, n := range []int{24, 40} {
		s := NewSpace(append([]Key{{"year", Type{Kind: Int32}}}, boolKeys(2*n)...), 0)
		yes := Set{cuts: []Value{Int(1)}}
		d := s.Const(True)
		for i := range n {
			d = d.And(s.In(1+i, yes).Xor(s.In(1+n+i, yes)).Not())
		}
		d = d.And(s.In(0, Point(s.Keys()[0].Type, Int(2021))))
		if !s.Hit() || !d.Outcomes().MayBeTrue() {
			t.Fatalf("%d: hit %v, outcomes %v", n, s.Hit(), d.Outcomes())
		}
		if d.At(0, Int(2020)).Outcomes().MayBeTrue() {
			t.Errorf("%d: the year doesn't prune", n)
		}
		if used := s.weight; used > DefaultNodes*spaceNodes {
			t.Errorf("%d: %d nodes", n, used)
		}
	}
}

// A full space fails fast.
func TestFullSpace(t *testing.T) {
	s := NewSpace(boolKeys(20), 300)
	yes := Set{cuts: []Value{Int(1)}}
	for n := range 20_000 {
		d := s.Const(True)
		for i := range 4 {
			d = d.And(s.In((n>>i+7*i)%20, yes).Xor(s.In((n*7+i)%20, yes)))
		}
		d.Forget(n % 20)
		d.At(n%20, Int(1))
	}
	if !s.Hit() || s.weight > 300*spaceNodes {
		t.Errorf("hit %v, %d nodes", s.Hit(), s.weight)
	}
}

// Big lists stay within the limit.
func TestBigLists(t *testing.T) {
	if testing.Short() {
		t.Skip("a million values")
	}
	s := NewSpace(benchKeys, 0)
	in := s.In(0, Points(benchKeys[0].Type, ints(1_000_000, 3)))
	d := in.Not().And(s.In(1, Point(benchKeys[1].Type, Int(5)))).Or(in)
	if s.Hit() {
		t.Error("a list of a million values hit the limit")
	}
	if d.At(0, Int(3)).Outcomes() != True || d.At(0, Int(4)).At(1, Int(5)).Outcomes() != True || d.At(0, Int(4)).At(1, Int(6)).Outcomes() != False {
		t.Error("wrong outcomes")
	}
	if n := len(d.String()); n > maxText+8 {
		t.Errorf("text of %d bytes", n)
	}
}

func TestManyKeys(t *testing.T) {
	s := NewSpace(boolKeys(200), 0)
	yes := Set{cuts: []Value{Int(1)}}
	d := s.In(3, yes).And(s.In(130, yes))
	for k, want := range map[int]bool{3: true, 130: true, 66: false, 67: false, 2: false, 199: false} {
		if d.Depends(k) != want {
			t.Errorf("Depends(%d) = %v", k, !want)
		}
	}
	if d.At(66, Int(1)) != d || d.At(130, Int(1)) != s.In(3, yes).And(s.Const(True)) || d.Forget(67) != d {
		t.Error("keys that share a bit are mixed up")
	}
}

// Calls are numbered; when the numbers are used up, they start again.
func TestSerials(t *testing.T) {
	s := NewSpace(modelKeys, 0)
	d := s.In(0, Point(modelKeys[0].Type, Int(1))).And(s.In(1, Set{cuts: []Value{Int(1)}}))
	s.memo.serial = 0
	a := d.At(1, Int(0))
	s.memo.serial = math.MaxInt32
	b := d.At(1, Int(1))
	if s.memo.serial != 1 || a == b || b != s.In(0, Point(modelKeys[0].Type, Int(1))) {
		t.Errorf("after serial %d: %v, %v", s.memo.serial, a, b)
	}
	s.memo.epoch = 1<<24 - 1
	s.memo.forgetAll()
	if s.memo.epoch != 0 || d.At(1, Int(0)) != a {
		t.Error("epochs don't start again")
	}
}

// A finished space is read and forked by many goroutines.
func TestConcurrentReads(t *testing.T) {
	s := NewSpace(modelKeys, 0)
	var ds []Diagram
	rapid.Check(t, func(t *rapid.T) {
		if len(ds) < 20 {
			d, _ := genDiagram(t, s, 4)
			ds = append(ds, d)
		}
	})
	size := len(s.nodes)
	results := make([][]string, 4)
	var wg sync.WaitGroup
	for g := range results {
		wg.Go(func() {
			for i, d := range ds {
				d.Regions(100)
				d.Points([]int{0}, 100)
				b := d.Branches(0)
				f := s.Fork()
				e := f.Adopt(d).And(ds[(i+1)%len(ds)]).Given(ds[(i+2)%len(ds)]).Forget(2).At(1, Int(1))
				results[g] = append(results[g], fmt.Sprint(d, d.Set(1), d.Depends(1), b.Piece(b.Find(Int(1))), d.AtNull(0), e))
			}
		})
	}
	wg.Wait()
	for _, r := range results[1:] {
		if !slices.Equal(r, results[0]) {
			t.Error("goroutines disagree")
		}
	}
	if len(s.nodes) != size {
		t.Error("reading added nodes")
	}
}

// A result on fewer keys isn't taken for the exact one later.
func TestFailureLeavesNothing(t *testing.T) {
	s := NewSpace(modelKeys, 100)
	d := s.In(0, Range(Int(3), Int(5)))
	e, err := s.Parse("b: true → (c: 'x' → T|F), null → N")
	if err != nil {
		t.Fatal(err)
	}
	s.budget = newBudget(1)
	wide := d.And(e)
	if !s.Hit() {
		t.Fatal("the limit wasn't hit")
	}
	s.budget = newBudget(100)
	exact := d.And(e)
	if got, want := exact.String(), "a: [3,5) → (b: true → (c: 'x' → T|F), null → N), null → (b: true → (c: 'x' → F|N), null → N)"; got != want || exact == wide {
		t.Errorf("after %v: got %s, want %s", wide, got, want)
	}
}
