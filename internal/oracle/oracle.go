// Package oracle evaluates YQL expressions on single rows, plainly and slowly, as the language's documentation reads.
// Tests compare the planner with it; it shares no code with the planner.
package oracle

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
)

// Value is nil for NULL, or one of bool, Int, float64, string, Date, Datetime, Timestamp, Interval, Tuple, List.
type Value any

type (
	// Int is a whole number with its type's width.
	Int struct {
		N        *big.Int
		Bits     uint
		Unsigned bool
	}
	Date      int64 // days since 1970-01-01
	Datetime  int64 // seconds
	Timestamp int64 // microseconds
	Interval  int64 // microseconds
	Tuple     []Value
	List      []Value
)

// Int32 is an Int of a column of that type.
func Int32(n int64) Int { return Int{big.NewInt(n), 32, false} }

// Int64 is an Int of a column of that type.
func Int64(n int64) Int { return Int{big.NewInt(n), 64, false} }

// Row is what an expression is evaluated on.
type Row struct {
	Columns map[string]Value
	Names   map[string]ast.Expr // $name
	Args    map[string]Value    // arguments of the lambda that is being applied
	Now     time.Time
}

// ErrUnsupported marks an expression that the oracle has no rule for.
var ErrUnsupported = errors.New("unsupported")

// Eval is the value of e on a row. The error wraps ErrUnsupported.
func Eval(e ast.Expr, row *Row) (v Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s: %w", string(u), ErrUnsupported)
		}
	}()
	return row.eval(e), nil
}

// unsupported ends an evaluation from deep within.
type unsupported string

func fail(format string, args ...any) { panic(unsupported(fmt.Sprintf(format, args...))) }

func (r *Row) eval(e ast.Expr) Value {
	switch e := e.(type) {
	case *ast.Literal:
		return literal(e)
	case *ast.Ident:
		name := e.Parts[len(e.Parts)-1].Text
		v, ok := r.Columns[name]
		if !ok {
			fail("column %s", name)
		}
		return v
	case *ast.Param:
		if v, ok := r.Args[e.Name]; ok {
			return v
		}
		return r.eval(r.Names[e.Name])
	case *ast.Unary:
		return r.unary(e)
	case *ast.Binary:
		return r.binary(e)
	case *ast.Logic:
		return r.logic(e)
	case *ast.Between:
		return r.between(e)
	case *ast.In:
		return negate(r.in(e), e.Not)
	case *ast.Like:
		return negate(r.like(e), e.Not)
	case *ast.Is:
		return r.is(e)
	case *ast.Cast:
		return cast(r.eval(e.X), strings.ToLower(e.Type.Name.Text))
	case *ast.Case:
		return r.caseOf(e)
	case *ast.Tuple:
		return Tuple(r.all(e.Items))
	case *ast.ListExpr:
		return List(r.all(e.Items))
	case *ast.Call:
		return r.call(e)
	}
	fail("%T", e)
	return nil
}

func (r *Row) all(es []ast.Expr) []Value {
	out := make([]Value, len(es))
	for i, e := range es {
		out[i] = r.eval(e)
	}
	return out
}

func literal(l *ast.Literal) Value {
	switch l.Kind {
	case ast.NullLit:
		return nil
	case ast.BoolLit:
		return strings.EqualFold(l.Text, "true")
	case ast.StringLit:
		return l.Text
	case ast.FloatLit:
		f, err := strconv.ParseFloat(l.Text, 64)
		if err != nil || l.Suffix != "" {
			fail("literal %s", l.Raw)
		}
		return f
	}
	return number(l)
}

// number is a whole number, which is decimal with leading zeros, too, of the type that its suffix names.
func number(l *ast.Literal) Value {
	base, digits := 10, l.Text
	if len(digits) > 2 && digits[0] == '0' && digits[1] > '9' {
		base, digits = map[byte]int{'x': 16, 'o': 8, 'b': 2}[digits[1]|0x20], digits[2:]
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		fail("literal %s", l.Raw)
	}
	if l.Suffix == "" {
		return untyped(n)
	}
	i := Int{n, 32, strings.Contains(l.Suffix, "u")}
	for letter, bits := range map[string]uint{"t": 8, "s": 16, "l": 64} {
		if strings.Contains(l.Suffix, letter) {
			i.Bits = bits
		}
	}
	return i
}

// untyped gives a number the type that a literal has.
func untyped(n *big.Int) Int {
	for _, t := range []Int{{n, 32, false}, {n, 64, false}, {n, 64, true}} {
		if t.fits() {
			return t
		}
	}
	fail("number %s", n)
	return Int{}
}

// fits: the number is in its type's range.
func (i Int) fits() bool {
	if i.Unsigned {
		return i.N.Sign() >= 0 && i.N.BitLen() <= int(i.Bits)
	}
	half := new(big.Int).Lsh(big.NewInt(1), i.Bits-1)
	return i.N.Cmp(half) < 0 && i.N.Cmp(new(big.Int).Neg(half)) >= 0
}

