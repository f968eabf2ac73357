package planner

import (
	"sync"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// check evaluates all of e for a branch: keys that the way there has fixed are known, the others have the values of
// their axes, and everything else is unknown. It may be used by several goroutines.
func (l *lowering) check(e expr) projection.Check {
	whole := make([]value, len(l.ev.keys))
	for _, k := range l.keysOf(e) {
		whole[k] = l.domain(k).whole()
	}
	fixes := make([]int, len(l.levels())) // the key of a level that fixes one
	for i, level := range l.levels() {
		fixes[i] = -1
		if keys := level.Keys(); len(keys) == 1 && projection.Decides(level, keys[0]) {
			fixes[i] = keys[0]
		}
	}
	pool := sync.Pool{New: func() any {
		return &evaluator{rel: l.rel, keys: make([]value, len(whole))}
	}}
	at := func(at *projection.Place, known int) pruning.Outcomes {
		ev := pool.Get().(*evaluator)
		defer pool.Put(ev)
		copy(ev.keys, whole)
		for i := range known {
			if fixes[i] < 0 {
				continue
			}
			switch v, null, ok := at.Axes[i].Value(at.Index[i]); {
			case !ok:
			case null:
				ev.keys[fixes[i]] = nullValue
			default:
				ev.keys[fixes[i]] = exactly(v)
			}
		}
		return ev.eval(e).outcomes()
	}
	return projection.Check{Depths: l.depths, At: at}
}
