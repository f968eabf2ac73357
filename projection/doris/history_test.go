package doris_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/doris"
)

// TestHistory changes the partitions of a table at random, right and wrong. After each change every row is loaded that the
// table takes; in the end exactly the partitions are read that have rows with the values asked for.
func TestHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &changes{list: rapid.Bool().Draw(t, "list"), sets: [2][]*held{}}
		how := map[bool]string{true: "LIST", false: "RANGE"}[h.list]
		sql := "CREATE TABLE t (k TINYINT, v INT) PARTITION BY " + how + "(k) () DISTRIBUTED BY HASH(v) BUCKETS 1;\n"
		s := planner.NewSession([]projection.System{doris.System{}}, planner.Options{System: "doris"})
		run := func(text string) ([]*planner.Plan, bool) {
			sql += text + "\n"
			plans, diags := s.Run(t.Context(), "q", text)
			return plans, !diags.HasErrors()
		}
		s.Run(t.Context(), "q", sql)
		for range rapid.IntRange(1, 10).Draw(t, "changes") {
			text, allowed := h.change(t)
			if _, ok := run(text); ok != allowed {
				t.Fatalf("%s\nallowed is %v", sql, ok)
			}
			h.load()
		}
		temp := rapid.IntRange(0, 1).Draw(t, "temporary")
		asked := rapid.SliceOfNDistinct(historyValue, 1, 3, rapid.ID).Draw(t, "asked")
		query := "SELECT * FROM t"
		if temp == 1 {
			query += " TEMPORARY PARTITIONS (" + strings.Join(names(h.sets[1]), ", ") + ")"
		}
		if temp == 1 && len(h.sets[1]) == 0 {
			return
		}
		var terms []string
		for _, v := range asked {
			terms = append(terms, "k <=> "+strings.Trim(literal(v), `"`))
		}
		plans, ok := run(query + " WHERE " + strings.Join(terms, " OR ") + ";")
		if !ok {
			t.Fatalf("%s\nfails", sql)
		}
		var got, want []string
		for u, err := range plans[0].Scans[0].Units(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			name, _, _, _ := plans[0].Scans[0].Table.Layout.Names(&u.Place)
			got = append(got, name)
		}
		for _, p := range h.sets[temp] {
			if slices.ContainsFunc(asked, func(v int) bool { return p.rows[v] }) {
				want = append(want, p.name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\nreads %v, and rows are in %v", sql, got, want)
		}
	})
}

// historyValues are the values of rows; null is NULL.
var historyValues = []int{null, -128, -1, 0, 1, 2, 3, 4, 127}

var historyValue = rapid.SampledFrom(historyValues)

// changes is a table with the rows of its partitions, the normal and the temporary ones.
type changes struct {
	list bool
	sets [2][]*held
}

// held is a partition with what it takes and the rows that it has got.
type held struct {
	name   string
	lo, hi int // [lo, hi)
	in     []int
	rows   map[int]bool
}

const top = 1000 // MAXVALUE

func names(ps []*held) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.name)
	}
	return out
}

func (h *changes) find(set int, name string) *held {
	for _, p := range h.sets[set] {
		if p.name == name {
			return p
		}
	}
	return nil
}

// takes reports whether a partition takes a value that no other one lists.
func (h *changes) takes(p *held, v int) bool {
	switch {
	case h.list:
		return slices.Contains(p.in, v)
	case v == null:
		return p.lo == -128
	}
	return p.lo <= v && v < p.hi
}

// load loads every row into the partition that takes it, in both sets.
func (h *changes) load() {
	for _, set := range h.sets {
		for _, v := range historyValues {
			to := -1
			for i, p := range set {
				if h.takes(p, v) || to < 0 && h.list && p.in == nil {
					to = i
				}
				if h.takes(p, v) {
					break
				}
			}
			if to >= 0 {
				set[to].rows[v] = true
			}
		}
	}
}

// meet reports whether two partitions take a common value.
func (h *changes) meet(p, q *held) bool {
	if !h.list {
		return p.lo < q.hi && q.lo < p.hi
	}
	return p.in == nil && q.in == nil || slices.ContainsFunc(p.in, func(v int) bool { return slices.Contains(q.in, v) })
}

// free reports whether p meets none of a set but those that go.
func (h *changes) free(p *held, set []*held, going []*held) bool {
	return !slices.ContainsFunc(set, func(q *held) bool { return h.meet(p, q) && !slices.Contains(going, q) })
}

