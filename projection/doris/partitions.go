package doris

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// partition is one partition of a table.
type partition struct {
	name    string
	lo      []pruning.Value // of a range; the types' least values: no lower limit
	hi      []pruning.Value // nil: MAXVALUE
	tuples  [][]pruning.Nullable
	others  bool // the default partition of a list table
	buckets int
}

// partitions are the normal or the temporary partitions of a table. Each set is free of overlaps by itself.
type partitions struct {
	table  *table
	temp   bool
	names  map[string]*partition
	ranges ranges
	lists  []*partition // in the order in which they were made

	listed  map[string]*partition // who lists a tuple
	rest    *partition            // the default partition, or nil
	missing map[string]*partition // tuples that the default partition has never taken, by who lists them
}

func newPartitions(t *table, temp bool) *partitions {
	return &partitions{table: t, temp: temp, names: map[string]*partition{}, listed: map[string]*partition{}, missing: map[string]*partition{}}
}

// insert takes in a partition that was checked.
func (ps *partitions) insert(p *partition) {
	ps.table.version++
	ps.names[p.name] = p
	if !ps.table.list {
		ps.ranges.insert(p)
		return
	}
	ps.lists = append(ps.lists, p)
	for _, t := range p.tuples {
		ps.listed[tupleKey(t)] = p
	}
	if p.others {
		ps.rest = p
	}
}

// remove takes a partition out. The rows of what it listed go to the default partition from now on.
func (ps *partitions) remove(p *partition) {
	ps.table.version++
	delete(ps.names, p.name)
	if !ps.table.list {
		ps.ranges.remove(p)
		return
	}
	ps.lists = slices.DeleteFunc(ps.lists, func(x *partition) bool { return x == p })
	for _, t := range p.tuples {
		delete(ps.listed, tupleKey(t))
		delete(ps.missing, tupleKey(t))
	}
	if p == ps.rest {
		ps.rest = nil
	}
}

// settleOthers notes which tuples other partitions have listed since the default partition is there. Lists that are added
// later leave its rows where they are.
func (ps *partitions) settleOthers() {
	ps.missing = map[string]*partition{}
	if ps.rest != nil {
		for k, p := range ps.listed {
			ps.missing[k] = p
		}
	}
}

// keepMissing restores, after a replacement, which tuples the default partition has never taken: those that were listed
// before, where it was then, and still are.
func (ps *partitions) keepMissing(before map[string]*partition) {
	ps.missing = map[string]*partition{}
	for k := range before {
		if p := ps.listed[k]; p != nil && ps.rest != nil {
			ps.missing[k] = p
		}
	}
}

// tupleKey is a text that no other tuple has.
func tupleKey(tuple []pruning.Nullable) string {
	var b []byte
	for _, v := range tuple {
		if v.Null {
			b = append(b, 0)
			continue
		}
		b = append(b, 1)
		n, s := uint64(v.Value.Int()), v.Value.Text()
		for i := range 8 {
			b = append(b, byte(n>>(8*i)))
		}
		for i := range 4 {
			b = append(b, byte(len(s)>>(8*i)))
		}
		b = append(b, s...)
	}
	return string(b)
}

// ordered are all partitions as plans tell them: ranges ascending, lists as they were made. The list stays as it is; of
// the partitions only names change.
func (ps *partitions) ordered() []*partition {
	if ps.table.list {
		return slices.Clone(ps.lists)
	}
	return ps.ranges.all()
}

func (ps *partitions) known() []string {
	var out []string
	for _, p := range ps.ordered() {
		out = append(out, p.name)
	}
	return out
}

// find looks a partition up by its exact name, or reports that it isn't there.
func (h *history) find(ps *partitions, n ast.Name) *partition {
	p := ps.names[n.Text]
	if p == nil {
		what, hint := "partition", ""
		if ps.temp {
			what = "temporary partition"
		} else if ps.table.temp.names[n.Text] != nil {
			hint = "it is a temporary one: write TEMPORARY PARTITION"
		}
		if hint == "" {
			if near := projection.DidYouMean(n.Text, ps.known()); near != "" {
				hint = near
			} else if known := ps.known(); len(known) > 0 && len(known) <= 12 {
				hint = "the partitions are " + strings.Join(known, ", ")
			}
		}
		h.Errorf("partition.unknown", n, hint, "the %s %s does not exist in %s", what, n.Text, plainName(ps.table.name))
	}
	return p
}

// nameAllowed holds a partition's name against the rules (FeNameFormat.java) and the names that are there.
func (h *history) nameAllowed(ps *partitions, n *ast.Name) bool {
	t := ps.table
	switch {
	case !validName(n.Text):
		h.Errorf("partition.name", n, "begin with a letter; go on with letters, digits, _ and -; 64 characters at most",
			"%s can't be the name of a partition", projection.Quote(n.Text))
	case strings.HasPrefix(n.Text, "placeholder_"):
		h.Errorf("partition.name", n, "choose another name", "the name of a partition can't begin with placeholder_")
	case t.normal.names[n.Text] != nil:
		h.Errorf("partition.name", n, "choose another name", "the name is taken by the partition %s", t.text(t.normal.names[n.Text]))
	case t.temp.names[n.Text] != nil:
		h.Errorf("partition.name", n, "choose another name", "the name is taken by the temporary partition %s", t.text(t.temp.names[n.Text]))
	default:
		return true
	}
	return false
}

func validName(s string) bool {
	for i := range len(s) {
		letter := 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z'
		if !letter && (i == 0 || (s[i] < '0' || s[i] > '9') && s[i] != '_' && s[i] != '-') {
			return false
		}
	}
	return 0 < len(s) && len(s) <= 64
}

// add reads a definition and adds its partitions.
func (h *history) add(ps *partitions, d *ast.PartitionDef, buckets int) {
	t := ps.table
	if d.Name != nil && d.IfNotExists && (t.normal.names[d.Name.Text] != nil || t.temp.names[d.Name.Text] != nil) {
		return // whatever its bounds are
	}
	if d.Name != nil && !h.nameAllowed(ps, d.Name) {
		return
	}
	switch ranged := d.Form == "LESS THAN" || d.Form == "RANGE" || d.Form == "FROM TO"; {
	case ranged && t.list:
		h.Errorf("partition.form", d, `write PARTITION p VALUES IN ("1", "2")`, "a table partitioned by LIST needs VALUES IN")
	case !ranged && !t.list:
		h.Errorf("partition.form", d, `write VALUES LESS THAN ("10") or VALUES [("1"), ("10"))`,
			"a table partitioned by RANGE needs VALUES LESS THAN or a fixed range")
	case d.Form == "FROM TO":
		h.batch(ps, d, buckets)
	case t.list:
		h.addList(ps, d, buckets)
	default:
		h.addRange(ps, d, buckets)
	}
}
