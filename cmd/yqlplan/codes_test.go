package main

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCodes: docs/errors.md and docs/lint.md have the codes of findings that the program knows, and no others, so that
// each finding can be looked up.
func TestCodes(t *testing.T) {
	known := codesOfSources(t)
	told := map[string]bool{}
	for _, name := range []string{"errors", "lint"} {
		for code := range codesOfDocument(t, "docs/"+name+".md") {
			if told[code] {
				t.Errorf("%s is told twice", code)
			}
			if lint := strings.HasPrefix(code, "lint."); lint != (name == "lint") {
				t.Errorf("docs/%s.md tells %s", name, code)
			}
			told[code] = true
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(known)), slices.Sorted(maps.Keys(told))); diff != "" {
		t.Errorf("the documents differ from the program (-program +documents):\n%s", diff)
	}
}

var code = regexp.MustCompile(`^[a-z]+\.[a-z]+$`)

// options of systems look like codes.
var options = []string{"interval.unit", "scan.bucket", "scan.timestamp", "scan.version", "scan.watermark", "sequence.field", "vcs.revision"}

// codesOfSources are the texts in sources that are built like codes.
func codesOfSources(t *testing.T) map[string]bool {
	out := map[string]bool{}
	root := os.DirFS("../..")
	for _, dir := range []string{"ast", "cmd", "parser", "planner", "projection", "pruning"} {
		err := fs.WalkDir(root, dir, func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := fs.ReadFile(root, name)
			for _, s := range literals(text) {
				if code.MatchString(s) && !slices.Contains(options, s) {
					out[s] = true
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// literals are the texts in a source of Go.
func literals(source []byte) (out []string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(source)), source, nil, 0)
	for {
		_, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return out
		case token.STRING:
			text, _ = strconv.Unquote(text)
			out = append(out, text)
		}
	}
}

// codesOfDocument are the codes in the first cells of tables, whose rows must be whole.
func codesOfDocument(t *testing.T, name string) map[string]bool {
	text, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `\|`, ""), "|")
		if len(cells) != 6 || slices.ContainsFunc(cells[1:5], func(c string) bool { return strings.TrimSpace(c) == "" }) {
			t.Errorf("%s: want a code, its severity, its meaning and an example: %s", name, line)
			continue
		}
		for severity := range strings.SplitSeq(cells[2], ",") {
			if !slices.Contains([]string{"error", "warning", "note"}, strings.TrimSpace(severity)) {
				t.Errorf("%s: %q is no severity: %s", name, severity, line)
			}
		}
		for c := range strings.SplitSeq(cells[1], ",") {
			out[strings.Trim(c, " `")] = true
		}
	}
	return out
}
