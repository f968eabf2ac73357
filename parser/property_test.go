package parser

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/ast"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.seed"); f.Value.String() == f.DefValue { // the same trees in every run
		if err := f.Value.Set("1"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// gen draws trees that a dialect can write.
type gen struct {
	*rapid.T
	d *Dialect
}

func (g gen) n(limit int) int       { return rapid.IntRange(0, limit-1).Draw(g.T, "n") }
func (g gen) yes() bool             { return rapid.Bool().Draw(g.T, "yes") }
func (g gen) of(s ...string) string { return rapid.SampledFrom(s).Draw(g.T, "of") }

func (g gen) name() ast.Name {
	if g.n(4) == 0 {
		return ast.Name{Text: g.of("a b", "x.y", "`", `"`, `\`, "select", "йц", ""), Quoted: true}
	}
	return ast.Name{Text: g.of("a", "b", "date", "timestamp", "interval", "year", "x1", "_")}
}

func (g gen) literal() *ast.Literal {
	src := g.of("1", "02", "1.5", "1e3", "'a'", "'it'", "NULL", "true", "FALSE")
	x, err := ParseExpr(ast.NewSource("q", src), g.d)
	if err != nil {
		g.Fatal(err)
	}
	return x.(*ast.Literal)
}

func (g gen) typ(depth int) *ast.Type {
	t := &ast.Type{Name: ast.Name{Text: g.of("Int32", "String", "Date")}}
	if depth > 0 && g.yes() {
		t = &ast.Type{Name: ast.Name{Text: "Struct"}}
		for range 1 + g.n(2) {
			f := ast.TypeField{Type: g.typ(depth - 1)}
			if g.yes() {
				n := g.name()
				f.Name = &n
			}
			t.Args = append(t.Args, f)
		}
	}
	t.Optional = g.n(4) == 0
	return t
}

func (g gen) exprs(depth, least int) []ast.Expr {
	out := []ast.Expr{}
	for range least + g.n(3) {
		out = append(out, g.expr(depth))
	}
	return out
}

func (g gen) leaf() ast.Expr {
	switch g.n(4) {
	case 0:
		return g.literal()
	case 1:
		if g.d.DollarNames || g.d.DollarStrings || g.d.Name == "yql" {
			return &ast.Ident{Parts: []ast.Name{g.name()}}
		}
		return &ast.Param{Name: g.of("x", "y")}
	case 2:
		return &ast.Ident{Parts: []ast.Name{g.name(), g.name()}}
	}
	return &ast.Ident{Parts: []ast.Name{g.name()}}
}

// infix is an operator that the dialect has.
func (g gen) infix(depth int) ast.Expr {
	ops := g.d.Levels[g.n(len(g.d.Levels))]
	op := ops[g.n(len(ops))]
	if again, other := g.d.Spellings[string(op)]; other && again != op {
		op = again // ^ is a power
	}
	if op == ast.OpArrow {
		op = ast.OpOr // with a name to its left, -> is a lambda
	}
	switch {
	case op == ast.OpNot:
		return &ast.Unary{Op: op, X: g.expr(depth)}
	case op == ast.OpAnd || op == ast.OpOr || op == ast.OpXor || op == ast.OpConcat:
		return &ast.Logic{Op: op, Args: g.exprs(depth, 2)}
	case op == ast.OpBetween:
		return &ast.Between{X: g.expr(depth), Lo: g.expr(depth), Hi: g.expr(depth), Not: g.yes(), Symmetric: g.yes()}
	case op == ast.OpIn:
		return &ast.In{X: g.expr(depth), Not: g.yes(), Set: &ast.Tuple{Items: g.exprs(depth, 0)}}
	case op == ast.OpIs:
		return &ast.Is{X: g.expr(depth), What: g.of("NULL", "TRUE", "FALSE", "UNKNOWN"), Not: g.yes()}
	case op == ast.OpDistinct && g.yes():
		op = ast.OpNotDistinct
	case predicate(op):
		l := &ast.Like{Op: op, X: g.expr(depth), Pattern: g.expr(depth), Not: g.yes()}
		if g.yes() {
			l.Escape = g.expr(depth)
		}
		return l
	}
	return &ast.Binary{Op: op, L: g.expr(depth), R: g.expr(depth)}
}

func (g gen) expr(depth int) ast.Expr {
	if depth == 0 {
		return g.leaf()
	}
	depth--
	switch g.n(12) {
	case 0:
		return &ast.Unary{Op: rapid.SampledFrom([]ast.Op{ast.OpNot, ast.OpNeg, ast.OpPlus, ast.OpBitNot}).Draw(g.T, "op"), X: g.expr(depth)}
	case 1:
		return g.call(depth)
	case 2:
		c := &ast.Case{Whens: []ast.When{{If: g.expr(depth), Then: g.expr(depth)}}}
		if g.yes() {
			c.Operand = g.expr(depth)
		}
		if g.yes() {
			c.Else = g.expr(depth)
		}
		return c
	case 3:
		if xs := g.exprs(depth, 0); len(xs) != 0 {
			return &ast.Tuple{Items: xs}
		}
		return &ast.Tuple{}
	case 4:
		return &ast.ListExpr{Items: g.exprs(depth, 0)}
	case 5:
		return &ast.Index{X: g.expr(depth), I: g.expr(depth)}
	case 6:
		return &ast.Member{X: g.memberOf(depth), Name: g.name()}
	case 7:
		return &ast.Cast{Form: g.of("CAST", "TRY_CAST"), X: g.expr(depth), Type: g.typ(2)}
	case 9:
		if g.d.Braces {
			return g.duckdb(depth)
		}
	case 8:
		return &ast.Subquery{Query: &ast.Select{Items: []ast.SelectItem{{X: g.expr(depth)}}}}
	}
	return g.infix(depth)
}

// duckdb is a form that only DuckDB has.
func (g gen) duckdb(depth int) ast.Expr {
	param := ast.Param{Name: "x", Bare: true}
	switch g.n(6) {
	case 0:
		s := &ast.Slice{X: g.expr(depth), Step: g.maybe(depth)}
		if s.Lo, s.Hi = g.maybe(depth), g.maybe(depth); s.Lo == nil && s.Hi == nil {
			s.Hi = g.leaf()
		}
		return s
	case 1:
		return &ast.Comprehension{X: g.expr(depth), Params: []ast.Param{param}, List: g.expr(depth), If: g.maybe(depth)}
	case 2:
		return &ast.Lambda{Word: true, Params: []ast.Param{param, {Name: "y", Bare: true}}, Body: g.expr(depth)}
	case 3:
		return &ast.DictExpr{Keys: []ast.Expr{g.expr(depth)}, Values: []ast.Expr{g.expr(depth)}}
	case 4:
		return &ast.Call{Func: ast.Name{Text: ast.Collate}, Args: []ast.Arg{{X: g.expr(depth)}, {X: &ast.Ident{Parts: []ast.Name{{Text: "nocase"}}}}}}
	}
	return &ast.Unary{Op: ast.OpAbs, X: g.expr(depth)}
}

// maybe is an expression or nil.
func (g gen) maybe(depth int) ast.Expr {
	if g.yes() {
		return nil
	}
	return g.expr(depth)
}

// memberOf is what .name may follow without becoming a part of a name, or of a number.
func (g gen) memberOf(depth int) ast.Expr {
	x := g.expr(depth)
	if t, ok := x.(*ast.Tuple); ok && len(t.Items) == 0 {
		return &ast.ListExpr{Items: []ast.Expr{}}
	}
	return x
}

func (g gen) call(depth int) ast.Expr {
	c := &ast.Call{Func: ast.Name{Text: g.of("f", "Date", "count")}, Distinct: g.n(4) == 0}
	for _, x := range g.exprs(depth, 0) {
		c.Args = append(c.Args, ast.Arg{X: x})
	}
	if g.n(4) == 0 {
		c.Filter = g.expr(depth)
	}
	if g.n(4) == 0 {
		c.Over = &ast.Window{OrderBy: []ast.OrderItem{{X: g.expr(depth), Desc: g.yes()}}}
	}
	return c
}

// What is printed is read back as the same tree, in every dialect.
func TestPrintExpr(t *testing.T) {
	for _, d := range Dialects() {
		t.Run(d.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				x := gen{t, d}.expr(rapid.IntRange(0, 4).Draw(t, "depth"))
				text := ast.Print(x, d.Style())
				again, err := ParseExpr(ast.NewSource("q", text), d)
				if err != nil {
					t.Fatalf("%s\n%v", text, err)
				}
				if diff := cmp.Diff(x, again, sameTree); diff != "" {
					t.Fatalf("%s\n%s", text, diff)
				}
			})
		})
	}
}

// Brackets stand only where they are needed: without any pair of them, the text means something else or nothing.
func TestPrintBrackets(t *testing.T) {
	d, _ := DialectByName("yql")
	rapid.Check(t, func(t *rapid.T) {
		g := gen{t, d}
		x := g.infix(2)
		text := ast.Print(x, d.Style())
		for i := range len(text) {
			if text[i] != '(' || strings.ContainsAny(text, "'`\"") {
				continue
			}
			shut := matching(text, i)
			inner := text[i+1 : shut]
			if strings.Trim(inner, "0123456789.e") == "" || strings.Contains(inner, ",") || strings.HasPrefix(inner, "SELECT") || i > 0 && text[i-1] != ' ' && text[i-1] != '(' && text[i-1] != '-' {
				continue // not for grouping
			}
			if before := strings.TrimRight(text[:i], " "); strings.HasSuffix(before, " IN") {
				continue
			}
			switch part, _ := ParseExpr(ast.NewSource("q", inner), d); part.(type) {
			case *ast.In, *ast.Is: // nothing to their right could be taken for theirs
				continue
			}
			less, err := ParseExpr(ast.NewSource("q", text[:i]+" "+inner+" "+text[shut+1:]), d)
			if err == nil && cmp.Equal(x, less, sameTree) {
				t.Fatalf("brackets at %d aren't needed: %s", i, text)
			}
		}
	})
}

func matching(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s) - 1
}
