package planner

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// trino binds an expression of Athena's dialect as of 2024-05-10T01:20:30.5Z over a relation.
func trino(r *relation, text string) (expr, ast.Diagnostics) {
	d, _ := parser.DialectByName("athena")
	x, err := parser.ParseExpr(ast.NewSource("q", text), d)
	if err != nil {
		panic(err)
	}
	var found ast.Diagnostics
	b := newBinder(trinoSemantics(), time.Date(2024, 5, 10, 1, 20, 30, 5e8, time.UTC), projection.DefaultLimits, &found)
	return b.bind(x, &scope{rels: []*relation{r}}), found
}

// TestTrinoConstants folds expressions; "?" is a value of which nothing is known.
func TestTrinoConstants(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"current_date", "2024-05-10"},
		{"CURRENT_TIMESTAMP", "2024-05-10T01:20:30.500000Z"},
		{"date(now())", "2024-05-10"},
		{"current_date - INTERVAL '10' DAY", "2024-04-30"},
		{"DATE '2024-03-31' - INTERVAL '1' MONTH", "2024-02-29"},
		{"INTERVAL '1' YEAR + DATE '2024-02-29'", "2025-02-28"},
		{"TIMESTAMP '2024-03-31 10:00:00' - INTERVAL '-1' MONTH", "2024-04-30T10:00:00Z"},
		{"now() - interval '3' hour", "2024-05-09T22:20:30.500000Z"},
		{"now() AT TIME ZONE 'UTC'", "2024-05-10T01:20:30.500000Z"},
		{"now() AT TIME ZONE 'Asia/Tokyo'", "2024-05-10T01:20:30.500000Z"},
		{"hour(now() AT TIME ZONE 'Asia/Tokyo')", "10"},
		{"date_format(now() AT TIME ZONE 'America/Los_Angeles', '%Y-%m-%d %H')", "2024-05-09 18"},
		{"date_format(at_timezone(TIMESTAMP '2024-05-09 20:00', '+05:30'), '%Y-%m-%d %H:%i')", "2024-05-10 01:30"},
		{"date(now() AT TIME ZONE 'America/Los_Angeles')", "2024-05-09"},
		{"CAST(now() AT TIME ZONE 'America/Los_Angeles' AS date)", "2024-05-09"},
		{"CAST(now() AT TIME ZONE 'America/Los_Angeles' AS timestamp)", "2024-05-09T18:20:30.500Z"},
		{"CAST(now() AT TIME ZONE 'America/Los_Angeles' AS varchar)", "?"},
		{"now() AT TIME ZONE 'America/Los_Angeles' = now()", "true"},
		{"date_trunc('day', now() AT TIME ZONE 'Asia/Tokyo')", "2024-05-09T15:00:00Z"},
		{"date_format(date_trunc('day', now() AT TIME ZONE 'Asia/Tokyo') - INTERVAL '1' HOUR, '%Y-%m-%d %H')", "2024-05-09 23"},
		{"last_day_of_month(TIMESTAMP '2024-04-30 22:00' AT TIME ZONE 'Europe/Berlin')", "2024-05-31"},
		{"to_unixtime(TIMESTAMP '1970-01-02 00:00' AT TIME ZONE 'Asia/Tokyo')", "86400"},
		{"date_format(from_unixtime(0, 'Asia/Tokyo'), '%H')", "09"},
		{"from_unixtime(0, 5, 30)", "?"},
		{"DATE '2024-05-10' AT TIME ZONE 'UTC'", "?"}, // a date has no zone
		{"with_timezone(TIMESTAMP '2024-05-10 00:00', 'Asia/Tokyo')", "2024-05-09T15:00:00Z"},
		{"TIMESTAMP '2024-05-10 00:00:00.5 Asia/Tokyo'", "2024-05-09T15:00:00.500Z"},
		{"TIMESTAMP '2024-05-10 00:00-07:00'", "2024-05-10T07:00:00Z"},
		{"with_timezone(TIMESTAMP '2024-03-31 02:30', 'Europe/Berlin')", "?"}, // the clock is put forward
		{"with_timezone(TIMESTAMP '2024-10-27 02:30', 'Europe/Berlin')", "?"}, // and back
		{"date_add('day', 1, TIMESTAMP '2024-03-30 12:00 Europe/Berlin')", "2024-03-31T10:00:00Z"},
		{"date_add('hour', 24, TIMESTAMP '2024-03-30 12:00 Europe/Berlin')", "2024-03-31T11:00:00Z"},
		{"TIMESTAMP '2024-03-30 12:00 Europe/Berlin' + INTERVAL '1' MONTH", "2024-04-30T10:00:00Z"},
		{"date_diff('day', TIMESTAMP '2024-05-09 23:00 Europe/Berlin', TIMESTAMP '2024-05-10 22:00 Europe/Berlin')", "0"},
		{"date_diff('day', TIMESTAMP '2024-05-09 23:00 Europe/Berlin', TIMESTAMP '2024-05-10 22:00')", "?"},
		{"date_diff('hour', TIMESTAMP '2024-05-09 23:00 Europe/Berlin', TIMESTAMP '2024-05-10 22:00')", "25"},
		{"greatest(TIMESTAMP '2024-05-09 23:00 Europe/Berlin', TIMESTAMP '2024-05-10 22:00')", "?"},
		{"format_datetime(now() AT TIME ZONE 'Asia/Tokyo', 'HH')", "10"},
		{"format_datetime(now() AT TIME ZONE 'Asia/Tokyo', 'HHX')", "?"},
		{"current_date - INTERVAL '1 12:00:00' DAY TO SECOND", "2024-05-08"},
		{"current_date - INTERVAL '1-2' YEAR TO MONTH", "2023-03-10"},
		{"TIMESTAMP '2024-05-10 00:00' + INTERVAL '-1:30.5' MINUTE TO SECOND", "2024-05-09T23:58:29.500Z"},
		{"TIMESTAMP '2024-05-10 00:00' - INTERVAL -'5' HOUR", "2024-05-10T05:00:00Z"},
		{"date_add('day', -3, current_date)", "2024-05-07"},
		{"date_add('quarter', 1, DATE '2024-11-30')", "2025-02-28"},
		{"date_add('hour', 2, TIMESTAMP '2024-05-01 23:30:00')", "2024-05-02T01:30:00Z"},
		{"date_diff('day', DATE '2024-02-28', DATE '2024-03-01')", "2"},
		{"date_diff('month', DATE '2024-01-31', DATE '2024-02-28')", "0"},
		{"date_diff('month', DATE '2024-01-31', DATE '2024-02-29')", "1"},
		{"date_diff('month', DATE '2024-03-01', DATE '2024-01-01')", "-2"},
		{"date_diff('hour', TIMESTAMP '2024-01-01 00:30:00', TIMESTAMP '2024-01-01 02:29:59')", "1"},
		{"date_trunc('week', DATE '2024-05-10')", "2024-05-06"},
		{"date_trunc('quarter', DATE '2024-05-10')", "2024-04-01"},
		{"date_trunc('hour', now())", "2024-05-10T01:00:00Z"},
		{"last_day_of_month(DATE '2024-02-03')", "2024-02-29"},
		{"year(current_date) * 100 + month(current_date)", "202405"},
		{"quarter(DATE '2024-05-10')", "2"},
		{"week(DATE '2024-12-30')", "1"},
		{"year_of_week(DATE '2024-12-30')", "2025"},
		{"day_of_week(DATE '2024-05-12')", "7"},
		{"EXTRACT(DOY FROM DATE '2024-03-01')", "61"},
		{"hour(TIMESTAMP '2024-05-10 13:14:15.678')", "13"},
		{"millisecond(TIMESTAMP '2024-05-10 13:14:15.678')", "678"},
		{"year(DATE '0004-02-29')", "4"},
		{"date_format(TIMESTAMP '2024-02-29 05:06:07', '%y/%c/%e %k:%i:%s %l %p %j %a %W %b %M %f%%')", "24/2/29 5:06:07 5 AM 060 Thu Thursday Feb February 000000%"},
		{"date_format(DATE '2024-02-09', 'it''s %Y%m%d %T %r')", "it's 20240209 00:00:00 12:00:00 AM"},
		{"date_format(current_date, '%x-%v')", "?"},
		{"date_format(current_date, '%m%c')", "?"},
		{"date_parse('2024/02/29/05', '%Y/%m/%d/%H')", "2024-02-29T05:00:00Z"},
		{"date_parse('24-02-29', '%y-%m-%d')", "2024-02-29T00:00:00Z"},
		{"date_parse('70-02-28', '%y-%m-%d')", "?"},
		{"date_parse('2024-2-9', '%Y-%m-%d')", "?"},
		{"format_datetime(TIMESTAMP '2024-02-29 05:06:07', 'YYYY-MM-dd''T''HH')", "2024-02-29T05"},
		{"parse_datetime('2024-02-29 05', 'yyyy-MM-dd HH')", "2024-02-29T05:00:00Z"},
		{"from_iso8601_timestamp('2024-02-29T05:06:07Z')", "2024-02-29T05:06:07Z"},
		{"from_iso8601_date('2024-02-29')", "2024-02-29"},
		{"to_iso8601(DATE '2024-02-29')", "2024-02-29"},
		{"to_unixtime(TIMESTAMP '1970-01-02 00:00:00')", "86400"},
		{"from_unixtime(86400)", "1970-01-02T00:00:00Z"},

		{"trim(LEADING '0' FROM '007')", "7"},
		{"trim(BOTH FROM ' a ')", "a"},
		{"trim(TRAILING 'ab' FROM 'cab')", "c"},
		{"rtrim('a/', '/')", "a"},
		{"position('b' IN 'abc')", "2"},
		{"strpos('abcabc', 'b', 2)", "?"},
		{"concat_ws('/', '2024', '05')", "2024/05"},
		{"concat_ws('/', '2024', NULL)", "?"},
		{"translate('2024-05-10', '-', '/')", "2024/05/10"},
		{"translate('2024-05-10', '-', '')", "20240510"},
		{"format('%04d-%02d %3d %s%%', 2024, 5, 7, 'x')", "2024-05   7 x%"},
		{"format('%x', 5)", "?"},
		{"format('%s', NULL)", "?"},
		{"regexp_extract('a-12-34', '(\\d+)-(\\d+)', 2)", "34"},
		{"regexp_replace('a-b', '-')", "ab"},
		{"ceiling(2.5e0)", "3"},
		{"floor(-2.5e0)", "-3"},
		{"round(-2.5e0)", "-3"},
		{"round(2.55e0, 1)", "?"},
		{"floor(7)", "7"},
		{"floor(7.5)", "?"},
		{"sign(-7)", "-1"},
		{"bitwise_and(13, 7)", "5"},
		{"any_match(ARRAY['a', 'b'], x -> x > 'a')", "true"},
		{"all_match(ARRAY['a', 'b'], x -> X > 'a')", "false"},
		{"none_match(ARRAY[1, NULL], x -> x > 5)", "NULL"},
		{"X'0AFF'", "?"},

		{"CAST('2024-02-29' AS date)", "2024-02-29"},
		{"CAST('2024-02-30' AS date)", "?"},
		{"TRY_CAST('x' AS date)", "NULL"},
		{"TRY_CAST('x' AS integer)", "NULL"},
		{"CAST('08' AS integer)", "8"},
		{"CAST('+8' AS bigint)", "8"},
		{"TRY_CAST('3000000000' AS integer)", "NULL"},
		{"CAST(DATE '2024-02-29' AS varchar)", "2024-02-29"},
		{"CAST(TIMESTAMP '2024-02-29 05:06:07' AS varchar)", "2024-02-29 05:06:07.000"},
		{"CAST(now() AS varchar)", "?"},
		{"CAST(7 AS varchar)", "7"},
		{"CAST(77 AS varchar(2))", "77"},
		{"CAST(777 AS varchar(2))", "?"},
		{"CAST('abcdef' AS varchar(3))", "abc"},
		{"CAST('abc' AS char(5))", "?"},
		{"CAST(TIMESTAMP '2024-02-29 05:06:07' AS date)", "2024-02-29"},
		{"CAST('2024-02-29 05:06' AS timestamp)", "2024-02-29T05:06:00Z"},
		{"TRY(CAST('x' AS integer))", "?"},

		{"concat('a', 'b', 'c')", "abc"},
		{"substr('abcdef', 2)", "bcdef"},
		{"substr('abcdef', 2, 3)", "bcd"},
		{"substr('abcdef', -3, 2)", "de"},
		{"substr('abc', -5)", ""},
		{"substr('abc', 0)", ""},
		{"lpad('7', 2, '0')", "07"},
		{"lpad('1234', 2, '0')", "12"},
		{"rpad('7', 4, 'ab')", "7aba"},
		{"replace('2024-05', '-')", "202405"},
		{"split_part('2024/05/10', '/', 2)", "05"},
		{"split_part('2024/05/10', '/', 9)", "NULL"},
		{"split('a-b', '-')[2]", "b"},
		{"element_at(ARRAY['a', 'b'], -1)", "b"},
		{"cardinality(split('a-b-c', '-'))", "3"},
		{"strpos('abc', 'c')", "3"},
		{"length('äb')", "2"},
		{"upper('ab') || lower('CD') || trim(' x ') || reverse('yz')", "ABcdxzy"},
		{"regexp_extract('y=2024', '[0-9]+')", "2024"},
		{"regexp_replace('2024-05-10', '-', '/')", "2024/05/10"},
		{"regexp_replace('abc', '(b)', '$1')", "?"},
		{"greatest('a', 'c', 'b')", "c"},
		{"if(1 = 2, 'a')", "NULL"},
		{"coalesce(NULL, 'x')", "x"},
		{"nullif('a', 'a')", "NULL"},
		{"7 / 2", "3"},
		{"mod(7, 3)", "1"},
		{"regexp_like('2024-05', '^20[0-9]{2}-05$')", "true"},
		{"starts_with('abc', 'ab')", "true"},
		{"contains(ARRAY['a', 'b'], 'c')", "false"},
		{"1.5 = 1.50", "true"},
		{"DECIMAL '+1.50' = 1.5", "true"},
		{"DECIMAL '-.5' < DECIMAL '-0.25'", "true"},
		{"0.1 + 0.2 = 0.3", "?"},
		{"ROW(1, 'a') = (1, 'a')", "true"},
		{"random() > 2", "?"},
	} {
		e, found := trino(&relation{}, c.text)
		if found.HasErrors() {
			t.Errorf("%s: %v", c.text, found)
			continue
		}
		got := "?"
		if x, ok := e.(*constant); ok {
			if v, ok := x.v.known(); ok {
				got = string(x.t.scalar.Append(nil, v))
			} else if x.v.isNull() {
				got = "NULL"
			}
		}
		if got != c.want {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
	}
}

