package oracle

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/ast"
)

// The first day after YDB's narrow date types.
var endOfDates = time.Date(2106, 1, 1, 0, 0, 0, 0, time.UTC)

func arithmetic(op ast.Op, a, b Value) Value {
	if a == nil || b == nil {
		return nil
	}
	x, xInt := a.(Int)
	y, yInt := b.(Int)
	switch {
	case xInt && yInt:
		return integers(op, x, y)
	case isNumber(a) && isNumber(b):
		return floats(op, toFloat(a), toFloat(b))
	}
	return dates(op, a, b)
}

func isNumber(v Value) bool {
	switch v.(type) {
	case Int, float64:
		return true
	}
	return false
}

func toFloat(v Value) float64 {
	if i, ok := v.(Int); ok {
		f, _ := new(big.Float).SetInt(i.N).Float64()
		return f
	}
	return v.(float64)
}

// integers computes in the wider type, and in the unsigned one of two as wide; numbers beyond it wrap around. Division
// cuts towards zero; by zero it is NULL.
func integers(op ast.Op, x, y Int) Value {
	t := x
	if y.Bits > x.Bits || y.Bits == x.Bits && y.Unsigned {
		t = y
	}
	as := func(n *big.Int) Int { return Int{n, t.Bits, t.Unsigned}.wrap() }
	p, q, n := as(x.N).N, as(y.N).N, new(big.Int)
	switch op {
	case ast.OpAdd:
		return as(n.Add(p, q))
	case ast.OpSub:
		return as(n.Sub(p, q))
	case ast.OpMul:
		return as(n.Mul(p, q))
	case ast.OpDiv, ast.OpMod:
		if q.Sign() == 0 {
			return nil
		}
		if op == ast.OpDiv {
			return as(n.Quo(p, q))
		}
		return as(n.Rem(p, q))
	case ast.OpBitAnd, ast.OpBitOr, ast.OpBitXor:
		return as(bits(op, unsigned(p, t.Bits), unsigned(q, t.Bits)))
	case ast.OpShl, ast.OpShr:
		return shift(op, x, y)
	}
	fail("operator %s", op)
	return nil
}

// unsigned is the two's complement of a number as an unsigned one.
func unsigned(n *big.Int, bits uint) *big.Int {
	return new(big.Int).Mod(n, new(big.Int).Lsh(big.NewInt(1), bits))
}

func bits(op ast.Op, p, q *big.Int) *big.Int {
	switch op {
	case ast.OpBitAnd:
		return new(big.Int).And(p, q)
	case ast.OpBitOr:
		return new(big.Int).Or(p, q)
	}
	return new(big.Int).Xor(p, q)
}

// shift keeps the type of what is shifted.
func shift(op ast.Op, x, y Int) Value {
	n := y.N.Int64()
	if x.N.Sign() < 0 || n < 0 || n >= int64(x.Bits) {
		fail("%v %s %v", x, op, y)
	}
	if op == ast.OpShr {
		x.N = new(big.Int).Rsh(x.N, uint(n))
	} else {
		x.N = new(big.Int).Lsh(x.N, uint(n))
	}
	return x.wrap()
}

func floats(op ast.Op, a, b float64) Value {
	switch op {
	case ast.OpAdd:
		return a + b
	case ast.OpSub:
		return a - b
	case ast.OpMul:
		return a * b
	case ast.OpDiv:
		if b != 0 {
			return a / b
		}
	case ast.OpMod:
		if b != 0 {
			return math.Mod(a, b)
		}
	}
	fail("%v %s %v", a, op, b)
	return nil
}

// dates: date ± interval, date - date, interval ± interval. A date out of range is NULL.
func dates(op ast.Op, a, b Value) Value {
	i, iOK := a.(Interval)
	j, jOK := b.(Interval)
	x, xOK := micros(a)
	y, yOK := micros(b)
	sign := int64(1)
	switch {
	case op == ast.OpSub:
		sign = -1
	case op != ast.OpAdd:
		return scaled(op, a, b)
	}
	switch {
	case xOK && jOK:
		return dateLike(a, x+sign*int64(j))
	case iOK && yOK && sign > 0:
		return dateLike(b, y+int64(i))
	case xOK && yOK && sign < 0:
		return Interval(x - y)
	case iOK && jOK:
		return inInterval(big.NewInt(int64(i) + sign*int64(j)))
	}
	fail("%T %s %T", a, op, b)
	return nil
}

// inInterval is an interval that isn't longer than all dates together; others are left open.
func inInterval(us *big.Int) Value {
	if new(big.Int).Abs(us).Cmp(big.NewInt(endOfDates.UnixMicro())) > 0 {
		fail("interval of %v", us)
	}
	return Interval(us.Int64())
}

