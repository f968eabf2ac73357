package planner

import (
	"fmt"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// trinoSemantics are the rules of Trino's SQL, which Athena's queries are written in: names don't depend on case, texts,
// numbers and dates don't meet without a cast, and times are UTC unless the session says otherwise.
var trinoSemantics = sync.OnceValue(func() *semantics {
	return &semantics{
		openParams:   true,
		dialect:      "athena",
		sameName:     strings.EqualFold,
		intDivision:  true,
		lateSettings: true,
		quotedNames:  true,
		arrayCalls:   true,
		calls:        trinoCalls(),
		funcName:     strings.ToLower,
		cast:         trinoCast,
		tryCast:      trinoTryCast,
		parseDate:    trinoParseDate,
		special:      (*binder).trinoSpecial,
		word:         (*binder).trinoWord,
		interval:     (*binder).trinoInterval,
		operator:     (*binder).trinoOperator,
		number:       (*binder).trinoNumber,
		typeName:     trinoTypeName,
		literal:      trinoLiteral,
		typed:        (*binder).trinoTyped,
	}
})

func trinoTypeName(t pruning.Type) string {
	switch t.Kind {
	case pruning.Bool:
		return "boolean"
	case pruning.Int8:
		return "tinyint"
	case pruning.Int16:
		return "smallint"
	case pruning.Int32:
		return "integer"
	case pruning.Int64, pruning.Uint32, pruning.Uint64:
		return "bigint"
	case pruning.Float32:
		return "real"
	case pruning.Float64:
		return "double"
	case pruning.Decimal:
		return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
	case pruning.String:
		return "varchar"
	case pruning.Datetime, pruning.Timestamp:
		return "timestamp"
	case pruning.Interval:
		return "interval day to second"
	}
	return t.String()
}

// trinoLiteral is '5' or DATE '2021-01-05'.
func trinoLiteral(t typ, s string) string {
	quoted := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	switch {
	case t.is(pruning.Date):
		return "DATE " + quoted
	case t.isDate():
		return "TIMESTAMP '" + strings.TrimSuffix(strings.Replace(s, "T", " ", 1), "Z") + "'"
	}
	return quoted
}

// trinoNumber gives 1.5 the type decimal(2,1); 1e0 is a double (Trino, "Data types").
func (b *binder) trinoNumber(l *ast.Literal) expr {
	return decimalOf(l, "", strings.ReplaceAll(l.Text, "_", ""))
}

// trinoDecimal is DECIMAL '-1.5', a number with the type of its digits; nil for a text that is none.
func trinoDecimal(at ast.Expr, s string) expr {
	digits, sign := strings.TrimPrefix(s, "+"), ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		digits, sign = rest, "-"
	}
	return decimalOf(at, sign, digits)
}

// decimalOf is a number of digits, with a point or without; nil where it isn't one of at most 38.
func decimalOf(at ast.Expr, sign, digits string) expr {
	whole, frac, _ := strings.Cut(digits, ".")
	if !digitsAnd(whole+frac, "") || whole+frac == "" {
		return nil
	}
	whole = strings.TrimLeft(whole, "0")
	t := pruning.Type{Kind: pruning.Decimal, Precision: uint8(min(max(1, len(whole)+len(frac)), 255)), Scale: uint8(min(len(frac), 255))}
	if t.Precision > 38 {
		return nil
	}
	v, err := t.Parse(sign + "0" + digits)
	if err != nil {
		return nil
	}
	return &constant{at: at, t: typ{shape: scalarShape, scalar: t, notNull: true}, v: exactly(v)}
}

// zoned is the name of times that are written with their zone, which here is UTC.
const zoned = "timestamp with time zone"

func instant(at ast.Expr, us int64, name string) *constant {
	t := scalar(pruning.Timestamp).named(name)
	t.wide = true
	return &constant{at: at, t: t, v: integer(us)}
}

func wideDate() typ {
	t := scalar(pruning.Date)
	t.wide = true
	return t
}

func wideTime() typ {
	t := scalar(pruning.Timestamp)
	t.wide = true
	return t
}

// trinoWord is one of the names that stand for the time of the query.
func (b *binder) trinoWord(e *ast.Ident) expr {
	switch strings.ToLower(e.Parts[0].Text) {
	case "current_date":
		return &constant{at: e, t: wideDate(), v: integer(floorDiv(b.now, microsADay))}
	case "current_timestamp":
		return instant(e, b.now, zoned)
	case "localtimestamp":
		return instant(e, b.now, "")
	case "current_time", "localtime", "current_user", "current_catalog", "current_schema", "current_path":
		return &opaque{at: e, t: typ{notNull: true}, why: e.Parts[0].Text}
	}
	return nil
}

