package store

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode"
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

// ReadKeys reads a recorded listing: one key a line, or, when the first character is "[", a JSON array of strings.
// Empty lines are skipped.
func ReadKeys(r io.Reader) (*Keys, error) {
	text := new(strings.Builder)
	if _, err := io.Copy(text, bufio.NewReader(r)); err != nil {
		return nil, err
	}
	s := strings.TrimPrefix(text.String(), "\ufeff")
	if strings.HasPrefix(strings.TrimLeftFunc(s, unicode.IsSpace), "[") {
		var keys []string
		if err := json.Unmarshal([]byte(s), &keys); err != nil {
			return nil, fmt.Errorf("not a JSON array of strings: %w", err)
		}
		return NewKeys(keys), nil
	}
	keys := make([]string, 0, strings.Count(s, "\n")+1)
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			keys = append(keys, line)
		}
	}
	return NewKeys(keys), nil
}

// Len is the number of keys, markers included.
func (k *Keys) Len() int { return len(k.keys) }

// List yields what lies directly below prefix, or every object below it. A directory costs one binary search, however
// many objects it holds.
func (k *Keys) List(ctx context.Context, prefix string, deep bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		rest := k.keys[sort.SearchStrings(k.keys, prefix):]
		for len(rest) > 0 && strings.HasPrefix(rest[0], prefix) {
			if err := ctx.Err(); err != nil {
				yield(Entry{}, listError(prefix, err))
				return
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
			if !yield(Entry{Key: key, Size: -1}, nil) {
				return
			}
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

func listError(prefix string, err error) error { return fmt.Errorf("listing %q: %w", prefix, err) }
