package duckdb

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/store"
)

// tree is what the patterns of a table find: the directories that files may lie in, and the files themselves. Below a
// pattern without ** the files of a directory are listed only when they are asked for.
type tree struct {
	*reader
	dirs   []*directory        // in the order of the patterns, those of each as DuckDB has them
	kinds  map[string]detected // of the keys, where all directories agree
	byPath map[string]*directory
	host   string // what the file's path has in front of its key: "s3://lake/"
	keys   []key
	data   []store.Column // of the files; those of the keys' names hold the keys' values
	closed bool           // data is known

	lazy bool   // dirs has one directory: Find lists those that a condition leaves
	root string // of a lazy table: where its directories are

	meter store.Meter
	cut   error // what ended a listing before everything was found: the limit of requests, or the context
}

// directory holds files.
type directory struct {
	path   string // its key, ending in "/" unless empty
	names  []part // which of its files are wanted, where they haven't been listed
	globs  []*glob
	listed bool
	files  []object
	pairs  []pair
	values []held // of the tree's keys
}

type object struct {
	key  string
	size int64 // -1 unknown
}

// list finds directories and files. A pattern without wildcards is a file or, where there is none, a directory.
func (t *tree) list(ctx context.Context) error {
	t.byPath = map[string]*directory{}
	for i, g := range t.globs {
		if g.literal() {
			found, err := t.exact(ctx, g)
			if err != nil {
				return err
			}
			if found || t.ext == "" {
				continue
			}
			g = g.below(t.ext)
			t.globs[i] = g
		}
		before, find := len(t.dirs), t.names
		if g.crawls > 0 {
			find = t.flat
		}
		for _, prefix := range g.prefixes() {
			if found, err := find(ctx, g, prefix); err != nil {
				return err
			} else if found {
				t.host = g.hostOf(prefix)
				break
			}
		}
		t.sort(g, t.dirs[before:])
	}
	return nil
}

// prefixes are the keys below which the files of a pattern may be listed: with scheme and bucket, where a listing has
// them, or without.
func (g *glob) prefixes() []string {
	if g.host == "" {
		return []string{g.root}
	}
	return []string{g.root, g.host + g.root}
}

// hostOf is what a file's path has in front of its key, given the prefix that it was found by.
func (g *glob) hostOf(prefix string) string {
	if prefix == g.root {
		return g.host
	}
	return ""
}

// exact looks for the one file that a pattern without wildcards names.
func (t *tree) exact(ctx context.Context, g *glob) (found bool, err error) {
	for _, prefix := range g.prefixes() {
		key := prefix + g.parts[len(g.parts)-1].plain
		for e, err := range t.env.Store.List(ctx, key, false) {
			if err != nil {
				return false, err
			}
			if e.Key != key {
				break
			}
			t.host = g.hostOf(prefix)
			t.add(t.directory(key[:strings.LastIndexByte(key, '/')+1], g), e)
			return true, nil
		}
	}
	return false, nil
}

// ended takes the error of a listing. What was found until a limit was reached, or the context ended, is told as that;
// other errors are given back.
func (t *tree) ended(ctx context.Context, err error) error {
	if err != nil && (ctx.Err() != nil || errors.As(err, new(*store.LimitError))) {
		t.cut = err
		return nil
	}
	return err
}

// directory is the one with a path, made when it is new.
func (t *tree) directory(path string, g *glob) *directory {
	d := t.byPath[path]
	if d == nil {
		d = &directory{path: path, listed: true}
		t.byPath[path] = d
		t.dirs = append(t.dirs, d)
	}
	if len(d.globs) == 0 || d.globs[len(d.globs)-1] != g {
		d.globs = append(d.globs, g)
	}
	return d
}

func (t *tree) add(d *directory, e store.Entry) {
	if len(d.globs) > 1 && slices.ContainsFunc(d.files, func(o object) bool { return o.key == e.Key }) {
		return
	}
	d.files = append(d.files, object{e.Key, e.Size})
}

// probe sees whether one page is everything that there is below the pattern's root: then no directory has to be listed.
// Where a flat listing reads directory by directory, it isn't worth it.
func (t *tree) probe(ctx context.Context) (whole bool, err error) {
	tree, ok := t.env.Store.(store.Tree)
	if len(t.globs) != 1 || t.env.Canonical || ok && tree.Tree() {
		return false, nil
	}
	g := t.globs[0]
	if g.literal() || g.crawls > 0 {
		return false, nil
	}
	for _, prefix := range g.prefixes() {
		t.byPath, t.dirs = map[string]*directory{}, nil
		found, whole, err := t.flatUpTo(ctx, g, prefix, projection.Page)
		switch {
		case err != nil:
			return false, err
		case !whole:
			t.byPath, t.dirs = nil, nil
			return false, nil
		case found:
			t.host = g.hostOf(prefix)
			t.sort(g, t.dirs)
			return true, nil
		}
	}
	return false, nil
}

