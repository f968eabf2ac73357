package explain_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/explain"
	"github.com/yqlplan/yqlplan/projection/systems"
)

const sql = "SELECT * FROM s3.`/events/` WITH (" +
	" SCHEMA = (data String, year Int32 NOT NULL, month Int32 NOT NULL), PARTITIONED_BY = (year, month)," +
	" `projection.enabled` = 'true'," +
	" `projection.year.type` = 'integer', `projection.year.min` = '2010', `projection.year.max` = '2022'," +
	" `projection.month.type` = 'integer', `projection.month.min` = '1', `projection.month.max` = '12'," +
	" `projection.month.digits` = '2', `storage.location.template` = '${year}/${month}'" +
	") WHERE year = 2021 AND month = 12 OR year = 2022 AND month = 1"

// The example of README.md, which is compared with it.
func Example() {
	ctx := context.Background()
	session := planner.NewSession(systems.All(), planner.Options{System: "yql"})
	plans, findings := session.Run(ctx, "q.sql", sql)
	if findings.HasErrors() {
		log.Fatal(findings)
	}
	for _, scan := range plans[0].Scans {
		for unit, err := range scan.Units(ctx) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s\n", unit.AppendPath(nil))
		}
	}
	// Output:
	// events/2021/12/
	// events/2022/01/
}

func ExampleText() {
	session := planner.NewSession(systems.All(), planner.Options{})
	plans, _ := session.Run(context.Background(), "q.sql", sql)
	err := explain.Text(context.Background(), os.Stdout, plans, explain.TextOptions{Window: explain.Window{Limit: 1}})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// scan s3.`/events/`                      yql projection, template ${year}/${month}/
	// │ read      2 of 156 prefixes
	// │ regions   year 2021, month 12
	// │           year 2022, month 1
	// │ where     decided  year = 2021 AND month = 12 OR year = 2022 AND month = 1
	// │ residual  none
	// ├─ events/2021/12/
	// └─ … and 1 more
}

func ExamplePaths() {
	session := planner.NewSession(systems.All(), planner.Options{})
	plans, _ := session.Run(context.Background(), "q.sql", sql)
	second := explain.Window{Shard: 2, Shards: 2}
	if err := explain.Paths(context.Background(), os.Stdout, plans, second, '\n'); err != nil {
		log.Fatal(err)
	}
	// Output:
	// events/2022/01/
}
