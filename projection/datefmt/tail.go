package datefmt

// Tail is the length of the end of the texts that is the same at the same place of every unit u, such as "03" of
// "2021-02-03" on the third day of every month; all before it is the same all through one unit. It is 0 where texts
// can't be cut so. For years this holds among those of one length. With byMonths, times are a number of months apart,
// and fixedDay tells that they have the same day of the month.
func (f *Format) Tail(u Unit, byMonths, fixedDay bool) int {
	inside := unitSet(0).add(u)
	n := 0
	for i := range f.ops {
		o := &f.ops[i]
		if n == 0 && (o.field == literal || inside.has(o.trait().steady)) {
			continue
		}
		if o.field != literal && !o.placed(u, byMonths, fixedDay) || !o.fixed() {
			return 0
		}
		n += o.size()
	}
	return n
}

// placed reports whether the field only depends on the place in the unit.
func (o *op) placed(u Unit, byMonths, fixedDay bool) bool {
	switch o.field {
	case weekdayShort, weekdayLong, weekdaySunday, weekdayMonday, weekSunday, weekMonday, isoWeek:
		return false
	case yearDay: // by months, it depends on leap years
		return u == Years && !byMonths
	case day:
		return byMonths && fixedDay || !byMonths && (u == Months || u == Years)
	}
	w := o.trait().within
	return w == Years && u == Years || w >= Days && w >= u
}

// Place is where the two digits of a unit's number stand in texts of the usual length, such as those of the day in
// %Y-%m-%d: at 8 of 10. It isn't ok where they don't stand in the text, or more than once, or where texts vary in length.
func (f *Format) Place(u Unit) (at, length int, ok bool) {
	shown := [...]field{Months: month, Days: day, Hours: hour, Minutes: minute, Seconds: second}
	if f.frame == "" || int(u) >= len(shown) {
		return 0, 0, false
	}
	for _, p := range f.puts {
		if p.field != shown[u] {
			continue
		}
		if ok {
			return 0, 0, false
		}
		at, ok = p.at, true
	}
	return at, len(f.frame), ok
}
