package doris

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// create reads a CREATE TABLE, the i-th declaration; nil when it is wrong.
func (h *history) create(s *ast.CreateTable, i int) *table {
	before := len(h.List)
	if s.Like != nil {
		return h.like(s, i)
	}
	t := &table{name: s.Name}
	t.normal, t.temp = newPartitions(t, false), newPartitions(t, true)
	partition := clause(s, "PARTITION BY", "PARTITIONED BY")
	switch {
	case len(s.Columns) > 0:
	case s.As != nil && partition == nil:
		t.ofQuery(h, clause(s, "DISTRIBUTED BY"))
		return t
	default:
		h.Errorf("table.columns", nameSpan(s.Name), "list the columns: (k INT, v INT)", "%s has no columns", plainName(s.Name))
		return nil
	}
	h.columnsOf(t, s.Columns)
	h.keyModel(t, clause(s, "KEY"))
	if partition != nil {
		h.partitionBy(t, partition)
	}
	distribution := clause(s, "DISTRIBUTED BY")
	h.distributedBy(t, distribution, s)
	t.follow(s.Options)
	if partition != nil && !h.failed(before) {
		h.definitions(t, partition.Partitions)
	}
	if h.failed(before) {
		return nil
	}
	h.doubts(t, partition, distribution)
	return t
}

// ofQuery lays out CREATE TABLE … AS SELECT without a list of columns: what is hashed isn't known.
func (t *table) ofQuery(h *history, c *ast.Clause) {
	t.open, t.buckets = true, distribution{random: true, auto: true, count: defaultBuckets}
	if c == nil {
		return
	}
	if n, auto, ok := h.bucketCount(c.Buckets); ok {
		t.buckets.count, t.buckets.auto = n, auto
	}
}

// follow reads the properties that change which partitions there are (DynamicPartitionUtil.java).
func (t *table) follow(options []ast.Option) {
	if o, v := option(options, "dynamic_partition.enable"); o != nil {
		t.dynamic = strings.EqualFold(v, "true")
	}
}

// failed reports whether errors were found since there were n findings.
func (h *history) failed(n int) bool { return h.List[n:].HasErrors() }

// clause is the first clause of some kind.
func clause(s *ast.CreateTable, kinds ...string) *ast.Clause {
	for i := range s.Clauses {
		if slices.Contains(kinds, s.Clauses[i].Kind) {
			return &s.Clauses[i]
		}
	}
	return nil
}

// maxLikes bounds a chain of CREATE TABLE … LIKE.
const maxLikes = 64

// like makes a table as another one is now.
func (h *history) like(s *ast.CreateTable, i int) *table {
	other := history{Findings: &projection.Findings{}, env: h.env, decls: h.decls, depth: h.depth + 1}
	for k := 0; k < i && h.depth < maxLikes; k++ {
		other.follow(k, s.Like)
	}
	if other.table == nil {
		h.Errorf("table.unknown", nameSpan(s.Like), "declare it by CREATE TABLE before", "the table %s is not declared", plainName(s.Like))
		return nil
	}
	t := other.table
	t.name = s.Name
	return t
}

// keyModel reads AGGREGATE KEY (…) and the like. Without one, columns before the first aggregated one are keys of an
// aggregate table (LogicalPlanBuilder.java).
func (h *history) keyModel(t *table, c *ast.Clause) {
	if c == nil {
		t.model = "DUPLICATE"
		if i := slices.IndexFunc(t.columns, func(c *column) bool { return c.aggregate != "" }); i >= 0 {
			t.model = "AGGREGATE"
			for _, c := range t.columns[:i] {
				c.key = true
			}
		}
		return
	}
	t.model = c.How
	for _, n := range h.namesOf(c, "key") {
		if col := h.lookup(t, n, "key column", "key.column"); col != nil {
			col.key = true
		}
	}
}

