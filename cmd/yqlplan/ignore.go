package main

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// ignore are the flags that silence findings.
type ignore struct {
	Ignore []string `placeholder:"CODE" help:"Leave out warnings and notes with this code, such as lint.factor, or of this family, such as lint. In a file, the comment -- yqlplan: ignore=CODE does so for its line, or for the next one where it stands alone."`
}

// kept are the findings that neither a flag nor a comment silences. Errors always are: they keep from a plan.
func (i *ignore) kept(ds ast.Diagnostics) ast.Diagnostics {
	return slices.DeleteFunc(ds, func(d *ast.Diagnostic) bool {
		return d.Severity != ast.Error && (silences(i.Ignore, d.Code) || silences(ignoredAt(d), d.Code))
	})
}

func silences(codes []string, code string) bool {
	family, _, _ := strings.Cut(code, ".")
	return slices.Contains(codes, code) || slices.Contains(codes, family)
}

// ignoredAt are the codes that comments name on the line where a finding begins, and on the one before when it has nothing else.
func ignoredAt(d *ast.Diagnostic) (codes []string) {
	if d.Source == nil || !d.Pos.IsValid() {
		return nil
	}
	line := d.Source.Position(d.Pos).Line
	_, codes = ignoreComment(d.Source.Line(line))
	if line == 1 {
		return codes
	}
	if before, above := ignoreComment(d.Source.Line(line - 1)); strings.TrimSpace(before) == "" {
		codes = append(codes, above...)
	}
	return codes
}

// ignoreComment finds -- yqlplan: ignore=CODE,CODE in a line: what stands before it, and the codes.
func ignoreComment(line string) (before string, codes []string) {
	const mark = "-- yqlplan: ignore="
	before, list, ok := strings.Cut(line, mark)
	if !ok {
		return line, nil
	}
	list, _, _ = strings.Cut(strings.TrimSpace(list), " ")
	return before, strings.Split(list, ",")
}
