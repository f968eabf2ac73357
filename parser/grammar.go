package parser

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/yqlplan/yqlplan/ast"
)

// The grammar of statements and their clauses. Bodies of clauses are written by hand: participle calls them for fields
// of the interface types below. With no look-ahead, the first word of a group decides.
type (
	script struct {
		First statement   `parser:"@@?"`
		Rest  []statement `parser:"( ';':Punct @@? )*"`
	}

	statement struct {
		Select  *selectStmt  `parser:"  @@"`
		Create  *createStmt  `parser:"| @@"`
		Alter   *alterStmt   `parser:"| @@"`
		Insert  *insertStmt  `parser:"| @@"`
		Copy    *copyStmt    `parser:"| @@"`
		Drop    *dropStmt    `parser:"| @@"`
		Let     *letStmt     `parser:"| @@"`
		Declare *declareStmt `parser:"| @@"`
		Pragma  *pragmaStmt  `parser:"| @@"`
		Explain *explainStmt `parser:"| @@"`
		Call    *callStmt    `parser:"| @@"`
	}

	// selectStmt is one SELECT without WITH, set operations and the tail.
	selectStmt struct {
		Lead    ast.TableExpr `parser:"( 'FROM':Word @@ )?"`
		Items   items         `parser:"( 'SELECT':Word @@ )?"`
		Without idents        `parser:"( 'WITHOUT':Word @@ )?"`
		From    ast.TableExpr `parser:"( 'FROM':Word @@ )?"`
		Where   ast.Expr      `parser:"( 'WHERE':Word @@ )?"`
		Group   grouping      `parser:"( 'GROUP':Word @@ )?"`
		Having  ast.Expr      `parser:"( 'HAVING':Word @@ )?"`
		Window  windows       `parser:"( 'WINDOW':Word @@ )?"`
		Qualify ast.Expr      `parser:"( 'QUALIFY':Word @@ )?"`
		Late    windows       `parser:"( 'WINDOW':Word @@ )?"`
		Sample  sampled       `parser:"( 'USING':Word 'SAMPLE':Word @@ )?"`
	}

	createStmt struct {
		Replace   bool         `parser:"( 'CREATE':Word @( 'OR':Word 'REPLACE':Word )? | @'REPLACE':Word )"`
		External  bool         `parser:"@'EXTERNAL':Word?"`
		Temporary bool         `parser:"@( 'TEMPORARY':Word | 'TEMP':Word )?"`
		Source    *sourceStmt  `parser:"( 'DATA':Word 'SOURCE':Word @@"`
		View      *createTable `parser:"| 'VIEW':Word @@"`
		Table     *createTable `parser:"| 'TABLE':Word @@ )"`
	}

	sourceStmt struct {
		IfNotExists bool    `parser:"@( 'IF':Word 'NOT':Word 'EXISTS':Word )?"`
		Name        dotted  `parser:"@@"`
		Options     options `parser:"'WITH':Word @@"`
	}

	createTable struct {
		IfNotExists bool     `parser:"@( 'IF':Word 'NOT':Word 'EXISTS':Word )?"`
		Name        dotted   `parser:"@@"`
		Elements    elements `parser:"( (?= '(':Punct ) @@ )?"`
		Clauses     clauses  `parser:"@@"`
	}

	alterStmt struct {
		External bool    `parser:"'ALTER':Word @'EXTERNAL':Word? 'TABLE':Word"`
		IfExists bool    `parser:"@( 'IF':Word 'EXISTS':Word )?"`
		Name     dotted  `parser:"@@"`
		Actions  actions `parser:"@@"`
	}

	insertStmt struct {
		Verb    string     `parser:"@( 'INSERT':Word | 'UPSERT':Word | 'REPLACE':Word )"`
		How     string     `parser:"@( 'INTO':Word | 'OVERWRITE':Word )"`
		Table   insertInto `parser:"'TABLE':Word? @@"`
		Default bool       `parser:"( @( 'DEFAULT':Word 'VALUES':Word )"`
		Query   ast.Query  `parser:"| @@ )"`
	}

	copyStmt struct {
		Unload   bool       `parser:"( 'COPY':Word | @'UNLOAD':Word )"`
		Source   copySource `parser:"@@"`
		From     bool       `parser:"( 'TO':Word | @'FROM':Word )"`
		Path     ast.Expr   `parser:"@@"`
		Settings settings   `parser:"( 'WITH':Word? (?= '(':Punct ) @@ )?"`
	}

	dropStmt struct {
		Kind     string `parser:"'DROP':Word @( 'EXTERNAL':Word? ( 'TABLE':Word | 'DATA':Word 'SOURCE':Word ) | 'VIEW':Word | 'SCHEMA':Word | 'DATABASE':Word )"`
		IfExists bool   `parser:"@( 'IF':Word 'EXISTS':Word )?"`
		Name     dotted `parser:"@@"`
		Ignored  bool   `parser:"@( 'CASCADE':Word | 'RESTRICT':Word | 'FORCE':Word | 'PURGE':Word )?"`
	}

	letStmt struct {
		Names params `parser:"@@ '=':Punct"`
		Value bound  `parser:"@@"`
	}

	declareStmt struct {
		Name    string   `parser:"'DECLARE':Word @Param 'AS':Word"`
		Type    datatype `parser:"@@"`
		Default ast.Expr `parser:"( '=':Punct @@ )?"`
	}

	pragmaStmt struct {
		Keyword string   `parser:"@( 'PRAGMA':Word | 'SET':Word | 'RESET':Word ) ( 'SESSION':Word | 'GLOBAL':Word | 'LOCAL':Word )?"`
		Name    dotted   `parser:"@@"`
		Value   ast.Expr `parser:"( ( '=':Punct | 'TO':Word ) @@"`
		Values  exprs    `parser:"| (?= '(':Punct ) @@ )?"`
	}

	explainStmt struct {
		How  how      `parser:"'EXPLAIN':Word @@"`
		Stmt ast.Stmt `parser:"@@"`
	}

	callStmt struct {
		Name dotted `parser:"'CALL':Word @@"`
		Args args   `parser:"@@"`
	}
)

