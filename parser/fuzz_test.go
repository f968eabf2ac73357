package parser

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/internal/casefile"
)

// FuzzParse: no text makes the parser panic; every place lies in the text, and inside its parent's; what parses is
// printed and read back as the same tree; and what can be formatted keeps its comments.
func FuzzParse(f *testing.F) {
	dialects := Dialects()
	seeds := 0
	eachCase(f, func(_ *testing.F, c casefile.Case, d *Dialect) {
		for i := range dialects {
			if seeds++; dialects[i] == d && seeds%25 < 5 {
				f.Add(c.SQL, uint8(i))
			}
		}
	})
	for i := range dialects {
		f.Add("$f = ($x?) -> { RETURN <|a: $x.0 |<< 1|>; }; -- c\nFROM a SELECT b[1] /* d */", uint8(i))
		f.Add("SELECT ((SELECT 1) UNION SELECT 2), x::int[], {'a': 1}, $$b$$ FROM ANY a JOIN (b, c) USING (d)", uint8(i))
		f.Add("CREATE TABLE t (a row(b int)) PARTITION BY RANGE(a) (PARTITION p VALUES [(1), (2))) BUCKETS 1", uint8(i))
		f.Add("DEFINE ACTION $a() AS SELECT 1; END DEFINE; EXPLAIN (a) INSERT INTO x (b) VALUES (1e5, .5, 0x1)", uint8(i))
	}
	// An escape in what is printed would make a text one of Flink's, which has none.
	f.Add("CREATE TABLE a PROPERTIES('\n')", uint8(4))
	f.Add("CREATE TABLE a PROPERTIES('\\')", uint8(4))
	f.Fuzz(func(t *testing.T, text string, dialect uint8) {
		d := dialects[int(dialect)%len(dialects)]
		checkText(t, text, d)
	})
}

func checkText(t *testing.T, text string, d *Dialect) {
	src := ast.NewSource("q", text)
	read, _ := d.of(src) // where it fails there are no statements
	stmts, err := Parse(src, d)
	if err != nil {
		for _, diag := range err.(ast.Diagnostics) {
			if diag.Pos < 0 || diag.End < diag.Pos || int(diag.End) > len(text) {
				t.Fatalf("%s: place %d–%d in %d bytes: %v", diag.Code, diag.Pos, diag.End, len(text), err)
			}
		}
	}
	for _, s := range stmts {
		if int(s.End()) > len(text) {
			t.Fatalf("statement ends at %d of %d", s.End(), len(text))
		}
		checkSpans(t, reflect.ValueOf(s), ast.Span{From: s.Pos(), To: s.End()})
		for _, width := range []int{0, 30} {
			st := read.Style()
			st.Width = width
			printed := ast.Print(s, st)
			again, err := Parse(ast.NewSource("q", printed), read)
			if err != nil || len(again) != 1 {
				t.Fatalf("%q\nprinted as %q\n%v", text, printed, err)
			}
			if diff := cmp.Diff(s, again[0], sameTree); diff != "" {
				t.Fatalf("%q\nprinted as %q\n%s", text, printed, diff)
			}
		}
	}
	if err == nil {
		if out, err := Format(src, d); err == nil {
			if _, err := Parse(ast.NewSource("q", out), d); err != nil {
				t.Fatalf("%q\nformatted as %q\n%v", text, out, err)
			}
		}
	}
}

// checkSpans checks that every node's span lies in that of the node that holds it.
func checkSpans(t *testing.T, v reflect.Value, in ast.Span) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			checkSpans(t, v.Elem(), in)
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkSpans(t, v.Index(i), in)
		}
	case reflect.Struct:
		if f := v.FieldByName("Span"); f.IsValid() {
			if s, ok := f.Interface().(ast.Span); ok && s != (ast.Span{}) {
				if s.From < in.From || s.To > in.To || s.From > s.To {
					t.Fatalf("%s at %d–%d isn't inside %d–%d", v.Type(), s.From, s.To, in.From, in.To)
				}
				in = s
			}
		}
		for i := range v.NumField() {
			checkSpans(t, v.Field(i), in)
		}
	}
}
