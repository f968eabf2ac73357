package planner

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// duckName is a function that is called without brackets.
func (b *binder) duckName(e *ast.Ident) expr {
	name := strings.ToLower(e.Parts[0].Text)
	if !strings.HasPrefix(name, "current_") && name != "localtimestamp" {
		return nil
	}
	return b.duckNow(e, name)
}

// duckNow is what depends on the present, in UTC.
func (b *binder) duckNow(at ast.Expr, name string) expr {
	switch name {
	case "current_date", "today":
		return &constant{at: at, t: duckKind(pruning.Date), v: integer(floorDiv(b.now, microsADay))}
	case "localtimestamp", "current_localtimestamp":
		return &constant{at: at, t: duckKind(pruning.Timestamp), v: integer(b.now)}
	case "now", "current_timestamp", "get_current_timestamp", "transaction_timestamp":
		return &constant{at: at, t: duckZoned, v: integer(b.now)}
	}
	return nil
}

// duckCall binds calls whose arguments aren't ordinary values, or whose result depends on the session; nil for others.
func (b *binder) duckCall(e *ast.Call, sc *scope) expr {
	if e.Module.Text != "" {
		return nil
	}
	name := strings.ToLower(e.Func.Text)
	if len(e.Args) == 0 {
		return b.duckNow(e, name)
	}
	if x := b.duckListCall(e, name, sc); x != nil {
		return x
	}
	switch name {
	case "getvariable":
		return b.variable(e, sc)
	case "row", "struct_pack":
		if slices.ContainsFunc(e.Args, func(a ast.Arg) bool { return a.Name != nil }) {
			return b.structOf(e, e.Args, sc)
		}
		return b.call(e, tupleFn, b.arguments(e, sc)...)
	case "list_contains", "list_has", "array_contains", "array_has", "contains":
		return b.duckContains(e, sc)
	case "date_trunc", "datetrunc", "date_part", "datepart", "date_diff", "datediff":
		return b.duckPartCall(e, name, sc)
	case "strftime":
		return b.duckFormat(e, sc)
	case "date_add":
		if len(e.Args) == 2 {
			l, r := b.bind(e.Args[0].X, sc), b.bind(e.Args[1].X, sc)
			return b.duckBinary(&ast.Binary{Span: e.Span, Op: ast.OpAdd, OpPos: e.From, L: e.Args[0].X, R: e.Args[1].X}, l, r)
		}
	case "range", "generate_series":
		args := b.arguments(e, sc)
		if items, ok := series(e, args, name != "range"); ok {
			return b.list(e, items)
		}
		return &opaque{at: e, why: "a list that isn't known", args: args}
	case "unnest":
		out := &opaque{at: e, why: inItems, args: b.arguments(e, sc)}
		if t := out.args[0].typ(); t.shape == listShape && len(t.items) == 1 {
			out.t = t.items[0].optional()
		}
		return out
	case "struct_extract":
		return b.duckField(e, sc)
	case "nullif":
		if args := b.arguments(e, sc); len(args) == 2 {
			return b.caseCall(e, []expr{b.compare(e, ast.OpEq, args[0], args[1]), &constant{at: e, t: typ{shape: nullShape}, v: nullValue}, args[0]})
		}
	case "concat":
		return b.duckConcat(e, b.arguments(e, sc))
	case "concat_ws":
		return b.duckJoin(e, b.arguments(e, sc))
	case "regexp_extract", "regexp_replace", "strptime":
		return b.duckPatterned(e, name, sc)
	case "regexp_matches", "regexp_full_match":
		return b.duckRegexp(e, name, sc)
	}
	if c, ok := calendarUnit(strings.TrimPrefix(name, "to_")); ok && strings.HasPrefix(name, "to_") && len(e.Args) == 1 {
		return b.duckToUnit(e, c, b.bind(e.Args[0].X, sc))
	}
	return nil
}

// duckToUnit is to_days(3), an interval.
func (b *binder) duckToUnit(e *ast.Call, unit calendar, x expr) expr {
	if c, ok := x.(*constant); ok && c.t.isInt() && c.v.isKnown() {
		n, _ := toWide(c.t.scalar.Kind, c.v.lo).int64()
		if span, ok := unit.times(n); ok {
			return &constant{at: e, t: calendarType, v: calendarValue(span)}
		}
	}
	return &opaque{at: e, t: calendarType.optional(), why: "an interval that isn't constant", args: []expr{x}}
}

// variable is getvariable('x'), which SET VARIABLE gives a value; NULL without one.
func (b *binder) variable(e *ast.Call, sc *scope) expr {
	name, ok := constantText(b.bind(e.Args[0].X, sc))
	if !ok {
		return &opaque{at: e, why: "a variable whose name isn't constant"}
	}
	p := sc.params.lookup(variablePrefix + strings.ToLower(name))
	if p == nil {
		return &constant{at: e, t: typ{shape: nullShape}, v: nullValue}
	}
	x := b.paramValue(p)
	if c, ok := x.(*constant); ok {
		t := c.t
		if t.isText() {
			t.name = duckNames[pruning.String]
		}
		return &constant{at: e, t: t, v: c.v}
	}
	return &opaque{at: e, t: x.typ(), why: "the variable " + name, args: []expr{x}}
}

