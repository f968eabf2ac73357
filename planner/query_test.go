package planner_test

import (
	"fmt"
	"slices"
	"strings"
)

// query is a random query as text and as a function of the rows that each reference to a table reads, by its alias.
type query struct {
	text string
	cols []string
	eval func(tables map[string][]row) []row
}

// from makes what may stand in FROM, named by its alias.
func (g *generator) from(depth int) (text, alias string, cols []string, eval func(map[string][]row) []row) {
	alias = fmt.Sprintf("r%d", g.next())
	if depth == 0 || g.IntN(4) == 0 {
		name := g.pick([]string{"t", "u"})
		g.refs = append(g.refs, ref{alias, name})
		return name + " AS " + alias, alias, []string{"y", "z", "v"}, func(rows map[string][]row) []row { return rows[alias] }
	}
	if g.IntN(8) == 0 {
		return g.values(alias)
	}
	var q query
	if g.IntN(5) == 0 {
		q = g.setOp(1)
	} else {
		q = g.query(depth - 1)
	}
	return "(" + q.text + ") AS " + alias, alias, q.cols, q.eval
}

// values makes rows of constants.
func (g *generator) values(alias string) (text, name string, cols []string, eval func(map[string][]row) []row) {
	rows := make([]row, 1+g.IntN(3))
	texts := make([]string, len(rows))
	for i := range rows {
		rows[i] = row{{n: g.constant()}, {n: g.constant()}}
		texts[i] = fmt.Sprintf("(%v, %v)", rows[i][0], rows[i][1])
	}
	return "(VALUES " + strings.Join(texts, ", ") + ") AS " + alias + " (y, z)", alias, []string{"y", "z"},
		func(map[string][]row) []row { return rows }
}

// query makes a query whose columns are named c0, c1 and so on.
func (g *generator) query(depth int) query {
	switch {
	case depth > 0 && g.IntN(5) == 0:
		return g.setOp(depth)
	case depth > 0 && g.IntN(2) == 0:
		return g.join(depth)
	}
	text, alias, cols, eval := g.from(depth)
	return g.selectFrom(text, qualify(alias, cols), eval)
}

func qualify(alias string, cols []string) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = alias + "." + c
	}
	return out
}

// selectFrom filters, groups, cuts and renames the rows of a FROM whose columns are given.
func (g *generator) selectFrom(from string, cols []string, rows func(map[string][]row) []row) query {
	keep := g.some(len(cols))
	items, names := make([]string, len(keep)), make([]string, len(keep))
	for i, k := range keep {
		names[i] = fmt.Sprintf("c%d", i)
		items[i] = cols[k] + " AS " + names[i]
	}
	where := condition{eval: func(row) truth { return yes }}
	text := " FROM " + from
	if g.IntN(4) > 0 {
		where = g.condition(cols, 2)
		text += " WHERE " + where.text
	}
	filtered := func(ts map[string][]row) []row { return filter(rows(ts), where) }
	switch g.IntN(10) {
	case 0, 1:
		text, filtered = g.inQuery(text, cols, where.text != "", filtered)
	case 2:
		text, filtered = g.exists(text, cols, where.text != "", filtered)
	}
	switch g.IntN(7) {
	case 3:
		return g.window(text, cols, keep, items, names, filtered)
	case 0:
		return g.grouped(text, cols, keep, items, names, filtered)
	case 1:
		n := g.IntN(4)
		return query{fmt.Sprintf("SELECT %s%s LIMIT %d", strings.Join(items, ", "), text, n), names, func(ts map[string][]row) []row {
			out := project(filtered(ts), keep)
			return out[:min(n, len(out))]
		}}
	case 2:
		return query{"SELECT DISTINCT " + strings.Join(items, ", ") + text, names, func(ts map[string][]row) []row {
			return distinct(project(filtered(ts), keep))
		}}
	}
	return query{"SELECT " + strings.Join(items, ", ") + text, names, func(ts map[string][]row) []row {
		return project(filtered(ts), keep)
	}}
}

// inQuery adds a condition [NOT] IN (SELECT …) to a WHERE.
func (g *generator) inQuery(text string, cols []string, more bool, rows func(map[string][]row) []row) (string, func(map[string][]row) []row) {
	i, q, word := g.IntN(len(cols)), g.query(0), " WHERE "
	if more {
		word = " AND "
	}
	not := g.IntN(3) == 0
	text += word + cols[i]
	if not {
		text += " NOT"
	}
	text += fmt.Sprintf(" IN (SELECT c0 FROM (%s) AS s%d)", q.text, g.next())
	return text, func(ts map[string][]row) []row {
		list := q.eval(ts)
		return filter(rows(ts), condition{eval: func(r row) truth {
			t := no
			for _, x := range list {
				switch {
				case r[i].null || x[0].null:
					t = or(t, dunno)
				case r[i].n == x[0].n:
					t = yes
				}
			}
			if not {
				t = t.not()
			}
			return t
		}})
	}
}

