package ast

import "strings"

// expr prints an expression, in brackets when it binds more loosely than least.
func (p *printer) expr(e Expr, least int) {
	if p.levelOf(e) < least {
		p.add("(")
		p.bare(e)
		p.add(")")
		return
	}
	p.bare(e)
}

func (p *printer) bare(e Expr) {
	switch e := e.(type) {
	case *Ident:
		p.dotted(e.Parts)
	case *Param:
		p.param(e)
	case *Literal:
		p.literal(e)
	case *Unary:
		p.unaryExpr(e)
	case *Binary:
		p.binary(e)
	case *Logic:
		p.logic(e)
	case *Between:
		p.between(e)
	case *In:
		p.in(e)
	case *Like:
		p.like(e)
	case *Is:
		p.expr(e.X, p.level(OpIs))
		p.put("IS", not(e.Not), e.What)
	case *Cast:
		p.cast(e)
	case *Call:
		p.call(e)
	case *Case:
		p.caseExpr(e)
	case *Tuple:
		p.tuple(e.Items, true)
	case *ListExpr:
		if e.Array {
			p.add("ARRAY")
		}
		p.list("[", e.Items, "]")
	case *StructExpr:
		p.structExpr(e)
	case *DictExpr:
		p.dict(e)
	default:
		p.rarer(e)
	}
}

func (p *printer) rarer(e Expr) {
	switch e := e.(type) {
	case *Member:
		p.memberOf(e.X, e.Name.Text)
		p.add(".")
		p.name(&e.Name)
	case *Index:
		p.indexOf(e.X)
		p.list("[", []Expr{e.I}, "]")
	case *Slice:
		p.indexOf(e.X)
		p.slice(e)
	case *Comprehension:
		p.comprehension(e)
	case *Lambda:
		p.lambda(e)
	case *Subquery:
		p.subquery(e.Query)
	case *Exists:
		p.add("EXISTS ")
		p.subquery(e.Query)
	case *Interval:
		p.add("INTERVAL ")
		p.expr(e.X, p.unary())
		p.put(e.Unit)
	case *Extract:
		p.add("EXTRACT(")
		p.name(&e.Field)
		p.add(" FROM ")
		p.expr(e.X, 0)
		p.add(")")
	case *TypedLiteral:
		p.typ(e.Type)
		if !strings.EqualFold(e.Type.Name.Text, "X") || !strings.HasPrefix(e.Text.Raw, "'") { // X'0A' stands together
			p.add(" ")
		}
		p.literal(e.Text)
	case *TypeExpr:
		p.typ(e.Type)
	case *Star:
		p.star(e)
	}
}

func not(b bool) string {
	if b {
		return "NOT"
	}
	return ""
}

func (p *printer) param(e *Param) {
	switch {
	case e.Mark:
		p.add("?")
		return
	case !e.Bare:
		p.add("$")
	}
	p.add(e.Name)
	if e.Optional {
		p.add("?")
	}
}

func (p *printer) unaryExpr(e *Unary) {
	p.add(string(e.Op))
	if e.Op == OpNot {
		p.add(" ")
	}
	at := len(p.dst)
	p.expr(e.X, p.levelOf(e))
	if e.Op != OpNot && len(p.dst) > at && string(p.dst[at]) == string(e.Op) { // neither a comment nor another operator
		p.dst = append(p.dst[:at], append([]byte(" "), p.dst[at:]...)...)
	}
}

func (p *printer) binary(e *Binary) {
	l := p.level(e.Op)
	left, right := l, l+1
	if e.Op == OpCoalesce {
		left, right = l+1, l
	}
	p.expr(e.L, left)
	p.put(p.spelling(e.Op))
	p.add(" ")
	p.expr(e.R, right)
}

func (p *printer) logic(e *Logic) {
	l := p.level(e.Op)
	for i, x := range e.Args {
		least := l + 1
		if i == 0 {
			if same, ok := x.(*Logic); !ok || same.Op != e.Op {
				least = l
			}
		} else {
			p.breakBefore(x, string(e.Op))
		}
		p.term(x, least)
	}
}

