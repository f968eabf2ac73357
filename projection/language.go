package projection

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"
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

// numbers is the language of a range of numbers. A state is the sign, how many digits have been read and how they
// compare with the range's ends, and the remainder of what was read by the step. So there are few states, whatever the
// size of the range.
type numbers struct {
	step   uint64
	ranges [2]magnitudes // without and with a minus sign
}

// magnitudes are those of the numbers of one sign: from low to high, in decimal, filled to width digits. Longer ones
// begin with another digit than 0.
type magnitudes struct {
	low, high []byte // empty: there are none
	width     int
	rem       uint64 // their remainder by the step
}

func newNumbers(p Piece) *numbers {
	n := &numbers{step: p.Step}
	if p.Lo < 0 {
		least, most := uint64(1), -uint64(p.Lo)
		if p.Hi < 0 {
			least = -uint64(p.Hi)
		}
		n.ranges[1] = newMagnitudes(least, most, p.Width-1, most%p.Step)
	}
	if p.Hi >= 0 {
		least, rem := uint64(max(p.Lo, 0)), uint64(p.Lo)%p.Step
		if p.Lo < 0 {
			rem = (p.Step - -uint64(p.Lo)%p.Step) % p.Step
		}
		n.ranges[0] = newMagnitudes(least, uint64(p.Hi), p.Width, rem)
	}
	return n
}

func newMagnitudes(least, most uint64, width int, rem uint64) magnitudes {
	fill := func(m uint64) []byte {
		s := strconv.AppendUint(nil, m, 10)
		return append(bytes.Repeat([]byte("0"), max(width-len(s), 0)), s...)
	}
	return magnitudes{fill(least), fill(most), max(width, 1), rem}
}

// The node of a number's state: bits for the sign, a first digit 0, and what was read against the beginnings of low and
// high; above them the number of digits.
const (
	negative = 1 << iota
	leading0
	belowLow
	aboveLow
	belowHigh
	aboveHigh
	oneDigit
)

func (n *numbers) start(dst []step) []step {
	if n.ranges[1].high != nil {
		dst = append(dst, step{char: '-', to: state{node: negative}})
	}
	if n.ranges[0].high != nil {
		dst = n.digits(dst, state{})
	}
	return dst
}

func (n *numbers) next(dst []step, at state) []step {
	x, read := &n.ranges[at.node&negative], int(at.node/oneDigit)
	long := read > len(x.low) || read == len(x.low) && at.node&belowLow == 0
	short := read < len(x.high) || at.node&aboveHigh == 0
	if read >= x.width && long && short && at.rem == x.rem {
		dst = append(dst, step{char: noChar, done: true})
	}
	if read == len(x.high) || read == x.width && at.node&leading0 != 0 {
		return dst
	}
	return n.digits(dst, at)
}

// digits appends the steps by one more digit.
func (n *numbers) digits(dst []step, at state) []step {
	x, read := &n.ranges[at.node&negative], int(at.node/oneDigit)
	for c := byte('0'); c <= '9'; c++ {
		node := at.node + oneDigit
		if read == 0 && c == '0' {
			node |= leading0
		}
		if read < len(x.low) {
			node |= against(node, c, x.low[read], belowLow, aboveLow)
		} else {
			node &^= belowLow | aboveLow // what is longer is greater, whatever it begins with
		}
		node |= against(node, c, x.high[read], belowHigh, aboveHigh)
		dst = append(dst, step{char: int16(c), to: state{node, n.remainder(at.rem, c)}})
	}
	return dst
}

// against compares one more digit with that of an end of the range; the first difference counts.
func against(node uint32, c, end byte, below, above uint32) uint32 {
	switch {
	case node&(below|above) != 0 || c == end:
		return 0
	case c < end:
		return below
	}
	return above
}

// remainder is that of a number with remainder rem once a digit is appended.
func (n *numbers) remainder(rem uint64, c byte) uint64 {
	if n.step == 1 {
		return 0
	}
	hi, lo := bits.Mul64(rem, 10)
	lo, carry := bits.Add64(lo, uint64(c-'0'), 0)
	return bits.Rem64(hi+carry, lo, n.step)
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
