package projection

import (
	"strconv"

	"github.com/yqlplan/yqlplan/pruning"
)

// integerTexts finds the branches of an integer axis by their decimal text, which isn't the axis's order: "10" < "9".
// Numbers of one sign and one length are in the order of their texts (negative ones in the reverse), so an interval of
// texts is one stretch of each such class, found by arithmetic; there are at most 38 classes.
type integerTexts Integer

func (t *integerTexts) between(dst []Run, lo, hi *pruning.Value, rest pruning.Diagram) []Run {
	a := (*Integer)(t)
	from := ""
	if lo != nil {
		from = lo.Text()
	}
	if hi != nil && len(hi.Text()) == len(from)+1 && hi.Text()[:len(from)] == from && hi.Text()[len(from)] == 0 {
		if i, ok := a.findDecimal(from); ok {
			dst = appendRun(dst, Run{i, i, rest})
		}
		return dst
	}
	low, high := a.min, a.at(a.last)
	if low < 0 {
		least := uint64(1)
		if high < 0 {
			least = -uint64(high)
		}
		dst = t.negative(dst, least, -uint64(low), from, hi, rest)
	}
	if high >= 0 {
		dst = t.positive(dst, uint64(max(0, low)), uint64(high), from, hi, rest)
	}
	return dst
}

// positive appends the branches of numbers from least to most whose texts lie in [from,hi).
func (t *integerTexts) positive(dst []Run, least, most uint64, from string, hi *pruning.Value, rest pruning.Diagram) []Run {
	for length := digits(least); length <= digits(most); length++ {
		m, end := ceilText(from, length), pow10[length]
		if hi != nil {
			end = ceilText(hi.Text(), length)
		}
		if m, end = max(m, least), min(end, most+1); m < end {
			dst = t.stretch(dst, int64(m), int64(end-1), rest)
		}
	}
	return dst
}

// negative does the same for numbers from -most to -least.
func (t *integerTexts) negative(dst []Run, least, most uint64, from string, hi *pruning.Value, rest pruning.Diagram) []Run {
	for length := digits(least); length <= digits(most); length++ {
		m, end := ceilNegative(from, length), pow10[length]
		if hi != nil {
			end = ceilNegative(hi.Text(), length)
		}
		if m, end = max(m, least), min(end, most+1); m < end {
			dst = t.stretch(dst, -int64(end-1), -int64(m), rest)
		}
	}
	return dst
}

// stretch appends the branches of the numbers from x to y, both on the axis's span.
func (t *integerTexts) stretch(dst []Run, x, y int64, rest pruning.Diagram) []Run {
	a := (*Integer)(t)
	first, ok := a.fromNumber(x)
	last := (uint64(y) - uint64(a.min)) / a.step
	if !ok || first > last {
		return dst
	}
	return appendRun(dst, Run{first, last, rest})
}

// findDecimal is the branch whose value is a text.
func (a *Integer) findDecimal(s string) (uint64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || len(s) != numberLength(n) || s[0] == '+' || s == "-0" {
		return 0, false
	}
	return a.find(n)
}

// ceilText is the least number of so many digits whose text is s or comes after it; the power of ten above when there
// is none.
func ceilText(s string, length int) uint64 {
	m := uint64(0)
	for p := range length {
		switch left := pow10[length-p]; {
		case p == len(s) || s[p] < '0':
			return max(m*left, smallest(length))
		case s[p] > '9':
			return max((m+1)*left, smallest(length))
		}
		m = m*10 + uint64(s[p]-'0')
	}
	if len(s) > length {
		m++
	}
	return max(m, smallest(length))
}

// ceilNegative is ceilText for the number behind a minus sign.
func ceilNegative(s string, length int) uint64 {
	switch {
	case s == "" || s[0] < '-':
		return smallest(length)
	case s[0] > '-':
		return pow10[length]
	}
	return ceilText(s[1:], length)
}

// smallest is the least number of so many digits.
func smallest(length int) uint64 {
	if length == 1 {
		return 0
	}
	return pow10[length-1]
}

// digits is the length of m in decimal.
func digits(m uint64) int {
	n := 1
	for m >= 10 {
		m, n = m/10, n+1
	}
	return n
}

var pow10 = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}
