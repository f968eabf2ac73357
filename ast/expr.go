package ast

// Node is a piece of a syntax tree.
type Node interface {
	Pos() Pos // offset of its first byte
	End() Pos // offset just behind it
}

// Expr is an expression. The set of implementations is closed: switch on the type.
type Expr interface {
	Node
	expr()
}

// Name is one identifier, or one part of a dotted name.
type Name struct {
	Span
	Text   string // decoded: without quotes, escapes resolved
	Quoted bool
}

// AtTimeZone is the function that a AT TIME ZONE b is a [Call] of, with two arguments.
const AtTimeZone = "AT TIME ZONE"

// Collate is the function that a COLLATE b is a [Call] of, with two arguments.
const Collate = "COLLATE"

// Op names an operator in its canonical spelling.
type Op string

// Canonical spellings; == is written =, <> is written !=.
const (
	OpNot, OpNeg, OpPlus, OpBitNot                       Op = "NOT", "-", "+", "~"
	OpAnd, OpOr, OpXor, OpConcat, OpCoalesce             Op = "AND", "OR", "XOR", "||", "??"
	OpEq, OpNe, OpLt, OpLe, OpGt, OpGe                   Op = "=", "!=", "<", "<=", ">", ">="
	OpDistinct, OpNotDistinct, OpNullSafeEq              Op = "IS DISTINCT FROM", "IS NOT DISTINCT FROM", "<=>"
	OpAdd, OpSub, OpMul, OpDiv, OpIntDiv, OpMod, OpPower Op = "+", "-", "*", "/", "//", "%", "**"
	OpBitAnd, OpBitOr, OpBitXor                          Op = "&", "|", "^"
	OpShl, OpShr, OpRotl, OpRotr                         Op = "<<", ">>", "|<<", ">>|"
	OpLike, OpILike, OpGlob, OpRegexp, OpRLike, OpMatch  Op = "LIKE", "ILIKE", "GLOB", "REGEXP", "RLIKE", "MATCH"
	OpSimilar                                            Op = "SIMILAR TO"
	OpStartsWith, OpArrow, OpArrowText                   Op = "^@", "->", "->>"
	OpContains, OpContained, OpOverlaps                  Op = "@>", "<@", "&&"
	OpAbs, OpUnpack                                      Op = "@", "*"              // DuckDB: @x, *COLUMNS(…)
	OpIn, OpBetween, OpIs                                Op = "IN", "BETWEEN", "IS" // for tables of precedences: they have own nodes
)

