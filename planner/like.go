package planner

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// like is x [NOT] LIKE, ILIKE, GLOB, REGEXP, RLIKE or MATCH with a constant pattern. Other patterns are opaque.
func (b *binder) like(e *ast.Like, sc *scope) expr {
	x, pattern := b.bind(e.X, sc), b.bind(e.Pattern, sc)
	if b.sem.texts != nil {
		x = b.sem.texts(b, x)
	}
	for _, y := range []expr{x, pattern} {
		if t := y.typ(); !t.isText() && !t.isOpen() {
			if !b.sem.lenient {
				b.errorf(y.node(), "bind.argument", b.suggestion(scalar(pruning.String), y), "%s needs texts, not %s", e.Op, b.typeText(t))
			}
			return boolOpaque(e, "an expression with an error", x, pattern)
		}
	}
	out := b.likeCall(e, x, pattern, b.escape(e, sc))
	if e.Not {
		return b.call(e, notFn, out)
	}
	return out
}

// escape is the escape character of LIKE: 0 for none, -1 when it isn't known.
func (b *binder) escape(e *ast.Like, sc *scope) rune {
	if e.Escape == nil {
		return b.sem.likeEscape
	}
	c, ok := b.bind(e.Escape, sc).(*constant)
	if !ok {
		return -1
	}
	v, ok := c.v.known()
	if !ok || utf8.RuneCountInString(v.Text()) != 1 {
		b.errorf(e.Escape, "bind.argument", "", "ESCAPE takes a text of one character")
		return -1
	}
	r, _ := utf8.DecodeRuneInString(v.Text())
	return r
}

func (b *binder) likeCall(e *ast.Like, x, pattern expr, escape rune) expr {
	c, ok := pattern.(*constant)
	if ok && c.v.isNull() {
		return &constant{at: e, t: scalar(pruning.Bool).optional(), v: nullValue}
	}
	var v pruning.Value
	if ok {
		v, ok = c.v.known()
	}
	if !ok || escape < 0 {
		return boolOpaque(e, "a pattern that isn't constant", x, pattern)
	}
	if b.sem.pattern != nil {
		if out := b.sem.pattern(b, e, x, v.Text()); out != nil {
			return out
		}
	}
	switch e.Op {
	case ast.OpLike, ast.OpILike:
		if p, ok := parseLike(v.Text(), escape, e.Op == ast.OpILike); ok {
			return b.call(e, p.function(e.Op), x)
		}
	case ast.OpGlob:
		if p, ok := parseGlob(v.Text()); ok {
			return b.call(e, p.function(e.Op), x)
		}
	case ast.OpRegexp, ast.OpRLike, ast.OpMatch:
		re, err := compilePattern(v.Text(), e.Op == ast.OpMatch)
		if err == nil {
			return b.call(e, regexpFn(e.Op, re), x)
		}
		b.report(ast.Warning, e.Pattern, "bind.pattern", "", "the pattern can't be used: "+err.Error())
	}
	return boolOpaque(e, "the pattern of "+string(e.Op), x)
}

// likePattern is a LIKE pattern: texts between which any text may stand ('%'). In a text, '_' is any one character.
type likePattern struct {
	pieces []string // anyOne stands for '_'
	fold   bool     // ILIKE
	plain  bool     // no '_', so that bytes may be compared
	length int      // of the whole pattern
	ascii  bool
}

// anyOne stands for '_' within a piece. It isn't valid UTF-8, so patterns with this byte aren't taken.
const anyOne = '\xff'

// parseLike reads a pattern; ok is false for one that ends in the escape character or holds bytes that are no text.
func parseLike(s string, escape rune, fold bool) (p *likePattern, ok bool) {
	if !utf8.ValidString(s) {
		return nil, false
	}
	p = &likePattern{fold: fold, plain: true, length: len(s), ascii: isASCII(s)}
	var piece []byte
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case escape > 0 && r == escape:
			if i >= len(s) {
				return nil, false
			}
			r, n = utf8.DecodeRuneInString(s[i:])
			i += n
			piece = utf8.AppendRune(piece, r)
		case r == '%':
			p.pieces, piece = append(p.pieces, string(piece)), nil
		case r == '_':
			p.plain = false
			piece = append(piece, anyOne)
		default:
			piece = utf8.AppendRune(piece, r)
		}
	}
	p.pieces = append(p.pieces, string(piece))
	if fold {
		for i, x := range p.pieces {
			p.pieces[i] = asciiLower(x)
		}
	}
	return p, true
}

