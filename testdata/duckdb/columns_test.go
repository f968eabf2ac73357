package duckdb

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/projection"
)

// TestColumns: footers tell the columns and the types that DuckDB finds, in its order, with the keys among them.
func TestColumns(t *testing.T) {
	e := open(t)
	for i, columns := range []string{
		"1 AS id, 10 AS y, 'a' AS name, 1.5::DECIMAL(10, 2) AS price, 1.5::DECIMAL(4, 1) AS rate, 1.5::DECIMAL(38, 10) AS big, 1::UTINYINT AS u8, 1::UBIGINT AS u64",
		"true AS b, 1::TINYINT AS i8, 1::SMALLINT AS i16, 1::BIGINT AS i64, 1::USMALLINT AS u16, 1::UINTEGER AS u32, 1::HUGEINT AS huge, 1::FLOAT AS f, 1::DOUBLE AS d",
		"DATE '2024-01-01' AS y, TIMESTAMP '2024-01-01 00:00:00' AS ts, TIMESTAMPTZ '2024-01-01 00:00:00+00' AS tz, TIMESTAMP_NS '2024-01-01 00:00:00' AS ns, " +
			"TIMESTAMP_S '2024-01-01 00:00:00' AS s, TIMESTAMP_MS '2024-01-01 00:00:00' AS ms, TIME '10:00:00' AS t, TIMETZ '10:00:00+01' AS ttz, INTERVAL 1 DAY AS iv",
		"{'a': 1, 'b': [1]} AS st, [1, 2] AS l, [[1]] AS ll, MAP {'k': 1} AS m, [{'a': 1}] AS ls, 'x'::BLOB AS raw, uuid() AS u, '{}'::JSON AS js, 'a'::ENUM('a', 'b') AS en, 1 AS last",
		"1 AS Z, 'x' AS \"B C\", 2 AS \"ä\", 3 AS Filename, 4 AS file_row_number",
	} {
		dir := fmt.Sprintf("c%d/z=5/b=1/y=7", i)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		e.must(t, "COPY (SELECT "+columns+") TO '"+dir+"/a.parquet'")
		from := fmt.Sprintf("FROM 'c%d/**/*.parquet'", i)
		want, err := e.column("SELECT column_name || ' ' || column_type FROM (DESCRIBE SELECT * " + from + ")")
		if err != nil {
			t.Fatal(err)
		}
		_, p, ds := plan(t, "SELECT * "+from)
		if p == nil {
			t.Fatalf("%s: %s", from, message(ds))
		}
		var got []string
		for _, c := range p.Scans[0].Table.Columns {
			if !c.Virtual {
				got = append(got, c.Name+" "+c.Declared)
			}
		}
		if !slices.EqualFunc(got, want, sameColumn) || p.Scans[0].Table.Open {
			t.Errorf("%s\nhas %q\nDuckDB has %q", columns, got, want)
		}
		for _, virtual := range []string{"filename", "file_row_number", "file_index"} {
			_, err := e.column("SELECT " + virtual + " " + from)
			if _, p, ds := plan(t, "SELECT "+virtual+" "+from); (p == nil) != (err != nil) {
				t.Errorf("%s of %s: %q, DuckDB: %v", virtual, columns, message(ds), err)
			}
		}
	}
}

// sameColumn compares types without what is inside of lists, structs and maps.
func sameColumn(got, want string) bool {
	name, kind, _ := strings.Cut(got, " ")
	switch kind {
	case "LIST":
		return strings.HasPrefix(want, name+" ") && strings.HasSuffix(want, "[]")
	case "STRUCT", "MAP":
		return strings.HasPrefix(want, got+"(")
	}
	return got == want
}

// TestUnion: union_by_name takes the columns of all files.
func TestUnion(t *testing.T) {
	e := open(t)
	for k, columns := range []string{"1 AS id, 2 AS a", "'x' AS b, 3 AS ID, 4::BIGINT AS A", "1.5::DOUBLE AS c, 2 AS k"} {
		dir := fmt.Sprintf("u/k=%d", k)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		e.must(t, "COPY (SELECT "+columns+") TO '"+dir+"/a.parquet'")
	}
	const from = "FROM read_parquet('u/*/*.parquet', union_by_name = true)"
	want, err := e.column("SELECT column_name FROM (DESCRIBE SELECT * " + from + ")")
	if err != nil {
		t.Fatal(err)
	}
	_, p, ds := plan(t, "SELECT * "+from+" WHERE k = 1")
	if p == nil {
		t.Fatal(message(ds))
	}
	var got []string
	for _, c := range p.Scans[0].Table.Columns {
		if !c.Virtual {
			got = append(got, c.Name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("columns %q, DuckDB has %q", got, want)
	}
	if info := p.Scans[0].Listing; info.Reads != 3 || slices.ContainsFunc(p.Scans[0].Table.Columns, func(c projection.Column) bool { return c.Name == "a" && c.Type != (projection.Column{}).Type }) {
		t.Errorf("%d reads, want 3: %+v", info.Reads, p.Scans[0].Table.Columns)
	}
}
