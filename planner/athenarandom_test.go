package planner_test

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/athena"
)

// athenaColumn is a projected column with all its values, listed without the projection: by counting, or by the package
// time.
type athenaColumn struct {
	name, typ string
	settings  map[string]string
	texts     []string    // in paths; for text columns the values
	times     []time.Time // of dates
	numbers   []int       // of whole numbers
}

func drawAthenaColumn(t *rapid.T, name string) *athenaColumn {
	c := &athenaColumn{name: name, typ: "string", settings: map[string]string{}}
	switch rapid.SampledFrom([]string{"enum", "integer", "date"}).Draw(t, "kind") {
	case "enum":
		c.texts = rapid.SliceOfNDistinct(rapid.StringMatching(`[ab0-9-]{1,4}`), 1, 6, rapid.ID[string]).Draw(t, "values")
		c.settings = map[string]string{"type": "enum", "values": strings.Join(c.texts, ",")}
	case "integer":
		lo := rapid.IntRange(-20, 120).Draw(t, "min")
		hi := lo + rapid.IntRange(0, 200).Draw(t, "length")
		step, digits := rapid.IntRange(1, 9).Draw(t, "step"), rapid.IntRange(1, 4).Draw(t, "digits")
		if rapid.Bool().Draw(t, "number") {
			c.typ = "int"
		}
		c.settings = map[string]string{"type": "integer", "range": fmt.Sprintf("%d,%d", lo, hi), "interval": strconv.Itoa(step), "digits": strconv.Itoa(digits)}
		for n := lo; n <= hi; n += step {
			c.numbers, c.texts = append(c.numbers, n), append(c.texts, fmt.Sprintf("%0*d", digits, n))
		}
	case "date":
		form := rapid.SampledFrom([][3]string{{"yyyy-MM-dd", "2006-01-02", "DAYS"}, {"dd.MM.yyyy", "02.01.2006", "DAYS"}, {"yyyyMMdd", "20060102", "DAYS"},
			{"yyyy-MM", "2006-01", "MONTHS"}, {"yyyy-MM-dd-HH", "2006-01-02-15", "HOURS"}, {"d MMM yy", "2 Jan 06", "DAYS"}}).Draw(t, "format")
		at := time.Date(rapid.IntRange(2019, 2024).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), 1, 0, 0, 0, 0, time.UTC)
		if form[2] != "MONTHS" {
			at = at.AddDate(0, 0, rapid.IntRange(0, 27).Draw(t, "day"))
		}
		step := rapid.IntRange(1, 4).Draw(t, "step")
		for range rapid.IntRange(1, 90).Draw(t, "length") {
			c.times, c.texts = append(c.times, at), append(c.texts, at.Format(form[1]))
			switch form[2] {
			case "DAYS":
				at = at.AddDate(0, 0, step)
			case "MONTHS":
				at = at.AddDate(0, step, 0)
			default:
				at = at.Add(time.Duration(step) * time.Hour)
			}
		}
		c.settings = map[string]string{"type": "date", "format": form[0], "range": c.texts[0] + "," + c.texts[len(c.texts)-1], "interval": strconv.Itoa(step), "interval.unit": form[2]}
	}
	return c
}

// fact is a predicate in SQL and what it says of a column's i-th value.
type fact struct {
	sql  string
	true func(at map[string]int) bool
}

func drawCondition(t *rapid.T, columns []*athenaColumn, depth int) fact {
	if depth > 0 && rapid.Bool().Draw(t, "logic") {
		a, b := drawCondition(t, columns, depth-1), drawCondition(t, columns, depth-1)
		switch rapid.IntRange(0, 2).Draw(t, "operator") {
		case 0:
			return fact{"(" + a.sql + " AND " + b.sql + ")", func(at map[string]int) bool { return a.true(at) && b.true(at) }}
		case 1:
			return fact{"(" + a.sql + " OR " + b.sql + ")", func(at map[string]int) bool { return a.true(at) || b.true(at) }}
		}
		return fact{"NOT " + a.sql, func(at map[string]int) bool { return !a.true(at) }}
	}
	c := rapid.SampledFrom(columns).Draw(t, "column")
	x := rapid.IntRange(0, len(c.texts)-1).Draw(t, "value")
	if c.typ == "int" {
		return numberCondition(t, c, c.numbers[x]+rapid.IntRange(-1, 1).Draw(t, "off"))
	}
	if c.times != nil && rapid.Bool().Draw(t, "as date") {
		if d, ok := dateCondition(t, c, c.times[x]); ok {
			return d
		}
	}
	return textCondition(t, c, c.texts[x])
}

