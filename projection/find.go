package projection

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// Find implements [Source]. It descends from directory to directory: one listing for each that is entered, none for one
// in which no row can match. What lies below the last condition is listed flat, a page of 1,000 objects a request. A
// first flat page is tried where that may be all.
//
// A directory whose text is no value of its column is an error where the other conditions leave an object in it.
func (d *Dirs) Find(ctx context.Context, l *Layout, p pruning.Diagram, c Check) (*Layout, *Listing, error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	f := &finder{Dirs: d, check: c, stop: stop, slots: make(chan struct{}, d.parallel())}
	root, objects, err := f.find(inner, p)
	if ctx.Err() != nil {
		err = ctx.Err() // rather than what followed from it
	}
	if err != nil && ctx.Err() == nil {
		return nil, nil, storeFailure(d.At, err)
	}
	if err == nil && len(f.findings.List) > 0 {
		f.findings.List.Sort()
		return nil, nil, f.findings.List
	}
	info := f.listing(objects)
	info.Examples, info.Partial = f.examples.keys, err != nil
	info.tell(d)
	return l.listed(root), info, err
}

// parallel is how many listings may be under way at once.
func (d *Dirs) parallel() int {
	if d.Limits.Requests > 0 {
		return d.Limits.Requests
	}
	return DefaultLimits.Requests
}

// finder is one run of Find.
type finder struct {
	*Dirs
	counters
	check Check
	stop  context.CancelFunc
	slots chan struct{} // taken by goroutines

	mu       sync.Mutex
	findings Findings
	examples examples
}

// spot is a directory whose branches are looked for.
type spot struct {
	Place                  // the way to it
	prefix string          // its key
	level  int             // of its branches
	rest   pruning.Diagram // what is left to decide
	unfit  *unfitDir       // the first directory on the way whose text doesn't fit its column, or nil
}

// unfitDir is a directory whose text is no value of its column.
type unfitDir struct {
	key  *DirKey
	text string
	err  error
	once sync.Once // it is told once
}

func (f *finder) find(ctx context.Context, p pruning.Diagram) (*branches, float64, error) {
	n := len(f.Keys) + 1
	s := &spot{Place: Place{Axes: make([]Axis, n), Index: make([]uint64, n)}, prefix: f.Root, rest: own(p)}
	if !p.Outcomes().MayBeTrue() {
		return f.leaf(), 0, nil
	}
	return f.search(ctx, s)
}

// leaf is an axis of objects without any yet.
func (f *finder) leaf() *branches { return &branches{key: noKey} }

// search finds the branches of a directory, and tells how many objects lie below it, as far as that can be told.
func (f *finder) search(ctx context.Context, s *spot) (*branches, float64, error) {
	if f.free(s) {
		return f.flat(ctx, s)
	}
	found, err := f.step(ctx, s)
	if err != nil {
		return found.branches, 0, err
	}
	objects, err := f.descend(ctx, s, found)
	return found.branches, objects, err
}

// free reports whether no condition prunes below a spot.
func (f *finder) free(s *spot) bool {
	if f.Bare {
		return false
	}
	if s.level == len(f.Keys) {
		return true
	}
	return s.rest.IsConst() && f.check.Depths>>s.level == 0
}

// candidates are the branches of a directory that may have something to read below them.
type candidates struct {
	*branches
	rests []pruning.Diagram
	unfit map[int]*unfitDir
}

func (f *finder) newCandidates(s *spot) *candidates {
	return &candidates{branches: &branches{key: s.level, base: len(s.prefix)}}
}

// enter adds a branch.
func (c *candidates) enter(name string, b branch) {
	if b.unfit != nil && c.unfit == nil {
		c.unfit = make(map[int]*unfitDir)
	}
	if b.unfit != nil {
		c.unfit[len(c.names)] = b.unfit
	}
	c.add(name, b.value, b.state)
	c.rests = append(c.rests, b.rest)
}

// drop takes the last branch away.
func (c *candidates) drop() {
	last := len(c.names) - 1
	c.cut(last)
	c.rests = c.rests[:last]
	delete(c.unfit, last)
}

// step lists a directory of directories.
func (f *finder) step(ctx context.Context, s *spot) (*candidates, error) {
	out := f.newCandidates(s)
	at := newRests(s.rest, s.level)
	n := int64(0)
	for e, err := range f.Store.List(ctx, s.prefix, false) {
		if err != nil {
			f.counted(n)
			return f.newCandidates(s), err
		}
		n++
		f.consider(out, s, &at, e)
	}
	f.counted(n)
	return out, nil
}

// counted notes a listing of n entries.
func (f *finder) counted(n int64) {
	f.seen.Add(n)
	f.requests.Add(pagesFor(n))
}

// consider adds a listed entry to the branches if it is one.
func (f *finder) consider(out *candidates, s *spot, at *rests, e store.Entry) {
	dir, ok := strings.CutSuffix(e.Key[len(s.prefix):], "/")
	b := branch{verdict: stray}
	switch {
	case ok:
		b = f.judge(s, at, dir)
	case dir == "":
		return // the directory's own marker
	case f.hides(dir):
		b.verdict = hidden
	}
	f.count(b.verdict, e.Key)
	if b.verdict != entered {
		return
	}
	out.enter(e.Key, b)
}

