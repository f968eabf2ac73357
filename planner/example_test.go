package planner_test

import (
	"context"
	"fmt"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/yql"
)

const events = `
SELECT * FROM s3.` + "`/events/`" + ` WITH (
	SCHEMA = (data String, year Int32 NOT NULL, month Int32 NOT NULL),
	PARTITIONED_BY = (year, month),
	` + "`projection.enabled`" + ` = "true",
	` + "`projection.year.type`" + ` = "integer", ` + "`projection.year.min`" + ` = "2010", ` + "`projection.year.max`" + ` = "2022",
	` + "`projection.month.type`" + ` = "integer", ` + "`projection.month.min`" + ` = "1", ` + "`projection.month.max`" + ` = "12",
	` + "`projection.month.digits`" + ` = "2",
	` + "`storage.location.template`" + ` = "${year}/${month}"
)
WHERE (year = 2021 AND month = 12 OR year = 2022 AND month = 1) AND data LIKE "a%"`

func ExampleSession_Run() {
	s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{})
	plans, diags := s.Run(context.Background(), "events.sql", events)
	for _, d := range diags {
		fmt.Println(d)
	}
	for _, p := range plans {
		for _, scan := range p.Scans {
			selected, total, _ := scan.Count(context.Background())
			fmt.Printf("%s %s: %v of %v prefixes, exact: %v\n", p.Kind, scan.Table.Name, selected, total, scan.Exact())
		}
	}
	// Output:
	// select s3.`/events/`: 2 of 156 prefixes, exact: false
}

func ExampleScan_Units() {
	s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{})
	plans, _ := s.Run(context.Background(), "events.sql", events)
	for unit, err := range plans[0].Scans[0].Units(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(string(unit.AppendPath(nil)))
	}
	// Output:
	// events/2021/12/
	// events/2022/01/
}

// What is read as boxes of key values, and the filter that remains.
func ExampleScan_Regions() {
	s := planner.NewSession([]projection.System{yql.System{}}, planner.Options{})
	plans, _ := s.Run(context.Background(), "events.sql", events)
	scan := plans[0].Scans[0]
	keys := scan.Diagram.Space().Keys()
	regions, _ := scan.Regions(10)
	for _, region := range regions {
		fmt.Print("read")
		for _, k := range region {
			fmt.Printf(" %s %s", keys[k.Key].Name, k.Set.AppendText(nil, keys[k.Key].Type))
		}
		fmt.Println()
	}
	if dialect, ok := parser.DialectByName(scan.Table.System); ok && scan.Residual != nil {
		fmt.Println("filter", ast.Print(scan.Residual, dialect.Style()))
	}
	// Output:
	// read year 2021 month 12
	// read year 2022 month 1
	// filter data LIKE "a%"
}
