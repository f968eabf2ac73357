package athena

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
)

// doubts looks for what in a declaration without errors was probably not meant. Athena and Glue take any properties when a
// table is made and ignore what they don't know, so most mistakes show when a query finds nothing.
func (d *definition) doubts() {
	d.doubtNames()
	if t := d.properties.lookup("table_type"); t != nil && d.iceberg && d.anySetting() {
		d.Warnf("lint.iceberg", t.value, "drop the projection", "Iceberg tables have partitions of their own and don't look at projections")
	}
	d.doubtSerde()
	d.doubtKeys()
	if !d.projected {
		return
	}
	if first := d.firstAddition(); first != nil {
		d.Notef("lint.shadow", first, "drop the projection, or don't add partitions", "the projection is on, so partitions that are added to the catalog aren't read")
	}
	if d.repaired != nil {
		d.Notef("lint.shadow", d.repaired, "drop the projection, or this statement", "the projection is on, so the partitions that are entered into the catalog here aren't read")
	}
	d.doubtTemplate()
	var numbers []projection.NumberSetting
	var dates []projection.DateSetting
	for _, f := range d.fields {
		switch f.kind {
		case "integer":
			numbers = append(numbers, d.number(f))
		case "enum":
			d.doubtEnum(f)
		case "date":
			dates = append(dates, d.dates(f))
		}
	}
	d.DoubtNumbers(numbers, d.env.Now)
	d.DoubtDates(dates, d.env.Now)
	d.DoubtSplit(numbers, dates, d.fields[0].name)
}

func (d *definition) anySetting() bool {
	return slices.ContainsFunc(d.properties.list, func(s *setting) bool { return strings.HasPrefix(s.name, "projection.") })
}

// reservedNames are words that Hive's DDL reserves and tables of logs like to use (Athena user guide, "Reserved keywords").
var reservedNames = []string{"date", "timestamp", "end", "order", "group", "user", "table", "partition", "values", "interval"}

// doubtNames looks for reserved words as names of columns, which Hive's DDL takes in backticks only.
func (d *definition) doubtNames() {
	if d.trino {
		return
	}
	for _, c := range d.types {
		if name := c.Name; !name.Quoted && slices.Contains(reservedNames, strings.ToLower(name.Text)) {
			d.Warnf("lint.reserved", name, "write `"+name.Text+"`", "%s is a reserved word in DDL", name.Text)
		}
	}
}

// applies are the properties that each type of projection has.
var applies = map[string][]string{
	"enum":     {"values"},
	"integer":  {"range", "interval", "digits"},
	"date":     {"range", "interval", "interval.unit", "format"},
	"injected": {},
}

// doubtKeys looks for settings without a meaning: of another type of projection, of no column, or misspelt.
func (d *definition) doubtKeys() {
	for _, f := range d.fields {
		own, ok := applies[f.kind]
		for i, s := range f.settings {
			if suffix := suffixes[i]; ok && s != nil && suffix != "type" && !slices.Contains(own, suffix) {
				d.doubtForeign(f, suffix, s)
			}
		}
	}
	for _, s := range d.other {
		d.doubtKey(s)
	}
}

// doubtForeign tells of a property that a column's type of projection doesn't have. A format on numbers is the commonest:
// what it was meant for are digits.
func (d *definition) doubtForeign(f *field, suffix string, s *setting) {
	hint := "drop it"
	if f.kind == "integer" && suffix == "format" {
		width := "2"
		if strings.Count(strings.ToLower(s.value.S), "y") > 2 {
			width = "4"
		}
		hint = "write " + d.example(f, "digits", width)
		if f.lookup("digits") != nil {
			hint = "drop it: digits are set"
		}
	}
	d.Warnf("lint.property", s.key, hint, "%s has no effect on a column of the type %s", d.called(f, suffix), f.kind)
}

// doubtKey tells of a key that is ignored.
func (d *definition) doubtKey(s *setting) {
	rest, ok := strings.CutPrefix(strings.ToLower(s.name), "projection.")
	if !ok {
		return
	}
	for _, f := range d.fields {
		if suffix, ok := strings.CutPrefix(rest, f.name.S+"."); ok {
			d.Warnf("lint.key", s.key, d.nearSuffix(f, suffix), "%s is unknown and has no effect", s.key.S)
			return
		}
	}
	name, _, dotted := strings.Cut(rest, ".")
	switch {
	case !dotted:
		d.Warnf("lint.key", s.key, projection.DidYouMean(s.name, []string{enabledKey}), "%s is unknown and has no effect", s.key.S)
	case d.column(name) != nil:
		d.Warnf("lint.key", s.key, "drop it, or make it a partition column", "%s is a data column: %s has no effect", name, s.key.S)
	default:
		d.Warnf("lint.key", s.key, projection.DidYouMean(name, d.partIndex.Names()), "%s is no partition column: %s has no effect", projection.Quote(name), s.key.S)
	}
}