// trinoRow is a relation with a text s, a number n, a day d and a time at.
func trinoRow() *relation {
	r := &relation{name: "r"}
	for _, c := range []struct {
		name string
		typ  pruning.Type
	}{
		{"s", pruning.Type{Kind: pruning.String}}, {"n", pruning.Type{Kind: pruning.Int32}},
		{"d", pruning.Type{Kind: pruning.Date}}, {"at", pruning.Type{Kind: pruning.Timestamp, Precision: 3}},
	} {
		r.cols = append(r.cols, relColumn{name: c.name, key: -1, typ: typ{shape: scalarShape, scalar: c.typ, wide: true, notNull: true}})
	}
	return r
}

// TestTrinoErrors wants findings about values that don't meet, and units that don't exist.
func TestTrinoErrors(t *testing.T) {
	for _, c := range []struct{ text, code, words string }{
		{"s = 5", "bind.compare", "s (varchar) can't be compared with 5 (integer)|write '5'"},
		{"s > DATE '2024-05-01'", "bind.compare", "write '2024-05-01'"},
		{"n = '5'", "bind.compare", "write 5 without quotes"},
		{"n BETWEEN '1' AND '2'", "bind.compare", "write 1 without quotes"},
		{"d = '2024-05-01'", "bind.compare", "write DATE '2024-05-01'"},
		{"d = '2024/05/01'", "bind.compare", "write DATE '2021-01-05'"},
		{"at > '2024-05-01 10:00'", "bind.compare", "write TIMESTAMP '2024-05-01 10:00'"},
		{"n IN ('1', '2')", "bind.compare", "write 1 without quotes"},
		{"n LIKE '1%'", "bind.argument", "LIKE needs texts"},
		{"date_add('days', 1, d)", "bind.unit", "did you mean 'day'?"},
		{"date_trunc('fortnight', d)", "bind.unit", "units are"},
		{"date_parse(d, '%Y')", "bind.argument", "date_parse can't be applied to date"},
		{"date_format(d)", "bind.arguments", "date_format takes 2 arguments, not 1"},
		{"s || n", "bind.argument", "can't be applied to varchar and integer"},
		{`s = "x"`, "bind.column", "for a text write 'x'"},
		{"DATE '2024-13-01'", "bind.literal", "there is no month 13"},
		{"at > now() - INTERVAL '7 days' DAY", "bind.literal", "'7 days' is no interval of DAY|INTERVAL '2' DAY"},
		{"at > now() - INTERVAL '7' SECOND TO DAY", "bind.literal", "no interval of SECOND TO DAY"},
		{"at > now() AT TIME ZONE 'Europe/Berln'", "bind.zone", "the time zone \"Europe/Berln\" isn't known here|Europe/Berlin"},
	} {
		_, found := trino(trinoRow(), c.text)
		if len(found) == 0 || found[0].Code != c.code {
			t.Errorf("%s: %v, want %s", c.text, found, c.code)
			continue
		}
		for _, w := range strings.Split(c.words, "|") {
			if !strings.Contains(found[0].Msg+" "+found[0].Hint, w) {
				t.Errorf("%s: %s, hint: %s; want %s", c.text, found[0].Msg, found[0].Hint, w)
			}
		}
	}
}

