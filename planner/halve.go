package planner

import (
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

const (
	maxListed  = 1 << 14 // branches of an axis that are tried one by one
	maxBoxes   = 1 << 13 // tuples of several keys
	maxTries   = 1 << 15 // evaluations of a predicate on a key with more values
	vainTries  = 1 << 9  // of those, that may all fail
	leastTries = 1 << 8  // for each part of the key's values that partitions have
)

// leaf lowers a predicate without a form of its own.
func (l *lowering) leaf(e expr) pruning.Diagram {
	keys := l.keysOf(e)
	for _, k := range keys {
		l.ev.keys[k] = l.domain(k).whole()
	}
	v := l.ev.eval(e)
	o := v.outcomes()
	l.nodes = size(e)
	switch {
	case o&(o-1) == 0:
		return l.sp.Const(o)
	case v.is&live == 0:
		l.because(e, l.blame(e))
		return l.sp.Const(o)
	case l.work <= 0:
	case len(keys) == 1 && (l.domain(keys[0]).listed() || l.domain(keys[0]).ranged):
		return l.halve(e, keys[0])
	case len(keys) > 1 && l.boxes(keys) <= maxBoxes:
		b := boxer{l: l, e: e, keys: keys}
		return b.split(0)
	}
	l.open(e, keys)
	return l.sp.Const(o)
}

// try evaluates the leaf that is being lowered.
func (l *lowering) try(e expr) value {
	l.work -= l.nodes
	return l.ev.eval(e)
}

// keysOf are the keys that e refers to, ascending.
func (l *lowering) keysOf(e expr) (keys []int) {
	for c := range columns(e) {
		if k := l.key(c); k >= 0 && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// boxes is the number of tuples that the keys can have; too many when one isn't listed.
func (l *lowering) boxes(keys []int) int {
	n := 1
	for _, k := range keys {
		d := l.domain(k)
		if !d.listed() || n > maxBoxes {
			return maxBoxes + 1
		}
		n *= len(d.values)
	}
	return n
}

// piece is a stretch of a key's values with the outcomes of a predicate on them.
type piece struct {
	first, last uint64
	out         pruning.Outcomes
}

// halve evaluates a predicate on ranges of one key, which it halves until the outcome is certain or can't get better.
// Ranges that are still open when the tries are used up stay open: wider, never wrong.
func (l *lowering) halve(e expr, k int) pruning.Diagram {
	h := halving{lowering: l, e: e, k: k, d: l.domain(k)}
	stretches := l.stretches(h.d, k)
	for _, p := range stretches {
		h.tries = max(maxTries/len(stretches), leastTries)
		if h.d.listed() {
			h.tries = 2 * len(h.d.values)
		}
		h.stretch(p)
	}
	l.ev.keys[k] = nullValue
	null := l.ev.eval(e).outcomes()
	if h.open || h.d.null && null&(null-1) != 0 {
		l.halfOpen(e, k, h.tired)
	}
	cuts, outs := h.d.steps(h.done)
	return l.sp.Steps(k, cuts, outs, null)
}

// halving is the state of halve.
type halving struct {
	*lowering
	e     expr
	k     int
	d     *domain
	done  []piece
	tries int  // that are left for a stretch
	open  bool // a piece is
	tired bool // and might not be with more tries
}

// stretch halves one part of the key's values.
func (h *halving) stretch(p piece) {
	queue, before, all, tired := []piece{p}, len(h.done), h.tries, false
	for ; len(queue) > 0; h.tries-- {
		p := queue[0]
		queue = queue[1:]
		h.ev.keys[h.k] = h.d.span(p.first, p.last)
		v := h.try(h.e)
		p.out = v.outcomes()
		tired = tired || h.tries <= 0 || h.work <= 0 || len(h.done) == before && h.tries < all-vainTries && !h.d.listed()
		if decided := p.out&(p.out-1) == 0; decided || v.is&live == 0 || tired {
			h.open, h.tired = h.open || !decided, h.tired || tired && !decided
			h.done = append(h.done, p)
			continue
		}
		mid := p.first + (p.last-p.first)/2
		queue = append(queue, piece{first: p.first, last: mid}, piece{first: mid + 1, last: p.last})
	}
}

// halfOpen notes a predicate that stays open for some values of its key.
func (l *lowering) halfOpen(e expr, k int, tired bool) {
	if tired {
		l.open(e, []int{k})
		return
	}
	l.because(e, l.blame(e))
}

// steps joins neighbouring pieces with equal outcomes to a step function. Values between those of an axis have no rows;
// the cuts there are put so that TRUE keeps close to the values that have it.
func (d *domain) steps(pieces []piece) (cuts []pruning.Value, outs []pruning.Outcomes) {
	slices.SortFunc(pieces, func(a, b piece) int {
		if a.first < b.first {
			return -1
		}
		return 1
	})
	joined := pieces[:1]
	for _, p := range pieces[1:] {
		if last := &joined[len(joined)-1]; last.out == p.out {
			last.last = p.last
		} else {
			joined = append(joined, p)
		}
	}
	cuts, outs = []pruning.Value{d.value(0)}, []pruning.Outcomes{d.outside(joined[0].out), joined[0].out}
	for i, p := range joined[1:] {
		cut := d.value(p.first)
		if before := joined[i]; d.axis && before.out.MayBeTrue() && !p.out.MayBeTrue() {
			cut, _ = d.t.Succ(d.value(before.last))
		}
		cuts, outs = append(cuts, cut), append(outs, p.out)
	}
	last := joined[len(joined)-1]
	if next, ok := d.t.Succ(d.value(last.last)); ok {
		cuts, outs = append(cuts, next), append(outs, d.outside(last.out))
	}
	return cuts, outs
}

// outside is the outcome beyond the first or last value. No row is there; FALSE keeps diagrams small.
func (d *domain) outside(o pruning.Outcomes) pruning.Outcomes {
	if d.axis && o.MayBeTrue() {
		return pruning.False
	}
	return o
}
