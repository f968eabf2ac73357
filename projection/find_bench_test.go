package projection

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// manyKeys are n objects in n/per directories of two levels.
func manyKeys(n, per int) *store.Keys {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("t/p=k%04d/n=%d/part-%08d.csv", i/per/10, i/per%10, i)
	}
	return store.NewKeys(keys)
}

// BenchmarkFind plans over recorded keys: 10,000 directories of which three are asked for, and a million objects of
// which all, a tenth or a handful are kept. kept-bytes is what the found layout holds.
func BenchmarkFind(b *testing.B) {
	sp := pruning.NewSpace([]pruning.Key{{Name: "p", Type: testText}, {Name: "n", Type: testNumber}}, 0)
	three := textIn(sp, 0, "k0007", "k0500", "k0999")
	for _, c := range []struct {
		name      string
		keys, per int
		p         pruning.Diagram
	}{
		{"3of10000dirs", 10_000, 1, three},
		{"million/all", 1_000_000, 100, sp.Const(pruning.True)},
		{"million/n=3", 1_000_000, 100, numberIn(sp, 1, 3, 3)},
		{"million/3of1000", 1_000_000, 100, three},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := dirsOf(manyKeys(c.keys, c.per), "t/", "p", "n")
			var l *Layout
			var info *Listing
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if l, info, err = d.Find(b.Context(), d.Layout("test"), c.p, Check{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(info.Requests), "requests")
			b.ReportMetric(float64(keptBytes(l)), "kept-bytes")
			runtime.KeepAlive(l)
		})
	}
}

// keptBytes is the memory that a found layout needs beside the keys themselves.
func keptBytes(l *Layout) (n int) {
	var add func(b *branches)
	add = func(b *branches) {
		n += 16*cap(b.names) + 24*cap(b.values) + cap(b.states) + 8*cap(b.below) + 8*cap(b.sizes) + 150
		for _, x := range b.below {
			add(x)
		}
	}
	add(l.Levels[0].(*dirLevel).root)
	return n
}
