package translate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// mapping is what a type is called in each target; "" where it has no counterpart.
type mapping struct {
	names              []string // in any source
	yql, athena, trino string
	params             bool   // written with its parameters
	loss               string // what is different there
}

var mappings = []mapping{
	{names: []string{"string", "utf8", "varchar", "char"}, yql: "String", athena: "string", trino: "varchar"},
	{names: []string{"bool", "boolean"}, yql: "Bool", athena: "boolean", trino: "boolean"},
	{names: []string{"int8", "tinyint"}, yql: "Int8", athena: "tinyint", trino: "tinyint"},
	{names: []string{"int16", "smallint"}, yql: "Int16", athena: "smallint", trino: "smallint"},
	{names: []string{"int32", "int", "integer"}, yql: "Int32", athena: "int", trino: "integer"},
	{names: []string{"int64", "bigint"}, yql: "Int64", athena: "bigint", trino: "bigint"},
	{names: []string{"uint8"}, yql: "Uint8", athena: "smallint", trino: "smallint", loss: "the next wider signed type"},
	{names: []string{"uint16"}, yql: "Uint16", athena: "int", trino: "integer", loss: "the next wider signed type"},
	{names: []string{"uint32"}, yql: "Uint32", athena: "bigint", trino: "bigint", loss: "the next wider signed type"},
	{names: []string{"float", "real"}, yql: "Float", athena: "float", trino: "real"},
	{names: []string{"double"}, yql: "Double", athena: "double", trino: "double"},
	{names: []string{"decimal"}, yql: "Decimal", athena: "decimal", trino: "decimal", params: true},
	{names: []string{"date"}, yql: "Date", athena: "date", trino: "date"},
	{names: []string{"datetime"}, yql: "Datetime", athena: "timestamp", trino: "timestamp(3)"},
	{names: []string{"timestamp"}, yql: "Timestamp", athena: "timestamp", trino: "timestamp(6)"},
	{names: []string{"binary", "varbinary"}, yql: "String", athena: "binary", trino: "varbinary"},
	{names: []string{"json"}, yql: "Json", athena: "string", trino: "varchar", loss: "a text"},
}

// typeIn is a type in the target's words. loss says what is different there; without ok, lacks is the part that it lacks.
func typeIn(to Target, t *ast.Type) (name, loss, lacks string, ok bool) {
	word := strings.ToLower(t.Name.Text)
	if word == "optional" && len(t.Args) == 1 {
		return typeIn(to, t.Args[0].Type)
	}
	if t.Array > 0 {
		return "", "", t.Name.Text + "[]", false
	}
	for _, n := range nestings {
		if slices.Contains(n.names, word) && len(t.Args) > 0 {
			return n.write(to, t)
		}
	}
	for _, m := range mappings {
		if !slices.Contains(m.names, word) || len(t.Args) > 0 {
			continue
		}
		name = [...]string{m.yql, m.athena, m.trino}[to]
		if m.params && len(t.Params) > 0 {
			var params []string
			for _, p := range t.Params {
				params = append(params, p.Raw)
			}
			name += "(" + strings.Join(params, ",") + ")"
		}
		if to != YQL {
			loss = m.loss
		}
		return name, loss, "", true
	}
	return "", "", t.Name.Text, false
}

// nesting is a type that is made of others.
type nesting struct {
	names []string
	in    [3]string // what it is called in each target
	args  int       // 0: fields with names
}

var nestings = []nesting{
	{[]string{"list", "array"}, [3]string{"List", "array", "array"}, 1},
	{[]string{"dict", "map"}, [3]string{"Dict", "map", "map"}, 2},
	{[]string{"struct", "row"}, [3]string{"Struct", "struct", "row"}, 0},
}

func (n *nesting) write(to Target, t *ast.Type) (name, loss, lacks string, ok bool) {
	if n.args > 0 && len(t.Args) != n.args {
		return "", "", t.Name.Text, false
	}
	parts := make([]string, len(t.Args))
	for i, a := range t.Args {
		if a.Type == nil || n.args == 0 && a.Name == nil {
			return "", "", t.Name.Text, false
		}
		part, lost, lacks, ok := typeIn(to, a.Type)
		if !ok {
			return "", "", lacks, false
		}
		if n.args == 0 {
			part = fieldName(to, a.Name.Text) + [...]string{":", ":", " "}[to] + part
		}
		parts[i], loss = part, cmp.Or(loss, lost)
	}
	brackets := [...]string{"<>", "<>", "()"}[to]
	return n.in[to] + brackets[:1] + strings.Join(parts, [...]string{", ", ",", ", "}[to]) + brackets[1:], loss, "", true
}

// fieldName is the name of a struct's field, in quotes where it needs them.
func fieldName(to Target, name string) string {
	plain := name != "" && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz_0123456789") == "" && (name[0] < '0' || name[0] > '9')
	switch {
	case to == Trino:
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	case plain:
		return name
	case to == YQL:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(name) + "'"
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}