// duckContains is list_contains(list, x), which is x IN [list]; of texts, contains(s, part).
func (b *binder) duckContains(e *ast.Call, sc *scope) expr {
	args := b.arguments(e, sc)
	if len(args) != 2 {
		return nil
	}
	items, ok := listItems(args[0])
	switch {
	case ok:
		list := &ast.ListExpr{Span: ast.Span{From: e.Args[0].X.Pos(), To: e.Args[0].X.End()}}
		return b.inExprs(&ast.In{Span: e.Span, X: e.Args[1].X, Set: list}, args[1], items)
	case args[0].typ().isText() && args[1].typ().isText():
		return b.call(e, testText("contains", strings.Contains, nil), args...)
	}
	return boolOpaque(e, "the function "+e.Func.Text, args...)
}

// duckConcat is concat and ||: other values than texts become texts. concat skips NULL, || gives NULL.
func (b *binder) duckConcat(at ast.Expr, args []expr) expr {
	_, skips := at.(*ast.Call)
	out := make([]expr, 0, len(args))
	for _, x := range args {
		t := x.typ()
		if t.shape == scalarShape && !t.isText() {
			x = b.duckCastTo(x.node(), x, duckKind(pruning.String), duckCastFn)
		} else if t.shape != scalarShape && t.shape != nullShape {
			return &opaque{at: at, t: duckKind(pruning.String).optional(), why: "|| of other values than texts", args: args}
		}
		if skips {
			empty := &constant{at: x.node(), t: duckKind(pruning.String), v: text("")}
			if isNullConstant(x) {
				x = empty
			} else if !x.typ().notNull {
				x = b.call(x.node(), coalesceFn, x, empty)
			}
		}
		out = append(out, x)
	}
	if len(out) == 1 {
		return out[0]
	}
	return b.call(at, concatFn, out...)
}

// duckField is struct_extract(s, 'name').
func (b *binder) duckField(e *ast.Call, sc *scope) expr {
	if len(e.Args) != 2 {
		return nil
	}
	l, ok := e.Args[1].X.(*ast.Literal)
	if !ok || l.Kind != ast.StringLit {
		return nil
	}
	return b.member(&ast.Member{Span: e.Span, X: e.Args[0].X, Name: ast.Name{Span: l.Span, Text: l.Text, Quoted: true}}, sc)
}

// duckRare binds intervals, EXTRACT and x['field'].
func (b *binder) duckRare(e ast.Expr, sc *scope) expr {
	switch e := e.(type) {
	case *ast.Interval:
		return b.calendarLiteral(e, sc)
	case *ast.Extract:
		return b.duckPart(e, e.Field.Text, b.bind(e.X, sc))
	case *ast.Comprehension:
		return b.comprehension(e, sc)
	case *ast.Slice:
		return b.duckSlice(e, sc)
	case *ast.Lambda:
		return b.duckArrow(e, sc)
	case *ast.Index:
		if l, ok := e.I.(*ast.Literal); ok && l.Kind == ast.StringLit {
			return b.member(&ast.Member{Span: e.Span, X: e.X, Name: ast.Name{Span: l.Span, Text: l.Text, Quoted: true}}, sc)
		}
		return b.duckItem(e, sc)
	}
	return nil
}

// duckItem is list[1], counted from 1; NULL beyond the end.
func (b *binder) duckItem(e *ast.Index, sc *scope) expr {
	x, i := b.bind(e.X, sc), b.bind(e.I, sc)
	items, ok := listItems(x)
	c, known := i.(*constant)
	if !ok || !known || !c.t.isInt() || !c.v.isKnown() {
		return &opaque{at: e, why: "an element of a list", args: []expr{x, i}}
	}
	n, _ := toWide(c.t.scalar.Kind, c.v.lo).int64()
	if n < 0 {
		n += int64(len(items)) + 1
	}
	if n < 1 || n > int64(len(items)) {
		return &constant{at: e, t: typ{shape: nullShape}, v: nullValue}
	}
	return items[n-1]
}

// duckLike is SIMILAR TO, a regular expression that all of the text has to fit, and GLOB.
func (b *binder) duckLike(e *ast.Like, x expr, pattern string) expr {
	switch e.Op {
	case ast.OpSimilar:
		return b.duckPattern(e, pattern, true, x)
	case ast.OpILike:
		if e.Escape == nil && !strings.ContainsFunc(pattern, unsureCase) {
			return b.duckILike(e, pattern, x)
		}
	case ast.OpLike:
		if strings.Contains(pattern, "_") && e.Escape == nil {
			return b.duckPattern(e, likeRegexp(pattern), true, x)
		}
	case ast.OpGlob:
		return b.duckPattern(e, globPattern(pattern), true, x)
	}
	return nil
}

// duckILike compares texts in lower case.
func (b *binder) duckILike(e *ast.Like, pattern string, x expr) expr {
	re, err := regexp.Compile("^(?:" + likeRegexp(strings.Map(unicode.ToLower, pattern)) + ")$")
	if err != nil {
		return nil
	}
	return b.call(e, textPredicate(string(e.Op), e.Op, func(s string) (fits, sure bool) {
		return re.MatchString(strings.Map(unicode.ToLower, s)), !strings.ContainsFunc(s, unsureCase)
	}), x)
}
