package ast

// options prints (k = v, …), each on its own line if they don't fit on one.
func (p *printer) options(os []Option, end Pos) {
	p.block(end, len(os), func(i int) Pos { return os[i].From }, func(i int) { p.option(&os[i]) }, "(", ")")
}

func (p *printer) option(o *Option) {
	p.key(&o.Key)
	switch {
	case o.Schema != nil:
		if o.Sep != "" {
			p.put(o.Sep)
		}
		p.add(" ")
		p.columns(o.Schema, nil, o.To)
	case o.Type != nil:
		if o.Sep != "" {
			p.put(o.Sep)
		}
		p.add(" ")
		p.typ(o.Type)
	case o.Value != nil:
		if o.Sep == ":" {
			p.add(":")
		} else {
			p.put(o.Sep)
		}
		p.add(" ")
		p.flat(func() { p.tag(o.Value) })
	}
}

// tag prints the value of an option. A list of one tag has no comma.
func (p *printer) tag(x Expr) {
	if t, ok := x.(*Tuple); ok && len(t.Items) == 1 {
		switch t.Items[0].(type) {
		case *Ident, *Literal:
			p.tuple(t.Items, false)
			return
		}
	}
	p.expr(x, 0)
}

// columns prints (columns and constraints).
func (p *printer) columns(cs []Column, more []Constraint, end Pos) {
	n := len(cs)
	at := func(i int) Pos {
		if i < n {
			return cs[i].From
		}
		return more[i-n].From
	}
	p.block(end, n+len(more), at, func(i int) {
		if i < n {
			p.column(&cs[i])
		} else {
			p.add(more[i-n].Text)
		}
	}, "(", ")")
}

func (p *printer) column(c *Column) {
	if c.TypeFirst {
		p.typ(c.Type)
		p.add(" AS ")
		p.name(&c.Name)
	} else {
		p.name(&c.Name)
		if c.Type != nil {
			p.add(" ")
			p.typ(c.Type)
		}
	}
	p.put(when(c.Key, p.ColumnKey), c.Aggregate, c.Metadata)
	if c.Generated != nil {
		p.put("AS ")
		p.attribute(c.Generated)
	}
	p.put(when(c.NotNull, "NOT NULL"), when(c.Null, "NULL"), when(c.AutoInc, "AUTO_INCREMENT"))
	if c.Default != nil {
		p.put("DEFAULT ")
		p.attribute(c.Default)
	}
	if c.OnUpdate != nil {
		p.put("ON UPDATE ")
		p.attribute(c.OnUpdate)
	}
	if c.Comment != nil {
		p.put("COMMENT ")
		p.literal(c.Comment)
	}
	if c.Options != nil {
		p.put("WITH ")
		p.options(c.Options, c.To)
	}
}

// attribute prints an expression among the attributes of a column.
func (p *printer) attribute(x Expr) { p.flat(func() { p.expr(x, 0) }) }

func (p *printer) createSource(s *CreateSource) {
	p.put("CREATE", when(s.OrReplace, "OR REPLACE"), "EXTERNAL DATA SOURCE", notExists(s.IfNotExists))
	p.space()
	p.dotted(s.Name)
	p.put("WITH ")
	p.options(s.Options, s.To)
}

func (p *printer) createTable(s *CreateTable) {
	p.put("CREATE", when(s.OrReplace, "OR REPLACE"), when(s.External, "EXTERNAL"), when(s.Temporary, "TEMPORARY"), "TABLE", notExists(s.IfNotExists))
	p.declared(s)
}

func (p *printer) createView(s *CreateView) {
	p.put(when(s.Alter, "ALTER")+when(!s.Alter, "CREATE"), when(s.OrReplace, "OR REPLACE"), when(s.Temporary, "TEMPORARY"), "VIEW", notExists(s.IfNotExists))
	p.declared(&CreateTable{Span: s.Span, Name: s.Name, Columns: s.Columns, ColumnsSpan: s.ColumnsSpan, Clauses: s.Clauses, Options: s.Options,
		OptionsWord: s.OptionsWord, As: s.As})
}

