package yql

import (
	"fmt"

	"github.com/yqlplan/yqlplan/projection"
)

// doubts looks for what in a projection without errors was probably not meant.
func (d *definition) doubts() {
	if d.template == nil {
		return
	}
	d.DoubtTemplate(d.location)
	numbers := make([]projection.NumberSetting, 0, len(d.projected))
	var dates []projection.DateSetting
	for _, c := range d.projected {
		v := c.values
		switch c.kind {
		case "integer":
			numbers = append(numbers, projection.NumberSetting{Column: c.name, Min: v.min, Max: v.max, Lo: c.lookup("min").Value, Hi: c.lookup("max").Value,
				Digits: int(v.digits), Fill: fillHint})
		case "enum":
			d.DoubtWords(c.name, v.words, c.lookup("values").Value)
		case "date":
			dates = append(dates, projection.DateSetting{Column: c.name, Format: v.format, Unit: v.unit, Interval: v.interval, Min: v.min, Max: v.max,
				At: c.lookup("format").Value, Lo: c.lookup("min").Value, Hi: c.lookup("max").Value})
		}
	}
	d.DoubtNumbers(numbers, d.env.Now)
	d.DoubtDates(dates, d.env.Now)
	d.DoubtSplit(numbers, dates, &d.location)
}

func fillHint(column string, digits int) string {
	return fmt.Sprintf(`add projection.%s.digits = "%d"`, column, digits)
}
