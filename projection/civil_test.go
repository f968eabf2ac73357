package projection

import (
	"testing"

	"github.com/yqlplan/yqlplan/pruning"
)

func TestParseMoment(t *testing.T) {
	micros := pruning.Type{Kind: pruning.Timestamp, Precision: 6}
	for _, x := range [][2]string{
		{"2017-02-01", "2017-02-01"}, {"20170201", "2017-02-01"}, {"2017-2-1", "2017-02-01"}, {" 0000-01-01 ", "0000-01-01"}, {"9999-12-31", "9999-12-31"}, {"2020-02-29", "2020-02-29"},
		{"2017-02-01 10:30:05", "2017-02-01 10:30:05"}, {"2017-02-01T10:30:05.5", "2017-02-01 10:30:05.500000"}, {"20170201103005", "2017-02-01 10:30:05"}, {"2017-02-01 00:00:00", "2017-02-01 00:00:00"},
		{"2017-02-01 10", "2017-02-01 10:00:00"}, {"2017-02-01 1:2", "2017-02-01 01:02:00"}, {"2017-02-01 10:30:05.123456000", "2017-02-01 10:30:05.123456"}, {"0000-01-01 00:00:01", "0000-01-01 00:00:01"},
		{"", ""}, {"2017", ""}, {"2017-02", ""}, {"2017-02-30", ""}, {"2017-00-01", ""}, {"10000-01-01", ""}, {"17-02-01", ""}, {"2017-02-01 24:00:00", ""}, {"2017-02-01 10:60", ""}, {"2017-02-01 10:30:05.", ""},
		{"2017-02-01 10:30.5", ""}, {"2017-02-01 10:30:05.1234567", ""}, {"2017-02-01 ", "2017-02-01"}, {"2017/02/01", ""}, {"2017-02-01 10:30:05Z", ""}, {"+2017-02-1", ""},
	} {
		m, problem := ParseMoment(x[0])
		got := ""
		if problem == "" {
			day := pruning.Type{Kind: pruning.Date}
			if got = string(AppendMoment(nil, day, pruning.Int(m.Days))); m.HasTime {
				n, _ := m.Units(6)
				got = string(AppendMoment(nil, micros, pruning.Int(n)))
			}
		}
		if got != x[1] {
			t.Errorf("%q is %q %s, want %q", x[0], got, problem, x[1])
		}
	}
	m, _ := ParseMoment("1969-12-31 23:59:59.25")
	for p, want := range map[int]int64{0: -1, 1: -8, 2: -75, 6: -750000} {
		if n, exact := m.Units(p); n != want || exact != (p > 1) {
			t.Errorf("with %d digits it is %d %v, want %d", p, n, exact, want)
		}
	}
}

func TestParseIP(t *testing.T) {
	v4, v6 := pruning.Type{Kind: pruning.Uint32}, pruning.Type{Kind: pruning.Uint128}
	for _, x := range []struct {
		text string
		t    pruning.Type
		want string
	}{
		{"127.0.0.1", v4, "2130706433"}, {"255.255.255.255", v4, "4294967295"}, {"::1", v6, "1"}, {"::ffff:1.2.3.4", v6, "281470698652420"}, {"1.2.3.4", v6, "281470698652420"},
		{"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", v6, "340282366920938463463374607431768211455"}, {"::1", v4, ""}, {"1.2.3", v4, ""}, {"fe80::1%eth0", v6, ""}, {"", v6, ""},
	} {
		v, ok := ParseIP(x.text, x.t)
		got := ""
		if ok {
			got = string(x.t.Append(nil, v))
		}
		if got != x.want {
			t.Errorf("%s is %s, want %s", x.text, got, x.want)
		}
	}
}
