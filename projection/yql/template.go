package yql

import (
	"strings"

	"github.com/yqlplan/yqlplan/projection"
)

// readTemplate compiles the storage location template and settles the order of the keys: that of their first mention
// in it. A projection can't do without; the directories of Hive are what is suggested.
func (d *definition) readTemplate(s *projection.Setting) {
	names := d.partitionIndex.Names()
	d.keys = names
	if s == nil {
		if !d.broken {
			d.Errorf("template.missing", d.at, `add `+templateKey+` = "`+hiveTemplate(d.likely())+`"`,
				"%s: a projection needs %s", d.name, templateKey)
		}
		return
	}
	t, errs := projection.ParseTemplate(s.Value.S)
	if d.partitioned && !d.listBroken && len(errs) == 0 {
		errs = t.Check(names)
	}
	for _, e := range errs {
		d.Errorf(e.Code, s.Value.Part(e.From, e.To), e.Hint, "%s: %s", templateKey, e.Msg)
	}
	if len(errs) == 0 {
		d.template, d.keys = t.Under(d.path.S), t.Columns()
		d.location = s.Value
	}
}

// hiveTemplate is what Hive's directories are as a template: year=${year}/month=${month}/.
func hiveTemplate(names []string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(n + "=${" + n + "}/")
	}
	return b.String()
}
