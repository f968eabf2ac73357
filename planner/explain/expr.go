package explain

import (
	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/planner"
)

// dialect writes expressions as the dialect of a scan's table has them.
type dialect struct{ style ast.Style }

func dialectOf(s *planner.Scan) dialect {
	d, ok := parser.DialectByName(s.Table.System)
	if !ok {
		d = parser.Dialects()[0]
	}
	return dialect{d.Style()}
}

// text is an expression on one line.
func (d dialect) text(x ast.Expr) string { return ast.Print(x, d.style) }
