package planner_test

import (
	"fmt"
	"slices"
)

// chain is a FROM of several joins in a row. cols are its columns by the names that other clauses may use: those of
// USING without a qualifier. A column that has lost its name to a later USING is "".
type chain struct {
	text   string
	cols   []string
	tables int
	eval   func(map[string][]row) []row
}

// chained makes a query of two or three joins in a row.
func (g *generator) chained() query {
	c := g.link()
	for range 2 + g.IntN(2) {
		c = g.joinTo(c)
	}
	var seen []int
	var names []string
	for i, name := range c.cols {
		if name != "" {
			seen, names = append(seen, i), append(names, name)
		}
	}
	return g.selectFrom(c.text, names, func(ts map[string][]row) []row { return project(c.eval(ts), seen) })
}

// link is a chain of one table.
func (g *generator) link() chain {
	text, alias, cols, eval := g.from(0)
	return chain{text, qualify(alias, cols), 1, eval}
}

func (g *generator) joinTo(l chain) chain {
	r := g.link()
	kind := g.pick([]string{"INNER", "INNER", "LEFT", "LEFT", "RIGHT", "RIGHT", "FULL", "FULL", "EXCLUSION", "LEFT SEMI", "RIGHT SEMI", "LEFT ONLY", "RIGHT ONLY"})
	k := g.IntN(len(r.cols))
	name := []string{"y", "z", "v"}[k]
	i := slices.Index(l.cols, name)
	if i < 0 && l.tables == 1 {
		i = k
	}
	using := i >= 0 && g.IntN(3) > 0
	for !using && (i < 0 || l.cols[i] == "") {
		i = g.IntN(len(l.cols))
	}
	out := chain{cols: slices.Concat(l.cols, r.cols), tables: l.tables + 1}
	nl := len(l.cols)
	on := condition{text: l.cols[i] + " = " + r.cols[k], eval: func(x row) truth {
		if x[i].null || x[nl+k].null {
			return dunno
		}
		return truthOf(x[i].n == x[nl+k].n)
	}}
	out.text = fmt.Sprintf("%s %s JOIN %s ON %s", l.text, kind, r.text, on.text)
	if using {
		out.text = fmt.Sprintf("%s %s JOIN %s USING (%s)", l.text, kind, r.text, name)
	}
	rows := func(ts map[string][]row) []row { return joinRows(kind, l.eval(ts), r.eval(ts), nl, len(r.cols), on) }
	switch kind {
	case "LEFT SEMI", "LEFT ONLY":
		out.cols, out.tables, out.eval = l.cols, l.tables, rows
		return out
	case "RIGHT SEMI", "RIGHT ONLY":
		out.cols, out.tables, out.eval = r.cols, 1, rows
		return out
	}
	if out.eval = rows; using {
		out.merge(name, func(x row) cell {
			if kind == "RIGHT" || kind != "INNER" && kind != "LEFT" && x[i].null {
				return x[nl+k]
			}
			return x[i]
		})
	}
	return out
}

// merge adds the column of a USING, which hides an earlier one of that name.
func (c *chain) merge(name string, value func(row) cell) {
	c.cols = append(slices.Clone(c.cols), name)
	if i := slices.Index(c.cols, name); i < len(c.cols)-1 {
		c.cols[i] = ""
	}
	rows := c.eval
	c.eval = func(ts map[string][]row) (out []row) {
		for _, x := range rows(ts) {
			out = append(out, append(slices.Clip(x), value(x)))
		}
		return out
	}
}
