package main

import (
	"fmt"
	"runtime/debug"
)

type versionCmd struct{}

// Help gives an example.
func (*versionCmd) Help() string {
	return `Example:

	yqlplan version`
}

// Run writes the module's version as the Go tool recorded it, or the commit it was built from.
func (*versionCmd) Run(c *console) error {
	info := buildInfo()
	_, err := fmt.Fprintf(c.out, "yqlplan %s %s\n", version(info), info.GoVersion)
	return err
}

func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return new(debug.BuildInfo)
}

func version(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "(devel)"
}
