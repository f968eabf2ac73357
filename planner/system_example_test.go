package planner_test

import (
	"context"
	"fmt"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// engine has a catalog of its own: nothing declares its tables in SQL. What it knows of each is its columns and its layout.
type engine struct{ tables map[string]*projection.Table }

func (engine) Name() string    { return "engine" }
func (engine) Dialect() string { return "athena" } // the SQL of Trino

func (e engine) Table(_ context.Context, _ *projection.Env, ref *ast.TableRef, _ []ast.Stmt) (*projection.Table, error) {
	if len(ref.Name) == 1 && e.tables[ref.Name[0].Text] != nil {
		return e.tables[ref.Name[0].Text], nil
	}
	return nil, ast.Diagnostics{{Code: "table.unknown", Pos: ref.Pos(), End: ref.End(), Msg: "the engine has no such table", Hint: "write orders"}}
}

// orders is a table (id BIGINT, day DATE, total DOUBLE) that is partitioned by the quarter and bucketed by the id.
func orders() *projection.Table {
	day, id := pruning.Type{Kind: pruning.Date}, pruning.Type{Kind: pruning.Int64}
	bound := func(text string) []pruning.Value {
		v, err := day.Parse(text)
		if err != nil {
			panic(err)
		}
		return []pruning.Value{v}
	}
	keys := []pruning.Key{{Name: "day", Type: day}, {Name: "id", Type: id}}
	quarters := projection.NewRanges(projection.Columns{Types: []pruning.Type{day}, Nullable: []bool{false}}, []projection.Range{
		{Name: "q1", Lo: bound("2024-01-01"), Hi: bound("2024-04-01")},
		{Name: "q2", Lo: bound("2024-04-01"), Hi: bound("2024-07-01")},
	})
	buckets := &projection.Hash{By: []int{1}, Nullable: []bool{false}, Count: 8, Limit: 100,
		Bucket: func(tuple []pruning.Nullable, n int) int { return int(tuple[0].Value.Int()) % n }}
	return &projection.Table{Name: "orders", System: "engine",
		Columns: []projection.Column{
			{Name: "id", Type: id, Declared: "BIGINT", Key: 1},
			{Name: "day", Type: day, Declared: "DATE", Key: 0},
			{Name: "total", Type: pruning.Type{Kind: pruning.Float64}, Declared: "DOUBLE", Key: -1},
		},
		Layout: &projection.Layout{System: "engine", Unit: "buckets", Keys: keys,
			Levels: []projection.Level{projection.CellLevel(quarters, quarters.Keys()), buckets},
			Path: func(dst []byte, at *projection.Place) []byte {
				dst = append(at.Axes[0].AppendName(append(dst, "orders/"...), at.Index[0]), '/')
				return at.Axes[1].AppendName(dst, at.Index[1])
			},
		}}
}

// An engine with its own catalog implements projection.System, and has its queries pruned.
func Example_ownSystem() {
	ctx := context.Background()
	e := engine{map[string]*projection.Table{"orders": orders()}}
	s := planner.NewSession([]projection.System{e}, planner.Options{System: e.Name()})
	plans, findings := s.Run(ctx, "q.sql", `
SELECT sum(total) FROM orders
WHERE id IN (17, 25, 4) AND day >= DATE '2024-05-01' AND total > 9.5;
SELECT * FROM ordres`)
	fmt.Println(findings)
	scan := plans[0].Scans[0]
	selected, total, _ := scan.Count(ctx)
	fmt.Println("read", selected, "of", total)
	for unit, err := range scan.Units(ctx) {
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\n", unit.AppendPath(nil))
	}
	trino, _ := parser.DialectByName(e.Dialect())
	fmt.Println("filter", ast.Print(scan.Residual, trino.Style()))
	// Output:
	// q.sql:4:15: error: the engine has no such table
	//   4 | SELECT * FROM ordres
	//     |               ^^^^^^
	//     hint: write orders
	// read 2 of 16
	// orders/q2/1
	// orders/q2/4
	// filter id IN (17, 25, 4) AND day >= DATE '2024-05-01' AND total > 9.5
}
