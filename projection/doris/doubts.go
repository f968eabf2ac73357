package doris

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// doubts looks for what in a CREATE TABLE without errors was probably not meant: rows that no partition takes, which can't be
// loaded then, and buckets that stay empty.
func (h *history) doubts(t *table, partition, distribution *ast.Clause) {
	if distribution != nil && !t.buckets.auto {
		h.doubtBuckets(t, distribution)
	}
	if partition == nil || t.auto || t.dynamic || len(t.normal.names) == 0 {
		return
	}
	if !t.list {
		h.doubtGaps(t, partition)
	} else if c := t.refusesNull(); c != nil {
		h.Notef("lint.hole", partition, "declare "+c.name+" NOT NULL, or add a partition for NULL", "no partition of %s takes NULL, which %s may be: such rows can't be loaded", plainName(t.name), c.name)
	}
}

// doubtGaps tells of holes between ranges.
func (h *history) doubtGaps(t *table, at ast.Node) {
	holes := gaps(t.normal.ordered())
	if len(holes) == 0 {
		return
	}
	const shown = 3
	texts := make([]string, min(shown, len(holes)))
	for i := range texts {
		texts[i] = t.boundsText(holes[i].Lo, holes[i].Hi)
	}
	more := ""
	if len(holes) > shown {
		more = fmt.Sprintf(" and %d more", len(holes)-shown)
	}
	h.Warnf("lint.hole", at, "add partitions for them, if such rows come", "rows in %s%s belong to no partition of %s and can't be loaded", strings.Join(texts, ", "), more, plainName(t.name))
}

// refusesNull is the column of lists of which none has NULL, where that may come, or nil.
func (t *table) refusesNull() *column {
	if len(t.by) != 1 || !t.by[0].nullable || t.normal.rest != nil {
		return nil
	}
	hasNull := func(tuple []pruning.Nullable) bool { return tuple[0].Null }
	if slices.ContainsFunc(t.normal.lists, func(p *partition) bool { return slices.ContainsFunc(p.tuples, hasNull) }) {
		return nil
	}
	return t.by[0]
}

// doubtBuckets tells of buckets that no row can get into.
func (h *history) doubtBuckets(t *table, at ast.Node) {
	const code = "lint.buckets"
	if len(t.buckets.hash) != 1 {
		return
	}
	c := t.buckets.hash[0]
	if reached, ok := c.reached(t.buckets.count); ok && reached < t.buckets.count {
		h.Warnf(code, at, "take fewer buckets, or another column", "the values of %s, which is %s, reach %d of %d buckets", c.name, c.declared, reached, t.buckets.count)
		return
	}
	if !t.list || t.auto || len(t.by) != 1 || t.by[0] != c {
		return
	}
	for _, p := range t.normal.lists {
		if !p.others && len(p.tuples) < p.buckets {
			h.Warnf(code, at, "distribute by another column", "%s lists %d values of %s, so that its rows are in as many of its %d buckets at the most", p.name, len(p.tuples), c.name, p.buckets)
			return
		}
	}
}

// reached is how many of n buckets the values of a column reach; ok is false for types with many values.
func (c *column) reached(n int) (reached int, ok bool) {
	lo, hi := int64(0), int64(1)
	switch c.typ.Kind {
	case pruning.Bool:
	case pruning.Int8:
		lo, hi = math.MinInt8, math.MaxInt8
	default:
		return 0, false
	}
	bucket, hit := hasher([]*column{c}), map[int]bool{}
	for v := lo; v <= hi; v++ {
		hit[bucket([]pruning.Nullable{{Value: pruning.Int(v)}}, n)] = true
	}
	if c.nullable {
		hit[bucket([]pruning.Nullable{{Null: true}}, n)] = true
	}
	return len(hit), true
}
