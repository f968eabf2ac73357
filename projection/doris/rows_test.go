package doris_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/doris"
)

// TestRows makes random tables of Doris with random predicates. Every row that satisfies the predicate lies in a
// partition and a bucket of the plan, by an own account of where rows lie; and where the predicate only compares keys
// with constants, nothing else is read.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		exact := rapid.Bool().Draw(t, "exact")
		where := m.predicate(t, 3, exact)
		sql := m.ddl() + "SELECT * FROM t WHERE " + where.sql + ";"
		plans, diags := planner.NewSession([]projection.System{doris.System{}}, planner.Options{System: "doris"}).Run(t.Context(), "q.sql", sql)
		if diags.HasErrors() || len(plans) != 1 {
			t.Fatalf("%s\n%v", sql, diags)
		}
		got := map[unit]bool{}
		for u, err := range plans[0].Scans[0].Units(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			name, bucket, _, _ := plans[0].Scans[0].Table.Layout.Names(&u.Place)
			got[unit{name, bucket}] = true
		}
		want := map[unit]bool{}
		m.rows(exact, func(r row) {
			if p := m.partition(r); p != "" && where.eval(r) == yes {
				want[unit{p, m.bucket(r)}] = true
			}
		})
		for u := range want {
			if !got[u] {
				t.Fatalf("%s\n%v is lost of %v", sql, u, got)
			}
		}
		if exact && len(got) > len(want) {
			t.Fatalf("%s\n%v is read of %v", sql, got, want)
		}
	})
}

// unit is a bucket of a partition.
type unit struct {
	partition string
	bucket    int
}

// row has the values of a, b and v; null stands for NULL.
type row [3]int

const null = 1 << 20

// truth is a truth value of SQL.
type truth int

const (
	no truth = iota
	unknown
	yes
)

// model is a table of a and b, which are TINYINT, and v, which is no key.
type model struct {
	notNull [2]bool
	by      []int // partition columns
	list    bool
	parts   []part
	hash    []int
	buckets int
}

// part is a partition: its own bounds, from the least value on if lo is nil, or the tuples that it lists.
type part struct {
	name   string
	lo, hi []int
	tuples [][]int
}

var columnNames = [3]string{"a", "b", "v"}

func drawModel(t *rapid.T) *model {
	m := &model{buckets: rapid.IntRange(1, 5).Draw(t, "buckets")}
	for i := range m.notNull {
		m.notNull[i] = rapid.Bool().Draw(t, "not null")
	}
	m.by = rapid.SampledFrom([][]int{{0}, {1}, {0, 1}}).Draw(t, "partition columns")
	m.hash = rapid.SampledFrom([][]int{{0}, {1}, {1, 0}, {2}}).Draw(t, "bucket columns")
	if m.list = rapid.Bool().Draw(t, "list"); m.list {
		m.drawLists(t)
	} else {
		m.drawRanges(t)
	}
	return m
}

// smallValue is near the bounds of partitions; the least value of the type is among them.
func smallValue(t *rapid.T) int {
	return rapid.SampledFrom([]int{-128, -3, 0, 1, 2, 5, 127}).Draw(t, "value")
}

func (m *model) drawRanges(t *rapid.T) {
	var bounds [][]int
	for range rapid.IntRange(2, 6).Draw(t, "bounds") {
		b := make([]int, len(m.by))
		for i := range b {
			b[i] = smallValue(t)
		}
		bounds = append(bounds, b)
	}
	slices.SortFunc(bounds, slices.Compare)
	bounds = slices.CompactFunc(bounds, slices.Equal)
	for i := range len(bounds) - 1 {
		if rapid.IntRange(0, 3).Draw(t, "hole") > 0 {
			m.parts = append(m.parts, part{name: fmt.Sprint("p", i), lo: bounds[i], hi: bounds[i+1]})
		}
	}
	if n := len(m.parts); n > 0 && rapid.Bool().Draw(t, "maxvalue") {
		m.parts[n-1].hi = nil
	}
}

