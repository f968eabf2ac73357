package ast

// stmt prints a statement without a semicolon.
func (p *printer) stmt(s Stmt) {
	if p.HiveQuote != 0 && followsHive(s) {
		quote := p.NameQuote
		p.NameQuote = p.HiveQuote
		defer func() { p.NameQuote = quote }()
	}
	switch s := s.(type) {
	case Query:
		p.query(s)
	case *Let:
		p.let(s)
	case *Declare:
		p.put("DECLARE")
		p.add(" ")
		p.param(&s.Name)
		p.put("AS ")
		p.typ(s.Type)
		p.equals(s.Default)
	case *Pragma:
		p.pragma(s)
	case *Explain:
		p.put("EXPLAIN", s.How)
		p.line(s.Stmt.Pos())
		p.stmt(s.Stmt)
	case *Prepare:
		p.put("PREPARE ")
		p.name(&s.Name)
		p.put(when(p.Braces, "AS"), when(!p.Braces, "FROM"))
		p.line(s.Stmt.Pos())
		p.stmt(s.Stmt)
	case *Execute:
		p.put("EXECUTE ")
		p.name(&s.Name)
		if p.Braces {
			p.list("(", s.Args, ")")
			return
		}
		for i, x := range s.Args {
			p.add(when(i == 0, " USING ") + when(i > 0, ", "))
			p.expr(x, 0)
		}
	case *CreateSource:
		p.createSource(s)
	case *CreateTable:
		p.createTable(s)
	case *CreateView:
		p.createView(s)
	case *AlterTable:
		p.alter(s)
	case *Insert:
		p.insert(s)
	case *Copy:
		p.copy(s)
	case *Drop:
		p.put("DROP", s.Kind, exists(s.IfExists))
		p.space()
		p.dotted(s.Name)
	case *CallStmt:
		p.put("CALL")
		p.space()
		p.dotted(s.Name)
		p.args(&Call{Args: s.Args})
	case *Other:
		p.put(s.Text)
	}
}

// followsHive reports whether a statement is DDL as Hive has it.
func followsHive(s Stmt) bool {
	switch s := s.(type) {
	case *CreateTable:
		return s.External
	case *AlterTable, *Drop:
		return true
	}
	return false
}

func exists(b bool) string {
	if b {
		return "IF EXISTS"
	}
	return ""
}

func notExists(b bool) string {
	if b {
		return "IF NOT EXISTS"
	}
	return ""
}

// when is text if b.
func when(b bool, text string) string {
	if b {
		return text
	}
	return ""
}

func (p *printer) equals(x Expr) {
	if x != nil {
		p.put("=")
		p.add(" ")
		p.flat(func() { p.expr(x, 0) })
	}
}

func (p *printer) let(s *Let) {
	p.commas(len(s.Names), func(i int) { p.param(&s.Names[i]) })
	p.put("=")
	p.add(" ")
	_, lambda := s.X.(*Lambda)
	switch {
	case lambda && !(p.wide() && p.fits(1, func() { p.expr(s.X, 0) })):
		p.expr(s.X, 0)
	case s.Query == nil:
		p.condition(s.X)
	case s.Parens:
		p.subquery(s.Query)
	default:
		p.query(s.Query)
	}
}

func (p *printer) pragma(s *Pragma) {
	p.put(s.Keyword)
	p.space()
	p.dotted(s.Name)
	switch s.Sep {
	case "=":
		p.equals(s.Values[0])
	case "(":
		p.list("(", s.Values, ")")
	}
}

// subquery prints (query), on lines of its own if it doesn't fit.
func (p *printer) subquery(q Query) {
	all := func() { p.add("("); p.query(q); p.add(")") }
	if !p.wide() || !p.pending(q.End()) && p.fits(0, all) {
		p.flat(all)
		return
	}
	p.add("(")
	p.indent++
	p.line(q.Pos())
	p.query(q)
	p.indent--
	p.line(q.End())
	p.add(")")
}

