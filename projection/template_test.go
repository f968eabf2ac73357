package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTemplate(t *testing.T) {
	at := &Place{Axes: []Axis{ints(0, 2021, 2021, 1, 0), ints(1, 2, 2, 1, 2)}, Index: []uint64{0, 0}}
	for _, c := range []struct{ text, base, path string }{
		{"${a}/${b}", "/", "2021/02/"},
		{"//${a}/${b}//", "/", "2021/02/"},
		{"${a}//${b}", "//logs//", "logs/2021/02/"},
		{"y=${a}/m=${b}/raw", "logs", "logs/y=2021/m=02/raw/"},
		{"${a}/${b}/all-${a}", "", "2021/02/all-2021/"},
		{"${a}${b}", "", "202102/"},
		{`my\$folder/${a}/${b}`, "", "my$folder/2021/02/"},
		{"my$folder/${a}/${b}", "", "my$folder/2021/02/"},
		{`a\{1\}/${a}`, "", "a{1}/2021/"},
		{`\${a}/${a}`, "", "${a}/2021/"},
		{`a\\b/${a}`, "", `a\b/2021/`},
		{"cost$/${a}", "", "cost$/2021/"},
		{"$${a}", "", "$2021/"},
		{"${a}}{", "", "2021}{/"},
		{"50%/${a} ?", "", "50%/2021 ?/"},
	} {
		tpl, errs := ParseTemplate(c.text)
		if errs != nil {
			t.Errorf("%s: %v", c.text, errs)
			continue
		}
		if got := string(tpl.Under(c.base).AppendPath(nil, at)); got != c.path {
			t.Errorf("%s under %q: %s, want %s", c.text, c.base, got, c.path)
		}
		if got, want := tpl.Under(c.base).Below(), tpl.Under("").String(); got != want {
			t.Errorf("%s under %q: %s below it, want %s", c.text, c.base, got, want)
		}
	}
}

func TestTemplateErrors(t *testing.T) {
	type finding struct{ Code, Text, Hint string }
	for _, c := range []struct {
		text string
		want []finding
	}{
		{"${year}/${month}", nil},
		{"${month}/${year}/${month}", nil},
		{`a\b/${year}/${month}`, []finding{{"template.escape", `\b`, `write \\ for a backslash; only \$ \\ \{ \} are escapes`}}},
		{`${year}/${month}\`, []finding{{"template.escape", `\`, `write \\ for a backslash; only \$ \\ \{ \} are escapes`}}},
		{`\é${year}/${month}`, []finding{{"template.escape", `\é`, `write \\ for a backslash; only \$ \\ \{ \} are escapes`}}},
		{"${year}/${month", []finding{
			{"template.unclosed", "${month", `close it with "}", or write \${ for the two characters`},
			{"template.column", "${year}/${month", "put ${month} where its value stands in paths"}}},
		{"${year}/${}/${month}", []finding{{"template.empty", "${}", `write a column between the braces, or \${} for the characters`}}},
		{"${year}/${Month}", []finding{
			{"template.column", "${Month}", "did you mean ${month}?"},
			{"template.column", "${year}/${Month}", "put ${month} where its value stands in paths"}}},
		{"${year}/${data}/${month}", []finding{{"template.column", "${data}", "partition columns are year, month"}}},
		{"data", []finding{
			{"template.column", "data", "put ${year} where its value stands in paths"},
			{"template.column", "data", "put ${month} where its value stands in paths"}}},
	} {
		tpl, errs := ParseTemplate(c.text)
		var got []finding
		for _, e := range append(errs, tpl.Check([]string{"year", "month"})...) {
			got = append(got, finding{e.Code, c.text[e.From:e.To], e.Hint})
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

func TestLocation(t *testing.T) {
	at := &Place{Axes: []Axis{NewEnum(0, nil, []string{"a$b"}), ints(1, 2, 2, 1, 2)}, Index: []uint64{0, 0}}
	for _, c := range []struct{ text, path string }{
		{"s3://b/${y}/${x}/", "s3://b/02/a$b/"},
		{"s3://b/${x}/${y}", "s3://b/a$b/02/"},
		{"s3://b//${x}/y=${y}/raw", "s3://b//a$b/y=02/raw/"},
		{`s3://b/\${x}/$${y}/{x}`, `s3://b/\a$b/$02/{x}/`},
		{"s3a://${x}/${y}/${x}${y}", "s3a://a$b/02/a$b02/"},
	} {
		tpl, errs := ParseLocation(c.text)
		if errs == nil {
			errs = tpl.Check([]string{"x", "y"})
		}
		if errs != nil {
			t.Errorf("%s: %v", c.text, errs)
			continue
		}
		if got := string(tpl.Ordered([]string{"x", "y"}).Folder().AppendPath(nil, at)); got != c.path {
			t.Errorf("%s: %s, want %s", c.text, got, c.path)
		}
		if got := tpl.String(); got != c.text {
			t.Errorf("%s is printed as %s", c.text, got)
		}
	}
}

func TestHiveTemplate(t *testing.T) {
	at := &Place{Axes: []Axis{ints(0, 2021, 2021, 1, 0), ints(1, 2, 2, 1, 2)}, Index: []uint64{0, 0}}
	for _, c := range []struct{ location, path string }{
		{"s3://b/t", "s3://b/t/year=2021/m%3Ad=02/"},
		{"s3://b/t/", "s3://b/t/year=2021/m%3Ad=02/"},
		{"s3://b/t//", "s3://b/t//year=2021/m%3Ad=02/"},
	} {
		if got := string(HiveTemplate(c.location, []string{"year", "m:d"}).AppendPath(nil, at)); got != c.path {
			t.Errorf("%s: %s, want %s", c.location, got, c.path)
		}
	}
}