// sort brings the directories of a pattern into DuckDB's order: local ones by their paths without the "/" behind, "k=1"
// before "k=1-".
func (t *tree) sort(g *glob, dirs []*directory) {
	if g.remote {
		return
	}
	slices.SortStableFunc(dirs, func(a, b *directory) int {
		return strings.Compare(strings.TrimSuffix(a.path, "/"), strings.TrimSuffix(b.path, "/"))
	})
}

// flat lists everything below a prefix and keeps what fits.
func (t *tree) flat(ctx context.Context, g *glob, prefix string) (found bool, err error) {
	found, _, err = t.flatUpTo(ctx, g, prefix, 0)
	return found, err
}

// flatUpTo is flat for so many objects; 0: for all. Files of a directory come close together.
func (t *tree) flatUpTo(ctx context.Context, g *glob, prefix string, most int) (found, whole bool, err error) {
	var d *directory
	n := 0
	for e, err := range t.env.Store.List(ctx, prefix, true) {
		if err != nil {
			return found, false, err
		}
		if n++; n == most {
			return found, false, nil
		}
		if !g.match(e.Key[len(prefix):]) {
			continue
		}
		found = true
		path := e.Key[:strings.LastIndexByte(e.Key, '/')+1]
		if d == nil || d.path != path {
			d = t.directory(path, g)
		}
		t.add(d, e)
	}
	return found, true, nil
}

// names goes down from directory to directory along a pattern without **, a level at a time, and notes the last ones.
func (t *tree) names(ctx context.Context, g *glob, prefix string) (found bool, err error) {
	level := []string{prefix}
	last := len(g.parts) - 1
	for _, p := range g.parts[g.first:last] {
		if level, err = t.step(ctx, level, p); err != nil {
			return false, err
		}
	}
	if len(t.globs) == 1 { // no other pattern leads to the same directories
		t.dirs = make([]*directory, len(level))
		all, globs, names := make([]directory, len(level)), []*glob{g}, []part{g.parts[last]}
		for i, path := range level {
			all[i] = directory{path: path, globs: globs, names: names}
			t.dirs[i] = &all[i]
		}
		return len(level) > 0, nil
	}
	for _, path := range level {
		d := t.directory(path, g)
		d.listed = false
		d.names = append(d.names, g.parts[last])
	}
	return len(level) > 0, nil
}

// step gives the directories below those of a level whose names fit a part.
func (t *tree) step(ctx context.Context, level []string, p part) ([]string, error) {
	if p.kind == literalPart {
		out := make([]string, len(level))
		for i, path := range level {
			out[i] = path + p.plain + "/"
		}
		return out, nil
	}
	below := make([][]string, len(level))
	err := t.each(len(level), func(i int) error {
		for name, err := range t.directoriesBelow(ctx, level[i], p) {
			if err != nil {
				return err
			}
			below[i] = append(below[i], level[i]+name+"/")
		}
		return nil
	})
	return slices.Concat(below...), err
}

// directoriesBelow lists the directories below a path whose names fit a part.
func (t *tree) directoriesBelow(ctx context.Context, path string, p part) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for e, err := range t.env.Store.List(ctx, path, false) {
			if err != nil {
				yield("", err)
				return
			}
			if name, ok := strings.CutSuffix(e.Key[len(path):], "/"); ok && p.match(name) && !yield(name, nil) {
				return
			}
		}
	}
}

// each calls f for 0 … n-1, several at once, and gives the first error.
func (t *tree) each(n int, f func(i int) error) error {
	workers := t.env.Limits.Requests
	if workers < 1 {
		workers = projection.DefaultLimits.Requests
	}
	if n == 1 {
		return f(0)
	}
	errs := make([]error, n)
	slots := make(chan struct{}, workers)
	var wait sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wait.Go(func() {
			errs[i] = f(i)
			<-slots
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// open lists the files of directories that haven't been listed.
func (t *tree) open(ctx context.Context, dirs []*directory) error {
	dirs = slices.DeleteFunc(slices.Clone(dirs), func(d *directory) bool { return d.listed })
	return t.each(len(dirs), func(i int) error {
		d := dirs[i]
		for e, err := range t.env.Store.List(ctx, d.path, false) {
			if err != nil {
				return err
			}
			name := e.Key[len(d.path):]
			if name != "" && !strings.HasSuffix(name, "/") && slices.ContainsFunc(d.names, func(p part) bool { return p.match(name) }) {
				t.add(d, e)
			}
		}
		d.listed = true
		return nil
	})
}
