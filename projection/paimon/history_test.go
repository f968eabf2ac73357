package paimon_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/paimon"
)

// life is what happens to a table: how many buckets its partitions really have after each statement.
type life struct {
	t      *rapid.T
	sql    strings.Builder
	option int
	counts map[string]int   // of the partitions that have data
	past   []map[string]int // snapshots
}

var lifeParts = []string{"a", "b", "c"}

func (l *life) part() string { return rapid.SampledFrom(lifeParts).Draw(l.t, "partition") }

// step is a random statement. One that Paimon would refuse isn't written down.
func (l *life) step() {
	steps := map[string]func(){
		"insert":    l.insert,
		"alter":     l.alter,
		"overwrite": l.overwrite,
		"query":     l.fromQuery,
		"drop":      l.drop,
		"rescale":   l.rescale,
		"truncate": func() {
			l.sql.WriteString("TRUNCATE TABLE t;\n")
			clear(l.counts)
		},
		"rollback": func() {
			if len(l.past) > 0 {
				l.sql.WriteString("CALL sys.rollback_to('t', 1);\n")
				l.counts = maps.Clone(rapid.SampledFrom(l.past).Draw(l.t, "snapshot"))
			}
		},
	}
	steps[rapid.SampledFrom(slices.Sorted(maps.Keys(steps))).Draw(l.t, "statement")]()
	l.past = append(l.past, maps.Clone(l.counts))
}

// takes reports whether a plain write into a partition is allowed.
func (l *life) takes(p string) bool {
	n, written := l.counts[p]
	return !written || n == l.option
}

func (l *life) insert() {
	p, q := l.part(), l.part()
	if !l.takes(p) || !l.takes(q) {
		return
	}
	l.sql.WriteString(rapid.SampledFrom([]string{
		fmt.Sprintf("INSERT INTO t VALUES (1, '%s'), (1, '%s');\n", p, q),
		fmt.Sprintf("INSERT INTO t PARTITION (dt = '%s') SELECT id FROM s;\nINSERT INTO t (dt, id) VALUES ('%s', 1);\n", p, q),
	}).Draw(l.t, "form"))
	l.counts[p], l.counts[q] = l.option, l.option
}

func (l *life) alter() {
	l.option = rapid.IntRange(1, 9).Draw(l.t, "option")
	fmt.Fprintf(&l.sql, "ALTER TABLE t SET ('bucket' = '%d');\n", l.option)
}

func (l *life) overwrite() {
	p := l.part()
	fmt.Fprintf(&l.sql, "INSERT OVERWRITE t PARTITION (dt = '%s') SELECT id FROM s;\n", p)
	l.counts[p] = l.option
}

// fromQuery writes what a query yields: any partitions. OVERWRITE drops the others, or it doesn't.
func (l *life) fromQuery() {
	verb := rapid.SampledFrom([]string{"INSERT INTO t SELECT * FROM s", "MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *",
		"INSERT OVERWRITE t SELECT * FROM s"}).Draw(l.t, "verb")
	l.sql.WriteString(verb + ";\n")
	over := strings.HasPrefix(verb, "INSERT OVERWRITE")
	if over && rapid.Bool().Draw(l.t, "static") {
		clear(l.counts)
	}
	for _, p := range lifeParts {
		if rapid.Bool().Draw(l.t, "written") && (over || l.takes(p)) {
			l.counts[p] = l.option
		}
	}
}

func (l *life) drop() {
	p := l.part()
	fmt.Fprintf(&l.sql, rapid.SampledFrom([]string{"ALTER TABLE t DROP PARTITION (dt = '%s');\n", "CALL sys.drop_partition('t', 'dt=%s');\n"}).Draw(l.t, "form"), p)
	delete(l.counts, p)
}

func (l *life) rescale() {
	n := rapid.IntRange(1, 9).Draw(l.t, "buckets")
	if p := l.part(); rapid.Bool().Draw(l.t, "one") {
		if _, written := l.counts[p]; written {
			fmt.Fprintf(&l.sql, "CALL sys.rescale(`table` => 'db.t', bucket_num => %d, `partition` => 'dt=%s');\n", n, p)
			l.counts[p] = n
		}
		return
	}
	fmt.Fprintf(&l.sql, "CALL sys.rescale('t', %d);\n", n)
	for p := range l.counts {
		l.counts[p] = n
	}
}

// TestHistory: whatever a script does to a table, it isn't refused where Paimon takes it, and the plan of a key has its
// bucket in each partition, under the number of buckets that the partition really has; also in an older state.
func TestHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t, option: rapid.IntRange(1, 9).Draw(t, "option"), counts: map[string]int{}}
		fmt.Fprintf(&l.sql, "CREATE TABLE s (id INT, dt STRING);\nCREATE TABLE t (id INT, dt STRING) PARTITIONED BY (dt) WITH ('bucket' = '%d', 'bucket-key' = 'id');\n", l.option)
		for range rapid.IntRange(0, 8).Draw(t, "statements") {
			l.step()
		}
		key := slice{[]field{{kind: "INT"}}, []cell{{num: big.NewRat(5, 1)}}}
		states, version := []map[string]int{l.counts}, ""
		if rapid.Bool().Draw(t, "older") {
			states, version = l.past, " VERSION AS OF 1"
		}
		sql := l.sql.String() + "SELECT * FROM t" + version + " WHERE id = 5 AND dt IN ('a', 'b', 'c')"
		plans, found := planner.NewSession([]projection.System{paimon.System{}}, planner.Options{System: "paimon", Now: now}).Run(t.Context(), "q", sql)
		if found.HasErrors() {
			t.Fatalf("%s\n%v", sql, found)
		}
		var dirs []string
		for u, err := range plans[len(plans)-1].Scans[0].Units(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			dirs = append(dirs, string(u.AppendPath(nil)))
		}
		for _, counts := range states {
			for p, n := range counts {
				if dir := fmt.Sprintf("dt=%s/bucket-%d/", p, key.bucket(paimon.Default, n)); !slices.Contains(dirs, dir) {
					t.Fatalf("%s\n%s has %d buckets: %s isn't in %q", sql, p, n, dir, dirs)
				}
			}
		}
	})
}
