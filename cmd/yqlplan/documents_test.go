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

// TestDocuments runs the commands that the documents show and compares what they say is printed.
func TestDocuments(t *testing.T) {
	t.Chdir("../..")
	for _, name := range []string{"README.md", "docs/json.md"} {
		old, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		text := consoleBlock.ReplaceAllFunc(old, func(block []byte) []byte {
			ran++
			return []byte("```console\n" + replay(t, string(consoleBlock.FindSubmatch(block)[1])) + "```")
		})
		if ran == 0 {
			t.Errorf("%s shows no command", name)
		}
		text = goBlock.ReplaceAllLiteral(text, []byte("```go\n"+exampleBody(t)+"```"))
		if diff := cmp.Diff(string(old), string(text)); diff != "" && !*rewrite {
			t.Errorf("%s differs from what the program prints (-%[1]s +program):\n%s", name, diff)
		}
		if *rewrite {
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// replay is a shown session with the outputs that its commands have now. Commands other than the program itself keep
// theirs.
func replay(t *testing.T, session string) string {
	t.Helper()
	var out strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(session, "$ "), "\n$ ") {
		command, shown, _ := strings.Cut(part, "\n")
		if printed, ok := runShown(t, command); ok {
			shown = printed
		} else if shown != "" && !strings.HasSuffix(shown, "\n") {
			shown += "\n"
		}
		out.WriteString("$ " + command + "\n" + shown)
	}
	return out.String()
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

// TestExamples: the statements of the documentation that the project follows can be run as they are.
func TestExamples(t *testing.T) {
	t.Chdir("../..")
	for command, want := range map[string]string{
		"yqlplan explain testdata/projection.yql": "read      156 of 156 prefixes",
		"yqlplan check testdata/hive.yql":         "give --store or --objects",
	} {
		if printed, _ := runShown(t, command); !strings.Contains(printed, want) {
			t.Errorf("%s: lacks %q:\n%s", command, want, printed)
		}
	}
}
