package planner

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// dorisSemantics are the rules of Doris, which follow MySQL's: a constant takes the type of what it is compared with, and
// so that the comparison keeps its truth (SimplifyComparisonPredicate.java). The session's time zone is UTC.
var dorisSemantics = sync.OnceValue(func() *semantics {
	return &semantics{
		moreArguments: true,
		dialect:       "doris",
		sameName:      strings.EqualFold,
		lenient:       true,
		likeEscape:    '\\',
		calls:         dorisCalls(),
		funcName:      strings.ToLower,
		cast:          dorisCast,
		convert:       dorisCast,
		tryCast:       dorisCast,
		parseDate:     dorisParseDate,
		special:       (*binder).dorisCall,
		word:          (*binder).dorisWord,
		operator:      (*binder).dorisOperator,
		signed:        (*binder).dorisNumber,
		compare:       (*binder).dorisCompare,
		in:            (*binder).dorisIn,
		rare:          (*binder).dorisRare,
		truth:         (*binder).dorisTruth,
		unify:         (*binder).dorisUnify,
		store:         (*binder).dorisStore,
		texts:         (*binder).dorisText,
		typeName:      dorisTypeName,
		literal:       func(_ typ, s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" },
	}
})

// dorisOf is a type of Doris, in which every day of the calendar is allowed.
func dorisOf(t pruning.Type) typ {
	return typ{shape: scalarShape, scalar: t, wide: true, notNull: true}
}

func dorisKind(k pruning.Kind) typ { return dorisOf(scalar(k).scalar) }

func dorisTypeName(t pruning.Type) string {
	switch t.Kind {
	case pruning.Bool:
		return "BOOLEAN"
	case pruning.Int8:
		return "TINYINT"
	case pruning.Int16:
		return "SMALLINT"
	case pruning.Int32:
		return "INT"
	case pruning.Int64:
		return "BIGINT"
	case pruning.Int128:
		return "LARGEINT"
	case pruning.Float32:
		return "FLOAT"
	case pruning.Float64:
		return "DOUBLE"
	case pruning.Decimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale)
	case pruning.String:
		return "VARCHAR"
	case pruning.Date:
		return "DATE"
	case pruning.Datetime, pruning.Timestamp:
		return "DATETIME"
	}
	return t.String()
}

// dorisNumber gives a number its type, exactly: 12 is INT, 2^100 LARGEINT, 1.50 DECIMAL(3,2), 1e3 DOUBLE. It is nil for
// what is no number.
func (b *binder) dorisNumber(l *ast.Literal, minus bool, at ast.Expr) expr {
	if l.Kind != ast.IntLit && l.Kind != ast.FloatLit {
		return nil
	}
	digits := l.Text
	if n, err := parseWhole(digits); err == nil && l.Kind == ast.IntLit {
		digits = new(big.Int).SetUint64(n).String() // 0x1F
	}
	if minus {
		digits = "-" + digits
	}
	t, v, ok := dorisExact(digits)
	if !ok {
		return &opaque{at: at, t: typ{notNull: true}, why: "a number that isn't followed exactly"}
	}
	return &constant{at: at, t: t, v: exactly(v)}
}

// dorisExact reads 12, 1.50 or 1e3. ok is false for what is no number, and for more digits than 38 behind a point. A whole
// number that is greater than every LARGEINT keeps being so.
func dorisExact(s string) (t typ, v pruning.Value, ok bool) {
	if n, whole := new(big.Int).SetString(strings.TrimPrefix(s, "+"), 10); whole {
		for _, k := range [...]pruning.Kind{pruning.Int32, pruning.Int64, pruning.Int128, pruning.Uint128} {
			t = dorisKind(k)
			if v, ok = t.scalar.FromBig(n); ok {
				return t, v, true
			}
		}
		f, _ := new(big.Float).SetInt(n).Float64()
		return dorisKind(pruning.Float64), pruning.Float(f), n.BitLen() > 128 && !math.IsInf(f, 0)
	}
	if strings.ContainsAny(s, "eE") {
		f, good := new(big.Float).SetString(s)
		if !good {
			return t, v, false
		}
		x, _ := f.Float64()
		return dorisKind(pruning.Float64), pruning.Float(x), !math.IsInf(x, 0)
	}
	whole, frac, _ := strings.Cut(strings.TrimLeft(s, "+-"), ".")
	if !digitsAnd(whole+frac, "") || whole+frac == "" {
		return t, v, false
	}
	n := max(1, len(strings.TrimLeft(whole, "0"))+len(frac))
	if n > 38 {
		return t, v, false
	}
	t = dorisOf(pruning.Type{Kind: pruning.Decimal, Precision: uint8(n), Scale: uint8(len(frac))})
	unscaled, _ := new(big.Int).SetString("0"+whole+frac, 10)
	if strings.HasPrefix(s, "-") {
		unscaled.Neg(unscaled)
	}
	v, ok = t.scalar.FromBig(unscaled)
	return t, v, ok
}

