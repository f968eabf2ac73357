package planner

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// quantified is x = ANY(list) and x < ALL(list); nil for other comparisons.
func (b *binder) quantified(e *ast.Binary, x, list expr) expr {
	call, ok := e.R.(*ast.Call)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	any := strings.EqualFold(call.Func.Text, "any") || strings.EqualFold(call.Func.Text, "some")
	if !any && !strings.EqualFold(call.Func.Text, "all") {
		return nil
	}
	items, ok := b.quantifiedItems(list)
	if !ok {
		return boolOpaque(e, "a list that isn't known", x, list)
	}
	if any && e.Op == ast.OpEq && len(items) > 0 {
		return standsFor(e, b.inExprs(&ast.In{Span: e.Span, X: e.L, Set: call}, x, items))
	}
	fn, none := andFn, true
	if any {
		fn, none = orFn, false
	}
	out := make([]expr, len(items))
	for i, item := range items {
		if out[i] = b.compare(e, e.Op, x, item); b.failedNow(out[i]) {
			return out[i]
		}
	}
	if len(out) == 0 {
		return &constant{at: e, t: scalar(pruning.Bool), v: boolean(none)}
	}
	return b.chain(e, fn, out)
}

// quantifiedItems are the items of the list or query in ANY(…), which is bound as the argument of an unknown function.
func (b *binder) quantifiedItems(list expr) ([]expr, bool) {
	o, ok := list.(*opaque)
	if !ok || len(o.args) != 1 {
		return nil, false
	}
	if q, ok := o.args[0].(*opaque); ok {
		rows, ok := b.knownRows(q.at)
		return b.items(q.at, rows), ok
	}
	return listItems(o.args[0])
}

// listItems are the items of a list that stands in the statement.
func listItems(x expr) ([]expr, bool) {
	switch x := x.(type) {
	case *apply:
		return x.args, x.fn.op == listFn.op
	case *constant:
		if p := x.v.parts; x.t.shape == listShape && p != nil && p.set == nil && p.fn == nil {
			return constants(x), true
		}
	}
	return nil, false
}
