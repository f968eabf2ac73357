package main

import (
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: ${enum}."`
}

// Help says how to install the script.
func (*completionCmd) Help() string {
	return `Examples:

	source <(yqlplan completion bash)
	yqlplan completion zsh > "${fpath[1]}/_yqlplan"
	yqlplan completion fish > ~/.config/fish/completions/yqlplan.fish`
}

// Run writes the script, made from the program's own flags.
func (cmd *completionCmd) Run(c *console, app *kong.Application) error {
	write := map[string]func(*strings.Builder, string, []command){"bash": bashScript, "zsh": zshScript, "fish": fishScript}[cmd.Shell]
	var b strings.Builder
	write(&b, app.Name, commandsOf(app))
	_, err := io.WriteString(c.out, b.String())
	return err
}

// command is what a completion script has to know about a command.
type command struct {
	name, help string
	flags      []option
	args       operand
}

// option is a flag.
type option struct {
	long, help string
	short      rune
	value      operand
}

// operand is what may stand as an argument or as a flag's value.
type operand struct {
	none, files bool     // nothing; the name of a file
	words       []string // one of these
}

func commandsOf(app *kong.Application) []command {
	var out []command
	for _, n := range app.Leaves(true) {
		c := command{name: n.Name, help: firstSentence(n.Help), args: operand{none: len(n.Positional) == 0}}
		for _, p := range n.Positional {
			c.args = operandOf(p)
		}
		for _, group := range n.AllFlags(true) {
			for _, f := range group {
				c.flags = append(c.flags, option{f.Name, firstSentence(f.Help), f.Short, operandOf(f.Value)})
				if f.Tag.Negatable != "" {
					c.flags = append(c.flags, option{"no-" + f.Name, firstSentence(f.Help), 0, operandOf(f.Value)})
				}
			}
		}
		out = append(out, c)
	}
	return out
}

func operandOf(v *kong.Value) operand {
	switch {
	case v.IsBool():
		return operand{none: true}
	case v.Enum != "":
		return operand{words: v.EnumSlice()}
	}
	holder := v.Tag.PlaceHolder
	return operand{files: v.Flag == nil || holder == "FILE" || holder == "URL"}
}

// firstSentence is the help's beginning, without what a shell would read as its own.
func firstSentence(help string) string {
	help, _, _ = strings.Cut(help, ". ")
	help, _, _ = strings.Cut(help, ": ")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"`$\\[]:", r) {
			return -1
		}
		return r
	}, strings.TrimSuffix(help, "."))
}