// What the bodies yield. Each is an interface of its own, since participle knows them by their types.
type (
	items      any // *itemList
	grouping   any // *itemList
	idents     any // []*ast.Ident
	windows    any // []ast.NamedWindow
	sampled    any // string
	dotted     any // []ast.Name
	options    any // []ast.Option
	settings   any // []ast.Option
	elements   any // *tableElements
	clauses    any // *tableClauses
	actions    any // []ast.AlterAction
	insertInto any // *ast.Insert
	copySource any // *ast.Copy
	params     any // []ast.Param
	bound      any // ast.Expr or ast.Query
	datatype   any // *ast.Type
	exprs      any // []ast.Expr
	how        any // string
	args       any // []ast.Arg
)

// grammar is a dialect's parser for each statement.
type grammar struct {
	script      *participle.Parser[script]
	selectStmt  *participle.Parser[selectStmt]
	createStmt  *participle.Parser[createStmt]
	alterStmt   *participle.Parser[alterStmt]
	insertStmt  *participle.Parser[insertStmt]
	copyStmt    *participle.Parser[copyStmt]
	dropStmt    *participle.Parser[dropStmt]
	letStmt     *participle.Parser[letStmt]
	declareStmt *participle.Parser[declareStmt]
	pragmaStmt  *participle.Parser[pragmaStmt]
	explainStmt *participle.Parser[explainStmt]
	callStmt    *participle.Parser[callStmt]
	rooms       sync.Pool // of *room
}

// newGrammar builds the parsers. A failure is a mistake in the tags above.
func newGrammar(d *Dialect) *grammar {
	root := participle.MustBuild[script](
		participle.Lexer(d), participle.CaseInsensitive("Word"), participle.UseLookahead(0),
		body(d, (*parser).items), body(d, (*parser).grouping), body(d, (*parser).without), body(d, (*parser).windows), body(d, (*parser).sampled),
		body(d, (*parser).tables), body(d, (*parser).expr), body(d, (*parser).query),
		body(d, (*parser).dottedName), body(d, (*parser).optionsBody), body(d, (*parser).settings),
		body(d, (*parser).elements), body(d, (*parser).clauses), body(d, (*parser).actions),
		body(d, (*parser).insertInto), body(d, (*parser).copySource), body(d, (*parser).letNames), body(d, (*parser).bound),
		body(d, (*parser).datatype), body(d, (*parser).exprList), body(d, (*parser).how), body(d, (*parser).statement),
		body(d, (*parser).callArgs),
	)
	return &grammar{
		script: root, selectStmt: production[selectStmt](root), createStmt: production[createStmt](root),
		alterStmt: production[alterStmt](root), insertStmt: production[insertStmt](root), copyStmt: production[copyStmt](root),
		dropStmt: production[dropStmt](root), letStmt: production[letStmt](root), declareStmt: production[declareStmt](root),
		pragmaStmt: production[pragmaStmt](root), explainStmt: production[explainStmt](root), callStmt: production[callStmt](root),
	}
}

