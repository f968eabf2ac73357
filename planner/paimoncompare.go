package planner

import (
	"math"
	"math/big"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// paimonCompare brings the operands of a comparison to one type: a constant takes that of what it is compared with, as far as
// that holds it exactly; a text is cast to the type of a constant. It gives nil where nothing has to be done.
func (b *binder) paimonCompare(at ast.Expr, op ast.Op, l, r expr) expr {
	if l.typ().shape == tupleShape && r.typ().shape == tupleShape {
		return b.paimonTuples(at, op, l, r)
	}
	if _, ok := l.(*constant); ok {
		if _, ok := r.(*constant); !ok {
			return b.paimonCompare(at, mirror(op), r, l)
		}
	}
	m := b.paimonMeet(op, l, r)
	switch {
	case m.open != "":
		return boolOpaque(at, m.open, l, r)
	case m.nearly:
		may := b.call(at, andFn, b.compareAlike(at, op, m.x, m.y), boolOpaque(at, "a number that "+l.typ().String()+" only has nearly", l))
		// One condition, not two: it is OR FALSE.
		return b.call(at, orFn, may, &constant{at: at, t: scalar(pruning.Bool), v: boolean(false)})
	case m.x == l && m.y == r:
		return nil
	}
	return b.compareAlike(at, op, m.x, m.y)
}

// meeting is how two operands are compared.
type meeting struct {
	x, y   expr   // as values of one type
	nearly bool   // engines differ where they are equal
	open   string // why nothing is known of the result; "" otherwise
}

func (b *binder) paimonMeet(op ast.Op, l, r expr) meeting {
	t, u := l.typ(), r.typ()
	c, constantRight := r.(*constant)
	m := meeting{x: l, y: r}
	if constantRight && c.v.isNull() || t.isBool() && u.isBool() {
		return m
	}
	if name := hashedIn(l); name != "" && (t.isText() && !u.isText() || !isColumn(l)) {
		m.open = "an expression over the bucket key " + name
		return m
	}
	if t.shape != scalarShape || u.shape != scalarShape || !constantRight {
		return m
	}
	v, known := c.v.known()
	switch {
	case !known:
	case u.isText() && !t.isText():
		return b.textMeets(op, l, c, v.Text())
	case t.isText() && !u.isText():
		m.x = b.fold(&apply{at: l.node(), fn: paimonCast, args: []expr{l}, t: u.optional()})
	case t.is(pruning.Float32) && u.isNumber() && !u.is(pruning.Float32):
		return floatMeets(op, m, c, v)
	case t.is(pruning.Float64) && u.isNumber() && !isFloat(u.scalar.Kind):
		m.y = &constant{at: c.at, t: scalar(pruning.Float64), v: exactly(pruning.Float(toFloat(u.scalar, v)))}
	case t.isNumber() && isFloat(u.scalar.Kind) && !isFloat(t.scalar.Kind):
		return doubleMeets(m, t, c, v.Float())
	}
	return m
}

// hashedIn is a column in x that is a key of buckets only. What an engine makes of overflows and casts decides which keys an
// expression over it asks for, so that isn't inverted.
func hashedIn(x expr) string {
	for c := range columns(x) {
		if t := c.rel.table; t != nil && c.key() >= len(t.Layout.Values()) {
			return c.name
		}
	}
	return ""
}

func isColumn(x expr) bool {
	_, ok := x.(*column)
	return ok
}

// textMeets casts a constant text to the type of what it is compared with. No value equals a text that is none of that type.
func (b *binder) textMeets(op ast.Op, l expr, c *constant, s string) meeting {
	m := meeting{x: l}
	v, t, sure := paimonValue(l.typ(), strings.TrimSpace(s))
	switch {
	case v.isKnown():
		m.y = &constant{at: c.at, t: t, v: v}
	case sure && (op == ast.OpEq || op == "IN"):
		m.y = &constant{at: c.at, t: t.optional(), v: nullValue}
	default:
		m.open = "a text that may be cast in several ways"
		return m
	}
	if met := b.paimonMeet(op, l, m.y); !t.isText() {
		return met
	}
	return m
}

// paimonValue reads a text as a value to be compared with type t, and of which type that is. sure: if it isn't known, it is
// none.
func paimonValue(t typ, s string) (v value, as typ, sure bool) {
	none := !strings.ContainsAny(s, "0123456789")
	switch k := t.scalar.Kind; {
	case isInt(k):
		digits := strings.TrimLeft(s, "+-")
		if len(s)-len(digits) <= 1 && digits != "" && digitsAnd(digits, "") {
			x, err := t.scalar.Parse(strings.TrimPrefix(s, "+"))
			if err != nil {
				return value{}, t, true
			}
			return exactly(x), t, true
		}
	case isFloat(k) && strings.TrimPrefix(s, "-") == "Infinity":
		f := math.Inf(1)
		if s[0] == '-' {
			f = math.Inf(-1)
		}
		return exactly(pruning.Float(f)), t, true
	case k == pruning.Decimal, isFloat(k):
		if plainDecimal(s) {
			digits := strings.TrimPrefix(s, "-")
			_, frac, _ := strings.Cut(digits, ".")
			d := pruning.Type{Kind: pruning.Decimal, Precision: 38, Scale: uint8(min(len(frac), 38))}
			if x, err := d.Parse(s); err == nil {
				return exactly(x), scalar(pruning.Decimal).of(d), true
			}
		}
		none = none && !strings.ContainsAny(s, "nN")
	case k == pruning.Bool:
		switch strings.ToLower(s) {
		case "true":
			return boolean(true), t, true
		case "false":
			return boolean(false), t, true
		}
		return value{}, t, false
	case k == pruning.Time:
		if x, ok := parsePaimonTime(s); ok {
			return exactly(x), t, true
		}
	case t.isDate():
		as := t
		if !t.is(pruning.Date) {
			as = scalar(pruning.Timestamp).of(nanoTime)
		}
		if day, _, ok := strings.Cut(s, " "); ok && t.is(pruning.Date) {
			s = day // both engines leave the time out
		}
		if x, bad := paimonParseDate(s, as); bad == nil {
			return exactly(x), as, true
		}
		return value{}, as, none && s != "epoch" && s != "now" && s != "today"
	}
	return value{}, t, none
}

// floatMeets compares a FLOAT with another number, which is brought to single precision. Where that changes it, engines
// that compare doubles find no equal value.
func floatMeets(op ast.Op, m meeting, c *constant, v pruning.Value) meeting {
	exact := toRat(c.t.scalar, v)
	f := float64(float32(toFloat(c.t.scalar, v)))
	if !math.IsInf(f, 0) && new(big.Rat).SetFloat64(f).Cmp(exact) == 0 || op != ast.OpEq && op != "IN" {
		return m // the numbers themselves are compared
	}
	m.nearly = true
	m.y = &constant{at: c.at, t: scalar(pruning.Float32), v: exactly(pruning.Float(f))}
	return m
}

// doubleMeets compares an exact number with a double. The double stands for the one number of that scale that it is nearest
// to, as long as doubles tell all of them apart.
func doubleMeets(m meeting, t typ, c *constant, f float64) meeting {
	const safe = 1 << 53
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		m.open = "a comparison with " + nodeText(c)
	case t.isInt():
		if math.Abs(f) >= safe {
			m.open = "a comparison with a double that stands for several numbers"
		}
	case t.scalar.Precision > 15:
		m.open = "a comparison of exact numbers with a double"
	default:
		if v, ok := roundedTo(t.scalar, new(big.Rat).SetFloat64(f)); ok && toFloat(t.scalar, v) == f {
			m.y = &constant{at: c.at, t: t.nullIf(nil).of(t.scalar), v: exactly(v)}
		}
	}
	return m
}

