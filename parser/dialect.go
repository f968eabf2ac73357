package parser

import (
	"slices"
	"strings"
	"sync"

	"github.com/yqlplan/yqlplan/ast"
)

// Dialect is what differs between the dialects of SQL, as data: one permissive grammar reads them all.
type Dialect struct {
	Name string

	// Lexical facts.
	Single, Double, Back Quoting  // what '…', "…" and `…` are
	DDL                  *Quoting // '…' and "…" in DDL, up to a SELECT, and only there is `…` a name; nil: all as elsewhere
	RawStrings           bool     // @@…@@
	DollarStrings        bool     // $$…$$ and $tag$…$tag$; else $x is a named expression
	DollarNames          bool     // $ within a name: t$snapshots
	DottedQuotes         bool     // `db.t` names table t of db
	EscapePrefix         bool     // E'…' has backslash escapes
	UnicodeStrings       bool     // U&'…' has code points
	NestedComments       bool     // /* /* */ */
	OptionHints          bool     // /*+ OPTIONS(…) */ behind a table is no comment
	ColumnActions        bool     // columns of ALTER TABLE are read, and not only kept as text
	DigitGroups          bool     // 1_000
	Modules              bool     // a::b names b of module a, instead of a cast
	Braces               bool     // {'a': 1} is a struct, not a dictionary
	Marks                bool     // ? is a parameter
	Chained              bool     // x.f(y) is f(x, y)
	Prefixed             bool     // a: x names x as x AS a does
	JoinedStrings        bool     // 'a' and 'b' on the next line are 'ab'
	ANSI                 *Dialect // what a text is read as that begins with --!ansi_lexer; or nil
	Plain                *Dialect // what a text of Flink is read as, whose strings have no escapes; or nil
	BareRows             bool     // VALUES 1, 2 has two rows
	IntSuffixes          []string // upper case
	FloatSuffixes        []string
	StringSuffixes       []string

	// Operators stand in levels, the loosest first, all left-associative but ??. NOT is a prefix that binds like its
	// level; where no level has it, it binds as tightly as the signs: tighter than any infix operator.
	Levels    [][]ast.Op
	Spellings map[string]ast.Op // operators that the dialect writes in another way, upper case
	Matching  map[string]ast.Op // signs that mean LIKE and its kin, but bind like ||; with ! before them, NOT LIKE

	signs     map[string]bool     // operators of several characters that only some dialects have
	operators map[string]operator // by their upper case text
	levels    map[ast.Op]int
	grammar   func() *grammar
}

// Quoting says what a quoted text is and how it is decoded.
type Quoting struct {
	Is  Role
	How ast.Quote
}

// Role is what a quoted text stands for.
type Role uint8

const (
	Nothing Role = iota // the character doesn't quote
	String              // a text constant
	Name                // an identifier
)

// operator is an infix or postfix operator of a dialect.
type operator struct {
	op    ast.Op
	level int // from 1, the loosest
}

// spellings are the operators whose text isn't their canonical one, in all dialects that have them.
var spellings = map[string]ast.Op{
	"==": ast.OpEq, "<>": ast.OpNe, "ISNULL": ast.OpIs, "NOTNULL": ast.OpIs, "SIMILAR": ast.OpSimilar,
}

var (
	equal   = []ast.Op{ast.OpEq, ast.OpNe, ast.OpDistinct}
	order   = []ast.Op{ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe}
	within  = []ast.Op{ast.OpIn, ast.OpBetween}
	null    = []ast.Op{ast.OpIs}
	sum     = []ast.Op{ast.OpAdd, ast.OpSub}
	product = []ast.Op{ast.OpMul, ast.OpDiv, ast.OpMod}
	whole   = []ast.Op{ast.OpMul, ast.OpDiv, ast.OpMod, ast.OpIntDiv}
	bits    = []ast.Op{ast.OpBitAnd, ast.OpBitOr, ast.OpShl, ast.OpShr}
)

