package planner

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/pruning"
)

// castFn is CAST(x AS T) with T the type of the call. A value that T can't hold gives NULL (YQL, "Explicit cast"
// tables). What those tables leave open stays unknown.
var castFn = &function{name: "CAST", op: "CAST", min: 1, max: 1, mayNull: true,
	span: castBy(castScalar)}

// castBy is the span of a cast: convert makes values of type u of the values x of type t, none of them NULL.
func castBy(convert func(t typ, x value, u typ) value) func(*apply, []value) value {
	return strict(func(a *apply, t typ, x value) value {
		if t.shape != scalarShape || a.t.shape != scalarShape || x.is&some == 0 {
			return unknown(a.t.optional())
		}
		return convert(t, x.notNull(), a.t)
	})
}

// castScalar converts bounds where the conversion keeps the order, and texts only when they are known.
func castScalar(t typ, x value, u typ) value {
	from, to := t.scalar, u.scalar
	switch {
	case from == to && (to.Kind == pruning.String || isFloat(to.Kind) || to.Kind == pruning.UUID):
		return castText(x, u)
	case from == to && t.wide == u.wide:
		return x
	case from.Kind == pruning.String:
		if v, ok := x.known(); ok {
			return parseText(v.Text(), u)
		}
	case to.Kind == pruning.String:
		return formatText(t, x)
	case from.Kind == pruning.Bool && isInt(to.Kind):
		return castSpan(pruning.Int64, x, to.Kind)
	case to.Kind == pruning.Bool && isInt(from.Kind):
		return truth(compareOp("!=", t, x, scalar(pruning.Int64), integer(0)))
	case isInt(from.Kind) && isInt(to.Kind):
		return castSpan(from.Kind, x, to.Kind)
	case isInt(from.Kind) && isFloat(to.Kind), isFloat(from.Kind) && isFloat(to.Kind):
		return castFloat(from, x, to.Kind)
	case isFloat(from.Kind) && isInt(to.Kind):
		return truncate(x, to.Kind)
	default:
		return castDate(t, x, u)
	}
	return anything.orNull()
}

// castText: String to Utf8 wants valid UTF-8.
func castText(x value, u typ) value {
	if u.scalar.Kind != pruning.String || u.name != "Utf8" {
		return x
	}
	if v, ok := x.known(); ok && !utf8.ValidString(v.Text()) {
		return nullValue
	} else if !ok {
		return x.orNull()
	}
	return x
}

// castSpan moves integers between kinds; outside of the new range they are NULL.
func castSpan(k pruning.Kind, x value, to pruning.Kind) value {
	s, ok := spanOf(k, x)
	if !ok {
		return anything.orNull()
	}
	lo, hi := intRange(to)
	var out value
	if s.lo.cmp(lo) < 0 {
		out.is, s.lo = null, lo
	}
	if s.hi.cmp(hi) > 0 {
		out.is, s.hi = null, hi
	}
	if s.lo.cmp(s.hi) > 0 {
		return nullValue
	}
	out.is |= some
	out.lo, _ = fromWide(to, s.lo)
	out.hi, _ = fromWide(to, s.hi)
	return out
}

func castFloat(from pruning.Type, x value, to pruning.Kind) value {
	if !x.bounded() {
		return anything
	}
	lo, hi := toFloat(from, x.lo), toFloat(from, x.hi)
	if to == pruning.Float32 {
		lo, hi = float64(float32(lo)), float64(float32(hi))
	}
	return between(pruning.Float(lo), pruning.Float(hi))
}

// truncate makes integers of floats. Whether a fraction is cut or rounded isn't relied upon.
func truncate(x value, to pruning.Kind) value {
	const safe = 1 << 53
	if !x.bounded() || !(x.lo.Float() > -safe && x.hi.Float() < safe) {
		return anything.orNull()
	}
	lo, hi := int64(math.Floor(x.lo.Float())), int64(math.Ceil(x.hi.Float()))
	return castSpan(pruning.Int64, between(pruning.Int(lo), pruning.Int(hi)), to)
}

// castDate converts between dates, and between dates or intervals and the numbers that stand for them.
func castDate(t typ, x value, u typ) value {
	from, to := t.scalar, u.scalar
	switch {
	case t.isDate() && u.isDate():
		if s, ok := microSpan(t, x); ok && nanosPer(to) >= 1000 {
			return dateSpan(u, s)
		}
	case (t.isDate() || from.Kind == pruning.Interval) && isInt(to.Kind):
		return castSpan(pruning.Int64, x, to.Kind)
	case isInt(from.Kind) && u.isDate() && nanosPer(to) >= 1000:
		if s, ok := spanOf(from.Kind, x); ok {
			unit := wide(nanosPer(to) / 1000)
			return dateSpan(u, span128{s.lo.mul(unit), s.hi.mul(unit)})
		}
	}
	return anything.orNull()
}

