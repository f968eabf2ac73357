package planner

import (
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// months is the name of intervals of years and months, which have no length. Their constants have the number of months
// as value and no type that anything else could use.
const months = "interval year to month"

// trinoInterval is INTERVAL '3' DAY, INTERVAL '-1' MONTH, INTERVAL '1 02:03:04.5' DAY TO SECOND or INTERVAL '1-6' YEAR TO
// MONTH (Trino, SqlBase.g4 and IntervalLiteral.java).
func (b *binder) trinoInterval(e *ast.Interval) expr {
	x, sign := e.X, int64(1)
	if u, ok := x.(*ast.Unary); ok && (u.Op == ast.OpNeg || u.Op == ast.OpPlus) {
		if x = u.X; u.Op == ast.OpNeg {
			sign = -1
		}
	}
	l, ok := x.(*ast.Literal)
	if !ok || l.Kind != ast.StringLit {
		return nil
	}
	from, to, several := strings.Cut(e.Unit, " TO ")
	if !several {
		to = from
	}
	fields, isMonths := intervalFields(strings.TrimSuffix(from, "S"), strings.TrimSuffix(to, "S"))
	n, ok := parseFields(l.Text, fields)
	if fields == nil || !ok {
		b.errorf(l, "bind.literal", "write INTERVAL '2' DAY, INTERVAL '1 02:03:04' DAY TO SECOND or INTERVAL '1-6' YEAR TO MONTH",
			"%s is no interval of %s", nodeText(&opaque{at: l}), e.Unit)
		return b.failed(e, nil)
	}
	if isMonths {
		return &constant{at: e, t: typ{notNull: true, name: months}, v: integer(sign * n)}
	}
	return &constant{at: e, t: scalar(pruning.Interval), v: integer(sign * n)}
}

// intervalField is a part of an interval's text: what one of it is worth, and what separates it from the part before.
type intervalField struct {
	name string
	unit int64
	sep  byte
}

var (
	monthFields = []intervalField{{"YEAR", 12, 0}, {"MONTH", 1, '-'}}
	clockFields = []intervalField{{"DAY", microsADay, 0}, {"HOUR", 3600e6, ' '}, {"MINUTE", 60e6, ':'}, {"SECOND", 1e6, ':'}}
	// otherFields stand alone.
	otherFields = []intervalField{{"WEEK", 7 * microsADay, 0}, {"MILLISECOND", 1e3, 0}, {"QUARTER", 3, 0}}
)

// intervalFields are the parts from one unit to another; nil where there are none. A text of months has no length in time.
func intervalFields(from, to string) (fields []intervalField, isMonths bool) {
	for _, all := range [][]intervalField{monthFields, clockFields} {
		for i := range all {
			if all[i].name == from {
				for j := i; j < len(all); j++ {
					if all[j].name == to {
						return all[i : j+1], &all[0] == &monthFields[0]
					}
				}
			}
		}
	}
	for i := range otherFields {
		if otherFields[i].name == from && from == to {
			return otherFields[i : i+1], from == "QUARTER"
		}
	}
	return nil, false
}

// parseFields reads "-1 02:03:04.5": each part a number, the last one with a fraction if it counts seconds.
func parseFields(s string, fields []intervalField) (n int64, ok bool) {
	sign := int64(1)
	if rest := strings.TrimPrefix(s, "-"); len(rest) < len(s) {
		s, sign = rest, -1
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	for i, f := range fields {
		part := s
		if i+1 < len(fields) {
			k := strings.IndexByte(s, fields[i+1].sep)
			if k < 0 {
				return 0, false
			}
			part, s = s[:k], strings.TrimLeft(s[k+1:], " ")
		}
		whole, frac, point := strings.Cut(part, ".")
		v, err := strconv.ParseUint(whole, 10, 31)
		if err != nil || int64(v) > maxMicros/f.unit || point && (f.name != "SECOND" || len(frac) > 6 || !digitsAnd(frac, "")) {
			return 0, false
		}
		micros, _ := strconv.ParseInt((frac + "000000")[:6], 10, 64)
		n += int64(v)*f.unit + micros
	}
	return sign * n, true
}

// unitMicros are the units of fixed length.
var unitMicros = map[string]int64{"WEEK": 7 * microsADay, "DAY": microsADay, "HOUR": 3600e6, "MINUTE": 60e6, "SECOND": 1e6, "MILLISECOND": 1e3}

// trinoOperator is a date and an interval of months, or a comparison with ANY, SOME or ALL of some rows.
func (b *binder) trinoOperator(e *ast.Binary, l, r expr) expr {
	switch e.Op {
	case ast.OpEq, ast.OpNe, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe:
		return b.quantified(e, l, r)
	}
	if n, ok := asMonths(r); ok && l.typ().isDate() && (e.Op == ast.OpAdd || e.Op == ast.OpSub) {
		if e.Op == ast.OpSub {
			n = -n
		}
		return b.call(e, addMonths(string(e.Op), n), l)
	}
	if n, ok := asMonths(l); ok && r.typ().isDate() && e.Op == ast.OpAdd {
		return b.call(e, addMonths("+", n), r)
	}
	return nil
}

func asMonths(x expr) (int64, bool) {
	c, ok := x.(*constant)
	if !ok || c.t.name != months {
		return 0, false
	}
	return c.v.lo.Int(), true
}
