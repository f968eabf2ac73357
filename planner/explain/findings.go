package explain

import (
	"io"

	"github.com/yqlplan/yqlplan/ast"
)

// DiagnosticsJSON writes findings for programs: one document {"version": 1, "diagnostics": [ … ]}, whose members are
// those of the plans' documents.
func DiagnosticsJSON(w io.Writer, ds ast.Diagnostics) error {
	j := &jsonWriter{w: w}
	j.open('{')
	j.key("version").int(1)
	j.key("diagnostics").open('[')
	for _, d := range ds {
		j.diagnostic(d)
	}
	j.close(']')
	j.close('}')
	return j.end()
}

// end ends a document.
func (j *jsonWriter) end() error {
	j.buf = append(j.buf, '\n')
	j.flush()
	return j.err
}

// places are where a finding begins and ends; ok is false for one without a place.
func places(d *ast.Diagnostic) (from, to ast.Position, ok bool) {
	if d.Source == nil || !d.Pos.IsValid() {
		return from, to, false
	}
	return d.Source.Position(d.Pos), d.Source.Position(max(d.Pos, d.End)), true
}

// diagnostic writes a finding. Its place is null where it has none.
func (j *jsonWriter) diagnostic(d *ast.Diagnostic) {
	j.open('{')
	j.key("severity").string(d.Severity.String())
	j.key("code").string(d.Code)
	j.key("message").string(d.Msg)
	j.key("hint").stringOrNull(d.Hint)
	if d.Source == nil {
		j.key("file").null()
	} else {
		j.key("file").string(d.Source.Name)
	}
	from, to, ok := places(d)
	for _, f := range [...]struct {
		name string
		n    int
	}{{"line", from.Line}, {"column", from.Column}, {"endLine", to.Line}, {"endColumn", to.Column}} {
		if j.key(f.name); ok {
			j.int(f.n)
		} else {
			j.null()
		}
	}
	j.close('}')
}
