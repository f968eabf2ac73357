package paimon_test

import (
	"fmt"
	"maps"
	"math/big"
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

// cell is a value of a row: NULL, a text or bytes, or a number. Dates are numbers of days, times and timestamps those of
// nanoseconds.
type cell struct {
	null bool
	text string
	num  *big.Rat
}

func (a cell) compare(b cell) int {
	if a.num != nil {
		return a.num.Cmp(b.num)
	}
	return strings.Compare(a.text, b.text)
}

// field is a column of a random table.
type field struct {
	name, declared string
	kind           string // the type's name alone
	p, s           int
	notNull        bool
}

// fieldTypes are types with bounds of their arguments.
var fieldTypes = []string{"BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL", "STRING", "VARCHAR", "CHAR", "BYTES",
	"DATE", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ"}

func drawField(t *rapid.T, name string, kinds []string) field {
	f := field{name: name, kind: rapid.SampledFrom(kinds).Draw(t, "type of "+name), notNull: rapid.Bool().Draw(t, name+" not null")}
	f.declared = f.kind
	switch f.kind {
	case "DECIMAL":
		f.p = rapid.SampledFrom([]int{4, 10, 18, 19, 30, 38}).Draw(t, "precision")
		f.s = rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "scale")
		f.declared = fmt.Sprintf("DECIMAL(%d,%d)", f.p, f.s)
	case "TIME":
		f.p = rapid.IntRange(0, 3).Draw(t, "precision")
		f.declared = fmt.Sprintf("TIME(%d)", f.p)
	case "TIMESTAMP", "TIMESTAMP_LTZ":
		f.p = rapid.IntRange(0, 9).Draw(t, "precision")
		f.declared = fmt.Sprintf("%s(%d)", f.kind, f.p)
	case "CHAR":
		f.declared = "CHAR(3)"
	case "VARCHAR":
		f.declared = "VARCHAR(40)"
	}
	return f
}

// texts are values of character columns: blank ones, short and long ones, names to be escaped.
var texts = []string{"", " ", "\u3000", "a", "ab", "1234567", "12345678", "привет", "a/b=c", "x%41", "__DEFAULT_PARTITION__", "b", "2024-01-01", "7", "'"}

// drawCell is one of a few values of a type, so that rows and constants meet.
func (f *field) drawCell(t *rapid.T, label string) cell {
	n := int64(rapid.IntRange(-3, 4).Draw(t, label))
	whole := func(n int64) cell { return cell{num: big.NewRat(n, 1)} }
	switch f.kind {
	case "BOOLEAN":
		return whole(n & 1)
	case "TINYINT":
		return whole(n * 31)
	case "SMALLINT":
		return whole(n * 8000)
	case "INT":
		return whole(n * 500_000_000)
	case "BIGINT":
		return whole(n * 2_000_000_000_000_000_000)
	case "FLOAT", "DOUBLE":
		return cell{num: big.NewRat(n*3, 8)}
	case "DECIMAL":
		u := new(big.Int).Mul(big.NewInt(n), new(big.Int).Exp(big.NewInt(7), big.NewInt(int64(f.p*8/10)), nil))
		return cell{num: new(big.Rat).SetFrac(u, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(f.s)), nil))}
	case "CHAR":
		return cell{text: rapid.SampledFrom([]string{"abc", "xyz", "a/b", "123"}).Draw(t, label)}
	case "BYTES":
		return cell{text: rapid.SampledFrom([]string{"", " ", "ab", "\x00\x01\x02\x03\x04\x05\x06\x07\x08", "\xff", "12345678"}).Draw(t, label)}
	case "DATE":
		return whole(n * 6000)
	case "TIME":
		unit := int64(1e9) / pow(f.p)
		return whole((n + 3) * 10_000_123_456_789 / unit * unit)
	case "TIMESTAMP", "TIMESTAMP_LTZ":
		unit := int64(1e9) / pow(f.p)
		return whole(n * 123_456_789_123_456_789 / unit * unit)
	}
	return cell{text: rapid.SampledFrom(texts).Draw(t, label)}
}

