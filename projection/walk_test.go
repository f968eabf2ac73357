package projection

import (
	"bytes"
	"context"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

// tester is a test, a benchmark or a property.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// collect lists what a walk yields.
func collect(t tester, seq func(yield func(*Unit, error) bool)) []unit {
	t.Helper()
	var out []unit
	for u, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		c := u.Clone()
		if p, q := string(u.AppendPath(nil)), string(c.AppendPath(nil)); p != q {
			t.Fatalf("unit has path %s, its clone %s", p, q)
		}
		for k, i := range u.levels {
			want, _, _ := u.Axes[i].Value(u.Index[i])
			v, null, known := u.Value(k)
			if w, _, ok := c.Value(k); v != want || w != want || null || !known || !ok {
				t.Fatalf("key %d is %v, its clone's %v, want %v", k, v, w, want)
			}
		}
		out = append(out, unit{c.Index, string(c.AppendPath(nil)), c.Outcomes})
	}
	return out
}

func TestWalkIsAllUnits(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		d := drawLayout(t)
		want, checks := d.all()
		got := collect(t, Walk(ctx, d.layout, d.diagram, d.check))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("walk of %s: %s", d.diagram, diff)
		}
		n, err := Count(ctx, d.layout, d.diagram, d.check)
		if err != nil || n.Cmp(big.NewInt(int64(len(want)))) != 0 {
			t.Fatalf("count %v, %v; want %d", n, err, len(want))
		}
		n, err = Checks(ctx, d.layout, d.diagram, d.check)
		if err != nil || n.Cmp(big.NewInt(checks)) != 0 {
			t.Fatalf("checks %v, %v; want %d", n, err, checks)
		}
		first := rapid.IntRange(0, len(want)+1).Draw(t, "first")
		tail := want[min(first, len(want)):]
		got = collect(t, Seek(ctx, d.layout, d.diagram, d.check, big.NewInt(int64(first))))
		if diff := cmp.Diff(append([]unit(nil), tail...), got); diff != "" {
			t.Fatalf("seek %d: %s", first, diff)
		}
	})
}

func TestWritePathsIsWalk(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		d := drawLayout(t)
		units := collect(t, Walk(ctx, d.layout, d.diagram, d.check))
		first, n := 0, len(units)
		var firstArg, nArg *big.Int
		if rapid.Bool().Draw(t, "from") {
			first = rapid.IntRange(0, len(units)+2).Draw(t, "first")
			firstArg = big.NewInt(int64(first))
		}
		if rapid.Bool().Draw(t, "some") {
			n = rapid.IntRange(0, len(units)+2).Draw(t, "n")
			nArg = big.NewInt(int64(n))
		}
		sep := rapid.SampledFrom([]byte{'\n', 0}).Draw(t, "sep")
		var want, got bytes.Buffer
		for _, u := range units[min(first, len(units)):min(first+n, len(units))] {
			want.WriteString(u.Path)
			want.WriteByte(sep)
		}
		p := newPathWriter(ctx, &got, d.layout, d.check, sep)
		p.sizes.lines = rapid.Uint64Range(1, 50).Draw(t, "block lines")
		p.sizes.worth = rapid.Uint64Range(1, 3).Draw(t, "worthwhile lines")
		p.sizes.bytes = rapid.IntRange(0, 1000).Draw(t, "bytes of blocks")
		if err := p.run(d.diagram, firstArg, nArg); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Fatalf("paths %d+%d: %s", first, n, diff)
		}
	})
}

// TestAxisRuns checks every computed axis against a look at each of its branches.
func TestAxisRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, typ := drawAxis(t, 0)
		other := NewInteger(1, pruning.Type{Kind: pruning.Int32}, 1, 3, 1, 0)
		s := pruning.NewSpace(keys(typ, pruning.Type{Kind: pruning.Int32}), 0)
		checkRuns(t, a, drawDiagram(t, s, []Axis{a, other}, 3))
	})
}

// checkRuns compares runs of an axis for key 0 with the branches whose value the diagram accepts.
func checkRuns(t tester, a Axis, d pruning.Diagram) {
	t.Helper()
	before := []Run{{First: 7, Last: 7}}
	got, err := a.Runs(before, d)
	if err != nil || got[0] != before[0] {
		t.Fatal("runs don't append", got, err)
	}
	var want []Run
	last, _ := a.Last()
	for i := range last + 1 {
		v, _, _ := a.Value(i)
		rest := d.At(0, v)
		if !rest.Outcomes().MayBeTrue() {
			continue
		}
		if n := len(want); n > 0 && want[n-1].Last == i-1 && want[n-1].Rest == rest {
			want[n-1].Last = i
		} else {
			want = append(want, Run{i, i, rest})
		}
	}
	if diff := cmp.Diff(want, got[1:], cmp.Comparer(func(a, b Run) bool { return a == b })); len(want)+len(got[1:]) > 0 && diff != "" {
		t.Fatalf("runs of %s: %v, want %v", d, got[1:], want)
	}
}
