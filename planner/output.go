package planner

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// output gives the select its result columns.
func (s *selection) output() {
	for i := range s.q.Items {
		item := &s.q.Items[i]
		if star, ok := item.X.(*ast.Star); ok {
			s.star(star)
			continue
		}
		if s.b.bind.sem.chains && columnsStar(item) {
			s.star(&ast.Star{Span: ast.Span{From: item.From, To: item.To}})
			continue
		}
		if s.b.bind.sem.chains && hasColumns(item.X) {
			s.passes(nil)
			continue
		}
		name := s.b.anonymous(len(s.n.items), item.X)
		if item.Alias != nil {
			name = item.Alias.Text
		} else if id, ok := item.X.(*ast.Ident); ok {
			name = id.Parts[len(id.Parts)-1].Text
		}
		s.column(name, s.items[i])
	}
}

// anonymous is the name of the i-th result column when it has none: its text in DuckDB.
func (b *builder) anonymous(i int, x ast.Expr) string {
	if b.s.dialect.Name == "duckdb" {
		return b.text(x)
	}
	return "column" + strconv.Itoa(i)
}

func (s *selection) column(name string, x expr) {
	s.n.out.cols = append(s.n.out.cols, relColumn{name: name, typ: x.typ(), key: -1})
	s.n.items = append(s.n.items, x)
}

// star adds the columns of * or t.*. Columns of USING come first, once.
func (s *selection) star(star *ast.Star) {
	merged := len(star.Table) == 0 && s.src.merged != nil
	if merged {
		for i, c := range s.src.merged.cols {
			s.starColumn(star, c.name, s.src.defs[i])
		}
	}
	open := false
	for _, r := range s.starred(star) {
		s.n.out.cols, s.n.items = slices.Grow(s.n.out.cols, len(r.cols)), slices.Grow(s.n.items, len(r.cols))
		columns := make([]unwritten, len(r.cols))
		for i := range r.cols {
			name := r.cols[i].name
			if r.cols[i].virtual || merged && slices.ContainsFunc(s.src.merged.cols, func(c relColumn) bool { return s.b.bind.sem.sameName(c.name, name) }) {
				continue
			}
			r.cols[i].used = true
			s.starColumn(star, name, columns[i].column(r, i))
		}
		if r.open {
			open = true
			s.passes(r)
		}
	}
	if len(star.Table) > 0 && len(s.starred(star)) == 0 {
		s.passes(nil)
	}
	if open {
		s.undeclared(star)
	}
}

// starColumn adds one column of a star, unless it is left out, and as REPLACE and RENAME have it.
func (s *selection) starColumn(star *ast.Star, name string, x expr) {
	same := s.b.bind.sem.sameName
	if slices.ContainsFunc(star.Exclude, func(n ast.Name) bool { return same(n.Text, name) }) ||
		slices.ContainsFunc(s.q.Without, func(w *ast.Ident) bool { return same(w.Parts[len(w.Parts)-1].Text, name) }) {
		return
	}
	if i := slices.IndexFunc(star.Replace, func(r ast.SelectItem) bool { return same(r.Alias.Text, name) }); i >= 0 {
		x = s.replaced[star][i]
	}
	if i := slices.IndexFunc(star.Rename, func(r ast.Renaming) bool { return same(r.From.Text, name) }); i >= 0 {
		name = star.Rename[i].To.Text
	}
	s.column(name, x)
}

// undeclared adds what REPLACE and RENAME make of columns that an open relation may have.
func (s *selection) undeclared(star *ast.Star) {
	declared := func(name string) bool {
		return slices.ContainsFunc(s.starred(star), func(r *relation) bool { return r.find(name, s.b.bind.sem.sameName) >= 0 })
	}
	for i := range star.Replace {
		if name := star.Replace[i].Alias.Text; !declared(name) {
			s.column(name, s.replaced[star][i])
		}
	}
	for i := range star.Rename {
		r := &star.Rename[i]
		if !declared(r.From.Text) {
			at := &ast.Ident{Span: r.From.Span, Parts: []ast.Name{r.From}}
			s.column(r.To.Text, &opaque{at: at, why: "a column of another name"})
		}
	}
}

// columnsStar reports whether an item gives the columns of a star, or some of them, as they are: COLUMNS('a|b'), * LIKE 'a%'.
func columnsStar(item *ast.SelectItem) bool {
	x := item.X
	if u, ok := x.(*ast.Unary); ok && u.Op == ast.OpUnpack {
		x = u.X
	}
	if l, ok := x.(*ast.Like); ok {
		_, star := l.X.(*ast.Star)
		return star
	}
	return item.Alias == nil && isColumns(x)
}

func isColumns(n ast.Node) bool {
	c, ok := n.(*ast.Call)
	return ok && c.Callee == nil && strings.EqualFold(c.Func.Text, "COLUMNS")
}

// hasColumns reports whether an item stands for several, one for each column that COLUMNS(…) means.
func hasColumns(x ast.Expr) bool {
	for n := range ast.Preorder(x) {
		if isColumns(n) {
			return true
		}
	}
	return false
}

// passes lets names through that a star takes from an open relation. From two of them, nobody knows which has it.
func (s *selection) passes(r *relation) {
	if s.n.out.open && s.n.passes != r {
		r = nil
	}
	s.n.out.open, s.n.passes = true, r
}

