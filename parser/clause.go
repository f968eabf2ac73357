package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// tableClauses is what stands behind the column list of CREATE TABLE.
type tableClauses struct {
	clauses     []ast.Clause
	options     []ast.Option
	optionsWord string
	as          ast.Query
	data        string
	like        []ast.Name
	likeHow     string
}

// clauses are the clauses of CREATE TABLE, in any order.
func (p *parser) clauses() (clauses, error) {
	tc := &tableClauses{}
	for more := true; more; {
		var err error
		if more, err = p.clauseInto(tc); err != nil {
			return nil, err
		}
	}
	return tc, nil
}

func (p *parser) clauseInto(tc *tableClauses) (more bool, err error) {
	switch {
	case p.is("WITH", "("), p.is("TBLPROPERTIES"), p.is("PROPERTIES"), p.is("OPTIONS"):
		tc.optionsWord = strings.ToUpper(p.Next().Value)
		var opts []ast.Option
		opts, err = list(p, "option", p.tableOption)
		tc.options = append(tc.options, opts...)
		if tc.options == nil {
			tc.options = opts // empty, but not missing
		}
	case p.accept("LIKE"):
		if tc.like, err = p.dottedTable("a table"); err == nil {
			tc.likeHow = p.likeHow()
		}
	case p.is("AS"), p.is("SELECT"), p.is("WITH") && !p.is("WITH", "SERDEPROPERTIES") && p.queryAhead(0):
		p.accept("AS")
		if tc.as, err = p.query(); err == nil {
			at := p.RawCursor()
			if !p.accept("WITH", "DATA") {
				p.accept("WITH", "NO", "DATA")
			}
			tc.data = strings.ToUpper(p.folded(at))
		}
	default:
		var c *ast.Clause
		if c, err = p.clause(); c == nil || err != nil {
			return false, err
		}
		tc.clauses = append(tc.clauses, *c)
	}
	return err == nil, err
}

// likeWords are the words behind LIKE in brackets (Flink, "CREATE TABLE").
var likeWords = []string{"INCLUDING", "EXCLUDING", "OVERWRITING", "ALL", "CONSTRAINTS", "DISTRIBUTION", "GENERATED", "METADATA", "OPTIONS",
	"PARTITIONS", "WATERMARKS"}

// likeHow is (EXCLUDING OPTIONS INCLUDING PARTITIONS), or nothing.
func (p *parser) likeHow() string {
	if !p.is("(", "INCLUDING") && !p.is("(", "EXCLUDING") && !p.is("(", "OVERWRITING") {
		return ""
	}
	p.Next()
	at := p.RawCursor()
	for p.acceptOne(likeWords...) != "" {
	}
	how := strings.ToUpper(p.folded(at))
	p.accept(")")
	return strings.TrimSpace(how)
}

// tableOption is key = value; Spark also writes key value.
func (p *parser) tableOption() (ast.Option, error) {
	if t := p.Peek(); p.Modules || isPunct(p.ahead(1), ".") || t.Type == tokPunct {
		return p.hint()
	}
	if next := p.ahead(1); next.Type == tokString {
		return p.setting()
	}
	return p.hint()
}

