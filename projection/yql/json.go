package yql

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// jsonKind is what a value of a flat JSON text is.
type jsonKind uint8

const (
	jsonText jsonKind = iota
	jsonNumber
	jsonBool
	jsonNull
	jsonList
	jsonObject
)

// String is the kind as messages name it.
func (k jsonKind) String() string {
	return [...]string{"a text", "a number", "a boolean", "null", "a list", "an object"}[k]
}

// jsonValue is a value with its place. Its text is decoded; of lists and objects, which aren't looked into, it is the source.
type jsonValue struct {
	projection.Text
	kind jsonKind
}

// jsonMember is one "key": value of an object.
type jsonMember struct{ key, value jsonValue }

// jsonError says what is wrong between two bytes of a JSON text.
type jsonError struct {
	from, to  int
	msg, hint string
}

// jsonReader reads flat JSON as YDB does: texts may stand in single quotes or, without special characters, in none.
// What is nested is skipped, so no text is too deep.
type jsonReader struct {
	src projection.Text
	pos int
}

// readObject hands on the members of an object as they are read, so those before an error too.
func readObject(src projection.Text, member func(jsonMember)) *jsonError {
	r := &jsonReader{src: src}
	return r.items('{', '}', func() *jsonError {
		key, err := r.value()
		if err != nil {
			return err
		}
		if key.kind == jsonList || key.kind == jsonObject {
			return r.fail(r.pos-len(key.S), r.pos, "a key is missing", `write "key": "value"`)
		}
		if r.peek() != ':' {
			return r.unexpected("':' and a value should follow the key", `write "key": "value"`)
		}
		r.pos++
		value, err := r.value()
		if err == nil {
			member(jsonMember{key, value})
		}
		return err
	})
}

// readList reads the items of a list. On an error those before it are given too.
func readList(src projection.Text) (vs []jsonValue, err *jsonError) {
	r := &jsonReader{src: src}
	err = r.items('[', ']', func() *jsonError {
		v, err := r.value()
		if err == nil {
			vs = append(vs, v)
		}
		return err
	})
	return vs, err
}

// items reads what stands between brackets, separated by commas, and checks that nothing follows.
func (r *jsonReader) items(open, closing int, item func() *jsonError) *jsonError {
	if r.peek() != open {
		return r.unexpected("the text should begin with '"+string(rune(open))+"'", "")
	}
	for begin := r.step(); r.peek() != closing; {
		if err := item(); err != nil {
			return err
		}
		switch r.peek() {
		case ',':
			comma := r.step()
			if r.peek() == closing {
				return r.fail(comma, comma+1, "nothing follows the comma", "drop the comma")
			}
		case closing:
		case jsonEnd:
			return r.fail(begin, begin+1, "the '"+string(rune(open))+"' is never closed", "add '"+string(rune(closing))+"'")
		default:
			return r.unexpected("',' or '"+string(rune(closing))+"' should follow", "")
		}
	}
	r.pos++
	if r.peek() != jsonEnd {
		return r.fail(r.pos, len(r.src.S), "text follows the closing '"+string(rune(closing))+"'", "drop what follows")
	}
	return nil
}

// step passes one byte and gives its place.
func (r *jsonReader) step() int { r.pos++; return r.pos - 1 }

const jsonEnd = -1

// peek passes blanks and gives the next byte, or jsonEnd.
func (r *jsonReader) peek() int {
	for ; r.pos < len(r.src.S); r.pos++ {
		if c := r.src.S[r.pos]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return int(c)
		}
	}
	return jsonEnd
}

func (r *jsonReader) fail(from, to int, msg, hint string) *jsonError {
	return &jsonError{from, to, msg, hint}
}

func (r *jsonReader) unexpected(msg, hint string) *jsonError {
	if r.peek() == jsonEnd {
		return r.fail(r.pos, r.pos, "the text ends too early: "+msg, hint)
	}
	_, size := utf8.DecodeRuneInString(r.src.S[r.pos:])
	found := projection.Quote(r.src.S[r.pos : r.pos+size])
	return r.fail(r.pos, r.pos+size, msg+", not "+found, hint)
}

