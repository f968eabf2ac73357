package projection

import "strings"

// NullName is the folder of NULL and of the empty text in Hive's layout.
const NullName = "__HIVE_DEFAULT_PARTITION__"

// reserved are the bytes that Hive writes as %XX in folder names (Hive, FileUtils.java; Trino, Partitions.java).
func reserved(c byte) bool {
	return c < ' ' || c == 0x7F || strings.IndexByte("\"#%'*/:=?\\{[]^", c) >= 0
}

// EscapeName is a column's name or value as Hive writes it into a folder's name: a:b is a%3Ab, and the empty text is
// [NullName].
func EscapeName(s string) string {
	if s == "" {
		return NullName
	}
	for i := range len(s) {
		if reserved(s[i]) {
			return string(appendEscaped(make([]byte, 0, len(s)+8), []byte(s)))
		}
	}
	return s
}

func appendEscaped(dst, s []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range s {
		if reserved(c) {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// UnescapeName is the inverse of [EscapeName] but for [NullName]. A % that two hexadecimal digits don't follow stays.
func UnescapeName(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi < 16 && lo < 16 {
				out = append(out, hi<<4|lo)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xFF
}

// Escape is an axis whose texts are those of a as Hive writes them into folder names; a itself where that changes nothing.
func Escape(a Axis) Axis {
	shape := shapeOf(a)
	if shape.Min > 0 && !shape.Bytes.reserved() {
		return a
	}
	return &escaped{a}
}

func (s *ByteSet) reserved() bool {
	for c := range 256 {
		if s.Has(byte(c)) && reserved(byte(c)) {
			return true
		}
	}
	return false
}

// escaped writes the texts of an axis in another way.
type escaped struct{ Axis }

// AppendName implements [Axis].
func (e *escaped) AppendName(dst []byte, i uint64) []byte {
	var buf [64]byte
	text := e.Axis.AppendName(buf[:0], i)
	if len(text) == 0 {
		return append(dst, NullName...)
	}
	return appendEscaped(dst, text)
}

// Shape implements [Texts].
func (e *escaped) Shape() Shape {
	plain := shapeOf(e.Axis)
	out := Shape{Min: plain.Min, Max: min(3*plain.Max, maxLength), Plain: true}
	for c := range 256 {
		switch {
		case !plain.Bytes.Has(byte(c)):
		case reserved(byte(c)):
			out.Bytes.add("%0123456789ABCDEF")
		default:
			out.Bytes.Add(byte(c))
		}
	}
	if plain.Min == 0 {
		out.Min, out.Max = 1, max(out.Max, len(NullName))
		out.Bytes.add(NullName)
	}
	return out
}

func (s *ByteSet) add(text string) {
	for i := range len(text) {
		s.Add(text[i])
	}
}

// Pieces implements [Texts]. They aren't known.
func (e *escaped) Pieces() ([]Piece, bool) { return nil, false }

// Find implements [Texts].
func (e *escaped) Find(text string) (uint64, bool) {
	a, ok := e.Axis.(Texts)
	if !ok {
		return 0, false
	}
	for _, plain := range []string{UnescapeName(text), ""} {
		if i, ok := a.Find(plain); ok && string(e.AppendName(nil, i)) == text {
			return i, true
		}
	}
	return 0, false
}

// Twins implements [Texts]: different texts stay different, but for the empty one and [NullName].
func (e *escaped) Twins() (i, j uint64, found, decided bool) {
	if i, j, found, decided = twins(e.Axis); found {
		return i, j, found, decided
	}
	a, ok := e.Axis.(Texts)
	if !ok {
		return 0, 0, false, false
	}
	first, empty := a.Find("")
	second, named := a.Find(NullName)
	if empty && named {
		return min(first, second), max(first, second), true, true
	}
	return 0, 0, false, decided
}

// Ascends reports whether the values of an axis are known to ascend: those of numbers and dates do, as texts may not.
func Ascends(a Axis) bool {
	switch a := a.(type) {
	case *escaped:
		return Ascends(a.Axis)
	case *Integer:
		return !a.text
	case *Date:
		return a.value == dateNumber || a.value == dateUnsigned
	}
	return false
}
