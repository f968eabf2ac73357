package planner

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

func drawInt(t *rapid.T, name string) int64 {
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64})).Draw(t, name)
}

// Sums, differences, products and quotients of 64-bit numbers are those of package big.
func TestInt128(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (int128, *big.Int) {
			n := drawInt(t, name)
			if rapid.Bool().Draw(t, name+" unsigned") {
				return wideUint(uint64(n)), new(big.Int).SetUint64(uint64(n))
			}
			return wide(n), big.NewInt(n)
		}
		a, x := draw("a")
		b, y := draw("b")
		check := func(op string, got int128, want *big.Int) {
			if got.rat().Num().Cmp(want) != 0 && want.BitLen() < 127 {
				t.Fatalf("%v %s %v = %v, want %v", x, op, y, got.rat().Num(), want)
			}
		}
		check("+", a.add(b), new(big.Int).Add(x, y))
		check("-", a.sub(b), new(big.Int).Sub(x, y))
		check("*", a.mul(b), new(big.Int).Mul(x, y))
		if c := a.cmp(b); c != x.Cmp(y) {
			t.Fatalf("%v cmp %v = %d", x, y, c)
		}
		q, r, ok := a.quoRem(b)
		if ok != (y.Sign() != 0) {
			t.Fatalf("%v / %v: %v", x, y, ok)
		}
		if ok {
			check("/", q, new(big.Int).Quo(x, y))
			check("%", r, new(big.Int).Rem(x, y))
		}
	})
}

// A product beyond 128 bits stops at the end, on its own side.
func TestInt128Ends(t *testing.T) {
	top := wideUint(math.MaxUint64)
	if p := top.mul(top); p != maxInt128 {
		t.Errorf("%v", p)
	}
	if p := top.mul(top).mul(wide(-1)); p.sign() >= 0 {
		t.Errorf("%v", p)
	}
	if s := maxInt128.add(wide(1)); s != maxInt128 {
		t.Errorf("%v", s)
	}
	if s := minInt128.sub(wide(1)); s != minInt128 {
		t.Errorf("%v", s)
	}
}

// drawNumber draws a type and a value of numbers that compare with each other.
func drawNumber(t *rapid.T, name string) (pruning.Type, pruning.Value) {
	kinds := []pruning.Kind{pruning.Int8, pruning.Int16, pruning.Int32, pruning.Int64, pruning.Uint8, pruning.Uint16, pruning.Uint32,
		pruning.Uint64, pruning.Float32, pruning.Float64, pruning.Decimal, pruning.Int128}
	typ := pruning.Type{Kind: rapid.SampledFrom(kinds).Draw(t, name+" kind")}
	n := drawInt(t, name)
	switch k := typ.Kind; {
	case isFloat(k):
		f := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 5.5, 1e30, -1e30, math.Inf(1), math.Inf(-1), 1 << 62, 127, 255.5})).Draw(t, name+" float")
		if k == pruning.Float32 {
			f = float64(float32(f))
		}
		return typ, pruning.Float(f)
	case k == pruning.Decimal:
		typ.Precision, typ.Scale = 20, 2
	case k != pruning.Int128:
		v, ok := fromWide(k, wide(n))
		if !ok {
			v, _ = fromWide(k, wide(n&0x7f))
		}
		return typ, v
	}
	v, ok := typ.FromBig(big.NewInt(n))
	if !ok {
		t.Fatalf("%v doesn't hold %d", typ, n)
	}
	return typ, v
}

// The set of values for which a comparison with a constant holds has exactly the values that compare so.
func TestCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kt, v := drawNumber(t, "value")
		ct, c := drawNumber(t, "constant")
		for _, op := range []ast.Op{ast.OpEq, ast.OpNe, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe} {
			set, ok := cutsAt(kt, ct, c).where(op)
			if !ok {
				continue
			}
			want := holds(op, compareScalars(kt, v, ct, c)) == pruning.True
			if got := set.Contains(v); got != want {
				t.Fatalf("%v %s %s %v %s: the set says %v", kt, kt.Append(nil, v), op, ct, ct.Append(nil, c), got)
			}
		}
	})
}

