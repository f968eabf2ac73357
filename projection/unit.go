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
	above    uint64 // grows with every step of a level above the last one
	values   []held // of each key, as last looked up
	line     line
}

// held is a value, which holds until a level above the last one steps.
type held struct {
	value       pruning.Value
	null, known bool
	holds       bool
}

// line is the path of the last unit whose path was asked for. What the branches of the last level share is kept.
type line struct {
	tail  []part // from the first text of the last level on; nil: lines aren't kept
	again bool   // the last level is in the tail a second time
	above uint64
	text  []byte
	name  [2]int   // where the first text of the last level is
	index uint64   // the branch that text is of
	axis  advancer // the last level's, where its text is only that one; or nil
}

// advancer is an axis whose texts mostly differ from those shortly before them in a digit or two.
type advancer interface {
	// advance turns the text of branch i into that of branch j, which isn't before i; false, and nothing changed, where it doesn't.
	advance(text []byte, i, j uint64) bool
}

// begin makes u the unit that a walk moves from place to place.
func (u *Unit) begin(l *Layout, r *room) {
	n := len(l.Levels)
	u.layout, u.above = l, 1
	u.Axes, u.Index = within(r.axes[:], n), within(r.index[:], n)
	u.levels, u.values = within(r.levels[:], len(l.Keys)), within(r.values[:], len(l.Keys))
	for k := range u.levels {
		u.levels[k] = l.levelOf(k)
	}
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

// split makes lines be kept, where paths are the parts of a template as they come.
func (u *Unit) split() {
	parts, last := u.layout.Template.parts, len(u.Axes)-1
	at := slices.IndexFunc(parts, func(p part) bool { return p.level == last })
	u.line.tail = parts[at:]
	u.line.again = slices.ContainsFunc(parts[at+1:], func(p part) bool { return p.level == last })
	if !u.line.again {
		u.line.axis, _ = u.Axes[last].(advancer)
	}
}

// step notes that a level above the last one goes on to another branch.
func (u *Unit) step() {
	u.above++
	for k := range u.values {
		u.values[k].holds = false
	}
}

// Value is the value that the unit has for a key; known is false where its branch leaves several.
func (u *Unit) Value(key int) (v pruning.Value, null, known bool) {
	h := &u.values[key]
	if !h.holds {
		u.find(key)
	}
	return h.value, h.null, h.known
}

// find looks a key's value up. One that the last level fixes, or several do, is looked up again by who asks next.
func (u *Unit) find(key int) {
	h, i := &u.values[key], u.levels[key]
	if i != noLevel {
		h.value, h.null, h.known = u.Axes[i].Value(u.Index[i])
		h.holds = i < len(u.Axes)-1
		return
	}
	h.known = false
	for i = len(u.Axes) - 1; i >= 0 && !h.known; i-- {
		if keys := u.layout.Levels[i].Keys(); len(keys) == 1 && keys[0] == key {
			h.value, h.null, h.known = u.Axes[i].Value(u.Index[i])
		}
	}
}

// Within is d for the rows of the unit, as far as the levels tell which these are, in a space of its own.
func (u *Unit) Within(d pruning.Diagram) pruning.Diagram {
	if d.IsConst() {
		return d
	}
	d = own(d)
	for i, a := range u.Axes {
		if c, ok := a.(Cells); ok {
			d = d.Given(c.Cell(d.Space(), u.Index[i]))
		}
	}
	for k := range u.layout.Keys {
		if v, null, ok := u.Value(k); ok && null {
			d = d.AtNull(k)
		} else if ok {
			d = d.At(k, v)
		}
	}
	return d
}

// AppendPath appends the unit's path, such as "logs/2021/02/"; nothing where units of the layout have none.
func (u *Unit) AppendPath(dst []byte) []byte {
	x := &u.line
	if x.above == u.above && x.axis != nil {
		from := len(dst)
		dst = append(dst, x.text...)
		if x.axis.advance(dst[from+x.name[0]:from+x.name[1]], x.index, u.Index[len(u.Index)-1]) {
			return dst
		}
		dst = dst[:from]
	}
	switch {
	case x.tail != nil:
		return append(dst, u.path()...)
	case u.layout.Template != nil:
		return u.layout.Template.AppendPath(dst, &u.Place)
	case u.layout.Path != nil:
		return u.layout.Path(dst, &u.Place)
	}
	return dst
}

// path brings the line up to date.
func (u *Unit) path() []byte {
	x, last := &u.line, len(u.Axes)-1
	fits := x.above == u.above && !x.again
	if x.above != u.above {
		parts := u.layout.Template.parts
		x.text = appendParts(x.text[:0], parts[:len(parts)-len(x.tail)], &u.Place)
		x.name[0], x.above = len(x.text), u.above
	}
	x.index = u.Index[last]
	text := u.Axes[last].AppendName(x.text[:x.name[0]], x.index)
	if fits && len(text) == x.name[1] { // what follows is still there
		return x.text
	}
	x.name[1] = len(text)
	x.text = appendParts(text, x.tail[1:], &u.Place)
	return x.text
}

// Clone is a unit that stays as it is, and may be used by several goroutines.
func (u *Unit) Clone() *Unit {
	c := &Unit{
		Place:    Place{Axes: slices.Clone(u.Axes), Index: slices.Clone(u.Index)},
		Outcomes: u.Outcomes,
		layout:   u.layout,
		above:    u.above,
		values:   make([]held, len(u.values)),
	}
	for k := range c.values {
		v, null, known := u.Value(k)
		c.values[k] = held{v, null, known, true}
	}
	return c
}
