package store

import (
	"context"
	"iter"
	"slices"
	"sort"
	"strings"
)

// Keys is a recorded listing: the keys of all objects, in byte order. It is never changed once made.
//
// Keys that end in "/" are directory markers: they make a directory exist but aren't objects, so they are never told
// as such. Sizes and times aren't known.
type Keys struct{ keys []string }

// NewKeys makes a listing of keys, which may come in any order and repeated. It takes the slice over.
func NewKeys(keys []string) *Keys {
	if !slices.IsSorted(keys) {
		slices.Sort(keys)
	}
	return &Keys{keys: slices.Compact(keys)}
}

// Len is the number of keys, markers included.
func (k *Keys) Len() int { return len(k.keys) }

// List yields what lies directly below prefix, or every object below it. A directory costs one binary search, however
// many objects it holds.
func (k *Keys) List(ctx context.Context, prefix string, deep bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		rest := k.keys[sort.SearchStrings(k.keys, prefix):]
		count := pager{ctx: ctx}
		defer count.flush()
		err := count.begin()
		for err == nil && len(rest) > 0 && strings.HasPrefix(rest[0], prefix) {
			if err = ctx.Err(); err != nil {
				break
			}
			key := rest[0]
			below := key[len(prefix):]
			slash := strings.IndexByte(below, '/')
			switch {
			case (below == "" || deep) && (key == "" || strings.HasSuffix(key, "/")):
				rest = rest[1:] // a marker
				continue
			case deep || slash < 0:
				rest = rest[1:]
			default:
				key = key[:len(prefix)+slash+1]
				rest = after(rest, key)
			}
			if err = count.add(-1); err == nil && !yield(Entry{Key: key, Size: -1}, nil) {
				return
			}
		}
		if err != nil {
			yield(Entry{}, listError(prefix, err))
		}
	}
}

// after is the part of sorted keys behind all those that begin with dir. It gallops, so that walking over many small
// directories doesn't search the whole list for each.
func after(keys []string, dir string) []string {
	step := 1
	for step < len(keys) && strings.HasPrefix(keys[step], dir) {
		step *= 2
	}
	lo := step / 2
	hi := min(step, len(keys))
	return keys[lo+sort.Search(hi-lo, func(i int) bool { return !strings.HasPrefix(keys[lo+i], dir) }):]
}
