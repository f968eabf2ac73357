package paimon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/explain"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/paimon"
	"github.com/yqlplan/yqlplan/projection/store"
)

// TestGolden runs the files of testdata. "plan" executes statements and prints the last plan and what was found. Behind a
// line "objects:" stand the keys of a listing, with {0-3} for the numbers from 0 to 3. "where" has a partition column, the
// directories that there are, and then conditions, each of which is printed with what it reads; * is what stays as a filter.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "plan":
				return plan(t, d.Input)
			case "where":
				return where(t, strings.Split(d.Input, "\n"))
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

var now = time.Date(2025, 3, 27, 10, 0, 0, 0, time.UTC)

func plan(t *testing.T, input string) string {
	opt := planner.Options{System: "paimon", Now: now}
	sql, objects, listed := strings.Cut(input, "\nobjects:\n")
	if listed {
		opt.Store = store.NewKeys(expand(strings.Fields(objects)))
	}
	plans, found := planner.NewSession([]projection.System{paimon.System{}}, opt).Run(t.Context(), "q", sql)
	var b strings.Builder
	if len(plans) > 0 && !found.HasErrors() {
		if err := explain.Text(t.Context(), &b, plans[len(plans)-1:], explain.TextOptions{Window: explain.Window{Limit: 20}}); err != nil {
			b.WriteString(err.Error() + "\n")
		}
	}
	for _, f := range found {
		b.WriteString(f.Error() + " [" + f.Code + "]\n" + f.Excerpt())
	}
	return b.String()
}

func where(t *testing.T, lines []string) string {
	name, _, _ := strings.Cut(lines[0], " ")
	var keys []string
	for _, dir := range strings.Fields(lines[1]) {
		keys = append(keys, name+"="+dir+"/bucket-0/f")
	}
	var b strings.Builder
	for _, condition := range lines[2:] {
		opt := planner.Options{System: "paimon", Now: now, Store: store.NewKeys(keys)}
		sql := "CREATE TABLE t (v INT, " + lines[0] + ") PARTITIONED BY (" + name + "); SELECT * FROM t WHERE " + condition
		plans, found := planner.NewSession([]projection.System{paimon.System{}}, opt).Run(t.Context(), "q", sql)
		fmt.Fprintf(&b, "%s: ", condition)
		if found.HasErrors() {
			fmt.Fprintf(&b, "%v\n", found)
			continue
		}
		scan := plans[len(plans)-1].Scans[0]
		for u, err := range scan.Units(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			dir, _, _ := strings.Cut(string(u.AppendPath(nil)), "/")
			b.WriteString(strings.TrimPrefix(dir, name+"=") + " ")
		}
		if scan.Residual != nil {
			b.WriteString("*")
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// expand writes out {0-3} in keys.
func expand(keys []string) (out []string) {
	for _, k := range keys {
		before, rest, ok := strings.Cut(k, "{")
		digits, after, _ := strings.Cut(rest, "}")
		if !ok {
			out = append(out, k)
			continue
		}
		for c := digits[0]; c <= digits[2]; c++ {
			out = append(out, expand([]string{before + string(c) + after})...)
		}
	}
	return out
}
