package projection

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/pruning"
)

// huge has 2^64 * 2^64 paths.
func huge(t tester) *Layout {
	return numbered(t, "${a}/${b}", ints(0, math.MinInt64, math.MaxInt64, 1, 0), ints(1, math.MinInt64, math.MaxInt64, 1, 0))
}

// TestWalkAllocations: a walk over few levels needs no memory for its state besides the walker and its diagram's space.
func TestWalkAllocations(t *testing.T) {
	for name, l := range domains(t) {
		d := narrow(l)
		n := testing.AllocsPerRun(20, func() {
			for range Walk(t.Context(), l, d, Check{}) {
				return
			}
		})
		if n > 7 {
			t.Errorf("%s: the first unit takes %v allocations", name, n)
		}
	}
}

func TestHuge(t *testing.T) {
	ctx, l := context.Background(), huge(t)
	n, err := Count(ctx, l, everything(l), Check{})
	if want := new(big.Int).Lsh(one, 128); err != nil || n.Cmp(want) != 0 {
		t.Fatal(n, err)
	}
	at := new(big.Int).Sub(n, big.NewInt(2))
	var out bytes.Buffer
	if err := WritePaths(ctx, &out, l, everything(l), Check{}, at, nil, '\n'); err != nil {
		t.Fatal(err)
	}
	const want = "logs/9223372036854775807/9223372036854775806/\nlogs/9223372036854775807/9223372036854775807/\n"
	if out.String() != want {
		t.Errorf("last paths are %s", out.String())
	}
	if got := collect(t, Seek(ctx, l, everything(l), Check{}, at)); len(got) != 2 || got[1].Index[0] != math.MaxUint64 {
		t.Errorf("last units are %v", got)
	}
	calls := func(depths uint64) string {
		n, err := Checks(ctx, l, everything(l), Check{Depths: depths, At: func(*Place, int) pruning.Outcomes { panic("called") }})
		if err != nil {
			t.Fatal(err)
		}
		return n.String()
	}
	if a, b, c := calls(0), calls(1), calls(3); a != "0" || b != "18446744073709551616" || c != "340282366920938463481821351505477763072" {
		t.Errorf("checks: %s, %s, %s", a, b, c)
	}
}

// TestLongNames: a few long words must not fill blocks of thousands of lines.
func TestLongNames(t *testing.T) {
	words := make([]string, 3000)
	for i := range words {
		words[i] = strings.Repeat("x", i%2*1e6) + strconv.Itoa(i)
	}
	l := numbered(t, "${a}/${b}", ints(0, 1, 9, 1, 0), ints(1, 0, 0, 1, 0))
	l.Levels[1] = Fixed(1, NewEnum(1, nil, words))
	l.Keys[1].Type = pruning.Type{Kind: pruning.String}
	var n counter
	if err := WritePaths(context.Background(), &n, l, everything(l), Check{}, nil, big.NewInt(100), '\n'); err != nil || n.lines != 100 || n.most > 4e6 {
		t.Error(err, n)
	}
}

// counter counts lines and the most bytes that come at once.
type counter struct{ lines, most int }

func (c *counter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte("\n"))
	c.most = max(c.most, len(p))
	return len(p), nil
}

// TestEmptyBelow: nothing lies below any of 2^64 branches, which must be seen without trying them.
func TestEmptyBelow(t *testing.T) {
	ctx, l := context.Background(), huge(t)
	l.Levels[1] = Fixed(1, ints(1, 1, 12, 1, 0))
	d := pruning.NewSpace(l.Keys, 0).In(1, pruning.Point(int64s, pruning.Int(13)))
	if got := collect(t, Walk(ctx, l, d, Check{})); got != nil {
		t.Error(got)
	}
	var out bytes.Buffer
	if err := WritePaths(ctx, &out, l, d, Check{}, one, nil, '\n'); err != nil || out.Len() > 0 {
		t.Error(err, out.String())
	}
}

// failing is a level without axis.
type failing struct{ err error }

