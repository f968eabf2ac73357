package explain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/projection/systems"
)

// TestGolden runs the files under testdata. "declare" keeps its input, and its dialect, for all that follow in its file; "text",
// "json", "paths" and "diagnostics" render the plans of theirs, "lint", "findings" and "sarif" what was probably not meant.
// Arguments are limit, offset, shard=(i,n), width and
// objects=(key, …); colour marks what is painted.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		declared, dialect := "", ""
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "declare" {
				declared = d.Input + "\n"
				d.MaybeScanArgs(t, "dialect", &dialect)
				return ""
			}
			return render(t, d, declared, dialect)
		})
	})
}

func render(t *testing.T, d *datadriven.TestData, declared, dialect string) string {
	var win Window
	var opt TextOptions
	var offset int64
	var shard []uint64
	var keys []string
	d.MaybeScanArgs(t, "limit", &win.Limit)
	d.MaybeScanArgs(t, "offset", &offset)
	d.MaybeScanArgs(t, "shard", &shard)
	d.MaybeScanArgs(t, "width", &opt.Width)
	d.MaybeScanArgs(t, "objects", &keys)
	if offset > 0 {
		win.Offset = big.NewInt(offset)
	}
	if len(shard) == 2 {
		win.Shard, win.Shards = shard[0], shard[1]
	}
	opt.Window, opt.More = win, "--limit 0 shows all"
	if d.HasArg("colour") {
		opt.Style = marked
	}
	lint := slices.Contains([]string{"lint", "findings", "sarif"}, d.Cmd)
	plans, ds := plannedBy(planner.Options{System: dialect, Lint: lint}, declared+d.Input, keys)
	var b bytes.Buffer
	err := fmt.Errorf("unknown command %s", d.Cmd)
	ctx := context.Background()
	switch d.Cmd {
	case "text":
		err = Text(ctx, &b, plans, opt)
	case "json":
		err = JSON(ctx, &b, plans, ds, win)
	case "paths":
		err = Paths(ctx, &b, plans, win, '\n')
	case "findings":
		err = DiagnosticsJSON(&b, ds)
	case "sarif":
		err = SARIF(&b, ds, "v1.2.3")
	case "diagnostics", "lint":
		err = Diagnostics(&b, ds, opt.Style)
	}
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	if d.Cmd != "json" && d.Cmd != "diagnostics" && !lint && ds.HasErrors() {
		fmt.Fprintf(&b, "error: %v\n", ds)
	}
	return b.String()
}

// marked paints with letters, so that golden files stay text.
var marked = Style{Name: mark("name"), Label: mark("label"), Good: mark("good"), Caution: mark("caution"), Bad: mark("bad"), Faint: mark("faint")}

func mark(word string) Paint { return func(s string) string { return "<" + word + ":" + s + ">" } }

// planned are the plans of a script as of a fixed time. keys nil: storage isn't touched.
func planned(sql string, keys []string) ([]*planner.Plan, ast.Diagnostics) {
	return plannedBy(planner.Options{}, sql, keys)
}

func plannedBy(opt planner.Options, sql string, keys []string) ([]*planner.Plan, ast.Diagnostics) {
	opt.Now = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	if keys != nil {
		opt.Store, opt.Verify = store.NewKeys(keys), true
	}
	return planner.NewSession(systems.All(), opt).Run(context.Background(), "q.sql", sql)
}

// grid is a table of n·n prefixes.
func grid(n int) string {
	return strings.ReplaceAll("SELECT * FROM s3.`/` WITH (SCHEMA = (data String, a Int64 NOT NULL, b Int64 NOT NULL), PARTITIONED_BY = (a, b), "+
		"`projection.enabled` = \"true\", `projection.a.type` = \"integer\", `projection.a.min` = \"1\", `projection.a.max` = \"{n}\", "+
		"`projection.b.type` = \"integer\", `projection.b.min` = \"1\", `projection.b.max` = \"{n}\", `storage.location.template` = \"${a}/${b}\")",
		"{n}", fmt.Sprint(n))
}

// TestAllocations: one unit more costs no allocation. What is kept for each value of the first column, of which there
// are 200, may.
func TestAllocations(t *testing.T) {
	plans, ds := planned(grid(1000), nil)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	ctx := context.Background()
	for name, write := range map[string]func(limit uint64) error{
		"paths": func(limit uint64) error { return Paths(ctx, discard{}, plans, Window{Limit: limit}, '\n') },
		"json":  func(limit uint64) error { return JSON(ctx, discard{}, plans, nil, Window{Limit: limit}) },
		"text": func(limit uint64) error {
			return Text(ctx, discard{}, plans, TextOptions{Window: Window{Limit: limit}})
		},
	} {
		allocs := func(limit uint64) float64 {
			return testing.AllocsPerRun(3, func() {
				if err := write(limit); err != nil {
					t.Fatal(err)
				}
			})
		}
		few, many := allocs(2_000), allocs(200_000)
		if many > few+200 {
			t.Errorf("%s: %v allocations for 2,000 units, %v for 200,000", name, few, many)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// TestWriterFails: what can't be written ends a walk over 10^12 units.
func TestWriterFails(t *testing.T) {
	plans, ds := planned(grid(1_000_000), nil)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	ctx := context.Background()
	if err := Text(ctx, new(failing), plans, TextOptions{}); !errors.Is(err, errFull) {
		t.Errorf("Text: %v", err)
	}
	if err := JSON(ctx, new(failing), plans, nil, Window{}); !errors.Is(err, errFull) {
		t.Errorf("JSON: %v", err)
	}
	if err := Paths(ctx, new(failing), plans, Window{}, '\n'); !errors.Is(err, errFull) {
		t.Errorf("Paths: %v", err)
	}
}

// TestShardsAreAPartition: the parts of a list over several scans, one behind the other, are the list.
func TestShardsAreAPartition(t *testing.T) {
	plans, ds := planned(grid(7)+";"+grid(3)+" WHERE a = 5;"+grid(4)+" WHERE a > 1", nil)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	ctx := context.Background()
	var all bytes.Buffer
	if err := Paths(ctx, &all, plans, Window{}, '\n'); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(all.String(), "\n"); n != 49+0+12 {
		t.Errorf("%d paths", n)
	}
	for shards := uint64(1); shards < 70; shards++ {
		var joined bytes.Buffer
		for i := uint64(1); i <= shards; i++ {
			if err := Paths(ctx, &joined, plans, Window{Shard: i, Shards: shards}, '\n'); err != nil {
				t.Fatal(err)
			}
		}
		if joined.String() != all.String() {
			t.Errorf("%d parts are\n%s", shards, joined.String())
		}
	}
}
