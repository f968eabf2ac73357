package datefmt

import (
	"fmt"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// Java compiles a pattern of java.time.format.DateTimeFormatter with English names, read as UTC; Athena and Trino write
// their projected dates so. Positions of the findings count from the pattern's first byte. The format is nil if there
// are any.
//
//	f, _ := datefmt.Java("yyyy/MM/dd")
//	f.Append(nil, datefmt.FromDays(18661)) // 2021/02/03
func Java(pattern string) (*Format, ast.Diagnostics) {
	b := builder{}
	var bad ast.Diagnostics
	for i := 0; i < len(pattern); {
		n := 1
		var d *ast.Diagnostic
		switch c := pattern[i]; {
		case c == '\'':
			n, d = b.quoted(pattern[i:])
		case isLetter(c):
			n = run(pattern[i:])
			d = b.letters(c, n)
		case strings.IndexByte("[]{}#", c) >= 0:
			d = finding(fmt.Sprintf("%q is reserved in date patterns", c), "put it between single quotes if the path contains it")
		default:
			b.literal(pattern[i : i+1])
		}
		if d != nil {
			d.Pos, d.End = ast.Pos(i), ast.Pos(i+n)
			bad = append(bad, d)
		}
		i += n
	}
	if bad != nil {
		return nil, bad
	}
	return b.format(pattern, 2000), nil
}

func finding(msg, hint string) *ast.Diagnostic {
	return &ast.Diagnostic{Code: "projection.format", Msg: msg, Hint: hint}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// run is the number of equal bytes at the start of s.
func run(s string) int { return len(s) - len(strings.TrimLeft(s, s[:1])) }

// quoted adds the text between single quotes at the start of s; a doubled quote stands for one.
func (b *builder) quoted(s string) (n int, d *ast.Diagnostic) {
	if strings.HasPrefix(s, "''") {
		b.literal("'")
		return 2, nil
	}
	var text strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '\'':
			text.WriteByte(s[i])
		case strings.HasPrefix(s[i:], "''"):
			text.WriteByte('\'')
			i++
		default:
			b.literal(text.String())
			return i + 1, nil
		}
	}
	return len(s), finding("a single quote isn't closed", "write '' for one quote in the text")
}

// javaNumbers are the letters that write a number: as many digits as letters, at most most; one letter doesn't pad.
var javaNumbers = map[byte]struct {
	field field
	most  int
}{
	'd': {day, 2}, 'D': {yearDay, 3}, 'H': {hour, 2}, 'k': {hour24, 2}, 'h': {hour12, 2}, 'K': {hour11, 2}, 'm': {minute, 2}, 's': {second, 2},
}

// javaZones are the texts of the offset letters for UTC, by the number of letters.
var javaZones = map[byte][5]string{
	'X': {"Z", "Z", "Z", "Z", "Z"},
	'x': {"+00", "+0000", "+00:00", "+0000", "+00:00"},
	'Z': {"+0000", "+0000", "+0000", "GMT", "Z"},
}

// javaRefused are the letters without an operation, and what to do about them.
var javaRefused = map[byte][2]string{
	'Y': {"the week-based year, which depends on the locale", "write yyyy for the year"},
	'w': {"the week of a week-based year, which depends on the locale", "write MM and dd"},
	'W': {"the week of the month, which depends on the locale", "write MM and dd"},
	'e': {"the day of the week as a number, which depends on the locale", "write dd for the day of the month"},
	'c': {"the day of the week as a number, which depends on the locale", "write dd for the day of the month"},
	'F': {"the week of the month", "write dd for the day of the month"},
	'Q': {"the quarter", "write MM for the month"},
	'q': {"the quarter", "write MM for the month"},
	'G': {"the era", "leave it out"},
	'n': {"nanoseconds", "write SSS for milliseconds"},
	'N': {"nanoseconds of the day", "write HH, mm and ss"},
	'A': {"milliseconds of the day", "write HH, mm and ss"},
	'V': {"a zone name", "leave it out: dates are UTC"},
	'v': {"a zone name", "leave it out: dates are UTC"},
	'z': {"a zone name", "leave it out: dates are UTC"},
	'O': {"a zone offset in words", "leave it out: dates are UTC"},
	'p': {"padding of the next field", "repeat the field's letter"},
	'B': {"the part of the day in words", "write HH for the hour"},
	'g': {"the modified Julian day", "write yyyy, MM and dd"},
}

// letters adds the field of n equal letters.
func (b *builder) letters(c byte, n int) *ast.Diagnostic {
	if num, ok := javaNumbers[c]; ok {
		return b.counted(c, n, num.most, op{field: num.field, width: uint8(n), pad: padFor(n)})
	}
	if zone, ok := javaZones[c]; ok {
		if n <= len(zone) {
			b.literal(zone[n-1])
			return nil
		}
		return tooMany(c, n, len(zone))
	}
	switch c {
	case 'y', 'u':
		return b.year(c, n)
	case 'M', 'L':
		return b.month(c, n)
	case 'E':
		return b.named(c, n, weekdayShort, weekdayLong)
	case 'a':
		return b.counted(c, n, 1, op{field: halfDay})
	case 'S':
		return b.counted(c, n, 9, op{field: fraction, width: uint8(n), pad: '0'})
	}
	if why, ok := javaRefused[c]; ok {
		return finding(fmt.Sprintf("%s means %s and can't be used here", strings.Repeat(string(c), min(n, 8)), why[0]), why[1])
	}
	return finding(fmt.Sprintf("%q is no letter of date patterns", c), "put text between single quotes")
}

// padFor is the padding of a number of n letters.
func padFor(n int) byte {
	if n > 1 {
		return '0'
	}
	return 0
}

// counted adds o unless there are more letters than Java takes.
func (b *builder) counted(c byte, n, most int, o op) *ast.Diagnostic {
	if n > most {
		return tooMany(c, n, most)
	}
	b.add(o)
	return nil
}

func tooMany(c byte, n, most int) *ast.Diagnostic {
	return finding(fmt.Sprintf("%d letters %c are too many", n, c), fmt.Sprintf("write at most %d", most))
}

func (b *builder) year(c byte, n int) *ast.Diagnostic {
	if n == 2 {
		b.add(op{field: yearOfCentury, width: 2, pad: '0'})
		return nil
	}
	return b.counted(c, n, 19, op{field: year, width: uint8(min(n, 19)), pad: padFor(n)})
}

func (b *builder) month(c byte, n int) *ast.Diagnostic {
	if n <= 2 {
		b.add(op{field: month, width: uint8(n), pad: padFor(n)})
		return nil
	}
	return b.named(c, n, monthShort, monthLong)
}

// named adds a name: three letters its short form (for days one will do), four the full one; five would be one letter
// of it, which can't tell June from July.
func (b *builder) named(c byte, n int, short, long field) *ast.Diagnostic {
	switch {
	case n <= 3:
		b.add(op{field: short})
	case n == 4:
		b.add(op{field: long})
	case n == 5:
		return finding(fmt.Sprintf("%s writes a single letter, which doesn't tell one name from another", strings.Repeat(string(c), n)),
			fmt.Sprintf("write %s or %s", strings.Repeat(string(c), 3), strings.Repeat(string(c), 4)))
	default:
		return tooMany(c, n, 4)
	}
	return nil
}
