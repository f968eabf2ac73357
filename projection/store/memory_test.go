package store

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestMemory: what is remembered is what there is, however much of it was asked for before, and takes no requests.
func TestMemory(t *testing.T) {
	keys := NewKeys([]string{"a/1", "a/2", "a/b/1", "a/b/2", "a/c/d/1", "a0", "b/1"})
	rapid.Check(t, func(t *rapid.T) {
		m := &Memory{Lister: keys, Room: rapid.SampledFrom([]int{0, 2, 6, 100}).Draw(t, "room")}
		m.Remember(rapid.Bool().Draw(t, "on"))
		for range rapid.IntRange(1, 6).Draw(t, "listings") {
			prefix, deep := rapid.SampledFrom([]string{"", "a/", "a/b/", "c/"}).Draw(t, "prefix"), rapid.Bool().Draw(t, "deep")
			most := rapid.IntRange(1, 8).Draw(t, "most")
			if got, want := first(m, prefix, deep, most), first(keys, prefix, deep, most); !cmp.Equal(got, want) {
				t.Fatalf("the first %d of List(%q, %t): %s", most, prefix, deep, cmp.Diff(want, got))
			}
		}
	})
}

func first(l Lister, prefix string, deep bool, most int) (keys []string) {
	for e, err := range l.List(context.Background(), prefix, deep) {
		if err != nil {
			return []string{err.Error()}
		}
		if keys = append(keys, e.Key); len(keys) == most {
			break
		}
	}
	return keys
}

func TestMemoryRequests(t *testing.T) {
	var keys []string
	for i := range 2500 {
		keys = append(keys, fmt.Sprintf("a/%04d", i))
	}
	var meter Meter
	ctx := meter.Context(t.Context())
	m := &Memory{Lister: NewKeys(keys), Room: 5000}
	m.Remember(true)
	for i, c := range []struct {
		take     int
		requests int64 // altogether
	}{{1000, 1}, {500, 1}, {3000, 4}, {3000, 4}} {
		n := 0
		for range m.List(ctx, "a/", true) {
			if n++; n == c.take {
				break
			}
		}
		if meter.Requests() != c.requests {
			t.Errorf("listing %d: %d requests, want %d", i, meter.Requests(), c.requests)
		}
	}
	if m.Remember(false); len(first(m, "a/", true, 3000)) != 2500 {
		t.Error("a listing that isn't remembered is cut")
	}
}
