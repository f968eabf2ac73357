package doris

import (
	"context"
	"math/big"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// layout is how the table lies, as far as ref reads it. What is the same for all references is made once.
func (t *table) layout(env *projection.Env, ref *ast.TableRef, found *projection.Findings) *projection.Layout {
	t.notes(ref, found)
	ps := t.normal
	if ref.Temporary {
		ps = t.temp
	}
	if t.made == nil || t.madeFor != t.version {
		t.all = t.normal.ordered()
		t.made, t.madeFor = t.newLayout(env, t.normal, t.all), t.version
	}
	if len(ref.Partitions) == 0 {
		return t.made
	}
	h := history{Findings: found, table: t}
	if len(t.by) == 0 {
		for _, n := range ref.Partitions {
			if n.Text != t.oneName() {
				h.find(ps, n)
			}
		}
		return t.made
	}
	want := h.findAll(ps, ref.Partitions)
	l := t.newLayout(env, ps, slices.DeleteFunc(ps.ordered(), func(p *partition) bool { return !slices.Contains(want, p) }))
	l.Whole = t.made
	return l
}

// notes tells what isn't certain about the table.
func (t *table) notes(ref *ast.TableRef, found *projection.Findings) {
	if t.buckets.auto {
		found.Notef("bucket.auto", nameSpan(ref.Name), "write BUCKETS n in CREATE TABLE to fix it",
			"the number of buckets of %s is chosen when data comes; it is planned with %d", plainName(t.name), t.buckets.count)
	}
	if t.dynamic {
		found.Warnf("partition.dynamic", nameSpan(ref.Name), "add them by ALTER TABLE",
			"the partitions that dynamic_partition makes in %s as time goes on aren't known: plans lack them", plainName(t.name))
	}
	if len(ref.Tablets) > 0 {
		found.Notef("table.tablet", ref.Tablets[0], "", "the numbers of tablets are only known to the running system: TABLET is left out of account")
	}
}

// oneName is the name of the one partition of a table without partitions.
func (t *table) oneName() string { return t.name[len(t.name)-1].Text }

// newLayout lays out some of the normal or of the temporary partitions. Rows that are loaded go to the default partition
// only where no other one lists them.
func (t *table) newLayout(env *projection.Env, ps *partitions, list []*partition) *projection.Layout {
	l := t.layOut(env, ps, list, ps.missing)
	if ps.rest != nil && len(ps.missing) < len(ps.listed) {
		l.Written = t.layOut(env, ps, list, ps.listed)
	}
	return l
}

// layOut is newLayout with the tuples that the default partition doesn't have.
func (t *table) layOut(env *projection.Env, ps *partitions, list []*partition, missing map[string]*partition) *projection.Layout {
	l := &projection.Layout{System: "doris", Shape: t.shape(), Unit: "buckets", Closed: true, Grows: t.auto, Describe: t.describe}
	keys := t.keys()
	for _, c := range keys {
		l.Keys = append(l.Keys, pruning.Key{Name: c.name, Type: c.typ})
	}
	h := &projection.Hash{Count: t.buckets.count, Limit: env.Limits.Points}
	for _, c := range t.buckets.hash {
		h.By, h.Nullable = append(h.By, indexOf(keys, c)), append(h.Nullable, c.nullable)
	}
	if len(h.By) > 0 {
		h.Bucket = hasher(t.buckets.hash)
	}
	if len(t.by) == 0 {
		l.Total = big.NewInt(int64(h.Count))
		name := t.oneName()
		l.Levels = []projection.Level{h}
		l.Names = func(at *projection.Place) (string, int, bool, bool) { return name, int(at.Index[0]), true, true }
		l.Facts = func(_ context.Context, d pruning.Diagram, _ projection.Check) ([]projection.Fact, error) {
			return bucketFacts(h.Reason(&projection.Place{}, d)), nil
		}
		return l
	}
	l.Total = new(big.Int)
	for _, p := range list {
		l.Total.Add(l.Total, big.NewInt(int64(p.buckets)))
	}
	cells, list := t.cells(ps, list, missing)
	level := projection.CellLevel(cells, t.columnsOf().Keys())
	h.Above = []projection.Level{level}
	if counts := bucketCounts(list); counts != nil {
		h.Count, h.Counts = 0, func(at *projection.Place) int { return counts[at.Index[0]] }
	} else if len(list) > 0 {
		h.Count = list[0].buckets
	}
	l.Levels = []projection.Level{level, h}
	l.Names = func(at *projection.Place) (string, int, bool, bool) {
		return cells.Name(at.Index[0]), int(at.Index[1]), true, true
	}
	all := t.all
	l.Facts = func(ctx context.Context, d pruning.Diagram, c projection.Check) ([]projection.Fact, error) {
		return t.facts(ctx, l, d, c, cells, list, all)
	}
	return l
}

// bucketCounts are the numbers of buckets of partitions, or nil when all have the same.
func bucketCounts(list []*partition) []int {
	same := true
	counts := make([]int, len(list))
	for i, p := range list {
		counts[i] = p.buckets
		same = same && p.buckets == list[0].buckets
	}
	if same {
		return nil
	}
	return counts
}

// columnsOf are the partition columns as keys of cells.
func (t *table) columnsOf() *projection.Columns {
	c := &projection.Columns{}
	for _, col := range t.by {
		c.Types, c.Nullable = append(c.Types, col.typ), append(c.Nullable, col.nullable)
		c.Kept = c.Kept || indexOf(t.buckets.hash, col) >= 0
	}
	return c
}

// cells is the axis of some partitions, and those of them that can hold rows at all.
func (t *table) cells(ps *partitions, list []*partition, missing map[string]*partition) (projection.Cells, []*partition) {
	if t.list {
		return projection.NewLists(*t.columnsOf(), ps.asLists(list, missing)), list
	}
	ranges, holding := make([]projection.Range, 0, len(list)), make([]*partition, 0, len(list))
	for _, p := range list {
		if r, ok := t.held(p); ok {
			ranges, holding = append(ranges, r), append(holding, p)
		}
	}
	return projection.NewRanges(*t.columnsOf(), ranges), holding
}

// held is the range of values that a partition takes. With AUTO PARTITION rows are routed by date_trunc of their value:
// a value is in [lo, hi) once cut exactly if it is in the same bounds rounded up to the unit. ok is false if none is.
func (t *table) held(p *partition) (r projection.Range, ok bool) {
	r = projection.Range{Name: p.name, Lo: p.lo, Hi: p.hi}
	if t.unit != noUnit {
		if r.Lo, ok = t.roundUp(p.lo); !ok {
			return r, false
		}
		if p.hi != nil {
			r.Hi, _ = t.roundUp(p.hi)
		}
		if r.Hi != nil && compareTuples(r.Lo, r.Hi) >= 0 {
			return r, false
		}
	}
	if compareTuples(r.Lo, least(t.by)) == 0 {
		r.Lo = nil
	}
	return r, true
}

// roundUp is the least beginning of a unit that isn't below a bound; nil above the calendar.
func (t *table) roundUp(b []pruning.Value) ([]pruning.Value, bool) {
	c := t.by[0]
	micros := c.micros(b[0])
	begin := t.unit.floor(micros)
	if begin < micros {
		begin = t.unit.next(begin, 1)
	}
	v, ok := c.ofMicros(begin)
	if !ok {
		return nil, false
	}
	return []pruning.Value{v}, true
}

// asLists are list partitions for their axis. The default partition has all tuples but those that are missing there.
func (ps *partitions) asLists(list []*partition, missing map[string]*partition) []projection.List {
	out := make([]projection.List, len(list))
	for i, p := range list {
		out[i] = projection.List{Name: p.name, Tuples: p.tuples, Others: p.others}
		if !p.others {
			continue
		}
		for _, q := range ps.lists {
			for _, x := range q.tuples {
				if missing[tupleKey(x)] != nil {
					out[i].Tuples = append(out[i].Tuples, x)
				}
			}
		}
	}
	return out
}
