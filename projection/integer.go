package projection

import (
	"math"
	"slices"
	"strconv"

	"github.com/yqlplan/yqlplan/pruning"
)

// Integer is the axis of the numbers min, min+step, … up to max, all of it in closed form: nothing depends on how
// many there are. Its key is of an integer type, or of type String; then its values are the numbers in decimal,
// without the zeros that paths are filled with unless it is [Integer.Filled].
type Integer struct {
	key   int
	typ   pruning.Type
	min   int64
	step  uint64
	last  uint64
	empty bool
	width int
	text  bool   // values are texts
	fill  int    // width of values that are texts
	near  uint64 // so many branches further a text is made by adding to its digits; 0: it isn't
	flip  int64  // turns a number into the one whose pruning.Int is its value
}

// NewInteger makes the axis min, min+step, … ≤ max of a key. step 0 counts as 1. width is the least length of the
// text in paths, a minus sign included: -5 with width 3 is "-05" (YDB, yql_s3_path_generator.cpp).
func NewInteger(key int, t pruning.Type, min, max int64, step uint64, width int) *Integer {
	a := &Integer{key: key, typ: t, min: min, step: step, empty: min > max, width: width, text: t.Kind == pruning.String}
	if unsigned(t.Kind) {
		a.flip = pruning.Uint(0).Int()
	}
	if step == 0 {
		a.step = 1
	}
	if min >= 0 && a.step < longStep {
		a.near = 9
	}
	if !a.empty {
		a.last = (uint64(max) - uint64(min)) / a.step
	}
	return a
}

// longStep is a step from which on texts differ in so many digits that they are written anew.
const longStep = 1000

// Filled is the axis whose values of type String are the texts in paths, with the zeros that fill them (Athena; Trino,
// IntegerProjection.java).
func (a *Integer) Filled() *Integer {
	f := *a
	f.fill = a.width
	return &f
}

// Unfit is a number of the axis that the key's type can't hold; ok is false when there is none. Planning over such an
// axis is wrong, so declarations check it.
func (a *Integer) Unfit() (n int64, ok bool) {
	if a.empty || a.text {
		return 0, false
	}
	lo, hi := bounds(a.typ.Kind)
	switch {
	case a.min < lo:
		return a.min, true
	case a.at(a.last) > hi:
		return a.at(a.last), true
	}
	return 0, false
}

// bounds are the least and the greatest int64 that an integer type holds.
func bounds(k pruning.Kind) (lo, hi int64) {
	switch k {
	case pruning.Int8:
		return math.MinInt8, math.MaxInt8
	case pruning.Int16:
		return math.MinInt16, math.MaxInt16
	case pruning.Int32:
		return math.MinInt32, math.MaxInt32
	case pruning.Uint8:
		return 0, math.MaxUint8
	case pruning.Uint16:
		return 0, math.MaxUint16
	case pruning.Uint32:
		return 0, math.MaxUint32
	case pruning.Uint64:
		return 0, math.MaxInt64
	}
	return math.MinInt64, math.MaxInt64
}

// unsigned reports whether values of the kind are made by [pruning.Uint].
func unsigned(k pruning.Kind) bool {
	return k == pruning.Uint8 || k == pruning.Uint16 || k == pruning.Uint32 || k == pruning.Uint64
}

// at is the number of branch i. Unsigned arithmetic wraps to the right sum where i*step is beyond int64.
func (a *Integer) at(i uint64) int64 { return int64(uint64(a.min) + i*a.step) }

// Last implements [Axis].
func (a *Integer) Last() (uint64, bool) { return a.last, !a.empty }

// Value implements [Axis].
func (a *Integer) Value(i uint64) (v pruning.Value, null, ok bool) {
	if a.text {
		return pruning.Text(string(appendNumber(nil, a.at(i), a.fill))), false, true
	}
	return pruning.Int(a.at(i) ^ a.flip), false, true
}

// AppendName implements [Axis].
func (a *Integer) AppendName(dst []byte, i uint64) []byte { return appendNumber(dst, a.at(i), a.width) }

// advance implements advancer.
func (a *Integer) advance(text []byte, i, j uint64) bool {
	if j-i > a.near {
		return false
	}
	add := (j - i) * a.step
	if last := &text[len(text)-1]; uint64(*last)+add <= '9' {
		*last += byte(add)
		return true
	}
	if n := len(text); n < len(pow10) && uint64(a.at(j)) >= pow10[n] {
		return false
	}
	for k := len(text) - 1; add > 0; k-- {
		digit := uint64(text[k]-'0') + add%10
		if add /= 10; digit > 9 {
			digit -= 10
			add++
		}
		text[k] = byte('0' + digit)
	}
	return true
}