// exists adds a condition [NOT] EXISTS (SELECT …) about the rows around it, unless names of their columns, such as those of
// USING, could mean columns inside.
func (g *generator) exists(text string, cols []string, more bool, rows func(map[string][]row) []row) (string, func(map[string][]row) []row) {
	if slices.ContainsFunc(cols, func(c string) bool { return !strings.Contains(c, ".") }) {
		return text, rows
	}
	from, alias, own, eval := g.from(1)
	own = qualify(alias, own)
	where := g.condition(append(slices.Clone(cols), own...), 1)
	i, j := g.IntN(len(cols)), g.IntN(len(own))
	not := g.IntN(3) == 0
	text += map[bool]string{true: " AND ", false: " WHERE "}[more]
	if not {
		text += "NOT "
	}
	text += fmt.Sprintf("EXISTS (SELECT 1 AS one FROM %s WHERE %s = %s AND %s)", from, cols[i], own[j], where.text)
	return text, func(ts map[string][]row) []row {
		inner := eval(ts)
		return filter(rows(ts), condition{eval: func(r row) truth {
			met := slices.ContainsFunc(inner, func(s row) bool {
				return !r[i].null && r[i] == s[j] && where.eval(slices.Concat(r, s)) == yes
			})
			return truthOf(met != not)
		}})
	}
}

// window adds a count over the rows of a partition.
func (g *generator) window(text string, cols []string, keep []int, items, names []string, rows func(map[string][]row) []row) query {
	by, n := g.IntN(len(cols)), fmt.Sprintf("c%d", len(keep))
	items = append(slices.Clone(items), fmt.Sprintf("COUNT(*) OVER (PARTITION BY %s) AS %s", cols[by], n))
	return query{"SELECT " + strings.Join(items, ", ") + text, append(slices.Clone(names), n), func(ts map[string][]row) []row {
		all := rows(ts)
		out := project(all, keep)
		for i, r := range all {
			count := 0
			for _, s := range all {
				if s[by] == r[by] {
					count++
				}
			}
			out[i] = append(out[i], cell{n: count})
		}
		return out
	}}
}

// grouped adds a count to groups and filters them by HAVING.
func (g *generator) grouped(text string, cols []string, keep []int, items, names []string, rows func(map[string][]row) []row) query {
	by := make([]string, len(keep))
	for i, k := range keep {
		by[i] = cols[k]
	}
	n := fmt.Sprintf("c%d", len(keep))
	having := g.condition(append(slices.Clone(by), "COUNT(*)"), 1)
	out := query{cols: append(slices.Clone(names), n)}
	out.text = fmt.Sprintf("SELECT %s, COUNT(*) AS %s%s GROUP BY %s HAVING %s",
		strings.Join(items, ", "), n, text, strings.Join(by, ", "), having.text)
	out.eval = func(ts map[string][]row) []row {
		all := project(rows(ts), keep)
		groups := distinct(all)
		for i, key := range groups {
			count := 0
			for _, r := range all {
				if slices.Equal(r, key) {
					count++
				}
			}
			groups[i] = append(slices.Clone(key), cell{n: count})
		}
		return filter(groups, having)
	}
	return out
}

// some picks a few of n columns, each at most once.
func (g *generator) some(n int) []int {
	return g.Perm(n)[:1+g.IntN(min(n, 3))]
}

func (g *generator) setOp(depth int) query {
	a, b := g.query(depth-1), g.query(depth-1)
	n := min(len(a.cols), len(b.cols))
	cut := func(q query) query {
		return query{"SELECT " + strings.Join(q.cols[:n], ", ") + " FROM (" + q.text + ") AS " + fmt.Sprintf("s%d", g.next()), q.cols[:n],
			func(ts map[string][]row) []row {
				var out []row
				for _, r := range q.eval(ts) {
					out = append(out, r[:n])
				}
				return out
			}}
	}
	a, b = cut(a), cut(b)
	has := func(list []row, r row) bool {
		return slices.ContainsFunc(list, func(s row) bool { return slices.Equal(r, s) })
	}
	op := g.pick([]string{"UNION ALL", "UNION", "INTERSECT", "EXCEPT"})
	return query{a.text + " " + op + " " + b.text, a.cols, func(ts map[string][]row) []row {
		l, r := a.eval(ts), b.eval(ts)
		switch op {
		case "UNION ALL":
			return slices.Concat(l, r)
		case "UNION":
			return distinct(slices.Concat(l, r))
		}
		return slices.DeleteFunc(distinct(l), func(x row) bool { return has(r, x) == (op == "EXCEPT") })
	}}
}

