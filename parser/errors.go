package parser

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// clauseWords may follow a table or an expression; verbs begin a statement. A word that is nearly one of them is taken
// for a slip.
var (
	clauseWords = []string{"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION", "JOIN", "LEFT", "INNER",
		"WITH", "WITHOUT", "WINDOW", "AND", "OR", "AS", "ON", "USING", "BETWEEN", "LIKE", "VALUES", "PARTITIONED", "PARTITION",
		"EXTERNAL", "LESS", "THAN", "LOCATION", "TBLPROPERTIES", "PROPERTIES", "STORED", "DISTRIBUTED", "COMMENT", "BUCKETS", "SELECT", "BY", "TABLE"}
	verbs = []string{"SELECT", "FROM", "WITH", "VALUES", "CREATE", "ALTER", "DROP", "INSERT", "UPSERT", "REPLACE", "COPY", "UNLOAD",
		"DECLARE", "PRAGMA", "EXPLAIN", "SET", "RESET", "CALL", "USE", "SHOW", "COMMIT", "DEFINE"}
)

// problem makes a finding.
func problem(code string, at ast.Span, msg, hint string) *ast.Diagnostic {
	return &ast.Diagnostic{Severity: ast.Error, Code: code, Pos: at.From, End: at.To, Msg: msg, Hint: hint}
}

// diagnostic turns any error of parsing into a finding.
func diagnostic(err error) *ast.Diagnostic {
	var d *ast.Diagnostic
	if errors.As(err, &d) {
		return d
	}
	var u *participle.UnexpectedTokenError
	if errors.As(err, &u) {
		return unexpected(&u.Unexpected, firstExpected(u.Message()))
	}
	d = problem("syntax.unexpected", ast.Span{From: ast.NoPos, To: ast.NoPos}, err.Error(), "")
	var e participle.Error
	if errors.As(err, &e) {
		d.Pos = ast.Pos(e.Position().Offset)
		d.End = d.Pos
	}
	d.Err = err
	return d
}

// firstExpected is the first part of participle's "unexpected token … (expected <param> "AS" …)".
func firstExpected(msg string) string {
	_, after, _ := strings.Cut(msg, "(expected ")
	after = strings.TrimLeft(after, "(")
	word, _, _ := strings.Cut(after, " ")
	switch word {
	case "<param>":
		return "a name such as $x"
	case "Dotted", "Dotted)":
		return "a name"
	case `"DATA"`: // behind CREATE
		return "TABLE, VIEW or DATA SOURCE"
	}
	if _, word, ok := strings.Cut(after, `"`); ok {
		word, _, _ = strings.Cut(word, `"`)
		return word
	}
	return strings.ToLower(strings.TrimSuffix(after, ")"))
}

// unexpected complains about the next token.
func (p *parser) unexpected(expected string) error { return unexpected(p.Peek(), expected) }

func unexpected(t *lexer.Token, expected string) *ast.Diagnostic {
	if d := unreadable(t); d != nil {
		return d
	}
	d := problem("syntax.unexpected", span(t), "expected "+quoteWord(expected)+", found "+describe(t), "")
	if word, ok := slip(t, expected); ok {
		d.Hint = "did you mean " + word + "?"
	}
	return d
}

// slip is the keyword that a word was probably meant to be: what is expected, or one that begins a clause.
func slip(t *lexer.Token, expected string) (string, bool) {
	if t.Type != tokWord || len(t.Value) < 3 || oneOf(t.Value, clauseWords) || oneOf(t.Value, notOperands) || oneOf(t.Value, notAliases) {
		return "", false
	}
	var words []string
	for word := range strings.FieldsSeq(expected) {
		if word == strings.ToUpper(word) {
			words = append(words, strings.Trim(word, ","))
		}
	}
	return ast.Nearest(t.Value, append(words, clauseWords...))
}

// unreadable complains about a token that isn't one.
func unreadable(t *lexer.Token) *ast.Diagnostic {
	switch t.Type {
	case tokIllegal:
		return illegal(t)
	case tokOpen:
		return unclosed(t)
	case tokDeep:
		return deep(t)
	case tokLong:
		return problem("syntax.size", span(t), "the statement is too long: more than 2,500,000 words and signs", "")
	}
	return nil
}

func deep(t *lexer.Token) *ast.Diagnostic {
	return problem("syntax.depth", span(t), "the statement is nested too deeply: more than 256 levels",
		"name an inner part with $x = …, or flatten it")
}

// chained complains about a chain that would make the tree too high.
func chained(t *lexer.Token) *ast.Diagnostic {
	return problem("syntax.depth", span(t), "more than 1,000 parts in a row", "put some of them into parentheses, or name them with $x = …")
}

func illegal(t *lexer.Token) *ast.Diagnostic {
	r, _ := utf8.DecodeRuneInString(t.Value)
	hint := ""
	switch r {
	case '“', '”', '„', '«', '»', '‘', '’':
		hint = "write strings in straight quotes: '…'"
	case '\u00a0', '\u2007', '\u202f', '\u200b', '\ufeff':
		return problem("syntax.illegal", span(t), "a special blank stands here that isn't allowed", "write an ordinary blank")
	case '`':
		hint = `write names in double quotes: "date"`
	case '$':
		hint = "a named expression is written $name"
	}
	if r == utf8.RuneError {
		return problem("syntax.illegal", span(t), "the text isn't valid UTF-8 here", "")
	}
	return problem("syntax.illegal", span(t), "the character "+string(r)+" can't stand here", hint)
}

