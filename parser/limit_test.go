package parser

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
)

// Long lists are fine, deep nesting gets a finding; nothing recurses on the length of a text.
func TestLimits(t *testing.T) {
	d, _ := DialectByName("yql")
	for _, c := range []struct{ name, text, code string }{
		{"brackets", "SELECT " + strings.Repeat("(", 5_000_000), "syntax.depth"},
		{"closed brackets", "SELECT " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000), "syntax.depth"},
		{"256 brackets", "SELECT " + strings.Repeat("(", 256) + "1" + strings.Repeat(")", 256), ""},
		{"257 brackets", "SELECT " + strings.Repeat("(", 257) + "1" + strings.Repeat(")", 257), "syntax.depth"},
		{"subqueries", strings.Repeat("SELECT * FROM (", 250) + "SELECT 1" + strings.Repeat(")", 250), ""},
		{"NOT", "SELECT " + strings.Repeat("NOT ", 100_000) + "1", "syntax.depth"},
		{"256 NOT", "SELECT " + strings.Repeat("NOT ", 256) + "1", ""},
		{"257 NOT", "SELECT " + strings.Repeat("NOT ", 257) + "1", "syntax.depth"},
		{"minus", "SELECT " + strings.Repeat("- ", 100_000) + "1", "syntax.depth"},
		{"CASE", "SELECT " + strings.Repeat("CASE WHEN ", 100_000) + "1", "syntax.depth"},
		{"??", "SELECT " + strings.Repeat("a ?? ", 100_000) + "1", "syntax.depth"},
		{"lambdas", "$x = " + strings.Repeat("a -> ", 100_000) + "1", "syntax.depth"},
		{"types", "DECLARE $x AS " + strings.Repeat("List<", 100_000), "syntax.depth"},
		{"EXPLAIN", strings.Repeat("EXPLAIN PREPARE a FROM ", 100_000) + "SELECT 1", "syntax.depth"},
		{"structs", "SELECT " + strings.Repeat("<|a: ", 1_000_000), "syntax.depth"},
		{"queries in lambdas", "$a = " + strings.Repeat("(SELECT ($x) -> { $b = ", 80) + "1" + strings.Repeat("; RETURN 1; }) UNION SELECT 1", 80), ""},
		{"a query in brackets", "SELECT " + strings.Repeat("(", 250) + "SELECT 1" + strings.Repeat(", 1", 300_000) + strings.Repeat(")", 250), ""},
		{"plus", "SELECT " + strings.Repeat("a + ", 100_000) + "1", "syntax.depth"},
		{"900 plus", "SELECT " + strings.Repeat("a + ", 900) + "1", ""},
		{"members", "SELECT $a" + strings.Repeat(".a", 100_000), "syntax.depth"},
		{"calls", "SELECT $a" + strings.Repeat("()", 100_000), "syntax.depth"},
		{"joins", "SELECT * FROM a" + strings.Repeat(" JOIN b", 100_000), "syntax.depth"},
		{"tables", "SELECT * FROM a" + strings.Repeat(", b", 100_000), "syntax.depth"},
		{"AND", "SELECT a" + strings.Repeat(" AND a", 100_000), ""},
		{"OR", "SELECT a = 1" + strings.Repeat(" OR a = 1", 100_000), ""},
		{"||", "SELECT a" + strings.Repeat(" || a", 100_000), ""},
		{"IN", "SELECT a IN (0" + strings.Repeat(", 1", 100_000) + ")", ""},
		{"UNION", "SELECT 1" + strings.Repeat(" UNION SELECT 1", 10_000), ""},
		{"statements", strings.Repeat("SELECT 1;", 10_000), ""},
		{"a long string", "SELECT '" + strings.Repeat("a ", 10_000_000) + "'", ""},
	} {
		_, err := Parse(ast.NewSource(c.name, c.text), d)
		switch {
		case err == nil && c.code != "":
			t.Errorf("%s: parsed, want %s", c.name, c.code)
		case err != nil && err.(ast.Diagnostics)[0].Code != c.code:
			t.Errorf("%s: %s, want %q", c.name, err.(ast.Diagnostics)[0], c.code)
		}
	}
}