// join joins two sources by an equality and perhaps more.
func (g *generator) join(depth int) query {
	lText, lName, lCols, lEval := g.from(depth - 1)
	rText, rName, rCols, rEval := g.from(depth - 1)
	lq, rq := qualify(lName, lCols), qualify(rName, rCols)
	cols := slices.Concat(lq, rq)
	kind := g.pick([]string{"INNER", "LEFT", "LEFT", "RIGHT", "FULL", "FULL", "FULL", "CROSS", "LEFT SEMI", "RIGHT SEMI", "LEFT ONLY", "RIGHT ONLY", "EXCLUSION"})
	i, j := g.IntN(len(lq)), g.IntN(len(rq))
	on := condition{text: lq[i] + " = " + rq[j], eval: func(r row) truth {
		a, b := r[i], r[len(lq)+j]
		if a.null || b.null {
			return dunno
		}
		return truthOf(a.n == b.n)
	}}
	text := lText + " " + kind + " JOIN " + rText
	pickOne := false
	switch {
	case kind == "CROSS":
		on.eval = func(row) truth { return yes }
	case g.IntN(2) == 0 && (kind == "INNER" || kind == "LEFT"):
		pickOne = true
		text = lText + " " + kind + " JOIN ANY " + rText + " ON " + on.text
	case lCols[i] == rCols[j] && g.IntN(2) == 0:
		text += " USING (" + lCols[i] + ")"
	default:
		if g.IntN(2) == 0 {
			more, first := g.condition(cols, 1), on
			on = condition{text: first.text + " AND " + more.text, eval: func(r row) truth { return and(first.eval(r), more.eval(r)) }}
		}
		text += " ON " + on.text
	}
	switch kind {
	case "LEFT SEMI", "LEFT ONLY":
		cols = lq
	case "RIGHT SEMI", "RIGHT ONLY":
		cols = rq
	}
	return g.selectFrom(text, cols, func(ts map[string][]row) []row {
		r := rEval(ts)
		if pickOne {
			r = firstBy(r, j)
		}
		return joinRows(kind, lEval(ts), r, len(lq), len(rq), on)
	})
}

// firstBy keeps of rows that are equal in a column the first.
func firstBy(rows []row, col int) (out []row) {
	for _, r := range rows {
		if !slices.ContainsFunc(out, func(s row) bool { return s[col] == r[col] }) {
			out = append(out, r)
		}
	}
	return out
}

func joinRows(kind string, l, r []row, nl, nr int, on condition) (out []row) {
	metR := make([]bool, len(r))
	for _, a := range l {
		met := false
		for j, b := range r {
			both := slices.Concat(a, b)
			if on.eval(both) != yes {
				continue
			}
			if kind != "LEFT SEMI" && kind != "RIGHT SEMI" && kind != "LEFT ONLY" && kind != "RIGHT ONLY" && kind != "EXCLUSION" {
				out = append(out, both)
			}
			met, metR[j] = true, true
		}
		switch {
		case kind == "LEFT SEMI" && met, kind == "LEFT ONLY" && !met:
			out = append(out, a)
		case !met && (kind == "LEFT" || kind == "FULL" || kind == "EXCLUSION"):
			out = append(out, slices.Concat(a, nulls(nr)))
		}
	}
	for j, b := range r {
		switch {
		case kind == "RIGHT SEMI" && metR[j], kind == "RIGHT ONLY" && !metR[j]:
			out = append(out, b)
		case !metR[j] && (kind == "RIGHT" || kind == "FULL" || kind == "EXCLUSION"):
			out = append(out, slices.Concat(nulls(nl), b))
		}
	}
	return out
}

func nulls(n int) row { return slices.Repeat(row{{null: true}}, n) }

func filter(rows []row, c condition) (out []row) {
	for _, r := range rows {
		if c.eval(r) == yes {
			out = append(out, r)
		}
	}
	return out
}

func project(rows []row, keep []int) (out []row) {
	for _, r := range rows {
		p := make(row, len(keep))
		for i, k := range keep {
			p[i] = r[k]
		}
		out = append(out, p)
	}
	return out
}

func distinct(rows []row) (out []row) {
	for _, r := range rows {
		if !slices.ContainsFunc(out, func(s row) bool { return slices.Equal(r, s) }) {
			out = append(out, r)
		}
	}
	return out
}
