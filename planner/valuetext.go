package planner

import (
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/projection/ducktext"
)

// textOfValue is a value as DuckDB's cast to VARCHAR writes it: [1, 2] for a list, {'a': 1} for a struct, 1 day for an
// interval. It is empty for NULL; ok is false where the value isn't known.
func textOfValue(t typ, v value) (s string, ok bool) {
	switch {
	case v.isNull():
		return "", true
	case t.shape == scalarShape:
		x, ok := v.known()
		if !ok {
			return "", false
		}
		var text []byte
		if v.is&minus != 0 {
			text = append(text, '-')
		}
		text = ducktext.Append(text, t.scalar, x)
		if t.name == duckZoned.name {
			text = append(text, "+00"...)
		}
		return string(text), true
	case v.parts == nil || v.parts.set != nil || v.parts.fn != nil || v.parts.rest != nil:
		return "", false
	case t.shape == calendarShape:
		c, ok := calendarOf(&constant{t: t, v: v})
		return calendarText(c), ok
	}
	items := make([]string, len(v.parts.items))
	for i, x := range v.parts.items {
		item := typ{}
		switch {
		case t.shape == listShape && len(t.items) == 1:
			item = t.items[0]
		case i < len(t.items):
			item = t.items[i]
		}
		if items[i], ok = textOfValue(item, x); !ok {
			return "", false
		}
		if x.isNull() {
			items[i] = "NULL"
		}
		if t.shape == structShape && i < len(t.names) {
			items[i] = "'" + t.names[i] + "': " + items[i]
		}
	}
	switch list := strings.Join(items, ", "); t.shape {
	case listShape:
		return "[" + list + "]", true
	case structShape:
		return "{" + list + "}", true
	case tupleShape:
		return "(" + list + ")", true
	}
	return "", false
}

// calendarText is 1 year 2 months 3 days 04:05:06.
func calendarText(c calendar) string {
	var parts []string
	unit := func(n int64, name string) {
		switch {
		case n == 0:
		case n == 1 || n == -1:
			parts = append(parts, strconv.FormatInt(n, 10)+" "+name)
		default:
			parts = append(parts, strconv.FormatInt(n, 10)+" "+name+"s")
		}
	}
	unit(c.months/12, "year")
	unit(c.months%12, "month")
	unit(c.days, "day")
	if c.micros != 0 || len(parts) == 0 {
		n, sign := c.micros, ""
		if n < 0 {
			n, sign = -n, "-"
		}
		s := sign + string(appendPadded(nil, int(n/3600e6), 2)) + ":" + string(appendPadded(nil, int(n/60e6%60), 2)) + ":" + string(appendPadded(nil, int(n/1e6%60), 2))
		if n%1e6 != 0 {
			s += "." + strings.TrimRight(string(appendPadded(nil, int(n%1e6), 6)), "0")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}