func numberCondition(t *rapid.T, c *athenaColumn, n int) fact {
	at := func(f func(v int) bool) func(map[string]int) bool {
		return func(at map[string]int) bool { return f(c.numbers[at[c.name]]) }
	}
	switch rapid.IntRange(0, 5).Draw(t, "form") {
	case 0:
		return fact{fmt.Sprintf("%s = %d", c.name, n), at(func(v int) bool { return v == n })}
	case 1:
		return fact{fmt.Sprintf("%d >= %s", n, c.name), at(func(v int) bool { return v <= n })}
	case 2:
		return fact{fmt.Sprintf("%s < %d.5", c.name, max(n, 0)), at(func(v int) bool { return v <= max(n, 0) })}
	case 3:
		return fact{fmt.Sprintf("%s BETWEEN %d AND %d", c.name, n-3, n+4), at(func(v int) bool { return v >= n-3 && v <= n+4 })}
	case 4:
		return fact{fmt.Sprintf("mod(%s, 3) = 1", c.name), at(func(v int) bool { return v%3 == 1 })}
	}
	return fact{fmt.Sprintf("lpad(CAST(%s AS varchar), 3, '0') IN ('%03d', '007')", c.name, n), at(func(v int) bool {
		s := strconv.Itoa(v)
		s = strings.Repeat("0", max(0, 3-len(s))) + s
		return s[:3] == fmt.Sprintf("%03d", n) || s[:3] == "007"
	})}
}

// dateCondition is one on the dates that the column's texts mean, where these can be read by date_parse.
func dateCondition(t *rapid.T, c *athenaColumn, d time.Time) (fact, bool) {
	pattern, ok := map[string]string{"yyyy-MM-dd": "%Y-%m-%d", "dd.MM.yyyy": "%d.%m.%Y", "yyyyMMdd": "%Y%m%d", "yyyy-MM-dd-HH": "%Y-%m-%d-%H",
		"d MMM yy": "%e %b %y"}[c.settings["format"]]
	if !ok {
		return fact{}, false
	}
	parsed := fmt.Sprintf("date_parse(%s, '%s')", c.name, pattern)
	at := func(f func(v time.Time) bool) func(map[string]int) bool {
		return func(at map[string]int) bool { return f(c.times[at[c.name]]) }
	}
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 0:
		return fact{parsed + " >= TIMESTAMP '" + d.Format("2006-01-02 15:04:05") + "'", at(func(v time.Time) bool { return !v.Before(d) })}, true
	case 1:
		return fact{"day_of_week(" + parsed + ") IN (6, 7)", at(func(v time.Time) bool { return v.Weekday() == time.Saturday || v.Weekday() == time.Sunday })}, true
	case 2:
		return fact{"date_trunc('month', " + parsed + ") = DATE '" + d.Format("2006-01") + "-01'",
			at(func(v time.Time) bool { return v.Format("200601") == d.Format("200601") })}, true
	case 3:
		return fact{"date(" + parsed + ") <> DATE '" + d.Format("2006-01-02") + "'", at(func(v time.Time) bool { return v.Format("20060102") != d.Format("20060102") })}, true
	}
	return fact{"date_format(" + parsed + ", '%m/%y') = '" + d.Format("01/06") + "'", at(func(v time.Time) bool { return v.Format("0106") == d.Format("0106") })}, true
}

