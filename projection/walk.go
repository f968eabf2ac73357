package projection

import (
	"context"
	"iter"
	"math/big"

	"github.com/yqlplan/yqlplan/pruning"
)

// Check evaluates for one branch what a diagram could not express. At gets a place whose first known levels are
// settled and gives the outcomes that rows below it can have. Depths tells after which levels (bit i: after level i)
// it may say more than before; At isn't called elsewhere. The zero Check says nothing.
type Check struct {
	Depths uint64
	At     func(at *Place, known int) pruning.Outcomes
}

// after reports whether the branches of level l are evaluated.
func (c *Check) after(l int) bool { return l < 64 && c.Depths>>l&1 != 0 }

// Walk yields the units for which d and c can be TRUE, levels outermost first, each in the order of its axis. The
// unit is valid until the next one. An error ends the walk: one of a level (say, of a listing), or of ctx.
func Walk(ctx context.Context, l *Layout, d pruning.Diagram, c Check) iter.Seq2[*Unit, error] {
	return Seek(ctx, l, d, c, nil)
}

// Seek is [Walk] from the n-th unit on, counted from 0; nil is 0. Where levels are fixed it gets there by arithmetic.
func Seek(ctx context.Context, l *Layout, d pruning.Diagram, c Check, n *big.Int) iter.Seq2[*Unit, error] {
	return func(yield func(*Unit, error) bool) {
		w := newWalker(ctx, l, c)
		if w.plain() {
			w.unit.split()
		}
		w.yield = yield
		if err := w.start(d, n); err != nil {
			yield(nil, err)
		}
	}
}

// walker is the state that walking, counting and writing share.
type walker struct {
	ctx    context.Context
	unit   Unit
	check  Check
	frames []frame
	counts map[node]*big.Int
	skip   *big.Int // units to be left out before the first one; nil: none
	yield  func(*Unit, error) bool
	// subtree, when set, takes over where the rest of the way is free: below the current branch, from a level down.
	subtree func(l int, d pruning.Diagram) bool
	err     error
	steps   uint // branches looked at
	reached uint // grows with every unit, or lot of units, that is yielded or left out
	room    room
}

// few is the number of levels, and of keys, that a walker needs no memory besides its own for.
const few = 4

// room is that memory.
type room struct {
	axes   [few]Axis
	index  [few]uint64
	levels [few]int
	values [few]held
	frames [few + 1]frame
	runs   [few][2]Run
}

// within is a slice of n zeros, in buf where they fit.
func within[T any](buf []T, n int) []T {
	if n > len(buf) {
		return make([]T, n)
	}
	return buf[:n:n]
}

// poll is the number of branches after which the context is asked.
const poll = 4096

// frame is the state of a level.
type frame struct {
	level   Level
	fixed   bool
	free    bool // what lies below a branch of the level above depends on its diagram alone: fixed levels, no checks
	checked bool
	filled  bool // runs are those of diagram
	diagram pruning.Diagram
	runs    []Run
}

// node is a diagram that is left before a level.
type node struct {
	level   int
	diagram pruning.Diagram
}

func newWalker(ctx context.Context, l *Layout, c Check) *walker {
	n := len(l.Levels)
	w := &walker{ctx: ctx, check: c}
	w.unit.begin(l, &w.room)
	w.frames = within(w.room.frames[:], n+1)
	for i := range min(n, few) {
		w.frames[i].runs = w.room.runs[i][:0]
	}
	w.frames[n].free = true
	for i := n - 1; i >= 0; i-- {
		f := &w.frames[i]
		f.level, f.fixed, f.checked = l.Levels[i], l.Levels[i].Fixed(), c.after(i)
		f.free = f.fixed && !f.checked && w.frames[i+1].free
	}
	return w
}

// axis is the axis of level l below the current branch.
func (w *walker) axis(l int) (Axis, error) {
	f := &w.frames[l]
	if f.fixed && w.unit.Axes[l] != nil {
		return w.unit.Axes[l], nil
	}
	a, err := f.level.Axis(w.ctx, &w.unit.Place)
	if err == nil {
		w.unit.Axes[l] = a
	}
	return a, err
}

// plain reports whether paths are the parts of a template as they come: every level is fixed, and no path over their
// axes needs to be tidied.
func (w *walker) plain() bool {
	t, n := w.unit.layout.Template, len(w.unit.Axes)
	if t == nil || n == 0 || len(t.columns) != n {
		return false
	}
	for l := range n {
		if !w.frames[l].fixed {
			return false
		}
		if _, err := w.axis(l); err != nil {
			return false
		}
	}
	return t.plain(w.unit.Axes)
}

