package projection

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// yearMonths is a table of years 2021…2023 and their months below logs/.
func yearMonths(t tester) (*Table, *pruning.Space) {
	tpl, errs := ParseTemplate("y=${y}/${m}")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	l := &Layout{Unit: "prefixes", Template: tpl.Under("logs"), Root: "logs/", Keys: []pruning.Key{{Name: "y", Type: testNumber}, {Name: "m", Type: testNumber}}}
	l.Levels = []Level{Fixed(0, NewInteger(0, testNumber, 2021, 2023, 1, 0)), Fixed(1, NewInteger(1, testNumber, 1, 12, 1, 2))}
	return &Table{Name: "logs", Layout: l}, pruning.NewSpace(l.Keys, 0)
}

func TestVerify(t *testing.T) {
	table, sp := yearMonths(t)
	keys := store.NewKeys([]string{
		"logs/y=2021/01/a", "logs/y=2021/01/b", "logs/y=2021/02/sub/c", "logs/y=2022/12/d",
		"logs/y=2021/03/",                                         // an empty directory
		"logs/y=2020/01/x", "logs/y=2021/1/x", "logs/readme", "z", // logs/ has the first three
	})
	d := sp.In(0, pruning.Point(testNumber, pruning.Int(2021))).And(numberIn(sp, 1, 1, 4))
	info, ok, err := Verify(t.Context(), keys, table, d, Check{}, ast.Span{From: 3, To: 5}, 0)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	p := info.Prefixes
	got := fmt.Sprintf("found %d, empty %d, missing %v %q, others %d, misplaced %d %q, objects %d", p.Found, p.Empty, p.Missing, p.Absent, p.Others, p.Misplaced, info.Examples, info.Objects)
	want := `found 2, empty 1, missing 1 ["logs/y=2021/04/"], others 1, misplaced 3 ["logs/readme" "logs/y=2020/01/x" "logs/y=2021/1/x"], objects 3`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if h, ok := p.Of([]byte("logs/y=2021/01/")); !ok || h != (Holding{Objects: 2, Unsized: 2}) {
		t.Errorf("%+v, %v", h, ok)
	}
	if h, ok := p.Of([]byte("logs/y=2021/03/")); !ok || h.Objects != 0 {
		t.Errorf("%+v, %v", h, ok)
	}
	if len(info.Notes) != 1 || info.Notes[0].Code != "list.misplaced" || info.Notes[0].Pos != 3 {
		t.Errorf("notes %v", info.Notes)
	}
}

// What a random layout promises is compared with random objects as a look at every prefix does.
func TestVerifyAgainstModel(t *testing.T) {
	verified := 0
	rapid.Check(t, func(t *rapid.T) {
		d := drawLayout(t)
		everything := *d
		everything.diagram, everything.check = d.diagram.Space().Const(pruning.True), Check{}
		all, _ := everything.all()
		if overlap(all) {
			return
		}
		units, _ := d.all()
		var keys []string
		for range rapid.IntRange(0, 10).Draw(t, "objects") {
			key := rapid.StringMatching(`[ab0-9/-]{0,8}`).Draw(t, "key")
			if len(units) > 0 && rapid.Bool().Draw(t, "selected") {
				key = units[rapid.IntRange(0, len(units)-1).Draw(t, "unit")].Path + "x" + key
			}
			if key != "" && !strings.HasSuffix(key, "/") {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		info, ok, err := Verify(context.Background(), store.NewKeys(slices.Clone(keys)), &Table{Layout: d.layout}, d.diagram, d.check, ast.Span{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return
		}
		verified++
		var objects, others, misplaced int64
		found := map[string]int64{}
		for _, k := range keys {
			below := func(u unit) bool { return strings.HasPrefix(k, u.Path) }
			switch i := slices.IndexFunc(units, below); {
			case i >= 0:
				objects++
				found[units[i].Path]++
			case slices.ContainsFunc(all, below):
				others++
			default:
				misplaced++
			}
		}
		p := info.Prefixes
		got := []int64{info.Objects, p.Others, p.Misplaced, p.Found, p.Empty + p.Missing.Int64()}
		want := []int64{objects, others, misplaced, int64(len(found)), int64(len(units) - len(found))}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s of %q: %s", d.layout.Template, keys, diff)
		}
		for path, n := range found {
			if h, ok := p.Of([]byte(path)); !ok || h.Objects != n {
				t.Fatalf("%s holds %+v, want %d", path, h, n)
			}
		}
	})
	if verified == 0 {
		t.Error("no layout could be read back")
	}
}

// overlap reports whether an object may lie below two of the units.
func overlap(units []unit) bool {
	var paths []string
	for _, u := range units {
		paths = append(paths, u.Path)
	}
	slices.Sort(paths)
	for i := range paths[min(1, len(paths)):] {
		if strings.HasPrefix(paths[i+1], paths[i]) {
			return true
		}
	}
	return false
}
