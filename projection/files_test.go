package projection

import (
	"slices"
	"testing"

	"github.com/yqlplan/yqlplan/pruning"
)

func TestFilesLayout(t *testing.T) {
	integer := pruning.Type{Kind: pruning.Int64}
	keys := []pruning.Key{{Name: "y", Type: integer}, {Name: "m", Type: integer}}
	known := func(n int64) KeyValue { return KeyValue{Value: pruning.Int(n)} }
	l := FilesLayout("test", keys, []File{
		{Path: "y=2/m=1/b", Values: []KeyValue{known(2), known(1)}},
		{Path: "m=1/y=2/a", Values: []KeyValue{known(2), known(1)}},
		{Path: "y=1/m=NULL/c", Values: []KeyValue{known(1), {Null: true}}},
		{Path: "y=x/m=1/d", Values: []KeyValue{{Unknown: true}, known(1)}},
		{Path: "y=1/m=3/e", Values: []KeyValue{known(1), known(3)}},
	})
	sp := pruning.NewSpace(keys, 0)
	is := func(key int, n int64) pruning.Diagram { return sp.In(key, pruning.Point(integer, pruning.Int(n))) }
	for _, c := range []struct {
		where pruning.Diagram
		want  []string
	}{
		{sp.Const(pruning.True), []string{"y=1/m=3/e", "y=1/m=NULL/c", "y=2/m=1/b", "m=1/y=2/a", "y=x/m=1/d"}},
		{is(1, 1), []string{"y=2/m=1/b", "m=1/y=2/a", "y=x/m=1/d"}},
		{is(0, 1), []string{"y=1/m=3/e", "y=1/m=NULL/c", "y=x/m=1/d"}},
		{is(1, 1).Is(pruning.Null), []string{"y=1/m=NULL/c"}},
		{is(0, 3).And(is(1, 2)), nil},
	} {
		var got []string
		for u, err := range Walk(t.Context(), l, c.where, Check{}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(u.AppendPath(nil)))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.where, got, c.want)
		}
	}
}
