package ast

import "slices"

// Stmt is a statement. The set of implementations is closed: switch on the type.
type Stmt interface {
	Node
	stmt()
}

// Query is what yields rows: Select, SetOp or Values.
type Query interface {
	Stmt
	query()
}

type (
	// Select is SELECT … FROM …, also the order FROM … SELECT ….
	Select struct {
		Span
		With      []CTE
		Discard   bool // YQL: DISCARD SELECT, whose rows nobody sees
		FromFirst bool // FROM stood before SELECT
		Distinct  bool
		On        []Expr       // DISTINCT ON (…)
		Items     []SelectItem // stars among them
		Without   []*Ident     // YQL: SELECT * WITHOUT a, b
		From      TableExpr    // or nil
		Where     Expr         // or nil
		GroupBy   []SelectItem
		GroupHow  string // "", "ROLLUP", "CUBE", "GROUPING SETS", "COMPACT"
		Having    Expr   // filters groups, or nil
		Qualify   Expr   // filters by window functions, or nil
		Windows   []NamedWindow
		Sample    string // USING SAMPLE …, source text, blanks folded
		Tail
	}

	// SetOp is a chain of one set operation: UNION, UNION ALL, INTERSECT, EXCEPT.
	SetOp struct {
		Span
		With []CTE
		Op   string  // "UNION", "INTERSECT", "EXCEPT"
		All  bool    // rows that occur more than once are kept
		Name bool    // BY NAME: columns are matched by name
		Args []Query // two or more, left to right
		Tail
	}

	// Values is VALUES (…), (…).
	Values struct {
		Span
		Rows []*Tuple
		Tail
	}

	// Reshape makes other rows of those of a table or query, in DuckDB: SUMMARIZE t, DESCRIBE SELECT …,
	// PIVOT t ON y USING sum(v) GROUP BY m, UNPIVOT t ON a, b INTO NAME n VALUE v.
	Reshape struct {
		Span
		Verb    string
		Source  TableExpr    // or nil
		Query   Query        // or nil
		Nulls   bool         // INCLUDE NULLS
		On      []SelectItem // what becomes columns, or rows
		Using   []SelectItem // aggregates
		GroupBy []SelectItem
		Name    *Name  // INTO NAME …
		Values  []Name // VALUE …
	}

	// Tail is what may follow any query.
	Tail struct {
		OrderBy       []OrderItem
		Result        *Name // YQL: INTO RESULT name, or nil
		Limit, Offset Expr  // or nil
		Percent       bool  // LIMIT 10%
	}

	// CTE is one name of WITH name [(cols)] AS (query).
	CTE struct {
		Span
		Name      Name
		Columns   []Name // new names for those of the query, or none
		Query     Query
		Recursive bool // RECURSIVE was written: the query may read the name itself
	}

	// SelectItem is expr [AS alias].
	SelectItem struct {
		Span
		X     Expr
		Alias *Name
	}

	// OrderItem is expr [ASC|DESC] [NULLS FIRST|LAST].
	OrderItem struct {
		Span
		X     Expr
		Desc  bool
		Nulls string // "", "FIRST", "LAST"
	}

	// NamedWindow is WINDOW w AS (…).
	NamedWindow struct {
		Span
		Name   Name
		Window *Window
	}
)

// TableExpr is what stands in FROM: TableRef, DerivedTable or Join.
type TableExpr interface {
	Node
	table()
}

