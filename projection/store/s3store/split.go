package s3store

import (
	"context"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/projection/store"
)

const (
	// longAfter is how many pages a flat listing has before it is split. It is also the most parts that it is split into
	// then, so that it never takes much more than twice the requests.
	longAfter = 4
	// ahead is how many pages of a stretch are kept until it is its turn.
	ahead = 256
)

// read hands the pages over in order, until emit reports that it wants no more. A long flat listing is split between
// directories, and its stretches are read side by side.
func (c *cursor) read(ctx context.Context, emit func([]store.Entry) bool) error {
	for pages, split := 0, longAfter; !c.done; {
		page, err := c.next(ctx)
		if err != nil {
			return err
		}
		count(ctx, page)
		if !emit(page) {
			return nil
		}
		if pages++; pages < split || c.done || !c.deep || !strings.HasPrefix(c.last, c.prefix) {
			continue
		}
		split *= 2
		stretches, err := c.split(ctx)
		if err != nil {
			return err
		}
		if len(stretches) > 0 {
			return c.together(ctx, stretches, emit)
		}
	}
	return nil
}

// count tells the meters of ctx of a page.
func count(ctx context.Context, page []store.Entry) {
	bytes := int64(0)
	for _, e := range page {
		bytes += max(0, e.Size)
	}
	store.Told(ctx, int64(len(page)), bytes)
}

// stretch is a part of a listing that is read ahead.
type stretch struct {
	*cursor
	pages chan []store.Entry
	err   error // once pages is closed
}

// split cuts what is left of a flat listing. The cursor keeps the first part. Any cuts will do; those between
// directories make parts that are about as long.
func (c *cursor) split(ctx context.Context) ([]*stretch, error) {
	room := 0
	for room < longAfter-1 && c.s.take() {
		room++
	}
	var cuts []string
	var err error
	if room > 0 {
		if err = c.try(ctx); err == nil && !c.s.whole.Load() {
			cuts, err = c.cuts(ctx)
		}
	}
	parts := min(room, len(cuts)) + 1
	for range room - (parts - 1) {
		c.s.give()
	}
	out := make([]*stretch, parts-1)
	for i := len(out); i > 0; i-- {
		at := cuts[i*(len(cuts)+1)/parts-1]
		out[i-1] = &stretch{cursor: c.from(at, c.end), pages: make(chan []store.Entry, ahead)}
		c.end = at
	}
	return out, err
}

func (s *Store) take() bool {
	select {
	case s.spare <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *Store) give() { <-s.spare }

// try sees, once for the store, whether the server starts a listing where it is told to.
func (c *cursor) try(ctx context.Context) error {
	if c.s.tried.Load() {
		return nil
	}
	_, err := c.from(c.last, "").next(ctx)
	c.s.tried.Store(err == nil)
	return err
}

// cuts are directories and objects behind the last one: those beside it, or else beside a directory that it is in.
func (c *cursor) cuts(ctx context.Context) ([]string, error) {
	for dir := c.prefix; ; {
		beside := &cursor{s: c.s, prefix: dir, start: c.last, last: c.last, end: c.end}
		page, err := beside.next(ctx)
		if err != nil {
			return nil, err
		}
		if len(page) > 1 {
			cuts := make([]string, len(page))
			for i, e := range page {
				cuts[i] = c.s.Prefix + e.Key
			}
			return cuts, nil
		}
		slash := strings.IndexByte(c.last[len(dir):], '/')
		if slash < 0 {
			return nil, nil
		}
		dir = c.last[:len(dir)+slash+1]
	}
}

// together reads all stretches at once, the cursor's own first, and hands their pages over one stretch after the other.
func (c *cursor) together(ctx context.Context, stretches []*stretch, emit func([]store.Entry) bool) error {
	ctx, stop := context.WithCancel(ctx)
	var wait sync.WaitGroup
	defer wait.Wait()
	defer stop()
	for _, t := range stretches {
		wait.Go(func() {
			defer c.s.give()
			defer close(t.pages)
			t.err = t.read(ctx, func(page []store.Entry) bool {
				select {
				case t.pages <- page:
					return true
				case <-ctx.Done():
					return false
				}
			})
			if t.err == nil {
				t.err = ctx.Err() // it may have ended the stretch
			}
		})
	}
	more := true
	err := c.read(ctx, func(page []store.Entry) bool {
		more = emit(page)
		return more
	})
	if err != nil || !more {
		return err
	}
	for _, t := range stretches {
		for page := range t.pages {
			if !emit(page) {
				return nil
			}
		}
		if t.err != nil {
			return t.err
		}
	}
	return nil
}
