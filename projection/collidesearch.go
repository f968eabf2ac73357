package projection

import "slices"

// search looks for two ways through a template that give one path and differ somewhere. It follows both at once, byte
// by byte, and never visits a pair of states twice; so it ends after as many steps as there are pairs of states,
// however many branches the axes have.
type search struct {
	t       *Template
	axes    []Axis
	elems   []element
	nodes   []searchNode
	seen    map[pair]bool
	failed  bool // a pair of ways turned out to be no clash
	scratch []step
}

// element is a language and the part of the template that it belongs to.
type element struct {
	language
	part int
}

// cursor is how far one way has come: a state of an element, or the beginning of one. slash: what it wrote last is a
// slash, so that another one is left out of the path.
type cursor struct {
	elem  int32
	begun bool
	slash bool
	at    state
}

// pair is two ways that have given the same bytes, but for one byte that b may be ahead.
type pair struct {
	a, b  cursor
	ahead int16 // noChar: none
	same  bool  // they are the same way so far
}

// searchNode is a visited pair and how it was come to: by the bytes read by a and b.
type searchNode struct {
	pair
	from         int32
	readA, readB int16
}

func newSearch(t *Template, axes []Axis) (s *search, ok bool) {
	s = &search{t: t, axes: axes, seen: make(map[pair]bool)}
	for i, p := range t.parts {
		ls := []language{literal(p.literal)}
		if p.level != noLevel {
			ls = languages(axes[p.level])
		}
		if ls == nil {
			return nil, false
		}
		for _, l := range ls {
			s.elems = append(s.elems, element{l, i})
		}
	}
	return s, true
}

// run looks for a clash; decided is false when it gave up.
func (s *search) run() (c *Clash, decided bool) {
	start := cursor{slash: s.t.tidy}
	s.push(pair{start, start, noChar, true}, -1, noChar, noChar)
	for i := 0; i < len(s.nodes); i++ {
		if len(s.nodes) > searched {
			return nil, false
		}
		n := s.nodes[i]
		switch {
		case n.same:
			s.together(int32(i), n.pair)
		case n.ahead == noChar && s.ended(n.a) && s.ended(n.b):
			if c := s.verify(int32(i)); c != nil {
				return c, true
			}
			s.failed = true
		case n.ahead == noChar && !s.ended(n.b):
			s.advanceB(int32(i), n.pair)
		default:
			s.advanceA(int32(i), n.pair)
		}
	}
	return nil, !s.failed
}

func (s *search) ended(c cursor) bool { return int(c.elem) == len(s.elems) }

func (s *search) push(p pair, from int32, readA, readB int16) {
	if goal := !p.same && p.ahead == noChar && s.ended(p.a) && s.ended(p.b); !goal {
		if s.seen[p] {
			return
		}
		s.seen[p] = true
	}
	s.nodes = append(s.nodes, searchNode{p, from, readA, readB})
}

// steps are the steps from a cursor.
func (s *search) steps(dst []step, c cursor) []step {
	switch {
	case s.ended(c):
		return dst
	case !c.begun:
		return s.elems[c.elem].start(dst)
	}
	return s.elems[c.elem].next(dst, c.at)
}

// take is where a step leads, and the byte that it adds to the path.
func (s *search) take(c cursor, by step) (to cursor, out int16) {
	to = cursor{elem: c.elem, begun: true, slash: c.slash, at: by.to}
	if by.done {
		to = cursor{elem: c.elem + 1, slash: c.slash}
	}
	if by.char == noChar || by.char == '/' && c.slash {
		return to, noChar
	}
	to.slash = s.t.tidy && by.char == '/'
	return to, by.char
}

// together goes on from a pair of equal ways: both take the same step, or they part. Two steps that read a byte can't
// give the same path, so one of those by which they part reads none, or a slash that is left out.
func (s *search) together(i int32, p pair) {
	s.scratch = s.steps(s.scratch[:0], p.a)
	steps := s.scratch
	for j, x := range steps {
		a, outA := s.take(p.a, x)
		s.push(pair{a, a, noChar, true}, i, x.char, x.char)
		for _, y := range steps[:j] {
			b, outB := s.take(p.a, y)
			switch {
			case outA == noChar:
				s.push(pair{a, b, outB, false}, i, x.char, y.char)
			case outB == noChar:
				s.push(pair{b, a, outA, false}, i, y.char, x.char)
			}
		}
	}
}

// advanceB lets b read on.
func (s *search) advanceB(i int32, p pair) {
	s.scratch = s.steps(s.scratch[:0], p.b)
	for _, x := range s.scratch {
		b, out := s.take(p.b, x)
		s.push(pair{p.a, b, out, false}, i, noChar, x.char)
	}
}

// advanceA lets a catch up.
func (s *search) advanceA(i int32, p pair) {
	s.scratch = s.steps(s.scratch[:0], p.a)
	for _, x := range s.scratch {
		switch a, out := s.take(p.a, x); out {
		case noChar:
			s.push(pair{a, p.b, p.ahead, false}, i, x.char, noChar)
		case p.ahead:
			s.push(pair{a, p.b, noChar, false}, i, x.char, noChar)
		}
	}
}

// verify makes the clash of a pair of complete ways: their texts must be those of branches, the same wherever a column
// stands, and their paths be equal.
func (s *search) verify(i int32) *Clash {
	texts := [2][][]byte{make([][]byte, len(s.t.parts)), make([][]byte, len(s.t.parts))}
	for n := s.nodes[i]; n.from >= 0; n = s.nodes[n.from] {
		from := s.nodes[n.from]
		for k, read := range [2]int16{n.readA, n.readB} {
			if c := [2]cursor{from.a, from.b}[k]; read != noChar {
				part := s.elems[c.elem].part
				texts[k][part] = append(texts[k][part], byte(read))
			}
		}
	}
	first, ok := s.tuple(texts[0])
	second, ok2 := s.tuple(texts[1])
	if !ok || !ok2 {
		return nil
	}
	return clash(s.t, s.axes, first, second)
}

// tuple finds the branches with texts, which stand backwards.
func (s *search) tuple(texts [][]byte) (index []uint64, ok bool) {
	index = make([]uint64, len(s.axes))
	known := make([]bool, len(s.axes))
	for i, p := range s.t.parts {
		if p.level == noLevel {
			continue
		}
		slices.Reverse(texts[i])
		n, ok := findText(s.axes[p.level], string(texts[i]))
		if !ok || known[p.level] && n != index[p.level] {
			return nil, false
		}
		index[p.level], known[p.level] = n, true
	}
	return index, true
}

// findText is the branch with a text.
func findText(a Axis, text string) (uint64, bool) {
	if x, ok := a.(Texts); ok {
		return x.Find(text)
	}
	last, _ := a.Last()
	for i := range last + 1 {
		if string(a.AppendName(nil, i)) == text {
			return i, true
		}
	}
	return 0, false
}
