package projection

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// NowRules are one system's rules for expressions such as NOW-3DAYS.
type NowRules struct {
	Units       []datefmt.Unit // allowed units, in plural or singular; in the order in which messages list them
	First, Last int64          // the instants, in microseconds, that a result may be
}

var nowUnits = []datefmt.Unit{datefmt.Years, datefmt.Months, datefmt.Weeks, datefmt.Days, datefmt.Hours, datefmt.Minutes, datefmt.Seconds}

// YDBNow are YDB's rules (yql_s3_path_generator.cpp), with the range of its date types checked for every unit.
var YDBNow = NowRules{Units: nowUnits, First: datefmt.First, Last: datefmt.Last}

// AthenaNow are Athena's: years 1 to 9999.
var AthenaNow = NowRules{Units: nowUnits, First: -62_135_596_800_000_000, Last: 253_402_300_799_999_999}

// DateBound reads a bound of a YDB date projection: a NOW expression or an ISO date. now and the result are microseconds
// since 1970-01-01T00:00:00Z; positions of the finding count from the text's first byte.
func DateBound(text string, now int64) (us int64, bad *ast.Diagnostic) {
	if IsNow(text) {
		return YDBNow.Parse(text, now)
	}
	us, _, bad = datefmt.ParseISO(text)
	if bad != nil && strings.HasPrefix(bad.Hint, "write YYYY") {
		bad.Hint += ", or NOW"
	}
	return us, bad
}

// IsNow reports whether a text is meant as a NOW expression: its first word begins so, in whatever case.
func IsNow(text string) bool {
	text = strings.TrimLeft(text, blanks)
	return len(text) >= 3 && strings.EqualFold(text[:3], "NOW")
}

// NowText is a NOW expression without blanks around it, or "" for another text.
func NowText(text string) string {
	if !IsNow(text) {
		return ""
	}
	return strings.Trim(text, blanks)
}

const blanks = " \t\n\r\f\v"

// Parse evaluates NOW, or NOW with one + or - and a number of units: " NOW - 1 MONTHS ". now is cut to seconds and keeps
// its time of day; months and years move along the calendar and clamp the day to the month's length.
func (r *NowRules) Parse(text string, now int64) (us int64, bad *ast.Diagnostic) {
	p := nowParser{r: r, s: text}
	sign, amount, unit := p.parse()
	if p.bad != nil {
		return 0, p.bad
	}
	now -= mod(now, datefmt.Seconds.Micros())
	us = shift(now, sign, amount, unit)
	if bad = datefmt.OutOfRange(text, us, r.First, r.Last); bad != nil {
		return 0, bad
	}
	return us, nil
}

// shift moves an instant; what is farther than any range allows saturates.
func shift(us int64, sign int64, amount int64, unit datefmt.Unit) int64 {
	const far = math.MaxInt64 / 2
	months := int64(1)
	switch unit {
	case datefmt.NoUnit:
		return us
	case datefmt.Years:
		months = 12
		fallthrough
	case datefmt.Months:
		if amount > 12*20_000/months {
			return sign * far
		}
		return pruning.AddMonths(floorDiv(us, day), sign*amount*months)*day + mod(us, day)
	}
	if amount > far/unit.Micros() {
		return sign * far
	}
	return us + sign*amount*unit.Micros()
}

func mod(a, b int64) int64 { return ((a % b) + b) % b }

// nowParser reads one expression from left to right; after the first finding it reads no further.
type nowParser struct {
	r   *NowRules
	s   string
	i   int
	bad *ast.Diagnostic
}

func (p *nowParser) blanks() {
	for p.i < len(p.s) && strings.IndexByte(blanks, p.s[p.i]) >= 0 {
		p.i++
	}
}