// TestTrinoRanges evaluates functions on ranges of their arguments: the result contains that of every value within.
func TestTrinoRanges(t *testing.T) {
	r := trinoRow()
	texts := []string{
		"year(d)", "quarter(d)", "month(d)", "week(d)", "day(d)", "day_of_week(d)", "day_of_year(d)", "year_of_week(d)", "hour(at)",
		"minute(at)", "second(at)", "millisecond(at)", "date(at)", "CAST(d AS timestamp)", "CAST(at AS date)", "CAST(d AS varchar)",
		"CAST(n AS varchar)", "TRY_CAST(n AS tinyint)", "d + INTERVAL '40' DAY", "d - INTERVAL '1' MONTH", "at + INTERVAL '13' MONTH",
		"at - INTERVAL '7' HOUR", "date_add('month', 1, d)", "date_add('day', n, d)", "date_add('year', -1, at)", "date_add('minute', 90, at)",
		"date_diff('month', d, DATE '2024-02-29')", "date_diff('day', DATE '2024-02-29', d)", "date_diff('hour', at, at)", "date_trunc('week', d)",
		"date_trunc('month', at)", "date_trunc('hour', at)", "last_day_of_month(d)", "to_unixtime(at)", "from_unixtime(n)", "to_iso8601(d)",
		"date_format(d, '%Y-%m')", "substr(s, 1, 2)", "substr(s, 2)", "substr(s, -1)", "s || 'x'", "'x' || s", "upper(s)", "lpad(s, 3, '0')",
		"length(s)", "replace(s, 'a', 'b')", "strpos(s, 'b')", "split_part(s, 'a', 1)", "regexp_like(s, '^ab')", "starts_with(s, 'a')",
		"s LIKE 'a%b'", "s IN ('a', 'ab')", "s BETWEEN 'a' AND 'b'", "s > 'ab'", "n / 3", "n % 5", "mod(n, 3)", "n * n - n", "abs(n)", "-n",
		"greatest(n, 3)", "if(n > 3, n, 0)", "coalesce(s, 'x')", "nullif(n, 3)", "TRY(n + 1)", "CASE WHEN d > DATE '2024-01-01' THEN n ELSE 1 END",
		"d IN (DATE '2024-02-29', DATE '2024-03-01')", "(n, s) < (3, 'b')", "n = 1.5", "n < 2.5",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "expression")
		e, _ := trino(r, text)
		lo, hi, mid := make([]pruning.Value, 4), make([]pruning.Value, 4), make([]pruning.Value, 4)
		for i, c := range r.cols {
			a, b, m := drawWithin(t, c.typ.scalar)
			lo[i], hi[i], mid[i] = a, b, m
		}
		whole := eval(e, func(c *column) value { return between(lo[c.index], hi[c.index]) })
		one := eval(e, func(c *column) value { return exactly(mid[c.index]) })
		if !holdsValue(whole, one, e.typ()) {
			t.Fatalf("%s: %+v for %v … %v, but %+v for %v", text, whole, lo, hi, one, mid)
		}
	})
}