// Dates of all units compare by instant.
func TestCutsOfDates(t *testing.T) {
	types := []pruning.Type{{Kind: pruning.Date}, {Kind: pruning.Datetime}, {Kind: pruning.Timestamp, Precision: 6}, {Kind: pruning.Timestamp, Precision: 3}}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (pruning.Type, pruning.Value) {
			typ := rapid.SampledFrom(types).Draw(t, name+" type")
			us := rapid.Int64Range(-3*microsADay, 3*microsADay).Draw(t, name)
			return typ, pruning.Int(floorDiv(us, nanosPer(typ)/1000))
		}
		kt, v := draw("value")
		ct, c := draw("constant")
		set, _ := cutsAt(kt, ct, c).where(ast.OpLt)
		if want := v.Int()*nanosPer(kt) < c.Int()*nanosPer(ct); set.Contains(v) != want {
			t.Fatalf("%v %v < %v %v: %v", kt, v, ct, c, !want)
		}
	})
}

// What texts of a range have in common is found, and joining keeps what either side has.
func TestValueOfTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]byte{'a', 'b', 0xff}), 0, 3), func(b []byte) string { return string(b) })
		p, tail := word.Draw(t, "prefix"), word.Draw(t, "tail")
		v := prefixed(p)
		if got := v.prefix(); got != p && v.bounded() {
			t.Fatalf("the prefix of texts with prefix %q is %q", p, got)
		}
		other := text(word.Draw(t, "other"))
		for _, both := range []value{v.join(other), other.join(v)} {
			for _, s := range []string{p + tail, other.lo.Text()} {
				if !contains(both, pruning.Text(s)) {
					t.Fatalf("%q isn't in the join of %q… and %q", s, p, other.lo.Text())
				}
			}
		}
	})
}

func contains(v value, x pruning.Value) bool {
	if v.is&low == 0 && pruning.Compare(x, v.lo) < 0 {
		return false
	}
	if v.is&high != 0 {
		return true
	}
	c := pruning.Compare(x, v.hi)
	return c < 0 || c == 0 && v.is&under == 0
}

func TestParseInterval(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
	}{
		{"P1D", 86400e6}, {"PT1H", 3600e6}, {"P1W2DT3H4M5.6S", 9*86400e6 + 3*3600e6 + 4*60e6 + 5.6e6}, {"-PT0.000001S", -1}, {"PT90M", 5400e6},
	} {
		if v, bad := parseInterval(c.text); bad != nil || v.Int() != c.want {
			t.Errorf("%s: %d, %v; want %d", c.text, v.Int(), bad, c.want)
		}
	}
	for _, text := range []string{"", "P", "PT", "1D", "P1H", "PT1D", "P1DT", "PT1M1H", "PT1.5M", "P1Y", "PT1.1234567S", "P9999999999999999999W", "--P1D"} {
		if v, bad := parseInterval(text); bad == nil {
			t.Errorf("%q is taken for %d", text, v.Int())
		}
	}
}

func TestCastText(t *testing.T) {
	unknown := value{is: some | null}
	for _, c := range []struct {
		text string
		kind pruning.Kind
		want value
	}{
		{"2021", pruning.Int32, integer(2021)}, {"02", pruning.Int32, integer(2)}, {"-5", pruning.Int8, integer(-5)},
		{"200", pruning.Int8, nullValue}, {"abc", pruning.Int32, nullValue}, {"", pruning.Int32, nullValue}, {"1.5", pruning.Int32, nullValue},
		{"+5", pruning.Int32, unknown}, {" 5", pruning.Int32, unknown}, {"-1", pruning.Uint8, nullValue},
		{"true", pruning.Bool, boolean(true)}, {"FALSE", pruning.Bool, boolean(false)}, {"1", pruning.Bool, unknown},
		{"2021-03-05", pruning.Date, integer(18691)}, {"2021-02-30", pruning.Date, nullValue}, {"x", pruning.Date, nullValue},
		{"1.5", pruning.Float64, exactly(pruning.Float(1.5))}, {"1e5", pruning.Float64, unknown},
	} {
		got := parseText(c.text, scalar(c.kind))
		if c.want == unknown {
			got = value{is: got.is & (some | null)}
		}
		if got != c.want {
			t.Errorf("%q as %v: %+v, want %+v", c.text, c.kind, got, c.want)
		}
	}
}
