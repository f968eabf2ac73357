package planner

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// dorisSemantics are the rules of Doris, which follow MySQL's: a constant takes the type of what it is compared with, and
// so that the comparison keeps its truth (SimplifyComparisonPredicate.java). The session's time zone is UTC.
var dorisSemantics = sync.OnceValue(func() *semantics {
	return &semantics{
		dialect:    "doris",
		sameName:   strings.EqualFold,
		lenient:    true,
		likeEscape: '\\',
		calls:      dorisCalls(),
		funcName:   strings.ToLower,
		cast:       dorisCast,
		convert:    dorisCast,
		tryCast:    dorisCast,
		parseDate:  dorisParseDate,
		special:    (*binder).dorisCall,
		word:       (*binder).dorisWord,
		operator:   (*binder).dorisOperator,
		signed:     (*binder).dorisNumber,
		compare:    (*binder).dorisCompare,
		in:         (*binder).dorisIn,
		rare:       (*binder).dorisRare,
		truth:      (*binder).dorisTruth,
		unify:      (*binder).dorisUnify,
		typeName:   dorisTypeName,
		literal:    func(_ typ, s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" },
	}
})

// dorisOf is a type of Doris, in which every day of the calendar is allowed.
func dorisOf(t pruning.Type) typ {
	return typ{shape: scalarShape, scalar: t, wide: true, notNull: true}
}

func dorisKind(k pruning.Kind) typ { return dorisOf(scalar(k).scalar) }

func dorisTypeName(t pruning.Type) string {
	switch t.Kind {
	case pruning.Bool:
		return "BOOLEAN"
	case pruning.Int8:
		return "TINYINT"
	case pruning.Int16:
		return "SMALLINT"
	case pruning.Int32:
		return "INT"
	case pruning.Int64:
		return "BIGINT"
	case pruning.Int128:
		return "LARGEINT"
	case pruning.Float32:
		return "FLOAT"
	case pruning.Float64:
		return "DOUBLE"
	case pruning.Decimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale)
	case pruning.String:
		return "VARCHAR"
	case pruning.Date:
		return "DATE"
	case pruning.Datetime, pruning.Timestamp:
		return "DATETIME"
	}
	return t.String()
}

// dorisNumber gives a number its type, exactly: 12 is INT, 2^100 LARGEINT, 1.50 DECIMAL(3,2), 1e3 DOUBLE. It is nil for
// what is no number.
func (b *binder) dorisNumber(l *ast.Literal, minus bool, at ast.Expr) expr {
	if l.Kind != ast.IntLit && l.Kind != ast.FloatLit {
		return nil
	}
	digits := l.Text
	if n, err := parseWhole(digits); err == nil && l.Kind == ast.IntLit {
		digits = new(big.Int).SetUint64(n).String() // 0x1F
	}
	if minus {
		digits = "-" + digits
	}
	t, v, ok := dorisExact(digits)
	if !ok {
		return &opaque{at: at, t: typ{notNull: true}, why: "a number that isn't followed exactly"}
	}
	return &constant{at: at, t: t, v: exactly(v)}
}

// dorisExact reads 12, 1.50 or 1e3. ok is false for what is no number, and for more digits than 38.
func dorisExact(s string) (t typ, v pruning.Value, ok bool) {
	if n, whole := new(big.Int).SetString(strings.TrimPrefix(s, "+"), 10); whole {
		for _, k := range [...]pruning.Kind{pruning.Int32, pruning.Int64, pruning.Int128} {
			t = dorisKind(k)
			if v, ok = t.scalar.FromBig(n); ok {
				return t, v, true
			}
		}
		return t, v, false
	}
	if strings.ContainsAny(s, "eE") {
		f, good := new(big.Float).SetString(s)
		if !good {
			return t, v, false
		}
		x, _ := f.Float64()
		return dorisKind(pruning.Float64), pruning.Float(x), !math.IsInf(x, 0)
	}
	whole, frac, _ := strings.Cut(strings.TrimLeft(s, "+-"), ".")
	if !digitsAnd(whole+frac, "") || whole+frac == "" {
		return t, v, false
	}
	n := max(1, len(strings.TrimLeft(whole, "0"))+len(frac))
	if n > 38 {
		return t, v, false
	}
	t = dorisOf(pruning.Type{Kind: pruning.Decimal, Precision: uint8(n), Scale: uint8(len(frac))})
	unscaled, _ := new(big.Int).SetString("0"+whole+frac, 10)
	if strings.HasPrefix(s, "-") {
		unscaled.Neg(unscaled)
	}
	v, ok = t.scalar.FromBig(unscaled)
	return t, v, ok
}