// unclosed complains about a string, name or comment without an end, at its opening quote.
func unclosed(t *lexer.Token) *ast.Diagnostic {
	what, mark := "the string", t.Value[:1]
	switch {
	case strings.HasPrefix(t.Value, "/*"):
		what, mark = "the comment", "/*"
	case strings.HasPrefix(t.Value, "@@"):
		mark = "@@"
	case mark == "$":
		mark = t.Value[:strings.IndexByte(t.Value[1:], '$')+2]
	case mark == "`":
		what = "the backtick"
	}
	at := span(t)
	at.To = at.From + ast.Pos(len(mark))
	return problem("syntax.unclosed", at, what+" that begins here is not closed", "")
}

// unlisted complains that neither a comma nor the closing bracket follows an item.
func (p *parser) unlisted(opener *lexer.Token, shut, what string) error {
	t := p.Peek()
	if d := unreadable(t); d != nil {
		return d
	}
	if !p.closes() {
		return problem("syntax.unclosed", span(opener), "the bracket "+opener.Value+" is not closed: expected `"+
			shut+"` or `,` after "+article(what)+", found "+describe(t), "")
	}
	if what == "hint" || what == "option" || what == "column" {
		if t.Type == tokWord || t.Type == tokName || t.Type == tokString {
			return problem("syntax.comma", span(t), "a comma is missing before "+describe(t)+", between two "+what+"s", "write `,` between them")
		}
	}
	return problem("syntax.unexpected", span(t), "expected `"+shut+"` or `,` after "+article(what)+", found "+describe(t), "")
}

// closes reports whether the bracket that the next token stands in is closed in this statement.
func (p *parser) closes() bool {
	depth := 1
	for at := p.RawCursor(); ; at++ {
		switch t := &p.Range(at, at+1)[0]; {
		case t.EOF():
			return false
		case t.Type != tokPunct || len(t.Value) != 1:
		case classes[t.Value[0]] == bracketOpen:
			depth++
		case classes[t.Value[0]] == bracketClose:
			if depth--; depth == 0 {
				return true
			}
		}
	}
}

// misplaced complains about what follows a complete statement.
func (p *parser) misplaced() error {
	t := p.Peek()
	if d := unreadable(t); d != nil {
		return d
	}
	for _, t := range []*lexer.Token{p.last(), t} { // WHRE was taken for an alias
		if word, ok := slip(t, ""); ok {
			return problem("syntax.keyword", span(t), t.Value+" is not a keyword", "did you mean "+word+"?")
		}
	}
	switch {
	case t.Value == ")" || t.Value == "]" || t.Value == "}":
		return problem("syntax.unexpected", span(t), "the bracket "+t.Value+" closes nothing", "")
	case t.Type == tokWord && oneOf(t.Value, []string{"LEFT", "RIGHT", "FULL", "INNER", "CROSS", "EXCLUSION", "NATURAL"}):
		return problem("syntax.unexpected", span(t), t.Value+" begins a join, but JOIN is missing", "write "+t.Value+" JOIN")
	case isWord(t, "SELECT"), isWord(t, "CREATE"), isWord(t, "INSERT"):
		return problem("syntax.unexpected", span(t), "expected the end of the statement, found "+t.Value, "write `;` between two statements")
	}
	return problem("syntax.unexpected", span(t), "expected the end of the statement, found "+describe(t), "")
}

// operand complains that an operand is missing before the next token.
func (p *parser) operand() error {
	t := p.Peek()
	if d := unreadable(t); d != nil {
		return d
	}
	if p.RawCursor() == 0 {
		return problem("syntax.operand", span(t), "expected an expression, found "+describe(t), "")
	}
	before := p.last()
	hint := ""
	if before.Value == "=" && (t.Value == "<" || t.Value == ">" || t.Value == "!") && end(before) == ast.Pos(t.Pos.Offset) {
		hint = "did you mean " + t.Value + "=?"
	}
	if t.EOF() {
		return problem("syntax.operand", span(before), "an operand is missing after "+describe(before), "")
	}
	return problem("syntax.operand", span(t), "an operand is missing between "+describe(before)+" and "+describe(t), hint)
}

// describe is a token in a message.
func describe(t *lexer.Token) string {
	if t.EOF() {
		return "the end of the statement"
	}
	text := t.Value
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i] + "…"
	}
	if len(text) > 40 {
		cut := 40
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	if t.Type == tokPunct {
		return "`" + text + "`"
	}
	return text
}

// quoteWord puts punctuation into backticks.
func quoteWord(s string) string {
	if s != "" && s != " " && !strings.ContainsAny(s, "` ") && classes[s[0]] != letter {
		return "`" + s + "`"
	}
	return s
}

func article(what string) string {
	if strings.IndexByte("aeiou", what[0]) >= 0 {
		return "an " + what
	}
	return "a " + what
}
