package athena

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// definition is what the statements about one table say, as far as they have been read.
type definition struct {
	projection.Findings
	env  *projection.Env
	name string   // of the table, as written
	at   ast.Span // of its name: where to point when something is missing

	create  *ast.CreateTable
	trino   bool // the projection stands in WITH, not in TBLPROPERTIES
	open    bool // columns were added of which nothing is known
	iceberg bool // its files are found by metadata
	columns []projection.Column
	index   projection.NameIndex // of columns
	types   []*ast.Column        // each of columns as written

	partitions []projection.Text // names of the partition columns, lower-cased
	partIndex  projection.NameIndex

	properties properties
	location   projection.Text
	located    bool
	additions  map[string]*addition // by their identities; nil: it's the storage that tells which partitions there are
	repaired   ast.Node             // the last MSCK REPAIR TABLE, or nil

	projected bool       // the projection is on
	fields    []*field   // of the projected columns, in the order of partitions
	other     []*setting // keys of the projection that mean nothing, in the order of the text
}

// read goes through the statements in order.
func (d *definition) read(stmts []ast.Stmt) {
	d.create = stmts[0].(*ast.CreateTable)
	d.iceberg = isIceberg(d.create.Options)
	d.readColumns()
	d.readClauses()
	for i := range d.create.Options {
		d.property(&d.create.Options[i])
	}
	if d.trino {
		d.partitionedBy()
	}
	for _, s := range stmts[1:] {
		switch s := s.(type) {
		case *ast.AlterTable:
			for i := range s.Actions {
				d.alter(&s.Actions[i])
			}
		case *ast.Other:
			d.repaired = s
		}
	}
}

// isIceberg reports whether a declaration is that of an Iceberg table (Athena user guide, "Creating Iceberg tables").
func isIceberg(options []ast.Option) bool {
	return slices.ContainsFunc(options, func(o ast.Option) bool {
		t, ok := literalText(o.Value)
		return ok && o.Key.Text == "table_type" && strings.EqualFold(t.S, "iceberg")
	})
}

func (d *definition) readColumns() {
	d.trino = d.create.OptionsWord == "WITH"
	for i := range d.create.Columns {
		c := &d.create.Columns[i]
		d.addColumn(c, "declared twice")
		for k := range c.Options {
			d.trino = true
			d.columnProperty(c, &c.Options[k])
		}
	}
}

// addColumn takes a column; names are folded to lower case.
func (d *definition) addColumn(c *ast.Column, twice string) {
	name := strings.ToLower(c.Name.Text)
	if _, added := d.index.Add(name); !added {
		d.Errorf("schema.duplicate", c.Name, "rename or drop one of them", "the column %s is %s", name, twice)
		return
	}
	col := projection.Column{Name: name, Nullable: !c.NotNull, Key: -1, Pos: c.Name.From}
	if c.Type == nil {
		d.Errorf("schema.type", c.Name, "write "+c.Name.Text+" string", "the column %s has no type", name)
	} else {
		t, known := projection.ResolveType("athena", c.Type)
		if !known {
			d.Warnf("schema.type", c.Type, projection.DidYouMean(c.Type.Name.Text, typeNames), "the column %s: the type %s is unknown", name, projection.TypeText(c.Type))
		}
		col.Type, col.Declared = t, projection.TypeText(c.Type)
	}
	d.columns, d.types = append(d.columns, col), append(d.types, c)
}

// typeNames are the types that a near name is looked for in.
var typeNames = []string{"boolean", "tinyint", "smallint", "int", "integer", "bigint", "float", "real", "double", "decimal", "char", "varchar",
	"string", "binary", "varbinary", "date", "timestamp", "array", "map", "struct", "row"}

// readClauses takes PARTITIONED BY and LOCATION of Hive's declarations.
func (d *definition) readClauses() {
	for i := range d.create.Clauses {
		switch c := &d.create.Clauses[i]; c.Kind {
		case "PARTITIONED BY":
			d.partitionClause(c)
		case "LOCATION":
			if l, ok := c.Value.(*ast.Literal); ok {
				d.location, d.located = projection.LiteralText(l), true
			}
		}
	}
}

