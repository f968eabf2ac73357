package duckdb

import (
	"strings"

	"github.com/yqlplan/yqlplan/projection"
)

// glob is a pattern for paths: * any text within a part, ? one byte, [abc], [a-z], [!a], \x the character x, and ** as
// a whole part any number of directories. Braces are literal (DuckDB, like.cpp and local_file_system.cpp).
type glob struct {
	text   string
	at     projection.Text
	remote bool   // s3:// and the like
	host   string // scheme and bucket, which keys of a listing may leave out: "s3://lake/"
	parts  []part // behind the host
	root   string // the literal directories in front, ending in "/" unless empty
	first  int    // the first part with a wildcard; all, when there is none
	crawls int    // parts that are **
}

// part is a part of a pattern between slashes.
type part struct {
	text  string // as written
	kind  partKind
	plain string // the literal text of a literalPart, of a startPart and of an endPart
}

type partKind uint8

const (
	literalPart partKind = iota
	anyPart              // *
	startPart            // text*
	endPart              // *text
	crawlPart            // **
	wildPart             // another one
)

func newGlob(t projection.Text) *glob {
	g := &glob{text: t.S, at: t}
	rest := t.S
	if scheme, behind, ok := strings.Cut(rest, "://"); ok && !strings.ContainsAny(scheme, "/*?[") {
		bucket, key, _ := strings.Cut(behind, "/")
		g.host, rest = rest[:len(rest)-len(behind)]+bucket+"/", key
		if scheme == "file" {
			g.host += "/"
		}
		g.remote = scheme != "file"
	}
	rest = strings.TrimLeft(rest, "/")
	for strings.HasPrefix(rest, "./") {
		rest = strings.TrimLeft(rest[2:], "/")
	}
	for p := range strings.SplitSeq(rest, "/") {
		if p != "" || len(g.parts) == 0 {
			g.parts = append(g.parts, newPart(p))
		}
	}
	for ; g.first < len(g.parts) && g.parts[g.first].kind == literalPart; g.first++ {
		if g.first < len(g.parts)-1 {
			g.root += g.parts[g.first].plain + "/"
		}
	}
	for _, p := range g.parts {
		if p.kind == crawlPart {
			g.crawls++
		}
	}
	return g
}

func newPart(text string) part {
	wild := strings.IndexAny(text, `*?[\`)
	switch {
	case wild < 0:
		return part{text, literalPart, text}
	case text == "*":
		return part{text: text, kind: anyPart}
	case text == "**":
		return part{text: text, kind: crawlPart}
	case wild == len(text)-1 && text[wild] == '*':
		return part{text, startPart, text[:wild]}
	case text[0] == '*' && !strings.ContainsAny(text[1:], `*?[\`):
		return part{text, endPart, text[1:]}
	case !strings.ContainsAny(text, "*?["):
		return part{text, literalPart, unescape(text)}
	}
	return part{text: text, kind: wildPart}
}

// unescape takes the backslashes out of a part without wildcards.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// literal reports whether the pattern has no wildcards.
func (g *glob) literal() bool { return g.first == len(g.parts) }

// below is the pattern of all files with an extension below the directory that a literal pattern names.
func (g *glob) below(ext string) *glob {
	dir := *g
	dir.parts = append(append([]part{}, g.parts...), newPart("**"), newPart("*"+ext))
	dir.root = g.root + g.parts[len(g.parts)-1].plain + "/"
	dir.crawls = 1
	return &dir
}

// match reports whether a key, as it stands behind the root, fits the parts behind it.
func (g *glob) match(rest string) bool { return matchParts(g.parts[g.first:], rest) }

func matchParts(parts []part, path string) bool {
	for len(parts) > 0 {
		if parts[0].kind == crawlPart {
			return crawl(parts[1:], path)
		}
		name, rest, more := strings.Cut(path, "/")
		if !parts[0].match(name) || more != (len(parts) > 1) {
			return false
		}
		parts, path = parts[1:], rest
	}
	return true
}

// crawl matches the parts behind ** with every end of a path.
func crawl(parts []part, path string) bool {
	if len(parts) == 0 {
		return true
	}
	if len(parts) == 1 && parts[0].kind != crawlPart { // the usual one: a file at any depth
		return parts[0].match(path[strings.LastIndexByte(path, '/')+1:])
	}
	for {
		if matchParts(parts, path) {
			return true
		}
		_, rest, more := strings.Cut(path, "/")
		if !more {
			return false
		}
		path = rest
	}
}

func (p *part) match(name string) bool {
	switch p.kind {
	case literalPart:
		return name == p.plain
	case anyPart, crawlPart:
		return true
	case startPart:
		return strings.HasPrefix(name, p.plain)
	case endPart:
		return strings.HasSuffix(name, p.plain)
	}
	return matchWild(p.text, name)
}

// matchWild goes back to the last star where a text doesn't fit.
func matchWild(pattern, s string) bool {
	star, again := -1, 0
	p, i := 0, 0
	for {
		if p < len(pattern) && pattern[p] == '*' {
			star, again = p, i
			p++
			continue
		}
		if i == len(s) {
			if p == len(pattern) {
				return true
			}
		} else if n, ok := matchByte(pattern[p:], s[i]); ok {
			p, i = p+n, i+1
			continue
		}
		if star < 0 || again >= len(s) {
			return false
		}
		again++
		p, i = star+1, again
	}
}

// matchByte matches the beginning of a pattern that isn't a star with one byte, and tells how long that beginning is.
func matchByte(pattern string, c byte) (n int, ok bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
		return 1, false
	case '[':
		return matchSet(pattern, c)
	}
	return 1, pattern[0] == c
}

// matchSet matches [abc], [a-z] and [!a]; a ] that stands first is a character of the set, as in []]. A set that isn't closed
// matches nothing.
func matchSet(pattern string, c byte) (n int, ok bool) {
	from := 1
	if strings.HasPrefix(pattern, "[!") {
		from = 2
	}
	end := from + 1
	if i := strings.IndexByte(pattern[min(end, len(pattern)):], ']'); i < 0 {
		return len(pattern), false
	} else {
		end += i
	}
	set, negated := pattern[from:end], from == 2
	for i := 0; i < len(set); i++ {
		lo, hi := set[i], set[i]
		if i+2 < len(set) && set[i+1] == '-' {
			hi = set[i+2]
			i += 2
		}
		ok = ok || lo <= c && c <= hi
	}
	return end + 1, ok != negated
}