// wrap takes the number modulo 2^Bits into its type's range.
func (i Int) wrap() Int {
	all := new(big.Int).Lsh(big.NewInt(1), i.Bits)
	i.N = new(big.Int).Mod(i.N, all)
	if !i.fits() {
		i.N.Sub(i.N, all)
	}
	return i
}

func (r *Row) unary(e *ast.Unary) Value {
	x := r.eval(e.X)
	if x == nil {
		return nil
	}
	switch x := x.(type) {
	case bool:
		if e.Op == ast.OpNot {
			return !x
		}
	case Int:
		switch e.Op {
		case ast.OpPlus:
			return x
		case ast.OpBitNot:
			x.N = new(big.Int).Not(x.N)
			return x.wrap()
		case ast.OpNeg:
			x.N = new(big.Int).Neg(x.N)
			if l, ok := e.X.(*ast.Literal); ok && l.Suffix == "" {
				return untyped(x.N)
			}
			return x.wrap()
		}
	case Interval:
		if e.Op == ast.OpNeg {
			return -x
		}
	case float64:
		if e.Op == ast.OpNeg {
			return -x
		}
	}
	fail("%s of %T", e.Op, x)
	return nil
}

func negate(v Value, not bool) Value {
	if b, ok := v.(bool); ok && not {
		return !b
	}
	return v
}

// logic follows the truth tables of SQL.
func (r *Row) logic(e *ast.Logic) Value {
	args := r.all(e.Args)
	out := args[0]
	for _, x := range args[1:] {
		switch e.Op {
		case ast.OpAnd:
			out = and(out, x)
		case ast.OpOr:
			out = negate(and(negate(out, true), negate(x, true)), true)
		case ast.OpXor:
			if out == nil || x == nil {
				out = nil
			} else {
				out = out.(bool) != x.(bool)
			}
		case ast.OpConcat:
			if out == nil || x == nil {
				out = nil
			} else {
				out = out.(string) + x.(string)
			}
		}
	}
	return out
}

func and(a, b Value) Value {
	switch {
	case a == false || b == false:
		return false
	case a == nil || b == nil:
		return nil
	}
	return true
}

func (r *Row) binary(e *ast.Binary) Value {
	l, x := r.eval(e.L), r.eval(e.R)
	switch e.Op {
	case ast.OpCoalesce:
		return coalesce(l, x)
	case ast.OpConcat:
		if l == nil || x == nil {
			return nil
		}
		return l.(string) + x.(string)
	case ast.OpDistinct:
		return distinct(l, x)
	case ast.OpNotDistinct:
		return !distinct(l, x)
	case ast.OpEq, ast.OpNe, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe:
		return compare(e.Op, l, x)
	}
	return arithmetic(e.Op, l, x)
}

// coalesce is the first value that isn't NULL, in the type of all: a whole number beside a floating point one becomes one.
func coalesce(vs ...Value) Value {
	float := slices.ContainsFunc(vs, func(v Value) bool { _, ok := v.(float64); return ok })
	for _, v := range vs {
		if _, whole := v.(Int); whole && float {
			return toFloat(v)
		}
		if v != nil {
			return v
		}
	}
	return nil
}

func (r *Row) between(e *ast.Between) Value {
	x, lo, hi := r.eval(e.X), r.eval(e.Lo), r.eval(e.Hi)
	inside := func(lo, hi Value) Value {
		return and(compare(ast.OpGe, x, lo), compare(ast.OpLe, x, hi))
	}
	out := inside(lo, hi)
	if e.Symmetric {
		out = negate(and(negate(out, true), negate(inside(hi, lo), true)), true)
	}
	return negate(out, e.Not)
}

func (r *Row) in(e *ast.In) Value {
	x := r.eval(e.X)
	var items []Value
	switch s := r.eval(e.Set).(type) {
	case Tuple:
		items = s
	case List:
		items = s
	default:
		items = []Value{s}
	}
	var out Value = false
	for _, y := range items {
		out = negate(and(negate(out, true), negate(compare(ast.OpEq, x, y), true)), true)
	}
	return out
}

func (r *Row) is(e *ast.Is) Value {
	x := r.eval(e.X)
	var out bool
	switch e.What {
	case "NULL":
		out = x == nil
	case "TRUE":
		out = x == true
	case "FALSE":
		out = x == false
	default:
		fail("IS %s", e.What)
	}
	return out != e.Not
}

func (r *Row) caseOf(e *ast.Case) Value {
	for _, w := range e.Whens {
		c := r.eval(w.If)
		if e.Operand != nil {
			c = compare(ast.OpEq, r.eval(e.Operand), c)
		}
		if c == true {
			return r.eval(w.Then)
		}
	}
	if e.Else == nil {
		return nil
	}
	return r.eval(e.Else)
}
