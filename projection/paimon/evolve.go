package paimon

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// evolve follows an action on columns (apache/paimon, schema/SchemaManager.java). Partition columns stay as they are; of a
// primary key only names change.
func (d *definition) evolve(a *ast.AlterAction) {
	switch a.Kind {
	case "RENAME TO":
		d.created = ast.Renamed(d.created, a.Names)
		return
	case "ADD COLUMN":
		for i := range a.Columns {
			d.insertColumn(&a.Columns[i])
		}
	case "DROP COLUMN":
		for _, n := range a.Names {
			d.dropColumn(n)
		}
	case "RENAME COLUMN":
		d.renameColumn(a.Names[0], a.Names[1])
	case "MODIFY COLUMN", "ALTER COLUMN":
		for i := range a.Columns {
			d.modifyColumn(a.Columns[i].Name, &a.Columns[i])
		}
	case "CHANGE COLUMN":
		d.modifyColumn(a.Names[0], &a.Columns[0])
		if a.Names[0].Text != a.Columns[0].Name.Text {
			d.renameColumn(a.Names[0], a.Columns[0].Name)
		}
	case "ADD PRIMARY", "DROP PRIMARY", "MODIFY PRIMARY":
		d.Errorf("alter.primary", a, "create another table and copy the data", "the primary key of %s can't change", d.name)
	case "ADD WATERMARK", "DROP WATERMARK", "MODIFY WATERMARK", "DROP CONSTRAINT":
	default:
		d.open = true // columns may have come, gone, or got other names
	}
	if !d.List.HasErrors() {
		d.readLayout()
	}
}

// reorder puts the columns into another order, or leaves some out. What is told by their places is told by their names while
// it does so.
func (d *definition) reorder(change func()) {
	partition, primary, hashed := d.namesAt(d.partition), d.namesAt(d.primary), d.namesAt(d.hashed)
	change()
	d.partition, d.primary, d.hashed = d.places(partition), d.places(primary), d.places(hashed)
}

func (d *definition) namesAt(keys []int) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = d.columns[k].name.S
	}
	return names
}

func (d *definition) places(names []string) (keys []int) {
	for _, n := range names {
		keys = append(keys, d.find(n))
	}
	return keys
}

// altered finds a column that an ALTER TABLE names, or -1.
func (d *definition) altered(n ast.Name) int {
	i := d.find(n.Text)
	if i < 0 && !d.open {
		d.Errorf("alter.column", n, d.near(n.Text), "%s has no column %s", d.name, n.Text)
	}
	return i
}

// insertColumn follows ADD COLUMN.
func (d *definition) insertColumn(c *ast.Column) {
	if c.NotNull {
		d.Errorf("alter.null", c, "drop NOT NULL: rows that are there have no value", "the new column %s can't be NOT NULL", c.Name.Text)
		return
	}
	n := len(d.columns)
	if d.addColumn(d.column(c)); len(d.columns) > n {
		d.place(n, c)
	}
}

// place moves a column to where FIRST or AFTER puts it.
func (d *definition) place(i int, c *ast.Column) {
	to := i
	switch {
	case c.First:
		to = 0
	case c.After != nil:
		after := d.altered(*c.After)
		if after < 0 {
			return
		}
		if to = after + 1; after >= i {
			to = after
		}
	}
	d.reorder(func() {
		moved := d.columns[i]
		rest := slices.Delete(slices.Clone(d.columns), i, i+1)
		d.columns = slices.Insert(rest, to, moved)
	})
}

// dropColumn follows DROP COLUMN.
func (d *definition) dropColumn(n ast.Name) {
	i := d.altered(n)
	switch {
	case i < 0:
	case slices.Contains(d.partition, i), slices.Contains(d.primary, i):
		d.Errorf("alter.key", n, "create another table and copy the data", "%s can't be dropped: it is part of the partition or of the primary key", n.Text)
	case slices.Contains(d.hashed, i):
		d.Errorf("alter.key", n, "create another table and copy the data", "%s can't be dropped: it is the bucket key", n.Text)
	default:
		d.reorder(func() { d.columns = slices.Delete(slices.Clone(d.columns), i, i+1) })
	}
}

// renameColumn follows RENAME COLUMN. Options that name the column follow, too.
func (d *definition) renameColumn(from, to ast.Name) {
	i := d.altered(from)
	switch {
	case i < 0:
		return
	case slices.Contains(d.partition, i):
		d.Errorf("alter.key", from, "create another table and copy the data", "the partition column %s can't be renamed: directories have its name", from.Text)
		return
	case d.find(to.Text) >= 0:
		d.Errorf("column.duplicate", to, "take another name", "%s has a column %s already", d.name, to.Text)
		return
	}
	d.columns = slices.Clone(d.columns)
	d.columns[i].name = projection.NameText(to)
	for _, option := range []string{bucketKeyOption, sequenceOption} {
		if s, ok := d.options[option]; ok {
			names := strings.Split(s.Value.S, ",")
			for k, name := range names {
				if name == from.Text {
					names[k] = to.Text
				}
			}
			s.Value = projection.NewText(to.Span, strings.Join(names, ","))
			d.options[option] = s
		}
	}
}

// modifyColumn follows MODIFY and ALTER COLUMN. What was hashed as a value of another type lies where that was put.
func (d *definition) modifyColumn(n ast.Name, c *ast.Column) {
	i := d.altered(n)
	if i < 0 {
		return
	}
	d.columns = slices.Clone(d.columns)
	if c.Type != nil && !d.retype(n, i, c.Type) {
		return
	}
	if c.Null || c.Type != nil && !c.NotNull {
		if c.Null && slices.Contains(d.primary, i) {
			d.Errorf("alter.key", n, "drop this action", "the primary key column %s can't become nullable", n.Text)
			return
		}
		d.columns[i].notNull = slices.Contains(d.primary, i)
	}
	if c.First || c.After != nil {
		d.place(i, c)
	}
}

// retype gives a column another type; false where that isn't allowed.
func (d *definition) retype(n ast.Name, i int, t *ast.Type) bool {
	old := d.columns[i]
	d.setType(&d.columns[i], t)
	switch c := &d.columns[i]; {
	case c.word == old.word && c.typ == old.typ && c.length == old.length:
	case slices.Contains(d.partition, i), slices.Contains(d.primary, i):
		d.Errorf("alter.key", n, "create another table and copy the data", "%s can't change from %s to %s: it is part of the partition or of the primary key", n.Text, old.declared, c.declared)
		return false
	case slices.Contains(d.hashed, i):
		d.rehashed = true
	}
	return true
}
