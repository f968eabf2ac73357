package duckdb

import (
	"fmt"
	"slices"
	"testing"
)

// TestQueries: whatever stands between a condition and the files, every file that the result depends on is in the plan. The
// engine's answer is the same when all other files are gone.
func TestQueries(t *testing.T) {
	e := open(t)
	for y := 2024; y <= 2026; y++ {
		for m := 1; m <= 6; m++ {
			e.put(t, fmt.Sprintf("ev/y=%d/m=%d/f.parquet", y, m), y+m)
			e.put(t, fmt.Sprintf("dim/y=%d/m=%d/f.parquet", y, m), m)
		}
	}
	const ev = "'ev/*/*/*.parquet'"
	for _, test := range []struct {
		query string
		files int // in the plan
	}{
		{"SELECT count(*) FROM " + ev + " WHERE y = 2025 AND m = 6", 1},
		{"WITH s AS (SELECT y AS yr, m AS mo, id FROM " + ev + ") SELECT sum(id) FROM s WHERE yr = 2025 AND mo > 4", 2},
		{"WITH s AS MATERIALIZED (SELECT * FROM " + ev + ") SELECT sum(id) FROM s WHERE y = 2025", 6},
		{"SELECT sum(id) FROM (SELECT y, m, id FROM " + ev + " UNION ALL SELECT 2025, 6, 7) WHERE y = 2025 AND m = 6", 1},
		{"SELECT y, count(*) FROM " + ev + " GROUP BY y HAVING y = 2025", 6},
		{"SELECT y, count(*) FROM " + ev + " GROUP BY ALL HAVING count(*) > 1 ORDER BY 1", 18},
		{"SELECT count(*) FROM (SELECT * FROM " + ev + " ORDER BY id, y, m LIMIT 3) WHERE y = 2025", 18},
		{"SELECT count(*) FROM (SELECT y, row_number() OVER (ORDER BY id, y, m) AS rn FROM " + ev + ") WHERE y = 2025 AND rn = 1", 18},
		{"SELECT count(*) FROM (SELECT y, row_number() OVER (PARTITION BY y ORDER BY id) AS rn FROM " + ev + ") WHERE y = 2025 AND rn = 1", 6},
		{"SELECT y + 1 AS z, sum(id) FROM " + ev + " WHERE z = 2026 GROUP BY z", 6},
		{"SELECT count(*) FROM " + ev + " e JOIN (VALUES (2025, 6), (2024, 1)) t(yy, mm) ON e.y = yy AND e.m = mm", 2},
		{"SELECT count(*) FROM " + ev + " e, range(2025, 2027) r(y2) WHERE e.y = y2 AND e.m = 1", 2},
		{"SELECT count(*) FROM " + ev + " e LEFT JOIN (VALUES (2025)) t(x) ON e.y = t.x AND e.m = 6", 18},
		{"SELECT count(*) FROM " + ev + " WHERE y IN (SELECT x FROM range(2024, 2026) t(x)) AND m = 1", 2},
		{"SELECT count(*) FROM " + ev + " WHERE y NOT IN (SELECT x FROM range(2024, 2026) t(x))", 6},
		{"SELECT count(*) FROM " + ev + " WHERE (y, m) IN (SELECT a, b FROM (VALUES (2024, 2), (2025, 3)) t(a, b))", 2},
		{"SELECT count(*) FROM " + ev + " WHERE EXISTS (SELECT 1 FROM (VALUES (2025, 2), (2024, 1)) t(a, b) WHERE a = y AND b = m)", 2},
		{"SELECT count(*) FROM " + ev + " WHERE y = (SELECT max(x) FROM range(2024, 2027) t(x))", 6},
		{"SELECT count(*) FROM " + ev + " a SEMI JOIN 'dim/*/*/*.parquet' b USING (y, m) WHERE a.y = 2025 AND a.m = 6", 2},
		{"SELECT count(*) FROM " + ev + " a ANTI JOIN 'dim/*/*/*.parquet' b USING (y, m) WHERE a.y = 2025 AND a.m = 6", 2},
		{"SELECT count(*) FROM " + ev + " a JOIN 'dim/*/*/*.parquet' b USING (y, m) WHERE y = 2025 AND m = 6", 2},
		{"SELECT DISTINCT y FROM " + ev + " WHERE m = 2 ORDER BY y", 3},
		{"FROM " + ev + " SELECT count(*) WHERE y = 2025", 6},
		{"SELECT count(*) FROM " + ev + " WHERE filename LIKE '%/y=2025/m=6/%'", 1},
		{"SELECT count(*) FROM read_parquet(['ev/y=2024/*/*.parquet', 'ev/y=2025/*/*.parquet'], hive_types = {'m': VARCHAR}) WHERE m = '6'", 2},
		{"SELECT count(*) FROM " + ev + " WHERE y = year(d) AND year(d) = 2025", 6},
		{"SELECT count(*), sum(a.id) FROM " + ev + " a ASOF JOIN 'dim/*/*/*.parquet' b ON a.y = b.y AND a.m >= b.m WHERE a.y = 2025 AND b.m = 2", 11},
		{"SELECT count(*), sum(b.id) FROM " + ev + " a ASOF JOIN 'dim/*/*/*.parquet' b USING (y, m) WHERE y = 2025 AND m = 3", 7},
		{"SELECT count(*) FROM " + ev + " a ASOF JOIN 'dim/*/*/*.parquet' b ON a.y >= b.y WHERE b.y = 2025", 30},
		{"SELECT count(*) FROM " + ev + " a ASOF LEFT JOIN (SELECT DISTINCT y FROM 'dim/*/*/*.parquet') b ON a.y > b.y WHERE a.y = 2024 OR b.y = 2024", 36},
		{"SELECT count(*) FROM (SELECT id, y FROM " + ev + ") a POSITIONAL JOIN (SELECT y AS z FROM 'dim/*/*/*.parquet') b WHERE a.y = 2025 AND b.z = 2026", 36},
		{"SELECT count(*) FROM " + ev + " NATURAL JOIN (SELECT y, m FROM 'dim/*/*/*.parquet') d WHERE y = 2025 AND m = 6", 2},
		{"SELECT count(*) FROM (SELECT DISTINCT ON (y) y, m FROM " + ev + " ORDER BY m DESC) WHERE y = 2025 AND m = 5", 6},
		{"SELECT y, sum(id) AS s FROM " + ev + " GROUP BY ALL HAVING y = 2025 ORDER BY ALL", 6},
		{"SELECT count(*) FROM (SELECT * REPLACE (y + 1 AS y) RENAME (m AS month) FROM " + ev + ") WHERE y = 2026 AND month = 6", 1},
		{"SELECT count(*) FROM (SELECT COLUMNS('y|m') FROM " + ev + ") WHERE y = 2025", 6},
		{"SELECT count(*) FROM (SELECT max(COLUMNS(['y', 'm'])) FROM " + ev + ") WHERE y = 2026", 18},
		{"SELECT count(*) FROM (SELECT y AS k FROM " + ev + " UNION ALL BY NAME SELECT m AS k, y AS z FROM 'dim/*/*/*.parquet') WHERE k = 2025 OR z = 2024", 12},
		{"SELECT count(*) FROM " + ev + " WHERE y IN [x + 2023 FOR x IN [1, 2, 3] IF x > 2] AND m IN list_transform([0, 1], lambda x, i: x + i)", 2},
		{"SELECT count(*) FROM " + ev + " WHERE m IN list_filter(range(9), x -> x % 5 = 0)", 3},
		{"SELECT count(*) FROM (SELECT * FROM " + ev + " ORDER BY y, m LIMIT 30%) WHERE y = 2024", 18},
		{"SELECT count(*) FROM " + ev + " WHERE y = 2025 USING SAMPLE 1000 ROWS", 18},
		{"SELECT count(*) FROM VALUES (2025), (2024) v(x) JOIN " + ev + " e ON e.y = v.x", 12},
		{"SELECT count(*) FROM (SELECT * EXCLUDE (m) FROM " + ev + ") WHERE y = 2024", 6},
	} {
		want, err := e.column(test.query)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		paths, p, ds := plan(t, test.query)
		if p == nil {
			t.Errorf("%s\nrefused: %s", test.query, message(ds))
			continue
		}
		if len(paths) != test.files {
			t.Errorf("%s\nplanned %d files, want %d: %q", test.query, len(paths), test.files, paths)
		}
		if got, err := e.only(t, paths, test.query); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s\nDuckDB has %q, from the planned files %q (%v)", test.query, want, got, err)
		}
	}
}

// only runs a query while all other files are empty, so that only those of the plan have rows.
func (e *engine) only(t *testing.T, paths []string, query string) ([]string, error) {
	t.Helper()
	e.must(t, "COPY (SELECT * FROM 'template0.parquet' WHERE false) TO 'empty.parquet'")
	saved := e.templates
	defer func() { e.templates = saved }()
	for y := 2024; y <= 2026; y++ {
		for m := 1; m <= 6; m++ {
			for root, n := range map[string]int{"ev": y + m, "dim": m} {
				name := fmt.Sprintf("%s/y=%d/m=%d/f.parquet", root, y, m)
				if slices.Contains(paths, name) {
					continue
				}
				e.templates = []string{"empty.parquet"}
				e.put(t, name, 0)
				e.templates = saved
				defer e.put(t, name, n)
			}
		}
	}
	return e.column(query)
}
