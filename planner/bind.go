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
