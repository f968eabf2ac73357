package main

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are what each package of the library may import of ours, as CONTRIBUTING.md has it.
var layers = map[string][]string{
	"ast":                 nil,
	"parser":              {"ast"},
	"pruning":             nil,
	"projection":          {"ast", "pruning", "projection/store", "projection/datefmt"},
	"projection/store":    nil,
	"projection/datefmt":  {"ast", "pruning"},
	"projection/ducktext": {"pruning"},
	"projection/yql":      {"ast", "pruning", "projection", "projection/datefmt", "projection/store"},
	"projection/athena":   {"ast", "pruning", "projection", "projection/datefmt", "projection/store"},
	"projection/duckdb":   {"ast", "pruning", "projection", "projection/ducktext", "projection/store"},
	"projection/doris":    {"ast", "pruning", "projection"},
	"projection/paimon":   {"ast", "pruning", "projection", "projection/store"},
	"projection/systems":  {"projection", "projection/yql", "projection/athena", "projection/duckdb", "projection/doris", "projection/paimon"},
	"planner":             {"ast", "parser", "pruning", "projection", "projection/datefmt", "projection/ducktext", "projection/store"},
	"planner/advise":      {"projection"},
	"planner/translate":   {"ast", "pruning", "projection", "projection/datefmt", "planner"},
	"planner/explain":     {"ast", "parser", "pruning", "projection", "planner", "planner/advise"},
}

// TestLayers: systems don't know each other, and who plans links neither a client of S3 nor a reader of Parquet.
func TestLayers(t *testing.T) {
	const module = "github.com/yqlplan/yqlplan/"
	for pkg, allowed := range layers {
		names, err := filepath.Glob("../../" + pkg + "/*.go")
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no files: %v", pkg, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				path, _ := strconv.Unquote(i.Path.Value)
				ours, ok := strings.CutPrefix(path, module)
				switch {
				case ok && !slices.Contains(allowed, ours), !ok && strings.Contains(path, ".") && !strings.HasPrefix(path, "github.com/alecthomas/participle/v2"):
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
}
