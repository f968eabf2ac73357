package ast

import "iter"

// Preorder yields n and everything below it, parents first, in the order of the text. What has no node type of its own
// (select items, options, columns, clauses) isn't yielded, but what it holds is: expressions, queries, tables, types
// and statements.
func Preorder(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		w := walker{yield}
		w.walk(n)
	}
}

// walker calls yield for nodes until it returns false. Its methods return false to stop.
type walker struct{ yield func(Node) bool }

func (w walker) walk(n Node) bool {
	if !w.yield(n) {
		return false
	}
	switch n := n.(type) {
	case Expr:
		return w.exprChildren(n)
	case Stmt:
		return w.stmtChildren(n)
	case TableExpr:
		return w.tableChildren(n)
	case *Type:
		return w.typeChildren(n)
	}
	return true
}

func (w walker) expr(e Expr) bool        { return e == nil || w.walk(e) }
func (w walker) typ(t *Type) bool        { return t == nil || w.walk(t) }
func (w walker) table(t TableExpr) bool  { return t == nil || w.walk(t) }
func (w walker) query(q Query) bool      { return q == nil || w.walk(q) }
func (w walker) literal(l *Literal) bool { return l == nil || w.walk(l) }
func (w walker) param(p *Param) bool     { return p == nil || w.walk(p) }
func (w walker) call(c *Call) bool       { return c == nil || w.walk(c) }
func (w walker) ref(r *TableRef) bool    { return r == nil || w.walk(r) }

func (w walker) exprs(es []Expr) bool {
	for _, e := range es {
		if !w.expr(e) {
			return false
		}
	}
	return true
}

func (w walker) exprChildren(e Expr) bool {
	switch e := e.(type) {
	case *Unary:
		return w.expr(e.X)
	case *Binary:
		return w.expr(e.L) && w.expr(e.R)
	case *Logic:
		return w.exprs(e.Args)
	case *Between:
		return w.expr(e.X) && w.expr(e.Lo) && w.expr(e.Hi)
	case *In:
		return w.expr(e.X) && w.expr(e.Set)
	case *Like:
		return w.expr(e.X) && w.expr(e.Pattern) && w.expr(e.Escape)
	case *Is:
		return w.expr(e.X)
	case *Cast:
		return w.expr(e.X) && w.typ(e.Type)
	case *Call:
		return w.expr(e.Callee) && w.args(e.Args) && w.orderItems(e.OrderBy) && w.orderItems(e.Within) && w.expr(e.Filter) && w.window(e.Over)
	case *Case:
		return w.caseChildren(e)
	case *Tuple:
		return w.exprs(e.Items)
	case *ListExpr:
		return w.exprs(e.Items)
	case *StructExpr:
		return w.args(e.Fields)
	case *DictExpr:
		for i, k := range e.Keys {
			if !w.expr(k) || !w.expr(e.Values[i]) {
				return false
			}
		}
	case *Member:
		return w.expr(e.X)
	case *Index:
		return w.expr(e.X) && w.expr(e.I)
	case *Lambda:
		for _, l := range e.Lets {
			if !w.walk(l) {
				return false
			}
		}
		return w.expr(e.Body)
	case *Subquery:
		return w.query(e.Query)
	case *Comprehension:
		return w.expr(e.X) && w.expr(e.List) && w.expr(e.If)
	case *Slice:
		return w.expr(e.X) && w.expr(e.Lo) && w.expr(e.Hi) && w.expr(e.Step)
	case *Star:
		return w.items(e.Replace)
	case *Exists:
		return w.query(e.Query)
	case *Interval:
		return w.expr(e.X)
	case *Extract:
		return w.expr(e.X)
	case *TypedLiteral:
		return w.typ(e.Type) && w.literal(e.Text)
	case *TypeExpr:
		return w.typ(e.Type)
	}
	return true
}

func (w walker) caseChildren(e *Case) bool {
	if !w.expr(e.Operand) {
		return false
	}
	for i := range e.Whens {
		if !w.expr(e.Whens[i].If) || !w.expr(e.Whens[i].Then) {
			return false
		}
	}
	return w.expr(e.Else)
}

func (w walker) args(as []Arg) bool {
	for i := range as {
		if !w.expr(as[i].X) {
			return false
		}
	}
	return true
}

func (w walker) orderItems(os []OrderItem) bool {
	for i := range os {
		if !w.expr(os[i].X) {
			return false
		}
	}
	return true
}

func (w walker) items(its []SelectItem) bool {
	for i := range its {
		if !w.expr(its[i].X) {
			return false
		}
	}
	return true
}

func (w walker) window(win *Window) bool {
	return win == nil || w.items(win.PartitionBy) && w.orderItems(win.OrderBy)
}

func (w walker) typeChildren(t *Type) bool {
	for _, l := range t.Params {
		if !w.walk(l) {
			return false
		}
	}
	for i := range t.Args {
		if !w.typ(t.Args[i].Type) || !w.literal(t.Args[i].Comment) {
			return false
		}
	}
	return true
}

func (w walker) options(os []Option) bool {
	for i := range os {
		if !w.expr(os[i].Value) || !w.columns(os[i].Schema) || !w.typ(os[i].Type) {
			return false
		}
	}
	return true
}

func (w walker) columns(cs []Column) bool {
	for i := range cs {
		c := &cs[i]
		if !w.typ(c.Type) || !w.expr(c.Generated) || !w.expr(c.Default) || !w.expr(c.OnUpdate) ||
			!w.literal(c.Comment) || !w.options(c.Options) {
			return false
		}
	}
	return true
}
