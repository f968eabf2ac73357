package duckdb_test

import (
	"context"
	"fmt"
	"log"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/duckdb"
	"github.com/yqlplan/yqlplan/projection/store"
)

func ExampleSystem() {
	files := store.NewKeys([]string{"ev/y=2024/m=12/a.parquet", "ev/y=2025/m=1/a.parquet", "ev/y=2025/m=6/a.parquet"})
	session := planner.NewSession([]projection.System{duckdb.System{}}, planner.Options{System: "duckdb", Store: files})
	plans, diags := session.Run(context.Background(), "q.sql", "SELECT * FROM 'ev/*/*/*.parquet' WHERE make_date(y, m, 1) >= DATE '2025-02-01'")
	if diags.HasErrors() {
		log.Fatal(diags)
	}
	scan := plans[0].Scans[0]
	fmt.Println(scan.Table.Layout.Shape)
	for unit, err := range scan.Units(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", unit.AppendPath(nil))
	}
	// Output:
	// ev/*/*/*.parquet by y BIGINT, m BIGINT
	// ev/y=2025/m=6/a.parquet
}
