package store

import (
	"context"
	"fmt"
	"iter"
	"strings"
)

// Rooted is a Lister that also takes prefixes as URIs, as tables of Athena name their places, and tells keys likewise.
// Other prefixes it hands on as they are.
type Rooted struct {
	Lister
	Root string // the URI that stands before the keys of Lister: "s3://bucket/prefix/"
}

// Tree implements [Tree].
func (r Rooted) Tree() bool {
	t, ok := r.Lister.(Tree)
	return ok && t.Tree()
}

// List yields what lies directly below prefix, or every object below it. A URI outside of Root is an error: nothing is known
// of what lies there.
func (r Rooted) List(ctx context.Context, prefix string, deep bool) iter.Seq2[Entry, error] {
	inner, below := strings.CutPrefix(prefix, r.Root)
	switch {
	case below:
		return r.list(ctx, inner, deep)
	case !strings.Contains(prefix, "://"):
		return r.Lister.List(ctx, prefix, deep)
	}
	return func(yield func(Entry, error) bool) { yield(Entry{}, &OutsideError{prefix, r.Root}) }
}

func (r Rooted) list(ctx context.Context, prefix string, deep bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for e, err := range r.Lister.List(ctx, prefix, deep) {
			if err == nil {
				e.Key = r.Root + e.Key
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// OutsideError is a listing of what isn't in the store.
type OutsideError struct{ Prefix, Root string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s isn't in the store %s", e.Prefix, e.Root)
}

// Hint says how to list there.
func (e *OutsideError) Hint() string { return "give the bucket of the table with --store" }