// value reads a text, a word or a number, or skips what is nested.
func (r *jsonReader) value() (jsonValue, *jsonError) {
	switch r.peek() {
	case '"', '\'':
		return r.quoted()
	case '{':
		return r.nested(jsonObject)
	case '[':
		return r.nested(jsonList)
	}
	from := r.pos
	r.pos += wordLen(r.src.S[from:])
	if r.pos == from {
		return jsonValue{}, r.unexpected("a value should stand here", "")
	}
	word := r.src.Slice(from, r.pos)
	return jsonValue{word, wordKind(word.S)}, nil
}

// wordLen is the length of the unquoted text at the beginning of s.
func wordLen(s string) int {
	for i := range len(s) {
		if s[i] <= ' ' || strings.IndexByte(`,:[]{}"'\`, s[i]) >= 0 {
			return i
		}
	}
	return len(s)
}

func wordKind(s string) jsonKind {
	switch s {
	case "null":
		return jsonNull
	case "true", "false":
		return jsonBool
	}
	if c := s[0]; c == '-' || c >= '0' && c <= '9' {
		if _, err := strconv.ParseFloat(s, 64); err == nil || isRange(err) {
			return jsonNumber
		}
	}
	return jsonText
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// nested skips a list or object with all that it holds.
func (r *jsonReader) nested(kind jsonKind) (jsonValue, *jsonError) {
	from, depth := r.pos, 0
	for r.pos < len(r.src.S) {
		switch r.src.S[r.pos] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				r.pos++
				return jsonValue{r.src.Slice(from, r.pos), kind}, nil
			}
		case '"', '\'':
			if _, err := r.quoted(); err != nil {
				return jsonValue{}, err
			}
			continue
		}
		r.pos++
	}
	return jsonValue{}, r.fail(from, from+1, "the '"+r.src.S[from:from+1]+"' is never closed", "")
}

// quoted reads a text in quotes.
func (r *jsonReader) quoted() (jsonValue, *jsonError) {
	from, quote, s := r.pos, r.src.S[r.pos], r.src.S
	escaped := false
	for i := from + 1; i < len(s); i++ {
		switch s[i] {
		case quote:
			r.pos = i + 1
			if !escaped {
				return jsonValue{r.src.Quoted(from, r.pos), jsonText}, nil
			}
			return r.decode(from, r.pos)
		case '\\':
			escaped = true
			i++
		}
	}
	r.pos = len(s)
	return jsonValue{}, r.fail(from, from+1, "the quote is never closed", "add "+string(quote))
}

// decode resolves the escapes of the quoted text between two places.
func (r *jsonReader) decode(from, to int) (jsonValue, *jsonError) {
	body := r.src.S[from+1 : to-1]
	var b strings.Builder
	for i := 0; i < len(body); {
		c, size, ok := unescape(body[i:])
		if !ok {
			_, width := utf8.DecodeRuneInString(body[i+1:])
			return jsonValue{}, r.fail(from+1+i, from+2+i+width,
				"JSON has no escape "+body[i:i+1+width], `write \\ for a backslash`)
		}
		b.WriteString(c)
		i += size
	}
	at := ast.Decoding(len(body), func(at int) (out, in int) {
		c, size, _ := unescape(body[at:])
		return len(c), size
	})
	return jsonValue{r.src.Decoded(from, to, b.String(), func(k int) int { return from + 1 + at(k) }), jsonText}, nil
}

// unescape decodes what s begins with: one byte, or an escape. size is how many bytes of s that took.
func unescape(s string) (text string, size int, ok bool) {
	if s[0] != '\\' {
		return s[:1], 1, true
	}
	if s[1] == 'u' {
		return unescapeRune(s)
	}
	if i := strings.IndexByte(`"'\/bfnrt`, s[1]); i >= 0 {
		return "\"'\\/\b\f\n\r\t"[i : i+1], 2, true
	}
	return "", 0, false
}

// unescapeRune decodes \uXXXX, or two of them that together are one character.
func unescapeRune(s string) (text string, size int, ok bool) {
	r, ok := hex4(s)
	if !ok {
		return "", 0, false
	}
	if utf16.IsSurrogate(r) && len(s) >= 12 {
		if low, ok := hex4(s[6:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return string(both), 12, true
			}
		}
	}
	return string(r), 6, true
}

func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}
