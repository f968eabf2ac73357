package planner

import (
	"errors"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// source is what stands in a FROM, with the names that it brings.
type source struct {
	node node
	rels []*relation // in the order of the text
	// merged has the columns of USING, which without a qualifier mean neither side's; defs are what they mean.
	merged *relation
	defs   []expr
}

// scope is where names are looked up when src stands in FROM.
func (b *builder) scope(src *source, outer *scope) *scope {
	sc := &scope{rels: src.rels, params: b.params, outer: outer}
	if src.merged != nil {
		sc = &scope{rels: []*relation{src.merged}, params: b.params, outer: sc}
	}
	return sc
}

// expand replaces the columns of USING by what they mean.
func (src *source) expand(e expr) expr {
	if src.merged == nil || e == nil {
		return e
	}
	return replace(e, func(c *column) expr {
		if c.rel == src.merged {
			return src.defs[c.index]
		}
		return nil
	})
}

// from makes the node of a FROM clause.
func (b *builder) from(t ast.TableExpr, outer *scope) *source {
	switch t := t.(type) {
	case *ast.TableRef:
		return b.single(b.changed(b.table(t, outer), t.Flatten, t.Sample, outer))
	case *ast.DerivedTable:
		n := b.query(t.Query, outer)
		b.rename(n.relation(), aliasText(t.Alias), t.Columns)
		return b.single(b.changed(n, t.Flatten, t.Sample, outer))
	case *ast.Join:
		return b.join(t, outer)
	}
	return b.single(&opaqueNode{&relation{open: true}})
}

// sampledRows reports whether a sample has so many rows, and so depends on what is in the table, like LIMIT; one of so many
// percent doesn't, unless it is a reservoir. In DuckDB a number alone counts rows.
func (b *builder) sampledRows(sample string) bool {
	sample = strings.ToUpper(sample)
	if strings.Contains(sample, "ROW") || strings.Contains(sample, "RESERVOIR") {
		return true
	}
	return b.s.dialect.Name == "duckdb" && sample != "" && !strings.Contains(sample, "%") && !strings.Contains(sample, "PERCENT")
}

// changed is n behind FLATTEN or a sample. A flattened name no longer means the column's value.
func (b *builder) changed(n outNode, f *ast.Flatten, sample string, outer *scope) outNode {
	_, scan := n.(*scanNode)
	if f == nil && (sample == "" || scan && !b.sampledRows(sample)) {
		return n
	}
	r := n.relation()
	sel := &selectNode{from: n, out: &relation{name: r.name, open: r.open}, sampled: sample != "", limited: b.sampledRows(sample)}
	if r.open {
		sel.passes = r
	}
	for i := range r.cols {
		sel.out.cols = append(sel.out.cols, r.cols[i])
		sel.out.cols[i].key = -1
		sel.items = append(sel.items, r.column(i))
	}
	if f == nil {
		return sel
	}
	if f.How == "COLUMNS" {
		sel.out.open, sel.passes = true, nil
	}
	for i := range f.Items {
		b.flatten(sel, r, &f.Items[i], outer)
	}
	return sel
}

// flatten gives a name of sel the meaning "an element of".
func (b *builder) flatten(sel *selectNode, from *relation, item *ast.SelectItem, outer *scope) {
	x := b.bind.bind(item.X, &scope{rels: []*relation{from}, params: b.params, outer: outer})
	name := aliasText(item.Alias)
	if id, ok := item.X.(*ast.Ident); ok && name == "" {
		name = id.Parts[len(id.Parts)-1].Text
	}
	col, element := relColumn{name: name, key: -1}, &opaque{at: item.X, why: "an element of " + b.text(item.X), args: []expr{x}}
	if i := sel.out.find(name, b.bind.sem.sameName); i >= 0 {
		sel.out.cols[i], sel.items[i] = col, element
		return
	}
	sel.out.cols, sel.items = append(sel.out.cols, col), append(sel.items, element)
}

// single is a source of one relation.
func (b *builder) single(n outNode) *source {
	b.place(n.relation())
	made := &struct {
		source
		rel [1]*relation
	}{rel: [1]*relation{n.relation()}}
	made.source = source{node: n, rels: made.rel[:]}
	return &made.source
}

// place numbers a relation that stands in a FROM.
func (b *builder) place(r *relation) {
	b.placed++
	r.order = b.placed
}

func aliasText(n *ast.Name) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// join makes the node of a join. A chain of joins leans to the left and may be long, so it isn't followed by recursion.
func (b *builder) join(t *ast.Join, outer *scope) *source {
	var chain []*ast.Join
	var first ast.TableExpr = t
	for {
		j, ok := first.(*ast.Join)
		if !ok {
			break
		}
		chain, first = append(chain, j), j.L
	}
	src := b.from(first, outer)
	for _, j := range slices.Backward(chain) {
		src = b.joined(j, src, outer)
	}
	return src
}

// joined makes the node of one join whose left side is made already.
func (b *builder) joined(t *ast.Join, l *source, outer *scope) *source {
	right := outer
	if d, ok := t.R.(*ast.DerivedTable); ok && d.Lateral || isUnnest(t.R) {
		right = b.scope(l, outer)
	}
	r := b.from(t.R, right)
	kind, swapped := joinOf(t.Kind)
	n := newJoin(kind, l.node, r.node)
	n.anyL, n.anyR = t.AnyL, t.AnyR || strings.HasPrefix(t.Kind, "ASOF") // of the rows that ON equates the nearest is taken
	if kind == leftJoin || kind == fullJoin || kind == exclusionJoin || kind == positionalJoin {
		if swapped || kind != leftJoin {
			l.mayMiss()
		}
		if !swapped {
			r.mayMiss()
		}
	}
	src := &source{node: n, rels: slices.Concat(l.rels, r.rels)}
	src.inherit(l)
	src.inherit(r)
	names := t.Using
	if t.Natural && !b.yql() {
		names = b.shared(l, r)
	}
	for i := range names {
		op := ast.OpEq
		if strings.HasPrefix(t.Kind, "ASOF") && i == len(names)-1 {
			op = ast.OpGe
		}
		n.on = append(n.on, b.using(src, &names[i], op, l, r, outer, n, swapped))
	}
	if t.On != nil {
		n.on = append(n.on, preds(src.expand(b.bind.condition(t.On, b.scope(src, outer))))...)
	}
	if t.Any && !t.AnyL && !t.AnyR {
		n.anyL, n.anyR = true, true
	}
	if swapped {
		n.l, n.r, n.anyL, n.anyR = n.r, n.l, n.anyR, n.anyL
	}
	if kind == semiJoin || kind == antiJoin {
		if src = l; swapped {
			src = r
		}
		src.node = n
	}
	return src
}

// mayMiss notes that a join fills these columns with NULL where there is no partner.
func mayMiss(rels []*relation) {
	for _, r := range rels {
		for i := range r.cols {
			r.cols[i].typ.notNull = false
		}
	}
}

// mayMiss is mayMiss for a side of a join, with the columns of USING in it.
func (src *source) mayMiss() {
	mayMiss(src.rels)
	for i, x := range src.defs {
		src.merged.cols[i].typ.notNull = false
		if c, ok := x.(*column); ok {
			src.defs[i] = &column{at: c.at, rel: c.rel, index: c.index, name: c.name, t: c.t.optional()}
		}
	}
}

func (src *source) inherit(from *source) {
	if from.merged == nil {
		return
	}
	if src.merged == nil {
		src.merged = &relation{}
	}
	src.merged.cols = append(src.merged.cols, from.merged.cols...)
	src.defs = append(src.defs, from.defs...)
}

// shared are the columns that NATURAL equates: those that both sides declare.
func (b *builder) shared(l, r *source) (names []ast.Name) {
	same := b.bind.sem.sameName
	has := func(rels []*relation, name string) bool {
		return slices.ContainsFunc(rels, func(x *relation) bool {
			i := x.find(name, same)
			return i >= 0 && !x.cols[i].virtual
		})
	}
	for _, x := range l.rels {
		for _, c := range x.cols {
			if !c.virtual && has(r.rels, c.name) && !slices.ContainsFunc(names, func(n ast.Name) bool { return same(n.Text, c.name) }) {
				names = append(names, ast.Name{Span: noExpr.Span, Text: c.name})
			}
		}
	}
	return names
}

// using is the condition of one column of USING, which then stands for both sides' columns. It compares by =, but the last
// one of ASOF by >=.
func (b *builder) using(src *source, name *ast.Name, op ast.Op, l, r *source, outer *scope, n *joinNode, swapped bool) pred {
	ident := &ast.Ident{Span: name.Span, Parts: []ast.Name{*name}}
	x := l.expand(b.bind.bind(ident, b.scope(l, outer)))
	y := r.expand(b.bind.bind(ident, b.scope(r, outer)))
	meaning := x
	switch {
	case n.kind == fullJoin && op != ast.OpEq:
		meaning = &opaque{at: ident, why: "the column of either side", args: []expr{x, y}}
	case n.kind == fullJoin || n.kind == exclusionJoin:
		meaning = b.either(ident, x, y)
		if m, ok := meaning.(*apply); ok {
			n.merged = append(n.merged, m)
		}
	case swapped:
		meaning = y
	}
	col := relColumn{name: name.Text, typ: meaning.typ(), key: -1}
	if src.merged == nil {
		src.merged = &relation{}
	}
	if i := src.merged.find(name.Text, b.bind.sem.sameName); i >= 0 {
		src.merged.cols[i], src.defs[i] = col, meaning
	} else {
		src.merged.cols, src.defs = append(src.merged.cols, col), append(src.defs, meaning)
	}
	shown := equals(withTable(x), withTable(y))
	shown.Op = op
	return pred{x: b.bind.compare(ident, op, x, y), shown: shown}
}

// either is the column of USING in a full join: that of the side which has one.
func (b *builder) either(at ast.Expr, x, y expr) expr {
	t, ok := common(x.typ(), y.typ())
	if ok && t.shape == scalarShape && !isFloat(t.scalar.Kind) {
		return b.bind.coalesce(at, x, y)
	}
	return &opaque{at: at, why: "the column of either side", args: []expr{x, y}}
}

// equals is x = y as text.
func equals(x, y ast.Expr) *ast.Binary {
	return &ast.Binary{Span: ast.Span{From: x.Pos(), To: x.End()}, Op: ast.OpEq, OpPos: x.Pos(), L: x, R: y}
}

// withTable is a column with the name of its relation in front, other expressions as they stand.
func withTable(e expr) ast.Expr {
	c, ok := e.(*column)
	if !ok || c.rel.name == "" {
		return e.node()
	}
	at := e.node()
	return &ast.Ident{Span: ast.Span{From: at.Pos(), To: at.End()}, Parts: []ast.Name{{Text: c.rel.name}, {Text: c.name}}}
}

// table makes the node of a table reference: a name of WITH, a $name, or a table that a scan reads.
func (b *builder) table(ref *ast.TableRef, outer *scope) outNode {
	alias := aliasText(ref.Alias)
	if c := b.lookupCTE(ref); c != nil {
		n := b.unfoldCTE(c, ref.Pos())
		if alias == "" {
			alias = c.def.Name.Text
		}
		b.rename(n.relation(), alias, ref.Columns)
		return n
	}
	if n := b.view(ref, alias); n != nil {
		return n
	}
	if ref.Param != nil {
		if n := b.tableParam(ref, alias, outer); n != nil {
			return n
		}
	}
	if f := ref.Func; f != nil && strings.EqualFold(f.Func.Text, "as_table") {
		return b.asTable(ref, alias, outer)
	}
	if ref.Func != nil {
		if n := b.tableFunction(ref, outer); n != nil {
			return n
		}
	}
	if isUnnest(ref) {
		return b.unnest(ref, alias, outer)
	}
	return b.scan(ref, alias)
}

// tableParam is what FROM $x reads; nil when $x is the name of a table.
func (b *builder) tableParam(ref *ast.TableRef, alias string, outer *scope) outNode {
	p := b.params.lookup(ref.Param.Name)
	if p != nil && p.query != nil && p.sel == nil {
		defer b.bind.follow(p.sem)()
		n := b.unfold(p.query, p.up, ref.Pos())
		b.rename(n.relation(), alias, ref.Columns)
		return n
	}
	x := b.bind.bind(ref.Param, &scope{params: b.params, outer: outer})
	if _, ok := constantText(x); ok {
		return nil
	}
	return &opaqueNode{&relation{name: alias, open: true}}
}

// scan makes the node that reads a table.
func (b *builder) scan(ref *ast.TableRef, alias string) outNode {
	t := b.tableOf(ref)
	made := &struct {
		scanNode
		rel relation
		at  [1]ast.Pos
	}{rel: relation{name: alias, table: t}}
	rel := &made.rel
	if alias == "" && len(ref.Name) > 0 {
		rel.name = ref.Name[len(ref.Name)-1].Text
	}
	if t == nil {
		rel.open = true
		return &opaqueNode{rel}
	}
	rel.open = t.Open
	rel.cols = make([]relColumn, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		rel.cols[i] = relColumn{name: c.Name, typ: b.bind.columnType(c), key: c.Key, virtual: c.Virtual}
	}
	b.rename(rel, rel.name, ref.Columns)
	made.scanNode = scanNode{ref: ref, table: t, alias: alias, rel: rel, at: append(append(made.at[:0], b.at...), ref.Pos())}
	b.scans = append(b.scans, &made.scanNode)
	return &made.scanNode
}

// madeTable is what the system has made of a reference. It holds as long as the declarations do.
type madeTable struct {
	table   *projection.Table
	err     error
	diags   ast.Diagnostics // of the $names in its hints
	version int             // of the catalog
}

// tableOf asks the system for the table of a reference, once for each place in the text: a session keeps those in named
// queries, a statement those that it may unfold again. The findings belong to every statement that reads the table.
func (b *builder) tableOf(ref *ast.TableRef) *projection.Table {
	m, ok := b.tables[ref]
	if !ok {
		m, ok = b.s.tables[ref]
		ok = ok && m.version == b.s.catalog.version
	}
	if !ok {
		m = b.make(ref)
		if b.checking {
			keepTable(&b.s.tables, ref, m)
		}
	}
	if len(b.at) > 0 {
		keepTable(&b.tables, ref, m)
	}
	if b.quiet { // what is wrong with it is told to who reads it
		return m.table
	}
	b.diags = append(b.diags, m.diags...)
	if m.err != nil {
		b.failedTable(m.err)
	}
	if m.table != nil {
		b.diags = append(b.diags, m.table.Notes...)
	}
	return m.table
}

// failedTable tells why there is no table.
func (b *builder) failedTable(err error) {
	var found ast.Diagnostics
	if errors.As(err, &found) {
		b.diags = append(b.diags, found...)
	} else {
		b.err = err
	}
}

func keepTable(in *map[*ast.TableRef]madeTable, ref *ast.TableRef, m madeTable) {
	if *in == nil {
		*in = map[*ast.TableRef]madeTable{}
	}
	(*in)[ref] = m
}

func (b *builder) make(ref *ast.TableRef) madeTable {
	m := madeTable{version: b.s.catalog.version}
	before := len(b.diags)
	filled, ok := b.fill(ref)
	m.diags, b.diags = slices.Clone(b.diags[before:]), b.diags[:before]
	if ok {
		m.table, m.err = b.s.system.Table(b.ctx, &b.env, filled, b.s.catalog.decls)
	}
	if m.err != nil {
		m.table = nil
	}
	return m
}
