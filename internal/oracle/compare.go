package oracle

import (
	"math"
	"math/big"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

func distinct(a, b Value) bool {
	if a == nil || b == nil {
		return a != nil || b != nil
	}
	return compare(ast.OpEq, a, b) != true
}

// compare is three-valued; tuples go by dictionary order.
func compare(op ast.Op, a, b Value) Value {
	if a == nil || b == nil {
		return nil
	}
	if x, ok := a.(Tuple); ok {
		return compareTuples(op, x, b.(Tuple))
	}
	c := order(a, b)
	switch op {
	case ast.OpEq:
		return c == 0
	case ast.OpNe:
		return c != 0
	case ast.OpLt:
		return c < 0
	case ast.OpLe:
		return c <= 0
	case ast.OpGt:
		return c > 0
	}
	return c >= 0
}

func compareTuples(op ast.Op, a, b Tuple) Value {
	if op == ast.OpEq || op == ast.OpNe {
		var out Value = true
		for i := range a {
			out = and(out, compare(ast.OpEq, a[i], b[i]))
		}
		return negate(out, op == ast.OpNe)
	}
	for i := range a {
		switch same := compare(ast.OpEq, a[i], b[i]); {
		case same == nil:
			return nil
		case same == false:
			return compare(op, a[i], b[i])
		}
	}
	return op == ast.OpLe || op == ast.OpGe
}

// order compares numbers by value, texts by bytes, dates by instant.
func order(a, b Value) int {
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return strings.Compare(x, y)
		}
		fail("comparison of string and %T", b)
	}
	if x, ok := a.(bool); ok {
		if y, ok := b.(bool); ok {
			return btoi(x) - btoi(y)
		}
	}
	x, kind := rational(a)
	y, kind2 := rational(b)
	if kind != kind2 {
		fail("comparison of %T and %T", a, b)
	}
	return x.Cmp(y)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rational puts numbers, dates and intervals on a line each.
func rational(v Value) (*big.Rat, string) {
	switch v := v.(type) {
	case Int:
		return new(big.Rat).SetInt(v.N), "number"
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			fail("%v", v)
		}
		return new(big.Rat).SetFloat64(v), "number"
	case Interval:
		return new(big.Rat).SetInt64(int64(v)), "interval"
	}
	if us, ok := micros(v); ok {
		return new(big.Rat).SetInt64(us), "date"
	}
	fail("%T has no order", v)
	return nil, ""
}

// micros is the instant of a date.
func micros(v Value) (int64, bool) {
	switch v := v.(type) {
	case Date:
		return int64(v) * 86400e6, true
	case Datetime:
		return int64(v) * 1e6, true
	case Timestamp:
		return int64(v), true
	}
	return 0, false
}
