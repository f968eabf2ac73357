package planner

import (
	"context"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// insert plans INSERT … SELECT and INSERT … VALUES: what the source reads and what is written.
func (s *Session) insert(ctx context.Context, st *ast.Insert) (*Plan, error) {
	declared := len(s.catalog.decls)
	b := newBuilder(ctx, s)
	if st.Query != nil {
		source := b.query(st.Query, nil)
		b.roots = append(b.roots, source)
		if st.Table != nil {
			b.write(st, source)
		}
	}
	plan, err := b.finish(&Plan{Stmt: st, Kind: "insert", now: s.env.Now})
	if err != nil {
		s.catalog.cut(declared)
		return nil, err
	}
	return plan, nil
}

// write adds the scan of what an INSERT writes: for a table whose places are computed, those that the rows of the
// source can go to. A target that isn't declared, here or by a SCHEMA of its own, has none.
func (b *builder) write(st *ast.Insert, source outNode) {
	ref := st.Table
	schema := func(o ast.Option) bool { return o.Schema != nil || o.Type != nil }
	declared := b.s.catalog.has(object{name: ref.Name}) || !b.yql() && b.s.catalog.declares(ref.Name)
	if !declared && !slices.ContainsFunc(ref.Hints, schema) {
		b.unfollowed(ref, "it isn't declared")
		return
	}
	b.spare()
	if b.diags.HasErrors() {
		return
	}
	if b.diags = appendError(b.diags, b.s.follow(b.ctx, asLoaded(st, source)), ref.Pos(), ref.End()); b.diags.HasErrors() {
		return
	}
	if names := bareNames(st.Partition); len(names) > 0 {
		named := *ref
		named.Partitions, ref = names, &named
	}
	scans, declares := len(b.scans), b.env.Declare
	b.env.Declare = declares || b.yql() // a listing would tell nothing of what is written
	n, ok := b.scan(ref, aliasText(ref.Alias)).(*scanNode)
	b.scans, b.env.Declare = b.scans[:scans], declares
	if !ok || !fixed(n.table.Layout) && !n.table.Layout.Open {
		if ok {
			b.unfollowed(ref, "it has no projection")
		}
		return
	}
	n.placed()
	set := b.fixedColumns(st, n)
	to := b.targets(st, n, set, source)
	if b.diags.HasErrors() {
		return
	}
	s := &Scan{Ref: ref, Alias: n.alias, Table: n.table, Write: true}
	sp := pruning.NewSpace(n.table.Layout.Keys, b.s.env.Limits.Nodes)
	var open []ast.Expr
	var ds []pruning.Diagram
	_, rows := source.(*rowsNode)
	closed := n.table.Layout.Closed && rows
	for _, r := range b.results(source) {
		before := len(b.diags)
		if closed {
			b.rowAllowed(st, n, to, r)
		}
		d, unknown := b.written(n, to, set, r, sp)
		ds = append(ds, d)
		open = append(open, unknown...)
		if closed {
			s.Routes = append(s.Routes, Route{nodesOf(r.items), d})
		}
		if closed && len(unknown) == 0 && len(b.diags) == before {
			b.rowPlaced(n, to, r, d)
		}
	}
	if n.table.Layout.Grows && (!rows || len(open) > 0) {
		b.diags = append(b.diags, &ast.Diagnostic{Severity: ast.Warning, Code: "insert.grows", Pos: ref.Pos(), End: ref.End(),
			Msg:  "the partitions that these rows make in " + n.table.Name + " aren't known; from here on plans may lack them",
			Hint: "add them by ALTER TABLE"})
	}
	s.Diagram = sp.All(pruning.Diagram.Or, ds, sp.Const(pruning.False))
	s.Residual = all(open)
	for _, e := range open {
		s.Conjuncts = append(s.Conjuncts, Conjunct{Expr: e, Effect: Unused, Reason: "only the rows tell which of these are written"})
	}
	if n.table.Layout.Source != nil { // the rows name the partitions
		b.diags = appendError(b.diags, b.list(s, nil), ref.Pos(), ref.End())
	}
	b.writes = append(b.writes, s)
}

// placed has the scan's layout say where rows go that are loaded now.
func (n *scanNode) placed() {
	if l := n.table.Layout.Written; l != nil {
		table := *n.table
		table.Layout = l
		n.table, n.rel.table = &table, &table
	}
}

// unfollowed notes that nothing is known of where rows go.
func (b *builder) unfollowed(ref *ast.TableRef, why string) {
	if !b.yql() || len(ref.Name) == 0 {
		return
	}
	b.diags = append(b.diags, &ast.Diagnostic{Severity: ast.Note, Code: "insert.unknown", Pos: ref.Name[0].From, End: ref.Name[len(ref.Name)-1].To,
		Msg:  "which paths are written in " + dotted(ref.Name) + " isn't known: " + why,
		Hint: "declare it with a projection, by CREATE EXTERNAL TABLE or in its WITH"})
}

// bareNames are the names in PARTITION (p1, p2); none for PARTITION (dt = '2024-01-01').
func bareNames(list []ast.Option) (names []ast.Name) {
	for _, o := range list {
		if o.Sep != "" || o.Value != nil {
			return nil
		}
		names = append(names, o.Key)
	}
	return names
}

func nodesOf(items []expr) []ast.Expr {
	out := make([]ast.Expr, len(items))
	for i, x := range items {
		out[i] = x.node()
	}
	return out
}

// targets tells for each column of the source which column of the target it is written to; -1: none is known. Columns
// are matched by name when a YQL SELECT stands without a list of columns, else by position, which is known where all are.
func (b *builder) targets(st *ast.Insert, n *scanNode, set map[int]expr, source outNode) []int {
	to, from := n.rel, source.relation()
	var free []int // columns that rows without a list of names have values for
	for i := range to.cols {
		if set[i] == nil && (i >= len(n.table.Columns) || !n.table.Columns[i].Computed) {
			free = append(free, i)
		}
	}
	out := make([]int, len(from.cols))
	_, rows := source.(*rowsNode)
	find := func(name string) int {
		return slices.IndexFunc(to.cols, func(c relColumn) bool { return b.bind.sem.sameName(c.name, name) })
	}
	for i := range out {
		switch {
		case from.open && (len(st.Columns) > 0 || !b.yql()):
			out[i] = -1
		case i < len(st.Columns):
			out[i] = find(st.Columns[i].Text)
		case len(st.Columns) == 0 && b.yql() && !rows:
			out[i] = find(from.cols[i].name)
		case len(st.Columns) == 0 && i < len(free):
			out[i] = free[i]
		default:
			out[i] = -1
		}
	}
	for i := range st.Columns {
		if c := &st.Columns[i]; find(c.Text) < 0 && !to.open {
			b.report(c, "bind.column", didYouMean(c.Text, to.names()), "%s has no column %s", dotted(st.Table.Name), c.Text)
		}
	}
	return out
}

// fixedColumns are the values that PARTITION (dt = '2024-01-01') gives columns.
func (b *builder) fixedColumns(st *ast.Insert, n *scanNode) map[int]expr {
	set := map[int]expr{}
	for k := range st.Partition {
		o := &st.Partition[k]
		i := slices.IndexFunc(n.rel.cols, func(c relColumn) bool { return b.bind.sem.sameName(c.name, o.Key.Text) })
		switch {
		case o.Value == nil: // rows have it; or it is the name of a partition
		case i >= 0:
			set[i] = b.bind.bind(o.Value, &scope{params: b.params})
		case !n.rel.open:
			b.report(&o.Key, "bind.column", didYouMean(o.Key.Text, n.rel.names()), "%s has no column %s", dotted(st.Table.Name), o.Key.Text)
		}
	}
	return set
}

func (r *relation) names() []string {
	var out []string
	for _, c := range r.cols {
		out = append(out, c.name)
	}
	return out
}

// result is one row or kind of row that a query yields: the expressions of its columns and what holds for them.
type result struct {
	rel   *relation // the columns that preds speak of
	items []expr
	preds []pred
}

// results are the kinds of rows of a query, one for each branch of a UNION and each row of VALUES.
func (b *builder) results(n outNode) []result {
	switch n := n.(type) {
	case *selectNode:
		r := result{n.out, n.items, b.implied(n)}
		for _, p := range n.where {
			if never(p.x, nil) {
				return nil
			}
		}
		return []result{r}
	case *rowsNode:
		var out []result
		for _, row := range n.rows {
			out = append(out, result{n.out, row, nil})
		}
		return out
	case *setNode:
		if n.op != "UNION" {
			return []result{{n.out, nil, b.implied(n)}}
		}
		var out []result
		for k, arg := range n.args {
			for _, r := range b.results(arg) {
				out = append(out, n.renamed(k, r))
			}
		}
		return out
	}
	return []result{{n.relation(), nil, nil}}
}

// renamed is a result of the k-th branch in terms of the columns of n.
func (n *setNode) renamed(k int, r result) result {
	out := result{rel: n.out}
	for _, j := range n.columns[k] {
		switch {
		case j == -1:
			out.items = append(out.items, &constant{v: nullValue})
		case j >= 0 && j < len(r.items):
			out.items = append(out.items, r.items[j])
		default:
			out.items = append(out.items, &opaque{})
		}
	}
	for _, p := range r.preds {
		out.preds = append(out.preds, n.lifted(k, r.rel, p))
	}
	return out
}

// written is where the rows of a result go. unknown are the partition columns' values that aren't known, as equations.
func (b *builder) written(n *scanNode, to []int, set map[int]expr, r result, sp *pruning.Space) (d pruning.Diagram, unknown []ast.Expr) {
	var ds []pruning.Diagram
	for _, p := range r.preds {
		p = p.with(func(c *column) expr {
			if c.rel != r.rel {
				return nil
			}
			if c.index >= 0 && c.index < len(to) && to[c.index] >= 0 {
				return n.rel.column(to[c.index])
			}
			return hidden(c)
		})
		ds = append(ds, lower(p.x, n.rel, sp).d)
	}
	for i := range n.rel.cols {
		if n.rel.cols[i].key < 0 {
			continue
		}
		c, j := n.rel.column(i), slices.Index(to, i)
		item := set[i]
		switch {
		case item != nil:
		case j >= 0 && j < len(r.items) && findOpaque(r.items[j]) != defaultWord:
			item = r.items[j]
		case !r.rel.open:
			item = b.omitted(n, i, c)
		}
		if item == nil {
			unknown = append(unknown, c.at)
			continue
		}
		if store := b.bind.sem.store; store != nil {
			item = store(b.bind, item, c.t)
		}
		x, ok := item.(*constant)
		if !ok {
			unknown = append(unknown, equals(c.at, item.node()))
			continue
		}
		low := lower(b.bind.compare(x.at, ast.OpNotDistinct, c, x), n.rel, sp)
		ds = append(ds, low.d)
	}
	return sp.All(pruning.Diagram.And, ds, sp.Const(pruning.True)), unknown
}
