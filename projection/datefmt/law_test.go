package datefmt

import (
	"testing"

	"pgregory.net/rapid"
)

// patterns are random formats of both languages, mostly sensible ones.
func patterns() *rapid.Generator[*Format] {
	c := rapid.SampledFrom([]string{"%Y", "%m", "%d", "%H", "%M", "%S", "%y", "%C", "%j", "%e", "%b", "%B", "%a", "%A", "%p", "%I", "%U", "%W", "%V",
		"%G", "%u", "%w", "%s", "%-d", "%-m", "%g", "%k", "%l", "-", "/", "x", " ", "1", "%F", "%T", "%D", "%P", "%^B", "%_d"})
	java := rapid.SampledFrom([]string{"yyyy", "yy", "y", "M", "MM", "MMM", "MMMM", "d", "dd", "DDD", "D", "DD", "H", "HH", "hh", "h", "a", "k", "KK", "mm", "m",
		"ss", "s", "SSS", "SSSSSS", "S", "SSSSSSSSS", "EEE", "EEEE", "-", "/", " ", "1", "X"})
	sensible := rapid.SampledFrom([]string{"%Y-%m-%d", "%Y%m%d%H", "%Y-%j", "%G-W%V", "%G%V%u", "%Y-%U", "%Y/%W/%w", "%d.%m.%Y", "%m-%d", "%y%m",
		"%H:%M", "%I:%M %p", "%C%y-%m-%d", "%s", "%b %Y", "%Y %B %e", "%M", "%d", "%a %H", "%Y-%m %a", "%H %Y"})
	return rapid.Custom(func(t *rapid.T) *Format {
		switch rapid.IntRange(0, 2).Draw(t, "language") {
		case 0:
			return Strftime(sensible.Draw(t, "pattern"))
		case 1:
			return Strftime(join(rapid.SliceOfN(c, 0, 6).Draw(t, "parts")))
		}
		var parts []string
		for _, p := range rapid.SliceOfN(java, 0, 7).Draw(t, "parts") {
			if n := len(parts); n == 0 || parts[n-1][0] != p[0] {
				parts = append(parts, p)
			}
		}
		f, bad := Java(join(parts))
		if bad != nil {
			t.Fatalf("%q: %v", join(parts), bad)
		}
		return f
	})
}

func join(parts []string) string {
	s := ""
	for _, p := range parts {
		s += p
	}
	return s
}

// near is an instant related to us in one of the ways in which texts come round again.
func near(t *rapid.T, us int64, label string) int64 {
	by := rapid.SampledFrom([]int64{1, 1000, perSecond, perMinute, perHour, perDay / 2, perDay, 7 * perDay, 28 * perDay, 30 * perDay, 31 * perDay,
		365 * perDay, 366 * perDay, 36524 * perDay, 36525 * perDay}).Draw(t, label+" unit")
	us += by*rapid.Int64Range(-3, 3).Draw(t, label) + rapid.SampledFrom([]int64{0, 0, 1, -1}).Draw(t, label+" more")
	return max(0, min(us, 4291747199_999999))
}

func text(f *Format, us int64) string { return string(f.Append(nil, FromMicros(us))) }

func TestParseInvertsAppend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, us := patterns().Draw(t, "format"), instants.Draw(t, "us")
		at := FromMicros(us)
		c, ok := f.Parse(text(f, us))
		u, exact := f.unit(nil)
		if y := int(at.Year) - f.Base(); f.Lacks() == "" && u <= Centuries && y >= 0 && y < 100 { // two-digit years
			u, exact = f.unit(&span{Civil{Year: f.base, Month: 1, Day: 1},
				Civil{Year: f.base + 99, Month: 12, Day: 31, Clock: perDay - 1}})
		}
		if !ok {
			if f.Lacks() == "" && exact && u != NoUnit && u != Centuries {
				t.Fatalf("%q: can't parse %q", f, text(f, us))
			}
			return
		}
		if got := text(f, c.Micros()); got != text(f, us) {
			t.Fatalf("%q: %q is parsed as %+v, which is %q", f, text(f, us), c, got)
		}
		if exact && u.Ordinal(c) != u.Ordinal(at) {
			t.Fatalf("%q: %q is parsed as %+v, not in the %v of %+v", f, text(f, us), c, u, at)
		}
		if exact && c.Micros() > 0 && u.Ordinal(FromMicros(c.Micros()-1)) == u.Ordinal(c) {
			t.Fatalf("%q: %q is parsed as %+v, not the first of its %v", f, text(f, us), c, u)
		}
	})
}

