package planner

import (
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/pruning"
)

// curried is the function that a call such as DateTime::Format("%Y-%m") or Re2::Grep("a+") gives, when its argument is a
// constant; nil otherwise.
func (b *binder) curried(e *ast.Call, args []expr) *function {
	if b.sem.dialect != "yql" || len(args) != 1 {
		return nil
	}
	c, ok := args[0].(*constant)
	if !ok || !c.t.isText() {
		return nil
	}
	v, ok := c.v.known()
	if !ok {
		return nil
	}
	switch name := e.Module.Text + "::" + e.Func.Text; name {
	case "DateTime::Format":
		return formatFn(name, v.Text())
	case "DateTime::Parse":
		return parseBy(name, v.Text())
	case "Re2::Grep", "Re2::Match":
		return b.re2(e, v.Text())
	}
	return nil
}

// re2 is Re2::Grep, which finds a pattern anywhere, and Re2::Match, which wants all of the text to fit.
func (b *binder) re2(e *ast.Call, pattern string) *function {
	op := ast.OpRegexp
	if e.Func.Text == "Match" {
		op = ast.OpMatch
	}
	re, err := compilePattern(pattern, op == ast.OpMatch)
	if err != nil {
		b.report(ast.Warning, e.Args[0].X, "bind.pattern", "", "the pattern can't be used: "+err.Error())
		return nil
	}
	return regexpFn(op, re)
}

// formatFn writes dates by the directives %Y %m %d %H %M %S %F %T %b %B %z %Z; others, and fractions of seconds, leave it open.
func formatFn(name, pattern string) *function {
	pattern = strings.NewReplacer("%F", "%Y-%m-%d", "%T", "%H:%M:%S").Replace(pattern)
	return &function{name: name, min: 1, max: 1, result: takes("d", scalar(pruning.String)),
		call: func(a *apply, args []value) value {
			t := a.args[0].typ()
			if !t.isDate() {
				return anything
			}
			out, ok := formatDate(nil, pattern, civilOf(t, args[0].lo))
			if !ok {
				return prefixed(string(out))
			}
			return text(string(out))
		}}
}

// formatDate appends c by a pattern; ok is false when only the beginning is certain.
func formatDate(dst []byte, pattern string, c civil) (out []byte, ok bool) {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' {
			dst = append(dst, pattern[i])
			continue
		}
		if i++; i == len(pattern) {
			return dst, false
		}
		switch pattern[i] {
		case 'Y':
			dst = appendPadded(dst, c.y, 4)
		case 'm':
			dst = appendPadded(dst, c.m, 2)
		case 'd':
			dst = appendPadded(dst, c.d, 2)
		case 'H':
			dst = appendPadded(dst, int(c.micros/3600e6), 2)
		case 'M':
			dst = appendPadded(dst, int(c.micros/60e6%60), 2)
		case 'S':
			dst = appendPadded(dst, int(c.micros/1e6%60), 2)
			if c.micros%1e6 != 0 {
				return dst, false
			}
		case 'b':
			dst = append(dst, time.Month(c.m).String()[:3]...)
		case 'B':
			dst = append(dst, time.Month(c.m).String()...)
		case 'z':
			dst = append(dst, "+0000"...)
		case 'Z':
			dst = append(dst, "GMT"...)
		case '%':
			dst = append(dst, '%')
		default:
			return dst, false
		}
	}
	return dst, true
}
