package main

import (
	"bytes"
	"errors"
	"flag"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/rogpeppe/go-internal/testscript"
)

var rewrite = flag.Bool("rewrite", false, "bring the expected outputs up to date")

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"yqlplan": main}) }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *rewrite,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Setup: func(env *testscript.Env) error {
			data, err := os.ReadFile("testdata/columns.parquet")
			if err != nil {
				return err
			}
			env.Setenv("S3", bucketServer(t, data))
			env.Setenv("AWS_ACCESS_KEY_ID", "AKIDFORTESTSONLY")
			env.Setenv("AWS_SECRET_ACCESS_KEY", "verysecretverysecret")
			env.Setenv("AWS_EC2_METADATA_DISABLED", "true")
			return os.CopyFS(env.WorkDir, fstest.MapFS{"tree/k=1/a.parquet": {Data: data}, "tree/k=2/a.parquet": {Data: data[:40]}})
		},
	})
}

// bucketServer is the address of an S3 server with the bucket lake. In parquet is the file of columns.
func bucketServer(t *testing.T, columns []byte) string {
	backend := s3mem.New()
	if err := backend.CreateBucket("lake"); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"t/year=2021/month=1/a.csv", "t/year=2021/month=2/a.csv", "t/year=2021/month=2/b.csv", "t/year=2022/month=2/a.csv"} {
		if _, err := backend.PutObject("lake", key, nil, strings.NewReader(key), int64(len(key)), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := backend.PutObject("lake", "parquet/k=1/a.parquet", nil, bytes.NewReader(columns), int64(len(columns)), nil); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	return server.URL
}

// status N COMMAND ARGUMENT… runs a command that has to end with exit status N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARGUMENT…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