// A statement with too many tokens is cut off; the next one is read.
func TestTooLong(t *testing.T) {
	d, _ := DialectByName("yql")
	src := ast.NewSource("q", "SELECT "+strings.Repeat("1, ", 50)+"1; SELECT 2")
	s := newScanner(src, d)
	s.limit = 100
	stmts, err := s.all(src)
	if err == nil || err.(ast.Diagnostics)[0].Code != "syntax.size" || err.(ast.Diagnostics)[0].Pos != 155 {
		t.Errorf("%v", err)
	}
	if len(stmts) != 1 {
		t.Errorf("%d statements", len(stmts))
	}
}

// The errors of a text are counted, not its statements.
func TestManyErrors(t *testing.T) {
	d, _ := DialectByName("yql")
	stmts, err := Parse(ast.NewSource("q", strings.Repeat("SELECT 1; SELCT 2;", 1000)), d)
	if n := len(err.(ast.Diagnostics)); n != maxErrors || len(stmts) != maxErrors {
		t.Errorf("%d errors, %d statements", n, len(stmts))
	}
}

// Positions count from the place of a text among others.
func TestBase(t *testing.T) {
	d, _ := DialectByName("yql")
	var all ast.Sources
	if _, err := all.Add("a", "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	src, err := all.Add("b", "SELECT a FROM t;\nSELECT b FORM t")
	if err != nil {
		t.Fatal(err)
	}
	stmts, err := Parse(src, d)
	if got := src.Slice(stmts[0].Pos(), stmts[0].End()); got != "SELECT a FROM t" {
		t.Errorf("statement %q", got)
	}
	diag := err.(ast.Diagnostics)[0]
	if got := diag.Error(); got != "b:2:10: error: FORM is not a keyword" {
		t.Error(got)
	}
	if all.At(diag.Pos) != src {
		t.Error("the position lies in another text")
	}
}

// A statement of 600 bytes is parsed with few allocations, in a room that is there.
func TestAllocations(t *testing.T) {
	d, _ := DialectByName("yql")
	src, room := ast.NewSource("q", projection), newRoom()
	parse := func() {
		s := newScanner(src, d)
		s.room = room
		if _, err := s.all(src); err != nil {
			t.Fatal(err)
		}
	}
	const runs = 100
	if n := testing.AllocsPerRun(runs, parse); n > 105 {
		t.Errorf("%v allocations", n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		parse()
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / runs; n > 15_000 {
		t.Errorf("%d bytes", n)
	}
}

// Trees don't share memory with the tokens that they were made of, which are written over: the same texts, one by one and
// at the same time, have equal trees. Statements of more tokens than a room has are among them.
func TestRooms(t *testing.T) {
	d, _ := DialectByName("yql")
	texts := []string{projection, "SELECT 1; SELECT a, b FROM t WHERE c IN (1, 2)", "SELECT (1", ""}
	for _, n := range []int{roomSize - 2, roomSize - 1, roomSize, roomSize + 1, 3 * roomSize} { // and SELECT
		texts = append(texts, "SELECT 1"+strings.Repeat("+", n-2)+"1; SELECT 2", "SELECT 1"+strings.Repeat(", 1", n/2))
	}
	read := func(text string, d *Dialect) string {
		stmts, err := Parse(ast.NewSource("q", text), d)
		out := fmt.Sprint(err)
		for _, st := range stmts {
			out += "; " + ast.Print(st, d.Style())
		}
		return out
	}
	var want []string
	for _, text := range texts {
		fresh := *d
		fresh.grammar = sync.OnceValue(func() *grammar { return newGrammar(d) })
		want = append(want, read(text, &fresh))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 3 {
				for i, text := range texts {
					if got := read(text, d); got != want[i] {
						t.Errorf("%.40s: %.200s, want %.200s", text, got, want[i])
					}
				}
			}
		})
	}
	wg.Wait()
}
