package projection

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

var dateUnits = []datefmt.Unit{datefmt.Years, datefmt.Months, datefmt.Weeks, datefmt.Days, datefmt.Hours, datefmt.Minutes, datefmt.Seconds, datefmt.Milliseconds}

// stepped lists the instants by adding to the previous one, as the systems do; at most most of them.
func stepped(s DateSpec, most int) (out []int64) {
	at := time.UnixMicro(s.Min).UTC()
	for len(out) < most && at.UnixMicro() <= s.Max {
		out = append(out, at.UnixMicro())
		months := int(s.Interval)
		switch s.Unit {
		case datefmt.Years:
			months *= 12
			fallthrough
		case datefmt.Months:
			first := time.Date(at.Year(), at.Month()+time.Month(months), 1, at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
			at = first.AddDate(0, 0, min(first.AddDate(0, 1, -1).Day(), at.Day())-1)
		default:
			at = at.Add(time.Duration(s.Interval*s.Unit.Micros()) * time.Microsecond)
		}
	}
	return out
}

// drawSpec draws a date axis of up to about most steps, often at the ends of months and in leap years.
func drawSpec(t *rapid.T, most int) DateSpec {
	s := DateSpec{Unit: rapid.SampledFrom(dateUnits).Draw(t, "unit"), Interval: rapid.SampledFrom([]int64{1, 1, 1, 2, 3, 4, 5, 7, 12, 15, 30, 48}).Draw(t, "interval")}
	s.Min = datefmt.FromDays(rapid.Int64Range(0, 49_000).Draw(t, "day")).Micros()
	if rapid.Bool().Draw(t, "late") {
		days := []string{"2023-01-31", "2020-02-29", "2021-08-31", "2022-11-30", "2023-01-30", "2023-01-29", "1972-02-29", "2096-02-29", "2020-12-31", "2019-12-30"}
		s.Min, _, _ = datefmt.ParseISO(rapid.SampledFrom(days).Draw(t, "min"))
	}
	if rapid.IntRange(0, 2).Draw(t, "timed") == 0 {
		s.Min += rapid.Int64Range(0, day-1).Draw(t, "time of day")
	}
	n := rapid.Int64Range(0, int64(most)).Draw(t, "n") * s.Interval
	unit := s.Unit.Micros()
	switch s.Unit {
	case datefmt.Months:
		unit = 31 * day
	case datefmt.Years:
		unit = 366 * day
	}
	s.Max = min(s.Min+n*unit+rapid.Int64Range(0, unit).Draw(t, "over"), datefmt.Last)
	return s
}

var dateTypes = []pruning.Type{{Kind: pruning.Date}, {Kind: pruning.Datetime}, {Kind: pruning.Timestamp, Precision: 6}, {Kind: pruning.Timestamp, Precision: 3},
	{Kind: pruning.Timestamp, Precision: 9}, {Kind: pruning.Uint32}, {Kind: pruning.Int64}, {Kind: pruning.String}}

// withColumn adds a column and a format to a drawn spec.
func withColumn(t *rapid.T, s DateSpec) DateSpec {
	s.Type = rapid.SampledFrom(dateTypes).Draw(t, "type")
	s.Path = rapid.Bool().Draw(t, "path")
	s.Format = datefmt.Strftime(rapid.SampledFrom([]string{"%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d/%H", "%Y-%m", "%Y", "%d-%m-%y %H:%M:%S", "%H", "%m-%d", "%Y-%j",
		"%G-%V-%u", "%s", "%B %-d %Y", "%e %b %y", "x", "%Y%-m%-d", "%I%p %D", "%Y-%U", "%a %H:%M"}).Draw(t, "format"))
	return s
}

func TestDateSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t, 80)
		want := stepped(s, 1000)
		a := newSteps(s.Unit, s.Interval, s.Min, s.Max)
		if n := len(want); a.empty || a.last != uint64(n-1) {
			t.Fatalf("%+v: last %d, want %d", s, a.last, n-1)
		}
		for i, us := range want {
			if got := a.at(uint64(i)); got != us || a.civil(uint64(i)) != datefmt.FromMicros(us) {
				t.Fatalf("%+v: step %d is %v, want %v", s, i, time.UnixMicro(got).UTC(), time.UnixMicro(us).UTC())
			}
			for _, d := range []int64{-1, 0, 1, day, -day} {
				k, _ := slices.BinarySearch(want, us+d)
				if got := a.below(us + d); got != uint64(k) {
					t.Fatalf("%+v: %d steps below %v, want %d", s, got, time.UnixMicro(us+d).UTC(), k)
				}
			}
		}
	})
}

