package ast

func (p *printer) table(t TableExpr) {
	p.space()
	switch t := t.(type) {
	case *TableRef:
		p.tableRef(t)
	case *DerivedTable:
		if t.Lateral {
			p.add("LATERAL ")
		}
		p.subquery(t.Query)
		p.alias(t.Alias, t.Columns)
		p.put(t.Sample)
		p.flatten(t.Flatten)
	case *Join:
		p.join(t)
	}
}

func (p *printer) join(j *Join) {
	if j.AnyL {
		p.add("ANY ")
	}
	l, ok := j.L.(*Join)
	p.side(j.L, ok && (j.AnyL || j.Kind != "," && l.Kind == ","))
	if j.Kind == "," {
		p.add(",")
		p.line(j.R.Pos())
	} else {
		p.line(j.R.Pos())
		kind := j.Kind
		if kind == "INNER" {
			kind = ""
		}
		p.put(when(j.Natural, "NATURAL"), kind, "JOIN", when(j.AnyR, "ANY"))
	}
	r, ok := j.R.(*Join)
	p.side(j.R, ok && (j.Kind != "," || r.Kind == ","))
	if j.On != nil {
		p.put("ON")
		p.condition(j.On)
	}
	if j.Using != nil {
		p.put("USING ")
		p.names(j.Using)
	}
}

// side prints a side of a join.
func (p *printer) side(t TableExpr, brackets bool) {
	if !brackets {
		p.table(t)
		return
	}
	p.put("(")
	p.table(t)
	p.add(")")
}

func (p *printer) tableRef(t *TableRef) {
	name := t.Name
	if t.At && len(name) > 1 {
		p.name(&name[0])
		p.add(".")
		name = name[1:]
	}
	if t.At {
		p.add("@")
	}
	switch {
	case t.File != nil:
		p.literal(t.File)
	case t.Param != nil:
		p.param(t.Param)
	default:
		p.dotted(name)
		if t.Func != nil {
			if t.Name != nil {
				p.add(".")
			}
			p.flat(func() { p.call(t.Func) })
		}
	}
	if t.View != nil {
		p.put("VIEW ")
		p.name(t.View)
	}
	p.hints(t)
	if t.Dynamic != nil {
		p.put("/*+ OPTIONS")
		p.options(t.Dynamic, t.To)
		p.add(" */")
	}
	if t.Partitions != nil {
		p.put(when(t.Temporary, "TEMPORARY"), "PARTITION ")
		p.names(t.Partitions)
	}
	if t.Tablets != nil {
		p.put("TABLET(")
		p.commas(len(t.Tablets), func(i int) { p.literal(t.Tablets[i]) })
		p.add(")")
	}
	p.put(t.AsOf, t.Sample)
	p.alias(t.Alias, t.Columns)
	p.flatten(t.Flatten)
}

func (p *printer) hints(t *TableRef) {
	switch {
	case t.Hints == nil:
	case len(t.Hints) == 1 && t.Hints[0].Sep == "" && t.Hints[0].Schema == nil && t.Hints[0].Type == nil:
		p.put("WITH ")
		p.option(&t.Hints[0])
	default:
		p.put("WITH ")
		p.options(t.Hints, t.HintsSpan.To)
	}
}

func (p *printer) flatten(f *Flatten) {
	if f == nil {
		return
	}
	p.put("FLATTEN", f.How)
	if f.How == "COLUMNS" {
		return
	}
	p.put("BY ")
	p.block(f.To, len(f.Items), func(i int) Pos { return f.Items[i].From }, func(i int) { p.item(&f.Items[i]) }, "(", ")")
}
