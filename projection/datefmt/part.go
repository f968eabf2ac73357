package datefmt

// Part is what one operation of a pattern can write: one of some words, or a number filled with zeros to a width.
type Part struct {
	Words  []string // nil for a number
	Lo, Hi int64
	Width  int
	Years  bool // the number is the calendar year
}

// reach are the values that a field can have anywhere; {0, 0} for years and others that only time bounds.
var reach = [fields][2]int64{
	yearOfCentury: {0, 99}, isoYearOfCentury: {0, 99}, month: {1, 12}, monthShort: {1, 12}, monthLong: {1, 12}, day: {1, 31},
	yearDay: {1, 366}, weekdayShort: {0, 6}, weekdayLong: {0, 6}, weekdaySunday: {0, 6}, weekdayMonday: {1, 7}, weekSunday: {0, 53},
	weekMonday: {0, 53}, isoWeek: {1, 53}, hour: {0, 23}, hour24: {1, 24}, hour12: {1, 12}, hour11: {0, 11}, halfDay: {0, 1},
	minute: {0, 59}, second: {0, 59},
}

// Parts describes the texts of times between lo and hi: each is a text of the first part, then one of the second, and so
// on. still tells that all times have lo's time of day. Not every such combination is a time.
func (f *Format) Parts(lo, hi Civil, still bool) []Part {
	out := make([]Part, 0, len(f.ops))
	known := shared(lo, hi)
	for i := range f.ops {
		o := &f.ops[i]
		if o.field == literal {
			out = append(out, Part{Words: []string{o.lit}})
			continue
		}
		from, to := o.values(lo, hi, known, still)
		out = append(out, o.part(from, to))
	}
	return out
}

// values are the least and the greatest number that the field has between lo and hi.
func (o *op) values(lo, hi Civil, known unitSet, still bool) (from, to int64) {
	t := o.trait()
	from, to = o.number(lo), o.number(hi)
	switch r := reach[o.field]; {
	case known.has(t.steady) || still && t.within >= Days || t.within == NoUnit && t.ordered:
		if still && t.within >= Days {
			to = from
		}
		return from, to
	case known.has(t.within) && (t.ordered || o.field == monthShort || o.field == monthLong):
		return from, to
	case o.field == fraction:
		to = 1
		for range o.width {
			to *= 10
		}
		return 0, to - 1
	default:
		return r[0], r[1]
	}
}

func (o *op) part(from, to int64) Part {
	if list, first, n := o.names(); list != nil {
		words := make([]string, 0, to-from+1)
		for v := from; v <= to; v++ {
			words = append(words, o.spelled(list[int(v)-first], n))
		}
		return Part{Words: words}
	}
	if o.pad == ' ' {
		words := make([]string, 0, to-from+1)
		for v := from; v <= to; v++ {
			words = append(words, string(o.appendNumber(nil, v)))
		}
		return Part{Words: words}
	}
	width := 0
	if o.pad == '0' {
		width = int(o.width)
	}
	return Part{Lo: from, Hi: to, Width: width, Years: o.field == year}
}

// spelled is a name as the operation writes it.
func (o *op) spelled(name string, n int) string {
	if n > 0 {
		name = name[:n]
	}
	out := []byte(name)
	for i := range out {
		out[i] = o.folded(out[i])
	}
	return string(out)
}
