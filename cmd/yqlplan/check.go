package main

import (
	"context"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/explain"
)

type checkCmd struct {
	input
	Format string `default:"text" enum:"text,json,sarif" help:"How findings are written: ${enum}. text goes to standard error; json and sarif (SARIF 2.1.0, for code review) to standard output."`
	Strict bool   `help:"Fail on warnings, too."`
}

// Help gives examples.
func (*checkCmd) Help() string {
	return `Examples:

	yqlplan check q.sql
	yqlplan check --strict --dialect athena ddl/*.sql
	yqlplan check --strict --ignore lint.count q.sql
	yqlplan check --format sarif ddl/*.sql > findings.sarif

Tables that have to be listed are checked as far as it goes without the storage, or wholly with --store or --objects.

Errors are what makes a plan impossible, warnings what was very likely not meant, notes are advice. docs/errors.md and docs/lint.md list them.

Exit status: 0 when there is no error, 1 when there is one (with --strict: or a warning), 2 for wrong usage.`
}

// Run plans the statements and writes the findings.
func (cmd *checkCmd) Run(ctx context.Context, c *console) error {
	_, findings, err := cmd.plans(ctx, c, planner.Options{Lint: true})
	if err != nil {
		return err
	}
	for _, d := range findings {
		if d.Code == "store.needed" { // it keeps from a plan, but isn't wrong
			d.Severity = ast.Note
		}
	}
	switch cmd.Format {
	case "json":
		err = explain.DiagnosticsJSON(c.out, findings)
	case "sarif":
		err = explain.SARIF(c.out, findings, version(buildInfo()))
	default:
		err = explain.Diagnostics(c.err, findings, c.errStyle)
	}
	if err == nil && (findings.HasErrors() || cmd.Strict && findings.Has(ast.Warning)) {
		return errRefused
	}
	return err
}