// parseGlob reads a pattern of GLOB, in which * is any text and ? is any one character; classes of characters aren't taken.
func parseGlob(s string) (p *likePattern, ok bool) {
	const escape = '\x01'
	if strings.ContainsAny(s, "[\\\x01") {
		return nil, false
	}
	return parseLike(strings.NewReplacer("%", "\x01%", "_", "\x01_", "*", "%", "?", "_").Replace(s), escape, false)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// match tells whether s fits; sure is false where characters outside of ASCII might be read in another way.
func (p *likePattern) match(s string) (fits, sure bool) {
	sure = p.plain && !p.fold || p.ascii && isASCII(s)
	if !p.plain && len(s) > maxMatching/(1+p.length) {
		return false, false
	}
	if p.fold {
		s = asciiLower(s)
	}
	return p.fit(s), sure
}

func (p *likePattern) fit(s string) bool {
	first, last := p.pieces[0], p.pieces[len(p.pieces)-1]
	if !hasPiece(s, first) {
		return false
	}
	if len(p.pieces) == 1 {
		return len(s) == len(first)
	}
	s = s[len(first):]
	if len(s) < len(last) || !hasPiece(s[len(s)-len(last):], last) {
		return false
	}
	s = s[:len(s)-len(last)]
	for _, x := range p.pieces[1 : len(p.pieces)-1] {
		i := findPiece(s, x)
		if i < 0 {
			return false
		}
		s = s[i+len(x):]
	}
	return true
}

// findPiece is where x stands in s, or -1.
func findPiece(s, x string) int {
	if strings.IndexByte(x, anyOne) < 0 {
		return strings.Index(s, x)
	}
	for i := 0; len(s)-i >= len(x); i++ {
		if hasPiece(s[i:], x) {
			return i
		}
	}
	return -1
}

// hasPiece: s begins with x, in which anyOne stands for any byte.
func hasPiece(s, x string) bool {
	if len(s) < len(x) {
		return false
	}
	for i := range len(x) {
		if x[i] != s[i] && x[i] != anyOne {
			return false
		}
	}
	return true
}

// prefix is what every text that fits begins with.
func (p *likePattern) prefix() string {
	if p.fold {
		return ""
	}
	head, _, _ := strings.Cut(p.pieces[0], string([]byte{anyOne}))
	return head
}

func (p *likePattern) function(op ast.Op) *function {
	fn := textPredicate(string(op), op, p.match)
	head := p.prefix()
	anyTail := len(p.pieces) == 2 && p.pieces[1] == ""
	switch {
	case p.fold:
	case p.plain && len(p.pieces) == 1:
		fn.only = func(a *apply) (pruning.Set, bool, bool) {
			return pruning.Point(a.args[0].typ().scalar, pruning.Text(head)), true, true
		}
	case head != "" || anyTail && p.plain:
		fn.only = func(*apply) (pruning.Set, bool, bool) { return prefixSet(head), anyTail && p.plain, true }
	}
	return fn
}

// prefixSet are the texts that begin with p.
func prefixSet(p string) pruning.Set {
	next, ok := afterPrefix(p)
	if !ok {
		return pruning.From(pruning.Text(p))
	}
	return pruning.Range(pruning.Text(p), pruning.Text(next))
}

// textPredicate is a predicate on one text.
func textPredicate(name string, op ast.Op, match func(string) (fits, sure bool)) *function {
	fn := &function{name: name, op: op, min: 1, max: 1, result: boolType}
	fn.span = func(a *apply, args []value) value {
		x := args[0]
		if x.isNull() {
			return nullValue
		}
		out := pruning.True | pruning.False
		if v, ok := x.notNull().known(); ok {
			if fits, sure := match(v.Text()); sure {
				out = boolean(fits).outcomes()
			}
		} else if fn.only != nil && x.bounded() {
			out = onlyOutcomes(fn, a, x)
		}
		if x.mayNull() {
			out |= pruning.Null
		}
		return truth(out)
	}
	return fn
}

// onlyOutcomes decides a predicate for a range of texts by the range that can make it TRUE.
func onlyOutcomes(fn *function, a *apply, x value) pruning.Outcomes {
	set, all, ok := fn.only(a)
	if !ok {
		return pruning.True | pruning.False
	}
	have := valueRange(a.args[0].typ(), x)
	switch in := set.Intersect(have); {
	case in.IsEmpty():
		return pruning.False
	case all && in.Equal(have):
		return pruning.True
	}
	return pruning.True | pruning.False
}

// compilePattern reads a pattern in RE2's language; all of a text must fit one that is whole.
func compilePattern(pattern string, whole bool) (*regexp.Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, errors.New("it is longer than 65,536 bytes")
	}
	re, err := regexp.Compile(pattern)
	if err != nil || !whole {
		return re, err
	}
	return regexp.Compile("^(?:" + pattern + ")$")
}

// maxPattern bounds the bytes of a regular expression, maxMatching those of a pattern times those of a text.
const (
	maxPattern  = 1 << 16
	maxMatching = 1 << 24
)

// regexpFn finds a pattern in RE2's language; MATCH wants all of the text to fit. Engines differ about line breaks.
func regexpFn(op ast.Op, re *regexp.Regexp) *function {
	ascii := isASCII(re.String())
	return textPredicate(string(op), op, func(s string) (fits, sure bool) {
		if !ascii || !isASCII(s) || strings.IndexByte(s, '\n') >= 0 || len(s) > maxMatching/(1+len(re.String())) {
			return false, false
		}
		return re.MatchString(s), true
	})
}
