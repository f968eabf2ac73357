package explain

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
)

// sarifLog is what SARIF 2.1.0 says of the members that are written.
type sarifLog struct {
	Schema  string `json:"$schema"`
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name, InformationURI string
				Rules                []struct {
					ID, HelpURI          string
					DefaultConfiguration struct{ Level string }
				}
			}
		}
		ColumnKind string
		Results    []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           *struct{ StartLine, StartColumn, EndLine, EndColumn int }
				}
			}
		}
	}
}

// TestSARIFRules: what the standard asks for holds whatever the files are called and wherever the findings stand (OASIS,
// "Static Analysis Results Interchange Format 2.1.0", 3.19, 3.27, 3.29, 3.30, 3.49).
func TestSARIFRules(t *testing.T) {
	names := []string{"q.sql", "a b/ü%20#1?.sql", "c:d.sql", "/tmp/x y.sql", "<stdin>", "-"}
	var sources ast.Sources
	var ds ast.Diagnostics
	for i, name := range names {
		src, err := sources.Add(name, "SELECT ü\nFROM t;\n")
		if err != nil {
			t.Fatal(err)
		}
		ds = append(ds,
			&ast.Diagnostic{Severity: ast.Severity(i % 3), Code: "lint.value", Pos: src.Base + 7, End: src.Base + 14, Msg: "m", Hint: "h", Source: src},
			&ast.Diagnostic{Severity: ast.Error, Code: "bind.column", Pos: src.Base + 17, End: src.Base + 17, Msg: "at the end", Source: src},
			&ast.Diagnostic{Severity: ast.Warning, Code: "plan.failed", Pos: ast.NoPos, End: ast.NoPos, Msg: "nowhere"})
	}
	var b bytes.Buffer
	if err := SARIF(&b, ds, "v1"); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(run.Results) != len(ds) || run.ColumnKind != "unicodeCodePoints" {
		t.Errorf("version %s, %d runs, %d of %d results", log.Version, len(log.Runs), len(run.Results), len(ds))
	}
	var ids []string
	for _, r := range run.Tool.Driver.Rules {
		ids = append(ids, r.ID)
		if u, err := url.Parse(r.HelpURI); r.HelpURI != "" && (err != nil || !u.IsAbs()) || strings.HasPrefix(r.ID, "lint.") && r.HelpURI == "" {
			t.Errorf("rule %s: help %q", r.ID, r.HelpURI)
		}
		checkLevel(t, r.DefaultConfiguration.Level)
	}
	if slices.Sort(ids); len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("rules %v", ids)
	}
	var uris []string
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID || r.Message.Text == "" {
			t.Errorf("result of %s has the rule %s and says %q", r.RuleID, got, r.Message.Text)
		}
		checkLevel(t, r.Level)
		for _, l := range r.Locations {
			uri := l.PhysicalLocation.ArtifactLocation.URI
			u, err := url.Parse(uri)
			if err != nil || u.IsAbs() && u.Scheme != "file" || u.Fragment != "" || u.RawQuery != "" {
				t.Errorf("%q is no place of a file: %v", uri, err)
				continue
			}
			uris = append(uris, strings.TrimPrefix(u.Path, "./"))
			if g := l.PhysicalLocation.Region; g == nil || g.StartLine < 1 || g.StartColumn < 1 || g.EndLine < g.StartLine || g.EndLine == g.StartLine && g.EndColumn < g.StartColumn {
				t.Errorf("region %+v", g)
			}
		}
	}
	if uris = slices.Compact(uris); !slices.Equal(uris, names) {
		t.Errorf("files %q", uris)
	}
}

func checkLevel(t *testing.T, level string) {
	t.Helper()
	if !slices.Contains([]string{"none", "note", "warning", "error"}, level) {
		t.Errorf("level %q", level)
	}
}