type (
	// TableRef is a table by name, by file pattern, by function or by $name, with its hints.
	TableRef struct {
		Span
		Name       []Name     // s3.`/path`: two parts; empty for the other forms
		At         bool       // YQL: @temporary, cluster.@temporary
		File       *Literal   // DuckDB: FROM 'a/*.parquet'
		Func       *Call      // read_parquet(…), range(…)
		Param      *Param     // $x
		Hints      []Option   // WITH (…), in order; also WITH ORDINALITY behind UNNEST(…)
		HintsSpan  Span       // the WITH part, zero without
		Dynamic    []Option   // Flink: /*+ OPTIONS('k'='v') */
		Partitions []Name     // Doris: PARTITION (p1, p2)
		Temporary  bool       // Doris: TEMPORARY PARTITION
		Tablets    []*Literal // Doris: TABLET (10001)
		AsOf       string     // FOR VERSION AS OF …, source text, blanks folded
		Sample     string     // TABLESAMPLE …, source text, blanks folded
		View       *Name      // YQL: VIEW index
		Alias      *Name      // what the statement calls the table, or nil
		Columns    []Name     // alias (a, b)
		Flatten    *Flatten
	}

	// DerivedTable is (SELECT …) [AS] alias; also (VALUES …).
	DerivedTable struct {
		Span
		Query   Query
		Lateral bool
		Alias   *Name
		Columns []Name
		Sample  string // as of a TableRef
		Flatten *Flatten
	}

	// Flatten is YQL's FLATTEN [LIST|OPTIONAL|DICT] BY (…) or FLATTEN COLUMNS behind a table: the flattened names stand
	// for elements of the columns.
	Flatten struct {
		Span
		How   string       // "", "LIST", "OPTIONAL", "DICT", "COLUMNS"
		Items []SelectItem // none for COLUMNS
	}

	// Join is L Kind JOIN R [ON On | USING (…)]; a comma in FROM is a Join with Kind "," .
	Join struct {
		Span
		Kind    string // "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "LEFT SEMI", "RIGHT SEMI", "LEFT ONLY", "RIGHT ONLY", "EXCLUSION", "LEFT ANTI", ","
		Natural bool   // by all columns that have one name
		Any     bool   // YQL: ANY before one of the sides: at most one row of it for each key
		AnyL    bool   // it stands before the left side
		AnyR    bool   // it stands before the right side
		L, R    TableExpr
		On      Expr   // or nil
		Using   []Name // columns of both sides, which are one without a qualifier
	}
)

func (*TableRef) table()     {}
func (*DerivedTable) table() {}
func (*Join) table()         {}

// Option is KEY, KEY = value, KEY : value, or KEY value (SCHEMA (…)) of a WITH, PROPERTIES, TBLPROPERTIES or OPTIONS list.
type Option struct {
	Span
	Key    Name   // `projection.year.min` or 'bucket' has Quoted set; decoded text
	Sep    string // "", "=", ":"; in Hive's DROP PARTITION also "<", ">=" …
	Value  Expr   // Literal, Ident, Param, Tuple of these, ListExpr, Call; nil for a bare key or with Schema
	Schema []Column
	Type   *Type // SCHEMA = Struct<a:Int32>
}

// Column is a column of a table or of a SCHEMA hint.
type Column struct {
	Span
	Name      Name
	Type      *Type // nil where it is left out
	NotNull   bool
	Null      bool   // NULL was written
	TypeFirst bool   // YQL's old order: Type AS name
	Key       bool   // PRIMARY KEY, or Doris' KEY
	Aggregate string // Doris: SUM, REPLACE …
	Default   Expr   // or nil
	OnUpdate  Expr   // DEFAULT … ON UPDATE …
	Generated Expr   // GENERATED ALWAYS AS (…), computed columns
	Metadata  string // Flink: METADATA [FROM '…'] [VIRTUAL], source text, blanks folded
	Comment   *Literal
	Options   []Option // Trino: WITH (…) of a column
	AutoInc   bool     // AUTO_INCREMENT
	First     bool     // ALTER TABLE puts it before all others
	After     *Name    // or behind another
}