func (m *model) drawLists(t *rapid.T) {
	seen := map[string]bool{}
	for range rapid.IntRange(1, 8).Draw(t, "tuples") {
		tuple := make([]int, len(m.by))
		for i, c := range m.by {
			if tuple[i] = smallValue(t); !m.notNull[c] && rapid.IntRange(0, 3).Draw(t, "null") == 0 {
				tuple[i] = null
			}
		}
		if seen[fmt.Sprint(tuple)] {
			continue
		}
		seen[fmt.Sprint(tuple)] = true
		if len(m.parts) == 0 || rapid.Bool().Draw(t, "new") {
			m.parts = append(m.parts, part{name: fmt.Sprint("p", len(m.parts))})
		}
		p := &m.parts[len(m.parts)-1]
		p.tuples = append(p.tuples, tuple)
	}
	if rapid.Bool().Draw(t, "default") {
		m.parts = append(m.parts, part{name: "rest"})
	}
}

func (m *model) ddl() string {
	column := func(i int) string {
		if i < 2 && m.notNull[i] {
			return " NOT NULL"
		}
		return ""
	}
	names := func(list []int) string {
		var out []string
		for _, c := range list {
			out = append(out, columnNames[c])
		}
		return strings.Join(out, ", ")
	}
	how := "RANGE"
	if m.list {
		how = "LIST"
	}
	var parts []string
	for _, p := range m.parts {
		parts = append(parts, "PARTITION "+p.name+p.values(m.list))
	}
	return fmt.Sprintf("CREATE TABLE t (a TINYINT%s, b TINYINT%s, v TINYINT) DUPLICATE KEY(a) PARTITION BY %s(%s) (%s) DISTRIBUTED BY HASH(%s) BUCKETS %d;\n",
		column(0), column(1), how, names(m.by), strings.Join(parts, ", "), names(m.hash), m.buckets)
}

func (p *part) values(list bool) string {
	tuple := func(t []int) string {
		var out []string
		for _, v := range t {
			out = append(out, literal(v))
		}
		return "(" + strings.Join(out, ", ") + ")"
	}
	switch {
	case list && p.tuples == nil:
		return ""
	case list:
		var out []string
		for _, t := range p.tuples {
			out = append(out, tuple(t))
		}
		return " VALUES IN (" + strings.Join(out, ", ") + ")"
	case p.hi == nil:
		return " VALUES [" + tuple(p.lo) + ", (MAXVALUE))"
	}
	return " VALUES [" + tuple(p.lo) + ", " + tuple(p.hi) + ")"
}

func literal(v int) string {
	if v == null {
		return "NULL"
	}
	return fmt.Sprintf("%q", fmt.Sprint(v))
}

// partition is where a row lies, or "". NULL is below every value; a range from the least values on has no lower limit.
func (m *model) partition(r row) string {
	key := make([]int, len(m.by))
	for i, c := range m.by {
		if key[i] = r[c]; r[c] == null {
			key[i] = -1000
		}
	}
	least := slices.Repeat([]int{-128}, len(m.by))
	rest := ""
	for _, p := range m.parts {
		switch {
		case m.list && p.tuples == nil:
			rest = p.name
		case m.list:
			for _, t := range p.tuples {
				same := true
				for i, v := range t {
					same = same && r[m.by[i]] == v
				}
				if same {
					return p.name
				}
			}
		case (slices.Equal(p.lo, least) || slices.Compare(p.lo, key) <= 0) && (p.hi == nil || slices.Compare(key, p.hi) < 0):
			return p.name
		}
	}
	return rest
}

// bucket hashes by CRC-32: a TINYINT is one byte, NULL four zero bytes.
func (m *model) bucket(r row) int {
	var b []byte
	for _, c := range m.hash {
		if r[c] == null {
			b = binary.LittleEndian.AppendUint32(b, 0)
		} else {
			b = append(b, byte(r[c]))
		}
	}
	return int(crc32.ChecksumIEEE(b) % uint32(m.buckets))
}

