package projection

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// Dirs are partitions that lie in directories below a root, such as logs/year=2021/month=02/, with the data in objects
// below the last of them. Without keys it is all objects below the root. What there is stands in the storage alone;
// [Dirs.Find] lists as little of it as a predicate allows.
type Dirs struct {
	Table  string   // what messages call the table
	At     ast.Node // what messages point at
	Store  store.Lister
	Root   string   // "", or ending in "/"; without keys any prefix of the objects' keys
	Keys   []DirKey // of the layout, outermost first
	Codec  DirCodec
	Files  func(name string) bool // whether an object is data, by what its key has behind the last directory; nil: all are
	Bare   bool                   // units are the directories of the last key; what lies in them isn't listed
	Leaf   func(name string) bool // when set, units are the directories below those of the last key that it accepts
	Limits Limits

	// Canonical trusts that values stand in directory names in the usual way, month=1 and never month=01, so that those of
	// a few values are asked for without listing the ones beside them. (Trino: hive.assume-canonical-partition-keys)
	Canonical bool

	page int // entries of a request, for tests; 0: Page
}

// DirKey is a key whose values stand in directory names.
type DirKey struct {
	Name     string // what stands before "="
	Type     pruning.Type
	Declared string // the type as written, for messages
	// Held, when set, tells what a directory with that text holds, instead of the codec.
	Held func(text string) KeyValue
}

// DirCodec is how a system writes keys and values into directory names. The zero DirCodec takes everything as it
// stands: names by case, values verbatim, no NULL (YDB).
type DirCodec struct {
	Fold     bool                                                     // key names are compared without regard to case
	Null     func(text string) bool                                   // whether a text, as it stands, means NULL
	Unescape func(text string) string                                 // the text of a value, such as a:b of a%3Ab
	Escape   func(text string) string                                 // the other way round; nil: not known
	Parse    func(t pruning.Type, text string) (pruning.Value, error) // of other types than String; nil: Type.Parse
	Hidden   func(part string) bool                                   // whether a part of a path is left out
	Own      func(part string) bool                                   // whether the system keeps other things than data there: left out and not told
	NoEmpty  bool                                                     // objects of no bytes are left out
}

// HiddenPart is the rule of Spark: parts of paths that begin with "." or, without a "=", with "_" aren't data
// (apache/spark, HadoopFSUtils.scala).
func HiddenPart(part string) bool {
	return strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") && !strings.Contains(part, "=")
}

// value reads the text behind "=".
func (c *DirCodec) value(t pruning.Type, text string) (v pruning.Value, null bool, err error) {
	if c.Null != nil && c.Null(text) {
		return v, true, nil
	}
	if c.Unescape != nil {
		text = c.Unescape(text)
	}
	switch {
	case t.Kind == pruning.String:
		v = pruning.Text(text)
	case c.Parse != nil:
		v, err = c.Parse(t, text)
	default:
		v, err = t.Parse(text)
	}
	return v, false, err
}

// cut gives what stands behind "=" in the name of a directory of key k; ok is false for another directory.
func (c *DirCodec) cut(k *DirKey, dir string) (text string, ok bool) {
	n := len(k.Name)
	if len(dir) <= n || dir[n] != '=' || dir[:n] != k.Name && !(c.Fold && strings.EqualFold(dir[:n], k.Name)) {
		return "", false
	}
	return dir[n+1:], true
}

// verbatim reports whether each value of a key has exactly one directory name, and that name only this value: text that
// stands as it is. A number has several, 1 and 01.
func (c *DirCodec) verbatim(k *DirKey) bool {
	return !c.Fold && c.Unescape == nil && k.Type.Kind == pruning.String
}

// canonical is the text that a value has in a directory name when it is written in the usual way; ok is false when that
// isn't known.
func (c *DirCodec) canonical(t pruning.Type, v pruning.Value) (text string, ok bool) {
	text = string(t.Append(nil, v))
	if c.Unescape != nil && c.Escape == nil {
		return "", false
	}
	if c.Escape != nil {
		text = c.Escape(text)
	}
	return text, c.Null == nil || !c.Null(text)
}

