package duckdb

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

func span(n ast.Node) ast.Span { return ast.Span{From: n.Pos(), To: n.End()} }

// Find implements [projection.Source]. The directories that p and c leave are put together by the values of their keys,
// in whatever order the keys nest in their paths: a level a key, then the files.
func (t *tree) Find(ctx context.Context, l *projection.Layout, p pruning.Diagram, c projection.Check) (*projection.Layout, *projection.Listing, error) {
	f := newFinder(t, p, c)
	kept, err := f.kept(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := t.ended(ctx, t.open(t.meter.Context(ctx), kept)); err != nil {
		return nil, nil, t.storeFailure(err)
	}
	info := &projection.Listing{Requests: t.meter.Requests(), Reads: t.meter.Reads(), Seen: t.meter.Entries(), Pruned: f.pruned}
	root := f.axis(kept, 0, info)
	info.Partial = t.cut != nil || ctx.Err() != nil
	if errors.As(t.cut, new(*store.LimitError)) {
		info.ReachLimit(t.name, t.at)
	}
	out := *l
	if n, all, ok := f.whole(kept); ok {
		info.Full, info.Guessed = full(all)
		if !info.Guessed && !info.Partial {
			out.Total = big.NewInt(n)
		}
	}
	out.Source, out.Levels = nil, make([]projection.Level, len(l.Levels))
	for i := range out.Levels {
		out.Levels[i] = &level{tree: t, key: i, root: root}
	}
	return &out, info, ctx.Err()
}

// whole are all directories with the number of their files, as far as it is known; ok is false where some directories
// aren't known.
func (f *finder) whole(kept []*directory) (files int64, dirs []*directory, ok bool) {
	if dirs = f.dirs; f.lazy {
		dirs = kept
	}
	for _, d := range dirs {
		files += int64(len(d.files))
	}
	return files, dirs, !f.lazy || f.pruned == 0 && !f.env.Canonical && f.d.Outcomes().MayBeTrue()
}

// full is how many requests a flat listing of all files takes; guessed when not all directories have been listed.
func full(dirs []*directory) (requests int64, guessed bool) {
	files, listed := int64(0), int64(0)
	for _, d := range dirs {
		if d.listed {
			listed++
			files += int64(len(d.files))
		}
	}
	if n := int64(len(dirs)); listed < n && listed > 0 {
		files, guessed = files*n/listed, true
	}
	return max(1, (files+projection.Page-1)/projection.Page), guessed
}

// kept are the directories that may have rows.
func (f *finder) kept(ctx context.Context) ([]*directory, error) {
	switch {
	case !f.d.Outcomes().MayBeTrue():
		f.pruned = int64(len(f.dirs))
		return nil, nil
	case !f.lazy:
		kept := f.directories(f.dirs)
		f.pruned = int64(len(f.dirs) - len(kept))
		return kept, nil
	}
	found, err := f.descend(f.meter.Context(ctx))
	if findings := (ast.Diagnostics)(nil); errors.As(err, &findings) {
		return nil, err
	}
	if err := f.ended(ctx, err); err != nil {
		return nil, f.storeFailure(err)
	}
	for _, d := range found {
		for i, h := range d.values {
			f.keys[i].unfit = f.keys[i].unfit || h.unfit
		}
	}
	kept := f.directories(found)
	f.pruned += int64(len(found) - len(kept))
	return kept, nil
}

// finder is one run of Find.
type finder struct {
	*tree
	pruned int64 // directories
	d      pruning.Diagram
	check  projection.Check
	place  projection.Place
	path   axis // of the place's last level
}

func newFinder(t *tree, d pruning.Diagram, c projection.Check) *finder {
	n := len(t.keys) + 1
	f := &finder{tree: t, d: d, check: c, place: projection.Place{Axes: make([]projection.Axis, n), Index: make([]uint64, n)}}
	for i := range t.keys {
		f.place.Axes[i] = &axis{tree: t, key: i, values: make([]held, 1)}
	}
	f.path = axis{tree: t, key: len(t.keys), files: make([]object, 1)}
	f.place.Axes[n-1] = &f.path
	return f
}

// directories are those of some that may have rows.
func (f *finder) directories(of []*directory) []*directory {
	var kept []*directory
	for _, d := range of {
		if f.keeps(d) {
			kept = append(kept, d)
		}
	}
	return kept
}

func (f *finder) keeps(d *directory) bool {
	rest := f.d
	for i, h := range d.values {
		f.place.Axes[i].(*axis).values[0] = h
		if rest = below(rest, i, h); !rest.Outcomes().MayBeTrue() {
			return false
		}
		if f.check.Depths>>i&1 != 0 && !f.check.At(&f.place, i+1).MayBeTrue() {
			return false
		}
	}
	return true
}

// below is what is left of a diagram where a key is h.
func below(d pruning.Diagram, key int, h held) pruning.Diagram {
	switch b := d.Branches(key); {
	case h.unfit:
		return d.Space().Fork().Adopt(d).Forget(key)
	case h.null:
		return b.Null()
	default:
		return b.Piece(b.Find(h.v))
	}
}

// axis makes the branches of a level out of directories that are equal in the keys above it.
func (f *finder) axis(dirs []*directory, i int, info *projection.Listing) *axis {
	a := &axis{tree: f.tree, key: i}
	if i == len(f.keys) {
		for _, d := range dirs {
			f.addFiles(a, d, info)
		}
		slices.SortFunc(a.files, func(x, y object) int { return strings.Compare(x.key, y.key) })
		return a
	}
	slices.SortStableFunc(dirs, func(x, y *directory) int { return compare(x.values[i], y.values[i]) })
	for len(dirs) > 0 {
		n := 1
		for n < len(dirs) && compare(dirs[0].values[i], dirs[n].values[i]) == 0 {
			n++
		}
		h := dirs[0].values[i]
		if kid := f.axis(dirs[:n], i+1, info); len(kid.values)+len(kid.files) > 0 {
			a.values, a.below, a.sample = append(a.values, h), append(a.below, kid), append(a.sample, dirs[0])
		}
		dirs = dirs[n:]
	}
	return a
}

// compare orders values, then NULL, then texts that are none.
func compare(x, y held) int {
	rank := func(h held) int {
		switch {
		case h.unfit:
			return 2
		case h.null:
			return 1
		}
		return 0
	}
	if c := rank(x) - rank(y); c != 0 || x.null || x.unfit {
		return c
	}
	return pruning.Compare(x.v, y.v)
}

// addFiles takes the files of a directory, as far as conditions on their paths leave them.
func (f *finder) addFiles(a *axis, d *directory, info *projection.Listing) {
	n := len(f.keys)
	rest := f.d
	for i, h := range d.values {
		f.place.Axes[i].(*axis).values[0] = h
		rest = below(rest, i, h)
	}
	checked := f.check.Depths>>n&1 != 0
	for _, o := range d.files {
		f.path.files[0] = o
		if !rest.IsConst() && !below(rest, n, held{v: f.pathOf(o)}).Outcomes().MayBeTrue() ||
			checked && !f.check.At(&f.place, n+1).MayBeTrue() {
			continue
		}
		a.files = append(a.files, o)
		info.Count(o.size)
	}
}

// pathOf is a file's path as the column filename has it.
func (t *tree) pathOf(o object) pruning.Value { return pruning.Text(t.host + o.key) }

// level is a level of the tree: one of a key, or the last one, of files.
type level struct {
	tree *tree
	key  int
	root *axis // nil before Find
}

var errUnlisted = errors.New("the layout has to be listed before it is walked: see projection.Source")

func (l *level) Keys() []int          { return []int{l.key} }
func (l *level) Fixed() bool          { return false }
func (l *level) Decides(key int) bool { return key == l.key }

// Whole is an axis with all values that the key has in some directory; nil when there are very many, or for files.
func (l *level) Whole() projection.Axis {
	if l.key >= len(l.tree.keys) || l.tree.keys[l.key].unfit || l.tree.lazy {
		return nil
	}
	a := &axis{tree: l.tree, key: l.key}
	for _, d := range l.tree.dirs {
		if h := d.values[l.key]; len(a.values) == 0 || h != a.values[len(a.values)-1] {
			a.values = append(a.values, h)
		}
	}
	slices.SortFunc(a.values, compare)
	if a.values = slices.Compact(a.values); len(a.values) > maxWhole {
		return nil
	}
	return a
}

// Faulty reports whether a branch of the key's level may be without a value: see [axis.Fault].
func (l *level) Faulty() bool { return l.key < len(l.tree.keys) && l.tree.keys[l.key].unfit }

func (l *level) Axis(_ context.Context, at *projection.Place) (projection.Axis, error) {
	switch {
	case l.root == nil:
		return nil, errUnlisted
	case l.key == 0:
		return l.root, nil
	}
	return at.Axes[l.key-1].(*axis).below[at.Index[l.key-1]], nil
}

// axis has the values of a key below a branch, or files.
type axis struct {
	tree   *tree
	key    int
	values []held
	below  []*axis
	sample []*directory // one with the value
	files  []object
}

// Last implements [projection.Axis].
func (a *axis) Last() (uint64, bool) {
	n := len(a.values) + len(a.files)
	return uint64(n) - 1, n > 0
}

// Runs implements [projection.Axis].
func (a *axis) Runs(dst []projection.Run, d pruning.Diagram) ([]projection.Run, error) {
	last, ok := a.Last()
	if !ok || !d.Outcomes().MayBeTrue() {
		return dst, nil
	}
	if d.IsConst() {
		return append(dst, projection.Run{Last: last, Rest: d}), nil
	}
	from := len(dst)
	for i := range last + 1 {
		h := a.held(i)
		rest := below(d, a.key, h)
		if !rest.Outcomes().MayBeTrue() {
			continue
		}
		if n := len(dst); n > from && dst[n-1].Last == i-1 && dst[n-1].Rest == rest {
			dst[n-1].Last = i
		} else {
			dst = append(dst, projection.Run{First: i, Last: i, Rest: rest})
		}
	}
	return dst, nil
}

func (a *axis) held(i uint64) held {
	if len(a.files) > 0 {
		return held{v: a.tree.pathOf(a.files[i])}
	}
	return a.values[i]
}

// Value implements [projection.Axis].
func (a *axis) Value(i uint64) (v pruning.Value, null, ok bool) {
	h := a.held(i)
	return h.v, h.null, !h.unfit
}

// AppendName implements [projection.Axis].
func (a *axis) AppendName(dst []byte, i uint64) []byte {
	if len(a.files) > 0 {
		key := a.files[i].key
		return append(dst, key[strings.LastIndexByte(key, '/')+1:]...)
	}
	k, h := &a.tree.keys[a.key], a.values[i]
	return appendDir(dst, k.name, string(k.typ.Append(nil, h.v)), h.null)
}

// Fault is what is wrong with branch i, where the key's column is read: a text that is no value of the declared type.
func (a *axis) Fault(i uint64) *ast.Diagnostic {
	if len(a.files) > 0 || !a.values[i].unfit {
		return nil
	}
	k, d := &a.tree.keys[a.key], a.sample[i]
	text := ""
	for _, p := range pairs(nil, d.path) {
		if p.name == k.name {
			text = decode(p.text)
		}
	}
	return &ast.Diagnostic{Severity: ast.Error, Code: "hive.value", Pos: k.at.Pos(), End: k.at.End(),
		Msg:  fmt.Sprintf("the text %s of the key %s is no %s: %s", projection.Quote(text), k.name, k.declared, projection.Quote(d.example())),
		Hint: "declare " + k.name + " as VARCHAR, or exclude the directory by a condition on another key"}
}

// filePath is the key of the file at a place.
func filePath(dst []byte, at *projection.Place) []byte {
	last := len(at.Axes) - 1
	return append(dst, at.Axes[last].(*axis).files[at.Index[last]].key...)
}
