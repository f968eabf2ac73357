package paimon_test

import (
	"fmt"
	"testing"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/paimon"
	"github.com/yqlplan/yqlplan/pruning"
)

func ExampleFunction_Bucket() {
	types := []pruning.Type{{Kind: pruning.Int64}}
	key := []pruning.Nullable{{Value: pruning.Int(12345)}}
	fmt.Printf("%x\n", paimon.AppendRow(nil, types, key))
	fmt.Println(paimon.Default.Hash(types, key), paimon.Default.Bucket(types, key, 4))
	// Output:
	// 00000000000000003930000000000000
	// 767607022 2
}

// TestPlansStay: what later statements do to a table doesn't change plans that have been made.
func TestPlansStay(t *testing.T) {
	s := planner.NewSession([]projection.System{paimon.System{}}, planner.Options{System: "paimon", Now: now})
	run := func(sql string) *planner.Plan {
		plans, found := s.Run(t.Context(), "q", sql)
		if found.HasErrors() || len(plans) == 0 {
			t.Fatalf("%s: %v", sql, found)
		}
		return plans[len(plans)-1]
	}
	paths := func(p *planner.Plan) (out []string) {
		for u, err := range p.Scans[0].Units(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(u.AppendPath(nil)))
		}
		return out
	}
	before := run("CREATE TABLE t (id BIGINT, dt STRING) PARTITIONED BY (dt) WITH ('bucket' = '2', 'bucket-key' = 'id');" +
		"INSERT INTO t PARTITION (dt = 'a') VALUES (1); SELECT * FROM t WHERE id = 7 AND dt IN ('a', 'b')")
	after := run("ALTER TABLE t SET ('bucket' = '8'); INSERT OVERWRITE t SELECT * FROM t; INSERT OVERWRITE t PARTITION (dt = 'a') VALUES (1);" +
		"SELECT * FROM t WHERE id = 7 AND dt IN ('a', 'b')")
	if got, want := fmt.Sprint(paths(before)), "[dt=a/bucket-1/ dt=b/bucket-1/]"; got != want {
		t.Errorf("before: %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(paths(after)), "[dt=a/bucket-3/ dt=b/bucket-1/ dt=b/bucket-3/]"; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
}
