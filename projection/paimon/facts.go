package paimon

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// facts tells people about a plan.
type facts struct {
	*definition
	tree    *tree
	buckets *bucketLevel
	layout  *projection.Layout
	listing *projection.Listing // nil without one
}

// of are the facts about what a diagram selects.
func (f *facts) of(ctx context.Context, d pruning.Diagram, c projection.Check) ([]projection.Fact, error) {
	list := []projection.Fact{{Label: "buckets", Lines: f.keys(d)}}
	cost, err := f.cost(ctx, d, c)
	if cost != "" {
		list = append(list, projection.Fact{Label: "cost", Lines: []string{cost}})
	}
	if f.listing != nil {
		bound := "a listing is an upper bound: files of expired snapshots and of unfinished writes lie in the same directories"
		list = append(list, projection.Fact{Label: "bound", Lines: []string{bound}})
	}
	if name := f.zoned(); name != "" {
		list = append(list, projection.Fact{Label: "zone", Lines: []string{"names of " + name + " are read as UTC: they are in the time zone of their writer"}})
	}
	if lines := f.counts(); lines != nil {
		list = append(list, projection.Fact{Label: "rescale", Lines: lines})
	}
	if lines := f.updates(d); lines != nil {
		list = append(list, projection.Fact{Label: "updates", Lines: lines})
	}
	return list, err
}

// zoned are the partition columns whose names depend on the time zone in which they were written.
func (f *facts) zoned() string {
	var keys []int
	for _, i := range f.partition {
		if c := &f.columns[i]; !f.names.legacy && (c.word == "TIMESTAMP_LTZ" || strings.Contains(strings.ToUpper(c.declared), "LOCAL TIME ZONE")) {
			keys = append(keys, i)
		}
	}
	return f.namesOf(keys)
}

// shownKeys is how many keys are told with their hashes.
const shownKeys = 8

// keys tells the hash and the bucket of each key that is asked for, where these are few, or why all buckets are read.
func (f *facts) keys(d pruning.Diagram) []string {
	if f.only != noBucket {
		return []string{fmt.Sprintf("bucket %d alone: %s asks for it", f.only, scanBucketOption)}
	}
	switch f.mode() {
	case HashDynamic, KeyDynamic:
		return []string{"every bucket: an index and no formula says where a key is (" + f.mode().String() + ")"}
	case Unaware:
		return []string{"bucket 0 alone: without bucket and bucket-key, rows lie as they come"}
	}
	h := f.buckets.hash
	if h == nil {
		if f.rehashed {
			return []string{"every bucket: " + f.namesOf(f.definition.hashed) + " had another type, and rows lie where that put them"}
		}
		return []string{"every bucket: " + f.namesOf(f.definition.hashed) + " can't be hashed here"}
	}
	var lines []string
	n := 0
	finite := d.EachPoint(h.By, f.limit(), func(tuple []pruning.Nullable) bool {
		if f.possible(tuple) {
			if n++; n <= shownKeys {
				lines = append(lines, f.key(tuple)...)
			}
		}
		return n <= shownKeys
	})
	switch {
	case !finite:
		return []string{"every bucket: " + f.open(d)}
	case n == 0:
		return []string{"none: no key is asked for"}
	case n > shownKeys:
		return []string{"those of more than " + strconv.Itoa(shownKeys) + " keys"}
	}
	return lines
}

// limit is how many keys are hashed.
func (f *facts) limit() int {
	if numbers := f.numbers(); len(numbers) > 0 {
		return f.buckets.limit(numbers[len(numbers)-1])
	}
	return f.buckets.hash.Limit
}

// possible reports whether rows can have a tuple of bucket keys.
func (f *facts) possible(tuple []pruning.Nullable) bool {
	for i, k := range f.definition.hashed {
		c := &f.columns[k]
		if tuple[i].Null && c.notNull || !tuple[i].Null && !c.holds(tuple[i].Value) {
			return false
		}
	}
	return true
}

// key is a line about a key: "order_id 12345: hash 767607022, bucket 2 of 4". Both zeros have a line.
func (f *facts) key(tuple []pruning.Nullable) (lines []string) {
	types := make([]pruning.Type, len(tuple))
	texts := make([]string, len(tuple))
	for i, k := range f.definition.hashed {
		c := &f.columns[k]
		types[i], texts[i] = c.typ, c.name.S+" "+valueText(c, tuple[i])
	}
	line := func(t []pruning.Nullable, note string) string {
		text := strings.Join(texts, ", ") + note + ": hash " + strconv.Itoa(int(f.function.Hash(types, t)))
		if f.function == Mod {
			text = strings.Join(texts, ", ") + note + ": modulus"
		}
		numbers := f.numbers()
		if len(numbers) == 0 {
			return text + ", bucket unknown: how many there are stands in the manifests"
		}
		for _, n := range numbers {
			text += fmt.Sprintf(", bucket %d of %d", f.function.Bucket(types, t, n), n)
		}
		return text
	}
	lines = append(lines, line(tuple, ""))
	for i, t := range types {
		if tuple[i].Null {
			continue
		}
		for _, twin := range t.Twins(tuple[i].Value) {
			other := slices.Clone(tuple)
			other[i].Value = twin
			lines = append(lines, line(other, " as -0.0, which is equal"))
		}
	}
	return lines
}

