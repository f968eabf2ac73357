package main

import (
	"fmt"

	"github.com/yqlplan/yqlplan/parser"
)

type grammarCmd struct {
	Dialect string `arg:"" optional:"" default:"yql" enum:"${languages}" help:"The dialect: ${enum}. Default: yql."`
}

// Help gives examples.
func (*grammarCmd) Help() string {
	return `Examples:

	yqlplan grammar
	yqlplan grammar athena`
}

// Run writes the grammar.
func (cmd *grammarCmd) Run(c *console) error {
	d, _ := parser.DialectByName(cmd.Dialect) // one of languages
	_, err := fmt.Fprint(c.out, parser.Grammar(d))
	return err
}

// languages are the names of the parser's dialects.
func languages() []string {
	var names []string
	for _, d := range parser.Dialects() {
		names = append(names, d.Name)
	}
	return names
}