// declared prints a table or view from its name on.
func (p *printer) declared(s *CreateTable) {
	p.space()
	p.dotted(s.Name)
	if s.Columns != nil {
		p.add(" ")
		p.columns(s.Columns, s.Constraints, s.ColumnsSpan.To)
	}
	if s.Like != nil {
		p.put("LIKE ")
		p.dotted(s.Like)
		if s.LikeHow != "" {
			p.add(" (" + s.LikeHow + ")")
		}
	}
	for i := range s.Clauses {
		p.line(s.Clauses[i].From)
		p.clause(&s.Clauses[i])
	}
	if s.Options != nil {
		at, end := s.To, s.To
		if n := len(s.Options); n > 0 {
			at = s.Options[0].From
			if s.As != nil {
				end = s.Options[n-1].To
			}
		}
		p.line(at)
		word := s.OptionsWord
		if word == "" {
			word = "WITH"
		}
		p.put(word)
		p.add(" ")
		p.options(s.Options, end)
	}
	if s.As != nil {
		p.line(s.As.Pos())
		p.put("AS")
		p.line(s.As.Pos())
		p.query(s.As)
		if s.Data != "" {
			p.line(s.As.End())
			p.put(s.Data)
		}
	}
}

func (p *printer) clause(c *Clause) {
	if c.Text != "" {
		p.put(c.Text)
		return
	}
	switch c.Kind {
	case "KEY":
		p.put(c.How, "KEY")
	case "PARTITIONED BY", "PARTITION BY":
		how := c.How
		if len(how) >= 4 && how[:4] == "AUTO" {
			p.put("AUTO")
			how = how[4:]
			if how != "" {
				how = how[1:]
			}
		}
		p.put(c.Kind, how)
	case "BUCKETS":
	case "ENGINE":
		p.put("ENGINE =")
	default:
		p.put(c.Kind, c.How)
	}
	p.clauseBody(c)
}

func (p *printer) clauseBody(c *Clause) {
	switch {
	case c.Exprs != nil:
		p.add(" ")
		p.flat(func() { p.list("(", c.Exprs, ")") })
	case c.Columns != nil:
		p.add(" ")
		p.columns(c.Columns, nil, c.To)
	}
	if c.Partitions != nil {
		p.add(" ")
		ps := c.Partitions
		p.block(c.To, len(ps), func(i int) Pos { return ps[i].From }, func(i int) { p.partition(&ps[i]) }, "(", ")")
	}
	if c.SortedBy != nil {
		p.put("SORTED BY (")
		p.orderItems(c.SortedBy)
		p.add(")")
	}
	if c.Buckets != nil {
		if c.Kind == "CLUSTERED BY" {
			p.put("INTO ")
			p.expr(c.Buckets, p.unary())
			p.put("BUCKETS")
		} else {
			p.put("BUCKETS ")
			p.expr(c.Buckets, p.unary())
		}
	}
	if c.Value != nil {
		p.add(" ")
		p.expr(c.Value, 0)
	}
}

// partition prints one definition of a partition, without the word PARTITION before a specification.
func (p *printer) partition(d *PartitionDef) {
	if d.Name != nil {
		p.put("PARTITION", notExists(d.IfNotExists))
		p.space()
		p.name(d.Name)
	}
	p.bounds(d)
	if d.Spec != nil {
		p.options(d.Spec, d.To)
	}
	if d.Location != nil {
		p.put("LOCATION ")
		p.literal(d.Location)
	}
	if d.Options != nil {
		p.add(" ")
		p.options(d.Options, d.To)
	}
	if d.DistributedBy != nil {
		p.clause(d.DistributedBy)
	}
}

func (p *printer) bounds(d *PartitionDef) {
	switch d.Form {
	case "LESS THAN":
		p.put("VALUES LESS THAN ")
		p.list("(", d.Hi, ")")
	case "RANGE":
		p.put("VALUES [")
		p.list("(", d.Lo, ")")
		p.add(", ")
		p.list("(", d.Hi, ")")
		p.add(")")
	case "IN":
		p.put("VALUES IN ")
		p.list("(", d.In, ")")
	case "FROM TO":
		p.put("FROM ")
		p.list("(", d.Lo, ")")
		p.put("TO ")
		p.list("(", d.Hi, ")")
		if d.Interval != nil {
			p.add(" ")
			p.expr(d.Interval, 0)
		}
	}
}

func (p *printer) alter(s *AlterTable) {
	p.put("ALTER", when(s.External, "EXTERNAL"), "TABLE", exists(s.IfExists))
	p.space()
	p.dotted(s.Name)
	as := s.Actions
	if len(as) == 1 {
		p.space()
		p.action(&as[0])
		return
	}
	p.comma(s.To, len(as), func(i int) Pos { return as[i].From }, func(i int) { p.action(&as[i]) })
}