// drawWithin draws bounds of a type, and a value between them.
func drawWithin(t *rapid.T, typ pruning.Type) (lo, hi, mid pruning.Value) {
	if typ.Kind == pruning.String {
		texts := rapid.SliceOfN(rapid.StringMatching(`[ab0]{0,3}`), 3, 3).Draw(t, "texts")
		vs := []pruning.Value{pruning.Text(texts[0]), pruning.Text(texts[1]), pruning.Text(texts[2])}
		for i := range vs {
			for k := range i {
				if pruning.Compare(vs[i], vs[k]) < 0 {
					vs[i], vs[k] = vs[k], vs[i]
				}
			}
		}
		return vs[0], vs[2], vs[1]
	}
	near := map[pruning.Kind]int64{pruning.Int32: 0, pruning.Date: 19782, pruning.Timestamp: 19782 * 86400_000}[typ.Kind]
	wide := map[pruning.Kind]int64{pruning.Int32: 10, pruning.Date: 800, pruning.Timestamp: 800 * 86400_000}[typ.Kind]
	if rapid.IntRange(0, 9).Draw(t, "far") == 0 && typ.Kind != pruning.Int32 {
		near *= 1_000_000
	}
	a := near + rapid.Int64Range(-wide, wide).Draw(t, "low")
	n := rapid.Int64Range(0, wide/rapid.SampledFrom([]int64{1, 1, 10}).Draw(t, "narrow")).Draw(t, "length")
	return pruning.Int(a), pruning.Int(a + n), pruning.Int(a + rapid.Int64Range(0, n).Draw(t, "place"))
}

// holdsValue reports whether v says nothing that w contradicts.
func holdsValue(v, w value, t typ) bool {
	if w.is&null != 0 && v.is&null == 0 {
		return false
	}
	x, ok := w.notNull().known()
	if !ok || w.is&some == 0 {
		return true
	}
	if v.is&some == 0 || t.shape != scalarShape {
		return v.is&some != 0
	}
	below := v.is&low == 0 && pruning.Compare(x, v.lo) < 0
	above := v.is&high == 0 && (pruning.Compare(x, v.hi) > 0 || v.is&under != 0 && x == v.hi)
	return !below && !above
}
