package translate

import "strings"

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

// typeIn is a type, as declared, in the target's words. loss says what is different there.
func typeIn(to Target, declared string) (name, loss string, ok bool) {
	base, params, _ := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(declared, "?"), ")"), "(")
	base = strings.ToLower(strings.TrimSpace(base))
	for _, m := range mappings {
		for _, n := range m.names {
			if n != base {
				continue
			}
			name = [...]string{m.yql, m.athena, m.trino}[to]
			if m.params && params != "" {
				name += "(" + params + ")"
			}
			if to != YQL {
				loss = m.loss
			}
			return name, loss, true
		}
	}
	return "", "", false
}
