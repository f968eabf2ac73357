package projection

import (
	"context"
	"errors"
	"iter"
	"math/big"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// Find implements [Source]. It descends from directory to directory: one listing for each that is entered, none for one
// in which no row can match. Where a condition leaves a few texts that are certain, their directories are asked for
// without listing the one above. A flat listing, 1,000 objects a request, takes the place of a descent where no
// condition is left, where it is one page, and where it promises fewer requests.
//
// A directory whose text is no value of its column is an error where the other conditions leave an object in it.
func (d *Dirs) Find(ctx context.Context, l *Layout, p pruning.Diagram, c Check) (*Layout, *Listing, error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	f := d.newFinder(c, stop)
	inner = f.meter.Context(inner)
	found, objects := f.none, 0.0
	if p.Outcomes().MayBeTrue() {
		found, objects = f.search(inner, f.start(p))
	}
	switch {
	case ctx.Err() != nil:
	case f.err != nil:
		return nil, nil, storeFailure(d.At, f.err)
	case len(f.findings.List) > 0:
		f.findings.List.Sort()
		return nil, nil, f.findings.List
	}
	info := f.listing(objects)
	info.Partial = inner.Err() != nil
	info.tell(f)
	out := l.listed(found)
	if n, ok := f.total(p); ok && !info.Partial {
		out.Total = big.NewInt(n)
	}
	return out, info, ctx.Err()
}

// total is the number of units that there are, where all have been seen.
func (f *finder) total(p pruning.Diagram) (n int64, ok bool) {
	switch {
	case f.all != nil:
		return f.all.objects, len(f.all.misfits) == 0
	case f.asked || f.tally.pruned > 0 || !p.Outcomes().MayBeTrue():
		return 0, false
	}
	return f.tally.objects, true
}

// finder is one run of Find.
type finder struct {
	*Dirs
	check Check
	page  int           // entries of a request
	tree  bool          // the storage lists directory by directory
	slots chan struct{} // taken by goroutines
	stop  context.CancelFunc
	none  *branches // nothing

	meter store.Meter
	whole atomic.Bool    // everything has been listed
	dense []atomic.Int64 // of each level: directories in a full page; 0 unknown

	mu       sync.Mutex
	tally    tally
	all      *feeder // has what there is without conditions, where a flat listing has told everything; nil: not known
	asked    bool    // for directories without listing those beside them
	limited  bool    // the limit of requests was reached
	err      error   // the first one
	findings Findings
}

func (d *Dirs) newFinder(c Check, stop context.CancelFunc) *finder {
	n := d.Limits.Requests
	if n <= 0 {
		n = DefaultLimits.Requests
	}
	f := &finder{Dirs: d, check: c, page: d.page, stop: stop, slots: make(chan struct{}, n), none: &branches{key: noKey}}
	if f.page == 0 {
		f.page = Page
	}
	if f.meter.Limit = int64(d.Limits.Pages); f.meter.Limit <= 0 {
		f.meter.Limit = int64(DefaultLimits.Pages)
	}
	if t, ok := d.Store.(store.Tree); ok {
		f.tree = t.Tree()
	}
	f.dense = make([]atomic.Int64, len(d.Keys)+1)
	return f
}

// spot is a directory whose branches are looked for.
type spot struct {
	Place                  // the way to it
	prefix string          // its key
	level  int             // of its branches
	rest   pruning.Diagram // what is left to decide
	unfit  *unfitDir       // the first directory on the way whose text doesn't fit its column, or nil
	asked  int             // how many directories are asked for without knowing that they exist, beside this one
}

func (f *finder) start(p pruning.Diagram) *spot {
	n := len(f.Keys) + 1
	return &spot{Place: Place{Axes: make([]Axis, n), Index: make([]uint64, n)}, prefix: f.Root, rest: own(p), asked: 1}
}

// list yields what lies below a prefix. It ends at an error, which is kept.
func (f *finder) list(ctx context.Context, prefix string, deep bool) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		for e, err := range f.Store.List(ctx, prefix, deep) {
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				f.end(err)
				return
			case !yield(e):
				return
			}
		}
	}
}

