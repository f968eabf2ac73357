package projection

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/projection/datefmt"
)

func TestDateTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := NewDate(withColumn(t, drawSpec(t, 300)))
		first := map[string]uint64{}
		i, j, found, decided := a.Twins()
		twins := false
		pieces, exact := a.Pieces()
		shape := a.Shape()
		for k := range a.last + 1 {
			text := string(a.AppendName(nil, k))
			if _, ok := first[text]; ok {
				twins = true
			} else {
				first[text] = k
			}
			if !matches(pieces, text) {
				t.Fatalf("%q isn't in %+v", text, pieces)
			}
			if len(text) < shape.Min || len(text) > shape.Max {
				t.Fatalf("%q isn't as long as in %+v", text, shape)
			}
		}
		if !decided || found != twins {
			t.Fatalf("twins: %d %d %v %v, want %v", i, j, found, decided, twins)
		}
		if found && (i >= j || string(a.AppendName(nil, i)) != string(a.AppendName(nil, j))) {
			t.Fatalf("twins %d and %d have texts %q and %q", i, j, a.AppendName(nil, i), a.AppendName(nil, j))
		}
		if exact && countTexts(pieces) != len(first) {
			t.Fatalf("%d texts, but %+v", len(first), pieces)
		}
		for text, k := range first {
			if got, ok := a.Find(text); !ok || !twins && got != k {
				t.Fatalf("Find(%q) = %d %v, want %d", text, got, ok, k)
			}
			if _, ok := a.Find(text + "0"); ok != (first[text+"0"] > 0) {
				t.Fatalf("Find(%q) finds something", text+"0")
			}
		}
	})
}

func TestDateMerged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := NewDate(withColumn(t, drawSpec(t, 300)))
		m, ok := a.Merged(1000)
		if !ok {
			t.Fatal("few branches can't be merged")
		}
		var want, got []string
		for i := range a.last + 1 {
			if text := string(a.AppendName(nil, i)); !slices.Contains(want, text) {
				want = append(want, text)
			}
		}
		last, _ := m.Last()
		for i := range last + 1 {
			got = append(got, string(m.AppendName(nil, i)))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q every %v: %q, want %q", a.format, a.every, got, want)
		}
	})
	steps := DateSpec{Format: datefmt.Strftime("%m"), Unit: datefmt.Days, Interval: 30, Min: micros(t, "2021-01-30T00:00:00Z"), Max: micros(t, "2021-05-01T00:00:00Z")}
	m, _ := NewDate(steps).Merged(10) // 01-30, 03-01, 03-31, 04-30
	if last, _ := m.Last(); last != 2 || string(m.AppendName(nil, 1)) != "03" {
		t.Errorf("%d months, the second %s", last+1, m.AppendName(nil, 1))
	}
	large := DateSpec{Format: datefmt.Strftime("%Y-%m"), Unit: datefmt.Milliseconds, Max: datefmt.Last}
	if m, ok := NewDate(large).Merged(10); !ok {
		t.Error("milliseconds don't merge to months")
	} else if last, _ := m.Last(); last != 136*12-1 {
		t.Errorf("%d months", last+1)
	}
	large.Format = datefmt.Strftime("%m")
	if _, ok := NewDate(large).Merged(10); ok {
		t.Error("more branches than the limit are merged one by one")
	}
}

func TestDatePieces(t *testing.T) {
	for _, tt := range []struct {
		format   string
		unit     datefmt.Unit
		interval int64
		min, max string
		want     string
		exact    bool
	}{
		{"%Y", datefmt.Years, 2, "2020-01-01T00:00:00Z", "2025-12-31T00:00:00Z", "[{[] 2020 2024 2 4}]", true},
		{"%Y/%m", datefmt.Months, 1, "2020-01-01T00:00:00Z", "2021-12-31T00:00:00Z", "[{[] 2020 2021 1 4} {[/] 0 0 1 0} {[] 1 12 1 2}]", true},
		{"%Y/%m", datefmt.Months, 1, "2020-01-01T00:00:00Z", "2021-11-30T00:00:00Z", "[{[] 2020 2021 1 4} {[/] 0 0 1 0} {[] 1 12 1 2}]", false},
		{"%m-%e %H", datefmt.Days, 1, "2020-02-27T10:30:00Z", "2020-02-29T23:00:00Z", "[{[] 2 2 1 2} {[-] 0 0 1 0} {[27 28 29] 0 0 1 0} {[ ] 0 0 1 0} {[] 10 10 1 2}]", true},
		{"%b %H", datefmt.Hours, 1, "2020-02-27T10:30:00Z", "2020-03-29T10:00:00Z", "[{[Feb Mar] 0 0 1 0} {[ ] 0 0 1 0} {[] 0 23 1 2}]", false},
	} {
		a := NewDate(DateSpec{Format: datefmt.Strftime(tt.format), Unit: tt.unit, Interval: tt.interval, Min: micros(t, tt.min), Max: micros(t, tt.max)})
		if ps, exact := a.Pieces(); fmt.Sprint(ps) != tt.want || exact != tt.exact {
			t.Errorf("%q: %v %v, want %s %v", tt.format, ps, exact, tt.want, tt.exact)
		}
	}
}

