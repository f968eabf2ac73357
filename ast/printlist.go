package ast

func (p *printer) caseExpr(e *Case) {
	p.add("CASE")
	if e.Operand != nil {
		p.add(" ")
		p.expr(e.Operand, 0)
	}
	for i := range e.Whens {
		p.add(" WHEN ")
		p.expr(e.Whens[i].If, 0)
		p.add(" THEN ")
		p.expr(e.Whens[i].Then, 0)
	}
	if e.Else != nil {
		p.add(" ELSE ")
		p.expr(e.Else, 0)
	}
	p.add(" END")
}

func (p *printer) list(open string, items []Expr, shut string) {
	p.add(open)
	p.commas(len(items), func(i int) { p.expr(items[i], 0) })
	p.add(shut)
}

// tuple prints (a, b); comma: a single item gets one, (a,), to be a tuple.
func (p *printer) tuple(items []Expr, comma bool) {
	if comma && len(items) == 1 {
		p.list("(", items, ",)")
		return
	}
	p.list("(", items, ")")
}

func (p *printer) structExpr(e *StructExpr) {
	if len(e.Fields) > 0 && e.Fields[0].Sep == "AS" {
		p.add("(")
		p.commas(len(e.Fields), func(i int) {
			p.expr(e.Fields[i].X, 0)
			p.add(" AS ")
			p.name(e.Fields[i].Name)
		})
		p.add(")")
		return
	}
	open, shut := "<|", "|>"
	if p.Braces {
		open, shut = "{", "}"
	}
	p.add(open)
	p.commas(len(e.Fields), func(i int) {
		f := &e.Fields[i]
		if p.Braces && f.Name.Quoted {
			p.dst = appendQuoted(p.dst, f.Name.Text, p.TextQuote, p.Escapes)
		} else {
			p.name(f.Name)
		}
		p.add(": ")
		p.expr(f.X, 0)
	})
	p.add(shut)
}

// slice prints [lo:hi:step]; a step needs an upper bound, for which - stands.
func (p *printer) slice(e *Slice) {
	p.add("[")
	if e.Lo != nil {
		p.expr(e.Lo, 0)
	}
	p.add(":")
	switch {
	case e.Hi != nil:
		p.expr(e.Hi, 0)
	case e.Step != nil:
		p.add("-")
	}
	if e.Step != nil {
		p.add(":")
		p.expr(e.Step, 0)
	}
	p.add("]")
}

// comprehension prints [x FOR a, i IN list IF condition].
func (p *printer) comprehension(e *Comprehension) {
	p.add("[")
	p.expr(e.X, 0)
	p.put("FOR")
	for i := range e.Params {
		if i > 0 {
			p.add(",")
		}
		p.space()
		p.param(&e.Params[i])
	}
	p.put("IN")
	p.add(" ")
	p.expr(e.List, 0)
	if e.If != nil {
		p.put("IF")
		p.add(" ")
		p.expr(e.If, 0)
	}
	p.add("]")
}

// dict prints {k: v, …}; where that would be a struct, MAP {k: v}.
func (p *printer) dict(e *DictExpr) {
	if p.Braces {
		p.add("MAP ")
	}
	p.add("{")
	p.commas(len(e.Keys), func(i int) {
		p.expr(e.Keys[i], 0)
		if v := e.Values[i]; v != nil {
			p.add(": ")
			p.expr(v, 0)
		}
	})
	p.add("}")
}

// lambda prints ($x) -> (body), ($x) -> { …; RETURN body; }, x -> body, or lambda x: body.
func (p *printer) lambda(e *Lambda) {
	if e.Word {
		p.add("lambda ")
		p.commas(len(e.Params), func(i int) { p.param(&e.Params[i]) })
		p.add(": ")
		p.expr(e.Body, 1)
		return
	}
	dollar := len(e.Params) == 0 || !e.Params[0].Bare
	if dollar || len(e.Params) > 1 {
		p.add("(")
	}
	p.commas(len(e.Params), func(i int) { p.param(&e.Params[i]) })
	if dollar || len(e.Params) > 1 {
		p.add(")")
	}
	p.add(" -> ")
	switch {
	case e.Block:
		p.add("{")
		p.indent++
		for _, l := range e.Lets {
			p.line(l.From)
			p.stmt(l)
			p.add(";")
		}
		p.line(e.Body.Pos())
		p.add("RETURN ")
		p.expr(e.Body, 0)
		p.add(";")
		p.indent--
		p.line(e.To)
		p.add("}")
	case dollar:
		p.add("(")
		p.expr(e.Body, 0)
		p.add(")")
	default:
		p.expr(e.Body, 1)
	}
}

func (p *printer) star(e *Star) {
	if e.Table != nil {
		p.dotted(e.Table)
		p.add(".")
	}
	p.add("*")
	if e.Exclude != nil {
		p.add(" EXCLUDE ")
		p.names(e.Exclude)
	}
	if e.Replace != nil {
		p.add(" REPLACE (")
		p.flat(func() { p.items(e.Replace, e.To) })
		p.add(")")
	}
	if e.Rename != nil {
		p.add(" RENAME (")
		p.commas(len(e.Rename), func(i int) {
			p.name(&e.Rename[i].From)
			p.add(" AS ")
			p.name(&e.Rename[i].To)
		})
		p.add(")")
	}
}
