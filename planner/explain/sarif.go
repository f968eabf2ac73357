package explain

import (
	"cmp"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// project is where the program and its documents are found.
const project = "https://github.com/yqlplan/yqlplan"

// SARIF writes findings as a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), which code
// reviews and editors show beside the text. version is that of the program.
func SARIF(w io.Writer, ds ast.Diagnostics, version string) error {
	codes := make([]string, len(ds))
	for i, d := range ds {
		codes[i] = d.Code
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	j := &jsonWriter{w: w}
	j.open('{')
	j.key("$schema").string("https://json.schemastore.org/sarif-2.1.0.json")
	j.key("version").string("2.1.0")
	j.key("runs").open('[')
	j.open('{')
	j.tool(ds, codes, version)
	j.key("columnKind").string("unicodeCodePoints")
	j.key("results").open('[')
	for _, d := range ds {
		rule, _ := slices.BinarySearch(codes, d.Code)
		j.result(d, rule)
	}
	j.close(']')
	j.close('}')
	j.close(']')
	j.close('}')
	return j.end()
}

// tool describes the program, and the rules that were met, each with its gravest severity as the default.
func (j *jsonWriter) tool(ds ast.Diagnostics, codes []string, version string) {
	j.key("tool").open('{')
	j.key("driver").open('{')
	j.key("name").string("yqlplan")
	j.key("informationUri").string(project)
	j.key("version").string(version)
	j.key("rules").open('[')
	for _, code := range codes {
		of := slices.DeleteFunc(slices.Clone(ds), func(d *ast.Diagnostic) bool { return d.Code != code })
		gravest := slices.MinFunc(of, func(a, b *ast.Diagnostic) int { return cmp.Compare(a.Severity, b.Severity) })
		j.openInline('{')
		j.key("id").string(code)
		document := "errors"
		if strings.HasPrefix(code, "lint.") {
			document = "lint"
		}
		j.key("helpUri").string(project + "/blob/main/docs/" + document + ".md")
		j.key("defaultConfiguration").open('{')
		j.key("level").string(gravest.Severity.String())
		j.close('}')
		j.close('}')
	}
	j.close(']')
	j.close('}')
	j.close('}')
}

func (j *jsonWriter) result(d *ast.Diagnostic, rule int) {
	j.open('{')
	j.key("ruleId").string(d.Code)
	j.key("ruleIndex").int(rule)
	j.key("level").string(d.Severity.String())
	text := d.Msg
	if d.Hint != "" {
		text += "\nHint: " + d.Hint
	}
	j.key("message").open('{')
	j.key("text").string(text)
	j.close('}')
	if d.Source != nil {
		j.key("locations").open('[')
		j.location(d)
		j.close(']')
	}
	j.close('}')
}

// location is a place in a file. Columns count from 1, and the end is just behind the text, as in [ast.Position].
func (j *jsonWriter) location(d *ast.Diagnostic) {
	j.open('{')
	j.key("physicalLocation").open('{')
	j.key("artifactLocation").open('{')
	j.key("uri").string(fileURI(d.Source.Name))
	j.close('}')
	if from, to, ok := places(d); ok {
		j.key("region").openInline('{')
		j.key("startLine").int(from.Line)
		j.key("startColumn").int(from.Column)
		j.key("endLine").int(to.Line)
		j.key("endColumn").int(to.Column)
		j.close('}')
	}
	j.close('}')
	j.close('}')
}

// fileURI is a file's name as a URI: relative where the name is.
func fileURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}
