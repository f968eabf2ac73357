package projection

import (
	"fmt"
	"slices"
	"strings"
)

// Clash is a pair of different tuples of branches, one branch a level, with the same path.
type Clash struct {
	A, B []uint64
	Path string
}

const (
	listed   = 1 << 16 // branches, or tuples, whose texts may be listed
	searched = 1 << 17 // pairs of states that the search may visit
)

// Collide decides whether two different tuples of branches have one path. It works on what the texts of the axes look
// like, not on the product of the branches. decided is false when no clash was found but there could be one: the texts
// are too many, or too little is known of them. A clash that is returned is always real.
func Collide(t *Template, axes []Axis) (c *Clash, decided bool) {
	shapes := make([]Shape, len(axes))
	decided = true
	for l, a := range axes {
		if _, some := a.Last(); !some {
			return nil, true
		}
		i, j, found, sure := twins(a)
		if found {
			first, second := make([]uint64, len(axes)), make([]uint64, len(axes))
			first[l], second[l] = i, j
			return clash(t, axes, first, second), true
		}
		decided = decided && sure
		shapes[l] = shapeOf(a)
	}
	if apart(t, shapes) {
		return nil, decided
	}
	s, ok := newSearch(t, axes)
	if ok {
		c, ok = s.run()
	}
	if c == nil && !ok {
		c, ok = listPaths(t, axes)
	}
	return c, c != nil || ok && decided
}

// Describe tells both tuples: "a=1 b=11 and a=11 b=1 both give 111/".
func (c *Clash) Describe(t *Template, axes []Axis) string {
	return fmt.Sprintf("%s and %s both give %s", tuple(t, axes, c.A), tuple(t, axes, c.B), c.Path)
}

func tuple(t *Template, axes []Axis, index []uint64) string {
	var b strings.Builder
	for l, a := range axes {
		if l > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.columns[l])
		b.WriteByte('=')
		b.Write(a.AppendName(nil, index[l]))
	}
	return b.String()
}

// clash is the clash of two tuples, or nil when they are the same or have different paths.
func clash(t *Template, axes []Axis, first, second []uint64) *Clash {
	path := string(t.AppendPath(nil, &Place{axes, first}))
	if slices.Equal(first, second) || path != string(t.AppendPath(nil, &Place{axes, second})) {
		return nil
	}
	if slices.Compare(first, second) > 0 {
		first, second = second, first
	}
	return &Clash{first, second, path}
}

// twins are two branches of an axis with the same text.
func twins(a Axis) (i, j uint64, found, decided bool) {
	if x, ok := a.(Texts); ok {
		if i, j, found, decided = x.Twins(); found || decided {
			return i, j, found, decided
		}
	}
	last, _ := a.Last()
	if last >= listed {
		return 0, 0, false, false
	}
	seen := make(map[string]uint64, last+1)
	for j = range last + 1 {
		text := string(a.AppendName(nil, j))
		if i, found = seen[text]; found {
			return i, j, true, true
		}
		seen[text] = j
	}
	return 0, 0, false, true
}

func shapeOf(a Axis) Shape {
	if x, ok := a.(Texts); ok {
		return x.Shape()
	}
	return shapeOfPieces(nil)
}

// apart proves that texts can be read back from every path, so that different tuples have different ones: going in
// from both ends, each text must have a fixed length, or end where a literal begins with a byte that it can't have, or
// be known from another place. One text may be left over in the middle.
func apart(t *Template, shapes []Shape) bool {
	if t.tidy {
		for _, s := range shapes {
			if !s.Plain {
				return false
			}
		}
	}
	known := make([]bool, len(shapes))
	i, j := 0, len(t.parts)-1
	for again := true; again; {
		again = false
		for ; i <= j && readable(t.parts, shapes, known, i, +1); i++ {
			again = true
		}
		for ; i <= j && (i == j || readable(t.parts, shapes, known, j, -1)); j-- {
			if l := t.parts[j].level; l != noLevel {
				known[l] = true
			}
			again = true
		}
	}
	return i > j
}

// readable reports whether the end of part i is certain for someone who knows its beginning and reads on in a
// direction, and notes that its level is known then.
func readable(parts []part, shapes []Shape, known []bool, i, direction int) bool {
	l := parts[i].level
	if l == noLevel || known[l] {
		return true
	}
	ok := shapes[l].Min == shapes[l].Max
	if next := i + direction; next < 0 || next == len(parts) {
		ok = true
	} else if s := parts[next].literal; s != "" && direction > 0 {
		ok = ok || !shapes[l].Bytes.Has(s[0])
	} else if s != "" {
		ok = ok || !shapes[l].Bytes.Has(s[len(s)-1])
	}
	known[l] = known[l] || ok
	return ok
}

// listPaths looks for a clash among all paths, when they are few.
func listPaths(t *Template, axes []Axis) (c *Clash, decided bool) {
	total := uint64(1)
	for _, a := range axes {
		last, _ := a.Last()
		if last >= listed || total*(last+1) > listed {
			return nil, false
		}
		total *= last + 1
	}
	seen := make(map[string]uint64, total)
	at := &Place{axes, make([]uint64, len(axes))}
	for n := range total {
		spread(axes, n, at.Index)
		path := string(t.AppendPath(nil, at))
		if other, ok := seen[path]; ok {
			first := make([]uint64, len(axes))
			spread(axes, other, first)
			return &Clash{first, at.Index, path}, true
		}
		seen[path] = n
	}
	return nil, true
}

// spread sets index to the n-th tuple.
func spread(axes []Axis, n uint64, index []uint64) {
	for l := len(axes) - 1; l >= 0; l-- {
		last, _ := axes[l].Last()
		index[l] = n % (last + 1)
		n /= last + 1
	}
}
