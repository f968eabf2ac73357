package planner_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A small model of SQL that statements are checked against: relations of nullable integers, evaluated row by row.

// cell is NULL or an integer.
type cell struct {
	null bool
	n    int
}

func (c cell) String() string {
	if c.null {
		return "NULL"
	}
	return fmt.Sprint(c.n)
}

type row []cell

// truth is TRUE, FALSE or NULL of a condition.
type truth int8

const (
	no truth = iota
	yes
	dunno
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return dunno
}

func and(a, b truth) truth {
	switch {
	case a == no || b == no:
		return no
	case a == yes && b == yes:
		return yes
	}
	return dunno
}

func or(a, b truth) truth { return and(a.not(), b.not()).not() }

// condition is a predicate as text and as a function of a row.
type condition struct {
	text string
	eval func(row) truth
	and  bool // its text is a conjunction
}

// generator makes random conditions over the columns of a row, which are written by their names.
type generator struct {
	*rand.Rand
	lo, hi int   // constants are from a little below lo to a little above hi
	refs   []ref // to tables, so far
	names  int
}

// ref is a reference to a table.
type ref struct{ alias, table string }

func (g *generator) next() int {
	g.names++
	return g.names
}

func (g *generator) constant() int { return g.lo - 1 + g.IntN(g.hi-g.lo+3) }

func (g *generator) pick(list []string) string { return list[g.IntN(len(list))] }

func (g *generator) condition(names []string, depth int) condition {
	if depth > 0 && g.IntN(3) > 0 {
		return g.composed(names, depth)
	}
	i := g.IntN(len(names))
	switch g.IntN(8) {
	case 0:
		return g.between(names[i], i)
	case 1:
		return g.in(names[i], i)
	case 2, 7:
		return g.isNull(names[i], i)
	case 3:
		j := g.IntN(len(names))
		return g.compare(names[i], names[j], func(r row) (cell, cell) { return r[i], r[j] })
	case 4:
		j, c := g.IntN(len(names)), g.constant()
		return g.compare(names[i]+" + "+names[j], fmt.Sprint(c+g.lo), func(r row) (cell, cell) {
			return cell{r[i].null || r[j].null, r[i].n + r[j].n}, cell{n: c + g.lo}
		})
	default:
		c := g.constant()
		return g.compare(names[i], fmt.Sprint(c), func(r row) (cell, cell) { return r[i], cell{n: c} })
	}
}

func (g *generator) composed(names []string, depth int) condition {
	a, b := g.condition(names, depth-1), g.condition(names, depth-1)
	switch g.IntN(5) {
	case 0:
		return condition{text: "(NOT (" + a.text + "))", eval: func(r row) truth { return a.eval(r).not() }}
	case 1, 2:
		return condition{text: "(" + a.text + " OR " + b.text + ")", eval: func(r row) truth { return or(a.eval(r), b.eval(r)) }}
	}
	return condition{"(" + a.text + " AND " + b.text + ")", func(r row) truth { return and(a.eval(r), b.eval(r)) }, true}
}

func (g *generator) compare(x, y string, sides func(row) (cell, cell)) condition {
	op := g.pick([]string{"=", "=", "=", "!=", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"})
	return condition{text: x + " " + op + " " + y, eval: func(r row) truth {
		a, b := sides(r)
		same := a.null == b.null && (a.null || a.n == b.n)
		switch {
		case op == "IS DISTINCT FROM":
			return truthOf(!same)
		case op == "IS NOT DISTINCT FROM":
			return truthOf(same)
		case a.null || b.null:
			return dunno
		}
		return truthOf(map[string]bool{
			"=": a.n == b.n, "!=": a.n != b.n, "<": a.n < b.n, "<=": a.n <= b.n, ">": a.n > b.n, ">=": a.n >= b.n,
		}[op])
	}}
}

func (g *generator) between(name string, i int) condition {
	lo, hi := g.constant(), g.constant()
	return condition{text: fmt.Sprintf("%s BETWEEN %d AND %d", name, lo, hi), eval: func(r row) truth {
		if r[i].null {
			return dunno
		}
		return truthOf(lo <= r[i].n && r[i].n <= hi)
	}}
}

func (g *generator) in(name string, i int) condition {
	list := make([]int, 1+g.IntN(3))
	texts := make([]string, len(list))
	for k := range list {
		list[k] = g.constant()
		texts[k] = fmt.Sprint(list[k])
	}
	null := g.IntN(5) == 0
	if null {
		texts = append(texts, "NULL")
	}
	not := g.IntN(3) == 0
	word := " IN ("
	if not {
		word = " NOT IN ("
	}
	return condition{text: name + word + strings.Join(texts, ", ") + ")", eval: func(r row) truth {
		t := truthOf(slices.Contains(list, r[i].n))
		if r[i].null || t == no && null {
			t = dunno
		}
		if not {
			t = t.not()
		}
		return t
	}}
}

func (g *generator) isNull(name string, i int) condition {
	if g.IntN(2) == 0 {
		return condition{text: name + " IS NULL", eval: func(r row) truth { return truthOf(r[i].null) }}
	}
	return condition{text: name + " IS NOT NULL", eval: func(r row) truth { return truthOf(!r[i].null) }}
}
