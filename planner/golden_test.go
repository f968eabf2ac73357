package planner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// Golden files: "bind" prints what is found in a condition, "diagram" its diagram and why it is not exact. Lines before
// the last are statements that define names.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			r := events()
			text := statement(d.Input)
			e, found, src := bound(t, r, text)
			found.Locate(ast.Sources{src})
			var b strings.Builder
			for _, x := range found {
				fmt.Fprintf(&b, "%s: %s: %s\n%s", x.Severity, x.Code, x.Msg, x.Excerpt())
			}
			switch d.Cmd {
			case "bind":
				if len(found) == 0 {
					fmt.Fprintf(&b, "%s\n", e.typ())
				}
			case "diagram":
				l := lower(e, r, pruning.NewSpace(r.table.Layout.Keys, 0))
				fmt.Fprintf(&b, "%s\n", l.d)
				for _, why := range l.reasons {
					fmt.Fprintf(&b, "open: %s: %s\n", src.Slice(why.at.Pos(), why.at.End()), why.text)
				}
				if l.check.At != nil {
					fmt.Fprintf(&b, "check after levels %b\n", l.check.Depths)
				}
				if l.exact != (len(l.reasons) == 0) {
					t.Errorf("exact is %v with %d reasons", l.exact, len(l.reasons))
				}
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			return b.String()
		})
	})
}

// statement puts the last line of an input into a SELECT.
func statement(input string) string {
	input = strings.TrimSpace(input)
	i := strings.LastIndexByte(input, '\n') + 1
	return input[:i] + "SELECT * FROM t WHERE " + input[i:]
}
