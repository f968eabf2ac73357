package yql

import "github.com/yqlplan/yqlplan/projection"

// doubts looks for what in a projection without errors was probably not meant.
func (d *definition) doubts() {
	if d.template == nil {
		return
	}
	d.DoubtTemplate(d.location)
	var numbers []string
	for _, c := range d.projected {
		v, now := c.values, d.env.Now
		switch c.kind {
		case "integer":
			numbers = append(numbers, c.name)
			d.DoubtNumbers(projection.NumberSetting{Column: c.name, Min: v.min, Max: v.max, Lo: c.lookup("min").Value, Hi: c.lookup("max").Value,
				Digits: int(v.digits), Fill: "add projection." + c.name + `.digits = "%d"`}, now)
		case "enum":
			d.DoubtWords(c.name, v.words, c.lookup("values").Value)
		case "date":
			d.DoubtDates(projection.DateSetting{Column: c.name, Format: v.format, Unit: v.unit, Interval: v.interval, Min: v.min, Max: v.max,
				At: c.lookup("format").Value, Lo: c.lookup("min").Value, Hi: c.lookup("max").Value}, now)
		}
	}
	d.DoubtSplit(numbers, d.location)
}
