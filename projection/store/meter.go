package store

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
)

// Page is how many entries one LIST request gives (Amazon S3 API reference, ListObjectsV2).
const Page = 1000

// Meter counts what listings cost: all those whose context comes from [Meter.Context]. Recorded listings and file trees
// count as a store would that tells 1,000 entries a request. Meters are for several goroutines, and may be read while
// listings are under way.
type Meter struct {
	Limit int64 // listings end with a [LimitError] when they need more requests; 0: there is no limit

	requests, entries, bytes, reads atomic.Int64
}

// Requests is the number of LIST requests so far.
func (m *Meter) Requests() int64 { return m.requests.Load() }

// Entries is the number of objects and directories told so far.
func (m *Meter) Entries() int64 { return m.entries.Load() }

// Bytes is the size of all objects told so far, of those whose size is known.
func (m *Meter) Bytes() int64 { return m.bytes.Load() }

// Reads is the number of ranges of objects that were read.
func (m *Meter) Reads() int64 { return m.reads.Load() }

// LimitError ends a listing that needs more requests than its [Meter] allows.
type LimitError struct{ Limit int64 }

func (e *LimitError) Error() string {
	return fmt.Sprintf("it takes more than %d LIST requests", e.Limit)
}

// Hint says how to list less.
func (e *LimitError) Hint() string {
	return "add conditions on partition columns, so that fewer directories have to be listed"
}

// metered are the meters of a context, the innermost first.
type metered struct {
	*Meter
	outer *metered
}

type meteredKey struct{}

func metersOf(ctx context.Context) *metered {
	m, _ := ctx.Value(meteredKey{}).(*metered)
	return m
}

// Context has m count the listings made with it, beside the meters that count those of ctx.
func (m *Meter) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, meteredKey{}, &metered{m, metersOf(ctx)})
}

// Request counts a LIST request in the meters of ctx. A [Lister] calls it before each, and ends with the error if there
// is one.
func Request(ctx context.Context) error {
	var err error
	for m := metersOf(ctx); m != nil; m = m.outer {
		if n := m.requests.Add(1); m.Limit > 0 && n > m.Limit {
			m.requests.Add(-1) // it isn't made
			err = cmp.Or(err, error(&LimitError{m.Limit}))
		}
	}
	return err
}

// Told counts entries, and the bytes of those whose size is known, in the meters of ctx. A [Lister] calls it after each
// request.
func Told(ctx context.Context, entries, bytes int64) {
	for m := metersOf(ctx); m != nil; m = m.outer {
		m.entries.Add(entries)
		m.bytes.Add(bytes)
	}
}

// pager counts the requests that a listing without pages would take.
type pager struct {
	ctx            context.Context
	entries, bytes int64 // since the last request
}

// begin counts the request that every listing takes.
func (p *pager) begin() error { return Request(p.ctx) }

// add counts an entry.
func (p *pager) add(size int64) error {
	if p.entries == Page {
		p.flush()
		if err := Request(p.ctx); err != nil {
			return err
		}
	}
	p.tell(size)
	return nil
}

// tell counts an entry that takes no request.
func (p *pager) tell(size int64) {
	p.entries++
	p.bytes += max(0, size)
}

// flush tells the meters what the last request gave.
func (p *pager) flush() {
	Told(p.ctx, p.entries, p.bytes)
	p.entries, p.bytes = 0, 0
}
