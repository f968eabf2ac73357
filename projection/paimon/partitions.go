package paimon

import (
	"context"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// tree is the directories of a table: those of the partitions, and the buckets in them.
type tree struct {
	table   string
	at      ast.Node
	env     *projection.Env
	columns []column // of the partition, outermost first
	naming  naming
	staged  bool   // readers see the rows that are postponed
	root    string // directory above the partitions: "", or ending in "/"
}

func (d *definition) tree() *tree {
	t := &tree{table: d.name, at: d.at, env: d.env, naming: d.names, staged: d.staged}
	for _, i := range d.partition {
		t.columns = append(t.columns, d.columns[i])
	}
	if dir, ok := d.get(dataDirOption); ok && strings.Trim(dir.S, "/") != "" {
		t.root = strings.Trim(dir.S, "/") + "/"
	}
	return t
}

// dirs are the partitions as directories to be listed.
func (t *tree) dirs() *projection.Dirs {
	d := &projection.Dirs{Table: t.table, At: t.at, Store: t.env.Store, Root: t.root, Limits: t.env.Limits,
		Codec: projection.DirCodec{Own: isService},
		Leaf: func(name string) bool {
			n, ok := bucketNumber(name)
			return ok && (n != postponed || t.staged)
		},
	}
	for i := range t.columns {
		c := &t.columns[i]
		d.Keys = append(d.Keys, projection.DirKey{Name: escape(c.name.S), Type: c.typ, Declared: c.declared,
			Held: func(text string) projection.KeyValue { return t.naming.held(c, text) }})
	}
	return d
}

// services are the directories in a table's root that hold no partitions.
var services = []string{"snapshot", "schema", "manifest", "index", "statistics", "changelog", "tag", "branch", "consumer"}

// isService reports whether a directory or object is one that Paimon keeps beside the data.
func isService(name string) bool {
	return slices.Contains(services, name) || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, bucketPrefix)
}

// path is the directory of a unit, such as dt=2025-03-27/bucket-2/; of a bucket whose number isn't known, the partition's.
func (t *tree) path(dst []byte, at *projection.Place) []byte {
	dst = append(dst, t.directory(at)...)
	n := len(dst)
	last := len(at.Axes) - 1
	if dst = at.Axes[last].AppendName(dst, at.Index[last]); len(dst) > n {
		dst = append(dst, '/')
	}
	return dst
}

// directory is that of a unit's partition, which ends in "/" or is "".
func (t *tree) directory(at *projection.Place) string {
	if len(at.Axes) < 2 {
		return t.root
	}
	return projection.DirPath(at, len(at.Axes)-2)
}

// partition is the name of a unit's partition: its directory below the root, such as dt=2025-03-27/hh=08.
func (t *tree) partition(at *projection.Place) string {
	return strings.TrimSuffix(strings.TrimPrefix(t.directory(at), t.root), "/")
}

func (t *tree) names(at *projection.Place) (partition string, bucket int, hasPartition, hasBucket bool) {
	last := len(at.Axes) - 1
	bucket = at.Axes[last].(*buckets).number(at.Index[last])
	return t.partition(at), bucket, true, bucket != anyBucket
}

// unknown are the levels of partitions that haven't been found yet.
func (t *tree) unknown(b *bucketLevel) []projection.Level {
	return append(t.dirs().Layout("").Levels[:len(t.columns)], &pending{}, b)
}

// pending is a level without keys whose branches haven't been found yet.
type pending struct{}

func (*pending) Keys() []int { return nil }
func (*pending) Fixed() bool { return false }
func (*pending) Axis(context.Context, *projection.Place) (projection.Axis, error) {
	return nil, projection.ErrUnlisted
}

// listed is the [projection.Source] of a table whose directories are listed.
type listed struct {
	*tree
	buckets *bucketLevel
	table   *definition
}

