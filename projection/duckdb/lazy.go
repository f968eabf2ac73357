package duckdb

import (
	"context"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// sketch finds out about a table whose keys all have declared types by following a pattern to one directory. What else
// there is needn't be known before there is a condition: the directories are listed by Find, as far as it leaves them.
// ok is false where the table has to be listed first.
func (t *tree) sketch(ctx context.Context) (ok bool, err error) {
	if len(t.globs) != 1 || t.partitioning == nil || !*t.partitioning || t.unionByName || t.filenameKey() {
		return false, nil
	}
	g := t.globs[0]
	if g.literal() || g.crawls > 0 || g.first >= len(g.parts)-1 {
		return false, nil
	}
	for _, prefix := range g.prefixes() {
		d, err := t.follow(ctx, g, prefix)
		if err != nil {
			return false, err
		}
		if d == nil {
			continue
		}
		if d.pairs = pairs(nil, d.path); len(d.pairs) == 0 || slices.ContainsFunc(d.pairs, func(p pair) bool { return !t.typed(p.name) }) {
			return false, nil
		}
		t.dirs, t.lazy, t.root, t.host = []*directory{d}, true, prefix, g.hostOf(prefix)
		t.order()
		t.checkTypes()
		for i := range t.keys {
			t.settle(i)
		}
		return true, nil
	}
	return false, nil
}

// filenameKey reports whether a key may be named like the column of paths: then names have to be compared.
func (t *tree) filenameKey() bool {
	return slices.ContainsFunc(t.types, func(g givenType) bool { return strings.EqualFold(g.name, t.filename) })
}

// follow takes the first directory of each level that fits the pattern, down to one with a file; nil: there is none. A
// pattern that names all keys itself needs no look where names are canonical.
func (t *tree) follow(ctx context.Context, g *glob, prefix string) (*directory, error) {
	last := len(g.parts) - 1
	path := prefix
	if named := g.namedPath(prefix); t.env.Canonical && named != "" && g.host == "" {
		return &directory{path: named}, nil
	}
	for _, p := range g.parts[g.first:last] {
		below, err := t.firstBelow(ctx, path, p)
		if err != nil || below == "" {
			return nil, err
		}
		path = below
	}
	d := &directory{path: path, globs: []*glob{g}, names: []part{g.parts[last]}}
	if t.env.Canonical {
		return d, nil
	}
	if err := t.open(ctx, []*directory{d}); err != nil || len(d.files) == 0 {
		return nil, err
	}
	return d, nil
}

// namedPath is a directory of a pattern whose parts all name a key, such as p=*/q=*/; "" for another pattern.
func (g *glob) namedPath(prefix string) string {
	for _, p := range g.parts[g.first : len(g.parts)-1] {
		name, ok := strings.CutSuffix(p.plain, "=")
		if p.kind != startPart || !ok || strings.Contains(name, "=") {
			return ""
		}
		prefix += p.plain + "/"
	}
	return prefix
}

// firstBelow is the first directory below a path that fits a part, or "".
func (t *tree) firstBelow(ctx context.Context, path string, p part) (below string, err error) {
	if p.kind == literalPart {
		return path + p.plain + "/", nil
	}
	for name, err := range t.directoriesBelow(ctx, path, p) {
		if err != nil {
			return "", err
		}
		below = path + name + "/"
		break
	}
	return below, nil
}

// branch is a directory on the way down, with the keys that its path has.
type branch struct {
	path   string
	values []held
	have   []bool
}

// descend lists the directories that may have rows, level by level.
func (f *finder) descend(ctx context.Context) (dirs []*directory, err error) {
	g := f.globs[0]
	top := branch{path: f.root, values: make([]held, len(f.keys)), have: make([]bool, len(f.keys))}
	for _, p := range pairs(nil, f.root) {
		top.bind(f.tree, p)
	}
	level := []branch{top}
	last := len(g.parts) - 1
	for _, p := range g.parts[g.first:last] {
		below := make([][]branch, len(level))
		if err = f.each(len(level), func(i int) (err error) {
			below[i], err = f.below(ctx, &level[i], p)
			return err
		}); err != nil {
			return nil, err
		}
		all := slices.Concat(below...)
		level = slices.DeleteFunc(all, func(b branch) bool { return !f.mayHold(&b) })
		f.pruned += int64(len(all) - len(level))
	}
	var odd []*directory
	for _, b := range level {
		d := &directory{path: b.path, globs: f.globs, names: []part{g.parts[last]}, values: b.values}
		if slices.Contains(b.have, false) || len(pairs(nil, b.path)) != len(f.keys) {
			odd = append(odd, d)
		} else {
			dirs = append(dirs, d)
		}
	}
	return dirs, f.mixed(ctx, odd)
}

// below are the directories below a branch that fit a part of the pattern.
func (f *finder) below(ctx context.Context, b *branch, p part) (out []branch, err error) {
	if p.kind == literalPart {
		return append(out, b.into(f.tree, p.plain)), nil
	}
	if names, ok := f.canonical(b); ok {
		for _, name := range names {
			if p.match(name) {
				out = append(out, b.into(f.tree, name))
			}
		}
		return out, nil
	}
	for name, err := range f.directoriesBelow(ctx, b.path, p) {
		if err != nil {
			return out, err
		}
		out = append(out, b.into(f.tree, name))
	}
	return out, nil
}

// into is the branch of a directory below another.
func (b *branch) into(t *tree, name string) branch {
	out := branch{path: b.path + name + "/", values: slices.Clone(b.values), have: slices.Clone(b.have)}
	if p, ok := asPair(name); ok {
		out.bind(t, p)
	}
	return out
}

// bind notes the value of a key, unless an outer directory has it already.
func (b *branch) bind(t *tree, p pair) {
	i := slices.IndexFunc(t.keys, func(k key) bool { return k.name == p.name })
	if i < 0 || b.have[i] {
		return
	}
	b.have[i], b.values[i] = true, t.keys[i].read(p.text)
	if b.values[i].unfit || !validText(p.text) {
		b.values[i].unfit = true
	}
}

// mayHold reports whether a branch may have rows, by its keys up to the first that isn't known yet.
func (f *finder) mayHold(b *branch) bool {
	rest := f.d
	for i, h := range b.values {
		if !b.have[i] {
			break
		}
		if rest = below(rest, i, h); !rest.Outcomes().MayBeTrue() {
			return false
		}
	}
	return true
}

// mostAsked is how many directories are asked for below one without knowing that they exist.
const mostAsked = 8

// canonical are the names of the directories below a branch that its conditions leave, where values stand in names as
// DuckDB writes them and few are left.
func (f *finder) canonical(b *branch) (names []string, ok bool) {
	i := slices.Index(b.have, false)
	if !f.env.Canonical || i < 0 || slices.Contains(b.have[i:], true) {
		return nil, false
	}
	rest := f.d
	for k, h := range b.values[:i] {
		rest = below(rest, k, h)
	}
	k, at := &f.keys[i], rest.Branches(i)
	if k.typ.Kind == pruning.NoKind || at.Null().Outcomes().MayBeTrue() {
		return nil, false
	}
	cuts := at.Cuts()
	for n := range at.Len() {
		if !at.Piece(n).Outcomes().MayBeTrue() {
			continue
		}
		if n == 0 || n == len(cuts) {
			return nil, false
		}
		for v, more := cuts[n-1], true; more && pruning.Compare(v, cuts[n]) < 0; v, more = k.typ.Succ(v) {
			if len(names) == mostAsked {
				return nil, false
			}
			names = append(names, string(appendDir(nil, k.name, string(ducktext.Append(nil, k.typ, v)), false)))
		}
	}
	return names, true
}

// mixed is the error of directories with other keys than the first one, if one of them has files.
func (f *finder) mixed(ctx context.Context, odd []*directory) error {
	if err := f.open(ctx, odd); err != nil {
		return err
	}
	i := slices.IndexFunc(odd, func(d *directory) bool { return len(d.files) > 0 })
	if i < 0 {
		return nil
	}
	return ast.Diagnostics{{Code: "hive.mixed", Pos: f.at.Pos(), End: f.at.End(), Hint: oneLayout, Msg: missesKey + differing(f.dirs[0], odd[i])}}
}
