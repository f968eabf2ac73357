package planner

import (
	"context"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// Properties draw the same cases in every run, unless -rapid.seed says otherwise.
func TestMain(m *testing.M) {
	flag.Set("rapid.seed", "1")
	flag.Set("rapid.nofailfile", "true")
	flag.Parse()
	os.Exit(m.Run())
}

// listed is a level whose axes are found while walking, as directories are.
type listed struct {
	key  int
	axis projection.Axis
}

func (l *listed) Keys() []int          { return []int{l.key} }
func (l *listed) Fixed() bool          { return false }
func (l *listed) Decides(key int) bool { return key == l.key }
func (l *listed) Axis(context.Context, *projection.Place) (projection.Axis, error) {
	return l.axis, nil
}

// now is the instant that tests plan at.
var now = time.Date(2021, 3, 5, 10, 30, 0, 0, time.UTC)

// events is a table with a key of every sort: computed, of few and of many values, and listed, nullable or not.
//
//	year 2019…2022, month 1…12, kind buy, sell, view, dt the days of 2020…2022, n 0…10^9, at the seconds of 2021,
//	name and part as listed, part nullable, data and num in the rows
func events() *relation {
	typeOf := func(k pruning.Kind) pruning.Type {
		t := pruning.Type{Kind: k}
		if k == pruning.Timestamp {
			t.Precision = 6
		}
		return t
	}
	columns := []projection.Column{
		{Name: "year", Type: typeOf(pruning.Int32), Declared: "Int32"},
		{Name: "month", Type: typeOf(pruning.Int32), Declared: "Int32"},
		{Name: "kind", Type: typeOf(pruning.String), Declared: "String"},
		{Name: "dt", Type: typeOf(pruning.Date), Declared: "Date"},
		{Name: "n", Type: typeOf(pruning.Int64), Declared: "Int64"},
		{Name: "at", Type: typeOf(pruning.Datetime), Declared: "Datetime"},
		{Name: "name", Type: typeOf(pruning.String), Declared: "String"},
		{Name: "part", Type: typeOf(pruning.Int32), Declared: "Int32", Nullable: true},
		{Name: "data", Type: typeOf(pruning.String), Declared: "String", Nullable: true, Key: -1},
		{Name: "num", Type: typeOf(pruning.Int32), Declared: "Int32", Key: -1},
		{Name: "ok", Type: typeOf(pruning.Bool), Declared: "Bool", Nullable: true, Key: -1},
	}
	layout := &projection.Layout{System: "test"}
	for i := range 8 {
		columns[i].Key = i
		layout.Keys = append(layout.Keys, pruning.Key{Name: columns[i].Name, Type: columns[i].Type})
	}
	iso := datefmt.Strftime("%Y-%m-%dT%H:%M:%S")
	date := func(key int, from, to time.Time, unit datefmt.Unit) projection.Axis {
		return projection.NewDate(projection.DateSpec{Key: key, Type: columns[key].Type, Format: iso, Unit: unit, Min: from.UnixMicro(), Max: to.UnixMicro()})
	}
	day := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	layout.Levels = []projection.Level{
		projection.Fixed(0, projection.NewInteger(0, columns[0].Type, 2019, 2022, 1, 0)),
		projection.Fixed(1, projection.NewInteger(1, columns[1].Type, 1, 12, 1, 2)),
		projection.Fixed(2, projection.NewEnum(2, nil, []string{"view", "buy", "sell"})),
		projection.Fixed(3, date(3, day(2020, 1, 1), day(2022, 12, 31), datefmt.Days)),
		projection.Fixed(4, projection.NewInteger(4, columns[4].Type, 0, 1e9, 1, 0)),
		projection.Fixed(5, date(5, day(2021, 1, 1), day(2021, 12, 31), datefmt.Seconds)),
		&listed{6, projection.NewEnum(6, nil, []string{"a", "b"})},
		&listed{7, projection.NewInteger(7, columns[7].Type, -5, 5, 1, 0)},
	}
	var found ast.Diagnostics
	b := newBinder(yqlSemantics(), now, projection.Limits{}, &found)
	r := &relation{name: "t", table: &projection.Table{Name: "events", Columns: columns, Layout: layout}}
	for i := range columns {
		r.cols = append(r.cols, relColumn{name: columns[i].Name, typ: b.columnType(&columns[i]), key: columns[i].Key})
	}
	return r
}

// parse reads statements; named expressions among them come before the condition, which is that of a last SELECT.
func parse(t testing.TB, text string) (*param, ast.Expr, *ast.Source) {
	t.Helper()
	yql, _ := parser.DialectByName("yql")
	src := ast.NewSource("q", text)
	stmts, err := parser.Parse(src, yql)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var names *param
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.Let:
			names = &param{up: names, name: s.Names[0].Name, x: s.X, query: s.Query}
		case *ast.Declare:
			names = &param{up: names, name: s.Name.Name, typ: s.Type, x: s.Default}
		case *ast.Select:
			return names, s.Where, src
		}
	}
	t.Fatalf("%s: no SELECT", text)
	return nil, nil, nil
}

// bound is a condition over events, and what was found while binding it.
func bound(t testing.TB, r *relation, text string) (expr, ast.Diagnostics, *ast.Source) {
	names, where, src := parse(t, text)
	var found ast.Diagnostics
	b := newBinder(yqlSemantics(), now, projection.DefaultLimits, &found)
	e := b.condition(where, &scope{rels: []*relation{r}, params: names})
	found.Sort()
	return e, found, src
}
