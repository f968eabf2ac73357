package planner

import (
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// Lists, sets and dictionaries that stand in the statement are known item by item (YQL, "Functions for lists" and "Functions
// for dictionaries"), so what is taken out of them restricts keys like any constant.

// index is x[i].
func (b *binder) index(at ast.Expr, x, i expr) expr {
	if items, ok := listItems(x); ok {
		if c, ok := i.(*constant); ok && c.t.isInt() {
			return b.item(at, items, c)
		}
	}
	return b.call(at, indexFn, x, i)
}

// item is the item of a list at a constant place, counted from 0; NULL beyond its end.
func (b *binder) item(at ast.Expr, items []expr, place *constant) expr {
	n, ok := knownInt(place.t, place.v)
	switch {
	case !ok || n < 0:
		return &opaque{at: at, why: "an element of a list", args: items}
	case n >= int64(len(items)):
		return &constant{at: at, t: typ{shape: nullShape}, v: nullValue}
	}
	return standing(items[n], at)
}

// indexFn is list[i], counted from 0, or dictionary[key]; NULL where there is none. What is in the place of an unknown index
// is any of what may be meant.
var indexFn = &function{name: "[]", min: 2, max: 2, mayNull: true,
	result: func(args []expr) (typ, bool) {
		t, u := args[0].typ(), args[1].typ()
		switch {
		case t.shape == listShape:
			return t.items[0].optional(), u.isInt() || u.isOpen()
		case t.shape == dictShape && len(t.items) == 2:
			return t.items[1].optional(), comparableTypes(t.items[0], u)
		}
		return typ{}, true
	},
	span: func(a *apply, args []value) value {
		t, p := a.args[0].typ(), args[0].parts
		if p == nil || args[0].mayNull() || a.t.isOpen() || p.set != nil {
			return unknown(a.t)
		}
		u := a.args[1].typ()
		if t.shape == listShape {
			return chosen(p.items, func(i int) pruning.Outcomes {
				return compareOp(ast.OpEq, scalar(pruning.Int64), integer(int64(i)), u, args[1])
			}, compareOp(ast.OpLt, u, args[1], scalar(pruning.Int64), integer(0)))
		}
		return chosen(p.values, func(i int) pruning.Outcomes {
			return compareOp(ast.OpEq, t.items[0], p.items[i], u, args[1])
		}, pruning.False)
	}}

// chosen is that of some values for which is can be TRUE, or NULL. If beyond may be TRUE, it may be something else.
func chosen(values []value, is func(i int) pruning.Outcomes, beyond pruning.Outcomes) value {
	if beyond.MayBeTrue() {
		return anything.orNull()
	}
	var out value
	for i, v := range values {
		switch o := is(i); {
		case o == pruning.True:
			return out.join(v)
		case o.MayBeTrue():
			out = out.join(v)
		}
	}
	return out.join(nullValue)
}

// collection binds the functions of lists and dictionaries whose items are written out; nil for other calls.
func (b *binder) collection(e *ast.Call, name string, sc *scope) expr {
	onList, onDict := listCalls[name], dictCalls[name]
	if onList == nil && onDict == nil {
		return nil
	}
	args := b.arguments(e, sc)
	var out expr
	if len(args) > 0 {
		if items, ok := listItems(args[0]); ok && onList != nil {
			out = onList(b, e, items, args[1:])
		} else if onDict != nil {
			out = onDict(b, e, args[0], args[1:])
		}
	}
	if out == nil {
		return &opaque{at: e, why: "the function " + e.Func.Text, args: args}
	}
	return out
}

// listCalls gives the meaning of functions of a list by its items and the other arguments; nil where it isn't known.
var listCalls = map[string]func(b *binder, at *ast.Call, items, rest []expr) expr{
	"listmap":      (*binder).listMap,
	"listfilter":   (*binder).listFilter,
	"listextend":   (*binder).listExtend,
	"listunionall": (*binder).listExtend,
	"listsort":     (*binder).listSort,
	"listtake": func(b *binder, at *ast.Call, items, rest []expr) expr {
		return b.listCut(at, rest, items, func(n int) []expr { return items[:n] })
	},
	"listskip": func(b *binder, at *ast.Call, items, rest []expr) expr {
		return b.listCut(at, rest, items, func(n int) []expr { return items[n:] })
	},
	"listreverse": func(b *binder, at *ast.Call, items, _ []expr) expr {
		items = slices.Clone(items)
		slices.Reverse(items)
		return b.list(at, items)
	},
	"listhead": func(b *binder, at *ast.Call, items, _ []expr) expr { return b.itemAt(at, items, 0) },
	"listlast": func(b *binder, at *ast.Call, items, _ []expr) expr { return b.itemAt(at, items, len(items)-1) },
	"listmin":  func(b *binder, at *ast.Call, items, _ []expr) expr { return b.listExtreme(at, items, "minof") },
	"listmax":  func(b *binder, at *ast.Call, items, _ []expr) expr { return b.listExtreme(at, items, "maxof") },
	"listhasitems": func(_ *binder, at *ast.Call, items, _ []expr) expr {
		return &constant{at: at, t: scalar(pruning.Bool), v: boolean(len(items) > 0)}
	},
	"toset":    func(b *binder, at *ast.Call, items, _ []expr) expr { return b.dictOf(at, items, nil) },
	"listuniq": func(b *binder, at *ast.Call, items, _ []expr) expr { return b.dictOf(at, items, nil) }, // in any order
	"todict":   func(b *binder, at *ast.Call, items, _ []expr) expr { return b.dictOfPairs(at, items) },
}

// dictCalls are listCalls of a dictionary.
var dictCalls = map[string]func(b *binder, at *ast.Call, dict expr, rest []expr) expr{
	"asdict": func(b *binder, at *ast.Call, first expr, rest []expr) expr {
		return b.dictOfPairs(at, append([]expr{first}, rest...))
	},
	"dictkeys": func(b *binder, at *ast.Call, dict expr, _ []expr) expr {
		if c, ok := dict.(*constant); ok && c.t.shape == dictShape {
			return b.list(at, constants(c))
		}
		return nil
	},
	"dictcontains": (*binder).dictContains,
	"dictlookup": func(b *binder, at *ast.Call, dict expr, rest []expr) expr {
		if len(rest) != 1 {
			return nil
		}
		return b.index(at, dict, rest[0])
	},
}

// each applies a function, the only other argument of a call, to every item; ok is false when it isn't known.
func (b *binder) each(at *ast.Call, items, rest []expr) (out []expr, ok bool) {
	if len(rest) != 1 || rest[0].typ().shape != lambdaShape {
		return nil, false
	}
	for _, x := range items {
		out = append(out, b.invoke(at, rest[0], []expr{x}))
	}
	return out, true
}

func (b *binder) listMap(at *ast.Call, items, rest []expr) expr {
	out, ok := b.each(at, items, rest)
	if !ok {
		return nil
	}
	return b.list(at, out)
}

// listFilter keeps the items for which a function is TRUE, where that is known of all.
func (b *binder) listFilter(at *ast.Call, items, rest []expr) expr {
	tests, ok := b.each(at, items, rest)
	if !ok {
		return nil
	}
	var out []expr
	for i, x := range tests {
		keep, ok := kept(x)
		if !ok {
			return nil
		}
		if keep {
			out = append(out, items[i])
		}
	}
	return b.list(at, out)
}

// kept reports whether a list keeps the item for which its condition comes to test; ok is false where that isn't certain.
func kept(test expr) (keep, ok bool) {
	c, ok := test.(*constant)
	if !ok || !c.v.settled() || !c.t.isBool() {
		return false, false
	}
	return c.v.outcomes() == pruning.True, true
}

// listExtend is one list behind the other.
func (b *binder) listExtend(at *ast.Call, items, rest []expr) expr {
	out := slices.Clone(items)
	for _, x := range rest {
		more, ok := listItems(x)
		if !ok {
			return nil
		}
		out = append(out, more...)
	}
	return b.list(at, out)
}

// listSort sorts constants of one type.
func (b *binder) listSort(at *ast.Call, items, rest []expr) expr {
	if len(rest) > 0 || !allKnown(items) {
		return nil
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(x, y expr) int {
		return pruning.Compare(x.(*constant).v.lo, y.(*constant).v.lo)
	})
	return b.list(at, items)
}

// allKnown reports whether items are constants of one scalar type, and none is NULL.
func allKnown(items []expr) bool {
	return !slices.ContainsFunc(items, func(x expr) bool {
		c, ok := x.(*constant)
		return !ok || !c.v.isKnown() || !c.t.sameScalar(items[0].typ())
	})
}

// listCut is what a constant number of items leaves of a list.
func (b *binder) listCut(at *ast.Call, rest, items []expr, cut func(n int) []expr) expr {
	if len(rest) != 1 {
		return nil
	}
	c, ok := rest[0].(*constant)
	if !ok || !c.t.isInt() {
		return nil
	}
	n, ok := knownInt(c.t, c.v)
	if !ok || n < 0 {
		return nil
	}
	return b.list(at, cut(int(min(n, int64(len(items))))))
}

// itemAt is an item, or NULL when there is none.
func (b *binder) itemAt(at *ast.Call, items []expr, i int) expr {
	if len(items) == 0 {
		return &constant{at: at, t: typ{shape: nullShape}, v: nullValue}
	}
	return standing(items[i], at)
}

// listExtreme is the least or greatest of items of which none may be NULL.
func (b *binder) listExtreme(at *ast.Call, items []expr, name string) expr {
	if slices.ContainsFunc(items, func(x expr) bool { return !x.typ().notNull }) {
		return nil
	}
	if len(items) < 2 {
		return b.itemAt(at, items, 0)
	}
	return b.call(at, b.sem.calls.plain[name], items...)
}

// dictOfPairs is the dictionary of tuples of a key and a value.
func (b *binder) dictOfPairs(at *ast.Call, pairs []expr) expr {
	keys, values := make([]expr, len(pairs)), make([]expr, len(pairs))
	for i, x := range pairs {
		p, ok := elements(x)
		if !ok || len(p) != 2 {
			return nil
		}
		keys[i], values[i] = p[0], p[1]
	}
	return b.dictOf(at, keys, values)
}

// dictContains is key IN dictionary.
func (b *binder) dictContains(at *ast.Call, dict expr, rest []expr) expr {
	c, ok := dict.(*constant)
	if !ok || c.t.shape != dictShape || len(rest) != 1 {
		return nil
	}
	set := at.Args[0].X
	return b.inExprs(&ast.In{Span: at.Span, X: rest[0].node(), Set: set}, rest[0], constants(c))
}
