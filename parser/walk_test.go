package parser

import (
	"reflect"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/internal/casefile"
)

// Preorder yields each node of a tree once: what a search by reflection finds.
func TestPreorder(t *testing.T) {
	eachCase(t, func(t *testing.T, c casefile.Case, d *Dialect) {
		stmts, _ := Parse(ast.NewSource(c.ID, c.SQL), d)
		for _, s := range stmts {
			want := map[ast.Node]bool{}
			findNodes(reflect.ValueOf(s), want)
			for n := range ast.Preorder(s) {
				if !want[n] {
					t.Errorf("%s: %T yielded twice, or not in the tree", c.ID, n)
				}
				delete(want, n)
			}
			for n := range want {
				t.Errorf("%s: %T %s isn't yielded", c.ID, n, ast.Print(n, d.Style()))
			}
		}
	})
}

// findNodes collects the nodes that have a type of their own.
func findNodes(v reflect.Value, found map[ast.Node]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch n := v.Interface().(type) {
		case ast.Expr:
			found[n] = true
		case ast.Stmt:
			found[n] = true
		case ast.TableExpr:
			found[n] = true
		case *ast.Type:
			found[n] = true
		}
		findNodes(v.Elem(), found)
	case reflect.Interface:
		findNodes(v.Elem(), found)
	case reflect.Slice:
		for i := range v.Len() {
			findNodes(v.Index(i), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			findNodes(v.Field(i), found)
		}
	}
}

// A walk can be left early.
func TestPreorderStops(t *testing.T) {
	d, _ := DialectByName("yql")
	x, err := ParseExpr(ast.NewSource("q", "a + b * c"), d)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range ast.Preorder(x) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d nodes", n)
	}
}
