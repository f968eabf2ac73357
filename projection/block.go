package projection

import (
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// striped is an axis whose texts repeat in stripes: in every stripe of n neighbouring branches, the j-th text is a
// head that the stripe has in common and a tail that the j-th branch of every stripe of n has. Hours with their day
// before them are stripes of 24 branches; numbers are stripes of 10, 100, 1000.
type striped interface {
	// stripe is the greatest whole stripe that begins with branch i and has at most most branches: their number, and
	// the length of each of their tails. Where none begins, tail is 0, and none begins within n branches from i on.
	stripe(i, most uint64) (n uint64, tail int)
}

// group names lines that differ, from one time that they are written to the next, only in what stands in their slots:
// all that lies below a branch, from level down, or else what lies below n branches of level.
type group struct {
	level   int
	diagram pruning.Diagram // left before level, or below the n branches
	first   uint64          // of the n branches; 0 for all stripes, since they are alike
	n       uint64
	tail    int // 0: no stripe
}

// block holds the lines of a group as they were written last.
type block struct {
	lines []byte
	ends  []int32 // line i is lines[ends[i]:ends[i+1]]
	slots []slot
	above uint64 // of the unit whose line was added last
}

// slot is a text that all lines of a block share, and where it stands in each of them.
type slot struct {
	level int
	tail  int    // bytes at the end of the level's text that differ from line to line
	index uint64 // the branch that text is of
	text  []byte
	at    []int32
}

// blockSizes are what blocks may cost.
type blockSizes struct {
	lines uint64 // in a block at most
	worth uint64 // lines that a block should have
	bytes int    // in all blocks
}

// branch writes all that lies below the current branch, from level l down.
func (p *pathWriter) branch(l int, d pruning.Diagram) bool {
	n, err := p.count(l, d)
	switch {
	case err != nil:
		return p.fail(err)
	case p.skip != nil && p.skip.Cmp(n) >= 0:
		p.skipped(n)
		return true
	case n.IsUint64() && n.Uint64() < p.sizes.worth:
		return p.plainly(group{level: l, diagram: d})
	case n.IsUint64() && n.Uint64() <= p.sizes.lines:
		return p.group(group{level: l, diagram: d}, n.Uint64())
	}
	runs, err := p.runs(l, d)
	if err != nil {
		return p.fail(err)
	}
	for _, r := range runs {
		some, err := p.skipRun(l, &r)
		if err != nil {
			return p.fail(err)
		}
		if some && !p.stretch(l, r) {
			return false
		}
	}
	return true
}

// stretch writes what lies below a run of level l: stripe by stripe where there are some, else branch by branch or, when
// these have few lines, many branches at a time.
func (p *pathWriter) stretch(l int, r Run) bool {
	each, err := p.count(l+1, r.Rest)
	if err != nil || each.Sign() == 0 {
		return err == nil || p.fail(err)
	}
	most := uint64(0) // branches in a block
	if each.IsUint64() {
		most = p.sizes.lines / each.Uint64()
	}
	for i := r.First; ; i++ {
		p.unit.Index[l] = i
		p.unit.step()
		g := group{level: l, diagram: r.Rest, n: 1}
		if most > 1 {
			g.n, g.tail = p.stripe(l, min(most-1, r.Last-i)+1)
		}
		ok := false
		switch {
		case g.tail > 0:
			ok = p.group(g, g.n*each.Uint64())
		case most < p.sizes.lines/p.sizes.worth:
			g.n = 1
			ok = p.branch(l+1, r.Rest)
		case l == 0:
			ok = p.plainly(g)
		default:
			g.first = i
			ok = p.group(g, g.n*each.Uint64())
		}
		if i += g.n - 1; !ok || i == r.Last {
			return ok
		}
	}
}

// stripe is the stripe of level l that begins with the current branch; without stripes, all of most branches.
func (p *pathWriter) stripe(l int, most uint64) (n uint64, tail int) {
	if s, ok := p.unit.Axes[l].(striped); ok {
		return s.stripe(p.unit.Index[l], most)
	}
	return most, 0
}

// group writes the lines of a group, so many, below the current branch: from a block, where there is one or room for
// one.
func (p *pathWriter) group(g group, lines uint64) bool {
	blocks := p.blocks[g]
	for _, b := range blocks {
		if b.patch(&p.unit.Place) {
			return p.write(b)
		}
	}
	var b *block
	switch {
	case len(blocks) == lengths:
		b = blocks[0]
		copy(blocks, blocks[1:])
		blocks[lengths-1] = b
	case p.held > p.sizes.bytes:
		return p.plainly(g)
	default:
		b = new(block)
		p.blocks[g] = append(blocks, b)
	}
	p.held -= b.size()
	if !p.fill(b, g, int(lines)) {
		return false
	}
	p.held += b.size()
	return p.write(b)
}

// lengths is the number of blocks of a group: so many combinations of the lengths of the texts above it are kept.
const lengths = 4

// plainly yields the lines of a group one by one.
func (p *pathWriter) plainly(g group) bool {
	p.subtree = nil
	defer func() { p.subtree = p.branch }()
	if g.n == 0 {
		return p.walk(g.level, g.diagram, pruning.Unknown)
	}
	i := p.unit.Index[g.level]
	return p.branches(g.level, Run{i, i + g.n - 1, g.diagram}, pruning.Unknown)
}

// fill renders the lines of a group below the current branch. Its slots are the texts of the levels above, and of its
// own level in a stripe.
func (p *pathWriter) fill(b *block, g group, lines int) bool {
	t, at := p.unit.layout.Template, &p.unit.Place
	b.lines, b.ends, b.slots = b.lines[:0], append(slices.Grow(b.ends[:0], lines+1), 0), b.slots[:0]
	for _, part := range t.parts {
		if part.level == noLevel || part.level > g.level || part.level == g.level && g.tail == 0 {
			continue
		}
		s := slot{level: part.level, index: at.Index[part.level], at: make([]int32, 0, lines)}
		if part.level == g.level {
			s.tail = g.tail
		}
		s.text = s.render(nil, at)
		b.slots = append(b.slots, s)
	}
	yield, skip := p.yield, p.skip
	p.yield, p.skip = func(u *Unit, _ error) bool { b.add(t, u, p.sep); return true }, nil
	ok := p.plainly(g)
	p.yield, p.skip = yield, skip
	return ok
}

// add renders one more line: like the one before where the unit has another branch of the last level only.
func (b *block) add(t *Template, u *Unit, sep byte) {
	if len(b.ends) == 1 || b.above != u.above || !b.repeat(u, sep) {
		b.render(t, &u.Place, sep)
	}
	b.above = u.above
}

// repeat adds a line with its slots where the line before has them. It is false, and nothing is added, when their lengths differ.
func (b *block) repeat(u *Unit, sep byte) bool {
	n := len(b.ends)
	from, length := len(b.lines), b.ends[n-1]-b.ends[n-2]
	b.lines = append(u.AppendPath(b.lines), sep)
	if len(b.lines)-from != int(length) {
		b.lines = b.lines[:from]
		return false
	}
	for i := range b.slots {
		s := &b.slots[i]
		s.at = append(s.at, s.at[len(s.at)-1]+length)
	}
	b.ends = append(b.ends, int32(len(b.lines)))
	return true
}

// render adds a line part by part.
func (b *block) render(t *Template, at *Place, sep byte) {
	slots := b.slots
	for i := range t.parts {
		part := &t.parts[i]
		if part.level == noLevel {
			b.lines = append(b.lines, part.literal...)
			continue
		}
		if len(slots) > 0 && slots[0].level == part.level {
			s := &slots[0]
			slots = slots[1:]
			s.at = append(s.at, int32(len(b.lines)))
			if s.tail == 0 {
				b.lines = append(b.lines, s.text...)
				continue
			}
		}
		b.lines = at.Axes[part.level].AppendName(b.lines, at.Index[part.level])
	}
	b.lines = append(b.lines, sep)
	if len(b.ends) == 1 { // the others won't be much longer
		b.lines = slices.Grow(b.lines, len(b.lines)*(cap(b.ends)+cap(b.ends)/16))
	}
	b.ends = append(b.ends, int32(len(b.lines)))
}

// patch brings the lines to another place. It is false when a text's length differs, so that they must be rendered.
func (b *block) patch(at *Place) bool {
	for i := range b.slots {
		s := &b.slots[i]
		index := at.Index[s.level]
		if s.index == index {
			continue
		}
		old := len(s.text)
		both := s.render(s.text, at)
		s.text = both[:old]
		now := both[old:]
		if len(now) != old {
			return false
		}
		for j, c := range now {
			if c != s.text[j] {
				s.put(b.lines, j, c)
				s.text[j] = c
			}
		}
		s.index = index
	}
	return true
}

// put writes byte j of the text into every line.
func (s *slot) put(lines []byte, j int, c byte) {
	for _, at := range s.at {
		lines[int(at)+j] = c
	}
}

// render appends the text for a place.
func (s *slot) render(dst []byte, at *Place) []byte {
	dst = at.Axes[s.level].AppendName(dst, at.Index[s.level])
	return dst[:len(dst)-s.tail]
}

// size is roughly the memory held.
func (b *block) size() int { return len(b.lines) + 4*len(b.ends)*(1+len(b.slots)) }
