package projection

import (
	"bytes"
	"context"
	"io"
	"math/big"
	"testing"

	"github.com/yqlplan/yqlplan/pruning"
)

var int64s = pruning.Type{Kind: pruning.Int64}

// numbered is a layout of integer levels, from 1 or as given by from, under a template of one directory a level.
func numbered(t tester, template string, axes ...*Integer) *Layout {
	l := &Layout{}
	tpl, errs := ParseTemplate(template)
	if errs != nil {
		t.Fatal(errs)
	}
	l.Template = tpl.Under("/logs/")
	for i, a := range axes {
		l.Keys = append(l.Keys, pruning.Key{Name: tpl.Columns()[i], Type: a.typ})
		l.Levels = append(l.Levels, Fixed(i, a))
	}
	return l
}

// domains are layouts of 10^7 and of 10^18 paths of about 30 bytes.
func domains(t tester) map[string]*Layout {
	out := make(map[string]*Layout)
	for name, ids := range map[string]int64{"1e7": 1e3, "1e18": 1e14} {
		out[name] = numbered(t, "id=${a}/m=${b}/d=${c}",
			NewInteger(0, int64s, 1e14, 1e14+ids-1, 1, 0),
			NewInteger(1, int64s, 1, 100, 1, 3),
			NewInteger(2, int64s, 1, 100, 1, 3))
	}
	return out
}

func everything(l *Layout) pruning.Diagram {
	return pruning.NewSpace(l.Keys, 0).Const(pruning.True)
}

// narrow is a < min+hundred and b in [3,6) or a = min and c > 50.
func narrow(l *Layout) pruning.Diagram {
	s := pruning.NewSpace(l.Keys, 0)
	d := s.In(0, pruning.Before(pruning.Int(1e14+100))).And(s.In(1, pruning.Range(pruning.Int(3), pruning.Int(6))))
	return d.Or(s.In(0, pruning.Point(int64s, pruning.Int(1e14))).And(s.In(2, pruning.From(pruning.Int(51)))))
}

func BenchmarkWalk(b *testing.B) {
	ctx := context.Background()
	for name, l := range domains(b) {
		d := everything(l)
		b.Run(name+"/values+path", func(b *testing.B) {
			b.ReportAllocs()
			path, sum := make([]byte, 0, 64), int64(0)
			for n := 0; n < b.N; {
				for u, err := range Walk(ctx, l, d, Check{}) {
					if err != nil {
						b.Fatal(err)
					}
					for k := range 3 {
						v, _, _ := u.Value(k)
						sum += v.Int()
					}
					if path = u.AppendPath(path[:0]); len(path) != 36 {
						b.Fatal(string(path))
					}
					if n++; n == b.N {
						break
					}
				}
			}
		})
		b.Run(name+"/unit", func(b *testing.B) {
			for n := 0; n < b.N; {
				for range Walk(ctx, l, d, Check{}) {
					if n++; n == b.N {
						break
					}
				}
			}
		})
		b.Run(name+"/first", func(b *testing.B) {
			d := narrow(l)
			b.ReportAllocs()
			for range b.N {
				for u := range Walk(ctx, l, d, Check{}) {
					_ = u
					break
				}
			}
		})
		b.Run(name+"/seek", func(b *testing.B) {
			b.ReportAllocs()
			at := big.NewInt(9_876_543)
			for range b.N {
				for u := range Seek(ctx, l, d, Check{}, at) {
					_ = u
					break
				}
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	ctx := context.Background()
	for name, l := range domains(b) {
		for what, d := range map[string]pruning.Diagram{"all": everything(l), "narrow": narrow(l)} {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					if _, err := Count(ctx, l, d, Check{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkWritePaths has copying the same bytes beside it, so that the ratio can be read off.
func BenchmarkWritePaths(b *testing.B) {
	ctx := context.Background()
	const paths = 1 << 20
	layouts := domains(b)
	layouts["single"] = numbered(b, "events/by-id/${id}", NewInteger(0, int64s, 0, 1e12, 1, 12))
	layouts["months"] = numbered(b, "year=${y}/month=${m}/day=${d}/hr=${h}",
		NewInteger(0, int64s, 2000, 2999, 1, 0), NewInteger(1, int64s, 1, 12, 1, 0),
		NewInteger(2, int64s, 1, 31, 1, 0), NewInteger(3, int64s, 0, 23, 1, 0))
	layouts["pinned"] = numbered(b, "events/${id}/month=${m}", NewInteger(0, int64s, 1e11, 1e12, 1, 0), NewInteger(1, int64s, 12, 12, 1, 0))
	layouts["sevens"] = numbered(b, "host-${a}/by-id/${id}", NewInteger(0, int64s, 1000, 1999, 1, 0), NewInteger(1, int64s, 1e7, 2e7, 7, 0))
	for name, l := range layouts {
		d := everything(l)
		var want bytes.Buffer
		if err := WritePaths(ctx, &want, l, d, Check{}, nil, big.NewInt(paths), '\n'); err != nil {
			b.Fatal(err)
		}
		per := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/paths, "ns/path")
			b.ReportMetric(float64(want.Len())/paths, "B/path")
		}
		b.Run(name+"/write", func(b *testing.B) {
			for range b.N {
				if err := WritePaths(ctx, io.Discard, l, d, Check{}, nil, big.NewInt(paths), '\n'); err != nil {
					b.Fatal(err)
				}
			}
			per(b)
		})
		b.Run(name+"/memcpy", func(b *testing.B) {
			to := make([]byte, want.Len())
			b.ResetTimer()
			for range b.N {
				copy(to, want.Bytes())
			}
			per(b)
		})
	}
}
