package parser

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// class of a byte, for the first decision about a token.
type class uint8

const (
	other class = iota
	blank
	letter
	digit
	quote
	bracketOpen
	bracketClose
	punct
)

var classes = [256]class{
	'\t': blank, '\n': blank, '\v': blank, '\f': blank, '\r': blank, ' ': blank,
	'a': letter, 'b': letter, 'c': letter, 'd': letter, 'e': letter, 'f': letter, 'g': letter, 'h': letter, 'i': letter,
	'j': letter, 'k': letter, 'l': letter, 'm': letter, 'n': letter, 'o': letter, 'p': letter, 'q': letter, 'r': letter,
	's': letter, 't': letter, 'u': letter, 'v': letter, 'w': letter, 'x': letter, 'y': letter, 'z': letter,
	'A': letter, 'B': letter, 'C': letter, 'D': letter, 'E': letter, 'F': letter, 'G': letter, 'H': letter, 'I': letter,
	'J': letter, 'K': letter, 'L': letter, 'M': letter, 'N': letter, 'O': letter, 'P': letter, 'Q': letter, 'R': letter,
	'S': letter, 'T': letter, 'U': letter, 'V': letter, 'W': letter, 'X': letter, 'Y': letter, 'Z': letter, '_': letter,
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit, '9': digit,
	'\'': quote, '"': quote, '`': quote,
	'(': bracketOpen, '[': bracketOpen, '{': bracketOpen, ')': bracketClose, ']': bracketClose, '}': bracketClose,
	'+': punct, '-': punct, '*': punct, '/': punct, '%': punct, '<': punct, '>': punct, '=': punct, '!': punct,
	'|': punct, '&': punct, '^': punct, '~': punct, '?': punct, ':': punct, ',': punct, ';': punct, '.': punct,
	'@': punct, '$': punct,
}

// scan reads the token at pos, which is no blank.
func (s *scanner) scan() lexer.Token {
	from := s.pos
	c := s.text[from]
	switch classes[c] {
	case letter:
		return s.word()
	case digit:
		return s.number()
	case quote:
		return s.quoted(from)
	case bracketOpen:
		s.pos++
		s.open = append(s.open, from)
		if len(s.open) > maxDepth {
			return s.token(tokDeep, from)
		}
		return s.token(tokPunct, from)
	case bracketClose:
		s.pos++
		// Whatever it closes: Doris writes half-open ranges as [(1), (2)).
		s.open = s.open[:max(0, len(s.open)-1)]
		return s.token(tokPunct, from)
	case punct:
		return s.punct()
	}
	r, size := utf8.DecodeRuneInString(s.text[from:])
	if unicode.IsLetter(r) {
		return s.word()
	}
	s.pos += size
	return s.token(tokIllegal, from)
}

func (s *scanner) word() lexer.Token {
	from := s.pos
	s.nameChars()
	if s.pos-from == 1 && s.d.EscapePrefix && s.text[from]|0x20 == 'e' && s.follows("'") {
		return s.quoted(from)
	}
	if s.pos-from == 1 && s.d.UnicodeStrings && s.text[from]|0x20 == 'u' && s.follows("&'") {
		s.pos++
		return s.quoted(from)
	}
	return s.token(tokWord, from)
}

// nameChars skips letters, digits and underscores.
func (s *scanner) nameChars() {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if k := classes[c]; k == letter || k == digit || c == '$' && s.d.DollarNames {
			s.pos++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if c < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) {
			return
		}
		s.pos += size
	}
}

// number reads digits and all letters behind them; whether they make sense is for later.
func (s *scanner) number() lexer.Token {
	from := s.pos
	if s.text[from] == '0' && len(s.text) > from+1 && strings.IndexByte("xXoObB", s.text[from+1]) >= 0 {
		s.nameChars()
		return s.token(tokNumber, from)
	}
	s.digits()
	if prev := s.last[1]; prev.Value == "." && prev.Pos.Offset+1 == s.base+from {
		return s.token(tokNumber, from) // an element of a tuple: t.0.1
	}
	if s.follows(".") && !s.follows("..") && (len(s.text) == s.pos+1 || classes[s.text[s.pos+1]] != letter || s.exponent(s.pos+1)) {
		s.pos++
		s.digits()
	}
	if s.exponent(s.pos) {
		s.pos += 2 // e and its sign or first digit
	}
	s.nameChars()
	for rest := s.text[s.pos:]; len(rest) > 1 && rest[0] == '.' && classes[rest[1]] == digit; rest = s.text[s.pos:] {
		s.pos++ // 1.2.3 is one bad number
		s.nameChars()
	}
	return s.token(tokNumber, from)
}

func (s *scanner) digits() {
	for s.pos < len(s.text) && (classes[s.text[s.pos]] == digit || s.text[s.pos] == '_' && s.d.DigitGroups) {
		s.pos++
	}
}

// exponent reports whether e5, e+5 or e-5 stands at offset at.
func (s *scanner) exponent(at int) bool {
	rest := s.text[min(at, len(s.text)):]
	if len(rest) < 2 || rest[0]|0x20 != 'e' {
		return false
	}
	if rest[1] == '+' || rest[1] == '-' {
		rest = rest[1:]
	}
	return len(rest) > 1 && classes[rest[1]] == digit
}

