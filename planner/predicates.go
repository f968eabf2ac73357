package planner

import (
	"slices"
	"strconv"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// compare is "l op r" with op one of the comparisons, =, <, IS NOT DISTINCT FROM and so on.
func (b *binder) compare(at ast.Expr, op ast.Op, l, r expr) expr {
	if b.sem.compare != nil {
		if x := b.sem.compare(b, at, op, l, r); x != nil {
			return x
		}
	}
	return b.compareAlike(at, op, l, r)
}

// compareAlike compares operands whose types are comparable as they are.
func (b *binder) compareAlike(at ast.Expr, op ast.Op, l, r expr) expr {
	switch why, hint := b.comparable(l, r); {
	case why == "":
	case b.sem.lenient:
		return boolOpaque(at, why, l, r)
	default:
		place := r.node()
		if _, ok := l.(*constant); ok {
			place = l.node()
		}
		b.errorf(place, "bind.compare", hint, "%s", why)
		return boolOpaque(at, "an expression with an error", l, r)
	}
	switch op {
	case ast.OpDistinct, ast.OpNotDistinct, ast.OpNullSafeEq:
		return b.call2(at, distinct(op), l, r)
	}
	return b.call2(at, comparison(op), l, r)
}

// comparable says why two expressions can't be compared, and what to write instead; "" when they can.
func (b *binder) comparable(l, r expr) (why, hint string) {
	t, u := l.typ(), r.typ()
	if comparableTypes(t, u) {
		return "", ""
	}
	why = b.described(l) + " can't be compared with " + b.described(r)
	if hint = b.suggestion(t, r); hint == "" {
		hint = b.suggestion(u, l)
	}
	return why, hint
}

// described is an expression with its type, for messages.
func (b *binder) described(x expr) string {
	if n := nodeText(x); n != "the operand" {
		return n + " (" + b.typeText(x.typ()) + ")"
	}
	return "a value of type " + b.typeText(x.typ())
}

// comparableTypes: numbers with numbers, texts with texts, dates with dates, tuples element by element.
func comparableTypes(t, u typ) bool {
	if t.isOpen() || u.isOpen() {
		return true
	}
	if t.shape != u.shape {
		return false
	}
	switch t.shape {
	case scalarShape:
		return t.scalar == u.scalar || t.isNumber() && u.isNumber() || t.isDate() && u.isDate()
	case tupleShape:
		if len(t.items) != len(u.items) {
			return false
		}
		for i := range t.items {
			if !comparableTypes(t.items[i], u.items[i]) {
				return false
			}
		}
	}
	return true
}

// sampleDay is 2021-01-05.
const sampleDay = 18632

// suggestion is how a constant of another type is written as one of type t.
func (b *binder) suggestion(t typ, x expr) string {
	c, ok := x.(*constant)
	if !ok {
		if u := x.typ(); t.shape == scalarShape && u.shape == scalarShape && !(t.isDate() && u.isInt() || t.isInt() && u.isDate()) {
			if n := nodeText(x); n != "the operand" {
				return "write CAST(" + n + " AS " + b.typeText(t) + ")"
			}
		}
		return ""
	}
	v, ok := c.v.known()
	switch {
	case !ok:
	case t.isText() && c.t.isInt():
		return "write " + b.sem.literal(t, string(c.t.scalar.Append(nil, v)))
	case t.isInt() && c.t.isText():
		if n := parseInt(v.Text(), t.scalar.Kind); n.isKnown() {
			return "write " + string(t.scalar.Append(nil, n.lo)) + " without quotes"
		}
	case t.isDate() && c.t.isText() && b.sem.parseDate != nil:
		if _, bad := b.sem.parseDate(v.Text(), t); bad == nil {
			return "write " + b.sem.literal(t, v.Text())
		}
		return "write " + b.sem.literal(t, string(t.scalar.Append(nil, pruning.Int(sampleDay*microsADay/(nanosPer(t.scalar)/1000)))))
	case t.isText() && c.t.isDate():
		return "write " + b.sem.literal(t, string(c.t.scalar.Append(nil, v)))
	}
	return ""
}

// between is x >= lo AND x <= hi. SYMMETRIC takes the bounds either way round.
func (b *binder) between(e *ast.Between, sc *scope) expr {
	x, lo, hi := b.bind(e.X, sc), b.bind(e.Lo, sc), b.bind(e.Hi, sc)
	out := b.call2(e, andFn, b.compare(e, ast.OpGe, x, lo), b.compare(e, ast.OpLe, x, hi))
	if e.Symmetric && !b.failedNow(out) {
		other := b.call(e, andFn, b.compare(e, ast.OpGe, x, hi), b.compare(e, ast.OpLe, x, lo))
		out = b.call(e, orFn, out, other)
	}
	if e.Not {
		return b.call(e, notFn, out)
	}
	return out
}

// failedNow: x holds an error that was just reported, and needn't be again.
func (b *binder) failedNow(x expr) bool {
	switch x := x.(type) {
	case *opaque:
		return x.why == "an expression with an error"
	case *apply:
		for _, a := range x.args {
			if b.failedNow(a) {
				return true
			}
		}
	}
	return false
}

// in is x IN set. Constants of a list become one set of values of x's type; other items are compared one by one.
func (b *binder) in(e *ast.In, sc *scope) expr {
	x := b.bind(e.X, sc)
	out := b.inSet(e, x, sc)
	if b.sem.looseIn {
		out = b.coalesce(e, out, boolOpaque(e, "IN where NULL is met"))
	}
	if e.Not {
		return b.call(e, notFn, out)
	}
	return out
}

func (b *binder) inSet(e *ast.In, x expr, sc *scope) expr {
	switch s := e.Set.(type) {
	case *ast.Tuple:
		return b.inItems(e, x, s.Items, sc)
	case *ast.ListExpr:
		return b.inItems(e, x, s.Items, sc)
	case *ast.Call:
		if fn := b.sem.calls.plain[b.sem.funcName(s.Func.Text)]; fn == listFn && s.Module.Text == "" {
			return b.inExprs(e, x, b.arguments(s, sc))
		}
	case *ast.Subquery:
		return b.inQuery(e, x, s.Query, sc)
	case *ast.Param:
		if p := sc.params.lookup(s.Name); sc.locals.lookup(s.Name) == nil && p != nil && p.query != nil && p.sel == nil {
			defer b.follow(p.sem)()
			return b.inQuery(e, x, p.query, &scope{params: p.up})
		}
	}
	set := b.bind(e.Set, sc)
	switch s := set.(type) {
	case *apply:
		if s.fn.op == "LIST" || s.fn.op == "TUPLE" {
			return b.inExprs(e, x, s.args)
		}
	case *constant:
		if p := s.v.parts; p != nil && s.t.shape != lambdaShape {
			return b.inExprs(e, x, constants(s))
		}
		if s.t.shape == scalarShape && b.sem.lenient {
			return b.inExprs(e, x, []expr{s})
		}
		if s.t.shape == scalarShape {
			b.errorf(e.Set, "bind.compare", "put it into parentheses", "IN takes a list, and %s is none", b.described(s))
			return boolOpaque(e, "an expression with an error", x)
		}
	}
	return boolOpaque(e, "a list that isn't known", x, set)
}

// constants are the items of a list, tuple, set or dict as expressions of their own.
func constants(c *constant) []expr {
	out := make([]expr, len(c.v.parts.items))
	for i, v := range c.v.parts.items {
		t := typ{}
		if len(c.t.items) > 0 {
			t = c.t.items[0]
		}
		if c.t.shape == tupleShape || c.t.shape == structShape {
			t = c.t.items[i]
		}
		out[i] = &constant{at: c.at, t: t, v: v}
	}
	return out
}

// inQuery is x IN (SELECT …).
func (b *binder) inQuery(e *ast.In, x expr, q ast.Query, sc *scope) expr {
	if r := b.plan(q, e.Set, sc); r != nil && len(r.cols) == 1 {
		col := &opaque{at: e.Set, t: r.cols[0].typ}
		if why, hint := b.comparable(x, col); why != "" && !b.sem.lenient {
			b.errorf(e.Set, "bind.compare", hint, "%s", why)
		}
	}
	if rows, ok := b.knownRows(e.Set); ok {
		return b.inExprs(e, x, b.items(e.Set, rows))
	}
	return boolOpaque(e, "a subquery", x)
}

func (b *binder) knownRows(at ast.Expr) ([][]expr, bool) {
	if b.queries == nil {
		return nil, false
	}
	return b.queries.queryRows(at)
}

// items are the rows of a query as the items of a list: of one column its values, of several tuples.
func (b *binder) items(at ast.Expr, rows [][]expr) []expr {
	out := make([]expr, len(rows))
	for i, row := range rows {
		if out[i] = row[0]; len(row) > 1 {
			out[i] = b.call(at, tupleFn, row...)
		}
	}
	return out
}

func (b *binder) inItems(e *ast.In, x expr, items []ast.Expr, sc *scope) expr {
	if limit := b.limits.Rows; limit > 0 && len(items) > limit {
		b.report(ast.Note, e, "limit.rows", "", "a list of "+strconv.Itoa(len(items))+" values is too long to be used")
		return boolOpaque(e, "a list that is too long", x)
	}
	return b.inExprs(e, x, b.bindAll(items, sc))
}

// inExprs is x = a OR x = b OR …, with the constants gathered. Only the first item of a wrong type is reported.
func (b *binder) inExprs(e *ast.In, x expr, items []expr) expr {
	if b.sem.in != nil {
		return b.sem.in(b, e, x, items)
	}
	return b.inAlike(e, x, items)
}

// inAlike is inExprs for items whose types are comparable with that of x as they are.
func (b *binder) inAlike(e *ast.In, x expr, items []expr) expr {
	known := make([]*constant, 0, len(items))
	var others []expr
	for _, item := range items {
		if why, hint := b.comparable(x, item); why != "" {
			if !b.sem.lenient {
				b.errorf(item.node(), "bind.compare", hint, "%s", why)
			}
			return boolOpaque(e, "an expression with an error", x)
		}
		if c, ok := item.(*constant); ok && c.v.settled() && (c.t.shape == x.typ().shape || c.v.isNull()) && !unsure(x.typ(), c) {
			known = append(known, c)
		} else {
			others = append(others, b.compare(e, ast.OpEq, x, item))
		}
	}
	if len(known) > 0 || len(others) == 0 {
		others = append(others, b.inConstants(e, x, known))
	}
	if len(others) == 1 {
		return others[0]
	}
	return b.call(e, orFn, others...)
}

// unsure: a value of type t may be equal to the constant or not.
func unsure(t typ, c *constant) bool {
	if t.shape != scalarShape || !c.v.isKnown() || !isFloat(t.scalar.Kind) && !isFloat(c.t.scalar.Kind) {
		return false
	}
	return cutsAt(t.scalar, c.t.scalar, c.v.lo).incomparable
}

// inConstants compares x with constants: as a set when x is a scalar, else item by item.
func (b *binder) inConstants(e *ast.In, x expr, items []*constant) expr {
	t := x.typ()
	if t.shape != scalarShape {
		return b.inTuples(e, x, items)
	}
	p := &parts{}
	if len(items) == 0 {
		return b.call(e, inFn, x, &constant{at: e.Set, t: listOf(t), v: value{is: some, parts: p}})
	}
	points := make([]pruning.Value, 0, len(items))
	for _, item := range items {
		if item.v.isNull() {
			p.nulls = true
		} else if c := cutsAt(t.scalar, item.t.scalar, item.v.lo); c.hit {
			points = append(points, c.from)
		}
	}
	set := pruning.Points(t.scalar, points)
	p.set = &set
	t.notNull = !p.nulls
	return b.call(e, inFn, x, &constant{at: e.Set, t: listOf(t), v: value{is: some, parts: p}})
}

// inTuples compares a tuple with constants: those whose elements have the types of the first one's make a list, the others,
// such as (1, NULL), are compared one by one.
func (b *binder) inTuples(e *ast.In, x expr, items []*constant) expr {
	list := &parts{}
	var out []expr
	var t typ
	for _, c := range items {
		switch {
		case c.t.shape == tupleShape && len(list.items) == 0 && c.t.scalars():
			t = c.t
			list.items = append(list.items, c.v)
		case len(list.items) > 0 && c.t.sameElements(t):
			list.items = append(list.items, c.v)
		default:
			out = append(out, b.compare(e, ast.OpEq, x, c))
		}
	}
	if len(list.items) > 0 {
		out = append(out, b.call(e, inFn, x, &constant{at: e.Set, t: listOf(t), v: value{is: some, parts: list}}))
	}
	switch len(out) {
	case 0:
		return boolOpaque(e, "an empty list", x)
	case 1:
		return out[0]
	}
	return b.call(e, orFn, out...)
}

// scalars: a tuple of nothing but scalars that aren't NULL.
func (t typ) scalars() bool {
	return !slices.ContainsFunc(t.items, func(x typ) bool { return x.shape != scalarShape || !x.notNull })
}

// sameElements: both are tuples of the same scalars.
func (t typ) sameElements(u typ) bool {
	return t.shape == tupleShape && t.scalars() && slices.EqualFunc(t.items, u.items, typ.sameScalar)
}
