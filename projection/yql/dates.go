package yql

import (
	"slices"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// units are the steps of a date projection.
var units = []datefmt.Unit{datefmt.Years, datefmt.Months, datefmt.Weeks, datefmt.Days, datefmt.Hours, datefmt.Minutes, datefmt.Seconds, datefmt.Milliseconds}

// unit reads a unit of steps: upper case, plural.
func (r reading) unit(to *datefmt.Unit) bool {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.String()
	}
	name, ok := r.OneOf("projection.unit", r.name, r.text, names)
	if ok {
		*to = units[slices.Index(names, name)]
	}
	return ok
}

// format reads a strftime pattern. One whose text is empty names no directory.
func (r reading) format(to **datefmt.Format) bool {
	if strings.Trim(r.text.S, "/") == "" {
		r.Errorf("projection.format", r.text, "write a pattern of strftime, such as %Y-%m-%d", "%s: %s yields an empty text",
			r.name, projection.Quote(r.text.S))
		return false
	}
	*to = datefmt.Strftime(r.text.S)
	return true
}

// instant reads a bound: an ISO date, or a NOW expression.
func (r reading) instant(to *int64) bool {
	us, bad := projection.DateBound(r.text.S, r.env.Now.UnixMicro())
	if bad != nil {
		r.Inside(r.name, r.text, bad)
		return false
	}
	*to = us
	return true
}

// dateAxis makes the axis of the instants from min to max.
func dateAxis(d *definition, c *column, t pruning.Type, v *values) (projection.Axis, bool) {
	if !d.checkRange(c, v, isoText(v.min), isoText(v.max)) {
		return nil, false
	}
	return projection.NewDate(projection.DateSpec{Key: slices.Index(d.keys, c.name), Type: t, Format: v.format, Unit: v.unit,
		Interval: v.interval, Min: v.min, Max: v.max, Sorted: d.env.Limits.Sorted}), true
}

func isoText(us int64) string {
	return time.UnixMicro(us).UTC().Format("2006-01-02T15:04:05.999999Z")
}
