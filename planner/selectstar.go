package planner

import (
	"slices"

	"github.com/yqlplan/yqlplan/ast"
)

// isStruct reports whether a star stands for the fields of a column, as it may in DuckDB.
func (s *selection) isStruct(star *ast.Star) bool {
	return s.b.bind.sem.dialect == "duckdb" && slices.ContainsFunc(s.src.rels, func(r *relation) bool {
		return r.find(star.Table[len(star.Table)-1].Text, s.b.bind.sem.sameName) >= 0
	})
}

// checkStar reports a t.* without t, and names in EXCLUDE that don't exist.
func (s *selection) checkStar(star *ast.Star) {
	if len(star.Table) > 0 && len(s.starred(star)) == 0 && !s.isStruct(star) {
		last := &star.Table[len(star.Table)-1]
		var names []string
		for _, r := range s.src.rels {
			names = append(names, r.name)
		}
		s.b.report(last, "bind.table", didYouMean(last.Text, names), "there is no table %s in FROM", last.Text)
	}
	column := func(n *ast.Name) { s.bind(&ast.Ident{Span: n.Span, Parts: []ast.Name{*n}}, s.base) }
	for i := range star.Exclude {
		column(&star.Exclude[i])
	}
	for i := range star.Replace {
		column(star.Replace[i].Alias)
	}
	for i := range star.Rename {
		column(&star.Rename[i].From)
	}
}

// replaceIn binds what REPLACE puts in the place of columns.
func (s *selection) replaceIn(star *ast.Star, sc *scope) {
	if star.Replace == nil {
		return
	}
	if s.replaced == nil {
		s.replaced = map[*ast.Star][]expr{}
	}
	for i := range star.Replace {
		s.replaced[star] = append(s.replaced[star], s.bind(star.Replace[i].X, sc))
	}
}

// didYouMean is a hint with the nearest name, or empty.
func didYouMean(word string, names []string) string {
	if near, ok := ast.Nearest(word, names); ok {
		return "did you mean " + near + "?"
	}
	return ""
}

// starred are the relations whose columns a star means.
func (s *selection) starred(star *ast.Star) []*relation {
	if len(star.Table) == 0 {
		return s.src.rels
	}
	var out []*relation
	for _, r := range s.src.rels {
		if s.b.bind.sem.sameName(r.name, star.Table[len(star.Table)-1].Text) {
			out = append(out, r)
		}
	}
	return out
}
