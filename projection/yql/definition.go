package yql

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// definition is what the WITH of a SELECT or a CREATE EXTERNAL TABLE says, as far as it has been read. Parts that
// could not be read are absent, and a flag keeps what depends on them from being reported, too.
type definition struct {
	projection.Findings
	env  *projection.Env
	name string   // of the table, as written
	at   ast.Span // of its name: where to point when something is missing
	ddl  bool     // CREATE EXTERNAL TABLE

	path        projection.Text
	given       [noOption]given
	columns     []projection.Column
	columnIndex projection.NameIndex
	declared    []*ast.Column // each of columns as written
	inferred    bool          // WITH_INFER: columns that aren't declared exist, too

	settings projection.Settings // projection.… and storage.… keys
	broken   bool                // some of them could not be read

	partitions     []projection.Text // names of PARTITIONED_BY, each once
	partitionIndex projection.NameIndex
	partitioned    bool // there is a PARTITIONED_BY
	listBroken     bool // but not all of it could be read

	projected      []*column
	projectedIndex projection.NameIndex
	template       *projection.Template // of a projection without errors, the table's path included
	location       projection.Text      // where the template stands
	keys           []string             // projected columns in the order of the levels
}

// inSelect reads a path with the hints behind it.
func (d *definition) inSelect(ref *ast.TableRef, path ast.Name) {
	d.path = projection.NameText(path)
	for i := range ref.Hints {
		d.option(&ref.Hints[i])
	}
	schema := d.given[schemaOption].at
	switch {
	case schema != nil:
		d.schema(schema)
	case !d.inferred:
		d.Errorf("schema.missing", d.at, "write SCHEMA = (data String, year Int32 NOT NULL)", "%s: the schema is missing", d.name)
	}
	d.check()
}

// inTable reads a CREATE EXTERNAL TABLE.
func (d *definition) inTable(t *ast.CreateTable, c catalog) {
	d.ddl, d.at = true, nameSpan(t.Name)
	for i := range t.Options {
		d.option(&t.Options[i])
	}
	if source, ok := d.required(dataSource); ok {
		d.checkDeclared(source, c)
	}
	d.path, _ = d.required(location)
	if len(t.Columns) == 0 {
		d.Errorf("schema.missing", d.at, "list the columns: (data String, year Int32 NOT NULL)", "%s has no columns", d.name)
	}
	d.addColumns(t.Columns)
	d.check()
}

func nameSpan(name []ast.Name) ast.Span {
	return ast.Span{From: name[0].From, To: name[len(name)-1].To}
}

// required is an option that a CREATE EXTERNAL TABLE can't be without.
func (d *definition) required(o option) (projection.Text, bool) {
	if d.given[o].at == nil {
		d.Errorf("with.required", d.at, "add "+rules[o].name+` = "…"`, "%s: %s is missing", d.name, rules[o].name)
	}
	return d.get(o)
}

// check looks at what hangs together, once everything is read.
func (d *definition) check() {
	d.checkPath()
	d.checkFormat()
	d.checkPartitions()
}

// checkPath looks for wildcards, which exclude partitions (YDB: "Path prefix: … contains wildcards").
func (d *definition) checkPath() {
	p := d.path.S
	switch {
	case p == "" && d.ddl && d.given[location].value == nil: // told before
	case p == "":
		d.Errorf("path.empty", d.path, "write / for the whole bucket", "%s: the path is empty", d.name)
	case d.partitioned:
		if i := strings.IndexAny(p, "*?{"); i >= 0 {
			d.Errorf("path.wildcard", d.path.Part(i, i+1), "name the directory above the partitions",
				"a partitioned read takes no wildcard in its path, and %s has a %c", projection.Quote(p), p[i])
		}
	default:
		d.checkPattern("the path", d.path)
		if pattern, ok := d.get(filePattern); ok && !strings.HasSuffix(p, "/") {
			d.Errorf("with.pattern", pattern, "end the path in /, or drop FILE_PATTERN",
				"FILE_PATTERN needs a directory, and %s is none", projection.Quote(p))
		}
	}
}

// checkPattern looks at the braces of a wildcard: {a,b} isn't nested.
func (d *definition) checkPattern(what string, t projection.Text) {
	open := -1
	for i := range len(t.S) {
		switch {
		case t.S[i] == '{' && open >= 0:
			d.Errorf("path.pattern", t.Part(i, i+1), "write {a,b}", "%s %s: braces can't be nested", what, projection.Quote(t.S))
			return
		case t.S[i] == '{':
			open = i
		case t.S[i] == '}':
			open = -1
		}
	}
	if open >= 0 {
		d.Errorf("path.pattern", t.Part(open, open+1), "add }", "%s %s: the brace is not closed", what, projection.Quote(t.S))
	}
}
