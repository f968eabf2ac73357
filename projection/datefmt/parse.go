package datefmt

import (
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// reading is what a text says, field by field.
type reading struct {
	value [fields]int64
	has   uint32
}

func (r *reading) set(x field, n int64) { r.value[x] = n; r.has |= 1 << x }

// any reports whether one of the fields was read.
func (r *reading) any(xs ...field) bool {
	for _, x := range xs {
		if r.has>>x&1 != 0 {
			return true
		}
	}
	return false
}

// Parse reads a text that [Format.Append] wrote, and no other: widths, names and the calendar are strict, and fields
// that repeat others must agree with them. What the pattern doesn't show is the least possible: for "%Y-%m", the first
// of the month at midnight. ok is false for other texts, and always where [Format.Lacks] says why. Two-digit years
// without a century are those of [Format.Base].
func (f *Format) Parse(text string) (t Civil, ok bool) {
	t, clamped, ok := f.ParseClamped(text)
	if !ok || clamped {
		return Civil{}, false
	}
	var buf [64]byte
	return t, string(f.Append(buf[:0], t)) == text
}

// ParseClamped is Parse as java.time resolves dates by default: a day up to 31 that the month doesn't have is its last
// ("2021-02-30" is 2021-02-28, clamped), and fields that repeat others aren't compared with them.
func (f *Format) ParseClamped(text string) (t Civil, clamped, ok bool) {
	if f.Lacks() != "" {
		return Civil{}, false, false
	}
	var r reading
	for i := range f.ops {
		reserve, _ := f.reserved(i)
		if text, ok = f.ops[i].read(text, reserve, &r); !ok {
			return Civil{}, false, false
		}
	}
	if text != "" {
		return Civil{}, false, false
	}
	return r.resolve(f.base)
}

// Base is the year that the two-digit year 00 … 99 counts from: 2000 for Java; 1969 for strftime, as in POSIX.
func (f *Format) Base() int { return int(f.base) }

// read takes the operation's text off the front of s. reserve is the number of digits that belong to what follows.
func (o *op) read(s string, reserve int, r *reading) (rest string, ok bool) {
	if o.field == literal {
		return strings.CutPrefix(s, o.lit)
	}
	if list, first, n := o.names(); list != nil {
		return o.readName(s, list, first, n, r)
	}
	i, n := 0, 0
	if o.pad == ' ' {
		for i < int(o.width)-1 && i < len(s) && s[i] == ' ' {
			i++
		}
	}
	for n = i; n < len(s) && isDigit(s[n]); n++ {
	}
	if o.fixed() {
		n = min(n, o.size())
	} else {
		n -= reserve
	}
	if n <= i || n-i > 18 || o.fixed() && n != o.size() {
		return "", false
	}
	v := int64(0)
	for _, b := range []byte(s[i:n]) {
		v = v*10 + int64(b-'0')
	}
	if o.field == fraction {
		v = micros(v, int(o.width))
	}
	r.set(o.field, v)
	return s[n:], true
}

// micros turns a fraction of a second with that many digits into microseconds.
func micros(v int64, width int) int64 {
	for ; width < 6; width++ {
		v *= 10
	}
	for ; width > 6; width-- {
		v /= 10
	}
	return v
}

func (o *op) readName(s string, list []string, first, n int, r *reading) (rest string, ok bool) {
	for i, name := range list {
		if n > 0 {
			name = name[:n]
		}
		if len(s) >= len(name) && o.spells(name, s[:len(name)]) {
			r.set(o.field, int64(i+first))
			return s[len(name):], true
		}
	}
	return "", false
}

func (o *op) spells(name, s string) bool {
	for i := range len(name) {
		if o.folded(name[i]) != s[i] {
			return false
		}
	}
	return true
}

// shown has the fields of the pattern, without values.
func (f *Format) shown() (r reading) {
	for i := range f.ops {
		r.has |= 1 << f.ops[i].field
	}
	return r
}

// Lacks says what a reader misses to tell a time from a text, or is empty: "a year" for "%m-%d".
func (f *Format) Lacks() string {
	r := f.shown()
	clock := r.any(hour, hour24) || r.any(hour12, hour11) && r.any(halfDay)
	switch {
	case !f.plain:
		return "a mark that tells where one number ends and the next begins"
	case r.any(epoch):
		return ""
	case !r.any(year, yearOfCentury) && !(r.any(isoYear) && r.any(isoWeek)):
		return "a year"
	case r.any(day) && !r.any(month, monthShort, monthLong):
		return "a month"
	case r.any(hour12, hour11) && !clock:
		return "AM or PM"
	case r.any(minute) && !clock:
		return "an hour"
	case r.any(second) && !r.any(minute):
		return "a minute"
	case r.any(fraction) && !r.any(second):
		return "a second"
	}
	return ""
}

// resolve puts the fields together; the presence of what is needed has been checked by Lacks.
func (r *reading) resolve(base int32) (t Civil, clamped, ok bool) {
	if r.any(epoch) {
		if r.value[epoch] > 1<<42 {
			return Civil{}, false, false
		}
		t = FromMicros(r.value[epoch] * perSecond)
	} else {
		t, clamped, ok = r.date(base)
		if !ok {
			return Civil{}, false, false
		}
		h, ok := r.hour()
		if !ok || r.value[minute] > 59 || r.value[second] > 59 {
			return Civil{}, false, false
		}
		t.Clock = h*perHour + r.value[minute]*perMinute + r.value[second]*perSecond
	}
	t.Clock += r.value[fraction]
	return t, clamped, true
}

// hour joins the forms of the hour.
func (r *reading) hour() (h int64, ok bool) {
	v := r.value[hour]
	switch half := r.value[halfDay] * 12; {
	case r.any(hour):
		ok = v < 24
	case r.any(hour24):
		v, ok = r.value[hour24]%24, r.value[hour24]-1 < 24
	case r.any(hour12):
		v, ok = r.value[hour12]%12+half, r.value[hour12]-1 < 12
	case r.any(hour11):
		v, ok = r.value[hour11]+half, r.value[hour11] < 12
	default:
		v, ok = half, true
	}
	return v, ok && v >= 0
}

// date joins the forms of the day.
func (r *reading) date(base int32) (t Civil, clamped, ok bool) {
	y, ok := r.year(base)
	if !ok {
		return Civil{}, false, false
	}
	inYear, inMonth := r.any(year, yearOfCentury), r.any(month, monthShort, monthLong)
	_, weekday := r.monday()
	switch {
	case inYear && r.any(yearDay):
		n := r.value[yearDay]
		t = FromDays(pruning.DaysFromCivil(y, 1, 1) + n - 1)
		ok = n >= 1 && int(t.Year) == y
	case inYear && inMonth && (r.any(day) || !weekday):
		return r.monthDate(y)
	case inYear && weekday && r.any(weekSunday, weekMonday):
		t = r.weekDate(y)
		ok = int(t.Year) == y
	case r.any(isoYear) && r.any(isoWeek) && (weekday || !inYear):
		t, ok = r.isoDate()
	case inMonth:
		return r.monthDate(y)
	case r.any(weekSunday, weekMonday):
		t = r.weekDate(y)
		ok = int(t.Year) == y
	default:
		t = Civil{Year: int32(y), Month: 1, Day: 1}
	}
	return t, false, ok
}

func (r *reading) year(base int32) (y int, ok bool) {
	v := r.value[year]
	switch {
	case r.any(year):
	case r.any(yearOfCentury) && r.any(century):
		v = r.value[century]*100 + r.value[yearOfCentury]
	case r.any(yearOfCentury):
		v = int64(base) + mod100(r.value[yearOfCentury]-int64(base))
	default:
		v = r.value[isoYear]
	}
	return int(v), v <= 999_999
}

func (r *reading) monthDate(y int) (t Civil, clamped, ok bool) {
	m := r.value[month]
	switch {
	case r.any(month):
	case r.any(monthShort):
		m = r.value[monthShort]
	default:
		m = r.value[monthLong]
	}
	d := max(r.value[day], 1)
	if m < 1 || m > 12 || d > 31 || r.any(day) && r.value[day] < 1 {
		return Civil{}, false, false
	}
	last := int64(pruning.DaysInMonth(y, int(m)))
	return Civil{Year: int32(y), Month: uint8(m), Day: uint8(min(d, last))}, d > last, true
}

// monday is the day of the week counted from Monday = 0, as far as the text shows it.
func (r *reading) monday() (d int64, ok bool) {
	switch {
	case r.any(weekdayMonday):
		return r.value[weekdayMonday] - 1, true
	case r.any(weekdaySunday):
		return (r.value[weekdaySunday] + 6) % 7, true
	case r.any(weekdayShort):
		return (r.value[weekdayShort] + 6) % 7, true
	case r.any(weekdayLong):
		return (r.value[weekdayLong] + 6) % 7, true
	}
	return 0, false
}

// isoDate is the day of an ISO week; 4 January is always in week 1.
func (r *reading) isoDate() (t Civil, ok bool) {
	fourth := pruning.DaysFromCivil(int(r.value[isoYear]), 1, 4)
	_, back := floorDiv(fourth+3, 7)
	d, _ := r.monday()
	w := r.value[isoWeek]
	return FromDays(fourth - back + (w-1)*7 + d), w >= 1 && w <= 53 && d >= 0 && d < 7
}

// weekDate is the day of a week that is counted from the year's first Sunday or Monday; the days before are week 0.
func (r *reading) weekDate(y int) Civil {
	first := pruning.DaysFromCivil(y, 1, 1)
	d, known := r.monday()
	w, shift := r.value[weekMonday], int64(3) // 1970-01-01 + 4 days was a Monday
	if !r.any(weekMonday) {
		w, shift = r.value[weekSunday], 4
		d = (d + 1) % 7
	}
	_, at := floorDiv(first+shift, 7)
	start := first - at + w*7
	if at == 0 {
		start -= 7
	}
	if !known {
		return FromDays(max(start, first))
	}
	return FromDays(start + d)
}

// Reads reports whether [Format.Parse] finds the years of all times between lo and hi: two-digit years must be within
// a hundred years of [Format.Base].
func (f *Format) Reads(lo, hi Civil) bool {
	r := f.shown()
	if r.any(year, century, epoch) || !r.any(yearOfCentury) {
		return lo.Year >= 0
	}
	return lo.Year >= f.base && hi.Year < f.base+100
}
