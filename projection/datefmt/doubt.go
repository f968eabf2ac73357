package datefmt

import "slices"

// Doubts are what in a pattern was probably not meant, in words: letters that are often taken for each other.
// Fields are named by what they mean.
//
//	datefmt.Strftime("%Y/%M/%d").Doubts() // the minutes stand where the month is missing
func (f *Format) Doubts() (doubts []string) {
	r := f.shown()
	months := r.any(month, monthShort, monthLong)
	if r.any(minute) && !months && !r.any(hour, hour24, hour12, hour11, yearDay, isoWeek, weekMonday, weekSunday) {
		doubts = append(doubts, "the minutes stand where the month is missing")
	}
	if at := f.last(month); at > f.first(hour) && f.first(hour) >= 0 && f.first(month) < f.first(hour) && f.first(month) >= 0 && !r.any(minute) {
		doubts = append(doubts, "the month stands behind the hour, where the minutes are missing")
	}
	if months && r.any(yearDay) {
		doubts = append(doubts, "the day of the year stands beside the month, where the day of the month is meant")
	}
	if r.any(isoYear, isoYearOfCentury) && !r.any(isoWeek) {
		doubts = append(doubts, "the year is that of ISO weeks, which differs around New Year")
	}
	if r.any(fraction) && !r.any(second, epoch) {
		doubts = append(doubts, "parts of a second stand where the seconds are missing")
	}
	if r.any(hour12, hour11) && !r.any(halfDay) {
		doubts = append(doubts, "hours go to 12, and nothing tells morning from afternoon")
	}
	return doubts
}

// ShortYear reports whether years have two digits.
func (f *Format) ShortYear() bool {
	r := f.shown()
	return r.any(yearOfCentury) && !r.any(year, century)
}

func (f *Format) first(x field) int {
	return slices.IndexFunc(f.ops, func(o op) bool { return o.field == x })
}

func (f *Format) last(x field) int {
	for i := len(f.ops) - 1; i >= 0; i-- {
		if f.ops[i].field == x {
			return i
		}
	}
	return -1
}
