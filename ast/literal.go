package ast

// LiteralKind is what a literal looks like; its type is settled when it is bound.
type LiteralKind uint8

const (
	NullLit   LiteralKind = iota // NULL
	BoolLit                      // TRUE, FALSE
	IntLit                       // 12, 0x1F, 0b1, 5ul
	FloatLit                     // 1.5, 1e3, 1.5f; also exact decimals of dialects that read them so
	StringLit                    // 'a', "a", @@a@@, with a suffix or without
)

// Quote is the way in which a string literal is written, which decides how its text is decoded.
type Quote uint8

const (
	NoQuote      Quote = iota
	CQuote             // backslash escapes: 'a\n'
	DoubledQuote       // a doubled quote stands for one: 'it''s'
	BothQuote          // backslash escapes and doubled quotes
	RawQuote           // @@…@@ with @@@@ for @@
	DollarQuote        // $$…$$ or $tag$…$tag$, nothing is decoded
)

// Literal is a constant in the text: 5ul, 1.5e3f, "text"u, NULL, true.
type Literal struct {
	Span
	Kind   LiteralKind
	Raw    string // as written, with quotes and suffix
	Text   string // strings: decoded content; numbers: the digits without suffix, as written
	Suffix string // lower case, such as "ul" or "u"; empty without
	Quote  Quote
}