// change is a random ALTER TABLE, and whether it is allowed.
func (h *changes) change(t *rapid.T) (sql string, allowed bool) {
	set := rapid.IntRange(0, 1).Draw(t, "set")
	word := [2]string{"", "TEMPORARY "}[set]
	name := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "name")
	switch rapid.IntRange(0, 5).Draw(t, "change") {
	case 0:
		p := h.find(set, name)
		h.sets[set] = slices.DeleteFunc(h.sets[set], func(q *held) bool { return q == p })
		return "ALTER TABLE t DROP " + word + "PARTITION " + name + ";", p != nil
	case 1:
		return h.replace(t)
	}
	p := &held{name: name, rows: map[int]bool{}}
	text := h.define(t, p, set)
	taken := h.find(0, name) != nil || h.find(1, name) != nil
	if allowed = !taken && p.lo <= p.hi && (h.list || p.lo < p.hi) && h.free(p, h.sets[set], nil); allowed {
		h.sets[set] = append(h.sets[set], p)
	}
	return "ALTER TABLE t ADD " + word + "PARTITION " + name + text + ";", allowed
}

// define draws what a partition takes.
func (h *changes) define(t *rapid.T, p *held, set int) (sql string) {
	if h.list {
		if rapid.IntRange(0, 3).Draw(t, "default") == 0 {
			return ""
		}
		p.in = rapid.SliceOfNDistinct(historyValue, 1, 3, rapid.ID).Draw(t, "in")
		var out []string
		for _, v := range p.in {
			out = append(out, literal(v))
		}
		return " VALUES IN (" + strings.Join(out, ", ") + ")"
	}
	bound := rapid.SampledFrom([]int{-128, -1, 0, 1, 2, 3, 4, top})
	p.hi = bound.Draw(t, "hi")
	hi := map[bool]string{true: "MAXVALUE", false: literal(p.hi)}[p.hi == top]
	if p.lo = -128; rapid.Bool().Draw(t, "less than") {
		for _, q := range h.sets[set] {
			if q.hi < p.hi {
				p.lo = max(p.lo, q.hi)
			}
		}
		return " VALUES LESS THAN (" + hi + ")"
	}
	p.lo = bound.Filter(func(v int) bool { return v != top }).Draw(t, "lo")
	return fmt.Sprintf(" VALUES [(%s), (%s))", literal(p.lo), hi)
}

// replace puts some temporary partitions in the place of some normal ones.
func (h *changes) replace(t *rapid.T) (sql string, allowed bool) {
	if len(h.sets[0]) == 0 || len(h.sets[1]) == 0 {
		return "ALTER TABLE t DROP PARTITION nope;", false
	}
	pick := func(set int) []*held {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(h.sets[set]), 1, 3, rapid.ID).Draw(t, "some")
	}
	old, fresh := pick(0), pick(1)
	strict := rapid.Bool().Draw(t, "strict")
	sql = fmt.Sprintf("ALTER TABLE t REPLACE PARTITION (%s) WITH TEMPORARY PARTITION (%s) PROPERTIES ('strict_range' = '%v');",
		strings.Join(names(old), ", "), strings.Join(names(fresh), ", "), strict)
	allowed = !strict || slices.Equal(h.covers(old), h.covers(fresh))
	for _, p := range fresh {
		allowed = allowed && h.free(p, h.sets[0], old)
	}
	if !allowed {
		return sql, false
	}
	for i, p := range fresh {
		if len(old) == len(fresh) {
			p.name = old[i].name
		}
	}
	h.sets[0] = append(slices.DeleteFunc(h.sets[0], func(p *held) bool { return slices.Contains(old, p) }), fresh...)
	h.sets[1] = slices.DeleteFunc(h.sets[1], func(p *held) bool { return slices.Contains(fresh, p) })
	return sql, true
}

// covers are the values of TINYINT, and NULL, that partitions take; 500 stands for all others of a list.
func (h *changes) covers(ps []*held) (out []int) {
	for _, p := range ps {
		if h.list && p.in == nil {
			out = append(out, 500)
		}
		for v := -128; v < 128; v++ {
			if h.takes(p, v) {
				out = append(out, v)
			}
		}
		if h.takes(p, null) {
			out = append(out, null)
		}
		if !h.list && p.hi == top {
			out = append(out, 400)
		}
	}
	slices.Sort(out)
	return out
}