func (p *printer) query(q Query) {
	switch q := q.(type) {
	case *Select:
		p.with(q.With)
		p.selectStmt(q)
		p.tail(&q.Tail)
	case *SetOp:
		p.with(q.With)
		p.setOp(q)
		p.tail(&q.Tail)
	case *Values:
		p.put("VALUES")
		p.comma(q.To, len(q.Rows), func(i int) Pos { return q.Rows[i].From }, func(i int) { p.tuple(q.Rows[i].Items, false) })
		p.tail(&q.Tail)
	case *Reshape:
		p.reshape(q)
	}
}

// reshape prints SUMMARIZE t, PIVOT t ON … USING … GROUP BY … and their kin.
func (p *printer) reshape(q *Reshape) {
	p.put(q.Verb)
	if q.Source != nil {
		p.table(q.Source)
	} else {
		p.space()
		p.query(q.Query)
	}
	p.put(when(q.Nulls, "INCLUDE NULLS"))
	for _, c := range []struct {
		word  string
		items []SelectItem
	}{{"ON", q.On}, {"USING", q.Using}, {"GROUP BY", q.GroupBy}} {
		if n := len(c.items); n > 0 {
			p.line(c.items[0].From)
			p.put(c.word)
			p.items(c.items, c.items[n-1].To)
		}
	}
	if q.Name == nil {
		return
	}
	p.line(q.Name.From)
	p.put("INTO NAME ")
	p.name(q.Name)
	p.put("VALUE ")
	p.commas(len(q.Values), func(i int) { p.name(&q.Values[i]) })
}

func (p *printer) with(ctes []CTE) {
	if len(ctes) == 0 {
		return
	}
	p.put("WITH", when(ctes[0].Recursive, "RECURSIVE"))
	for i := range ctes {
		c := &ctes[i]
		if i > 0 {
			p.add(",")
			p.line(c.From)
		}
		p.space()
		p.name(&c.Name)
		if c.Columns != nil {
			p.add(" ")
			p.names(c.Columns)
		}
		p.add(" AS ")
		p.subquery(c.Query)
	}
	p.line(ctes[len(ctes)-1].To)
}

func (p *printer) selectStmt(s *Select) {
	p.put(when(s.Discard, "DISCARD"))
	if s.FromFirst {
		p.put("FROM")
		p.table(s.From)
	}
	if !implied(s) {
		if s.FromFirst {
			p.line(s.From.End())
		}
		p.put("SELECT", when(s.Distinct, "DISTINCT"))
		if s.On != nil {
			p.put("ON ")
			p.flat(func() { p.list("(", s.On, ")") })
		}
		p.items(s.Items, s.itemsEnd())
	}
	if s.Without != nil {
		p.line(s.Without[0].From)
		p.put("WITHOUT")
		p.comma(s.Without[len(s.Without)-1].To, len(s.Without), func(i int) Pos { return s.Without[i].From }, func(i int) { p.bare(s.Without[i]) })
	}
	if s.From != nil && !s.FromFirst {
		p.line(s.From.Pos())
		p.put("FROM")
		p.table(s.From)
	}
	p.clauseOf("WHERE", s.Where)
	p.groupBy(s)
	p.clauseOf("HAVING", s.Having)
	for i := range s.Windows {
		w := &s.Windows[i]
		if i == 0 {
			p.line(w.From)
			p.put("WINDOW")
		} else {
			p.add(",")
		}
		p.space()
		p.name(&w.Name)
		p.add(" AS ")
		p.window(w.Window)
	}
	p.clauseOf("QUALIFY", s.Qualify)
	if s.Sample != "" {
		p.line(s.To)
		p.put(s.Sample)
	}
}

// implied reports whether the SELECT * of FROM t wasn't written.
func implied(s *Select) bool {
	if !s.FromFirst || len(s.Items) != 1 || s.Items[0].Alias != nil || s.Without != nil || s.Distinct {
		return false
	}
	star, ok := s.Items[0].X.(*Star)
	return ok && star.Table == nil && star.Exclude == nil && star.Replace == nil && star.Rename == nil && star.From == star.To
}

