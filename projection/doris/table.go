package doris

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// table is a table as of some statement.
type table struct {
	name    []ast.Name
	columns []*column
	names   map[string]*column // of columns, in lower case
	model   string

	by      []*column // partition columns; none: one partition named like the table
	list    bool      // they are listed, instead of cut into ranges
	open    bool      // the columns are those of a query
	auto    bool      // loading makes partitions
	dynamic bool      // a job in the background makes and drops partitions
	unit    unit      // of AUTO PARTITION BY RANGE (date_trunc(…)): rows are routed by the value cut to it
	normal  *partitions
	temp    *partitions
	buckets distribution
	version int // changes with the partitions

	made    *projection.Layout // of all normal partitions, as of version madeFor
	all     []*partition       // those
	madeFor int
}

// distribution is the DISTRIBUTED BY of a table.
type distribution struct {
	hash   []*column // none: RANDOM
	random bool
	count  int
	auto   bool     // BUCKETS AUTO: the number isn't known; count is what is planned with
	at     ast.Span // where AUTO stands
}

// column is a column of a table.
type column struct {
	at        ast.Name
	name      string
	kind      string // the type's name, lower case, without synonyms: "datetime"
	declared  string // the type as written
	typ       pruning.Type
	old       bool // DATEV1, DATETIMEV1, DECIMALV2: hashed in the old form
	wide      bool // DECIMAL of more than 38 digits
	nullable  bool
	key       bool
	aggregate string
	given     ast.Expr // DEFAULT
	index     int      // in the table
}

// kinds are the names of types that mean another.
var kinds = map[string]string{"bool": "boolean", "integer": "int", "datev1": "date", "datev2": "date", "datetimev1": "datetime",
	"datetimev2": "datetime", "decimalv2": "decimal", "decimalv3": "decimal", "numeric": "decimal", "dec": "decimal", "text": "string",
	"character": "char", "character varying": "varchar", "json": "json", "jsonb": "json"}

// ranged, listed and hashed are the kinds of columns that partitions and buckets may be made by (Doris,
// RangePartitionInfo.java, ListPartitionInfo.java, HashDistributionDesc.java).
const (
	ranged = " tinyint smallint int bigint largeint date datetime timestamptz "
	listed = ranged + "boolean char varchar "
	hashed = listed + "string decimal ipv4 ipv6 "
)

func isOneOf(kind, kinds string) bool { return strings.Contains(kinds, " "+kind+" ") }

// typeNames are the types that a near name is looked for in.
var typeNames = []string{"BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "LARGEINT", "FLOAT", "DOUBLE", "DECIMAL", "DATE", "DATETIME",
	"TIMESTAMPTZ", "CHAR", "VARCHAR", "STRING", "IPV4", "IPV6", "ARRAY", "MAP", "STRUCT", "JSON", "VARIANT", "BITMAP", "HLL"}

// column finds a column; case doesn't count.
func (t *table) column(name string) *column { return t.names[strings.ToLower(name)] }

func (t *table) columnNames() []string {
	out := make([]string, len(t.columns))
	for i, c := range t.columns {
		out[i] = c.name
	}
	return out
}

// projected are the columns for the planner; keys take the places that they have in the layout.
func (t *table) projected() []projection.Column {
	out := make([]projection.Column, len(t.columns))
	for i, c := range t.columns {
		out[i] = projection.Column{Name: c.name, Type: c.typ, Declared: c.declared, Nullable: c.nullable, Default: c.given, Key: -1, Pos: c.at.From}
	}
	for k, c := range t.keys() {
		out[c.index].Key = k
	}
	return out
}

// keys are the columns that the layout is about: partition columns, then bucket columns that aren't among them.
func (t *table) keys() []*column {
	keys := append([]*column(nil), t.by...)
	for _, c := range t.buckets.hash {
		if indexOf(keys, c) < 0 {
			keys = append(keys, c)
		}
	}
	return keys
}

func indexOf(list []*column, c *column) int {
	for i, x := range list {
		if x == c {
			return i
		}
	}
	return -1
}
