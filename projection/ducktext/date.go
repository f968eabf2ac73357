package ducktext

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// Days and microseconds that stand for infinity, below and above every other date (DuckDB, date_t and timestamp_t).
const (
	infiniteDay    = math.MaxInt32
	infiniteMicros = math.MaxInt64
	lastDay        = 2147483646 // 5881580-07-10
)

const dayMicros = 24 * 60 * 60 * 1_000_000

// special reads the words that stand for a date.
func special(s string) (sign int64, ok bool) {
	switch strings.ToLower(s) {
	case "epoch":
		return 0, true
	case "infinity", "inf":
		return 1, true
	case "-infinity", "-inf":
		return -1, true
	}
	return 0, false
}

// parseDate reads year-month-day with one of "-", "/" and a blank twice, or a special word. Unless strict is set,
// whatever follows the day is ignored.
func parseDate(s string, strict, tail bool) (v pruning.Value, ok bool) {
	if sign, ok := special(s); ok {
		return pruning.Int(sign * infiniteDay), !tail
	}
	const shortest = 6 // of what is detected
	day, rest, ok := cutDay(s)
	if !ok || strict && (rest != "" || len(s) < shortest) || rest != "" && digit(rest[0]) {
		return v, false
	}
	return pruning.Int(day), true
}

// cutDay reads a day at the beginning of s. A year before Christ has a minus sign, or (BC) behind the day.
func cutDay(s string) (day int64, rest string, ok bool) {
	body := strings.TrimPrefix(s, "-")
	y, body, ok1 := cutNumber(body, 7)
	if !ok1 || body == "" || strings.IndexByte("-/ \\", body[0]) < 0 {
		return 0, "", false
	}
	sep := body[0]
	m, body, ok1 := cutNumber(body[1:], 2)
	if !ok1 || body == "" || body[0] != sep {
		return 0, "", false
	}
	d, body, ok1 := cutNumber(body[1:], 2)
	if !ok1 {
		return 0, "", false
	}
	if s[0] == '-' {
		y = -y
	}
	if bc, found := strings.CutPrefix(body, " (BC)"); found {
		y, body = 1-y, bc
	}
	if m < 1 || m > 12 || d < 1 || d > pruning.DaysInMonth(y, m) {
		return 0, "", false
	}
	day = pruning.DaysFromCivil(y, m, d)
	return day, body, -lastDay <= day && day <= lastDay
}

// cutNumber reads 1 to most digits at the beginning of s.
func cutNumber(s string, most int) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < most && digit(s[i]) {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, s[i:], i > 0
}

// parseTimestamp reads a date with an optional time of day behind T or a blank, and an optional zone: Z, +02, +02:30, UTC.
// DuckDB takes the clock of a TIMESTAMP as it stands, whatever the zone.
func parseTimestamp(t pruning.Type, s string, tail bool) (v pruning.Value, ok bool) {
	if sign, ok := special(s); ok {
		return pruning.Int(sign * infiniteMicros), !tail
	}
	day, rest, ok := cutDay(s)
	if !ok {
		return v, false
	}
	micros := int64(0)
	if rest != "" {
		if rest[0] != ' ' && rest[0] != 'T' && rest[0] != 't' {
			return v, false
		}
		if micros, rest, ok = cutClock(strings.TrimLeft(rest[1:], " ")); !ok || !zone(rest) {
			return v, false
		}
	}
	hi, lo := bits.Mul64(uint64(max(day, -day)), dayMicros)
	if hi != 0 || lo > math.MaxInt64-dayMicros {
		return v, false
	}
	return pruning.Int(fromMicros(t, day*dayMicros+micros)), true
}

// cutClock reads h:mm, h:mm:ss or h:mm:ss.f at the beginning of s; digits beyond microseconds are cut off. 24:00:00 is
// the end of the day.
func cutClock(s string) (micros int64, rest string, ok bool) {
	h, s, ok := cutNumber(s, 2)
	if !ok || s == "" || s[0] != ':' {
		return 0, "", false
	}
	m, s, ok := cutNumber(s[1:], 2)
	if !ok {
		return 0, "", false
	}
	sec, frac := 0, 0
	if s != "" && s[0] == ':' {
		if sec, s, ok = cutNumber(s[1:], 2); !ok {
			return 0, "", false
		}
		if s != "" && s[0] == '.' {
			frac, s = cutFraction(s[1:])
		}
	}
	micros = int64(h*3600+m*60+sec)*1_000_000 + int64(frac)
	return micros, s, m < 60 && sec < 60 && (h < 24 || micros == dayMicros)
}

func cutFraction(s string) (micros int, rest string) {
	n := 0
	for ; n < len(s) && digit(s[n]); n++ {
		if n < 6 {
			micros = micros*10 + int(s[n]-'0')
		}
	}
	for i := n; i < 6; i++ {
		micros *= 10
	}
	return micros, s[n:]
}