type (
	// Let is $x = expr or $x = SELECT ….
	Let struct {
		Span
		Names []Param // $a, $b = …: several
		X     Expr    // nil when Query is set
		Query Query   // rows that the name stands for, or nil
		// Parens: the query stood in parentheses.
		Parens bool
	}

	// Declare is DECLARE $x AS Type [= literal].
	Declare struct {
		Span
		Name    Param
		Type    *Type
		Default Expr // or nil
	}

	// Pragma is PRAGMA [prefix.]name [= value | (values)]; also SET name = value of other dialects.
	Pragma struct {
		Span
		Keyword string // "PRAGMA", "SET", "RESET"
		Name    []Name
		Sep     string // "", "=", "("
		Values  []Expr
	}

	// Explain is EXPLAIN [QUERY PLAN | ANALYZE | (options)] statement.
	Explain struct {
		Span
		How  string // source text between EXPLAIN and the statement, blanks folded
		Stmt Stmt
	}

	// Prepare is PREPARE name FROM statement, which has parameters: WHERE a = ?.
	Prepare struct {
		Span
		Name Name
		Stmt Stmt
	}

	// Execute is EXECUTE name [USING value, …].
	Execute struct {
		Span
		Name Name
		Args []Expr
	}

	// CreateSource is CREATE EXTERNAL DATA SOURCE.
	CreateSource struct {
		Span
		OrReplace, IfNotExists bool
		Name                   []Name
		Options                []Option // WITH (SOURCE_TYPE = "ObjectStorage", …)
	}

	// CreateTable is CREATE [EXTERNAL] TABLE in any dialect: columns, then clauses in any order.
	CreateTable struct {
		Span
		OrReplace, External, Temporary, IfNotExists bool
		Name                                        []Name
		Columns                                     []Column
		Constraints                                 []Constraint
		ColumnsSpan                                 Span // the brackets of columns and constraints
		Clauses                                     []Clause
		Options                                     []Option // WITH / TBLPROPERTIES / PROPERTIES / OPTIONS, all lists joined in order
		OptionsWord                                 string   // the keyword of the last of these lists; "" without
		As                                          Query    // CTAS, or nil
		Data                                        string   // behind AS …: "WITH DATA", "WITH NO DATA", or ""
		Like                                        []Name   // CREATE TABLE a LIKE b
		LikeHow                                     string   // Flink: EXCLUDING OPTIONS …, without brackets, blanks folded
	}

	// CreateView is CREATE [OR REPLACE] [TEMPORARY] VIEW name [(columns)] [clauses] AS query, or ALTER VIEW name AS query.
	CreateView struct {
		Span
		OrReplace, Temporary, IfNotExists, Alter bool
		Name                                     []Name
		Columns                                  []Column // names, perhaps with comments
		ColumnsSpan                              Span
		Clauses                                  []Clause // COMMENT '…'
		Options                                  []Option // WITH (security_invoker = TRUE), TBLPROPERTIES (…)
		OptionsWord                              string
		As                                       Query
	}

	// Constraint is PRIMARY KEY (…) [NOT ENFORCED], UNIQUE, WATERMARK, INDEX …
	Constraint struct {
		Span
		Kind    string // "PRIMARY KEY", "WATERMARK", "INDEX", …
		Columns []Name
		Text    string // source text, blanks folded
	}

	// Clause is one clause behind the column list, such as PARTITIONED BY (…), DISTRIBUTED BY HASH (…) BUCKETS 8, LOCATION '…'.
	Clause struct {
		Span
		Kind       string         // canonical: "PARTITIONED BY", "DISTRIBUTED BY", "CLUSTERED BY", "LOCATION", "STORED AS", "ROW FORMAT", "COMMENT", "ENGINE", "KEY", …
		How        string         // RANGE, LIST, HASH, RANDOM, AUTO RANGE, DUPLICATE, …; "" where there is none
		Columns    []Column       // PARTITIONED BY (a int, b), or names only
		Exprs      []Expr         // PARTITION BY RANGE(date_trunc(d, 'day')), bucket(16, id): all of them, if one isn't a name
		Partitions []PartitionDef // not nil, but possibly empty, where a list in parentheses stands
		SortedBy   []OrderItem    // CLUSTERED BY … SORTED BY
		Buckets    Expr           // number, or Ident AUTO
		Value      Expr           // LOCATION 's3://…', COMMENT '…', ENGINE = olap
		Text       string         // source text for clauses with no meaning here, blanks folded
	}

	// PartitionDef is one partition of PARTITION BY RANGE/LIST, or of ALTER TABLE ADD PARTITION.
	PartitionDef struct {
		Span
		Name          *Name
		IfNotExists   bool
		Form          string // "LESS THAN", "RANGE" for [lo, hi), "IN", "FROM TO", "" (key = value pairs in Spec)
		Lo, Hi        []Expr // bounds; an Ident MAXVALUE is MAXVALUE
		HasBounds     bool
		In            []Expr   // values or tuples
		Interval      Expr     // FROM … TO … INTERVAL 1 DAY
		Spec          []Option // (dt = '2021-01-01')
		Location      *Literal
		Options       []Option
		Buckets       Expr
		DistributedBy *Clause
	}

	// AlterTable is ALTER TABLE name actions.
	AlterTable struct {
		Span
		External bool
		IfExists bool
		Name     []Name
		Actions  []AlterAction
	}

	// AlterAction is one action of an AlterTable.
	AlterAction struct {
		Span
		Kind                                    string // "ADD PARTITION", "DROP PARTITION", "MODIFY PARTITION", "RENAME PARTITION", "SET", "RESET", "ADD COLUMN", …
		Temporary, IfExists, IfNotExists, Force bool
		Partitions                              []PartitionDef // PARTITION (a = 1) SET LOCATION …: that; … RENAME TO PARTITION (a = 2): both
		Names                                   []Name         // DROP p, MODIFY (p, q), RENAME old new, RENAME TO table, RESET (…)
		With                                    []Name         // REPLACE PARTITION (Names) WITH TEMPORARY PARTITION (With)
		Columns                                 []Column       // ADD COLUMN, MODIFY COLUMN, CHANGE COLUMN, ALTER COLUMN, as far as they are read
		Options                                 []Option       // SET (…)
		Word                                    string         // TBLPROPERTIES, PROPERTIES: the keyword behind SET or RESET, or ""
		Clause                                  *Clause
		Value                                   Expr
		Text                                    string // source text, blanks folded
	}

	// Insert is INSERT/UPSERT/REPLACE INTO | OVERWRITE table [(cols)] [PARTITION (…)] query.
	Insert struct {
		Span
		Verb      string // "INSERT INTO", "INSERT OVERWRITE", "UPSERT INTO", "REPLACE INTO"
		Table     *TableRef
		Columns   []Name
		Partition []Option // PARTITION (dt = '2021-01-01') or (p1, p2)
		Detect    bool     // Doris: PARTITION (*), those that rows go to
		ByName    bool     // DuckDB: BY NAME
		Query     Query    // nil for DEFAULT VALUES
	}

	// Copy is COPY table | (query) TO 'path' (options), also COPY … FROM and Athena's UNLOAD (query) TO 'path' WITH (options).
	Copy struct {
		Span
		Unload  bool
		Query   Query     // or nil
		Table   *TableRef // or nil
		Columns []Name
		From    bool // COPY … FROM: the file is read
		Path    Expr
		Options []Option // in their order: (FORMAT parquet, PARTITION_BY (year))
	}

	// Drop is DROP TABLE / EXTERNAL DATA SOURCE ….
	Drop struct {
		Span
		Kind     string // "TABLE", "EXTERNAL TABLE", "EXTERNAL DATA SOURCE", "VIEW", …
		IfExists bool
		Name     []Name
	}

	// CallStmt is CALL sys.compact('db.t', …).
	CallStmt struct {
		Span
		Name []Name
		Args []Arg
	}

	// Other is a statement that is accepted and has no effect on plans: USE, SHOW, TRUNCATE, COMMIT….
	Other struct {
		Span
		Verb string // upper case first words: "USE", "SHOW PARTITIONS", "MSCK REPAIR TABLE"
		Name []Name // the table or database named, if any
		Text string // the whole statement as written
	}
)

