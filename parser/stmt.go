package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// ignored are the verbs of statements that are accepted and mean nothing to a plan.
var ignored = []string{"USE", "SHOW", "DESCRIBE", "DESC", "TRUNCATE", "MSCK", "ANALYZE", "REFRESH", "COMMIT", "ROLLBACK", "BEGIN", "START", "DEFINE",
	"DO", "EVALUATE", "IMPORT", "EXPORT", "GRANT", "REVOKE", "ATTACH", "DETACH", "INSTALL", "LOAD", "VACUUM", "CHECKPOINT", "DELETE",
	"UPDATE", "MERGE", "CREATE", "ALTER", "DROP", "OPTIMIZE", "RECOVER", "KILL", "UNSET", "CACHE", "UNCACHE", "COMMENT", "DEALLOCATE", "EXECUTE"}

// statement is one statement. The first words choose the production.
func (p *parser) statement() (ast.Stmt, error) {
	t := p.Peek()
	switch {
	case t.Type == tokParam:
		return p.let()
	case isPunct(t, "("):
		return p.query()
	case t.Type != tokWord:
		return nil, p.unexpected("a statement")
	}
	if p.reshapeAhead(0) {
		return p.query()
	}
	switch verb := strings.ToUpper(t.Value); verb {
	case "SELECT", "FROM", "WITH", "VALUES":
		return p.query()
	case "TABLE":
		if p.tableAhead(0) {
			return p.query()
		}
	case "DISCARD":
		if next := p.ahead(1); p.Modules && (isWord(next, "SELECT") || isWord(next, "FROM")) {
			return p.discard()
		}
	case "CREATE", "REPLACE":
		if p.is("REPLACE", "INTO") {
			return p.insert()
		}
		if p.creates() {
			return p.create()
		}
	case "ALTER":
		if p.is("ALTER", "TABLE") || p.is("ALTER", "EXTERNAL", "TABLE") {
			return p.alter()
		}
		if p.viewAhead() {
			return p.alterView()
		}
	case "INSERT", "UPSERT":
		return p.insert()
	case "COPY", "UNLOAD":
		return p.copy()
	case "DROP":
		if next := p.ahead(1); next.Type == tokWord && oneOf(next.Value, []string{"TABLE", "EXTERNAL", "VIEW", "SCHEMA", "DATABASE"}) {
			return p.drop()
		}
	case "DECLARE":
		return p.declare()
	case "PRAGMA", "SET", "RESET":
		if p.OptionHints { // Flink: SET 'key' = 'value'; Spark: SET spark.sql.key = value, with whatever stands there
			return p.other(), nil
		}
		if next := p.ahead(2); p.is("SET", "VARIABLE") && (next.Type == tokWord || next.Type == tokName) {
			return p.setVariable()
		}
		if p.is("RESET", "VARIABLE") {
			return p.resetVariable()
		}
		return p.pragma()
	case "EXPLAIN":
		return p.explain()
	case "CALL":
		return p.callStatement()
	case "PREPARE":
		if isWord(p.ahead(2), "AS") == p.Braces {
			return p.prepare()
		}
	case "EXECUTE":
		if t := p.ahead(2); t.EOF() || isWord(t, "USING") || p.Braces && isPunct(t, "(") {
			return p.execute()
		}
	}
	if oneOf(t.Value, ignored) {
		if p.ahead(1).EOF() && oneOf(t.Value, []string{"CREATE", "ALTER", "DROP"}) {
			p.Next()
			return nil, p.unexpected("TABLE")
		}
		return p.other(), nil
	}
	return nil, p.unknown()
}

// discard is DISCARD SELECT …, which is one SELECT.
func (p *parser) discard() (ast.Stmt, error) {
	at := span(p.Next())
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	s, ok := q.(*ast.Select)
	if !ok {
		return nil, problem("syntax.unexpected", at, "DISCARD stands before one SELECT only", "put the others into a subquery: DISCARD SELECT * FROM (…)")
	}
	s.Discard, s.Span.From = true, at.From
	return s, nil
}

// unknown complains about a word that begins no statement.
func (p *parser) unknown() error {
	t := p.Peek()
	d := problem("syntax.statement", span(t), "a statement can't begin with "+describe(t), "")
	if word, ok := ast.Nearest(t.Value, verbs); ok {
		d.Hint = "did you mean " + word + "?"
	} else if isPunct(p.ahead(1), "=") {
		d.Hint = "a named expression is written $" + t.Value + " = …"
	} else if oneOf(t.Value, []string{"PROCESS", "REDUCE"}) {
		d.Hint = "only the partitions of a SELECT can be planned"
	}
	return d
}

