package main

import (
	"context"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/explain"
)

type pathsCmd struct {
	input
	Null  bool   `short:"0" help:"End each path with a zero byte instead of a line break, as xargs -0 wants it."`
	Limit number `placeholder:"N" help:"At most N units, 0 for all."`
	window
}

// Help gives examples.
func (*pathsCmd) Help() string {
	return `Examples:

	yqlplan paths q.sql | wc -l
	yqlplan paths -0 q.sql | xargs -0 -n 1 ./load
	yqlplan paths --shard 2/8 q.sql
	yqlplan paths --offset 1000000 --limit 10 q.sql

Paths are relative to --store, or as the table's location has them. A part that only the storage knows is *: dt=*/bucket-0/.
Where units have no path, a line is the partition's name, with "/" and the bucket's number where there are buckets.
Of INSERT and COPY, the paths that they write follow those that they read.`
}

// Run writes the paths of all statements' units. Nothing is written when the input is refused.
func (cmd *pathsCmd) Run(ctx context.Context, c *console) error {
	plans, findings, err := cmd.plans(ctx, c, planner.Options{})
	if err != nil {
		return err
	}
	if err := finish(c, findings); err != nil {
		return err
	}
	sep := byte('\n')
	if cmd.Null {
		sep = 0
	}
	return explain.Paths(ctx, c.out, plans, cmd.units(uint64(cmd.Limit)), sep)
}
