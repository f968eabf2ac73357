package planner

import (
	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// function is an operator or a function: how it is typed and what is known of its result. op is set for operators,
// so that the shape of a predicate can be recognised.
type function struct {
	name     string
	op       ast.Op
	min, max int // number of arguments; max -1: any

	// result gives the type for the arguments, in their order; ok is false when they don't fit (bind.argument).
	result func(args []expr) (t typ, ok bool)

	// call computes the result for arguments that are known and not NULL; a function with only a call gives NULL when
	// an argument is NULL. It may say less than it could: an unknown value is always right.
	call func(a *apply, args []value) value

	// rise tells how call follows each argument, while the others stay: '+' never falls, '-' never rises, ' ' neither.
	// Bounds of arguments then give bounds of the result.
	rise string

	// span computes the result for arguments of which anything may be known, and replaces call.
	span func(a *apply, args []value) value

	// fallible: for some values the call fails, which ends the query.
	fallible bool

	// mayNull: call may give NULL.
	mayNull bool

	// accepts are, for IS, the outcomes of its argument that make it TRUE.
	accepts pruning.Outcomes

	// only gives, for a predicate on its first argument, the values that can make it TRUE; on all others it is FALSE.
	// all: those make it TRUE. It serves text columns, which have too many values to try.
	only func(a *apply) (set pruning.Set, all, ok bool)
}

// strict is the span of a function of one argument that is NULL of NULL: f gives the results for the values x, which are
// of type t.
func strict(f func(a *apply, t typ, x value) value) func(*apply, []value) value {
	return func(a *apply, args []value) value {
		x := args[0]
		if x.isNull() {
			return nullValue
		}
		out := f(a, a.args[0].typ(), x)
		out.is |= x.is & null
		return out
	}
}

// env gives columns their values while evaluating; nil leaves all of them unknown.
type env func(*column) value

// eval is what is known of e when columns have the given values. It never fails; what isn't understood is unknown.
func eval(e expr, at env) value {
	ev := evaluator{at: at}
	return ev.eval(e)
}

// evaluator keeps the arguments of the calls in progress on one stack, so that evaluating allocates nothing.
type evaluator struct {
	at    env
	rel   *relation // when set, its keys have the values of keys
	keys  []value
	stack []value
}

func (ev *evaluator) eval(e expr) value {
	switch e := e.(type) {
	case *constant:
		return e.v
	case *column:
		if ev.at != nil {
			return ev.at(e)
		}
		if e.rel == ev.rel && ev.rel != nil {
			if k := e.key(); k >= 0 {
				return ev.keys[k]
			}
		}
		return unknown(e.t)
	case *apply:
		return ev.apply(e)
	}
	return unknown(e.typ())
}

func (ev *evaluator) apply(a *apply) value {
	switch a.fn.op {
	case ast.OpAnd:
		return ev.logic(a.args, pruning.True, pruning.False, pruning.Outcomes.And)
	case ast.OpOr:
		return ev.logic(a.args, pruning.False, pruning.True, pruning.Outcomes.Or)
	}
	base := len(ev.stack)
	for _, x := range a.args {
		v := ev.eval(x)
		ev.stack = append(ev.stack, v)
	}
	args := ev.stack[base:]
	out := ev.lift(a, args)
	if fails(a, args) {
		out = failing(a.t)
	}
	if !out.settled() && out.is&(dead|raised) == 0 {
		out.is |= liveness(args)
	}
	out.is &^= dead
	ev.stack = ev.stack[:base]
	return out
}

// logic evaluates a chain of AND or OR up to the first operand that decides it.
func (ev *evaluator) logic(args []expr, out, decided pruning.Outcomes, op func(a, b pruning.Outcomes) pruning.Outcomes) value {
	var alive, failed facts
	certain := true // that an operand which fails is evaluated
	for _, x := range args {
		v := ev.eval(x)
		if out = op(out, v.outcomes()); out == decided {
			return truth(out)
		}
		alive |= v.is & live
		failed |= v.is & raised
		certain = certain && (v.is&raised != 0 || v.settled())
	}
	v := truth(out)
	if failed != 0 && certain {
		v.is |= raised
	} else if !v.settled() {
		v.is |= alive
	}
	return v
}

// lift evaluates a call on arguments of which anything may be known.
func (ev *evaluator) lift(a *apply, args []value) value {
	if a.fn.span != nil {
		return a.fn.span(a, args)
	}
	settled, nulls := true, facts(0)
	for _, x := range args {
		if x.isNull() {
			return nullValue
		}
		nulls |= x.is & null
		settled = settled && x.notNull().settled()
	}
	var out value
	switch {
	case settled && nulls == 0:
		return a.fn.call(a, args)
	case settled:
		out = ev.filled(a, args)
	default:
		out = ev.spread(a, args)
	}
	out.is |= nulls
	return out
}

// filled is the result where no argument is NULL: each is one value or NULL.
func (ev *evaluator) filled(a *apply, args []value) value {
	base := len(ev.stack)
	for _, x := range args {
		ev.stack = append(ev.stack, x.notNull())
	}
	out := a.fn.call(a, ev.stack[base:])
	ev.stack = ev.stack[:base]
	return out
}

// spread bounds the result by the results for the bounds of the arguments, where call is monotone.
func (ev *evaluator) spread(a *apply, args []value) value {
	if a.fn.rise != "" {
		from, ok1 := ev.corner(a, args, '+', '-')
		to, ok2 := ev.corner(a, args, '-', '+')
		if ok1 && ok2 {
			return between(from, to)
		}
	}
	out := unknown(a.t)
	if !a.fn.mayNull {
		out.is &^= null
	}
	return out
}

// corner is the result for the low ends of the arguments that the result follows in direction low, and the high ends
// of those that it follows in direction high.
func (ev *evaluator) corner(a *apply, args []value, low, high byte) (pruning.Value, bool) {
	base := len(ev.stack)
	for i, x := range args {
		switch dir := a.fn.rise[min(i, len(a.fn.rise)-1)]; {
		case x.notNull().isKnown():
		case !x.bounded() || x.is&(some|under) != some || x.parts != nil || dir == ' ':
			ev.stack = ev.stack[:base]
			return pruning.Value{}, false
		case dir == low:
			x = exactly(x.lo)
		case dir == high:
			x = exactly(x.hi)
		}
		ev.stack = append(ev.stack, x.notNull())
	}
	out := a.fn.call(a, ev.stack[base:])
	ev.stack = ev.stack[:base]
	return out.known()
}

// dead marks an open value that stays as it is, however much more its arguments are known: a sum that overflows for
// all of them. It only lives between a span and the evaluator.
const dead facts = 1 << 8

// liveness tells whether a result that isn't settled may be so when keys are: some argument is alive.
func liveness(args []value) (out facts) {
	for _, x := range args {
		out |= x.is & live
	}
	return out
}
