package pruning

import (
	"slices"
	"strings"
)

// Texts of diagrams. A diagram is the outcomes T, F, N, joined by |, or - for none; or a key and its branches:
//
//	y: 2021 → (m: 12 → T), [2022,2024) → T|F, null → N
//
// Each branch is a set, as in texts of sets, or null, or both (null, 5 → T), and what is below it. What isn't mentioned,
// NULL included, is F. else is all values (not NULL) that aren't mentioned; any is all values. Keys stand in level order;
// names that aren't plain words are in backticks.

// maxText is the length at which String stops: the tree of a diagram can be very much larger than the diagram.
const maxText = 1 << 16

// String is d as text, which Space.Parse reads back: y: 2021 → (m: 12 → T), null → N. Above 64 KB it is cut off and ends
// in "…".
func (d Diagram) String() string {
	f := formatter{s: d.s}
	f.diagram(d.n)
	if len(f.dst) > maxText {
		f.dst = append(f.dst[:maxText], "…"...)
	}
	return string(f.dst)
}

type formatter struct {
	s   *Space
	dst []byte
}

func (f *formatter) diagram(id int32) {
	if id < leaves {
		f.dst = append(f.dst, Outcomes(id).String()...)
		return
	}
	x := f.s.node(id)
	groups, rest := x.shown()
	f.dst = append(appendName(f.dst, f.s.keys[x.key].Name), ": "...)
	for i, g := range groups {
		if len(f.dst) > maxText {
			return
		}
		if i > 0 {
			f.dst = append(f.dst, ", "...)
		}
		f.group(g, rest && i == len(groups)-1, f.s.keys[x.key].Type)
	}
}

// shown are the groups that the text mentions: not F. If that leaves out nothing, the one with the most intervals is
// written as the rest and comes last.
func (x *node) shown() (groups []group, rest bool) {
	all := x.groups()
	most := -1
	rest = true
	for _, g := range all {
		isF := g.kid == int32(False)
		rest = rest && (!isF || g.set.IsEmpty())
		if isF {
			continue
		}
		groups = append(groups, g)
		if n := len(g.set.cuts); n > 0 && (most < 0 || n >= len(groups[most].set.cuts)) {
			most = len(groups) - 1
		}
	}
	if rest = rest && most >= 0; rest {
		last := groups[most]
		groups = append(slices.Delete(groups, most, most+1), last)
	}
	return groups, rest
}

func (f *formatter) group(g group, rest bool, t Type) {
	if g.null {
		f.dst = append(f.dst, "null"...)
		if !g.set.IsEmpty() {
			f.dst = append(f.dst, ", "...)
		}
	}
	switch {
	case g.set.IsEmpty():
	case rest && !g.set.IsFull():
		f.dst = append(f.dst, "else"...)
	default:
		f.dst = g.set.AppendText(f.dst, t)
	}
	f.dst = append(f.dst, " → "...)
	if g.kid < leaves {
		f.diagram(g.kid)
		return
	}
	f.dst = append(f.dst, '(')
	f.diagram(g.kid)
	f.dst = append(f.dst, ')')
}

// plainName reports whether a key's name can stand without backticks.
func plainName(name string) bool {
	for i := range len(name) {
		c := name[i] | 0x20
		if !('a' <= c && c <= 'z' || '0' <= name[i] && name[i] <= '9' || name[i] == '_') {
			return false
		}
	}
	return name != ""
}

func appendName(dst []byte, name string) []byte {
	if plainName(name) {
		return append(dst, name...)
	}
	return append(append(append(dst, '`'), strings.ReplaceAll(name, "`", "``")...), '`')
}

// Parse reads the text of a diagram, as String writes it.
func (s *Space) Parse(text string) (Diagram, error) {
	p := &diagramParser{textParser{text: text}, s}
	s.begin()
	id := p.diagram(-1)
	p.end()
	d := s.end(id, Unknown)
	return d, p.err
}

