package parquet

import (
	"fmt"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/yqlplan/yqlplan/projection/store"
)

// element is a node of a schema, which is told depth first.
type element struct {
	Type          thrift.Null[format.Type]                `thrift:"1,optional"`
	Repetition    thrift.Null[format.FieldRepetitionType] `thrift:"3,optional"`
	Name          string                                  `thrift:"4,required"`
	Children      thrift.Null[int32]                      `thrift:"5,optional"`
	ConvertedType thrift.Null[deprecated.ConvertedType]   `thrift:"6,optional"`
	Scale         thrift.Null[int32]                      `thrift:"7,optional"`
	Precision     thrift.Null[int32]                      `thrift:"8,optional"`
	LogicalType   format.LogicalType                      `thrift:"10,optional"`
}

// columnsOf are the children of the root; ok is false when the elements are no tree.
func columnsOf(elements []element) (columns []store.Column, ok bool) {
	if len(elements) == 0 {
		return nil, false
	}
	n, rest := elements[0].Children.V, elements[1:]
	for ; n > 0; n-- {
		if len(rest) == 0 {
			return nil, false
		}
		columns = append(columns, store.Column{Name: rest[0].Name, Type: rest[0].typeName()})
		if rest, ok = behind(rest); !ok {
			return nil, false
		}
	}
	return columns, len(rest) == 0
}

// behind is what follows the first element and all below it.
func behind(elements []element) (rest []element, ok bool) {
	for open := 1; open > 0; open-- {
		if len(elements) == 0 || elements[0].Children.V < 0 || int(elements[0].Children.V) > len(elements) {
			return nil, false
		}
		open += int(elements[0].Children.V)
		elements = elements[1:]
	}
	return elements, true
}

// typeName is DuckDB's type of a column (DuckDB, parquet_reader.cpp, DeriveLogicalType); "" for one that is told by
// another way than those in use.
func (e *element) typeName() string {
	switch {
	case e.Children.V > 0:
		return e.group()
	case e.Repetition.V == format.Repeated:
		return "LIST"
	}
	switch t := e.LogicalType.Value.(type) {
	case *format.UUIDType:
		return "UUID"
	case *format.Float16Type:
		return "FLOAT"
	case *format.TimestampType:
		if t.IsAdjustedToUTC {
			return "TIMESTAMP WITH TIME ZONE"
		} else if _, nanos := t.Unit.Value.(*format.NanoSeconds); nanos {
			return "TIMESTAMP_NS"
		}
		return "TIMESTAMP"
	case *format.TimeType:
		if t.IsAdjustedToUTC {
			return "TIME WITH TIME ZONE"
		} else if _, nanos := t.Unit.Value.(*format.NanoSeconds); nanos {
			return "TIME_NS"
		}
		return "TIME"
	}
	switch {
	case !e.Type.Valid, e.LogicalType.Value != nil && !e.ConvertedType.Valid:
		return ""
	case e.ConvertedType.Valid:
		return e.converted()
	}
	return physical[e.Type.V]
}

// group is the type of a column with others below it.
func (e *element) group() string {
	switch e.ConvertedType.V {
	case deprecated.List:
		return "LIST"
	case deprecated.Map, deprecated.MapKeyValue:
		return "MAP"
	}
	return "STRUCT"
}

// converted is the type that the older annotation tells. Several say no more than the type of the stored values.
func (e *element) converted() string {
	if e.ConvertedType.V == deprecated.Decimal {
		if e.Precision.V > 38 {
			return "DOUBLE"
		}
		return fmt.Sprintf("DECIMAL(%d,%d)", e.Precision.V, e.Scale.V)
	}
	return converted[e.ConvertedType.V]
}

var physical = map[format.Type]string{
	format.Boolean: "BOOLEAN", format.Int32: "INTEGER", format.Int64: "BIGINT", format.Int96: "TIMESTAMP", format.Float: "FLOAT",
	format.Double: "DOUBLE", format.ByteArray: "BLOB", format.FixedLenByteArray: "BLOB",
}

var converted = map[deprecated.ConvertedType]string{
	deprecated.UTF8: "VARCHAR", deprecated.Json: "JSON", deprecated.Date: "DATE", deprecated.Interval: "INTERVAL",
	deprecated.Int8: "TINYINT", deprecated.Int16: "SMALLINT", deprecated.Int32: "INTEGER", deprecated.Int64: "BIGINT",
	deprecated.Uint8: "UTINYINT", deprecated.Uint16: "USMALLINT", deprecated.Uint32: "UINTEGER", deprecated.Uint64: "UBIGINT",
	deprecated.TimeMillis: "TIME", deprecated.TimeMicros: "TIME", deprecated.TimestampMillis: "TIMESTAMP", deprecated.TimestampMicros: "TIMESTAMP",
}
