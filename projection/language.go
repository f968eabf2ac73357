package projection

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// language is a set of texts as an automaton in which different ways have different texts.
type language interface {
	// start appends the steps out of the beginning.
	start(dst []step) []step
	// next appends the steps out of a state.
	next(dst []step, at state) []step
}

// state is a state of one language.
type state struct {
	node uint32
	rem  uint64
}

// step leads to a state by a byte, or by none; done steps leave the language.
type step struct {
	char int16 // noChar: none
	done bool
	to   state
}

const noChar = -1

// literal is the language of one text; a state is the number of bytes read.
type literal string

func (s literal) start(dst []step) []step { return s.next(dst, state{}) }

func (s literal) next(dst []step, at state) []step {
	if int(at.node) == len(s) {
		return append(dst, step{char: noChar, done: true})
	}
	return append(dst, step{char: int16(s[at.node]), to: state{node: at.node + 1}})
}

// words is the language of a list, as a tree in which equal subtrees are shared. A state is a node.
type words struct {
	nodes [][]step
	root  uint32
	ids   map[string]uint32
}

const (
	longestWord = 4 << 10
	allWords    = 4 << 20 // bytes
)

// newWords builds the tree; ok is false when the list is too long.
func newWords(list []string) (w *words, ok bool) {
	size := 0
	for _, s := range list {
		if size += len(s); len(s) > longestWord || size > allWords {
			return nil, false
		}
	}
	list = slices.Clone(list)
	slices.Sort(list)
	w = &words{ids: make(map[string]uint32)}
	w.root = w.add(slices.Compact(list), 0)
	return w, true
}

// add makes the node for the ends, from byte n on, of sorted words that agree up to there.
func (w *words) add(list []string, n int) uint32 {
	var node []step
	var id []byte
	if len(list[0]) == n {
		node = append(node, step{char: noChar, done: true})
		id = append(id, '.')
		list = list[1:]
	}
	for len(list) > 0 {
		c := list[0][n]
		k := slices.IndexFunc(list, func(s string) bool { return s[n] != c })
		if k < 0 {
			k = len(list)
		}
		to := w.add(list[:k], n+1)
		node = append(node, step{char: int16(c), to: state{node: to}})
		id = binary.LittleEndian.AppendUint32(append(id, ':', c), to)
		list = list[k:]
	}
	if known, ok := w.ids[string(id)]; ok {
		return known
	}
	w.nodes = append(w.nodes, node)
	w.ids[string(id)] = uint32(len(w.nodes) - 1)
	return uint32(len(w.nodes) - 1)
}

func (w *words) start(dst []step) []step          { return append(dst, w.nodes[w.root]...) }
func (w *words) next(dst []step, at state) []step { return append(dst, w.nodes[at.node]...) }

// numbers is the language of a range of numbers: classes of one sign and length, whose texts differ. A state is a
// class, the number of bytes read, whether they are those of the class's least or greatest number, and the remainder
// of what was read by the step.
type numbers struct {
	step    uint64
	classes []numberClass
}

type numberClass struct {
	low, high []byte // the texts of least and greatest magnitude; both have the same length
	rem       uint64 // magnitudes have this remainder by the step
}

func newNumbers(p Piece) *numbers {
	n := &numbers{step: p.Step}
	if p.Lo < 0 {
		least, most := uint64(1), -uint64(p.Lo)
		if p.Hi < 0 {
			least = -uint64(p.Hi)
		}
		n.addClasses("-", max(p.Width-1, 1), least, most, most%p.Step)
	}
	if p.Hi >= 0 {
		rem := uint64(max(p.Lo, 0)) % p.Step
		if p.Lo < 0 {
			rem = (p.Step - -uint64(p.Lo)%p.Step) % p.Step
		}
		n.addClasses("", max(p.Width, 1), uint64(max(p.Lo, 0)), uint64(p.Hi), rem)
	}
	return n
}

// addClasses adds the magnitudes from least to most, with a sign before at least width digits.
func (n *numbers) addClasses(sign string, width int, least, most, rem uint64) {
	for length := width; ; length++ {
		low, high := least, most
		if length > width {
			low = max(low, pow10[length-1])
		}
		if length < len(pow10) {
			high = min(high, pow10[length]-1)
		}
		if low > most {
			return
		}
		if low <= high {
			text := func(m uint64) []byte {
				s := appendNumber([]byte(sign), int64(min(m, math.MaxInt64)), length)
				if m > math.MaxInt64 {
					s[len(s)-1]++ // 2^63, the only magnitude above
				}
				return s
			}
			n.classes = append(n.classes, numberClass{text(low), text(high), rem})
		}
		if high == most {
			return
		}
	}
}

const (
	isLow  = 1 << 0
	isHigh = 1 << 1
)

// start guesses the class, which the first bytes needn't tell.
func (n *numbers) start(dst []step) []step {
	for i := range n.classes {
		dst = append(dst, step{char: noChar, to: state{node: uint32(i)<<16 | isLow | isHigh}})
	}
	return dst
}

func (n *numbers) next(dst []step, at state) []step {
	c, read := &n.classes[at.node>>16], int(at.node>>2&0x3fff)
	if read == len(c.low) {
		if at.rem == c.rem {
			dst = append(dst, step{char: noChar, done: true})
		}
		return dst
	}
	from, to := byte('0'), byte('9')
	if at.node&isLow != 0 {
		from = c.low[read]
	}
	if at.node&isHigh != 0 {
		to = c.high[read]
	}
	for b := from; b <= to; b++ {
		node := at.node>>16<<16 | uint32(read+1)<<2
		if b == c.low[read] {
			node |= at.node & isLow
		}
		if b == c.high[read] {
			node |= at.node & isHigh
		}
		rem := at.rem
		if b != '-' && n.step > 1 {
			hi, lo := bits.Mul64(rem, 10)
			lo, carry := bits.Add64(lo, uint64(b-'0'), 0)
			rem = bits.Rem64(hi+carry, lo, n.step)
		}
		dst = append(dst, step{char: int16(b), to: state{node, rem}})
	}
	return dst
}

// languages are those that the texts of a level are put together from, one after the other; nil when too little is
// known. They may hold more texts than the axis.
func languages(a Axis) []language {
	var pieces []Piece
	exact := false
	if x, ok := a.(Texts); ok {
		pieces, exact = x.Pieces()
	}
	if last, _ := a.Last(); !exact && last < listed {
		var list []string
		for i := range last + 1 {
			list = append(list, string(a.AppendName(nil, i)))
		}
		pieces = []Piece{{Words: list}}
	}
	var ls []language
	for _, p := range pieces {
		if p.Words == nil {
			ls = append(ls, newNumbers(p))
			continue
		}
		w, ok := newWords(p.Words)
		if !ok {
			return nil
		}
		ls = append(ls, w)
	}
	return ls
}
