package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestReadme runs the commands that README.md shows and compares what it says they print. Commands other than the
// program itself are left alone.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	const name = "README.md"
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	text := consoleBlock.ReplaceAllFunc(old, func(block []byte) []byte {
		var out bytes.Buffer
		out.WriteString("```console\n")
		body := string(consoleBlock.FindSubmatch(block)[1])
		for part := range strings.SplitSeq(strings.TrimPrefix(body, "$ "), "\n$ ") {
			command, shown, _ := strings.Cut(part, "\n")
			out.WriteString("$ " + command + "\n")
			if printed, ok := runShown(t, command); ok {
				ran++
				shown = printed
			}
			out.WriteString(shown)
		}
		out.WriteString("```")
		return out.Bytes()
	})
	if ran == 0 {
		t.Error("README.md shows no command")
	}
	text = goBlock.ReplaceAllLiteral(text, []byte("```go\n"+exampleBody(t)+"```"))
	if *rewrite {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(old), string(text)); diff != "" {
		t.Errorf("README.md differs from what the program prints (-README +program):\n%s", diff)
	}
}

var (
	goBlock      = regexp.MustCompile("(?s)```go\n(.*?)```")
	exampleLines = regexp.MustCompile(`(?s)\nfunc Example\(\) {\n(.*?)\t// Output:`)
)

// exampleBody is the library's example, which runs as a test in its package.
func exampleBody(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("planner/explain/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	body := exampleLines.FindSubmatch(source)
	if body == nil {
		t.Fatal("there is no func Example")
	}
	return strings.ReplaceAll("\n"+string(body[1]), "\n\t", "\n")[1:]
}

// runShown runs the program as a shell would run this command, pipes included, with both outputs together.
func runShown(t *testing.T, command string) (printed string, ok bool) {
	t.Helper()
	line, ok := strings.CutPrefix(command, "go run ./cmd/yqlplan ")
	if !ok {
		if line, ok = strings.CutPrefix(command, "yqlplan "); !ok {
			return "", false
		}
	}
	line, filter, piped := strings.Cut(line, " | ")
	var out bytes.Buffer
	run(context.Background(), &console{in: strings.NewReader(""), out: &out, err: &out}, strings.Fields(line))
	if piped {
		shell := exec.Command("sh", "-c", filter)
		shell.Stdin = &out
		filtered, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return string(filtered), true
	}
	return out.String(), true
}
