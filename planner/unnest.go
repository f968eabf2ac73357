package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// unnest makes the node of UNNEST(list, …) [WITH ORDINALITY]: the rows are the elements of one list whose elements are
// written out, a column for each part of an element that is a row; otherwise nothing is known of them. The list may refer
// to the tables before it.
func (b *builder) unnest(ref *ast.TableRef, alias string, outer *scope) outNode {
	args := b.bind.arguments(ref.Func, &scope{params: b.params, outer: outer})
	ordinal := len(ref.Hints) > 0
	if len(args) == 1 {
		if rows := unnested(args[0], ordinal); rows != nil {
			n := &rowsNode{out: &relation{}, rows: rows}
			for i := range rows[0] {
				n.out.cols = append(n.out.cols, relColumn{typ: rows[0][i].typ(), key: -1})
				for _, row := range rows[1:] {
					n.out.cols[i].typ = b.bind.either(n.out.cols[i].typ, row[i].typ())
				}
			}
			b.rename(n.out, alias, ref.Columns)
			return n
		}
	}
	r := &relation{name: alias, open: len(ref.Columns) == 0}
	for _, c := range ref.Columns {
		r.cols = append(r.cols, relColumn{name: c.Text, key: -1})
	}
	return &opaqueNode{r}
}

// asTable makes the node of AS_TABLE(list): the rows are the structs of one list that is written out, a column for each
// field; otherwise nothing is known of them (YQL, "FROM AS_TABLE").
func (b *builder) asTable(ref *ast.TableRef, alias string, outer *scope) outNode {
	args := b.bind.arguments(ref.Func, &scope{params: b.params, outer: outer})
	if len(args) == 1 && args[0].typ().shape == listShape {
		if n := structRows(args[0]); n != nil {
			b.rename(n.out, alias, ref.Columns)
			return n
		}
	}
	return &opaqueNode{&relation{name: alias, open: true}}
}

// structRows are the structs of a list as rows; nil when they aren't known.
func structRows(list expr) *rowsNode {
	items, ok := listItems(list)
	t := list.typ().items[0]
	if !ok || t.shape != structShape {
		return nil
	}
	n := &rowsNode{out: &relation{}}
	for i, name := range t.names {
		n.out.cols = append(n.out.cols, relColumn{name: name, typ: t.items[i], key: -1})
	}
	for _, x := range items {
		switch x := x.(type) {
		case *apply:
			if x.fn != structFn {
				return nil
			}
			n.rows = append(n.rows, x.args)
		case *constant:
			if x.v.parts == nil || x.v.parts.set != nil {
				return nil
			}
			n.rows = append(n.rows, constants(x))
		default:
			return nil
		}
	}
	return n
}

// unnested are the rows of a list, all of one width; nil when its elements aren't known, or there are none.
func unnested(list expr, ordinal bool) [][]expr {
	items, ok := listItems(list)
	if !ok || len(items) == 0 {
		return nil
	}
	rows := make([][]expr, len(items))
	for i, item := range items {
		row, ok := elements(item)
		if !ok {
			row = []expr{item}
		}
		if ordinal {
			row = append(append([]expr{}, row...), &constant{at: item.node(), t: scalar(pruning.Int64), v: integer(int64(i) + 1)})
		}
		if rows[i] = row; len(row) != len(rows[0]) {
			return nil
		}
	}
	return rows
}

// inItems is unnest(list) in a select list: a row for each item (DuckDB, "Unnest").
const inItems = "a row for each item of a list"

// unnestedItems are the rows that a select list makes of one: as many as its longest list has items, with NULL where another
// is shorter. ok is false when a list isn't known, or stands inside of an expression.
func unnestedItems(items []expr) (rows [][]expr, ok bool) {
	lists := make([][]expr, len(items))
	longest, any := 0, false
	for i, x := range items {
		if o, is := x.(*opaque); is && o.why == inItems && len(o.args) == 1 {
			if lists[i], ok = listItems(o.args[0]); !ok {
				return nil, false
			}
			longest, any = max(longest, len(lists[i])), true
		} else if unnests(x) {
			return nil, false
		}
	}
	if !any {
		return [][]expr{items}, true
	}
	for k := range longest {
		row := slices.Clone(items)
		for i, x := range items {
			switch {
			case !unnests(x):
			case k < len(lists[i]):
				row[i] = lists[i][k]
			default:
				row[i] = &constant{at: noExpr, t: typ{shape: nullShape}, v: nullValue}
			}
		}
		rows = append(rows, row)
	}
	return rows, true
}

// unnests reports whether unnest(list) stands in e.
func unnests(e expr) bool {
	switch e := e.(type) {
	case *apply:
		return slices.ContainsFunc(e.args, unnests)
	case *opaque:
		return e.why == inItems || slices.ContainsFunc(e.args, unnests)
	}
	return false
}

// isUnnest reports whether a table is UNNEST(…).
func isUnnest(t ast.TableExpr) bool {
	ref, ok := t.(*ast.TableRef)
	return ok && ref.Func != nil && strings.EqualFold(ref.Func.Func.Text, "unnest")
}