// Layout is the layout before it has been listed. Callers add Shape.
func (d *Dirs) Layout(system string) *Layout {
	l := &Layout{System: system, Unit: "files", Source: d, Path: objectPath}
	for i, k := range d.Keys {
		l.Keys = append(l.Keys, pruning.Key{Name: k.Name, Type: k.Type})
		l.Levels = append(l.Levels, &dirLevel{level: i, keys: []int{i}})
	}
	if d.Bare {
		l.Unit = "directories"
	} else {
		l.Levels = append(l.Levels, &dirLevel{level: len(d.Keys)})
	}
	return l
}

// objectPath is the path of an object, or of the last directory.
func objectPath(dst []byte, at *Place) []byte {
	for i := len(at.Axes) - 1; i >= 0; i-- {
		if b, ok := at.Axes[i].(*branches); ok {
			return append(dst, b.names[at.Index[i]]...)
		}
	}
	return dst
}

// DirPath is the key of the directory, or of the object, that a place has at a level of [Dirs], such as
// "logs/year=2021/".
func DirPath(at *Place, level int) string { return at.Axes[level].(*branches).names[at.Index[level]] }

// Size is how many bytes the object at a place has; known is false where there is no object, or its size isn't told.
func Size(at *Place) (bytes int64, known bool) {
	b, ok := at.Axes[len(at.Axes)-1].(*branches)
	if !ok || b.sizes == nil {
		return 0, false
	}
	bytes = b.sizes[at.Index[len(at.Index)-1]]
	return bytes, bytes >= 0
}

// Source finds the branches of a layout that stand in the storage, or in the query.
type Source interface {
	// Find lists what d and c leave of a layout whose Source it is. The result has all levels listed: it can be walked
	// with d and c, or with what implies them. A listing that ctx ends gives what was found until then, and ctx's error.
	// The Listing is nil where nothing was listed.
	Find(ctx context.Context, l *Layout, d pruning.Diagram, c Check) (*Layout, *Listing, error)
}

// dirLevel is a level whose branches have been listed, or will be when root is nil.
type dirLevel struct {
	level int
	keys  []int
	root  *branches
	found bool
	loose bool // some branch doesn't have exactly one value
}

// ErrUnlisted is the error of levels whose branches have to be found by a [Source] first.
var ErrUnlisted = errors.New("the layout has to be listed before it is walked: see projection.Source")

func (l *dirLevel) Keys() []int          { return l.keys }
func (l *dirLevel) Fixed() bool          { return false }
func (l *dirLevel) Decides(key int) bool { return len(l.keys) == 1 && l.keys[0] == key && !l.loose }

func (l *dirLevel) Axis(_ context.Context, at *Place) (Axis, error) {
	switch {
	case !l.found:
		return nil, ErrUnlisted
	case l.level == 0:
		return l.root, nil
	}
	return at.Axes[l.level-1].(*branches).below[at.Index[l.level-1]], nil
}

// listed is a copy of the layout whose levels lead to what was found.
func (l *Layout) listed(root *branches) *Layout {
	found := *l
	found.Source, found.Levels = nil, slices.Clone(l.Levels)
	loose := make([]bool, len(l.Levels))
	root.loose(0, loose)
	for i := range found.Levels {
		if level, ok := found.Levels[i].(*dirLevel); ok {
			found.Levels[i] = &dirLevel{level: level.level, keys: level.keys, root: root, found: true, loose: loose[level.level]}
		}
	}
	return &found
}

// storeFailure is an error of the storage as a finding. An error that knows a way out says it by a method Hint.
func storeFailure(at ast.Node, err error) error {
	hint := ""
	if h := interface{ Hint() string }(nil); errors.As(err, &h) {
		hint = h.Hint()
	}
	return ast.Diagnostics{{Code: "store.list", Pos: at.Pos(), End: at.End(), Msg: err.Error(), Hint: hint, Err: err}}
}
