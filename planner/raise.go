package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// In some dialects a cast that can't be done ends the query, where others give NULL. A row with such a value is neither
// TRUE nor FALSE: its unit is kept, unless another condition drops it, and then the query is refused.

// failing is the value of an expression of type t that can't be evaluated.
func failing(t typ) value {
	v := unknown(t.optional())
	v.is |= raised
	return v
}

// fails reports whether a call is certain to fail because an argument does. Of CASE and COALESCE not all arguments are
// evaluated.
func fails(a *apply, args []value) bool {
	switch {
	case a.fn == tryFn:
		return false
	case a.fn.op == "CASE":
		for i := 0; i+1 < len(args); i += 2 {
			switch o := args[i].outcomes(); {
			case args[i].is&raised != 0:
				return true
			case o == pruning.True:
				return args[i+1].is&raised != 0
			case o&pruning.True != 0:
				return false
			}
		}
		return args[len(args)-1].is&raised != 0
	case a.fn.op == ast.OpCoalesce:
		for _, x := range args {
			if x.is&raised != 0 {
				return true
			}
			if !x.isNull() {
				return false
			}
		}
		return false
	}
	return slices.ContainsFunc(args, func(x value) bool { return x.is&raised != 0 })
}

// fallible reports whether evaluating e can fail.
func fallible(e expr) bool {
	a, ok := e.(*apply)
	return ok && (a.fn.fallible || slices.ContainsFunc(a.args, fallible))
}

// faults refuses a query that fails in a unit which it reads: by a condition that can't be evaluated for the values of
// the unit's keys, or by a key without a value whose column is read.
func (b *builder) faults(s *Scan, n *scanNode, parts []part) error {
	var open []*part
	deepest := -1
	for i := range parts {
		if p := &parts[i]; !p.extra && fallible(p.x) {
			open = append(open, p)
			deepest = max(deepest, n.deepest(p.x))
		}
	}
	faulty := n.faulty()
	deepest = max(deepest, len(faulty)-1)
	if deepest < 0 {
		return nil
	}
	return b.faultsIn(s, n, open, faulty, deepest)
}

// faultsIn is faults by the levels down to the deepest one that matters.
func (b *builder) faultsIn(s *Scan, n *scanNode, open []*part, faulty []bool, deepest int) error {
	l := &projection.Layout{Keys: s.Table.Layout.Keys, Levels: s.Table.Layout.Levels[:deepest+1]}
	check := s.Check
	check.Depths &= 1<<(deepest+1) - 1
	ev := evaluator{rel: n.rel, keys: make([]value, len(l.Keys))}
	for u, err := range projection.Walk(b.ctx, l, s.Diagram, check) {
		if err != nil {
			return err
		}
		for i, used := range faulty {
			if d := faultOf(u, i); used && d != nil {
				b.diags = append(b.diags, d)
				return b.diags
			}
		}
		for k := range ev.keys {
			ev.keys[k] = keyOf(u, k)
		}
		for _, p := range open {
			if x := ev.culprit(p.x); x != nil {
				b.fault(x, &ev)
				return b.diags
			}
		}
	}
	return nil
}

// deepest is the last level that settles a key of x, or -1.
func (n *scanNode) deepest(x expr) int {
	last := -1
	for c := range columns(x) {
		for i, level := range n.table.Layout.Levels {
			if c.rel == n.rel && c.key() >= 0 && slices.Contains(level.Keys(), c.key()) {
				last = max(last, i)
			}
		}
	}
	return last
}

// faulty tells of each level that may have keys without a value whether its column is read. Levels behind the last such
// one are left out.
func (n *scanNode) faulty() []bool {
	var out []bool
	for i, level := range n.table.Layout.Levels {
		f, ok := level.(interface{ Faulty() bool })
		if !ok || !f.Faulty() {
			continue
		}
		for len(out) <= i {
			out = append(out, false)
		}
		out[i] = slices.ContainsFunc(n.rel.cols, func(c relColumn) bool { return c.used && c.key >= 0 && slices.Contains(level.Keys(), c.key) })
	}
	return out
}

// faultOf is what is wrong with a unit's branch at a level, or nil.
func faultOf(u *projection.Unit, level int) *ast.Diagnostic {
	if a, ok := u.Axes[level].(interface {
		Fault(i uint64) *ast.Diagnostic
	}); ok {
		return a.Fault(u.Index[level])
	}
	return nil
}

func keyOf(u *projection.Unit, k int) value {
	switch v, null, known := u.Value(k); {
	case !known:
		return anything.orNull()
	case null:
		return nullValue
	default:
		return exactly(v)
	}
}

// culprit is the call that makes e fail, or nil when e doesn't.
func (ev *evaluator) culprit(e expr) *apply {
	a, ok := e.(*apply)
	if !ok || ev.eval(e).is&raised == 0 {
		return nil
	}
	for _, x := range a.args {
		if c := ev.culprit(x); c != nil {
			return c
		}
	}
	return a
}

// fault reports a call that fails for the values of ev.
func (b *builder) fault(x *apply, ev *evaluator) {
	var where []string
	for c := range columns(x) {
		if v, ok := ev.eval(c).known(); ok {
			where = append(where, c.name+" is "+projection.Quote(string(c.t.scalar.Append(nil, v))))
		}
	}
	hint := "exclude these directories by another condition"
	what := x.fn.name + " fails"
	if x.fn.op == castFn.op {
		hint = "write TRY_CAST, which gives NULL, or exclude these directories by another condition"
		what = fmt.Sprintf("%s can't be converted to %s", b.text(x.args[0].node()), b.bind.typeText(x.t))
	}
	b.report(x.at, "plan.value", hint, "%s where %s", what, strings.Join(where, " and "))
}