// other takes a statement as it stands; the text is filled in by its caller.
func (p *parser) other() ast.Stmt {
	from, o := p.pos(), &ast.Other{}
	for t := p.Peek(); t.Type == tokWord && len(o.Verb) < 24; t = p.Peek() {
		if o.Verb != "" && !oneOf(t.Value, otherWords) {
			break
		}
		o.Verb = strings.TrimSpace(o.Verb + " " + strings.ToUpper(p.Next().Value))
	}
	block := oneOf(p.Range(0, 1)[0].Value, []string{"DO", "DEFINE", "EVALUATE"})
	if t := p.Peek(); !block && (t.Type == tokWord || t.Type == tokName) {
		o.Name = []ast.Name{nameOf(p.Next())}
		for p.is(".") && (p.ahead(1).Type == tokWord || p.ahead(1).Type == tokName) {
			p.Next()
			o.Name = append(o.Name, nameOf(p.Next()))
		}
		o.Name = p.parted(t, o.Name)
	}
	for !p.Peek().EOF() && unreadable(p.Peek()) == nil {
		p.Next()
	}
	o.Span = p.since(from)
	return o
}

// otherWords belong to the verb of a statement, rather than being the name of what it is about.
var otherWords = []string{"TABLE", "TABLES", "PARTITIONS", "PARTITION", "REPAIR", "DATABASE", "DATABASES", "SCHEMA", "SCHEMAS", "VIEW", "CREATE", "COLUMNS",
	"FROM", "INTO", "ACTION", "SUBQUERY", "BEGIN", "TRANSACTION", "WORK", "IF", "FOR", "CATALOG", "OR", "REPLACE", "FUNCTION", "INDEX", "USER", "MATERIALIZED"}

// let is $x = expr, $x = SELECT …, $a, $b = ….
func (p *parser) let() (*ast.Let, error) {
	from := p.pos()
	g, err := run(p, p.grammar().letStmt)
	if err != nil {
		return nil, err
	}
	l := &ast.Let{Span: p.since(from), Names: g.Names.([]ast.Param)}
	switch x := g.Value.(type) {
	case *ast.Subquery: // $x = (SELECT …)
		l.Query, l.Parens = x.Query, true
	case ast.Expr:
		l.X = x
	case ast.Query:
		l.Query = x
	}
	return l, nil
}

func (p *parser) letNames() (params, error) {
	var out []ast.Param
	for {
		t := p.Peek()
		if t.Type != tokParam {
			return nil, p.unexpected("a name such as $x")
		}
		p.Next()
		out = append(out, ast.Param{Span: span(t), Name: t.Value[1:]})
		if !p.accept(",") {
			if p.is("==") {
				return nil, problem("syntax.unexpected", span(p.Peek()), "a name is bound with one `=`, found `==`", "write "+t.Value+" = …")
			}
			return out, nil
		}
	}
}

// bound is the right side of a let: a query, or an expression; (SELECT …) alone is a query.
func (p *parser) bound() (bound, error) {
	if p.queryAhead(0) {
		return p.query()
	}
	if p.is("PROCESS") || p.is("REDUCE") {
		return nil, p.unknown()
	}
	return p.expr()
}

func (p *parser) declare() (ast.Stmt, error) {
	from, at := p.pos(), p.ahead(1)
	g, err := run(p, p.grammar().declareStmt)
	if err != nil {
		return nil, err
	}
	return &ast.Declare{Span: p.since(from), Name: ast.Param{Span: span(at), Name: g.Name[1:]}, Type: g.Type.(*ast.Type), Default: g.Default}, nil
}

func (p *parser) datatype() (datatype, error) { return p.typeName() }

// pragma is PRAGMA name, PRAGMA name = value, PRAGMA name(values), SET name = value.
func (p *parser) pragma() (ast.Stmt, error) {
	from := p.pos()
	g, err := run(p, p.grammar().pragmaStmt)
	if err != nil {
		return nil, err
	}
	s := &ast.Pragma{Span: p.since(from), Keyword: strings.ToUpper(g.Keyword), Name: g.Name.([]ast.Name)}
	switch {
	case g.Value != nil:
		s.Sep, s.Values = "=", []ast.Expr{g.Value}
	case g.Values != nil:
		s.Sep, s.Values = "(", g.Values.([]ast.Expr)
	}
	return s, nil
}