// rows calls f for all rows when there have to be all, else for those near bounds and constants. v is in all of its values
// where it is hashed.
func (m *model) rows(all bool, f func(row)) {
	values := func(c int) []int {
		out := []int{null}
		if c == 2 && !slices.Contains(m.hash, 2) {
			return append(out, 1, 7)
		}
		for v := -128; v < 128; v++ {
			if near := v == -128 || v == 127 || -5 <= v && v <= 7; near || all && (c < 2 || slices.Contains(m.hash, c)) {
				out = append(out, v)
			}
		}
		return out
	}
	for _, a := range values(0) {
		for _, b := range values(1) {
			if a == null && m.notNull[0] || b == null && m.notNull[1] {
				continue
			}
			if all && slices.Contains(m.hash, 2) && !(near(a) && near(b)) {
				continue // every stretch between bounds has a row that is near one
			}
			for _, v := range values(2) {
				f(row{a, b, v})
			}
		}
	}
}

func near(v int) bool { return v == null || v == -128 || v == 127 || -5 <= v && v <= 7 }

// condition is a predicate as text and as function.
type condition struct {
	sql  string
	eval func(row) truth
}

// predicate draws one; simple ones compare keys with constants.
func (m *model) predicate(t *rapid.T, depth int, simple bool) condition {
	if depth > 0 {
		switch op := rapid.SampledFrom([]string{"AND", "OR", "XOR", "NOT", ""}).Draw(t, "op"); op {
		case "NOT":
			x := m.predicate(t, depth-1, simple)
			return condition{"NOT (" + x.sql + ")", func(r row) truth { return yes - x.eval(r) }}
		case "AND", "OR", "XOR":
			x, y := m.predicate(t, depth-1, simple), m.predicate(t, depth-1, simple)
			return condition{"(" + x.sql + ") " + op + " (" + y.sql + ")", func(r row) truth { return join(op, x.eval(r), y.eval(r)) }}
		}
	}
	if !simple && rapid.Bool().Draw(t, "computed") {
		return m.computed(t)
	}
	keys := []int{0, 1}
	if simple {
		keys = slices.DeleteFunc(keys, func(c int) bool { return !slices.Contains(m.by, c) && !slices.Contains(m.hash, c) })
	}
	return m.comparison(t, rapid.SampledFrom(keys).Draw(t, "column"))
}

