package store

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRooted(t *testing.T) {
	keys := NewKeys([]string{"t/a=1/x", "t/a=2/y", "u/z"})
	for _, c := range []struct {
		prefix string
		deep   bool
		want   string
	}{
		{"s3://b/p/t/", false, "s3://b/p/t/a=1/ s3://b/p/t/a=2/"},
		{"s3://b/p/", true, "s3://b/p/t/a=1/x s3://b/p/t/a=2/y s3://b/p/u/z"},
		{"s3://b/p/none", false, ""},
		{"t/", true, "t/a=1/x t/a=2/y"},
		{"s3://b/", false, "outside"},
		{"s3://c/p/t/", false, "outside"},
	} {
		var got []string
		for e, err := range (Rooted{keys, "s3://b/p/"}).List(t.Context(), c.prefix, c.deep) {
			if outside := (*OutsideError)(nil); errors.As(err, &outside) {
				e.Key = "outside"
			} else if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Key)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.prefix, got, c.want)
		}
	}
	if (Rooted{keys, ""}).Tree() || !(Rooted{FS{fstest.MapFS{}}, ""}).Tree() {
		t.Error("a rooted listing is a tree where the one below is")
	}
}
