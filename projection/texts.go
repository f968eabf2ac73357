package projection

// Texts is an axis that knows what the texts of its branches look like. It lets collisions be decided without
// listing the branches, and paths be written block by block. Axes of a few branches can do without.
type Texts interface {
	Axis
	// Shape is what all texts have in common.
	Shape() Shape
	// Pieces describes a set that holds all texts: each is a text of the first piece, then one of the second, and so
	// on. exact: every text of the set is that of a branch. No pieces: nothing is known.
	Pieces() (ps []Piece, exact bool)
	// Find is the branch with a text; ok is false when none has it.
	Find(text string) (i uint64, ok bool)
	// Twins are two branches i < j with the same text; found is false when there are none, decided is false when
	// that is not known.
	Twins() (i, j uint64, found, decided bool)
}

// Shape is what all texts of an axis have in common. The zero Shape is that of no texts.
type Shape struct {
	Min, Max int     // least and greatest length in bytes
	Bytes    ByteSet // bytes that may occur
	Plain    bool    // no text is empty, has "/" at an end, or has "//" within: joining paths leaves it as it is
}

// Piece is a part of a text: one of some words, or else a decimal number.
type Piece struct {
	Words  []string // a literal is a single word
	Lo, Hi int64    // numbers Lo, Lo+Step, … up to Hi
	Step   uint64   // at least 1 in a number
	Width  int      // numbers are filled with zeros to this width; a minus sign counts
}

// ByteSet is a set of bytes.
type ByteSet [4]uint64

// Add puts a byte into the set.
func (s *ByteSet) Add(c byte) { s[c>>6] |= 1 << (c & 63) }

// Has reports whether a byte is in the set.
func (s *ByteSet) Has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

// Union puts all bytes of t into the set.
func (s *ByteSet) Union(t ByteSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// shapeOfPieces is the shape of all texts that pieces describe; without pieces it is that of any text.
func shapeOfPieces(ps []Piece) Shape {
	if len(ps) == 0 {
		return Shape{Max: maxLength, Bytes: ByteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}}
	}
	out := Shape{Plain: true}
	slash := true // what stands before may end in "/"
	for _, p := range ps {
		one := p.shape()
		out.Min += one.Min
		out.Max = min(out.Max+one.Max, maxLength)
		out.Bytes.Union(one.Bytes)
		first, last, inner := p.slashes()
		out.Plain = out.Plain && one.Min > 0 && !inner && !(slash && first)
		slash = last
	}
	out.Plain = out.Plain && !slash
	return out
}

// maxLength stands for lengths without a bound.
const maxLength = 1 << 30

func (p *Piece) shape() Shape {
	if p.Words == nil {
		return numberShape(p.Lo, p.Hi, p.Width)
	}
	out := Shape{Min: maxLength}
	for _, w := range p.Words {
		out.Min = min(out.Min, len(w))
		out.Max = max(out.Max, len(w))
		for i := range len(w) {
			out.Bytes.Add(w[i])
		}
	}
	return out
}

// slashes tells whether some text of the piece begins with "/", ends in one, or has two in a row.
func (p *Piece) slashes() (first, last, inner bool) {
	for _, w := range p.Words {
		for i := range len(w) {
			if w[i] == '/' {
				first = first || i == 0
				last = last || i == len(w)-1
				inner = inner || i > 0 && w[i-1] == '/'
			}
		}
	}
	return first, last, inner
}

func numberShape(lo, hi int64, width int) Shape {
	out := Shape{Min: width, Max: max(width, numberLength(lo), numberLength(hi)), Plain: true}
	for c := byte('0'); c <= '9'; c++ {
		out.Bytes.Add(c)
	}
	switch {
	case lo > 0:
		out.Min = max(width, numberLength(lo))
	case hi < 0:
		out.Min = max(width, numberLength(hi))
	default:
		out.Min = max(width, 1)
	}
	if lo < 0 {
		out.Bytes.Add('-')
	}
	return out
}

// numberLength is the length of v in decimal, the sign included.
func numberLength(v int64) int {
	n, m := 1, uint64(v)
	if v < 0 {
		n, m = 2, -m
	}
	for ; m >= 10; m /= 10 {
		n++
	}
	return n
}
