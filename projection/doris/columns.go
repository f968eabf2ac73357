package doris

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// columnsOf reads the columns of a CREATE TABLE.
func (h *history) columnsOf(t *table, list []ast.Column) {
	t.names = make(map[string]*column, len(list))
	for i := range list {
		if col := h.newColumn(t, &list[i]); col != nil {
			col.index = len(t.columns)
			t.columns = append(t.columns, col)
			t.names[strings.ToLower(col.name)] = col
		}
	}
}

// newColumn reads a column of a name that the table doesn't have yet; nil when it has.
func (h *history) newColumn(t *table, c *ast.Column) *column {
	if t.column(c.Name.Text) != nil {
		h.Errorf("column.duplicate", c.Name, "rename or drop one of them", "the column %s is declared twice", c.Name.Text)
		return nil
	}
	col := &column{}
	h.read(col, c)
	return col
}

// read fills in a column as it is declared.
func (h *history) read(col *column, c *ast.Column) {
	index := col.index
	*col = column{at: c.Name, name: c.Name.Text, nullable: !c.NotNull, key: c.Key, aggregate: c.Aggregate, given: c.Default, index: index}
	h.typeOf(col, c)
}

// typeOf reads a column's type.
func (h *history) typeOf(col *column, c *ast.Column) {
	if c.Type == nil {
		h.Errorf("column.type", c.Name, c.Name.Text+" INT", "the column %s has no type", c.Name.Text)
		return
	}
	name := strings.ToLower(c.Type.Name.Text)
	col.declared, col.kind = projection.TypeText(c.Type), name
	if k, ok := kinds[name]; ok {
		col.kind = k
	}
	col.old = strings.HasSuffix(name, "v1") || name == "decimalv2"
	var known bool
	if col.typ, known = projection.ResolveType("doris", c.Type); !known {
		h.Errorf("column.type", c.Type, projection.DidYouMean(c.Type.Name.Text, typeNames),
			"the column %s: the type %s is unknown", c.Name.Text, col.declared)
	}
	col.wide = col.kind == "decimal" && col.typ.Kind == pruning.NoKind
}

// alterColumns follows ADD, DROP, MODIFY and RENAME COLUMN. Columns that rows are placed by can't be changed, but for
// their names.
func (h *history) alterColumns(a *ast.AlterAction) {
	if len(a.Columns)+len(a.Names) == 0 {
		h.Errorf("alter.unknown", a, "write one action for each column", "%s can't be followed", a.Text)
		return
	}
	for i := range a.Columns {
		if c := &a.Columns[i]; a.Kind == "ADD COLUMN" {
			h.addColumn(c)
		} else {
			h.modifyColumn(c)
		}
		h.moveColumn(&a.Columns[i])
	}
	switch {
	case a.Kind == "RENAME COLUMN":
		h.renameColumn(a.Names[0], a.Names[1])
	case a.Kind == "DROP COLUMN":
		for _, n := range a.Names {
			h.dropColumn(n)
		}
	}
}

func (h *history) addColumn(c *ast.Column) {
	t := h.table
	if col := h.newColumn(t, c); col != nil {
		t.names[strings.ToLower(col.name)] = col
		t.reorder(append(t.columns, col))
	}
}

func (h *history) renameColumn(from, to ast.Name) {
	t := h.table
	c := h.lookup(t, from, "column", "column.unknown")
	if c == nil {
		return
	}
	if other := t.column(to.Text); other != nil && other != c {
		h.Errorf("column.duplicate", to, "choose another name", "there is a column %s already", to.Text)
		return
	}
	delete(t.names, strings.ToLower(c.name))
	c.name, c.at = to.Text, to
	t.names[strings.ToLower(c.name)] = c
	t.version++
}

func (h *history) dropColumn(n ast.Name) {
	t := h.table
	if c := h.lookup(t, n, "column", "column.unknown"); c != nil && !h.places(c, n, "dropped") {
		delete(t.names, strings.ToLower(c.name))
		t.reorder(slices.DeleteFunc(slices.Clone(t.columns), func(x *column) bool { return x == c }))
	}
}

// places reports, as an error, that a column is one of those that rows are placed by.
func (h *history) places(c *column, at ast.Node, done string) bool {
	if indexOf(h.table.keys(), c) < 0 {
		return false
	}
	h.Errorf("column.placing", at, "make a new table", "%s can't be %s: rows are placed by it", c.name, done)
	return true
}

// modifyColumn gives a column another type. One that rows are placed by keeps what it has.
func (h *history) modifyColumn(c *ast.Column) {
	old := h.lookup(h.table, c.Name, "column", "column.unknown")
	if old == nil {
		return
	}
	var fresh column
	h.read(&fresh, c)
	if indexOf(h.table.keys(), old) >= 0 {
		if fresh.kind != old.kind || fresh.typ != old.typ || fresh.nullable != old.nullable {
			h.places(old, c, "changed")
		}
		return
	}
	fresh.index, fresh.key = old.index, old.key || fresh.key
	*old = fresh
}

// moveColumn brings a column to the place that FIRST or AFTER names.
func (h *history) moveColumn(def *ast.Column) {
	t := h.table
	c, at := t.column(def.Name.Text), 0
	if c == nil || !def.First && def.After == nil {
		return
	}
	if def.After != nil {
		after := h.lookup(t, *def.After, "column", "column.unknown")
		if after == nil || after == c {
			return
		}
		if at = after.index + 1; c.index < at {
			at--
		}
	}
	rest := slices.DeleteFunc(slices.Clone(t.columns), func(x *column) bool { return x == c })
	t.reorder(slices.Insert(rest, at, c))
}

// reorder sets the columns in their order.
func (t *table) reorder(list []*column) {
	t.columns = list
	for i, c := range list {
		c.index = i
	}
}
