package projection

import "strings"

// What axes were made from, for those who write declarations.

// NumberSpec is what an [Integer] axis was made from: the numbers Min, Min+Step, … to Max, at least Width wide.
type NumberSpec struct {
	Min, Max int64
	Step     uint64
	Width    int
}

// Spec is what the axis was made from; Max is its last number.
func (a *Integer) Spec() NumberSpec {
	return NumberSpec{Min: a.min, Max: a.at(a.last), Step: a.step, Width: a.width}
}

// Spec is what the axis was made from.
func (a *Date) Spec() DateSpec { return a.spec }

// Names are the texts of the values, in order; not to be changed.
func (e *Enum) Names() []string { return e.texts }

// Unescaped is the axis whose texts [Escape] writes as Hive does, or a itself.
func Unescaped(a Axis) Axis {
	if e, ok := a.(*escaped); ok {
		return e.Axis
	}
	return a
}

// Write writes the template in another notation: literals and columns are what the two functions make of them.
func (t *Template) Write(literal, column func(string) string) string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.level == noLevel {
			b.WriteString(literal(p.literal))
		} else {
			b.WriteString(column(t.columns[p.level]))
		}
	}
	return b.String()
}
