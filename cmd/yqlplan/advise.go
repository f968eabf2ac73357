package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/advise"
	"github.com/yqlplan/yqlplan/planner/explain"
)

type adviseCmd struct {
	Size           advise.Bytes `placeholder:"BYTES" help:"The size of the whole table, such as 500GB."`
	PartitionSize  advise.Bytes `placeholder:"BYTES" help:"The size of one partition."`
	Rows           float64      `placeholder:"N" help:"Rows of one partition, for Paimon's dynamic buckets."`
	Keys           float64      `placeholder:"N" help:"Different values of the bucket key."`
	Partitions     int          `placeholder:"N" help:"Number of partitions. Default: as declared."`
	Buckets        int          `placeholder:"N" help:"Number of buckets of a partition. Default: as declared."`
	Writers        int          `placeholder:"N" help:"Tasks that write to a partition at once."`
	Disks          int          `placeholder:"N" help:"Disks of the whole cluster: backends times disks of each."`
	TargetFileSize advise.Bytes `placeholder:"BYTES" help:"Paimon's target-file-size. Default: as declared, else 128MiB."`
	TargetRows     float64      `placeholder:"N" help:"Paimon's dynamic-bucket.target-row-num. Default: as declared, else 2000000."`
	script
}

// Help gives examples.
func (*adviseCmd) Help() string {
	return `Examples:

	yqlplan advise --dialect doris --size 500GB --disks 10 tables.sql
	yqlplan advise --dialect paimon --partition-size 10GiB --rows 1e8 tables.sql
	echo | yqlplan advise --dialect duckdb --size 40GB --partitions 3650

Each table in the files is held against the rules; where there is none, the numbers alone are.`
}

// Run writes the advice for each declared table, as its last statement leaves it.
func (cmd *adviseCmd) Run(ctx context.Context, c *console) error {
	texts, findings := readTexts(c.in, cmd.Files)
	if findings.HasErrors() {
		return finish(c, findings)
	}
	dialect, err := cmd.dialect(texts)
	if err != nil {
		return err
	}
	in := advise.Input{Size: cmd.Size, Partition: cmd.PartitionSize, Rows: cmd.Rows, Keys: cmd.Keys, Partitions: cmd.Partitions,
		Buckets: cmd.Buckets, Disks: cmd.Disks, Writers: cmd.Writers, File: cmd.TargetFileSize, TargetRows: cmd.TargetRows}
	if advise.For(dialect, advise.Input{Size: 1, Partition: 1}) == nil {
		return usageError{fmt.Errorf("there are no rules of size for %s; choose doris, paimon or duckdb with --dialect", dialect)}
	}
	steps, err := stepsOf(ctx, c, cmd.script, dialect, texts)
	if err != nil {
		return err
	}
	last := map[string]planner.Step{}
	var names []string
	for _, s := range steps {
		name := s.Table.Name
		if _, ok := last[name]; !ok {
			names = append(names, name)
		}
		last[name] = s
	}
	if len(names) == 0 {
		return explain.Advice(c.out, "", advise.For(dialect, in), c.style)
	}
	for i, name := range names {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		own := in.Declared(last[name].Table.Layout)
		if err := explain.Advice(c.out, strings.TrimSpace(name), advise.For(dialect, own), c.style); err != nil {
			return err
		}
	}
	return nil
}
