package ast

// Rewrite is e with parts replaced: f is asked for each expression from the outside in, and gives another one, which is
// taken as it is, or the same, whose parts are asked for then. Nothing is changed in place; what stays the same is
// shared. Queries inside of expressions are left as they are.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	if x := f(e); x != e {
		return x
	}
	switch e := e.(type) {
	case *Unary:
		return changed(e, f, func(c *Unary, r *rewriter) { r.expr(&c.X) })
	case *Binary:
		return changed(e, f, func(c *Binary, r *rewriter) { r.expr(&c.L); r.expr(&c.R) })
	case *Logic:
		return changed(e, f, func(c *Logic, r *rewriter) { r.list(&c.Args) })
	case *Between:
		return changed(e, f, func(c *Between, r *rewriter) { r.expr(&c.X); r.expr(&c.Lo); r.expr(&c.Hi) })
	case *In:
		return changed(e, f, func(c *In, r *rewriter) { r.expr(&c.X); r.expr(&c.Set) })
	case *Like:
		return changed(e, f, func(c *Like, r *rewriter) { r.expr(&c.X); r.expr(&c.Pattern); r.expr(&c.Escape) })
	case *Is:
		return changed(e, f, func(c *Is, r *rewriter) { r.expr(&c.X) })
	case *Cast:
		return changed(e, f, func(c *Cast, r *rewriter) { r.expr(&c.X) })
	case *Tuple:
		return changed(e, f, func(c *Tuple, r *rewriter) { r.list(&c.Items) })
	case *ListExpr:
		return changed(e, f, func(c *ListExpr, r *rewriter) { r.list(&c.Items) })
	}
	return rewriteRare(e, f)
}

func rewriteRare(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Call:
		return changed(e, f, func(c *Call, r *rewriter) {
			r.expr(&c.Callee)
			r.args(&c.Args)
			r.order(&c.OrderBy)
			r.order(&c.Within)
			r.expr(&c.Filter)
			r.window(&c.Over)
		})
	case *Case:
		return changed(e, f, func(c *Case, r *rewriter) {
			r.expr(&c.Operand)
			r.whens(&c.Whens)
			r.expr(&c.Else)
		})
	case *StructExpr:
		return changed(e, f, func(c *StructExpr, r *rewriter) { r.args(&c.Fields) })
	case *DictExpr:
		return changed(e, f, func(c *DictExpr, r *rewriter) { r.list(&c.Keys); r.list(&c.Values) })
	case *Member:
		return changed(e, f, func(c *Member, r *rewriter) { r.expr(&c.X) })
	case *Index:
		return changed(e, f, func(c *Index, r *rewriter) { r.expr(&c.X); r.expr(&c.I) })
	case *Lambda:
		return changed(e, f, func(c *Lambda, r *rewriter) { r.lets(&c.Lets); r.expr(&c.Body) })
	case *Comprehension:
		return changed(e, f, func(c *Comprehension, r *rewriter) { r.expr(&c.X); r.expr(&c.List); r.expr(&c.If) })
	case *Slice:
		return changed(e, f, func(c *Slice, r *rewriter) { r.expr(&c.X); r.expr(&c.Lo); r.expr(&c.Hi); r.expr(&c.Step) })
	case *Interval:
		return changed(e, f, func(c *Interval, r *rewriter) { r.expr(&c.X) })
	case *Extract:
		return changed(e, f, func(c *Extract, r *rewriter) { r.expr(&c.X) })
	}
	return e
}

// rewriter rewrites the parts of a node's copy.
type rewriter struct {
	f       func(Expr) Expr
	changed bool
}

// changed is a copy of a node with its parts rewritten, or the node when none of them changes.
func changed[T any, P interface {
	*T
	Expr
}](e P, f func(Expr) Expr, parts func(*T, *rewriter)) Expr {
	c, r := *e, rewriter{f: f}
	if parts(&c, &r); r.changed {
		return P(&c)
	}
	return e
}

func (r *rewriter) expr(e *Expr) {
	if *e == nil {
		return
	}
	if x := Rewrite(*e, r.f); x != *e {
		*e, r.changed = x, true
	}
}

func (r *rewriter) list(es *[]Expr) {
	out := append([]Expr(nil), *es...)
	inner := rewriter{f: r.f}
	for i := range out {
		inner.expr(&out[i])
	}
	if inner.changed {
		*es, r.changed = out, true
	}
}

func (r *rewriter) args(as *[]Arg) {
	out := append([]Arg(nil), *as...)
	inner := rewriter{f: r.f}
	for i := range out {
		inner.expr(&out[i].X)
	}
	if inner.changed {
		*as, r.changed = out, true
	}
}

func (r *rewriter) order(os *[]OrderItem) {
	out := append([]OrderItem(nil), *os...)
	inner := rewriter{f: r.f}
	for i := range out {
		inner.expr(&out[i].X)
	}
	if inner.changed {
		*os, r.changed = out, true
	}
}

func (r *rewriter) window(w **Window) {
	if *w == nil {
		return
	}
	out, inner := **w, rewriter{f: r.f}
	out.PartitionBy = append([]SelectItem(nil), out.PartitionBy...)
	for i := range out.PartitionBy {
		inner.expr(&out.PartitionBy[i].X)
	}
	if inner.order(&out.OrderBy); inner.changed {
		*w, r.changed = &out, true
	}
}

func (r *rewriter) lets(ls *[]*Let) {
	out := append([]*Let(nil), *ls...)
	inner := rewriter{f: r.f}
	for i, l := range out {
		c := *l
		if inner.expr(&c.X); c.X != l.X {
			out[i] = &c
		}
	}
	if inner.changed {
		*ls, r.changed = out, true
	}
}

func (r *rewriter) whens(ws *[]When) {
	out := append([]When(nil), *ws...)
	inner := rewriter{f: r.f}
	for i := range out {
		inner.expr(&out[i].If)
		inner.expr(&out[i].Then)
	}
	if inner.changed {
		*ws, r.changed = out, true
	}
}
