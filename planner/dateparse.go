package planner

import (
	"strconv"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// dateParser is a function from texts to instants: read gives microseconds; valid is false where the result is NULL, and
// sure is false where that isn't certain.
func dateParser(name string, read func(s string) (us int64, valid, sure bool)) *function {
	return &function{name: name, min: 1, max: 1, mayNull: true, result: takes("t", tmType.optional()),
		call: func(_ *apply, args []value) value {
			switch us, valid, sure := read(args[0].lo.Text()); {
			case !sure:
				return anything.orNull()
			case !valid:
				return nullValue
			default:
				return dateSpan(tmType, point128(us))
			}
		}}
}

// parseBy is what DateTime::Parse(pattern) gives; nil for a pattern with directives that aren't known (YQL, "DateTime: Parse").
func parseBy(name, pattern string) *function {
	for rest := pattern; ; {
		i := strings.IndexByte(rest, '%')
		if i < 0 {
			break
		}
		if i+1 == len(rest) || strings.IndexByte("%YmdHMSbB", rest[i+1]) < 0 {
			return nil
		}
		rest = rest[i+2:]
	}
	return dateParser(name, func(s string) (int64, bool, bool) {
		us, ok := parsedBy(pattern, s)
		return us, ok, true
	})
}

// parsedBy reads all of s by a pattern. What the pattern lacks is that of 1970-01-01T00:00:00.
func parsedBy(pattern, s string) (us int64, ok bool) {
	p := datePieces{s: s, year: 1970, month: 1, day: 1}
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' {
			ok = p.skip(pattern[i])
		} else {
			i++
			ok = p.read(pattern[i])
		}
		if !ok {
			return 0, false
		}
	}
	if p.s != "" || p.year < 1970 || p.month < 1 || p.month > 12 || p.day < 1 || p.day > pruning.DaysInMonth(p.year, p.month) ||
		p.hour > 23 || p.minute > 59 || p.second > 59 {
		return 0, false
	}
	seconds := int64(p.hour)*3600 + int64(p.minute)*60 + int64(p.second)
	return pruning.DaysFromCivil(p.year, p.month, p.day)*microsADay + seconds*1e6 + int64(p.micros), true
}

// datePieces are the parts of a date while its text s is read.
type datePieces struct {
	s                                              string
	year, month, day, hour, minute, second, micros int
}

func (p *datePieces) skip(c byte) bool {
	if p.s == "" || p.s[0] != c {
		return false
	}
	p.s = p.s[1:]
	return true
}

// read reads what a directive stands for.
func (p *datePieces) read(c byte) (ok bool) {
	switch c {
	case 'Y':
		return p.digits(&p.year, 4)
	case 'm':
		return p.digits(&p.month, 2)
	case 'd':
		return p.digits(&p.day, 2)
	case 'H':
		return p.digits(&p.hour, 2)
	case 'M':
		return p.digits(&p.minute, 2)
	case 'S':
		return p.digits(&p.second, 2) && p.fraction()
	case 'b':
		return p.name(3)
	case 'B':
		return p.name(len("September"))
	}
	return p.skip(c)
}

func (p *datePieces) digits(to *int, n int) bool {
	if len(p.s) < n || !digitsAnd(p.s[:n], "") {
		return false
	}
	*to, _ = strconv.Atoi(p.s[:n])
	p.s = p.s[n:]
	return true
}

// fraction reads up to six digits behind a point, if there is one.
func (p *datePieces) fraction() bool {
	if !p.skip('.') {
		return true
	}
	for unit := 100000; unit > 0 && p.s != "" && '0' <= p.s[0] && p.s[0] <= '9'; unit /= 10 {
		p.micros += int(p.s[0]-'0') * unit
		p.s = p.s[1:]
	}
	return true
}

// name reads the English name of a month, of which the first letters count.
func (p *datePieces) name(letters int) bool {
	for m := time.January; m <= time.December; m++ {
		name := m.String()
		name = name[:min(len(name), letters)]
		if len(p.s) >= len(name) && strings.EqualFold(p.s[:len(name)], name) {
			p.month, p.s = int(m), p.s[len(name):]
			return true
		}
	}
	return false
}

// readISO is DateTime::ParseIso8601. It isn't relied upon for texts that bounds of projections refuse.
func readISO(s string) (us int64, valid, sure bool) {
	us, _, bad := datefmt.ParseISO(s)
	return us, bad == nil, bad == nil
}

// readLayout reads by one of Go's layouts, in UTC or with an offset in digits; other zones aren't relied upon.
func readLayout(layouts ...string) func(s string) (int64, bool, bool) {
	return func(s string) (us int64, valid, sure bool) {
		for _, zone := range []string{" GMT", " UTC"} {
			if t, ok := strings.CutSuffix(s, zone); ok {
				s = t + " +0000"
			}
		}
		for _, l := range layouts {
			if t, err := time.Parse(l, s); err == nil {
				return t.UnixMicro(), true, true
			}
		}
		return 0, false, false
	}
}

// startOfInterval is DateTime::StartOf(date, interval): the day is cut into intervals, counted from midnight.
var startOfInterval = &function{name: "DateTime::StartOf", min: 2, max: 2, rise: "+ ", mayNull: true, result: takes("dv", tmType.optional()),
	call: func(a *apply, args []value) value {
		t := a.args[0].typ()
		if !t.isDate() {
			return anything.orNull()
		}
		c := civilOf(t, args[0].lo)
		switch n := max(args[1].lo.Int(), -args[1].lo.Int()); {
		case n == 0:
		case n >= microsADay, n < 0:
			c.micros = 0
		default:
			c.micros -= c.micros % n
		}
		return dateSpan(tmType, point128(c.days*microsADay+c.micros))
	}}
