package planner

import (
	"math"
	"math/big"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// Operators that aren't arithmetic. Comparisons, NOT, AND, OR and XOR are lifted to sets of outcomes; CASE and COALESCE
// join the branches that may be taken.

func boolType(args []expr) (typ, bool) { return scalar(pruning.Bool).nullIf(args), true }

func neverNull([]expr) (typ, bool) { return scalar(pruning.Bool), true }

var andFn = &function{name: "AND", op: ast.OpAnd, min: 2, max: -1, result: boolType}
var orFn = &function{name: "OR", op: ast.OpOr, min: 2, max: -1, result: boolType}

var xorFn = &function{name: "XOR", op: ast.OpXor, min: 2, max: -1, result: boolType,
	span: func(a *apply, args []value) value {
		out := pruning.False
		for _, x := range args {
			out = out.Xor(x.outcomes())
		}
		return truth(out)
	}}

var notFn = &function{name: "NOT", op: ast.OpNot, min: 1, max: 1, result: boolType,
	span: func(a *apply, args []value) value { return truth(args[0].outcomes().Not()) }}

// comparison is one of = != < <= > >=.
func comparison(op ast.Op) *function {
	return &comparisons[slices.IndexFunc(comparisons[:], func(f function) bool { return f.op == op })]
}

var comparisons = [...]function{
	compares(ast.OpEq), compares(ast.OpNe), compares(ast.OpLt), compares(ast.OpLe), compares(ast.OpGt), compares(ast.OpGe),
}

func compares(op ast.Op) function {
	return function{name: string(op), op: op, min: 2, max: 2, result: boolType, span: compareSpan}
}

// compareSpan compares. When one side is open for good and without bounds, nothing about the other side can decide it.
func compareSpan(a *apply, args []value) value {
	return undecidable(args, truth(compareOp(a.fn.op, a.args[0].typ(), args[0], a.args[1].typ(), args[1])))
}

func undecidable(args []value, out value) value {
	for _, x := range args {
		if x.is&(some|low|high|live) == some|low|high && x.parts == nil {
			out.is |= dead
		}
	}
	return out
}

func distinct(op ast.Op) *function {
	return &function{name: string(op), op: op, min: 2, max: 2, result: neverNull,
		span: func(a *apply, args []value) value {
			out := distinctOp(a.args[0].typ(), args[0], a.args[1].typ(), args[1])
			if op != ast.OpDistinct {
				out = out.Not()
			}
			return truth(out)
		}}
}

// isFn is X IS what: the outcomes of a Bool, or any value IS NULL, that give TRUE.
func isFn(what pruning.Outcomes) *function {
	return &function{name: "IS", op: "IS", min: 1, max: 1, result: neverNull, accepts: what,
		span: func(a *apply, args []value) value {
			x := args[0]
			if a.args[0].typ().isBool() {
				return truth(x.outcomes().Is(what))
			}
			var out pruning.Outcomes
			if x.mayNull() {
				out |= pruning.Null.Is(what)
			}
			if x.is&some != 0 {
				out |= pruning.True.Is(what)
			}
			return truth(out)
		}}
}

// inFn is X IN a list of constants of X's type, or of tuples. A NULL in the list turns FALSE into NULL.
var inFn = &function{name: "IN", op: "IN", min: 2, max: 2, result: boolType,
	span: func(a *apply, args []value) value {
		x, list := args[0], args[1].parts
		if list == nil {
			return truth(pruning.Unknown)
		}
		if list.set != nil {
			return truth(inSet(a.args[0].typ(), x, list))
		}
		out, t := pruning.False, a.args[1].typ()
		for _, item := range list.items {
			out = out.Or(compareOp(ast.OpEq, a.args[0].typ(), x, t.items[0], item))
		}
		if len(list.items) == 0 {
			out = none(x)
		}
		return truth(out)
	}}

// none is x IN an empty list. SQL says FALSE of a NULL, too; not all systems do.
func none(x value) (out pruning.Outcomes) {
	if x.is&(some|null) != 0 {
		out = pruning.False
	}
	if x.mayNull() {
		out |= pruning.Null
	}
	return out
}

// inSet evaluates x IN a set of constants.
func inSet(t typ, x value, list *parts) pruning.Outcomes {
	var out pruning.Outcomes
	if x.is&null != 0 {
		out = pruning.Null
	}
	if x.is&some == 0 {
		return out
	}
	miss := pruning.False
	if list.nulls {
		miss = pruning.Null
	}
	if v, ok := x.notNull().known(); ok {
		if list.set.Contains(v) {
			return out | pruning.True
		}
		return out | miss
	}
	if x.bounded() {
		switch in := list.set.Intersect(valueRange(t, x)); {
		case in.IsEmpty():
			return out | miss
		case in.Equal(valueRange(t, x)):
			return out | pruning.True
		}
	}
	return out | pruning.True | miss
}

// valueRange is the interval from a bounded value's lo through hi.
func valueRange(t typ, v value) pruning.Set {
	if v.is&under != 0 {
		return pruning.Range(v.lo, v.hi)
	}
	if next, ok := t.scalar.Succ(v.hi); ok {
		return pruning.Range(v.lo, next)
	}
	return pruning.From(v.lo)
}

// caseFn is CASE: condition and result in turn, then ELSE. IF is the same. A condition that is NULL isn't met.
var caseFn = &function{name: "CASE", op: "CASE", min: 3, max: -1,
	result: func(args []expr) (typ, bool) {
		out := args[len(args)-1].typ()
		for i := 1; i < len(args); i += 2 {
			var ok bool
			if out, ok = common(out, args[i].typ()); !ok {
				return typ{}, false
			}
		}
		return out, true
	},
	span: func(a *apply, args []value) value {
		if a.t.shape == anyShape {
			return unknown(a.t)
		}
		var out value
		for i := 0; i+1 < len(args); i += 2 {
			c := args[i].outcomes()
			if c&pruning.True != 0 {
				out = out.join(args[i+1])
			}
			if c == pruning.True {
				return out
			}
		}
		return out.join(args[len(args)-1])
	}}

// ifFn is IF(condition, then[, else]), which is bound as CASE.
var ifFn = &function{name: "IF", min: 2, max: 3}

// coalesceFn is COALESCE, ?? and NVL: the first argument that isn't NULL.
var coalesceFn = &function{name: "COALESCE", op: ast.OpCoalesce, min: 1, max: -1,
	result: func(args []expr) (typ, bool) {
		out, notNull := args[0].typ(), args[0].typ().notNull
		for _, x := range args[1:] {
			var ok bool
			if out, ok = common(out, x.typ()); !ok {
				return typ{}, false
			}
			notNull = notNull || x.typ().notNull
		}
		out.notNull = notNull && out.shape != anyShape
		return out, true
	},
	span: func(a *apply, args []value) value {
		if a.t.shape == anyShape {
			return unknown(a.t)
		}
		var out value
		for i, x := range args {
			if i == len(args)-1 || !x.mayNull() {
				return out.join(x)
			}
			out = out.join(x.notNull())
		}
		return out
	}}

// nullIfFn is NULLIF(a, b): a, but NULL where the two are equal.
var nullIfFn = &function{name: "NULLIF", op: "NULLIF", min: 2, max: 2,
	result: func(args []expr) (typ, bool) { return args[0].typ().optional(), true },
	span: func(a *apply, args []value) value {
		switch o := compareOp(ast.OpEq, a.args[0].typ(), args[0], a.args[1].typ(), args[1]); {
		case o == pruning.True:
			return nullValue
		case o&pruning.True == 0:
			return args[0]
		}
		return args[0].orNull()
	}}

// maxText bounds the bytes of texts that are computed: names let them double with every line.
const maxText = 1 << 20

// concatFn is ||. What is known of the beginning is known of the result.
var concatFn = &function{name: "||", op: ast.OpConcat, min: 2, max: -1,
	result: func(args []expr) (typ, bool) {
		out := scalar(pruning.String)
		for _, x := range args {
			if t := x.typ(); !t.isText() && !t.isOpen() {
				return typ{}, false
			}
		}
		return out.nullIf(args), true
	},
	span: func(a *apply, args []value) value {
		var nulls facts
		var buf [64]byte
		head, whole := buf[:0], true
		for _, x := range args {
			if x.isNull() {
				return nullValue
			}
			nulls |= x.is & null
			x = x.notNull()
			if v, ok := x.known(); whole && ok {
				head = append(head, v.Text()...)
			} else if whole {
				head, whole = append(head, x.prefix()...), false
			}
			if len(head) > maxText {
				head, whole = head[:maxText], false
			}
		}
		out := prefixed(string(head))
		if whole {
			out = text(string(head))
		}
		out.is |= nulls
		return out
	}}

// negFn is unary minus. Of an unsigned number only zero is certain.
var negFn = &function{name: "-", op: ast.OpNeg, min: 1, max: 1,
	result: func(args []expr) (typ, bool) {
		t := args[0].typ()
		return t, t.isOpen() || t.isNumber() || t.is(pruning.Interval)
	},
	span: strict(func(a *apply, t typ, x value) value {
		switch {
		case t.isInt() && isSigned(t.scalar.Kind), t.is(pruning.Interval):
			k := t.scalar.Kind
			if k == pruning.Interval {
				k = pruning.Int64
			}
			return intArith(ast.OpSub, k, integer(0), k, x, k)
		case t.isNumber() && isFloat(t.scalar.Kind) && x.bounded():
			out := between(pruning.Float(-x.hi.Float()), pruning.Float(-x.lo.Float()))
			if x.isKnown() && x.lo.Float() == 0 {
				out.is |= x.is&minus ^ minus
			}
			return out
		case (t.is(pruning.Decimal) || t.is(pruning.Int128)) && x.isKnown():
			if n, ok := a.t.scalar.FromBig(new(big.Int).Neg(t.scalar.Big(x.lo))); ok {
				return exactly(n)
			}
		}
		return unknown(a.t)
	})}

// bitNotFn is ~ of an integer: the distance to the other end of its type's range.
var bitNotFn = &function{name: "~", op: ast.OpBitNot, min: 1, max: 1,
	result: func(args []expr) (typ, bool) {
		t := args[0].typ()
		return t.named(""), t.isOpen() || t.isInt()
	},
	span: strict(func(a *apply, t typ, x value) value {
		if !t.isInt() {
			return unknown(a.t)
		}
		s, ok := spanOf(t.scalar.Kind, x)
		if !ok {
			return unknown(a.t)
		}
		lo, hi := intRange(t.scalar.Kind)
		ends := lo.add(hi)
		return inRange(t.scalar.Kind, span128{ends.sub(s.hi), ends.sub(s.lo)}, lo, hi, anything)
	})}

// plusFn is unary plus.
var plusFn = &function{name: "+", op: ast.OpPlus, min: 1, max: 1,
	result: func(args []expr) (typ, bool) {
		t := args[0].typ()
		return t, t.isOpen() || t.isNumber() || t.is(pruning.Interval)
	},
	span: func(a *apply, args []value) value { return args[0] }}

// bitwise is & | ^ on integers of one type, and shifts and rotations whose result fits; the rest is left open.
func bitwise(op ast.Op) *function {
	return &function{name: string(op), op: op, min: 2, max: 2,
		result: func(args []expr) (typ, bool) {
			t, u := args[0].typ(), args[1].typ()
			if t.isOpen() || u.isOpen() {
				return typ{}, true
			}
			if !t.isInt() || !u.isInt() {
				return typ{}, false
			}
			if op == ast.OpShl || op == ast.OpShr || op == ast.OpRotl || op == ast.OpRotr {
				return t.orNull(u).named(""), true
			}
			return scalar(widerInt(t.scalar.Kind, u.scalar.Kind)).orNull(t).orNull(u), true
		},
		call: func(a *apply, args []value) value {
			if a.t.shape != scalarShape {
				return anything
			}
			x := toWide(a.args[0].typ().scalar.Kind, args[0].lo)
			y := toWide(a.args[1].typ().scalar.Kind, args[1].lo)
			return bitOp(op, x, y, a.t.scalar.Kind)
		}}
}

func bitOp(op ast.Op, x, y int128, k pruning.Kind) value {
	if x.sign() < 0 || y.sign() < 0 {
		return anything
	}
	var n uint64
	switch op {
	case ast.OpBitAnd:
		n = x.lo & y.lo
	case ast.OpBitOr:
		n = x.lo | y.lo
	case ast.OpBitXor:
		n = x.lo ^ y.lo
	case ast.OpShr:
		if y.lo >= uint64(width(k)) {
			return anything
		}
		n = x.lo >> y.lo
	case ast.OpShl:
		if y.lo >= uint64(width(k)) || x.lo<<y.lo>>y.lo != x.lo {
			return anything
		}
		n = x.lo << y.lo
	case ast.OpRotl:
		n = rotate(x.lo, y.lo, k)
	case ast.OpRotr:
		n = rotate(x.lo, uint64(width(k))-y.lo%uint64(width(k)), k)
	}
	v, ok := fromWide(k, wideUint(n))
	if !ok {
		return anything
	}
	return exactly(v)
}

// rotate moves the bits of an integer of kind k to the left by a number of places; those that fall out come back at the right.
func rotate(x, by uint64, k pruning.Kind) uint64 {
	w := uint64(width(k))
	by %= w
	return (x<<by | x>>(w-by)) & (math.MaxUint64 >> (64 - w))
}

// tupleFn, listFn and structFn build composite values.
var (
	tupleFn  = &function{name: "AsTuple", op: "TUPLE", max: -1, result: tupleType, span: composite}
	structFn = &function{name: "AsStruct", op: "STRUCT", max: -1, span: composite}
	listFn   = &function{name: "AsList", op: "LIST", max: -1, result: listType, span: composite}
)

func tupleType(args []expr) (typ, bool) {
	items := make([]typ, len(args))
	for i, x := range args {
		items[i] = x.typ()
	}
	return composed(tupleShape, items), true
}

func listType(args []expr) (typ, bool) {
	item := typ{shape: nullShape}
	for _, x := range args {
		var ok bool
		if item, ok = common(item, x.typ()); !ok {
			return typ{}, false
		}
	}
	if len(args) > 0 && args[0].typ().notNull {
		item.notNull = true
		for _, x := range args {
			item.notNull = item.notNull && x.typ().notNull
		}
	}
	return listOf(item), true
}

// maxParts bounds the values that a composite one is made of.
const maxParts = 1 << 22

func composite(a *apply, args []value) value {
	p := &parts{size: len(args)}
	for i := range args {
		if args[i].parts != nil {
			p.size += args[i].parts.size
		}
	}
	if p.size > maxParts || a.t.shape == anyShape {
		return anything
	}
	p.items = append(p.items, args...)
	return value{is: some, parts: p}
}