func (*Select) stmt()       {}
func (*SetOp) stmt()        {}
func (*Values) stmt()       {}
func (*Reshape) stmt()      {}
func (*Let) stmt()          {}
func (*Declare) stmt()      {}
func (*Pragma) stmt()       {}
func (*Explain) stmt()      {}
func (*Prepare) stmt()      {}
func (*Execute) stmt()      {}
func (*CreateSource) stmt() {}
func (*CreateTable) stmt()  {}
func (*CreateView) stmt()   {}
func (*AlterTable) stmt()   {}
func (*Insert) stmt()       {}
func (*Copy) stmt()         {}
func (*Drop) stmt()         {}
func (*CallStmt) stmt()     {}
func (*Other) stmt()        {}

func (*Select) query()  {}
func (*SetOp) query()   {}
func (*Values) query()  {}
func (*Reshape) query() {}

// Renamed is the name that RENAME TO gives the table, or nil: paimon.db.u of ALTER TABLE paimon.db.t RENAME TO u.
func (s *AlterTable) Renamed() []Name {
	for i := range s.Actions {
		if a := &s.Actions[i]; a.Kind == "RENAME TO" {
			return Renamed(s.Name, a.Names)
		}
	}
	return nil
}

// Renamed is the name of a table that is renamed: a name without a database stays in that of the table.
func Renamed(from, to []Name) []Name {
	if n := len(from) - len(to); n > 0 {
		return slices.Concat(from[:n], to)
	}
	return to
}
