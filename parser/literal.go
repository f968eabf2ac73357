package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// text is a string token as a literal.
func (p *parser) text(t *lexer.Token) *ast.Literal {
	l := &ast.Literal{Span: span(t), Kind: ast.StringLit, Raw: t.Value, Quote: ast.Quote(t.Pos.Column)}
	if c := t.Value[len(t.Value)-1]; c != '\'' && c != '"' && c != '@' && c != '$' {
		l.Suffix = strings.ToLower(t.Value[strings.LastIndexAny(t.Value, `'"@`)+1:])
	}
	l.SetText()
	return l
}

// literal is a string where a value stands, with the UESCAPE that may follow U&'…'.
func (p *parser) literal() (ast.Expr, error) {
	l := p.text(p.Next())
	if l.Quote != ast.UnicodeQuote {
		return p.joinedText(l), nil
	}
	if t := p.ahead(1); p.is("UESCAPE") && t.Type == tokString && len(t.Value) == len("'!'") {
		p.Next()
		l.Suffix = " UESCAPE " + p.Next().Value
		l.Raw, l.Span = l.Raw+l.Suffix, p.since(l.From)
		l.SetText()
	}
	if i := l.BadEscape(); i >= 0 {
		at := l.From + ast.Pos(len("U&'")+i)
		return nil, problem("syntax.escape", ast.Span{From: at, To: at + 1}, "this begins no escape", "write four hexadecimal digits behind it, or + and six, or double it")
	}
	return l, nil
}

// isText reports whether t is a string where a value or key stands: in DDL that follows Hive, it may be in double quotes.
func (p *parser) isText(t *lexer.Token) bool {
	return t.Type == tokString || p.DDL != nil && t.Type == tokName && t.Value[0] == '"' && ast.Quote(t.Pos.Column) == p.DDL.How
}

// stringLit is a string, as LOCATION and COMMENT take it.
func (p *parser) stringLit() (*ast.Literal, error) {
	t := p.Peek()
	if !p.isText(t) {
		return nil, p.unexpected("a string")
	}
	return p.text(p.Next()), nil
}

// number is a numeric literal: digits, then a suffix that the dialect knows. Whether it fits its type is for binding.
func (p *parser) number() (*ast.Literal, error) {
	t := p.Next()
	l := &ast.Literal{Span: span(t), Kind: ast.IntLit, Raw: t.Value}
	n, float := p.digitsOf(t.Value)
	l.Text, l.Suffix = t.Value[:n], strings.ToLower(t.Value[n:])
	suffixes := p.IntSuffixes
	if float {
		l.Kind, suffixes = ast.FloatLit, p.FloatSuffixes
	} else if oneOf(l.Suffix, p.FloatSuffixes) && !oneOf(l.Suffix, suffixes) {
		l.Kind, suffixes = ast.FloatLit, p.FloatSuffixes // 1f
	}
	if n == 0 || l.Suffix != "" && !oneOf(l.Suffix, suffixes) {
		hint := ""
		if len(suffixes) > 0 {
			hint = "suffixes of numbers: " + strings.ToLower(strings.Join(suffixes, ", "))
		}
		return nil, problem("syntax.number", l.Span, t.Value+" is not a number", hint)
	}
	return l, nil
}

// digitsOf is the length of a number without its suffix, 0 when its digits are malformed.
func (p *parser) digitsOf(s string) (n int, float bool) {
	run := func(set string) bool {
		from := n
		for n < len(s) && (strings.IndexByte(set, s[n]) >= 0 || s[n] == '_' && p.DigitGroups && n > from) {
			n++
		}
		return n > from && s[n-1] != '_'
	}
	if len(s) > 1 && s[0] == '0' {
		set := ""
		switch s[1] | 0x20 {
		case 'x':
			set = "0123456789abcdefABCDEF"
		case 'o':
			set = "01234567"
		case 'b':
			set = "01"
		}
		if set != "" {
			if n = 2; !run(set) {
				return 0, false
			}
			return n, false
		}
	}
	const decimal = "0123456789"
	if s[0] != '.' && !run(decimal) {
		return 0, false
	}
	if n < len(s) && s[n] == '.' {
		float = true
		if n++; n < len(s) && classes[s[n]] == digit && !run(decimal) {
			return 0, true
		}
	}
	if n+1 < len(s) && s[n]|0x20 == 'e' && (classes[s[n+1]] == digit || len(s) > n+2 && (s[n+1] == '+' || s[n+1] == '-')) {
		float = true
		if n++; s[n] == '+' || s[n] == '-' {
			n++
		}
		if !run(decimal) {
			return 0, true
		}
	}
	return n, float
}
