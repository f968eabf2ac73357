package datefmt

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseISO(t *testing.T) {
	for text, want := range map[string]string{
		"1970-01-01":                     "1970-01-01T00:00:00Z",
		"2105-12-31":                     "2105-12-31T00:00:00Z",
		"2105-12-31T23:59:59.999999":     "2105-12-31T23:59:59.999999Z",
		"20210105":                       "2021-01-05T00:00:00Z",
		"2020-02-29":                     "2020-02-29T00:00:00Z",
		"2021-05-01T05:00:00":            "2021-05-01T05:00:00Z",
		"2021-05-01T01:00":               "2021-05-01T01:00:00Z",
		"2021-05-01 01:02:03.5":          "2021-05-01T01:02:03.5Z",
		"2021-05-01t010203,25z":          "2021-05-01T01:02:03.25Z",
		"20210501T0102":                  "2021-05-01T01:02:00Z",
		"2021-05-01T01:02:03.1234567891": "2021-05-01T01:02:03.123456Z",
		"2021-05-01T01:02:03Z":           "2021-05-01T01:02:03Z",
		"2021-05-01T01:02:03+03:00":      "2021-04-30T22:02:03Z",
		"2021-05-01T01:02-0330":          "2021-05-01T04:32:00Z",
		"2021-05-01T01:02+03":            "2021-04-30T22:02:00Z",
	} {
		us, timed, bad := ParseISO(text)
		if bad != nil {
			t.Errorf("%q: %v", text, bad)
			continue
		}
		if got := time.UnixMicro(us).UTC().Format(time.RFC3339Nano); got != want || timed != (len(text) > 10) {
			t.Errorf("%q: %s, time: %v", text, got, timed)
		}
	}
}

func TestParseISORefuses(t *testing.T) {
	for _, tt := range []struct {
		text     string
		pos, end int
		msg      string
	}{
		{"", 0, 0, "is empty"},
		{" 2021-01-01", 0, 11, "blanks"},
		{"1980-1-1", 5, 6, "the month needs 2 digits"},
		{"1980-01-1", 8, 9, "the day needs 2 digits"},
		{"1980-001-01", 5, 8, "the month needs 2 digits"},
		{"201701", 0, 6, "8 digits, not 6"},
		{"2017", 0, 4, "8 digits, not 4"},
		{"2017-01", 7, 7, "the day is missing"},
		{"01.02.2021", 0, 10, "order year, month, day"},
		{"1-02-2021", 0, 9, "order year, month, day"},
		{"2021/02/03", 0, 10, "order year, month, day"},
		{"today", 0, 5, "order year, month, day"},
		{"2021-02-30", 8, 10, "not a real day: February 2021 has 28 days"},
		{"2021-13-01", 5, 7, "month 13 doesn't exist"},
		{"2021-00-01", 5, 7, "month 00 doesn't exist"},
		{"2021-01-32", 8, 10, "day 32 doesn't exist"},
		{"20210229", 6, 8, "not a real day"},
		{"2021-01-01x", 10, 11, "only a time can follow"},
		{"2021-01-01T", 11, 11, "the hour needs 2 digits"},
		{"2021-01-01T24:00", 11, 13, "hour 24 doesn't exist"},
		{"2021-01-01T05", 13, 13, "the minute needs 2 digits"},
		{"2021-01-01T05:60", 14, 16, "minute 60"},
		{"2021-01-01T05:06:07.", 19, 20, "fraction"},
		{"2021-01-01T05:06 ", 0, 17, "blanks"},
		{"2021-01-01T05:06:07+25", 20, 22, "hour 25"},
		{"2021-01-01T05:06Zx", 17, 18, "nothing can follow"},
		{"1900-01-01", 0, 10, "before the first date 1970-01-01"},
		{"1970-01-01T00:00+01:00", 0, 22, "before the first date 1970-01-01"},
		{"2200-06-01", 0, 10, "after the last date 2105-12-31"},
		{"2106-01-01", 0, 10, "after the last date 2105-12-31"},
	} {
		us, _, bad := ParseISO(tt.text)
		if bad == nil {
			t.Errorf("%q is accepted as %v", tt.text, goTime(us))
		} else if int(bad.Pos) != tt.pos || int(bad.End) != tt.end || !strings.Contains(bad.Msg, tt.msg) || bad.Hint == "" {
			t.Errorf("%q: %d-%d %q, hint %q", tt.text, bad.Pos, bad.End, bad.Msg, bad.Hint)
		}
	}
	if _, _, bad := ParseISO("1980-1-1"); bad.Hint != "write 1980-01-01" {
		t.Errorf("hint %q", bad.Hint)
	}
}

func TestParseISOReadsWhatTimeWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		us := instants.Draw(t, "us")
		layout := rapid.SampledFrom([]string{"2006-01-02T15:04:05.000000", "20060102 150405.000000Z", time.RFC3339Nano}).Draw(t, "layout")
		zone := time.FixedZone("", rapid.IntRange(-23*60, 23*60).Draw(t, "offset")*60)
		at := goTime(us)
		if layout == time.RFC3339Nano {
			at = at.In(zone)
		}
		got, timed, bad := ParseISO(at.Format(layout))
		if bad != nil || !timed || got != us {
			t.Fatalf("%s: %d %v, want %d", at.Format(layout), got, bad, us)
		}
	})
}

func FuzzParseISO(f *testing.F) {
	for _, s := range []string{"2021-01-01", "20210101T010203.4+05:00", "1980-1-1", "", "2021-01-01T"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		us, _, bad := ParseISO(s)
		if bad == nil && (us < First || us > Last) {
			t.Fatalf("%q: %d", s, us)
		}
		if bad != nil && (bad.Pos < 0 || bad.End < bad.Pos || int(bad.End) > len(s) || bad.Msg == "" || bad.Hint == "") {
			t.Fatalf("%q: %d-%d %q %q", s, bad.Pos, bad.End, bad.Msg, bad.Hint)
		}
	})
}

func TestParseDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.Int64Range(-719528, 2932896).Draw(t, "days") // years 0 to 9999
		text := string(FromDays(days).AppendDay(nil))
		if got, ok := ParseDay(text); !ok || got != days {
			t.Fatalf("%q: %d %v, want %d", text, got, ok, days)
		}
	})
	for _, s := range []string{"", "2021-02-29", "2021-13-01", "2021-00-01", "2021-01-00", "2021/01/01", "2021-01-1", "2021-01-01 ", "2021-0a-01", "+021-01-01"} {
		if days, ok := ParseDay(s); ok {
			t.Errorf("%q is day %d", s, days)
		}
	}
}
