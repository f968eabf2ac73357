package pruning

import (
	"math/bits"
	"strconv"
	"strings"
)

const (
	dateForm    = "YYYY-MM-DD"
	calendarDay = "a day of the calendar"
)

// parseDay reads YYYY-MM-DD at the start of text; want is empty if it is there.
func parseDay(text string) (day int64, rest, want string) {
	if len(text) < 10 || text[4] != '-' || text[7] != '-' {
		return 0, "", dateForm
	}
	y, ok1 := parseFixed(text[:4])
	m, ok2 := parseFixed(text[5:7])
	d, ok3 := parseFixed(text[8:10])
	switch {
	case !ok1 || !ok2 || !ok3:
		return 0, "", dateForm
	case m < 1 || m > 12 || d < 1 || d > DaysInMonth(y, m):
		return 0, "", calendarDay
	}
	return DaysFromCivil(y, m, d), text[10:], ""
}

// parseFixed reads digits only.
func parseFixed(text string) (n int, ok bool) {
	for i := range len(text) {
		d := text[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int(d)
	}
	return n, true
}

// parseClock reads hh:mm:ss[.f…] at the start of text, in units of 10^-digits seconds.
func parseClock(text string, digits int) (units int64, rest string, ok bool) {
	if len(text) < 8 || text[2] != ':' || text[5] != ':' {
		return 0, "", false
	}
	h, ok1 := parseFixed(text[:2])
	m, ok2 := parseFixed(text[3:5])
	s, ok3 := parseFixed(text[6:8])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || s > 59 {
		return 0, "", false
	}
	frac, rest, ok := parseFraction(text[8:], digits)
	return int64(h*3600+m*60+s)*int64(pow10(digits).lo) + frac, rest, ok
}

// parseFraction reads an optional fraction of 1…digits digits at the start of text, in units of 10^-digits.
func parseFraction(text string, digits int) (units int64, rest string, ok bool) {
	if text == "" || text[0] != '.' {
		return 0, text, true
	}
	text = text[1:]
	n := 0
	for n < len(text) && text[n]-'0' <= 9 {
		n++
	}
	if n < 1 || n > digits {
		return 0, "", false
	}
	f, _ := parseFixed(text[:n])
	return int64(f) * int64(pow10(digits-n).lo), text[n:], true
}

// parseInstant reads a date, T or a blank, a time, and perhaps Z.
func (t Type) parseInstant(text string) (v Value, want string) {
	day, rest, want := parseDay(text)
	if want == calendarDay {
		return v, want
	}
	if want != "" || rest == "" || rest[0] != 'T' && rest[0] != ' ' {
		return v, t.instantForm()
	}
	clock, rest, ok := parseClock(rest[1:], t.fraction())
	if !ok || rest != "" && rest != "Z" {
		return v, t.instantForm()
	}
	unit := int64(pow10(t.fraction()).lo)
	n, ok := instant(day*86400+clock/unit, clock%unit, unit)
	if !ok {
		return v, outOfRange
	}
	return Int(n), ""
}

func (t Type) instantForm() string {
	if n := t.fraction(); n > 0 {
		return "YYYY-MM-DDThh:mm:ss[" + ".fffffffff"[:1+n] + "]"
	}
	return "YYYY-MM-DDThh:mm:ss"
}

func (t Type) appendInstant(dst []byte, n int64) []byte {
	unit := int64(pow10(t.fraction()).lo)
	sec, frac := floorDiv(n, unit)
	day, sec := floorDiv(sec, 86400)
	dst = append(appendDay(dst, day), 'T')
	return append(appendClock(dst, sec, frac, t.fraction()), 'Z')
}

func appendDay(dst []byte, day int64) []byte {
	y, m, d := CivilFromDays(day)
	dst = append(appendPadded(dst, int64(y), 4), '-')
	dst = append(appendPadded(dst, int64(m), 2), '-')
	return appendPadded(dst, int64(d), 2)
}

// appendClock appends a second of the day and, unless it is zero, a fraction with all its digits.
func appendClock(dst []byte, sec, frac int64, digits int) []byte {
	dst = append(appendPadded(dst, sec/3600, 2), ':')
	dst = append(appendPadded(dst, sec/60%60, 2), ':')
	return appendFraction(appendPadded(dst, sec%60, 2), frac, digits)
}

func appendFraction(dst []byte, frac int64, digits int) []byte {
	if frac == 0 {
		return dst
	}
	return appendPadded(append(dst, '.'), frac, digits)
}

// appendPadded appends n ≥ 0 with leading zeros.
func appendPadded(dst []byte, n int64, width int) []byte {
	from := len(dst)
	dst = append(dst, "0000000000000000000"[:width]...)
	for i := len(dst) - 1; i >= from; i-- {
		dst[i] += byte(n % 10)
		n /= 10
	}
	return dst
}

const intervalForm = "[-]P[nW][nD][T[nH][nM][n[.ffffff]S]]"

// intervalUnits are the parts of an interval in their order, in microseconds; T only separates.
var intervalUnits = [...]struct {
	letter byte
	micros uint64
}{{'W', 7 * dayMicros}, {'D', dayMicros}, {'T', 0}, {'H', 3600e6}, {'M', 60e6}, {'S', 1e6}}

// parseInterval reads an ISO 8601 duration without years and months, whose lengths vary.
func (t Type) parseInterval(text string) (v Value, want string) {
	text, neg := cutSign(text)
	rest, seen := strings.CutPrefix(text, "P")
	if !seen {
		return v, intervalForm
	}
	var sum wide
	fits := true
	seen = false
	for _, u := range intervalUnits {
		if u.letter == 'T' {
			if rest == "" {
				break
			}
			rest, seen = strings.CutPrefix(rest, "T")
			if !seen {
				return v, intervalForm
			}
			seen = false
			continue
		}
		n, frac, after, ok := parseComponent(rest, u.letter)
		if !ok {
			continue
		}
		hi, lo := bits.Mul64(n.lo, u.micros)
		sum.hi += int64(hi)
		lo, carry := bits.Add64(lo, sum.lo, 0)
		sum.hi += int64(carry)
		sum.lo = lo
		fits = fits && n.hi == 0
		sum = sum.add(frac)
		rest, seen = after, true
	}
	if !seen || rest != "" {
		return v, intervalForm
	}
	if v, fits = t.fromMagnitude(sum, neg, fits); !fits {
		return v, outOfRange
	}
	return v, ""
}

// parseComponent reads digits, a fraction where the letter is S, and the letter.
func parseComponent(text string, letter byte) (n wide, micros int64, rest string, ok bool) {
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 1 {
		return n, 0, "", false
	}
	n, _, fits := parseMagnitude(text[:end], 0)
	if !fits {
		n.hi = -1
	}
	rest = text[end:]
	if letter == 'S' {
		if micros, rest, ok = parseFraction(rest, 6); !ok {
			return n, 0, "", false
		}
	}
	rest, ok = strings.CutPrefix(rest, string(letter))
	return n, micros, rest, ok
}

// appendInterval writes days, hours, minutes and seconds, without those that are zero.
func appendInterval(dst []byte, n int64) []byte {
	mag := uint64(n)
	if n < 0 {
		dst, mag = append(dst, '-'), -mag
	}
	dst = append(dst, 'P')
	if n == 0 {
		return append(dst, "T0S"...)
	}
	for _, u := range intervalUnits[1:] {
		switch {
		case mag == 0:
			return dst
		case u.letter == 'T':
			dst = append(dst, 'T')
		case mag >= u.micros || u.letter == 'S':
			dst = strconv.AppendUint(dst, mag/u.micros, 10)
			mag %= u.micros
			if u.letter == 'S' {
				dst = appendFraction(dst, int64(mag), 6)
			}
			dst = append(dst, u.letter)
		}
	}
	return dst
}