// clause is one clause with a meaning of its own, or nil when none begins here.
func (p *parser) clause() (*ast.Clause, error) {
	from := p.pos()
	c := &ast.Clause{}
	var err error
	switch {
	case p.is("PARTITIONED"), p.is("PARTITION"), p.is("AUTO", "PARTITION"):
		err = p.partitioned(c)
	case p.accept("DISTRIBUTED"):
		err = p.distributed(c)
	case p.accept("CLUSTERED"):
		c.Kind = "CLUSTERED BY"
		err = p.clustered(c)
	case p.accept("BUCKETS"):
		c.Kind = "BUCKETS"
		c.Buckets, err = p.expr()
	case p.is("AGGREGATE", "KEY"), p.is("UNIQUE", "KEY"), p.is("DUPLICATE", "KEY"), p.is("PRIMARY", "KEY"):
		err = p.keyClause(c)
	case p.accept("LOCATION"):
		c.Kind = "LOCATION"
		c.Value, err = p.stringValue()
	case p.accept("COMMENT"):
		c.Kind = "COMMENT"
		p.accept("=")
		c.Value, err = p.stringValue()
	case p.accept("ENGINE"):
		c.Kind = "ENGINE"
		p.accept("=")
		c.Value, err = p.nameValue()
	case p.accept("USING"):
		c.Kind = "USING"
		c.Value, err = p.nameValue()
	case p.is("STORED", "AS"), p.is("STORED", "BY"), p.is("ROW", "FORMAT"), p.is("SKEWED", "BY"), p.is("WITH", "SERDEPROPERTIES"),
		p.is("CLUSTER", "BY"), p.is("SORTED", "BY"):
		err = p.verbatim(c, 2)
	case p.is("ROLLUP"), p.is("STORE"):
		err = p.verbatim(c, 1)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c.Span = p.since(from)
	return c, nil
}

// verbatim keeps a clause as text, up to the word that begins the next. Its kind is its first words.
func (p *parser) verbatim(c *ast.Clause, words int) error {
	at := p.RawCursor()
	for range words {
		c.Kind = strings.TrimSpace(c.Kind + " " + strings.ToUpper(p.Next().Value))
	}
	if c.Kind == "STORED AS" && !p.is("INPUTFORMAT") {
		var err error
		c.Value, err = p.nameValue()
		return err
	}
	for !p.clauseEnds() {
		if p.is("(") {
			shut, ok := p.closing(p.RawCursor())
			if !ok {
				return problem("syntax.unclosed", span(p.Peek()), "the bracket ( of "+c.Kind+" is not closed", "")
			}
			for p.RawCursor() < shut {
				p.Next()
			}
		}
		p.Next()
	}
	c.Text = p.folded(at)
	return nil
}

// clauseEnds reports whether what follows isn't part of a clause that is kept as text.
func (p *parser) clauseEnds() bool {
	t := p.Peek()
	switch {
	case t.EOF(), unreadable(t) != nil:
		return true
	case t.Type == tokPunct:
		return t.Value != "(" && t.Value != "=" && t.Value != "-"
	case t.Type != tokWord:
		return false
	case fold(t.Value, "AS"):
		return !isWord(p.last(), "DEFINED")
	case fold(t.Value, "WITH"):
		return !isWord(p.ahead(1), "SERDEPROPERTIES")
	}
	return oneOf(t.Value, []string{"LOCATION", "TBLPROPERTIES", "PROPERTIES", "OPTIONS", "STORED", "PARTITIONED", "PARTITION", "CLUSTERED", "COMMENT",
		"DISTRIBUTED", "BUCKETS", "ENGINE", "USING", "SELECT", "ROW"})
}

func (p *parser) stringValue() (ast.Expr, error) {
	l, err := p.stringLit()
	if err != nil {
		return nil, err
	}
	return l, nil
}

func (p *parser) nameValue() (ast.Expr, error) {
	from := p.pos()
	names, err := p.dotted("a name")
	return &ast.Ident{Span: p.since(from), Parts: names}, err
}

// partitioned is PARTITIONED BY (a int, b) or [AUTO] PARTITION BY [RANGE|LIST] (a, f(b)) [(definitions)].
func (p *parser) partitioned(c *ast.Clause) (err error) {
	if p.accept("AUTO") {
		c.How = "AUTO"
	}
	c.Kind = p.acceptOne("PARTITIONED", "PARTITION") + " BY"
	if err = p.expect("BY"); err != nil {
		return err
	}
	if how := p.acceptOne("RANGE", "LIST", "HASH"); how != "" {
		c.How = strings.TrimSpace(c.How + " " + how)
	}
	if err = p.keyList(c); err != nil || !p.is("(") {
		return err
	}
	c.Partitions, err = list(p, "partition", p.partitionDef)
	return err
}

// keyList is (a, b), (a int, b string) or (a, f(b)).
func (p *parser) keyList(c *ast.Clause) error {
	computed := false
	c.Columns = []ast.Column{}
	_, err := list(p, "column", func() (struct{}, error) {
		next := p.ahead(1)
		if isPunct(next, "(") || isPunct(next, ".") || p.Peek().Type == tokString {
			computed = true
			x, err := p.expr()
			c.Exprs = append(c.Exprs, x)
			return struct{}{}, err
		}
		col, err := p.column()
		c.Columns = append(c.Columns, col)
		c.Exprs = append(c.Exprs, &ast.Ident{Span: col.Name.Span, Parts: []ast.Name{col.Name}})
		return struct{}{}, err
	})
	if computed {
		c.Columns = nil
	} else {
		c.Exprs = nil
	}
	return err
}

// distributed is DISTRIBUTED BY HASH (a) BUCKETS 8, BY RANDOM, or BY (a) INTO 8 BUCKETS.
func (p *parser) distributed(c *ast.Clause) (err error) {
	c.Kind = "DISTRIBUTED BY"
	if err = p.expect("BY"); err != nil {
		return err
	}
	if c.How = p.acceptOne("HASH", "RANDOM"); c.How != "RANDOM" {
		if err = p.keyList(c); err != nil {
			return err
		}
	}
	return p.buckets(c)
}

// buckets is BUCKETS n, BUCKETS AUTO or INTO n BUCKETS, or nothing.
func (p *parser) buckets(c *ast.Clause) (err error) {
	switch {
	case p.accept("BUCKETS"):
		c.Buckets, err = p.prefix()
	case p.accept("INTO"):
		if c.Buckets, err = p.prefix(); err == nil {
			err = p.expect("BUCKETS")
		}
	}
	return err
}

// clustered is CLUSTERED BY (a) [SORTED BY (b DESC)] INTO 8 BUCKETS.
func (p *parser) clustered(c *ast.Clause) (err error) {
	if err = p.expect("BY"); err != nil {
		return err
	}
	if err = p.keyList(c); err != nil {
		return err
	}
	if p.is("SORTED", "BY") {
		p.Next()
		p.Next()
		c.SortedBy, err = list(p, "column", p.orderItem)
		if err != nil {
			return err
		}
	}
	return p.buckets(c)
}

// keyClause is DUPLICATE KEY (a, b) [CLUSTER BY (c)].
func (p *parser) keyClause(c *ast.Clause) (err error) {
	c.Kind, c.How = "KEY", strings.ToUpper(p.Next().Value)
	p.Next()
	return p.keyList(c)
}

// partitionDef is one definition of PARTITION BY … (…): PARTITION p VALUES …, or FROM (a) TO (b) INTERVAL n unit.
func (p *parser) partitionDef() (d ast.PartitionDef, err error) {
	from := p.pos()
	if p.is("FROM") {
		err = p.fromTo(&d)
	} else {
		if err = p.expect("PARTITION"); err != nil {
			return d, err
		}
		err = p.namedPartition(&d)
	}
	if err == nil && p.is("(") {
		d.Options, err = p.optionList()
	}
	d.Span = p.since(from)
	return d, err
}

// namedPartition is [IF NOT EXISTS] name [VALUES …].
func (p *parser) namedPartition(d *ast.PartitionDef) (err error) {
	d.IfNotExists = p.accept("IF", "NOT", "EXISTS")
	n, err := p.name("a partition")
	if err != nil {
		return err
	}
	d.Name = &n
	switch {
	case p.accept("VALUES"):
		return p.partitionValues(d)
	case p.is("(") && !isPunct(p.ahead(2), "="): // VALUES IN may be left out
		d.Form = "IN"
		d.In, err = p.valueList()
	}
	return err
}

// partitionValues is LESS THAN (…), [(…), (…)), or IN (…).
func (p *parser) partitionValues(d *ast.PartitionDef) (err error) {
	switch {
	case p.accept("LESS", "THAN"):
		d.Form, d.HasBounds = "LESS THAN", true
		if p.is("(") {
			d.Hi, err = p.valueList()
			return err
		}
		x, err := p.primary() // MAXVALUE
		d.Hi = []ast.Expr{x}
		return err
	case p.is("["):
		d.Form, d.HasBounds = "RANGE", true
		return p.halfOpen(d)
	case p.accept("IN"):
		d.Form = "IN"
		d.In, err = p.valueList()
		return err
	}
	return p.unexpected("LESS THAN, IN or [")
}

// halfOpen is [(lo), (hi)), closed on the left, open on the right.
func (p *parser) halfOpen(d *ast.PartitionDef) (err error) {
	opener := p.Next()
	if d.Lo, err = p.valueList(); err != nil {
		return err
	}
	if err = p.expect(","); err != nil {
		return err
	}
	if d.Hi, err = p.valueList(); err != nil {
		return err
	}
	if !p.accept(")") {
		return p.unlisted(opener, ")", "bound")
	}
	return nil
}

// fromTo is FROM (lo) TO (hi) INTERVAL n [unit].
func (p *parser) fromTo(d *ast.PartitionDef) (err error) {
	d.Form, d.HasBounds = "FROM TO", true
	p.Next()
	if d.Lo, err = p.valueList(); err != nil {
		return err
	}
	if err = p.expect("TO"); err != nil {
		return err
	}
	if d.Hi, err = p.valueList(); err != nil || !p.is("INTERVAL") {
		return err
	}
	d.Interval, err = p.interval()
	return err
}
