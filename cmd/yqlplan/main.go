// Command yqlplan tells which prefixes, files, partitions or buckets a query reads, without reading data.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // names of time zones, where the system has none

	"github.com/alecthomas/kong"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner/explain"
)

// Exit statuses.
const (
	statusOK      = 0 // a plan was made; warnings are allowed
	statusRefused = 1 // the input was refused or could not be read
	statusUsage   = 2 // wrong usage
)

type cli struct {
	Explain    explainCmd    `cmd:"" help:"Show what each statement reads: the table's layout, how many prefixes, files or buckets of how many, and the filter that remains."`
	Paths      pathsCmd      `cmd:"" help:"Write the path of everything that is read or written, one a line, for pipes."`
	Check      checkCmd      `cmd:"" help:"Tell what is wrong with the statements, and nothing else."`
	Translate  translateCmd  `cmd:"" help:"Turn the declarations of projected tables into those of another system."`
	Partitions partitionsCmd `cmd:"" help:"Show what partitions a table has after each statement that declares or changes it, holes included."`
	Advise     adviseCmd     `cmd:"" help:"Compute partitions, buckets or files from a table's size, with the reasons."`
	Fmt        fmtCmd        `cmd:"" help:"Write statements in their standard form."`
	Grammar    grammarCmd    `cmd:"" help:"Show the grammar of a dialect as EBNF."`
	Version    versionCmd    `cmd:"" help:"Show the version of this program."`
	Completion completionCmd `cmd:"" help:"Write a script that completes commands and flags in a shell."`
}

const description = "Reads SQL over partitioned data on object storage and tells, without reading data, which prefixes, files, " +
	"partitions or buckets a query reads and what filter remains."

// console is where a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
	style    explain.Style // for out
	errStyle explain.Style // for err
	terminal bool          // err is one
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	c := &console{os.Stdin, os.Stdout, os.Stderr, styleFor(os.Stdout), styleFor(os.Stderr), isTerminal(os.Stderr)}
	os.Exit(run(ctx, c, os.Args[1:]))
}

func run(ctx context.Context, c *console, args []string) int {
	parser, err := newParser(c)
	if err != nil {
		fmt.Fprintln(c.err, "yqlplan:", err)
		return statusUsage
	}
	if slices.Equal(args, []string{"--version"}) {
		args = []string{"version"}
	}
	command, err := parser.Parse(joined(args))
	if err == nil {
		command.BindTo(ctx, (*context.Context)(nil))
		command.Bind(c, parser.Model)
		err = command.Run()
	}
	return report(c, withCommand(err, args))
}

// withCommand adds to the error of a call that begins with a file which command plans it.
func withCommand(err error, args []string) error {
	if !errors.As(err, new(*kong.ParseError)) || len(args) == 0 {
		return err
	}
	if info, e := os.Stat(args[0]); e != nil || info.IsDir() {
		return err
	}
	return usageError{fmt.Errorf("%w; did you mean yqlplan explain %[2]s?", err, args[0])}
}

func newParser(c *console) (*kong.Kong, error) {
	return kong.New(new(cli),
		kong.Name("yqlplan"), kong.Description(description), kong.Writers(c.out, c.err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Groups{"storage": "Storage:\nWithout --objects or --store nothing is listed. Paths are relative to what they name."},
		kong.Vars{"dialects": strings.Join(dialects(), ","), "languages": strings.Join(languages(), ",")})
}

// usageError is a wrong call of the program.
type usageError struct{ error }

// errRefused stops a command whose findings have been written already.
var errRefused = errors.New("refused")

// report says what went wrong and gives the exit status. That nobody reads the output any more is no failure.
func report(c *console, err error) int {
	var usage usageError
	var parse *kong.ParseError
	var findings ast.Diagnostics
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return statusOK
	case errors.As(err, &parse), errors.As(err, &usage):
		fmt.Fprintf(c.err, "yqlplan: %s\n", worded(err.Error()))
		fmt.Fprintln(c.err, `Run "yqlplan --help" or "yqlplan COMMAND --help" for how to use it.`)
		return statusUsage
	case errors.Is(err, errRefused):
	case errors.As(err, &findings):
		explain.Diagnostics(c.err, findings, c.errStyle)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(c.err, "yqlplan: interrupted")
	default:
		fmt.Fprintf(c.err, "yqlplan: %v\n", err)
	}
	return statusRefused
}
