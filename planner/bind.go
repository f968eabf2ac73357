package planner

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// maxNested bounds named expressions and lambdas within each other, maxExpanded what lambdas may grow to, maxReplaced by how
// much what columns stand for may make an expression larger, maxNodes the expressions of a statement.
const (
	maxNested   = 128
	maxExpanded = 1 << 18
	maxReplaced = 1 << 14
	maxNodes    = 1 << 22
)

// newBinder makes a binder by the rules of a dialect. Problems are appended to diags.
func newBinder(sem *semantics, now time.Time, limits projection.Limits, diags *ast.Diagnostics) *binder {
	return &binder{sem: sem, now: now.UnixMicro(), limits: limits, diags: diags}
}

func (b *binder) errorf(at ast.Node, code, hint, format string, args ...any) {
	for i, a := range args {
		if t, ok := a.(typ); ok {
			args[i] = b.typeText(t)
		}
	}
	b.report(ast.Error, at, code, hint, fmt.Sprintf(format, args...))
}

func (b *binder) report(s ast.Severity, at ast.Node, code, hint, msg string) {
	*b.diags = append(*b.diags, &ast.Diagnostic{Severity: s, Code: code, Pos: at.Pos(), End: at.End(), Msg: msg, Hint: hint})
}

// failed stands for an expression with an error, so that the others are found, too. It fits everywhere.
func (b *binder) failed(at ast.Expr, args []expr) expr {
	return &opaque{at: at, why: "an expression with an error", args: args}
}

