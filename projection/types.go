package projection

import (
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// ResolveType reads a type as a dialect writes it: Int32 and Optional<Int32> of YQL, varchar(10) of Athena, LARGEINT
// of Doris. known is false for a name that is no type of the dialect. The zero Type with known set is a type whose
// values aren't compared here: lists, structs, JSON, times with a zone of their own.
func ResolveType(dialect string, t *ast.Type) (typ pruning.Type, known bool) {
	if t == nil {
		return pruning.Type{}, false
	}
	name := strings.ToLower(t.Name.Text)
	if t.Array > 0 {
		t := *t
		t.Array = 0
		_, known = ResolveType(dialect, &t)
		return pruning.Type{}, known
	}
	if dialect == "yql" {
		if name == "optional" && len(t.Args) == 1 {
			return ResolveType(dialect, t.Args[0].Type)
		}
		return yqlType(name, t)
	}
	if typ, known = dialectType(dialect, name, t); known {
		return typ, true
	}
	return sqlType(name, t)
}

// yqlType follows YDB's list of primitive types (yql/reference/types/primitive).
func yqlType(name string, t *ast.Type) (pruning.Type, bool) {
	switch name {
	case "bool":
		return kind(pruning.Bool)
	case "int8", "tinyint":
		return kind(pruning.Int8)
	case "int16", "smallint":
		return kind(pruning.Int16)
	case "int32", "int", "integer":
		return kind(pruning.Int32)
	case "int64", "bigint":
		return kind(pruning.Int64)
	case "uint8":
		return kind(pruning.Uint8)
	case "uint16":
		return kind(pruning.Uint16)
	case "uint32":
		return kind(pruning.Uint32)
	case "uint64":
		return kind(pruning.Uint64)
	case "float":
		return kind(pruning.Float32)
	case "double":
		return kind(pruning.Float64)
	case "decimal":
		return decimal(t, 0, 0)
	case "string", "bytes", "utf8", "text":
		return kind(pruning.String)
	case "uuid":
		return kind(pruning.UUID)
	case "date", "date32":
		return kind(pruning.Date)
	case "datetime", "datetime64":
		return kind(pruning.Datetime)
	case "timestamp", "timestamp64":
		return pruning.Type{Kind: pruning.Timestamp, Precision: 6}, true
	case "interval", "interval64":
		return kind(pruning.Interval)
	case "tzdate", "tzdatetime", "tztimestamp", "tzdate32", "tzdatetime64", "tztimestamp64",
		"json", "jsondocument", "yson", "dynumber", "list", "dict", "set", "tuple", "struct", "variant", "enum",
		"callable", "void", "null", "emptylist", "emptydict", "generic", "unit", "resource", "tagged", "stream", "flow":
		return pruning.Type{}, true
	}
	return pruning.Type{}, false
}

// sqlType has the names that Athena, DuckDB, Doris and Paimon share.
func sqlType(name string, t *ast.Type) (pruning.Type, bool) {
	switch name {
	case "boolean", "bool":
		return kind(pruning.Bool)
	case "tinyint":
		return kind(pruning.Int8)
	case "smallint":
		return kind(pruning.Int16)
	case "int", "integer":
		return kind(pruning.Int32)
	case "bigint":
		return kind(pruning.Int64)
	case "float", "real":
		return kind(pruning.Float32)
	case "double", "double precision":
		return kind(pruning.Float64)
	case "decimal", "numeric", "dec":
		return decimal(t, 10, 0)
	case "string", "varchar", "char", "text", "binary", "varbinary", "character varying", "character":
		return kind(pruning.String)
	case "date":
		return kind(pruning.Date)
	case "time":
		return kind(pruning.Time)
	case "timestamp", "timestamp without time zone":
		return timestamp(t, 6)
	case "uuid":
		return kind(pruning.UUID)
	case "json", "interval", "array", "map", "struct", "row":
		return pruning.Type{}, true
	}
	return pruning.Type{}, false
}

// dialectType has the names that only one dialect knows or reads in its own way.
func dialectType(dialect, name string, t *ast.Type) (pruning.Type, bool) {
	switch dialect {
	case "athena":
		return athenaType(name, t)
	case "duckdb":
		return duckdbType(name, t)
	case "doris":
		return dorisType(name, t)
	case "paimon", "flink", "spark":
		return paimonType(name, t)
	}
	return pruning.Type{}, false
}

// athenaType: Athena's timestamps have milliseconds (Athena user guide, "Data types in Amazon Athena").
func athenaType(name string, t *ast.Type) (pruning.Type, bool) {
	switch name {
	case "timestamp":
		return timestamp(t, 3)
	case "timestamp with time zone", "time with time zone", "ipaddress", "uniontype":
		return pruning.Type{}, true
	}
	return pruning.Type{}, false
}

// duckdbType follows DuckDB's "Data Types" page with its aliases.
func duckdbType(name string, t *ast.Type) (pruning.Type, bool) {
	switch name {
	case "int1":
		return kind(pruning.Int8)
	case "int2", "int16", "short":
		return kind(pruning.Int16)
	case "int4", "int32", "signed":
		return kind(pruning.Int32)
	case "int8", "int64", "long":
		return kind(pruning.Int64)
	case "hugeint", "int128":
		return kind(pruning.Int128)
	case "utinyint", "uint8":
		return kind(pruning.Uint8)
	case "usmallint", "uint16":
		return kind(pruning.Uint16)
	case "uinteger", "uint32":
		return kind(pruning.Uint32)
	case "ubigint", "uint64":
		return kind(pruning.Uint64)
	case "uhugeint", "uint128":
		return kind(pruning.Uint128)
	case "float4":
		return kind(pruning.Float32)
	case "float8":
		return kind(pruning.Float64)
	case "decimal", "numeric", "dec":
		return decimal(t, 18, 3)
	case "bpchar", "nvarchar", "blob", "bytea":
		return kind(pruning.String)
	case "logical":
		return kind(pruning.Bool)
	case "datetime", "timestamp_us":
		return timestamp(t, 6)
	case "timestamp_s":
		return kind(pruning.Datetime)
	case "timestamp_ms":
		return timestamp(nil, 3)
	case "timestamp_ns":
		return timestamp(nil, 9)
	case "timestamptz", "timestamp with time zone", "timetz", "time with time zone",
		"bit", "bitstring", "varint", "bignum", "enum", "union", "list":
		return pruning.Type{}, true
	}
	return pruning.Type{}, false
}

// dorisType follows Doris' "Data Types" pages; DATETIME has seconds unless a precision is given. Decimals of more than 38
// digits aren't compared here.
func dorisType(name string, t *ast.Type) (pruning.Type, bool) {
	switch name {
	case "largeint":
		return kind(pruning.Int128)
	case "decimalv2":
		return decimal(t, 27, 9)
	case "decimal", "decimalv3":
		if p, _ := number(t, 0); p > 38 {
			s, _ := number(t, 1)
			return pruning.Type{}, p <= 76 && 0 <= s && s <= p
		}
		return decimal(t, 38, 9)
	case "datev1", "datev2":
		return kind(pruning.Date)
	case "datetime", "datetimev1", "datetimev2", "timestamptz":
		p, _ := number(t, 0)
		switch {
		case p < 0 || p > 6:
			return pruning.Type{}, false
		case p == 0:
			return kind(pruning.Datetime)
		}
		return pruning.Type{Kind: pruning.Timestamp, Precision: uint8(p)}, true
	case "ipv4":
		return kind(pruning.Uint32)
	case "ipv6":
		return kind(pruning.Uint128)
	case "timev2":
		return kind(pruning.Time)
	case "jsonb", "variant", "bitmap", "hll", "quantile_state", "agg_state":
		return pruning.Type{}, true
	}
	return pruning.Type{}, false
}

// paimonType has Flink's and Spark's names of Paimon's types. Its timestamps have exactly the digits that are declared; one
// with the session's time zone is an instant, which in UTC compares like a wall clock.
func paimonType(name string, t *ast.Type) (pruning.Type, bool) {
	switch name {
	case "byte":
		return kind(pruning.Int8)
	case "short":
		return kind(pruning.Int16)
	case "long":
		return kind(pruning.Int64)
	case "bytes", "char varying", "binary varying":
		return kind(pruning.String)
	case "time without time zone":
		return kind(pruning.Time)
	case "timestamp", "timestamp_ntz", "timestamp_ltz", "timestamp without time zone", "timestamp with local time zone":
		typ, known := timestamp(t, 6)
		if p, ok := number(t, 0); ok && typ.Kind == pruning.Timestamp {
			typ.Precision = uint8(p)
		}
		return typ, known
	case "multiset", "variant", "blob", "raw", "vector", "geometry", "geography":
		return pruning.Type{}, true
	}
	return pruning.Type{}, false
}

func kind(k pruning.Kind) (pruning.Type, bool) { return pruning.Type{Kind: k}, true }

// decimal reads (precision, scale), which default to what the dialect says; precision 0 is no default.
func decimal(t *ast.Type, precision, scale int) (pruning.Type, bool) {
	if p, ok := number(t, 0); ok {
		precision, scale = p, 0
	}
	if s, ok := number(t, 1); ok {
		scale = s
	}
	if precision < 1 || precision > 38 || scale < 0 || scale > precision {
		return pruning.Type{}, false
	}
	return pruning.Type{Kind: pruning.Decimal, Precision: uint8(precision), Scale: uint8(scale)}, true
}

// timestamp reads (digits of a second) and takes the coarsest unit that holds them: seconds, milli-, micro- or
// nanoseconds.
func timestamp(t *ast.Type, digits int) (pruning.Type, bool) {
	if p, ok := number(t, 0); ok {
		digits = p
	}
	switch {
	case digits < 0 || digits > 9:
		return pruning.Type{}, false
	case digits == 0:
		return pruning.Type{Kind: pruning.Datetime}, true
	}
	return pruning.Type{Kind: pruning.Timestamp, Precision: uint8((digits + 2) / 3 * 3)}, true
}

// number is the i-th number in the type's parentheses.
func number(t *ast.Type, i int) (int, bool) {
	if t == nil || i >= len(t.Params) {
		return 0, false
	}
	n, err := strconv.Atoi(t.Params[i].Text)
	return n, err == nil
}