type (
	// Ident is a possibly qualified name: year, t.year, `projection.x`.
	Ident struct {
		Span
		Parts []Name
	}

	// Param is a named expression or parameter: $x.
	Param struct {
		Span
		Name     string // without the dollar sign; of a ?, its number among them
		Optional bool   // $x? among the parameters of a lambda
		Bare     bool   // written without a dollar sign, as the lambdas of Trino and DuckDB have them
		Mark     bool   // written ?
	}

	// Unary is Op X with Op one of NOT, -, +, ~, @ or *.
	Unary struct {
		Span
		Op Op
		X  Expr
	}

	// Binary is L Op R for every operator that isn't a [Logic] chain.
	Binary struct {
		Span
		Op    Op
		OpPos Pos // of the operator: where a message about its operands points
		L, R  Expr
	}

	// Logic is a chain of one of AND, OR, XOR, ||, of any length from 2, left to right.
	Logic struct {
		Span
		Op   Op
		Args []Expr
	}

	// Between is X [NOT] BETWEEN [SYMMETRIC] Lo AND Hi. ASYMMETRIC, which is the rule, leaves no trace.
	Between struct {
		Span
		X, Lo, Hi      Expr
		Not, Symmetric bool // Symmetric: the bounds may stand either way round
	}

	// In is X [NOT] IN Set; Set is a Tuple for a parenthesised list, or a ListExpr, Param, Call, Subquery….
	In struct {
		Span
		X, Set Expr
		Not    bool
	}

	// Like is X [NOT] Op Pattern [ESCAPE Escape] with Op one of LIKE, ILIKE, GLOB, REGEXP, RLIKE, MATCH, SIMILAR TO.
	Like struct {
		Span
		Op         Op
		X, Pattern Expr
		Escape     Expr // the character that takes a meaning away from the next one, or nil
		Not        bool
	}

	// Is is X IS [NOT] What with What one of NULL, TRUE, FALSE, UNKNOWN. ISNULL and NOTNULL give the same node.
	Is struct {
		Span
		X    Expr
		What string
		Not  bool
	}

	// Cast is CAST(X AS Type), TRY_CAST, or X::Type.
	Cast struct {
		Span
		X    Expr
		Type *Type
		Form string // "CAST", "TRY_CAST", "BITCAST" or "::"
	}

	// Call is a function call: f(x), Module::f(x), count(DISTINCT x), sum(x) OVER (…). What is called may also be an
	// expression: $f(x), DateTime::Format("%Y")(x).
	Call struct {
		Span
		Callee   Expr // set instead of Func when what is called isn't a name
		Module   Name // empty, or the part before "::"
		Func     Name // as written: dialects differ about its case
		Distinct bool // f(DISTINCT x)
		Args     []Arg
		OrderBy  []OrderItem // inside the parentheses
		Within   []OrderItem // WITHIN GROUP (ORDER BY …), or nil
		Extra    string      // source text behind the arguments, blanks folded: JSON_VALUE(j, "$.a" RETURNING Int32)
		Filter   Expr        // FILTER (WHERE …), or nil
		Nulls    string      // "", "IGNORE", "RESPECT": what a window function does with NULLs
		Over     *Window     // set for a window function, or nil
	}

	// Arg is an argument of a call; Name is set for named ones (hive_partitioning = true, 1 AS a).
	Arg struct {
		Span
		Name *Name
		Sep  string // "AS", "=", ":=", "=>" or ":" between name and value; "FROM", "FOR", "TO", "PLACING", "LEADING", "BOTH FROM" before a value: SUBSTRING(a FROM 2)
		X    Expr
	}

	// Window is OVER name or OVER (PARTITION BY … ORDER BY … frame).
	Window struct {
		Span
		Name        *Name // the window that is named or extended
		Bare        bool  // OVER name, without parentheses
		PartitionBy []SelectItem
		OrderBy     []OrderItem
		Frame       string // source text of ROWS/RANGE …, blanks folded
	}

	// Case is CASE [Operand] WHEN … THEN … [ELSE Else] END.
	Case struct {
		Span
		Operand Expr   // what is compared with each When, or nil when these are conditions
		Whens   []When // one or more
		Else    Expr   // or nil: NULL
	}

	// When is one branch of a Case.
	When struct {
		Span
		If, Then Expr
	}

	// Tuple is (a, b), (a,) or (): also the list of IN. A parenthesised single expression leaves no node.
	Tuple struct {
		Span
		Items []Expr
	}

	// ListExpr is [a, b], also ARRAY[a, b].
	ListExpr struct {
		Span
		Items []Expr
		Array bool // ARRAY was written
	}

	// StructExpr is <|a: 1, b: 2|>, (1 AS a, 2 AS b), also {'a': 1} of dialects where that is a struct.
	StructExpr struct {
		Span
		Fields []Arg // in the order of the text, each with a Name
	}

	// DictExpr is {k: v, …}; with all Values nil it is a set {a, b}.
	DictExpr struct {
		Span
		Keys, Values []Expr // of one length
	}

	// Comprehension is [X FOR Params IN List IF If] of DuckDB.
	Comprehension struct {
		Span
		X      Expr
		Params []Param // bare; a second one counts from 1
		List   Expr
		If     Expr // or nil
	}

	// Member is X.Name where X isn't a plain name: $row.field, f(x).y, t.0.
	Member struct {
		Span
		X    Expr
		Name Name
	}

	// Index is X[I].
	Index struct {
		Span
		X, I Expr
	}

	// Slice is X[Lo:Hi:Step]; any of the three may be nil.
	Slice struct {
		Span
		X, Lo, Hi, Step Expr
	}

	// Lambda is ($x, $y?) -> (Body) or -> { Lets; RETURN Body; }.
	Lambda struct {
		Span
		Params []Param
		Lets   []*Let // statements before RETURN
		Block  bool   // written with braces
		Word   bool   // written lambda x: Body
		Body   Expr
	}

	// Subquery is (SELECT …) as a value.
	Subquery struct {
		Span
		Query Query
	}

	// Exists is EXISTS (SELECT …).
	Exists struct {
		Span
		Query Query
	}

	// Interval is INTERVAL X Unit, such as INTERVAL '1' DAY or INTERVAL '1-6' YEAR TO MONTH; Unit is upper case, empty for
	// INTERVAL '1 day'.
	Interval struct {
		Span
		X    Expr
		Unit string
	}

	// Extract is EXTRACT(Field FROM X).
	Extract struct {
		Span
		Field Name
		X     Expr
	}

	// TypedLiteral is a type name before a string: DATE '2021-01-01'.
	TypedLiteral struct {
		Span
		Type *Type
		Text *Literal
	}

	// TypeExpr is a type where a value stands, as in Nothing(Int32?) or FormatType(List<Int32>).
	TypeExpr struct {
		Span
		Type *Type
	}

	// Star is * or t.* where an expression may stand (select lists, COUNT(*)).
	Star struct {
		Span
		Table   []Name       // none for *
		Exclude []Name       // EXCLUDE / EXCEPT of dialects that have it
		Replace []SelectItem // REPLACE (expr AS column)
		Rename  []Renaming   // RENAME (column AS name)
	}

	// Renaming is a column of a Star and its new name.
	Renaming struct{ From, To Name }
)

func (*Ident) expr()         {}
func (*Param) expr()         {}
func (*Literal) expr()       {}
func (*Unary) expr()         {}
func (*Binary) expr()        {}
func (*Logic) expr()         {}
func (*Between) expr()       {}
func (*In) expr()            {}
func (*Like) expr()          {}
func (*Is) expr()            {}
func (*Cast) expr()          {}
func (*Call) expr()          {}
func (*Case) expr()          {}
func (*Tuple) expr()         {}
func (*ListExpr) expr()      {}
func (*StructExpr) expr()    {}
func (*DictExpr) expr()      {}
func (*Comprehension) expr() {}
func (*Member) expr()        {}
func (*Index) expr()         {}
func (*Slice) expr()         {}
func (*Lambda) expr()        {}
func (*Subquery) expr()      {}
func (*Exists) expr()        {}
func (*Interval) expr()      {}
func (*Extract) expr()       {}
func (*TypedLiteral) expr()  {}
func (*TypeExpr) expr()      {}
func (*Star) expr()          {}
