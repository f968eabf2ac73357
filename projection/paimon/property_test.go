package paimon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/paimon"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// keyColumn is a column of a random table. Its type has so few values that all of them can be tried.
type keyColumn struct {
	name     string
	declared string
	typ      pruning.Type
	values   []int64
	notNull  bool
}

// tuple is a row of keys: nil is NULL.
type tuple []*int64

// condition is a random predicate with its meaning.
type condition struct {
	sql  string
	eval func(row tuple) pruning.Outcomes
}

func drawColumn(t *rapid.T, name string, notNull bool) keyColumn {
	c := keyColumn{name: name, notNull: notNull}
	switch rapid.SampledFrom([]string{"BOOLEAN", "TINYINT"}).Draw(t, "type of "+name) {
	case "BOOLEAN":
		c.declared, c.typ, c.values = "BOOLEAN", pruning.Type{Kind: pruning.Bool}, []int64{0, 1}
	case "TINYINT":
		c.declared, c.typ = "TINYINT", pruning.Type{Kind: pruning.Int8}
		for n := int64(-128); n < 128; n++ {
			c.values = append(c.values, n)
		}
	}
	return c
}

func (c *keyColumn) literal(n int64) string {
	if c.typ.Kind == pruning.Bool {
		return strings.ToUpper(fmt.Sprint(n != 0))
	}
	return fmt.Sprint(n)
}

func drawCondition(t *rapid.T, columns []keyColumn, depth int) condition {
	kinds := []string{"compare", "compare", "in", "null", "between"}
	if depth > 0 {
		kinds = append(kinds, "and", "and", "or", "or", "not")
	}
	i := rapid.IntRange(0, len(columns)-1).Draw(t, "column")
	c := &columns[i]
	value := func(label string) int64 { return rapid.SampledFrom(c.values).Draw(t, label) }
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "compare":
		return drawComparison(t, c, i, value("value"))
	case "in":
		list := rapid.SliceOfN(rapid.SampledFrom(c.values), 1, 4).Draw(t, "list")
		texts := make([]string, len(list))
		for k, n := range list {
			texts[k] = c.literal(n)
		}
		return condition{c.name + " IN (" + strings.Join(texts, ", ") + ")", func(row tuple) pruning.Outcomes {
			return known(row[i], func(n int64) bool { return slices.Contains(list, n) })
		}}
	case "null":
		return condition{c.name + " IS NULL", func(row tuple) pruning.Outcomes {
			if row[i] == nil {
				return pruning.True
			}
			return pruning.False
		}}
	case "between":
		lo, hi := value("lo"), value("hi")
		return condition{c.name + " BETWEEN " + c.literal(lo) + " AND " + c.literal(hi), func(row tuple) pruning.Outcomes {
			return known(row[i], func(n int64) bool { return lo <= n && n <= hi })
		}}
	case "not":
		x := drawCondition(t, columns, depth-1)
		return condition{"NOT (" + x.sql + ")", func(row tuple) pruning.Outcomes { return x.eval(row).Not() }}
	case "and":
		x, y := drawCondition(t, columns, depth-1), drawCondition(t, columns, depth-1)
		return condition{"(" + x.sql + ") AND (" + y.sql + ")", func(row tuple) pruning.Outcomes { return x.eval(row).And(y.eval(row)) }}
	default:
		x, y := drawCondition(t, columns, depth-1), drawCondition(t, columns, depth-1)
		return condition{"(" + x.sql + ") OR (" + y.sql + ")", func(row tuple) pruning.Outcomes { return x.eval(row).Or(y.eval(row)) }}
	}
}

func drawComparison(t *rapid.T, c *keyColumn, i int, v int64) condition {
	ops := map[string]func(a, b int64) bool{
		"=": func(a, b int64) bool { return a == b }, "<>": func(a, b int64) bool { return a != b },
		"<": func(a, b int64) bool { return a < b }, ">=": func(a, b int64) bool { return a >= b },
	}
	names := []string{"=", "=", "<>"}
	if c.typ.Kind != pruning.Bool {
		names = append(names, "<", ">=")
	}
	op := rapid.SampledFrom(names).Draw(t, "operator")
	return condition{c.name + " " + op + " " + c.literal(v), func(row tuple) pruning.Outcomes {
		return known(row[i], func(n int64) bool { return ops[op](n, v) })
	}}
}

