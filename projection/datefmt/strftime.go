package datefmt

import "strings"

// The conversions of C's strftime that write one field: ISO C, POSIX and those that glibc adds.
var conversions = [128]op{
	'Y': {field: year, width: 4, pad: '0'},
	'y': {field: yearOfCentury, width: 2, pad: '0'},
	'C': {field: century, width: 2, pad: '0'},
	'G': {field: isoYear, width: 4, pad: '0'},
	'g': {field: isoYearOfCentury, width: 2, pad: '0'},
	'm': {field: month, width: 2, pad: '0'},
	'b': {field: monthShort},
	'h': {field: monthShort},
	'B': {field: monthLong},
	'd': {field: day, width: 2, pad: '0'},
	'e': {field: day, width: 2, pad: ' '},
	'j': {field: yearDay, width: 3, pad: '0'},
	'a': {field: weekdayShort},
	'A': {field: weekdayLong},
	'w': {field: weekdaySunday, width: 1},
	'u': {field: weekdayMonday, width: 1},
	'U': {field: weekSunday, width: 2, pad: '0'},
	'W': {field: weekMonday, width: 2, pad: '0'},
	'V': {field: isoWeek, width: 2, pad: '0'},
	'H': {field: hour, width: 2, pad: '0'},
	'k': {field: hour, width: 2, pad: ' '},
	'I': {field: hour12, width: 2, pad: '0'},
	'l': {field: hour12, width: 2, pad: ' '},
	'p': {field: halfDay},
	'P': {field: halfDay, fold: 'a'},
	'M': {field: minute, width: 2, pad: '0'},
	'S': {field: second, width: 2, pad: '0'},
	's': {field: epoch, width: 1},
}

// macro is what a conversion stands for that is short for others or has the same text for every date: C locale, UTC.
func macro(c byte) string {
	switch c {
	case 'D', 'x':
		return "%m/%d/%y"
	case 'F':
		return "%Y-%m-%d"
	case 'T', 'X':
		return "%H:%M:%S"
	case 'R':
		return "%H:%M"
	case 'r':
		return "%I:%M:%S %p"
	case 'c':
		return "%a %b %e %H:%M:%S %Y"
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'z':
		return "+0000"
	case 'Z':
		return "UTC"
	}
	return ""
}

// Strftime compiles a pattern of C's strftime. Names are English (the C locale) and times UTC. Of glibc's extensions it
// knows %k %l %P and the flags - _ 0 ^ ("%-d": 3). A conversion that strftime doesn't know is copied as it stands, as
// YDB does (yql_generate_partitioning_rules_ut.cpp): "asdf%0 asdf%Y" in 2012 is "asdf%0 asdf2012". So every pattern is legal.
func Strftime(pattern string) *Format {
	b := builder{}
	b.strftime(pattern)
	return b.format(pattern, 1969)
}

// strftime adds the operations of a pattern.
func (b *builder) strftime(pattern string) {
	for {
		i := strings.IndexByte(pattern, '%')
		if i < 0 {
			b.literal(pattern)
			return
		}
		b.literal(pattern[:i])
		pattern = pattern[i:]
		n := b.conversion(pattern)
		if n == 0 {
			n = 1
			b.literal("%")
		}
		pattern = pattern[n:]
	}
}

// conversion adds the one at the start of s and gives its length, or 0 for text that is none.
func (b *builder) conversion(s string) int {
	if len(s) < 2 {
		return 0
	}
	c, modifier := s[1], byte(0)
	if strings.IndexByte("-_0^EO", c) >= 0 && len(s) > 2 {
		modifier, c = c, s[2]
	}
	n := 2
	if modifier != 0 {
		n = 3
	}
	switch {
	case c >= 128 || modifier == 'E' && strings.IndexByte("cCxXyY", c) < 0 || modifier == 'O' && strings.IndexByte("deHImMSuUVwWy", c) < 0:
		return 0
	case conversions[c].field != literal:
		b.add(conversions[c].flagged(modifier))
	case modifier != 0 && modifier != 'E':
		return 0
	case c == '%':
		b.literal("%")
	case macro(c) != "":
		b.strftime(macro(c))
	default:
		return 0
	}
	return n
}

// flagged is the operation under one of glibc's flags. E and O ask for a locale's own forms, and C has none.
func (o op) flagged(flag byte) op {
	number := o.width > 0
	switch {
	case flag == '^' && !number && o.fold == 0:
		o.fold = 'A'
	case flag == '-' && number:
		o.pad = 0
	case flag == '_' && number && o.width > 1:
		o.pad = ' '
	case flag == '0' && number && o.width > 1:
		o.pad = '0'
	}
	return o
}
