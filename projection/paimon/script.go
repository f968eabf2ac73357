package paimon

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// script is the statements before a query, in order.
type script []ast.Stmt

// created is a table's CREATE with what came before and behind it.
type created struct {
	table         *ast.CreateTable
	before, since script
}

// find is the declaration of a table that holds, or nil. A table that was renamed is found by its last name.
func (s script) find(name []ast.Name) *created {
	for i := len(s) - 1; i >= 0; i-- {
		switch st := s[i].(type) {
		case *ast.CreateTable:
			if same(st.Name, name) {
				return &created{st, s[:i], s[i+1:]}
			}
		case *ast.AlterTable:
			switch to := st.Renamed(); {
			case to == nil:
			case same(to, name):
				name = st.Name
			case same(st.Name, name):
				return nil
			}
		}
	}
	return nil
}

// same reports whether two names mean one table: they are equal, or one is the other without catalog or database, which
// then are the current ones.
func same(a, b []ast.Name) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) > 0 && slices.EqualFunc(a, b[len(b)-len(a):], func(x, y ast.Name) bool { return x.Text == y.Text })
}

// tables are the names of the declared tables, for near names.
func (s script) tables() (names []string) {
	for _, st := range s {
		if t, ok := st.(*ast.CreateTable); ok {
			names = append(names, dotted(t.Name))
		}
	}
	return names
}

// dotted is a name as people write it: paimon.db1.orders.
func dotted(parts []ast.Name) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, ".")
}

// readable are the system tables whose rows are those of the table (Paimon's documentation, "System Tables"); all others
// are made from metadata.
var readable = []string{"ro", "audit_log", "binlog", "row_tracking"}

// branchPrefix begins the name of a branch: orders$branch_test has metadata of its own, and its files are in the table's
// directories (Paimon's documentation, "Manage Branches").
const branchPrefix = "branch_"

// branched reports whether a branch of a table got options or data of its own by the script.
func (s script) branched(table []ast.Name) bool {
	return slices.ContainsFunc(s, func(st ast.Stmt) bool {
		name := slices.Clone(target(st))
		if len(name) == 0 {
			return false
		}
		last := &name[len(name)-1]
		base, what, _ := strings.Cut(last.Text, "$")
		last.Text = base
		return strings.HasPrefix(what, branchPrefix) && same(name, table)
	})
}

// lookup finds the declaration that a reference means.
func (d *definition) lookup(ref *ast.TableRef, s script) *created {
	switch {
	case ref.File != nil:
		d.Errorf("table.form", ref.File, "name a table", "a file in quotes is no table of Paimon")
		return nil
	case ref.Func != nil:
		d.Errorf("table.form", ref.Func, "name a table", "%s(…) is no table of Paimon", ref.Func.Func.Text)
		return nil
	case len(ref.Name) == 0:
		d.Errorf("table.form", ref, "name a table", "the table has no name")
		return nil
	}
	name := slices.Clone(ref.Name)
	last := &name[len(name)-1]
	if base, what, ok := strings.Cut(last.Text, "$"); ok && base != "" {
		if strings.HasPrefix(what, branchPrefix) {
			_, what, ok = strings.Cut(what, "$")
			d.branch = true
		}
		if ok && !slices.Contains(readable, what) {
			d.Errorf("table.system", *last, "plan "+base+" itself", "%s is a system table: it is made from metadata and reads no partitions or buckets", last.Text)
			return nil
		}
		last.Text, d.wide = base, true
	}
	c := s.find(name)
	if c == nil && d.env.Declare && len(s) > 0 { // the statement that renames it
		c = s[:len(s)-1].find(name)
	}
	if c == nil {
		hint := projection.DidYouMean(dotted(name), s.tables())
		if hint == "" {
			hint = "declare it by CREATE TABLE before the query"
		}
		d.Errorf("table.unknown", d.at, hint, "the table %s does not exist", dotted(name))
	}
	return c
}

// hint reads /*+ OPTIONS(…) */ behind a table.
func (d *definition) hint(list []ast.Option) {
	for _, o := range list {
		if o.Key.Text == bucketOption || slices.Contains(unchangeable, o.Key.Text) {
			d.Errorf("hint.option", o, "drop it, or use ALTER TABLE", "%s is a property of the table and can't be changed by a hint", o.Key.Text)
		}
	}
	d.set(list)
}

// read reads the declaration and what has been done to the table since.
func (d *definition) read(c *created) {
	d.create(c)
	d.follow(c.since)
}

// like takes the columns, keys and options of another table over (CREATE TABLE a LIKE b).
func (d *definition) like(c *created) {
	name := c.table.Like
	if len(name) == 0 {
		return
	}
	source := c.before.find(name)
	if source == nil {
		d.Errorf("table.like", ast.Span{From: name[0].From, To: name[len(name)-1].To}, "declare it before",
			"%s is not declared here, so nothing is known of %s", dotted(name), dotted(c.table.Name))
		return
	}
	from := definition{env: d.env, options: settings{}}
	from.read(source)
	d.columns, d.open = from.columns, from.open
	if !c.excludes("PARTITIONS") {
		d.partition = from.partition
	}
	if !c.excludes("CONSTRAINTS") {
		d.primary, d.primaryAt = from.primary, from.primaryAt
	}
	for k, o := range from.options {
		if c.excludes("OPTIONS") {
			break
		}
		if k != primaryKeyOption && k != partitionOption { // they have become keys
			d.options[k] = o
		}
	}
}

// excludes reports whether LIKE leaves a part of the other table out, by EXCLUDING it or ALL without INCLUDING it.
func (c *created) excludes(part string) bool {
	how := c.table.LikeHow
	return strings.Contains(how, "EXCLUDING "+part) || strings.Contains(how, "EXCLUDING ALL") && !strings.Contains(how, "INCLUDING "+part)
}

// as takes the columns of a CREATE TABLE AS SELECT, as far as the query tells them without being planned.
func (d *definition) as(c *created) {
	if c.table.As == nil {
		return
	}
	d.open = true
	sel, ok := c.table.As.(*ast.Select)
	if !ok {
		return
	}
	ref, ok := sel.From.(*ast.TableRef)
	if !ok {
		return
	}
	source := c.before.find(ref.Name)
	if source == nil {
		return
	}
	from := definition{env: d.env, options: settings{}}
	from.read(source)
	for i := range sel.Items {
		d.output(&sel.Items[i], &from)
	}
}

// output adds the column that an item of a SELECT yields.
func (d *definition) output(item *ast.SelectItem, from *definition) {
	name := item.Alias
	switch x := item.X.(type) {
	case *ast.Star:
		for _, c := range from.columns {
			d.inherit(c, c.name)
		}
	case *ast.Ident:
		last := x.Parts[len(x.Parts)-1]
		if name == nil {
			name = &last
		}
		if i := from.find(last.Text); i >= 0 {
			d.inherit(from.columns[i], projection.NameText(*name))
		}
	case *ast.Cast:
		if name != nil {
			c := column{name: projection.NameText(*name), at: item}
			d.setType(&c, x.Type)
			d.inherit(c, c.name)
		}
	}
}

// inherit gives a column that is known by name only, or not at all, the type of another one.
func (d *definition) inherit(c column, name projection.Text) {
	c.name = name
	if i := d.find(name.S); i < 0 {
		d.columns = append(d.columns, c)
	} else if d.columns[i].word == "" {
		c.notNull = c.notNull || d.columns[i].notNull
		d.columns[i] = c
	}
}
