package paimon

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// foreign are clauses that would put rows into buckets in other systems. Paimon's buckets are options.
var foreign = []string{"CLUSTERED BY", "DISTRIBUTED BY", "BUCKETS"}

// readForeign refuses them: to ignore them is to look for rows where they aren't.
func (d *definition) readForeign(t *ast.CreateTable) {
	for i := range t.Clauses {
		if c := &t.Clauses[i]; slices.Contains(foreign, c.Kind) {
			d.Errorf("table.clause", c, "write the options 'bucket' = '4', 'bucket-key' = '…'", "%s is no clause of a Paimon table: its buckets are options", c.Kind)
		}
	}
}

// readPartition finds the partition columns: those of PARTITIONED BY, or of the option.
func (d *definition) readPartition(t *ast.CreateTable) {
	var clause *ast.Clause
	for i := range t.Clauses {
		if t.Clauses[i].Kind == "PARTITIONED BY" {
			clause = &t.Clauses[i]
		}
	}
	option, both := d.get(partitionOption)
	switch {
	case clause != nil && both:
		d.Errorf("partition.twice", option, "drop the option", "the partition columns are defined twice, in PARTITIONED BY and in the options")
	case clause != nil:
		d.partitionClause(clause)
	case both:
		d.partition = d.resolve("partition", "partition column", splitNames(option))
	}
}

// partitionClause reads PARTITIONED BY (a, b). With a type, a column is declared there (Spark, Hive's form).
func (d *definition) partitionClause(c *ast.Clause) {
	for _, x := range c.Exprs {
		if _, ok := x.(*ast.Ident); !ok {
			d.Errorf("partition.expression", x, "add a column with the value and partition by that", "Paimon partitions by columns, not by expressions")
			return
		}
	}
	var names []projection.Text
	for i := range c.Columns {
		col := &c.Columns[i]
		if col.Type != nil {
			d.addColumn(d.column(col))
		}
		names = append(names, projection.NameText(col.Name))
	}
	d.partition = d.resolve("partition", "partition column", names)
}

// splitNames is a comma list of names, with blanks around them dropped.
func splitNames(t projection.Text) (names []projection.Text) {
	for _, item := range list(t) {
		if item = trimmed(item); item.S != "" {
			names = append(names, item)
		}
	}
	return names
}

// resolve finds columns by name for a partition or primary key, each once. Their types must be ones that keys can have.
func (d *definition) resolve(code, what string, names []projection.Text) (keys []int) {
	for _, n := range names {
		i := d.find(n.S)
		switch {
		case i < 0 && d.open:
			d.columns = append(d.columns, column{name: n, at: n})
			i = len(d.columns) - 1
		case i < 0:
			d.Errorf(code+".column", n, d.near(n.S), "the %s %s is not a column", what, projection.Quote(n.S))
			continue
		case slices.Contains(keys, i):
			d.Errorf(code+".duplicate", n, "drop one of them", "the %s %s is listed twice", what, n.S)
			continue
		}
		c := &d.columns[i]
		switch {
		case c.virtual != "":
			d.Errorf(code+".virtual", n, "use a column that is stored", "the %s %s is a %s column, which is not stored", what, n.S, c.virtual)
		case c.isOneOf(composite):
			d.Errorf(code+".type", n, "use a column of a primitive type", "the %s %s is %s, which cannot be a %s", what, n.S, c.word, what)
		}
		keys = append(keys, i)
	}
	return keys
}

// near is a hint with the column that was probably meant.
func (d *definition) near(name string) string {
	if plain := strings.TrimSpace(name); plain != name && d.find(plain) >= 0 {
		return "write " + plain + " without blanks: they count here"
	}
	if hint := projection.DidYouMean(name, d.columnNames()); hint != "" || len(d.columns) > 12 {
		return hint
	}
	return "the columns are " + strings.Join(d.columnNames(), ", ")
}

// readPrimary finds the primary key: that of the constraint, of a column, or of the option.
func (d *definition) readPrimary(t *ast.CreateTable) {
	var found [][]projection.Text
	for i := range t.Constraints {
		if c := &t.Constraints[i]; c.Kind == "PRIMARY KEY" {
			d.primaryAt = c
			var names []projection.Text
			for _, n := range c.Columns {
				names = append(names, projection.NameText(n))
			}
			found = append(found, names)
		}
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Key {
			d.primaryAt = c
			found = append(found, []projection.Text{projection.NameText(c.Name)})
		}
	}
	option, ok := d.get(primaryKeyOption)
	switch {
	case ok && len(found) > 0:
		d.Errorf("primary.twice", option, "drop the option", "the primary key is defined twice, in the DDL and in the options")
		return
	case len(found) > 1:
		d.Errorf("primary.twice", d.primaryAt, "write one PRIMARY KEY (a, b) NOT ENFORCED", "the primary key is defined %d times", len(found))
		return
	case ok:
		d.primaryAt = option
		found = [][]projection.Text{splitNames(option)}
	}
	if len(found) > 0 {
		d.primary = d.resolve("primary", "primary key column", found[0])
	}
	for _, i := range d.primary {
		d.columns[i].notNull = true
	}
}

// trimmedPrimary is the primary key without partition columns.
func (d *definition) trimmedPrimary() (keys []int) {
	for _, i := range d.primary {
		if !slices.Contains(d.partition, i) {
			keys = append(keys, i)
		}
	}
	return keys
}

