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

// letters adds the field of n equal letters.
func (b *builder) letters(c byte, n int) *ast.Diagnostic {
	switch c {
	case 'y', 'u':
		return b.year(c, n)
	case 'M', 'L':
		return b.month(c, n)
	case 'd':
		return b.number(c, n, 2, day)
	case 'D':
		return b.number(c, n, 3, yearDay)
	case 'H':
		return b.number(c, n, 2, hour)
	case 'k':
		return b.number(c, n, 2, hour24)
	case 'h':
		return b.number(c, n, 2, hour12)
	case 'K':
		return b.number(c, n, 2, hour11)
	case 'm':
		return b.number(c, n, 2, minute)
	case 's':
		return b.number(c, n, 2, second)
	case 'S':
		return b.counted(c, n, 9, op{field: fraction, width: uint8(n), pad: '0'})
	case 'E':
		return b.named(c, n, weekdayShort, weekdayLong)
	case 'a':
		return b.counted(c, n, 1, op{field: halfDay})
	case 'X', 'x', 'Z':
		return b.offset(c, n)
	}
	if what, hint := refused(c); what != "" {
		return finding(fmt.Sprintf("%s means %s and can't be used here", strings.Repeat(string(c), min(n, 8)), what), hint)
	}
	return finding(fmt.Sprintf("%q is no letter of date patterns", c), "put text between single quotes")
}

// refused tells the meaning of a letter without an operation, and what to write instead.
func refused(c byte) (what, hint string) {
	const date, utc = "write MM and dd", "leave it out: dates are UTC"
	switch c {
	case 'Y':
		return "the week-based year, which depends on the locale", "write yyyy for the year"
	case 'w':
		return "the week of a week-based year, which depends on the locale", date
	case 'W':
		return "the week of the month, which depends on the locale", date
	case 'e', 'c':
		return "the number of the day of the week, which depends on the locale", "write dd for the day of the month"
	case 'F':
		return "the week of the month", date
	case 'Q', 'q':
		return "the quarter", "write MM for the month"
	case 'G':
		return "the era", "leave it out"
	case 'n', 'N', 'A':
		return "a count of small parts of the day", "write HH, mm, ss and SSS"
	case 'V', 'v', 'z':
		return "a zone name", utc
	case 'O':
		return "an offset in words", utc
	case 'p':
		return "padding of the next field", "repeat the field's letter"
	case 'B':
		return "the part of the day in words", "write HH for the hour"
	case 'g':
		return "the modified Julian day", "write yyyy, MM and dd"
	}
	return "", ""
}

// offset adds the text that stands for UTC.
func (b *builder) offset(c byte, n int) *ast.Diagnostic {
	if n > 5 {
		return tooMany(c, n, 5)
	}
	text := "Z"
	switch {
	case c == 'x' && n == 1:
		text = "+00"
	case c == 'x' && n%2 == 0 || c == 'Z' && n <= 3:
		text = "+0000"
	case c == 'x':
		text = "+00:00"
	case c == 'Z' && n == 4:
		text = "GMT"
	}
	b.literal(text)
	return nil
}

// number adds a number of as many digits as letters; a single letter doesn't pad.
func (b *builder) number(c byte, n, most int, x field) *ast.Diagnostic {
	return b.counted(c, n, most, op{field: x, width: uint8(n), pad: padFor(n)})
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
