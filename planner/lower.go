package planner

import (
	"math"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// lower turns a Bool into a diagram over the keys of rel's layout. Columns of other relations and data columns are
// unknown. No problem is reported here: a part that can't be used has a reason.
//
// Logic becomes the diagrams' own operations and the usual comparisons become sets. Any other predicate over keys is
// evaluated on ranges of their values, which are halved until the outcome is certain; see [lowering.halve].
func lower(e expr, rel *relation, sp *pruning.Space) lowered {
	return newLowering(rel, sp).lower(e)
}

// maxWork bounds what the predicates of a scan may take to be tried on ranges, in nodes evaluated: a second or two.
const maxWork = 1 << 24

// newLowering lowers the predicates of a scan, within maxWork together. Once that is used up, predicates stay open.
func newLowering(rel *relation, sp *pruning.Space) *lowering {
	const args = 4 // of most calls
	n := len(sp.Keys())
	room := make([]value, n+args)
	return &lowering{rel: rel, sp: sp, work: maxWork, domains: make([]*domain, n), ev: evaluator{rel: rel, keys: room[:n:n], stack: room[n:n]}}
}

// lower is the function lower, for one predicate after the other.
func (l *lowering) lower(e expr) lowered {
	l.exact, l.depths, l.reasons = true, 0, nil
	out := lowered{d: l.bool(e), exact: l.exact, reasons: l.reasons}
	if l.depths != 0 {
		l.deepen(l.keysOf(e)) // what one part leaves open, the keys of another may settle
		out.check = l.check(e)
	}
	return out
}

// lowering is the state of lowering the predicates of a scan.
type lowering struct {
	rel     *relation
	sp      *pruning.Space
	work    int       // that is left
	nodes   int       // of the leaf that is being tried
	domains []*domain // by key, filled when asked for
	ev      evaluator
	exact   bool
	depths  uint64
	reasons []reason // of the predicate at hand, like exact and depths
}

func (l *lowering) bool(e expr) pruning.Diagram {
	switch e := e.(type) {
	case *constant:
		return l.constant(e, e.v)
	case *column:
		if k := l.key(e); k >= 0 && e.t.isBool() {
			return l.sp.In(k, pruning.Point(e.t.scalar, pruning.Int(1)))
		}
	case *apply:
		if d, ok := l.apply(e); ok {
			return d
		}
	}
	return l.leaf(e)
}

func (l *lowering) constant(e expr, v value) pruning.Diagram {
	o := v.outcomes()
	if o&(o-1) != 0 {
		l.because(e, "its value isn't known")
	}
	return l.sp.Const(o)
}

// apply handles what has a form of its own.
func (l *lowering) apply(e *apply) (pruning.Diagram, bool) {
	switch e.fn.op {
	case ast.OpAnd:
		return l.sp.All(pruning.Diagram.And, l.all(e.args), l.sp.Const(pruning.True)), true
	case ast.OpOr:
		return l.sp.All(pruning.Diagram.Or, l.all(e.args), l.sp.Const(pruning.False)), true
	case ast.OpXor:
		return l.sp.All(pruning.Diagram.Xor, l.all(e.args), l.sp.Const(pruning.False)), true
	case ast.OpNot:
		return l.bool(e.args[0]).Not(), true
	case "IS":
		return l.is(e)
	case "CASE":
		return l.caseOf(e.args), true
	case ast.OpCoalesce:
		return l.coalesce(e.args), true
	case "IN":
		return l.in(e)
	case ast.OpEq, ast.OpNe, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe:
		return l.compare(e.fn.op, e.args[0], e.args[1])
	case ast.OpDistinct, ast.OpNotDistinct, ast.OpNullSafeEq:
		return l.distinct(e)
	}
	if e.fn.only != nil {
		return l.only(e)
	}
	return pruning.Diagram{}, false
}

func (l *lowering) all(es []expr) []pruning.Diagram {
	out := make([]pruning.Diagram, len(es))
	for i, e := range es {
		out[i] = l.bool(e)
	}
	return out
}

// key is the layout key that e is, or -1.
func (l *lowering) key(e expr) int {
	if c, ok := e.(*column); ok && c.rel == l.rel {
		return c.key()
	}
	return -1
}

func (l *lowering) is(e *apply) (pruning.Diagram, bool) {
	x, what := e.args[0], e.fn.accepts
	if x.typ().isBool() {
		return l.bool(x).Is(what), true
	}
	k := l.key(x)
	if k < 0 {
		return pruning.Diagram{}, false
	}
	filled := pruning.True.Is(what)
	if x.typ().notNull {
		return l.sp.Const(filled), true
	}
	return l.sp.Steps(k, nil, []pruning.Outcomes{filled}, pruning.Null.Is(what)), true
}

// caseOf takes conditions and results in turn, then ELSE. Rows go to a result where the condition can be TRUE, and past
// it where the condition can be anything else.
func (l *lowering) caseOf(args []expr) pruning.Diagram {
	out := l.bool(args[len(args)-1])
	for i := len(args) - 3; i >= 0; i -= 2 {
		met := l.bool(args[i]).Is(pruning.True)
		out = l.bool(args[i+1]).Given(met.May()).Join(out.Given(met.Not().May()))
	}
	return out
}

// coalesce passes rows on where an argument can be NULL.
func (l *lowering) coalesce(args []expr) pruning.Diagram {
	out := l.bool(args[len(args)-1])
	filled := l.sp.Const(pruning.True | pruning.False)
	for i := len(args) - 2; i >= 0; i-- {
		d := l.bool(args[i])
		out = d.Meet(filled).Join(out.Given(d.Is(pruning.Null).May()))
	}
	return out
}

// compare lowers "x op y" where one side is a key and the other a constant, where both are Bool, or both tuples.
func (l *lowering) compare(op ast.Op, x, y expr) (pruning.Diagram, bool) {
	if _, ok := x.(*constant); ok {
		x, y, op = y, x, mirror(op)
	}
	if x.typ().isBool() && y.typ().isBool() && (op == ast.OpEq || op == ast.OpNe) {
		d := l.bool(x).Xor(l.bool(y))
		if op == ast.OpEq {
			d = d.Not()
		}
		return d, true
	}
	if x.typ().shape == tupleShape && y.typ().shape == tupleShape {
		return l.tuples(op, x, y)
	}
	c, ok := y.(*constant)
	if !ok {
		return pruning.Diagram{}, false
	}
	if c.v.isNull() {
		return l.sp.Const(pruning.Null), true
	}
	v, ok := c.v.known()
	if !ok || c.t.shape != scalarShape {
		return pruning.Diagram{}, false
	}
	return l.compareConstant(op, x, c.t.scalar, v)
}

func mirror(op ast.Op) ast.Op {
	switch op {
	case ast.OpLt:
		return ast.OpGt
	case ast.OpLe:
		return ast.OpGe
	case ast.OpGt:
		return ast.OpLt
	case ast.OpGe:
		return ast.OpLe
	}
	return op
}

func (l *lowering) compareConstant(op ast.Op, x expr, t pruning.Type, v pruning.Value) (pruning.Diagram, bool) {
	if c, ok := x.(*column); ok && c.t.shape == scalarShape {
		set, ok := cutsAt(c.t.scalar, t, v).where(op)
		if !ok {
			return pruning.Diagram{}, false
		}
		return l.column(c, set)
	}
	if op != ast.OpEq && op != ast.OpNe || t.Kind != pruning.String {
		return pruning.Diagram{}, false
	}
	d, ok := l.texts(x, pruning.Point(t, v))
	if op == ast.OpNe && ok {
		d = d.Not()
	}
	return d, ok
}

// column is "c IN set" for a key, or for a column that keys are computed from.
func (l *lowering) column(c *column, set pruning.Set) (out pruning.Diagram, ok bool) {
	if k := l.key(c); k >= 0 {
		out, ok = l.sp.In(k, set), true
		// Systems differ about NaN being above all numbers. It isn't equal to any, nor below.
		if isFloat(c.t.scalar.Kind) && set.Contains(pruning.Float(math.NaN())) && !set.Contains(pruning.Float(math.Inf(-1))) {
			out = out.Join(l.sp.Steps(k, []pruning.Value{pruning.Float(math.NaN())}, []pruning.Outcomes{pruning.None, pruning.True | pruning.False}, pruning.None))
		}
	}
	if c.rel != l.rel || c.index < 0 || c.rel.table == nil {
		return out, ok
	}
	for _, f := range c.rel.table.Layout.Derived {
		if f.Column != c.name {
			continue
		}
		if d := f.Lift(l.sp, set); ok {
			out = out.Meet(d)
		} else {
			out, ok = d, true
		}
		l.because(c, c.name+" tells ranges of the keys that are computed from it")
	}
	return out, ok
}

// texts is "CAST(key AS String) IN set" for a set of single texts: each is the text of at most one value.
func (l *lowering) texts(x expr, set pruning.Set) (pruning.Diagram, bool) {
	a, ok := x.(*apply)
	if !ok || a.fn.op != "CAST" || !a.t.isText() || a.t.length != 0 {
		return pruning.Diagram{}, false
	}
	k, t := l.key(a.args[0]), a.args[0].typ()
	if k < 0 || !(t.isInt() || t.is(pruning.Date) && !t.wide) {
		return pruning.Diagram{}, false
	}
	cuts, str := set.Cuts(), scalar(pruning.String)
	if len(cuts)%2 == 1 {
		return pruning.Diagram{}, false
	}
	var points []pruning.Value
	for i := 0; i < len(cuts); i += 2 {
		if next, _ := str.scalar.Succ(cuts[i]); next != cuts[i+1] {
			return pruning.Diagram{}, false
		}
		v := castScalar(str, exactly(cuts[i]), t)
		// Another spelling than the cast's own is the text of no value.
		if back, ok := v.known(); ok && formatText(t, exactly(back)).lo == cuts[i] {
			points = append(points, back)
		}
	}
	return l.sp.In(k, pruning.Points(t.scalar, points)), true
}

// in lowers "x IN list" with a list of constants of x's type.
func (l *lowering) in(e *apply) (pruning.Diagram, bool) {
	c, ok := e.args[1].(*constant)
	if !ok || c.v.parts == nil {
		return pruning.Diagram{}, false
	}
	if c.v.parts.set == nil {
		return l.inTuples(e.args[0], c)
	}
	var d pruning.Diagram
	if x, isColumn := e.args[0].(*column); isColumn {
		d, ok = l.column(x, *c.v.parts.set)
	} else {
		d, ok = l.texts(e.args[0], *c.v.parts.set)
	}
	if ok && c.v.parts.nulls {
		d = d.Or(l.sp.Const(pruning.Null))
	}
	return d, ok
}

// distinct lowers "key IS [NOT] DISTINCT FROM constant".
func (l *lowering) distinct(e *apply) (pruning.Diagram, bool) {
	x, y := e.args[0], e.args[1]
	if _, ok := x.(*constant); ok {
		x, y = y, x
	}
	k := l.key(x)
	c, ok := y.(*constant)
	if k < 0 || !ok {
		return pruning.Diagram{}, false
	}
	var d pruning.Diagram
	if c.v.isNull() {
		d = l.sp.Steps(k, nil, []pruning.Outcomes{pruning.True}, pruning.False)
	} else {
		v, known := c.v.known()
		if !known || c.t.shape != scalarShape || isFloat(c.t.scalar.Kind) && !ordinary(v.Float()) {
			return d, false
		}
		set, sure := cutsAt(x.typ().scalar, c.t.scalar, v).where(ast.OpEq)
		if !sure {
			return d, false
		}
		d = l.sp.In(k, set).Is(pruning.True).Not()
	}
	if e.fn.op != ast.OpDistinct {
		d = d.Not()
	}
	return d, true
}

// ordinary reports whether all systems agree which floating point numbers f is distinct from: not so for NaN and the zeros.
func ordinary(f float64) bool { return f == f && f != 0 }

// only lowers a predicate on a key by the set of values outside of which it is FALSE.
func (l *lowering) only(e *apply) (pruning.Diagram, bool) {
	c, ok := e.args[0].(*column)
	if !ok || !c.t.isText() {
		return pruning.Diagram{}, false
	}
	set, all, ok := e.fn.only(e)
	if !ok {
		return pruning.Diagram{}, false
	}
	if all {
		return l.column(c, set)
	}
	k := l.key(c)
	if k < 0 || l.domain(k).listed() {
		return pruning.Diagram{}, false
	}
	outs := make([]pruning.Outcomes, len(set.Cuts())+1)
	for i := range outs {
		outs[i] = pruning.False
		if i%2 == 1 {
			outs[i] |= pruning.True
		}
	}
	l.open(e, []int{k})
	return l.sp.Steps(k, set.Cuts(), outs, pruning.Null), true
}