func TestParse(t *testing.T) {
	java := func(pattern string) *Format {
		f, bad := Java(pattern)
		if bad != nil {
			t.Fatal(bad)
		}
		return f
	}
	for _, tt := range []struct {
		f          *Format
		text, want string
	}{
		{java("yyyyMMddkk"), "2021020324", "2021-02-03 00:00:00"},
		{java("yyyyMMddkk"), "2021020301", "2021-02-03 01:00:00"},
		{java("y-M-d h:m:s a"), "2021-2-3 12:5:6 PM", "2021-02-03 12:05:06"},
		{java("y-M-d h:m:s a"), "2021-12-31 12:5:6 AM", "2021-12-31 00:05:06"},
		{java("yyMMdd KK a"), "990203 00 PM", "2099-02-03 12:00:00"},
		{java("yyyyMMdd"), "20210203", "2021-02-03 00:00:00"},
		{java("yyyyMdd"), "20211203", "2021-12-03 00:00:00"},
		{java("yyyyMdd"), "2021203", "2021-02-03 00:00:00"},
		{java("D/yyyy"), "366/2020", "2020-12-31 00:00:00"},
		{java("MMMM d, yyyy"), "February 3, 2021", "2021-02-03 00:00:00"},
		{Strftime("%y%m"), "6901", "1969-01-01 00:00:00"},
		{Strftime("%y%m"), "6801", "2068-01-01 00:00:00"},
		{Strftime("%C%y"), "2021", "2021-01-01 00:00:00"},
		{Strftime("%G-W%V"), "2020-W53", "2020-12-28 00:00:00"},
		{Strftime("%G-W%V-%u"), "2020-W53-7", "2021-01-03 00:00:00"},
		{Strftime("%G %V %A"), "2021 01 Monday", "2021-01-04 00:00:00"},
		{Strftime("%Y %W %w"), "2021 00 0", "2021-01-03 00:00:00"},
		{Strftime("%Y %U %w"), "2021 01 0", "2021-01-03 00:00:00"},
		{Strftime("%Y %W %a"), "2018 01 Mon", "2018-01-01 00:00:00"},
		{Strftime("%Y %U %u"), "2017 01 7", "2017-01-01 00:00:00"},
		{Strftime("%^b %e %Y"), "FEB  3 2021", "2021-02-03 00:00:00"},
		{Strftime("%F %l%P"), "2021-02-03  4pm", "2021-02-03 16:00:00"},
		{Strftime("%s"), "1612325106", "2021-02-03 04:05:06"},
	} {
		c, ok := tt.f.Parse(tt.text)
		if got := text(Strftime("%F %T"), c.Micros()); !ok || got != tt.want {
			t.Errorf("%q reads %q as %s %v, want %s", tt.f, tt.text, got, ok, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ pattern, text string }{
		{"%Y-%m-%d", "2021-2-03"}, {"%Y-%m-%d", "2021-02-30"}, {"%Y-%m-%d", "2021-13-01"}, {"%Y-%m-%d", "2021-00-01"}, {"%Y-%m-%d", "2021-01-00"},
		{"%Y-%m-%d", "2021-02-03 "}, {"%Y-%m-%d", " 2021-02-03"}, {"%Y-%m-%d", ""}, {"%Y-%m-%d", "2021-02-0a"}, {"%m-%d", "02-03"}, {"%Y %e", "2021 03"},
		{"%Y-%j", "2021-366"}, {"%Y-%j", "2021-000"}, {"%H", "05"}, {"%Y %I", "2021 05"}, {"%Y %H", "2021 24"}, {"%Y-%m-%d %Y", "2021-02-03 2022"},
		{"%Y %B", "2021 february"}, {"%G-%V", "2021-53"}, {"%F %a", "2021-02-03 Thu"}, {"%s", "99999999999999999"}, {"%Y%-m%-d", "2021111"},
		{"%Y %H:%M", "2021 10:60"},
	} {
		if c, ok := Strftime(tt.pattern).Parse(tt.text); ok {
			t.Errorf("%q accepts %q as %+v", tt.pattern, tt.text, c)
		}
	}
}

func TestParseClamped(t *testing.T) {
	f, _ := Java("yyyy-MM-dd")
	c, clamped, ok := f.ParseClamped("2021-02-30")
	if !ok || !clamped || text(f, c.Micros()) != "2021-02-28" {
		t.Errorf("%+v %v %v", c, clamped, ok)
	}
	if _, _, ok := f.ParseClamped("2021-02-32"); ok {
		t.Error("a 32nd day is accepted")
	}
	if _, _, ok := f.ParseClamped("2001-1-22"); ok {
		t.Error("one digit under two letters is accepted")
	}
}

func TestApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := patterns().Draw(t, "format")
		a := instants.Draw(t, "a")
		b, c, d := near(t, a, "b"), near(t, a, "c"), near(t, a, "d")
		lo, hi := FromMicros(min(a, b, c, d)), FromMicros(max(a, b, c, d))
		u, exact := f.Apart(lo, hi)
		same := u.ordinalOrZero(FromMicros(a)) == u.ordinalOrZero(FromMicros(b))
		if u != NoUnit && text(f, a) == text(f, b) && !same {
			t.Fatalf("%q between %+v and %+v should tell %v apart but writes %q for %+v and %+v", f, lo, hi, u, text(f, a), FromMicros(a), FromMicros(b))
		}
		if exact && same && text(f, a) != text(f, b) {
			t.Fatalf("%q writes %q and %q in one of %v", f, text(f, a), text(f, b), u)
		}
	})
}