// zone reports whether s is nothing, or the zone behind a time.
func zone(s string) bool {
	s = strings.Trim(s, blanks)
	switch {
	case s == "", s == "Z", s == "z", s == "UTC":
		return true
	case s[0] != '+' && s[0] != '-':
		return false
	}
	s = s[1:]
	for len(s) >= 2 && digit(s[0]) && digit(s[1]) {
		if s = s[2:]; s == "" {
			return true
		}
		s = strings.TrimPrefix(s, ":")
	}
	return false
}

// Zoned reads a TIMESTAMP WITH TIME ZONE: the instant in UTC, in microseconds. A text without an offset is in UTC; names of
// zones aren't read.
func Zoned(text string) (v pruning.Value, ok bool) {
	text = strings.Trim(text, blanks)
	t := pruning.Type{Kind: pruning.Timestamp, Precision: 6}
	if v, ok = parseTimestamp(t, text, false); !ok {
		return v, false
	}
	_, clock, _ := strings.Cut(text, ":")
	i := strings.LastIndexAny(clock, "+-")
	if i < 0 {
		return v, true
	}
	minutes, unit := int64(0), int64(60)
	for field := range strings.SplitSeq(clock[i+1:], ":") {
		for ; len(field) >= 2; field = field[2:] {
			minutes += unit * int64(field[0]-'0') * 10
			minutes += unit * int64(field[1]-'0')
			unit /= 60
		}
	}
	if clock[i] == '+' {
		minutes = -minutes
	}
	return pruning.Int(v.Int() + minutes*60e6), true
}

// parseTime reads a time of day, whatever follows its seconds, or that of a timestamp.
func parseTime(s string) (v pruning.Value, ok bool) {
	if micros, rest, ok := cutClock(s); ok && (rest == "" || strings.Count(s[:len(s)-len(rest)], ":") == 2) {
		return pruning.Int(micros), true
	}
	if sign, ok := special(s); ok && sign != 0 {
		return v, false
	}
	v, ok = parseTimestamp(pruning.Type{Kind: pruning.Timestamp}, s, false)
	micros := v.Int() % dayMicros
	if micros < 0 {
		micros += dayMicros
	}
	return pruning.Int(micros), ok
}

// unit is how many microseconds one unit of a timestamp type has, or how many units a microsecond.
func unit(t pruning.Type) (micros, perMicro int64) {
	switch {
	case t.Kind == pruning.Datetime:
		return 1_000_000, 1
	case t.Precision == 3:
		return 1_000, 1
	case t.Precision == 9:
		return 1, 1_000
	}
	return 1, 1
}

// fromMicros rounds to the unit of a timestamp type.
func fromMicros(t pruning.Type, n int64) int64 {
	micros, perMicro := unit(t)
	n += micros / 2
	q := n / micros
	if n%micros < 0 {
		q--
	}
	return q * perMicro
}

func appendDate(dst []byte, day int64) []byte {
	switch day {
	case infiniteDay:
		return append(dst, "infinity"...)
	case -infiniteDay:
		return append(dst, "-infinity"...)
	}
	y, m, d := pruning.CivilFromDays(day)
	before := y < 1
	if before {
		y = 1 - y
	}
	dst = append(appendPadded(dst, int64(y), 4), '-')
	dst = append(appendPadded(dst, int64(m), 2), '-')
	dst = appendPadded(dst, int64(d), 2)
	if before {
		dst = append(dst, " (BC)"...)
	}
	return dst
}

func appendTimestamp(dst []byte, t pruning.Type, n int64) []byte {
	micros, perMicro := unit(t)
	if n == infiniteMicros || n == -infiniteMicros {
		return appendDate(dst, infiniteDay*(n/infiniteMicros))
	}
	perDay := dayMicros / micros * perMicro
	day := n / perDay
	if n%perDay < 0 {
		day--
	}
	digits := 6
	if perMicro > 1 {
		digits = 9
	}
	dst = append(appendDate(dst, day), ' ')
	return appendClock(dst, (n-day*perDay)*micros, digits)
}

// appendClock writes units of 10^-digits seconds of the day, without zeros at the end of a fraction.
func appendClock(dst []byte, n int64, digits int) []byte {
	per := int64(1_000_000)
	if digits == 9 {
		per = 1_000_000_000
	}
	sec, frac := n/per, n%per
	dst = append(appendPadded(dst, sec/3600, 2), ':')
	dst = append(appendPadded(dst, sec/60%60, 2), ':')
	dst = appendPadded(dst, sec%60, 2)
	if frac == 0 {
		return dst
	}
	for frac%10 == 0 {
		frac, digits = frac/10, digits-1
	}
	return appendPadded(append(dst, '.'), frac, digits)
}

func appendPadded(dst []byte, n int64, width int) []byte {
	text := strconv.FormatInt(n, 10)
	for i := len(text); i < width; i++ {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}
