package projection

import (
	"context"
	"errors"

	"github.com/yqlplan/yqlplan/pruning"
)

// Injected is the level of a text key whose branches are the values that a query names (Athena user guide, "Dynamic ID
// partitioning"). It has no branches of its own: [Bind] gives it those of a predicate.
type Injected struct {
	keys [1]int
	name func(value string) string
}

// NewInjected makes the level. name gives the text in paths that stands for a value; nil: the value itself.
func NewInjected(key int, name func(value string) string) *Injected {
	return &Injected{[1]int{key}, name}
}

// Keys implements [Level].
func (l *Injected) Keys() []int { return l.keys[:] }

// Fixed implements [Level]. How many branches there are isn't known.
func (l *Injected) Fixed() bool { return false }

// Decides reports that each branch has one value of the key.
func (l *Injected) Decides(key int) bool { return key == l.keys[0] }

// Axis implements [Level]. It fails, as the level isn't bound.
func (l *Injected) Axis(context.Context, *Place) (Axis, error) {
	return nil, errors.New("an injected key has no values without a query")
}

// axis has the values of the key for which d may be TRUE, ascending; ok is false when there are more than limit.
func (l *Injected) axis(d pruning.Diagram, limit int) (a Axis, ok bool) {
	var values []pruning.Value
	var names []string
	ok = d.EachPoint(l.keys[:], limit, func(tuple []pruning.Nullable) bool {
		if v := tuple[0]; !v.Null { // a projected value never is
			name := v.Value.Text()
			if l.name != nil {
				name = l.name(name)
			}
			values, names = append(values, v.Value), append(names, name)
		}
		return true
	})
	return NewEnum(l.keys[0], values, names), ok
}

// Bind gives every [Injected] level of l the values of its key for which d can be TRUE. unbound are the keys of which
// there are more than limit, such as infinitely many; their levels stay as they are.
func Bind(l *Layout, d pruning.Diagram, limit int) (bound *Layout, unbound []int) {
	bound = l
	for i, level := range l.Levels {
		in, ok := level.(*Injected)
		if !ok {
			continue
		}
		axis, finite := in.axis(d, limit)
		if !finite {
			unbound = append(unbound, in.keys[0])
			continue
		}
		if bound == l {
			b := *l
			b.Levels, b.Open = append([]Level(nil), l.Levels...), true
			bound = &b
		}
		bound.Levels[i] = Fixed(in.keys[0], axis)
	}
	return bound, unbound
}
