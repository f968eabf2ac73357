package planner

import (
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// duckdbSemantics are DuckDB's rules, measured with DuckDB 1.5.6. Binder errors are errors here, too, as far as they come
// from comparing, casting and literals; functions of arguments that they don't take are left unknown.
var duckdbSemantics = sync.OnceValue(func() *semantics {
	return &semantics{
		dialect:  "duckdb",
		sameName: strings.EqualFold,
		aliases:  true,
		chains:   true,

		openParams: true,

		calls:    duckdbCalls(),
		funcName: normalName,
		typeName: func(t pruning.Type) string { return duckNames[t.Kind] },
		literal:  duckText,
		word:     (*binder).duckName,
		signed:   (*binder).duckLiteral,
		typed:    (*binder).duckTyped,
		cast:     duckCastFn,
		tryCast:  duckTryFn,
		castAs:   (*binder).duckCast,
		compare:  (*binder).duckCompare,
		in:       (*binder).duckIn,
		operator: (*binder).duckBinary,
		special:  (*binder).duckCall,
		rare:     (*binder).duckRare,
		truth:    (*binder).duckTruth,
		concat:   (*binder).duckConcat,
		pattern:  (*binder).duckLike,
		meet:     duckMeetTypes,
		convert:  duckTryFn,
		unify:    (*binder).duckUnify,
	}
})

// duckNames are DuckDB's names of types.
var duckNames = map[pruning.Kind]string{
	pruning.Bool: "BOOLEAN", pruning.Int8: "TINYINT", pruning.Int16: "SMALLINT", pruning.Int32: "INTEGER", pruning.Int64: "BIGINT",
	pruning.Int128: "HUGEINT", pruning.Uint8: "UTINYINT", pruning.Uint16: "USMALLINT", pruning.Uint32: "UINTEGER", pruning.Uint64: "UBIGINT",
	pruning.Uint128: "UHUGEINT", pruning.Float32: "FLOAT", pruning.Float64: "DOUBLE", pruning.Decimal: "DECIMAL", pruning.String: "VARCHAR",
	pruning.Date: "DATE", pruning.Datetime: "TIMESTAMP_S", pruning.Timestamp: "TIMESTAMP", pruning.Time: "TIME", pruning.UUID: "UUID",
}

// duckType is a type of DuckDB, in which every value of a date type is allowed.
func duckType(t pruning.Type) typ {
	return typ{shape: scalarShape, scalar: t, notNull: true, wide: true, name: duckNames[t.Kind]}
}

func duckKind(k pruning.Kind) typ { return duckType(scalar(k).scalar) }

// duckLiteral gives a number its type: 1 is INTEGER, 3000000000 BIGINT, 1.50 DECIMAL(3,2), 1e3 DOUBLE. Texts have none
// until they meet another type.
func (b *binder) duckLiteral(l *ast.Literal, minus bool, at ast.Expr) expr {
	digits := strings.ReplaceAll(l.Text, "_", "")
	switch l.Kind {
	case ast.IntLit:
		if x := duckHuge(digits, minus, at); x != nil {
			return x
		}
		x := b.intLiteral(at, l, minus)
		if c, ok := x.(*constant); ok && c.t.shape == scalarShape {
			c.t = duckType(c.t.scalar)
		}
		return x
	case ast.FloatLit:
	default:
		return nil
	}
	if minus {
		digits = "-" + digits
	}
	t := pruning.Type{Kind: pruning.Float64}
	if !strings.ContainsAny(digits, "eE") {
		whole, frac, _ := strings.Cut(strings.TrimPrefix(digits, "-"), ".")
		if n := max(1, len(whole)+len(frac)); n <= 38 {
			t = pruning.Type{Kind: pruning.Decimal, Precision: uint8(n), Scale: uint8(len(frac))}
		}
	}
	v, ok := ducktext.Parse(t, digits)
	if !ok {
		b.errorf(l, "bind.number", "", "%s is too large for %s", l.Raw, duckNames[t.Kind])
		return b.failed(at, nil)
	}
	return &constant{at: at, t: duckType(t), v: signedZero(t, v, digits)}
}

// duckHuge is a whole number of more than 64 bits: HUGEINT, or DOUBLE where that is too small; nil for others.
func duckHuge(digits string, minus bool, at ast.Expr) expr {
	n, ok := new(big.Int).SetString(digits, 10)
	if minus && ok {
		n.Neg(n)
	}
	if !ok || n.IsInt64() || n.IsUint64() {
		return nil
	}
	t := duckKind(pruning.Int128)
	v, ok := t.scalar.FromBig(n)
	if !ok {
		f, _ := new(big.Float).SetInt(n).Float64()
		t, v = duckKind(pruning.Float64), pruning.Float(f)
	}
	return &constant{at: at, t: t, v: exactly(v)}
}

// duckTyped is DATE '2024-01-31'.
func (b *binder) duckTyped(at ast.Expr, name string, t typ, s string, where ast.Expr) expr {
	if strings.EqualFold(name, "interval") {
		if c, ok := parseCalendar(s); ok {
			return &constant{at: at, t: calendarType, v: calendarValue(c)}
		}
		return nil
	}
	if isZoned(name) {
		return duckInstant(at, s)
	}
	if t.shape != scalarShape {
		return nil
	}
	return b.duckParse(at, where, duckType(t.scalar), s)
}

// duckZoned is TIMESTAMP WITH TIME ZONE; the session's zone is UTC.
var duckZoned = duckKind(pruning.Timestamp).named("TIMESTAMP WITH TIME ZONE")

func isZoned(name string) bool {
	return strings.EqualFold(name, "timestamptz") || strings.EqualFold(name, duckZoned.name)
}

// duckInstant is a text as such a value; nil for what isn't read.
func duckInstant(at ast.Expr, s string) expr {
	v, ok := ducktext.Zoned(s)
	if !ok {
		return nil
	}
	return &constant{at: at, t: duckZoned, v: exactly(v)}
}

// duckParse is a text as a value of another type, or the error that it is none.
func (b *binder) duckParse(at, where ast.Expr, t typ, s string) expr {
	v, ok := ducktext.Parse(t.scalar, s)
	if !ok {
		hint := ""
		switch {
		case t.is(pruning.Date):
			hint = "write a date as '2024-01-31'"
		case t.isDate():
			hint = "write a timestamp as '2024-01-31 10:20:30'"
		}
		b.errorf(where, "bind.literal", hint, "'%s' can't be converted to %s", s, t)
		return &opaque{at: at, t: t, why: "an expression with an error"}
	}
	return &constant{at: at, t: t, v: exactly(v)}
}

// duckTruth takes numbers for TRUE unless they are 0, and converts texts.
func (b *binder) duckTruth(x expr) expr {
	t := x.typ()
	switch {
	case t.isInt():
		return b.call(x.node(), comparison(ast.OpNe), x, &constant{at: x.node(), t: duckKind(pruning.Int32), v: integer(0)})
	case isTextLiteral(x):
		return b.duckParse(x.node(), x.node(), duckKind(pruning.Bool), textOf(x))
	case t.isText():
		return b.duckCastTo(x.node(), x, duckKind(pruning.Bool), duckCastFn)
	case t.shape == scalarShape:
		return boolOpaque(x.node(), "a value that isn't a truth value", x)
	}
	return nil
}

// isTextLiteral reports whether x is a text as written, which takes the type of what it meets.
func isTextLiteral(x expr) bool {
	c, ok := x.(*constant)
	if !ok || !c.t.isText() {
		return false
	}
	l, ok := c.at.(*ast.Literal)
	return ok && l.Kind == ast.StringLit && c.v.isKnown()
}

func textOf(x expr) string { return x.(*constant).v.lo.Text() }

// duckUnify brings values to one type, such as the results of CASE or a column of VALUES: literals take that of the
// others, numbers the type that holds both.
func (b *binder) duckUnify(args []expr, result func(i int) bool) []expr {
	want := typ{shape: nullShape}
	for i, x := range args {
		if t := x.typ(); result(i) && !isTextLiteral(x) && t.shape != nullShape {
			if want.shape == nullShape {
				want = t
			} else if c, ok := duckMeetTypes(want, t); ok {
				want = c
			}
		}
	}
	if want.shape != scalarShape || want.isText() {
		return args
	}
	out := slices.Clone(args)
	for i, x := range args {
		switch t := x.typ(); {
		case !result(i):
		case isTextLiteral(x):
			out[i] = b.duckParse(x.node(), x.node(), duckType(want.scalar), textOf(x))
		case t.isNumber() && want.isNumber():
			out[i] = b.convert(x, want)
		}
	}
	return out
}

// duckMeetTypes is the type of a value that has one of two types: the wider integer, a decimal with the digits of both, a
// double beside any number, a text beside a value of another type.
func duckMeetTypes(t, u typ) (typ, bool) {
	switch scalars := t.shape == scalarShape && u.shape == scalarShape; {
	case scalars && t.isText() != u.isText():
		return duckKind(pruning.String).orNull(t).orNull(u), true
	case t.isBool() && u.isNumber():
		return u.orNull(t), true
	case t.isNumber() && u.isBool():
		return t.orNull(u), true
	}
	if !t.isNumber() || !u.isNumber() || t.isInt() && u.isInt() {
		return common(t, u)
	}
	out := duckKind(pruning.Float64)
	if !isFloat(t.scalar.Kind) && !isFloat(u.scalar.Kind) {
		a, b := asDecimal(t.scalar), asDecimal(u.scalar)
		scale := max(a.Scale, b.Scale)
		whole := max(a.Precision-a.Scale, b.Precision-b.Scale)
		out = duckType(pruning.Type{Kind: pruning.Decimal, Precision: min(whole+scale, 38), Scale: scale})
	}
	return out.orNull(t).orNull(u), true
}

// asDecimal is a decimal type that holds all values of t.
func asDecimal(t pruning.Type) pruning.Type {
	if t.Kind == pruning.Decimal {
		return t
	}
	digits := map[pruning.Kind]uint8{pruning.Int8: 3, pruning.Uint8: 3, pruning.Int16: 5, pruning.Uint16: 5, pruning.Int32: 10, pruning.Uint32: 10}[t.Kind]
	if digits == 0 {
		digits = 20
	}
	return pruning.Type{Kind: pruning.Decimal, Precision: digits}
}

// duckText is DATE '2024-01-31' or '5'.
func duckText(t typ, s string) string {
	if t.isDate() {
		return t.String() + " '" + s + "'"
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