func pow(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// literal writes a value in one of the ways that Flink or Spark has for it.
func (f *field) literal(t *rapid.T, c cell) string {
	if c.num == nil {
		if f.kind == "BYTES" {
			return fmt.Sprintf("X'%X'", c.text)
		}
		return "'" + strings.ReplaceAll(c.text, "'", "''") + "'"
	}
	quoted, text := rapid.Bool().Draw(t, "quoted"), f.sql(c)
	switch f.kind {
	case "BOOLEAN":
		return strings.ToUpper(text)
	case "DATE", "TIME", "TIMESTAMP":
		if !quoted {
			return f.kind + " '" + text + "'"
		}
	case "TIMESTAMP_LTZ":
		return "TIMESTAMP '" + text + "'"
	case "FLOAT", "DOUBLE":
		return rapid.SampledFrom([]string{text, text + "E0", "CAST(" + text + " AS " + f.kind + ")"}).Draw(t, "form")
	case "TINYINT", "SMALLINT", "INT", "BIGINT", "DECIMAL":
		if !quoted {
			return rapid.SampledFrom([]string{text, "CAST(" + text + " AS " + f.declared + ")"}).Draw(t, "form")
		}
	}
	return "'" + text + "'"
}

// sql is a value as text, as casts to STRING give it.
func (f *field) sql(c cell) string {
	switch f.kind {
	case "BOOLEAN":
		return fmt.Sprint(c.num.Sign() != 0)
	case "FLOAT", "DOUBLE":
		return c.num.FloatString(3)
	case "DECIMAL":
		return c.num.FloatString(f.s)
	case "DATE":
		return string(pruning.Type{Kind: pruning.Date}.Append(nil, pruning.Int(c.num.Num().Int64())))
	case "TIME":
		return clockText(c.num.Num().Int64(), f.p)
	case "TIMESTAMP", "TIMESTAMP_LTZ":
		day, rest := new(big.Int).DivMod(c.num.Num(), big.NewInt(86400e9), new(big.Int))
		return string(pruning.Type{Kind: pruning.Date}.Append(nil, pruning.Int(day.Int64()))) + " " + clockText(rest.Int64(), f.p)
	}
	return c.num.Num().String()
}

// clockText is the time of a day with a fraction of p digits.
func clockText(nanos int64, p int) string {
	sec := nanos / 1e9
	text := fmt.Sprintf("%02d:%02d:%02d", sec/3600, sec/60%60, sec%60)
	if p == 0 {
		return text
	}
	return text + fmt.Sprintf(".%09d", nanos%1e9)[:p+1]
}

// meaning is a random condition and what it gives for a row.
type meaning struct {
	sql  string
	eval func(row []cell) pruning.Outcomes
}

func outcome(b bool) pruning.Outcomes {
	if b {
		return pruning.True
	}
	return pruning.False
}

func drawMeaning(t *rapid.T, fields []field, depth int) meaning {
	kinds := []string{"compare", "compare", "equal", "in", "null", "distinct", "between", "like"}
	if depth > 0 {
		kinds = append(kinds, "and", "and", "and", "or", "or", "not", "is")
	}
	sub := func() meaning { return drawMeaning(t, fields, depth-1) }
	kind := rapid.SampledFrom(kinds).Draw(t, "kind")
	switch kind {
	case "and", "or":
		x, y := sub(), sub()
		if kind == "and" {
			return meaning{"(" + x.sql + " AND " + y.sql + ")", func(row []cell) pruning.Outcomes { return x.eval(row).And(y.eval(row)) }}
		}
		return meaning{"(" + x.sql + " OR " + y.sql + ")", func(row []cell) pruning.Outcomes { return x.eval(row).Or(y.eval(row)) }}
	case "not":
		x := sub()
		return meaning{"NOT (" + x.sql + ")", func(row []cell) pruning.Outcomes { return x.eval(row).Not() }}
	case "is":
		x, what := sub(), rapid.SampledFrom([]pruning.Outcomes{pruning.True, pruning.False}).Draw(t, "truth")
		return meaning{"(" + x.sql + ") IS " + strings.ToUpper(fmt.Sprint(what == pruning.True)), func(row []cell) pruning.Outcomes { return x.eval(row).Is(what) }}
	}
	i := rapid.IntRange(0, len(fields)-1).Draw(t, "column")
	return fields[i].drawTest(t, i, kind)
}

// drawTest is a condition on one column.
func (f *field) drawTest(t *rapid.T, i int, kind string) meaning {
	value := func() (cell, string) {
		c := f.drawCell(t, "value")
		return c, f.literal(t, c)
	}
	test := func(sql string, f func(c cell) bool) meaning {
		return meaning{sql, func(row []cell) pruning.Outcomes {
			if row[i].null {
				return pruning.Null
			}
			return outcome(f(row[i]))
		}}
	}
	switch ordered := f.kind != "BOOLEAN" && f.kind != "CHAR"; {
	case kind == "null":
		return meaning{f.name + " IS NULL", func(row []cell) pruning.Outcomes { return outcome(row[i].null) }}
	case kind == "distinct":
		c, lit := value()
		return meaning{f.name + " IS DISTINCT FROM " + lit, func(row []cell) pruning.Outcomes { return outcome(row[i].null || row[i].compare(c) != 0) }}
	case kind == "in":
		var list []cell
		var lits []string
		for range rapid.IntRange(1, 4).Draw(t, "length") {
			c, lit := value()
			list, lits = append(list, c), append(lits, lit)
		}
		return test(f.name+" IN ("+strings.Join(lits, ", ")+")", func(x cell) bool {
			return slices.ContainsFunc(list, func(c cell) bool { return x.compare(c) == 0 })
		})
	case kind == "between" && ordered:
		lo, from := value()
		hi, to := value()
		return test(f.name+" BETWEEN "+from+" AND "+to, func(x cell) bool { return lo.compare(x) <= 0 && x.compare(hi) <= 0 })
	case kind == "like" && (f.kind == "STRING" || f.kind == "VARCHAR"):
		prefix := rapid.SampledFrom([]string{"", "a", "1234567", "b/", "п"}).Draw(t, "prefix")
		return test(f.name+" LIKE '"+prefix+"%'", func(x cell) bool { return strings.HasPrefix(x.text, prefix) })
	case kind == "compare" && ordered:
		ops := map[string]func(n int) bool{"<": func(n int) bool { return n < 0 }, "<=": func(n int) bool { return n <= 0 },
			">": func(n int) bool { return n > 0 }, ">=": func(n int) bool { return n >= 0 }, "<>": func(n int) bool { return n != 0 }}
		op := rapid.SampledFrom(slices.Sorted(maps.Keys(ops))).Draw(t, "operator")
		c, lit := value()
		return test(f.name+" "+op+" "+lit, func(x cell) bool { return ops[op](x.compare(c)) })
	}
	c, lit := value()
	return test(f.name+" = "+lit, func(x cell) bool { return x.compare(c) == 0 })
}

// randomTable is a table with rows in their directories.
type randomTable struct {
	fields     []field // p, q: of the partition; a, b: the bucket key; v
	parts      int
	hashed     int
	n          int
	function   paimon.Function
	legacy     bool
	spark      bool
	primary    bool
	rows       [][]cell
	partitions []string // of each row
	buckets    []int
}

func drawTable(t *rapid.T) *randomTable {
	rt := &randomTable{parts: rapid.IntRange(0, 2).Draw(t, "partition columns"), hashed: rapid.IntRange(1, 2).Draw(t, "bucket key"),
		n: rapid.IntRange(1, 9).Draw(t, "buckets"), legacy: rapid.Bool().Draw(t, "legacy"), spark: rapid.Bool().Draw(t, "spark"),
		primary: rapid.Bool().Draw(t, "primary key"), function: rapid.SampledFrom([]paimon.Function{paimon.Default, paimon.Hive}).Draw(t, "function")}
	for i, name := range []string{"p", "q"}[:rt.parts] {
		kinds := slices.DeleteFunc(slices.Clone(fieldTypes), func(k string) bool { return k == "FLOAT" || k == "DOUBLE" || k == "BYTES" && rt.legacy })
		rt.fields = append(rt.fields, drawField(t, name, kinds))
		rt.fields[i].notNull = rt.fields[i].notNull || rt.primary
	}
	kinds := fieldTypes
	if rt.function == paimon.Hive {
		kinds = kinds[:len(kinds)-2]
	}
	for _, name := range []string{"a", "b"}[:rt.hashed] {
		f := drawField(t, name, kinds)
		f.notNull = f.notNull || rt.primary
		rt.fields = append(rt.fields, f)
	}
	rt.fields = append(rt.fields, drawField(t, "v", fieldTypes))
	for range rapid.IntRange(1, 12).Draw(t, "rows") {
		rt.addRow(t)
	}
	return rt
}

func (rt *randomTable) addRow(t *rapid.T) {
	row := make([]cell, len(rt.fields))
	for i := range row {
		if row[i].null = !rt.fields[i].notNull && rapid.IntRange(0, 3).Draw(t, "null") == 0; !row[i].null {
			row[i] = rt.fields[i].drawCell(t, "cell")
		}
	}
	for i := range rt.parts {
		if rt.fields[i].kind == "BYTES" && row[i].text == "\xff" { // its name is that of other bytes, too
			row[i].text = "ab"
		}
	}
	dir := ""
	for i := range rt.parts {
		dir += rt.fields[i].name + "=" + rt.fields[i].directory(row[i], rt.legacy) + "/"
	}
	key := slice{rt.fields[rt.parts : rt.parts+rt.hashed], row[rt.parts : rt.parts+rt.hashed]}
	rt.rows, rt.partitions = append(rt.rows, row), append(rt.partitions, dir)
	rt.buckets = append(rt.buckets, key.bucket(rt.function, rt.n))
}

// declare is the table's CREATE in the form of either engine.
func (rt *randomTable) declare() string {
	var defs, parts, keys, primary []string
	for i, f := range rt.fields {
		def := f.name + " " + f.declared
		if f.notNull {
			def += " NOT NULL"
		}
		defs = append(defs, def)
		switch {
		case i < rt.parts:
			parts = append(parts, f.name)
		case i < rt.parts+rt.hashed:
			keys = append(keys, f.name)
		}
	}
	options := fmt.Sprintf("'bucket' = '%d', 'bucket-function.type' = '%s', 'partition.legacy-name' = '%t'", rt.n, rt.function, rt.legacy)
	if primary = slices.Concat(parts, keys); !rt.primary {
		options += ", 'bucket-key' = '" + strings.Join(keys, ",") + "'"
	} else if rt.spark {
		options += ", 'primary-key' = '" + strings.Join(primary, ", ") + "'"
	} else {
		defs = append(defs, "PRIMARY KEY ("+strings.Join(primary, ", ")+") NOT ENFORCED")
	}
	sql := "CREATE TABLE t (" + strings.Join(defs, ", ") + ")"
	if len(parts) > 0 {
		sql += " PARTITIONED BY (" + strings.Join(parts, ", ") + ")"
	}
	if rt.spark {
		sql += " USING paimon TBLPROPERTIES (" + options + ")"
	} else {
		sql += " WITH (" + options + ")"
	}
	return sql + ";\n"
}

// TestRowsAreRead: whatever the types, no plan leaves out a directory with a row for which the condition holds, with a
// listing or without; and where no filter remains, it holds for all rows in the directories that are read.
func TestRowsAreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rt := drawTable(t)
		where := drawMeaning(t, rt.fields, 3)
		sql := rt.declare() + "SELECT * FROM t WHERE " + where.sql
		var keys []string
		for i := range rt.rows {
			keys = append(keys, fmt.Sprintf("%sbucket-%d/f", rt.partitions[i], rt.buckets[i]))
		}
		for _, listed := range []bool{true, false} {
			opt := planner.Options{System: "paimon", Now: now}
			if listed {
				opt.Store = store.NewKeys(slices.Clone(keys))
			}
			plans, found := planner.NewSession([]projection.System{paimon.System{}}, opt).Run(t.Context(), "q", sql)
			if found.HasErrors() {
				t.Fatalf("%s\n%v", sql, found)
			}
			scan := plans[len(plans)-1].Scans[0]
			var dirs []string
			for u, err := range scan.Units(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				dirs = append(dirs, string(u.AppendPath(nil)))
			}
			for i, row := range rt.rows {
				got, read := where.eval(row), slices.ContainsFunc(dirs, func(dir string) bool { return covers(dir, strings.TrimSuffix(keys[i], "f")) })
				if got == pruning.True && !read || got != pruning.True && read && scan.Residual == nil {
					t.Fatalf("%s\nrow %v: %v, in %s\nlisted %t, reads %q", sql, rt.show(row), got, keys[i], listed, dirs)
				}
			}
		}
	})
}

// covers reports whether a directory is one of a plan, where * is any value.
func covers(plan, dir string) bool {
	xs, ys := strings.Split(plan, "/"), strings.Split(dir, "/")
	return len(xs) == len(ys) && !slices.ContainsFunc(xs, func(x string) bool {
		i := slices.Index(xs, x)
		return x != ys[i] && (!strings.HasSuffix(x, "=*") || !strings.HasPrefix(ys[i], x[:len(x)-1]))
	})
}

// show is a row for people.
func (rt *randomTable) show(row []cell) string {
	texts := make([]string, len(row))
	for i, c := range row {
		switch f := &rt.fields[i]; {
		case c.null:
			texts[i] = "NULL"
		case c.num == nil:
			texts[i] = fmt.Sprintf("%q", c.text)
		default:
			texts[i] = f.sql(c)
		}
	}
	return strings.Join(texts, ", ")
}