func level(groups ...[]ast.Op) []ast.Op {
	var out []ast.Op
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

func one(op ast.Op) []ast.Op { return []ast.Op{op} }

// yql is YDB's language (YQL reference, "Lexical structure" and "Operators"; SQLv1Antlr4.g).
func yql() *Dialect {
	c := Quoting{String, ast.CQuote}
	d := &Dialect{
		Name: "yql", Single: c, Double: c, Back: Quoting{Name, ast.BothQuote}, RawStrings: true, Modules: true,
		IntSuffixes:    []string{"U", "L", "S", "T", "UL", "US", "UT", "P"},
		FloatSuffixes:  []string{"F", "P"},
		StringSuffixes: []string{"S", "U", "Y", "J", "P"},
		Levels: [][]ast.Op{
			one(ast.OpOr), one(ast.OpAnd), one(ast.OpXor),

			level(equal, within, null, []ast.Op{ast.OpLike, ast.OpILike, ast.OpGlob, ast.OpRegexp, ast.OpRLike, ast.OpMatch}),
			order, level(bits, []ast.Op{ast.OpBitXor, ast.OpRotl, ast.OpRotr}), one(ast.OpCoalesce), sum, product, one(ast.OpConcat),
		},
	}
	ansi := *d
	ansi.Single, ansi.Double, ansi.NestedComments = Quoting{String, ast.DoubledQuote}, Quoting{Name, ast.DoubledQuote}, true
	d.ANSI = &ansi
	return d
}

// athena is Athena's language: DDL follows Hive, queries follow Trino (SqlBase.g4). SHOW CREATE TABLE prints `db.t` for a
// table t of db.
func athena() *Dialect {
	return &Dialect{
		Name: "athena", Single: Quoting{String, ast.DoubledQuote}, Double: Quoting{Name, ast.DoubledQuote},
		Back: Quoting{Name, ast.DoubledQuote}, DDL: &Quoting{String, ast.BothQuote}, DigitGroups: true, BareRows: true,
		UnicodeStrings: true, Marks: true, DottedQuotes: true,
		Levels: [][]ast.Op{
			one(ast.OpOr), one(ast.OpAnd), one(ast.OpNot),
			level(equal, order, within, null, one(ast.OpLike)), one(ast.OpConcat), sum, product,
		},
	}
}

// duckdb follows PostgreSQL's precedences (DuckDB, grammar.y).
func duckdb() *Dialect {
	return &Dialect{
		Name: "duckdb", Single: Quoting{String, ast.DoubledQuote}, Double: Quoting{Name, ast.DoubledQuote},
		Back: Quoting{Nothing, ast.NoQuote}, DollarStrings: true, EscapePrefix: true, NestedComments: true, DigitGroups: true, Braces: true,
		Marks: true, Chained: true, Prefixed: true, JoinedStrings: true,
		Levels: [][]ast.Op{
			one(ast.OpArrow), one(ast.OpOr), one(ast.OpAnd), one(ast.OpNot), level(null, one(ast.OpDistinct)),
			level([]ast.Op{ast.OpEq, ast.OpNe}, order),
			level(within, []ast.Op{ast.OpLike, ast.OpILike, ast.OpGlob, ast.OpSimilar}),
			level(one(ast.OpConcat), bits, []ast.Op{ast.OpStartsWith, ast.OpArrowText, ast.OpContains, ast.OpContained, ast.OpOverlaps}),
			sum, whole, one(ast.OpPower),
		},
		Spellings: map[string]ast.Op{"^": ast.OpPower},
		Matching: map[string]ast.Op{"~~": ast.OpLike, "!~~": ast.OpLike, "~~*": ast.OpILike, "!~~*": ast.OpILike, "~~~": ast.OpGlob,
			"~": ast.OpSimilar, "!~": ast.OpSimilar},
	}
}

// doris follows MySQL's precedences; || is OR (DorisParser.g4).
func doris() *Dialect {
	both := Quoting{String, ast.BothQuote}
	return &Dialect{
		Name: "doris", Single: both, Double: both, Back: Quoting{Name, ast.DoubledQuote},
		Levels: [][]ast.Op{
			one(ast.OpOr), one(ast.OpXor), one(ast.OpAnd), one(ast.OpNot), one(ast.OpBetween),
			level(equal, order, []ast.Op{ast.OpNullSafeEq, ast.OpIn, ast.OpIs, ast.OpLike, ast.OpRegexp, ast.OpRLike, ast.OpMatch}),
			one(ast.OpBitOr), one(ast.OpBitAnd), {ast.OpShl, ast.OpShr}, sum, whole, one(ast.OpBitXor),
		},
		Spellings: map[string]ast.Op{"||": ast.OpOr, "&&": ast.OpAnd, "DIV": ast.OpIntDiv, "MOD": ast.OpMod},
	}
}

// paimon reads the DDL and queries of Flink and Spark (SqlBaseParser.g4). A backslash is itself in Flink's strings and
// begins an escape in Spark's.
func paimon() *Dialect {
	both, plain := Quoting{String, ast.BothQuote}, Quoting{String, ast.DoubledQuote}
	d := &Dialect{
		Name: "paimon", Single: both, Double: both, Back: Quoting{Name, ast.DoubledQuote},
		OptionHints: true, ColumnActions: true, DollarNames: true,
		IntSuffixes: []string{"L", "S", "Y", "BD"}, FloatSuffixes: []string{"D", "F", "BD"},
		Levels: [][]ast.Op{
			one(ast.OpOr), one(ast.OpAnd), one(ast.OpNot),
			level(within, null, []ast.Op{ast.OpDistinct, ast.OpLike, ast.OpILike, ast.OpRLike, ast.OpRegexp, ast.OpSimilar}),
			level([]ast.Op{ast.OpEq, ast.OpNe, ast.OpNullSafeEq}, order),
			one(ast.OpBitOr), one(ast.OpBitXor), one(ast.OpBitAnd), {ast.OpShl, ast.OpShr},
			level(sum, one(ast.OpConcat)), whole,
		},
		Spellings: map[string]ast.Op{"DIV": ast.OpIntDiv},
	}
	flink := *d
	flink.Single, flink.Double = plain, plain
	d.Plain = &flink
	return d
}

// all builds the dialects when the first is asked for.
var all = sync.OnceValue(func() []*Dialect {
	ds := []*Dialect{yql(), athena(), duckdb(), doris(), paimon()}
	for _, d := range ds {
		d.complete()
		if d.ANSI != nil {
			d.ANSI.complete()
		}
		if d.Plain != nil {
			d.Plain.complete()
		}
	}
	return ds
})

// Dialects are all dialects, "yql" first.
func Dialects() []*Dialect { return slices.Clone(all()) }

// DialectByName finds "yql", "athena", "duckdb", "doris" or "paimon".
func DialectByName(name string) (*Dialect, bool) {
	i := slices.IndexFunc(all(), func(d *Dialect) bool { return d.Name == name })
	if i < 0 {
		return nil, false
	}
	return all()[i], true
}

// complete derives what parsing looks up from the data.
func (d *Dialect) complete() {
	levels := map[ast.Op]int{}
	for i, ops := range d.Levels {
		for _, op := range ops {
			levels[op] = i + 1
		}
	}
	d.operators = map[string]operator{}
	add := func(text string, op ast.Op) {
		if l, ok := levels[op]; ok {
			d.operators[text] = operator{op, l}
		}
	}
	for op := range levels {
		if text, _, several := strings.Cut(string(op), " "); !several && op != ast.OpNot {
			add(text, op)
		}
	}
	for text, op := range spellings {
		add(text, op)
	}
	for text, op := range d.Spellings {
		add(text, op)
	}
	d.signs = map[string]bool{}
	for text, op := range d.Matching {
		d.operators[text] = operator{op, levels[ast.OpConcat]}
		d.signs[text] = true
	}
	for _, op := range []ast.Op{ast.OpStartsWith, ast.OpArrowText, ast.OpContains, ast.OpContained} {
		d.signs[string(op)] = levels[op] > 0
	}
	// NOT stands before IN, LIKE and BETWEEN; IS before DISTINCT: what follows decides their level.
	d.operators["NOT"] = operator{ast.OpNot, 0}
	d.levels = levels
	d.grammar = sync.OnceValue(func() *grammar { return newGrammar(d) })
}

// Style is how trees of this dialect are printed, on one line.
func (d *Dialect) Style() ast.Style {
	st := ast.Style{Levels: d.Levels, NameQuote: '`', KeyQuote: '\'', TextQuote: '\'', Escapes: d.Single.How,
		ColumnKey: "PRIMARY KEY", Braces: d.Braces}
	switch d.Name {
	case "yql":
		st.KeyQuote, st.TextQuote = '`', '"'
		if d.Double.Is == Name {
			st.KeyQuote, st.NameQuote, st.TextQuote = '"', '"', '\''
		}
	case "athena":
		st.NameQuote, st.HiveQuote = '"', '`'
	case "duckdb":
		st.NameQuote = '"'
	case "doris":
		st.KeyQuote, st.ColumnKey = '"', "KEY"
		st.Spell = map[ast.Op]string{ast.OpIntDiv: "DIV"}
	case "paimon":
		st.ColumnKey = "PRIMARY KEY NOT ENFORCED"
		st.Spell = map[ast.Op]string{ast.OpIntDiv: "DIV"}
	}
	return st
}
