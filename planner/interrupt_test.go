package planner_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// stopping ends its context at a certain key.
type stopping struct {
	store.Lister
	at   string
	stop context.CancelFunc
}

func (s stopping) List(ctx context.Context, prefix string, deep bool) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for e, err := range s.Lister.List(ctx, prefix, deep) {
			if e.Key == s.at {
				s.stop()
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// A listing that is interrupted gives a plan of what was found, marked as partial, and nothing is planned behind it.
func TestInterrupted(t *testing.T) {
	const list = "SELECT * FROM s3.`/t/` WITH (SCHEMA = (data String, p String NOT NULL), PARTITIONED_BY = (p)) WHERE data = 'x';\n"
	const project = "SELECT * FROM s3.`/t/` WITH (SCHEMA = (data String, n Int64 NOT NULL), PARTITIONED_BY = (n), `projection.enabled` = 'true', " +
		"`projection.n.type` = 'integer', `projection.n.min` = '1', `projection.n.max` = '3', `storage.location.template` = 'p=${n}');\n"
	for _, c := range []struct {
		name, sql string
		units     int
	}{
		{"directories", list, 2},
		{"projection", project, 3},
	} {
		ctx, stop := context.WithCancel(t.Context())
		keys := stopping{store.NewKeys([]string{"t/p=1/a", "t/p=2/b", "t/p=3/c", "t/p=4/d"}), "t/p=3/c", stop}
		plans, diags := planner.NewSession([]projection.System{yql.System{}}, planner.Options{Store: keys, Verify: true}).Run(ctx, "q.sql", c.sql+list)
		if len(plans) != 1 || !plans[0].Scans[0].Listing.Partial {
			t.Fatalf("%s: %d plans: %v", c.name, len(plans), diags)
		}
		found := len(unitsOf(t, plans[0].Scans[0]))
		last := diags[len(diags)-1]
		if found != c.units || last.Code != "plan.interrupted" || last.Severity != ast.Warning || !strings.Contains(last.Msg, "interrupted") {
			t.Errorf("%s: %d units, %v", c.name, found, diags)
		}
	}
}