// setVariable is DuckDB's SET VARIABLE name = value.
func (p *parser) setVariable() (ast.Stmt, error) {
	from := p.pos()
	p.Next()
	p.Next()
	name, err := p.name("a variable")
	if err != nil {
		return nil, err
	}
	if !p.accept("TO") {
		if err := p.expect("="); err != nil {
			return nil, err
		}
	}
	x, err := p.expr()
	return &ast.Pragma{Span: p.since(from), Keyword: "SET VARIABLE", Name: []ast.Name{name}, Sep: "=", Values: []ast.Expr{x}}, err
}

// resetVariable is DuckDB's RESET VARIABLE name.
func (p *parser) resetVariable() (ast.Stmt, error) {
	from := p.pos()
	p.Next()
	p.Next()
	name, err := p.name("a variable")
	return &ast.Pragma{Span: p.since(from), Keyword: "RESET VARIABLE", Name: []ast.Name{name}}, err
}

func (p *parser) exprList() (exprs, error) { return p.valueList() }

// explain is EXPLAIN [QUERY PLAN | ANALYZE | (options)] statement.
func (p *parser) explain() (ast.Stmt, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	from := p.pos()
	g, err := run(p, p.grammar().explainStmt)
	if err != nil {
		return nil, err
	}
	return &ast.Explain{Span: p.since(from), How: g.How.(string), Stmt: g.Stmt}, nil
}

// prepare is PREPARE name FROM statement; in DuckDB, PREPARE name AS statement.
func (p *parser) prepare() (ast.Stmt, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	from := p.pos()
	p.Next()
	name, err := p.name("a statement's name")
	if err != nil {
		return nil, err
	}
	word := "FROM"
	if p.Braces {
		word = "AS"
	}
	if err := p.expect(word); err != nil {
		return nil, err
	}
	st, err := p.statement()
	return &ast.Prepare{Span: p.since(from), Name: name, Stmt: st}, err
}

// execute is EXECUTE name [USING a, b]; in DuckDB, EXECUTE name(a, b).
func (p *parser) execute() (ast.Stmt, error) {
	from := p.pos()
	p.Next()
	name, err := p.name("a statement's name")
	if err != nil {
		return nil, err
	}
	e := &ast.Execute{Name: name}
	if p.Braces && p.is("(") {
		e.Args, err = p.valueList()
		e.Span = p.since(from)
		return e, err
	}
	for more := p.accept("USING"); more; more = p.accept(",") {
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, x)
	}
	e.Span = p.since(from)
	return e, nil
}

// how is what stands between EXPLAIN and the statement.
func (p *parser) how() (how, error) {
	at := p.RawCursor()
	if p.is("(") && !p.queryAhead(0) {
		if _, err := list(p, "option", p.setting); err != nil {
			return nil, err
		}
	}
	for p.acceptOne("QUERY", "PLAN", "ANALYZE", "VERBOSE", "PHYSICAL", "LOGICAL", "EXTENDED", "FORMATTED", "FOR") != "" {
	}
	if p.is("EXPLAIN") {
		return nil, p.unexpected("the statement to explain")
	}
	return p.folded(at), nil
}

func (p *parser) callStatement() (ast.Stmt, error) {
	from := p.pos()
	g, err := run(p, p.grammar().callStmt)
	if err != nil {
		return nil, err
	}
	return &ast.CallStmt{Span: p.since(from), Name: g.Name.([]ast.Name), Args: g.Args.([]ast.Arg)}, nil
}

func (p *parser) callArgs() (args, error) {
	if !p.is("(") {
		return nil, p.unexpected("(")
	}
	var c ast.Call
	err := p.args(&c, true)
	return c.Args, err
}

func (p *parser) dottedName() (dotted, error) { return p.dottedTable("a name") }

func (p *parser) drop() (ast.Stmt, error) {
	from := p.pos()
	at := p.RawCursor()
	g, err := run(p, p.grammar().dropStmt)
	if err != nil {
		return nil, err
	}
	d := &ast.Drop{Span: p.since(from), IfExists: g.IfExists, Name: g.Name.([]ast.Name)}
	for _, t := range p.Range(at+1, p.RawCursor()) { // participle joins words without blanks
		if t.Type != tokWord || fold(t.Value, "IF") || ast.Pos(t.Pos.Offset) >= d.Name[0].From {
			break
		}
		d.Kind = strings.TrimSpace(d.Kind + " " + strings.ToUpper(t.Value))
	}
	return d, nil
}
