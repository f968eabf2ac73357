package yql

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

const schemaHint = "write SCHEMA = (data String, year Int32 NOT NULL)"

// schema reads SCHEMA (name Type, …), the older (Type AS name, …), or Struct<name:Type, …>.
func (d *definition) schema(o *ast.Option) {
	switch {
	case o.Type != nil:
		d.structColumns(o)
	case len(o.Schema) > 0:
		d.addColumns(o.Schema)
	default:
		d.Errorf("with.value", o, schemaHint, "%s needs columns", o.Key.Text)
	}
}

func (d *definition) structColumns(o *ast.Option) {
	if !strings.EqualFold(o.Type.Name.Text, "Struct") || o.Type.Optional || o.Type.Array > 0 {
		d.Errorf("with.value", o.Type, "write Struct<data:String, year:Int32>", "%s: %s is no struct", o.Key.Text, o.Type.Name.Text)
		return
	}
	columns := make([]ast.Column, 0, len(o.Type.Args))
	for _, f := range o.Type.Args {
		if f.Name == nil {
			d.Errorf("with.value", f, "write name:Type", "%s: a field of the struct has no name", o.Key.Text)
			continue
		}
		columns = append(columns, ast.Column{Span: f.Span, Name: *f.Name, Type: f.Type, NotNull: f.Type != nil && !isOptional(f.Type)})
	}
	d.addColumns(columns)
}

// addColumns resolves names and types. A column whose type isn't understood is kept, so that it isn't missed elsewhere.
func (d *definition) addColumns(columns []ast.Column) {
	d.columns = make([]projection.Column, 0, len(columns))
	d.declared = make([]*ast.Column, 0, len(columns))
	for i := range columns {
		c := &columns[i]
		if _, added := d.columnIndex.Add(c.Name.Text); !added {
			d.Errorf("schema.duplicate", c.Name, "rename or drop one of them", "the column %s is declared twice", c.Name.Text)
			continue
		}
		column := projection.Column{Name: c.Name.Text, Nullable: !c.NotNull, Key: -1, Pos: c.Name.From}
		if c.Type == nil {
			d.Errorf("schema.type", c, c.Name.Text+" String", "the column %s has no type", c.Name.Text)
		} else {
			column.Type, column.Nullable = d.columnType(c), column.Nullable || isOptional(c.Type)
			column.Declared = typeText(c.Type)
		}
		d.columns = append(d.columns, column)
		d.declared = append(d.declared, c)
	}
}

// columnType resolves a type; NoKind is one that is no key and that no comparison here understands.
func (d *definition) columnType(c *ast.Column) pruning.Type {
	if t, inner := c.Type, inside(c.Type); inner != t && (isOptional(inner) || t.Optional && isName(t, "Optional")) {
		d.Errorf("schema.optional", t, "drop one Optional", "the column %s is doubly optional: %s", c.Name.Text, typeText(t))
		return pruning.Type{}
	}
	typ, known := projection.ResolveType("yql", c.Type)
	if !known {
		d.Errorf("schema.type", c.Type, projection.DidYouMean(inside(c.Type).Name.Text, typeNames),
			"the column %s: the type %s is unknown", c.Name.Text, typeText(c.Type))
	}
	return typ
}

func isName(t *ast.Type, name string) bool { return strings.EqualFold(t.Name.Text, name) }

func isOptional(t *ast.Type) bool { return t.Optional || isName(t, "Optional") && len(t.Args) == 1 }

// inside is a type without one Optional around it.
func inside(t *ast.Type) *ast.Type {
	switch {
	case isName(t, "Optional") && len(t.Args) == 1 && t.Args[0].Type != nil:
		return t.Args[0].Type
	case t.Optional:
		plain := *t
		plain.Optional = false
		return &plain
	}
	return t
}

// typeNames are the types that a near name is looked for in.
var typeNames = []string{"String", "Utf8", "Int8", "Int16", "Int32", "Int64", "Uint8", "Uint16", "Uint32", "Uint64", "Bool", "Float",
	"Double", "Decimal", "Date", "Datetime", "Timestamp", "Interval", "Json", "JsonDocument", "Yson", "Uuid", "Date32",
	"Datetime64", "Timestamp64", "Interval64", "TzDate", "TzDatetime", "TzTimestamp", "DyNumber", "Optional", "List", "Dict", "Struct", "Tuple", "Variant"}

// typeAliases are the SQL names of YQL's types.
var typeAliases = map[string]string{"int": "Int32", "integer": "Int32", "bigint": "Int64", "smallint": "Int16", "tinyint": "Int8", "bytes": "String", "text": "Utf8"}

// canonical is the name of a type as YDB's documentation writes it, without Optional.
func canonical(t *ast.Type) string {
	if t == nil {
		return ""
	}
	name := inside(t).Name.Text
	if alias, ok := typeAliases[strings.ToLower(name)]; ok {
		return alias
	}
	if i := slices.IndexFunc(typeNames, func(n string) bool { return strings.EqualFold(n, name) }); i >= 0 {
		return typeNames[i]
	}
	return name
}

// typeText is a type as written, blanks aside.
func typeText(t *ast.Type) string {
	text := projection.TypeText(t)
	if len(t.Args) == 0 && !t.Optional {
		return text
	}
	var b strings.Builder
	b.WriteString(text)
	for i, a := range t.Args {
		b.WriteString([...]string{"<", ","}[min(i, 1)])
		if a.Name != nil {
			b.WriteString(a.Name.Text + ":")
		}
		if a.Type != nil {
			b.WriteString(typeText(a.Type))
		}
	}
	if len(t.Args) > 0 {
		b.WriteByte('>')
	}
	if t.Optional {
		b.WriteByte('?')
	}
	return b.String()
}

var (
	textTypes = []string{"String", "Utf8", "Json", "Yson"}
	dateTypes = []string{"Date", "Datetime", "Timestamp", "TzDate", "TzDatetime", "TzTimestamp", "Date32", "Datetime64", "Timestamp64"}
)

// checkColumns holds the data columns against the rules of the format.
func (d *definition) checkColumns(format projection.Text) {
	var data []*ast.Column
	for i, c := range d.declared {
		if !d.isPartition(d.columns[i].Name) {
			data = append(data, c)
		}
	}
	switch {
	case format.S == "raw" && len(d.declared) > 0 && len(data) != 1 && !d.listBroken:
		d.Errorf("with.format", format, "declare one column of type String", "the format raw needs exactly one data column, and there are %d", len(data))
	case format.S == "raw" && len(data) == 1 && data[0].Type != nil && !slices.Contains(textTypes, canonical(data[0].Type)):
		d.Errorf("schema.type", data[0].Type, "write String", "the format raw needs a text, and the column %s is %s",
			data[0].Name.Text, typeText(data[0].Type))
	case format.S == "json_list":
		for _, c := range data {
			if slices.Contains(dateTypes, canonical(c.Type)) {
				d.Errorf("schema.type", c.Type, "declare it as String and cast it", "the format json_list has no dates, and the column %s is %s",
					c.Name.Text, typeText(c.Type))
			}
		}
	}
}

func (d *definition) isPartition(name string) bool { return d.partitionIndex.Find(name) >= 0 }