// Clamps that come late: 29 February every four years is lost in 2100, and never where 400 years pass.
func TestDateStepsFar(t *testing.T) {
	for _, s := range []DateSpec{
		{Unit: datefmt.Years, Interval: 4, Min: micros(t, "0004-02-29T00:00:00Z"), Max: AthenaNow.Last},
		{Unit: datefmt.Years, Interval: 400, Min: micros(t, "0400-02-29T05:00:00Z"), Max: AthenaNow.Last},
		{Unit: datefmt.Months, Interval: 13, Min: micros(t, "1600-03-31T05:00:00Z"), Max: AthenaNow.Last},
		{Unit: datefmt.Months, Interval: 2, Min: micros(t, "1970-01-31T00:00:00Z"), Max: AthenaNow.Last},
		{Unit: datefmt.Months, Interval: 6, Min: micros(t, "1970-02-01T00:00:00Z"), Max: AthenaNow.Last},
		{Unit: datefmt.Years, Interval: 3, Min: micros(t, "1970-01-31T00:00:00Z"), Max: AthenaNow.Last},
		{Unit: datefmt.Months, Interval: 100, Min: micros(t, "1601-01-30T00:00:00Z"), Max: AthenaNow.Last},
	} {
		want := stepped(s, 100_000)
		a := newSteps(s.Unit, s.Interval, s.Min, s.Max)
		if a.last+1 != uint64(len(want)) {
			t.Errorf("%+v: last %d, want %d", s, a.last, len(want)-1)
			continue
		}
		for i, us := range want {
			if a.at(uint64(i)) != us {
				t.Errorf("%+v: step %d is %v, want %v", s, i, time.UnixMicro(a.at(uint64(i))).UTC(), time.UnixMicro(us).UTC())
				break
			}
		}
	}
}

func TestDateEnds(t *testing.T) {
	for _, tt := range []struct {
		s    DateSpec
		last uint64
	}{
		{DateSpec{Unit: datefmt.Milliseconds, Max: datefmt.Last}, 4_291_747_199_999},
		{DateSpec{Unit: datefmt.Weeks, Interval: 1 << 62, Max: datefmt.Last}, 0},
		{DateSpec{Unit: datefmt.Years, Interval: 1 << 62, Max: datefmt.Last}, 0},
		{DateSpec{Unit: datefmt.Months, Interval: 1<<63 - 1, Max: datefmt.Last}, 0},
		{DateSpec{Unit: datefmt.Years, Interval: 4096, Min: micros(t, "2020-01-01T00:00:00Z"), Max: datefmt.Last}, 0},
		{DateSpec{Unit: datefmt.Days, Min: 5, Max: 5}, 0},
	} {
		tt.s.Format = datefmt.Strftime("%Y")
		a := NewDate(tt.s)
		if last, ok := a.Last(); !ok || last != tt.last {
			t.Errorf("%+v: last %d %v, want %d", tt.s, last, ok, tt.last)
		}
	}
	a := NewDate(DateSpec{Min: 1, Max: 0, Unit: datefmt.Days, Format: datefmt.Strftime("%Y"), Type: pruning.Type{Kind: pruning.Date}})
	if _, ok := a.Last(); ok {
		t.Error("an axis with min after max has branches")
	}
	s := pruning.NewSpace(keys(pruning.Type{Kind: pruning.Date}), 0)
	if runs, err := a.Runs(nil, s.Const(pruning.True)); err != nil || len(runs) != 0 {
		t.Errorf("an empty axis has runs %v, error %v", runs, err)
	}
	if ps, exact := a.Pieces(); ps != nil || exact || a.Shape() != (Shape{}) {
		t.Error("an empty axis has texts")
	}
}

