package duckdb

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// maxFooters bounds the files that are read for their columns.
const maxFooters = 256

// learnColumns reads which columns the files have: those of the first file, with union_by_name those of all. What can't be
// read is told, and leaves the columns unknown.
func (t *tree) learnColumns(ctx context.Context) error {
	from, ok := t.env.Store.(store.Reader)
	if !ok || t.env.Columns == nil || t.ext != ".parquet" || t.declared || t.cut != nil || len(t.dirs) == 0 {
		return nil
	}
	files, err := t.described(ctx)
	if err != nil || len(files) == 0 {
		return err
	}
	schemas := make([][]store.Column, len(files))
	var once sync.Once
	var failed error
	err = t.each(len(files), func(i int) (err error) {
		schemas[i], err = t.env.Columns(ctx, from, store.Entry{Key: files[i].key, Size: files[i].size})
		if err != nil && ctx.Err() == nil {
			once.Do(func() { failed = err })
			return nil
		}
		return err
	})
	switch {
	case err != nil || errors.Is(failed, errors.ErrUnsupported):
		return err
	case failed != nil:
		t.unread(failed)
		return nil
	}
	t.data, t.closed = unite(schemas)
	t.checkColumns()
	return nil
}

// unread tells why columns aren't known.
func (t *tree) unread(err error) {
	hint := "names and types of the files' own columns aren't checked"
	if h := interface{ Hint() string }(nil); errors.As(err, &h) && h.Hint() != "" {
		hint = h.Hint()
	}
	t.Warnf("file.columns", t.at, hint, "the columns of the files aren't known: %v", err)
}

// described are the files whose columns the table has; none when they are too many.
func (t *tree) described(ctx context.Context) ([]object, error) {
	if !t.unionByName {
		return t.first(), nil
	}
	if len(t.dirs) > maxFooters {
		return nil, nil
	}
	if err := t.open(ctx, t.dirs); err != nil {
		return nil, err
	}
	var files []object
	for _, d := range t.dirs {
		if files = append(files, d.files...); len(files) > maxFooters {
			return nil, nil
		}
	}
	return files, nil
}

// first is the file that DuckDB reads first, or none: that of the first directory. A crawl takes the next directories with
// one that has a single file.
func (t *tree) first() (first []object) {
	n := 0
	for _, d := range t.dirs {
		for _, o := range d.files {
			if n++; len(first) == 0 || o.key < first[0].key {
				first = []object{o}
			}
		}
		if n > 1 || n == 1 && d.globs[0].crawls == 0 {
			break
		}
	}
	return first
}

// unite gives the columns of all files by name, without regard to case, in the order in which they come first. Columns of
// several types have none here. ok is false when a file has two columns of a name: DuckDB renames one.
func unite(schemas [][]store.Column) (all []store.Column, ok bool) {
	at := map[string]int{}
	for _, schema := range schemas {
		own := map[string]bool{}
		for _, c := range schema {
			name := strings.ToLower(c.Name)
			if own[name] {
				return nil, false
			}
			own[name] = true
			i, known := at[name]
			switch {
			case !known:
				at[name] = len(all)
				all = append(all, c)
			case all[i].Type != c.Type:
				all[i].Type = ""
			}
		}
	}
	return all, true
}

// checkColumns reports options that add a column which the files have.
func (t *tree) checkColumns() {
	if i := findColumn(t.data, t.filename); t.filenameGiven && i >= 0 {
		t.Errorf("option.value", t.filenameAt, "give the column another name: filename = 'path'", "the files have a column %s already", t.data[i].Name)
	}
	if t.rowNumber && findColumn(t.data, rowNumber) >= 0 {
		t.Errorf("option.value", t.at, "leave out file_row_number = true", "the files have a column %s already", rowNumber)
	}
}

func findColumn(columns []store.Column, name string) int {
	return slices.IndexFunc(columns, func(c store.Column) bool { return strings.EqualFold(c.Name, name) })
}

const (
	rowNumber = "file_row_number"
	fileIndex = "file_index"
)

// columns are those of the files, then those that options add, then the keys by name. A column of the files that is named
// like a key has the key's values and type (DuckDB, hive_partitioning.cpp). Columns that only * leaves out come last.
func (t *tree) columns() (out []projection.Column) {
	used := make([]bool, len(t.keys))
	add := func(c projection.Column) {
		c.Nullable, c.Pos = true, t.at.Pos()
		out = append(out, c)
	}
	addKey := func(name string, i int) {
		used[i] = true
		add(projection.Column{Name: name, Type: t.keys[i].typ, Declared: t.keys[i].declared, Key: i})
	}
	for _, c := range t.data {
		if i := t.findKey(c.Name); i >= 0 {
			addKey(c.Name, i)
		} else {
			add(projection.Column{Name: c.Name, Type: t.dataType(c.Type), Declared: c.Type, Key: -1})
		}
	}
	bigint := projection.Column{Name: rowNumber, Type: pruning.Type{Kind: pruning.Int64}, Declared: "BIGINT", Key: -1}
	if t.rowNumber {
		add(bigint)
	}
	path := projection.Column{Name: t.filename, Type: pruning.Type{Kind: pruning.String}, Declared: "VARCHAR", Key: len(t.keys), Virtual: !t.filenameGiven}
	hasPath := t.findKey(t.filename) < 0 && findColumn(t.data, t.filename) < 0
	if hasPath && t.filenameGiven {
		add(path)
	}
	for _, i := range t.byName() {
		if !used[i] {
			addKey(t.keys[i].name, i)
		}
	}
	if hasPath && !t.filenameGiven {
		add(path)
	}
	if t.closed && !t.rowNumber && findColumn(t.data, rowNumber) < 0 {
		bigint.Virtual = true
		add(bigint)
	}
	if t.closed && findColumn(t.data, fileIndex) < 0 {
		add(projection.Column{Name: fileIndex, Type: pruning.Type{Kind: pruning.Uint64}, Declared: "UBIGINT", Key: -1, Virtual: true})
	}
	return out
}

// findKey is the key of a name, without regard to case, or -1.
func (t *tree) findKey(name string) int {
	return slices.IndexFunc(t.keys, func(k key) bool { return strings.EqualFold(k.name, name) })
}

// byName are the keys in the order of their names.
func (t *tree) byName() []int {
	order := make([]int, len(t.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(t.keys[a].name, t.keys[b].name) })
	return order
}

// dataType is the type of a data column; the zero Type where it isn't compared here.
func (t *tree) dataType(name string) pruning.Type {
	switch {
	case name == "BLOB" && t.bytesAsText:
		name = "VARCHAR"
	case name == "", name == "BLOB":
		return pruning.Type{}
	}
	typ, _ := projection.ResolveType("duckdb", typeText(name, ast.Span{}))
	return typ
}
