package doris

import (
	"maps"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// alter follows one action of an ALTER TABLE. What is wrong leaves the table as it was.
func (h *history) alter(a *ast.AlterAction) {
	t := h.table
	ps := t.normal
	if a.Temporary {
		ps = t.temp
	}
	switch a.Kind {
	case "ADD PARTITION", "DROP PARTITION", "RENAME PARTITION", "REPLACE PARTITION", "MODIFY PARTITION":
		if len(t.by) == 0 {
			h.Errorf("partition.none", a, "its one partition, named like the table, can't be changed", "the table %s is not partitioned", plainName(t.name))
			return
		}
	}
	switch a.Kind {
	case "ADD PARTITION":
		h.addPartitions(ps, a)
	case "DROP PARTITION":
		h.drop(ps, a)
	case "RENAME PARTITION":
		h.rename(ps, a)
	case "REPLACE PARTITION":
		h.replace(a)
	case "MODIFY PARTITION":
		for _, n := range a.Names {
			h.find(ps, n)
		}
	case "ADD COLUMN", "DROP COLUMN", "MODIFY COLUMN", "RENAME COLUMN":
		h.alterColumns(a)
	case "SET":
		t.follow(a.Options)
	default:
		if strings.HasPrefix(a.Kind, "REPLACE") {
			h.Errorf("alter.unknown", a, "write REPLACE PARTITION (p) WITH TEMPORARY PARTITION (tp)", "%s can't be followed", a.Kind)
		}
	}
}

// addPartitions is ADD PARTITION, which may give other numbers of buckets, but no other distribution (InternalCatalog.java).
func (h *history) addPartitions(ps *partitions, a *ast.AlterAction) {
	for i := range a.Partitions {
		d := &a.Partitions[i]
		buckets, ok := h.table.buckets.count, true
		if c := d.DistributedBy; c != nil {
			buckets, ok = h.sameDistribution(c)
		}
		if !ok {
			continue
		}
		rest := ps.rest
		h.add(ps, d, buckets)
		if ps.rest != rest {
			ps.settleOthers()
		}
	}
}

// sameDistribution holds the DISTRIBUTED BY of an added partition against the table's, and gives its number of buckets.
func (h *history) sameDistribution(c *ast.Clause) (buckets int, ok bool) {
	own := h.table.buckets
	if (c.How == "RANDOM") != own.random {
		h.Errorf("bucket.differs", c, "write what the table has: "+h.table.distributionText(), "the distribution of a partition must be of the table's type")
		return 0, false
	}
	if c.How != "RANDOM" {
		names := h.namesOf(c, "bucket")
		if !slices.EqualFunc(names, own.hash, func(n ast.Name, c *column) bool { return strings.EqualFold(c.name, n.Text) }) {
			h.Errorf("bucket.differs", c, "write what the table has: "+h.table.distributionText(), "the bucket columns of a partition must be those of the table")
			return 0, false
		}
	}
	n, _, ok := h.bucketCount(c.Buckets)
	if c.Buckets == nil {
		n = own.count
	}
	return n, ok
}

func (h *history) drop(ps *partitions, a *ast.AlterAction) {
	for _, n := range a.Names {
		if a.IfExists && ps.names[n.Text] == nil {
			continue
		}
		if p := h.find(ps, n); p != nil {
			ps.remove(p)
		}
	}
}

func (h *history) rename(ps *partitions, a *ast.AlterAction) {
	if len(a.Names) != 2 {
		return
	}
	p := h.find(ps, a.Names[0])
	if p == nil || !h.nameAllowed(ps, &a.Names[1]) {
		return
	}
	delete(ps.names, p.name)
	p.name = a.Names[1].Text
	ps.names[p.name] = p
	ps.table.version++
}

// replace puts temporary partitions in the place of normal ones. With strict_range, which is the default, both must
// cover the same keys. As many as before keep the old names, unless use_temp_partition_name says otherwise.
func (h *history) replace(a *ast.AlterAction) {
	t := h.table
	_, strictRange := option(a.Options, "strict_range")
	_, tempName := option(a.Options, "use_temp_partition_name")
	strict, keep := !strings.EqualFold(strictRange, "false"), !strings.EqualFold(tempName, "true")
	before := len(h.List)
	old, fresh := h.findAll(t.normal, a.Names), h.findAll(t.temp, a.With)
	if h.failed(before) {
		return
	}
	if strict && !t.sameKeys(old, fresh) {
		h.Errorf("partition.replace", a, `write PROPERTIES ("strict_range" = "false") to allow it`,
			"%s and %s don't cover the same keys", t.texts(old), t.texts(fresh))
		return
	}
	if !h.replaceable(old, fresh, a, keep && len(old) == len(fresh)) {
		return
	}
	missing := t.normal.missing
	if slices.ContainsFunc(fresh, func(p *partition) bool { return p.others }) {
		missing = t.temp.missing
	}
	missing = maps.Clone(missing)
	for _, p := range old {
		t.normal.remove(p)
	}
	for i, p := range fresh {
		t.temp.remove(p)
		if keep && len(old) == len(fresh) {
			p.name = old[i].name
		}
		t.normal.insert(p)
	}
	t.normal.keepMissing(missing)
}

func (h *history) findAll(ps *partitions, names []ast.Name) []*partition {
	var out []*partition
	for _, n := range names {
		if p := h.find(ps, n); p != nil {
			out = append(out, p)
		}
	}
	return out
}

// replaceable reports whether what comes in meets nothing that stays.
func (h *history) replaceable(old, fresh []*partition, a *ast.AlterAction, renamed bool) bool {
	t := h.table
	goes := map[*partition]bool{}
	for _, p := range old {
		goes[p] = true
	}
	for _, p := range fresh {
		if q := t.normal.met(p, goes); q != nil {
			h.Errorf("partition.overlap", a, "replace it, too", "%s overlaps the partition %s, which stays", t.text(p), t.text(q))
			return false
		}
		if q := t.normal.names[p.name]; q != nil && !goes[q] && !renamed {
			h.Errorf("partition.name", a, "rename one of them", "the name is taken by the partition %s", t.text(q))
			return false
		}
	}
	return true
}

// met is a partition that has keys in common with p and doesn't go, or nil.
func (ps *partitions) met(p *partition, goes map[*partition]bool) *partition {
	if ps.table.list {
		for _, x := range p.tuples {
			if q := ps.listed[tupleKey(x)]; q != nil && !goes[q] {
				return q
			}
		}
		if p.others && ps.rest != nil && !goes[ps.rest] {
			return ps.rest
		}
		return nil
	}
	at := ps.ranges.search(func(x *partition) bool { return x.hi == nil || compareTuples(x.hi, p.lo) > 0 })
	for q := ps.ranges.at(at); q != nil && ps.table.meet(p, q); q = ps.ranges.at(at) {
		if !goes[q] {
			return q
		}
		at = ps.ranges.after(at)
	}
	return nil
}

// meet reports whether two ranges have keys in common.
func (t *table) meet(p, q *partition) bool {
	return (q.hi == nil || compareTuples(p.lo, q.hi) < 0) && (p.hi == nil || compareTuples(q.lo, p.hi) < 0)
}

// sameKeys reports whether two sets of partitions cover the same keys: {[0,10), [15,20)} and {[0,10), [15,18), [18,20)}
// do (RangeUtils.java).
func (t *table) sameKeys(a, b []*partition) bool {
	if t.list {
		return sameTuples(a, b) && sameTuples(b, a)
	}
	x, y := covered(a), covered(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if compareTuples(x[i].lo, y[i].lo) != 0 || (x[i].hi == nil) != (y[i].hi == nil) || compareTuples(x[i].hi, y[i].hi) != 0 {
			return false
		}
	}
	return true
}

// covered are ranges with neighbours put together.
func covered(list []*partition) []*partition {
	var sorted ranges
	for _, p := range list {
		sorted.insert(p)
	}
	var out []*partition
	for _, p := range sorted.all() {
		if n := len(out); n > 0 && out[n-1].hi != nil && compareTuples(out[n-1].hi, p.lo) == 0 {
			out[n-1] = &partition{lo: out[n-1].lo, hi: p.hi}
			continue
		}
		out = append(out, p)
	}
	return out
}

func sameTuples(a, b []*partition) bool {
	have := map[string]bool{}
	for _, p := range a {
		for _, x := range p.tuples {
			have[tupleKey(x)] = true
		}
		if p.others {
			have[""] = true
		}
	}
	for _, p := range b {
		for _, x := range p.tuples {
			if !have[tupleKey(x)] {
				return false
			}
		}
		if p.others && !have[""] {
			return false
		}
	}
	return true
}
