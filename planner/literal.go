package planner

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// literal gives a literal its type and value.
func (b *binder) literal(l *ast.Literal) expr {
	switch l.Kind {
	case ast.NullLit:
		return &constant{at: l, t: typ{shape: nullShape}, v: nullValue}
	case ast.BoolLit:
		return &constant{at: l, t: scalar(pruning.Bool), v: boolean(strings.EqualFold(l.Text, "true"))}
	case ast.IntLit:
		return b.intLiteral(l, l, false)
	case ast.FloatLit:
		return b.floatLiteral(l)
	}
	switch l.Suffix {
	case "", "s", "b":
		return &constant{at: l, t: scalar(pruning.String), v: text(l.Text)}
	case "u":
		return &constant{at: l, t: scalar(pruning.String).named("Utf8"), v: text(l.Text)}
	}
	return &opaque{at: l, t: typ{notNull: true}, why: "a literal of a type that isn't compared here"}
}

// intLiteral reads a whole number, negated when minus stands before it, so that the least Int64 can be written.
// Without a suffix it has the smallest of Int32, Int64 and Uint64 that holds it; with one, that type (YQL, lexer:
// u unsigned; t, s, l of 8, 16, 64 bits).
func (b *binder) intLiteral(at ast.Expr, l *ast.Literal, minus bool) expr {
	n, err := parseWhole(l.Text)
	if err != nil {
		if errors.Is(err, strconv.ErrRange) && !b.sem.strictNumbers {
			return b.floatLiteral(l)
		}
		b.errorf(l, "bind.number", "write it as a floating point number, such as 1e30", "%s is above the greatest integer, 18446744073709551615", l.Raw)
		return b.failed(at, nil)
	}
	w := wideUint(n)
	if minus {
		w = w.neg()
	}
	kind, ok := suffixKind(l.Suffix, w)
	if !ok {
		b.errorf(l, "bind.number", "leave out the suffix "+strconv.Quote(l.Suffix), "the suffix of %s is unknown", l.Raw)
		return b.failed(at, nil)
	}
	v, ok := fromWide(kind, w)
	if minus && isUnsigned(kind) && l.Suffix != "" {
		return &opaque{at: at, t: scalar(kind), why: "the negative of an unsigned number"}
	}
	if !ok {
		lo, hi := intRange(kind)
		b.errorf(l, "bind.number", "leave out the suffix, or write one of a wider type",
			"%s is outside of %s, which its suffix asks for: %s … %s", l.Raw, scalar(kind), lo.rat().Num(), hi.rat().Num())
		return b.failed(at, nil)
	}
	return &constant{at: at, t: scalar(kind), v: exactly(v)}
}

// parseWhole reads 12, 012 (which is twelve), 0x1F, 0o17, 0b101.
func parseWhole(s string) (uint64, error) {
	s = strings.ReplaceAll(s, "_", "")
	if len(s) > 2 && s[0] == '0' {
		switch s[1] | 0x20 {
		case 'x':
			return strconv.ParseUint(s[2:], 16, 64)
		case 'o':
			return strconv.ParseUint(s[2:], 8, 64)
		case 'b':
			return strconv.ParseUint(s[2:], 2, 64)
		}
	}
	return strconv.ParseUint(s, 10, 64)
}

// suffixKind is the type that a suffix names, or for none the smallest that holds n.
func suffixKind(suffix string, n int128) (pruning.Kind, bool) {
	if suffix == "" {
		for _, k := range [...]pruning.Kind{pruning.Int32, pruning.Int64} {
			if _, ok := fromWide(k, n); ok {
				return k, true
			}
		}
		return pruning.Uint64, true
	}
	size, rest := pruning.Int32, strings.Replace(suffix, "u", "", 1)
	switch rest {
	case "":
	case "t":
		size = pruning.Int8
	case "s":
		size = pruning.Int16
	case "l":
		size = pruning.Int64
	default:
		return 0, false
	}
	if rest != suffix {
		size += pruning.Uint8 - pruning.Int8
	}
	return size, true
}

func (b *binder) floatLiteral(l *ast.Literal) expr {
	f, err := strconv.ParseFloat(strings.ReplaceAll(l.Text, "_", ""), 64)
	kind := pruning.Float64
	if l.Suffix == "f" {
		kind, f = pruning.Float32, float64(float32(f))
	}
	if err != nil || math.IsInf(f, 0) {
		b.errorf(l, "bind.number", "", "%s is too large for %s", l.Raw, scalar(kind))
		return b.failed(l, nil)
	}
	return &constant{at: l, t: scalar(kind), v: exactly(pruning.Float(f))}
}

// flaw is what is wrong with a text, and where in it.
type flaw struct {
	from, to int
	msg      string
}

// dateLength is how long the usual text of a date type is.
func dateLength(t pruning.Type) int {
	if t.Kind == pruning.Date {
		return len("2006-01-02")
	}
	return len("2006-01-02T15:04:05Z")
}

