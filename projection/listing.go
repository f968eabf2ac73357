package projection

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/yqlplan/yqlplan/ast"
)

// Listing tells what finding the branches of a layout took, and what it found.
type Listing struct {
	Requests int64           // LIST requests, of up to 1,000 entries each
	Seen     int64           // objects and directories that the storage told
	Pruned   int64           // directories that weren't entered, because no row in them can match
	Stray    int64           // objects and directories that belong to no partition
	Hidden   int64           // objects and directories that are left out for their names or for being empty
	Objects  int64           // to be read
	Total    int64           // objects before any condition; 0 unknown
	Bytes    int64           // of those whose size is known
	Unsized  int64           // objects of unknown size
	Full     int64           // requests that listing every object would take
	Guessed  bool            // Full is an estimate: pruned directories were taken to hold as much as others
	Partial  bool            // the listing was ended before everything was found
	Examples []string        // some of the stray and hidden keys, in byte order
	Notes    ast.Diagnostics // what is worth telling
}

// Page is how many entries a LIST request gives (Amazon S3 API reference, ListObjectsV2).
const Page = 1000

// pagesFor is the number of requests for n entries in one listing.
func pagesFor(n int64) int64 { return max(1, (n+Page-1)/Page) }

// counters are a Listing under construction, for several goroutines.
type counters struct {
	requests, seen, pruned, stray, hidden, objects, bytes, unsized atomic.Int64
}

func (c *counters) listing(estimate float64) *Listing {
	l := &Listing{
		Requests: c.requests.Load(), Seen: c.seen.Load(), Pruned: c.pruned.Load(), Stray: c.stray.Load(), Hidden: c.hidden.Load(),
		Objects: c.objects.Load(), Bytes: c.bytes.Load(), Unsized: c.unsized.Load(),
	}
	l.Guessed = l.Pruned > 0
	l.Full = int64(max(1, math.Ceil(min(estimate, 1<<53)/Page)))
	return l
}

// tell notes what was left out beside the partitions.
func (l *Listing) tell(d *Dirs) {
	if l.Stray+l.Hidden == 0 {
		return
	}
	what := "stray"
	switch {
	case l.Stray == 0:
		what = "hidden"
	case l.Hidden > 0:
		what = "stray or hidden"
	}
	msg := fmt.Sprintf("%s: %d %s objects and directories are left out", d.Table, l.Stray+l.Hidden, what)
	if len(l.Examples) > 0 {
		msg += ", such as " + Quote(l.Examples[0])
	}
	l.Notes = append(l.Notes, &ast.Diagnostic{Severity: ast.Note, Code: "list.skipped", Pos: d.At.Pos(), End: d.At.End(), Msg: msg})
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
