package doris

import (
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// text is a partition with what it holds: p201701: [MIN_VALUE, 2017-02-01), p_cn: ("Beijing", "Shanghai").
func (t *table) text(p *partition) string { return p.name + ": " + t.heldText(p) }

// heldText is what a partition holds.
func (t *table) heldText(p *partition) string {
	switch {
	case p.others:
		return "all other values"
	case t.list:
		return t.tuplesText(p.tuples)
	}
	return t.rangeText(p)
}

func (t *table) texts(list []*partition) string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = t.text(p)
	}
	return strings.Join(out, ", ")
}

func (t *table) rangeText(p *partition) string { return t.boundsText(p.lo, p.hi) }

// boundsText is a range as the SelectDB document writes it: [2017-02-01, 2017-03-01), or for several columns
// [("2017-03-01", "2000"), ("2017-04-01", MIN_VALUE)).
func (t *table) boundsText(lo, hi []pruning.Value) string {
	return "[" + t.tupleText(lo, true) + ", " + t.tupleText(hi, false) + ")"
}

// tupleText is a bound; nil is the greatest.
func (t *table) tupleText(b []pruning.Value, lower bool) string {
	switch {
	case b == nil:
		return "MAX_VALUE"
	case len(b) == 1 && lower && b[0] == t.by[0].typ.Min():
		return "MIN_VALUE"
	case len(b) == 1:
		return string(t.by[0].appendValue(nil, b[0]))
	}
	parts := make([]string, len(b))
	for i, v := range b {
		if parts[i] = "MIN_VALUE"; v != t.by[i].typ.Min() {
			parts[i] = strconv.Quote(string(t.by[i].appendValue(nil, v)))
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// tuplesText is a list: ("Beijing", "Shanghai"), or [("1", "Beijing"), ("1", NULL)] for several columns.
func (t *table) tuplesText(tuples [][]pruning.Nullable) string {
	parts := make([]string, len(tuples))
	for i, x := range tuples {
		parts[i] = t.listText(x)
	}
	if len(t.by) > 1 {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// listText is one listed value or tuple.
func (t *table) listText(tuple []pruning.Nullable) string {
	parts := make([]string, len(tuple))
	for i, v := range tuple {
		if parts[i] = "NULL"; !v.Null {
			parts[i] = strconv.Quote(string(t.by[i].appendValue(nil, v.Value)))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// describe is all partitions, and the holes between ranges, as lines.
func (t *table) describe() []string {
	if len(t.by) == 0 {
		return []string{t.oneName() + ": all rows"}
	}
	var out []string
	holes := gaps(t.normal.ranges.all())
	for _, p := range t.normal.ordered() {
		for len(holes) > 0 && !t.list && compareTuples(holes[0].Lo, p.lo) < 0 {
			out = append(out, "hole: "+t.boundsText(holes[0].Lo, holes[0].Hi))
			holes = holes[1:]
		}
		out = append(out, t.text(p))
	}
	for _, p := range t.temp.ordered() {
		out = append(out, "temporary "+t.text(p))
	}
	return out
}

// distributionText is DISTRIBUTED BY without the number of buckets.
func (t *table) distributionText() string {
	if t.buckets.random {
		return "RANDOM"
	}
	names := make([]string, len(t.buckets.hash))
	for i, c := range t.buckets.hash {
		names[i] = c.name
	}
	return "HASH(" + strings.Join(names, ", ") + ")"
}

// shape is a line about how the table is split: RANGE(date), HASH(user_id).
func (t *table) shape() string {
	if len(t.by) == 0 {
		return t.distributionText()
	}
	names := make([]string, len(t.by))
	for i, c := range t.by {
		if names[i] = c.name; t.unit != noUnit {
			names[i] = "date_trunc(" + c.name + ", '" + unitNames[t.unit] + "')"
		}
	}
	how := "RANGE("
	if t.list {
		how = "LIST("
	}
	return how + strings.Join(names, ", ") + "), " + t.distributionText()
}