// paimonTuples compares rows whose elements have been brought to one type each.
func (b *binder) paimonTuples(at ast.Expr, op ast.Op, l, r expr) expr {
	xs, ok1 := elements(l)
	ys, ok2 := elements(r)
	if !ok1 || !ok2 || len(xs) != len(ys) {
		return nil
	}
	out, changed := make([]expr, len(ys)), false
	for i := range xs {
		m := b.paimonMeet("TUPLE", xs[i], ys[i])
		if m.open != "" || m.x != xs[i] {
			return boolOpaque(at, "a comparison of rows of different types", l, r)
		}
		out[i] = m.y
		changed = changed || m.y != ys[i]
	}
	if !changed {
		return nil
	}
	return b.compareAlike(at, op, l, b.call(r.node(), tupleFn, out...))
}

// paimonIn is x IN items, each brought to the type of x.
func (b *binder) paimonIn(e *ast.In, x expr, items []expr) expr {
	plain := make([]expr, 0, len(items))
	var others []expr
	for _, item := range items {
		m := meeting{x: x, y: item}
		if x.typ().shape == scalarShape {
			m = b.paimonMeet("IN", x, item)
		}
		if why, _ := b.comparable(x, m.y); m.open == "" && !m.nearly && m.x == x && why == "" {
			plain = append(plain, m.y)
		} else {
			others = append(others, b.compare(e, ast.OpEq, x, item))
		}
	}
	if len(plain) > 0 || len(others) == 0 {
		others = append(others, b.inAlike(e, x, plain))
	}
	return b.chain(e, orFn, others)
}

