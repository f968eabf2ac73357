package projection

import "github.com/yqlplan/yqlplan/pruning"

// Enum is the axis of listed values, in the order in which they were declared.
type Enum struct {
	key    int
	texts  []string
	byText *sorted
	values *sorted
	shape  Shape
}

// NewEnum makes the axis of a key's values and of the texts that stand for them in paths; both have the same length.
// values nil: the texts are the values, which is right for keys of type String. Values that occur twice are [Enum.Twins].
func NewEnum(key int, values []pruning.Value, texts []string) *Enum {
	words := make([]pruning.Value, len(texts))
	for i, t := range texts {
		words[i] = pruning.Text(t)
	}
	e := &Enum{key: key, texts: texts, byText: newSorted(words)}
	e.values = e.byText
	if values != nil {
		e.values = newSorted(values)
	}
	if len(texts) > 0 {
		e.shape = shapeOfPieces([]Piece{{Words: texts}})
	}
	return e
}

// Last implements [Axis].
func (e *Enum) Last() (uint64, bool) { return uint64(len(e.texts)) - 1, len(e.texts) > 0 }

// Value implements [Axis].
func (e *Enum) Value(i uint64) (v pruning.Value, null, ok bool) {
	return e.values.values[i], false, true
}

// AppendName implements [Axis].
func (e *Enum) AppendName(dst []byte, i uint64) []byte { return append(dst, e.texts[i]...) }

// Runs implements [Axis]: a binary search for each end of an interval of d.
func (e *Enum) Runs(dst []Run, d pruning.Diagram) ([]Run, error) {
	if len(e.texts) == 0 {
		return dst, nil
	}
	return valueRuns(dst, d, e.key, uint64(len(e.texts))-1, e.values), nil
}

// Shape implements [Texts].
func (e *Enum) Shape() Shape { return e.shape }

// Pieces implements [Texts].
func (e *Enum) Pieces() ([]Piece, bool) { return []Piece{{Words: e.texts}}, true }

// Find implements [Texts]. Of branches with the same text it is the first.
func (e *Enum) Find(text string) (uint64, bool) {
	k := e.byText.from(pruning.Text(text))
	if k == len(e.byText.order) || e.texts[e.byText.order[k]] != text {
		return 0, false
	}
	return uint64(e.byText.order[k]), true
}

// Twins implements [Texts].
func (e *Enum) Twins() (i, j uint64, found, decided bool) {
	i, j, found = e.byText.equal()
	return i, j, found, true
}