// At the turn of the year a week has two numbers in "%U", so it isn't told exactly.
func TestApartAtNewYear(t *testing.T) {
	lo, hi := Civil{Year: 2020, Month: 12, Day: 31}, Civil{Year: 2021, Month: 1, Day: 1}
	if u, exact := Strftime("%U").Apart(lo, hi); exact {
		t.Errorf("%v %v", u, exact)
	}
	if u, exact := Strftime("%V").Apart(lo, hi); u != Weeks || !exact {
		t.Errorf("%v %v", u, exact)
	}
}

func (u Unit) ordinalOrZero(c Civil) int64 {
	if u == NoUnit {
		return 0
	}
	return u.Ordinal(c)
}

func TestUnit(t *testing.T) {
	for pattern, want := range map[string]Unit{
		"%Y-%m-%d": Days, "%m/%d": NoUnit, "%Y-%j": Days, "%y": NoUnit, "%G-%V": Weeks, "%H": NoUnit, "%Y": Years, "%Y-%m": Months, "%s": Seconds,
		"%F %I": Days, "%F %I %p": Hours, "%C%y": Years, "%C": Centuries, "%d.%m.%Y %H:%M": Minutes, "%Y%-m%-d": NoUnit, "%Y-%-m-%-d": Days, "": NoUnit,
		"%Y-%U": SundayWeeks, "%Y-%W-%a": Days, "%G": ISOYears, "%B": NoUnit,
	} {
		if got := Strftime(pattern).Unit(); got != want {
			t.Errorf("%q: %v, want %v", pattern, got, want)
		}
	}
}

func TestOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := patterns().Draw(t, "format")
		a := instants.Draw(t, "a")
		b, c, d := near(t, a, "b"), near(t, a, "c"), near(t, a, "d")
		if !f.Ordered(FromMicros(min(a, b, c, d)), FromMicros(max(a, b, c, d))) {
			return
		}
		if lo, hi := min(a, b), max(a, b); text(f, lo) > text(f, hi) {
			t.Fatalf("%q writes %q before %q", f, text(f, lo), text(f, hi))
		}
	})
	if Strftime("%-Y").Ordered(Civil{Year: 900, Month: 1, Day: 1}, Civil{Year: 1100, Month: 1, Day: 1}) {
		t.Error("years of three and four digits are in order")
	}
	first, last := FromMicros(0), FromMicros(4291747199_999999)
	for pattern, want := range map[string]bool{
		"%Y-%m-%d": true, "%d.%m.%Y": false, "%Y%j": true, "%Y-%m-%d %a": true, "%G-%V-%u": true, "%Y-%V": false, "%F %I %p": false, "%F %p": true, "%F %p %I": false,
		"%y%m": false, "%C%y%m": true, "%Y-%-m": false, "%s": false, "%Y %b": false, "x": true, "%Y%H": false,
	} {
		if got := Strftime(pattern).Ordered(first, last); got != want {
			t.Errorf("%q: %v, want %v", pattern, got, want)
		}
	}
}

func TestWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, us := patterns().Draw(t, "format"), instants.Draw(t, "us")
		if n, fixed := f.Width(); fixed && n != len(text(f, us)) {
			t.Fatalf("%q: %q is not %d bytes long", f, text(f, us), n)
		}
	})
}

func TestAppendAllocates(t *testing.T) {
	buf := make([]byte, 0, 256)
	for _, pattern := range []string{"%Y-%m-%d/%H", "%c %j %U %G-%V %s %^B %p"} {
		f := Strftime(pattern)
		if n := testing.AllocsPerRun(100, func() { buf = f.Append(buf[:0], FromMicros(1612325106_000007)) }); n != 0 {
			t.Errorf("%q: %v allocations", pattern, n)
		}
	}
}

func FuzzPatterns(f *testing.F) {
	for _, s := range []string{"%Y-%m-%d", "asdf%0 %", "yyyy/MM/dd'T'HH", "%E%O%-%^", "'", "SSSSSSSSSS", "%\xff"} {
		f.Add(s, "2021-02-03", int64(1612325106))
	}
	f.Fuzz(func(t *testing.T, pattern, s string, us int64) {
		us %= 253402300800_000000
		formats := []*Format{Strftime(pattern)}
		java, bad := Java(pattern)
		for _, d := range bad {
			if d.Pos < 0 || d.Pos >= d.End || int(d.End) > len(pattern) {
				t.Fatalf("%q: finding at %d-%d", pattern, d.Pos, d.End)
			}
		}
		if bad == nil {
			formats = append(formats, java)
		}
		for _, f := range formats {
			f.Parse(text(f, us))
			f.Unit()
			if c, ok := f.Parse(s); ok && text(f, c.Micros()) != s {
				t.Fatalf("%q: %q is parsed as %+v, which is %q", pattern, s, c, text(f, c.Micros()))
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	buf := make([]byte, 0, 64)
	for _, pattern := range []string{"%Y-%m-%d", "year=%Y/month=%m/day=%d/hour=%H"} {
		f := Strftime(pattern)
		b.Run(pattern, func(b *testing.B) {
			us := int64(1612325106_000007)
			for b.Loop() {
				us += perHour
				buf = f.Append(buf[:0], FromMicros(us))
			}
		})
	}
}

func TestShared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := instants.Draw(t, "a")
		b := near(t, a, "b")
		lo, hi := FromMicros(min(a, b)), FromMicros(max(a, b))
		s := shared(lo, hi)
		for u := Centuries; u < units; u++ {
			if s.has(u) != (u.Ordinal(lo) == u.Ordinal(hi)) {
				t.Fatalf("%+v and %+v share %v: %v", lo, hi, u, s.has(u))
			}
		}
	})
}