// breakBefore puts a chain's operator: at the start of a line, when the chain is broken into lines.
func (p *printer) breakBefore(x Expr, op string) {
	if p.wide() && (op == string(OpAnd) || op == string(OpOr)) {
		p.line(x.Pos())
		p.add(op)
	} else {
		p.put(op)
	}
	p.add(" ")
}

// term is an operand of a chain; brackets around a chain that doesn't fit are lines of their own.
func (p *printer) term(x Expr, least int) {
	all := func() { p.expr(x, least) }
	if !p.wide() || !p.pending(x.End()) && p.fits(0, all) {
		p.flat(all)
		return
	}
	if _, chain := x.(*Logic); !chain {
		p.flat(all)
		return
	}
	if p.levelOf(x) >= least {
		p.indent++
		p.bare(x)
		p.indent--
		return
	}
	p.add("(")
	p.indent++
	p.line(x.Pos())
	p.bare(x)
	p.indent--
	p.line(x.End())
	p.add(")")
}

// condition prints a predicate behind a clause word: on its line, or broken at AND and OR.
func (p *printer) condition(e Expr) {
	all := func() { p.space(); p.expr(e, 0) }
	if !p.wide() || !p.pending(e.End()) && p.fits(1, all) {
		p.flat(all)
		return
	}
	p.space()
	p.indent++
	p.expr(e, 0)
	p.indent--
}

func (p *printer) between(e *Between) {
	l := p.level(OpBetween)
	p.expr(e.X, l)
	p.put(not(e.Not), "BETWEEN")
	if e.Symmetric {
		p.put("SYMMETRIC")
	}
	p.add(" ")
	p.expr(e.Lo, l+1)
	p.put("AND")
	p.add(" ")
	p.expr(e.Hi, l+1)
}

func (p *printer) in(e *In) {
	l := p.level(OpIn)
	p.expr(e.X, l)
	p.put(not(e.Not), "IN")
	p.add(" ")
	if t, ok := e.Set.(*Tuple); ok {
		_, query := single(t.Items).(*Subquery)
		p.tuple(t.Items, query)
		return
	}
	p.expr(e.Set, l+1)
}

func single(items []Expr) Expr {
	if len(items) == 1 {
		return items[0]
	}
	return nil
}

func (p *printer) like(e *Like) {
	l := p.level(e.Op)
	p.expr(e.X, l)
	p.put(not(e.Not), string(e.Op))
	p.add(" ")
	p.expr(e.Pattern, l+1)
	if e.Escape != nil {
		p.put("ESCAPE")
		p.add(" ")
		p.expr(e.Escape, l+1)
	}
}

func (p *printer) cast(e *Cast) {
	if e.Form == "::" {
		p.expr(e.X, p.primary())
		p.add("::")
		p.typ(e.Type)
		return
	}
	p.add(e.Form)
	p.add("(")
	p.expr(e.X, 0)
	p.add(" AS ")
	p.typ(e.Type)
	p.add(")")
}

// memberOf prints what stands before .name: a qualified name would swallow it, and so would a number or a type.
func (p *printer) memberOf(x Expr, name string) {
	brackets := false
	switch x := x.(type) {
	case *Ident:
		brackets = name == "" || name[0] < '0' || name[0] > '9'
	case *Literal:
		brackets = x.Kind == IntLit || x.Kind == FloatLit
	case *Cast:
		brackets = x.Form == "::"
	case *Call:
		brackets = x.Callee == nil && x.Func.Text == Collate
	case *TypeExpr, *Star:
		brackets = true
	}
	p.wrap(x, brackets)
}

// indexOf prints what stands before [i]: the name ARRAY would make a list of it.
func (p *printer) indexOf(x Expr) {
	brackets := false
	switch x := x.(type) {
	case *Ident:
		brackets = len(x.Parts) == 1 && strings.EqualFold(x.Parts[0].Text, "ARRAY")
	case *TypeExpr, *Star:
		brackets = true
	}
	p.wrap(x, brackets)
}

func (p *printer) wrap(x Expr, brackets bool) {
	if !brackets {
		p.expr(x, p.primary())
		return
	}
	p.add("(")
	p.bare(x)
	p.add(")")
}
