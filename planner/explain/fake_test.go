package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// fake is a system whose every table has the partitions p1, p2 and none, with two buckets each, and no paths.
type fake struct{ fails bool }

func (fake) Name() string    { return "fake" }
func (fake) Dialect() string { return "yql" }

func (f fake) Table(_ context.Context, _ *projection.Env, ref *ast.TableRef, _ []ast.Stmt) (*projection.Table, error) {
	text := pruning.Type{Kind: pruning.String}
	l := &projection.Layout{System: "fake", Unit: "buckets", Keys: []pruning.Key{{Name: "p", Type: text}}}
	l.Levels = []projection.Level{partitions(f), buckets{}}
	l.Names = func(at *projection.Place) (string, int, bool, bool) {
		name := at.Axes[0].AppendName(nil, at.Index[0])
		return string(name), int(at.Index[1]), true, true
	}
	columns := []projection.Column{{Name: "p", Type: text, Declared: "String", Nullable: true, Key: 0}, {Name: "x", Key: -1}}
	return &projection.Table{Name: ref.Name[0].Text, System: "fake", Columns: columns, Layout: l}, nil
}

var errListing = errors.New("listing: access denied")

// partitions is the axis 'a', 'b', NULL. It fails behind the first branch when it has to.
type partitions struct{ fails bool }

func (partitions) Keys() []int          { return []int{0} }
func (partitions) Fixed() bool          { return false }
func (partitions) Decides(int) bool     { return true }
func (partitions) Last() (uint64, bool) { return 2, true }

func (p partitions) Axis(context.Context, *projection.Place) (projection.Axis, error) { return p, nil }

func (p partitions) Value(i uint64) (v pruning.Value, null, ok bool) {
	if i == 2 {
		return v, true, true
	}
	return pruning.Text(string('a' + rune(i))), false, true
}

func (partitions) AppendName(dst []byte, i uint64) []byte {
	return append(dst, [...]string{"p1", "p2", "none"}[i]...)
}

func (p partitions) Runs(dst []projection.Run, d pruning.Diagram) ([]projection.Run, error) {
	if p.fails {
		return nil, errListing
	}
	for i := range uint64(3) {
		rest := d.AtNull(0)
		if v, null, _ := p.Value(i); !null {
			rest = d.At(0, v)
		}
		if rest.Outcomes().MayBeTrue() {
			dst = append(dst, projection.Run{First: i, Last: i, Rest: rest})
		}
	}
	return dst, nil
}

// buckets are two branches that no condition tells apart.
type buckets struct{}

func (buckets) Keys() []int                                                        { return nil }
func (buckets) Fixed() bool                                                        { return true }
func (b buckets) Axis(context.Context, *projection.Place) (projection.Axis, error) { return b, nil }
func (buckets) Last() (uint64, bool)                                               { return 1, true }
func (buckets) Value(uint64) (v pruning.Value, null, ok bool)                      { return }
func (buckets) AppendName(dst []byte, i uint64) []byte                             { return append(dst, '0'+byte(i)) }

func (buckets) Runs(dst []projection.Run, d pruning.Diagram) ([]projection.Run, error) {
	return append(dst, projection.Run{First: 0, Last: 1, Rest: d}), nil
}

// faked are the plans of a statement over fake tables.
func faked(t *testing.T, f fake, sql string) ([]*planner.Plan, ast.Diagnostics) {
	t.Helper()
	session := planner.NewSession([]projection.System{f}, planner.Options{System: "fake"})
	return session.Run(context.Background(), "q.sql", sql)
}

func TestNames(t *testing.T) {
	plans, ds := faked(t, fake{}, `SELECT * FROM t WHERE p IS NULL OR p = "b"`)
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	ctx := context.Background()
	var text, paths, doc bytes.Buffer
	if err := errors.Join(Text(ctx, &text, plans, TextOptions{}), Paths(ctx, &paths, plans, Window{}, '\n'), JSON(ctx, &doc, plans, nil, Window{})); err != nil {
		t.Fatal(err)
	}
	wantText := `scan t                                  fake
│ read      4 buckets
│ regions   p 'b' or NULL
│ where     decided  p IS NULL OR p = "b"
│ residual  none
├─ p2 bucket 0
├─ p2 bucket 1
├─ none bucket 0
└─ none bucket 1
`
	if diff := cmp.Diff(wantText, text.String()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("p2/0\np2/1\nnone/0\nnone/1\n", paths.String()); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{
		`{ "partition": "p2", "bucket": 1, "values": { "p": "b" }, "residual": null }`,
		`{ "partition": "none", "bucket": 0, "values": { "p": null }, "residual": null }`,
		`"regions": [` + "\n" + `            { "p": [ { "value": "b" }, null ] }`,
		`"total": null,`,
	} {
		if !strings.Contains(doc.String(), want) {
			t.Errorf("the document lacks %s:\n%s", want, doc.String())
		}
	}
}

// TestWindowWithoutPaths: shards and offsets of units that have names only.
func TestWindowWithoutPaths(t *testing.T) {
	plans, _ := faked(t, fake{}, `SELECT * FROM t; SELECT * FROM u WHERE p = "a"`)
	var b bytes.Buffer
	for i := uint64(1); i <= 3; i++ {
		if err := Paths(context.Background(), &b, plans, Window{Shard: i, Shards: 3}, ' '); err != nil {
			t.Fatal(err)
		}
		b.WriteString("| ")
	}
	if want := "p1/0 p1/1 | p2/0 p2/1 none/0 | none/1 p1/0 p1/1 | "; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
}

// TestListingFails: every renderer returns the error, and the JSON document stays well-formed.
func TestListingFails(t *testing.T) {
	plans, ds := faked(t, fake{fails: true}, `SELECT * FROM t`)
	if len(plans) == 0 {
		t.Fatal(ds)
	}
	ctx := context.Background()
	var doc bytes.Buffer
	if err := JSON(ctx, &doc, plans, ds, Window{}); !errors.Is(err, errListing) {
		t.Errorf("JSON: %v", err)
	}
	if !json.Valid(doc.Bytes()) || !strings.Contains(doc.String(), `"message": "listing: access denied"`) {
		t.Errorf("the document doesn't tell:\n%s", doc.String())
	}
	if err := Text(ctx, &doc, plans, TextOptions{}); !errors.Is(err, errListing) {
		t.Errorf("Text: %v", err)
	}
	if err := Paths(ctx, &doc, plans, Window{}, '\n'); !errors.Is(err, errListing) {
		t.Errorf("Paths: %v", err)
	}
}
