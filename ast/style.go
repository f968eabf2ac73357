package ast

// Style is how trees are printed: what differs between dialects, and the width of lines.
type Style struct {
	Levels    [][]Op        // operators by precedence, the loosest level first; left-associative but ??
	Spell     map[Op]string // operators that the dialect writes in another way
	NameQuote byte          // around names that need quotes: ` or "
	HiveQuote byte          // the same in DDL that follows Hive: CREATE EXTERNAL TABLE, ALTER, DROP; 0: NameQuote
	KeyQuote  byte          // around keys of options that need quotes
	TextQuote byte          // around strings that don't come from a source
	Escapes   Quote         // how such strings and names are escaped
	ColumnKey string        // how a key column is marked: KEY, PRIMARY KEY …
	Braces    bool          // structs are {'a': 1}, not <|a: 1|>
	Width     int           // where statements are broken into lines, about; 0: everything on one line
}

// Comment is a comment of the source.
type Comment struct {
	Span
	Text     string // "-- …" without its line break, or "/* … */"
	Trailing bool   // something else stands before it on its line
}

// level is the precedence of an operator, from 1; 0 when the dialect hasn't got it.
func (st *Style) level(op Op) int {
	if op == OpNotDistinct {
		op = OpDistinct
	}
	for i, ops := range st.Levels {
		for _, o := range ops {
			if o == op {
				return i + 1
			}
		}
	}
	return 0
}

// spelling is an operator as the dialect writes it.
func (st *Style) spelling(op Op) string {
	if text, ok := st.Spell[op]; ok {
		return text
	}
	return string(op)
}

// unary is the precedence of the signs, tighter than any infix operator; primary that of what needs no brackets.
func (st *Style) unary() int   { return len(st.Levels) + 1 }
func (st *Style) primary() int { return len(st.Levels) + 2 }

// levelOf is the precedence of an expression as an operand.
func (st *Style) levelOf(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return st.level(e.Op)
	case *Logic:
		return st.level(e.Op)
	case *Between:
		return st.level(OpBetween)
	case *In:
		return st.level(OpIn)
	case *Like:
		return st.level(e.Op)
	case *Is:
		return st.level(OpIs)
	case *Unary:
		if l := st.level(OpNot); e.Op == OpNot && l > 0 {
			return l
		}
		return st.unary()
	case *Interval:
		return st.unary()
	case *Literal:
		if e.Kind != StringLit && len(e.Text) > 0 && e.Text[0] == '-' {
			return st.unary()
		}
	case *Lambda:
		return 0
	}
	return st.primary()
}
