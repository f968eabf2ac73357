package planner

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// callOf binds a function call. A function that isn't known here may well exist: it is opaque and no error.
func (b *binder) callOf(e *ast.Call, sc *scope) expr {
	if e.Callee != nil && b.sem.chains {
		if c := b.chained(e, sc); c != nil {
			return standsFor(e, b.callOf(c, sc))
		}
	}
	if e.Callee != nil {
		return b.callValue(e, sc)
	}
	if e.Over != nil || e.Distinct || e.Filter != nil || len(e.OrderBy)+len(e.Within) > 0 {
		return &opaque{at: e, why: "an aggregate", args: b.arguments(e, sc)}
	}
	if y := trimCall(e); y != e {
		if fn := b.sem.calls.plain[b.sem.funcName(y.Func.Text)]; fn != nil && fn.max == 1 && len(y.Args) == 2 {
			return &opaque{at: e, why: "TRIM of other characters than blanks", args: b.arguments(y, sc)}
		}
		return standsFor(e, b.callOf(y, sc))
	}
	if b.sem.special != nil {
		if x := b.sem.special(b, e, sc); x != nil {
			return x
		}
	}
	args := b.arguments(e, sc)
	key := b.sem.funcName(e.Func.Text)
	if e.Func.Text == ast.Collate {
		return &opaque{at: e, why: "a collation", args: args[:1]}
	}
	if e.Module.Text != "" {
		if fn := b.sem.calls.modules[e.Module.Text][e.Func.Text]; fn != nil {
			return b.callNamed(e, fn, args)
		}
		if fn := b.curried(e, args); fn != nil {
			return &constant{at: e, t: typ{shape: lambdaShape, notNull: true}, v: value{is: some, parts: &parts{rest: fn}}}
		}
		b.suggestFunction(e)
		return &opaque{at: e, why: "the function " + e.Module.Text + "::" + e.Func.Text, args: args}
	}
	switch fn := b.sem.calls.plain[key]; {
	case fn != nil:
		return b.callNamed(e, fn, args)
	case b.sem.calls.totals[key]:
		return &opaque{at: e, why: "an aggregate", args: args}
	case b.sem.calls.rows[key]:
		return &opaque{at: e, t: typ{notNull: true}, why: "a value that differs from row to row", args: args}
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: args}
}

