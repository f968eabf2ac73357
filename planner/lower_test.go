package planner

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/internal/oracle"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

var (
	conditions = flag.Int("conditions", 2000, "random conditions to compare with row-by-row evaluation")
	firstSeed  = flag.Uint64("seed", 0, "the seed of the first random condition, or query")
)

// sample is a column's values in test rows; those of keys are on their axes.
type sample struct {
	column string
	values []oracle.Value
}

func samples() []sample {
	ints := func(ns ...int64) (out []oracle.Value) {
		for _, n := range ns {
			out = append(out, oracle.Int32(n))
		}
		return out
	}
	return []sample{
		{"year", ints(2019, 2020, 2021, 2022)},
		{"month", ints(1, 2, 3, 12)},
		{"kind", []oracle.Value{"buy", "sell", "view"}},
		{"dt", []oracle.Value{oracle.Date(18262), oracle.Date(18627), oracle.Date(18628), oracle.Date(18659), oracle.Date(19357)}},
		{"n", []oracle.Value{oracle.Int64(0), oracle.Int64(2), oracle.Int64(2020), oracle.Int64(1e9)}},
		{"at", []oracle.Value{oracle.Datetime(1609459200), oracle.Datetime(1609459200 + 86399), oracle.Datetime(1614902400 + 7)}},
		{"name", []oracle.Value{"", "a", "ab", "b2020", "é"}},
		{"part", append(ints(-3, 0, 1, 2), nil)},
		{"data", []oracle.Value{nil, "x", "2020", "1"}},
		{"num", ints(1, 2020)},
		{"ok", []oracle.Value{nil, true, false}},
	}
}

const keyCount = 8

// asValue is a sample as the planner's value; null for NULL.
func asValue(v oracle.Value) (out pruning.Value, null bool) {
	switch v := v.(type) {
	case oracle.Int:
		return pruning.Int(v.N.Int64()), false
	case string:
		return pruning.Text(v), false
	case oracle.Date:
		return pruning.Int(int64(v)), false
	case oracle.Datetime:
		return pruning.Int(int64(v)), false
	}
	return out, true
}

func outcomeOf(v oracle.Value) pruning.Outcomes {
	switch v {
	case nil:
		return pruning.Null
	case true:
		return pruning.True
	}
	return pruning.False
}

// TestLowerAgainstRows compares random conditions with evaluating them on rows: for every tuple of keys the diagram and the
// check must contain the outcome of every row, and for conditions over keys alone, the check with all keys known must be
// that one outcome.
func TestLowerAgainstRows(t *testing.T) {
	r := events()
	unsupported := 0
	for i := range *conditions {
		g := &generator{Rand: rand.New(rand.NewPCG(7, *firstSeed+uint64(i))), data: i%2 == 0}
		text := g.condition(i % 4)
		if !compareRows(t, r, text) {
			unsupported++
		}
		if t.Failed() {
			t.Fatalf("seed %d", i)
		}
	}
	if unsupported > *conditions/10 {
		t.Errorf("%d of %d conditions had no row-by-row result", unsupported, *conditions)
	}
}

// compareRows is false when the oracle can't evaluate the condition.
func compareRows(t *testing.T, r *relation, text string) bool {
	t.Helper()
	e, found, _ := bound(t, r, "SELECT * FROM t WHERE "+text)
	if found.HasErrors() {
		t.Errorf("%s\n%v", text, found)
		return true
	}
	_, where, _ := parse(t, "SELECT * FROM t WHERE "+text)
	l := lower(e, r, pruning.NewSpace(r.table.Layout.Keys, 0))
	w := &rows{t: t, text: text, where: where, rel: r, expr: e, low: l, row: oracle.Row{Columns: map[string]oracle.Value{}, Now: now}}
	for c := range columns(e) {
		w.used(c.name)
	}
	w.trim(150)
	return w.run()
}

// trim leaves out values of the columns with most of them until there are few enough rows.
func (w *rows) trim(limit int) {
	for {
		n := 1
		var longest *sample
		for _, ss := range [][]sample{w.keys, w.data} {
			for i := range ss {
				n *= len(ss[i].values)
				if longest == nil || len(ss[i].values) > len(longest.values) {
					longest = &ss[i]
				}
			}
		}
		if n <= limit {
			return
		}
		drop := n % len(longest.values)
		longest.values = slices.Delete(slices.Clone(longest.values), drop, drop+1)
	}
}

// rows evaluates one condition on all rows made of the samples of its columns.
type rows struct {
	t     *testing.T
	text  string
	where ast.Expr
	rel   *relation
	expr  expr
	low   lowered
	row   oracle.Row
	keys  []sample
	data  []sample
	ids   []int // of keys
}

func (w *rows) used(name string) {
	for i, s := range samples() {
		if s.column != name || w.has(name) {
			continue
		}
		if i < keyCount {
			w.keys, w.ids = append(w.keys, s), append(w.ids, i)
		} else {
			w.data = append(w.data, s)
		}
	}
}

func (w *rows) has(name string) bool {
	_, ok := w.row.Columns[name]
	w.row.Columns[name] = nil
	return ok
}