// The j-th texts of all stripes of one length have the same tail, and those of one stripe the same head.
func TestDateStripes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := NewDate(withColumn(t, drawSpec(t, 2000)))
		most := rapid.Uint64Range(1, 3000).Draw(t, "most")
		tails := map[uint64][]string{}
		for i := uint64(0); i <= a.last; {
			n, tail := a.stripe(i, min(most-1, a.last-i)+1)
			if n == 0 || n > most || n > a.last-i+1 {
				t.Fatalf("%d: a stripe of %d of at most %d", i, n, most)
			}
			for j := i; tail > 0 && j < i+n; j++ {
				text := string(a.AppendName(nil, j))
				if j == i && tails[n] == nil {
					tails[n] = make([]string, n)
				}
				cut := len(text) - tail
				if known := &tails[n][j-i]; *known == "" {
					*known = text[cut:]
				}
				if text[cut:] != tails[n][j-i] || text[:cut] != string(a.AppendName(nil, i))[:cut] {
					t.Fatalf("%q every %v: %q is branch %d of a stripe of %d, tail %d", a.format, a.every, text, j-i, n, tail)
				}
			}
			i += n
		}
	})
}

func TestDateStripe(t *testing.T) {
	for _, tt := range []struct {
		format   string
		unit     datefmt.Unit
		interval int64
		i, most  uint64
		n        uint64
		tail     int
	}{
		{"%Y-%m-%d", datefmt.Days, 1, 0, 4000, 365, 5},
		{"%Y-%m-%d", datefmt.Days, 1, 0, 364, 31, 2},
		{"%Y-%m-%d", datefmt.Days, 1, 1, 4000, 30, 0},
		{"%Y-%m-%d", datefmt.Days, 2, 0, 4000, 4000, 0},
		{"%Y/%m/%d/%H", datefmt.Hours, 1, 0, 4000, 744, 5},
		{"%Y/%m/%d/%H", datefmt.Hours, 1, 24, 4000, 24, 2},
		{"%Y/%m/%d/%H", datefmt.Hours, 1, 20, 4000, 4, 0},
		{"%Y-%m", datefmt.Months, 1, 0, 4000, 12, 2},
		{"%Y-%m-%d", datefmt.Months, 1, 0, 4000, 12, 5},
		{"%Y %j", datefmt.Months, 1, 0, 4000, 4000, 0},
		{"%Y %j", datefmt.Days, 1, 0, 4000, 365, 3},
		{"%Y-%m", datefmt.Months, 5, 0, 4000, 4000, 0},
		{"%d.%m.%Y", datefmt.Days, 1, 0, 4000, 4000, 0},
		{"%H:%M", datefmt.Minutes, 15, 0, 4000, 2976, 5},
	} {
		a := NewDate(DateSpec{Format: datefmt.Strftime(tt.format), Unit: tt.unit, Interval: tt.interval, Max: datefmt.Last})
		if n, tail := a.stripe(tt.i, tt.most); n != tt.n || tail != tt.tail {
			t.Errorf("%q from %d: %d, tail %d, want %d, %d", tt.format, tt.i, n, tail, tt.n, tt.tail)
		}
	}
}

// matches reports whether a text is one of the pieces' texts.
func matches(ps []Piece, text string) bool {
	if len(ps) == 0 {
		return text == ""
	}
	p := ps[0]
	for _, w := range p.Words {
		if len(text) >= len(w) && text[:len(w)] == w && matches(ps[1:], text[len(w):]) {
			return true
		}
	}
	if p.Words != nil {
		return false
	}
	for n := 1; n <= len(text); n++ {
		var v int64
		if _, err := fmt.Sscanf(text[:n], "%d", &v); err == nil && v >= p.Lo && v <= p.Hi && uint64(v-p.Lo)%p.Step == 0 &&
			string(appendNumber(nil, v, p.Width)) == text[:n] && matches(ps[1:], text[n:]) {
			return true
		}
	}
	return false
}

func countTexts(ps []Piece) int {
	n := 1
	for _, p := range ps {
		if p.Words != nil {
			n *= len(p.Words)
		} else {
			n *= int(uint64(p.Hi-p.Lo)/p.Step) + 1
		}
	}
	return n
}

