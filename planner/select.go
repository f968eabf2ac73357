package planner

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// selection is a SELECT while its clauses are bound.
type selection struct {
	b     *builder
	q     *ast.Select
	n     *selectNode
	src   *source
	outer *scope
	base  *scope // the names of FROM

	items    []expr // as bound; nil for stars
	aliases  *relation
	defs     []expr               // what aliases mean
	replaced map[*ast.Star][]expr // what REPLACE puts in the place of columns
	unclear  *relation            // names that GROUP BY gives to something else than the column of that name
}

// sel makes the node of a SELECT: it binds every clause, so that all wrong names are found at once.
func (b *builder) sel(q *ast.Select, outer *scope) *selectNode {
	made := &struct {
		selectNode
		out relation
	}{}
	made.selectNode.out = &made.out
	s := &selection{b: b, q: q, n: &made.selectNode, outer: outer}
	if q.From != nil {
		s.src = b.from(q.From, outer)
	} else {
		s.src = &source{}
	}
	s.n.blurred = q.GroupHow != "" && q.GroupHow != "COMPACT"
	s.n.limited = q.Limit != nil || q.Offset != nil
	s.n.sampled, s.n.counted = q.Sample != "", b.sampledRows(q.Sample)
	if s.n.blurred {
		s.src.mayMiss()
	}
	s.base = b.scope(s.src, outer)
	if q.Where != nil {
		s.early(q.Where)
		s.n.where = preds(b.settled(s.expand(b.bind.condition(q.Where, s.named(false)))))
	}
	s.group()
	s.bindItems()
	for _, x := range q.On {
		s.n.on = append(s.n.on, s.bind(x, s.named(false)))
	}
	s.behind()
	if s.n.from = s.src.node; !s.n.counted {
		s.n.from = s.semiJoins(s.n.from)
	}
	s.output()
	return s.n
}

// early binds the select items whose aliases an expression refers to, in dialects where WHERE may do that. A column of
// that name comes first.
func (s *selection) early(x ast.Expr) { s.earlier(x, len(s.q.Items)) }

// earlier is early for the first n items: an item may refer to those before it (DuckDB, "Friendly SQL").
func (s *selection) earlier(x ast.Expr, n int) {
	if !s.b.bind.sem.aliases {
		return
	}
	same := s.b.bind.sem.sameName
	for node := range ast.Preorder(x) {
		id, ok := node.(*ast.Ident)
		if !ok || slices.ContainsFunc(s.src.rels, func(r *relation) bool { return r.find(id.Parts[0].Text, same) >= 0 }) {
			continue
		}
		i := slices.IndexFunc(s.q.Items[:n], func(i ast.SelectItem) bool { return i.Alias != nil && same(i.Alias.Text, id.Parts[0].Text) })
		if i < 0 || s.aliases != nil && s.aliases.find(id.Parts[0].Text, same) >= 0 {
			continue
		}
		s.earlier(s.q.Items[i].X, i)
		s.alias(s.q.Items[i].Alias.Text, s.bind(s.q.Items[i].X, s.named(false)))
	}
}

// group binds GROUP BY. Its aliases are names for the clauses behind it.
func (s *selection) group() {
	for i := range s.q.GroupBy {
		g := &s.q.GroupBy[i]
		if s.b.isAll(g.X) {
			continue
		}
		if n, ok := s.position(g.X); ok {
			g = &s.q.Items[n]
		}
		x := s.bind(g.X, s.base)
		s.n.groups = append(s.n.groups, x)
		if alias := s.q.GroupBy[i].Alias; alias != nil {
			s.alias(alias.Text, x)
			s.unclear = s.also(s.unclear, alias.Text, x)
		}
	}
	s.n.grouped = len(s.n.groups) > 0
}

