package paimon

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// bucketLevel is the level of the buckets of a partition.
type bucketLevel struct {
	*tree
	mode    Mode
	only    int // the bucket that is asked for, or noBucket
	history *history
	hash    *projection.Hash // nil: nothing tells the bucket of a key
	below   projection.Level // the listed directories; nil without a listing

	mu     sync.Mutex
	hashed map[int]*memo // axes by the number of buckets
}

// listed is the level of buckets whose directories another level has.
func (b *bucketLevel) listed(below projection.Level) *bucketLevel {
	return &bucketLevel{tree: b.tree, mode: b.mode, only: b.only, history: b.history, hash: b.hash, below: below}
}

// Keys implements [projection.Level].
func (b *bucketLevel) Keys() []int {
	if b.hash == nil {
		return nil
	}
	return b.hash.By
}

// Fixed implements [projection.Level].
func (b *bucketLevel) Fixed() bool {
	return b.below == nil && (len(b.history.named) == 0 || len(b.columns) == 0)
}

// Computed implements projection.Computed.
func (b *bucketLevel) Computed() bool { return b.below == nil }

// Axis implements [projection.Level].
func (b *bucketLevel) Axis(ctx context.Context, at *projection.Place) (projection.Axis, error) {
	a := &buckets{only: b.only}
	if b.below != nil {
		below, err := b.below.Axis(ctx, at)
		if err != nil {
			return nil, err
		}
		a.listed = numbersOf(below)
	}
	switch b.mode {
	case Unaware:
		a.n = 1
	case Fixed, Postponed:
		if err := b.count(ctx, a, at); err != nil {
			return nil, err
		}
	}
	if a.n == 0 && a.listed == nil && b.only != noBucket {
		a.n = b.only + 1
	}
	return a, nil
}

// count tells an axis how many buckets its partition may have, and the hashes for each number. A listed bucket that none of
// them has shows that the number isn't known.
func (b *bucketLevel) count(ctx context.Context, a *buckets, at *projection.Place) error {
	may := b.counts(at).may
	if len(may) == 0 || len(a.listed) > 0 && a.listed[len(a.listed)-1] >= may[len(may)-1] {
		return nil
	}
	a.n = may[len(may)-1]
	if b.hash == nil {
		return nil
	}
	for _, n := range may {
		h, err := b.axis(ctx, n)
		if err != nil {
			return err
		}
		a.hashes = append(a.hashes, h)
	}
	return nil
}

// counts are those of a partition.
func (b *bucketLevel) counts(at *projection.Place) counts {
	switch {
	case len(b.history.named) == 0:
		return b.history.other
	case len(b.columns) == 0:
		return b.history.of("")
	}
	return b.history.at(b.directory(at)[len(b.root):])
}

// axis is the axis of n buckets, which partitions share.
func (b *bucketLevel) axis(ctx context.Context, n int) (*memo, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m := b.hashed[n]; m != nil {
		return m, nil
	}
	h := *b.hash
	h.Count, h.Limit = n, b.limit(n)
	a, err := h.Axis(ctx, nil)
	if err != nil {
		return nil, err
	}
	if b.hashed == nil {
		b.hashed = map[int]*memo{}
	}
	m := &memo{Axis: a}
	b.hashed[n] = m
	return m, nil
}

// limit is how many keys are hashed for a partition of n buckets.
func (b *bucketLevel) limit(n int) int { return min(max(b.hash.Limit, keysEach*n), mostKeys) }

// memo keeps the runs of the last diagram: most partitions leave the same one.
type memo struct {
	projection.Axis
	mu   sync.Mutex
	last pruning.Diagram
	runs []projection.Run
	err  error
	held bool
}

// Runs implements [projection.Axis].
func (m *memo) Runs(dst []projection.Run, d pruning.Diagram) ([]projection.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.held || m.last != d {
		m.runs, m.err = m.Axis.Runs(m.runs[:0], d)
		m.last, m.held = d, true
	}
	return append(dst, m.runs...), m.err
}

// buckets are the buckets of one partition.
type buckets struct {
	n      int     // they are 0 through n-1; 0: not known
	listed []int   // those that exist, ascending; nil without a listing
	only   int     // the bucket that is asked for, or noBucket
	hashes []*memo // of each number of buckets that there may be; none: any bucket may have any key
}

// anyBucket is the number of the one branch of buckets whose number isn't known.
const anyBucket = math.MaxInt

// Last implements [projection.Axis].
func (b *buckets) Last() (uint64, bool) {
	switch {
	case b.listed != nil:
		return uint64(len(b.listed)) - 1, len(b.listed) > 0
	case b.n == 0:
		return 0, true
	}
	return uint64(b.n) - 1, true
}