// confused are names of settings in other systems and spellings, and what they are here.
var confused = map[string]string{"unit": "interval.unit", "units": "interval.unit", "intervalunit": "interval.unit", "min": "range", "max": "range", "value": "values", "step": "interval", "padding": "digits", "pattern": "format"}

func (d *definition) nearSuffix(f *field, suffix string) string {
	if meant, ok := confused[suffix]; ok {
		return "did you mean " + d.key(f, meant) + "?"
	}
	return projection.Known(suffix, suffixes)
}

// doubtTemplate looks at where paths lie.
func (d *definition) doubtTemplate() {
	s := d.properties.lookup(templateKey)
	if s == nil {
		d.doubtFolders()
		return
	}
	text := s.value.S
	d.DoubtTemplate(s.value)
	if text != "" && !strings.HasSuffix(text, "/") {
		d.Warnf("lint.template", s.value.Part(len(text)-1, len(text)), "end it in /", "the template doesn't end in /, so the last folder's name could be the beginning of another's")
	}
	for _, escape := range []string{"$${", `\${`} {
		if i := strings.Index(text, escape); i >= 0 {
			d.Warnf("lint.template", s.value.Part(i, i+1), "drop it", "the %s in front of a column stands in paths: it is an escape of tools that write templates", escape[:1])
		}
	}
	scheme := strings.Index(text, "://") + 3
	if scheme < 3 {
		scheme = 0
	}
	if i := strings.Index(text[scheme:], "//"); i >= 0 {
		d.Warnf("lint.template", s.value.Part(scheme+i, scheme+i+2), "write /", "the template has two slashes in a row, which is a folder without a name")
	}
	fixed, _, _ := strings.Cut(text, "${")
	if d.located && d.location.S != "" && !strings.HasPrefix(fixed, strings.TrimSuffix(d.location.S, "/")) && !strings.HasPrefix(d.location.S, fixed) {
		d.Notef("lint.location", s.value, "make them agree", "the template is not below the table's location %s, which isn't read then", projection.Quote(d.location.S))
	}
}

// doubtFolders looks for slashes in values, which folders without a template have in escaped form.
func (d *definition) doubtFolders() {
	for _, f := range d.fields {
		for _, suffix := range []string{"format", "values"} {
			if s := f.lookup(suffix); s != nil && slices.Contains(applies[f.kind], suffix) && strings.Contains(s.value.S, "/") {
				d.Warnf("lint.escape", s.value, "add "+templateKey, "without a template a slash in a value is written %%2F in the folder's name, and makes no folder of its own")
			}
		}
	}
}

// number is what the settings of a column of numbers say.
func (d *definition) number(f *field) projection.NumberSetting {
	bounds, _ := d.bounds(f, "", "")
	lo, _ := d.whole(f, bounds[0])
	hi, _ := d.whole(f, bounds[1])
	digits, _ := d.positive(f, "digits", 0, mostDigits)
	return projection.NumberSetting{Column: f.name.S, Min: lo, Max: hi, Lo: bounds[0], Hi: bounds[1], Digits: int(digits),
		Fill: func(_ string, digits int) string { return "add " + d.example(f, "digits", strconv.Itoa(digits)) }}
}

func (d *definition) doubtEnum(f *field) {
	s := f.lookup("values")
	items := s.items()
	d.DoubtItems(f.name.S, items)
	var words []string
	for _, t := range items {
		if t.S != "" {
			words = append(words, t.S)
		}
	}
	d.DoubtWords(f.name.S, words, s.value)
}

// dates is what the settings of a column of dates say.
func (d *definition) dates(f *field) projection.DateSetting {
	format := d.format(f)
	unit, interval, _ := d.step(f, format)
	bounds, _ := d.bounds(f, "", "")
	start, _ := d.instant(f, format, bounds[0])
	end, _ := d.instant(f, format, bounds[1])
	if start == end {
		d.Notef("lint.end", f.lookup("range").value, "", "%s has one value only, and Trino refuses a range that begins where it ends", f.name.S)
	}
	return projection.DateSetting{Column: f.name.S, Format: format, Unit: unit, Interval: interval, Min: start, Max: end,
		At: f.lookup("format").value, Lo: bounds[0], Hi: bounds[1], TextOfFormat: isText(f.declared)}
}

// doubtSerde looks for projection keys among the properties of the SerDe, where they are not looked for.
func (d *definition) doubtSerde() {
	for i := range d.create.Clauses {
		if c := &d.create.Clauses[i]; strings.Contains(c.Text, "'projection.") || strings.Contains(c.Text, `"projection.`) {
			d.Warnf("projection.enabled", c, "move the projection's keys to TBLPROPERTIES", "the projection's keys stand among the properties of the SerDe, where nothing looks for them")
		}
	}
}
