package planner

import (
	"slices"

	"github.com/yqlplan/yqlplan/ast"
)

// maxCarried bounds the tables of a join, and the conditions on it, up to which equalities carry conditions from one side
// to the other: the cost grows with the square. Beyond, conditions go to the tables that they name.
const maxCarried = 512

// push brings conditions down to the two sides. P are the conditions from above, C those of ON, L and R what holds for
// all rows of a side by itself; a side's own conditions are not sent back to it, but count for equalities.
//
//	join                          to the left side          to the right side
//	inner, semi                   P, C, R                   P, C, L
//	left                          P                         C, L, and P without the columns of the right side
//	left only (anti)              P                         C, L, and P without the columns of the right side
//	full, exclusion               P by the columns of USING alone
//	positional                    nothing: without a row of one side, others would meet
//	an ANY side                   as above, but only through the columns that ON equates
//
// A left row without a partner stays in the result of a left join, so C says nothing about left rows; a right row only
// matters if it can meet a left row that matters. P says nothing about right rows: dropping one that P refuses would let
// its left row through without a partner. But where P can't be TRUE once all columns of a side are NULL, the rows
// without a partner on that side vanish anyway, and the join is the next narrower one: full → left → inner,
// exclusion → left only.
func (j *joinNode) push(b *builder, ps []pred) {
	kind, l, r := j.narrowed(ps)
	anyL, anyR := j.anyL, j.anyR
	if l != j.l {
		anyL, anyR = anyR, anyL
	}
	var left, right, pairs []pred // pairs: what holds where rows of both sides meet
	switch kind {
	case innerJoin, semiJoin:
		pairs = slices.Concat(ps, j.on)
		left = pairs
		if j.within {
			left = slices.Concat(ps, extra(j.on))
		}
		left = b.perRow(r, slices.Concat(left, extra(b.given(r, pairs))))
		right = b.perRow(l, slices.Concat(pairs, extra(b.given(l, pairs))))
	case leftJoin, antiJoin:
		pairs = append(without(ps, r), j.on...)
		left, right = ps, b.perRow(l, slices.Concat(pairs, extra(b.given(l, pairs))))
	default:
		left, right = j.unmerged(ps, 0), j.unmerged(ps, 1)
	}
	if anyL {
		left = j.equated(l, left)
	}
	if anyR {
		right = j.equated(r, right)
	}
	toL := b.toward(l, left, b.implied(l))
	if j.within {
		toL = append(toL, columnless(ps)...)
	}
	b.push(l, toL)
	b.push(r, b.toward(r, right, b.implied(r)))
}

// columnless are the conditions of no columns, such as EXISTS and RANDOM() < 0.5: filters of the rows that a WHERE is about.
// Those that are never TRUE go everywhere.
func columnless(ps []pred) []pred {
	return slices.DeleteFunc(slices.Clone(ps), func(p pred) bool { return !isConstant(p.x) || never(p.x, nil) })
}

// narrowed is the join as it counts for rows for which ps can be TRUE.
func (j *joinNode) narrowed(ps []pred) (kind joinKind, l, r node) {
	switch j.kind {
	case innerJoin, semiJoin, antiJoin, positionalJoin:
		return j.kind, j.l, j.r
	}
	noL, noR := refusesNulls(ps, j.l), refusesNulls(ps, j.r)
	switch j.kind {
	case leftJoin:
		if noR {
			return innerJoin, j.l, j.r
		}
	case fullJoin:
		switch {
		case noL && noR:
			return innerJoin, j.l, j.r
		case noL:
			return leftJoin, j.l, j.r
		case noR:
			return leftJoin, j.r, j.l
		}
	case exclusionJoin:
		switch {
		case noL:
			return antiJoin, j.l, j.r
		case noR:
			return antiJoin, j.r, j.l
		}
	}
	return j.kind, j.l, j.r
}

// refusesNulls reports whether some condition can't be TRUE when all columns of n are NULL.
func refusesNulls(ps []pred, n node) bool {
	at := func(c *column) value {
		if n.owns(c.rel) {
			return nullValue
		}
		return unknown(c.t)
	}
	return slices.ContainsFunc(ps, func(p pred) bool { return never(p.x, at) })
}

