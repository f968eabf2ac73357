package projection

import (
	"context"
	"fmt"
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// Injected is the level of a key whose branches are the values that a query names (Athena user guide, "Dynamic ID
// partitioning"). It has no branches of its own: an [Injection] finds those of a predicate.
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

// Axis implements [Level]. It fails: the values must be found first.
func (l *Injected) Axis(context.Context, *Place) (Axis, error) { return nil, ErrUnlisted }

// axis has the values of the key, of type t, for which d may be TRUE, ascending; ok is false when there are more than limit.
func (l *Injected) axis(t pruning.Type, d pruning.Diagram, limit int) (a Axis, ok bool) {
	var values []pruning.Value
	var names []string
	ok = d.EachPoint(l.keys[:], limit, func(tuple []pruning.Nullable) bool {
		if v := tuple[0]; !v.Null { // a projected value never is
			name := string(t.Append(nil, v.Value))
			if l.name != nil {
				name = l.name(name)
			}
			values, names = append(values, v.Value), append(names, name)
		}
		return true
	})
	return NewEnum(l.keys[0], values, names), ok
}

// Injection is the [Source] of a layout with [Injected] levels. It finds the values that a predicate leaves of their keys,
// and touches no storage.
type Injection struct {
	Limits Limits
}

// UnboundError names the injected keys of which a predicate leaves infinitely many values, or more than Limits.Rows.
type UnboundError struct{ Keys []int }

// Error is a sentence.
func (e *UnboundError) Error() string {
	return fmt.Sprintf("%d injected keys aren't compared with constants", len(e.Keys))
}

// Find implements [Source]; the error is of type *[UnboundError].
func (in Injection) Find(_ context.Context, l *Layout, d pruning.Diagram, _ Check) (*Layout, *Listing, error) {
	limit := in.Limits.Rows
	if limit == 0 {
		limit = DefaultLimits.Rows
	}
	bound, unbound := *l, []int(nil)
	bound.Source, bound.Open, bound.Levels = nil, true, slices.Clone(l.Levels)
	for i, level := range l.Levels {
		if level, ok := level.(*Injected); ok {
			axis, finite := level.axis(l.Keys[level.keys[0]].Type, d, limit)
			if !finite {
				unbound = append(unbound, level.keys[0])
			}
			bound.Levels[i] = Fixed(level.keys[0], axis)
		}
	}
	if unbound != nil {
		return nil, nil, &UnboundError{unbound}
	}
	return &bound, nil, nil
}