// runs are the runs of level l below the current branch, for the diagram left there. They stay valid until runs is
// asked for the same level again.
func (w *walker) runs(l int, d pruning.Diagram) ([]Run, error) {
	f := &w.frames[l]
	if f.fixed && f.filled && f.diagram == d {
		return f.runs, nil
	}
	a, err := w.axis(l)
	if err != nil {
		return nil, err
	}
	f.filled = false
	runs, err := a.Runs(f.runs[:0], d)
	if err != nil {
		return nil, err
	}
	f.runs, f.diagram, f.filled = runs, d, true
	return runs, nil
}

// own is d in a space of its own: axes may add nodes while the plan's space is read by others.
func own(d pruning.Diagram) pruning.Diagram { return d.Space().Fork().Adopt(d) }

// start walks the whole layout, the first n units left out.
func (w *walker) start(d pruning.Diagram, n *big.Int) error {
	if n != nil && n.Sign() > 0 {
		w.skip = new(big.Int).Set(n)
	}
	if d.Outcomes().MayBeTrue() {
		w.walk(0, own(d), pruning.Unknown)
	}
	return w.err
}

// walk yields the units from level l down; o are the outcomes that the checks above leave. It is false when the walk
// ends, by an error in w.err or by the caller's wish.
func (w *walker) walk(l int, d pruning.Diagram, o pruning.Outcomes) bool {
	if l == len(w.unit.Index) {
		return w.leaf(o & d.Outcomes())
	}
	if w.subtree != nil && w.frames[l].free {
		return w.subtree(l, d)
	}
	runs, err := w.runs(l, d)
	if err != nil {
		return w.fail(err)
	}
	for _, r := range runs {
		some, err := w.skipRun(l, &r)
		if err != nil {
			return w.fail(err)
		}
		if some && !w.branches(l, r, o) {
			return false
		}
	}
	return true
}

// branches yields the units of a run of level l.
func (w *walker) branches(l int, r Run, o pruning.Outcomes) bool {
	checked, last := w.frames[l].checked, l == len(w.unit.Index)-1
	if last && !checked && w.skip == nil {
		return w.leaves(r, o)
	}
	for i := r.First; ; i++ {
		w.unit.Index[l] = i
		if w.steps++; w.steps%poll == 0 && w.ctx.Err() != nil {
			return w.fail(w.ctx.Err())
		}
		below := o
		if checked {
			below &= w.check.At(&w.unit.Place, l+1)
		}
		switch {
		case !below.MayBeTrue():
		case last:
			if !w.leaf(below & r.Rest.Outcomes()) {
				return false
			}
		default:
			w.unit.step()
			before := w.reached
			if !w.walk(l+1, r.Rest, below) {
				return false
			}
			if w.reached == before && w.frames[l+1].free {
				return true // nor is there anything below its neighbours
			}
		}
		if i == r.Last {
			return true
		}
	}
}

// leaves is branches for the last level without checks: the inner loop of a walk.
func (w *walker) leaves(r Run, o pruning.Outcomes) bool {
	w.unit.Outcomes = o & r.Rest.Outcomes()
	w.reached++
	index := &w.unit.Index[len(w.unit.Index)-1]
	for i := r.First; ; i++ {
		*index = i
		if w.steps++; w.steps%poll == 0 && w.ctx.Err() != nil {
			return w.fail(w.ctx.Err())
		}
		if !w.yield(&w.unit, nil) {
			return false
		}
		if i == r.Last {
			return true
		}
	}
}

// leaf yields the unit that has been reached.
func (w *walker) leaf(o pruning.Outcomes) bool {
	w.reached++
	if w.skip != nil {
		w.skipped(one)
		return true
	}
	w.unit.Outcomes = o
	return w.yield(&w.unit, nil)
}

var one = big.NewInt(1)

// skipped notes that n units have been left out.
func (w *walker) skipped(n *big.Int) {
	w.reached++
	if w.skip.Sub(w.skip, n); w.skip.Sign() == 0 {
		w.skip = nil
	}
}

// skipRun leaves out what w.skip asks for of a run whose branches have equally many units below; of others the levels
// below do. It is false when nothing of the run is left.
func (w *walker) skipRun(l int, r *Run) (bool, error) {
	if w.skip == nil || w.frames[l].checked || !w.frames[l+1].free {
		return true, nil
	}
	each, err := w.count(l+1, r.Rest)
	if err != nil || each.Sign() == 0 {
		return false, err
	}
	n, left := new(big.Int).QuoRem(w.skip, each, new(big.Int))
	if n.Cmp(r.length()) >= 0 {
		w.skipped(new(big.Int).Mul(each, r.length()))
		return false, nil
	}
	r.First += n.Uint64()
	w.skip = left
	w.skipped(new(big.Int))
	return true, nil
}

// length is the number of branches.
func (r *Run) length() *big.Int {
	n := new(big.Int).SetUint64(r.Last - r.First)
	return n.Add(n, one)
}

func (w *walker) fail(err error) bool {
	w.err = err
	return false
}
