package ast

// Style is how trees are printed: what differs between dialects.
type Style struct {
	Levels    [][]Op // operators by precedence, the loosest level first; left-associative but ??
	NameQuote byte   // around names that need quotes: ` or "
	KeyQuote  byte   // around keys of options that need quotes
	Braces    bool   // structs are {'a': 1}, not <|a: 1|>
	Width     int    // where lines of statements are wrapped; 0: expressions on one line
}

// Comment is a comment of the source: "-- …" without its line break, or "/* … */".
type Comment struct {
	Span
	Text string
}
