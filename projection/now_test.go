package projection

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/projection/datefmt"
	"pgregory.net/rapid"
)

func micros(t *testing.T, rfc string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, rfc)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMicro()
}

func TestNow(t *testing.T) {
	const mid, jan31, may31 = "2023-01-15T10:30:00Z", "2023-01-31T00:00:00Z", "2024-05-31T12:00:00Z"
	for _, tt := range []struct{ text, now, want string }{
		{"NOW", mid, mid},
		{"NOW", "2023-01-15T10:30:07.987654Z", "2023-01-15T10:30:07Z"},
		{"     NOW + 1 DAYS  ", mid, "2023-01-16T10:30:00Z"},
		{"\tNOW\n-\r1\vMONTHS\f", mid, "2022-12-15T10:30:00Z"},
		{"NOW+1MONTH", jan31, "2023-02-28T00:00:00Z"},
		{"NOW+30DAYS", jan31, "2023-03-02T00:00:00Z"},
		{"NOW-3MONTHS", may31, "2024-02-29T12:00:00Z"},
		{"NOW-90DAYS", may31, "2024-03-02T12:00:00Z"},
		{"NOW+4YEARS", "2024-02-29T06:00:00Z", "2028-02-29T06:00:00Z"},
		{"NOW+1YEAR", "2024-02-29T06:00:00Z", "2025-02-28T06:00:00Z"},
		{"NOW-007DAYS", mid, "2023-01-08T10:30:00Z"},
		{"NOW-53YEARS", mid, "1970-01-15T10:30:00Z"},
		{"NOW-2HOURS", mid, "2023-01-15T08:30:00Z"},
		{"NOW-1WEEK", mid, "2023-01-08T10:30:00Z"},
		{"NOW-1MINUTE", mid, "2023-01-15T10:29:00Z"},
		{"NOW+61SECONDS", mid, "2023-01-15T10:31:01Z"},
		{"NOW-0DAYS", mid, mid},
		{"NOW+11MONTHS", "2105-01-31T23:59:59Z", "2105-12-31T23:59:59Z"},
	} {
		us, bad := DateBound(tt.text, micros(t, tt.now))
		if bad != nil {
			t.Errorf("%q: %v", tt.text, bad)
		} else if us != micros(t, tt.want) {
			t.Errorf("%q at %s: %v, want %s", tt.text, tt.now, time.UnixMicro(us).UTC(), tt.want)
		}
	}
}

func TestNowRefuses(t *testing.T) {
	for _, tt := range []struct {
		text     string
		pos, end int
		msg      string
	}{
		{"now-3DAYS", 0, 3, "capitals"},
		{" Now", 1, 4, "capitals"},
		{"NOW-3", 5, 5, "the unit is missing"},
		{"NOW-DAYS", 4, 8, "the amount is missing"},
		{"NOW-", 4, 4, "the amount is missing"},
		{"NOW*2DAYS", 3, 4, "only + and -"},
		{"NOW-3days", 5, 9, "capitals"},
		{"NOW-3FORTNIGHTS", 5, 15, "no unit"},
		{"NOW-500MILLISECONDS", 7, 19, `"MILLISECONDS" is no unit of NOW`},
		{"NOW--3DAYS", 4, 5, "single sign"},
		{"NOW 3DAYS", 4, 9, "sign is missing"},
		{"NOWADAYS", 3, 8, "sign is missing"},
		{"NOW-5MINUTES+6SECONDS", 12, 21, "one operation"},
		{"NOW-1.5DAYS", 4, 11, "whole number"},
		{"NOW-3DAYSX", 5, 10, "no unit"},
		{"NOW-99999999999999999999DAYS", 4, 24, "too large"},
		{"NOW-100YEARS", 0, 12, "before the first date 1970-01-01"},
		{"NOW-20000DAYS", 0, 13, "before the first date"},
		{"NOW+40000DAYS", 0, 13, "after the last date 2105-12-31"},
		{"NOW+1000MONTHS", 0, 14, "after the last date"},
		{"NOW+4096YEARS", 0, 13, "after the last date"},
		{"NOW-2000000000SECONDS", 0, 21, "before the first date"},
		{"NOW+5000WEEKS", 0, 13, "after the last date"},
		{"NOW+9223372036854775807SECONDS", 0, 30, "after the last date"},
		{"NOW-9223372036854775807YEARS", 0, 28, "before the first date"},
	} {
		us, bad := DateBound(tt.text, micros(t, "2023-01-15T10:30:00Z"))
		if bad == nil {
			t.Errorf("%q is accepted as %v", tt.text, time.UnixMicro(us).UTC())
		} else if int(bad.Pos) != tt.pos || int(bad.End) != tt.end || !strings.Contains(bad.Msg, tt.msg) || bad.Hint == "" {
			t.Errorf("%q: %d-%d %q, hint %q", tt.text, bad.Pos, bad.End, bad.Msg, bad.Hint)
		}
	}
	_, bad := DateBound("NOW-5MILLISECONDS", 0)
	if bad.Hint != "the units are YEARS, MONTHS, WEEKS, DAYS, HOURS, MINUTES, SECONDS" {
		t.Errorf("hint %q", bad.Hint)
	}
	_, bad = DateBound("today", 0)
	if bad.Hint != "write YYYY-MM-DD, for example 2021-02-03, or NOW" {
		t.Errorf("hint %q", bad.Hint)
	}
}

// Steps of fixed length and along the calendar against package time.
func TestNowAgainstTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(rapid.Int64Range(0, 4_291_747_199).Draw(t, "now"), 0).UTC()
		n := rapid.IntRange(-100, 100).Draw(t, "n")
		unit := rapid.SampledFrom(nowUnits).Draw(t, "unit")
		text := "NOW+"
		if n < 0 {
			text = "NOW-"
		}
		text += strconv.Itoa(max(n, -n)) + unit.String()
		want := now.Add(time.Duration(unit.Micros()*int64(n)) * time.Microsecond)
		if unit == datefmt.Months || unit == datefmt.Years {
			months := n
			if unit == datefmt.Years {
				months *= 12
			}
			first := time.Date(now.Year(), now.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
			last := first.AddDate(0, 1, -1).Day()
			want = first.AddDate(0, 0, min(last, now.Day())-1).Add(now.Sub(now.Truncate(24 * time.Hour)))
		}
		got, bad := AthenaNow.Parse(text, now.UnixMicro())
		if bad != nil || got != want.UnixMicro() {
			t.Fatalf("%s at %v: %v %v, want %v", text, now, time.UnixMicro(got).UTC(), bad, want)
		}
	})
}

func FuzzDateBound(f *testing.F) {
	for _, s := range []string{"NOW", " NOW - 3 DAYS", "now", "NOW+1MILLISECONDS", "2021-01-01", "NOW-\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		us, bad := DateBound(s, 1_673_778_600_000_000)
		if bad == nil && (us < datefmt.First || us > datefmt.Last) {
			t.Fatalf("%q: %d", s, us)
		}
		if bad != nil && (bad.Pos < 0 || bad.End < bad.Pos || int(bad.End) > len(s) || bad.Msg == "" || bad.Hint == "") {
			t.Fatalf("%q: %d-%d %q %q", s, bad.Pos, bad.End, bad.Msg, bad.Hint)
		}
	})
}
