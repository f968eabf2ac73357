package projection

import (
	"testing"

	"pgregory.net/rapid"
)

func TestEscapeName(t *testing.T) {
	for _, c := range []struct{ text, name string }{
		{"", NullName},
		{"plain-1_2.x", "plain-1_2.x"},
		{"a/b", "a%2Fb"},
		{"us:dev", "us%3Adev"},
		{"a b@$}+&é", "a b@$}+&é"},
		{"\"#%'*/:=?\\{[]^", "%22%23%25%27%2A%2F%3A%3D%3F%5C%7B%5B%5D%5E"},
		{"\x00\x1f\x7f", "%00%1F%7F"},
	} {
		if got := EscapeName(c.text); got != c.name {
			t.Errorf("%q: %s, want %s", c.text, got, c.name)
		}
		if got := UnescapeName(c.name); got != c.text && c.text != "" {
			t.Errorf("%s: %q, want %q", c.name, got, c.text)
		}
	}
	for _, c := range []struct{ name, text string }{{"%3a", ":"}, {"%", "%"}, {"%4", "%4"}, {"%zz%41", "%zzA"}} {
		if got := UnescapeName(c.name); got != c.text {
			t.Errorf("%s: %q, want %q", c.name, got, c.text)
		}
	}
}

// TestEscape compares an escaped axis with its texts, escaped one by one.
func TestEscape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner, _ := drawAxis(t, 0)
		if rapid.Bool().Draw(t, "words") {
			words := rapid.SliceOfNDistinct(rapid.OneOf(rapid.StringMatching(`[a:%3]{0,3}`), rapid.Just(NullName)), 1, 8, rapid.ID[string]).Draw(t, "texts")
			inner = NewEnum(0, nil, words)
		}
		a := Escape(inner)
		shape, first := shapeOf(a), map[string]uint64{}
		last, _ := a.Last()
		twice := false
		for i := range last + 1 {
			name := string(a.AppendName([]byte("x"), i))[1:]
			if want := EscapeName(string(inner.AppendName(nil, i))); name != want {
				t.Fatalf("branch %d is %s, want %s", i, name, want)
			}
			if len(name) < shape.Min || len(name) > shape.Max {
				t.Fatalf("%s is not %d to %d bytes long", name, shape.Min, shape.Max)
			}
			for k := range len(name) {
				if !shape.Bytes.Has(name[k]) {
					t.Fatalf("%s has the byte %q", name, name[k])
				}
			}
			if _, seen := first[name]; seen {
				twice = true
			} else {
				first[name] = i
			}
		}
		if _, _, found, decided := twins(a); decided && found != twice || found && !twice {
			t.Fatalf("twins %v, %v; want %v", found, decided, twice)
		}
		if x, ok := a.(*escaped); ok {
			for name := range first {
				i, ok := x.Find(name)
				if !ok || string(a.AppendName(nil, i)) != name {
					t.Fatalf("%s is found at %d, %v", name, i, ok)
				}
			}
			if _, ok := x.Find("%a"); ok && first["%a"] == 0 {
				t.Fatal("%a is found")
			}
		}
	})
}