// parseDate reads 2021-01-02, for Datetime 2021-01-02T03:04:05Z and for Timestamp also a fraction of a second, and
// keeps to the range of the type.
func parseDate(s string, t typ) (v pruning.Value, bad *flaw) {
	days, rest, bad := parseDay(s, t.wide)
	if bad != nil {
		return v, bad
	}
	if !t.wide && (days < 0 || days >= maxDay) {
		return v, &flaw{0, len(s) - len(rest), s[:len(s)-len(rest)] + " is outside of " + t.String() + ", which runs from 1970-01-01 through 2105-12-31"}
	}
	at := len(s) - len(rest)
	if t.is(pruning.Date) {
		if rest != "" {
			return v, &flaw{at, len(s), "a Date has no time of day"}
		}
		return pruning.Int(days), nil
	}
	micros, bad := parseClock(rest, t.is(pruning.Timestamp))
	if bad != nil {
		return v, &flaw{at + bad.from, at + bad.to, bad.msg}
	}
	if t.is(pruning.Datetime) {
		return pruning.Int(days*86400 + micros/1000000), nil
	}
	return pruning.Int(days*microsADay + micros), nil
}

// parseDay reads YYYY-MM-DD at the beginning of s; a wide year has a sign or more digits.
func parseDay(s string, wide bool) (days int64, rest string, bad *flaw) {
	body := s
	if wide {
		body = strings.TrimPrefix(s, "-")
	}
	year, tail, ok := strings.Cut(body, "-")
	if !ok || !digitsAnd(year, "") || len(year) < 4 || len(year) > 4 && !wide || len(year) > 6 ||
		len(tail) < 5 || tail[2] != '-' || !digitsAnd(tail[:2]+tail[3:5], "") {
		return 0, s, &flaw{0, len(s), strconv.Quote(s) + " is not a date: write year-month-day, such as 2021-01-05"}
	}
	y, _ := strconv.Atoi(year)
	if len(body) < len(s) {
		y = -y
	}
	m, _ := strconv.Atoi(tail[:2])
	d, _ := strconv.Atoi(tail[3:5])
	end := len(s) - len(tail) + 5
	if m < 1 || m > 12 {
		return 0, s, &flaw{end - 5, end - 3, "there is no month " + tail[:2]}
	}
	if d < 1 || d > pruning.DaysInMonth(y, m) {
		return 0, s, &flaw{0, end, s[:end] + " is not a real day"}
	}
	return pruning.DaysFromCivil(y, m, d), s[end:], nil
}

// parseClock reads Thh:mm:ss[.fraction]Z in microseconds.
func parseClock(s string, fraction bool) (micros int64, bad *flaw) {
	wrong := &flaw{0, len(s), "the time of day is missing or malformed: write T03:04:05Z after the day"}
	if len(s) < 10 || s[0] != 'T' || s[3] != ':' || s[6] != ':' || s[len(s)-1] != 'Z' || !digitsAnd(s[1:3]+s[4:6]+s[7:9], "") {
		return 0, wrong
	}
	h, _ := strconv.Atoi(s[1:3])
	m, _ := strconv.Atoi(s[4:6])
	sec, _ := strconv.Atoi(s[7:9])
	if h > 23 || m > 59 || sec > 59 {
		return 0, &flaw{1, 9, s[1:9] + " is not a time of day"}
	}
	micros = int64(h*3600+m*60+sec) * 1000000
	frac := s[9 : len(s)-1]
	switch {
	case frac == "":
	case !fraction || frac[0] != '.' || len(frac) < 2 || len(frac) > 7 || !digitsAnd(frac[1:], ""):
		return 0, wrong
	default:
		n, _ := strconv.Atoi((frac[1:] + "00000")[:6])
		micros += int64(n)
	}
	return micros, nil
}

// parseInterval reads an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as P1DT2H, with a minus
// sign perhaps, in microseconds.
func parseInterval(s string) (v pruning.Value, bad *flaw) {
	wrong := &flaw{0, len(s), strconv.Quote(s) + " is not an interval: write a duration such as P1DT2H30M"}
	rest := strings.TrimPrefix(s, "-")
	rest, ok := strings.CutPrefix(rest, "P")
	if !ok || rest == "" {
		return v, wrong
	}
	var total uint64
	units := "WDHMS"
	for inTime := false; rest != ""; {
		if t, ok := strings.CutPrefix(rest, "T"); ok && !inTime && t != "" {
			rest, inTime = t, true
			continue
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if n < 1 {
			return v, wrong
		}
		u := strings.IndexByte(units, rest[n])
		date := u >= 0 && rest[n] == 'W' || rest[n] == 'D'
		if u < 0 || date == inTime {
			return v, wrong
		}
		micros, ok := quantity(rest[:n], rest[n])
		sum, carry := bits.Add64(total, micros, 0)
		if !ok || carry != 0 || sum > maxMicros {
			return v, &flaw{0, len(s), strconv.Quote(s) + " is malformed or too long for an interval"}
		}
		total, units, rest = sum, units[u+1:], rest[n+1:]
	}
	if s[0] == '-' {
		return pruning.Int(-int64(total)), nil
	}
	return pruning.Int(int64(total)), nil
}

// quantity is a number of units in microseconds; only seconds have a fraction.
func quantity(s string, unit byte) (uint64, bool) {
	whole, frac, point := strings.Cut(s, ".")
	if point && (unit != 'S' || frac == "" || len(frac) > 6 || !digitsAnd(frac, "")) {
		return 0, false
	}
	n, err := strconv.ParseUint(whole, 10, 64)
	seconds := map[byte]uint64{'W': 7 * 86400, 'D': 86400, 'H': 3600, 'M': 60, 'S': 1}[unit]
	hi, micros := bits.Mul64(n, seconds*1000000)
	if err != nil || hi != 0 {
		return 0, false
	}
	f, _ := strconv.ParseUint((frac + "000000")[:6], 10, 64)
	return micros + f, micros+f >= micros
}
