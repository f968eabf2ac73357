package casefile

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// Answer is what a planner made of a case.
type Answer struct {
	Planned     bool   // the script has a plan; Scans are those of the last one
	Scans       []Scan // with all their units, unless the case asks only for the count
	Diagnostics ast.Diagnostics
}

// Scan is one scan of an Answer.
type Scan struct {
	Selected *big.Int
	Units    []Unit
}

// Unit is one unit of a Scan.
type Unit struct {
	Path      string
	Partition string
	Bucket    int
	Values    map[string]string // partition values as JSON: 2021, "a", null
}

// Judge is empty when the answer agrees with the case, else the reason in a few words.
func (c *Case) Judge(a *Answer) string {
	want := &c.Expect
	switch {
	case want.Rejected:
		return judgeRejected(want, a.Diagnostics)
	case want.AST:
		return judgeSyntax(a.Diagnostics)
	case a.Diagnostics.HasErrors():
		return "refused: " + errorsOf(a.Diagnostics)[0].Msg
	case !a.Planned:
		return "no plan"
	case want.Count != nil:
		return judgeCount(want, a.Scans)
	}
	var units []Unit
	for _, s := range a.Scans {
		units = append(units, s.Units...)
	}
	for _, paths := range [][]string{want.Paths, want.Files} {
		if paths == nil {
			continue
		}
		if why := judgePaths(paths, a.Scans); why != "" {
			return why
		}
	}
	if why := judgeColumns(want.Columns, units); why != "" {
		return why
	}
	return judgePartitions(want, units)
}

func errorsOf(ds ast.Diagnostics) ast.Diagnostics {
	return slices.DeleteFunc(slices.Clone(ds), func(d *ast.Diagnostic) bool { return d.Severity != ast.Error })
}

func judgeRejected(want *Expect, ds ast.Diagnostics) string {
	errs := errorsOf(ds)
	if len(errs) == 0 {
		return "accepted, should be refused: " + want.Error
	}
	for _, d := range errs {
		if !d.Pos.IsValid() || d.Source == nil {
			return "refused, but an error has no position: " + d.Msg
		}
	}
	return ""
}

func judgeSyntax(ds ast.Diagnostics) string {
	for _, d := range errorsOf(ds) {
		for _, phase := range []string{"syntax", "parse", "lex"} {
			if strings.HasPrefix(d.Code, phase) {
				return "does not parse: " + d.Msg
			}
		}
	}
	return ""
}

func judgeCount(want *Expect, scans []Scan) string {
	got := new(big.Int)
	for _, s := range scans {
		got.Add(got, s.Selected)
	}
	if got.String() != want.Count.String() {
		return fmt.Sprintf("count %s, want %s", got, want.Count)
	}
	return ""
}

func judgePaths(want []string, scans []Scan) string {
	got := map[string]bool{}
	for _, s := range scans {
		told := map[string]bool{}
		for _, u := range s.Units {
			if told[u.Path] {
				return "a scan tells " + u.Path + " twice"
			}
			told[u.Path], got[u.Path] = true, true
		}
		if s.Selected.Cmp(big.NewInt(int64(len(s.Units)))) != 0 {
			return fmt.Sprintf("selected %s, but %d units", s.Selected, len(s.Units))
		}
	}
	return difference(got, want)
}

func difference(got map[string]bool, want []string) string {
	var missing []string
	extra := maps.Clone(got)
	for _, w := range want {
		if !got[w] {
			missing = append(missing, w)
		}
		delete(extra, w)
	}
	var said []string
	if len(missing) > 0 {
		said = append(said, fmt.Sprintf("missing %d: %q", len(missing), head(missing)))
	}
	if len(extra) > 0 {
		said = append(said, fmt.Sprintf("too many, %d: %q", len(extra), head(slices.Sorted(maps.Keys(extra)))))
	}
	return strings.Join(said, "; ")
}

func head(list []string) []string { return list[:min(3, len(list))] }

func judgeColumns(want map[string]map[string]json.RawMessage, units []Unit) string {
	values := map[string]map[string]string{}
	for _, u := range units {
		values[u.Path] = u.Values
	}
	for _, path := range slices.Sorted(maps.Keys(want)) {
		had := values[path]
		if len(want[path]) == 0 && len(had) > 0 {
			return fmt.Sprintf("%s: has values %v, want none", path, had)
		}
		for name, v := range want[path] {
			if got, ok := had[name]; !ok || canonical(got) != canonical(string(v)) {
				return fmt.Sprintf("%s: %s = %s, want %s", path, name, got, v)
			}
		}
	}
	return ""
}

// canonical is the JSON text of a value without superfluous escapes. A whole number above 2^53 may stand as text.
func canonical(text string) string {
	var s string
	if json.Unmarshal([]byte(text), &s) != nil || text == "null" {
		return strings.TrimSpace(text)
	}
	limit := new(big.Int).Lsh(big.NewInt(1), 53)
	if n, ok := new(big.Int).SetString(s, 10); ok && n.CmpAbs(limit) > 0 {
		return s
	}
	return fmt.Sprintf("%q", s)
}

func judgePartitions(want *Expect, units []Unit) string {
	names, buckets := map[string]bool{}, map[string]map[int]bool{}
	for _, u := range units {
		names[u.Partition] = true
		if buckets[u.Partition] == nil {
			buckets[u.Partition] = map[int]bool{}
		}
		buckets[u.Partition][u.Bucket] = true
	}
	if want.Partitions != nil {
		if why := difference(names, want.Partitions); why != "" {
			return why
		}
	}
	for _, p := range slices.Sorted(maps.Keys(want.Buckets)) {
		got, wanted := slices.Sorted(maps.Keys(buckets[p])), slices.Sorted(slices.Values(want.Buckets[p]))
		if !slices.Equal(got, slices.Compact(wanted)) {
			return fmt.Sprintf("%s: buckets %v, want %v", p, got, wanted)
		}
	}
	return ""
}