func known(n *int64, test func(n int64) bool) pruning.Outcomes {
	switch {
	case n == nil:
		return pruning.Null
	case test(*n):
		return pruning.True
	}
	return pruning.False
}

// tuples calls f with all rows of some columns.
func tuples(columns []keyColumn, f func(row tuple)) {
	row := make(tuple, len(columns))
	var fill func(i int)
	fill = func(i int) {
		if i == len(columns) {
			f(row)
			return
		}
		if row[i] = nil; !columns[i].notNull {
			fill(i + 1)
		}
		for k := range columns[i].values {
			row[i] = &columns[i].values[k]
			fill(i + 1)
		}
	}
	fill(0)
}

// TestExactBuckets: of random tables the plan has exactly the buckets, of those that exist, of all keys that satisfy a
// random predicate, in each partition.
func TestExactBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		primary := rapid.Bool().Draw(t, "primary key")
		p := keyColumn{name: "p", declared: "INT", typ: pruning.Type{Kind: pruning.Int32}, values: []int64{0, 1, 2}, notNull: primary}
		columns := []keyColumn{p, drawColumn(t, "a", primary)}
		if rapid.Bool().Draw(t, "two keys") {
			b := keyColumn{name: "b", declared: "BOOLEAN", typ: pruning.Type{Kind: pruning.Bool}, values: []int64{0, 1}, notNull: primary}
			columns = append(columns, b)
		}
		n := rapid.IntRange(1, 40).Draw(t, "buckets")
		f := rapid.SampledFrom([]paimon.Function{paimon.Default, paimon.Hive}).Draw(t, "function")
		where := drawCondition(t, columns, 3)
		objects := map[string]bool{}
		parts := []string{"p=0", "p=1", "p=2"}
		if !primary {
			parts = append(parts, "p=__DEFAULT_PARTITION__")
		}
		for _, part := range parts {
			for _, b := range rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 12).Draw(t, "files of "+part) {
				objects[fmt.Sprintf("%s/bucket-%d/f", part, b)] = true
			}
		}
		want := map[string]bool{}
		types := make([]pruning.Type, len(columns)-1)
		for i := range types {
			types[i] = columns[i+1].typ
		}
		tuples(columns, func(row tuple) {
			if where.eval(row)&pruning.True == 0 {
				return
			}
			part := "p=__DEFAULT_PARTITION__"
			if row[0] != nil {
				part = fmt.Sprintf("p=%d", *row[0])
			}
			dir := fmt.Sprintf("%s/bucket-%d/", part, f.Bucket(types, nullables(row[1:]), n))
			if objects[dir+"f"] {
				want[dir] = true
			}
		})
		sql := declare(columns, n, f, primary) + "SELECT * FROM t WHERE " + where.sql
		got := unitPaths(t, sql, objects)
		for dir := range want {
			if !slices.Contains(got, dir) {
				t.Fatalf("%s\nlacks %s", sql, dir)
			}
		}
		if len(got) > len(want) {
			t.Fatalf("%s\nreads %v, but %v is enough", sql, got, want)
		}
	})
}

func nullables(row tuple) []pruning.Nullable {
	out := make([]pruning.Nullable, len(row))
	for i, n := range row {
		if out[i].Null = n == nil; n != nil {
			out[i].Value = pruning.Int(*n)
		}
	}
	return out
}

func declare(columns []keyColumn, n int, f paimon.Function, primary bool) string {
	var defs, keys []string
	for i, c := range columns {
		defs = append(defs, c.name+" "+c.declared)
		if i > 0 {
			keys = append(keys, c.name)
		}
	}
	option := fmt.Sprintf(", 'bucket-key' = '%s'", strings.Join(keys, ","))
	if primary {
		defs = append(defs, "PRIMARY KEY (p, "+strings.Join(keys, ", ")+") NOT ENFORCED")
		option = ""
	}
	return fmt.Sprintf("CREATE TABLE t (%s) PARTITIONED BY (p) WITH ('bucket' = '%d', 'bucket-function.type' = '%s'%s);\n",
		strings.Join(defs, ", "), n, f, option)
}