func (w *rows) run() bool {
	partial := map[prefix]pruning.Outcomes{}
	supported := true
	each(&w.row, w.keys, func(vs []oracle.Value) bool {
		var want pruning.Outcomes
		each(&w.row, w.data, func([]oracle.Value) bool {
			v, err := oracle.Eval(w.where, &w.row)
			if errors.Is(err, oracle.ErrUnsupported) {
				supported = false
				return false
			}
			want |= outcomeOf(v)
			return true
		})
		if !supported {
			return false
		}
		w.compare(vs, want)
		w.remember(partial, vs, want)
		return !w.t.Failed()
	})
	if supported && !w.t.Failed() {
		w.comparePartly(partial)
	}
	return supported
}

// each runs f for all combinations of the samples' values, set in row.
func each(row *oracle.Row, ss []sample, f func(vs []oracle.Value) bool) {
	vs := make([]oracle.Value, len(ss))
	var rec func(i int) bool
	rec = func(i int) bool {
		if i == len(ss) {
			return f(vs)
		}
		for _, v := range ss[i].values {
			vs[i], row.Columns[ss[i].column] = v, v
			if !rec(i + 1) {
				return false
			}
		}
		return true
	}
	rec(0)
}

func (w *rows) compare(vs []oracle.Value, want pruning.Outcomes) {
	d, place := w.low.d, newPlace(w.rel)
	for i, v := range vs {
		x, null := asValue(v)
		if null {
			d = d.AtNull(w.ids[i])
		} else {
			d = d.At(w.ids[i], x)
		}
		place.fix(w.ids[i], x, null)
	}
	got := d.Outcomes()
	if want&^got != 0 {
		w.t.Errorf("%s\nat %v: diagram says %v, rows give %v\n%v", w.text, vs, got, want, w.low.d)
	}
	if w.low.check.At != nil {
		checked := w.low.check.At(&place.Place, len(place.Axes))
		if want&^checked != 0 {
			w.t.Errorf("%s\nat %v: check says %v, rows give %v", w.text, vs, checked, want)
		}
		got &= checked
	}
	// Systems differ about characters outside of ASCII, so there the planner may leave things open.
	if len(w.data) == 0 && got != want && !slices.Contains(vs, oracle.Value("é")) {
		w.t.Errorf("%s\nat %v: got %v, rows give %v: not exact\n%v %v", w.text, vs, got, want, w.low.d, w.low.reasons)
	}
	if w.low.exact && len(w.data) > 0 && got&(got-1) != 0 {
		w.t.Errorf("%s\nat %v: exact, but %v", w.text, vs, got)
	}
}

// remember joins the outcomes below every beginning of the way to a branch.
func (w *rows) remember(partial map[prefix]pruning.Outcomes, vs []oracle.Value, want pruning.Outcomes) {
	if w.low.check.At == nil {
		return
	}
	seen := map[prefix]bool{}
	for known := range keyCount {
		if p := w.prefix(vs, known); !seen[p] {
			seen[p] = true
			partial[p] |= want
		}
	}
}

// prefix is the values of the first keys of a way: 1 and the place among the samples, 0 where they aren't used or known.
type prefix [keyCount]byte

func (w *rows) prefix(vs []oracle.Value, known int) (p prefix) {
	for i, v := range vs {
		if w.ids[i] < known {
			p[w.ids[i]] = byte(1 + slices.IndexFunc(w.keys[i].values, func(x oracle.Value) bool { return sameValue(x, v) }))
		}
	}
	return p
}

func sameValue(a, b oracle.Value) bool {
	x, null := asValue(a)
	y, null2 := asValue(b)
	return x == y && null == null2
}

// comparePartly asks the check when only some levels are known.
func (w *rows) comparePartly(partial map[prefix]pruning.Outcomes) {
	if w.low.check.At == nil {
		return
	}
	each(&w.row, w.keys, func(vs []oracle.Value) bool {
		place := newPlace(w.rel)
		for i, v := range vs {
			x, null := asValue(v)
			place.fix(w.ids[i], x, null)
		}
		for known := range keyCount {
			got, want := w.low.check.At(&place.Place, known), partial[w.prefix(vs, known)]
			if want&^got != 0 {
				w.t.Errorf("%s\nat %v, %d levels known: check says %v, rows give %v", w.text, vs, known, got, want)
				return false
			}
		}
		return true
	})
}

// testPlace is a way to a branch whose axes have the one value that is asked for.
type testPlace struct{ projection.Place }

func newPlace(r *relation) *testPlace {
	p := &testPlace{}
	for _, level := range r.table.Layout.Levels {
		axis, _ := level.Axis(context.Background(), nil)
		p.Axes, p.Index = append(p.Axes, axis), append(p.Index, 0)
	}
	return p
}

func (p *testPlace) fix(key int, v pruning.Value, null bool) { p.Axes[key] = point{v, null} }

// point is an axis of one branch.
type point struct {
	v    pruning.Value
	null bool
}

func (p point) Last() (uint64, bool)                     { return 0, true }
func (p point) Value(uint64) (pruning.Value, bool, bool) { return p.v, p.null, true }
func (p point) AppendName(dst []byte, _ uint64) []byte   { return dst }
func (p point) Runs(dst []projection.Run, _ pruning.Diagram) ([]projection.Run, error) {
	return dst, nil
}
