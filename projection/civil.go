package projection

import (
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// Moment is a date and perhaps a time as SQL texts of MySQL's family write it.
type Moment struct {
	Days    int64 // since 1970-01-01
	Micros  int64 // of the day
	HasTime bool  // a time was written
}

// ParseMoment reads 2017-02-01 or 20170201, with single digits for month and day if there are dashes, and perhaps a time
// behind a blank or T: 10, 10:30, 10:30:05, 10:30:05.123456; also 20170201103005. Behind a time, Z or an offset such as
// +08:00 brings it to UTC. problem says what is wrong, or is empty (Doris, DateLiteral.java and vdatetime_value.cpp; hour 24, days that no month has and years above 9999 are none).
func ParseMoment(text string) (m Moment, problem string) {
	text = strings.TrimSpace(text)
	day, clock, hasTime := strings.Cut(text, " ")
	if !hasTime {
		day, clock, hasTime = strings.Cut(text, "T")
	}
	if len(text) == 14 && isDecimal(text) {
		day, clock, hasTime = text[:8], text[8:10]+":"+text[10:12]+":"+text[12:], true
	}
	if m.Days, problem = parseCalendarDay(day); problem != "" || !hasTime {
		return m, problem
	}
	m.HasTime = true
	clock = strings.TrimSpace(clock)
	shift, zoned := int64(0), false
	if i := strings.IndexAny(clock, "Z+-"); i >= 0 {
		if shift, zoned = ParseOffset(clock[i:]); zoned {
			clock = strings.TrimSpace(clock[:i])
		}
	}
	var ok bool
	if m.Micros, ok = parseTimeOfDay(clock); !ok {
		return m, "is no time of day"
	}
	const whole = 86400 * 1e6
	switch m.Micros -= shift; {
	case m.Micros < 0:
		m.Days, m.Micros = m.Days-1, m.Micros+whole
	case m.Micros >= whole:
		m.Days, m.Micros = m.Days+1, m.Micros-whole
	}
	if !(pruning.Type{Kind: pruning.Date}).Holds(pruning.Int(m.Days)) {
		return m, "is no day of the calendar"
	}
	return m, ""
}

// ParseOffset reads Z, +08:00 or -3:30, how far a clock is ahead of UTC, as microseconds.
func ParseOffset(text string) (micros int64, ok bool) {
	if text == "Z" {
		return 0, true
	}
	h, m, _ := strings.Cut(strings.TrimLeft(text, "+-"), ":")
	if len(text) != len(h)+len(m)+2 || len(h) > 2 || len(m) != 2 || !isDigits(h+m) || atoi(h) > 14 || atoi(m) > 59 {
		return 0, false
	}
	micros = int64(atoi(h)*60+atoi(m)) * 60e6
	if text[0] == '-' {
		micros = -micros
	}
	return micros, true
}

func parseCalendarDay(s string) (days int64, problem string) {
	var y, m, d string
	if len(s) == 8 && isDigits(s) {
		y, m, d = s[:4], s[4:6], s[6:]
	} else if f := strings.Split(s, "-"); len(f) == 3 {
		y, m, d = f[0], f[1], f[2]
	}
	if len(y) != 4 || len(m) < 1 || len(m) > 2 || len(d) < 1 || len(d) > 2 || !isDigits(y+m+d) {
		return 0, "is no date such as 2017-02-01"
	}
	year, month, day := atoi(y), atoi(m), atoi(d)
	if month < 1 || month > 12 || day < 1 || day > pruning.DaysInMonth(year, month) {
		return 0, "is no day of the calendar"
	}
	return pruning.DaysFromCivil(year, month, day), ""
}

// parseTimeOfDay reads 10, 10:30, 10:30:05 or 10:30:05.123456, in microseconds.
func parseTimeOfDay(s string) (micros int64, ok bool) {
	s, frac, point := strings.Cut(s, ".")
	var n [3]int
	parts := strings.Split(s, ":")
	if len(parts) > 3 || point && (len(parts) < 3 || frac == "" || !isDigits(frac)) {
		return 0, false
	}
	for i, p := range parts {
		if len(p) < 1 || len(p) > 2 || !isDigits(p) {
			return 0, false
		}
		n[i] = atoi(p)
	}
	if n[0] > 23 || n[1] > 59 || n[2] > 59 || strings.Trim(frac[min(6, len(frac)):], "0") != "" {
		return 0, false
	}
	micros = int64(n[0]*3600+n[1]*60+n[2]) * 1e6
	return micros + int64(atoi((frac + "000000")[:6])), true
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// atoi reads a few digits.
func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// Units are how many units of 10^-p seconds the moment lies after 1970-01-01 00:00:00; exact is false when it lies
// between two.
func (m Moment) Units(p int) (n int64, exact bool) {
	unit := int64(1)
	for range 6 - p {
		unit *= 10
	}
	return m.Days*(86400e6/unit) + m.Micros/unit, m.Micros%unit == 0
}

// AppendMoment appends a date of type Date, Datetime or Timestamp as 2017-02-01 or 2017-02-01 10:30:05.123.
func AppendMoment(dst []byte, t pruning.Type, v pruning.Value) []byte {
	from := len(dst)
	dst = t.Append(dst, v)
	if t.Kind == pruning.Date {
		return dst
	}
	dst = dst[:len(dst)-1] // Z
	for i := from; i < len(dst); i++ {
		if dst[i] == 'T' {
			dst[i] = ' '
		}
	}
	return dst
}
