package yql

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

const listHint = `write (year, month) or "['year', 'month']"`

// partitionedBy reads PARTITIONED_BY.
func (d *definition) partitionedBy(o *ast.Option) {
	d.partitioned = true
	list, ok := d.partitionNames(o)
	d.listBroken = !ok
	d.partitions = list[:0] // each name once
	for _, p := range list {
		if _, added := d.partitionIndex.Add(p.S); added {
			d.partitions = append(d.partitions, p)
		} else {
			d.Errorf("partitioned.duplicate", p, "drop one of them", "PARTITIONED_BY: the column %s is listed twice", p.S)
		}
	}
}

// partitionNames reads the value of PARTITIONED_BY: a name, a tuple of names, or a text that holds a JSON list.
// ok is false when the list as a whole could not be read.
func (d *definition) partitionNames(o *ast.Option) (names []projection.Text, ok bool) {
	var items []ast.Expr
	switch v := o.Value.(type) {
	case *ast.Tuple:
		if list, ok := listText(v.Items); ok {
			return d.partitionList(list)
		}
		items = v.Items
	case *ast.ListExpr:
		items = v.Items
	case *ast.Literal:
		if v.Kind == ast.StringLit {
			return d.partitionList(projection.LiteralText(v))
		}
		items = []ast.Expr{v}
	case *ast.Param:
		d.unknownParam(o, v)
		return nil, false
	case nil:
	default:
		items = []ast.Expr{v}
	}
	if len(items) == 0 {
		d.Errorf("partitioned.list", o, listHint, "PARTITIONED_BY names no columns")
		return nil, false
	}
	ok, names = true, make([]projection.Text, 0, len(items))
	for _, x := range items {
		if name, isName := nameText(x); isName {
			names = append(names, name)
			continue
		}
		d.Errorf("partitioned.list", x, listHint, "PARTITIONED_BY: a column name should stand here")
		ok = false
	}
	return names, ok
}

// listText is the text of a JSON list that stands in brackets alone: ("['year', 'month']").
func listText(items []ast.Expr) (projection.Text, bool) {
	if len(items) != 1 {
		return projection.Text{}, false
	}
	text, ok := items[0].(*ast.Literal)
	if !ok || text.Kind != ast.StringLit || !strings.HasPrefix(strings.TrimSpace(text.Text), "[") {
		return projection.Text{}, false
	}
	return projection.LiteralText(text), true
}

// nameText reads a column name from a list of PARTITIONED_BY in the statement itself.
func nameText(x ast.Expr) (projection.Text, bool) {
	switch x := x.(type) {
	case *ast.Ident:
		if len(x.Parts) == 1 {
			return projection.NameText(x.Parts[0]), true
		}
	case *ast.Literal:
		if x.Kind == ast.StringLit && x.Text != "" {
			return projection.LiteralText(x), true
		}
	}
	return projection.Text{}, false
}

// partitionList reads a text such as ['year', 'month'], whose quotes may be of either kind or missing.
func (d *definition) partitionList(t projection.Text) (names []projection.Text, ok bool) {
	const code = "partitioned.list"
	if msg, at := noList(t); msg != "" {
		d.Errorf(code, at, listHint, "PARTITIONED_BY: %s", msg)
		return nil, false
	}
	items, err := readList(t)
	if err != nil {
		d.Errorf(code, t.Part(err.from, err.to), either(err.hint, listHint), "PARTITIONED_BY: %s", err.msg)
		return nil, false
	}
	if len(items) == 0 {
		d.Errorf(code, t, listHint, "PARTITIONED_BY: the list is empty")
		return nil, false
	}
	ok = true
	for _, v := range items {
		switch {
		case v.kind != jsonText:
			d.Errorf(code, v, listHint, "PARTITIONED_BY: the list must hold column names, not %s: %s", v.kind, projection.Clip(v.S))
		case v.S == "":
			d.Errorf(code, v, listHint, "PARTITIONED_BY: a column name is empty")
		default:
			names = append(names, v.Text)
			continue
		}
		ok = false
	}
	return names, ok
}

// noList says why a text can't be a list, judged by how it begins, and where that shows.
func noList(t projection.Text) (msg string, at ast.Node) {
	text := strings.TrimSpace(t.S)
	switch {
	case text == "":
		return "the text is empty", t
	case text[0] == '[':
		return "", nil
	case text[0] == '{':
		return projection.Quote(t.S) + " is an object and no list", t
	case strings.HasPrefix(strings.TrimLeft(text, `'"`), "["):
		i := strings.IndexAny(t.S, `'"`)
		return "a stray " + text[:1] + " stands before the list", t.Part(i, i+1)
	}
	return projection.Quote(t.S) + " is no list", t
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
