package planner

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// dorisCast is CAST. A value that the type can't hold gives NULL.
var dorisCast = &function{name: "CAST", op: castFn.op, min: 1, max: 1, mayNull: true,
	span: castBy(func(t typ, x value, u typ) value { return dorisFits(dorisConvert(t, x, u), u) })}

// dorisFits is a text as a VARCHAR(n) or CHAR(n) has it. Longer ones are cut, or not, as the version has it.
func dorisFits(x value, u typ) value {
	if !u.isText() || u.length == 0 {
		return x
	}
	if v, ok := x.known(); ok && len(v.Text()) <= u.length {
		return x
	}
	return value{is: anything.is | x.is&null}
}

// dorisTo is x as a value of type t.
func (b *binder) dorisTo(at ast.Expr, x expr, t typ) expr {
	if x.typ().sameScalar(t) {
		return x
	}
	t.notNull = x.typ().notNull && b.alwaysFits(x.typ(), t)
	return b.fold(&apply{at: at, fn: dorisCast, args: []expr{x}, t: t})
}

// dorisConvert converts bounds where that keeps the order, and texts and decimals only when they are known.
func dorisConvert(t typ, x value, u typ) value {
	from, to := t.scalar, u.scalar
	v, known := x.known()
	switch {
	case from == to:
		return x
	case from.Kind == pruning.String && known:
		return dorisParse(v.Text(), u)
	case from.Kind == pruning.String:
		return anything.orNull()
	case to.Kind == pruning.String:
		return dorisFormat(t, x)
	case t.isDate() && u.isDate():
		return dorisRedate(t, x, u)
	case t.isDate() && isInt(to.Kind):
		return dorisDateNumber(t, x, to.Kind)
	case isInt(from.Kind) && u.isDate() && known:
		return dorisParse(string(from.Append(nil, v)), u)
	case t.isDate() || u.isDate():
		return anything.orNull()
	case from.Kind == pruning.Decimal || to.Kind == pruning.Decimal || wide128(t) || wide128(u):
		return dorisExactly(t, x, u)
	}
	return castScalar(t, x, u)
}

// dorisExactly converts from and to decimals and numbers of 128 bits. Rounding keeps the order, so bounds give bounds.
func dorisExactly(t typ, x value, u typ) value {
	if _, known := x.known(); known || !x.bounded() || x.is&under != 0 || !t.isNumber() || !u.isNumber() {
		return castExact(t, x, u)
	}
	lo, out := dorisEnd(t, x.lo, u)
	hi, over := dorisEnd(t, x.hi, u)
	if out*over > 0 { // both ends are beyond the same end of u
		return nullValue
	}
	y := between(lo, hi)
	if out != 0 || over != 0 {
		y = y.orNull()
	}
	return y
}

// dorisEnd converts a bound; one that u can't hold is its end on that side, and beyond tells which: -1 or 1.
func dorisEnd(t typ, v pruning.Value, u typ) (end pruning.Value, beyond int) {
	if w, ok := castExact(t, exactly(v), u).known(); ok {
		return w, 0
	}
	top, _ := u.scalar.Max()
	if beyond = toRat(t.scalar, v).Sign(); beyond < 0 {
		return u.scalar.Min(), beyond
	}
	return top, beyond
}

// dorisRedate converts between dates: a DATE is the day of an instant. Whether fewer digits of a second are rounded or cut
// isn't relied upon.
func dorisRedate(t typ, x value, u typ) value {
	s, ok := microSpan(t, x)
	if !ok {
		return anything.orNull()
	}
	out := dateSpan(u, s)
	if unit := wide(nanosPer(u.scalar) / 1000); !u.is(pruning.Date) && nanosPer(u.scalar) > nanosPer(t.scalar) {
		out.hi = dateSpan(u, span128{s.hi.add(unit).sub(wide(1)), s.hi.add(unit).sub(wide(1))}).hi
	}
	return out
}

// dorisDateNumber is 20170201 of a date and 20170201103000 of an instant.
func dorisDateNumber(t typ, x value, to pruning.Kind) value {
	if !inCalendar(t, x) {
		return anything.orNull()
	}
	number := func(v pruning.Value) pruning.Value {
		c := civilOf(t, v)
		n := int64(c.y)*10000 + int64(c.m)*100 + int64(c.d)
		if !t.is(pruning.Date) {
			sec := c.micros / 1e6
			n = n*1e6 + sec/3600*10000 + sec/60%60*100 + sec%60
		}
		return pruning.Int(n)
	}
	return castSpan(pruning.Int64, between(number(x.lo), number(x.hi)), to)
}

// dorisParse reads a text as CAST does. Of texts that may or may not be read nothing is said.
func dorisParse(s string, u typ) value {
	trimmed := strings.TrimSpace(s)
	switch t := u.scalar; {
	case u.isDate():
		if !strings.ContainsAny(trimmed, "0123456789") {
			return nullValue
		}
		if m, problem := projection.ParseMoment(trimmed); problem == "" {
			return dorisRedate(dorisKind(pruning.Timestamp), integer(m.Days*microsADay+m.Micros), u)
		}
	case t.Kind == pruning.Bool:
		switch strings.ToLower(trimmed) {
		case "true", "1":
			return boolean(true)
		case "false", "0":
			return boolean(false)
		}
	case isAddress(u):
		if v, ok := projection.ParseIP(trimmed, t); ok {
			return exactly(v)
		}
	case u.isNumber():
		if n, v, ok := dorisExact(trimmed); ok {
			if isInt(t.Kind) && !n.isInt() {
				break
			}
			return dorisConvert(n, exactly(v), u)
		}
		if !strings.ContainsAny(trimmed, "0123456789") {
			return nullValue
		}
	}
	return anything.orNull()
}

// dorisFormat writes values as CAST(… AS VARCHAR) does. Dates and instants without fractions are in the order of their
// texts.
func dorisFormat(t typ, x value) value {
	v, known := x.known()
	switch {
	case t.is(pruning.Date) || t.is(pruning.Datetime):
		if !inCalendar(t, x) {
			break
		}
		lo, hi := projection.AppendMoment(nil, t.scalar, x.lo), projection.AppendMoment(nil, t.scalar, x.hi)
		return between(pruning.Text(string(lo)), pruning.Text(string(hi)))
	case known && (t.isInt() || wide128(t)):
		return text(string(t.scalar.Append(nil, v)))
	case known && t.isBool():
		return text(string('0' + byte(v.Int())))
	}
	return anything
}

// dorisParseDate reads the text of DATE '…' and TIMESTAMP '…'.
func dorisParseDate(s string, t typ) (v pruning.Value, bad *flaw) {
	m, problem := projection.ParseMoment(s)
	if problem != "" {
		return v, &flaw{0, len(s), projection.Quote(s) + " " + problem}
	}
	out := dorisRedate(dorisKind(pruning.Timestamp), integer(m.Days*microsADay+m.Micros), t)
	return out.lo, nil
}