// groupAll groups by the items of the select list without aggregates, where GROUP BY ALL stands.
func (s *selection) groupAll() {
	if len(s.q.GroupBy) != 1 || !s.b.isAll(s.q.GroupBy[0].X) {
		return
	}
	for _, x := range s.items {
		if x != nil && !isAggregate(x) {
			s.n.groups = append(s.n.groups, x)
		}
	}
	s.n.grouped = true
}

// isAll reports whether an item of GROUP BY or ORDER BY is ALL of DuckDB, which is no name there.
func (b *builder) isAll(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && b.bind.sem.dialect == "duckdb" && len(id.Parts) == 1 && !id.Parts[0].Quoted && strings.EqualFold(id.Parts[0].Text, "ALL")
}

// position is the select item that GROUP BY 1 or GROUP BY alias means, in dialects that have it. A column of that name
// comes first.
func (s *selection) position(x ast.Expr) (int, bool) {
	same := s.b.bind.sem.sameName
	switch x := x.(type) {
	case *ast.Literal:
		n, err := strconv.Atoi(x.Text)
		if s.b.yql() || x.Kind != ast.IntLit || err != nil || n < 1 || n > len(s.q.Items) {
			return 0, false
		}
		_, star := s.q.Items[n-1].X.(*ast.Star)
		return n - 1, !star
	case *ast.Ident:
		name := x.Parts[0].Text
		if s.b.yql() || len(x.Parts) > 1 || slices.ContainsFunc(s.src.rels, func(r *relation) bool { return r.find(name, same) >= 0 }) {
			return 0, false
		}
		i := slices.IndexFunc(s.q.Items, func(i ast.SelectItem) bool { return i.Alias != nil && same(i.Alias.Text, name) })
		return i, i >= 0
	}
	return 0, false
}

func (s *selection) alias(name string, x expr) {
	if s.aliases == nil {
		s.aliases = &relation{}
	}
	s.aliases.cols = append(s.aliases.cols, relColumn{name: name, typ: x.typ(), key: -1})
	s.defs = append(s.defs, x)
}

// also adds a name to those that are unclear, if x isn't what FROM has under that name.
func (s *selection) also(r *relation, name string, x expr) *relation {
	same := s.b.bind.sem.sameName
	rels := s.src.rels
	if s.src.merged != nil {
		rels = slices.Concat(rels, []*relation{s.src.merged})
	}
	for _, from := range rels {
		if i := from.find(name, same); i >= 0 && !equalExpr(s.expand(from.column(i)), x) {
			out := &relation{}
			if r != nil {
				out.cols = slices.Clip(r.cols)
			}
			out.cols = append(out.cols, relColumn{name: name, key: -1})
			return out
		}
	}
	return r
}

// veiled is a scope in which some names may mean one thing or another, so that nothing is known of them.
func (s *selection) veiled(sc *scope, names *relation) *scope {
	if names == nil {
		return sc
	}
	return &scope{rels: []*relation{names}, params: s.b.params, outer: sc}
}

// late is the scope of HAVING and QUALIFY, where a name that the select list gives may be meant, too.
func (s *selection) late() *scope {
	names := s.unclear
	for i := range s.q.Items {
		if a := s.q.Items[i].Alias; a != nil && s.items[i] != nil {
			names = s.also(names, a.Text, s.items[i])
		}
	}
	return s.veiled(s.named(false), names)
}

// bind binds an expression and replaces aliases and columns of USING by what they mean.
func (s *selection) bind(e ast.Expr, sc *scope) expr { return s.expand(s.b.bind.bind(e, sc)) }

func (s *selection) expand(e expr) expr {
	e = s.src.expand(e)
	if s.aliases == nil {
		return e
	}
	return replace(e, func(c *column) expr {
		if c.rel == s.aliases {
			return s.defs[c.index]
		}
		return nil
	})
}

// named is a scope that knows the aliases, too: before the columns of FROM or behind them.
func (s *selection) named(first bool) *scope {
	if s.aliases == nil {
		return s.base
	}
	if first {
		return &scope{rels: []*relation{s.aliases}, params: s.b.params, outer: s.base}
	}
	sc := *s.base
	last := &sc
	if s.src.merged != nil {
		rels := *s.base.outer
		sc.outer, last = &rels, &rels
	}
	last.outer = &scope{rels: []*relation{s.aliases}, params: s.b.params, outer: s.outer}
	return &sc
}

