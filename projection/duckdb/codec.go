package duckdb

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// nullName is the directory text that stands for NULL, in this case only.
const nullName = "__HIVE_DEFAULT_PARTITION__"

// meansNull reports whether a directory's text is NULL whatever the key's type: the reserved name, or NULL in any case,
// which DuckDB wrote up to 1.4 and reads up to 1.5.
func meansNull(text string) bool {
	return text == nullName || len(text) == 4 && strings.EqualFold(text, "null")
}

// held is what a key is in one directory.
type held struct {
	v     pruning.Value
	null  bool
	unfit bool // the text is no value of the key's type
}

// read gives the value that a directory's text stands for. Empty text is NULL unless the key is a text.
func (k *key) read(text string) held {
	switch {
	case meansNull(text), text == "" && k.typ.Kind != pruning.String && k.typ.Kind != pruning.NoKind:
		return held{null: true}
	case k.typ.Kind == pruning.NoKind:
		return held{v: pruning.Text(decode(text))}
	case k.typ.Kind == pruning.Int64 && !k.given && allDigits(text) && len(text) <= 18:
		n, _ := strconv.ParseInt(text, 10, 64)
		return held{v: pruning.Int(n)}
	}
	v, ok := ducktext.Parse(k.typ, decode(text))
	return held{v: v, unfit: !ok}
}

// detect is the type of a key with this text in a directory's name, as it stands there: DATE, TIMESTAMP, BIGINT, else VARCHAR.
func detect(text string) detected {
	if text == "" || text[0] > '9' && !special(text) {
		return asText
	}
	if allDigits(text) && text[0] != '0' && len(text) <= 18 { // the usual number, and nothing else
		return asBigint
	}
	for d, t := range detectedTypes[:asText] {
		if _, ok := ducktext.ParseStrict(t, text); ok {
			return detected(d)
		}
	}
	return asText
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// special reports whether a text begins like one of the words that are dates: infinity, epoch.
func special(text string) bool { return strings.IndexByte("iIeE", text[0]) >= 0 }

type detected uint8

const (
	asDate detected = iota
	asTimestamp
	asBigint
	asText
	undetected
)

var (
	detectedTypes = [...]pruning.Type{{Kind: pruning.Date}, {Kind: pruning.Timestamp, Precision: 6}, {Kind: pruning.Int64}, {Kind: pruning.String},
		undetected: {Kind: pruning.String}}
	detectedNames = [...]string{"DATE", "TIMESTAMP", "BIGINT", "VARCHAR", undetected: "VARCHAR"}
)

// decode replaces %XX by the byte that it stands for; other percent signs are literal.
func decode(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	b = append(b, s[:i]...)
	for ; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, ok1 := hex(s[i+1])
			lo, ok2 := hex(s[i+2])
			if ok1 && ok2 {
				b = append(b, hi<<4|lo)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func hex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// pair is a part of a path that is a key with a text: year=2024.
type pair struct{ name, text string }

// pairs finds the keys in the directories of a path, outermost first. A part is one if it has one "=" that isn't its
// first character and no "?" or line break. Of the same key twice, the outermost counts. Both slashes separate parts.
func pairs(dst []pair, path string) []pair {
	from := 0
	for i := range len(path) {
		if path[i] != '/' && path[i] != '\\' {
			continue
		}
		if p, ok := asPair(path[from:i]); ok && !named(dst, p.name) {
			dst = append(dst, p)
		}
		from = i + 1
	}
	return dst
}

func asPair(part string) (pair, bool) {
	eq := strings.IndexByte(part, '=')
	if eq == 0 { // =x=y has the key "=x"
		if eq = strings.IndexByte(part[1:], '=') + 1; eq == 0 {
			return pair{}, false
		}
	}
	if eq < 0 || strings.IndexByte(part[eq+1:], '=') >= 0 || strings.IndexByte(part, '?') >= 0 || strings.IndexByte(part, '\n') >= 0 {
		return pair{}, false
	}
	return pair{part[:eq], part[eq+1:]}, true
}

func named(ps []pair, name string) bool {
	for i := range ps {
		if ps[i].name == name {
			return true
		}
	}
	return false
}

// appendDir appends the name of the directory that DuckDB writes for a key's value: k=a%20b, k=__HIVE_DEFAULT_PARTITION__
// for NULL. Names and values are escaped alike: all but A-Z a-z 0-9 _ - ~ and ".". A text that equals the reserved name in
// any case has its first character escaped, so that it isn't taken for NULL (DuckDB's main branch; 1.5 loses rows there).
func appendDir(dst []byte, name, value string, null bool) []byte {
	dst = append(appendEscaped(dst, name), '=')
	switch {
	case null:
		return append(dst, nullName...)
	case strings.EqualFold(value, nullName):
		return append(append(dst, "%5F"...), value[1:]...)
	}
	return appendEscaped(dst, value)
}

func appendEscaped(dst []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '~', c == '.':
			dst = append(dst, c)
		default:
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst
}

// validText reports whether what a text decodes to can be a VARCHAR.
func validText(text string) bool {
	if strings.IndexByte(text, '%') < 0 {
		return utf8.ValidString(text)
	}
	return utf8.ValidString(decode(text))
}
