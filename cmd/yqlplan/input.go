package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/planner/explain"
	"github.com/yqlplan/yqlplan/projection/store/parquet"
	"github.com/yqlplan/yqlplan/projection/systems"
)

const defaultDialect = "yql"

// script are the statements that a command reads, and how.
type script struct {
	Dialect string   `default:"auto" enum:"auto,${dialects}" help:"How tables are declared and SQL is read: ${enum}. auto: as the first line says (-- yqlplan: dialect=athena), else by the file's extension (q.yql, q.athena.sql), else as the other files, else yql."`
	Now     instant  `placeholder:"TIME" help:"The instant that NOW means. Default: the current time. Example: 2024-05-01T00:00:00Z, or 2024-05-01 for its first instant in UTC."`
	Files   []string `arg:"" optional:"" name:"file" help:"Files with statements, read in this order as one session; - is standard input, as is no file."`
}

// input are the flags and arguments of commands that plan statements.
type input struct {
	script
	ignore
	storage   `group:"storage"`
	Canonical bool `help:"Trust that values stand in directory names in the usual way (month=1, never month=01), so that the directories of a few values are asked for without listing those beside them."`
}

// instant is a time as RFC 3339 writes it, or the beginning of a day.
type instant time.Time

func (i *instant) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		t, err = time.Parse(time.DateOnly, string(text))
	}
	if err != nil {
		return fmt.Errorf("want a time such as 2024-05-01T00:00:00Z, not %q", text)
	}
	*i = instant(t)
	return nil
}

// text is one of the program's inputs.
type text struct {
	name, sql string
	stdin     bool
}

// plans reads and plans all statements. Problems of the input, and a listing that can't be opened, are among the findings;
// the error is wrong usage.
//
// Listings that take long show how far they are on a terminal. When ctx ends one, what was planned until then is given
// beside ctx's error.
func (in *input) plans(ctx context.Context, c *console, opt planner.Options) ([]*planner.Plan, ast.Diagnostics, error) {
	texts, findings := readTexts(c.in, in.Files)
	dialect, err := in.dialect(texts)
	if err != nil {
		return nil, nil, err
	}
	lister, err := in.open(ctx)
	switch {
	case errors.As(err, new(usageError)):
		return nil, nil, err
	case err != nil:
		return nil, append(findings, unreadable(err)), nil
	}
	ctx, done := progress(ctx, c)
	defer done()
	opt.System, opt.Now, opt.Store, opt.Canonical, opt.Columns = dialect, time.Time(in.Now), lister, in.Canonical, parquet.Columns
	session := planner.NewSession(systems.All(), opt)
	var plans []*planner.Plan
	for _, t := range texts {
		ps, ds := session.Run(ctx, t.name, t.sql)
		plans = append(plans, ps...)
		findings = append(findings, ds...)
	}
	findings.Sort() // what is wrong with a declaration is found in each file that reads it
	findings = in.kept(findings)
	if findings.HasErrors() {
		findings = append(findings, in.otherDialect(texts)...)
	}
	return plans, findings, ctx.Err()
}

// dialect is the one asked for, or the one that all texts which name one agree on.
func (in *script) dialect(texts []text) (string, error) {
	if in.Dialect != "auto" {
		return in.Dialect, nil
	}
	chosen, by := defaultDialect, ""
	for _, t := range texts {
		d := t.dialect(dialects())
		switch {
		case d == "" || d == chosen && by != "":
		case !slices.Contains(dialects(), d):
			return "", unknownDialect(t, d, dialects())
		case by != "":
			return "", usageError{fmt.Errorf("%s is written in %s and %s in %s; choose with --dialect", by, chosen, t.name, d)}
		default:
			chosen, by = d, t.name
		}
	}
	return chosen, nil
}

func unknownDialect(t text, name string, known []string) error {
	return usageError{fmt.Errorf("%s: unknown dialect %q, want one of %s", t.name, name, strings.Join(known, ", "))}
}

// dialect is what the text's first comment says, or its name where that is a known dialect's, or "".
func (t text) dialect(known []string) string {
	if d := dialectComment(t.sql); d != "" {
		return d
	}
	ext := strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(t.name, ".sql")), ".")
	if slices.Contains(known, ext) {
		return ext
	}
	return ""
}

// dialectComment is NAME of a text that begins with -- yqlplan: dialect=NAME, or "".
func dialectComment(sql string) string {
	rest := strings.TrimPrefix(sql[:min(len(sql), 1024)], "\ufeff")
	for _, word := range []string{"--", "yqlplan:", "dialect", "="} {
		var ok bool
		if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), word); !ok {
			return ""
		}
	}
	rest, _, _ = strings.Cut(rest, "\n")
	return strings.ToLower(strings.TrimSpace(rest))
}

// dialects are the values of --dialect.
func dialects() []string {
	var names []string
	for _, s := range systems.All() {
		names = append(names, s.Name())
	}
	return names
}

// readTexts reads all files, so that every one that can't be read is told.
func readTexts(stdin io.Reader, files []string) (texts []text, findings ast.Diagnostics) {
	if len(files) == 0 {
		files = []string{"-"}
	}
	room := int64(math.MaxInt32)
	for _, name := range files {
		t, err := readText(stdin, name, room)
		if err != nil {
			findings = append(findings, unreadable(err))
			continue
		}
		room -= int64(len(t.sql)) + 1
		texts = append(texts, t)
	}
	return texts, findings
}

// readText reads one file of at most room bytes.
func readText(stdin io.Reader, name string, room int64) (text, error) {
	r := stdin
	if name == "-" {
		name = "<stdin>"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return text{}, fmt.Errorf("%s: %w", name, cause(err))
		}
		defer f.Close()
		r = f
	}
	var b strings.Builder
	n, err := io.Copy(&b, io.LimitReader(r, room+1))
	switch {
	case err != nil:
		return text{}, fmt.Errorf("%s: %w", name, cause(err))
	case n > room:
		return text{}, fmt.Errorf("%s: the texts are longer than 2 GiB together", name)
	}
	return text{name, b.String(), r == stdin}, nil
}

// unreadable is the finding that something can't be read.
func unreadable(err error) *ast.Diagnostic {
	return &ast.Diagnostic{Severity: ast.Error, Code: "input.read", Msg: err.Error(), Hint: hintOf(err), Pos: ast.NoPos, End: ast.NoPos, Err: err}
}

// hintOf is what an error says should be done, or "".
func hintOf(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

// cause is a file error without the operation and path, which the message has already.
func cause(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// finish writes findings to standard error and turns errors among them into the exit status.
func finish(c *console, findings ast.Diagnostics) error {
	if err := explain.Diagnostics(c.err, findings, c.errStyle); err != nil {
		return err
	}
	if findings.HasErrors() {
		return errRefused
	}
	return nil
}
