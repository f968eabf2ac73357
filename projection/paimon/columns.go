package paimon

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// column is a column of a table as it is declared.
type column struct {
	name     projection.Text
	typ      pruning.Type // NoKind: values of it aren't compared here
	word     string       // the type's name in upper case: "DECIMAL", "ARRAY"
	declared string       // the type as written: "DECIMAL(10,2)"
	notNull  bool
	virtual  string // "computed" or "metadata": it isn't stored
	length   int    // of a CHAR
	step     int64  // of a TIME: microseconds between its values
	at       ast.Node
}

// typeNames are Flink's and Spark's names of Paimon's types, for near names.
var typeNames = []string{"BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL", "CHAR", "VARCHAR", "STRING", "BINARY",
	"VARBINARY", "BYTES", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "ARRAY", "MAP", "MULTISET", "ROW", "STRUCT", "VARIANT",
	"BYTE", "SHORT", "LONG"}

// composite are types that can't be partition or primary key columns (apache/paimon, SchemaValidation.java).
var composite = []string{"ARRAY", "MAP", "MULTISET", "ROW", "STRUCT", "VECTOR", "VARIANT", "GEOMETRY", "GEOGRAPHY"}

// nested are types that can't be bucket keys either (the same).
var nested = []string{"ARRAY", "MAP", "MULTISET", "ROW", "STRUCT"}

func (c *column) isOneOf(words []string) bool { return slices.Contains(words, c.word) }

// bytes reports whether values are bytes and not text.
func (c *column) bytes() bool {
	return slices.Contains([]string{"BINARY", "VARBINARY", "BYTES"}, c.word)
}

// addColumns reads the columns of a CREATE or of an ALTER TABLE ADD.
func (d *definition) addColumns(list []ast.Column) {
	for i := range list {
		d.addColumn(d.column(&list[i]))
	}
}

// addColumn refuses a second column of a name.
func (d *definition) addColumn(c column) {
	if d.find(c.name.S) >= 0 {
		d.Errorf("column.duplicate", c.name, "rename or drop one of them", "the column %s is declared twice", c.name.S)
		return
	}
	d.columns = append(d.columns, c)
}

// find is the index of a column, whose name is written exactly, or -1.
func (d *definition) find(name string) int {
	return slices.IndexFunc(d.columns, func(c column) bool { return c.name.S == name })
}

func (d *definition) columnNames() []string {
	names := make([]string, len(d.columns))
	for i := range d.columns {
		names[i] = d.columns[i].name.S
	}
	return names
}

// column resolves a declaration. One whose type isn't understood is kept, so that it isn't missed elsewhere.
func (d *definition) column(c *ast.Column) column {
	out := column{name: projection.NameText(c.Name), notNull: c.NotNull || c.Key, at: c}
	switch {
	case c.Generated != nil:
		out.virtual = "computed"
	case c.Metadata != "":
		out.virtual = "metadata"
	}
	if c.Type == nil {
		if out.virtual == "" {
			d.Errorf("column.type", c, "write "+c.Name.Text+" STRING", "the column %s has no type", c.Name.Text)
		}
		return out
	}
	d.setType(&out, c.Type)
	return out
}

// setType resolves the type of a column.
func (d *definition) setType(c *column, t *ast.Type) {
	typ, known := projection.ResolveType("paimon", t)
	if bounds := argumentBounds(t); !known && bounds != "" {
		d.Errorf("column.type", t, bounds, "the column %s: %s is out of bounds", c.name.S, ast.Print(t, ast.Style{}))
	} else if !known {
		d.Errorf("column.type", t, projection.DidYouMean(strings.ToUpper(t.Name.Text), typeNames),
			"the column %s: %s is no type of Paimon", c.name.S, t.Name.Text)
	}
	c.typ, c.declared = typ, ast.Print(t, ast.Style{})
	c.word, _, _ = strings.Cut(strings.ToUpper(t.Name.Text), " ")
	switch c.word {
	case "CHARACTER":
		c.word = "CHAR"
		fallthrough
	case "CHAR":
		if c.length = 1; strings.Contains(strings.ToUpper(t.Name.Text), "VARYING") {
			c.word, c.length = "VARCHAR", 0
		} else if len(t.Params) > 0 {
			c.length, _ = strconv.Atoi(t.Params[0].Text)
		}
	case "TIME":
		c.step = timeStep(t)
	}
}

// argumentBounds tells what the arguments of a type may be; "" for other types.
func argumentBounds(t *ast.Type) string {
	switch word, _, _ := strings.Cut(strings.ToUpper(t.Name.Text), " "); word {
	case "DECIMAL", "DEC", "NUMERIC":
		return "write DECIMAL(p, s) with 1 to 38 digits p, of which 0 to p are behind the point"
	case "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ":
		return "write " + word + "(p) with 0 to 9 digits of a second"
	}
	return ""
}

// timeStep is how many microseconds lie between the values of TIME(p): Paimon keeps milliseconds, whatever p.
func timeStep(t *ast.Type) int64 {
	p := 0
	if len(t.Params) > 0 {
		p, _ = strconv.Atoi(t.Params[0].Text)
	}
	return power(6 - min(max(p, 0), 3))
}

// holds reports whether a value of the column's type can be stored in it: a time between two milliseconds can't.
func (c *column) holds(v pruning.Value) bool { return c.step == 0 || v.Int()%c.step == 0 }