// number is the number of the i-th branch, or anyBucket.
func (b *buckets) number(i uint64) int {
	switch {
	case b.listed != nil:
		return b.listed[i]
	case b.n == 0:
		return anyBucket
	}
	return int(i)
}

// Value implements [projection.Axis]: a bucket has many values.
func (b *buckets) Value(uint64) (v pruning.Value, null, ok bool) { return v, false, false }

// AppendName implements [projection.Axis].
func (b *buckets) AppendName(dst []byte, i uint64) []byte {
	switch n := b.number(i); n {
	case anyBucket:
		return dst
	case postponed:
		return append(dst, stagingDir...)
	default:
		return strconv.AppendInt(append(dst, bucketPrefix...), int64(n), 10)
	}
}

// Runs implements [projection.Axis].
func (b *buckets) Runs(dst []projection.Run, d pruning.Diagram) ([]projection.Run, error) {
	if _, ok := b.Last(); !ok || !d.Outcomes().MayBeTrue() {
		return dst, nil
	}
	runs := []projection.Run{{Last: uint64(max(b.n, 1)) - 1, Rest: d.Space().Const(d.Outcomes())}}
	if b.listed != nil && b.n == 0 {
		runs[0].Last = math.MaxUint64
	}
	if len(b.hashes) > 0 {
		var err error
		if runs, err = b.hit(d); err != nil {
			return dst, err
		}
	}
	if b.only != noBucket {
		runs = within(runs, uint64(b.only))
	}
	if b.listed == nil {
		return append(dst, runs...), nil
	}
	return b.existing(dst, runs, d), nil
}

// hit are the buckets that keys may be in under any of the numbers of buckets.
func (b *buckets) hit(d pruning.Diagram) (runs []projection.Run, err error) {
	for _, h := range b.hashes {
		if runs, err = h.Runs(runs, d); err != nil {
			return nil, err
		}
	}
	if len(b.hashes) == 1 {
		return runs, nil
	}
	slices.SortFunc(runs, func(x, y projection.Run) int { return int(x.First) - int(y.First) })
	out := runs[:0]
	for _, r := range runs {
		if n := len(out); n > 0 && r.First <= out[n-1].Last+1 {
			out[n-1].Last = max(out[n-1].Last, r.Last)
		} else {
			out = append(out, r)
		}
	}
	return out, nil
}

// within are the runs of one bucket.
func within(runs []projection.Run, n uint64) []projection.Run {
	for _, r := range runs {
		if r.First <= n && n <= r.Last {
			return []projection.Run{{First: n, Last: n, Rest: r.Rest}}
		}
	}
	return nil
}

// existing turns runs of numbers into runs of listed buckets. Rows that are staged may have any key.
func (b *buckets) existing(dst, runs []projection.Run, d pruning.Diagram) []projection.Run {
	numbers, from := b.listed, uint64(0)
	if len(numbers) > 0 && numbers[0] == postponed {
		numbers, from = numbers[1:], 1
		if b.only == noBucket {
			dst = append(dst, projection.Run{Rest: d.Space().Const(d.Outcomes())})
		}
	}
	for _, r := range runs {
		first, _ := slices.BinarySearchFunc(numbers, r.First, compareNumber)
		end, found := slices.BinarySearchFunc(numbers, r.Last, compareNumber)
		if found {
			end++
		}
		if first < end {
			dst = append(dst, projection.Run{First: from + uint64(first), Last: from + uint64(end) - 1, Rest: r.Rest})
		}
	}
	return dst
}

func compareNumber(n int, to uint64) int {
	switch {
	case uint64(n) < to:
		return -1
	case uint64(n) > to:
		return 1
	}
	return 0
}

// bucketPrefix begins the name of a bucket's directory. Rows that are postponed are staged in a directory of their own.
const (
	bucketPrefix = "bucket-"
	stagingDir   = "bucket-postpone"
)

// bucketNumber reads the name of a bucket's directory; that of staged rows has the number postponed.
func bucketNumber(dir string) (int, bool) {
	if dir == stagingDir {
		return postponed, true
	}
	digits, ok := strings.CutPrefix(dir, bucketPrefix)
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 0 && strconv.Itoa(n) == digits
}

// numbersOf are the numbers of listed bucket directories, ascending: as texts, bucket-10 comes before bucket-2.
func numbersOf(a projection.Axis) []int {
	last, ok := a.Last()
	if !ok {
		return []int{}
	}
	numbers := make([]int, 0, last+1)
	for i := range last + 1 {
		if n, ok := bucketNumber(string(a.AppendName(nil, i))); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}