// namesOf are the columns that a clause lists; expressions are refused.
func (h *history) namesOf(c *ast.Clause, what string) []ast.Name {
	var out []ast.Name
	for i := range c.Columns {
		out = append(out, c.Columns[i].Name)
	}
	for _, x := range c.Exprs {
		if id, ok := x.(*ast.Ident); ok && len(id.Parts) == 1 {
			out = append(out, id.Parts[0])
		} else {
			h.Errorf(what+".column", x, "name a column", "a %s column must be a column", what)
		}
	}
	if len(c.Columns)+len(c.Exprs) == 0 {
		h.Errorf(what+".column", c, "name a column", "there is no %s column", what)
	}
	return out
}

// lookup finds a column by name or reports it.
func (h *history) lookup(t *table, n ast.Name, what, code string) *column {
	c := t.column(n.Text)
	if c == nil {
		h.Errorf(code, n, projection.Known(n.Text, t.columnNames()), "the %s %s does not exist", what, n.Text)
	}
	return c
}

// partitionBy reads what a table is partitioned by.
func (h *history) partitionBy(t *table, c *ast.Clause) {
	t.auto = strings.HasPrefix(c.How, "AUTO")
	switch how := strings.TrimSpace(strings.TrimPrefix(c.How, "AUTO")); how {
	case "RANGE":
	case "LIST", "":
		t.list = true
	default:
		h.Errorf("partition.form", c, "write PARTITION BY RANGE (…) or LIST (…)", "there are no partitions by %s in Doris", how)
		return
	}
	if len(c.Exprs) > 0 && slices.ContainsFunc(c.Exprs, isCall) {
		h.truncatedBy(t, c)
		return
	}
	for _, n := range h.namesOf(c, "partition") {
		col := h.lookup(t, n, "partition column", "partition.column")
		switch {
		case col == nil:
		case indexOf(t.by, col) >= 0:
			h.Errorf("partition.column", n, "drop one of them", "the partition column %s is listed twice", n.Text)
		default:
			h.partitionColumn(t, col, n)
			t.by = append(t.by, col)
		}
	}
	if t.auto && !t.list && len(t.by) > 0 {
		h.Errorf("partition.auto", c, "write AUTO PARTITION BY RANGE (date_trunc("+t.by[0].name+", 'day')) ()",
			"AUTO PARTITION BY RANGE needs a function such as date_trunc")
	}
}

func isCall(x ast.Expr) bool { _, ok := x.(*ast.Call); return ok }

// partitionColumn holds a column against the rules (seed document, "Partitioning"; PartitionTableInfo.java).
func (h *history) partitionColumn(t *table, col *column, at ast.Node) {
	allowed, how := ranged, "RANGE"
	if t.list {
		allowed, how = listed, "LIST"
	}
	switch {
	case col.kind != "" && !isOneOf(col.kind, allowed):
		h.Errorf("partition.type", at, "use one of"+strings.ToUpper(strings.ReplaceAll(strings.TrimRight(allowed, " "), " ", ", "))[1:],
			"the type %s of %s cannot be that of a %s partition column", strings.ToUpper(col.declared), col.name, how)
	case col.aggregate != "":
		h.Errorf("partition.column", at, "partition by a key column", "the partition column %s must be a key column, not one aggregated by %s", col.name, col.aggregate)
	case t.model != "DUPLICATE" && !col.key:
		h.Errorf("partition.column", at, "add it to "+t.model+" KEY", "the partition column %s must be a key column of the %s table", col.name, t.model)
	}
}

// definitions reads the partitions of a CREATE TABLE. LESS THAN and FROM … TO exclude each other (PartitionTableInfo.java).
func (h *history) definitions(t *table, defs []ast.PartitionDef) {
	var lessThan, batch *ast.PartitionDef
	for i := range defs {
		switch d := &defs[i]; d.Form {
		case "LESS THAN":
			lessThan = d
		case "FROM TO":
			batch = d
		}
	}
	if lessThan != nil && batch != nil {
		h.Errorf("partition.form", batch, "write fixed ranges [(…), (…)) beside FROM … TO", "LESS THAN and FROM … TO … INTERVAL can't be mixed")
		return
	}
	for i := range defs {
		if h.Full() {
			return
		}
		h.add(t.normal, &defs[i], t.buckets.count)
	}
	t.normal.settleOthers()
}
