package main

import (
	"context"

	"github.com/yqlplan/yqlplan/planner"
)

type checkCmd struct {
	input
}

// Help gives examples.
func (*checkCmd) Help() string {
	return `Examples:

	yqlplan check q.sql
	yqlplan check --dialect athena ddl/*.sql

Findings go to standard error. Exit status: 0 when there is no error, 1 when there is one, 2 for wrong usage.`
}

// Run plans the statements and writes the findings.
func (cmd *checkCmd) Run(ctx context.Context, c *console) error {
	_, findings, err := cmd.plans(ctx, c, planner.Options{})
	if err != nil {
		return err
	}
	return finish(c, findings)
}