// scaled: an interval times or by a whole number, or by another interval.
func scaled(op ast.Op, a, b Value) Value {
	i, iOK := a.(Interval)
	j, jOK := b.(Interval)
	x, xOK := a.(Int)
	y, yOK := b.(Int)
	switch {
	case op == ast.OpMul && iOK && yOK:
		return inInterval(new(big.Int).Mul(big.NewInt(int64(i)), y.N))
	case op == ast.OpMul && xOK && jOK:
		return inInterval(new(big.Int).Mul(big.NewInt(int64(j)), x.N))
	case op == ast.OpDiv && iOK && yOK && y.N.Sign() != 0:
		return inInterval(new(big.Int).Quo(big.NewInt(int64(i)), y.N))
	case op == ast.OpDiv && iOK && jOK && j != 0:
		return Int{big.NewInt(int64(i / j)), 64, false}
	case op == ast.OpDiv && iOK && (yOK || jOK):
		return nil
	}
	fail("%T %s %T", a, op, b)
	return nil
}

// dateLike makes a date of v's type.
func dateLike(v Value, us int64) Value {
	t := time.UnixMicro(us).UTC()
	if us < 0 || !t.Before(endOfDates) {
		return nil
	}
	switch v.(type) {
	case Date:
		return Date(t.Unix() / 86400)
	case Datetime:
		return Datetime(t.Unix())
	}
	return Timestamp(us)
}

// cast is CAST to the types that the oracle knows; NULL when the value doesn't fit.
func cast(v Value, to string) Value {
	if v == nil {
		return nil
	}
	ints := map[string]Int{"int8": {nil, 8, false}, "int16": {nil, 16, false}, "int32": {nil, 32, false}, "int64": {nil, 64, false},
		"uint8": {nil, 8, true}, "uint16": {nil, 16, true}, "uint32": {nil, 32, true}, "uint64": {nil, 64, true}}
	if t, ok := ints[to]; ok {
		return castInt(v, t)
	}
	switch to {
	case "string":
		return castString(v)
	case "utf8":
		s := castString(v).(string)
		if !utf8.ValidString(s) {
			return nil
		}
		return s
	case "double":
		if isNumber(v) {
			return toFloat(v)
		}
	case "bool":
		if i, ok := v.(Int); ok {
			return i.N.Sign() != 0
		}
	case "date", "datetime", "timestamp":
		return castDate(v, to)
	}
	fail("cast of %T to %s", v, to)
	return nil
}

func castInt(v Value, t Int) Value {
	switch v := v.(type) {
	case Int:
		t.N = v.N
	case bool:
		t.N = big.NewInt(int64(btoi(v)))
	case float64:
		if v != math.Trunc(v) || math.IsInf(v, 0) {
			fail("cast of %v to a whole number", v)
		}
		t.N, _ = big.NewFloat(v).Int(nil)
	case Date:
		t.N = big.NewInt(int64(v))
	case Datetime:
		t.N = big.NewInt(int64(v))
	case Timestamp:
		t.N = big.NewInt(int64(v))
	case Interval:
		t.N = big.NewInt(int64(v))
	case string:
		digits := strings.TrimPrefix(v, "-")
		if digits == "" || strings.Trim(digits, "0123456789") != "" {
			return nil
		}
		t.N, _ = new(big.Int).SetString(v, 10)
	default:
		fail("cast of %T to a whole number", v)
	}
	if !t.fits() {
		return nil
	}
	return t
}

func castString(v Value) Value {
	switch v := v.(type) {
	case string:
		return v
	case Int:
		return v.N.String()
	case bool:
		return strconv.FormatBool(v)
	case Date:
		return time.Unix(int64(v)*86400, 0).UTC().Format("2006-01-02")
	case Datetime:
		return time.Unix(int64(v), 0).UTC().Format("2006-01-02T15:04:05Z")
	}
	fail("cast of %T to String", v)
	return nil
}

func castDate(v Value, to string) Value {
	kind := map[string]Value{"date": Date(0), "datetime": Datetime(0), "timestamp": Timestamp(0)}[to]
	switch v := v.(type) {
	case string:
		layout := map[string]string{"date": "2006-01-02", "datetime": "2006-01-02T15:04:05Z", "timestamp": "2006-01-02T15:04:05.999999Z"}[to]
		t, err := time.Parse(layout, v)
		if err != nil {
			return nil
		}
		return dateLike(kind, t.UnixMicro())
	case Int:
		unit := map[string]int64{"date": 86400e6, "datetime": 1e6, "timestamp": 1}[to]
		us := new(big.Int).Mul(v.N, big.NewInt(unit))
		if !us.IsInt64() {
			return nil
		}
		return dateLike(kind, us.Int64())
	}
	us, ok := micros(v)
	if !ok {
		fail("cast of %T to %s", v, to)
	}
	return dateLike(kind, us)
}
