package datefmt

import "strings"

// javaLetters and strftimeLetters are how fields that are written with all their digits, or as names, read in the two
// languages; "" for a field that one can't say.
var javaLetters = [fields]string{
	year: "yyyy", yearOfCentury: "yy", month: "MM", monthShort: "MMM", monthLong: "MMMM", day: "dd", yearDay: "DDD",
	weekdayShort: "EEE", weekdayLong: "EEEE", hour: "HH", hour24: "kk", hour12: "hh", hour11: "KK", halfDay: "a", minute: "mm", second: "ss",
}

var strftimeLetters = [fields]string{
	year: "%Y", yearOfCentury: "%y", century: "%C", isoYear: "%G", isoYearOfCentury: "%g", month: "%m", monthShort: "%b", monthLong: "%B",
	day: "%d", yearDay: "%j", weekdayShort: "%a", weekdayLong: "%A", weekdaySunday: "%w", weekdayMonday: "%u", weekSunday: "%U", weekMonday: "%W",
	isoWeek: "%V", hour: "%H", hour12: "%I", halfDay: "%p", minute: "%M", second: "%S", epoch: "%s",
}

// AsJava is the format as a pattern of Java's DateTimeFormatter: "yyyy/MM/dd" for "%Y/%m/%d". lacks says what Java has no
// letters for; it is empty when there is nothing of the kind.
func (f *Format) AsJava() (pattern, lacks string) {
	var b strings.Builder
	last := ""
	for i := range f.ops {
		o := &f.ops[i]
		letters := javaLetters[o.field]
		switch {
		case o.field == literal:
			letters = javaLiteral(o.lit)
		case o.field == fraction:
			letters = strings.Repeat("S", int(o.width))
		case !o.whole() && o.pad == 0 && o.width <= 1 && o.isPlainNumber() && letters != "":
			letters = letters[:1]
		case !o.whole():
			letters = ""
		}
		if letters == "" || last != "" && o.field != literal && letters[0] == last[0] {
			return "", o.told()
		}
		b.WriteString(letters)
		last = letters
		if o.field == literal {
			last = ""
		}
	}
	return b.String(), ""
}

// AsStrftime is the format as a pattern of strftime: "%Y/%m/%d" for "yyyy/MM/dd".
func (f *Format) AsStrftime() (pattern, lacks string) {
	var b strings.Builder
	for i := range f.ops {
		o := &f.ops[i]
		letters := strftimeLetters[o.field]
		switch {
		case o.field == literal:
			letters = strings.ReplaceAll(o.lit, "%", "%%")
		case !o.whole() && o.field != year: // years have four digits
			letters = ""
		}
		if letters == "" {
			return "", o.told()
		}
		b.WriteString(letters)
	}
	return b.String(), ""
}

// whole reports whether a field is written as usual: a number with all its digits, a name as it is.
func (o *op) whole() bool {
	if o.fold != 0 {
		return false
	}
	n := traits[o.field].width
	return n == 0 || n == 1 || o.pad == '0' && o.width == n
}

func (o *op) isPlainNumber() bool { return o.fold == 0 && !o.isName() && o.field != fraction }

// javaLiteral is text between single quotes where Java would read it otherwise.
func javaLiteral(s string) string {
	special := func(r rune) bool { return r < 0x80 && isLetter(byte(r)) || strings.ContainsRune("[]{}#'", r) }
	if !strings.ContainsFunc(s, special) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

var fieldWords = [fields]string{
	literal: "text", year: "the year", yearOfCentury: "the year of the century", century: "the century", isoYear: "the year of ISO weeks",
	isoYearOfCentury: "the year of ISO weeks", month: "the month", monthShort: "the month's name", monthLong: "the month's name", day: "the day",
	yearDay: "the day of the year", weekdayShort: "the weekday", weekdayLong: "the weekday", weekdaySunday: "the weekday's number",
	weekdayMonday: "the weekday's number", weekSunday: "the week", weekMonday: "the week", isoWeek: "the week", hour: "the hour",
	hour24: "the hour from 1 to 24", hour12: "the hour from 1 to 12", hour11: "the hour from 0 to 11", halfDay: "AM and PM", minute: "the minute",
	second: "the second", fraction: "parts of a second", epoch: "seconds since 1970",
}

// told is the field with the way in which it is written, for messages.
func (o *op) told() string {
	switch {
	case o.fold != 0:
		return fieldWords[o.field] + " in small letters or capitals"
	case o.pad == ' ':
		return fieldWords[o.field] + " filled with blanks"
	case o.pad == 0 && o.isPlainNumber() && traits[o.field].width > 1:
		return fieldWords[o.field] + " without zeros in front"
	}
	return fieldWords[o.field]
}
