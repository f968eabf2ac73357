package doris

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// datum is a value of a partition definition.
type datum struct {
	pruning.Nullable
	max bool // MAXVALUE
}

// datum reads a value of a column: quoted or bare, NULL, or MAXVALUE. ok is false when it is wrong.
func (h *history) datum(x ast.Expr, c *column) (d datum, ok bool) {
	text, isText := literalText(x)
	switch l := x.(type) {
	case *ast.Ident:
		if len(l.Parts) == 1 && strings.EqualFold(l.Parts[0].Text, "MAXVALUE") && !l.Parts[0].Quoted {
			return datum{max: true}, true
		}
	case *ast.Literal:
		if l.Kind == ast.NullLit {
			return datum{Nullable: pruning.Nullable{Null: true}}, true
		}
	}
	if !isText {
		h.Errorf("partition.value", x, "write a constant in quotes", "a value of %s must be a constant", c.name)
		return d, false
	}
	if c.typ.Kind == pruning.NoKind {
		return d, false // told before
	}
	v, problem, hint := c.parse(text)
	if problem != "" {
		h.Errorf("partition.value", x, hint, "%s %s", projection.Quote(text), problem)
		return d, false
	}
	return datum{Nullable: pruning.Nullable{Value: v}}, true
}

// literalText is a constant's text: of a string its content, of a number its digits with its sign.
func literalText(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.Literal:
		return x.Text, x.Kind != ast.NullLit
	case *ast.Unary:
		l, ok := x.X.(*ast.Literal)
		if ok && (x.Op == ast.OpNeg || x.Op == ast.OpPlus) && (l.Kind == ast.IntLit || l.Kind == ast.FloatLit) {
			return strings.TrimPrefix(string(x.Op), "+") + l.Text, true
		}
	case *ast.TypedLiteral:
		return x.Text.Text, true
	}
	return "", false
}

// parse reads a text as a value of the column (LiteralExpr.java, IntLiteral.java, DateLiteral.java). problem completes a
// sentence that begins with the text.
func (c *column) parse(text string) (v pruning.Value, problem, hint string) {
	switch t := c.typ; {
	case t.Kind == pruning.String:
		return pruning.Text(text), "", ""
	case t.Kind == pruning.Bool:
		switch strings.ToLower(text) {
		case "true", "1":
			return pruning.Int(1), "", ""
		case "false", "0":
			return pruning.Int(0), "", ""
		}
		return v, "is no BOOLEAN", "write true or false"
	case t.Kind == pruning.Date, t.Kind == pruning.Datetime, t.Kind == pruning.Timestamp:
		return c.parseMoment(text)
	}
	return c.parseInt(text)
}

func (c *column) parseInt(text string) (v pruning.Value, problem, hint string) {
	digits := strings.TrimLeft(text, "+-")
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || digits == "" || len(text)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
		return v, "is no whole number", "write a whole number, for example \"10\""
	}
	if v, ok = c.typ.FromBig(n); !ok {
		top, _ := c.typ.Max()
		return v, "is out of range for " + strings.ToUpper(c.kind),
			"write a value from " + string(c.typ.Append(nil, c.typ.Min())) + " to " + string(c.typ.Append(nil, top))
	}
	return v, "", ""
}

func (c *column) parseMoment(text string) (v pruning.Value, problem, hint string) {
	const day, second = `write "2017-02-01"`, `write "2017-02-01 10:30:00"`
	m, problem := projection.ParseMoment(text)
	if problem != "" {
		return v, problem, map[bool]string{true: day, false: second}[c.typ.Kind == pruning.Date]
	}
	if c.typ.Kind == pruning.Date {
		if m.Micros != 0 {
			return v, "has a time of day, and " + c.name + " is a DATE", day
		}
		return pruning.Int(m.Days), "", ""
	}
	digits := c.digits()
	n, exact := m.Units(digits)
	if !exact {
		return v, "has more than " + strconv.Itoa(digits) + " digits of a second", "declare " + c.name + " with more digits, as in DATETIME(6)"
	}
	return pruning.Int(n), "", ""
}

// digits is how many digits of a second a date column has.
func (c *column) digits() int {
	if c.typ.Kind == pruning.Timestamp {
		return int(c.typ.Precision)
	}
	return 0
}

// appendValue appends a value of the column as texts show it: 2017-02-01, MIN_VALUE for the type's least.
func (c *column) appendValue(dst []byte, v pruning.Value) []byte {
	switch c.typ.Kind {
	case pruning.Date, pruning.Datetime, pruning.Timestamp:
		return projection.AppendMoment(dst, c.typ, v)
	}
	return c.typ.Append(dst, v)
}

// least is the tuple of the types' least values.
func least(by []*column) []pruning.Value {
	out := make([]pruning.Value, len(by))
	for i, c := range by {
		out[i] = c.typ.Min()
	}
	return out
}

func compareTuples(a, b []pruning.Value) int { return slices.CompareFunc(a, b, pruning.Compare) }
