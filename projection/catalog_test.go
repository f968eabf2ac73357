package projection

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

// TestCatalogued compares walks over random partitions with trying each of them.
func TestCatalogued(t *testing.T) {
	text, number := pruning.Type{Kind: pruning.String}, pruning.Type{Kind: pruning.Int32}
	ks := keys(text, number, text)
	rapid.Check(t, func(t *rapid.T) {
		axes := []Axis{NewEnum(0, nil, []string{"a", "b", "c"}), ints(1, -1, 2, 1, 0), NewEnum(2, nil, []string{"x", "y"})}
		ks := ks[:rapid.IntRange(1, 3).Draw(t, "keys")]
		ps := make([]Partition, rapid.IntRange(0, 12).Draw(t, "partitions"))
		for i := range ps {
			for k := range ks {
				last, _ := axes[k].Last()
				v, _, _ := axes[k].Value(rapid.Uint64Range(0, last).Draw(t, "value"))
				null := rapid.IntRange(0, 5).Draw(t, "null") == 0
				if null {
					v = pruning.Value{}
				}
				ps[i].Values = append(ps[i].Values, pruning.Nullable{Value: v, Null: null})
			}
			ps[i].Path = fmt.Sprintf("p%d/", i)
		}
		s := pruning.NewSpace(ks, 0)
		d := drawDiagram(t, s, axes[:len(ks)], 3)
		want := map[string]bool{}
		for _, p := range ps {
			if along(d, 0, p.Values).Outcomes().MayBeTrue() {
				want[p.Path] = true
			}
		}
		l := Catalogued("test", ks, ps)
		n := 0
		var before []pruning.Nullable
		for u, err := range Walk(t.Context(), l, d, Check{}) {
			if err != nil {
				t.Fatal(err)
			}
			path := string(u.AppendPath(nil))
			if !want[path] {
				t.Fatalf("%s is not wanted", path)
			}
			var values []pruning.Nullable
			for k := range ks {
				v, null, ok := u.Value(k)
				if !ok {
					t.Fatalf("%s: key %d isn't known", path, k)
				}
				values = append(values, pruning.Nullable{Value: v, Null: null})
			}
			for k := range min(len(before), len(values)) {
				if c := compareNullable(before[k], values[k]); c > 0 {
					t.Fatalf("%s isn't in order", path)
				} else if c < 0 {
					break
				}
			}
			before, n = values, n+1
		}
		if n != len(want) {
			t.Fatalf("%d partitions, want %d", n, len(want))
		}
		if l.Total.Int64() != int64(len(ps)) {
			t.Fatalf("total %s, want %d", l.Total, len(ps))
		}
	})
}

func TestCataloguedNames(t *testing.T) {
	ks := keys(pruning.Type{Kind: pruning.Int32}, pruning.Type{Kind: pruning.String})
	one := func(n int64, s, path string) Partition {
		return Partition{[]pruning.Nullable{{Value: pruning.Int(n)}, {Value: pruning.Text(s)}}, path}
	}
	l := Catalogued("test", ks, []Partition{one(10, "b", "s3://x/2"), one(9, "z", "s3://y/"), one(10, "a", "s3://x/1/")})
	var got []string
	for u, err := range Walk(t.Context(), l, pruning.NewSpace(ks, 0).Const(pruning.True), Check{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(u.AppendPath(nil)))
	}
	if got := strings.Join(got, " "); got != "s3://y/ s3://x/1/ s3://x/2" {
		t.Error(got)
	}
}
