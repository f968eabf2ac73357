package datefmt

import (
	"fmt"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// The instants that YDB's date types reach: 1970-01-01T00:00:00 and the end of 2105-12-31, in microseconds.
const (
	First int64 = 0
	Last        = 49_673*perDay - 1
)

// ParseISO reads a date of ISO 8601 as YDB does (util/datetime/parser.h): 2021-02-03 or 20210203, then optionally T or a
// blank, 04:05[:06[.789]] or 0405[06[.789]], and Z or an offset. It gives the instant in microseconds, cutting what is
// finer, and whether there was a time. Positions of the finding count from the text's first byte.
func ParseISO(text string) (us int64, timed bool, bad *ast.Diagnostic) {
	p := iso{s: text}
	us = p.date()
	if p.bad == nil && p.i < len(p.s) {
		timed = true
		us += p.clock()
		us -= p.offset()
		p.require(p.i == len(p.s), p.i, len(p.s), "nothing can follow the time")
	}
	if p.bad == nil {
		p.bad = OutOfRange(text, us, First, Last)
	}
	if p.bad != nil {
		return 0, false, p.bad
	}
	return us, timed, nil
}

// OutOfRange is the finding about an instant before first or after last, or nil. what is the text that means it; the
// finding covers all of it.
func OutOfRange(what string, us, first, last int64) *ast.Diagnostic {
	const code = "projection.range"
	day := func(us int64) string { return string(FromMicros(us).AppendDay(nil)) }
	d := &ast.Diagnostic{Code: code, End: ast.Pos(len(what))}
	shown := strings.TrimSpace(what)
	switch {
	case us < first:
		d.Msg = fmt.Sprintf("%s is before the first date %s", shown, day(first))
		d.Hint = "write a later date"
	case us > last:
		d.Msg = fmt.Sprintf("%s is after the last date %s", shown, day(last))
		d.Hint = "write an earlier date"
	default:
		return nil
	}
	return d
}

// iso reads one text from left to right; after the first finding it reads no further.
type iso struct {
	s     string
	i     int
	tight bool // digits of the next number follow without a mark
	bad   *ast.Diagnostic
}

const isoHint = "write YYYY-MM-DD, for example 2021-02-03"

// require reports msg about s[i:j] unless ok.
func (p *iso) require(ok bool, i, j int, msg string) bool {
	if !ok && p.bad == nil {
		p.bad = &ast.Diagnostic{Code: "projection.bound", Pos: ast.Pos(i), End: ast.Pos(j), Msg: fmt.Sprintf("%q: %s", clip(p.s), msg), Hint: isoHint}
	}
	return ok && p.bad == nil
}

// clip keeps messages about long texts short.
func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// number reads exactly n digits, which must be a number from lo to hi.
func (p *iso) number(what string, n int, lo, hi int64) (v int64) {
	j := p.i
	for ; j < len(p.s) && j < p.i+n && isDigit(p.s[j]); j++ {
		v = v*10 + int64(p.s[j]-'0')
	}
	end := j
	for end < len(p.s) && isDigit(p.s[end]) {
		end++
	}
	if p.require(j == p.i+n && (p.tight || end == j), p.i, max(end, min(p.i+1, len(p.s))), fmt.Sprintf("the %s needs %d digits", what, n)) {
		p.require(v >= lo && v <= hi, p.i, j, fmt.Sprintf("%s %s doesn't exist", what, p.s[p.i:j]))
	}
	p.i = j
	return v
}

// skip takes one of the bytes of set, if it is next.
func (p *iso) skip(set string) bool {
	if p.bad == nil && p.i < len(p.s) && strings.IndexByte(set, p.s[p.i]) >= 0 {
		p.i++
		return true
	}
	return false
}

func (p *iso) date() int64 {
	trimmed := strings.TrimSpace(p.s)
	if !p.require(p.s != "", 0, 0, "the date is empty") ||
		!p.require(trimmed == p.s, 0, len(p.s), "a date has no blanks around it") ||
		!p.ordered() {
		return 0
	}
	y := p.number("year", 4, 0, 9999)
	p.skip("-")
	m := p.number("month", 2, 1, 12)
	if !p.tight && p.bad == nil {
		p.require(p.skip("-"), p.i, min(p.i+1, len(p.s)), "the day is missing")
	}
	from := p.i
	d := p.number("day", 2, 1, 31)
	if p.bad != nil {
		p.hint()
		return 0
	}
	if last := int64(pruning.DaysInMonth(int(y), int(m))); d > last {
		p.require(false, from, p.i, fmt.Sprintf("not a real day: %s %d has %d days", monthNames[m-1], y, last))
		p.bad.Hint = fmt.Sprintf("the last one is %04d-%02d-%02d", y, m, last)
		return 0
	}
	return pruning.DaysFromCivil(int(y), int(m), int(d)) * perDay
}

// ordered refuses texts that don't begin with a year in a way that says so.
func (p *iso) ordered() bool {
	n := 0
	for n < len(p.s) && isDigit(p.s[n]) {
		n++
	}
	switch {
	case n == 8 || n == 4 && n < len(p.s) && p.s[n] == '-':
		p.tight = n == 8
		return true
	case n == len(p.s) && n > 0:
		return p.require(false, 0, n, fmt.Sprintf("a date without hyphens has 8 digits, not %d", n))
	}
	return p.require(false, 0, len(p.s), "not a date in the order year, month, day")
}

// hint spells out a date whose month or day only lacks a zero.
func (p *iso) hint() {
	var y, m, d int
	if n, err := fmt.Sscanf(p.s, "%4d-%2d-%2d", &y, &m, &d); err == nil && n == 3 && m >= 1 && m <= 12 && d >= 1 && d <= 31 {
		if full := fmt.Sprintf("%04d-%02d-%02d", y, m, d); full != p.s {
			p.bad.Hint = "write " + full
		}
	}
}

// clock reads the time of day behind a date.
func (p *iso) clock() int64 {
	if !p.require(p.skip("Tt "), p.i, len(p.s), "only a time can follow the day, after T or a blank") {
		return 0
	}
	p.tight = p.i+2 >= len(p.s) || p.s[p.i+2] != ':'
	h := p.number("hour", 2, 0, 23)
	p.skip(":")
	us := h*perHour + p.number("minute", 2, 0, 59)*perMinute
	if more := p.i < len(p.s) && isDigit(p.s[p.i]); !(p.tight && more || !p.tight && p.skip(":")) {
		return us
	}
	us += p.number("second", 2, 0, 59) * perSecond
	if p.skip(".,") {
		us += p.fraction()
	}
	return us
}

func (p *iso) fraction() (us int64) {
	from := p.i
	for unit := perSecond / 10; p.i < len(p.s) && isDigit(p.s[p.i]); p.i++ {
		us += int64(p.s[p.i]-'0') * unit
		unit /= 10
	}
	p.require(p.i > from, from-1, p.i, "the digits of the fraction are missing")
	return us
}

// offset reads Z or the distance from UTC, if there is one.
func (p *iso) offset() int64 {
	if p.skip("Zz") {
		return 0
	}
	sign := int64(1)
	switch {
	case p.skip("-"):
		sign = -1
	case !p.skip("+"):
		return 0
	}
	p.tight = true
	us := p.number("offset's hour", 2, 0, 23) * perHour
	if p.skip(":") || p.i < len(p.s) {
		us += p.number("offset's minute", 2, 0, 59) * perMinute
	}
	return sign * us
}
