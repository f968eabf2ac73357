package duckdb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// table is what is written: a level a key and a branch a directory, in byte order of the names.
func (c *copying) table() *projection.Table {
	l := &projection.Layout{System: "duckdb copy", Shape: c.shape(), Unit: "directories", Path: c.appendPath, Text: ducktext.Append}
	t := &projection.Table{Name: "'" + c.path + "'", System: "duckdb", Layout: l}
	switch {
	case len(c.keys) == 0 || !c.hive:
		if l.Unit = "files"; len(c.keys) > 0 || c.flag("PER_THREAD_OUTPUT", false) {
			l.Unit = "directories"
		}
		l.Levels = []projection.Level{&written{root: &names{texts: []string{""}}, key: -1}}
		return t
	}
	c.tuples, c.certain = c.rows.Tuples(c.keys)
	for i, k := range c.keys {
		col := c.rows.Columns[k]
		if col.Type.Kind == pruning.NoKind {
			col.Type.Kind = pruning.String
		}
		col.Key, col.Nullable, col.Pos = i, true, c.at.Pos()
		t.Columns = append(t.Columns, col)
		l.Keys = append(l.Keys, pruning.Key{Name: col.Name, Type: col.Type})
	}
	root := c.branches(c.tuples, 0)
	for i := range c.keys {
		l.Levels = append(l.Levels, &written{root: root, key: i})
	}
	l.Open = c.certain != projection.Exactly
	c.tell()
	return t
}

// tell notes how sure the directories are.
func (c *copying) tell() {
	switch c.certain {
	case projection.Unknown:
		c.Notef("copy.unknown", c.at, "with constant rows, or keys that are partition keys of what is read, the directories are listed",
			"which directories are written depends on the rows: %s", c.directory())
	case projection.AtMost:
		c.Notef("copy.most", c.at, "", "these are all directories that can be written; one without rows isn't")
	}
	seen := map[string]string{}
	for _, tuple := range c.tuples {
		path := string(c.path)
		for i, cell := range tuple {
			path += "/" + c.name(i, cell)
		}
		lower := strings.ToLower(path)
		if other, ok := seen[lower]; ok && other != path {
			c.Warnf("copy.case", c.at, "", "%s and %s are one directory where letter case doesn't count", projection.Quote(other), projection.Quote(path))
			return
		}
		seen[lower] = path
	}
}

// directory is the template of the directories: dir/year={year}/month={month}/.
func (c *copying) directory() string {
	out := c.path + "/"
	if c.hive {
		for _, k := range c.keys {
			name := c.rows.Columns[k].Name
			out += string(appendEscaped(nil, name)) + "={" + name + "}/"
		}
	}
	return out
}

// shape is the directories with the names of files, what becomes of old ones, and which columns the files have.
func (c *copying) shape() string {
	if len(c.keys) == 0 && !c.flag("PER_THREAD_OUTPUT", false) {
		return "file " + c.path + ", " + c.format
	}
	out := c.directory() + c.pattern + "." + c.extension
	switch c.mode {
	case "OVERWRITE":
		out += ", all files below are deleted first"
	case "OVERWRITE_OR_IGNORE":
		out += ", files of the same name are replaced"
	case "APPEND":
		out += ", files are added"
	}
	if len(c.keys) > 0 && c.hive && c.flag("WRITE_PARTITION_COLUMNS", false) {
		out += ", keys stay in the files"
	}
	return out
}

// name is the directory of a key's value.
func (c *copying) name(i int, cell projection.Cell) string {
	return string(appendDir(nil, c.rows.Columns[c.keys[i]].Name, cell.Text, cell.Null))
}

// branches are the directories of the i-th key and what lies below them.
func (c *copying) branches(tuples [][]projection.Cell, i int) *names {
	n := &names{key: i}
	if i == len(c.keys) {
		return n
	}
	byName := map[string][][]projection.Cell{}
	for _, t := range tuples {
		name := c.name(i, t[i])
		if byName[name] == nil {
			n.texts = append(n.texts, name)
		}
		byName[name] = append(byName[name], t)
	}
	slices.Sort(n.texts)
	for _, name := range n.texts {
		cell := byName[name][0][i]
		n.values = append(n.values, held{v: cell.Value, null: cell.Null})
		n.below = append(n.below, c.branches(byName[name], i+1))
	}
	return n
}

// appendPath is the path of a directory, which ends in "/", or of the one file.
func (c *copying) appendPath(dst []byte, at *projection.Place) []byte {
	dst = append(dst, c.path...)
	if len(c.keys) == 0 && !c.flag("PER_THREAD_OUTPUT", false) {
		return dst
	}
	dst = append(dst, '/')
	for i, a := range at.Axes {
		if n := a.(*names); n.values != nil {
			dst = append(append(dst, n.texts[at.Index[i]]...), '/')
		}
	}
	return dst
}

// written is a level of what COPY writes.
type written struct {
	root *names
	key  int
}

