package projection

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

func TestIntegerNames(t *testing.T) {
	for _, c := range []struct {
		min, max int64
		step     uint64
		width    int
		want     string
	}{
		{2, 10, 3, 0, "2 5 8"},
		{0, 35, 33, 0, "0 33"},
		{7, 7, 1, 0, "7"},
		{2, 2, 1, 3, "002"},
		{-5, -5, 1, 3, "-05"},
		{-5, -5, 1, 1, "-5"},
		{12345, 12345, 1, 3, "12345"},
		{0, 0, 1, 2, "00"},
		{9, 11, 1, 2, "09 10 11"},
		{1, 1, 1, 64, "0000000000000000000000000000000000000000000000000000000000000001"},
		{99_998, 100_001, 1, 4, "99998 99999 100000 100001"},
		{math.MaxInt64 - 1, math.MaxInt64, 1, 0, "9223372036854775806 9223372036854775807"},
		{math.MinInt64, math.MaxInt64, math.MaxUint64, 0, "-9223372036854775808 9223372036854775807"},
		{math.MaxInt64 - 2, math.MaxInt64, 5, 0, "9223372036854775805"},
		{1, 0, 1, 0, ""},
	} {
		a := ints(0, c.min, c.max, c.step, c.width)
		got := ""
		if last, ok := a.Last(); ok {
			for i := range last + 1 {
				if i > 0 {
					got += " "
				}
				got = string(a.AppendName([]byte(got), i))
			}
		}
		if got != c.want {
			t.Errorf("%d…%d step %d width %d: %s, want %s", c.min, c.max, c.step, c.width, got, c.want)
		}
	}
}

func TestIntegerUnfit(t *testing.T) {
	for _, c := range []struct {
		kind     pruning.Kind
		min, max int64
		want     string
	}{
		{pruning.Int32, math.MinInt32, math.MaxInt32, ""},
		{pruning.Int32, 1, math.MaxInt32 + 1, "2147483648"},
		{pruning.Int8, -129, 5, "-129"},
		{pruning.Uint32, -1, 5, "-1"},
		{pruning.Uint32, 0, math.MaxUint32, ""},
		{pruning.Uint64, 0, math.MaxInt64, ""},
		{pruning.Uint64, math.MinInt64, 0, "-9223372036854775808"},
		{pruning.Int64, math.MinInt64, math.MaxInt64, ""},
		{pruning.String, math.MinInt64, math.MaxInt64, ""},
		{pruning.Uint16, 5, 1, ""},
	} {
		got := ""
		if n, ok := NewInteger(0, pruning.Type{Kind: c.kind}, c.min, c.max, 1, 0).Unfit(); ok {
			got = strconv.FormatInt(n, 10)
		}
		if got != c.want {
			t.Errorf("%v %d…%d: %q, want %q", c.kind, c.min, c.max, got, c.want)
		}
	}
}

// TestIntegerRuns looks at axes with up to 2^64 branches, which can't be tried one by one.
func TestIntegerRuns(t *testing.T) {
	all := func(k pruning.Kind) *Integer {
		return NewInteger(0, pruning.Type{Kind: k}, math.MinInt64, math.MaxInt64, 1, 0)
	}
	tenth := NewInteger(0, pruning.Type{Kind: pruning.Int64}, 5, math.MaxInt64, 1e18, 0)
	uints := NewInteger(0, pruning.Type{Kind: pruning.Uint64}, 0, math.MaxInt64, 1, 0)
	for _, c := range []struct {
		axis *Integer
		d    string
		want string
	}{
		{all(pruning.Int64), "T", "0…18446744073709551615"},
		{all(pruning.Int64), "k0: -9223372036854775808 → T", "0…0"},
		{all(pruning.Int64), "k0: 9223372036854775807 → T", "18446744073709551615…18446744073709551615"},
		{all(pruning.Int64), "k0: [-1,2) → T, >= 9223372036854775806 → T|F", "9223372036854775807…9223372036854775809 18446744073709551614…18446744073709551615"},
		{all(pruning.Int64), "k0: null → T", ""},
		{tenth, "k0: [6,1000000000000000006) → T", "1…1"},
		{tenth, "k0: [6,1000000000000000005) → T", ""},
		{tenth, "k0: >= 9000000000000000006 → T", ""},
		{uints, "k0: >= 9223372036854775808 → T", ""},
		{uints, "k0: [7,9223372036854775809) → T", "7…9223372036854775807"},
		{all(pruning.String), "k0: '02' → T", ""},
		{all(pruning.String), "k0: '+2', '-0', '', ' 2', '2.0', '9223372036854775808' → T", ""},
		{all(pruning.String), "k0: '2', '-1' → T", "9223372036854775807…9223372036854775807 9223372036854775810…9223372036854775810"},
		{all(pruning.String), "k0: '-9223372036854775808' → T", "0…0"},
	} {
		s := pruning.NewSpace(keys(c.axis.typ), 0)
		d, err := s.Parse(c.d)
		if err != nil {
			t.Fatalf("%s: %v", c.d, err)
		}
		runs, err := c.axis.Runs(nil, d)
		got := ""
		for i, r := range runs {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("%d…%d", r.First, r.Last)
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.d, got, err, c.want)
		}
	}
}