// dorisTruth takes numbers for TRUE unless they are 0.
func (b *binder) dorisTruth(x expr) expr {
	switch t := x.typ(); {
	case t.isNumber():
		return b.compareAlike(x.node(), ast.OpNe, x, &constant{at: x.node(), t: dorisKind(pruning.Int32), v: integer(0)})
	case isTextConstant(x):
		return b.dorisAs(x, dorisKind(pruning.Bool))
	}
	return nil
}

// dorisText is a number or a date as a text.
func (b *binder) dorisText(x expr) expr {
	if t := x.typ(); t.isInt() || t.isDate() {
		return b.dorisTo(x.node(), x, dorisKind(pruning.String))
	}
	return x
}

// isTextConstant: a text that is known before any row is read.
func isTextConstant(x expr) bool {
	c, ok := x.(*constant)
	return ok && c.t.isText() && c.v.isKnown()
}

// dorisUnify brings constant texts among the results of CASE and COALESCE to the type of the others.
func (b *binder) dorisUnify(args []expr, result func(i int) bool) []expr {
	want := typ{shape: nullShape}
	for i, x := range args {
		if !result(i) || isTextConstant(x) {
			continue
		}
		if c, ok := common(want, x.typ()); ok {
			want = c
		}
	}
	out := slices.Clone(args)
	for i, x := range args {
		if !result(i) || !isTextConstant(x) {
			continue
		}
		s := strings.TrimSpace(x.(*constant).v.lo.Text())
		if m, problem := projection.ParseMoment(s); want.isDate() && problem == "" {
			out[i] = moment(x.node(), m)
		} else if t, v, ok := dorisExact(s); want.isInt() && ok {
			out[i] = &constant{at: x.node(), t: t, v: exactly(v)}
		}
	}
	return out
}

// dorisOperator binds what differs from YQL: dates and intervals, whole numbers that become BIGINT, quotients.
func (b *binder) dorisOperator(e *ast.Binary, l, r expr) expr {
	switch e.Op {
	case ast.OpAdd, ast.OpSub, ast.OpMul, ast.OpMod, ast.OpDiv, ast.OpIntDiv:
	default:
		return nil
	}
	for _, x := range [...]expr{l, r} {
		if c, ok := x.(*constant); ok && c.v.isNull() {
			return &constant{at: e, t: typ{shape: nullShape}, v: nullValue}
		}
	}
	if e.Op == ast.OpAdd || e.Op == ast.OpSub {
		if c, ok := calendarOf(r); ok {
			return b.dorisShift(e, string(e.Op), l, signedBy(e.Op, c))
		}
		if c, ok := calendarOf(l); ok && e.Op == ast.OpAdd {
			return b.dorisShift(e, string(e.Op), r, c)
		}
	}
	l, r = b.dorisOperand(l), b.dorisOperand(r)
	t, u := l.typ(), r.typ()
	switch {
	case t.isInt() && u.isInt() && e.Op == ast.OpIntDiv:
		return b.call(e, intDivide, l, r)
	case t.isInt() && u.isInt() && e.Op != ast.OpDiv:
		return b.call(e, dorisArith(e.Op), l, r)
	case !t.isNumber() || !u.isNumber() || e.Op == ast.OpIntDiv:
	case e.Op == ast.OpDiv || isFloat(t.scalar.Kind) || isFloat(u.scalar.Kind):
		return b.call(e, arithmetic(e.Op), b.dorisTo(l.node(), l, dorisKind(pruning.Float64)), b.dorisTo(r.node(), r, dorisKind(pruning.Float64)))
	case !wide128(t) && !wide128(u):
		return b.call(e, decimalArith(e.Op), l, r)
	}
	return &opaque{at: e, why: "the operator " + string(e.Op) + " on values of these types", args: []expr{l, r}}
}

func wide128(t typ) bool { return t.is(pruning.Int128) || t.is(pruning.Uint128) }

func signedBy(op ast.Op, c calendar) calendar {
	if op == ast.OpSub {
		return calendar{-c.months, -c.days, -c.micros}
	}
	return c
}

// dorisFrom is n - x of a whole number x: -x of 0, and ~x of -1.
func (b *binder) dorisFrom(at ast.Expr, n int64, x expr) expr {
	return b.call(at, dorisArith(ast.OpSub), &constant{at: at, t: dorisKind(pruning.Int64), v: integer(n)}, b.dorisOperand(x))
}

// dorisOperand is a whole number as a BIGINT, so that sums and products don't overflow, and a constant text as the number
// that it holds.
func (b *binder) dorisOperand(x expr) expr {
	if isTextConstant(x) {
		if t, v, ok := dorisExact(strings.TrimSpace(x.(*constant).v.lo.Text())); ok {
			x = &constant{at: x.node(), t: t, v: exactly(v)}
		}
	}
	if x.typ().isInt() {
		return b.dorisTo(x.node(), x, dorisKind(pruning.Int64))
	}
	return x
}
