package parser

import (
	"io"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// Types of tokens. A token's value is a slice of the source, quotes and suffix included. Its position counts bytes only;
// Column is free and holds the [ast.Quote] of strings and quoted names, and the number of a ? that is a parameter; Line is 1 for a string that begins a line.
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
	d     *Dialect
	text  string
	base  int
	pos   int
	limit int // tokens of a statement

	// Of the current statement:
	open  []int // offsets of the brackets that are open
	count int   // tokens
	marks int   // parameters that are written ?
	ended bool  // at its semicolon, or at the end of the text
	cut   bool  // ended early: what follows up to the semicolon is unread
	ddl   bool  // quotes are those of DDL
	hint  bool  // inside /*+ … */
	block string
	last  [2]lexer.Token // the last two tokens, for END DEFINE and for tuple.0.1

	comments *[]ast.Comment // collected unless nil
	room     *room          // of its streams
}

func newScanner(src *ast.Source, d *Dialect) *scanner {
	s := &scanner{d: d, text: src.Text, base: int(src.Base), limit: maxTokens}
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
	s.open, s.count, s.marks, s.ended, s.cut, s.ddl, s.hint, s.block = s.open[:0], 0, 0, false, false, false, false, ""
	s.last = [2]lexer.Token{}
	return s.pos < len(s.text)
}

// Next implements [lexer.Lexer]. At the end of a statement it yields EOF, at the place of the semicolon.
func (s *scanner) Next() (lexer.Token, error) {
	if s.ended {
		return s.token(lexer.EOF, s.pos), nil
	}
	from := s.pos
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
	if s.count > s.limit {
		t.Type = tokLong
	}
	if t.Type == tokString && s.count > 1 && strings.Contains(s.text[from:s.pos-len(t.Value)], "\n") {
		t.Pos.Line = 1
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
	case first && s.d.DDL != nil && oneOf(t.Value, ddlVerbs):
		s.ddl = true
	case fold(t.Value, "SELECT"):
		s.ddl = false
	case first && fold(t.Value, "DEFINE"):
		s.block = "DEFINE"
	case fold(t.Value, "BEGIN") && fold(s.last[1].Value, "DO"):
		s.block = "DO"
	}
}

// ddlVerbs begin the statements of Athena that follow Hive.
var ddlVerbs = []string{"CREATE", "ALTER", "DROP", "MSCK", "SHOW", "DESCRIBE", "DESC", "TRUNCATE", "USE"}

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
		} else if c != '/' || !s.follows("/*") || s.optionHint() || !s.comment() {
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
