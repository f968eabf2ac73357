package projection

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// advances counts the texts of an axis, up to most, that are made from those before them: from the next one before, which is what
// is counted, and from some farther away. Each must be the branch's own; else nothing is changed.
func advances(t tester, a Axis, most uint64) (n int) {
	last, ok := a.Last()
	for i := uint64(0); ok && i <= min(last, most); i++ {
		before := string(a.AppendName(nil, i))
		for _, d := range []uint64{1, 0, 2, 3, 5, 8, 9, 10, 27, 60, 256, 1 << 62} {
			if d > last-i {
				continue
			}
			text, want := []byte(before), string(a.AppendName(nil, i+d))
			if !a.(advancer).advance(text, i, i+d) {
				want = before
			} else if d == 1 {
				n++
			}
			if string(text) != want {
				t.Fatalf("text %d: %q became %q, want %q", i+d, before, text, want)
			}
		}
	}
	return n
}

func TestAdvance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		advances(t, NewDate(withColumn(t, drawSpec(t, 200))), 200)
		min := rapid.Int64Range(-300, 300).Draw(t, "min")
		advances(t, ints(0, min, min+500, rapid.Uint64Range(1, 12).Draw(t, "step"), rapid.IntRange(0, 5).Draw(t, "width")), 200)
	})
	advances(t, ints(0, -1<<63, -1<<63+100, 1, 0), 100)
	advances(t, ints(0, 1<<63-100, 1<<63-1, 3, 0), 100)
	for _, c := range []struct {
		axis  Axis
		least int // of 1000
	}{
		{ints(0, 0, 9999, 1, 0), 995},
		{ints(0, 100, 9999, 7, 4), 1000},
		{date(datefmt.Days, "%Y-%m-%d", "2020-01-01T00:00:00Z"), 880},
		{date(datefmt.Months, "year=%Y/month=%m", "0001-01-01T00:00:00Z"), 910},
		{date(datefmt.Hours, "%Y/%m/%d/%H", "2020-01-01T05:30:00Z"), 950},
		{date(datefmt.Minutes, "%H:%M", "2020-01-01T05:30:00Z"), 980},
		{date(datefmt.Seconds, "%S.%M", "2020-01-01T05:30:00Z"), 980},
	} {
		if n := advances(t, c.axis, 1000); n < c.least {
			t.Errorf("%v: %d texts of 1000 are made from those before them, want %d", c.axis, n, c.least)
		}
	}
	for _, c := range []struct {
		unit          datefmt.Unit
		format, first string
	}{
		{datefmt.Days, "%Y-%m", "2020-01-01T00:00:00Z"},        // many days have one text
		{datefmt.Days, "%d/%d", "2020-01-01T00:00:00Z"},        // two places
		{datefmt.Days, "%-d", "2020-01-01T00:00:00Z"},          // of one digit or two
		{datefmt.Days, "%a %d", "2020-01-01T00:00:00Z"},        // the weekday changes, too
		{datefmt.Months, "%Y-%m-%d", "2020-01-31T00:00:00Z"},   // and so does the day
		{datefmt.Hours, "%Y-%m-%d", "2020-01-01T00:00:00Z"},    // many hours have one text
		{datefmt.Weeks, "%Y-%m-%d", "2020-01-01T00:00:00Z"},    // seven more
		{datefmt.Days, "plain", "2020-01-01T00:00:00Z"},        // no date at all
		{datefmt.Years, "%Y-%m-%d %H", "2020-01-01T00:00:00Z"}, // four digits
	} {
		if n := advances(t, date(c.unit, c.format, c.first), 1000); n > 0 {
			t.Errorf("%s by %v: %d texts are made from those before them", c.format, c.unit, n)
		}
	}
}

func date(u datefmt.Unit, format, first string) *Date {
	from, _, _ := datefmt.ParseISO(first)
	return NewDate(DateSpec{Type: pruning.Type{Kind: pruning.Datetime}, Format: datefmt.Strftime(format), Unit: u, Interval: 1, Min: from, Max: datefmt.Last})
}