func (d *definition) partitionClause(c *ast.Clause) {
	if c.Columns == nil {
		d.Errorf("partitioned.form", c, "list columns with types: PARTITIONED BY (dt string)", "partitions by expressions belong to Iceberg tables, whose files aren't found by paths")
		return
	}
	for i := range c.Columns {
		col := &c.Columns[i]
		if d.iceberg && col.Type == nil && d.index.Find(strings.ToLower(col.Name.Text)) >= 0 { // Iceberg names its data columns
			d.addPartition(projection.NameText(col.Name))
			continue
		}
		d.addColumn(col, "a data column already: partition columns aren't in the files")
		d.addPartition(projection.NameText(col.Name))
	}
}

func (d *definition) addPartition(t projection.Text) {
	t.S = strings.ToLower(t.S)
	if _, added := d.partIndex.Add(t.S); added {
		d.partitions = append(d.partitions, t)
	}
}

// partitionedBy takes Trino's partitioned_by: names of columns, which are the last ones in this order.
func (d *definition) partitionedBy() {
	p := d.properties.lookup("partitioned_by")
	if p == nil {
		return
	}
	for _, t := range p.items() {
		if d.index.Find(strings.ToLower(t.S)) < 0 {
			d.Errorf("partitioned.column", t, projection.DidYouMean(t.S, d.index.Names()), "the partition column %s is not declared", projection.Quote(t.S))
			continue
		}
		d.addPartition(t)
	}
	first := len(d.columns) - len(d.partitions)
	for i, t := range d.partitions {
		if d.columns[first+i].Name != t.S {
			d.Errorf("partitioned.order", t, "move the columns to the end, in the order of partitioned_by",
				"partition columns must be the last columns, in the order of partitioned_by, and %s isn't", t.S)
			return
		}
	}
}

// alter takes one action of an ALTER TABLE.
func (d *definition) alter(a *ast.AlterAction) {
	switch {
	case a.Kind == "SET" && (a.Word == "TBLPROPERTIES" || a.Word == "PROPERTIES"):
		for i := range a.Options {
			d.property(&a.Options[i])
		}
	case a.Partitions != nil && (a.Kind == "SET LOCATION" || a.Kind == "RENAME PARTITION"):
		d.onePartition(a)
	case a.Kind == "SET LOCATION":
		if l, ok := a.Value.(*ast.Literal); ok {
			d.location, d.located = projection.LiteralText(l), true
		}
	case a.Kind == "UNSET":
		for _, n := range a.Names {
			d.properties.remove(n.Text)
		}
	case a.Kind == "ADD PARTITION":
		d.addPartitions(a)
	case a.Kind == "DROP PARTITION":
		d.dropPartitions(a)
	case strings.HasSuffix(a.Kind, "COLUMNS"), strings.HasSuffix(a.Kind, "COLUMN"):
		d.open = true
	}
}

// column is a declared column, or nil.
func (d *definition) column(name string) *projection.Column {
	if i := d.index.Find(name); i >= 0 {
		return &d.columns[i]
	}
	return nil
}

func (d *definition) isPartition(name string) bool { return d.partIndex.Find(name) >= 0 }

// isText reports whether a column is declared as string, varchar or char.
func isText(c *ast.Column) bool {
	return c.Type != nil && c.Type.Array == 0 && slices.Contains([]string{"string", "varchar", "char"}, strings.ToLower(c.Type.Name.Text))
}

// isChar reports whether a text column is declared as char, whose values are filled up with blanks.
func isChar(c *ast.Column) bool { return strings.EqualFold(c.Type.Name.Text, "char") }

// kindIs reports whether a column has one of some types.
func kindIs(c *projection.Column, kinds ...pruning.Kind) bool {
	return slices.Contains(kinds, c.Type.Kind)
}
