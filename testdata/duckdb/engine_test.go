package duckdb

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/duckdb"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/projection/store/parquet"
)

// engine is a DuckDB whose files lie in the working directory, where plans look for them, too.
type engine struct {
	*sql.DB
	templates []string // Parquet files of a few rows
}

// open starts a DuckDB in a directory of its own.
func open(t testing.TB) *engine {
	t.Helper()
	t.Chdir(t.TempDir())
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	e := &engine{DB: db}
	for i, rows := range []string{
		"(1, 10.5, 'x', DATE '2024-01-05'), (2, 60, 'y', DATE '2025-06-30')",
		"(3, 99, NULL, DATE '2025-01-01')",
		"(4, 0, 'z', NULL), (5, NULL, 'x', DATE '2026-12-31')",
	} {
		name := fmt.Sprintf("template%d.parquet", i)
		e.must(t, "COPY (SELECT * FROM (VALUES "+rows+") t(id, amount, name, d)) TO '"+name+"'")
		e.templates = append(e.templates, name)
	}
	return e
}

func (e *engine) must(t testing.TB, query string) {
	t.Helper()
	if _, err := e.Exec(query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// put makes a data file.
func (e *engine) put(t testing.TB, name string, template int) {
	t.Helper()
	data, err := os.ReadFile(e.templates[template%len(e.templates)])
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o777)
	}
	if err == nil {
		err = os.WriteFile(name, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// column gives the rows of a query as texts.
func (e *engine) column(query string) ([]string, error) {
	rows, err := e.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out []string
	for rows.Next() {
		values, places := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		texts := make([]string, len(values))
		for i, v := range values {
			if texts[i] = fmt.Sprint(v); v == nil {
				texts[i] = "NULL"
			}
		}
		out = append(out, strings.Join(texts, ", "))
	}
	return out, rows.Err()
}

var scanned = regexp.MustCompile(`Scanning Files:\D*(\d+)\s*/\s*(\d+)`)

// explained is the number of files that EXPLAIN says are read; ok is false when it doesn't say.
func (e *engine) explained(t testing.TB, query string) (n int, ok bool) {
	rows, err := e.Query("EXPLAIN " + query)
	if err != nil {
		return 0, false
	}
	defer rows.Close()
	text := ""
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			t.Fatal(err)
		}
		text += value
	}
	if strings.Contains(text, "EMPTY_RESULT") {
		return 0, true
	}
	if m := scanned.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n, true
	}
	return 0, false
}

// plan is what yqlplan says of a script: the paths of the last statement.
func plan(t testing.TB, script string) (paths []string, p *planner.Plan, ds ast.Diagnostics) {
	t.Helper()
	return planned(t, script, false)
}

// planned is plan where the names of directories may be said to have one form for each value.
func planned(t testing.TB, script string, canonical bool) (paths []string, p *planner.Plan, ds ast.Diagnostics) {
	t.Helper()
	s := planner.NewSession([]projection.System{duckdb.System{}}, planner.Options{
		System: "duckdb", Store: store.FS{Files: os.DirFS(".")}, Columns: parquet.Columns, Canonical: canonical,
	})
	plans, ds := s.Run(t.Context(), "q.sql", script)
	if len(plans) == 0 || ds.HasErrors() {
		return nil, nil, ds
	}
	p = plans[len(plans)-1]
	for _, scan := range p.Scans {
		for u, err := range scan.Units(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			paths = append(paths, string(u.AppendPath(nil)))
		}
	}
	slices.Sort(paths)
	return paths, p, ds
}

func message(ds ast.Diagnostics) string {
	for _, d := range ds {
		if d.Severity == ast.Error {
			return d.Msg
		}
	}
	return ""
}
