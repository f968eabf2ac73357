package doris

import (
	"strconv"

	"github.com/yqlplan/yqlplan/ast"

	"github.com/yqlplan/yqlplan/pruning"
)

// addList adds a partition of a list table; one without values is the default partition.
func (h *history) addList(ps *partitions, d *ast.PartitionDef, buckets int) {
	t := ps.table
	p := &partition{name: d.Name.Text, buckets: buckets, others: d.Form == ""}
	if p.others && ps.rest != nil {
		h.Errorf("partition.default", d, `list its values: VALUES IN ("1")`, "%s has no values, and there is a default partition already: %s", p.name, ps.rest.name)
		return
	}
	before := len(h.List)
	own := map[string]bool{}
	for _, x := range d.In {
		tuple, ok := h.tuple(t, x)
		if !ok {
			continue
		}
		k := tupleKey(tuple)
		switch other := ps.listed[k]; {
		case own[k]:
			h.Errorf("partition.duplicate", x, "drop one of them", "%s lists the value %s twice", p.name, t.listText(tuple))
		case other != nil:
			h.Errorf("partition.overlap", x, "a value can be in one partition only", "%s: the value %s is already in the partition %s",
				p.name, t.listText(tuple), t.text(other))
		}
		own[k] = true
		p.tuples = append(p.tuples, tuple)
	}
	if !p.others && len(d.In) == 0 {
		h.Errorf("partition.value", d, `write VALUES IN ("1")`, "%s lists no values", p.name)
	}
	if !h.failed(before) {
		ps.insert(p)
	}
}

// tuple reads one item of a list: a value, or a tuple with a value for each column.
func (h *history) tuple(t *table, x ast.Expr) (out []pruning.Nullable, ok bool) {
	items := []ast.Expr{x}
	if tuple, isTuple := x.(*ast.Tuple); isTuple {
		items = tuple.Items
	}
	if len(items) != len(t.by) {
		h.Errorf("partition.value", x, "write a value for each partition column", "%s for %s", plural(len(items), "value"), plural(len(t.by), "partition column"))
		return nil, false
	}
	ok = true
	for i, item := range items {
		d, good := h.datum(item, t.by[i])
		switch {
		case !good:
			ok = false
		case d.max:
			h.Errorf("partition.value", item, "write a value", "MAXVALUE can't be listed")
			ok = false
		case d.Null && !t.by[i].nullable:
			h.Errorf("partition.null", item, "drop it, or declare the column without NOT NULL", "NULL can't be listed: %s is NOT NULL", t.by[i].name)
			ok = false
		}
		out = append(out, d.Nullable)
	}
	return out, ok
}

func plural(n int, word string) string {
	text := strconv.Itoa(n) + " " + word
	if n != 1 {
		text += "s"
	}
	return text
}