func (p *printer) action(a *AlterAction) {
	if a.Text != "" {
		p.put(a.Text)
		return
	}
	switch a.Kind {
	case "ADD PARTITION":
		p.addPartition(a)
		return
	case "DROP PARTITION", "MODIFY PARTITION", "RENAME PARTITION", "REPLACE PARTITION":
		p.partitionAction(a)
		return
	}
	if a.Partitions != nil {
		p.specified(&a.Partitions[0])
	}
	p.put(a.Kind, a.Word)
	if a.Names != nil {
		p.add(" (")
		p.commas(len(a.Names), func(i int) { p.key(&a.Names[i]) })
		p.add(")")
	}
	if a.Options != nil {
		p.add(" ")
		p.options(a.Options, a.To)
	}
	if a.Value != nil {
		p.add(" ")
		p.expr(a.Value, 0)
	}
}

func (p *printer) addPartition(a *AlterAction) {
	p.put("ADD", when(a.Temporary, "TEMPORARY"), notExists(a.IfNotExists))
	for i := range a.Partitions {
		d := &a.Partitions[i]
		if d.Name == nil {
			p.put(when(d.Form == "FROM TO", "PARTITIONS"), when(d.Form != "FROM TO", "PARTITION"))
			p.add(" ")
		}
		p.partition(d)
	}
	p.settings(a)
}

func (p *printer) partitionAction(a *AlterAction) {
	verb := a.Kind[:len(a.Kind)-len(" PARTITION")]
	if verb == "RENAME" && a.Partitions != nil {
		p.specified(&a.Partitions[0])
		p.put("RENAME TO")
		p.specified(&a.Partitions[1])
		return
	}
	p.put(verb, when(a.Temporary, "TEMPORARY"), exists(a.IfExists && a.Names == nil), "PARTITION", exists(a.IfExists && a.Names != nil))
	p.add(" ")
	switch {
	case verb == "RENAME":
		p.name(&a.Names[0])
		p.add(" ")
		p.name(&a.Names[1])
	case verb == "DROP" && len(a.Names) == 1:
		p.name(&a.Names[0])
	case a.Names != nil:
		p.names(a.Names)
	case a.Value != nil:
		p.add("(*)")
	}
	for i := range a.Partitions {
		if i > 0 {
			p.add(", PARTITION ")
		}
		p.partition(&a.Partitions[i])
	}
	if a.With != nil {
		p.put("WITH TEMPORARY PARTITION ")
		p.names(a.With)
	}
	p.put(when(a.Force, "FORCE"))
	p.settings(a)
}

// specified prints a partition by its values: PARTITION (dt = '1').
func (p *printer) specified(d *PartitionDef) {
	p.put("PARTITION ")
	p.partition(d)
}

// settings prints the options behind an action on partitions.
func (p *printer) settings(a *AlterAction) {
	if a.Options != nil {
		p.put(when(a.Kind == "MODIFY PARTITION", "SET ") + when(a.Kind != "MODIFY PARTITION", "PROPERTIES "))
		p.options(a.Options, a.To)
	}
}

func (p *printer) insert(s *Insert) {
	p.put(s.Verb)
	p.table(s.Table)
	if s.Partition != nil {
		p.put("PARTITION ")
		p.options(s.Partition, s.Partition[len(s.Partition)-1].To)
	}
	p.put(when(s.Detect, "PARTITION (*)"))
	if s.Columns != nil {
		p.add(" ")
		p.names(s.Columns)
	}
	p.put(when(s.ByName, "BY NAME"))
	if s.Query == nil {
		p.line(s.To)
		p.put("DEFAULT VALUES")
		return
	}
	p.line(s.Query.Pos())
	p.query(s.Query)
}

func (p *printer) copy(s *Copy) {
	p.put(when(!s.Unload, "COPY ") + when(s.Unload, "UNLOAD "))
	if s.Query != nil {
		p.subquery(s.Query)
	} else {
		p.table(s.Table)
		if s.Columns != nil {
			p.add(" ")
			p.names(s.Columns)
		}
	}
	p.put(when(s.From, "FROM ") + when(!s.From, "TO "))
	p.expr(s.Path, 0)
	if s.Options != nil {
		p.add(when(s.Unload, " WITH"))
		p.add(" ")
		p.options(s.Options, s.To)
	}
}