// itemsEnd is the end of the select list.
func (s *Select) itemsEnd() Pos {
	if n := len(s.Items); n > 0 {
		return s.Items[n-1].To
	}
	return s.From.Pos()
}

// clauseOf prints a clause that is a predicate.
func (p *printer) clauseOf(word string, x Expr) {
	if x == nil {
		return
	}
	p.line(x.Pos())
	p.put(word)
	p.condition(x)
}

func (p *printer) items(items []SelectItem, end Pos) {
	p.comma(end, len(items), func(i int) Pos { return items[i].From }, func(i int) { p.item(&items[i]) })
}

func (p *printer) item(it *SelectItem) {
	p.flat(func() { p.expr(it.X, 0) })
	p.alias(it.Alias, nil)
}

func (p *printer) alias(n *Name, columns []Name) {
	if n == nil {
		return
	}
	p.add(" AS ")
	p.name(n)
	if columns != nil {
		p.names(columns)
	}
}

func (p *printer) groupBy(s *Select) {
	if s.GroupBy == nil && s.GroupHow == "" {
		return
	}
	at, end := s.To, s.To
	if n := len(s.GroupBy); n > 0 {
		at, end = s.GroupBy[0].From, s.GroupBy[n-1].To
	}
	p.line(at)
	switch s.GroupHow {
	case "", "COMPACT":
		p.put("GROUP", s.GroupHow, "BY")
		p.items(s.GroupBy, end)
	default:
		p.put("GROUP BY", s.GroupHow)
		p.add(" ")
		p.block(end, len(s.GroupBy), func(i int) Pos { return s.GroupBy[i].From }, func(i int) { p.item(&s.GroupBy[i]) }, "(", ")")
	}
}

func (p *printer) setOp(s *SetOp) {
	for i, q := range s.Args {
		if i > 0 {
			p.line(q.Pos())
			p.put(s.Op, when(s.All, "ALL"), when(s.Name, "BY NAME"))
			p.line(q.Pos())
		}
		if p.bracketed(s, i, q) {
			p.subquery(q)
		} else {
			p.query(q)
		}
	}
}

// bracketed reports whether an operand of a set operation needs brackets.
func (p *printer) bracketed(s *SetOp, i int, q Query) bool {
	switch q := q.(type) {
	case *Select:
		return q.With != nil || !q.Tail.empty()
	case *Values:
		return !q.Tail.empty()
	case *SetOp:
		if q.With != nil || !q.Tail.empty() {
			return true
		}
		tight := q.Op == "INTERSECT"
		if s.Op == "INTERSECT" {
			return !tight || i > 0 || q.All == s.All
		}
		return !tight && (i > 0 || q.Op == s.Op && q.All == s.All && q.Name == s.Name)
	}
	return false
}

func (t *Tail) empty() bool { return t.OrderBy == nil && t.Limit == nil && t.Offset == nil }

func (p *printer) tail(t *Tail) {
	if t.OrderBy != nil {
		p.line(t.OrderBy[0].From)
		p.put("ORDER BY")
		os := t.OrderBy
		p.comma(os[len(os)-1].To, len(os), func(i int) Pos { return os[i].From }, func(i int) { p.flat(func() { p.orderItems(os[i : i+1]) }) })
	}
	if t.Result != nil {
		p.line(t.Result.From)
		p.put("INTO RESULT ")
		p.name(t.Result)
	}
	if t.Limit != nil {
		p.line(t.Limit.Pos())
		p.put("LIMIT ")
		p.flat(func() { p.expr(t.Limit, 0) })
		p.add(when(t.Percent, "%"))
	}
	if t.Offset != nil {
		if t.Limit == nil {
			p.line(t.Offset.Pos())
		}
		p.put("OFFSET ")
		p.flat(func() { p.expr(t.Offset, 0) })
	}
}
