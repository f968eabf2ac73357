package duckdb

import (
	"context"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// Copy makes the table that COPY … TO 'dir' (FORMAT parquet, PARTITION_BY (year, month)) writes: a directory for each
// combination of the keys' values (DuckDB 1.5.6: bind_copy.cpp, physical_copy_to_file.cpp).
func (System) Copy(ctx context.Context, env *projection.Env, st *ast.Copy, rows *projection.Rows) (*projection.Table, error) {
	c := &copying{env: env, st: st, rows: rows, extension: ""}
	c.read()
	if c.List.HasErrors() {
		return nil, c.failed()
	}
	t := c.table()
	if env.Store != nil {
		if err := c.compare(ctx, t); err != nil {
			return nil, err
		}
	}
	if c.List.HasErrors() {
		return nil, c.failed()
	}
	c.List.Sort()
	t.Notes = c.List
	return t, nil
}

// copying is what a COPY says.
type copying struct {
	projection.Findings
	env       *projection.Env
	st        *ast.Copy
	rows      *projection.Rows
	path      string // without "/" at its end
	at        ast.Node
	format    string
	given     map[string]*ast.Option // by upper case name
	keys      []int                  // columns of PARTITION_BY
	extension string
	pattern   string // FILENAME_PATTERN
	mode      string // OVERWRITE, OVERWRITE_OR_IGNORE, APPEND or ""
	hive      bool   // key directories are written

	tuples  [][]projection.Cell
	certain projection.Certainty
}

func (c *copying) failed() error {
	c.List.Sort()
	return c.List
}

func (c *copying) read() {
	c.target()
	c.given = map[string]*ast.Option{}
	for i := range c.st.Options {
		o := &c.st.Options[i]
		name := strings.ToUpper(o.Key.Text)
		if c.given[name] != nil {
			c.Errorf("copy.option", o.Key, "keep one of them", "%s is given twice", name)
		}
		c.given[name] = o
	}
	c.readFormat()
	c.unknownOptions()
	c.hive = c.flag("HIVE_FILE_PATTERN", true)
	c.modes()
	c.partitionBy()
	c.names()
	if len(c.keys) > 0 {
		c.excluded()
	}
}

// target reads the path; a "/" at its end doesn't count.
func (c *copying) target() {
	c.at = c.st.Path
	l, ok := c.st.Path.(*ast.Literal)
	if !ok || l.Kind != ast.StringLit || strings.Trim(l.Text, "/") == "" {
		c.Errorf("copy.path", c.st.Path, "write TO 'directory'", "COPY writes to a path that is written as a text")
		return
	}
	c.path = strings.TrimRight(l.Text, "/")
}

// readFormat takes FORMAT, else what the path ends in, else csv.
func (c *copying) readFormat() {
	c.format = "csv"
	if files, ok := formatOf(c.path); ok {
		c.format = strings.TrimPrefix(files, ".")
	}
	if o := c.given["FORMAT"]; o != nil {
		name, ok := word(o.Value)
		c.format = strings.ToLower(name)
		if known := []string{"parquet", "csv", "json"}; !ok || !slices.Contains(known, c.format) {
			c.Errorf("copy.format", o, projection.Known(c.format, known), "%s is no format", projection.Quote(name))
		}
	}
	c.extension = c.format
}

// word is a name or a text.
func word(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.Ident:
		if len(x.Parts) == 1 {
			return x.Parts[0].Text, true
		}
	case *ast.Literal:
		return x.Text, x.Kind == ast.StringLit
	}
	return "", false
}

// flag reads an option that is on or off; one without a value is on.
func (c *copying) flag(name string, usual bool) bool {
	o := c.given[name]
	if o == nil {
		return usual
	}
	if o.Value == nil {
		return true
	}
	text := ""
	switch x := o.Value.(type) {
	case *ast.Literal:
		text = x.Text
	case *ast.Ident:
		text, _ = word(x)
	}
	v, ok := ducktext.Parse(pruning.Type{Kind: pruning.Bool}, text)
	if !ok {
		c.Errorf("copy.option", o.Value, "write true or false", "%s is either true or false", name)
		return usual
	}
	return v.Int() != 0
}