// trinoSpecial binds calls whose arguments must be constants, or aren't ordinary values.
func (b *binder) trinoSpecial(e *ast.Call, sc *scope) expr {
	name := strings.ToLower(e.Func.Text)
	switch name {
	case "now", "current_timestamp":
		return instant(e, b.now, zoned)
	case "localtimestamp":
		return instant(e, b.now, "")
	case "row":
		return b.call(e, tupleFn, b.arguments(e, sc)...)
	case "at_timezone", strings.ToLower(ast.AtTimeZone):
		return b.inZone(e, b.arguments(e, sc))
	case "with_timezone":
		return b.withZone(e, b.arguments(e, sc))
	case "from_unixtime":
		switch len(e.Args) {
		case 2:
			args := b.arguments(e, sc)
			return b.inZone(e, []expr{b.call(e, b.sem.calls.plain[name], args[0]), args[1]})
		case 3:
			return &opaque{at: e, why: "a time in a zone", args: b.arguments(e, sc)}
		}
	case "sequence":
		if x := b.sequence(e, b.arguments(e, sc)); x != nil {
			return x
		}
	case "position":
		if args := b.sought(e, sc); args != nil && len(e.Args) == 1 {
			return b.call(e, b.sem.calls.plain["strpos"], args...)
		}
	case "any_match", "all_match", "none_match":
		return b.matchItems(e, name, b.arguments(e, sc))
	case "contains":
		if len(e.Args) == 2 {
			return standsFor(e, b.in(&ast.In{Span: e.Span, X: e.Args[1].X, Set: e.Args[0].X}, sc))
		}
	case "concat":
		if len(e.Args) > 1 {
			return b.call(e, concatFn, b.arguments(e, sc)...)
		}
	case "try":
		if len(e.Args) == 1 {
			return b.try(e, b.bind(e.Args[0].X, sc))
		}
	}
	if m := trinoConstant[name]; m != nil {
		return b.withConstant(e, m, b.arguments(e, sc))
	}
	return nil
}

// standsFor is x as what another expression means.
func standsFor(at ast.Expr, x expr) expr {
	switch x := x.(type) {
	case *apply:
		y := *x
		y.at = at
		return &y
	case *constant:
		y := *x
		y.at = at
		return &y
	case *opaque:
		y := *x
		y.at = at
		return &y
	}
	return x
}

// sequence is sequence(from, to[, step]) of constants: whole numbers, dates or times, the end included.
func (b *binder) sequence(e *ast.Call, args []expr) expr {
	if len(args) < 2 || len(args) > 3 {
		return nil
	}
	var n [3]int64
	for i, x := range args {
		c, ok := x.(*constant)
		if !ok || !c.v.isKnown() || c.t.shape != scalarShape {
			return nil
		}
		n[i] = c.v.lo.Int()
	}
	t := args[0].typ()
	if !(t.isInt() || t.isDate()) || !t.sameScalar(args[1].typ()) {
		return nil
	}
	step := int64(1)
	switch {
	case len(args) == 2 && t.isDate() && !t.is(pruning.Date):
		return nil
	case len(args) == 3 && t.isDate() && args[2].typ().is(pruning.Interval) && nanosPer(t.scalar) >= 1000:
		step = n[2] / (nanosPer(t.scalar) / 1000)
	case len(args) == 3 && t.isInt() && args[2].typ().isInt():
		step = n[2]
	case len(args) == 3:
		return nil
	case n[0] > n[1]:
		step = -1
	}
	const most = 10_000 // more is an error in Trino
	if step == 0 || (n[1]-n[0])/step > most || (n[1] < n[0]) != (step < 0) && n[0] != n[1] {
		return nil
	}
	p := &parts{}
	for v := n[0]; step > 0 && v <= n[1] || step < 0 && v >= n[1]; v += step {
		p.items = append(p.items, integer(v))
	}
	return &constant{at: e, t: listOf(t), v: value{is: some, parts: p}}
}

// try is TRY(x): NULL where x fails, which here is where nothing is known of it.
func (b *binder) try(e *ast.Call, x expr) expr {
	if c, ok := x.(*constant); ok && c.v.settled() {
		return c
	}
	return b.call(e, tryFn, x)
}

var tryFn = &function{name: "TRY", min: 1, max: 1,
	result: func(args []expr) (typ, bool) { return args[0].typ().optional(), true },
	span: func(_ *apply, args []value) value {
		switch {
		case args[0].is&raised != 0:
			return nullValue
		case args[0].settled():
			return args[0]
		}
		return args[0].orNull()
	}}

// constantMaker makes a function of the other arguments from the one that must be constant: the pattern of date_format.
// A nil function leaves the call unknown.
type constantMaker struct {
	at   int // which argument it is
	args int // how many there are
	more int // how many may follow
	make func(b *binder, e *ast.Call, s string) *function
}

// withConstant binds a call one of whose arguments, such as a pattern or a unit, is compiled beforehand.
func (b *binder) withConstant(e *ast.Call, m *constantMaker, args []expr) expr {
	if len(args) < m.args || len(args) > m.args+m.more {
		b.errorf(e, "bind.arguments", "", "%s takes %s, not %d", strings.ToLower(e.Func.Text), argumentCount(m.args, m.args+m.more), len(args))
		return b.failed(e, args)
	}
	if t := args[m.at].typ(); !t.isText() && !t.isOpen() {
		b.errorf(args[m.at].node(), "bind.argument", "", "%s takes a text here, not %s", strings.ToLower(e.Func.Text), t)
		return b.failed(e, args)
	}
	c, ok := args[m.at].(*constant)
	var s pruning.Value
	if ok {
		s, ok = c.v.known()
	}
	if !ok {
		return &opaque{at: e, why: e.Func.Text + " with a pattern that isn't constant", args: args}
	}
	fn := m.make(b, e, s.Text())
	if fn == nil {
		return &opaque{at: e, why: "the pattern of " + e.Func.Text, args: args}
	}
	rest := append(append([]expr{}, args[:m.at]...), args[m.at+1:]...)
	return b.call(e, fn, rest...)
}
