package projection

import (
	"iter"
	"math"
	"strconv"

	"github.com/yqlplan/yqlplan/pruning"
)

// integerTexts finds the branches of an integer axis by their decimal text, which isn't the axis's order: "10" < "9".
// Numbers of one sign and one length are in the order of their texts (negative ones in the reverse), so an interval of
// texts is one stretch of each such class, found by arithmetic; there are at most 38 classes. Filled with zeros, all
// short numbers of one sign are one class.
type integerTexts Integer

func (t *integerTexts) between(dst []Run, lo, hi *pruning.Value, rest pruning.Diagram) []Run {
	a := (*Integer)(t)
	from := ""
	if lo != nil {
		from = lo.Text()
	}
	if hi != nil && len(hi.Text()) == len(from)+1 && hi.Text()[:len(from)] == from && hi.Text()[len(from)] == 0 {
		if i, ok := a.findValue(from); ok {
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
	for c := range classes(least, most, t.fill) {
		m, end := c.ceil(from), c.end
		if hi != nil {
			end = c.ceil(hi.Text())
		}
		if m, end = max(m, least), min(end, most+1); m < end {
			dst = t.stretch(dst, int64(m), int64(end-1), rest)
		}
	}
	return dst
}

// negative does the same for numbers from -most to -least.
func (t *integerTexts) negative(dst []Run, least, most uint64, from string, hi *pruning.Value, rest pruning.Diagram) []Run {
	for c := range classes(least, most, t.fill-1) {
		m, end := c.ceilNegative(from), c.end
		if hi != nil {
			end = c.ceilNegative(hi.Text())
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

// findValue is the branch whose value is a text.
func (a *Integer) findValue(s string) (uint64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || string(appendNumber(nil, n, a.fill)) != s {
		return 0, false
	}
	return a.find(n)
}

// class is the numbers from begin up to end whose texts have one length, and therefore their order.
type class struct {
	length     int
	begin, end uint64
}

// classes are those of the numbers from least to most, which are filled with zeros to a width.
func classes(least, most uint64, width int) iter.Seq[class] {
	return func(yield func(class) bool) {
		shortest := max(digits(least), width)
		for length := shortest; length <= max(digits(most), width); length++ {
			c := class{length: length, end: math.MaxUint64}
			if length > width && length > 1 {
				c.begin = pow10[length-1]
			}
			if length < len(pow10) {
				c.end = pow10[length]
			}
			if !yield(c) {
				return
			}
		}
	}
}

// ceil is the least number of the class whose text is s or comes after it; end when there is none.
func (c class) ceil(s string) uint64 {
	length := c.length
	for ; length >= len(pow10); length-- { // all begin with zeros
		switch {
		case s == "" || s[0] < '0':
			return c.begin
		case s[0] > '0':
			return c.end
		}
		s = s[1:]
	}
	m := uint64(0)
	for p := range length {
		switch left := pow10[length-p]; {
		case p == len(s) || s[p] < '0':
			return max(m*left, c.begin)
		case s[p] > '9':
			return max((m+1)*left, c.begin)
		}
		m = m*10 + uint64(s[p]-'0')
	}
	if len(s) > length {
		m++
	}
	return max(m, c.begin)
}

// ceilNegative is ceil for the number behind a minus sign.
func (c class) ceilNegative(s string) uint64 {
	switch {
	case s == "" || s[0] < '-':
		return c.begin
	case s[0] > '-':
		return c.end
	}
	return c.ceil(s[1:])
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
