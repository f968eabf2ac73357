package projection

import "slices"

// NameIndex numbers names in the order in which they are first added. The zero value has none.
type NameIndex struct {
	names  []string
	byName map[string]int // nil while there are few
}

// Add takes a name and gives its number; added is false when it was there before.
func (x *NameIndex) Add(name string) (i int, added bool) {
	const few, usual = 8, 4
	if i = x.Find(name); i >= 0 {
		return i, false
	}
	if x.names == nil {
		x.names = make([]string, 0, usual)
	}
	i = len(x.names)
	x.names = append(x.names, name)
	switch {
	case x.byName != nil:
		x.byName[name] = i
	case len(x.names) > few:
		x.byName = make(map[string]int, 2*few)
		for i, n := range x.names {
			x.byName[n] = i
		}
	}
	return i, true
}

// Find is the number of a name, or -1.
func (x *NameIndex) Find(name string) int {
	if x.byName == nil {
		return slices.Index(x.names, name)
	}
	if i, ok := x.byName[name]; ok {
		return i
	}
	return -1
}

// Names are all names in order, not to be changed.
func (x *NameIndex) Names() []string { return x.names }