type diagramParser struct {
	textParser
	s *Space
}

// diagram reads constants, or a key after the key above with its branches.
func (p *diagramParser) diagram(above int) int32 {
	if o, ok := p.outcomes(); ok {
		return int32(o)
	}
	key := p.key()
	if p.err != nil {
		return 0
	}
	if key <= above {
		p.fail("the key comes before the one above it")
		return 0
	}
	b := branches{t: p.s.keys[key].Type, null: int32(False), rest: int32(False)}
	for more := true; more && p.err == nil; more = p.eat(",") != "" {
		p.branch(&b, key)
	}
	if p.err != nil {
		return 0
	}
	return b.node(p.s, int32(key))
}

func (p *diagramParser) outcomes() (o Outcomes, ok bool) {
	from := p.pos
	w := p.word()
	if w == "-" {
		return None, true
	}
	for i := range len(w) {
		at := strings.IndexByte("TFN", w[i])
		if i%2 == 0 && at < 0 || i%2 == 1 && w[i] != '|' {
			p.pos = from
			return 0, false
		}
		if i%2 == 0 {
			o |= 1 << at
		}
	}
	return o, len(w)%2 == 1
}

// key reads a key's name and the colon, and gives the key's index.
func (p *diagramParser) key() int {
	name, ok := "", false
	from := p.pos
	if p.eat("`") != "" {
		for !ok && p.err == nil {
			part, _, closed := strings.Cut(p.rest(), "`")
			if !closed {
				p.fail("the name has no end")
			}
			p.pos = min(p.pos+len(part)+1, len(p.text))
			name += part
			if ok = !strings.HasPrefix(p.rest(), "`"); !ok {
				name += "`"
				p.pos++
			}
		}
	} else {
		name, _, _ = strings.Cut(p.rest(), ":")
		p.pos += len(name)
	}
	i := slices.IndexFunc(p.s.keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		p.pos = from
		p.fail("want outcomes or a key, not " + name)
	}
	p.want(":")
	return i
}

// branch reads sets → diagram.
func (p *diagramParser) branch(b *branches, key int) {
	var sets []Set
	null, rest := false, false
	for more := true; more && p.err == nil; more = p.eat(",") != "" {
		switch {
		case p.keyword("null"):
			null = true
		case p.keyword("else"):
			rest = true
		default:
			sets = append(sets, p.item(b.t))
		}
	}
	p.want("→")
	kid := int32(0)
	if p.eat("(") != "" {
		kid = p.diagram(key)
		p.want(")")
	} else if o, ok := p.outcomes(); ok {
		kid = int32(o)
	} else {
		p.fail("want outcomes or (")
	}
	if null {
		b.null = kid
	}
	if rest {
		b.rest = kid
	}
	if set := unionAll(sets).Clip(b.t); !set.Intersect(b.used).IsEmpty() {
		p.fail("a value has two branches")
	} else {
		b.used = b.used.Union(set)
		b.add(set, kid)
	}
}

// branches are what a text says about one key.
type branches struct {
	t          Type
	list       []piece
	used       Set
	null, rest int32
}

type piece struct {
	lo, hi *Value
	kid    int32
}

func (b *branches) add(set Set, kid int32) {
	for lo, hi := range set.Intervals() {
		b.list = append(b.list, piece{lo, hi, kid})
	}
}

func (b *branches) node(s *Space, key int32) int32 {
	b.add(b.used.Complement().Clip(b.t), b.rest)
	slices.SortFunc(b.list, func(x, y piece) int {
		switch {
		case x.lo == nil:
			return -1
		case y.lo == nil:
			return 1
		}
		return Compare(*x.lo, *y.lo)
	})
	w := s.start(key, len(b.list))
	for _, p := range b.list {
		cut := bottom
		if p.lo != nil {
			cut = *p.lo
		}
		w.add(cut, p.kid)
	}
	return w.finish(b.null)
}