// Find implements [projection.Source].
func (s *listed) Find(ctx context.Context, l *projection.Layout, d pruning.Diagram, c projection.Check) (*projection.Layout, *projection.Listing, error) {
	dirs := s.dirs()
	found, info, err := dirs.Find(ctx, dirs.Layout(""), d, c)
	if found == nil {
		return nil, info, err
	}
	n := len(s.columns)
	b := s.buckets.listed(found.Levels[n])
	return s.with(l, found.Levels[:n], &facts{definition: s.table, tree: s.tree, buckets: b, listing: info}), info, err
}

// with is the layout whose partitions are found.
func (t *tree) with(l *projection.Layout, partitions []projection.Level, f *facts) *projection.Layout {
	found := *l
	found.Source, found.Levels = nil, append(slices.Clip(partitions), f.buckets)
	f.layout, found.Facts = &found, f.of
	return &found
}

// named is the [projection.Source] of a table whose directories aren't listed: its partitions are those that a query
// names. A column of which it leaves too many values is written as *, as in dt=*/hh=08/.
type named struct {
	*tree
	buckets *bucketLevel
	table   *definition
}

// namedLimit is how many partitions are written out.
const namedLimit = 1 << 16

// Find implements [projection.Source].
func (s *named) Find(_ context.Context, l *projection.Layout, d pruning.Diagram, _ projection.Check) (*projection.Layout, *projection.Listing, error) {
	w := &namer{tree: s.tree, paths: map[string]bool{}}
	d = d.Space().Fork().Adopt(d)
	if !w.name(d, s.root, nil) {
		w.files, w.open = nil, true
		clear(w.paths)
		w.name(d, s.root, nil)
	}
	found := projection.FilesLayout("", l.Keys[:len(s.columns)], w.files)
	return s.with(l, found.Levels, &facts{definition: s.table, tree: s.tree, buckets: s.buckets}), nil, nil
}

// namer finds the partitions that a diagram leaves.
type namer struct {
	*tree
	open  bool // no values are written out
	files []projection.File
	paths map[string]bool
}

// name adds the partitions below a directory, of which values are those of the columns before. It is false when they are
// too many.
func (w *namer) name(d pruning.Diagram, dir string, values []projection.KeyValue) bool {
	k := len(values)
	if !d.Outcomes().MayBeTrue() {
		return true
	}
	if k == len(w.columns) {
		if !w.paths[dir] {
			w.paths[dir] = true
			w.files = append(w.files, projection.File{Path: dir, Size: -1, Values: slices.Clone(values)})
		}
		return len(w.files) <= namedLimit
	}
	c := &w.columns[k]
	dirs, finite := w.levels(d, k)
	if !finite {
		return w.name(d.Forget(k), dir+escape(c.name.S)+"=*/", append(values, projection.KeyValue{Unknown: true}))
	}
	for _, l := range dirs {
		if !w.name(l.rest, dir+l.name+"/", append(values, l.held)) {
			return false
		}
	}
	return true
}

// level is a directory of one column.
type level struct {
	name string
	held projection.KeyValue
	rest pruning.Diagram
}

// levels are the directories of the values that a diagram leaves of a column; finite is false where they can't all be named.
func (w *namer) levels(d pruning.Diagram, k int) (dirs []level, finite bool) {
	if w.open || !d.Depends(k) {
		return nil, false
	}
	c := &w.columns[k]
	at := map[string]int{}
	ok := true
	finite = d.EachPoint([]int{k}, namedLimit, func(tuple []pruning.Nullable) bool {
		x := tuple[0]
		if x.Null && c.notNull || !x.Null && !c.holds(x.Value) {
			return true
		}
		name, named := w.naming.level(c, x)
		if ok = named; !ok {
			return false
		}
		rest := d.AtNull(k)
		if !x.Null {
			rest = d.At(k, x.Value)
		}
		i, seen := at[name]
		if !seen {
			i = len(dirs)
			at[name] = i
			_, text, _ := strings.Cut(name, "=")
			dirs = append(dirs, level{name: name, held: w.naming.held(c, text), rest: rest})
		}
		dirs[i].rest = dirs[i].rest.Join(rest)
		return true
	})
	return dirs, finite && ok
}