// setOp makes the node of UNION, INTERSECT or EXCEPT.
func (b *builder) setOp(q *ast.SetOp, outer *scope) outNode {
	n := &setNode{op: q.Op, out: &relation{}, limited: q.Limit != nil || q.Offset != nil}
	for _, a := range q.Args {
		n.args = append(n.args, b.query(a, outer))
	}
	if q.Name || b.yql() && !b.bind.sem.positional {
		b.byName(n)
	} else {
		b.byPosition(n, q)
	}
	for k := range n.args {
		n.settle(b, k)
	}
	b.limits(&q.Tail)
	sc := &scope{rels: []*relation{n.out}, params: b.params, outer: outer}
	for i := range q.OrderBy {
		if b.isAll(q.OrderBy[i].X) {
			continue
		}
		b.bind.bind(q.OrderBy[i].X, sc)
	}
	return n
}

const elsewhere = -2 // a column of a branch that may be any of an open relation's

// byName matches the branches' columns by name; one that a branch lacks is NULL there (YQL reference, UNION ALL).
func (b *builder) byName(n *setNode) {
	for _, arg := range n.args {
		r := arg.relation()
		n.out.open = n.out.open || r.open
		for _, c := range r.cols {
			if n.out.find(c.name, b.bind.sem.sameName) < 0 {
				n.out.cols = append(n.out.cols, relColumn{name: c.name, key: -1})
			}
		}
	}
	for _, arg := range n.args {
		r, of := arg.relation(), make([]int, len(n.out.cols))
		for i, c := range n.out.cols {
			of[i] = r.find(c.name, b.bind.sem.sameName)
			if of[i] < 0 && r.open {
				of[i] = elsewhere
			}
		}
		n.columns = append(n.columns, of)
	}
}

// byPosition matches the branches' columns by position; the first branch names them.
func (b *builder) byPosition(n *setNode, q *ast.SetOp) {
	first := n.args[0].relation()
	n.out.open = slices.ContainsFunc(n.args, func(a outNode) bool { return a.relation().open })
	for _, c := range first.cols {
		n.out.cols = append(n.out.cols, relColumn{name: c.name, key: -1})
	}
	for k, arg := range n.args {
		r, of := arg.relation(), make([]int, len(n.out.cols))
		for i := range of {
			of[i] = i
			if n.out.open {
				of[i] = elsewhere
			}
		}
		if len(r.cols) != len(of) && !n.out.open {
			b.report(q.Args[k], "plan.columns", "", "the branches of %s have %d and %d columns", n.op, len(of), len(r.cols))
			for i := range of {
				of[i] = elsewhere
			}
		}
		n.columns = append(n.columns, of)
	}
}

// settle widens the types of the result by those of the k-th branch.
func (n *setNode) settle(b *builder, k int) {
	cols := n.args[k].relation().cols
	for i, j := range n.columns[k] {
		t := typ{shape: nullShape}
		switch {
		case j >= 0:
			t = cols[j].typ
		case j == elsewhere:
			t = typ{}
		}
		if k > 0 {
			t = b.bind.either(n.out.cols[i].typ, t)
		}
		n.out.cols[i].typ = t
	}
}

// either is the type of values of two types; unknown where they have none in common.
func (b *binder) either(t, u typ) typ {
	if b.sem.meet != nil {
		if c, ok := b.sem.meet(t, u); ok {
			return c
		}
	}
	if c, ok := common(t, u); ok {
		return c
	}
	return typ{}
}

// reshape makes the node of PIVOT, SUMMARIZE and their kin: all rows count, and the columns are others.
func (b *builder) reshape(q *ast.Reshape, outer *scope) outNode {
	var src *source
	if q.Source != nil {
		src = b.from(q.Source, outer)
	} else {
		src = b.single(b.query(q.Query, outer))
	}
	sc := b.scope(src, outer)
	for _, items := range [][]ast.SelectItem{q.On, q.Using, q.GroupBy} {
		for i := range items {
			b.bind.bind(items[i].X, sc)
		}
	}
	return &selectNode{from: src.node, out: &relation{open: true}, limited: true}
}

// values makes the node of VALUES.
func (b *builder) values(q *ast.Values, outer *scope) outNode {
	n := &rowsNode{out: &relation{}}
	sc := &scope{params: b.params, outer: outer}
	word := "column"
	if b.s.dialect.Name == "duckdb" {
		word = "col"
	}
	for r, row := range q.Rows {
		var xs []expr
		for i, e := range row.Items {
			x := b.bind.bind(e, sc)
			xs = append(xs, x)
			switch {
			case r == 0:
				n.out.cols = append(n.out.cols, relColumn{name: word + strconv.Itoa(i), typ: x.typ(), key: -1})
			case i < len(n.out.cols):
				n.out.cols[i].typ = b.bind.either(n.out.cols[i].typ, x.typ())
			}
		}
		if len(xs) != len(n.out.cols) {
			b.report(row, "plan.columns", "", "the rows of VALUES have %d and %d columns", len(n.out.cols), len(xs))
			return &opaqueNode{&relation{open: true}}
		}
		n.rows = append(n.rows, xs)
	}
	b.unifyColumns(n)
	b.limits(&q.Tail)
	return n
}

// unifyColumns brings the values of each column to one type, in dialects that do so.
func (b *builder) unifyColumns(n *rowsNode) {
	if b.bind.sem.unify == nil || len(n.rows) < 2 {
		return
	}
	column := make([]expr, len(n.rows))
	for i := range n.out.cols {
		for r, row := range n.rows {
			column[r] = row[i]
		}
		t := typ{shape: nullShape}
		for r, x := range b.bind.sem.unify(b.bind, column, func(int) bool { return true }) {
			n.rows[r][i] = x
			t = b.bind.either(t, x.typ())
		}
		n.out.cols[i].typ = t
	}
}
