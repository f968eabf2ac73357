package doris_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/doris"
)

// TestLoaded loads random rows into a table with AUTO PARTITION BY RANGE, in which a partition is declared that need not be
// aligned with the unit. Each row lies where date_trunc of its value puts it, and is read from there.
func TestLoaded(t *testing.T) {
	units := map[string]func(time.Time) time.Time{
		"hour":  func(x time.Time) time.Time { return x.Truncate(time.Hour) },
		"day":   func(x time.Time) time.Time { return x.Truncate(24 * time.Hour) },
		"week":  func(x time.Time) time.Time { return x.Truncate(24*time.Hour).AddDate(0, 0, -int(x.Weekday()+6)%7) },
		"month": func(x time.Time) time.Time { return time.Date(x.Year(), x.Month(), 1, 0, 0, 0, 0, time.UTC) },
		"quarter": func(x time.Time) time.Time {
			return time.Date(x.Year(), (x.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
		},
		"year": func(x time.Time) time.Time { return time.Date(x.Year(), 1, 1, 0, 0, 0, 0, time.UTC) },
	}
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]string{"hour", "day", "week", "month", "quarter", "year"}).Draw(t, "unit")
		moment := func(label string) time.Time {
			return time.Date(2019, 12, 20, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 100*96).Draw(t, label)) * 15 * time.Minute)
		}
		const form = "2006-01-02 15:04:05"
		lo := moment("lo")
		hi := lo.Add(time.Duration(rapid.IntRange(1, 2000).Draw(t, "hours")) * time.Hour)
		sql := fmt.Sprintf("CREATE TABLE t (d DATETIME NOT NULL, v INT) AUTO PARTITION BY RANGE (date_trunc(d, '%s')) (PARTITION p VALUES [('%s'), ('%s'))) DISTRIBUTED BY HASH(v) BUCKETS 1;\n",
			unit, lo.Format(form), hi.Format(form))
		s := planner.NewSession([]projection.System{doris.System{}}, planner.Options{System: "doris"})
		s.Run(t.Context(), "q", sql)
		read := func(text string) (out []string, ok bool) {
			sql += text
			plans, diags := s.Run(t.Context(), "q", text)
			if diags.HasErrors() {
				return nil, false
			}
			for u, err := range plans[0].Scans[0].Units(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				name, _, _, _ := plans[0].Scans[0].Table.Layout.Names(&u.Place)
				out = append(out, name)
			}
			return out, true
		}
		at := map[time.Time]string{}
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			row := moment("row")
			begin := units[unit](row)
			want := "p" + begin.Format("20060102150405")
			if !begin.Before(lo) && begin.Before(hi) {
				want = "p"
			}
			got, ok := read(fmt.Sprintf("INSERT INTO t VALUES (date_sub('%s', INTERVAL 1 DAY), 1);\n", row.AddDate(0, 0, 1).Format(form)))
			if !ok { // the declared partition is in the way of a new one
				continue
			}
			if at[row] = want; !slices.Equal(got, []string{want}) {
				t.Fatalf("%s\ngoes to %v, want %s", sql, got, want)
			}
		}
		from, to := moment("from"), moment("to")
		got, ok := read(fmt.Sprintf("SELECT * FROM t WHERE d BETWEEN '%s' AND '%s' OR date(d) = '%s';\n", from.Format(form), to.Format(form), from.Format(form[:10])))
		for row, p := range at {
			if hit := !row.Before(from) && !row.After(to) || row.Format(form[:10]) == from.Format(form[:10]); ok && hit && !slices.Contains(got, p) {
				t.Fatalf("%s\nreads %v, and %v is in %s", sql, got, row, p)
			}
		}
		if !ok {
			t.Fatal(sql)
		}
	})
}
