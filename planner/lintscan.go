package planner

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// idle tells why a condition on partition columns drops nothing, or costs more than it must.
func (l *linter) idle(p *part) {
	keys := keysIn(p.x)
	if len(keys) == 0 || !p.alone {
		return
	}
	if c := inFunction(p.x); c != nil && l.Table.System == "doris" && l.hashed(c.key()) { // PruneOlapScanTablet.java
		l.Notef("lint.function", p.shown, "compare "+c.name+" itself with a constant", "Doris reads all buckets where %s stands in a function or a cast", c.name)
	}
	effect := l.effectOf(p)
	switch {
	case effect == Unused && l.followed(keys): // it drops something by what follows from it
	case effect == Unused && opaqueIn(p.x, "a subquery"):
		l.Notef("lint.runtime", p.shown, "add a condition on "+keys[0]+" with constants", "what %s is compared with is known only when the query runs, so nothing is dropped", keys[0])
	case effect == Unused && len(keys) < len(names(p.x)) && !isLogic(p.x):
		l.Notef("lint.mixed", p.shown, "add a condition on "+strings.Join(keys, ", ")+" alone", "the condition needs %s from the rows, so it drops nothing", strings.Join(except(names(p.x), keys), ", "))
	case isLogic(p.x) && l.void(p):
		l.Warnf("lint.or", p.shown, "was AND meant?", "one side or the other of this OR is TRUE everywhere, so it drops nothing")
	case len(keys) == 1 && l.tried(p):
		if hint := l.asRange(p); hint != "" {
			l.Notef("lint.function", p.shown, hint, "this is evaluated for each value of %s; a range finds them at once", keys[0])
		}
	}
}

// followed reports whether a condition that follows from others restricts one of some keys.
func (l *linter) followed(keys []string) bool {
	return slices.ContainsFunc(l.parts, func(p part) bool {
		return p.extra && l.effectOf(&p) != Unused && len(except(keys, keysIn(p.x))) < len(keys)
	})
}

// effectOf is what a condition did, as told of the scan.
func (l *linter) effectOf(p *part) Effect {
	for _, c := range l.Conjuncts {
		if c.Expr == p.shown {
			return c.Effect
		}
	}
	return Unused
}

// keysIn are the names of the partition columns in e, each once; names those of all columns.
func keysIn(e expr) (out []string) {
	for c := range columns(e) {
		if c.key() >= 0 && !slices.Contains(out, c.name) {
			out = append(out, c.name)
		}
	}
	return out
}

func names(e expr) (out []string) {
	for c := range columns(e) {
		if !slices.Contains(out, c.name) {
			out = append(out, c.name)
		}
	}
	return out
}

func except(list, drop []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(drop, s) })
}

func isLogic(e expr) bool {
	a, ok := e.(*apply)
	return ok && a.fn.op == ast.OpOr && isChain(a.at)
}

func opaqueIn(e expr, why string) bool { return findOpaque(e) == why }

// void reports whether an OR of comparisons of partition columns is TRUE for everything that there is.
func (l *linter) void(p *part) bool {
	if l.Table.Layout.Open || !fixed(l.Table.Layout) || p.check.Depths != 0 || len(keysIn(p.x)) < len(names(p.x)) {
		return false
	}
	misses, err := projection.Misses(l.ctx, l.Table.Layout, p.d)
	if l.err == nil {
		l.err = err
	}
	return !misses && err == nil
}

// empty tells which condition, after those before it, leaves nothing to read, unless something in it has been told already.
func (l *linter) empty() {
	if len(l.List) > 0 || l.Table.Layout.Source != nil {
		return
	}
	by, err := l.emptied(l.ctx)
	l.err = cmp.Or(l.err, err)
	if len(by) == 0 {
		return
	}
	msg := "this condition leaves nothing to read"
	if len(by) > 1 {
		msg = "together with the conditions before it, this one leaves nothing to read"
	}
	l.Warnf("lint.empty", by[len(by)-1].shown, "", "%s of %s", msg, l.Table.Name)
}

// factors tells of the keys that nothing restricts, and how often over each makes the rest be read.
func (l *linter) factors(p *Plan, selected *big.Int) {
	var free []string
	var cost []uint64
	restricted := false
	for k, key := range l.Table.Layout.Keys {
		a := l.axis(k)
		if a == nil {
			continue
		}
		last, ok := a.Last()
		switch {
		case l.restricts(k):
			restricted = true
		case ok && last > 0 && !l.hashed(k):
			free, cost = append(free, key.Name), append(cost, last+1)
		}
	}
	switch {
	case len(free) == 0:
	case restricted:
		for i, name := range free {
			l.Notef("lint.factor", l.reference(), "add a condition on "+name, "nothing restricts %s: each of its %s values is read, which makes it %s times as much",
				name, projection.Grouped(cost[i]), projection.Grouped(cost[i]))
		}
	default:
		msg := fmt.Sprintf("no condition restricts %s of %s: all %s %s are read", strings.Join(free, ", "), l.Table.Name, projection.Grouped(selected), l.unit())
		if sel, ok := p.Stmt.(*ast.Select); ok && sel.Limit != nil && len(l.parts) == 0 {
			msg += "; LIMIT doesn't make it fewer"
		}
		most := free[slices.Index(cost, slices.Max(cost))]
		l.Notef("lint.factor", l.reference(), "add a condition on "+most, "%s", msg)
	}
}

// restricts reports whether a condition on a key dropped anything.
func (l *linter) restricts(key int) bool {
	return slices.ContainsFunc(l.parts, func(p part) bool {
		if p.d.Depends(key) {
			return true
		}
		if p.check.Depths == 0 {
			return false
		}
		for c := range columns(p.x) {
			if c.rel == l.node.rel && c.key() == key {
				return true
			}
		}
		return false
	})
}

// hashed reports whether a key only chooses buckets: reading all of them is no oversight.
func (l *linter) hashed(key int) bool {
	for _, level := range l.Table.Layout.Levels {
		if slices.Contains(level.Keys(), key) {
			a := l.axis(key)
			_, cells := a.(projection.Cells)
			return !cells && !projection.Decides(level, key)
		}
	}
	return false
}

// mostInjected is how many values of an injected column Athena takes (user guide, "Dynamic ID partitioning").
const mostInjected = 1000

// injected looks at the values that a query names for injected columns: they go into paths as they are.
func (l *linter) injected() {
	for i, level := range l.node.table.Layout.Levels {
		if _, ok := level.(*projection.Injected); !ok || i >= len(l.Table.Layout.Levels) {
			continue
		}
		key := level.Keys()[0]
		a := l.axis(key)
		if a == nil {
			continue
		}
		last, ok := a.Last()
		if ok && last >= mostInjected {
			l.Warnf("lint.injected", l.reference(), "split the query", "Athena itself takes %d values of the injected column %s, and %s are named", mostInjected, l.Table.Layout.Keys[key].Name, projection.Grouped(last+1))
		}
		l.paths(key, a, last, ok)
	}
}

// paths looks for values that would make another folder.
func (l *linter) paths(key int, a projection.Axis, last uint64, ok bool) {
	for i := uint64(0); ok && i <= last && i < few; i++ {
		v, null, _ := a.Value(i)
		if text := v.Text(); !null && (text == "" || strings.Contains(text, "/") || text == "." || text == "..") {
			l.Warnf("lint.injected", l.reference(), "", "the value %s of the injected column %s names another folder than that of one value", projection.Quote(text), l.Table.Layout.Keys[key].Name)
			return
		}
	}
}
