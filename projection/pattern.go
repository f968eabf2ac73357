package projection

import (
	"strings"
	"unicode/utf8"
)

// Pattern is a wildcard for the names of objects: * any text, ? one character, {a,b} alternatives, in which the others may
// stand. Everything else is literal, a } or a comma outside of braces too. (YDB, yql_s3_path.cpp)
type Pattern struct {
	text    string
	code    []instr
	prefix  string // all names begin with it
	suffix  string // all names end in it
	between bool   // and there is no other condition
}

// instr is an instruction of a pattern's program.
type instr struct {
	op   patternOp
	char byte
	to   []int // of a fork
}

type patternOp uint8

const (
	matchByte     patternOp = iota
	matchOne                // one character
	matchNameChar           // one character that isn't "/"
	matchAny                // any text
	matchName               // any text without "/"
	fork                    // go on at one of several places
)

// ParsePattern compiles a wildcard. crosses: * and ? match "/", too. Braces that aren't closed reach to the end.
func ParsePattern(text string, crosses bool) *Pattern {
	p := &Pattern{text: text}
	group := -1 // the fork of the open brace
	var ends []int
	for i := range len(text) {
		switch c := text[i]; {
		case c == '*' && crosses:
			p.code = append(p.code, instr{op: matchAny})
		case c == '*':
			p.code = append(p.code, instr{op: matchName})
		case c == '?' && crosses:
			p.code = append(p.code, instr{op: matchOne})
		case c == '?':
			p.code = append(p.code, instr{op: matchNameChar})
		case c == '{' && group < 0:
			group, ends = len(p.code), nil
			p.code = append(p.code, instr{op: fork, to: []int{group + 1}})
		case c == ',' && group >= 0:
			ends = append(ends, len(p.code))
			p.code = append(p.code, instr{op: fork})
			p.code[group].to = append(p.code[group].to, len(p.code))
		case c == '}' && group >= 0:
			p.close(ends)
			group = -1
		default:
			p.code = append(p.code, instr{op: matchByte, char: c})
		}
	}
	if group >= 0 {
		p.close(ends)
	}
	p.shortcuts(crosses)
	return p
}

// close lets the alternatives of a brace go on behind it.
func (p *Pattern) close(ends []int) {
	for _, e := range ends {
		p.code[e].to = []int{len(p.code)}
	}
}

// shortcuts finds what can be decided by looking at the ends of a name.
func (p *Pattern) shortcuts(crosses bool) {
	first := strings.IndexAny(p.text, "*?{")
	if first < 0 {
		first = len(p.text)
	}
	p.prefix = p.text[:first]
	if last := strings.LastIndexAny(p.text, "*?"); last >= 0 && !strings.Contains(p.text, "{") {
		p.suffix = p.text[last+1:]
		p.between = crosses && p.text[first:last+1] == "*"
	}
}

// Prefix is the literal text that all names begin with: what to list.
func (p *Pattern) Prefix() string { return p.prefix }

// String is the pattern as written.
func (p *Pattern) String() string { return p.text }

// Match reports whether all of a name fits.
func (p *Pattern) Match(name string) bool {
	switch {
	case len(name) < len(p.prefix)+len(p.suffix) || !strings.HasPrefix(name, p.prefix) || !strings.HasSuffix(name, p.suffix):
		return false
	case p.between:
		return true
	}
	m := patternMatcher{p: p, name: name}
	words := ((len(p.code)+1)*(len(name)+1) + 63) / 64
	m.tried = m.small[:]
	if words > len(m.small) {
		m.tried = make([]uint64, words)
	}
	return m.from(0, 0)
}

// patternMatcher tries each place of the program with each place of the name once.
type patternMatcher struct {
	p     *Pattern
	name  string
	tried []uint64
	small [32]uint64
}

func (m *patternMatcher) from(pc, at int) bool {
	for m.first(pc, at) {
		if pc == len(m.p.code) {
			return at == len(m.name)
		}
		in := &m.p.code[pc]
		switch in.op {
		case fork:
			for _, to := range in.to {
				if m.from(to, at) {
					return true
				}
			}
			return false
		case matchAny, matchName:
			return m.star(pc, at, in.op)
		}
		if at == len(m.name) {
			return false
		}
		size := 1
		switch {
		case in.op == matchNameChar && m.name[at] == '/', in.op == matchByte && m.name[at] != in.char:
			return false
		case in.op != matchByte:
			_, size = utf8.DecodeRuneInString(m.name[at:])
		}
		pc, at = pc+1, at+size
	}
	return false
}

// first reports whether a place of the program and one of the name are tried together for the first time.
func (m *patternMatcher) first(pc, at int) bool {
	bit := pc*(len(m.name)+1) + at
	word, mask := &m.tried[bit/64], uint64(1)<<(bit%64)
	seen := *word&mask != 0
	*word |= mask
	return !seen
}

// star tries the rest of the program at every place that a star can reach.
func (m *patternMatcher) star(pc, at int, op patternOp) bool {
	for {
		if m.from(pc+1, at) {
			return true
		}
		if at == len(m.name) || op == matchName && m.name[at] == '/' {
			return false
		}
		if at++; !m.first(pc, at) {
			return false
		}
	}
}
