package yql_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
	"github.com/yqlplan/yqlplan/pruning"
)

// tableOf makes the table that a SELECT from one table reads.
func tableOf(src *ast.Source) (*projection.Table, error) {
	dialect, _ := parser.DialectByName("yql")
	stmts, err := parser.Parse(src, dialect)
	if err != nil {
		return nil, err
	}
	ref := stmts[0].(*ast.Select).From.(*ast.TableRef)
	env := &projection.Env{Now: time.Date(2023, 1, 15, 0, 0, 0, 0, time.UTC), Limits: projection.DefaultLimits}
	return yql.System{}.Table(context.Background(), env, ref, nil)
}

func ExampleSystem_Table() {
	table, err := tableOf(ast.NewSource("q.sql", "SELECT * FROM s3_logs.`/events/` WITH ("+`
		SCHEMA = (data String, year Int32 NOT NULL, month Int32 NOT NULL),
		PARTITIONED_BY = (year, month),
		PROJECTION = @@{
			"projection.enabled": true,
			"projection.year.type": "integer", "projection.year.min": 2010, "projection.year.max": 2022,
			"projection.month.type": "integer", "projection.month.min": 1, "projection.month.max": 12, "projection.month.digits": 2,
			"storage.location.template": "${year}/${month}"
		}@@)`))
	if err != nil {
		log.Fatal(err)
	}
	layout := table.Layout
	all := pruning.NewSpace(layout.Keys, 0).Const(pruning.True)
	count, err := projection.Count(context.Background(), layout, all, projection.Check{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %s, %s, %d %s\n", table.Name, layout.System, layout.Shape, count, layout.Unit)
	for unit := range projection.Walk(context.Background(), layout, all, projection.Check{}) {
		fmt.Printf("%s …\n", unit.AppendPath(nil))
		break
	}
	// Output:
	// s3_logs.`/events/`: yql projection, template ${year}/${month}/, 156 prefixes
	// events/2010/01/ …
}

func ExampleSystem_Table_problems() {
	src := ast.NewSource("q.sql", "SELECT * FROM s3.`/` WITH ("+`SCHEMA = (data String, year Int32 NOT NULL),
  PARTITIONED_BY = (year),
  PROJECTION = @@{"projection.enabled": true, "projection.year.type": "integer",
    "projection.year.min": 2010, "projection.year.max": "13x", "projection.year.digit": 4,
    "storage.location.template": "${yaer}"}@@)`)
	_, err := tableOf(src)
	if ds, ok := err.(ast.Diagnostics); ok {
		ds.Locate(ast.Sources{src})
		fmt.Println(ds)
	}
	// Output:
	// q.sql:4:57: error: projection.year.max: "13x" is not a whole number
	//   4 |     "projection.year.min": 2010, "projection.year.max": "13x", "projection.year.digit": 4,
	//     |                                                         ^^^^^
	//     hint: write a whole number, for example 12
	// q.sql:4:81: error: projection.year: the property "digit" is unknown
	//   4 |     "projection.year.min": 2010, "projection.year.max": "13x", "projection.year.digit": 4,
	//     |                                                                                 ^^^^^
	//     hint: did you mean digits? Known are min, max, interval, digits, type
	// q.sql:5:35: error: storage.location.template: the template "${yaer}" lacks the partition column "year"
	//   5 |     "storage.location.template": "${yaer}"}@@)
	//     |                                   ^^^^^^^
	//     hint: put ${year} where its value stands in paths
	// q.sql:5:35: error: storage.location.template: the template names "yaer", which is not a partition column
	//   5 |     "storage.location.template": "${yaer}"}@@)
	//     |                                   ^^^^^^^
	//     hint: did you mean ${year}?
}
