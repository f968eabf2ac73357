package planner_test

import (
	"context"
	"fmt"

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