// without hides the columns of n.
func without(ps []pred, n node) []pred {
	out := make([]pred, len(ps))
	for i, p := range ps {
		out[i] = p.with(func(c *column) expr {
			if n.owns(c.rel) {
				return hidden(c)
			}
			return nil
		})
		out[i].extra = true
	}
	return out
}

// unmerged is what conditions on a full join say of the rows of one side, the left one being 0: only by the columns of
// USING, which are that side's own for such a row, and equal for those that it meets. So these are kept or dropped with it.
func (j *joinNode) unmerged(ps []pred, side int) []pred {
	out := extra(ps)
	for i := range out {
		out[i].x = j.unmergedIn(out[i].x, side)
	}
	return out
}

func (j *joinNode) unmergedIn(e expr, side int) expr {
	switch e := e.(type) {
	case *column:
		if j.owns(e.rel) {
			return hidden(e)
		}
	case *apply:
		if slices.Contains(j.merged, e) {
			return e.args[side]
		}
		args := make([]expr, len(e.args))
		for i, a := range e.args {
			args[i] = j.unmergedIn(a, side)
		}
		return &apply{at: e.at, fn: e.fn, args: args, t: e.t}
	case *opaque:
		return &opaque{at: e.at, t: e.t, why: e.why}
	}
	return e
}

// extra marks conditions as not to be filtered by.
func extra(ps []pred) []pred {
	out := slices.Clone(ps)
	for i := range out {
		out[i].extra = true
	}
	return out
}

// equated leaves of conditions for an ANY side what they say by the columns that ON equates: rows that are equal in these
// are kept or dropped together, so the one that is taken doesn't depend on it.
func (j *joinNode) equated(side node, ps []pred) []pred {
	var keys []expr
	for _, e := range equalities(j.on) {
		keys = append(keys, e.x, e.y)
	}
	out := make([]pred, len(ps))
	for i, p := range ps {
		out[i] = p.with(func(c *column) expr {
			if side.owns(c.rel) && !slices.ContainsFunc(keys, func(k expr) bool { return equalExpr(k, c) }) {
				return hidden(c)
			}
			return nil
		})
		out[i].extra = p.extra || out[i].x != p.x
	}
	return out
}

// maxPerRow bounds the rows of VALUES for which conditions are written out.
const maxPerRow = 4096

// perRow turns conditions about the rows of n, where these are written out as VALUES, into one that is TRUE when they
// hold for one of them: t.y = d.a AND t.z = d.b becomes t.y = 1 AND t.z = 2 OR t.y = 3 AND t.z = 1.
func (b *builder) perRow(n node, ps []pred) []pred {
	list, ok := b.rowsOf(n)
	if _, written := n.(*rowsNode); !ok || len(list.rows) == 0 || len(list.rows) > maxPerRow || !written && len(list.rows) == 1 {
		return ps // one row is told by equalities
	}
	var others, about []pred
	for _, p := range ps {
		if mentions(p.x, n) {
			about = append(about, p)
		} else {
			others = append(others, p)
		}
	}
	if len(about) == 0 {
		return ps
	}
	shown := all(exprsOf(about))
	var rows []expr
	for i := range list.rows {
		var each []expr
		for _, p := range about {
			each = append(each, b.inRow(p.x, list, i))
		}
		rows = append(rows, b.chain(shown, andFn, each))
	}
	return append(others, pred{x: b.chain(shown, orFn, rows), shown: shown, from: "the rows of VALUES", extra: true})
}

func (b *builder) chain(at ast.Expr, fn *function, args []expr) expr {
	if len(args) == 1 {
		return args[0]
	}
	return b.bind.call(at, fn, args...)
}

func mentions(x expr, n node) bool {
	for c := range columns(x) {
		if n.owns(c.rel) {
			return true
		}
	}
	return false
}

func exprsOf(ps []pred) []ast.Expr {
	out := make([]ast.Expr, len(ps))
	for i := range ps {
		out[i] = ps[i].shown
	}
	return out
}

// equality is a condition x = y.
type equality struct {
	x, y expr
	pred *pred
}

// equalities are the conditions that can only be TRUE for rows in which two values are equal.
func equalities(ps []pred) []equality {
	var out []equality
	for i := range ps {
		if a, ok := ps[i].x.(*apply); ok && len(a.args) == 2 {
			switch a.fn.op {
			case ast.OpEq, ast.OpNotDistinct, ast.OpNullSafeEq:
				out = append(out, equality{a.args[0], a.args[1], &ps[i]})
			}
		}
	}
	return out
}

