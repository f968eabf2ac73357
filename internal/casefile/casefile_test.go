package casefile

import (
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
)

func TestReadAllCases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/cases/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	seen := map[string]bool{}
	for _, name := range files {
		cases, err := ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if c.ID == "" || c.SQL == "" || c.Dialect == "" || seen[c.ID] {
				t.Errorf("%s: case %q is incomplete or repeated", name, c.ID)
			}
			seen[c.ID] = true
		}
	}
}

func TestReadTellsTheLine(t *testing.T) {
	_, err := Read(strings.NewReader("{\"id\":\"a\"}\n\n{\"id\":\n"))
	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("got %v, want an error about line 3", err)
	}
}

func TestJudge(t *testing.T) {
	unit := func(path, partition string, bucket int, values ...string) Unit {
		u := Unit{Path: path, Partition: partition, Bucket: bucket, Values: map[string]string{}}
		for i := 0; i < len(values); i += 2 {
			u.Values[values[i]] = values[i+1]
		}
		return u
	}
	plan := func(selected int64, units ...Unit) *Answer {
		return &Answer{Planned: true, Scans: []Scan{{Selected: big.NewInt(selected), Units: units}}}
	}
	src := ast.NewSource("q", "SELECT")
	refused := &Answer{Diagnostics: ast.Diagnostics{{Code: "parse.syntax", Msg: "bad", Source: src}}}
	nowhere := &Answer{Diagnostics: ast.Diagnostics{{Code: "bind.column", Msg: "bad", Pos: ast.NoPos, Source: src}}}
	for _, test := range []struct {
		expect string
		answer *Answer
		why    string // part of the verdict, empty for agreement
	}{
		{`{"paths":["a/","b/"]}`, plan(2, unit("b/", "", 0), unit("a/", "", 0)), ""},
		{`{"paths":[]}`, plan(0), ""},
		{`{"paths":["a/"]}`, plan(2, unit("a/", "", 0), unit("b/", "", 0)), "too many, 1"},
		{`{"paths":["a/","b/"]}`, plan(1, unit("a/", "", 0)), "missing 1"},
		{`{"paths":["a/"]}`, plan(2, unit("a/", "", 0)), "selected 2"},
		{`{"paths":["a/"]}`, plan(2, unit("a/", "", 0), unit("a/", "", 0)), "twice"},
		{`{"paths":["a/"]}`, refused, "refused: bad"},
		{`{"paths":["a/"]}`, &Answer{}, "no plan"},
		{`{"count":18446744073709551616}`, &Answer{Planned: true, Scans: []Scan{{Selected: new(big.Int).Lsh(big.NewInt(1), 64)}}}, ""},
		{`{"count":3}`, plan(2), "count 2, want 3"},
		{`{"rejected":true,"error":"why"}`, refused, ""},
		{`{"rejected":true,"error":"why"}`, nowhere, "no position"},
		{`{"rejected":true,"error":"why"}`, plan(0), "should be refused: why"},
		{`{"ast":true}`, refused, "does not parse"},
		{`{"ast":true}`, nowhere, ""},
		{`{"files":["f"],"columns":{"f":{"x":2,"s":"\u00e9"}}}`, plan(1, unit("f", "", 0, "x", "2", "s", `"é"`)), ""},
		{`{"files":["f"],"columns":{"f":{"x":9007199254740993}}}`, plan(1, unit("f", "", 0, "x", `"9007199254740993"`)), ""},
		{`{"files":["f"],"columns":{"f":{"x":2}}}`, plan(1, unit("f", "", 0, "x", `"2"`)), `x = "2"`},
		{`{"files":["f"],"columns":{"f":{}}}`, plan(1, unit("f", "", 0, "x", "2")), "want none"},
		{`{"partitions":["p"],"buckets":{"p":[1,0]}}`, plan(2, unit("", "p", 0), unit("", "p", 1)), ""},
		{`{"partitions":["p"],"buckets":{"p":[1]}}`, plan(1, unit("", "p", 0)), "buckets [0], want [1]"},
		{`{"partitions":["p"]}`, plan(1, unit("", "q", 0)), "missing 1"},
	} {
		cases, err := Read(strings.NewReader(`{"id":"x","expect":` + test.expect + `}`))
		if err != nil {
			t.Fatalf("%s: %v", test.expect, err)
		}
		got := cases[0].Judge(test.answer)
		if test.why == "" && got != "" || !strings.Contains(got, test.why) {
			t.Errorf("%s: %q, want %q", test.expect, got, test.why)
		}
	}
}
