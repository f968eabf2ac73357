package projection

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// drawInteger draws an axis of up to about 40 numbers of a random type.
func drawInteger(t *rapid.T, key int) (*Integer, pruning.Type) {
	kind := rapid.SampledFrom([]pruning.Kind{pruning.Int32, pruning.Int64, pruning.Uint32, pruning.Uint64, pruning.String}).Draw(t, "kind")
	typ := pruning.Type{Kind: kind}
	low := int64(-120)
	if unsigned(kind) {
		low = 0
	}
	lo := rapid.Int64Range(low, 120).Draw(t, "min")
	if rapid.IntRange(0, 3).Draw(t, "far") == 0 {
		lo = rapid.SampledFrom([]int64{0, 9, 95, 990, 9_990, 99_999_980}).Draw(t, "far min")
	}
	step := rapid.SampledFrom([]uint64{1, 1, 1, 2, 3, 5, 7, 10}).Draw(t, "step")
	n := rapid.Int64Range(0, 25).Draw(t, "n")
	hi := lo + int64(step)*n + rapid.Int64Range(0, int64(step)-1).Draw(t, "over")
	a := NewInteger(key, typ, lo, hi, step, rapid.IntRange(0, 5).Draw(t, "width"))
	if rapid.Bool().Draw(t, "filled") {
		a = a.Filled()
	}
	return a, typ
}