func TestDateTwinsOfLargeAxes(t *testing.T) {
	for _, tt := range []struct {
		format   string
		unit     datefmt.Unit
		interval int64
		min, max string
		i, j     uint64
		found    bool
	}{
		{"%Y-%m-%d", datefmt.Days, 1, "1970-01-01", "2105-12-31", 0, 0, false},
		{"%Y", datefmt.Days, 1, "1970-01-01", "2105-12-31", 0, 1, true},
		{"%Y-%m", datefmt.Days, 30, "2021-01-20", "2021-03-31", 0, 0, false},
		{"%Y-%m", datefmt.Days, 30, "2021-01-01", "2021-03-31", 0, 1, true},
		{"%F %T", datefmt.Milliseconds, 1, "1970-01-01", "2105-12-31", 0, 1, true},
		{"%F", datefmt.Milliseconds, 86_399_999, "1970-01-01T23:59:59", "2105-12-31", 0, 0, false},
		{"%F", datefmt.Milliseconds, 86_399_000, "1970-01-01T23:00:00", "2105-12-31", 82_800, 0, false},
		{"%F", datefmt.Milliseconds, 86_399_000, "1970-01-01T10:00:00", "2105-12-31", 36_000, 36_001, true},
		{"%H:%M:%S", datefmt.Seconds, 1, "2021-01-01", "2021-01-01T23:59:59", 0, 0, false},
		{"%H:%M:%S", datefmt.Seconds, 1, "2021-01-01", "2021-01-02", 0, 86400, true},
		{"%H:%M:%S", datefmt.Seconds, 7, "2021-01-01", "2105-12-31", 0, 86400, true},
		{"%m-%d %H:%M:%S", datefmt.Seconds, 1, "2020-11-01", "2021-10-31T23:59:59", 0, 0, false},
		{"%m-%d %H:%M:%S", datefmt.Seconds, 1, "2020-11-01", "2021-11-01", 0, 31536000, true},
		{"%m-%d %H:%M:%S", datefmt.Seconds, 1, "2020-02-29T12:00:00", "2024-02-29", 0, 0, true},
		{"%y-%m-%d %H", datefmt.Hours, 1, "1970-01-01", "2069-12-31T23:00:00", 0, 0, false},
		{"%y-%m-%d %H", datefmt.Hours, 1, "1970-01-01", "2070-01-01", 0, 876600, true},
		{"%y-%m-%d %H", datefmt.Hours, 5, "1970-01-01", "2105-12-31", 0, 0, true},
		{"%a %H:%M:%S", datefmt.Seconds, 1, "2021-01-01", "2021-01-09", 0, 604800, true},
		{"x", datefmt.Milliseconds, 1, "1970-01-01", "2105-12-31", 0, 1, true},
		{"%M", datefmt.Hours, 1, "1970-01-01", "2105-12-31", 0, 1, true},
		{"%Y", datefmt.Days, 365, "2020-01-01", "2105-12-31", 0, 1, true},
		{"%Y", datefmt.Days, 366, "2020-01-01", "2105-12-31", 0, 0, false},
		{"%Y", datefmt.Months, 11, "2020-01-01", "2105-12-31", 0, 1, true},
		{"%Y", datefmt.Months, 12, "2020-01-01", "2105-12-31", 0, 0, false},
		{"%F", datefmt.Milliseconds, 86_399_000, "1970-01-01T10:00:00", "2068-07-25", 36_000, 0, false},
		{"%F", datefmt.Milliseconds, 86_399_000, "1970-01-01T10:00:00", "2068-07-25T23:59:59", 36_000, 36_001, true},
		{"%m-%d %H:%M:%S", datefmt.Seconds, 1, "2020-11-01T12:00:00", "2021-11-01T11:59:59", 0, 0, false},
		{"%F %M", datefmt.Minutes, 61, "1970-01-01", "1979-12-31", 0, 0, false},
	} {
		lo, _, bad := datefmt.ParseISO(tt.min)
		hi, _, worse := datefmt.ParseISO(tt.max)
		if bad != nil || worse != nil {
			t.Fatal(bad, worse)
		}
		a := NewDate(DateSpec{Type: dateTypes[1], Format: datefmt.Strftime(tt.format), Unit: tt.unit, Interval: tt.interval, Min: lo, Max: hi})
		i, j, found, decided := a.Twins()
		if !decided || found != tt.found || found && tt.j > 0 && (i != tt.i || j != tt.j) {
			t.Errorf("%q every %d %v: %d %d %v %v, want %d %d %v", tt.format, tt.interval, tt.unit, i, j, found, decided, tt.i, tt.j, tt.found)
		}
		if found && string(a.AppendName(nil, i)) != string(a.AppendName(nil, j)) {
			t.Errorf("%q: %q and %q", tt.format, a.AppendName(nil, i), a.AppendName(nil, j))
		}
	}
}
