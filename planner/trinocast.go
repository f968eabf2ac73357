package planner

import (
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// trinoCast is CAST: a value that the type can't hold ends the query, so that nothing is said of it. trinoTryCast gives
// NULL instead.
var (
	trinoCast    = newTrinoCast("CAST", false)
	trinoTryCast = newTrinoCast("TRY_CAST", true)
)

func newTrinoCast(name string, try bool) *function {
	return &function{name: name, op: "CAST", min: 1, max: 1, mayNull: true,
		span: castBy(func(t typ, x value, u typ) value {
			out := trinoConvert(t, x, u)
			if out.isNull() && !try {
				return unknown(u.optional())
			}
			return out
		})}
}

// trinoConvert is x as a value of type u; NULL where that fails for certain.
func trinoConvert(t typ, x value, u typ) value {
	from, to := t.scalar, u.scalar
	v, known := x.known()
	if t.zone != nil { // what its clock shows
		if !known || !u.isDate() || !inCalendar(t, x) {
			return anything.orNull()
		}
		x, t = integer(civilOf(t, v).local()), wideTime()
		return castScalar(t, x, u)
	}
	switch {
	case from.Kind == pruning.String && to.Kind == pruning.String:
		return trinoVarchar(x, u)
	case from.Kind == pruning.String && known:
		return trinoParse(v.Text(), u)
	case from.Kind == pruning.String:
	case to.Kind == pruning.String:
		if out := trinoFormat(t, x); u.length == 0 || out.isKnown() && len(out.lo.Text()) <= u.length {
			return out
		}
	case from.Kind == pruning.Decimal || to.Kind == pruning.Decimal, isFloat(from.Kind) && isInt(to.Kind):
		if from == to {
			return x
		}
	case t.isDate() && isInt(to.Kind), isInt(from.Kind) && u.isDate():
	default:
		return castScalar(t, x, u)
	}
	return anything.orNull()
}

// trinoVarchar: a length cuts the text; char pads it, which isn't followed.
func trinoVarchar(x value, u typ) value {
	if u.length == 0 {
		return x
	}
	v, ok := x.known()
	switch {
	case u.length < 0 || !ok && x.is&some != 0:
		return anything
	case ok && len(v.Text()) > u.length && !isASCII(v.Text()):
		return anything
	case ok && len(v.Text()) > u.length:
		return text(v.Text()[:u.length])
	}
	return x
}

// trinoParse reads a text as CAST does.
func trinoParse(s string, u typ) value {
	switch {
	case u.isDate():
		if v, bad := trinoParseDate(s, u); bad == nil {
			return exactly(v)
		}
		if strings.TrimSpace(s) != s || digitsAnd(s, "-+:TZ. ") {
			return anything.orNull()
		}
		return nullValue
	case isInt(u.scalar.Kind):
		if digits := strings.TrimPrefix(s, "+"); len(digits) < len(s) && digits != "" && digitsAnd(digits, "") {
			s = digits // as Java's parseLong
		}
		return parseInt(s, u.scalar.Kind)
	case u.is(pruning.Interval), u.is(pruning.Time):
		return anything.orNull()
	}
	return parseText(s, u)
}

// trinoParseDate reads 2021-01-05, and for a timestamp a blank and 03:04[:05[.678]] behind it and perhaps UTC.
func trinoParseDate(s string, t typ) (v pruning.Value, bad *flaw) {
	days, rest, bad := parseDay(s, true)
	if bad != nil {
		return v, bad
	}
	at := len(s) - len(rest)
	if t.is(pruning.Date) {
		if rest != "" {
			return v, &flaw{at, len(s), "a date has no time of day"}
		}
		return pruning.Int(days), nil
	}
	micros, ok := trinoClock(rest)
	if !ok {
		return v, &flaw{at, len(s), "the time of day is malformed: write 2021-01-05 03:04:05.678"}
	}
	unit := nanosPer(t.scalar)
	if unit < 1000 {
		return pruning.Int((days*microsADay + micros) * (1000 / unit)), nil
	}
	if micros%(unit/1000) != 0 {
		return v, &flaw{at, len(s), "the fraction of the second is too fine for " + t.String()}
	}
	return pruning.Int((days*microsADay + micros) / (unit / 1000)), nil
}

// trinoClock reads the time of day behind a date, with a zone that may only be UTC.
func trinoClock(s string) (micros int64, ok bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != ' ' && s[0] != 'T' {
		return 0, false
	}
	clock := s[1:]
	for _, zone := range []string{"Z", " UTC", " Z", " GMT", " +00:00", "+00:00", " Etc/UTC"} {
		if rest, cut := strings.CutSuffix(clock, zone); cut {
			clock = rest
			break
		}
	}
	if clock == "" {
		return 0, len(s) > 1 // 2021-01-05 UTC
	}
	c, err := (pruning.Type{Kind: pruning.Time}).Parse(padClock(clock))
	return c.Int(), err == nil
}

// padClock adds the seconds to hh:mm.
func padClock(s string) string {
	if len(s) == len("03:04") {
		return s + ":00"
	}
	return s
}

// trinoFormat writes values as CAST(… AS varchar) does; what isn't certain is left open.
func trinoFormat(t typ, x value) value {
	v, ok := x.known()
	switch {
	case t.is(pruning.Date) && x.bounded() && inCalendar(t, x):
		return textBetween(t.scalar, x)
	case !ok:
	case t.isInt():
		return text(string(t.scalar.Append(nil, v)))
	case t.isBool():
		return text(strconv.FormatBool(v.Int() != 0))
	case t.is(pruning.UUID):
		return text(string(t.scalar.Append(nil, v)))
	case t.is(pruning.Timestamp) && t.scalar.Precision == 3 && t.name != zoned:
		us := v.Int() * 1000
		return text(string(timestampText.Append(nil, datefmt.FromMicros(us))))
	}
	return anything
}

var timestampText = mustJava("yyyy-MM-dd HH:mm:ss.SSS")

func mustJava(pattern string) *datefmt.Format {
	f, bad := datefmt.Java(pattern)
	if bad != nil {
		panic(bad)
	}
	return f
}
