package store

import (
	"context"
	"errors"
	"iter"
	"sync"
)

// Memory is a Lister that tells from memory what it has been told before, while it is to remember. So tables that a
// statement reads twice are listed once. It may be used by several goroutines.
type Memory struct {
	Lister
	Room int // entries that are kept at most; what there is no room for is listed each time

	mu   sync.Mutex
	kept map[listed]told // nil: nothing is remembered
	used int
}

// listed is what a listing was asked for.
type listed struct {
	prefix string
	deep   bool
}

// told is what a listing has told; all is false where it was ended early.
type told struct {
	entries []Entry
	all     bool
}

// Remember forgets everything. From now on listings are kept, or none is.
func (m *Memory) Remember(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used, m.kept = 0, nil
	if on {
		m.kept = map[listed]told{}
	}
}

// Tree implements [Tree].
func (m *Memory) Tree() bool {
	t, ok := m.Lister.(Tree)
	return ok && t.Tree()
}

// ReadAt implements [Reader] where Lister is one.
func (m *Memory) ReadAt(ctx context.Context, key string, p []byte, off int64) error {
	r, ok := m.Lister.(Reader)
	if !ok {
		return errors.ErrUnsupported
	}
	return r.ReadAt(ctx, key, p, off)
}

// List yields what lies directly below prefix, or every object below it. What is told from memory takes no requests.
func (m *Memory) List(ctx context.Context, prefix string, deep bool) iter.Seq2[Entry, error] {
	m.mu.Lock()
	known, off := m.kept[listed{prefix, deep}], m.kept == nil
	m.mu.Unlock()
	if off {
		return m.Lister.List(ctx, prefix, deep)
	}
	return func(yield func(Entry, error) bool) {
		count := pager{ctx: ctx}
		for _, e := range known.entries {
			if err := ctx.Err(); err != nil {
				yield(Entry{}, listError(prefix, err))
				return
			}
			count.tell(e.Size)
			if !yield(e, nil) {
				count.flush()
				return
			}
		}
		if count.flush(); !known.all {
			m.list(ctx, listed{prefix, deep}, known.entries, yield)
		}
	}
}

// list asks the Lister, and keeps what it tells. Entries that are known are told already.
func (m *Memory) list(ctx context.Context, what listed, known []Entry, yield func(Entry, error) bool) {
	fresh := told{all: true}
	defer func() { m.keep(what, fresh) }()
	n := 0
	for e, err := range m.Lister.List(ctx, what.prefix, what.deep) {
		if err != nil {
			fresh.all = false
			yield(e, err)
			return
		}
		if n++; n <= m.Room {
			fresh.entries = append(fresh.entries, e)
		}
		if len(known) > 0 && e.Key <= known[len(known)-1].Key {
			continue
		}
		if !yield(e, nil) {
			fresh.all = false
			return
		}
	}
	fresh.all = n <= m.Room
}

// keep keeps a listing if there is room and it is longer than the one that is kept.
func (m *Memory) keep(what listed, t told) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, ok := m.kept[what]
	used := m.used - len(before.entries) + len(t.entries)
	if m.kept == nil || used > m.Room || ok && (before.all || !t.all && len(t.entries) <= len(before.entries)) {
		return
	}
	m.kept[what], m.used = t, used
}