func (w *written) Keys() []int {
	if w.key < 0 {
		return nil
	}
	return []int{w.key}
}
func (w *written) Fixed() bool          { return w.key <= 0 }
func (w *written) Computed() bool       { return true }
func (w *written) Decides(key int) bool { return key == w.key }

func (w *written) Axis(_ context.Context, at *projection.Place) (projection.Axis, error) {
	if w.key <= 0 {
		return w.root, nil
	}
	return at.Axes[w.key-1].(*names).below[at.Index[w.key-1]], nil
}

// names are the directories of one key, in byte order.
type names struct {
	key    int
	texts  []string
	values []held // nil for the one branch of what has no keys
	below  []*names
}

// Last implements [projection.Axis].
func (n *names) Last() (uint64, bool) { return uint64(len(n.texts)) - 1, len(n.texts) > 0 }

// Runs implements [projection.Axis].
func (n *names) Runs(dst []projection.Run, d pruning.Diagram) ([]projection.Run, error) {
	last, ok := n.Last()
	if !ok || !d.Outcomes().MayBeTrue() {
		return dst, nil
	}
	if d.IsConst() || n.values == nil {
		return append(dst, projection.Run{Last: last, Rest: d}), nil
	}
	for i, h := range n.values {
		if rest := below(d, n.key, h); rest.Outcomes().MayBeTrue() {
			dst = append(dst, projection.Run{First: uint64(i), Last: uint64(i), Rest: rest})
		}
	}
	return dst, nil
}

// Value implements [projection.Axis].
func (n *names) Value(i uint64) (v pruning.Value, null, ok bool) {
	if n.values == nil {
		return v, false, false
	}
	return n.values[i].v, n.values[i].null, true
}

// AppendName implements [projection.Axis].
func (n *names) AppendName(dst []byte, i uint64) []byte { return append(dst, n.texts[i]...) }

// compare looks at what lies below the target: what the COPY would delete, replace or mix with, or why it is refused.
func (c *copying) compare(ctx context.Context, t *projection.Table) error {
	var files []string
	for _, key := range []string{c.path, strings.TrimPrefix(c.path, newGlob(projection.NewText(ast.Span{}, c.path)).host)} {
		prefix := strings.TrimLeft(key, "/") + "/"
		for e, err := range c.env.Store.List(ctx, prefix, true) {
			if err != nil {
				return ast.Diagnostics{{Code: "store.list", Pos: c.at.Pos(), End: c.at.End(), Msg: err.Error(), Err: err}}
			}
			files = append(files, e.Key)
		}
		if len(files) > 0 {
			break
		}
	}
	if len(c.keys) == 0 {
		return nil
	}
	sample := ""
	if len(files) > 0 {
		sample = fmt.Sprintf("%d files, such as %s", len(files), projection.Quote(files[0]))
	}
	switch {
	case len(files) == 0:
		t.Layout.Facts = facts("target", "empty: all files are added")
	case c.mode == "":
		c.Errorf("copy.exists", c.at, "write APPEND to add files, OVERWRITE to delete these first, or OVERWRITE_OR_IGNORE to replace those of the same name",
			"the target %s is not empty: it has %s", projection.Quote(c.path), sample)
	case c.mode == "OVERWRITE":
		t.Layout.Facts = facts("deletes", sample+", also in directories that aren't written")
	case c.mode == "APPEND":
		t.Layout.Facts = facts("keeps", sample)
	default:
		replaced := c.replaced(files)
		t.Layout.Facts = facts("replaces", fmt.Sprintf("%d of %s; the others stay", len(replaced), sample))
		if len(replaced) > 0 {
			c.Warnf("copy.replaced", c.at, "write APPEND to keep their rows", "%d files are replaced, and their rows lost, such as %s", len(replaced), projection.Quote(replaced[0]))
		}
	}
	return nil
}

// replaced are the files that have the first name that COPY gives in a directory that it writes.
func (c *copying) replaced(files []string) []string {
	name := strings.ReplaceAll(c.pattern, "{i}", "0") + "." + c.extension
	var out []string
	for _, f := range files {
		if strings.HasSuffix(f, "/"+name) && (c.certain == projection.Unknown || c.writes(f)) {
			out = append(out, f)
		}
	}
	return out
}

// writes reports whether a file lies in a directory that is written.
func (c *copying) writes(file string) bool {
	return slices.ContainsFunc(c.tuples, func(t []projection.Cell) bool {
		dir := ""
		for i, cell := range t {
			dir += "/" + c.name(i, cell)
		}
		return strings.HasSuffix(file[:strings.LastIndexByte(file, '/')], dir)
	})
}

func facts(label, line string) func(context.Context, pruning.Diagram, projection.Check) ([]projection.Fact, error) {
	return func(context.Context, pruning.Diagram, projection.Check) ([]projection.Fact, error) {
		return []projection.Fact{{Label: label, Lines: []string{line}}}, nil
	}
}