func (failing) Keys() []int                                  { return []int{1} }
func (failing) Fixed() bool                                  { return false }
func (f failing) Axis(context.Context, *Place) (Axis, error) { return nil, f.err }

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestErrors(t *testing.T) {
	ctx, l := context.Background(), huge(t)
	d := everything(l)
	if err := WritePaths(ctx, brokenPipe{}, l, d, Check{}, nil, nil, '\n'); !errors.Is(err, io.ErrClosedPipe) {
		t.Error("write:", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if err := WritePaths(stopped, io.Discard, l, d, Check{}, nil, nil, '\n'); !errors.Is(err, context.Canceled) {
		t.Error("cancelled write:", err)
	}
	check := Check{Depths: 1, At: func(*Place, int) pruning.Outcomes { return pruning.False }}
	if _, err := Count(stopped, l, d, check); !errors.Is(err, context.Canceled) {
		t.Error("cancelled count:", err)
	}
	for _, c := range []Check{{}, check} {
		var last error
		for _, err := range Walk(stopped, l, d, c) {
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Error("cancelled walk:", last)
		}
	}
	l.Levels[1] = failing{io.ErrUnexpectedEOF}
	units := 0
	for u, err := range Walk(ctx, l, d, Check{}) {
		if units++; u != nil || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error("walk:", u, err)
		}
	}
	_, err := Count(ctx, l, d, Check{})
	_, err2 := Checks(ctx, l, d, Check{Depths: 2})
	err3 := WritePaths(ctx, io.Discard, l, d, Check{}, nil, nil, '\n')
	if errors.Join(err, err2, err3); units != 1 || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err2, io.ErrUnexpectedEOF) || !errors.Is(err3, io.ErrUnexpectedEOF) {
		t.Error("level:", units, err, err2, err3)
	}
}

// TestAllocs: stepping from unit to unit allocates nothing, nor does writing after its blocks are there.
func TestAllocs(t *testing.T) {
	ctx, l := context.Background(), domains(t)["1e7"]
	path := make([]byte, 0, 64)
	walk := func(n int) func() {
		return func() {
			left := n
			for u := range Walk(ctx, l, everything(l), Check{}) {
				for k := range 3 {
					u.Value(k)
				}
				if path = u.AppendPath(path[:0]); left == 0 {
					break
				}
				left--
			}
		}
	}
	if few, many := testing.AllocsPerRun(5, walk(1)), testing.AllocsPerRun(5, walk(100_000)); many > few {
		t.Errorf("%.0f allocations for 100,000 units, %.0f for one", many, few)
	}
	write := func(n int64) func() {
		return func() {
			if err := WritePaths(ctx, io.Discard, l, everything(l), Check{}, nil, big.NewInt(n), '\n'); err != nil {
				t.Error(err)
			}
		}
	}
	if few, many := testing.AllocsPerRun(5, write(20_000)), testing.AllocsPerRun(5, write(1_000_000)); many > few+50 {
		t.Errorf("%.0f allocations for 1,000,000 paths, %.0f for 20,000", many, few)
	}
}

// TestCountIsShared: the cost of counting is in the different diagrams, not in the branches that lead to them.
func TestCountIsShared(t *testing.T) {
	ctx, l := context.Background(), numbered(t, "${a}/${b}/${c}",
		ints(0, 0, 1e9, 1, 0), ints(1, 0, 1e9, 1, 0), ints(2, 0, 1e9, 1, 0))
	s := pruning.NewSpace(l.Keys, 0)
	d := s.Const(pruning.False)
	for i := int64(0); i < 1000; i++ { // a in the i-th thousand and b in one of two halves, by turns
		half := s.In(1, pruning.Before(pruning.Int(5e8)))
		if i%2 == 0 {
			half = half.Not()
		}
		d = d.Or(s.In(0, pruning.Range(pruning.Int(1000*i), pruning.Int(1000*i+1000))).And(half))
	}
	n, err := Count(ctx, l, d, Check{})
	want := new(big.Int).Mul(big.NewInt(500*1000), big.NewInt(1e9+1)) // of both halves together
	if want.Mul(want, big.NewInt(1e9+1)); err != nil || n.Cmp(want) != 0 {
		t.Error(n, want, err)
	}
}