// parseText reads a text as CAST does. Forms of which it isn't certain whether YDB takes them give an unknown value.
func parseText(s string, u typ) value {
	t := u.scalar
	switch {
	case isInt(t.Kind):
		return parseInt(s, t.Kind)
	case isFloat(t.Kind):
		if f, err := strconv.ParseFloat(s, 64); err == nil && plainDecimal(s) {
			if t.Kind == pruning.Float32 {
				f = float64(float32(f))
			}
			return exactly(pruning.Float(f))
		}
	case t.Kind == pruning.Bool:
		switch strings.ToLower(s) {
		case "true":
			return boolean(true)
		case "false":
			return boolean(false)
		}
	case u.isDate():
		v, bad := parseDate(s, u)
		switch {
		case bad == nil:
			return exactly(v)
		case !u.wide && len(s) >= 10 && len(s) == dateLength(t) && digitsAnd(s, "-:TZ"):
			return nullValue
		}
	case t.Kind == pruning.Interval:
		if v, bad := parseInterval(s); bad == nil {
			return exactly(v)
		}
	case t.Kind == pruning.UUID:
		if v, err := t.Parse(s); err == nil {
			return exactly(v)
		}
	case t.Kind == pruning.Decimal:
		if v, err := t.Parse(s); err == nil && plainDecimal(s) {
			return exactly(v)
		}
	}
	return nullOrAnything(s)
}

// nullOrAnything: a text without a digit is certainly no number or date; of others nothing is said.
func nullOrAnything(s string) value {
	if !strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, "nNiItTyYoOfF") {
		return nullValue
	}
	return anything.orNull()
}

// parseInt: digits with an optional minus sign, in range; anything else is NULL, except the forms that readers differ
// about.
func parseInt(s string, k pruning.Kind) value {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || !digitsAnd(digits, "") {
		if rest := strings.TrimPrefix(s, "+"); rest != s || strings.TrimSpace(s) != s || strings.HasPrefix(digits, "0") {
			return anything.orNull()
		}
		return nullValue
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return nullValue
	}
	w := wideUint(n)
	if len(digits) < len(s) {
		if isUnsigned(k) && n == 0 {
			return anything.orNull()
		}
		w = w.neg()
	}
	if v, ok := fromWide(k, w); ok {
		return exactly(v)
	}
	return nullValue
}

// digitsAnd: s holds only digits and the given other characters.
func digitsAnd(s, others string) bool {
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && strings.IndexByte(others, s[i]) < 0 {
			return false
		}
	}
	return true
}

// plainDecimal: digits, one point between digits perhaps, a minus sign perhaps.
func plainDecimal(s string) bool {
	whole, frac, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return whole != "" && digitsAnd(whole, "") && digitsAnd(frac, "") && (!point || frac != "")
}

// formatText writes values as CAST(… AS String) does; ranges of them have a common beginning at best.
func formatText(t typ, x value) value {
	v, ok := x.known()
	k := t.scalar.Kind
	switch {
	case k == pruning.Date && x.bounded():
		return textBetween(t.scalar, x)
	case !ok:
	case isInt(k):
		return text(string(t.scalar.Append(nil, v)))
	case k == pruning.Bool:
		return text(strconv.FormatBool(v.Int() != 0))
	case k == pruning.Datetime:
		return text(datetimeText(v.Int()) + "Z")
	case k == pruning.Timestamp && t.scalar.Precision == 6:
		if v.Int()%1000000 == 0 {
			return text(datetimeText(v.Int()/1000000) + "Z")
		}
		return prefixed(datetimeText(floorDiv(v.Int(), 1000000)) + ".")
	case k == pruning.UUID:
		return text(string(t.scalar.Append(nil, v)))
	}
	return anything
}

// textBetween: dates of four-digit years are in the order of their texts.
func textBetween(t pruning.Type, x value) value {
	lo, hi := string(t.Append(nil, x.lo)), string(t.Append(nil, x.hi))
	if x.lo == x.hi {
		return text(lo)
	}
	if len(lo) != len("2006-01-02") || len(hi) != len(lo) || lo[0] == '-' || hi[0] == '-' {
		return anything
	}
	return between(pruning.Text(lo), pruning.Text(hi))
}

// datetimeText is 2021-01-02T03:04:05 for seconds since 1970.
func datetimeText(seconds int64) string {
	days := floorDiv(seconds, 86400)
	y, m, d := pruning.CivilFromDays(days)
	s := int(seconds - days*86400)
	b := appendPadded(nil, y, 4)
	for _, f := range [...]struct {
		sep byte
		n   int
	}{{'-', m}, {'-', d}, {'T', s / 3600}, {':', s / 60 % 60}, {':', s % 60}} {
		b = appendPadded(append(b, f.sep), f.n, 2)
	}
	return string(b)
}

func appendPadded(b []byte, n, width int) []byte {
	digits := strconv.Itoa(n)
	for i := len(digits); i < width; i++ {
		b = append(b, '0')
	}
	return append(b, digits...)
}