func TestDateValues(t *testing.T) {
	at := micros(t, "2021-02-03T04:05:06.789Z")
	for _, tt := range []struct {
		typ  pruning.Type
		path bool
		want pruning.Value
	}{
		{dateTypes[0], false, pruning.Int(18661)},
		{dateTypes[1], false, pruning.Int(1612325106)},
		{dateTypes[2], false, pruning.Int(1612325106_789000)},
		{dateTypes[3], false, pruning.Int(1612325106_789)},
		{dateTypes[4], false, pruning.Int(1612325106_789000000)},
		{dateTypes[5], false, pruning.Uint(18661)},
		{dateTypes[6], false, pruning.Int(18661)},
		{dateTypes[7], false, pruning.Text("2021-02-03")},
		{dateTypes[7], true, pruning.Text("03.02.2021")},
	} {
		a := NewDate(DateSpec{Type: tt.typ, Path: tt.path, Format: datefmt.Strftime("%d.%m.%Y"), Unit: datefmt.Days, Min: at, Max: at})
		if v, null, ok := a.Value(0); v != tt.want || null || !ok {
			t.Errorf("%v: %v, want %v", tt.typ, v, tt.want)
		}
		if got := string(a.AppendName(nil, 0)); got != "03.02.2021" {
			t.Errorf("%v: text %q", tt.typ, got)
		}
	}
}

func TestDateRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := withColumn(t, drawSpec(t, 40))
		a := NewDate(s)
		other := NewInteger(1, pruning.Type{Kind: pruning.Int32}, 0, 3, 1, 0)
		space := pruning.NewSpace(keys(s.Type, other.typ), 0)
		checkRuns(t, a, drawDiagram(t, space, []Axis{a, other}, 3))
	})
}

