package datefmt

import "strconv"

// Format is a compiled pattern. It never changes and may be used by several goroutines.
//
//	f, _ := datefmt.Strftime("year=%Y/month=%m")
//	f.Append(nil, datefmt.FromDays(18661)) // year=2021/month=02
type Format struct {
	pattern string
	ops     []op
	base    int32 // two-digit years are read as base … base+99
	plain   bool  // it can be told where every number in a text ends

	// Texts of the usual fields, of two digits each and four of the year, are a frame into which digits are put.
	frame string // empty for other formats
	puts  []put
}

// put is a place in the frame.
type put struct {
	at    int
	field field
}

// op writes a literal or one field.
type op struct {
	lit   string // when field is literal
	field field
	width uint8 // least width of a number; digits of a fraction
	pad   byte  // '0' or ' ' to fill up to width; 0: numbers of any length
	fold  byte  // 'A': a name in capitals, 'a': in small letters
}

// field is a function of a date-time that a text shows.
type field uint8

const (
	literal field = iota
	year
	yearOfCentury
	century
	isoYear
	isoYearOfCentury
	month
	monthShort
	monthLong
	day
	yearDay
	weekdayShort
	weekdayLong
	weekdaySunday // 0 … 6 from Sunday
	weekdayMonday // 1 … 7 from Monday
	weekSunday    // weeks from the year's first Sunday on
	weekMonday    // weeks from the year's first Monday on
	isoWeek
	hour
	hour24 // 1 … 24
	hour12 // 1 … 12
	hour11 // 0 … 11
	halfDay
	minute
	second
	fraction // of a second, cut to width digits
	epoch    // seconds since 1970-01-01
	fields
)

// trait is what is known about a field whatever the date.
type trait struct {
	width   uint8 // digits of a number; 0 for names and numbers of any length
	within  Unit  // inside one such unit, different values are different times …
	tells   Unit  // … namely different ones of these; NoUnit: never
	steady  Unit  // the value is constant inside one such unit
	ordered bool  // inside one unit of within, values grow with time
	cycle   int64 // that many units of tells in a row have different values, wherever they begin; 0: unknown
}

var traits = [fields]trait{
	literal:          {},
	year:             {4, NoUnit, Years, Years, true, 0},
	yearOfCentury:    {2, Centuries, Years, Years, true, 100},
	century:          {2, NoUnit, Centuries, Centuries, true, 0},
	isoYear:          {4, NoUnit, ISOYears, ISOYears, true, 0},
	isoYearOfCentury: {2, NoUnit, NoUnit, ISOYears, false, 0},
	month:            {2, Years, Months, Months, true, 12},
	monthShort:       {0, Years, Months, Months, false, 12},
	monthLong:        {0, Years, Months, Months, false, 12},
	day:              {2, Months, Days, Days, true, 28},
	yearDay:          {3, Years, Days, Days, true, 365},
	weekdayShort:     {0, Weeks, Days, Days, false, 7},
	weekdayLong:      {0, Weeks, Days, Days, false, 7},
	weekdaySunday:    {1, SundayWeeks, Days, Days, true, 7},
	weekdayMonday:    {1, Weeks, Days, Days, true, 7},
	weekSunday:       {2, Years, SundayWeeks, Days, true, 0},
	weekMonday:       {2, Years, Weeks, Days, true, 0},
	isoWeek:          {2, ISOYears, Weeks, Weeks, true, 52},
	hour:             {2, Days, Hours, Hours, true, 24},
	hour24:           {2, Days, Hours, Hours, false, 24},
	hour12:           {2, HalfDays, Hours, Hours, false, 12},
	hour11:           {2, HalfDays, Hours, Hours, true, 12},
	halfDay:          {0, Days, HalfDays, HalfDays, true, 2},
	minute:           {2, Hours, Minutes, Minutes, true, 60},
	second:           {2, Minutes, Seconds, Seconds, true, 60},
	fraction:         {0, Seconds, Microseconds, Microseconds, true, 0},
	epoch:            {0, NoUnit, Seconds, Seconds, true, 0},
}

// trait is that of the field; a fraction's unit depends on its digits.
func (o *op) trait() trait {
	t := traits[o.field]
	if o.field == fraction {
		t.width = o.width
		t.tells = min(Seconds+Unit(o.width), Microseconds)
		t.steady = t.tells
		t.cycle = perSecond / t.tells.Micros()
	}
	return t
}

// String is the pattern as it was given.
func (f *Format) String() string { return f.pattern }

// Append appends the text of t.
func (f *Format) Append(dst []byte, t Civil) []byte {
	if f.frame != "" && uint32(t.Year) < 10000 {
		return f.fill(dst, t)
	}
	for i := range f.ops {
		o := &f.ops[i]
		switch {
		case o.field == literal:
			dst = append(dst, o.lit...)
		case o.isName():
			dst = o.appendName(dst, t)
		default:
			dst = o.appendNumber(dst, o.number(t))
		}
	}
	return dst
}

