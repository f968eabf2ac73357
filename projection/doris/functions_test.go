package doris_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/doris"
)

// conditions of d, a DATE or DATETIME; # is a constant of the same kind, % a number.
var dateConditions = []string{
	"date(d) = '#day'", "date(d) <> '#day'", "to_date(d) IN ('#day', '2020-02-29')", "CAST(d AS DATE) > '#day'", "date_trunc(d, 'month') = '#'",
	"date_trunc('week', d) <= '#'", "date_trunc(d, 'quarter') < '#'", "year(d) = 2020", "year(d) * 100 + month(d) = 202002", "month(d) < 3", "month(d) = 2 AND day(d) = 29",
	"day(d) > 30", "dayofweek(d) = 1", "weekofyear(d) = 53", "quarter(d) <> 1", "dayofyear(d) = 366", "to_monday(d) = '2020-03-02'", "last_day(d) = '2020-02-29'",
	"days_add(d, 1) < '#'", "months_add(d, 1) >= '#'", "years_sub(d, 1) = '#'", "d + INTERVAL 1 MONTH > '#'", "date_sub(d, INTERVAL 36 HOUR) < '#'", "hours_add(d, 5) <= '#'",
	"datediff(d, '#') > 10", "days_diff('#', d) = 3", "months_diff(d, '#') = 1", "timestampdiff(WEEK, '#', d) < 2", "date_format(d, '%Y-%m') = '2020-02'", "date_format(d, '%m-%d') < '02-10'",
	"unix_timestamp(d) >= unix_timestamp('#')", "to_days(d) BETWEEN to_days('2020-02-01') AND to_days('#')", "month_ceil(d) = '2020-03-01'", "week_floor(d) < '#'",
	"d > '#' AND NOT (month(d) = 3)", "d = '#' OR hour(d) = 10", "CAST(d AS BIGINT) > 20200215", "CAST(d AS VARCHAR) LIKE '2020-02%'", "concat(d, '') < '2020-02-1'",
	"IF(d < '#', month(d), 0) = 2", "d BETWEEN '2020-02-10 05:00:00' AND '#'", "d <=> '#'", "last_day(d) = date(d)", "d LIKE '2020-02-1%'", "d NOT LIKE '2020%'", "date_trunc(d, 'day') = d", "ifnull(d, '#') = '#'",
	"week(d) = 5", "week(d, 3) < 7", "yearweek(d, 1) >= 202008", "yearweek(d) = yearweek('#')", "dayname(d) = 'Friday'", "monthname(d) <> 'February'", "convert_tz(d, '+00:00', '-03:30') < '#'",
	"convert_tz(d, 'UTC', 'Asia/Tokyo') >= '2020-02-17'", "hour_floor(d, 7) = '2020-02-16 23:00:00'", "week_ceil(d, 2) >= '#'", "month_floor(d, 2) = '2020-01-01'", "day_floor(d, 3, '2020-01-25 10:00:00') <= '#'",
	"date_floor(d, INTERVAL 12 HOUR) = '#'", "date_ceil(d, INTERVAL 1 MONTH) > '2020-02-01'", "CAST(d AS DECIMAL(20, 1)) > 20200216", "CAST(year(d) AS LARGEINT) * 2 = 4040", "day(d) / 2 < 5.5", "month(d) + 0.5 = 2.5", "-day(d) > -10", "~month(d) = -3",
	"CAST(d AS VARCHAR(10)) = '#day'", "CAST(d AS VARCHAR(7)) < '2020-02'", "makedate(year(d), 46) = date(d)", "d = CAST('x' AS DATETIME) OR d > '#'", "d < '2020-02-17 00:00:00+08:00'",
}

// TestDates: a row whose date makes a condition TRUE, when it stands there as a constant, lies in a partition of the plan.
func TestDates(t *testing.T) {
	run := func(t *rapid.T, sql string) *planner.Scan {
		s := planner.NewSession([]projection.System{doris.System{}}, planner.Options{System: "doris", Now: time.Unix(1.6e9, 0)})
		plans, diags := s.Run(t.Context(), "q.sql", sql)
		if diags.HasErrors() || len(plans) != 1 {
			t.Fatalf("%s\n%v", sql, diags)
		}
		return plans[0].Scans[0]
	}
	names := func(t *rapid.T, s *planner.Scan) map[string]bool {
		out := map[string]bool{}
		for u, err := range s.Units(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			name, _, _, _ := s.Table.Layout.Names(&u.Place)
			out[name] = true
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"DATE", "DATETIME", "DATETIME(3)"}).Draw(t, "type")
		moment := func(label string) string {
			at := time.Date(2020, 1, 20, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 60).Draw(t, label))
			if kind == "DATE" {
				return at.Format("2006-01-02")
			}
			at = at.Add(rapid.SampledFrom([]time.Duration{0, 10 * time.Hour, 24*time.Hour - time.Second}).Draw(t, "time"))
			return at.Format("2006-01-02 15:04:05")
		}
		constant := moment("constant")
		where := rapid.SampledFrom(dateConditions).Draw(t, "condition")
		where = strings.ReplaceAll(strings.ReplaceAll(where, "#day", constant[:10]), "#", constant)
		if rapid.Bool().Draw(t, "not") {
			where = "NOT (" + where + ")"
		}
		null := rapid.SampledFrom([]string{"", " NOT NULL"}).Draw(t, "null")
		table := fmt.Sprintf("CREATE TABLE t (d %s%s, v INT) PARTITION BY RANGE(d) (PARTITION first VALUES LESS THAN ('2020-01-25'), "+
			"PARTITION p1 VALUES LESS THAN ('2020-02-01'), PARTITION p2 VALUES LESS THAN ('2020-02-17'), PARTITION p3 VALUES [('2020-02-20'), ('2020-02-29')), "+
			"PARTITION p4 VALUES LESS THAN ('2020-03-01'), PARTITION p5 VALUES LESS THAN ('2020-03-09'), PARTITION last VALUES LESS THAN MAXVALUE) DISTRIBUTED BY HASH(v) BUCKETS 1;\n", kind, null)
		read := names(t, run(t, table+"SELECT * FROM t WHERE "+where))
		for range 5 {
			row := moment("row")
			in := names(t, run(t, table+"SELECT * FROM t WHERE d = '"+row+"'"))
			known := fmt.Sprintf("CAST('%s' AS %s)", row, kind)
			words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", ",", " , ").Replace(where))
			for i, w := range words {
				if w == "d" {
					words[i] = known
				}
			}
			fixed := strings.NewReplacer(" ( ", "(", " )", ")").Replace(strings.Join(words, " "))
			holds := len(names(t, run(t, table+"SELECT * FROM t WHERE "+fixed))) > 0
			for p := range in {
				if holds && !read[p] {
					t.Fatalf("%s: %s holds for %s, which is in %s of %v", kind, where, row, p, read)
				}
			}
		}
	})
}
