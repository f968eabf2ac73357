package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// lineWidth is where formatted statements are broken.
const lineWidth = 100

// Format lays a script out anew, with all of its comments. It refuses what it can't parse, and what it would lose
// something of.
func Format(src *ast.Source, d *Dialect) (string, error) {
	d, err := d.of(src)
	if err != nil {
		return "", err
	}
	stmts, comments, err := parseAll(src, d)
	if err != nil {
		return "", err
	}
	style := d.Style()
	style.Width = lineWidth
	out := ast.Format(stmts, outside(comments, stmts), style)
	if diag := lost(src, out, d, stmts, comments); diag != nil {
		diag.Source = src
		return "", ast.Diagnostics{diag}
	}
	return out, nil
}

// parseAll parses a script and collects its comments.
func parseAll(src *ast.Source, d *Dialect) ([]ast.Stmt, []ast.Comment, error) {
	s := newScanner(src, d)
	comments := []ast.Comment{}
	s.comments = &comments
	stmts, err := s.all(src)
	return stmts, comments, err
}

// outside drops the comments inside of statements that are kept as they are written.
func outside(comments []ast.Comment, stmts []ast.Stmt) []ast.Comment {
	var out []ast.Comment
	for _, c := range comments {
		for len(stmts) > 0 && stmts[0].End() <= c.From {
			stmts = stmts[1:]
		}
		if len(stmts) > 0 && stmts[0].Pos() <= c.From {
			if o := verbatim(stmts[0]); o != nil && o.From <= c.From {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// lost compares a formatted text with its source: the same statements, the same comments, and no word less. So an
// oversight in the printer or in the trees can't destroy anything.
func lost(src *ast.Source, out string, d *Dialect, stmts []ast.Stmt, comments []ast.Comment) *ast.Diagnostic {
	after := ast.NewSource(src.Name, out)
	again, kept, err := parseAll(after, d)
	if err != nil || len(again) != len(stmts) {
		return problem("format.lost", ast.Span{From: src.Base, To: src.Base}, "this text can't be formatted without changing its meaning", "")
	}
	for i, s := range stmts {
		if ast.Print(s, d.Style()) != ast.Print(again[i], d.Style()) {
			return problem("format.lost", ast.Span{From: s.Pos(), To: s.End()}, "this statement can't be formatted without changing its meaning", "")
		}
	}
	for i, c := range comments {
		if len(kept) != len(comments) || kept[i].Text != c.Text {
			return problem("format.lost", c.Span, "this comment would be lost by formatting", "put it on a line of its own")
		}
	}
	left := map[string]int{}
	eachWord(after, d, func(word string, _ lexer.Token) { left[word]++ })
	var diag *ast.Diagnostic
	eachWord(src, d, func(word string, t lexer.Token) {
		if left[word]--; left[word] < 0 && diag == nil {
			diag = problem("format.lost", span(&t), describe(&t)+" would be lost by formatting", "")
		}
	})
	return diag
}

// implicit are the words that a tree holds in another way, or that mean nothing.
var implicit = []string{"AS", "OUTER", "INNER", "ASC", "ALL", "DISTINCT", "FETCH", "FIRST", "NEXT", "ROW", "ROWS", "ONLY", "ISNULL", "NOTNULL", "MINUS",
	"TABLE", "WITH", "FOR", "ASYMMETRIC", "TO", "PARTITIONS", "GENERATED", "ALWAYS", "KEY", "PROPERTIES", "SET", "LIKE", "IF", "TEMP", "COLUMNS", "SCHEMA", "MOD", "MAXVALUE", "VALUES", "IN"}

// eachWord yields the words, names, strings and numbers of a text, decoded, without those that may be left out.
func eachWord(src *ast.Source, d *Dialect, f func(word string, t lexer.Token)) {
	p := parser{Dialect: d}
	for s := newScanner(src, d); s.statement(); {
		for t, _ := s.Next(); !t.EOF(); t, _ = s.Next() {
			switch t.Type {
			case tokWord:
				if !oneOf(t.Value, implicit) {
					f(strings.ToUpper(t.Value), t)
				}
			case tokName:
				f(strings.ToUpper(nameOf(&t).Text), t)
			case tokString:
				f(strings.ToUpper(p.text(&t).Text), t)
			case tokNumber, tokParam:
				f(t.Value, t)
			}
		}
	}
}
