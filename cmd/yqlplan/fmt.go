package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
)

type fmtCmd struct {
	Dialect string   `default:"auto" enum:"auto,${languages}" help:"How SQL is written: ${enum}. auto: as explain has it."`
	Write   bool     `short:"w" help:"Write the result to the files instead of standard output."`
	List    bool     `short:"l" help:"List the files that would change, and don't show the result."`
	Check   bool     `help:"As --list, and end with status 1 when there are such files."`
	Files   []string `arg:"" optional:"" name:"file" help:"Files with statements; - is standard input, as is no file."`
}

// Help gives examples.
func (*fmtCmd) Help() string {
	return `Examples:

	yqlplan fmt q.sql
	yqlplan fmt -w *.yql
	yqlplan fmt --check *.yql
	echo 'select 1' | yqlplan fmt

Comments are kept. A file that can't be read as SQL is left as it is.

Exit status: 0 when all is well, 1 when a file was refused, or with --check when one would change, 2 for wrong usage.`
}

// Run formats each file by itself; what is wrong with one doesn't keep the others.
func (cmd *fmtCmd) Run(ctx context.Context, c *console) error {
	texts, findings := readTexts(c.in, cmd.Files)
	changes := false
	for _, t := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		out, err := cmd.format(t)
		var found ast.Diagnostics
		switch {
		case errors.As(err, &found):
			findings = append(findings, found...)
			continue
		case err != nil:
			return err
		}
		changed := out != t.sql
		changes = changes || changed
		if err := cmd.put(c, t, out, changed); err != nil {
			return err
		}
	}
	if err := finish(c, findings); err != nil {
		return err
	}
	if cmd.Check && changes {
		return errRefused
	}
	return nil
}

func (cmd *fmtCmd) format(t text) (string, error) {
	name := cmd.Dialect
	if name == "auto" {
		if name = t.dialect(languages()); name == "" {
			name = defaultDialect
		}
	}
	d, ok := parser.DialectByName(name)
	if !ok {
		return "", unknownDialect(t, name, languages())
	}
	return parser.Format(ast.NewSource(t.name, t.sql), d)
}

// put sends a formatted text where the flags say.
func (cmd *fmtCmd) put(c *console, t text, out string, changed bool) error {
	if cmd.Write && t.stdin {
		return usageError{fmt.Errorf("--write needs files, standard input can't be written")}
	}
	if changed && (cmd.List || cmd.Check) {
		if _, err := fmt.Fprintln(c.out, t.name); err != nil {
			return err
		}
	}
	switch {
	case cmd.Write && changed:
		return overwrite(t.name, out)
	case !cmd.Write && !cmd.List && !cmd.Check:
		_, err := io.WriteString(c.out, out)
		return err
	}
	return nil
}

// overwrite replaces the content of a file and keeps its mode.
func overwrite(name, content string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(content), info.Mode().Perm())
}
