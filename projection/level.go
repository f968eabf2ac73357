package projection

import "context"

// Level splits a branch into the branches of an axis.
type Level interface {
	Keys() []int // the keys that it decides or narrows; none for a level such as random buckets
	Fixed() bool // the same axis below every branch: counts multiply
	Axis(ctx context.Context, at *Place) (Axis, error)
}

// Decides reports whether each branch of a level has exactly one value of a key, or NULL. Computed and listed axes have
// that, ranges and buckets don't. A level that decides a key says so by a method Decides(key int) bool.
func Decides(l Level, key int) bool {
	d, ok := l.(interface{ Decides(key int) bool })
	return ok && d.Decides(key)
}

// Computed reports whether the axes of a level are known without looking into storage: fixed ones, and those of a level
// that says so by a method Computed() bool.
func Computed(l Level) bool {
	c, ok := l.(interface{ Computed() bool })
	return l.Fixed() || ok && c.Computed()
}

// Place is the way from the root of a layout to a branch: one axis and index a level. It is reused while walking.
type Place struct {
	Axes  []Axis
	Index []uint64
}

// Fixed is the level that splits every branch by the same axis, which decides one key. All computed axes use it.
func Fixed(key int, a Axis) Level { return &fixed{keys: [1]int{key}, axis: a} }

type fixed struct {
	keys [1]int
	axis Axis
}

func (f *fixed) Keys() []int                                { return f.keys[:] }
func (f *fixed) Fixed() bool                                { return true }
func (f *fixed) Axis(context.Context, *Place) (Axis, error) { return f.axis, nil }
func (f *fixed) Decides(key int) bool                       { return key == f.keys[0] }
