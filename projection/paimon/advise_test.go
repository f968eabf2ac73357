package paimon_test

import (
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/paimon"
)

func advice(t testing.TB, sql string, load paimon.Load) string {
	t.Helper()
	dialect, _ := parser.DialectByName("paimon")
	stmts, err := parser.Parse(ast.NewSource("q", sql), dialect)
	if err != nil {
		t.Fatal(err)
	}
	ref := &ast.TableRef{Name: []ast.Name{{Text: "t"}}}
	found, err := paimon.Advise(&projection.Env{Declare: true}, ref, stmts, load)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, d := range found {
		b.WriteString(d.Severity.String() + " " + d.Code + ": " + d.Msg + "\n")
	}
	return b.String()
}

// TestAdvise has the arithmetic of Paimon's documentation: 200 MB to 1 GB a bucket, 2 million rows a dynamic bucket.
func TestAdvise(t *testing.T) {
	const table = "CREATE TABLE t (id BIGINT, dt STRING, country STRING, PRIMARY KEY (dt, id) NOT ENFORCED) PARTITIONED BY (dt) WITH ('bucket' = '80')"
	for _, c := range []struct {
		sql  string
		load paimon.Load
		want []string
	}{
		{table, paimon.Load{Bytes: 10 << 30, Partitions: 365}, []string{
			"warning advise.buckets: a partition of 10 GB: Paimon advises 200 MB to 1 GB a bucket, which is 10 to 51 buckets; a bucket for each file of 128 MB would be 80, but a bucket holds several files: 80 buckets are too many",
			"note advise.directories: 365 partitions of 80 buckets are 29,200 directories"}},
		{strings.Replace(table, "80", "16", 1), paimon.Load{Bytes: 10 << 30, Writers: 32, Partitions: 10_000}, []string{"10 to 51 buckets", ": 16 buckets fit",
			"warning advise.directories: 10,000 partitions of 16 buckets are 160,000 directories", "warning advise.writers: 32 writers are more than 16 buckets"}},
		{strings.Replace(table, "80", "4", 1), paimon.Load{Bytes: 10 << 30}, []string{": 4 buckets are too few"}},
		{table, paimon.Load{Distinct: map[string]int64{"id": 100}}, []string{"warning advise.skew: 100 values of id fill about 57 of 80 buckets"}},
		{table, paimon.Load{Distinct: map[string]int64{"dt": 5_000_000}}, []string{"warning advise.partition: 5,000,000 values of dt make as many small partitions"}},
		{table, paimon.Load{Distinct: map[string]int64{"dt": 3}}, []string{"warning advise.partition: 3 values of dt make large partitions"}},
		{strings.Replace(table, "80", "-1", 1), paimon.Load{Rows: 100_000_000}, []string{"note advise.dynamic: 100,000,000 rows in a partition, 2,000,000 a bucket, are 50 buckets; the index of their keys takes about 953.7 MB"}},
		{"CREATE TABLE t (id BIGINT, dt STRING, PRIMARY KEY (id) NOT ENFORCED) PARTITIONED BY (dt) WITH ('dynamic-bucket.target-row-num' = '1000')",
			paimon.Load{Rows: 2500, Writers: 4}, []string{"are 4 buckets", "warning advise.cross: the primary key lacks dt"}},
		{strings.Replace(table, "80", "-2", 1), paimon.Load{Bytes: 5<<30 + 1}, []string{"a partition of 5 GB, 1 GB a bucket, gets 6 buckets"}},
		{strings.Replace(table, "'80'", "'-2', 'postpone.target-row-num-per-bucket' = '1000'", 1), paimon.Load{Rows: 2001}, []string{"2,001 rows, 1,000 a bucket, are 3 buckets"}},
		{strings.Replace(table, "'80'", "'-2', 'postpone.default-bucket-num' = '7'", 1), paimon.Load{Rows: 2001}, []string{"each partition gets 7 buckets first"}},
		{"CREATE TABLE t (id BIGINT) WITH ('bucket' = '2', 'bucket-key' = 'id', 'target-file-size' = '512 mb')", paimon.Load{Bytes: 1 << 30}, []string{"which is 1 to 5 buckets", "each file of 512 MB would be 2"}},
		{"CREATE TABLE t (id BIGINT) WITH ('bucket' = '2', 'bucket-key' = 'id', 'target-file-size' = '5 cats')", paimon.Load{Bytes: 1 << 30}, []string{`warning option.size: target-file-size: "5 cats" is no size`, "each file of 256 MB would be 4"}},
	} {
		got := advice(t, c.sql, c.load)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s\n%+v: got\n%swithout %s", c.sql, c.load, got, want)
			}
		}
	}
	if got := advice(t, table, paimon.Load{}); got != "" {
		t.Errorf("without a load: %s", got)
	}
}