// TestIntegerTexts checks runs of large text axes at their ends and around the texts that they are cut at.
func TestIntegerTexts(t *testing.T) {
	typ := pruning.Type{Kind: pruning.String}
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Int64().Draw(t, "min")
		hi := rapid.Int64Range(lo, math.MaxInt64).Draw(t, "max")
		step := rapid.SampledFrom([]uint64{1, 1, 3, 1000, 1e17}).Draw(t, "step")
		a := NewInteger(0, typ, lo, hi, step, rapid.SampledFrom([]int{0, 0, 1, 2, 8, 19, 20, 24}).Draw(t, "width")).Filled()
		last, _ := a.Last()
		from := pruning.Text(rapid.StringMatching(`-?0{0,5}[0-9]{0,19}[ :]?`).Draw(t, "from"))
		to := pruning.Text(rapid.StringMatching(`-?0{0,5}[0-9]{0,19}[ :]?`).Draw(t, "to"))
		if pruning.Compare(from, to) >= 0 {
			from, to = to, from
		}
		s := pruning.NewSpace(keys(typ), 0)
		runs, err := a.Runs(nil, s.In(0, pruning.Range(from, to)))
		if err != nil {
			t.Fatal(err)
		}
		look := func(i uint64) {
			v, _, _ := a.Value(i)
			want := pruning.Compare(from, v) <= 0 && pruning.Compare(v, to) < 0
			got := false
			for _, r := range runs {
				got = got || r.First <= i && i <= r.Last
			}
			if got != want {
				t.Fatalf("%s in [%s,%s): %v, runs %v", v.Text(), from.Text(), to.Text(), got, runs)
			}
		}
		for k, r := range runs {
			if r.First > r.Last || r.Last > last || k > 0 && r.First <= runs[k-1].Last+1 {
				t.Fatalf("runs %v", runs)
			}
			look(r.First)
			look(r.Last)
			look(r.First - min(1, r.First))
			look(r.Last + min(1, last-r.Last))
		}
		for range 20 {
			look(rapid.Uint64Range(0, last).Draw(t, "branch"))
		}
	})
}

// TestStripes checks that lines of a stripe differ from those of the next one only in their heads.
func TestStripes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, _ := drawInteger(t, 0)
		a.last = 3000
		tails := make(map[int][]string)
		most := rapid.Uint64Range(1, 200).Draw(t, "most")
		for i := uint64(0); i <= 2500; {
			n, tail := a.stripe(i, most)
			if n == 0 || n > most {
				t.Fatalf("stripe of %d at %d, at most %d", n, i, most)
			}
			if tail > 0 {
				var head string
				var ends []string
				for j := range n {
					text := string(a.AppendName(nil, i+j))
					if k := len(text) - tail; j == 0 {
						head = text[:k]
					} else if text[:k] != head {
						t.Fatalf("%s has not the head %s", text, head)
					}
					ends = append(ends, text[len(text)-tail:])
				}
				if known, ok := tails[int(n)]; ok {
					if diff := cmp.Diff(known, ends); diff != "" {
						t.Fatal(diff)
					}
				}
				tails[int(n)] = ends
			}
			i += n
		}
	})
}