// missing are the partition columns that aren't in the primary key.
func (d *definition) missing() (keys []int) {
	for _, i := range d.partition {
		if !slices.Contains(d.primary, i) {
			keys = append(keys, i)
		}
	}
	return keys
}

// namesOf are names of columns in a row: "dt, hh".
func (d *definition) namesOf(keys []int) string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = d.columns[k].name.S
	}
	return strings.Join(names, ", ")
}

// readBucketKey finds the columns that are hashed: those of `bucket-key`, whose blanks count, or the trimmed primary key.
func (d *definition) readBucketKey() {
	t, ok := d.get(bucketKeyOption)
	if ok && (strings.TrimSpace(t.S) == "" || len(list(t)) == 0) {
		ok = false
	}
	at, _ := d.get(bucketOption)
	switch {
	case !ok && d.bucket > 0 && len(d.primary) == 0:
		d.Errorf("bucket.key", at, "add 'bucket-key' = '…', or a primary key", "%s = %d: a bucketed table without primary key needs bucket-key", bucketOption, d.bucket)
	case ok && d.bucket == dynamic:
		d.Errorf("bucket.key", t, "drop it, or set bucket to a number", "bucket-key makes no sense with bucket = -1, where no hash tells the bucket")
	case ok:
		d.hashed = d.bucketKey(t)
	default:
		d.hashed = d.trimmedPrimary()
	}
}

func (d *definition) bucketKey(t projection.Text) (keys []int) {
	for _, n := range list(t) {
		i := d.find(n.S)
		switch {
		case i < 0 && d.open:
			d.columns = append(d.columns, column{name: n, at: n})
			i = len(d.columns) - 1
		case i < 0:
			d.Errorf("bucket.column", n, d.near(n.S), "the bucket key %s is not a column", projection.Quote(n.S))
			continue
		case slices.Contains(keys, i):
			d.Errorf("bucket.duplicate", n, "drop one of them", "the bucket key %s is listed twice", n.S)
			continue
		}
		keys = append(keys, i)
		switch c := &d.columns[i]; {
		case slices.Contains(d.partition, i):
			d.Errorf("bucket.partition", n, "drop it: all rows of a partition have one value", "the bucket key %s is a partition column", n.S)
		case len(d.primary) > 0 && !slices.Contains(d.primary, i):
			d.Errorf("bucket.primary", n, "the primary key is "+d.namesOf(d.primary), "the bucket key %s is not in the primary key, so that rows of one key would be in several buckets", n.S)
		case c.isOneOf(nested):
			d.Errorf("bucket.type", n, "use a column of a primitive type", "the bucket key %s is %s, which cannot be a bucket key", n.S, c.word)
		case c.virtual != "":
			d.Errorf("bucket.virtual", n, "use a column that is stored", "the bucket key %s is a %s column, which is not stored", n.S, c.virtual)
		}
	}
	return keys
}

// check looks at what hangs together.
func (d *definition) check() {
	if len(d.primary) > 0 && len(d.trimmedPrimary()) == 0 {
		d.Errorf("primary.partition", d.primaryAt, "add a column to the primary key that tells the records of a partition apart",
			"the primary key (%s) holds nothing but partition columns: each partition would have one record", d.namesOf(d.primary))
	}
	d.checkSequence()
	if d.bucket > 0 || d.bucket == postponed {
		d.checkFunction()
	}
}

// checkSequence looks at the columns that tell which of two rows with one key is the later.
func (d *definition) checkSequence() {
	t, ok := d.get(sequenceOption)
	if !ok {
		return
	}
	for _, n := range splitNames(t) {
		if d.find(n.S) < 0 && !d.open {
			d.Errorf("option.sequence", n, d.near(n.S), "%s: %s is not a column", sequenceOption, projection.Quote(n.S))
		}
	}
	if len(d.primary) > 0 && len(d.missing()) > 0 {
		d.Errorf("option.sequence", t, "drop it, or add "+d.namesOf(d.missing())+" to the primary key",
			"%s can't be used where a primary key goes across partitions, and (%s) lacks %s", sequenceOption, d.namesOf(d.primary), d.namesOf(d.missing()))
	}
}

// checkFunction looks whether the bucket function takes the bucket key. Paimon itself notices only when rows are written or
// read.
func (d *definition) checkFunction() {
	t, _ := d.get(functionOption)
	switch d.function {
	case Mod:
		if len(d.hashed) != 1 {
			d.Errorf("bucket.function", t, "use the default function, or one INT or BIGINT bucket key", "mod needs exactly one INT or BIGINT bucket key, not (%s)", d.namesOf(d.hashed))
		} else if c := &d.columns[d.hashed[0]]; c.typ.Kind != pruning.Int32 && c.typ.Kind != pruning.Int64 && c.word != "" {
			d.Errorf("bucket.function", t, "use the default function", "mod needs an INT or BIGINT bucket key, and %s is %s", c.name.S, c.declared)
		}
	case Hive:
		for _, i := range d.hashed {
			if c := &d.columns[i]; c.typ.Kind == pruning.Timestamp || c.typ.Kind == pruning.Datetime {
				d.Warnf("bucket.function", t, "use the default function", "hive can't hash %s, which is %s: writing the first value fails", c.name.S, c.declared)
			}
		}
	}
}
