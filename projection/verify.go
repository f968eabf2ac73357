package projection

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// Presence is what the storage holds of the prefixes that a projection promises.
type Presence struct {
	Found     int64    // selected prefixes with objects
	Empty     int64    // selected prefixes that are directories without any
	Missing   *big.Int // selected prefixes that don't exist; nil when the listing was cut short
	Others    int64    // objects below prefixes that aren't selected
	Misplaced int64    // objects of the table that are below no prefix of the projection: they are never read
	Lost      int64    // bytes of these, as far as known
	Absent    []string // some of the missing prefixes, in the order of units

	holdings map[string]*Holding
}

// Holding is what lies below one prefix.
type Holding struct{ Objects, Bytes, Unsized int64 }

// Of is what lies below a selected prefix; ok is false when it doesn't exist.
func (p *Presence) Of(prefix []byte) (h Holding, ok bool) {
	if h := p.holdings[string(prefix)]; h != nil {
		return *h, true
	}
	return Holding{}, false
}

const (
	mostWalked = 10_000 // units that are looked at for missing prefixes
	mostLooked = 100    // missing prefixes that are looked up, as they may be empty directories
)

// Verify lists everything below a table's root and compares it with what d and c select of a layout with a template. at
// is what messages point at. Data that is missing, or that the projection doesn't cover, is told and is no error. ok is
// false when paths of the layout can't be read back.
func Verify(ctx context.Context, s store.Lister, t *Table, d pruning.Diagram, c Check, at ast.Node, limit int) (info *Listing, ok bool, err error) {
	v := &verifier{store: s, layout: t.Layout, d: own(d), check: c, Listing: &Listing{Prefixes: &Presence{holdings: map[string]*Holding{}}}}
	if !v.locator.init(ctx, t.Layout) {
		return nil, false, nil
	}
	meter := &store.Meter{Limit: int64(limit)}
	err = v.list(meter.Context(ctx))
	if err == nil {
		err = v.missing(meter.Context(ctx))
	}
	v.Requests, v.Seen = meter.Requests(), meter.Entries()
	if err != nil {
		v.Prefixes.Missing = nil
	}
	over := (*store.LimitError)(nil)
	switch {
	case ctx.Err() != nil:
		v.Partial, err = true, ctx.Err()
	case errors.As(err, &over):
		v.ReachLimit(t.Name, at)
		err = nil
	case err != nil:
		return nil, true, storeFailure(at, err)
	}
	v.tell(t.Name, at)
	return v.Listing, true, err
}

// verifier is one run of Verify.
type verifier struct {
	*Listing
	locator
	store   store.Lister
	layout  *Layout
	d       pruning.Diagram
	check   Check
	last    string   // the prefix of the last object, or its directory where it has none
	covered bool     // last is a prefix
	holds   *Holding // of last, when it is selected
	others  examples
}

// list looks at every object of the table.
func (v *verifier) list(ctx context.Context) error {
	for e, err := range v.store.List(ctx, v.layout.Root, true) {
		if err != nil {
			return err
		}
		if v.last == "" || !strings.HasPrefix(e.Key, v.last) || !v.covered && strings.Contains(e.Key[len(v.last):], "/") {
			v.place(e.Key)
		}
		if v.covered && v.layout.Files != nil && !v.layout.Files(e.Key[len(v.last):]) {
			v.Hidden++
			continue
		}
		v.count(e)
	}
	return nil
}

// place finds the prefix that covers a key.
func (v *verifier) place(key string) {
	v.holds = nil
	if v.covered = v.locate(key); !v.covered {
		v.last = key[:strings.LastIndexByte(key, '/')+1]
		return
	}
	v.last = key[:v.end]
	if !v.selected() {
		return
	}
	if v.holds = v.Prefixes.holdings[v.last]; v.holds == nil {
		v.holds = new(Holding)
		v.Prefixes.holdings[strings.Clone(v.last)] = v.holds
		v.Prefixes.Found++
	}
}