// Too many texts to be sorted: single texts are still found, and the rest is read as a whole.
func TestDateTextsBeyondLimit(t *testing.T) {
	typ := pruning.Type{Kind: pruning.String}
	a := NewDate(DateSpec{Type: typ, Path: true, Format: datefmt.Strftime("%d.%m.%Y"), Unit: datefmt.Days, Max: 100 * day, Sorted: 50})
	s := pruning.NewSpace(keys(typ), 0)
	point := func(text string) pruning.Set { return pruning.Point(typ, pruning.Text(text)) }
	for _, tt := range []struct {
		set  pruning.Set
		want string
	}{
		{point("03.02.1970").Union(point("01.01.1970")), "0-0 T, 33-33 T"},
		{point("3.2.1970"), ""},
		{point("03.02.2970"), ""},
		{pruning.From(pruning.Text("03.02.1970")), "0-100 T|F|N"},
		{pruning.Full(), "0-100 T"},
		{pruning.Empty(), ""},
	} {
		runs, _ := a.Runs(nil, s.In(0, tt.set))
		got := ""
		for i, r := range runs {
			if i > 0 {
				got += ", "
			}
			got += fmt.Sprintf("%d-%d %v", r.First, r.Last, r.Rest)
		}
		if got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestDateAllocates(t *testing.T) {
	buf := make([]byte, 0, 64)
	for _, s := range []DateSpec{
		{Type: dateTypes[0], Unit: datefmt.Days, Format: datefmt.Strftime("%Y-%m-%d")},
		{Type: dateTypes[1], Unit: datefmt.Months, Format: datefmt.Strftime("%Y/%B/%j")},
		{Type: dateTypes[5], Unit: datefmt.Milliseconds, Format: datefmt.Strftime("%c")},
	} {
		s.Min, s.Max = micros(t, "2020-01-31T10:30:00Z"), datefmt.Last
		a := NewDate(s)
		i := uint64(0)
		n := testing.AllocsPerRun(200, func() {
			i++
			buf = a.AppendName(buf[:0], i)
			a.Value(i)
		})
		if n != 0 {
			t.Errorf("%q: %v allocations", s.Format, n)
		}
	}
}

func BenchmarkDateName(b *testing.B) {
	for _, s := range []DateSpec{
		{Unit: datefmt.Days, Format: datefmt.Strftime("%Y-%m-%d")},
		{Unit: datefmt.Months, Format: datefmt.Strftime("%Y-%m")},
		{Unit: datefmt.Hours, Format: datefmt.Strftime("%Y/%m/%d/%H")},
	} {
		s.Type, s.Max = dateTypes[0], datefmt.Last
		a := NewDate(s)
		b.Run(s.Unit.String(), func(b *testing.B) {
			buf := make([]byte, 0, 64)
			i := uint64(0)
			for b.Loop() {
				if i++; i > a.last {
					i = 0
				}
				buf = a.AppendName(buf[:0], i)
			}
		})
	}
}

func BenchmarkDateRuns(b *testing.B) {
	for _, typ := range []pruning.Type{dateTypes[0], dateTypes[7]} {
		for _, unit := range []datefmt.Unit{datefmt.Days, datefmt.Milliseconds, datefmt.Months} {
			a := NewDate(DateSpec{Type: typ, Unit: unit, Max: datefmt.Last, Format: datefmt.Strftime("%Y-%m-%d")})
			s := pruning.NewSpace(keys(typ), 0)
			lo, _ := typ.Parse("2021-02-03")
			hi, _ := typ.Parse("2022-02-03")
			d := s.In(0, pruning.Range(lo, hi))
			b.Run(fmt.Sprintf("%v/%v", typ, unit), func(b *testing.B) {
				var runs []Run
				for b.Loop() {
					runs, _ = a.Runs(runs[:0], d)
				}
			})
		}
	}
}

func BenchmarkDateNew(b *testing.B) {
	f := datefmt.Strftime("%Y-%m-%d")
	for b.Loop() {
		a := NewDate(DateSpec{Type: dateTypes[0], Unit: datefmt.Days, Max: datefmt.Last, Format: f})
		a.Twins()
		a.Shape()
	}
}

// The index of texts is built once, by whoever needs it first.
func TestDateIsShared(t *testing.T) {
	typ := pruning.Type{Kind: pruning.String}
	a := NewDate(DateSpec{Type: typ, Path: true, Format: datefmt.Strftime("%d.%m.%Y"), Unit: datefmt.Days, Max: 1000 * day})
	s := pruning.NewSpace(keys(typ), 0)
	d := s.In(0, pruning.From(pruning.Text("15")))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if runs, _ := a.Runs(nil, d); len(runs) != 33 {
				t.Errorf("%d runs", len(runs))
			}
			if i, ok := a.Find("03.02.1970"); i != 33 || !ok {
				t.Error(i, ok)
			}
		})
	}
	group.Wait()
}

func BenchmarkDatePaths(b *testing.B) {
	template, _ := ParseTemplate("logs/${k0}/")
	for _, s := range []DateSpec{
		{Unit: datefmt.Days, Format: datefmt.Strftime("%Y-%m-%d")},
		{Unit: datefmt.Hours, Format: datefmt.Strftime("%Y/%m/%d/%H")},
	} {
		s.Type, s.Max = dateTypes[0], datefmt.Last
		a := NewDate(s)
		l := &Layout{Keys: keys(s.Type), Levels: []Level{Fixed(0, a)}, Template: template}
		d := pruning.NewSpace(l.Keys, 0).Const(pruning.True)
		b.Run(s.Unit.String(), func(b *testing.B) {
			for b.Loop() {
				if err := WritePaths(context.Background(), io.Discard, l, d, Check{}, nil, nil, '\n'); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(a.last+1), "ns/path")
		})
	}
}