// drawEnum draws an axis of different short words in any order.
func drawEnum(t *rapid.T, key int) (*Enum, pruning.Type) {
	words := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab/]{0,4}`), 1, 8, rapid.ID[string]).Draw(t, "words")
	return NewEnum(key, nil, words), pruning.Type{Kind: pruning.String}
}

// drawDate draws an axis of up to about 40 times whose texts differ.
func drawDate(t *rapid.T, key int) (*Date, pruning.Type) {
	s := withColumn(t, drawSpec(t, 40))
	s.Key = key
	a := NewDate(s)
	if _, _, found, _ := a.Twins(); found {
		s.Format = datefmt.Strftime("%Y/%m%d-%H%M%S")
		if s.Unit == datefmt.Milliseconds {
			s.Unit, s.Max = datefmt.Seconds, s.Min+(s.Max-s.Min)*1000
		}
		a = NewDate(s)
	}
	return a, s.Type
}

func drawAxis(t *rapid.T, key int) (Axis, pruning.Type) {
	switch rapid.IntRange(0, 2).Draw(t, "axis") {
	case 0:
		return drawEnum(t, key)
	case 1:
		return drawDate(t, key)
	}
	return drawInteger(t, key)
}

// drawValue draws a value of the axis or one next to it.
func drawValue(t *rapid.T, a Axis, typ pruning.Type) pruning.Value {
	last, _ := a.Last()
	v, _, _ := a.Value(rapid.Uint64Range(0, last).Draw(t, "of"))
	if typ.Kind == pruning.String {
		switch rapid.IntRange(0, 5).Draw(t, "near") {
		case 0:
			return pruning.Text(v.Text() + rapid.StringMatching(`[\x00a0]`).Draw(t, "more"))
		case 1:
			return pruning.Text(rapid.StringMatching(`-?[0-9:a]{0,3}`).Draw(t, "text"))
		}
		return v
	}
	switch rapid.IntRange(0, 3).Draw(t, "near") {
	case 0:
		v, _ = typ.Succ(v)
	case 1:
		if p, ok := typ.Pred(v); ok {
			v = p
		}
	}
	return v
}

// drawDiagram draws a predicate over the keys of axes.
func drawDiagram(t *rapid.T, s *pruning.Space, axes []Axis, depth int) pruning.Diagram {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		if rapid.IntRange(0, 9).Draw(t, "constant") == 0 {
			return s.Const(pruning.Outcomes(rapid.IntRange(1, 7).Draw(t, "outcomes")))
		}
		key := rapid.IntRange(0, len(axes)-1).Draw(t, "key")
		typ := s.Keys()[key].Type
		vs := make([]pruning.Value, rapid.IntRange(1, 4).Draw(t, "values"))
		for i := range vs {
			vs[i] = drawValue(t, axes[key], typ)
		}
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			return s.In(key, pruning.Before(vs[0]))
		case 1:
			return s.In(key, pruning.From(vs[0]))
		}
		return s.In(key, pruning.Points(typ, vs))
	}
	d, e := drawDiagram(t, s, axes, depth-1), drawDiagram(t, s, axes, depth-1)
	switch rapid.IntRange(0, 3).Draw(t, "operator") {
	case 0:
		return d.And(e)
	case 1:
		return d.Or(e)
	case 2:
		return d.Xor(e)
	}
	return d.Not()
}

// keys names keys k0, k1, … of types.
func keys(types ...pruning.Type) []pruning.Key {
	var ks []pruning.Key
	for i, t := range types {
		ks = append(ks, pruning.Key{Name: fmt.Sprintf("k%d", i), Type: t})
	}
	return ks
}

// varying is a level whose axis depends on the branch above.
type varying struct {
	key  int
	axes []Axis
}

func (v varying) Keys() []int { return []int{v.key} }
func (v varying) Fixed() bool { return false }
func (v varying) Axis(_ context.Context, at *Place) (Axis, error) {
	i := 0
	if v.key > 0 {
		i = int(at.Index[v.key-1])
	}
	return v.axes[i%len(v.axes)], nil
}

// drawn is a random layout: one level a key.
type drawn struct {
	layout  *Layout
	axes    []Axis // one of each level
	diagram pruning.Diagram
	check   Check
}

func drawLayout(t *rapid.T) *drawn {
	d := &drawn{layout: &Layout{}}
	var parts, columns []string
	for key := range rapid.IntRange(1, 3).Draw(t, "levels") {
		a, typ := drawAxis(t, key)
		if rapid.IntRange(0, 4).Draw(t, "escaped") == 0 {
			a = Escape(a)
		}
		d.axes = append(d.axes, a)
		d.layout.Keys = append(d.layout.Keys, pruning.Key{Name: fmt.Sprintf("k%d", key), Type: typ})
		if rapid.IntRange(0, 4).Draw(t, "varies") == 0 {
			axes := []Axis{a}
			for range 5 {
				if b, other := drawAxis(t, key); other == typ {
					axes = append(axes, b)
				}
			}
			d.layout.Levels = append(d.layout.Levels, varying{key, axes})
		} else {
			d.layout.Levels = append(d.layout.Levels, Fixed(key, a))
		}
		columns = append(columns, fmt.Sprintf("k%d", key))
		parts = append(parts, rapid.SampledFrom([]string{"", "/", "x=", "//"}).Draw(t, "literal")+"${"+columns[key]+"}")
	}
	end := rapid.SampledFrom([]string{"", "/${k0}", "-"}).Draw(t, "end")
	if rapid.Bool().Draw(t, "location") {
		tpl, errs := ParseLocation(strings.Join(rapid.Permutation(parts).Draw(t, "parts"), "") + end)
		if errs != nil {
			t.Fatal(errs)
		}
		d.layout.Template = tpl.Ordered(columns).Folder()
	} else {
		tpl, errs := ParseTemplate(strings.Join(parts, "") + end)
		if errs != nil {
			t.Fatal(errs)
		}
		d.layout.Template = tpl.Under("base/")
	}
	s := pruning.NewSpace(d.layout.Keys, 0)
	d.diagram = drawDiagram(t, s, d.axes, 3)
	if rapid.Bool().Draw(t, "checked") {
		seed := rapid.Uint64().Draw(t, "seed")
		d.check = Check{Depths: rapid.Uint64Range(0, 7).Draw(t, "depths"), At: func(at *Place, known int) pruning.Outcomes {
			h := seed
			for _, i := range at.Index[:known] {
				h = (h ^ i) * 0x9E3779B97F4A7C15
			}
			return pruning.Outcomes(h >> 61)
		}}
	}
	return d
}

// unit is what a walk must yield.
type unit struct {
	Index    []uint64
	Path     string
	Outcomes pruning.Outcomes
}

// all lists the units of a layout by trying every branch.
func (d *drawn) all() (units []unit, checks int64) {
	at := &Place{make([]Axis, len(d.layout.Levels)), make([]uint64, len(d.layout.Levels))}
	var down func(l int, left pruning.Diagram, o pruning.Outcomes, live bool)
	down = func(l int, left pruning.Diagram, o pruning.Outcomes, live bool) {
		if !left.Outcomes().MayBeTrue() {
			return
		}
		if l == len(at.Index) {
			if live {
				units = append(units, unit{slices.Clone(at.Index), string(d.layout.Template.AppendPath(nil, at)), o & left.Outcomes()})
			}
			return
		}
		at.Axes[l], _ = d.layout.Levels[l].Axis(context.Background(), at)
		last, ok := at.Axes[l].Last()
		if !ok {
			return
		}
		for i := range last + 1 {
			at.Index[l] = i
			v, _, _ := at.Axes[l].Value(i)
			below, rest, lives := o, left.At(l, v), live
			if d.check.after(l) && rest.Outcomes().MayBeTrue() {
				checks++
				below &= d.check.At(at, l+1)
				lives = live && below.MayBeTrue()
			}
			down(l+1, rest, below, lives)
		}
	}
	down(0, d.diagram, pruning.Unknown, true)
	return units, checks
}
