package planner

import (
	"encoding/hex"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// paimonSemantics are what Flink's and Spark's SQL have in common, in which Paimon's tables are queried: a text that is
// compared with another type is cast to it, numbers with a point are exact, times are UTC. Where the two engines differ
// nothing is said of the result.
var paimonSemantics = sync.OnceValue(func() *semantics {
	return &semantics{
		dialect:    "paimon",
		sameName:   strings.EqualFold,
		lenient:    true,
		likeEscape: '\\',
		calls:      paimonCalls(),
		funcName:   strings.ToLower,
		cast:       paimonCast,
		tryCast:    paimonCast,
		parseDate:  paimonParseDate,
		signed:     (*binder).paimonLiteral,
		typed:      (*binder).paimonTyped,
		rare:       (*binder).paimonRare,
		compare:    (*binder).paimonCompare,
		pattern:    (*binder).paimonPattern,
		in:         (*binder).paimonIn,
		special:    (*binder).paimonSpecial,
		word:       (*binder).trinoWord,
		interval:   (*binder).paimonInterval,
		operator:   (*binder).trinoOperator,
		literal:    trinoLiteral,
	}
})

// paimonInterval is INTERVAL '1' DAY, or Spark's INTERVAL 1 DAY, INTERVAL -1 DAY and INTERVAL '1 day'.
func (b *binder) paimonInterval(e *ast.Interval) expr {
	x, sign := e.X, ""
	if u, ok := x.(*ast.Unary); ok && u.Op == ast.OpNeg {
		x, sign = u.X, "-"
	}
	if l, ok := x.(*ast.Literal); ok && (l.Kind == ast.IntLit || l.Kind == ast.StringLit) && l.Suffix == "" {
		quoted, unit := *l, e.Unit
		if number, word, ok := strings.Cut(l.Text, " "); ok && unit == "" {
			quoted.Text, unit = number, strings.ToUpper(word)
		}
		quoted.Kind, quoted.Text = ast.StringLit, strings.TrimPrefix(sign+quoted.Text, "--")
		e = &ast.Interval{Span: e.Span, X: &quoted, Unit: unit}
	}
	return b.trinoInterval(e)
}

// paimonLiteral leaves a text open whose engine isn't known to take a backslash for itself, and binds numbers.
func (b *binder) paimonLiteral(l *ast.Literal, minus bool, at ast.Expr) expr {
	if l.Kind == ast.StringLit && l.Quote == ast.BothQuote && strings.Contains(l.Raw, `\`) {
		return &opaque{at: at, t: typ{notNull: true}, why: "a text with a backslash, which Flink and Spark read in different ways,"}
	}
	return b.paimonNumber(l, minus, at)
}

// paimonNumber gives a number its type: 1 is INT, 3000000000 BIGINT, 1.50 DECIMAL(3,2), 1e3 DOUBLE. Spark's suffixes ask
// for one: 1L, 1.5D, 1.5BD.
func (b *binder) paimonNumber(l *ast.Literal, minus bool, at ast.Expr) expr {
	sign := ""
	if minus {
		sign = "-"
	}
	switch {
	case l.Kind != ast.IntLit && l.Kind != ast.FloatLit:
		return nil
	case l.Suffix == "d" || l.Suffix == "f" || l.Suffix == "" && strings.ContainsAny(l.Text, "eE") && l.Kind == ast.FloatLit:
		kind := pruning.Float64
		if l.Suffix == "f" {
			kind = pruning.Float32
		}
		return numberOf(at, pruning.Type{Kind: kind}, sign+l.Text)
	case l.Kind == ast.IntLit && len(l.Text) <= 18:
		whole := *l
		if l.Suffix != "bd" {
			whole.Suffix = map[string]string{"l": "l", "s": "s", "y": "t"}[l.Suffix]
			return b.intLiteral(at, &whole, minus)
		}
	}
	whole, frac, _ := strings.Cut(l.Text, ".")
	digits := max(1, len(strings.TrimLeft(whole, "0"))+len(frac))
	if digits > 38 || !digitsAnd(whole+frac, "") {
		return &opaque{at: at, t: typ{notNull: true}, why: "a number that isn't followed here"}
	}
	return numberOf(at, pruning.Type{Kind: pruning.Decimal, Precision: uint8(digits), Scale: uint8(len(frac))}, sign+"0"+l.Text)
}

// numberOf is a text that is a number of a type.
func numberOf(at ast.Expr, t pruning.Type, s string) expr {
	v, err := t.Parse(s)
	if err != nil {
		return &opaque{at: at, t: typ{notNull: true}, why: "a number that isn't followed here"}
	}
	return &constant{at: at, t: scalar(t.Kind).of(t), v: exactly(v)}
}

// of is the type t with another scalar.
func (t typ) of(s pruning.Type) typ {
	t.scalar, t.wide = s, true
	return t
}

// paimonTyped is DATE '2024-01-31', TIMESTAMP '…', TIME '…'. Timestamps keep all digits that are written.
func (b *binder) paimonTyped(at ast.Expr, name string, t typ, s string, where ast.Expr) expr {
	switch {
	case t.shape != scalarShape:
		return nil
	case t.is(pruning.Timestamp), t.is(pruning.Datetime):
		t = scalar(pruning.Timestamp).of(nanoTime)
	case t.is(pruning.Time):
		v, ok := parsePaimonTime(s)
		if !ok {
			b.errorf(where, "bind.literal", "write TIME '12:34:56'", "'%s' is no time of day", s)
			return b.failed(at, nil)
		}
		return &constant{at: at, t: scalar(pruning.Time), v: exactly(v)}
	case !t.is(pruning.Date):
		return nil
	}
	v, bad := paimonParseDate(s, t)
	if bad != nil {
		b.errorf(spot(where, bad), "bind.literal", "", "%s literal: %s", strings.ToUpper(name), bad.msg)
		return b.failed(at, nil)
	}
	t.wide, t.notNull = true, true
	return &constant{at: at, t: t, v: exactly(v)}
}

// paimonPattern leaves a LIKE alone whose pattern has a backslash: only Spark takes that for an escape. Else it gives nil.
func (b *binder) paimonPattern(e *ast.Like, x expr, pattern string) expr {
	if e.Escape == nil && (e.Op == ast.OpLike || e.Op == ast.OpILike) && strings.Contains(pattern, `\`) {
		return boolOpaque(e, "a pattern with a backslash, which is an escape in Spark only,", x)
	}
	return nil
}

var nanoTime = pruning.Type{Kind: pruning.Timestamp, Precision: 9}

// parsePaimonTime reads 12:34 or 12:34:56.789.
func parsePaimonTime(s string) (pruning.Value, bool) {
	v, err := (pruning.Type{Kind: pruning.Time}).Parse(padClock(s))
	return v, err == nil
}

// paimonParseDate reads 2024-01-31, and for a timestamp a blank or T and 10:20[:30[.456]] behind it.
func paimonParseDate(s string, t typ) (v pruning.Value, bad *flaw) {
	if t.is(pruning.Date) {
		return trinoParseDate(s, t)
	}
	text := s
	switch len(s) {
	case len("2024-01-31"):
		text += "T00:00:00"
	case len("2024-01-31 10:20"):
		text += ":00"
	}
	v, err := t.scalar.Parse(strings.Replace(text, " ", "T", 1))
	if err != nil {
		return v, &flaw{0, len(s), "'" + s + "' is no timestamp: write 2024-01-31 10:20:30"}
	}
	return v, nil
}

// paimonRare is X'0102', a text of bytes.
func (b *binder) paimonRare(e ast.Expr, _ *scope) expr {
	t, ok := e.(*ast.TypedLiteral)
	if !ok || !strings.EqualFold(t.Type.Name.Text, "x") {
		return nil
	}
	bytes, err := hex.DecodeString(t.Text.Text)
	if err != nil {
		b.errorf(t.Text, "bind.literal", "write two digits for each byte, such as X'0A1F'", "X'%s' is no sequence of bytes", t.Text.Text)
		return b.failed(e, nil)
	}
	return &constant{at: e, t: scalar(pruning.String), v: text(string(bytes))}
}