// fill appends the frame with the digits of t.
func (f *Format) fill(dst []byte, t Civil) []byte {
	n := len(dst)
	dst = append(dst, f.frame...)
	text := dst[n:]
	for _, p := range f.puts {
		v := t.Month
		switch p.field {
		case month:
		case day:
			v = t.Day
		case hour:
			v = t.hour()
		case minute:
			v = t.minute()
		case second:
			v = t.second()
		case year:
			y := uint32(t.Year)
			copy(text[p.at:], pairs[y/100*2:][:2])
			p.at += 2
			v = uint8(y % 100)
		}
		text[p.at+1] = pairs[int(v)*2+1]
		text[p.at] = pairs[int(v)*2]
	}
	return dst
}

// framed makes the frame, if the operations allow one.
func (f *Format) framed() {
	var frame []byte
	for i := range f.ops {
		o := &f.ops[i]
		switch {
		case o.field == literal:
			frame = append(frame, o.lit...)
			continue
		case o.pad != '0' || o.field == year && o.width != 4 || o.field != year && o.width != 2:
			return
		}
		switch o.field {
		case year, month, day, hour, minute, second:
			f.puts = append(f.puts, put{len(frame), o.field})
			frame = append(frame, zeros[:o.width]...)
		default:
			return
		}
	}
	f.frame = string(frame)
}

const (
	zeros = "0000"
	pairs = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849" +
		"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"
)

// appendNumber appends a number, padded as the pattern says.
func (o *op) appendNumber(dst []byte, n int64) []byte {
	if o.pad != 0 {
		for i := digits(n); i < int(o.width); i++ {
			dst = append(dst, o.pad)
		}
	}
	return strconv.AppendInt(dst, n, 10)
}

// digits is the length of n in decimal, the sign included.
func digits(n int64) int {
	d := 1
	if n < 0 {
		d, n = 2, -n
	}
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// number is the value of a field that is written as a number.
func (o *op) number(t Civil) int64 {
	switch o.field {
	case year:
		return int64(t.Year)
	case yearOfCentury:
		return mod100(int64(t.Year))
	case century:
		return Centuries.Ordinal(t)
	case isoYear, isoYearOfCentury, isoWeek:
		return o.isoNumber(t)
	case month, monthShort, monthLong:
		return int64(t.Month)
	case day:
		return int64(t.Day)
	case yearDay:
		return int64(t.yearDay() + 1)
	case weekdaySunday, weekdayShort, weekdayLong:
		return int64(t.weekday())
	case weekdayMonday:
		return int64((t.weekday()+6)%7 + 1)
	case weekSunday:
		return int64((t.yearDay() + 7 - t.weekday()) / 7)
	case weekMonday:
		return int64((t.yearDay() + 7 - (t.weekday()+6)%7) / 7)
	case epoch:
		q, _ := floorDiv(t.Micros(), perSecond)
		return q
	}
	return o.clockNumber(t)
}

func (o *op) isoNumber(t Civil) int64 {
	y, w := t.isoWeek()
	switch o.field {
	case isoYear:
		return int64(y)
	case isoYearOfCentury:
		return mod100(int64(y))
	}
	return int64(w)
}

// clockNumber is number for the fields of the time of day.
func (o *op) clockNumber(t Civil) int64 {
	switch o.field {
	case hour:
		return int64(t.hour())
	case hour24:
		return int64((t.hour()+23)%24 + 1)
	case hour12:
		return int64((t.hour()+11)%12 + 1)
	case hour11:
		return int64(t.hour() % 12)
	case halfDay:
		return int64(t.hour() / 12)
	case minute:
		return int64(t.minute())
	case second:
		return int64(t.second())
	}
	n := t.Clock % perSecond // fraction
	for w := int(o.width); w > 6; w-- {
		n *= 10
	}
	for w := o.width; w < 6; w++ {
		n /= 10
	}
	return n
}

func mod100(n int64) int64 {
	_, r := floorDiv(n, 100)
	return r
}

var (
	monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
		"November", "December"}
	weekdayNames = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	halfDayNames = [...]string{"AM", "PM"}
)

// names are the values of a named field, in the order of number counted from first; n cuts each name, 0 doesn't.
func (o *op) names() (list []string, first, n int) {
	switch o.field {
	case monthShort:
		return monthNames[:], 1, 3
	case monthLong:
		return monthNames[:], 1, 0
	case weekdayShort:
		return weekdayNames[:], 0, 3
	case weekdayLong:
		return weekdayNames[:], 0, 0
	case halfDay:
		return halfDayNames[:], 0, 0
	}
	return nil, 0, 0
}

func (o *op) appendName(dst []byte, t Civil) []byte {
	list, first, n := o.names()
	name := list[int(o.number(t))-first]
	if n > 0 {
		name = name[:n]
	}
	if o.fold == 0 {
		return append(dst, name...)
	}
	for i := range len(name) {
		dst = append(dst, o.folded(name[i]))
	}
	return dst
}

// folded is a letter of a name as this operation writes it.
func (o *op) folded(b byte) byte {
	switch {
	case o.fold == 'A' && 'a' <= b && b <= 'z':
		return b - 'a' + 'A'
	case o.fold == 'a' && 'A' <= b && b <= 'Z':
		return b - 'A' + 'a'
	}
	return b
}
