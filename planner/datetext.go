package planner

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

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
		day := rest[n] == 'W' || rest[n] == 'D'
		if u < 0 || day == inTime {
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
	hi, micros := bits.Mul64(n, unitSeconds(unit)*1000000)
	if err != nil || hi != 0 {
		return 0, false
	}
	f, _ := strconv.ParseUint((frac + "000000")[:6], 10, 64)
	return micros + f, micros+f >= micros
}

func unitSeconds(unit byte) uint64 {
	switch unit {
	case 'W':
		return 7 * 86400
	case 'D':
		return 86400
	case 'H':
		return 3600
	case 'M':
		return 60
	}
	return 1
}
