package ast

func (w walker) stmtChildren(s Stmt) bool {
	switch s := s.(type) {
	case *Select:
		return w.selectChildren(s)
	case *SetOp:
		if !w.ctes(s.With) {
			return false
		}
		for _, q := range s.Args {
			if !w.query(q) {
				return false
			}
		}
		return w.tail(&s.Tail)
	case *Values:
		for _, r := range s.Rows {
			if !w.walk(r) {
				return false
			}
		}
		return w.tail(&s.Tail)
	case *Reshape:
		return w.table(s.Source) && w.query(s.Query) && w.items(s.On) && w.items(s.Using) && w.items(s.GroupBy)
	case *Let:
		return w.expr(s.X) && w.query(s.Query)
	case *Declare:
		return w.typ(s.Type) && w.expr(s.Default)
	case *Pragma:
		return w.exprs(s.Values)
	case *Explain:
		return w.walk(s.Stmt)
	case *Prepare:
		return w.walk(s.Stmt)
	case *Execute:
		return w.exprs(s.Args)
	case *CreateSource:
		return w.options(s.Options)
	case *CreateTable:
		return w.columns(s.Columns) && w.clauses(s.Clauses) && w.options(s.Options) && w.query(s.As)
	case *CreateView:
		return w.columns(s.Columns) && w.clauses(s.Clauses) && w.options(s.Options) && w.query(s.As)
	case *AlterTable:
		return w.actions(s.Actions)
	case *Insert:
		return w.ref(s.Table) && w.options(s.Partition) && w.query(s.Query)
	case *Copy:
		return w.query(s.Query) && w.ref(s.Table) && w.expr(s.Path) && w.options(s.Options)
	case *CallStmt:
		return w.args(s.Args)
	}
	return true
}

func (w walker) selectChildren(s *Select) bool {
	if !w.ctes(s.With) || s.FromFirst && !w.table(s.From) || !w.exprs(s.On) || !w.items(s.Items) {
		return false
	}
	for _, id := range s.Without {
		if !w.walk(id) {
			return false
		}
	}
	if !s.FromFirst && !w.table(s.From) || !w.expr(s.Where) || !w.items(s.GroupBy) || !w.expr(s.Having) {
		return false
	}
	for i := range s.Windows {
		if !w.window(s.Windows[i].Window) {
			return false
		}
	}
	return w.expr(s.Qualify) && w.tail(&s.Tail)
}

func (w walker) ctes(cs []CTE) bool {
	for i := range cs {
		if !w.query(cs[i].Query) {
			return false
		}
	}
	return true
}

func (w walker) tail(t *Tail) bool {
	return w.orderItems(t.OrderBy) && w.expr(t.Limit) && w.expr(t.Offset)
}

func (w walker) tableChildren(t TableExpr) bool {
	switch t := t.(type) {
	case *TableRef:
		if !w.literal(t.File) || !w.call(t.Func) || !w.param(t.Param) || !w.options(t.Hints) || !w.options(t.Dynamic) {
			return false
		}
		for _, l := range t.Tablets {
			if !w.walk(l) {
				return false
			}
		}
		return w.flatten(t.Flatten)
	case *DerivedTable:
		return w.query(t.Query) && w.flatten(t.Flatten)
	case *Join:
		return w.table(t.L) && w.table(t.R) && w.expr(t.On)
	}
	return true
}

func (w walker) flatten(f *Flatten) bool { return f == nil || w.items(f.Items) }

func (w walker) clauses(cs []Clause) bool {
	for i := range cs {
		c := &cs[i]
		if !w.columns(c.Columns) || !w.exprs(c.Exprs) || !w.partitions(c.Partitions) || !w.orderItems(c.SortedBy) ||
			!w.expr(c.Buckets) || !w.expr(c.Value) {
			return false
		}
	}
	return true
}

func (w walker) partitions(ds []PartitionDef) bool {
	for i := range ds {
		d := &ds[i]
		if !w.exprs(d.Lo) || !w.exprs(d.Hi) || !w.exprs(d.In) || !w.expr(d.Interval) || !w.options(d.Spec) ||
			!w.literal(d.Location) || !w.options(d.Options) {
			return false
		}
		if d.DistributedBy != nil && !w.clauses([]Clause{*d.DistributedBy}) {
			return false
		}
	}
	return true
}

func (w walker) actions(as []AlterAction) bool {
	for i := range as {
		a := &as[i]
		if !w.partitions(a.Partitions) || !w.columns(a.Columns) || !w.options(a.Options) || !w.expr(a.Value) {
			return false
		}
		if a.Clause != nil && !w.clauses([]Clause{*a.Clause}) {
			return false
		}
	}
	return true
}
