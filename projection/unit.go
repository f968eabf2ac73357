package projection

import (
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// Unit is the finest thing read: a prefix, a file, a bucket. It is valid until the next one; Clone keeps it.
type Unit struct {
	Place
	Outcomes pruning.Outcomes // of the predicate on the rows of this unit
	layout   *Layout
	levels   []int  // of each key: the one level that fixes it, or noLevel
	head     []byte // the path before the first text of the last level
	tail     []part // what follows; nil: paths aren't kept in parts
	stale    bool   // head isn't that of the current place
}

// newUnit makes the unit that a walk moves from place to place.
func newUnit(l *Layout) Unit {
	n := len(l.Levels)
	u := Unit{Place: Place{Axes: make([]Axis, n), Index: make([]uint64, n)}, layout: l, levels: make([]int, len(l.Keys)), stale: true}
	for k := range u.levels {
		u.levels[k] = l.levelOf(k)
	}
	return u
}

// levelOf is the only level that is about one key alone, or noLevel.
func (l *Layout) levelOf(key int) int {
	found := noLevel
	for i, level := range l.Levels {
		if keys := level.Keys(); slices.Contains(keys, key) {
			if len(keys) > 1 || found != noLevel {
				return noLevel
			}
			found = i
		}
	}
	return found
}

// split makes paths be kept in parts, where the layout allows it: what the last level's branches share is rendered once.
func (u *Unit) split(w *walker) {
	t, last := u.layout.Template, len(u.Axes)-1
	if !w.plain() {
		return
	}
	at := slices.IndexFunc(t.parts, func(p part) bool { return p.level == last })
	u.tail = t.parts[at:]
}

// Value is the value that the unit has for a key; known is false where its branch leaves several.
func (u *Unit) Value(key int) (v pruning.Value, null, known bool) {
	if i := u.levels[key]; i != noLevel {
		return u.Axes[i].Value(u.Index[i])
	}
	for i := len(u.layout.Levels) - 1; i >= 0; i-- {
		if keys := u.layout.Levels[i].Keys(); len(keys) == 1 && keys[0] == key {
			if v, null, known = u.Axes[i].Value(u.Index[i]); known {
				return v, null, known
			}
		}
	}
	return pruning.Value{}, false, false
}

// AppendPath appends the unit's path, such as "logs/2021/02/"; nothing where units of the layout have none.
func (u *Unit) AppendPath(dst []byte) []byte {
	switch t := u.layout.Template; {
	case u.tail != nil:
		if u.stale {
			u.head, u.stale = appendParts(u.head[:0], t.parts[:len(t.parts)-len(u.tail)], &u.Place), false
		}
		return appendParts(append(dst, u.head...), u.tail, &u.Place)
	case t != nil:
		return t.AppendPath(dst, &u.Place)
	case u.layout.Path != nil:
		return u.layout.Path(dst, &u.Place)
	}
	return dst
}

// Clone is a unit that stays as it is.
func (u *Unit) Clone() *Unit {
	return &Unit{
		Place:    Place{Axes: slices.Clone(u.Axes), Index: slices.Clone(u.Index)},
		Outcomes: u.Outcomes,
		layout:   u.layout,
		levels:   u.levels,
	}
}
