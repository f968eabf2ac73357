package explain

import (
	"bytes"
	"io"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// jsonWriter writes indented JSON from front to back. The first error of the underlying writer stays.
type jsonWriter struct {
	w      io.Writer
	buf    []byte
	err    error
	depth  int
	filled bool // something stands in the innermost list or object
	keyed  bool // a key was written and waits for its value
	inline int  // depth from which on everything stays on one line; 0: none
	text   []byte
}

const jsonBlock = 1 << 15

// next goes to where the next element stands: behind its key, or behind a comma on a new line.
func (j *jsonWriter) next() {
	if j.keyed {
		j.keyed = false
		return
	}
	if j.depth == 0 {
		return
	}
	if j.filled {
		j.buf = append(j.buf, ',')
	}
	j.line()
	j.filled = true
}

func (j *jsonWriter) line() {
	if j.inline > 0 {
		j.buf = append(j.buf, ' ')
		return
	}
	j.buf = append(j.buf, '\n')
	for range j.depth {
		j.buf = append(j.buf, ' ', ' ')
	}
}

func (j *jsonWriter) open(bracket byte) {
	j.next()
	j.buf = append(j.buf, bracket)
	j.depth++
	j.filled = false
}

// openInline is open for an object or list that stands on one line with all that is in it.
func (j *jsonWriter) openInline(bracket byte) {
	j.open(bracket)
	if j.inline == 0 {
		j.inline = j.depth
	}
}

func (j *jsonWriter) close(bracket byte) {
	j.depth--
	if j.filled {
		j.line()
	}
	j.buf = append(j.buf, bracket)
	if j.inline > j.depth {
		j.inline = 0
	}
	j.filled = true
	if len(j.buf) >= jsonBlock {
		j.flush()
	}
}

func (j *jsonWriter) flush() {
	if j.err == nil {
		_, j.err = j.w.Write(j.buf)
	}
	j.buf = j.buf[:0]
}

// key writes a key. The value is what is written next.
func (j *jsonWriter) key(name string) *jsonWriter {
	j.next()
	j.buf = appendJSONString(j.buf, name)
	j.buf = append(j.buf, ": "...)
	j.keyed = true
	return j
}

func (j *jsonWriter) string(s string) {
	j.next()
	j.buf = appendJSONString(j.buf, s)
}

// stringOrNull writes null for the empty text.
func (j *jsonWriter) stringOrNull(s string) {
	if s == "" {
		j.null()
		return
	}
	j.string(s)
}

func (j *jsonWriter) bytes(b []byte) {
	j.next()
	j.buf = appendJSONString(j.buf, b)
}

func (j *jsonWriter) null() { j.raw("null") }

func (j *jsonWriter) bool(b bool) { j.raw(strconv.FormatBool(b)) }

func (j *jsonWriter) int(n int) {
	j.next()
	j.buf = strconv.AppendInt(j.buf, int64(n), 10)
}

func (j *jsonWriter) raw(s string) {
	j.next()
	j.buf = append(j.buf, s...)
}

// count writes a number of units: null for nil.
func (j *jsonWriter) count(n *big.Int) {
	if n == nil {
		j.null()
		return
	}
	j.text = n.Append(j.text[:0], 10)
	j.number(j.text)
}

// value writes a key's value as its type wants it: numbers, booleans, and text for all else.
func (j *jsonWriter) value(t pruning.Type, v pruning.Value) {
	j.text = t.Append(j.text[:0], v)
	switch t.Kind {
	case pruning.Bool:
		j.bool(v.Int() != 0)
	case pruning.Float32, pruning.Float64:
		if f := v.Float(); math.IsInf(f, 0) || math.IsNaN(f) {
			j.bytes(j.text)
			return
		}
		j.next()
		j.buf = append(j.buf, j.text...)
	case pruning.Int8, pruning.Int16, pruning.Int32, pruning.Int64, pruning.Int128,
		pruning.Uint8, pruning.Uint16, pruning.Uint32, pruning.Uint64, pruning.Uint128, pruning.Decimal:
		j.number(j.text)
	default:
		j.bytes(j.text)
	}
}

// typed writes a value of a layout's key, dates in the form of its system.
func (j *jsonWriter) typed(l *projection.Layout, t pruning.Type, v pruning.Value) {
	if k := t.Kind; l.Text == nil || k != pruning.Date && k != pruning.Datetime && k != pruning.Timestamp && k != pruning.Time {
		j.value(t, v)
		return
	}
	j.text = l.Text(j.text[:0], t, v)
	j.bytes(j.text)
}

// number writes digits: as a string when a double, which is what most readers of JSON make of a number, would not hold
// them all.
func (j *jsonWriter) number(digits []byte) {
	if !fitsDouble(digits) {
		j.bytes(digits)
		return
	}
	j.next()
	j.buf = append(j.buf, digits...)
}

// fitsDouble reports whether a double gives a decimal number back: 15 digits always do, whole numbers up to 2^53.
func fitsDouble(number []byte) bool {
	digits := bytes.TrimLeft(number, "-0.")
	if len(digits)-bytes.Count(digits, []byte(".")) <= 15 {
		return true
	}
	n, err := strconv.ParseInt(string(number), 10, 64)
	return err == nil && -1<<53 <= n && n <= 1<<53
}

const hexDigits = "0123456789abcdef"

// appendJSONString appends s quoted. Bytes that aren't UTF-8 become U+FFFD, as encoding/json has it.
func appendJSONString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, size = decodeRune(s[i:]); r != utf8.RuneError || size != 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[from:i]...)
		dst = appendJSONEscape(dst, c)
		i += size
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

func appendJSONEscape(dst []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, `\n`...)
	case c == '\t':
		return append(dst, `\t`...)
	case c >= utf8.RuneSelf:
		return append(dst, `\ufffd`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

func decodeRune[T string | []byte](s T) (rune, int) {
	return utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
}