// bindItems binds the select list.
func (s *selection) bindItems() {
	s.items = make([]expr, len(s.q.Items))
	for i := range s.q.Items {
		s.earlier(s.q.Items[i].X, i)
		sc := s.veiled(s.named(false), s.unclear)
		if star, ok := s.q.Items[i].X.(*ast.Star); ok {
			s.checkStar(star)
			s.replaceIn(star, sc)
		} else {
			s.items[i] = s.bind(s.q.Items[i].X, sc)
		}
	}
	for i := range s.q.Items {
		if a := s.q.Items[i].Alias; a != nil && s.items[i] != nil {
			s.alias(a.Text, s.items[i])
		}
	}
	for _, w := range s.q.Without {
		s.bind(w, s.base)
	}
}

// behind binds the clauses that stand behind the select list and may use its aliases.
func (s *selection) behind() {
	q, b := s.q, s.b
	s.groupAll()
	if q.Having != nil {
		s.n.having = preds(s.expand(b.bind.condition(q.Having, s.late())))
	}
	if q.Qualify != nil {
		s.n.qualify = preds(s.expand(b.bind.condition(q.Qualify, s.late())))
	}
	var ordered []expr
	for i := range q.OrderBy {
		if b.isAll(q.OrderBy[i].X) {
			continue
		}
		ordered = append(ordered, s.bind(q.OrderBy[i].X, s.named(true)))
	}
	b.limits(&q.Tail)
	s.n.grouped = s.n.grouped || q.Having != nil || slices.ContainsFunc(s.items, isAggregate)
	for _, list := range append([][]expr{s.items, ordered}, slices.Collect(maps.Values(s.replaced))...) {
		for _, x := range list {
			s.windows(x)
		}
	}
	for _, p := range s.n.qualify {
		s.windows(p.x)
	}
}

// limits checks the names in LIMIT and OFFSET.
func (b *builder) limits(t *ast.Tail) {
	for _, e := range []ast.Expr{t.Limit, t.Offset} {
		if e != nil {
			b.bind.bind(e, &scope{params: b.params})
		}
	}
}

const anAggregate = "an aggregate" // why the binder calls one opaque

// isAggregate reports whether e combines rows: it holds an aggregate that isn't a window function.
func isAggregate(e expr) bool {
	switch e := e.(type) {
	case *apply:
		return slices.ContainsFunc(e.args, isAggregate)
	case *opaque:
		call, ok := e.at.(*ast.Call)
		return ok && call.Over == nil && e.why == anAggregate || slices.ContainsFunc(e.args, isAggregate)
	}
	return false
}

// windows notes the PARTITION BY of every window function in e.
func (s *selection) windows(e expr) {
	var args []expr
	switch e := e.(type) {
	case *apply:
		args = e.args
	case *opaque:
		args = e.args
		if call, ok := e.at.(*ast.Call); ok && call.Over != nil {
			by := []expr{}
			for _, p := range s.partitionBy(call.Over) {
				by = append(by, s.bind(p.X, s.veiled(s.named(false), s.unclear)))
			}
			s.n.windows = append(s.n.windows, by)
		}
	}
	for _, a := range args {
		s.windows(a)
	}
}

// partitionBy is that of a window or of the named one that it extends.
func (s *selection) partitionBy(w *ast.Window) []ast.SelectItem {
	if len(w.PartitionBy) > 0 || w.Name == nil {
		return w.PartitionBy
	}
	for i := range s.q.Windows {
		if n := &s.q.Windows[i]; s.b.bind.sem.sameName(n.Name.Text, w.Name.Text) && n.Window != w {
			return n.Window.PartitionBy
		}
	}
	return nil
}