// body hands the dialect to a body.
func body[T any](d *Dialect, f func(*parser) (T, error)) participle.Option {
	return participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (T, error) { return f(&parser{lex, d}) })
}

func production[P any](root *participle.Parser[script]) *participle.Parser[P] {
	p, err := participle.ParserForProduction[P](root)
	if err != nil {
		panic(err)
	}
	return p
}

// Grammar is the grammar of a dialect as EBNF: statements as participle prints them, then the operators, loosest first.
func Grammar(d *Dialect) string {
	var b strings.Builder
	b.WriteString(d.grammar().script.String())
	b.WriteString("\n")
	b.WriteString(bodies)
	prefix := "Unary"
	for i, ops := range d.Levels {
		name, next := levelName(i), levelName(i+1)
		if i == 0 {
			name = "Expr"
		}
		if i+1 == len(d.Levels) {
			next = prefix
		}
		if len(ops) == 1 && ops[0] == ast.OpNot {
			b.WriteString(name + " = \"NOT\" " + name + " | " + next + " .\n")
			continue
		}
		b.WriteString(name + " = " + next + " (" + alternatives(d, ops, next) + ")* .\n")
	}
	not := ` | "NOT"`
	if _, ok := d.levels[ast.OpNot]; ok {
		not = ""
	}
	if _, ok := d.levels[ast.OpArrow]; ok {
		not += ` | "@" | "*"`
	}
	b.WriteString(prefix + ` = ("-" | "+" | "~"` + not + ")* Operand .\n")
	return b.String()
}

func levelName(i int) string { return "Level" + string(rune('A'+i)) }