// bind gives e names and types. A problem is reported and leaves an opaque expression.
func (b *binder) bind(e ast.Expr, sc *scope) expr {
	if l, ok := e.(*ast.Literal); ok {
		return b.literal(l)
	}
	if b.nodes++; b.nodes > maxNodes {
		return &opaque{at: e, why: "too large an expression"}
	}
	if b.lambdas > 0 {
		if b.expanded++; b.expanded > maxExpanded {
			return &opaque{at: e, why: "too large an expression"}
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		return b.ident(e, sc)
	case *ast.Param:
		return b.param(e, sc)
	case *ast.Unary:
		return b.unary(e, sc)
	case *ast.Binary:
		return b.binary(e, sc)
	case *ast.Logic:
		return b.logic(e, sc)
	case *ast.Between:
		return b.between(e, sc)
	case *ast.In:
		return b.in(e, sc)
	case *ast.Like:
		return b.like(e, sc)
	case *ast.Is:
		return b.is(e, sc)
	case *ast.Cast:
		return b.cast(e, sc)
	case *ast.Case:
		return b.caseOf(e, sc)
	case *ast.Call:
		return b.callOf(e, sc)
	}
	return b.bindRare(e, sc)
}

func (b *binder) bindRare(e ast.Expr, sc *scope) expr {
	if b.sem.rare != nil {
		if x := b.sem.rare(b, e, sc); x != nil {
			return x
		}
	}
	switch e := e.(type) {
	case *ast.Tuple:
		return b.call(e, tupleFn, b.bindAll(e.Items, sc)...)
	case *ast.ListExpr:
		return b.list(e, b.bindAll(e.Items, sc))
	case *ast.StructExpr:
		return b.structOf(e, e.Fields, sc)
	case *ast.DictExpr:
		return b.dict(e, sc)
	case *ast.Member:
		return b.member(e, sc)
	case *ast.Index:
		if fn := b.sem.calls.plain["element_at"]; fn != nil {
			return b.call(e, fn, b.bind(e.X, sc), b.bind(e.I, sc))
		}
		return b.index(e, b.bind(e.X, sc), b.bind(e.I, sc))
	case *ast.Lambda:
		return &constant{at: e, t: typ{shape: lambdaShape, notNull: true},
			v: value{is: some, parts: &parts{fn: &closure{e, sc, b.sem}}}}
	case *ast.Subquery:
		return b.subquery(e, e.Query, sc)
	case *ast.Exists:
		b.plan(e.Query, e, sc)
		return &opaque{at: e, t: scalar(pruning.Bool), why: "a subquery"}
	case *ast.TypedLiteral:
		if strings.EqualFold(e.Type.Name.Text, "x") {
			return &opaque{at: e, t: typ{notNull: true}, why: "bytes"}
		}
		return b.typedLiteral(e, e.Type.Name.Text, b.writtenType(e.Type), e.Text.Text, e.Text)
	case *ast.Interval:
		if b.sem.interval != nil {
			if x := b.sem.interval(b, e); x != nil {
				return x
			}
		}
		return &opaque{at: e, why: "an interval of the calendar", args: []expr{b.bind(e.X, sc)}}
	case *ast.Extract:
		if fn := b.sem.calls.plain[b.sem.funcName(e.Field.Text)]; fn != nil && fn.min == 1 && fn.max == 1 {
			return b.call(e, fn, b.bind(e.X, sc))
		}
		return &opaque{at: e, why: "EXTRACT", args: []expr{b.bind(e.X, sc)}}
	}
	return &opaque{at: e, why: "an expression without a value"} // TypeExpr, Star
}

func (b *binder) bindAll(es []ast.Expr, sc *scope) []expr {
	out := make([]expr, len(es))
	for i, e := range es {
		out[i] = b.bind(e, sc)
	}
	return out
}

// condition is bind for what must be Bool (WHERE, ON, HAVING): else the error bind.bool, and an opaque Bool.
func (b *binder) condition(e ast.Expr, sc *scope) expr {
	return b.wantBool(b.bind(e, sc), "the condition")
}

func (b *binder) wantBool(x expr, what string) expr {
	t := x.typ()
	if t.isBool() {
		return x
	}
	if b.sem.truth != nil {
		if y := b.sem.truth(b, x); y != nil {
			return y
		}
	}
	if !t.isOpen() && !b.sem.lenient {
		hint := "compare it with something"
		if t.isNumber() {
			hint = "compare it, for example with != 0"
		}
		b.errorf(x.node(), "bind.bool", hint, "%s is %s and not Bool", what, t)
	}
	if t.shape == nullShape {
		return &constant{at: x.node(), t: scalar(pruning.Bool).optional(), v: nullValue}
	}
	return &opaque{at: x.node(), t: scalar(pruning.Bool).optional(), why: whyOf(x), args: []expr{x}}
}

// whyOf says why nothing is known of x.
func whyOf(x expr) string {
	switch x := x.(type) {
	case *opaque:
		return x.why
	case *column:
		return x.name
	}
	return "a value of unknown type"
}

// call makes a call and folds it when its arguments are constants.
func (b *binder) call(at ast.Expr, fn *function, args ...expr) expr {
	t, ok := fn.result(args)
	if !ok {
		return b.wrongArguments(at, fn, args)
	}
	return b.fold(&apply{at: at, fn: fn, args: args, t: t})
}

// call2 is call with two arguments.
func (b *binder) call2(at ast.Expr, fn *function, x, y expr) expr {
	made := &struct {
		apply
		args [2]expr
	}{args: [2]expr{x, y}}
	args := made.args[:]
	t, ok := fn.result(args)
	if !ok {
		return b.wrongArguments(at, fn, args)
	}
	made.apply = apply{at: at, fn: fn, args: args, t: t}
	return b.fold(&made.apply)
}

// wrongArguments reports arguments that a function doesn't take; where types are lenient, the result is only unknown.
func (b *binder) wrongArguments(at ast.Expr, fn *function, args []expr) expr {
	if b.sem.lenient || b.sem.arrayCalls && slices.ContainsFunc(args, func(x expr) bool { return x.typ().shape == listShape }) {
		return &opaque{at: at, why: fn.name + " of values of these types", args: args}
	}
	types := make([]string, len(args))
	dates := false
	for i, a := range args {
		types[i] = b.typeText(a.typ())
		dates = dates || a.typ().isDate()
	}
	hint := ""
	switch {
	case fn == concatFn:
		hint = "|| joins texts: write CAST(… AS String)"
	case dates && (fn.op == ast.OpAdd || fn.op == ast.OpSub):
		hint = "dates move by intervals: write Interval(\"P1D\") or DateTime::IntervalFromDays(…)"
	}
	b.errorf(at, "bind.argument", hint, "%s can't be applied to %s", fn.name, strings.Join(types, " and "))
	return b.failed(at, args)
}

// fold evaluates a call of which no argument depends on a row.
func (b *binder) fold(a *apply) expr {
	for _, x := range a.args {
		if _, ok := x.(*constant); !ok {
			return a
		}
	}
	return &constant{at: a.at, t: a.t, v: eval(a, nil)}
}

func (b *binder) unary(e *ast.Unary, sc *scope) expr {
	if l, ok := e.X.(*ast.Literal); ok && e.Op == ast.OpNeg && b.sem.signed != nil {
		if x := b.sem.signed(b, l, true, e); x != nil {
			return x
		}
	}
	if l, ok := e.X.(*ast.Literal); ok && e.Op == ast.OpNeg && l.Kind == ast.IntLit {
		return b.intLiteral(e, l, true)
	}
	x := b.bind(e.X, sc)
	switch e.Op {
	case ast.OpNot:
		return b.not(e, x)
	case ast.OpNeg:
		if t := x.typ(); b.sem.dialect == "doris" && t.isInt() {
			return b.dorisFrom(e, 0, x)
		} else if b.sem.checked && t.isInt() {
			return b.call(e, b.arithmetic(ast.OpSub), &constant{at: e, t: scalar(t.scalar.Kind), v: integer(0)}, x)
		}
		return b.call(e, negFn, x)
	case ast.OpPlus:
		return b.call(e, plusFn, x)
	case ast.OpBitNot:
		if b.sem.dialect == "yql" || b.sem.dialect == "duckdb" && x.typ().isInt() && !isUnsigned(x.typ().scalar.Kind) {
			return b.call(e, bitNotFn, x)
		}
		if b.sem.dialect == "doris" && x.typ().isInt() {
			return b.dorisFrom(e, -1, x)
		}
	case ast.OpAbs:
		return b.call(e, lenientFn(absFn), x)
	}
	return &opaque{at: e, t: typ{notNull: x.typ().notNull}, why: "the operator " + string(e.Op), args: []expr{x}}
}

// not is NOT x. It binds tighter than comparisons in YQL, which many don't expect.
func (b *binder) not(at ast.Expr, x expr) expr {
	if t := x.typ(); !t.isBool() && !t.isOpen() && !b.sem.lenient && b.sem.truth == nil {
		b.errorf(at, "bind.bool", "NOT binds tighter than a comparison: write NOT ("+nodeText(x)+" = …)", "NOT is applied to %s and not to a Bool", b.described(x))
		return b.failed(at, []expr{x})
	}
	return b.call(at, notFn, b.wantBool(x, "the operand of NOT"))
}

// nodeText is how a message calls an expression.
func nodeText(x expr) string {
	switch n := x.node().(type) {
	case *ast.Ident:
		parts := make([]string, len(n.Parts))
		for i, p := range n.Parts {
			parts[i] = p.Text
		}
		return strings.Join(parts, ".")
	case *ast.Param:
		if n.Mark {
			return "?"
		}
		return "$" + n.Name
	case *ast.Literal:
		return n.Raw
	}
	return "the operand"
}

func (b *binder) binary(e *ast.Binary, sc *scope) expr {
	l, r := b.bind(e.L, sc), b.bind(e.R, sc)
	if b.sem.operator != nil {
		if x := b.sem.operator(b, e, l, r); x != nil {
			return x
		}
	}
	switch e.Op {
	case ast.OpCoalesce:
		return b.coalesce(e, l, r)
	case ast.OpAdd, ast.OpSub, ast.OpMul, ast.OpMod:
		return b.call(e, b.arithmetic(e.Op), l, r)
	case ast.OpDiv:
		if t, u := l.typ(), r.typ(); t.isInt() && u.isInt() && !b.sem.intDivision {
			break
		}
		return b.call(e, b.arithmetic(e.Op), l, r)
	case ast.OpBitAnd, ast.OpBitOr, ast.OpBitXor, ast.OpShl, ast.OpShr, ast.OpRotl, ast.OpRotr:
		return b.call(e, bitwise(e.Op), l, r)
	case ast.OpConcat:
		return b.call(e, concatFn, l, r)
	case ast.OpStartsWith:
		if l.typ().isText() && r.typ().isText() {
			return b.call(e, testText("^@", strings.HasPrefix, prefixSet), l, r)
		}
	case ast.OpEq, ast.OpNe, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe, ast.OpDistinct, ast.OpNotDistinct, ast.OpNullSafeEq:
		return b.compare(e, e.Op, l, r)
	}
	return &opaque{at: e, why: "the operator " + string(e.Op), args: []expr{l, r}}
}

func (b *binder) logic(e *ast.Logic, sc *scope) expr {
	args := b.bindAll(e.Args, sc)
	if e.Op == ast.OpConcat && b.sem.concat != nil {
		return b.sem.concat(b, e, args)
	}
	if e.Op == ast.OpConcat {
		return b.call(e, concatFn, args...)
	}
	for i, x := range args {
		if !x.typ().isBool() {
			args[i] = b.wantBool(x, "an operand of "+string(e.Op))
		}
	}
	switch e.Op {
	case ast.OpAnd:
		return b.call(e, andFn, args...)
	case ast.OpOr:
		return b.call(e, orFn, args...)
	}
	return b.call(e, xorFn, args...)
}

// coalesce brings all arguments to one type. An argument that is never NULL ends the list.
func (b *binder) coalesce(at ast.Expr, args ...expr) expr {
	for i, x := range args {
		if x.typ().notNull && !x.typ().isOpen() {
			args = args[:i+1]
			break
		}
	}
	if len(args) == 1 {
		return args[0]
	}
	return b.unify(at, coalesceFn, args, func(int) bool { return true })
}

// unify makes a call whose result is one of some arguments, after converting these to the common type.
func (b *binder) unify(at ast.Expr, fn *function, args []expr, result func(i int) bool) expr {
	if b.sem.unify != nil {
		args = b.sem.unify(b, args, result)
	}
	t, ok := fn.result(args)
	if !ok {
		return b.differentTypes(at, fn, args, result)
	}
	for i, x := range args {
		if result(i) {
			args[i] = b.convert(x, t)
		}
	}
	return b.fold(&apply{at: at, fn: fn, args: args, t: t})
}

func (b *binder) differentTypes(at ast.Expr, fn *function, args []expr, result func(i int) bool) expr {
	if b.sem.lenient {
		return &opaque{at: at, why: fn.name + " with results of different types", args: args}
	}
	var types []string
	for i, x := range args {
		if s := b.typeText(x.typ()); result(i) && !slices.Contains(types, s) {
			types = append(types, s)
		}
	}
	b.errorf(at, "bind.argument", "bring them to one type with CAST", "the results of %s have different types: %s", fn.name, strings.Join(types, ", "))
	return b.failed(at, args)
}

// convert is x as a value of a wider type.
func (b *binder) convert(x expr, t typ) expr {
	u := x.typ()
	if u.shape != t.shape || u.sameValues(t) {
		return x
	}
	if t.notNull = u.notNull; t.shape != scalarShape {
		return b.convertItems(x, t)
	}
	fn := castFn
	if b.sem.convert != nil {
		fn = b.sem.convert
	}
	return b.fold(&apply{at: x.node(), fn: fn, args: []expr{x}, t: t})
}

// convertItems is convert for tuples, structs and lists, item by item. One that isn't written out is left open.
func (b *binder) convertItems(x expr, t typ) expr {
	var items []expr
	var fn *function
	switch x := x.(type) {
	case *apply:
		if x.fn == tupleFn || x.fn == structFn || x.fn == listFn {
			items, fn = slices.Clone(x.args), x.fn
		}
	case *constant:
		if x.v.isNull() {
			return &constant{at: x.at, t: t, v: x.v}
		}
		fn = map[shape]*function{tupleShape: tupleFn, structShape: structFn, listShape: listFn}[t.shape]
		if p := x.v.parts; p != nil && p.set == nil && fn != nil {
			items = constants(x)
		}
	}
	if items == nil || fn == nil {
		return &opaque{at: x.node(), t: t, why: whyOf(x), args: []expr{x}}
	}
	for i, item := range items {
		items[i] = b.convert(item, t.items[min(i, len(t.items)-1)])
	}
	return b.fold(&apply{at: x.node(), fn: fn, args: items, t: t})
}

func (b *binder) is(e *ast.Is, sc *scope) expr {
	what := pruning.Null
	switch e.What {
	case "TRUE":
		what = pruning.True
	case "FALSE":
		what = pruning.False
	}
	x := b.bind(e.X, sc)
	if e.What != "NULL" {
		x = b.wantBool(x, "the operand of IS "+e.What)
	}
	if e.Not {
		what = pruning.Unknown &^ what
	}
	return b.call(e, isFn(what), x)
}

func (b *binder) cast(e *ast.Cast, sc *scope) expr {
	x, t := b.bind(e.X, sc), b.writtenType(e.Type)
	if b.sem.castAs != nil {
		if y := b.sem.castAs(b, e, x, t); y != nil {
			return y
		}
	}
	fn := b.sem.cast
	if e.Form == "TRY_CAST" {
		fn = b.sem.tryCast
	}
	if t.shape != scalarShape || e.Form == "BITCAST" || fn == nil {
		return &opaque{at: e, t: t.optional(), why: "a cast to " + e.Type.Name.Text, args: []expr{x}}
	}
	if t.is(pruning.String) && t.name != "Utf8" {
		t.name = ""
	}
	if !b.alwaysFits(x.typ(), t) {
		t.notNull = false
	}
	t.notNull = t.notNull && x.typ().notNull
	return b.fold(&apply{at: e, fn: fn, args: []expr{x}, t: t})
}

// alwaysFits: no value of type t is NULL after a cast to u.
func (b *binder) alwaysFits(t, u typ) bool {
	if t.shape != scalarShape {
		return false
	}
	if c, ok := common(t.named(""), u.named("")); ok && c.shape == scalarShape && c.scalar == u.scalar && u.name != "Utf8" {
		return c.wide == u.wide
	}
	return u.isText() && u.name != "Utf8" && !t.isText()
}

func (b *binder) caseOf(e *ast.Case, sc *scope) expr {
	var operand expr
	if e.Operand != nil {
		operand = b.bind(e.Operand, sc)
	}
	args := make([]expr, 0, 2*len(e.Whens)+1)
	for _, w := range e.Whens {
		c := b.bind(w.If, sc)
		if operand != nil {
			c = b.compare(w.If, ast.OpEq, operand, c)
		}
		args = append(args, b.wantBool(c, "the condition of WHEN"), b.bind(w.Then, sc))
	}
	if e.Else == nil {
		args = append(args, &constant{at: e, t: typ{shape: nullShape}, v: nullValue})
	} else {
		args = append(args, b.bind(e.Else, sc))
	}
	return b.caseCall(e, args)
}

// caseCall takes conditions and results in turn, then the ELSE.
func (b *binder) caseCall(at ast.Expr, args []expr) expr {
	last := len(args) - 1
	return b.unify(at, caseFn, args, func(i int) bool { return i%2 == 1 || i == last })
}

// constantText is a constant number, text, boolean or date as WITH options want it: "12", "a/b/".
func constantText(e expr) (string, bool) {
	c, ok := e.(*constant)
	if !ok || c.t.shape != scalarShape {
		return "", false
	}
	v, ok := c.v.known()
	if !ok {
		return "", false
	}
	return string(c.t.scalar.Append(nil, v)), true
}