// unitPaths are the paths of the plan of a script's last statement.
func unitPaths(t *rapid.T, sql string, objects map[string]bool) (paths []string) {
	keys := make([]string, 0, len(objects))
	for k := range objects {
		keys = append(keys, k)
	}
	opt := planner.Options{System: "paimon", Now: now, Store: store.NewKeys(keys)}
	plans, found := planner.NewSession([]projection.System{paimon.System{}}, opt).Run(t.Context(), "q", sql)
	if found.HasErrors() {
		t.Fatalf("%s\n%v", sql, found)
	}
	for u, err := range plans[len(plans)-1].Scans[0].Units(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, string(u.AppendPath(nil)))
	}
	return paths
}

// TestMatchingRows: of tables with keys of any type each row that satisfies an equality lies in a bucket of the plan,
// whichever way the constant is written.
func TestMatchingRows(t *testing.T) {
	kinds := []struct {
		declared string
		typ      pruning.Type
		texts    []string // literals of values
	}{
		{"INT", pruning.Type{Kind: pruning.Int32}, []string{"0", "-1", "2147483647"}},
		{"BIGINT", pruning.Type{Kind: pruning.Int64}, []string{"0", "-1", "9223372036854775807"}},
		{"DECIMAL(10,2)", pruning.Type{Kind: pruning.Decimal, Precision: 10, Scale: 2}, []string{"0.00", "-1.50", "12345678.90"}},
		{"DECIMAL(30,4)", pruning.Type{Kind: pruning.Decimal, Precision: 30, Scale: 4}, []string{"0.0001", "-98765432109876543210.1234"}},
		{"STRING", pruning.Type{Kind: pruning.String}, []string{"''", "'short'", "'longer than eight'", "'привет'"}},
		{"DATE", pruning.Type{Kind: pruning.Date}, []string{"DATE '1969-12-31'", "'2024-02-29'"}},
		{"TIMESTAMP(3)", pruning.Type{Kind: pruning.Timestamp, Precision: 3}, []string{"TIMESTAMP '2024-01-01 00:00:00.123'", "'1969-12-31 23:59:59.999'"}},
		{"TIMESTAMP(6)", pruning.Type{Kind: pruning.Timestamp, Precision: 6}, []string{"TIMESTAMP '2024-01-01 00:00:00.123456'"}},
		{"DOUBLE", pruning.Type{Kind: pruning.Float64}, []string{"0.5", "-1e300", "1.25"}},
	}
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(kinds).Draw(t, "type")
		lit := rapid.SampledFrom(k.texts).Draw(t, "literal")
		n := rapid.IntRange(2, 200).Draw(t, "buckets")
		text := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(lit, "TIMESTAMP "), "DATE "), "'")
		v := pruning.Text(text)
		if k.typ.Kind != pruning.String {
			var err error
			if v, err = k.typ.Parse(strings.Replace(text, " ", "T", 1)); err != nil {
				t.Fatal(err)
			}
		}
		want := fmt.Sprintf("bucket-%d/", paimon.Default.Bucket([]pruning.Type{k.typ}, []pruning.Nullable{{Value: v}}, n))
		objects := map[string]bool{}
		for b := range n {
			objects[fmt.Sprintf("bucket-%d/f", b)] = true
		}
		form := rapid.SampledFrom([]string{"k = %s", "%s = k", "k IN (%s)", "NOT (k <> %s)", "k IS NOT DISTINCT FROM %s", "k >= %[1]s AND k <= %[1]s"}).Draw(t, "form")
		sql := fmt.Sprintf("CREATE TABLE t (k %s) WITH ('bucket' = '%d', 'bucket-key' = 'k');\nSELECT * FROM t WHERE ", k.declared, n) + fmt.Sprintf(form, lit)
		got := unitPaths(t, sql, objects)
		if !slices.Contains(got, want) {
			t.Fatalf("%s\nreads %v, not %s", sql, got, want)
		}
		if len(got) != 1 && !strings.Contains(form, "DISTINCT") {
			t.Fatalf("%s\nreads %v; %s is enough", sql, got, want)
		}
	})
}
