// Package benchmarks compares yqlplan's parser with others, in a module of its own, so that the library doesn't depend
// on them:
//
//	cd benchmarks && go test -bench .
package benchmarks

import (
	"testing"

	tidb "github.com/pingcap/tidb/pkg/parser"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // the literals of its trees
	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
)

// statement is one that all parsers accept, of about 600 bytes.
const statement = `SELECT l.user_id, l.url, u.country, COUNT(*) AS hits, SUM(l.bytes) AS bytes
FROM logs.events AS l
JOIN logs.users AS u ON u.id = l.user_id AND u.active = 1
WHERE (l.year = 2021 AND l.month >= 12 OR l.year = 2022 AND l.month IN (1, 2, 3))
  AND l.region BETWEEN 'eu-central' AND 'eu-west'
  AND l.url LIKE 'https://example.com/%'
  AND l.status NOT IN (404, 500, 502, 503)
  AND l.referrer IS NOT NULL
  AND NOT (l.bytes < 1024 * 10 OR l.bytes > 1024 * 1024)
  AND CASE WHEN l.kind = 'page' THEN l.depth ELSE 0 END > 3
GROUP BY l.user_id, l.url, u.country
HAVING COUNT(*) > 10
ORDER BY hits DESC, l.url
LIMIT 100`

func BenchmarkParse(b *testing.B) {
	d, ok := parser.DialectByName("doris")
	if !ok {
		b.Fatal("no dialect doris")
	}
	src := ast.NewSource("q", statement)
	theirs, err := sqlparser.New(sqlparser.Options{})
	if err != nil {
		b.Fatal(err)
	}
	mysql := tidb.New()
	for _, p := range []struct {
		name  string
		parse func() error
	}{
		{"yqlplan", func() error { _, err := parser.Parse(src, d); return err }},
		{"vitess", func() error { _, err := theirs.Parse(statement); return err }},
		{"tidb", func() error { _, _, err := mysql.Parse(statement, "", ""); return err }},
	} {
		b.Run(p.name, func(b *testing.B) {
			b.SetBytes(int64(len(statement)))
			b.ReportAllocs()
			for b.Loop() {
				if err := p.parse(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
