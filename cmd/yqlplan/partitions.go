package main

import (
	"context"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/explain"
	"github.com/yqlplan/yqlplan/projection/systems"
)

type partitionsCmd struct{ script }

// Help gives examples.
func (*partitionsCmd) Help() string {
	return `Examples:

	yqlplan partitions --dialect doris tables.sql
	yqlplan partitions ddl.doris.sql

Shows what partitions a table has after each CREATE TABLE and ALTER TABLE: ranges and the holes between them, lists, or the values that are computed.`
}

// Run writes the partitions after every statement that changes them.
func (cmd *partitionsCmd) Run(ctx context.Context, c *console) error {
	steps, err := cmd.steps(ctx, c)
	if err != nil {
		return err
	}
	return explain.Partitions(ctx, c.out, steps, c.style)
}

// steps are the declarations of all files as one session. Findings are written; errors among them are the error.
func (cmd *script) steps(ctx context.Context, c *console) ([]planner.Step, error) {
	texts, findings := readTexts(c.in, cmd.Files)
	if findings.HasErrors() {
		return nil, finish(c, findings)
	}
	dialect, err := cmd.dialect(texts)
	if err != nil {
		return nil, err
	}
	return stepsOf(ctx, c, *cmd, dialect, texts)
}

func stepsOf(ctx context.Context, c *console, cmd script, dialect string, texts []text) ([]planner.Step, error) {
	session := planner.NewSession(systems.All(), planner.Options{System: dialect, Now: time.Time(cmd.Now)})
	var steps []planner.Step
	var findings ast.Diagnostics
	for _, t := range texts {
		more, ds := session.Steps(ctx, t.name, t.sql)
		steps, findings = append(steps, more...), append(findings, ds...)
	}
	return steps, finish(c, findings)
}
