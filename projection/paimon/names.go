package paimon

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// naming is how values of partition columns become names of directories (apache/paimon, utils/PartitionPathUtils.java,
// utils/InternalRowPartitionComputer.java).
type naming struct {
	legacy bool   // partition.legacy-name: values in their internal form, such as 19723 for a date
	blank  string // partition.default-name: the name of NULL and of blank texts
}

func (d *definition) naming() naming {
	n := naming{legacy: d.isTrue(legacyNameOption, true), blank: "__DEFAULT_PARTITION__"}
	if t, ok := d.get(defaultNameOption); ok {
		n.blank = t.S
	}
	return n
}

// level is the directory of a column's value, such as "dt=2025-03-27"; ok is false where it can't be told from the value:
// Java's text of floating point numbers isn't derived here, and bytes have none that means anything, or only as UTF-8.
func (n *naming) level(c *column, v pruning.Nullable) (dir string, ok bool) {
	text := n.blank
	if !v.Null {
		if text, ok = n.text(c, v.Value); !ok {
			return "", false
		}
		if c.typ.Kind == pruning.String && isBlank(text) {
			text = n.blank
		}
	}
	return escape(c.name.S) + "=" + escape(text), true
}

// text is a value as it stands in a name, before escaping.
func (n *naming) text(c *column, v pruning.Value) (string, bool) {
	switch c.typ.Kind {
	case pruning.String:
		return v.Text(), !c.bytes() || !n.legacy && utf8.ValidString(v.Text())
	case pruning.Bool:
		return strconv.FormatBool(v.Int() != 0), true
	case pruning.Decimal:
		return decimalText(c.typ.Big(v), int(c.typ.Scale)), true
	case pruning.Date:
		if n.legacy {
			return strconv.FormatInt(v.Int(), 10), true
		}
		return string(c.typ.Append(nil, v)), true
	case pruning.Time:
		if n.legacy {
			return strconv.FormatInt(v.Int()/1000, 10), true
		}
		return clock(v.Int()/1e6, v.Int()%1e6, 6, trimZeros), true
	case pruning.Datetime, pruning.Timestamp:
		return n.timestamp(c.typ, v), true
	case pruning.Float32, pruning.Float64, pruning.NoKind:
		return "", false
	}
	return string(c.typ.Append(nil, v)), true
}