// stand is what stands for a column of another node, and the equality that tells.
type stand struct {
	x   expr
	why equality
}

// stands finds what the columns of other nodes are equal to, by the equalities in ps and own: an expression over the
// columns of n alone or, where there is none, one without columns.
func (b *builder) stands(n node, ps, own []pred) map[columnID]stand {
	eqs := append(equalities(ps), equalities(own)...)
	if len(eqs) == 0 {
		return nil
	}
	found := map[columnID]stand{}
	for _, constants := range []bool{false, true} {
		for again := true; again; {
			again = false
			for _, e := range eqs {
				again = b.stand(found, n, e.x, e.y, e, constants) || again
				again = b.stand(found, n, e.y, e.x, e, constants) || again
			}
		}
	}
	return found
}

// stand enters what y gives for x, if it does, and reports whether it is new. Where the types differ, y is converted: a
// value that is equal to x is still x then.
func (b *builder) stand(found map[columnID]stand, n node, x, y expr, why equality, constants bool) bool {
	c, ok := x.(*column)
	if !ok || n.owns(c.rel) {
		return false
	}
	if _, ok := found[c.id()]; ok {
		return false
	}
	y = replace(y, func(c *column) expr { return found[c.id()].x })
	if !settledBy(y, n) || isConstant(y) != constants {
		return false
	}
	switch t := y.typ(); {
	case t.sameScalar(c.t):
	case t.isInt() && c.t.isInt() || t.isDate() && c.t.isDate():
		y = b.bind.convert(y, c.t)
	default:
		return false
	}
	found[c.id()] = stand{y, why}
	return true
}

// settledBy reports whether e is told by the columns of n alone, the same each time.
func settledBy(e expr, n node) bool {
	switch e := e.(type) {
	case *column:
		return n.owns(e.rel)
	case *constant:
		return true
	case *apply:
		return !slices.ContainsFunc(e.args, func(x expr) bool { return !settledBy(x, n) })
	}
	return false
}

func isConstant(e expr) bool {
	for range columns(e) {
		return false
	}
	return true
}

// toward is what ps say about the rows of n: as they are, and with columns of other nodes replaced by what is equal to
// them. own are conditions that n has by itself.
func (b *builder) toward(n node, ps, own []pred) []pred {
	var equal map[columnID]stand
	if len(ps)+len(own) <= maxCarried {
		equal = b.stands(n, ps, own)
	}
	var out []pred
	for _, p := range ps {
		var why *stand
		q := p.with(func(c *column) expr {
			s, ok := equal[c.id()]
			if !ok {
				return nil
			}
			if why == nil {
				why = &s
			}
			return s.x
		})
		if why != nil && !trivial(q.x) {
			q.extra, q.from = true, b.joinText(n, why)
			p = q
		}
		if concerns(p.x, n) {
			out = append(out, p)
		}
	}
	return out
}

// trivial reports whether x compares something with itself: it is the equality that other conditions moved by.
func trivial(x expr) bool {
	eqs := equalities([]pred{{x: x}})
	return len(eqs) == 1 && equalExpr(bare(eqs[0].x), bare(eqs[0].y))
}

// bare is e without conversions around it.
func bare(e expr) expr {
	for {
		a, ok := e.(*apply)
		if !ok || a.fn.op != "CAST" {
			return e
		}
		e = a.args[0]
	}
}

// concerns reports whether x can say something about the rows of n: it has columns of n, or it is never TRUE.
func concerns(x expr, n node) bool { return mentions(x, n) || isConstant(x) && never(x, nil) }

// joinText says by what a condition has come: "join with u on t.year = u.year", "u.year = 2021".
func (b *builder) joinText(n node, why *stand) string {
	p := why.why.pred
	if p.from != "" {
		return p.from
	}
	text := b.text(p.shown)
	if isConstant(why.x) {
		return text
	}
	for _, side := range []expr{why.why.x, why.why.y} {
		for c := range columns(side) {
			if !n.owns(c.rel) && c.rel.name != "" {
				return "join with " + c.rel.name + " on " + text
			}
		}
	}
	return "join on " + text
}