// dorisTruth takes numbers for TRUE unless they are 0.
func (b *binder) dorisTruth(x expr) expr {
	switch t := x.typ(); {
	case t.isNumber():
		return b.compareAlike(x.node(), ast.OpNe, x, &constant{at: x.node(), t: dorisKind(pruning.Int32), v: integer(0)})
	case isTextConstant(x):
		return b.dorisAs(x, dorisKind(pruning.Bool))
	}
	return nil
}

// isTextConstant: a text that is known before any row is read.
func isTextConstant(x expr) bool {
	c, ok := x.(*constant)
	return ok && c.t.isText() && c.v.isKnown()
}

// dorisUnify brings constant texts among the results of CASE and COALESCE to the type of the others.
func (b *binder) dorisUnify(args []expr, result func(i int) bool) []expr {
	want := typ{shape: nullShape}
	for i, x := range args {
		if !result(i) || isTextConstant(x) {
			continue
		}
		if c, ok := common(want, x.typ()); ok {
			want = c
		}
	}
	if !want.isDate() && !want.isInt() {
		return args
	}
	out := append([]expr{}, args...)
	for i, x := range args {
		if result(i) && isTextConstant(x) {
			out[i] = b.dorisTo(x.node(), x, dorisOf(want.scalar))
		}
	}
	return out
}

// dorisCompare brings the operands of a comparison together; nil where nothing has to be done.
func (b *binder) dorisCompare(at ast.Expr, op ast.Op, l, r expr) expr {
	if xs, ys, ok := b.dorisTuples(l, r); ok {
		return b.compareAlike(at, op, xs, ys)
	}
	x, y, ok := b.dorisMeet(l, r)
	switch {
	case !ok:
		return boolOpaque(at, "an expression with an error", l, r)
	case x == nil:
		return boolOpaque(at, "values of different types", l, r)
	case x == l && y == r:
		return nil
	}
	return b.compareAlike(at, op, x, y)
}

// dorisTuples brings two rows together element by element.
func (b *binder) dorisTuples(l, r expr) (xs, ys expr, ok bool) {
	us, ok1 := elements(l)
	vs, ok2 := elements(r)
	if !ok1 || !ok2 || len(us) != len(vs) {
		return nil, nil, false
	}
	left, right := make([]expr, len(us)), make([]expr, len(us))
	for i := range us {
		var good bool
		if left[i], right[i], good = b.dorisMeet(us[i], vs[i]); !good || left[i] == nil {
			return nil, nil, false
		}
	}
	return b.call(l.node(), tupleFn, left...), b.call(r.node(), tupleFn, right...), true
}

// dorisMeet gives both operands as values that compare; nil when nothing is known of how they do. ok is false after an
// error.
func (b *binder) dorisMeet(l, r expr) (x, y expr, ok bool) {
	t, u := l.typ(), r.typ()
	switch {
	case t.shape != scalarShape || u.shape != scalarShape:
		return l, r, true
	case isAddress(t) && isTextConstant(r):
		y := b.dorisAddress(r, t)
		return l, y, !b.failedNow(y)
	case isAddress(u) && isTextConstant(l):
		x := b.dorisAddress(l, u)
		return x, r, !b.failedNow(x)
	case t.isNumber() && u.isNumber():
		if vague(t, r) || vague(u, l) {
			return nil, nil, true
		}
		return l, r, true
	case t.isDate() && u.isDate(), t.scalar == u.scalar:
		return l, r, true
	case isTextConstant(r):
		y := b.dorisAs(r, t)
		return l, y, !b.failedNow(y)
	case isTextConstant(l):
		x := b.dorisAs(l, u)
		return x, r, !b.failedNow(x)
	case t.isText():
		return b.dorisTo(l.node(), l, u), r, true
	case u.isText():
		return l, b.dorisTo(r.node(), r, t), true
	case t.isDate() && u.isInt():
		if y := dorisDateOf(r); y != nil {
			return l, y, true
		}
	case u.isDate() && t.isInt():
		if x := dorisDateOf(l); x != nil {
			return x, r, true
		}
	case t.isBool() && u.isInt():
		return b.dorisTo(l.node(), l, u), r, true
	case u.isBool() && t.isInt():
		return l, b.dorisTo(r.node(), r, t), true
	}
	return nil, nil, true
}

