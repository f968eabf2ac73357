package parser

import (
	"github.com/yqlplan/yqlplan/ast"
)

// tables is what stands behind FROM: tables with commas and joins between them.
func (p *parser) tables() (ast.TableExpr, error) {
	from := p.pos()
	left, err := p.joined(from)
	for n := 0; err == nil && p.accept(","); n++ {
		if n == maxChain {
			return nil, chained(p.Peek())
		}
		var right ast.TableExpr
		if right, err = p.joined(p.pos()); err == nil {
			left = &ast.Join{Span: p.since(from), Kind: ",", L: left, R: right}
		}
	}
	return left, err
}

// joined is a table and the joins behind it, left to right.
func (p *parser) joined(from ast.Pos) (ast.TableExpr, error) {
	anyLeft := p.accept("ANY")
	left, err := p.table()
	for n := 0; err == nil; n++ {
		kind, natural, ok := p.joinKind()
		if !ok {
			return left, nil
		}
		if n == maxChain {
			return nil, chained(p.Peek())
		}
		j := &ast.Join{Kind: kind, Natural: natural, L: left, AnyL: anyLeft, AnyR: p.accept("ANY")}
		anyLeft = false
		j.Any = j.AnyL || j.AnyR
		if j.R, err = p.table(); err != nil {
			return nil, err
		}
		switch {
		case p.accept("ON"):
			j.On, err = p.expr()
		case p.accept("USING"):
			if p.is("(") {
				j.Using, err = p.names("column")
			} else {
				var n ast.Name
				n, err = p.name("a column")
				j.Using = []ast.Name{n}
			}
		}
		j.Span = p.since(from)
		left = j
	}
	return nil, err
}

// joinKind takes the words of a join, if one stands here.
func (p *parser) joinKind() (kind string, natural, ok bool) {
	at := p.MakeCheckpoint()
	natural = p.accept("NATURAL")
	switch side := p.acceptOne("LEFT", "RIGHT", "FULL", "INNER", "CROSS", "EXCLUSION", "SEMI", "ANTI", "ASOF", "POSITIONAL"); side {
	case "":
		kind = "INNER"
	case "LEFT", "RIGHT":
		kind = side
		if how := p.acceptOne("OUTER", "SEMI", "ONLY", "ANTI"); how != "" && how != "OUTER" {
			kind += " " + how
		}
	case "FULL":
		kind = side
		p.accept("OUTER")
	case "SEMI", "ANTI":
		kind = "LEFT " + side
	case "ASOF":
		kind = side
		if how := p.acceptOne("LEFT", "RIGHT", "FULL", "INNER", "SEMI", "ANTI"); how != "" && how != "INNER" {
			kind += " " + how
			p.accept("OUTER")
		}
	default:
		kind = side
	}
	if !p.accept("JOIN") {
		p.LoadCheckpoint(at)
		return "", false, false
	}
	return kind, natural, true
}

// table is one table, subquery, or bracketed join.
func (p *parser) table() (ast.TableExpr, error) {
	from := p.pos()
	before := p.aliasBefore()
	lateral := p.accept("LATERAL")
	if p.is("VALUES", "(") && !p.Modules {
		return p.bareValues(from)
	}
	if p.is("(") {
		if !p.queryAhead(1) {
			return p.bracketedTables()
		}
		return p.derived(from, lateral, before)
	}
	r, err := p.tableRef()
	if err != nil {
		return nil, err
	}
	if p.pivotAhead() {
		return p.pivoted(from, r)
	}
	if r.Alias, r.Columns, err = p.tableAlias(before); err != nil {
		return nil, err
	}
	if err = p.behindAlias(r, r.Alias != nil); err != nil {
		return nil, err
	}
	if r.Flatten, err = p.flatten(); err != nil {
		return nil, err
	}
	r.Span = p.since(from)
	return r, nil
}

func (p *parser) bracketedTables() (ast.TableExpr, error) {
	opener := p.Next()
	t, err := p.tables()
	if err != nil {
		return nil, err
	}
	if !p.accept(")") {
		return nil, p.unlisted(opener, ")", "table")
	}
	return t, nil
}

// derived is (SELECT …) [AS] alias [(columns)].
func (p *parser) derived(from ast.Pos, lateral bool, alias *ast.Name) (ast.TableExpr, error) {
	d := &ast.DerivedTable{Lateral: lateral}
	var err error
	if d.Query, err = p.subquery(); err != nil {
		return nil, err
	}
	if d.Alias, d.Columns, err = p.tableAlias(alias); err != nil {
		return nil, err
	}
	if d.Sample, err = p.sample(); err != nil {
		return nil, err
	}
	if d.Flatten, err = p.flatten(); err != nil {
		return nil, err
	}
	d.Span = p.since(from)
	return d, nil
}

