package projection

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// Listing tells what finding the branches of a layout took, and what it found.
type Listing struct {
	Requests int64           // LIST requests, of up to 1,000 entries each
	Reads    int64           // of footers: parts of objects that tell which columns there are
	Seen     int64           // objects and directories that the storage told
	Pruned   int64           // directories that weren't entered, because no row in them can match
	Stray    int64           // objects and directories that belong to no partition
	Hidden   int64           // objects and directories that are left out for their names or for being empty
	Objects  int64           // to be read
	Bytes    int64           // of those whose size is known
	Unsized  int64           // objects of unknown size
	Full     int64           // requests that listing every object would take; 0 when unknown
	Guessed  bool            // Full is an estimate: pruned directories were taken to hold as much as others
	Partial  bool            // the listing was ended before everything was found
	Limited  bool            // by Limits.Pages
	Examples []string        // some of the stray and hidden keys: the stray ones first, each in byte order
	Notes    ast.Diagnostics // what is worth telling
	Prefixes *Presence       // of a projection that was compared with the storage; nil otherwise
}

// Page is how many entries a LIST request gives.
const Page = store.Page

// tally is what became of some entries. It counts once it is committed.
type tally struct {
	pruned, stray, hidden, objects, bytes, unsized int64

	strays, hiddens examples
	misfits         []misfit
}

// misfit is an object below a directory whose text doesn't fit its column.
type misfit struct {
	dir *unfitDir
	key string
}

// count notes what became of a directory, or of an object above the last one.
func (t *tally) count(v verdict, key string) {
	switch v {
	case pruned:
		t.pruned++
	case stray:
		t.stray++
		t.strays.add(key)
	case hidden:
		t.hidden++
		t.hiddens.add(key)
	}
}

// misfit notes that an object lies below a directory whose text doesn't fit its column, if there is one.
func (t *tally) misfit(dir *unfitDir, key string) {
	if dir != nil && (len(t.misfits) == 0 || t.misfits[len(t.misfits)-1].dir != dir) {
		t.misfits = append(t.misfits, misfit{dir, key})
	}
}

// commit makes a tally count.
func (f *finder) commit(t *tally) {
	f.mu.Lock()
	defer f.mu.Unlock()
	sum := &f.tally
	sum.pruned += t.pruned
	sum.stray += t.stray
	sum.hidden += t.hidden
	sum.objects += t.objects
	sum.bytes += t.bytes
	sum.unsized += t.unsized
	sum.strays.add(t.strays.keys...)
	sum.hiddens.add(t.hiddens.keys...)
	for _, m := range t.misfits {
		f.tellMisfit(m)
	}
}

// tellMisfit reports a text that doesn't fit its column, once.
func (f *finder) tellMisfit(m misfit) {
	if m.dir.told {
		return
	}
	m.dir.told = true
	column, why := m.dir.key, m.dir.err.Error()
	if p := (*pruning.ParseError)(nil); errors.As(m.dir.err, &p) {
		why = "want " + p.Want
	}
	f.findings.Errorf("list.value", f.At, "exclude the directory by a condition on another column, or declare "+column.Name+" as a text",
		"%s: the object %s has no %s in its path for the column %s: %s (%s)", f.Table, Clip(m.key), column.Declared, column.Name, Quote(m.dir.text), why)
}

// listing is what has been counted, with an estimate of how many objects there are.
func (f *finder) listing(objects float64) *Listing {
	t := &f.tally
	l := &Listing{
		Requests: f.meter.Requests(), Seen: f.meter.Entries(), Pruned: t.pruned, Stray: t.stray, Hidden: t.hidden,
		Objects: t.objects, Bytes: t.bytes, Unsized: t.unsized,
	}
	keys := slices.Concat(t.strays.keys, t.hiddens.keys)
	l.Examples = keys[:min(len(keys), mostExamples)]
	if !f.asked && !f.Bare && !f.tree && objects >= 0 && l.Requests > 0 {
		l.Full, l.Guessed = int64(max(1, math.Ceil(min(objects, 1<<53)/float64(f.page)))), !f.whole.Load()
	}
	return l
}

// examples are the least of the keys that were added.
type examples struct{ keys []string }

const mostExamples = 5

func (x *examples) add(keys ...string) {
	for _, key := range keys {
		i, seen := slices.BinarySearch(x.keys, key)
		if seen || i == mostExamples {
			continue
		}
		x.keys = slices.Insert(x.keys, i, strings.Clone(key))
		x.keys = x.keys[:min(len(x.keys), mostExamples)]
	}
}

// tell notes what the author of a query may not expect. Hidden objects such as _SUCCESS are expected.
func (l *Listing) tell(f *finder) {
	at := ast.Span{From: f.At.Pos(), To: f.At.End()}
	if f.limited {
		l.ReachLimit(f.Table, at)
	}
	if l.Stray > 0 {
		l.Notes = append(l.Notes, &ast.Diagnostic{Severity: ast.Note, Code: "list.skipped", Pos: at.From, End: at.To,
			Msg: fmt.Sprintf("%s: not read, since not in a directory of a partition: %s, such as %s",
				f.Table, strays(l.Stray), Quote(l.Examples[0]))})
	}
	if l.Seen == 0 && l.Requests > 0 && !f.asked && !l.Partial {
		where := "the storage is empty"
		if f.Root != "" {
			where = "the storage holds nothing below " + Quote(f.Root)
		}
		l.Notes = append(l.Notes, &ast.Diagnostic{Severity: ast.Warning, Code: "list.nothing", Pos: at.From, End: at.To,
			Msg: f.Table + ": " + where, Hint: "check the path, and that the storage given begins where the paths do"})
	}
}

func strays(n int64) string {
	if n == 1 {
		return "1 object or directory"
	}
	return fmt.Sprintf("%d objects or directories", n)
}

// Count adds an object to be read.
func (l *Listing) Count(size int64) {
	l.Objects++
	if size < 0 {
		l.Unsized++
	} else {
		l.Bytes += size
	}
}

// ReachLimit notes that the listing was ended by Limits.Pages.
func (l *Listing) ReachLimit(table string, at ast.Node) {
	l.Partial, l.Limited = true, true
	l.Notes = append(l.Notes, &ast.Diagnostic{Severity: ast.Warning, Code: "list.limit", Pos: at.Pos(), End: at.End(),
		Msg:  fmt.Sprintf("%s: the listing was ended after %d requests; there may be more", table, l.Requests),
		Hint: (*store.LimitError).Hint(nil)})
}
