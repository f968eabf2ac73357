package main

import (
	"cmp"
	"context"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/explain"
)

type explainCmd struct {
	input
	Format string  `default:"text" enum:"text,json,paths" help:"How the plan is written: ${enum}."`
	Limit  *number `placeholder:"N" help:"Units shown of each table, 0 for all. Default: 20 in text, all otherwise."`
	window
}

// Help gives examples.
func (*explainCmd) Help() string {
	return `Examples:

	yqlplan explain q.sql
	yqlplan explain --format json --limit 0 tables.sql q.sql
	yqlplan explain --dialect athena --now 2024-05-01T00:00:00Z q.sql
	yqlplan explain --dialect duckdb --objects keys.txt q.sql
	yqlplan explain --store s3://lake/sales --profile work q.sql
	yqlplan explain --store s3://open-data --anonymous q.sql
	yqlplan explain --store s3://lake --endpoint http://localhost:9000 q.sql
	echo 'SELECT …' | yqlplan explain

With --store or --objects, a projection is compared with what lies there: prefixes that are missing, objects that no prefix covers.
Ctrl-C ends a listing and shows what was found until then, marked as partial.

Declarations alone have no plan: nothing is written for them.

Exit status: 0 when a plan was made, 1 when the input was refused or a listing was interrupted, 2 for wrong usage.`
}

const shownUnits = 20

// Run writes the plans in the format asked for.
func (cmd *explainCmd) Run(ctx context.Context, c *console) error {
	plans, findings, cut := cmd.plans(ctx, c, planner.Options{Lint: true, Verify: cmd.Format != "paths"})
	if cut != nil && len(plans) == 0 {
		return cut
	}
	limit := uint64(0)
	if cmd.Limit != nil {
		limit = uint64(*cmd.Limit)
	} else if cmd.Format == "text" {
		limit = shownUnits
	}
	if cut != nil {
		ctx = context.WithoutCancel(ctx) // what was found until then is shown
	}
	err := cmd.write(ctx, c, plans, findings, cmd.units(limit))
	return cmp.Or(err, finish(c, findings), cut)
}

func (cmd *explainCmd) write(ctx context.Context, c *console, plans []*planner.Plan, findings ast.Diagnostics, win explain.Window) error {
	switch cmd.Format {
	case "json":
		return explain.JSON(ctx, c.out, plans, findings, win)
	case "paths":
		return explain.Paths(ctx, c.out, plans, win, '\n')
	}
	return explain.Text(ctx, c.out, plans, explain.TextOptions{Window: win, Style: c.style, More: "--limit 0 shows all"})
}
