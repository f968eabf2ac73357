package paimon

import (
	"math/big"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// keyColumns are the columns of the layout's keys: those of the partition, and then the bucket key, if it tells the bucket.
func (d *definition) keyColumns() []int {
	if !d.hashable() {
		return d.partition
	}
	return slices.Concat(d.partition, d.hashed)
}

// layout is partitions, outermost first, and buckets in each. What partitions there are stands in the storage; without it
// they are those that a query names.
func (d *definition) layout() *projection.Layout {
	l := &projection.Layout{System: "paimon", Shape: d.shape(), Unit: "buckets", Sizing: d.sizing()}
	l.Virtual = len(d.keyColumns()) - len(d.partition)
	for _, i := range d.keyColumns() {
		c := &d.columns[i]
		l.Keys = append(l.Keys, pruning.Key{Name: c.name.S, Type: c.typ})
		if c.word == "CHAR" {
			l.Derived = append(l.Derived, d.padded(c, len(l.Keys)-1))
		}
	}
	t := d.tree()
	b := d.buckets(t)
	l.Path, l.Names, l.Levels = t.path, t.names, t.unknown(b)
	switch {
	case d.env.Store != nil:
		l.Source = &listed{t, b, d}
	case len(d.partition) > 0:
		l.Source, l.Open = &named{t, b, d}, true
	default:
		l.Levels = []projection.Level{b}
		l.Facts = (&facts{definition: d, tree: t, buckets: b, layout: l}).of
	}
	return l
}

// shape is the line about a table's layout: its mode, and where the number of buckets comes from.
func (d *definition) shape() string {
	parts := []string{d.mode().String()}
	switch d.mode() {
	case Fixed:
		text := counted(d.bucket, "bucket") + " by "
		if d.function != Default {
			text += d.function.String() + " of "
		}
		parts = append(parts, text+d.typed(d.hashed))
	case KeyDynamic:
		parts[0] += " (bucket = -1, primary key lacks " + d.namesOf(d.missing()) + ")"
	case HashDynamic:
		parts[0] += " (bucket = -1)"
	case Unaware:
		parts[0] += " (bucket = -1, no primary key)"
	case Postponed:
		parts[0] += " (bucket = -2)"
	}
	if len(d.partition) > 0 {
		parts = append(parts, "partitioned by "+d.namesOf(d.partition))
	}
	return strings.Join(parts, ", ")
}

// typed are names of columns with their types: "order_id BIGINT".
func (d *definition) typed(keys []int) string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = strings.TrimSpace(d.columns[k].name.S + " " + d.columns[k].declared)
	}
	return strings.Join(texts, ", ")
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return projection.Grouped(big.NewInt(int64(n))) + " " + noun
}

// padded is what a condition on a CHAR column means for its key. Paimon stores texts as they come and engines differ about
// blanks at the end, so only a text of the full length, without such blanks, is a value that can be compared.
func (d *definition) padded(c *column, key int) projection.Derived {
	length := c.length
	return projection.Derived{Column: c.name.S, Lift: func(s *pruning.Space, set pruning.Set) pruning.Diagram {
		cuts := set.Cuts()
		for i := 0; i < len(cuts); i += 2 {
			v := cuts[i].Text()
			single := i+1 < len(cuts) && cuts[i+1] == pruning.Text(v+"\x00")
			if !single || len([]rune(v)) != length || strings.HasSuffix(v, " ") {
				return s.Const(pruning.Unknown)
			}
		}
		return s.In(key, set)
	}}
}

// buckets is the level below the partitions.
func (d *definition) buckets(t *tree) *bucketLevel {
	b := &bucketLevel{tree: t, mode: d.mode(), only: d.only, history: &d.history}
	if !d.hashable() {
		return b
	}
	h := projection.Hash{Bucket: d.bucketOf(), Limit: max(hashLimit, d.env.Limits.Points)}
	for i, k := range d.hashed {
		h.By = append(h.By, len(d.partition)+i)
		h.Nullable = append(h.Nullable, !d.columns[k].notNull)
	}
	b.hash = &h
	return b
}

// hashLimit is how many keys are hashed for one partition, or keysEach a bucket, before all its buckets are taken, but no more
// than mostKeys. Mostly all buckets are hit long before.
const (
	hashLimit = 1 << 16
	keysEach  = 64
	mostKeys  = 1 << 22
)

// hashable reports whether the bucket of a key can be computed here.
func (d *definition) hashable() bool {
	if d.bucket == dynamic || d.rehashed {
		return false
	}
	for _, k := range d.hashed {
		c := &d.columns[k]
		if c.typ.Kind == pruning.NoKind || d.function == Hive && (c.typ.Kind == pruning.Timestamp || c.typ.Kind == pruning.Datetime) {
			return false
		}
	}
	return len(d.hashed) > 0
}

// bucketOf is the bucket of a row of bucket keys; -1 for one that the columns can't hold.
func (d *definition) bucketOf() func(tuple []pruning.Nullable, n int) int {
	columns, types := make([]column, len(d.hashed)), make([]pruning.Type, len(d.hashed))
	for i, k := range d.hashed {
		columns[i], types[i] = d.columns[k], d.columns[k].typ
	}
	f := d.function
	return func(tuple []pruning.Nullable, n int) int {
		for i := range tuple {
			if !tuple[i].Null && !columns[i].holds(tuple[i].Value) {
				return -1
			}
		}
		return f.Bucket(types, tuple, n)
	}
}
