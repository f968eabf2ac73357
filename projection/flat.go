package projection

import (
	"context"
	"strings"

	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// flat lists every object below a spot and puts the directories together from the keys. Where conditions are left, they
// prune what has been listed. It gives up behind most objects (0: never); whole is false then, and how many directories
// are in a page is noted.
func (f *finder) flat(ctx context.Context, s *spot, most int) (found *branches, objects float64, whole bool) {
	w := f.newFeeder(s)
	var all *feeder
	if s.level == 0 && !f.free(s) {
		all = f.unconditional(s)
	}
	n := 0
	deep := f.Leaf == nil || s.level < len(f.Keys)
	for e := range f.list(ctx, s.prefix, deep) {
		w.feed(e)
		if all != nil {
			all.feed(e)
		}
		if n++; n == most {
			f.dense[s.level].Store(max(1, w.opened*int64(f.page)/int64(n)))
			return nil, 0, false
		}
	}
	found = w.end()
	f.commit(&w.tally)
	if s.level == 0 {
		f.whole.Store(true)
		f.all = all
	}
	return found, float64(n), true
}

// unconditional is a feeder for a flat listing from a spot on that takes all objects of the table.
func (f *finder) unconditional(s *spot) *feeder {
	other := f.newFinder(Check{}, f.stop)
	return other.newFeeder(other.start(s.rest.Space().Const(pruning.True)))
}

// feeder makes branches of keys that come in byte order, so that those of a directory come together.
type feeder struct {
	f      *finder
	spots  []*spot       // of each level from the first on: where its open directory's branches are; nil below a dead one
	found  []*candidates // likewise; the last one are objects
	ats    []rests
	open   []string // the open directory of each level but the last; "" none
	depth  int      // open directories
	opened int64    // directories directly below the first spot
	tally
}

func (f *finder) newFeeder(s *spot) *feeder {
	n := len(f.Keys) - s.level
	w := &feeder{f: f, spots: make([]*spot, n+1), found: make([]*candidates, n+1), ats: make([]rests, n+1), open: make([]string, n)}
	w.begin(0, s)
	return w
}

// begin makes the spot of a level the one whose branches come next.
func (w *feeder) begin(i int, s *spot) {
	w.spots[i] = s
	if s == nil {
		return
	}
	if s.level == len(w.f.Keys) {
		w.found[i] = &candidates{branches: &branches{key: noKey, base: len(s.prefix)}}
		return
	}
	w.found[i] = newCandidates(s)
	w.ats[i] = newRests(s.rest, s.level)
}

// feed takes the next object.
func (w *feeder) feed(e store.Entry) {
	i := w.depth
	for i > 0 && !strings.HasPrefix(e.Key, w.open[i-1]) {
		i--
	}
	w.close(i)
	for ; i < len(w.open); i++ {
		s := w.spots[i]
		if s == nil {
			return // below a directory that isn't entered
		}
		slash := strings.IndexByte(e.Key[len(s.prefix):], '/')
		if slash < 0 {
			w.lose(e.Key, len(s.prefix))
			return
		}
		w.enter(i, e.Key[:len(s.prefix)+slash+1])
	}
	if s := w.spots[i]; s != nil {
		w.file(s, w.found[i].branches, e)
	}
}

// lose counts an object above the last level.
func (w *feeder) lose(key string, base int) {
	switch {
	case len(key) == base, w.f.owns(key[base:]): // the directory's own marker, or the system's
	case w.f.hides(key[base:]):
		w.count(hidden, key)
	default:
		w.count(stray, key)
	}
}

// enter opens a directory.
func (w *feeder) enter(i int, name string) {
	s, found := w.spots[i], w.found[i]
	b := w.f.judge(s, &w.ats[i], name[len(s.prefix):len(name)-1])
	w.count(b.verdict, name)
	w.open[i], w.depth = name, i+1
	if i == 0 {
		w.opened++
	}
	if b.verdict != entered {
		w.begin(i+1, nil)
		return
	}
	found.enter(name, b)
	below, ok := w.f.below(s, found, len(found.names)-1)
	if !ok {
		found.drop()
		w.pruned++
		below = nil
	}
	w.begin(i+1, below)
}

// close ends the open directories from the i-th on. One with nothing to read below it is dropped.
func (w *feeder) close(i int) {
	for ; w.depth > i; w.depth-- {
		k := w.depth - 1
		w.open[k] = ""
		if w.spots[k+1] == nil {
			continue
		}
		below := w.found[k+1].branches
		if len(below.names) == 0 {
			w.found[k].drop()
			continue
		}
		below.clip()
		w.found[k].below = append(w.found[k].below, below)
	}
}

func (w *feeder) end() *branches {
	w.close(0)
	w.found[0].clip()
	return w.found[0].branches
}

// file takes an object below the last directory.
func (w *feeder) file(s *spot, to *branches, e store.Entry) {
	name := e.Key[len(s.prefix):]
	switch {
	case name == "" && !endsInName(s.prefix):
		return // the directory's own marker
	case w.f.Leaf != nil:
		w.leaf(s, to, e)
		return
	case w.f.skips(s.prefix, name, e.Size):
		w.count(hidden, e.Key)
		return
	case w.f.Files != nil && !w.f.Files(name):
		return
	}
	w.misfit(s.unfit, e.Key)
	w.objects++
	if e.Size >= 0 {
		w.bytes += e.Size
	} else {
		w.unsized++
	}
	to.names = append(to.names, e.Key)
	to.sizes = append(to.sizes, e.Size)
}

// leaf takes a directory below the last key's, or an object in it.
func (w *feeder) leaf(s *spot, to *branches, e store.Entry) {
	dir, _, ok := strings.Cut(e.Key[len(s.prefix):], "/")
	if !ok || !w.f.Leaf(dir) {
		return
	}
	name := e.Key[:len(s.prefix)+len(dir)+1]
	first := len(to.names) == 0 || to.names[len(to.names)-1] != name
	if first {
		w.objects++
		to.names = append(to.names, name)
	}
	switch {
	case e.Size >= 0:
		w.bytes += e.Size
	case first:
		w.unsized++
	}
}

// endsInName reports whether a prefix ends within a part of a path, which then isn't a directory: logs/2024.
func endsInName(prefix string) bool { return prefix != "" && !strings.HasSuffix(prefix, "/") }

// skips reports whether an object is hidden by a part of its name below a prefix, or empty where empty ones are left out.
// What continues the prefix itself is asked for by its name.
func (f *finder) skips(prefix, name string, size int64) bool {
	if f.Codec.NoEmpty && size == 0 {
		return true
	}
	if f.Codec.Hidden == nil {
		return false
	}
	if endsInName(prefix) {
		_, name, _ = strings.Cut(name, "/")
	}
	for part := range strings.SplitSeq(name, "/") {
		if f.Codec.Hidden(part) {
			return true
		}
	}
	return false
}
