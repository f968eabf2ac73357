package planner

import (
	"context"
	"slices"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

const (
	maxListed = 1 << 14 // branches of an axis that are tried one by one
	maxBoxes  = 1 << 13 // tuples of several keys
	maxTries  = 1 << 15 // evaluations of a predicate on a key with more values
	vainTries = 1 << 9  // of those, that may all fail
)

// domain is what values a key can have: those of a fixed axis when these are few, else a range of numbers.
type domain struct {
	t      pruning.Type
	values []pruning.Value // ascending; nil when they aren't listed
	lo, hi int64           // of the values' numbers, when they aren't listed
	ranged bool            // lo and hi are set
	axis   bool            // other values have no rows
	null   bool            // rows may have NULL
}

func (d *domain) listed() bool { return d.values != nil }

// last is the index of the greatest value.
func (d *domain) last() uint64 {
	if d.listed() {
		return uint64(len(d.values) - 1)
	}
	return uint64(d.hi) - uint64(d.lo)
}

func (d *domain) value(i uint64) pruning.Value {
	if d.listed() {
		return d.values[i]
	}
	return pruning.Int(int64(uint64(d.lo) + i))
}

// span is a key that is anything from its i-th through its j-th value.
func (d *domain) span(i, j uint64) value {
	v := between(d.value(i), d.value(j))
	if i != j {
		v.is |= live
	}
	return v
}

// whole is a key of which nothing is known yet.
func (d *domain) whole() value {
	v := value{is: some | low | high | live}
	if d.listed() || d.ranged {
		v = d.span(0, d.last())
	}
	if d.null {
		v.is |= null
	}
	return v
}

// domain finds out what values key k can have.
func (l *lowering) domain(k int) *domain {
	if l.domains[k] == nil {
		l.domains[k] = l.newDomain(k)
	}
	return l.domains[k]
}

func (l *lowering) newDomain(k int) *domain {
	d := &domain{t: l.sp.Keys()[k].Type, null: true}
	t := typ{shape: scalarShape, scalar: d.t}
	for _, c := range l.rel.cols {
		if c.key == k {
			d.null, t = !c.typ.notNull, c.typ
		}
	}
	if l.listAxis(d, k) {
		return d
	}
	if !d.ranged {
		d.lo, d.hi, d.ranged = numberRange(t)
	}
	return d
}

// numberRange are the values of a type that are in the order of their numbers.
func numberRange(t typ) (lo, hi int64, ok bool) {
	switch k := t.scalar.Kind; {
	case k == pruning.Date && !t.wide:
		return 0, maxDay - 1, true
	case t.isDate() && !t.wide && nanosPer(t.scalar) >= 1000:
		unit := nanosPer(t.scalar) / 1000
		return 0, (maxMicros - 1) / unit, true
	case isInt(k), t.isDate(), k == pruning.Interval, k == pruning.Bool, k == pruning.Time:
		top, _ := t.scalar.Max()
		return t.scalar.Min().Int(), top.Int(), true
	}
	return 0, 0, false
}

// listAxis lists the values of the fixed axis that decides the key, if there is one that isn't too long. Of a longer one
// it takes the ends, if its values ascend.
func (l *lowering) listAxis(d *domain, k int) bool {
	axis := l.fixedAxis(k)
	if axis == nil {
		return false
	}
	last, ok := axis.Last()
	if !ok {
		return false
	}
	if last >= maxListed {
		d.ends(axis, last)
		return false
	}
	values := make([]pruning.Value, 0, last+1)
	for i := range last + 1 {
		v, null, ok := axis.Value(i)
		if !ok {
			return false
		}
		if !null {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return false
	}
	slices.SortFunc(values, pruning.Compare)
	d.values, d.axis = slices.Compact(values), true
	return true
}

// fixedAxis is the axis that decides a key below every branch, or nil.
func (l *lowering) fixedAxis(k int) projection.Axis {
	for _, level := range l.levels() {
		if level.Fixed() && projection.Decides(level, k) {
			if axis, err := level.Axis(context.Background(), &projection.Place{}); err == nil {
				return axis
			}
		}
	}
	return nil
}

// ends takes the first and last value of an axis of numbers or dates in ascending order.
func (d *domain) ends(axis projection.Axis, last uint64) {
	if !projection.Ascends(axis) {
		return
	}
	first, _, ok1 := axis.Value(0)
	final, _, ok2 := axis.Value(last)
	if ok1 && ok2 {
		d.lo, d.hi, d.ranged, d.axis = first.Int(), final.Int(), true, true
	}
}

// leaf lowers a predicate without a form of its own.
func (l *lowering) leaf(e expr) pruning.Diagram {
	keys := l.keysOf(e)
	for _, k := range keys {
		l.ev.keys[k] = l.domain(k).whole()
	}
	v := l.ev.eval(e)
	o := v.outcomes()
	switch {
	case o&(o-1) == 0:
		return l.sp.Const(o)
	case v.is&live == 0:
		l.because(e, l.blame(e))
		return l.sp.Const(o)
	case len(keys) == 1 && (l.domain(keys[0]).listed() || l.domain(keys[0]).ranged):
		return l.halve(e, keys[0])
	case len(keys) > 1 && l.boxes(keys) <= maxBoxes:
		b := boxer{l: l, e: e, keys: keys}
		return b.split(0)
	}
	l.open(e, keys)
	return l.sp.Const(o)
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
	d := l.domain(k)
	tries := maxTries
	if d.listed() {
		tries = 2 * len(d.values)
	}
	queue := []piece{{last: d.last()}}
	var done []piece
	open, tired := false, false
	for ; len(queue) > 0; tries-- {
		p := queue[0]
		queue = queue[1:]
		l.ev.keys[k] = d.span(p.first, p.last)
		v := l.ev.eval(e)
		p.out = v.outcomes()
		tired = tired || tries <= 0 || len(done) == 0 && tries < maxTries-vainTries && !d.listed()
		if decided := p.out&(p.out-1) == 0; decided || v.is&live == 0 || tired {
			open = open || !decided
			done = append(done, p)
			continue
		}
		mid := p.first + (p.last-p.first)/2
		queue = append(queue, piece{first: p.first, last: mid}, piece{first: mid + 1, last: p.last})
	}
	l.ev.keys[k] = nullValue
	null := l.ev.eval(e).outcomes()
	if open || d.null && null&(null-1) != 0 {
		l.halfOpen(e, k, tired)
	}
	cuts, outs := d.steps(done)
	return l.sp.Steps(k, cuts, outs, null)
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

// boxer evaluates a predicate over several keys with few values each, one key below the other.
type boxer struct {
	l    *lowering
	e    expr
	keys []int
}

// split lowers the predicate for the values that the keys before the i-th have at the moment.
func (b *boxer) split(i int) pruning.Diagram {
	l, k := b.l, b.keys[i]
	d := l.domain(k)
	for _, later := range b.keys[i+1:] {
		l.ev.keys[later] = l.domain(later).whole()
	}
	sets := map[pruning.Diagram]pruning.Set{}
	var order []pruning.Diagram
	rest := pruning.Full()
	add := func(x pruning.Diagram, first, last uint64) {
		if _, ok := sets[x]; !ok {
			order = append(order, x)
		}
		stretch := d.between(first, last)
		sets[x], rest = sets[x].Union(stretch), rest.Minus(stretch)
	}
	b.halve(i, 0, d.last(), add)
	out := l.sp.Const(pruning.False).Given(inside(l.sp, k, rest))
	for _, x := range order {
		out = out.Join(x.Given(inside(l.sp, k, sets[x])))
	}
	if d.null {
		l.ev.keys[k] = nullValue
		null := l.sp.Steps(k, nil, []pruning.Outcomes{pruning.False}, pruning.True)
		out = out.Join(b.below(i).Given(null))
	}
	l.ev.keys[k] = d.whole()
	return out
}

// inside is the cell of one key's values in a set.
func inside(sp *pruning.Space, k int, set pruning.Set) pruning.Diagram {
	return sp.In(k, set).Is(pruning.True)
}

// halve calls add for ranges of key i with what is left to decide below each.
func (b *boxer) halve(i int, first, last uint64, add func(x pruning.Diagram, first, last uint64)) {
	b.l.ev.keys[b.keys[i]] = b.l.domain(b.keys[i]).span(first, last)
	v := b.l.ev.eval(b.e)
	if o := v.outcomes(); o&(o-1) == 0 || v.is&live == 0 {
		if o&(o-1) != 0 {
			b.l.because(b.e, b.l.blame(b.e))
		}
		add(b.l.sp.Const(o), first, last)
		return
	}
	if first == last {
		add(b.below(i), first, last)
		return
	}
	mid := first + (last-first)/2
	b.halve(i, first, mid, add)
	b.halve(i, mid+1, last, add)
	b.l.ev.keys[b.keys[i]] = b.l.domain(b.keys[i]).whole()
}

// below is the predicate with key i at one value.
func (b *boxer) below(i int) pruning.Diagram {
	if i+1 < len(b.keys) {
		return b.split(i + 1)
	}
	o := b.l.ev.eval(b.e).outcomes()
	if o&(o-1) != 0 {
		b.l.because(b.e, b.l.blame(b.e))
	}
	return b.l.sp.Const(o)
}

// between are the values from the first-th through the last-th.
func (d *domain) between(first, last uint64) pruning.Set {
	if next, ok := d.t.Succ(d.value(last)); ok {
		return pruning.Range(d.value(first), next)
	}
	return pruning.From(d.value(first))
}
