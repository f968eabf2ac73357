package planner

import (
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
)

// TestDorisConstants folds constant expressions as of 2024-05-01 12:30:45 (values from Doris' documentation of SQL
// functions, or by its rules). "?": not known here.
func TestDorisConstants(t *testing.T) {
	dialect, _ := parser.DialectByName("doris")
	for _, x := range [][2]string{
		{"now()", "2024-05-01 12:30:45"}, {"CURRENT_DATE", "2024-05-01"}, {"curdate()", "2024-05-01"}, {"unix_timestamp()", "1714566645"},
		{"date('2020-02-29 10:00:00')", "2020-02-29"}, {"to_date('2020-02-29')", "2020-02-29"},
		{"date_trunc('2020-02-29 10:11:12', 'month')", "2020-02-01 00:00:00"}, {"date_trunc('week', '2020-02-29 10:11:12')", "2020-02-24 00:00:00"},
		{"year('2020-02-29')", "2020"}, {"quarter('2020-05-29')", "2"}, {"month('2020-02-29')", "2"}, {"day('2020-02-29')", "29"},
		{"hour('2020-02-29 10:11:12')", "10"}, {"minute('2020-02-29 10:11:12')", "11"}, {"second('2020-02-29 10:11:12')", "12"},
		{"dayofyear('2020-12-31')", "366"}, {"dayofweek('2019-06-25')", "3"}, {"weekday('2019-06-25')", "1"}, {"weekofyear('2008-02-20')", "8"},
		{"to_monday('2022-09-10')", "2022-09-05"}, {"to_monday('1970-01-02')", "1970-01-01"}, {"last_day('2000-02-03 10:00:00')", "2000-02-29"},
		{"days_add('2020-02-28', 2)", "2020-03-01"}, {"months_add('2020-01-31 02:02:02', 1)", "2020-02-29 02:02:02"}, {"years_sub('2020-02-29', 1)", "2019-02-28"},
		{"hours_add('2020-02-28', 25)", "2020-02-29 01:00:00"}, {"weeks_sub('2020-02-29', '1')", "2020-02-22"}, {"add_months('2020-01-31', 1)", "2020-02-29"},
		{"date_add('2010-11-30 23:59:59', INTERVAL 2 DAY)", "2010-12-02 23:59:59"}, {"date_sub('2010-11-30', INTERVAL '1' MONTH)", "2010-10-30"},
		{"date_add('2010-11-30', 3)", "2010-12-03"}, {"'2024-01-31' + INTERVAL 1 MONTH", "2024-02-29"}, {"INTERVAL 1 HOUR + '2024-01-31'", "2024-01-31 01:00:00"},
		{"date_add('9999-12-31', INTERVAL 1 DAY)", "NULL"}, {"date_sub('0000-01-01', 1)", "NULL"},
		{"datediff('2007-12-31 23:59:59', '2007-12-30')", "1"}, {"days_diff('2020-12-25 22:00:00', '2020-12-24 23:00:00')", "0"},
		{"hours_diff('2020-12-25 22:00:00', '2020-12-25 20:30:00')", "1"}, {"months_diff('2020-12-25', '2020-10-26')", "1"},
		{"timestampdiff(MONTH, '2003-02-01', '2003-05-01')", "3"}, {"timestampadd(MINUTE, 1, '2019-01-02')", "2019-01-02 00:01:00"},
		{"date_format('2009-10-04 22:23:00', '%Y-%m-%d %H:%i')", "2009-10-04 22:23"}, {"date_format('2009-10-04', 'yyyyMMdd')", "20091004"},
		{"str_to_date('2014-12-21 12:34:56', '%Y-%m-%d %H:%i:%s')", "2014-12-21 12:34:56"}, {"str_to_date('21.12.2014', '%d.%m.%Y')", "2014-12-21"},
		{"from_unixtime(1196440219)", "2007-11-30 16:30:19"}, {"from_unixtime(1196440219, 'yyyy-MM-dd')", "2007-11-30"},
		{"unix_timestamp('2007-11-30 10:30:19')", "1196418619"}, {"unix_timestamp('1969-12-31')", "0"},
		{"to_days('2007-10-07')", "733321"}, {"from_days(730669)", "2000-07-03"},
		{"year_floor('2023-07-13 22:28:18')", "2023-01-01 00:00:00"}, {"month_ceil('2023-07-13 22:28:18')", "2023-08-01 00:00:00"}, {"day_ceil('2023-07-13')", "2023-07-13"},
		{"EXTRACT(MONTH FROM '2022-09-22 17:01:30')", "9"}, {"DATE '2024-02-30'", "error"}, {"TIMESTAMP '2024-02-03 4:05'", "2024-02-03 04:05:00"},
		{"CAST('2024-02-03 04:05:06' AS DATE)", "2024-02-03"}, {"CAST('20240203' AS DATETIME)", "2024-02-03 00:00:00"}, {"CAST(20240203 AS DATE)", "2024-02-03"},
		{"CAST('12' AS BIGINT)", "12"}, {"CAST('x' AS INT)", "NULL"}, {"CAST(300 AS TINYINT)", "NULL"}, {"CAST(1.5 AS DECIMAL(9,2))", "1.50"}, {"CAST(date('2024-02-03') AS INT)", "20240203"},
		{"CAST(true AS INT)", "1"}, {"CAST(12 AS VARCHAR)", "12"}, {"CAST(date('2024-02-03') AS VARCHAR)", "2024-02-03"},
		{"1 + 2 * 3", "7"}, {"7 DIV 2", "3"}, {"7 / 2", "3.5"}, {"7 % 3", "1"}, {"-7 % 3", "-1"}, {"mod(7, 3)", "1"}, {"'5' + 1", "6"}, {"1.5 + 1", "2.5"}, {"9223372036854775807 + 1", "-9223372036854775808"},
		{"170141183460469231731687303715884105727", "170141183460469231731687303715884105727"}, {"0x1F", "31"}, {"1 + NULL", "NULL"}, {"NULL / 2.5", "NULL"}, {"date('2020-01-01') - NULL", "NULL"}, {"170141183460469231731687303715884105728 > 170141183460469231731687303715884105727", "true"}, {"1 < 340282366920938463463374607431768211456", "true"}, {"1e3", "1000"}, {"-1.50", "-1.50"},
		{"1 = 1.0 AND '2020-01-01' < date('2020-01-02')", "true"}, {"1 <=> NULL", "false"}, {"NULL <=> NULL", "true"}, {"1 XOR 1", "false"}, {"!(1 > 2) && TRUE", "true"}, {"0 || NULL", "NULL"},
		{"(1, '2020-01-02') = (1.0, date('2020-01-02'))", "true"}, {"'5' IN (1, 5)", "true"}, {"date('2020-01-01') = 20200101", "true"}, {"5 IN (1, NULL)", "NULL"},
		{"IF(1 > 2, 'a', 'b')", "b"}, {"ifnull(NULL, 3)", "3"}, {"nvl(NULL, NULL)", "NULL"}, {"nullif(1, 1)", "NULL"}, {"CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END", "b"}, {"coalesce(NULL, '2020-01-01') = date('2020-01-01')", "true"},
		{"concat('a', 1, date('2020-01-01'))", "a12020-01-01"}, {"concat('a', NULL)", "NULL"}, {"substr('Hello doris', 2, 3)", "ell"}, {"substring('abc1', -2)", "c1"}, {"substr('abc', 0)", ""},
		{"left('Hello', 2)", "He"}, {"strright('Hello', 2)", "lo"}, {"upper('aBc')", "ABC"}, {"lcase('aBc')", "abc"}, {"trim('  a ')", "a"}, {"length('北京')", "6"}, {"char_length('北京')", "2"}, {"instr('abc', 'b')", "2"},
		{"replace('abcabc', 'b', 'x')", "axcaxc"}, {"lpad('a', 3, 'x')", "xxa"}, {"starts_with('abc', 'ab')", "true"}, {"abs(-5)", "5"}, {"greatest(1, 3, 2)", "3"}, {"least(1, NULL)", "NULL"}, {"floor(1.5e0)", "1"},
		{"'abc' LIKE 'a%'", "true"}, {"'a_c' LIKE 'a\\\\_c'", "true"}, {"'abc' REGEXP '^a.c$'", "true"},
		{"rand() > 0", "?"}, {"nosuch(1)", "?"}, {"date_format('2020-01-01', '%v')", "?"}, {"convert_tz('2020-01-01', 'UTC', 'Asia/Shanghai')", "?"},
		{"convert_tz('2019-08-01 13:21:03', '+08:00', '-03:30')", "2019-08-01 01:51:03"}, {"convert_tz('2020-01-01', 'utc', '+14:00')", "2020-01-01 14:00:00"}, {"convert_tz('9999-12-31 23:00:00', 'GMT', '+01:00')", "NULL"}, {"convert_tz(NULL, 'a', 'b')", "NULL"},
		// MySQL's manual, WEEK and YEARWEEK
		{"week('2008-02-20')", "7"}, {"week('2008-02-20', 0)", "7"}, {"week('2008-02-20', 1)", "8"}, {"week('2008-12-31', 1)", "53"}, {"week('2000-01-01', 0)", "0"}, {"week('2000-01-01', 2)", "52"},
		{"week('2024-12-30', 3)", "1"}, {"week('2024-12-30', 4)", "53"}, {"week('2023-01-01', 5)", "0"}, {"week('2023-01-01', 6)", "1"}, {"week('2023-01-02', 7)", "1"}, {"week('2023-01-01', 7)", "52"}, {"week('2023-01-01', 8)", "?"},
		{"yearweek('1987-01-01')", "198652"}, {"yearweek('2000-01-01', 1)", "199952"}, {"yearweek('2024-12-30', 1)", "202501"},
		{"dayname('2007-02-03 00:00:00')", "Saturday"}, {"monthname('2008-02-03')", "February"}, {"makedate(2021, 60)", "2021-03-01"}, {"makedate(2020, 366)", "2020-12-31"}, {"makedate(2020, 0)", "NULL"},
		{"hour_floor('2023-07-13 22:28:18', 5)", "2023-07-13 18:00:00"}, {"week_floor('2023-07-13 22:28:18')", "2023-07-10 00:00:00"}, {"minute_ceil('2023-07-13 22:28:18', 5)", "2023-07-13 22:30:00"}, {"quarter_floor('2023-08-13')", "2023-07-01"},
		{"month_floor('2023-07-13 22:28:18', 5)", "2023-07-01 00:00:00"}, {"year_ceil('2023-07-13', 5)", "2026-01-01"}, {"day_floor('2023-07-13 10:00:00', 5, '2023-07-01 12:00:00')", "2023-07-11 12:00:00"}, {"day_floor('2023-07-13', '2023-07-01 12:00:00')", "2023-07-12 12:00:00"},
		{"month_floor('2023-07-13', 2, '2023-01-05')", "?"}, {"year_floor('0000-05-05')", "0000-01-01"}, {"year_ceil('9999-05-05')", "NULL"}, {"day_floor('2023-07-13', -1)", "?"}, {"date_floor('2023-07-13 22:28:18', INTERVAL 10 SECOND)", "2023-07-13 22:28:10"}, {"date_ceil('2023-07-13 22:28:18', INTERVAL 1 DAY)", "2023-07-14 00:00:00"},
		{"unix_timestamp('2007', '%Y')", "?"}, {"floor(1.55, 1)", "?"}, {"-(5)", "-5"}, {"-(-9223372036854775808)", "-9223372036854775808"}, {"~5", "-6"}, {"abs(-128)", "128"}, {"abs(-1.5e0)", "1.5"},
		{"CAST('abc' AS VARCHAR(2))", "?"}, {"CAST('abc' AS VARCHAR(3))", "abc"}, {"CAST(123 AS VARCHAR(2))", "?"}, {"CAST('a' AS CHAR(3))", "?"}, {"CAST('x' AS DATE)", "NULL"}, {"CAST('127.0.0.1' AS IPV4) = '127.0.0.1'", "true"},
		{"1.5e0 > 1.4", "true"}, {"CAST(0.1 AS DOUBLE) = 0.1", "true"}, {"CAST(3 AS LARGEINT) / 2", "1.5"}, {"'2020-01-01 12:00:00+08:00' = date('2020-01-01') + INTERVAL 4 HOUR", "true"}, {"'2020-01-01 00:30:00Z' > date('2020-01-01')", "true"},
		{"TIMESTAMP '0000-01-01 00:00:00+01:00'", "error"}, {"date('2020-01-01') = '2020-01-01 10:00:00+15:00'", "error"}, {"now() = '2024-05-01 12:30:45.1234567'", "?"},
		{"date('x') = 1", "?"}, {"1 = 'x'", "error"}, {"date('2020-01-01') > 'tomorrow'", "error"}, {"true = 'maybe'", "error"},
	} {
		src := ast.NewSource("q", "SELECT "+x[0])
		stmts, err := parser.Parse(src, dialect)
		if err != nil {
			t.Errorf("%s: %v", x[0], err)
			continue
		}
		var found ast.Diagnostics
		b := newBinder(dorisSemantics(), time.Date(2024, 5, 1, 12, 30, 45, 0, time.UTC), projection.DefaultLimits, &found)
		if got := foldedText(b.bind(stmts[0].(*ast.Select).Items[0].X, &scope{})); found.HasErrors() {
			if x[1] != "error" {
				t.Errorf("%s: %v", x[0], found)
			}
		} else if got != x[1] {
			t.Errorf("%s is %s, want %s", x[0], got, x[1])
		}
	}
}

func foldedText(x expr) string {
	c, ok := x.(*constant)
	if !ok {
		return "?"
	}
	v, known := c.v.known()
	switch {
	case c.v.isNull():
		return "NULL"
	case !known || c.t.shape != scalarShape:
		return "?"
	case c.t.isDate():
		return string(projection.AppendMoment(nil, c.t.scalar, v))
	}
	return string(c.t.scalar.Append(nil, v))
}