// verdict is what becomes of a directory.
type verdict uint8

const (
	entered verdict = iota
	pruned
	stray
	hidden
)

// branch is what the name of a directory says.
type branch struct {
	verdict verdict
	value   pruning.Value
	state   keyState
	rest    pruning.Diagram
	unfit   *unfitDir
}

// judge reads the name of a directory below a spot.
func (f *finder) judge(s *spot, at *rests, dir string) branch {
	key := &f.Keys[s.level]
	text, ok := f.Codec.cut(key, dir)
	switch {
	case !ok && f.hides(dir):
		return branch{verdict: hidden}
	case !ok:
		return branch{verdict: stray}
	}
	v, null, err := f.Codec.value(key.Type, text)
	b := branch{value: v}
	switch {
	case err != nil:
		b.state, b.unfit = unfit, &unfitDir{key: key, text: text, err: err}
	case null:
		b.state = isNull
	}
	if b.rest = at.of(v, b.state); !b.rest.Outcomes().MayBeTrue() {
		b.verdict = pruned
	}
	return b
}

func (f *finder) hides(part string) bool { return f.Codec.Hidden != nil && f.Codec.Hidden(part) }

// count notes what became of an entry.
func (f *finder) count(v verdict, key string) {
	switch v {
	case pruned:
		f.pruned.Add(1)
	case stray:
		f.stray.Add(1)
		f.example(key)
	case hidden:
		f.hidden.Add(1)
		f.example(key)
	}
}

// enter is the spot below branch i of found, which are branches of s; ok is false when the check excludes it.
func (f *finder) enter(s *spot, found *candidates, i int) (below *spot, ok bool) {
	below = &spot{
		Place:  Place{Axes: slices.Clone(s.Axes), Index: slices.Clone(s.Index)},
		prefix: found.names[i], level: s.level + 1, rest: found.rests[i], unfit: s.unfit,
	}
	below.Axes[s.level], below.Index[s.level] = found.branches, uint64(i)
	if below.unfit == nil {
		below.unfit = found.unfit[i]
	}
	if f.check.after(s.level) && !f.check.At(&below.Place, s.level+1).MayBeTrue() {
		f.pruned.Add(1)
		return nil, false
	}
	return below, true
}

// descend searches below all candidates, several at once, and keeps those with something to read.
func (f *finder) descend(ctx context.Context, s *spot, found *candidates) (objects float64, err error) {
	n := len(found.names)
	results := make([]result, n)
	below := make([]*branches, n)
	var wait sync.WaitGroup
	for i := range n {
		spot, ok := f.enter(s, found, i)
		if !ok {
			continue
		}
		results[i].entered = true
		do := func() { below[i], results[i].objects, results[i].err = f.under(ctx, spot) }
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
	objects, err = sum(results)
	found.branches.below = below
	bare := f.Bare && s.level == len(f.Keys)-1
	found.keep(func(i int) bool {
		return results[i].entered && (bare || below[i] != nil && len(below[i].names) > 0)
	})
	if bare {
		found.branches.below = nil
	}
	found.clip()
	return objects, err
}

// result is what a search below one branch gave.
type result struct {
	objects float64
	err     error
	entered bool
}

// sum adds objects up and gives the first error.
func sum(results []result) (objects float64, err error) {
	for _, r := range results {
		objects += r.objects
		if err == nil {
			err = r.err
		}
	}
	return objects, err
}

// under searches below a branch.
func (f *finder) under(ctx context.Context, s *spot) (*branches, float64, error) {
	if s.level == len(f.Keys) && f.Bare {
		f.objects.Add(1)
		f.misfit(s.unfit, s.prefix)
		return nil, 0, nil
	}
	b, objects, err := f.search(ctx, s)
	if err != nil {
		f.stop()
	}
	return b, objects, err
}

// misfit tells of a text that doesn't fit its column, found on the way to key.
func (f *finder) misfit(u *unfitDir, key string) {
	if u == nil {
		return
	}
	u.once.Do(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		why := u.err.Error()
		if p := (*pruning.ParseError)(nil); errors.As(u.err, &p) {
			why = "want " + p.Want
		}
		f.findings.Errorf("list.value", f.At, "exclude the directory by a condition on another column, or declare "+u.key.Name+" as a text",
			"%s: the object %s has no %s in its path for the column %s: %s (%s)", f.Table, Clip(key), u.key.Declared, u.key.Name, Quote(u.text), why)
	})
}

// example keeps a stray or hidden key to be told.
func (f *finder) example(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.examples.add(key)
}

// examples are the least of the keys that were added.
type examples struct{ keys []string }

const mostExamples = 5

func (x *examples) add(key string) {
	i, seen := slices.BinarySearch(x.keys, key)
	if seen || i == mostExamples {
		return
	}
	x.keys = slices.Insert(x.keys, i, strings.Clone(key))
	x.keys = x.keys[:min(len(x.keys), mostExamples)]
}
