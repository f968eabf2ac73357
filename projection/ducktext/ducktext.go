// Package ducktext reads and writes values as DuckDB's casts between VARCHAR and other types do: in the names of
// directories, in literals and in CAST (measured with DuckDB 1.5.6; src/common/operator/cast_operators.cpp, types/date.cpp,
// types/timestamp.cpp).
package ducktext

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/pruning"
)

// Parse reads a text as CAST(text AS t) does, blanks around it included; ok is false where that is an error, or for a
// type that isn't read here. "1.5" is 2 for an integer, "t" is true, "2024-1-2" a date.
func Parse(t pruning.Type, text string) (v pruning.Value, ok bool) { return parse(t, text, false) }

// ParseStrict is Parse by the narrower forms by which types are detected: "01", "1e3" and "1_000" are no integers.
func ParseStrict(t pruning.Type, text string) (v pruning.Value, ok bool) { return parse(t, text, true) }

func parse(t pruning.Type, text string, strict bool) (v pruning.Value, ok bool) {
	if t.Kind == pruning.String {
		return pruning.Text(text), true
	}
	s := strings.Trim(text, blanks)
	switch t.Kind {
	case pruning.Bool:
		return parseBool(text)
	case pruning.Float32, pruning.Float64:
		return parseFloat(t, s)
	case pruning.Decimal:
		return parseDecimal(t, s)
	case pruning.Date:
		return parseDate(s, strict, tail(text))
	case pruning.Datetime, pruning.Timestamp:
		return parseTimestamp(t, s, tail(text))
	case pruning.Time:
		return parseTime(s)
	case pruning.UUID:
		v, err := t.Parse(strings.ToLower(strings.Trim(s, "{}")))
		return v, err == nil
	case pruning.NoKind, pruning.Interval:
		return v, false
	}
	return parseInt(t, s, strict, tail(text))
}

// tail reports whether blanks follow a text, which words and numbers of another base don't bear.
func tail(text string) bool { return strings.TrimRight(text, blanks) != text }

// blanks are what a cast skips around a value.
const blanks = " \t\n\v\f\r"

func parseBool(s string) (pruning.Value, bool) {
	switch strings.ToLower(s) {
	case "t", "true", "y", "yes", "1":
		return pruning.Int(1), true
	case "f", "false", "n", "no", "0":
		return pruning.Int(0), true
	}
	return pruning.Value{}, false
}

func parseFloat(t pruning.Type, s string) (pruning.Value, bool) {
	digits, ok := ungroup(s)
	if !ok || strings.ContainsAny(digits, "xXpP") {
		return pruning.Value{}, false
	}
	width := 64
	if t.Kind == pruning.Float32 {
		width = 32
	}
	if plus := strings.TrimPrefix(digits, "+"); !strings.HasPrefix(plus, "+") { // "+-1" is a number
		digits = plus
	}
	if isNaN(strings.TrimPrefix(digits, "-")) {
		return pruning.Float(math.NaN()), true
	}
	f, err := strconv.ParseFloat(digits, width)
	return pruning.Float(f), err == nil || math.IsInf(f, 0) // beyond the range
}

// isNaN reports whether a text is nan or nan(letters, digits and underscores).
func isNaN(s string) bool {
	if len(s) < len("nan") || !strings.EqualFold(s[:len("nan")], "nan") {
		return false
	}
	rest := s[len("nan"):]
	if rest == "" {
		return true
	}
	inner, open := strings.CutPrefix(rest, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	return open && closed && !strings.ContainsFunc(inner, func(r rune) bool {
		return r != '_' && (r > 0x7f || !digit(byte(r)) && (byte(r)|0x20 < 'a' || byte(r)|0x20 > 'z'))
	})
}

// ungroup takes underscores between digits out of a number; ok is false where one stands elsewhere.
func ungroup(s string) (string, bool) {
	if strings.IndexByte(s, '_') < 0 {
		return s, true
	}
	for i := range len(s) {
		if s[i] == '_' && (i == 0 || i == len(s)-1 || !digit(s[i-1]) || !digit(s[i+1])) {
			return "", false
		}
	}
	return strings.ReplaceAll(s, "_", ""), true
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// Append appends the text of v as CAST(v AS VARCHAR) gives it: 1.50, 100.0, true, 2024-01-05, 2024-01-05 10:20:30.5.
func Append(dst []byte, t pruning.Type, v pruning.Value) []byte {
	switch t.Kind {
	case pruning.Float32:
		return appendFloat(dst, v.Float(), 32)
	case pruning.Float64:
		return appendFloat(dst, v.Float(), 64)
	case pruning.Date:
		return appendDate(dst, v.Int())
	case pruning.Datetime, pruning.Timestamp:
		return appendTimestamp(dst, t, v.Int())
	case pruning.Time:
		return appendClock(dst, v.Int(), 6)
	case pruning.Decimal:
		return appendDecimal(dst, t, v)
	}
	return t.Append(dst, v)
}

// appendDecimal writes no digit before the point where the type has none: .50 of a DECIMAL(2,2).
func appendDecimal(dst []byte, t pruning.Type, v pruning.Value) []byte {
	from := len(dst)
	dst = t.Append(dst, v)
	if t.Scale == 0 || t.Scale < t.Precision {
		return dst
	}
	zero := from + bytes.IndexByte(dst[from:], '0')
	return append(dst[:zero], dst[zero+1:]...)
}

// appendFloat writes the shortest text that reads back; a whole number gets ".0", an exponent two digits at least.
func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 0):
		if f < 0 {
			dst = append(dst, '-')
		}
		return append(dst, "inf"...)
	}
	const least, most = 1e-4, 1e16 // outside of these an exponent is written
	if a := math.Abs(f); a != 0 && (a < least || a >= most) {
		return strconv.AppendFloat(dst, f, 'e', -1, bits)
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, bits)
	if !strings.Contains(string(dst[from:]), ".") {
		dst = append(dst, ".0"...)
	}
	return dst
}
