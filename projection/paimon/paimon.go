package paimon

import (
	"context"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// System is Paimon's way of declaring tables, in Flink's or Spark's SQL. The zero value is ready for use.
type System struct{}

// Name is the value of --dialect.
func (System) Name() string { return "paimon" }

// Dialect is the parser dialect.
func (System) Dialect() string { return "paimon" }

// Table makes the table that ref reads from the CREATE TABLE seen before, and from what was done to it since. A listing
// holds the objects of the table's directory.
func (System) Table(_ context.Context, env *projection.Env, ref *ast.TableRef, decls []ast.Stmt) (*projection.Table, error) {
	d := &definition{env: env, at: ref.Span, options: settings{}}
	if n := len(ref.Name); n > 0 {
		d.at = ast.Span{From: ref.Name[0].From, To: ref.Name[n-1].To}
		d.name = dotted(ref.Name)
	}
	created := d.lookup(ref, script(decls))
	if created == nil {
		return nil, d.failed()
	}
	d.resume(created)
	d.hint(ref.Dynamic)
	d.readScanBucket()
	switch {
	case d.branch && script(decls).branched(d.created):
		d.history = history{}
	case d.branch, d.past(ref):
		d.history.forget()
	}
	if d.List.HasErrors() {
		return nil, d.failed()
	}
	return d.table(), nil
}

// Follows names the declared table whose data or layout a statement changes; nil for other statements.
func (System) Follows(st ast.Stmt, decls []ast.Stmt) []ast.Name {
	name := target(st)
	if name == nil || script(decls).find(name) == nil {
		return nil
	}
	return name
}

// definition is what the statements say of one table.
type definition struct {
	projection.Findings
	env  *projection.Env
	at   ast.Node // the reference
	name string   // as it is written there
	wide bool     // of a system table: it has more columns than the table

	branch bool // of a branch: what was done to the table may not have been done there

	columns   []column
	open      bool // not all columns are known
	options   settings
	primaryAt ast.Node

	partition []int // columns, in the order of the directories
	primary   []int
	hashed    []int // the bucket key
	rehashed  bool  // it had another type before
	names     naming
	staged    bool // postpone.merge-on-read
	bucket    int  // the option: a number of buckets, dynamic or postponed
	function  Function
	only      int // the bucket that scan.bucket names, or noBucket

	created []ast.Name // the table's name in its CREATE
	history history
}

// failed is everything found, in the order of the text.
func (d *definition) failed() error {
	d.List.Sort()
	return d.List.Err()
}

// create reads a CREATE TABLE.
func (d *definition) create(c *created) {
	t := c.table
	d.created = t.Name
	d.at = ast.Span{From: t.Name[0].From, To: t.Name[len(t.Name)-1].To}
	d.like(c)
	d.as(c)
	d.addColumns(t.Columns)
	d.set(t.Options)
	d.readForeign(t)
	d.readPartition(t)
	d.readPrimary(t)
	if len(d.columns) == 0 && !d.open {
		d.Errorf("table.columns", d.at, "list the columns: (id BIGINT, dt STRING)", "%s has no columns", dotted(t.Name))
	}
	d.readLayout()
	d.history.begin(d, t.As != nil)
}

// readLayout reads what decides where rows lie. It is read again when options change.
func (d *definition) readLayout() {
	d.function = Default
	d.readBucket()
	d.readFunction()
	d.hashed = nil
	d.readBucketKey()
	d.names = d.naming()
	d.staged = d.isTrue(postponeMergeOption, false)
	d.check()
}

// Mode is how rows get into the buckets of a partition (apache/paimon, table/BucketMode.java).
type Mode uint8

const (
	Fixed       Mode = iota // by a hash of the bucket key, into a given number of buckets
	HashDynamic             // by an index of each partition
	KeyDynamic              // by an index of the table: the primary key lacks partition columns
	Unaware                 // as they come, all into bucket 0
	Postponed               // first into bucket-postpone, later by the hash
)

// String is the mode's name.
func (m Mode) String() string {
	return [...]string{"fixed", "hash-dynamic", "key-dynamic", "unaware", "postpone"}[m]
}

func (d *definition) mode() Mode {
	switch {
	case d.bucket > 0:
		return Fixed
	case d.bucket == postponed:
		return Postponed
	case len(d.primary) == 0:
		return Unaware
	case len(d.missing()) > 0:
		return KeyDynamic
	}
	return HashDynamic
}

// table puts the parts together.
func (d *definition) table() *projection.Table {
	l := d.layout()
	t := &projection.Table{Name: d.name, System: "paimon", Open: d.open || d.wide, Layout: l}
	for _, c := range d.columns {
		t.Columns = append(t.Columns, projection.Column{
			Name: c.name.S, Type: c.typ, Declared: c.declared, Nullable: !c.notNull, Computed: c.virtual != "", Key: -1, Pos: c.name.Pos(),
		})
	}
	for k, i := range d.keyColumns() {
		if c := &d.columns[i]; c.typ.Kind != pruning.NoKind && c.word != "CHAR" {
			t.Columns[i].Key = k
		}
	}
	d.List.Sort()
	t.Notes = d.List
	return t
}
