package parser

import (
	"strconv"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
)

// projection is a statement of about 600 bytes, as the documentation of partition projection has them.
const projection = `SELECT
    *
FROM s3.` + "`/`" + `
WITH
(
    SCHEMA = (data String, year Int32, month Int32),
    PARTITIONED_BY = "['year', 'month']",
    ` + "`projection.enabled` : \"true\"," + `
    ` + "`projection.year.type` : \"integer\"," + `
    ` + "`projection.year.min` : \"2010\"," + `
    ` + "`projection.year.max` : \"2022\"," + `
    ` + "`projection.year.interval` : \"1\"," + `
    ` + "`projection.month.type` : \"integer\"," + `
    ` + "`projection.month.min` : \"1\"," + `
    ` + "`projection.month.max` : \"12\"," + `
    ` + "`projection.month.digits` : \"2\"," + `
    ` + "`storage.location.template` : \"${year}/${month}\"" + `
)
WHERE
    year=2021
    AND month=02`

func benchmarkParse(b *testing.B, text string) {
	d, _ := DialectByName("yql")
	src := ast.NewSource("q", text)
	if _, err := Parse(src, d); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src, d); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseProjection(b *testing.B) { benchmarkParse(b, projection) }

func BenchmarkParseShort(b *testing.B) {
	benchmarkParse(b, "SELECT a FROM t WHERE y = 2021 AND m = 1")
}

func numbers(n int, sep, prefix string) string {
	var s strings.Builder
	for i := range n {
		if i > 0 {
			s.WriteString(sep)
		}
		s.WriteString(prefix)
		s.WriteString(strconv.Itoa(i))
	}
	return s.String()
}

func BenchmarkParseIn10000(b *testing.B) {
	benchmarkParse(b, "SELECT a FROM t WHERE y IN ("+numbers(10_000, ", ", "")+")")
}

func BenchmarkParseOr100000(b *testing.B) {
	benchmarkParse(b, "SELECT a FROM t WHERE "+numbers(100_000, " OR ", "y = "))
}