// Runs implements [Axis]. It takes a division for each end of an interval of d.
func (a *Integer) Runs(dst []Run, d pruning.Diagram) ([]Run, error) {
	if a.empty {
		return dst, nil
	}
	if a.text {
		return valueRuns(dst, d, a.key, a.last, (*integerTexts)(a)), nil
	}
	return valueRuns(dst, d, a.key, a.last, a), nil
}

func (a *Integer) between(dst []Run, lo, hi *pruning.Value, rest pruning.Diagram) []Run {
	r, ok := Run{Last: a.last, Rest: rest}, true
	if lo != nil {
		if r.First, ok = a.from(*lo); !ok {
			return dst
		}
	}
	if hi != nil {
		if end, ok := a.from(*hi); ok {
			if end <= r.First {
				return dst
			}
			r.Last = end - 1
		}
	}
	return appendRun(dst, r)
}

// from is the first branch whose value is v or more; ok is false when there is none.
func (a *Integer) from(v pruning.Value) (i uint64, ok bool) {
	n := v.Int()
	if unsigned(a.typ.Kind) {
		if v.Uint() > math.MaxInt64 {
			return 0, false
		}
		n = int64(v.Uint())
	}
	return a.fromNumber(n)
}

func (a *Integer) fromNumber(n int64) (i uint64, ok bool) {
	if n <= a.min {
		return 0, true
	}
	i = (uint64(n) - uint64(a.min) - 1) / a.step
	return i + 1, i < a.last
}

// find is the branch of a number.
func (a *Integer) find(n int64) (i uint64, ok bool) {
	if a.empty || n < a.min || n > a.at(a.last) {
		return 0, false
	}
	d := uint64(n) - uint64(a.min)
	return d / a.step, d%a.step == 0
}

// stripe implements striped: 1000 branches from 7000 on, when the step is 1, share all but their last three digits.
func (a *Integer) stripe(i, most uint64) (n uint64, tail int) {
	v := a.at(i)
	if v < 0 {
		return min(most, uint64(-(v+1))/a.step+1), 0
	}
	n = most
	for k := 1; k < len(pow10) && pow10[k]/a.step <= most; k++ {
		if pow10[k]%a.step != 0 || pow10[k] == a.step {
			continue
		}
		low := uint64(v) % pow10[k]
		if low >= a.step || uint64(v) < pow10[k] && a.width < k { // begun before, or of several lengths
			if tail == 0 {
				n = min(most, (pow10[k]-low-1)/a.step+1)
			}
			break
		}
		n, tail = pow10[k]/a.step, k
	}
	return n, tail
}

// Shape implements [Texts].
func (a *Integer) Shape() Shape {
	if a.empty {
		return Shape{}
	}
	return numberShape(a.min, a.at(a.last), a.width)
}

// Pieces implements [Texts].
func (a *Integer) Pieces() ([]Piece, bool) {
	return []Piece{{Lo: a.min, Hi: a.at(a.last), Step: a.step, Width: a.width}}, true
}

// Find implements [Texts].
func (a *Integer) Find(text string) (uint64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || string(appendNumber(nil, n, a.width)) != text {
		return 0, false
	}
	return a.find(n)
}

// Twins implements [Texts]: filling with zeros keeps numbers apart.
func (a *Integer) Twins() (i, j uint64, found, decided bool) { return 0, 0, false, true }

// appendNumber appends n in decimal, filled with zeros to a width that counts the minus sign.
func appendNumber(dst []byte, n int64, width int) []byte {
	m := uint64(n)
	if m < 1000 && width <= 3 { // months, days, hours
		switch {
		case m >= 100 || width == 3:
			return append(dst, byte('0'+m/100), byte('0'+m/10%10), byte('0'+m%10))
		case m >= 10 || width == 2:
			return append(dst, byte('0'+m/10), byte('0'+m%10))
		}
		return append(dst, byte('0'+m))
	}
	if n < 0 {
		dst = append(dst, '-')
		m, width = -m, width-1
	}
	length := width
	if uint(width) >= uint(len(pow10)) || m >= pow10[width] {
		length = max(width, digits(m))
	}
	dst = slices.Grow(dst, length)
	text := dst[len(dst) : len(dst)+length]
	for i := range text {
		text[len(text)-1-i] = byte('0' + m%10)
		m /= 10
	}
	return dst[:len(dst)+length]
}
