package ast

// Type is a type as written: Int32, Decimal(22,9), List<Optional<Int32>>, Struct<a:Int32>, varchar(10), int[].
type Type struct {
	Span
	Name     Name        // Int32, Struct, decimal; "double precision" has its blanks folded to one
	Params   []*Literal  // numbers in parentheses: Decimal(22,9)
	Args     []TypeField // in <> or in the parentheses of dialects such as row(a int)
	Parens   bool        // Args were written in parentheses
	Optional bool        // trailing ?
	Array    int         // trailing [] pairs
}

// TypeField is one argument of a type, named in structs.
type TypeField struct {
	Span
	Name    *Name
	Type    *Type
	Comment *Literal // COMMENT 'x' of Hive's struct fields
}