// decimalText is a decimal in plain notation with all digits of its scale.
func decimalText(u *big.Int, scale int) string {
	digits := new(big.Int).Abs(u).String()
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	if scale > 0 {
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if u.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

// timestamp is Java's LocalDateTime.toString, or SQL's text with all digits of the type.
func (n *naming) timestamp(t pruning.Type, v pruning.Value) string {
	digits := int(t.Precision)
	if t.Kind == pruning.Datetime {
		digits = 0
	}
	unit := power(digits)
	sec := floorDiv(v.Int(), unit)
	frac := v.Int() - sec*unit
	day := floorDiv(sec, 86400)
	sec -= day * 86400
	date := string(pruning.Type{Kind: pruning.Date}.Append(nil, pruning.Int(day)))
	switch {
	case !n.legacy:
		return date + " " + clock(sec, frac, digits, allDigits)
	case sec%60 == 0 && frac == 0:
		return date + "T" + clock(sec, 0, 0, allDigits)[:len("12:34")]
	}
	return date + "T" + clock(sec, frac, digits, threes)
}

// fraction is how many digits of a second are written.
type fraction uint8

const (
	allDigits fraction = iota
	trimZeros
	threes // 3, 6 or 9, as many as are needed
)

// clock is hh:mm:ss with a fraction of a second in units of 10^-digits.
func clock(sec, frac int64, digits int, how fraction) string {
	b := make([]byte, 0, len("12:34:56.123456789"))
	for i, n := range [...]int64{sec / 3600, sec / 60 % 60, sec % 60} {
		if i > 0 {
			b = append(b, ':')
		}
		b = append(b, byte('0'+n/10), byte('0'+n%10))
	}
	if digits == 0 || how != allDigits && frac == 0 {
		return string(b)
	}
	text := strconv.FormatInt(power(digits)+frac, 10)[1:]
	switch how {
	case trimZeros:
		text = strings.TrimRight(text, "0")
	case threes:
		text = strings.TrimRight(text, "0")
		text += strings.Repeat("0", (3-len(text)%3)%3)
	}
	return string(b) + "." + text
}

// escape writes what can't stand in a name as % and two digits (PartitionPathUtils.escapePathName).
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	if !strings.ContainsFunc(s, isEscaped) {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		if c := s[i]; isEscaped(rune(c)) {
			b = append(b, '%', hex[c>>4], hex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

func isEscaped(c rune) bool {
	return c < ' ' || c == 0x7f || c < 0x80 && strings.IndexByte(`"#%'*/:=?\{}[]^`, byte(c)) >= 0
}

// held is what the text of a directory says of its column. Names that readers of either form write are both understood.
func (n *naming) held(c *column, text string) projection.KeyValue {
	text = projection.UnescapeName(text)
	switch {
	case text == n.blank && c.typ.Kind == pruning.String:
		return projection.KeyValue{Null: !c.notNull, Several: n.blankIn}
	case text == n.blank:
		return projection.KeyValue{Null: true}
	case c.bytes() && (n.legacy || strings.ContainsRune(text, utf8.RuneError)), c.typ.Kind == pruning.NoKind:
		return projection.KeyValue{Unknown: true}
	}
	v, ok := parse(c.typ, text)
	return projection.KeyValue{Value: v, Unknown: !ok}
}

// blankIn reports whether the default directory of texts may hold one from lo on and below hi: a blank one, or the
// directory's own name.
func (n *naming) blankIn(lo pruning.Value, hi *pruning.Value) bool {
	if pruning.Compare(pruning.Text(n.blank), lo) >= 0 && (hi == nil || pruning.Compare(pruning.Text(n.blank), *hi) < 0) {
		return true
	}
	least, ok := leastBlank(lo.Text())
	return ok && (hi == nil || least < hi.Text())
}

// parse reads the text of a value in either form of names.
func parse(t pruning.Type, text string) (v pruning.Value, ok bool) {
	switch t.Kind {
	case pruning.String:
		return pruning.Text(text), true
	case pruning.Bool:
		v, err := t.Parse(strings.ToLower(text))
		return v, err == nil
	case pruning.Date, pruning.Time:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			if t.Kind == pruning.Time {
				n *= 1000
			}
			return pruning.Int(n), t.Holds(pruning.Int(n))
		}
	case pruning.Datetime, pruning.Timestamp:
		if n := len("2024-01-01T12:34"); len(text) == n {
			text += ":00"
		} else if strings.Contains(text, ".") { // Java writes 3, 6 or 9 digits
			text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
	case pruning.Float32, pruning.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if t.Kind == pruning.Float32 {
			f = float64(float32(f))
		}
		return pruning.Float(f), err == nil
	}
	v, err := t.Parse(text)
	return v, err == nil
}

// blanks are the characters that Java takes for white space (Character.isWhitespace, with U+180E of older versions), in
// byte order.
var blanks = []string{"\t", "\n", "\v", "\f", "\r", "\x1c", "\x1d", "\x1e", "\x1f", " ", "\u1680", "\u180e", "\u2000", "\u2001", "\u2002",
	"\u2003", "\u2004", "\u2005", "\u2006", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u205f", "\u3000"}

// cutBlank is s without the blank character that it begins with.
func cutBlank(s string) (rest string, ok bool) {
	for _, b := range blanks {
		if rest, ok = strings.CutPrefix(s, b); ok {
			return rest, true
		}
	}
	return s, false
}

func isBlank(s string) bool {
	for s != "" {
		var ok bool
		if s, ok = cutBlank(s); !ok {
			return false
		}
	}
	return true
}

// leastBlank is the least blank text that isn't below s; ok is false where there is none.
func leastBlank(s string) (least string, ok bool) {
	if isBlank(s) {
		return s, true
	}
	// Keep as many blanks as s begins with, and then the least that is above what follows; else one fewer.
	var ends []int
	for rest := s; ; {
		ends = append(ends, len(s)-len(rest))
		var more bool
		if rest, more = cutBlank(rest); !more {
			break
		}
	}
	for _, end := range slices.Backward(ends) {
		i, _ := slices.BinarySearch(blanks, s[end:])
		for ; i < len(blanks); i++ {
			if blanks[i] > s[end:] {
				return s[:end] + blanks[i], true
			}
		}
	}
	return "", false
}
