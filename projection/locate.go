package projection

import (
	"context"
	"strings"
)

// locator reads paths back: it finds the branches whose path a key begins with.
type locator struct {
	Place
	parts []part
	texts []Texts
	known []bool
	end   int // of the path in the key
}

// init is false when the layout's paths can't be read back: it has no template, a level that isn't fixed, texts that
// can't be found, or paths that are tidied.
func (l *locator) init(ctx context.Context, layout *Layout) bool {
	t := layout.Template
	if t == nil {
		return false
	}
	n := len(layout.Levels)
	*l = locator{Place: Place{Axes: make([]Axis, n), Index: make([]uint64, n)}, parts: t.parts, texts: make([]Texts, n), known: make([]bool, n)}
	for i, level := range layout.Levels {
		keys := level.Keys()
		if !level.Fixed() || len(keys) != 1 || !Decides(level, keys[0]) {
			return false
		}
		a, err := level.Axis(ctx, &l.Place)
		x, ok := a.(Texts)
		if err != nil || !ok || !findsTexts(x) {
			return false
		}
		l.Axes[i], l.texts[i] = a, x
	}
	return t.plain(l.Axes)
}

// findsTexts reports whether an axis finds its own texts.
func findsTexts(x Texts) bool {
	if _, some := x.Last(); !some {
		return true
	}
	_, ok := x.Find(string(x.AppendName(nil, 0)))
	return ok
}

// locate finds branches whose path key begins with.
func (l *locator) locate(key string) bool { return l.match(key, 0, 0) }

// match reads key[at:] by the parts from the p-th on.
func (l *locator) match(key string, p, at int) bool {
	if p == len(l.parts) {
		l.end = at
		return true
	}
	part := &l.parts[p]
	switch level := part.level; {
	case level == noLevel:
		return strings.HasPrefix(key[at:], part.literal) && l.match(key, p+1, at+len(part.literal))
	case l.known[level]:
		name := string(l.Axes[level].AppendName(nil, l.Index[level]))
		return strings.HasPrefix(key[at:], name) && l.match(key, p+1, at+len(name))
	default:
		l.known[level] = true
		found := l.any(key, p, at)
		l.known[level] = false
		return found
	}
}

// any tries every text that part p can have at a place of the key.
func (l *locator) any(key string, p, at int) bool {
	level, next := l.parts[p].level, ""
	if p+1 < len(l.parts) {
		next = l.parts[p+1].literal
	}
	shape := l.texts[level].Shape()
	for end := at + shape.Min; end <= min(len(key), at+shape.Max); end++ {
		if !strings.HasPrefix(key[end:], next) {
			continue
		}
		if i, ok := l.texts[level].Find(key[at:end]); ok {
			if l.Index[level] = i; l.match(key, p+1, end) {
				return true
			}
		}
	}
	return false
}
