package yql

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// listedAs are the objects that a table reads, with their values, or the code of what is wrong with them.
func listedAs(t *testing.T, sql string, keys ...string) string {
	t.Helper()
	env := *testEnv
	env.Store = store.NewKeys(keys)
	table, _, err := readAt(&env, ast.NewSource("q.sql", sql))
	var found ast.Diagnostics
	if errors.As(err, &found) {
		return found[0].Code
	}
	if err != nil {
		t.Fatal(err)
	}
	l := table.Layout
	d := pruning.NewSpace(l.Keys, 0).Const(pruning.True)
	l, _, err = l.Source.Find(t.Context(), l, d, projection.Check{})
	if errors.As(err, &found) {
		return found[0].Code + " " + strings.TrimPrefix(found[0].Msg, table.Name+": ")
	}
	var out []string
	for u, err := range projection.Walk(t.Context(), l, d, projection.Check{}) {
		if err != nil {
			t.Fatal(err)
		}
		text := string(u.AppendPath(nil))
		for k, key := range l.Keys {
			v, _, _ := u.Value(k)
			text += fmt.Sprintf(" %s=%s", key.Name, key.Type.Append(nil, v))
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// Paths without a projection (YDB, yql_s3_path.cpp, yql_s3_list.cpp).
func TestListed(t *testing.T) {
	plain := func(path, with string) string {
		return "SELECT * FROM s3.`" + path + "` WITH (" + with + `FORMAT = "csv_with_names", SCHEMA = (a Int32))`
	}
	by := func(path, columns, names string) string {
		return "SELECT * FROM s3.`" + path + "` WITH (FORMAT = \"csv_with_names\", SCHEMA = (data String, " + columns + "), PARTITIONED_BY = (" + names + "))"
	}
	for _, c := range []struct {
		sql  string
		keys []string
		want string
	}{
		{plain("//logs//x/", ""), []string{"logs/x/a", "logs//x/b", "logs/xy/c", "logs/x/y/d"}, "logs/x/a, logs/x/y/d"},
		{plain("/logs/", `FILE_PATTERN = "*.csv", `), []string{"logs/a.csv", "logs/b.txt", "logs/c/d.csv", "a.csv"}, "logs/a.csv, logs/c/d.csv"},
		{plain("/logs/", ""), []string{"logs/_SUCCESS", "logs/.x/a", "logs/_t=1/b", "logs/c"}, "logs/_t=1/b, logs/c"},
		{plain("/_logs/*", ""), []string{"_logs/a", "_logs/_b"}, "_logs/a"},
		{plain("/logs/2024*", ""), []string{"logs/2024", "logs/2024_01", "logs/2024.csv/_x", "logs/2024.csv/x", "logs/2025"}, "logs/2024, logs/2024.csv/x, logs/2024_01"},
		{plain("/logs/_*", ""), []string{"logs/_a", "logs/_b/.c", "logs/_b/c"}, "logs/_a, logs/_b/c"},
		{plain("/a.csv{,.gz}", ""), []string{"a.csv", "a.csv.gz", "a.csv.zst"}, "a.csv, a.csv.gz"},
		{plain("l*s/{a,b}?", ""), []string{"logs/a1", "logs/c1", "l/x/s/b2", "logs/a12"}, "l/x/s/b2, logs/a1"},
		{plain("/one", ""), []string{"one", "one.csv", "one/two"}, "one"},
		{plain("/on", ""), []string{"one"}, `the object "on" does not exist`},
		{plain("/dir", ""), []string{"dir/a"}, `the object "dir" does not exist`},
		{by("/t", "d Date NOT NULL", "d"), []string{"t/d=2021-01-01/x", "t2/d=2021-01-01/x"}, "t/d=2021-01-01/x d=2021-01-01"},
		{by("/t/", "d Date NOT NULL", "d"), []string{"t/d=1969-12-31/x"}, `list.value the object t/d=1969-12-31/x has no Date in its path for the column d: "1969-12-31" (want a date from 1970-01-01 to 2105-12-31)`},
		{by("/t/", "d Datetime NOT NULL", "d"), []string{"t/d=2105-12-31T23:59:59Z/x"}, "t/d=2105-12-31T23:59:59Z/x d=2105-12-31T23:59:59Z"},
		{by("/t/", "d Datetime NOT NULL", "d"), []string{"t/d=2021-01-01 00:00:00/x"}, `list.value the object t/d=2021-01-01 00:00:00/x has no Datetime in its path for the column d: "2021-01-01 00:00:00" (want YYYY-MM-DDThh:mm:ssZ)`},
		{by("/t/", "d Datetime NOT NULL", "d"), []string{"t/d=2106-01-01T00:00:00Z/x"}, `list.value the object t/d=2106-01-01T00:00:00Z/x has no Datetime in its path for the column d: "2106-01-01T00:00:00Z" (want a date from 1970-01-01 to 2105-12-31)`},
		{by("/t/", "n Uint32 NOT NULL", "n"), []string{"t/n=-1/x"}, `list.value the object t/n=-1/x has no Uint32 in its path for the column n: "-1" (want 0…4294967295)`},
		{by("/t/", "n Int32 NOT NULL", "n"), []string{"t/n=x/_hidden", "t/n=x/", "t/n=1/x"}, "t/n=1/x n=1"},
		{by("/t/", "p String NOT NULL", "p"), []string{"t/p=/x", "t/p=a=b/x", "t/p/x", "t/pp=1/x", "t/=1/x"}, "t/p=/x p=, t/p=a=b/x p=a=b"},
	} {
		if got := strings.TrimPrefix(listedAs(t, c.sql, c.keys...), "list.missing "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
}