// paimonCast is CAST. Values that a type can't hold are an error or NULL, depending on engine and settings.
var paimonCast = &function{name: "CAST", op: castFn.op, min: 1, max: 1, mayNull: true,
	span: castBy(func(t typ, x value, u typ) value {
		out := paimonConvert(t, x, u)
		if out.is&null != 0 && !out.isNull() {
			return unknown(u.optional())
		}
		return out
	})}

// paimonConvert is x as a value of type u, with NULL where that may fail.
func paimonConvert(t typ, x value, u typ) value {
	from, to := t.scalar, u.scalar
	v, known := x.known()
	switch {
	case from.Kind == pruning.String && to.Kind == pruning.String:
		return trinoVarchar(x, u)
	case from.Kind == pruning.String && known:
		y, as, sure := paimonValue(u, strings.TrimSpace(v.Text()))
		switch {
		case !y.isKnown() && sure:
			return nullValue
		case y.isKnown():
			switch {
			case as.scalar == to:
				return y
			case as.is(pruning.Timestamp) && u.is(pruning.Timestamp):
				return inUnits(y, nanosPer(to))
			case as.is(pruning.Decimal) && u.is(pruning.Decimal):
				return roundedText(v.Text(), to)
			}
			return paimonConvert(as, y, u)
		}
	case from.Kind == pruning.String:
	case to.Kind == pruning.String && t.isInt() && known:
		return text(string(from.Append(nil, v)))
	case to.Kind == pruning.String && t.is(pruning.Date) && x.bounded() && inCalendar(t, x):
		return textBetween(from, x)
	case to.Kind == pruning.String:
	case from == to:
		return x
	case to.Kind == pruning.Decimal && (t.isInt() || from.Kind == pruning.Decimal && from.Scale <= to.Scale):
		return castExact(t, x, u)
	case isFloat(to.Kind) && from.Kind == pruning.Decimal:
		return castExact(t, x, u)
	case from.Kind == pruning.Decimal || to.Kind == pruning.Decimal || isFloat(from.Kind) && t.isNumber() && u.isInt():
	case t.isInt() && u.isInt(), t.isNumber() && isFloat(to.Kind), t.isDate() && u.isDate():
		return castScalar(t, x, u)
	}
	return anything.orNull()
}

// inUnits is an instant in nanoseconds in coarser units. What engines do with digits that don't fit isn't followed.
func inUnits(x value, nanos int64) value {
	if n := x.lo.Int(); n%nanos == 0 {
		return integer(n / nanos)
	}
	return anything.orNull()
}

// roundedText is a text as a decimal, rounded half away from zero; one with too many digits is an error or NULL.
func roundedText(s string, to pruning.Type) value {
	r, ok := new(big.Rat).SetString(strings.TrimSpace(s))
	if ok {
		if v, fits := roundedTo(to, r); fits {
			return exactly(v)
		}
	}
	return anything.orNull()
}
