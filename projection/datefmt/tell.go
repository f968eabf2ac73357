package datefmt

// span is a range of times, ends included.
type span struct{ lo, hi Civil }

// apart are the units that hold all times of one text, knowing that all times lie in sp (nil: anywhere).
func (f *Format) apart(sp *span) (s unitSet) {
	if sp != nil {
		s = shared(sp.lo, sp.hi)
	}
	return f.refined(s, sp)
}

// refined adds to s, which all times lie in, what the fields tell apart.
func (f *Format) refined(s unitSet, sp *span) unitSet {
	for more := true; more; {
		more = false
		for i := range f.ops {
			o := &f.ops[i]
			if t := o.trait(); t.tells != NoUnit && !s.has(t.tells) && (s.has(t.within) || sp.shorter(t)) {
				s, more = s.add(t.tells), true
			}
		}
	}
	return s
}

// shorter reports whether the span is too short for the field to come round to a value again.
func (sp *span) shorter(t trait) bool {
	return sp != nil && t.tells.Ordinal(sp.hi)-t.tells.Ordinal(sp.lo) < t.cycle
}

// steady reports whether every field keeps its value inside one cell of s.
func (f *Format) steady(s unitSet) bool {
	for i := range f.ops {
		if f.ops[i].field != literal && !s.has(f.ops[i].trait().steady) {
			return false
		}
	}
	return true
}

// Unit is the finest unit that the texts tell apart, whatever the date: MONTHS for "%Y-%m", DAYS for "%Y-%j", NONE for
// "%m-%d", which doesn't tell years apart, and for numbers of any length side by side.
func (f *Format) Unit() Unit { u, _ := f.unit(nil); return u }

// Apart is [Format.Unit] for times that all lie between lo and hi: inside one year "%m-%d" tells DAYS apart. exact: the
// text is the same all through one such unit; otherwise it may tell even more times apart.
func (f *Format) Apart(lo, hi Civil) (u Unit, exact bool) { return f.unit(&span{lo, hi}) }

func (f *Format) unit(sp *span) (u Unit, exact bool) {
	if !f.plain {
		return NoUnit, false
	}
	return f.finest(f.apart(sp))
}

// finest is the finest unit of s inside which the texts are constant, or else the finest of all.
func (f *Format) finest(s unitSet) (u Unit, exact bool) {
	for u = s.finest(); u > NoUnit; u-- {
		if s.has(u) && f.steady(unitSet(0).add(u)) {
			return u, true
		}
	}
	return s.finest(), f.steady(0)
}

// Clock is the finest unit that the texts of one day tell apart, and whether they are constant inside it.
func (f *Format) Clock() (u Unit, exact bool) {
	return f.finest(f.refined(unitSet(0).add(Days), nil))
}

// Plain reports whether it can be told where every number in a text ends, so that texts differ as soon as a field does.
func (f *Format) Plain() bool { return f.plain }

// Ordered reports whether a later time between lo and hi never has a lesser text, bytewise.
func (f *Format) Ordered(lo, hi Civil) bool {
	cell := shared(lo, hi) // the units that hold all times whose texts agree so far
	for i := range f.ops {
		o := &f.ops[i]
		t := o.trait()
		if o.field == literal || cell.has(t.steady) {
			continue
		}
		if !t.ordered || !cell.has(t.within) || !o.even(lo, hi) {
			return false
		}
		cell = cell.add(t.tells)
	}
	return true
}

// even reports whether the operation writes texts of one length for all times between lo and hi, so that the order of
// the texts is that of the numbers.
func (o *op) even(lo, hi Civil) bool {
	switch o.field {
	case year, isoYear, century, epoch:
		a, b := o.number(lo), o.number(hi)
		return a >= 0 && (digits(a) == digits(b) || o.pad != 0 && digits(b) <= int(o.width))
	}
	return o.fixed()
}

// Finest is the finest unit that the pattern mentions, whether or not its texts tell it apart: HOURS for "dd-HH". It is
// what Athena derives a step's default from.
func (f *Format) Finest() Unit {
	u := NoUnit
	for i := range f.ops {
		u = max(u, f.ops[i].trait().tells)
	}
	return u
}
