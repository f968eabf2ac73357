package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// slowBucket is a server that tells one page of a listing at once, and no other one. It says on asked when it is asked
// for that.
func slowBucket(t *testing.T) (address string, asked chan bool) {
	asked = make(chan bool, 16)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("continuation-token") != "" {
			asked <- true
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, `<ListBucketResult><Name>lake</Name><IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>`)
		for i := range 1000 {
			fmt.Fprintf(w, `<Contents><Key>t/p=%04d/a.parquet</Key><Size>10</Size></Contents>`, i)
		}
		fmt.Fprint(w, `</ListBucketResult>`)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// TestInterrupt: Ctrl-C ends a listing. What was found until then is shown by explain, marked as partial; paths, which
// others read, writes nothing. The exit status says that it isn't the whole answer.
func TestInterrupt(t *testing.T) {
	const list = "SELECT * FROM s3.`/t/` WITH (SCHEMA = (data String, p Int32), PARTITIONED_BY = (p))"
	const glob = "SELECT * FROM 's3://lake/t/**/*.parquet'"
	for _, c := range []struct {
		command, dialect, sql string
		shown                 []string
	}{
		{"explain", "yql", list, []string{"read      1,000 files", "partial: the listing was cut short", "t/p=0000/a.parquet"}},
		{"explain", "duckdb", glob, []string{"read      1,000 files", "partial: the listing was cut short", "t/p=0000/a.parquet"}},
		{"paths", "duckdb", glob, nil},
	} {
		address, asked := slowBucket(t)
		cmd := exec.Command("yqlplan", c.command, "--dialect", c.dialect, "--store", "s3://lake", "--endpoint", address, "--anonymous", "--path-style")
		cmd.Env = append(os.Environ(), "AWS_EC2_METADATA_DISABLED=true")
		var out, told bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.sql), &out, &told
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-asked:
		case err := <-ended:
			t.Fatalf("%s %s: %v: %s", c.command, c.dialect, err, told.String())
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		select {
		case err := <-ended:
			if !errors.As(err, &exit) || exit.ExitCode() != statusRefused {
				t.Errorf("%s %s: %v, want exit status %d", c.command, c.dialect, err, statusRefused)
			}
		case <-time.After(20 * time.Second):
			cmd.Process.Kill()
			t.Fatalf("%s %s doesn't end", c.command, c.dialect)
		}
		for _, want := range c.shown {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s %s shows no %q:\n%s", c.command, c.dialect, want, out.String())
			}
		}
		if c.shown == nil {
			if text, _ := io.ReadAll(&out); len(text) > 0 {
				t.Errorf("%s %s writes %q", c.command, c.dialect, text)
			}
		}
		if !strings.Contains(told.String(), "interrupted") {
			t.Errorf("%s %s: %s", c.command, c.dialect, told.String())
		}
	}
}