// vague: a double that isn't certain to differ from numbers that are rounded when they are compared with it.
func vague(t typ, x expr) bool {
	if !isFloat(x.typ().scalar.Kind) || isFloat(t.scalar.Kind) {
		return false
	}
	c, ok := x.(*constant)
	if !ok {
		return true
	}
	v, ok := c.v.known()
	return ok && (t.scalar.Kind == pruning.Decimal || math.Abs(v.Float()) >= 1<<53)
}

// dorisDateOf is a constant number such as 20170201 as a date; nil for others.
func dorisDateOf(x expr) expr {
	c, ok := x.(*constant)
	if !ok || !c.v.isKnown() {
		return nil
	}
	m, problem := projection.ParseMoment(string(c.t.scalar.Append(nil, c.v.lo)))
	if problem != "" {
		return nil
	}
	return moment(x.node(), m)
}

// moment is a date or an instant as a constant.
func moment(at ast.Expr, m projection.Moment) *constant {
	switch {
	case !m.HasTime:
		return &constant{at: at, t: dorisKind(pruning.Date), v: integer(m.Days)}
	case m.Micros%1e6 == 0:
		return &constant{at: at, t: dorisKind(pruning.Datetime), v: integer(m.Days*86400 + m.Micros/1e6)}
	}
	return &constant{at: at, t: dorisKind(pruning.Timestamp), v: integer(m.Days*microsADay + m.Micros)}
}

// dorisAs is a constant text as a value that compares with those of type t, not rounded; or the error that it is none.
func (b *binder) dorisAs(x expr, t typ) expr {
	s := x.(*constant).v.lo.Text()
	switch {
	case t.isDate():
		m, problem := projection.ParseMoment(s)
		if problem == "" {
			return moment(x.node(), m)
		}
		b.errorf(x.node(), "bind.literal", "write a date as '2017-02-01', or an instant as '2017-02-01 10:30:00'", "%s %s", projection.Quote(s), problem)
	case t.isNumber():
		if u, v, ok := dorisExact(strings.TrimSpace(s)); ok {
			return &constant{at: x.node(), t: u, v: exactly(v)}
		}
		b.errorf(x.node(), "bind.literal", "write a number without quotes", "%s is no number", projection.Quote(s))
	case t.isBool():
		switch strings.ToLower(s) {
		case "true", "1":
			return &constant{at: x.node(), t: dorisKind(pruning.Bool), v: boolean(true)}
		case "false", "0":
			return &constant{at: x.node(), t: dorisKind(pruning.Bool), v: boolean(false)}
		}
		b.errorf(x.node(), "bind.literal", "write true or false", "%s is no BOOLEAN", projection.Quote(s))
	default:
		return &opaque{at: x.node(), t: t, why: "a text as a value of another type", args: []expr{x}}
	}
	return b.failed(x.node(), []expr{x})
}

// isAddress: an IPV4 or IPV6, which is kept as a number.
func isAddress(t typ) bool {
	return t.is(pruning.Uint32) && strings.EqualFold(t.name, "ipv4") || t.is(pruning.Uint128) && strings.EqualFold(t.name, "ipv6")
}

func (b *binder) dorisAddress(x expr, t typ) expr {
	s := x.(*constant).v.lo.Text()
	v, ok := projection.ParseIP(s, t.scalar)
	if !ok {
		b.errorf(x.node(), "bind.literal", "write an address such as '127.0.0.1'", "%s is no %s", projection.Quote(s), strings.ToUpper(t.name))
		return b.failed(x.node(), []expr{x})
	}
	return &constant{at: x.node(), t: t, v: exactly(v)}
}

