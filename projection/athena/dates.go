package athena

import (
	"math"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// date makes the axis of the dates start, start+interval units, … up to the end, each text once (Trino,
// DateProjection.java).
func (d *definition) date(key int, f *field) projection.Axis {
	typed := d.dateType(f)
	format := d.format(f)
	bounds, ok := d.bounds(f, "2024-01-01,NOW", "a date column needs its first and its last value")
	if format == nil {
		d.positive(f, "interval", 1, math.MaxInt64)
		return nil
	}
	unit, interval, stepped := d.step(f, format)
	if !ok {
		return nil
	}
	start, ok1 := d.instant(f, format, bounds[0])
	end, ok2 := d.instant(f, format, bounds[1])
	switch {
	case !ok1 || !ok2 || !stepped || !typed:
		return nil
	case start > end:
		d.emptyRange(f, dateText(format, start), dateText(format, end))
		return nil
	}
	a := projection.NewDate(projection.DateSpec{Key: key, Type: f.column.Type, Path: true, Format: format, Unit: unit, Interval: interval,
		Min: start, Max: end, Sorted: d.env.Limits.Sorted, From: projection.NowText(bounds[0].S), To: projection.NowText(bounds[1].S)})
	merged, ok := a.Merged(sortLimit(d.env.Limits.Sorted))
	if !ok {
		d.Errorf("projection.interval", f.lookup("range").value, "write a coarser unit, or a finer format", "%s: very many steps have texts that repeat", d.called(f, "range"))
		return nil
	}
	return merged
}

func sortLimit(n int) int {
	if n == 0 {
		return projection.DefaultLimits.Sorted
	}
	return n
}

func dateText(f *datefmt.Format, us int64) string {
	return string(f.Append(nil, datefmt.FromMicros(us)))
}

// dateType: texts, dates, and timestamps of microseconds at most.
func (d *definition) dateType(f *field) bool {
	text := isText(f.declared) && !isChar(f.declared)
	date := kindIs(f.column, pruning.Date, pruning.Datetime, pruning.Timestamp) && f.column.Type.Precision <= 6
	return d.columnType(f, text || date, "string, date or timestamp")
}

// format reads the pattern, which must say all that a date needs.
func (d *definition) format(f *field) *datefmt.Format {
	s := d.required(f, "format", "yyyy-MM-dd", "a date column needs the pattern of its values")
	if s == nil {
		return nil
	}
	format, bad := datefmt.Java(s.value.S)
	for _, b := range bad {
		if strings.Contains(s.value.S, "%") {
			b.Hint = "write letters of Java, such as yyyy-MM-dd, not directives of strftime"
		}
		d.Inside(d.called(f, "format"), s.value, b)
	}
	if format == nil {
		return nil
	}
	if lacks := format.Lacks(); lacks != "" {
		hint := "write a pattern such as yyyy-MM-dd"
		if doubts := format.Doubts(); len(doubts) > 0 {
			hint = strings.Join(doubts, "; ") + "; the letters are yyyy MM dd HH mm ss"
		}
		d.Errorf("projection.format", s.value, hint, "%s: a date can't be read back from %s: it lacks %s",
			d.called(f, "format"), projection.Quote(s.value.S), lacks)
		return nil
	}
	return format
}

// step reads the interval and its unit. Patterns that end at the year, the month or the day go in single steps of these
// by default; finer ones need both settings (Athena user guide, "Supported types for partition projection"), in Trino the
// unit only.
func (d *definition) step(f *field, format *datefmt.Format) (unit datefmt.Unit, interval int64, ok bool) {
	interval, ok = d.positive(f, "interval", 1, math.MaxInt64)
	finest := format.Finest()
	fine := finest > datefmt.Days
	why := "the format " + projection.Quote(format.String()) + " is finer than a day"
	if fine && !d.trino && f.lookup("interval") == nil {
		ok = d.required(f, "interval", "1", why) != nil
	}
	switch s := f.lookup("interval.unit"); {
	case s != nil:
		text := trim(s.value)
		i := slices.IndexFunc(unitNames, func(n string) bool { return strings.EqualFold(n, text.S) })
		if i < 0 {
			d.Errorf("projection.unit", s.value, projection.Known(strings.ToUpper(text.S), unitNames), "%s: the unit %s is unknown",
				d.called(f, "interval.unit"), projection.Quote(text.S))
			return unit, interval, false
		}
		return units[i], interval, ok
	case fine:
		d.required(f, "interval.unit", finest.String(), why)
		return unit, interval, false
	case finest >= datefmt.SundayWeeks:
		return datefmt.Days, interval, ok
	case finest >= datefmt.Months:
		return datefmt.Months, interval, ok
	}
	return datefmt.Years, interval, ok
}

// instant reads a bound: a date in the column's format, or a NOW expression, which may have blanks around it. It is cut to
// the format: what that doesn't show is the least possible (Trino, DateProjection.java).
func (d *definition) instant(f *field, format *datefmt.Format, t projection.Text) (us int64, ok bool) {
	name := d.called(f, "range")
	if projection.IsNow(t.S) && strings.HasPrefix(strings.Trim(t.S, blanks), "NOW") {
		us, bad := projection.AthenaNow.Parse(t.S, d.env.Now.UnixMicro())
		if bad != nil {
			d.Inside(name, t, bad)
			return 0, false
		}
		civil, _, ok := format.ParseClamped(dateText(format, us))
		if !ok {
			d.Errorf("projection.bound", t, "write a date in the column's format", "%s: %s is out of the format's reach", name, projection.Quote(t.S))
		}
		return civil.Micros(), ok
	}
	civil, clamped, ok := format.ParseClamped(t.S)
	switch {
	case !ok:
		hint := "write " + dateText(format, d.env.Now.UnixMicro()) + ", or NOW, NOW-3DAYS, NOW+1MONTH"
		if _, _, fits := format.ParseClamped(strings.Trim(t.S, blanks)); fits {
			hint = "drop the blanks"
		}
		d.Errorf("projection.bound", t, hint, "%s: %s is neither a date in the format %s nor a NOW expression",
			name, projection.Quote(t.S), projection.Quote(format.String()))
	case clamped:
		d.Warnf("projection.clamped", t, "write a day that exists", "%s: %s has no such day, and means %s", name, projection.Quote(t.S), dateText(format, civil.Micros()))
	}
	return civil.Micros(), ok
}