// modes reads what happens to files that are there already. The modes exclude each other even where one is false.
func (c *copying) modes() {
	var first *ast.Option
	for i := range c.st.Options {
		o := &c.st.Options[i]
		name := strings.ToUpper(o.Key.Text)
		if !slices.Contains(writeModes, name) {
			continue
		}
		if first != nil && !strings.EqualFold(first.Key.Text, o.Key.Text) {
			c.Errorf("copy.mode", o, "keep one of them", "only one of OVERWRITE, OVERWRITE_OR_IGNORE and APPEND may be given")
		}
		first = o
		if c.flag(name, false) {
			c.mode = name
		}
	}
}

var writeModes = []string{"OVERWRITE", "OVERWRITE_OR_IGNORE", "APPEND"}

// partitionBy finds the columns that directories are made of.
func (c *copying) partitionBy() {
	o := c.given["PARTITION_BY"]
	if o == nil {
		return
	}
	items := []ast.Expr{o.Value}
	switch x := o.Value.(type) {
	case nil:
		items = nil
	case *ast.Tuple:
		items = x.Items
	}
	if len(items) == 0 {
		c.Errorf("copy.partition", o, "write PARTITION_BY (year, month)", "PARTITION_BY names no column")
		return
	}
	for _, x := range items {
		c.partitionKey(x)
	}
	if n := len(c.rows.Columns); !c.rows.Open && len(c.keys) == n && n > 0 && c.hive && !c.flag("WRITE_PARTITION_COLUMNS", false) && !c.List.HasErrors() {
		c.Errorf("copy.partition", o, "add WRITE_PARTITION_COLUMNS, or leave a column out",
			"all columns are partition keys: nothing would be left to write into the files")
	}
}

func (c *copying) partitionKey(x ast.Expr) {
	if _, star := x.(*ast.Star); star {
		c.allColumns()
		return
	}
	name, ok := word(x)
	switch {
	case !ok:
		c.Errorf("copy.partition", x, "compute it in the query: COPY (SELECT *, year(d) AS year FROM …)", "PARTITION_BY takes names of columns, no expressions")
		return
	case name == "*":
		c.allColumns()
		return
	}
	i := slices.IndexFunc(c.rows.Columns, func(col projection.Column) bool { return strings.EqualFold(col.Name, name) })
	switch {
	case i >= 0 && slices.Contains(c.keys, i):
		c.Errorf("copy.partition", x, "name it once", "%s is named twice in PARTITION_BY", c.rows.Columns[i].Name)
		return
	case i < 0 && c.rows.Open: // a column that isn't declared
		i = len(c.rows.Columns)
		c.rows.Columns = append(c.rows.Columns, c.rows.Undeclared(name))
	case i < 0:
		names := make([]string, len(c.rows.Columns))
		for k, col := range c.rows.Columns {
			names[k] = col.Name
		}
		c.Errorf("copy.partition", x, projection.Known(name, names), "%s is not a column of the query", projection.Quote(name))
		return
	}
	c.keys = append(c.keys, i)
}

func (c *copying) allColumns() {
	for i := range c.rows.Columns {
		if !slices.Contains(c.keys, i) {
			c.keys = append(c.keys, i)
		}
	}
}

// names reads how files are called.
func (c *copying) names() {
	c.pattern = "data_{i}"
	if c.mode == "APPEND" {
		c.pattern = "data_{uuid}"
	}
	if o := c.given["FILENAME_PATTERN"]; o != nil {
		text, ok := word(o.Value)
		switch {
		case !ok:
			c.Errorf("copy.option", o, "write FILENAME_PATTERN 'data_{i}'", "FILENAME_PATTERN is a text")
		case c.mode == "APPEND" && !strings.Contains(text, "{uuid"):
			c.Errorf("copy.option", o, "write FILENAME_PATTERN 'data_{uuid}'", "APPEND needs {uuid} in FILENAME_PATTERN, so that names are new")
		case text != "" && !strings.Contains(text, "{"):
			text += "{i}"
		}
		c.pattern = text
	}
	if o := c.given["FILE_EXTENSION"]; o != nil {
		c.extension, _ = word(o.Value)
		c.extension = strings.TrimPrefix(c.extension, ".")
	}
}