// tableRef is a table by whatever names it, with hints and the like, up to its alias.
func (p *parser) tableRef() (*ast.TableRef, error) {
	from := p.pos()
	r := &ast.TableRef{}
	if err := p.tableName(r); err != nil {
		return nil, err
	}
	for more := true; more; {
		var err error
		if more, err = p.tablePart(r); err != nil {
			return nil, err
		}
	}
	r.Span = p.since(from)
	return r, nil
}

// tableName is a.b.c, @t, cluster.@t, $x, 'file', f(args) or cluster.f(args).
func (p *parser) tableName(r *ast.TableRef) error {
	cluster := p.cluster()
	r.At = p.accept("@")
	t := p.Peek()
	switch {
	case t.Type == tokString:
		r.File = p.text(p.Next())
		return nil
	case t.Type == tokParam:
		p.Next()
		r.Param = &ast.Param{Span: span(t), Name: t.Value[1:]}
		if p.is("(") {
			return p.tableFunc(r, &ast.Call{Callee: r.Param}, r.Param.From)
		}
		return nil
	case t.Type == tokWord && oneOf(t.Value, notOperands):
		return p.unexpected("a table")
	}
	names, err := p.dottedTable("a table")
	if err != nil {
		return err
	}
	names = append(cluster, names...)
	if p.is("(") && !names[len(names)-1].Quoted {
		fn := names[len(names)-1]
		if r.Name = names[:len(names)-1]; len(r.Name) == 0 {
			r.Name = nil
		}
		return p.tableFunc(r, &ast.Call{Func: fn}, fn.From)
	}
	r.Name = names
	return nil
}

// cluster takes the cluster of cluster.@t.
func (p *parser) cluster() []ast.Name {
	if !isName(p.Peek()) || !isPunct(p.ahead(1), ".") || !isPunct(p.ahead(2), "@") || !isName(p.ahead(3)) {
		return nil
	}
	n := nameOf(p.Next())
	p.Next()
	return []ast.Name{n}
}

func (p *parser) tableFunc(r *ast.TableRef, c *ast.Call, from ast.Pos) error {
	err := p.args(c, true)
	c.Span = p.since(from)
	r.Func, r.Param = c, nil
	return err
}

// tablePart is one of the parts between a table and its alias.
func (p *parser) tablePart(r *ast.TableRef) (more bool, err error) {
	switch {
	case p.hintsAhead() && r.Hints == nil:
		from := p.pos()
		r.Hints, err = p.hints()
		r.HintsSpan = p.since(from)
	case p.accept("VIEW"):
		var n ast.Name
		n, err = p.name("an index")
		r.View = &n
	case p.is("/*+"):
		r.Dynamic, err = p.dynamic()
	case p.partitionsAhead():
		err = p.partitionNames(r)
	case p.is("TABLET", "("):
		p.Next()
		r.Tablets, err = list(p, "tablet", func() (*ast.Literal, error) {
			if p.Peek().Type != tokNumber {
				return nil, p.unexpected("a number")
			}
			return p.number()
		})
	default:
		return p.version(r)
	}
	return err == nil, err
}

// hintsAhead tells WITH (…) from the WITH NO DATA that ends CREATE TABLE … AS.
func (p *parser) hintsAhead() bool {
	return p.is("WITH") && !p.is("WITH", "NO", "DATA") && !p.is("WITH", "DATA")
}

// version is FOR VERSION AS OF …, TIMESTAMP AS OF …, or a sample.
func (p *parser) version(r *ast.TableRef) (more bool, err error) {
	n := 0
	if p.is("FOR") {
		n = 1
	}
	at := p.RawCursor()
	if w := p.ahead(n); w.Type == tokWord && oneOf(w.Value, []string{"VERSION", "TIMESTAMP", "SYSTEM_TIME", "SYSTEM_VERSION"}) &&
		isWord(p.ahead(n+1), "AS") && isWord(p.ahead(n+2), "OF") {
		for range n + 3 {
			p.Next()
		}
		_, err = p.expr()
		r.AsOf = p.folded(at)
		return err == nil, err
	}
	text, err := p.sample()
	if text != "" {
		r.Sample = text
	}
	return text != "" && err == nil, err
}

