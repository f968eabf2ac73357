package yql

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// plain is a text that stands at offset 100.
func plain(s string) projection.Text {
	return projection.NameText(ast.Name{Span: ast.Span{From: 99, To: 101 + ast.Pos(len(s))}, Text: s})
}

// members are the members of an object that come before an error.
func members(src projection.Text) (ms []jsonMember, err *jsonError) {
	err = readObject(src, func(m jsonMember) { ms = append(ms, m) })
	return ms, err
}

// show prints values as kind:text@from-to, offsets in the JSON text.
func show(v jsonValue) string {
	return fmt.Sprintf("%s:%s@%d-%d", v.kind, v.S, v.Pos()-100, v.End()-100)
}

func TestReadObject(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{}`, ""},
		{` { "a" : "b" } `, "a text:a@3-6=a text:b@9-12"},
		{`{'a':'b',"c":1}`, "a text:a@1-4=a text:b@5-8 a text:c@9-12=a number:1@13-14"},
		{`{a.b: DAYS, c: 2021-01-01}`, "a text:a.b@1-4=a text:DAYS@6-10 a text:c@12-13=a text:2021-01-01@15-25"},
		{`{"a":true,"b":null,"c":-1.5e3}`, "a text:a@1-4=a boolean:true@5-9 a text:b@10-13=null:null@14-18 a text:c@19-22=a number:-1.5e3@23-29"},
		{`{"a":{"x":"}"},"b":[[1],{}]}`, `a text:a@1-4=an object:{"x":"}"}@5-14 a text:b@15-18=a list:[[1],{}]@19-27`},
		{`{"a\tb":"\"A\ud83d\ude00\\$"}`, "a text:a\tb@1-7=a text:\"A😀\\$@8-28"},
		{"{\"a\":\"x\ny\"}", "a text:a@1-4=a text:x\ny@5-10"},
		{``, "! 0-0 the text ends too early: the text should begin with '{'"},
		{`[1]`, `! 0-1 the text should begin with '{', not "["`},
		{`{"a":1`, "a text:a@1-4=a number:1@5-6 ! 0-1 the '{' is never closed"},
		{`{"a" 1}`, `! 5-6 ':' and a value should follow the key, not "1"`},
		{`{"a"`, "! 4-4 the text ends too early: ':' and a value should follow the key"},
		{`{"a":}`, `! 5-6 a value should stand here, not "}"`},
		{`{"a":1,}`, "a text:a@1-4=a number:1@5-6 ! 6-7 nothing follows the comma"},
		{`{"a":1 "b":2}`, `a text:a@1-4=a number:1@5-6 ! 7-8 ',' or '}' should follow, not "\""`},
		{`{"a":1} x`, "a text:a@1-4=a number:1@5-6 ! 8-9 text follows the closing '}'"},
		{`{"a":"x}`, "! 5-6 the quote is never closed"},
		{`{"a":"my\$"}`, `! 8-10 JSON has no escape \$`},
		{`{"a":"\u12"}`, `! 6-8 JSON has no escape \u`},
		{`{"a":[[}`, "! 5-6 the '[' is never closed"},
		{`{[1]:2}`, "! 1-4 a key is missing"},
		{"{\"a\":1}\x00", "a text:a@1-4=a number:1@5-6 ! 7-8 text follows the closing '}'"},
	} {
		ms, err := members(plain(c.in))
		var out []string
		for _, m := range ms {
			out = append(out, show(m.key)+"="+show(m.value))
		}
		if err != nil {
			out = append(out, fmt.Sprintf("! %d-%d %s", err.from, err.to, err.msg))
		}
		if got := strings.Join(out, " "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// A part of a decoded text is found where it is written.
func TestDecodedPart(t *testing.T) {
	ms, err := members(plain(`{"a":"x\\$y\u00e9z"}`))
	if err != nil {
		t.Fatal(err)
	}
	v := ms[0].value
	for _, c := range []struct{ i, j, from, to int }{
		{0, 1, 6, 7},    // x
		{1, 2, 7, 9},    // \\
		{2, 3, 9, 10},   // $
		{4, 6, 11, 17},  // é
		{6, 7, 17, 18},  // z
		{7, 7, 18, 19},  // the end: its quote
		{0, 99, 6, 18},  // no further than the text
		{-1, -1, 6, 7},  // nor before it
		{5, 3, 11, 12},  // an empty part is shown by the character that it stands in
		{1, 3, 7, 10},   // \\$
		{2, 4, 9, 11},   // $y
		{3, 7, 10, 18},  // to the end
		{0, 7, 6, 18},   // all
		{6, 99, 17, 18}, // z and no more
	} {
		if got := v.Part(c.i, c.j); int(got.From)-100 != c.from || int(got.To)-100 != c.to {
			t.Errorf("Part(%d, %d) of %q = %d-%d, want %d-%d", c.i, c.j, v.S, got.From-100, got.To-100, c.from, c.to)
		}
	}
}

// Large texts take time in proportion to their length, and no stack.
func TestLargeJSON(t *testing.T) {
	const n = 2_000_000
	for _, in := range []string{
		strings.Repeat("[", n), strings.Repeat("{", n), `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}",
		"{" + strings.Repeat(`"a":"\n",`, n/10) + `"b":1}`, `{"a":"` + strings.Repeat(`\n`, n) + `"}`,
	} {
		members(plain(in))
		readList(plain(in))
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"projection.enabled": true, 'a': b}`, `["year", month]`, `{"a":"\u00e9\\"}`, `{"a":[{"}":1}]}`, `['`, `{"\ud83d\ude00":1}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		inside := func(from, to ast.Pos) {
			if from < 100 || to < from || to > 100+ast.Pos(len(s))+1 {
				t.Fatalf("%q: place %d-%d", s, from-100, to-100)
			}
		}
		ms, err := members(plain(s))
		for _, m := range ms {
			inside(m.key.Pos(), m.key.End())
		}
		if err != nil && (err.from < 0 || err.to < err.from || err.to > len(s)) {
			t.Fatalf("%q: error at %d-%d", s, err.from, err.to)
		}
		vs, _ := readList(plain(s))
		for _, v := range vs {
			inside(v.Pos(), v.End())
			if p := v.Part(0, len(v.S)); v.S != "" {
				inside(p.From, p.To)
			}
		}
	})
}
