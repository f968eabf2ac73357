package pruning

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// ParseError says why a text isn't a value of a type.
type ParseError struct {
	Type  Type
	Text  string
	Range bool   // the text has the right form, but the type doesn't reach that far
	Want  string // what was expected: "a whole number", "YYYY-MM-DD"
}

// Error is `"13x" is not an int32: want a whole number`, or `"300" is not a uint8: want 0…255`.
func (e *ParseError) Error() string {
	text := e.Text
	if len(text) > 64 {
		text = text[:61] + "..."
	}
	name := e.Type.String()
	article := " is not a "
	if strings.IndexByte("aeio", name[0]) >= 0 || e.Type.Kind == NoKind {
		article = " is not an "
	}
	return strconv.Quote(text) + article + name + ": want " + e.Want
}

// Parse reads the exact text form of a value; nothing is trimmed, rounded or guessed. Errors are of type *[ParseError].
//
//	integers    [+-]digits; leading zeros are fine
//	decimals    [+-]digits[.digits], at most Scale digits after the point beside zeros
//	floats      as strconv.ParseFloat without hexadecimal forms: 1e-3, inf, NaN
//	bool        true, false, in any case
//	date        YYYY-MM-DD
//	datetime    YYYY-MM-DDThh:mm:ss[Z], a blank may stand for T
//	timestamp   the same with an optional fraction of at most Precision digits
//	time        hh:mm:ss[.ffffff]
//	interval    [-]P[nW][nD][T[nH][nM][n[.ffffff]S]]
//	uuid        8-4-4-4-12 hexadecimal digits
func (t Type) Parse(text string) (Value, error) {
	v, want := t.parse(text)
	switch want {
	case "":
		return v, nil
	case outOfRange:
		return Value{}, &ParseError{Type: t, Text: text, Range: true, Want: t.rangeText()}
	}
	return Value{}, &ParseError{Type: t, Text: text, Want: want}
}

const (
	outOfRange = "a value in range"
	wholeForm  = "a whole number"
)

func (t Type) rangeText() string {
	top, _ := t.Max()
	return string(t.Append(append(t.Append(nil, t.Min()), "…"...), top))
}

// parse gives the value, or else what was wanted.
func (t Type) parse(text string) (v Value, want string) {
	switch t.Kind {
	case NoKind:
		return v, "a type that values can be compared in"
	case Bool:
		return parseBool(text)
	case Float32, Float64:
		return t.parseFloat(text)
	case String:
		return Text(text), ""
	case Date:
		day, rest, want := parseDay(text)
		if rest != "" {
			want = dateForm
		}
		return Int(day), want
	case Datetime, Timestamp:
		return t.parseInstant(text)
	case Time:
		micros, rest, ok := parseClock(text, 6)
		if !ok || rest != "" {
			return v, "hh:mm:ss[.ffffff]"
		}
		return Int(micros), ""
	case Interval:
		return t.parseInterval(text)
	case UUID:
		return parseUUID(text)
	}
	return t.parseNumber(text)
}

func parseBool(text string) (Value, string) {
	switch {
	case strings.EqualFold(text, "true"):
		return Int(1), ""
	case strings.EqualFold(text, "false"):
		return Int(0), ""
	}
	return Value{}, "true or false"
}

func (t Type) parseFloat(text string) (Value, string) {
	width := 64
	if t.Kind == Float32 {
		width = 32
	}
	f, err := strconv.ParseFloat(text, width)
	if err == nil && !strings.ContainsAny(text, "xX_") {
		return Float(f), ""
	}
	if err != nil && err.(*strconv.NumError).Err == strconv.ErrRange {
		return Value{}, outOfRange
	}
	return Value{}, "a number"
}

// parseNumber reads integers and decimals of all widths.
func (t Type) parseNumber(text string) (v Value, want string) {
	scale := 0
	want = wholeForm
	if t.Kind == Decimal {
		scale = int(t.Scale)
		want = "a number with at most " + strconv.Itoa(scale) + " digits after the point"
	}
	digits, neg := cutSign(text)
	w, ok, fits := parseMagnitude(digits, scale)
	if !ok {
		return v, want
	}
	if v, fits = t.fromMagnitude(w, neg, fits); !fits {
		return v, outOfRange
	}
	return v, ""
}

// fromMagnitude is the number w or -w; ok is false when it is out of the type's range or fits is false already.
func (t Type) fromMagnitude(w wide, neg, fits bool) (v Value, ok bool) {
	switch {
	case t.unsigned():
		fits = fits && (!neg || w == wide{})
		w.hi ^= math.MinInt64
	case neg:
		fits = fits && (w.hi >= 0 || w == wide{hi: math.MinInt64})
		w = w.neg()
	default:
		fits = fits && w.hi >= 0
	}
	switch {
	case t.isWide():
		v = w.value()
	case t.unsigned():
		fits = fits && w.hi == math.MinInt64
		v = Uint(w.lo)
	default:
		fits = fits && w.hi == int64(w.lo)>>63
		v = Int(int64(w.lo))
	}
	return v, fits && t.Holds(v)
}

func cutSign(text string) (digits string, neg bool) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[1:], text[0] == '-'
	}
	return text, false
}

// parseMagnitude reads digits[.digits] as an unsigned number of 10^-scale; fits is false beyond 128 bits.
func parseMagnitude(text string, scale int) (w wide, ok, fits bool) {
	whole, frac, point := strings.Cut(text, ".")
	if point && scale == 0 || whole == "" || point && frac == "" {
		return w, false, false
	}
	if len(frac) > scale {
		if strings.Trim(frac[scale:], "0") != "" {
			return w, false, false
		}
		frac = frac[:scale]
	}
	fits = true
	for _, part := range [2]string{whole, frac} {
		for i := range len(part) {
			d := part[i] - '0'
			if d > 9 {
				return w, false, false
			}
			next, room := w.mul10(uint64(d))
			w, fits = next, fits && room
		}
	}
	for range scale - len(frac) {
		next, room := w.mul10(0)
		w, fits = next, fits && room
	}
	return w, true, fits
}

const uuidForm = "8-4-4-4-12 hexadecimal digits"

func parseUUID(text string) (v Value, want string) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return v, uuidForm
	}
	b, err := hex.DecodeString(text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:])
	if err != nil {
		return v, uuidForm
	}
	return Text(string(b)), ""
}
