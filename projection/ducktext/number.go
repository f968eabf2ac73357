package ducktext

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// parseInt reads a whole number: digits with a sign, 0x1F, 0b101. Unless strict is set, digits may have underscores,
// a fraction, which is rounded half away from zero, and an exponent; else more than one digit may not begin with 0.
func parseInt(t pruning.Type, s string, strict, tail bool) (v pruning.Value, ok bool) {
	if n, based := cutBase(s); based {
		if n == nil || tail || t.Kind == pruning.Int128 || t.Kind == pruning.Uint128 {
			return v, false
		}
		return t.FromBig(n)
	}
	if n, ok := smallInt(s); ok && !(strict && len(s) > 1 && s[0] == '0') {
		v, ok := fromInt(t, n)
		return v, ok
	}
	if strict {
		digits := strings.TrimPrefix(s, "-")
		if !allDigits(digits) || len(s) > 1 && s[0] == '0' {
			return v, false
		}
		n, _ := new(big.Int).SetString(s, 10)
		return t.FromBig(n)
	}
	r, ok := parseRat(s)
	if !ok {
		return v, false
	}
	return t.FromBig(round(r))
}

// smallInt reads digits with a minus sign perhaps, where they fit into 64 bits in any case.
func smallInt(s string) (n int64, ok bool) {
	const most = 18
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > most {
		return 0, false
	}
	for i := range len(digits) {
		if !digit(digits[i]) {
			return 0, false
		}
		n = n*10 + int64(digits[i]-'0')
	}
	if len(digits) < len(s) {
		n = -n
	}
	return n, true
}

func fromInt(t pruning.Type, n int64) (v pruning.Value, ok bool) {
	switch t.Kind {
	case pruning.Int8, pruning.Int16, pruning.Int32, pruning.Int64:
		v = pruning.Int(n)
		return v, t.Holds(v)
	case pruning.Uint8, pruning.Uint16, pruning.Uint32, pruning.Uint64:
		v = pruning.Uint(uint64(n))
		return v, n >= 0 && t.Holds(v)
	}
	return t.FromBig(big.NewInt(n))
}

// cutBase reads 0x1F and 0b101; based is false for a text of another form, and n nil for one of this that is no number.
func cutBase(s string) (n *big.Int, based bool) {
	if len(s) < 2 || s[0] != '0' {
		return nil, false
	}
	base := 0
	switch s[1] | 0x20 {
	case 'x':
		base = 16
	case 'b':
		base = 2
	default:
		return nil, false
	}
	digits := strings.ReplaceAll(s[2:], "_", "")
	const longest = 128 // digits, more than any type has
	if digits == "" || len(digits) > longest || digits[0] == '-' || digits[0] == '+' {
		return nil, true
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return nil, true
	}
	return n, true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) {
			return false
		}
	}
	return s != ""
}

// parseRat reads a decimal number with an optional exponent, exactly. Numbers that no type holds aren't read.
func parseRat(s string) (*big.Rat, bool) {
	s, ok := ungroup(s)
	if !ok {
		return nil, false
	}
	mantissa, exponent, hasExponent := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent, hasExponent = s[:i], s[i+1:], true
	}
	body := strings.TrimPrefix(strings.TrimPrefix(mantissa, "-"), "+")
	whole, frac, _ := strings.Cut(body, ".")
	if len(mantissa)-len(body) > 1 || whole+frac == "" || whole != "" && !allDigits(whole) || frac != "" && !allDigits(frac) {
		return nil, false
	}
	exp := 0
	if hasExponent {
		var err error
		if exp, err = strconv.Atoi(exponent); err != nil {
			return nil, false
		}
	}
	const longest = 400
	if len(body) > longest || exp > longest || exp < -longest {
		return nil, false
	}
	n, _ := new(big.Int).SetString(whole+frac, 10)
	if mantissa[0] == '-' {
		n.Neg(n)
	}
	r := new(big.Rat).SetInt(n)
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exp-len(frac), len(frac)-exp))), nil))
	if exp < len(frac) {
		return r.Quo(r, scale), true
	}
	return r.Mul(r, scale), true
}

// round is r to the next whole number, halves away from zero.
func round(r *big.Rat) *big.Int {
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	sum := new(big.Rat).Add(r, half)
	return new(big.Int).Quo(sum.Num(), sum.Denom())
}

// parseDecimal rounds to the scale of t.
func parseDecimal(t pruning.Type, s string) (v pruning.Value, ok bool) {
	r, ok := parseRat(s)
	if !ok {
		return v, false
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)
	return t.FromBig(round(r.Mul(r, new(big.Rat).SetInt(scale))))
}