func valueText(c *column, x pruning.Nullable) string {
	switch {
	case x.Null:
		return "NULL"
	case c.bytes():
		return fmt.Sprintf("X'%X'", x.Value.Text())
	case c.typ.Kind == pruning.String:
		return "'" + projection.Clip(x.Value.Text()) + "'"
	}
	return string(c.typ.Append(nil, x.Value))
}

// numbers are all numbers of buckets that partitions may have.
func (f *facts) numbers() []int {
	all := f.history.of("")
	if len(f.partition) > 0 {
		all = f.history.other
	}
	for _, c := range f.history.named {
		for _, n := range c.may {
			all.add(n)
		}
	}
	return all.may
}

// open is why the keys that are asked for can't be counted.
func (f *facts) open(d pruning.Diagram) string {
	for i, k := range f.definition.hashed {
		key := f.buckets.hash.By[i]
		name := f.columns[k].name.S
		if !d.Depends(key) {
			return "no equality on " + name + ", which is part of the bucket key"
		}
		if !d.EachPoint([]int{key}, f.limit(), func([]pruning.Nullable) bool { return true }) {
			return "the conditions leave too many values of " + name + ", which is part of the bucket key"
		}
	}
	return "the conditions leave too many keys (" + f.namesOf(f.definition.hashed) + ")"
}

// countedUnits bounds the units that are looked at for the cost.
const countedUnits = 1 << 16

// cost compares what is read with a full scan: "1 × 1 of 365 × 4 directories: 1 of 1,460".
func (f *facts) cost(ctx context.Context, d pruning.Diagram, c projection.Check) (string, error) {
	if f.listing == nil || f.mode() != Fixed {
		return "", nil
	}
	read := map[string]int{}
	units := 0
	for u, err := range projection.Walk(ctx, f.layout, d, c) {
		if err != nil || units == countedUnits {
			return "", err
		}
		units++
		read[f.tree.partition(&u.Place)]++
	}
	partitions, known := f.partitions()
	numbers := f.numbers()
	if !known || len(numbers) != 1 {
		return "", nil
	}
	n := numbers[0]
	all := new(big.Int).Mul(big.NewInt(partitions), big.NewInt(int64(n)))
	each := -1
	for _, b := range read {
		if each < 0 {
			each = b
		}
		if b != each {
			each = 0
		}
	}
	if each > 0 {
		return fmt.Sprintf("%d × %d of %d × %d directories: %d of %s", len(read), each, partitions, n, units, projection.Grouped(all)), nil
	}
	return fmt.Sprintf("%d of %s directories in %d of %d partitions of %d buckets", units, projection.Grouped(all), len(read), partitions, n), nil
}

// partitions is how many there are in the storage, where the listing tells.
func (f *facts) partitions() (n int64, known bool) {
	switch len(f.partition) {
	case 0:
		return 1, true
	case 1:
		axis, err := f.layout.Levels[0].Axis(context.Background(), &projection.Place{})
		if err != nil || f.listing.Partial {
			return 0, false
		}
		last, some := axis.Last()
		if !some {
			return f.listing.Pruned, true
		}
		return f.listing.Pruned + int64(last) + 1, true
	}
	return 0, false
}

// shownCounts is how many partitions are told with a number of buckets of their own.
const shownCounts = 6

// counts tells where the numbers of buckets differ from the option: what a rescale would rewrite.
func (f *facts) counts() []string {
	if f.bucket < 1 {
		return nil
	}
	var lines []string
	for _, p := range slices.Sorted(maps.Keys(f.history.named)) {
		c := f.history.named[p]
		if n, ok := c.only(); ok && n == f.bucket {
			continue
		}
		if len(lines) == shownCounts {
			lines = append(lines, "…")
			break
		}
		what := p
		if p == "" {
			what = "the table"
		}
		lines = append(lines, fmt.Sprintf("%s has %s buckets: INSERT OVERWRITE or CALL sys.rescale would rewrite it with %d", what, orText(c.may), f.bucket))
	}
	if len(f.history.other.may) > 1 && len(f.partition) > 0 {
		lines = append(lines, fmt.Sprintf("partitions that the script doesn't name have %s buckets", orText(f.history.other.may)))
	}
	return lines
}

func orText(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, " or ")
}

// updates tells what happens where a key moves to another partition (Paimon's documentation, "Cross Partitions Upsert").
func (f *facts) updates(d pruning.Diagram) []string {
	lacks := f.missing()
	if len(f.primary) == 0 || len(lacks) == 0 {
		return nil
	}
	name := f.namesOf(lacks)
	lines := []string{"the primary key does not contain the partition column " + name + ": a key may be in any partition"}
	for k, i := range f.partition {
		if slices.Contains(lacks, i) && !d.Depends(k) {
			lines[0] += "; add a condition on " + f.columns[i].name.S
		}
	}
	if f.mode() != KeyDynamic {
		return append(lines, "no index finds the partition that a key was in: only a complete changelog as input keeps keys unique")
	}
	effect := "deletes it in the old one and inserts it into the new one"
	switch t, _ := f.get(mergeEngineOption); t.S {
	case "partial-update", "aggregation":
		effect = "changes the row in the old one"
	case "first-row":
		effect = "is ignored"
	}
	return append(lines, "an update that moves a row to another partition "+effect+"; writing starts by reading all keys of the table")
}