func join(op string, x, y truth) truth {
	switch {
	case op == "AND":
		return min(x, y)
	case op == "OR":
		return max(x, y)
	case x == unknown || y == unknown:
		return unknown
	case x == y:
		return no
	}
	return yes
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// comparison compares a column with constants, some of which its type doesn't hold.
func (m *model) comparison(t *rapid.T, c int) condition {
	name, v := columnNames[c], smallValue(t)
	twice := 2 * v // constants are halves
	if rapid.IntRange(0, 5).Draw(t, "fraction") == 0 {
		twice++
	}
	constant := fmt.Sprintf("%d.%d", twice/2, twice%2*5)
	if twice < 0 {
		constant = fmt.Sprintf("-%d.%d", -twice/2, -twice%2*5)
	}
	if twice%2 == 0 {
		constant = rapid.SampledFrom([]string{"%d", "'%d'", "%d.0", "' %d '", "%de0", "CAST('%d' AS BIGINT)", "CAST(%d AS LARGEINT)", "CAST(%d AS DECIMAL(9, 3))", "CAST(%d AS DOUBLE)", "(%d + 1 - 1)"}).Draw(t, "form")
		constant = fmt.Sprintf(constant, v)
	}
	of := func(f func(x int) bool) func(row) truth {
		return func(r row) truth {
			if r[c] == null {
				return unknown
			}
			return truthOf(f(2 * r[c]))
		}
	}
	w := smallValue(t)
	switch rapid.IntRange(0, 10).Draw(t, "form") {
	case 0:
		return condition{name + " IS NULL", func(r row) truth { return truthOf(r[c] == null) }}
	case 1:
		return condition{name + " IS NOT NULL", func(r row) truth { return truthOf(r[c] != null) }}
	case 2:
		return condition{name + " = " + constant, of(func(x int) bool { return x == twice })}
	case 3:
		return condition{constant + " <> " + name, of(func(x int) bool { return x != twice })}
	case 4:
		return condition{name + " < " + constant, of(func(x int) bool { return x < twice })}
	case 5:
		return condition{constant + " >= " + name, of(func(x int) bool { return twice >= x })}
	case 6:
		return condition{name + " > " + constant, of(func(x int) bool { return x > twice })}
	case 7:
		return condition{name + " <=> " + constant, func(r row) truth { return truthOf(r[c] != null && 2*r[c] == twice) }}
	case 8:
		return condition{fmt.Sprintf("%s BETWEEN %d AND %d", name, w, v), of(func(x int) bool { return 2*w <= x && x <= 2*v })}
	case 9:
		return condition{fmt.Sprintf("%s NOT IN (%d, %s)", name, w, constant), of(func(x int) bool { return x != 2*w && x != twice })}
	}
	return condition{fmt.Sprintf("%s IN (%s, NULL, %d)", name, constant, w), func(r row) truth {
		if r[c] != null && (2*r[c] == twice || r[c] == w) {
			return yes
		}
		return unknown
	}}
}

// computed is a predicate on both columns, on what is computed from one, or on v.
func (m *model) computed(t *rapid.T) condition {
	of := func(f func(a, b int) bool, cs ...int) func(row) truth {
		return func(r row) truth {
			for _, c := range cs {
				if r[c] == null {
					return unknown
				}
			}
			return truthOf(f(r[0], r[1]))
		}
	}
	k := smallValue(t)
	if i := rapid.IntRange(0, len(oneColumn)+6).Draw(t, "computed form"); i >= 7 {
		form, c := oneColumn[i-7], rapid.IntRange(0, 1).Draw(t, "of")
		return condition{strings.NewReplacer("#", columnNames[c], "%", fmt.Sprint(k)).Replace(form.sql), func(r row) truth {
			if r[c] == null {
				return form.null(k)
			}
			return truthOf(form.holds(r[c], k))
		}}
	}
	switch rapid.IntRange(0, 6).Draw(t, "computed form") {
	case 0:
		return condition{"a < b", of(func(a, b int) bool { return a < b }, 0, 1)}
	case 1:
		return condition{fmt.Sprintf("a + b = %d", k), of(func(a, b int) bool { return a+b == k }, 0, 1)}
	case 2:
		return condition{fmt.Sprintf("2 * a - 1 >= %d", k), of(func(a, b int) bool { return 2*a-1 >= k }, 0)}
	case 3:
		return condition{"b % 3 = 1", of(func(a, b int) bool { return b%3 == 1 }, 1)}
	case 4:
		return condition{fmt.Sprintf("(a, b) < (%d, 1)", k), func(r row) truth {
			first, second := compareInts(r[0], k), compareInts(r[1], 1)
			return max(first.less, min(first.equal, second.less))
		}}
	case 5:
		return condition{fmt.Sprintf("COALESCE(a, %d) = 1", k), func(r row) truth { return truthOf(r[0] == 1 || r[0] == null && k == 1) }}
	}
	return condition{"v > 3", func(r row) truth {
		if r[2] == null {
			return unknown
		}
		return truthOf(r[2] > 3)
	}}
}

type compared struct{ less, equal truth }

func compareInts(x, y int) compared {
	if x == null {
		return compared{unknown, unknown}
	}
	return compared{truthOf(x < y), truthOf(x == y)}
}
