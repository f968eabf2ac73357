package projection

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

func mustTemplate(t tester, text, base string) *Template {
	t.Helper()
	tpl, errs := ParseTemplate(text)
	if errs != nil {
		t.Fatal(errs)
	}
	return tpl.Under(base)
}

func ints(key int, lo, hi int64, step uint64, width int) *Integer {
	return NewInteger(key, pruning.Type{Kind: pruning.Int64}, lo, hi, step, width)
}

func TestCollide(t *testing.T) {
	enum := func(words ...string) Axis { return NewEnum(0, nil, words) }
	all := ints(0, math.MinInt64, math.MaxInt64, 1, 0)
	id, day := ints(0, 1, 1e18, 1, 0), ints(0, 1, 31, 1, 0)
	for _, c := range []struct {
		template string
		axes     []Axis
		want     string // what Describe says; empty: no clash; ?: undecided
	}{
		{"${a}${b}", []Axis{ints(0, 1, 11, 1, 0), ints(1, 1, 11, 1, 0)}, "a=1 b=11 and a=11 b=1 both give 111/"},
		{"${a}${b}", []Axis{ints(0, 9, 11, 1, 2), ints(1, 9, 10, 1, 2)}, ""},
		{"${a}${b}", []Axis{id, day}, "a=1 b=11 and a=11 b=1 both give 111/"},
		{"${a}${b}", []Axis{id, ints(1, 1, 31, 1, 2)}, ""},
		{"${a}/${b}", []Axis{id, day}, ""},
		{"${a}x${b}/${c}", []Axis{id, day, enum("x", "y")}, ""},
		{"${a}-${b}", []Axis{all, all}, ""},
		{"${a}${b}", []Axis{all, enum("-1", "")}, ""}, // "1-1" is b=-1; "-1" may be either
		{"${a}-${b}", []Axis{enum("x", "x-y"), enum("z", "y-z")}, "a=x b=y-z and a=x-y b=z both give x-y-z/"},
		{"${a}${b}", []Axis{enum("00,0", "00,"), enum("0,00", "00,00")}, "a=00,0 b=0,00 and a=00, b=00,00 both give 00,00,00/"},
		{"${a}", []Axis{enum("A", "B", "A")}, "a=A and a=A both give A/"},
		{"${b}/${a}", []Axis{day, enum("A", "B", "A")}, "b=1 a=A and b=1 a=A both give 1/A/"},
		{"${a}/x", []Axis{enum("a", "a/", "b")}, "a=a and a=a/ both give a/x/"},
		{"${a}/${b}", []Axis{enum("a", "a/b"), enum("c", "b/c")}, "a=a b=b/c and a=a/b b=c both give a/b/c/"},
		{"${a}/${b}", []Axis{enum("", "a"), enum("", "a")}, "a= b=a and a=a b= both give a/"},
		{"${a}/${b}/all-${a}", []Axis{enum("x/y", "x"), enum("z", "y/z")}, ""},
		{"${a}${b}-${a}", []Axis{id, id}, ""},
		{"${a}${b}${a}", []Axis{ints(0, 1, 11, 10, 0), ints(1, 1, 111, 10, 0)}, "a=1 b=111 and a=11 b=1 both give 11111/"},
		{"${a}${b}${a}", []Axis{id, id}, "?"},
		{"${a}${b}", []Axis{ints(0, 0, 1e18, 1e3, 0), ints(1, 0, 999, 1, 0)}, ""},
		{"${a}${b}", []Axis{ints(0, 0, 1e18, 1e3, 0), ints(1, 0, 9999, 1, 0)}, ""},
	} {
		tpl := mustTemplate(t, c.template, "")
		clash, decided := Collide(tpl, c.axes)
		got := ""
		switch {
		case clash != nil:
			got = clash.Describe(tpl, c.axes)
		case !decided:
			got = "?"
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.template, got, c.want)
		}
	}
}