// sample is TABLESAMPLE method (…) [REPEATABLE (…)], TABLESAMPLE 10% or SAMPLE n as text.
func (p *parser) sample() (string, error) {
	at := p.RawCursor()
	var err error
	switch {
	case p.accept("TABLESAMPLE"):
		err = p.sampleBody()
	case p.accept("SAMPLE"):
		_, err = p.expr()
	}
	return p.folded(at), err
}

// sampled is what stands behind USING SAMPLE, with these words.
func (p *parser) sampled() (sampled, error) {
	at := p.RawCursor() - 2
	err := p.sampleBody()
	return p.folded(at), err
}

// sampleBody is a method with its size in brackets, or a size [(method[, seed])].
func (p *parser) sampleBody() error {
	if p.Peek().Type == tokNumber {
		if _, err := p.sampleSize(); err != nil {
			return err
		}
		if !p.is("(") {
			return nil
		}
	} else if !p.is("(") {
		if _, err := p.name("a method of sampling"); err != nil {
			return err
		}
	}
	if _, err := list(p, "argument", p.sampleSize); err != nil || !p.accept("REPEATABLE") {
		return err
	}
	_, err := list(p, "argument", p.expr)
	return err
}

// sampleSize is a number of rows, or a percentage.
func (p *parser) sampleSize() (ast.Expr, error) {
	x, percent, err := p.limit()
	if err == nil && !percent {
		p.acceptOne("PERCENT", "ROWS")
	}
	return x, err
}

// behindAlias refuses hints behind the alias, and takes what may stand there.
func (p *parser) behindAlias(r *ast.TableRef, aliased bool) error {
	if aliased && p.hintsAhead() && r.Hints == nil {
		at := span(p.Peek())
		if _, err := p.hints(); err != nil {
			return err
		}
		return problem("syntax.order", ast.Span{From: at.From, To: at.To}, "WITH must come before the alias "+r.Alias.Text,
			"write FROM table WITH (…) AS "+r.Alias.Text)
	}
	for more := true; more; {
		var err error
		if more, err = p.tablePart(r); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) partitionsAhead() bool {
	return p.is("PARTITION") || p.is("PARTITIONS") || p.is("TEMPORARY", "PARTITION") || p.is("TEMPORARY", "PARTITIONS")
}

// partitionNames is [TEMPORARY] PARTITION[S] p or (p, q).
func (p *parser) partitionNames(r *ast.TableRef) (err error) {
	r.Temporary = p.accept("TEMPORARY")
	p.Next()
	r.Partitions, err = p.oneOrMore()
	return err
}

// bareValues is VALUES (…), (…) without brackets around it.
func (p *parser) bareValues(from ast.Pos) (ast.TableExpr, error) {
	p.Next()
	v := &ast.Values{}
	for {
		at := p.pos()
		items, err := p.valueList()
		if err != nil {
			return nil, err
		}
		v.Rows = append(v.Rows, &ast.Tuple{Span: p.since(at), Items: items})
		if !p.is(",", "(") {
			break
		}
		p.Next()
	}
	v.Span = p.since(from)
	d := &ast.DerivedTable{Query: v}
	var err error
	d.Alias, d.Columns, err = p.tableAlias(nil)
	d.Span = p.since(from)
	return d, err
}

// tableAlias is [AS] name [(column, …)], unless the name stood before the table.
func (p *parser) tableAlias(before *ast.Name) (*ast.Name, []ast.Name, error) {
	if before != nil {
		return before, nil, nil
	}
	n, err := p.alias()
	if err != nil || n == nil || !p.is("(") {
		return n, nil, err
	}
	cols, err := p.names("column")
	return n, cols, err
}

// flatten is YQL's FLATTEN [LIST|OPTIONAL|DICT] BY …, FLATTEN COLUMNS.
func (p *parser) flatten() (*ast.Flatten, error) {
	if !p.is("FLATTEN") {
		return nil, nil
	}
	f := &ast.Flatten{}
	from := p.pos()
	p.Next()
	var err error
	if f.How = p.acceptOne("COLUMNS", "LIST", "OPTIONAL", "DICT"); f.How != "COLUMNS" {
		if err = p.expect("BY"); err != nil {
			return nil, err
		}
		if p.is("(") {
			f.Items, err = list(p, "column", p.flatItem)
		} else {
			var it ast.SelectItem
			it, err = p.flatItem()
			f.Items = []ast.SelectItem{it}
		}
	}
	f.Span = p.since(from)
	return f, err
}

func (p *parser) flatItem() (it ast.SelectItem, err error) {
	from := p.pos()
	if it.X, err = p.expr(); err == nil {
		it.Alias, err = p.alias()
	}
	it.Span = p.since(from)
	return it, err
}
