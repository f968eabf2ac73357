package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/translate"
	"github.com/yqlplan/yqlplan/projection/systems"
)

type translateCmd struct {
	To       string `required:"" placeholder:"yql|athena|trino" enum:"yql,athena,trino" help:"The notation that is wanted: ${enum}."`
	Location string `placeholder:"URI" help:"The bucket that paths lie below, as s3://bucket/. Default: as declared."`
	Name     string `placeholder:"TABLE" help:"What the table is called, when there is one. Default: as declared, and the last word of the path of a table that a query declares by WITH (SCHEMA = …)."`
	script
}

// Help gives examples.
func (*translateCmd) Help() string {
	return `Examples:

	yqlplan translate --to athena tables.yql
	yqlplan translate --to yql --dialect athena ddl.sql
	yqlplan translate --to trino --location s3://logs/ tables.yql
	yqlplan translate --to athena --location s3://logs/ --name events query.yql

What has no counterpart is told. A table whose translation would read other prefixes is refused.

Exit status: 0 when everything was translated, 1 when something was refused, 2 for wrong usage.`
}

// Run writes the translated declarations; nothing when one was refused.
func (cmd *translateCmd) Run(ctx context.Context, c *console) error {
	to, _ := translate.Named(cmd.To)
	texts, findings := readTexts(c.in, cmd.Files)
	dialect, err := cmd.dialect(texts)
	if err != nil {
		return err
	}
	opt := translate.Options{Options: planner.Options{System: dialect, Now: time.Time(cmd.Now)}, Systems: systems.All(), To: to, Location: cmd.Location, Name: cmd.Name}
	var out []string
	for _, t := range texts {
		sql, ds := translate.Text(ctx, opt, t.name, t.sql)
		out, findings = append(out, sql), append(findings, ds...)
	}
	if err := finish(c, findings); err != nil {
		return err
	}
	for i, sql := range out {
		if i > 0 {
			sql = "\n" + sql
		}
		if _, err := io.WriteString(c.out, sql); err != nil {
			return fmt.Errorf("standard output: %w", err)
		}
	}
	return nil
}
