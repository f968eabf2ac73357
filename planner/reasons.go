package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
)

// maxReasons bounds what is told about one predicate.
const maxReasons = 16

// because notes why a part isn't decided.
func (l *lowering) because(e expr, text string) {
	l.exact = false
	r := reason{at: e.node(), text: text}
	if len(l.reasons) < maxReasons && !slices.Contains(l.reasons, r) {
		l.reasons = append(l.reasons, r)
	}
}

// open notes a predicate that is decided only once its keys are known.
func (l *lowering) open(e expr, keys []int) {
	l.because(e, "it is evaluated for each branch")
	l.deepen(keys)
}

// deepen has the check evaluated behind the levels of keys.
func (l *lowering) deepen(keys []int) {
	for i, level := range l.levels() {
		for _, k := range level.Keys() {
			for _, want := range keys {
				if k == want && i < 64 {
					l.depths |= 1 << i
				}
			}
		}
	}
}

func (l *lowering) levels() []projection.Level {
	if l.rel.table == nil || l.rel.table.Layout == nil {
		return nil
	}
	return l.rel.table.Layout.Levels
}

// blame says what in e only the rows tell.
func (l *lowering) blame(e expr) string {
	var names []string
	for c := range columns(e) {
		if l.key(c) >= 0 {
			continue
		}
		what := c.name + " is no partition column"
		if c.rel != l.rel && c.rel.name != "" {
			what = c.name + " is a column of " + c.rel.name
		}
		if len(names) < 3 && !strings.Contains(strings.Join(names, ", "), what) {
			names = append(names, what)
		}
	}
	if len(names) > 0 {
		return strings.Join(names, ", ")
	}
	if why := findOpaque(e); strings.HasPrefix(why, "the parameter ") {
		return why + " gets its value when the query runs"
	} else if why != "" {
		return why + " is only known from the rows"
	}
	return "it isn't certain for all values of its keys"
}

func findOpaque(e expr) string {
	switch e := e.(type) {
	case *opaque:
		return e.why
	case *apply:
		for _, a := range e.args {
			if why := findOpaque(a); why != "" {
				return why
			}
		}
	}
	return ""
}