// end ends the run; the first reason counts.
func (f *finder) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil && !f.limited {
		if limit := (*store.LimitError)(nil); errors.As(err, &limit) {
			f.limited = true
		} else {
			f.err = err
		}
	}
	f.stop()
}

// search finds the branches of a directory, and estimates how many objects lie below it; -1 when that is unknown.
func (f *finder) search(ctx context.Context, s *spot) (*branches, float64) {
	if f.free(s) {
		found, objects, _ := f.flat(ctx, s, 0)
		return found, objects
	}
	if asks, ok := f.asks(s); ok {
		return f.descend(ctx, s, f.ask(ctx, s, asks))
	}
	if f.mayBePage(s) {
		if found, objects, whole := f.flat(ctx, s, f.page); whole {
			return found, objects
		}
	}
	found := f.step(ctx, s)
	if pages := f.flatPages(s, found); pages > 0 && pages < len(found.names) {
		if all, objects, whole := f.flat(ctx, s, 2*pages*f.page); whole {
			return all, objects
		}
	}
	return f.descend(ctx, s, found)
}

// flatPages estimates the requests of a flat listing of what has been found below a spot; 0 when nothing is known.
func (f *finder) flatPages(s *spot, found *candidates) int {
	n := int(f.dense[s.level].Load())
	if n == 0 {
		return 0
	}
	return (len(found.names)+int(found.tally.pruned))/n + 1
}

// mayBePage reports whether it is worth to try whether one flat page is everything below a spot. It isn't when a
// directory of that level had more, and where a flat listing reads directory by directory.
func (f *finder) mayBePage(s *spot) bool { return !f.Bare && !f.tree && f.dense[s.level].Load() == 0 }

// free reports whether no condition prunes below a spot.
func (f *finder) free(s *spot) bool {
	switch {
	case f.Bare:
		return false
	case s.level == len(f.Keys):
		return true
	}
	return s.rest.IsConst() && f.check.Depths>>s.level == 0
}

// candidates are the branches of a directory that may have something to read below them.
type candidates struct {
	*branches
	tally
	rests []pruning.Diagram
	unfit map[int]*unfitDir
}

func newCandidates(s *spot) *candidates {
	return &candidates{branches: &branches{key: s.level, base: len(s.prefix)}}
}

// enter adds a branch.
func (c *candidates) enter(name string, b branch) {
	if b.unfit != nil {
		if c.unfit == nil {
			c.unfit = make(map[int]*unfitDir)
		}
		c.unfit[len(c.names)] = b.unfit
	}
	c.add(name, b.held)
	c.rests = append(c.rests, b.rest)
}

// drop takes the last branch away.
func (c *candidates) drop() {
	last := len(c.names) - 1
	c.cut(last)
	c.rests = c.rests[:last]
	delete(c.unfit, last)
}

// step lists the directories of a spot.
func (f *finder) step(ctx context.Context, s *spot) *candidates {
	out := newCandidates(s)
	f.listInto(ctx, out, s, s.prefix)
	return out
}

// listInto lists the directories of a spot that begin with prefix.
func (f *finder) listInto(ctx context.Context, out *candidates, s *spot, prefix string) {
	at := newRests(s.rest, s.level)
	for e := range f.list(ctx, prefix, false) {
		f.consider(out, s, &at, e)
	}
}

// consider adds a listed entry to the branches if it is one.
func (f *finder) consider(out *candidates, s *spot, at *rests, e store.Entry) {
	dir, ok := strings.CutSuffix(e.Key[len(s.prefix):], "/")
	b := branch{verdict: stray}
	switch {
	case ok:
		b = f.judge(s, at, dir)
	case dir == "", f.owns(dir):
		return // the directory's own marker, or the system's
	case f.hides(dir):
		b.verdict = hidden
	}
	out.count(b.verdict, e.Key)
	if b.verdict == entered {
		out.enter(e.Key, b)
	}
}

// verdict is what becomes of a directory.
type verdict uint8

const (
	entered verdict = iota
	pruned
	stray
	hidden
	owned
)