// fail reports about s[i:j], once.
func (p *nowParser) fail(i, j int, hint, format string, args ...any) {
	if p.bad == nil {
		p.bad = &ast.Diagnostic{Code: "projection.now", Pos: ast.Pos(i), End: ast.Pos(j), Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
}

// word is the run of bytes of one class from i on.
func (p *nowParser) word(class func(byte) bool) string {
	j := p.i
	for j < len(p.s) && class(p.s[j]) {
		j++
	}
	return p.s[p.i:j]
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// rest is what hasn't been read, without the blanks behind it.
func (p *nowParser) rest() string { return strings.TrimRight(p.s[p.i:], blanks) }

// parse reads the whole expression; plain NOW has unit NoUnit.
func (p *nowParser) parse() (sign, amount int64, unit datefmt.Unit) {
	p.blanks()
	if now := p.s[p.i : p.i+3]; now != "NOW" {
		p.fail(p.i, p.i+3, "write NOW", "%s is written in capitals", Quote(now))
	}
	p.i += 3
	p.blanks()
	if p.i == len(p.s) {
		return 0, 0, datefmt.NoUnit
	}
	sign = p.sign()
	p.blanks()
	amount = p.amount()
	p.blanks()
	unit = p.unit()
	p.blanks()
	if p.i < len(p.s) {
		p.fail(p.i, p.i+len(p.rest()), "add up the parts by hand", "%s can't follow: NOW takes one operation", Quote(p.rest()))
	}
	return sign, amount, unit
}

func (p *nowParser) sign() int64 {
	switch c := p.s[p.i]; {
	case c == '+':
		p.i++
		return 1
	case c == '-':
		p.i++
		return -1
	case isDigit(c) || isLetter(c):
		rest := p.rest()
		p.fail(p.i, p.i+len(rest), "write NOW-3DAYS or NOW+3DAYS", "a sign is missing between NOW and %s", Quote(rest))
	default:
		p.fail(p.i, p.i+1, "write NOW-3DAYS or NOW+3DAYS", "only + and - can follow NOW, not %s", Quote(p.rest()))
	}
	return 0
}

func (p *nowParser) amount() int64 {
	const hint = "write a whole number and a unit, as in NOW-3DAYS"
	digits := p.word(isDigit)
	next := p.i + len(digits)
	switch {
	case p.bad != nil:
		return 0
	case digits == "" && strings.HasPrefix(p.s[p.i:], "+"), digits == "" && strings.HasPrefix(p.s[p.i:], "-"):
		p.fail(p.i, p.i+1, hint, "the amount must follow a single sign")
	case digits == "":
		p.fail(p.i, p.i+len(p.rest()), hint, "the amount is missing")
	case next < len(p.s) && (p.s[next] == '.' || p.s[next] == ','):
		p.fail(p.i, p.i+len(p.rest()), hint, "the amount must be a whole number")
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		p.fail(p.i, next, "write a smaller number", "the amount %s is too large", Clip(digits))
	}
	p.i = next
	return n
}

func (p *nowParser) unit() datefmt.Unit {
	word := p.word(isLetter)
	if p.bad != nil {
		return datefmt.NoUnit
	}
	names := make([]string, 0, 2*len(p.r.Units))
	for _, u := range p.r.Units {
		plural := u.String()
		singular := strings.TrimSuffix(plural, "S")
		if word == plural || word == singular {
			p.i += len(word)
			return u
		}
		if strings.EqualFold(word, plural) || strings.EqualFold(word, singular) {
			p.fail(p.i, p.i+len(word), "write "+strings.ToUpper(word), "units are written in capitals, not %s", Quote(word))
		}
		names = append(names, plural)
	}
	known := "the units are " + strings.Join(names, ", ")
	if word == "" {
		p.fail(p.i, p.i+len(p.rest()), known, "the unit is missing")
	}
	if near, ok := ast.Nearest(word, names); ok && word != datefmt.Milliseconds.String() {
		known = fmt.Sprintf("did you mean %s? %s", near, known)
	}
	p.fail(p.i, p.i+len(word), known, "%s is no unit of NOW", Quote(word))
	return datefmt.NoUnit
}

// Inside adds a finding whose positions count within t; name is what the message calls the value.
func (f *Findings) Inside(name string, t Text, d *ast.Diagnostic) {
	f.add(d.Severity, d.Code, t.Part(int(d.Pos), int(d.End)), d.Hint, name+": "+d.Msg)
}