// TestCollideIsRight compares each of the ways to decide with all paths of small axes.
func TestCollideIsRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var axes []Axis
		text := rapid.SampledFrom([]string{"", "a", "1", "/"}).Draw(t, "begin")
		for l := range rapid.IntRange(1, 3).Draw(t, "levels") {
			if rapid.Bool().Draw(t, "enum") {
				words := rapid.SliceOfN(rapid.StringMatching(`[1a/]{0,3}`), 1, 4).Draw(t, "words")
				axes = append(axes, NewEnum(l, nil, words))
			} else {
				lo := rapid.Int64Range(-12, 101).Draw(t, "lo")
				axes = append(axes, ints(l, lo, lo+rapid.Int64Range(0, 30).Draw(t, "size"),
					rapid.Uint64Range(1, 11).Draw(t, "step"), rapid.IntRange(0, 3).Draw(t, "width")))
			}
			text += fmt.Sprintf("${c%d}", l) + rapid.SampledFrom([]string{"", "", "a", "-", "1", "/"}).Draw(t, "literal")
		}
		repeats := rapid.IntRange(0, 4).Draw(t, "repeat") == 0
		if repeats {
			text += "${c0}"
		}
		tpl, _ := ParseTemplate(text)
		if rapid.Bool().Draw(t, "tidy") {
			tpl = tpl.Under("")
		}
		want, sure := listPaths(tpl, axes)
		if !sure {
			t.Fatal("too many paths")
		}
		check := func(how string, got *Clash) {
			if (got == nil) != (want == nil) {
				t.Fatalf("%s of %s: %v, want %v", how, text, got, want)
			}
			if got != nil {
				path := string(tpl.AppendPath(nil, &Place{axes, got.A}))
				if path != got.Path || path != string(tpl.AppendPath(nil, &Place{axes, got.B})) || slices.Equal(got.A, got.B) {
					t.Fatalf("%s of %s: not a clash: %v", how, text, got)
				}
			}
		}
		got, decided := Collide(tpl, axes)
		if !decided {
			t.Fatal("undecided")
		}
		check("Collide", got)
		var shapes []Shape
		for _, a := range axes {
			if _, _, found, _ := twins(a); found {
				return
			}
			shapes = append(shapes, shapeOf(a))
		}
		if apart(tpl, shapes) {
			check("apart", nil)
		}
		s, ok := newSearch(tpl, axes)
		if !ok {
			t.Fatal("no search")
		}
		if got, decided := s.run(); decided {
			check("search", got)
		} else if !repeats {
			t.Fatal("search is undecided")
		}
	})
}

// TestShape checks what axes say of their texts.
func TestShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Texts
		if rapid.Bool().Draw(t, "enum") {
			a, _ = drawEnum(t, 0)
		} else {
			a, _ = drawInteger(t, 0)
		}
		shape, got := a.Shape(), Shape{Min: maxLength, Plain: true}
		last, _ := a.Last()
		for i := range last + 1 {
			text := a.AppendName(nil, i)
			if j, ok := a.Find(string(text)); !ok || j != i {
				t.Fatalf("%q is branch %d, found %d, %v", text, i, j, ok)
			}
			got.Min, got.Max = min(got.Min, len(text)), max(got.Max, len(text))
			for _, c := range text {
				got.Bytes.Add(c)
			}
			joined := tidyPath(append([]byte("x/"), append(slices.Clone(text), "/x"...)...), 0)
			got.Plain = got.Plain && string(joined) == "x/"+string(text)+"/x"
		}
		all := shape.Bytes
		all.Union(got.Bytes)
		if shape.Min > got.Min || shape.Max < got.Max || all != shape.Bytes || shape.Plain && !got.Plain {
			t.Fatalf("shape %v, but texts have %v", shape, got)
		}
	})
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"${a}/${b}", `my\$folder/${a}`, "${", "${}", `\`, `\x`, "\\\x8e", "//${a}//", "$${a}}", "a}{$"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tpl, errs := ParseTemplate(text)
		for _, e := range append(errs, tpl.Check([]string{"a"})...) {
			if e.From < 0 || e.To > len(text) || e.From > e.To || e.Code == "" || e.Msg == "" || e.Hint == "" {
				t.Fatalf("%q: bad finding %+v", text, e)
			}
		}
		if errs != nil {
			return
		}
		again, errs := ParseTemplate(tpl.String())
		if errs != nil || again.String() != tpl.String() || !slices.Equal(again.columns, tpl.columns) {
			t.Fatalf("%q prints as %q, which is read as %q, %v", text, tpl, again, errs)
		}
		under := tpl.Under("/base//")
		at := &Place{}
		for range under.columns {
			at.Axes, at.Index = append(at.Axes, NewEnum(0, nil, []string{"/v/"})), append(at.Index, 0)
		}
		path := under.AppendPath(nil, at)
		if tidy := tidyPath(slices.Clone(path), 0); string(tidy) != string(path) || path[len(path)-1] != '/' {
			t.Fatalf("%q gives path %q", text, path)
		}
	})
}