// quoted reads a string or name whose quote is at pos and whose token begins at from.
func (s *scanner) quoted(from int) lexer.Token {
	delim := s.text[s.pos]
	q := s.quoting(delim, s.pos > from)
	if s.pos-from == len("U&") {
		q.How = ast.UnicodeQuote
	}
	if q.Is == Nothing {
		s.pos++
		return s.token(tokIllegal, from)
	}
	for at := s.pos + 1; at < len(s.text); at++ {
		switch c := s.text[at]; {
		case c == '\\' && (q.How == ast.CQuote || q.How == ast.BothQuote):
			at++
		case c == delim && q.How != ast.CQuote && strings.HasPrefix(s.text[at+1:], string(delim)):
			at++
		case c == delim:
			s.pos = at + 1
			return s.ending(from, q)
		}
	}
	s.pos = len(s.text)
	return s.token(tokOpen, from)
}

// quoting is what a quote character means here.
func (s *scanner) quoting(delim byte, prefixed bool) Quoting {
	q := s.d.Single
	switch delim {
	case '`':
		if s.d.DDL != nil && !s.ddl {
			return Quoting{Nothing, ast.NoQuote}
		}
		return s.d.Back
	case '"':
		q = s.d.Double
	}
	if s.ddl {
		q.How = s.d.DDL.How
	}
	if prefixed {
		q.How = ast.BothQuote
	}
	return q
}

// ending makes the token of a quoted text that ends before pos, with its suffix.
func (s *scanner) ending(from int, q Quoting) lexer.Token {
	kind := tokName
	if q.Is == String {
		kind = tokString
		end := s.pos
		s.nameChars()
		if !oneOf(s.text[end:s.pos], s.d.StringSuffixes) {
			s.pos = end
		}
	}
	t := s.token(kind, from)
	t.Pos.Column = int(q.How)
	return t
}

// until reads a text that begins and ends with mark and decodes as how.
func (s *scanner) until(mark string, how ast.Quote) lexer.Token {
	from := s.pos
	at := from + len(mark)
	for {
		n := strings.Index(s.text[at:], mark)
		if n < 0 {
			s.pos = len(s.text)
			return s.token(tokOpen, from)
		}
		at += n + len(mark)
		if how != ast.RawQuote || !strings.HasPrefix(s.text[at:], mark) {
			s.pos = at
			return s.ending(from, Quoting{String, how})
		}
		at += len(mark) // @@@@ stands for @@
	}
}

// punct reads an operator: the longest that there is.
func (s *scanner) punct() lexer.Token {
	from := s.pos
	rest := s.text[from:]
	switch c := rest[0]; {
	case c == '.' && len(rest) > 1 && classes[rest[1]] == digit && !s.behindOperand():
		s.pos++
		s.digits()
		if s.exponent(s.pos) {
			s.pos += 2
		}
		s.nameChars()
		return s.token(tokNumber, from)
	case c == '@' && s.d.RawStrings && strings.HasPrefix(rest, "@@"):
		return s.until("@@", ast.RawQuote)
	case c == '$':
		return s.dollar()
	case strings.HasPrefix(rest, "/*"):
		if !s.optionHint() {
			s.pos = len(s.text)
			return s.token(tokOpen, from)
		}
		s.hint = true
		s.pos += 3
	case s.hint && strings.HasPrefix(rest, "*/"):
		s.hint = false
		s.pos += 2
	case c == '?' && s.d.Marks:
		s.pos++
		s.marks++
		t := s.token(tokPunct, from)
		t.Pos.Column = s.marks
		return t
	default:
		s.pos += s.width(rest)
	}
	return s.token(tokPunct, from)
}

// optionHint reports whether /*+ OPTIONS(…) */ follows. Hints of other names are comments: they change no plan.
func (s *scanner) optionHint() bool {
	if !s.d.OptionHints || !s.follows("/*+") {
		return false
	}
	name := strings.TrimLeft(s.text[s.pos+len("/*+"):], " \t\r\n")
	n := len("OPTIONS")
	return len(name) > n && strings.EqualFold(name[:n], "OPTIONS") && classes[name[n]] != letter && classes[name[n]] != digit
}

// behindOperand tells the dot of t.0 from that of .5.
func (s *scanner) behindOperand() bool {
	prev := s.last[1]
	switch prev.Type {
	case tokWord, tokName, tokParam, tokNumber, tokString:
		return prev.Pos.Offset+len(prev.Value) == s.base+s.pos
	}
	return prev.Value == ")" || prev.Value == "]"
}

// dollar reads $x, or a string between dollars.
func (s *scanner) dollar() lexer.Token {
	from := s.pos
	s.pos++
	s.nameChars()
	if s.d.DollarStrings && s.follows("$") {
		tag := s.text[from : s.pos+1]
		s.pos = from
		return s.until(tag, ast.DollarQuote)
	}
	if s.pos == from+1 {
		return s.token(tokIllegal, from)
	}
	return s.token(tokParam, from)
}

// width is the length of the operator that a text begins with: of those that only this dialect has the longest, else of
// those that all have.
func (s *scanner) width(text string) int {
	for n := min(longestSign, len(text)); n > 1; n-- {
		if s.d.signs[text[:n]] {
			return n
		}
	}
	return width(text)
}

const longestSign = 4 // !~~*

func width(s string) int {
	if len(s) >= 3 {
		switch s[:3] {
		case "<=>", "|<<", ">>|":
			return 3
		}
	}
	if len(s) >= 2 {
		switch s[:2] {
		case "<<", "<=", "<>", "<|", "|>", "||", ">=", ">>", "!=", "==", "=>", "->", "::", ":=", "**", "//", "??", "&&":
			return 2
		}
	}
	return 1
}

// fold reports whether s is the upper case word in any case.
func fold(s, upper string) bool {
	if len(s) != len(upper) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != upper[i] {
			return false
		}
	}
	return true
}

// oneOf reports whether s is one of the upper case words in any case.
func oneOf(s string, words []string) bool {
	for _, w := range words {
		if fold(s, w) {
			return true
		}
	}
	return false
}
