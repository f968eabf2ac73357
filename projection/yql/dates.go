package yql

import (
	"slices"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// units are the steps of a date projection, and unitNames their names in the same order.
var (
	units     = []datefmt.Unit{datefmt.Years, datefmt.Months, datefmt.Weeks, datefmt.Days, datefmt.Hours, datefmt.Minutes, datefmt.Seconds, datefmt.Milliseconds}
	unitNames = []string{"YEARS", "MONTHS", "WEEKS", "DAYS", "HOURS", "MINUTES", "SECONDS", "MILLISECONDS"}
)

// unit reads a unit of steps: upper case, plural.
func (r reading) unit(to *datefmt.Unit) bool {
	i := r.OneOf("projection.unit", r.name, r.text, unitNames)
	if i >= 0 {
		*to = units[i]
	}
	return i >= 0
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
func dateAxis(d *definition, c *column, t pruning.Type, v *values) projection.Axis {
	if v.min > v.max {
		d.emptyRange(c, isoText(v.min), isoText(v.max))
		return nil
	}
	return projection.NewDate(projection.DateSpec{Key: slices.Index(d.keys, c.name), Type: t, Format: v.format, Unit: v.unit,
		Interval: v.interval, Min: v.min, Max: v.max, Sorted: d.env.Limits.Sorted,
		From: projection.NowText(c.lookup("min").Value.S), To: projection.NowText(c.lookup("max").Value.S)})
}

func isoText(us int64) string {
	return time.UnixMicro(us).UTC().Format("2006-01-02T15:04:05.999999Z")
}
