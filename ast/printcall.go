package ast

func (p *printer) call(e *Call) {
	switch x := e.Callee.(type) {
	case nil:
		if e.Func.Text == AtTimeZone && len(e.Args) == 2 {
			p.expr(e.Args[0].X, p.primary())
			p.add(" AT TIME ZONE ")
			p.expr(e.Args[1].X, p.primary())
			return
		}
		if e.Func.Text == Collate && len(e.Args) == 2 {
			p.expr(e.Args[0].X, p.primary())
			p.add(" COLLATE ")
			p.expr(e.Args[1].X, p.primary())
			return
		}
		if e.Module.Text != "" {
			p.name(&e.Module)
			p.add("::")
		}
		p.name(&e.Func)
	case *Ident:
		p.dotted(x.Parts)
	default:
		p.expr(e.Callee, p.primary())
	}
	p.args(e)
	if e.Within != nil {
		p.put("WITHIN GROUP (")
		p.orderBy(e.Within)
		p.add(")")
	}
	if e.Filter != nil {
		p.put("FILTER (WHERE ")
		p.expr(e.Filter, 0)
		p.add(")")
	}
	if e.Nulls != "" {
		p.put(e.Nulls, "NULLS")
	}
	if e.Over != nil {
		p.put("OVER")
		p.add(" ")
		p.window(e.Over)
	}
}

func (p *printer) args(e *Call) {
	p.add("(")
	if e.Distinct {
		p.add("DISTINCT")
	}
	for i := range e.Args {
		a := &e.Args[i]
		if i > 0 && !a.joined() {
			p.add(",")
		}
		p.space()
		p.arg(a, e)
	}
	if e.OrderBy != nil {
		p.orderBy(e.OrderBy)
	}
	p.put(e.Extra)
	p.add(")")
}

// joined reports whether a word stands in place of a comma: SUBSTRING(x FROM 1 FOR 4), FLOOR(x TO DAY).
func (a *Arg) joined() bool { return a.Sep != "" && a.Name == nil }

func (p *printer) arg(a *Arg, e *Call) {
	if a.joined() {
		p.add(a.Sep)
		p.add(" ")
		p.expr(a.X, 0)
		return
	}
	if a.Name != nil && a.Sep != "AS" {
		p.name(a.Name)
		p.put(a.Sep)
		p.add(" ")
	}
	if q, ok := a.X.(*Subquery); ok && q.From == q.Query.Pos() && q.From < q.To { // ANY (SELECT …), without brackets of its own
		p.query(q.Query)
		return
	}
	p.expr(a.X, 0)
	if a.Name != nil && a.Sep == "AS" {
		p.add(" AS ")
		p.name(a.Name)
	}
}

func (p *printer) window(w *Window) {
	if w.Bare {
		p.name(w.Name)
		return
	}
	p.add("(")
	if w.Name != nil {
		p.name(w.Name)
	}
	if w.PartitionBy != nil {
		p.put("PARTITION BY")
		p.items(w.PartitionBy, w.To)
	}
	if w.OrderBy != nil {
		p.orderBy(w.OrderBy)
	}
	p.put(w.Frame)
	p.add(")")
}

func (p *printer) orderBy(os []OrderItem) {
	p.put("ORDER BY")
	p.orderItems(os)
}

func (p *printer) orderItems(os []OrderItem) {
	for i := range os {
		o := &os[i]
		if i > 0 {
			p.add(",")
		}
		p.space()
		p.expr(o.X, 0)
		if o.Desc {
			p.add(" DESC")
		}
		if o.Nulls != "" {
			p.put("NULLS", o.Nulls)
		}
	}
}
