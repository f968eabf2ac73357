package projection

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

func TestInjected(t *testing.T) {
	text := pruning.Type{Kind: pruning.String}
	ks := keys(text, pruning.Type{Kind: pruning.Int32})
	l := &Layout{Keys: ks, Source: Injection{Limits{Rows: 4}}, Levels: []Level{NewInjected(0, EscapeName), Fixed(1, ints(1, 1, 3, 1, 0))}, Template: HiveTemplate("b", []string{"k0", "k1"})}
	for _, c := range []struct {
		d, paths string
	}{
		{"k0: 'x' → T", "b/k0=x/k1=1/ b/k0=x/k1=2/ b/k0=x/k1=3/"},
		{"k0: 'b', 'a:' → (k1: 2 → T)", "b/k0=a%3A/k1=2/ b/k0=b/k1=2/"},
		{"k0: 'a' → (k1: 1 → T), 'b' → (k1: 3 → T)", "b/k0=a/k1=1/ b/k0=b/k1=3/"},
		{"k0: '' → (k1: 1 → T)", "b/k0=__HIVE_DEFAULT_PARTITION__/k1=1/"},
		{"k0: null → T", ""},
		{"k1: 1 → F", ""},
		{"k0: ['a','b') → T", "unbound"},
		{"k0: 'a' → T, else → (k1: 2 → T)", "unbound"},
		{"k1: 2 → T", "unbound"},
		{"k0: '1', '2', '3', '4', '5' → T", "unbound"},
	} {
		s := pruning.NewSpace(ks, 0)
		d, err := s.Parse(c.d)
		if err != nil {
			t.Errorf("%s: %v", c.d, err)
			continue
		}
		bound, _, err := l.Source.Find(t.Context(), l, d, Check{})
		var got []string
		if unbound := (*UnboundError)(nil); errors.As(err, &unbound) && slices.Equal(unbound.Keys, []int{0}) {
			got = []string{"unbound"}
		} else {
			for u, err := range Walk(context.Background(), bound, d, Check{}) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(u.AppendPath(nil)))
			}
			if !bound.Open {
				t.Errorf("%s: the layout isn't open", c.d)
			}
		}
		if got := strings.Join(got, " "); got != c.paths {
			t.Errorf("%s: %s, want %s", c.d, got, c.paths)
		}
	}
	if l.Open || l.Levels[0].Fixed() {
		t.Error("the declared layout has changed")
	}
}

// TestInjectedRandom compares with an enum that has all the words that a predicate can name, and more.
func TestInjectedRandom(t *testing.T) {
	text := pruning.Type{Kind: pruning.String}
	ks := keys(text, pruning.Type{Kind: pruning.Int32})
	numbers := ints(1, 1, 3, 1, 0)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab]{0,3}`), 1, 6, rapid.ID[string]).Draw(t, "words")
		s := pruning.NewSpace(ks, 0)
		points := make([]pruning.Value, len(words))
		for i, w := range words {
			points[i] = pruning.Text(w)
		}
		d := drawDiagram(t, s, []Axis{NewEnum(0, nil, words), numbers}, 2).And(s.In(0, pruning.Points(text, points)))
		paths := func(l *Layout) (out []string) {
			for u, err := range Walk(context.Background(), l, d, Check{}) {
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, string(u.AppendPath(nil)))
			}
			return out
		}
		l := &Layout{Keys: ks, Levels: []Level{NewInjected(0, nil), Fixed(1, numbers)}, Template: HiveTemplate("b", []string{"k0", "k1"})}
		bound, _, err := Injection{}.Find(context.Background(), l, d, Check{})
		if err != nil {
			t.Fatal(err)
		}
		all := *l
		all.Levels = []Level{Fixed(0, NewEnum(0, nil, append(sortedWords(words), "c", "d"))), l.Levels[1]}
		if got, want := strings.Join(paths(bound), " "), strings.Join(paths(&all), " "); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

func sortedWords(words []string) []string {
	values := make([]pruning.Value, len(words))
	for i, w := range words {
		values[i] = pruning.Text(w)
	}
	s := newSorted(values)
	out := make([]string, len(words))
	for i, k := range s.order {
		out[i] = words[k]
	}
	return out
}