// dorisIn brings the items of a list to the type of x. Where x has to change for one of them, it is compared with each.
func (b *binder) dorisIn(e *ast.In, x expr, items []expr) expr {
	out := make([]expr, len(items))
	for i, item := range items {
		y, z, ok := b.dorisMeet(x, item)
		if xs, ys, rows := b.dorisTuples(x, item); rows {
			y, z = xs, ys
			if same, _ := elements(xs); sameExprs(same, x) {
				y = x
			}
		}
		switch {
		case !ok:
			return boolOpaque(e, "an expression with an error", x)
		case y != x:
			return b.dorisEach(e, x, items)
		}
		out[i] = z
	}
	return b.inAlike(e, x, out)
}

// sameExprs: the elements are those of x.
func sameExprs(list []expr, x expr) bool {
	own, ok := elements(x)
	if _, isCall := x.(*apply); !ok || !isCall || len(own) != len(list) {
		return false
	}
	for i := range own {
		if own[i] != list[i] {
			return false
		}
	}
	return true
}

// dorisEach is x = a OR x = b OR ….
func (b *binder) dorisEach(e *ast.In, x expr, items []expr) expr {
	if len(items) == 0 {
		return boolOpaque(e, "an empty list", x)
	}
	out := make([]expr, len(items))
	for i, item := range items {
		out[i] = b.compare(e, ast.OpEq, x, item)
	}
	return b.chain(e, orFn, out)
}

// dorisOperator binds what differs from YQL: dates and intervals, whole numbers that become BIGINT, quotients.
func (b *binder) dorisOperator(e *ast.Binary, l, r expr) expr {
	switch e.Op {
	case ast.OpAdd, ast.OpSub, ast.OpMul, ast.OpMod, ast.OpDiv, ast.OpIntDiv:
	default:
		return nil
	}
	if e.Op == ast.OpAdd || e.Op == ast.OpSub {
		if c, ok := calendarOf(r); ok {
			return b.dorisShift(e, string(e.Op), l, signedBy(e.Op, c))
		}
		if c, ok := calendarOf(l); ok && e.Op == ast.OpAdd {
			return b.dorisShift(e, string(e.Op), r, c)
		}
	}
	l, r = b.dorisOperand(l), b.dorisOperand(r)
	t, u := l.typ(), r.typ()
	switch {
	case t.isInt() && u.isInt() && e.Op == ast.OpIntDiv:
		return b.call(e, intDivide, l, r)
	case t.isInt() && u.isInt() && e.Op != ast.OpDiv:
		return b.call(e, dorisArith(e.Op), l, r)
	case !t.isNumber() || !u.isNumber() || e.Op == ast.OpIntDiv:
	case e.Op == ast.OpDiv || isFloat(t.scalar.Kind) || isFloat(u.scalar.Kind):
		return b.call(e, arithmetic(e.Op), b.dorisTo(l.node(), l, dorisKind(pruning.Float64)), b.dorisTo(r.node(), r, dorisKind(pruning.Float64)))
	case !wide128(t) && !wide128(u):
		return b.call(e, decimalArith(e.Op), l, r)
	}
	return &opaque{at: e, why: "the operator " + string(e.Op) + " on values of these types", args: []expr{l, r}}
}

func wide128(t typ) bool { return t.is(pruning.Int128) || t.is(pruning.Uint128) }

func signedBy(op ast.Op, c calendar) calendar {
	if op == ast.OpSub {
		return calendar{-c.months, -c.days, -c.micros}
	}
	return c
}

// dorisOperand is a whole number as a BIGINT, so that sums and products don't overflow, and a constant text as the number
// that it holds.
func (b *binder) dorisOperand(x expr) expr {
	if isTextConstant(x) {
		if t, v, ok := dorisExact(strings.TrimSpace(x.(*constant).v.lo.Text())); ok {
			x = &constant{at: x.node(), t: t, v: exactly(v)}
		}
	}
	if x.typ().isInt() {
		return b.dorisTo(x.node(), x, dorisKind(pruning.Int64))
	}
	return x
}