// trimCall is TRIM(LEADING '0' FROM x) as the call LTRIM(x, '0'); other calls stay as they are.
func trimCall(e *ast.Call) *ast.Call {
	n := len(e.Args)
	if n == 0 || n > 2 || !strings.EqualFold(e.Func.Text, "trim") || e.Args[n-1].Name != nil {
		return e
	}
	side, rest := "", e.Args[n-1].Sep
	if n == 2 {
		side = e.Args[0].Sep
	} else {
		side, rest = strings.TrimSuffix(rest, " FROM"), "FROM"
	}
	name, ok := map[string]string{"": "trim", "BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}[side]
	if !ok || rest != "FROM" || n == 1 && e.Args[0].Sep == "" {
		return e
	}
	y := *e
	y.Func.Text, y.Args = name, []ast.Arg{{Span: e.Args[n-1].Span, X: e.Args[n-1].X}}
	if n == 2 {
		y.Args = append(y.Args, ast.Arg{Span: e.Args[0].Span, X: e.Args[0].X})
	}
	return &y
}

// callNamed checks the number of arguments, and calls.
func (b *binder) callNamed(e *ast.Call, fn *function, args []expr) expr {
	if b.sem.moreArguments && len(args) > fn.max && fn.max >= 0 {
		return &opaque{at: e, why: "so many arguments of " + e.Func.Text, args: args}
	}
	if len(args) < fn.min || fn.max >= 0 && len(args) > fn.max {
		b.errorf(e, "bind.arguments", "", "%s takes %s, not %d", fn.name, argumentCount(fn.min, fn.max), len(args))
		return b.failed(e, args)
	}
	switch fn {
	case coalesceFn:
		return b.coalesce(e, args...)
	case ifFn:
		args[0] = b.wantBool(args[0], "the condition of IF")
		if len(args) == 2 {
			args = append(args, &constant{at: e, t: typ{shape: nullShape}, v: nullValue})
		}
		return b.caseCall(e, args)
	case listFn:
		return b.list(e, args)
	}
	return b.call(e, fn, args...)
}

// argumentCount is how many arguments are taken, in words; most -1: any number from least on.
func argumentCount(least, most int) string {
	word := func(n int) string {
		if n == 1 {
			return "one argument"
		}
		return strconv.Itoa(n) + " arguments"
	}
	switch {
	case most < 0:
		return "at least " + word(least)
	case least == most:
		return word(least)
	}
	return strconv.Itoa(least) + " to " + word(most)
}

func (b *binder) arguments(e *ast.Call, sc *scope) []expr {
	out := make([]expr, len(e.Args))
	types := b.sem.calls.types[b.sem.funcName(e.Func.Text)]
	for i, a := range e.Args {
		if id, ok := a.X.(*ast.Ident); ok && types && len(id.Parts) == 1 && b.isType(id) {
			out[i] = &opaque{at: id, why: "a type"}
			continue
		}
		if i == 1 && e.Func.Text == ast.Collate {
			out[i] = &opaque{at: a.X, why: "a collation"}
			continue
		}
		out[i] = b.bind(a.X, sc)
	}
	return out
}

// isType reports whether a name is that of a type.
func (b *binder) isType(id *ast.Ident) bool {
	_, known := projection.ResolveType(b.sem.dialect, &ast.Type{Span: id.Span, Name: id.Parts[0]})
	return known
}

// normalName is how YQL looks up its own functions: case and single underscores don't count.
func normalName(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// suggestFunction warns of a function that a known module doesn't have but almost has.
func (b *binder) suggestFunction(e *ast.Call) {
	module, ok := b.sem.calls.modules[e.Module.Text]
	if !ok {
		return
	}
	names := slices.Sorted(maps.Keys(module))
	if near, ok := ast.Nearest(e.Func.Text, names); ok {
		b.report(ast.Warning, e.Func, "bind.function", "did you mean "+e.Module.Text+"::"+near+"?",
			"the function "+e.Module.Text+"::"+e.Func.Text+" isn't known")
	}
}

// yqlSpecial binds calls whose arguments aren't ordinary values, or whose result depends on the session; nil for others.
func (b *binder) yqlSpecial(e *ast.Call, sc *scope) expr {
	if e.Module.Text != "" {
		return nil
	}
	name := normalName(e.Func.Text)
	if x := b.typeCall(e, sc); x != nil {
		return x
	}
	switch name {
	case "currentutcdate":
		return &constant{at: e, t: scalar(pruning.Date), v: integer(floorDiv(b.now, microsADay))}
	case "currentutcdatetime":
		return &constant{at: e, t: scalar(pruning.Datetime), v: integer(floorDiv(b.now, 1000000))}
	case "currentutctimestamp":
		return &constant{at: e, t: scalar(pruning.Timestamp), v: integer(b.now)}
	case "asstruct":
		return b.structOf(e, e.Args, sc)
	case "nothing":
		return &constant{at: e, t: typ{}, v: nullValue}
	case "listfromrange":
		return b.listFromRange(e, b.arguments(e, sc))
	}
	return b.collection(e, name, sc)
}

// typeCall is Date("2021-01-01"), Int64("5"): the name of a type before a literal.
func (b *binder) typeCall(e *ast.Call, sc *scope) expr {
	t, known := b.typeNamed(e)
	if !known || len(e.Args) == 0 {
		return nil
	}
	x := b.bind(e.Args[0].X, sc)
	c, ok := x.(*constant)
	if !ok {
		if x.typ().isOpen() {
			return &opaque{at: e, t: t, why: whyOf(x), args: []expr{x}}
		}
		b.errorf(x.node(), "bind.literal", "write CAST("+nodeText(x)+" AS "+e.Func.Text+")", "%s takes a literal", e.Func.Text)
		return b.failed(e, []expr{x})
	}
	v, ok := c.v.known()
	switch {
	case !ok || t.shape != scalarShape && !c.t.isText():
		return &opaque{at: e, t: t, why: "a literal of type " + e.Func.Text}
	case c.t.isText():
		return b.typedLiteral(e, e.Func.Text, t, v.Text(), e.Args[0].X)
	}
	return b.fold(&apply{at: e, fn: castFn, args: []expr{x}, t: t.optional()})
}

// typeNamed is the type that a call's name means, if it does.
func (b *binder) typeNamed(e *ast.Call) (typ, bool) {
	written := &ast.Type{Span: e.Func.Span, Name: e.Func}
	if strings.EqualFold(e.Func.Text, "decimal") {
		for _, a := range e.Args[min(1, len(e.Args)):] {
			if l, ok := a.X.(*ast.Literal); ok {
				written.Params = append(written.Params, l)
			}
		}
	}
	switch strings.ToLower(e.Func.Text) {
	case "list", "dict", "set", "tuple", "struct", "variant", "enum", "callable", "generic", "unit", "resource", "tagged",
		"stream", "flow", "int", "integer", "bytes", "text":
		return typ{}, false
	}
	if _, known := projection.ResolveType(b.sem.dialect, written); !known {
		return typ{}, false
	}
	t := b.writtenType(written)
	t.notNull = true
	return t, true
}

// callValue applies what an expression gives: a lambda, or what is left of DateTime::Format("%Y").
func (b *binder) callValue(e *ast.Call, sc *scope) expr {
	return b.invoke(e, b.bind(e.Callee, sc), b.arguments(e, sc))
}

func (b *binder) invoke(e *ast.Call, f expr, args []expr) expr {
	c, ok := f.(*constant)
	if !ok {
		return &opaque{at: e, why: whyOf(f), args: append(args, f)}
	}
	switch p := c.v.parts; {
	case p != nil && p.fn != nil:
		return b.applyLambda(e, p.fn, args)
	case p != nil && p.rest != nil:
		return b.callNamed(e, p.rest, args)
	}
	b.errorf(e, "bind.call", "", "%s is %s and can't be called", nodeText(f), c.t)
	return b.failed(e, args)
}

// list is [a, b] or AsList(a, b), all of one type.
func (b *binder) list(at ast.Expr, items []expr) expr {
	if b.sem.unify != nil {
		items = b.sem.unify(b, items, func(int) bool { return true })
	}
	t, ok := listFn.result(items)
	if !ok {
		return b.wrongArguments(at, listFn, items)
	}
	for i, x := range items {
		items[i] = b.convert(x, t.items[0])
	}
	return b.fold(&apply{at: at, fn: listFn, args: items, t: t})
}

// listFromRange is ListFromRange(from, to[, step]) of constants: from, from+step, … below to.
func (b *binder) listFromRange(e *ast.Call, args []expr) expr {
	var n [3]int64
	n[2] = 1
	for i, x := range args {
		c, ok := x.(*constant)
		if !ok || i > 2 || !c.t.isInt() || !c.v.isKnown() {
			return &opaque{at: e, why: "a list that isn't known", args: args}
		}
		if n[i], ok = toWide(c.t.scalar.Kind, c.v.lo).int64(); !ok {
			return &opaque{at: e, why: "a list that isn't known", args: args}
		}
	}
	const limit = 1 << 16
	if len(args) < 2 || n[2] == 0 || n[0] < -1<<62 || n[0] > 1<<62 || n[1] < -1<<62 || n[1] > 1<<62 || (n[1]-n[0])/n[2] > limit {
		return &opaque{at: e, why: "a list that isn't known", args: args}
	}
	p := &parts{}
	for v := n[0]; n[2] > 0 && v < n[1] || n[2] < 0 && v > n[1]; v += n[2] {
		p.items = append(p.items, integer(v))
	}
	return &constant{at: e, t: listOf(scalar(pruning.Int64)), v: value{is: some, parts: p}}
}

// structOf is <|a: 1|> or AsStruct(1 AS a). YQL orders the fields by name.
func (b *binder) structOf(at ast.Expr, fields []ast.Arg, sc *scope) expr {
	if b.sem.dialect == "yql" {
		fields = slices.Clone(fields)
		slices.SortStableFunc(fields, func(x, y ast.Arg) int { return strings.Compare(fieldName(x), fieldName(y)) })
	}
	args, items, names := make([]expr, len(fields)), make([]typ, len(fields)), make([]string, len(fields))
	for i, f := range fields {
		args[i] = b.bind(f.X, sc)
		items[i] = args[i].typ()
		names[i] = fieldName(f)
	}
	t := composed(structShape, items)
	t.names = names
	return b.fold(&apply{at: at, fn: structFn, args: args, t: t})
}

func fieldName(a ast.Arg) string {
	if a.Name == nil {
		return ""
	}
	return a.Name.Text
}

// dict is {k: v} or the set {a, b}; as the right side of IN its keys count.
func (b *binder) dict(e *ast.DictExpr, sc *scope) expr {
	var values []expr
	for _, v := range e.Values {
		if v != nil {
			values = append(values, b.bind(v, sc))
		}
	}
	return b.dictOf(e, b.bindAll(e.Keys, sc), values)
}

// dictOf is the dictionary of some keys and values, or the set of keys when there are no values.
func (b *binder) dictOf(at ast.Expr, keys, values []expr) expr {
	k := b.list(at, keys)
	v := k
	if len(values) > 0 {
		v = b.list(at, values)
	}
	x, ok1 := k.(*constant)
	y, ok2 := v.(*constant)
	if !ok1 || !ok2 || len(values) > 0 && len(values) != len(keys) {
		return &opaque{at: at, why: "a dictionary", args: []expr{k, v}}
	}
	p := *x.v.parts
	items := x.t.items
	if len(values) > 0 {
		p.values, items = y.v.parts.items, []typ{items[0], y.t.items[0]}
	}
	return &constant{at: at, t: composed(dictShape, items), v: value{is: some, parts: &p}}
}

// member is x.name: a field of a struct or a position of a tuple that is built in the statement.
func (b *binder) member(e *ast.Member, sc *scope) expr {
	x := b.bind(e.X, sc)
	t := x.typ()
	i := -1
	switch t.shape {
	case structShape:
		i = slices.Index(t.names, e.Name.Text)
	case tupleShape:
		if n, err := strconv.Atoi(e.Name.Text); err == nil && n >= 0 && n < len(t.items) {
			i = n
		}
	default:
		return &opaque{at: e, why: "a field of " + nodeText(x), args: []expr{x}}
	}
	if i < 0 {
		hint := ""
		if near, ok := ast.Nearest(e.Name.Text, t.names); ok {
			hint = "did you mean " + near + "?"
		}
		b.errorf(e.Name, "bind.member", hint, "%s has no member %s", nodeText(x), e.Name.Text)
		return b.failed(e, []expr{x})
	}
	switch x := x.(type) {
	case *apply:
		if x.fn == structFn || x.fn == tupleFn {
			return x.args[i]
		}
	case *constant:
		if x.v.parts != nil {
			return &constant{at: e, t: t.items[i], v: x.v.parts.items[i]}
		}
	}
	return &opaque{at: e, t: t.items[i].optional(), why: "a member of " + nodeText(x), args: []expr{x}}
}