// alternatives are the operators of a level with their right sides.
func alternatives(d *Dialect, ops []ast.Op, next string) string {
	var out []string
	for _, op := range ops {
		switch op {
		case ast.OpIn:
			out = append(out, `"NOT"? "IN" `+next)
		case ast.OpBetween:
			out = append(out, `"NOT"? "BETWEEN" ("SYMMETRIC" | "ASYMMETRIC")? `+next+` "AND" `+next)
		case ast.OpIs:
			out = append(out, `"IS" "NOT"? ("NULL" | "TRUE" | "FALSE" | "UNKNOWN")`)
		case ast.OpDistinct:
			out = append(out, `"IS" "NOT"? "DISTINCT" "FROM" `+next)
		case ast.OpCoalesce:
			out = append(out, `"??" `+next)
		case ast.OpConcat:
			out = append(out, `"||" `+next)
			for _, sign := range slices.Sorted(maps.Keys(d.Matching)) {
				out = append(out, `"`+sign+`" `+next)
			}
		default:
			text := `"` + strings.ReplaceAll(string(op), " ", `" "`) + `" ` + next
			if predicate(op) {
				text = `"NOT"? ` + text + ` ("ESCAPE" ` + next + ")?"
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " | ")
}

// bodies are the productions that are written by hand.
const bodies = `Stmt = Statement | Query .
Query = ("WITH" "RECURSIVE"? Cte ("," Cte)*)? Term (("UNION" | "EXCEPT" | "INTERSECT") ("ALL" | "DISTINCT")? ("BY" "NAME")? Term)* ("ORDER" "BY" Order ("," Order)*)? ("LIMIT" Expr ("%" | "PERCENT")?)? ("OFFSET" Expr)? .
Cte = Name Names? "AS" "(" Query ")" .
Term = SelectStmt | "VALUES" Tuple ("," Tuple)* | "TABLE" Table | Reshape | "(" Query ")" .
Reshape = ("SUMMARIZE" | "DESCRIBE" | "PIVOT" | "PIVOT_WIDER" | "UNPIVOT" | "PIVOT_LONGER") (Query | Table) ("INCLUDE" "NULLS")? ("ON" Item ("," Item)*)? ("USING" Item ("," Item)*)? ("GROUP" "BY" Item ("," Item)*)? ("INTO" "NAME" Name "VALUE" Name ("," Name)*)? .
Items = ("ALL" | "DISTINCT" ("ON" Tuple)?)? Item ("," Item)* ","? .
Item = Expr ("AS"? Name)? | Name ":" Expr .
Order = Expr ("ASC" | "DESC")? ("NULLS" ("FIRST" | "LAST"))? .
Grouping = "COMPACT"? "BY" (Item ("," Item)* | "GROUPING" "SETS" Tuple) .
Windows = Name "AS" Window ("," Name "AS" Window)* .
Window = "(" Name? ("PARTITION" "BY" Item ("," Item)*)? ("ORDER" "BY" Order ("," Order)*)? ("ROWS" | "RANGE" | "GROUPS")? ")" .
TableExpr = Joined ("," Joined)* .
Joined = "ANY"? Table (Join "JOIN" "ANY"? Table ("ON" Expr | "USING" Names)?)* .
Join = "NATURAL"? (("LEFT" | "RIGHT") ("OUTER" | "SEMI" | "ONLY" | "ANTI")? | "FULL" "OUTER"? | "INNER" | "CROSS" | "EXCLUSION" | "SEMI" | "ANTI" | "ASOF" | "POSITIONAL")? .
Sampled = (Name? "(" Size ("," Size)* ")" | Size ("(" Expr ("," Expr)* ")")?) ("REPEATABLE" Tuple)? .
Size = Expr ("%" | "PERCENT" | "ROWS")? .
Table = (Name ":")? ("@"? Dotted | <param> | <string> | Dotted Args | "LATERAL"? "(" Query ")" | "VALUES" Tuple ("," Tuple)* | "(" TableExpr ")") Hints? ("TABLESAMPLE" Sampled)? (("PIVOT" "(" Item ("," Item)* "FOR" Expr+ ("GROUP" "BY" Item ("," Item)*)? | "UNPIVOT" ("INCLUDE" "NULLS")? "(" (Name | Names) "FOR" Name "IN" "(" Item ("," Item)*  ")") ")")? ("AS"? Name Names?)? Flatten? .
Hints = "WITH" (Hint | Options) .
Hint = (Dotted | <string>) (("=" | ":") Expr)? | ("SCHEMA" | "COLUMNS") "="? ("(" Field ("," Field)* ","? ")" | Datatype) .
Field = Name Datatype ("NOT"? "NULL")? | Datatype "AS" Name .
Flatten = "FLATTEN" ("COLUMNS" | ("LIST" | "OPTIONAL" | "DICT")? "BY" (Item | "(" Item ("," Item)* ")")) .
Options = "(" (Hint ("," Hint)* ","?)? ")" .
Settings = "(" (Setting ("," Setting)*)? ")" .
Setting = Dotted "="? Expr? .
Elements = "(" (Element ("," Element)*)? ")" .
Element = Column | "PRIMARY" "KEY" Names | "UNIQUE" Names | "WATERMARK" "FOR" Name "AS" Expr | "INDEX" Name Names .
Column = Name Datatype? ("NOT"? "NULL" | "KEY" | "PRIMARY" "KEY" | "DEFAULT" Expr | "COMMENT" <string> | "AS" Expr | "WITH" Options | "AUTO_INCREMENT")* .
Clauses = (("WITH" | "TBLPROPERTIES" | "PROPERTIES" | "OPTIONS") Options | "LIKE" Dotted ("(" ("INCLUDING" | "EXCLUDING" | "OVERWRITING") ")")? | "AS" Query | Clause)* .
Clause = "AUTO"? ("PARTITIONED" | "PARTITION") "BY" ("RANGE" | "LIST")? Keys ("(" (Partition ("," Partition)*)? ")")? | "DISTRIBUTED" "BY" ("HASH" Keys | "RANDOM") Buckets? | "CLUSTERED" "BY" Keys ("SORTED" "BY" "(" Order ("," Order)* ")")? Buckets? | ("DUPLICATE" | "UNIQUE" | "AGGREGATE" | "PRIMARY") "KEY" Keys | ("LOCATION" | "COMMENT") <string> | ("ENGINE" | "USING") "="? Name | "STORED" ("AS" | "BY") Name | "ROW" "FORMAT" Name .
Keys = "(" (Column | Expr) ("," (Column | Expr))* ")" .
Buckets = "BUCKETS" Expr | "INTO" Expr "BUCKETS" .
Partition = "PARTITION" ("IF" "NOT" "EXISTS")? Name ("VALUES" "LESS" "THAN" (Tuple | "MAXVALUE") | "VALUES" "[" Tuple "," Tuple ")" | ("VALUES" "IN")? Tuple)? Options? | "FROM" Tuple "TO" Tuple "INTERVAL" Expr Name? .
Actions = Action ("," Action)* .
Action = "ADD" "TEMPORARY"? (Partition | "PARTITION" Options ("LOCATION" <string>)?) | ("DROP" | "MODIFY" | "REPLACE") "PARTITION" (Name | Names | Conditions) | "RENAME" "PARTITION" Name Name | ("SET" | "RESET") ("TBLPROPERTIES" | "PROPERTIES")? Options | "SET" "LOCATION" <string> .
Conditions = "(" Condition ("," Condition)* ")" .
Condition = Hint | Name ("<" | "<=" | ">" | ">=" | "<>" | "!=") Expr .
InsertInto = Table ("PARTITION" Options | "PARTITION" "(" "*" ")")? ("WITH" "LABEL" Name)? Names? ("BY" "NAME")? .
CopySource = Dotted Names? | "(" Query ")" .
Params = <param> ("," <param>)* .
Bound = Query | Expr .
How = ("QUERY" "PLAN" | "ANALYZE" | Settings)? .
Datatype = Name ("(" (<number> ("," <number>)* | Name? Datatype ("," Name? Datatype)*) ")")? ("<" (Name ":")? Datatype ("," (Name ":")? Datatype)* ">")? "?"? ("[" "]")* .
Idents = Dotted ("," Dotted)* .
Exprs = Tuple .
Tuple = "(" (Expr ("," Expr)* ","?)? ")" .
Args = "(" ("DISTINCT" | "ALL")? (Arg ("," Arg)* ","?)? ("ORDER" "BY" Order ("," Order)*)? ")" .
Arg = (Name ("=>" | ":=" | "="))? Expr ("AS" Name)? .
Names = "(" (Name ("," Name)* ","?)? ")" .
Dotted = Name ("." Name)* .
Name = <word> | <name> .
Operand = Primary ("." (Name | <number>) | "[" (Expr | Expr? ":" (Expr | "-")? (":" Expr)?) "]" | "::" Datatype | Args | "COLLATE" Dotted)* .
Star = "*" (("EXCLUDE" | "EXCEPT") (Name | Names))? ("REPLACE" (Replacement | "(" Replacement ("," Replacement)* ")"))? ("RENAME" (Renaming | "(" Renaming ("," Renaming)* ")"))? .
Replacement = Expr "AS" Name .
Renaming = Name "AS" Name .
Primary = <number> | <string> | <param> | "?" | "NULL" | "TRUE" | "FALSE" | Dotted | (Dotted ".")? Star | Name "::" Name | Name Args ("FILTER" "(" "WHERE"? Expr ")")? ("OVER" (Name | Window))? | Name <string> | "INTERVAL" Expr Name? | ("CAST" | "TRY_CAST" | "BITCAST") "(" Expr "AS" Datatype ")" | "CASE" Expr? ("WHEN" Expr "THEN" Expr)+ ("ELSE" Expr)? "END" | "EXISTS"? "(" Query ")" | Tuple | "ARRAY"? "[" (Expr ("," Expr)*)? "]" | "[" Expr "FOR" Name ("," Name)* "IN" Expr ("IF" Expr)? "]" | "MAP" "{" (Expr ":" Expr ("," Expr ":" Expr)*)? "}" | "<|" Name ":" Expr ("," Name ":" Expr)* "|>" | "{" (Expr (":" Expr)? ("," Expr (":" Expr)?)*)? "}" | "(" Expr "AS" Name ("," Expr "AS" Name)* ")" | Lambda .
Lambda = "LAMBDA" Name ("," Name)* ":" Expr | ("(" (<param> "?"? ("," <param> "?"?)*)? ")" | Name) "->" ("{" (LetStmt ";")* "RETURN" Expr ";"? "}" | Expr) .
`
