package main

import (
	"os"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"

	"github.com/yqlplan/yqlplan/planner/explain"
)

// styleFor gives colours to a terminal, unless NO_COLOR is set (https://no-color.org) or TERM is "dumb".
func styleFor(f *os.File) explain.Style {
	if !isTerminal(f) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return explain.Style{}
	}
	return explain.Style{
		Name:    paint(color.Bold),
		Label:   paint(color.FgCyan),
		Good:    paint(color.FgGreen),
		Caution: paint(color.FgYellow),
		Bad:     paint(color.FgRed, color.Bold),
		Faint:   paint(color.Faint),
	}
}

func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()) }

func paint(attributes ...color.Attribute) explain.Paint {
	c := color.New(attributes...)
	c.EnableColor()
	return func(s string) string { return c.Sprint(s) }
}
