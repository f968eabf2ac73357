package projection

import (
	"context"
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// mostAsks is how many directories are asked for without knowing that they exist. More are rather listed.
const mostAsks = 8

// ask is a stretch of texts that can be asked for: one directory, or all that begin alike.
type ask struct {
	text  string
	whole bool            // text is all of it
	value pruning.Value   // of a whole text
	rest  pruning.Diagram // likewise
}

// asks are the texts that a spot's conditions leave of its key, if they are few and certain: those of a text column
// whose values stand in directory names as they are, and with Canonical those of any column.
func (f *finder) asks(s *spot) (asks []ask, ok bool) {
	key := &f.Keys[s.level]
	verbatim := key.Held == nil && f.Codec.verbatim(key)
	b := s.rest.Branches(s.level)
	if !verbatim && !f.Canonical || f.Codec.Null != nil && b.Null().Outcomes().MayBeTrue() {
		return nil, false
	}
	cuts := b.Cuts()
	for i := range b.Len() {
		rest := b.Piece(i)
		if !rest.Outcomes().MayBeTrue() {
			continue
		}
		if i == 0 || i == len(cuts) {
			return nil, false
		}
		if verbatim {
			asks, ok = f.askBetween(asks, cuts[i-1], cuts[i], rest)
		} else {
			asks, ok = f.askEach(asks, key.Type, cuts[i-1], cuts[i], rest)
		}
		if !ok || len(asks) > mostAsks {
			return nil, false
		}
	}
	return asks, len(asks)*s.asked <= mostAsks
}

// askBetween asks for texts from lo up to hi.
func (f *finder) askBetween(asks []ask, lo, hi pruning.Value, rest pruning.Diagram) ([]ask, bool) {
	a, ok := askFor(lo.Text(), hi.Text())
	if !ok || f.Codec.Null != nil && f.Codec.Null(a.text) {
		return nil, false
	}
	a.value, a.rest = lo, rest
	if strings.Contains(a.text, "/") { // no directory has such a text
		return asks, true
	}
	return addAsk(asks, a), true
}

// askEach asks for each value from lo up to hi.
func (f *finder) askEach(asks []ask, t pruning.Type, lo, hi pruning.Value, rest pruning.Diagram) ([]ask, bool) {
	for more := true; more && pruning.Compare(lo, hi) < 0; {
		text, ok := f.Codec.canonical(t, lo)
		if !ok || len(asks) == mostAsks {
			return nil, false
		}
		if !strings.Contains(text, "/") {
			asks = append(asks, ask{text: text, whole: true, value: lo, rest: rest})
		}
		lo, more = t.Succ(lo)
	}
	return asks, true
}

// addAsk appends a stretch, unless one covers the other: what all begin with is listed once.
func addAsk(asks []ask, a ask) []ask {
	for n := len(asks); n > 0; n-- {
		last := asks[n-1]
		if !last.whole && strings.HasPrefix(a.text, last.text) {
			return asks
		}
		if a.whole || !strings.HasPrefix(last.text, a.text) {
			break
		}
		asks = asks[:n-1]
	}
	return append(asks, a)
}

// askFor is how to ask for the texts lo ≤ text < hi; ok is false when they have no beginning in common.
func askFor(lo, hi string) (a ask, ok bool) {
	if hi == lo+"\x00" {
		return ask{text: lo, whole: true}, true
	}
	n := 0
	for n < len(lo) && n < len(hi) && lo[n] == hi[n] {
		n++
	}
	if n == len(hi)-1 && n < len(lo) && lo[n] == hi[n]-1 {
		n++ // from "eu-" up to "eu."
	}
	return ask{text: lo[:n]}, n > 0
}

// ask makes branches of whole texts, and lists those that begin with others.
func (f *finder) ask(ctx context.Context, s *spot, asks []ask) *candidates {
	out := newCandidates(s)
	start := s.prefix + f.Keys[s.level].Name + "="
	s.asked *= max(1, len(asks))
	f.mu.Lock()
	f.asked = true
	f.mu.Unlock()
	for _, a := range asks {
		if a.whole {
			out.enter(start+a.text+"/", branch{held: KeyValue{Value: a.value}, rest: a.rest})
		} else {
			f.listInto(ctx, out, s, start+a.text)
		}
	}
	return out
}