// branch is what the name of a directory says.
type branch struct {
	verdict verdict
	held    KeyValue
	rest    pruning.Diagram
	unfit   *unfitDir
}

// judge reads the name of a directory below a spot.
func (f *finder) judge(s *spot, at *rests, dir string) branch {
	key := &f.Keys[s.level]
	text, ok := f.Codec.cut(key, dir)
	switch {
	case !ok && f.owns(dir):
		return branch{verdict: owned}
	case !ok && f.hides(dir):
		return branch{verdict: hidden}
	case !ok:
		return branch{verdict: stray}
	}
	b := f.hold(key, text)
	if b.rest = at.of(b.held.Value, b.held.state(), &b.held); !b.rest.Outcomes().MayBeTrue() {
		b.verdict = pruned
	}
	return b
}

// hold reads what stands behind "=".
func (f *finder) hold(key *DirKey, text string) (b branch) {
	if key.Held != nil {
		b.held = key.Held(text)
		return b
	}
	v, null, err := f.Codec.value(key.Type, text)
	b.held = KeyValue{Value: v, Null: null, Unknown: err != nil}
	if err != nil {
		b.unfit = &unfitDir{key: key, text: text, err: err}
	}
	return b
}

func (f *finder) hides(part string) bool { return f.Codec.Hidden != nil && f.Codec.Hidden(part) }
func (f *finder) owns(part string) bool  { return f.Codec.Own != nil && f.Codec.Own(part) }

// below is the spot below branch i of found, which are branches of s; ok is false when the check excludes it.
func (f *finder) below(s *spot, found *candidates, i int) (below *spot, ok bool) {
	below = &spot{
		Place:  Place{Axes: slices.Clone(s.Axes), Index: slices.Clone(s.Index)},
		prefix: found.names[i], level: s.level + 1, rest: found.rests[i], unfit: s.unfit, asked: s.asked,
	}
	below.Axes[s.level], below.Index[s.level] = found.branches, uint64(i)
	if below.unfit == nil {
		below.unfit = found.unfit[i]
	}
	return below, !f.check.after(s.level) || f.check.At(&below.Place, s.level+1).MayBeTrue()
}

// descend searches below all candidates, several at once, and keeps those with something to read.
func (f *finder) descend(ctx context.Context, s *spot, found *candidates) (*branches, float64) {
	n := len(found.names)
	below, objects := make([]*branches, n), make([]float64, n)
	var wait sync.WaitGroup
	for i := range n {
		spot, ok := f.below(s, found, i)
		if !ok {
			found.pruned++
			objects[i] = -1
			continue
		}
		do := func() { below[i], objects[i] = f.under(ctx, spot) }
		select {
		case f.slots <- struct{}{}:
			wait.Go(func() {
				do()
				<-f.slots
			})
		default:
			do()
		}
	}
	wait.Wait()
	sum := extrapolate(objects, n+int(found.tally.pruned))
	f.commit(&found.tally)
	found.branches.below = below
	found.keep(func(i int) bool {
		return below[i] != nil && (f.Bare && s.level == len(f.Keys)-1 || len(below[i].names) > 0)
	})
	found.clip()
	return found.branches, sum
}

// extrapolate adds up how many objects directories hold, of which some are unknown, for n directories of that kind.
func extrapolate(objects []float64, n int) float64 {
	sum, known := 0.0, 0
	for _, o := range objects {
		if o >= 0 {
			sum += o
			known++
		}
	}
	switch {
	case n == 0:
		return 0
	case known == 0:
		return -1
	}
	return sum * float64(n) / float64(known)
}

// under searches below a branch.
func (f *finder) under(ctx context.Context, s *spot) (*branches, float64) {
	if s.level < len(f.Keys) || !f.Bare {
		return f.search(ctx, s)
	}
	t := tally{objects: 1}
	t.misfit(s.unfit, s.prefix)
	f.commit(&t)
	return f.none, 1
}

// unfitDir is a directory whose text is no value of its column.
type unfitDir struct {
	key  *DirKey
	text string
	err  error
	told bool
}