// excluded looks for options that can't stand beside PARTITION_BY.
func (c *copying) excluded() {
	for _, name := range []string{"USE_TMP_FILE", "FILE_SIZE_BYTES", "ROW_GROUPS_PER_FILE"} {
		if o := c.given[name]; o != nil {
			c.Errorf("copy.option", o, "leave out "+name, "%s cannot be combined with PARTITION_BY", name)
		}
	}
	if o := c.given["PER_THREAD_OUTPUT"]; o != nil && c.flag("PER_THREAD_OUTPUT", false) {
		c.Errorf("copy.option", o, "leave out PER_THREAD_OUTPUT", "PER_THREAD_OUTPUT cannot be combined with PARTITION_BY")
	}
	if o := c.given["WRITE_EMPTY_FILE"]; o != nil && !c.flag("WRITE_EMPTY_FILE", true) {
		c.Errorf("copy.option", o, "leave out WRITE_EMPTY_FILE", "WRITE_EMPTY_FILE false cannot be combined with PARTITION_BY")
	}
	if c.format == "json" {
		c.Errorf("copy.format", c.given["PARTITION_BY"], "write FORMAT parquet or FORMAT csv", "JSON files can't be partitioned")
	}
}

// unknownOptions reports options that neither COPY nor the format has.
func (c *copying) unknownOptions() {
	known := append(slices.Clone(copyOptions), formatOptions[c.format]...)
	for i := range c.st.Options {
		o := &c.st.Options[i]
		if !slices.Contains(known, strings.ToUpper(o.Key.Text)) {
			c.Errorf("copy.unknown", o.Key, projection.DidYouMean(strings.ToUpper(o.Key.Text), known), "COPY to %s has no option %s", c.format, projection.Quote(o.Key.Text))
		}
	}
}

// The options of COPY … TO (DuckDB documentation, "COPY Statement").
var (
	copyOptions = strings.Fields("FORMAT PARTITION_BY OVERWRITE OVERWRITE_OR_IGNORE APPEND FILENAME_PATTERN FILE_EXTENSION HIVE_FILE_PATTERN " +
		"RETURN_FILES RETURN_STATS PER_THREAD_OUTPUT USE_TMP_FILE WRITE_EMPTY_FILE WRITE_PARTITION_COLUMNS FILE_SIZE_BYTES " +
		"ROW_GROUPS_PER_FILE PRESERVE_ORDER BATCH_SIZE COMPRESSION")
	formatOptions = map[string][]string{
		"parquet": strings.Fields("CODEC COMPRESSION_LEVEL ROW_GROUP_SIZE ROW_GROUP_SIZE_BYTES CHUNK_SIZE FIELD_IDS ENCRYPTION_CONFIG " +
			"DICTIONARY_SIZE_LIMIT DICTIONARY_COMPRESSION_RATIO_THRESHOLD STRING_DICTIONARY_PAGE_SIZE_LIMIT WRITE_BLOOM_FILTER " +
			"BLOOM_FILTER_FALSE_POSITIVE_RATIO PARQUET_VERSION KV_METADATA DEBUG_USE_OPENSSL GEOPARQUET_VERSION SHREDDING"),
		"csv": strings.Fields("HEADER DELIM DELIMITER SEP QUOTE ESCAPE NULL NULLSTR FORCE_QUOTE DATEFORMAT DATE_FORMAT TIMESTAMPFORMAT " +
			"TIMESTAMP_FORMAT PREFIX SUFFIX ENCODING NEW_LINE"),
		"json": strings.Fields("ARRAY DATEFORMAT DATE_FORMAT TIMESTAMPFORMAT TIMESTAMP_FORMAT"),
	}
)
