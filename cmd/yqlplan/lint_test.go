package main

import (
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var lintCode = regexp.MustCompile("[\"`](lint\\.[a-z]+)[\"`]")

// TestLintDocument: docs/lint.md has the codes that the program knows, and no others, so that each finding can be looked up.
func TestLintDocument(t *testing.T) {
	root := os.DirFS("../..")
	known, told := map[string]bool{}, map[string]bool{}
	collect := func(into map[string]bool, name string) {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range lintCode.FindAllSubmatch(text, -1) {
			into[string(m[1])] = true
		}
	}
	for _, dir := range []string{"planner", "projection"} {
		err := fs.WalkDir(root, dir, func(name string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				collect(known, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	collect(told, "docs/lint.md")
	text, _ := fs.ReadFile(root, "docs/lint.md")
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `\|`, ""), "|")
		if strings.HasPrefix(line, "| `lint.") && (len(cells) != 6 || strings.TrimSpace(cells[4]) == "") {
			t.Errorf("no example: %s", line)
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(known)), slices.Sorted(maps.Keys(told))); diff != "" {
		t.Errorf("docs/lint.md differs from the program (-program +document):\n%s", diff)
	}
}
