package athena_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/athena"
)

func ExampleSystem() {
	const sql = `
CREATE EXTERNAL TABLE requests (url string, status int)
PARTITIONED BY (service string, day string)
LOCATION 's3://logs/requests/'
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.service.type' = 'injected',
  'projection.day.type' = 'date',
  'projection.day.format' = 'yyyy/MM/dd',
  'projection.day.range' = '2024/01/01,NOW',
  'storage.location.template' = 's3://logs/requests/${service}/${day}/'
);
SELECT url FROM requests WHERE service IN ('api', 'web') AND date_parse(day, '%Y/%m/%d') > current_date - INTERVAL '2' DAY`

	ctx := context.Background()
	session := planner.NewSession([]projection.System{athena.System{}}, planner.Options{
		System: "athena",
		Now:    time.Date(2024, 5, 10, 12, 0, 0, 0, time.UTC),
	})
	plans, findings := session.Run(ctx, "q.sql", sql)
	if findings.HasErrors() {
		log.Fatal(findings)
	}
	for unit, err := range plans[0].Scans[0].Units(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", unit.AppendPath(nil))
	}
	// Output:
	// s3://logs/requests/api/2024/05/09/
	// s3://logs/requests/api/2024/05/10/
	// s3://logs/requests/web/2024/05/09/
	// s3://logs/requests/web/2024/05/10/
}
