package planner

import (
	"math"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

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
			return b.dorisDoubles(l, r)
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

// dorisDoubles compares as doubles; nil where it isn't known how decimals are rounded to them.
func (b *binder) dorisDoubles(l, r expr) (x, y expr, ok bool) {
	for _, t := range [...]typ{l.typ(), r.typ()} {
		if t.is(pruning.Decimal) && t.scalar.Precision > 15 {
			return nil, nil, true
		}
	}
	return b.dorisTo(l.node(), l, dorisKind(pruning.Float64)), b.dorisTo(r.node(), r, dorisKind(pruning.Float64)), true
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
		if i := strings.LastIndexByte(s, '.') + len("123456") + 1; len(s) > i {
			if _, problem := projection.ParseMoment(s[:i]); problem == "" {
				return &opaque{at: x.node(), t: t, why: "more than 6 digits of a second", args: []expr{x}}
			}
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

// dorisStore is a value as it is written to a column of type t: '2017-02-01 10:00:00' becomes a DATE.
func (b *binder) dorisStore(x expr, t typ) expr {
	c, ok := x.(*constant)
	if !ok || c.t.shape != scalarShape || t.shape != scalarShape || !c.v.isKnown() {
		return x
	}
	y := x
	switch {
	case isAddress(t) && isTextConstant(x):
		y = b.dorisAddress(x, t)
	case isTextConstant(x) && !t.isText():
		y = b.dorisAs(x, t)
	}
	if b.failedNow(y) {
		return y
	}
	t.notNull = false
	z := b.dorisTo(x.node(), y, t)
	if c, ok := z.(*constant); ok && c.v.isNull() {
		b.errorf(x.node(), "insert.value", "", "%s can't be stored as %s", nodeText(x), b.typeText(t))
		return b.failed(x.node(), []expr{x})
	}
	return z
}
