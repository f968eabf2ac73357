package planner

import (
	"regexp"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// duckPatterned binds functions of a text whose pattern is constant: regexp_extract, regexp_replace and strptime. Where the pattern
// isn't, or says what isn't followed here, their result is left open.
func (b *binder) duckPatterned(e *ast.Call, name string, sc *scope) expr {
	args := b.arguments(e, sc)
	open := &opaque{at: e, why: "the function " + e.Func.Text, args: args}
	if len(args) < 2 || !args[0].typ().isText() {
		return open
	}
	var fn *function
	if pattern, ok := constantText(args[1]); !ok {
		return open
	} else if name == "strptime" {
		fn = duckParseDate(pattern)
	} else if re, err := compilePattern(pattern, false); err == nil && isASCII(pattern) {
		if fn = duckExtract(re, args[2:]); name == "regexp_replace" {
			fn = duckReplace(re, args[2:])
		}
	}
	if fn == nil {
		return open
	}
	return b.call(e, fn, args[0])
}

// duckExtract is regexp_extract(s, pattern[, group]): the first match, or the empty text. Names for groups aren't followed.
func duckExtract(re *regexp.Regexp, rest []expr) *function {
	group := 0
	if len(rest) > 0 {
		c, ok := rest[0].(*constant)
		if !ok || !c.v.isKnown() {
			return nil
		}
		if group, ok = smallInt(c.t, c.v); !ok {
			return nil
		}
	}
	if len(rest) > 1 || group < 0 || group > re.NumSubexp() {
		return nil
	}
	return ofText("regexp_extract", 1, true, func(x []string) string {
		if m := re.FindStringSubmatch(x[0]); m != nil {
			return m[group]
		}
		return ""
	})
}

// duckReplace is regexp_replace(s, pattern, to[, 'g']), of the first match unless 'g' is given. References to groups aren't followed.
func duckReplace(re *regexp.Regexp, rest []expr) *function {
	if len(rest) == 0 || len(rest) > 2 || re.MatchString("") {
		return nil
	}
	to, ok := constantText(rest[0])
	all := len(rest) == 2
	if all {
		flags, known := constantText(rest[1])
		ok = ok && known && flags == "g"
	}
	const longest = 1 << 8 // what takes the place of a match
	if !ok || strings.Contains(to, `\`) || len(to) > longest {
		return nil
	}
	return ofText("regexp_replace", 1, true, func(x []string) string {
		m := re.FindStringIndex(x[0])
		switch {
		case all:
			return re.ReplaceAllLiteralString(x[0], to)
		case m == nil:
			return x[0]
		}
		return x[0][:m[0]] + to + x[0][m[1]:]
	})
}

// duckParseDate is strptime(s, format) for the numbers of dates and times. What doesn't have all digits isn't known.
func duckParseDate(format string) *function {
	if !strings.Contains(format, "%Y") { // 1900
		return nil
	}
	for rest := format; ; {
		_, after, found := strings.Cut(rest, "%")
		if !found {
			break
		}
		if after == "" || !strings.Contains("YmdHMS", after[:1]) {
			return nil
		}
		rest = after[1:]
	}
	f := datefmt.Strftime(format)
	return &function{name: "strptime", min: 1, max: 1, result: takes("t", duckKind(pruning.Timestamp)),
		call: func(_ *apply, args []value) value {
			if c, ok := f.Parse(args[0].lo.Text()); ok {
				return integer(c.Micros())
			}
			return anything
		}}
}

// duckJoin is concat_ws(separator, value, …), which leaves NULL out; other values than texts become texts.
func (b *binder) duckJoin(e *ast.Call, args []expr) expr {
	for i, x := range args {
		switch t := x.typ(); {
		case t.shape == scalarShape && !t.isText():
			args[i] = b.duckCastTo(x.node(), x, duckKind(pruning.String), duckCastFn)
		case t.shape != scalarShape && t.shape != nullShape:
			return &opaque{at: e, t: duckKind(pruning.String).optional(), why: "the function concat_ws", args: args}
		}
	}
	return b.call(e, duckJoinFn, args...)
}

var duckJoinFn = &function{name: "concat_ws", min: 2, max: -1, mayNull: true,
	result: func(args []expr) (typ, bool) { return duckKind(pruning.String).nullIf(args[:1]), true },
	span: func(a *apply, args []value) value {
		if args[0].isNull() {
			return nullValue
		}
		words := make([]string, 0, len(args))
		for _, x := range args {
			v, ok := x.known()
			if ok {
				words = append(words, v.Text())
			} else if !x.isNull() {
				return unknown(a.t)
			}
		}
		return text(strings.Join(words[1:], words[0]))
	}}