func textCondition(t *rapid.T, c *athenaColumn, s string) fact {
	at := func(f func(v string) bool) func(map[string]int) bool {
		return func(at map[string]int) bool { return f(c.texts[at[c.name]]) }
	}
	if rapid.IntRange(0, 3).Draw(t, "other") == 0 {
		s = s[:len(s)-1] + rapid.StringMatching(`[0-9ab]`).Draw(t, "end")
	}
	n := rapid.IntRange(1, 4).Draw(t, "n")
	head, tail := s[:min(n, len(s))], s[max(0, len(s)-n):]
	switch rapid.IntRange(0, 12).Draw(t, "form") {
	case 0:
		return fact{fmt.Sprintf("%s = '%s'", c.name, s), at(func(v string) bool { return v == s })}
	case 1:
		return fact{fmt.Sprintf("%s <> '%s'", c.name, s), at(func(v string) bool { return v != s })}
	case 2:
		return fact{fmt.Sprintf("'%s' < %s", s, c.name), at(func(v string) bool { return v > s })}
	case 3:
		return fact{fmt.Sprintf("%s BETWEEN '%s' AND '%s'", c.name, head, s), at(func(v string) bool { return v >= head && v <= s })}
	case 4:
		return fact{fmt.Sprintf("%s NOT IN ('%s', '%s')", c.name, s, tail), at(func(v string) bool { return v != s && v != tail })}
	case 5:
		return fact{fmt.Sprintf("%s LIKE '%s%%'", c.name, head), at(func(v string) bool { return strings.HasPrefix(v, head) })}
	case 6:
		return fact{fmt.Sprintf("%s LIKE '%s_%%%s'", c.name, head, tail), at(func(v string) bool {
			return len(v) > len(head)+len(tail) && strings.HasPrefix(v, head) && strings.HasSuffix(v, tail)
		})}
	case 7:
		return fact{fmt.Sprintf("substr(%s, 2, %d) >= '%s'", c.name, n, tail), at(func(v string) bool { v = v[1:]; return v[:min(n, len(v))] >= tail })}
	case 8:
		return fact{fmt.Sprintf("length(%s) = %d", c.name, len(s)), at(func(v string) bool { return len(v) == len(s) })}
	case 9:
		return fact{fmt.Sprintf("replace(%s, '-') || '!' < '%s'", c.name, s), at(func(v string) bool { return strings.ReplaceAll(v, "-", "")+"!" < s })}
	case 10:
		re := regexp.MustCompile(regexp.QuoteMeta(head) + "[0-9]")
		return fact{fmt.Sprintf("regexp_like(%s, '%s')", c.name, re), at(re.MatchString)}
	case 11:
		return fact{fmt.Sprintf("coalesce(nullif(%s, '%s'), 'x') = 'x'", c.name, s), at(func(v string) bool { return v == s })}
	}
	return fact{fmt.Sprintf("split_part(%s, '%s', 1) = '%s'", c.name, tail[:1], head), at(func(v string) bool {
		first, _, _ := strings.Cut(v, tail[:1])
		return first == head
	})}
}

// TestAthenaRandom plans random conditions over random projections: exactly the partitions whose values make the
// condition TRUE are read, in the order of the columns.
func TestAthenaRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := []*athenaColumn{drawAthenaColumn(t, "a"), drawAthenaColumn(t, "b")}
		columns = columns[:rapid.IntRange(1, 2).Draw(t, "columns")]
		where := drawCondition(t, columns, 2)
		text := declareAthena(columns) + "SELECT * FROM t WHERE " + where.sql
		plans, diags := planner.NewSession([]projection.System{athena.System{}}, planner.Options{System: "athena"}).Run(t.Context(), "q", text)
		if diags.HasErrors() || len(plans) != 1 {
			t.Fatalf("%s\n%v", text, diags)
		}
		var want []string
		at := map[string]int{}
		var down func(k int, path string)
		down = func(k int, path string) {
			if k == len(columns) {
				if where.true(at) {
					want = append(want, path)
				}
				return
			}
			for i, s := range columns[k].texts {
				at[columns[k].name] = i
				down(k+1, path+s+"/")
			}
		}
		down(0, "s3://b/")
		s := plans[0].Scans[0]
		var out strings.Builder
		if err := s.WritePaths(t.Context(), &out, nil, nil, '\n'); err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(strings.ReplaceAll(out.String(), " ", "_"))
		for i := range want {
			want[i] = strings.ReplaceAll(want[i], " ", "_")
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n%d prefixes %q, want %d: %q", text, len(got), first(got), len(want), first(want))
		}
		n, total, err := s.Count(t.Context())
		all := big.NewInt(1)
		for _, c := range columns {
			all.Mul(all, big.NewInt(int64(len(c.texts))))
		}
		if err != nil || n.Cmp(big.NewInt(int64(len(want)))) != 0 || total.Cmp(all) != 0 {
			t.Fatalf("%s\n%v of %v, %v; want %d of %v", text, n, total, err, len(want), all)
		}
	})
}

func first(paths []string) []string { return paths[:min(8, len(paths))] }

func declareAthena(columns []*athenaColumn) string {
	var cols, settings []string
	template := "s3://b/"
	for _, c := range columns {
		cols = append(cols, c.name+" "+c.typ)
		for k, v := range c.settings {
			settings = append(settings, fmt.Sprintf("'projection.%s.%s'='%s'", c.name, k, v))
		}
		template += "${" + c.name + "}/"
	}
	return fmt.Sprintf("CREATE EXTERNAL TABLE t (v string) PARTITIONED BY (%s) TBLPROPERTIES ('projection.enabled'='true', 'storage.location.template'='%s', %s);\n",
		strings.Join(cols, ", "), template, strings.Join(settings, ", "))
}
