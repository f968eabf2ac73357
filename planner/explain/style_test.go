package explain

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/projection"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 156: "156", 1000: "1,000", 441_950_000: "441,950,000"} {
		if got := projection.Grouped(big.NewInt(n)); got != want {
			t.Errorf("projection.Grouped(%d) = %s", n, got)
		}
	}
}

func TestClip(t *testing.T) {
	for _, test := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"abcd", 1, "…"},
	} {
		if got := clip(test.s, test.n); got != test.want {
			t.Errorf("clip(%q, %d) = %q, want %q", test.s, test.n, got, test.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		s       string
		n, rows int
		want    []string
	}{
		{"", 10, 3, []string{""}},
		{"year = 2021", 20, 3, []string{"year = 2021"}},
		{"year = 2021 AND month = 2", 12, 3, []string{"year = 2021", "AND month =", "2"}},
		{"year = 2021 AND month = 2", 12, 2, []string{"year = 2021", "AND month =…"}},
		{"abcdefghij klm", 5, 3, []string{"abcd…"}},
	} {
		if got := wrap(test.s, test.n, test.rows); !slices.Equal(got, test.want) {
			t.Errorf("wrap(%q, %d, %d) = %q, want %q", test.s, test.n, test.rows, got, test.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"año=1/": "año=1/", "\x1b[31m": "␛[31m", "a\nb\tc": "a␊b␉c", "\x7f\u0085\xff": "␡\ufffd\ufffd",
	} {
		if got := printable(s); got != want {
			t.Errorf("printable(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestNilPaint(t *testing.T) {
	if got := (Paint)(nil).of("x"); got != "x" {
		t.Error(got)
	}
	if got := Paint(strings.ToUpper).of("x"); got != "X" {
		t.Error(got)
	}
}
