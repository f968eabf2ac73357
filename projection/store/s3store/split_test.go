package s3store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/projection/store"
)

// shapes are trees of n objects each, in byte order.
func shapes(n int) map[string][]string {
	out := map[string][]string{
		"one directory":     numbered("t/%06d", n),
		"many directories":  numbered("t/%06d/f", n),
		"a deep one":        numbered("a/b/c/d/%06d", n),
		"two levels":        nil,
		"one large of many": numbered("t/d=0500/%06d", n/2),
	}
	for i := range n {
		out["two levels"] = append(out["two levels"], fmt.Sprintf("lake/t/y=%04d/m=%02d/%06d", i*7/n, i%12, i))
	}
	for i := range n / 2 {
		out["one large of many"] = append(out["one large of many"], fmt.Sprintf("t/d=%04d/f", i*1000/n))
	}
	for _, keys := range out {
		slices.Sort(keys)
	}
	return out
}

// TestSplit compares long listings with the keys that there are, counts their requests, and sees that several are under
// way at once.
func TestSplit(t *testing.T) {
	keysInEnvironment(t)
	for name, keys := range shapes(2000) {
		var now, most atomic.Int64
		v := &server{keys: slices.Compact(keys)}
		v.before = func(w http.ResponseWriter, r *http.Request) bool {
			for n, old := now.Add(1), most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(time.Millisecond)
			now.Add(-1)
			return false
		}
		s := open(t, Options{Endpoint: start(t, v), PageSize: 20, Requests: 8})
		got, err := collect(s, "", true)
		if err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(v.keys, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		pages := int64(len(v.keys)+19) / 20
		if v.requests.Load() > 2*pages+10 {
			t.Errorf("%s: %d requests for %d pages", name, v.requests.Load(), pages)
		}
		if most.Load() < 4 || most.Load() > 8 {
			t.Errorf("%s: %d requests at once", name, most.Load())
		}
		if len(s.spare) != 0 || len(s.slots) != 0 {
			t.Errorf("%s: %d stretches and %d requests are still counted", name, len(s.spare), len(s.slots))
		}
	}
}

// TestSplitAgainstKeys is TestSplit with random trees and surprises.
func TestSplitAgainstKeys(t *testing.T) {
	keysInEnvironment(t)
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab/]{1,4}[a-e0./]{1,3}`), 20, 120, rapid.ID).Draw(t, "keys")
		slices.Sort(keys)
		v := &server{
			keys: keys, repeat: rapid.Bool().Draw(t, "directory twice"), emptyLast: rapid.Bool().Draw(t, "empty last page"),
			ignore: rapid.Bool().Draw(t, "no start"), unsorted: rapid.Bool().Draw(t, "upside down"),
		}
		s := open(t, Options{Endpoint: start(t, v), PageSize: int32(rapid.IntRange(1, 3).Draw(t, "page")), Requests: rapid.IntRange(1, 6).Draw(t, "requests")})
		prefix := rapid.StringMatching(`[ab/]{0,2}`).Draw(t, "prefix")
		got, err := collect(s, prefix, true)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := collect(store.NewKeys(slices.Clone(keys)), prefix, true)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestSplitStops leaves a long listing in the middle, by its reader, its context and an error. Nothing must be left
// running, which TestMain checks, and an error must come where the keys end.
func TestSplitStops(t *testing.T) {
	keysInEnvironment(t)
	keys := shapes(2000)["two levels"]
	for take := 50; take < 2000; take += 450 {
		v := &server{keys: keys}
		s := open(t, Options{Endpoint: start(t, v), PageSize: 20, Requests: 8})
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		var got error
		for e, err := range s.List(ctx, "", true) {
			if got = err; err != nil {
				break
			}
			if e.Key != keys[n] {
				t.Errorf("key %d is %q", n, e.Key)
			}
			if n++; n == take {
				cancel()
			}
		}
		cancel()
		if whole := n == len(keys) && got == nil && take > 500; !whole && !errors.Is(got, context.Canceled) { // it may all have been read ahead
			t.Errorf("cancelled after %d keys: %d of %d, %v", take, n, len(keys), got)
		}
		n = 0
		for range s.List(context.Background(), "", true) {
			if n++; n == take {
				break
			}
		}
		bad := keys[take]
		broken := &server{keys: keys, before: func(w http.ResponseWriter, r *http.Request) bool {
			q := r.URL.Query()
			return max(q.Get("continuation-token"), q.Get("start-after")) > bad && say(403, "AccessDenied")(w, r)
		}}
		s = open(t, Options{Endpoint: start(t, broken), PageSize: 20, Requests: 8})
		told, err := collect(s, "", true)
		if err == nil || !strings.Contains(err.Error(), "access denied") || !slices.Equal(told, keys[:len(told)]) || len(told) < take {
			t.Errorf("%d keys, then %v", len(told), err)
		}
		if len(s.spare) != 0 || len(s.slots) != 0 {
			t.Errorf("%d stretches and %d requests are still counted", len(s.spare), len(s.slots))
		}
	}
}

// TestNoStart lists a server that ignores where listings are to start: they aren't split then.
func TestNoStart(t *testing.T) {
	keysInEnvironment(t)
	v := &server{keys: shapes(1000)["two levels"], ignore: true}
	s := open(t, Options{Endpoint: start(t, v), PageSize: 20})
	for _, want := range []int64{51, 50} {
		v.requests.Store(0)
		got, err := collect(s, "", true)
		if err != nil || !slices.Equal(got, v.keys) || v.requests.Load() != want {
			t.Errorf("%d keys by %d requests, %v", len(got), v.requests.Load(), err)
		}
	}
}

// BenchmarkLongListing lists 200 pages of a server that takes 30 ms for each.
func BenchmarkLongListing(b *testing.B) {
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": testID, "AWS_SECRET_ACCESS_KEY": testSecret, "AWS_EC2_METADATA_DISABLED": "true"} {
		b.Setenv(name, value)
	}
	v := &server{keys: shapes(10_000)["two levels"]}
	v.before = func(http.ResponseWriter, *http.Request) bool {
		time.Sleep(30 * time.Millisecond)
		return false
	}
	for _, requests := range []int{1, 32} {
		b.Run(fmt.Sprintf("requests=%d", requests), func(b *testing.B) {
			s := open(b, Options{Endpoint: start(b, v), PageSize: 50, Requests: requests})
			for b.Loop() {
				if keys, err := collect(s, "", true); err != nil || len(keys) != len(v.keys) {
					b.Fatal(len(keys), err)
				}
			}
		})
	}
}