// selected reports whether the prefix that was located is read.
func (v *verifier) selected() bool {
	rest := v.d
	for i, l := range v.layout.Levels {
		value, null, _ := v.Axes[i].Value(v.Index[i])
		s := valued
		if null {
			s = isNull
		}
		at := newRests(rest, l.Keys()[0])
		if rest = at.of(value, s, nil); !rest.Outcomes().MayBeTrue() {
			return false
		}
		if v.check.after(i) && !v.check.At(&v.Place, i+1).MayBeTrue() {
			return false
		}
	}
	return true
}

func (v *verifier) count(e store.Entry) {
	switch p := v.Prefixes; {
	case v.holds != nil:
		v.holds.Objects++
		v.Listing.Count(e.Size)
		if e.Size < 0 {
			v.holds.Unsized++
		} else {
			v.holds.Bytes += e.Size
		}
	case v.covered:
		p.Others++
	default:
		p.Misplaced++
		p.Lost += max(0, e.Size)
		v.others.add(e.Key)
	}
}

// missing counts the selected prefixes without objects, and looks some of them up: an empty directory isn't missing.
func (v *verifier) missing(ctx context.Context) error {
	v.Examples = v.others.keys
	p := v.Prefixes
	selected, err := Count(ctx, v.layout, v.d, v.check)
	if err != nil {
		return err
	}
	p.Missing = selected.Sub(selected, big.NewInt(p.Found))
	walked, looked := 0, 0
	var path []byte
	for u, err := range Walk(ctx, v.layout, v.d, v.check) {
		if err != nil {
			return err
		}
		if walked++; walked > mostWalked || looked == mostLooked || p.Missing.Sign() == 0 {
			return nil
		}
		if path = u.AppendPath(path[:0]); p.holdings[string(path)] != nil {
			continue
		}
		looked++
		exists, err := v.exists(ctx, string(path))
		switch {
		case err != nil:
			return err
		case exists:
			p.Empty++
			p.Missing.Sub(p.Missing, one)
			p.holdings[string(path)] = new(Holding)
		case len(p.Absent) < mostExamples:
			p.Absent = append(p.Absent, string(path))
		}
	}
	return nil
}

// exists reports whether a prefix without objects is there as a directory.
func (v *verifier) exists(ctx context.Context, prefix string) (bool, error) {
	for e, err := range v.store.List(ctx, strings.TrimSuffix(prefix, "/"), false) {
		if err != nil || e.Key >= prefix {
			return err == nil && e.Key == prefix, err
		}
	}
	return false, nil
}

// tell notes what probably isn't meant.
func (v *verifier) tell(table string, at ast.Node) {
	p := v.Prefixes
	if p.Misplaced == 0 {
		return
	}
	v.Notes = append(v.Notes, &ast.Diagnostic{Severity: ast.Warning, Code: "list.misplaced", Pos: at.Pos(), End: at.End(),
		Msg:  fmt.Sprintf("%s: objects below no prefix of the projection are never read: %d, such as %s", table, p.Misplaced, Quote(v.Examples[0])),
		Hint: v.correction(v.Examples[0])})
}

// correction says what would make a key stand below a prefix.
func (v *verifier) correction(key string) string {
	if from, to, ok := v.respelled(key); ok {
		return "the projection has " + to + " where the objects have " + from + ": set its digits so that these agree"
	}
	return "widen the projection, correct its template, or move the objects"
}

// respelled finds the first number in a key that has other zeros in front than the projection writes, where with that
// corrected everywhere the key is found.
func (v *verifier) respelled(key string) (from, to string, ok bool) {
	for _, width := range []int{1, 2} {
		from = ""
		var text strings.Builder
		for rest := key; rest != ""; {
			n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
			if n == 0 {
				text.WriteByte(rest[0])
				rest = rest[1:]
				continue
			}
			number := strings.TrimLeft(rest[:n-1], "0") + rest[n-1:n]
			number = strings.Repeat("0", max(0, width-len(number))) + number
			if from == "" && number != rest[:n] {
				from, to = rest[:n], number
			}
			text.WriteString(number)
			rest = rest[n:]
		}
		if from != "" && v.locate(text.String()) {
			return from, to, true
		}
	}
	return "", "", false
}
