package parser

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// Types of tokens. A token's value is a slice of the source, quotes and suffix included. Its position counts bytes only;
// Column is free and holds the [ast.Quote] of strings and quoted names.
const (
	tokWord    lexer.TokenType = -(iota + 2) // an unquoted name or keyword
	tokName                                  // `a`, or "a" where that is a name
	tokString                                // 'a', "a", @@a@@, $$a$$
	tokNumber                                // digits and whatever letters stand behind them
	tokParam                                 // $x
	tokPunct                                 // operators and brackets
	tokIllegal                               // a character that can't start a token
	tokOpen                                  // a string, name or comment without an end
	tokDeep                                  // the bracket that is too deep
	tokLong                                  // the first token too many
)

// symbols are the names of the token types in grammar tags.
var symbols = map[string]lexer.TokenType{
	"EOF": lexer.EOF, "Word": tokWord, "Name": tokName, "String": tokString, "Number": tokNumber, "Param": tokParam,
	"Punct": tokPunct, "Illegal": tokIllegal, "Open": tokOpen, "Deep": tokDeep, "Long": tokLong,
}

const (
	maxDepth  = 256     // brackets, prefix operators, subqueries, types within each other
	maxChain  = 1000    // operators of one level in a row: the height of a left-deep tree
	maxTokens = 2500000 // of a statement: 64 bytes each
)

// Symbols implements [lexer.Definition].
func (d *Dialect) Symbols() map[string]lexer.TokenType { return symbols }

// Lex implements [lexer.Definition]; the tokens are those of the first statement.
func (d *Dialect) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newScanner(ast.NewSource(name, string(text)), d), nil
}

// scanner splits a text into statements and these into tokens. It never fails: what is wrong becomes a token.
type scanner struct {
	d    *Dialect
	text string
	base int
	pos  int

	// Of the current statement:
	open  []int // offsets of the brackets that are open
	count int   // tokens
	ended bool  // at its semicolon, or at the end of the text
	cut   bool  // ended early: what follows up to the semicolon is unread
	ddl   bool  // quotes are those of DDL
	hint  bool  // inside /*+ … */
	block string
	last  [2]lexer.Token // the last two tokens, for END DEFINE and for tuple.0.1

	comments *[]ast.Comment // collected unless nil
}

func newScanner(src *ast.Source, d *Dialect) *scanner {
	s := &scanner{d: d, text: src.Text, base: int(src.Base)}
	if strings.HasPrefix(s.text, "\uFEFF") {
		s.pos = len("\uFEFF")
	}
	return s
}

// statement begins the next statement and reports whether there is one.
func (s *scanner) statement() bool {
	for s.blanks(); s.pos < len(s.text) && s.text[s.pos] == ';'; s.blanks() {
		s.pos++
	}
	s.open, s.count, s.ended, s.cut, s.ddl, s.hint, s.block = s.open[:0], 0, false, false, false, false, ""
	s.last = [2]lexer.Token{}
	return s.pos < len(s.text)
}

// Next implements [lexer.Lexer]. At the end of a statement it yields EOF, at the place of the semicolon.
func (s *scanner) Next() (lexer.Token, error) {
	if s.ended {
		return s.token(lexer.EOF, s.pos), nil
	}
	s.blanks()
	if s.pos == len(s.text) {
		s.ended = true
		return s.token(lexer.EOF, s.pos), nil
	}
	if s.text[s.pos] == ';' && s.endsHere() {
		s.ended = true
		return s.token(lexer.EOF, s.pos), nil
	}
	t := s.scan()
	s.count++
	if s.count > maxTokens {
		t.Type = tokLong
	}
	if t.Type <= tokOpen {
		s.ended, s.cut = true, true
	}
	s.note(t)
	s.last[0], s.last[1] = s.last[1], t
	return t, nil
}

// endsHere reports whether a semicolon ends the statement: not inside braces (a lambda's body), nor in a block such as
// DEFINE … END DEFINE.
func (s *scanner) endsHere() bool {
	if n := len(s.open); n > 0 && s.text[s.open[n-1]] == '{' {
		return false
	}
	return s.block == "" || fold(s.last[0].Value, "END") && fold(s.last[1].Value, s.block)
}

// note follows the words that change how a statement is read: which quotes are in force, and which END ends a block.
func (s *scanner) note(t lexer.Token) {
	if t.Type != tokWord {
		return
	}
	first := s.count == 1
	switch {
	case first && (fold(t.Value, "CREATE") || fold(t.Value, "ALTER")):
		s.ddl = s.d.DDL != nil
	case fold(t.Value, "SELECT"):
		s.ddl = false
	case first && fold(t.Value, "DEFINE"):
		s.block = "DEFINE"
	case fold(t.Value, "BEGIN") && fold(s.last[1].Value, "DO"):
		s.block = "DO"
	}
}

func (s *scanner) token(t lexer.TokenType, from int) lexer.Token {
	return lexer.Token{Type: t, Value: s.text[from:s.pos], Pos: lexer.Position{Offset: s.base + from}}
}

// skip goes on behind the next semicolon from offset on, brackets or not.
func (s *scanner) skip(offset int) {
	s.statement()
	for s.pos = offset; ; {
		s.blanks()
		if s.pos == len(s.text) {
			return
		}
		if s.text[s.pos] == ';' {
			s.pos++
			return
		}
		s.scan()
		s.open = s.open[:0]
	}
}

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

// blanks skips white space and comments.
func (s *scanner) blanks() {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if classes[c] == blank {
			s.pos++
			continue
		}
		from := s.pos
		if c == '-' && s.follows("--") {
			if n := strings.IndexByte(s.text[s.pos:], '\n'); n >= 0 {
				s.pos += n
			} else {
				s.pos = len(s.text)
			}
		} else if c != '/' || !s.follows("/*") || s.d.OptionHints && s.follows("/*+") || !s.comment() {
			return
		}
		if s.comments != nil {
			s.keep(from)
		}
	}
}

// keep records the comment that ends at pos.
func (s *scanner) keep(from int) {
	before := strings.TrimRight(s.text[:from], " \t\r\v\f")
	*s.comments = append(*s.comments, ast.Comment{
		Span:     ast.Span{From: ast.Pos(s.base + from), To: ast.Pos(s.base + s.pos)},
		Text:     strings.TrimRight(s.text[from:s.pos], " \t\r"),
		Trailing: before != "" && before[len(before)-1] != '\n',
	})
}

func (s *scanner) follows(text string) bool { return strings.HasPrefix(s.text[s.pos:], text) }

// comment skips /* … */; false, and nothing skipped, when it has no end.
func (s *scanner) comment() bool {
	depth, at := 0, s.pos
	for at < len(s.text) {
		n := strings.IndexAny(s.text[at:], "/*")
		if n < 0 {
			break
		}
		at += n
		switch {
		case strings.HasPrefix(s.text[at:], "/*"):
			if depth == 0 || s.d.NestedComments {
				depth++
			}
			at += 2
		case strings.HasPrefix(s.text[at:], "*/"):
			at += 2
			if depth--; depth == 0 {
				s.pos = at
				return true
			}
		default:
			at++
		}
	}
	return false
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
		if !s.d.OptionHints || !strings.HasPrefix(rest, "/*+") {
			s.pos = len(s.text)
			return s.token(tokOpen, from)
		}
		s.hint = true
		s.pos += 3
	case s.hint && strings.HasPrefix(rest, "*/"):
		s.hint = false
		s.pos += 2
	default:
		s.pos += width(rest)
	}
	return s.token(tokPunct, from)
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

// width is the length of the operator that s begins with.
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
