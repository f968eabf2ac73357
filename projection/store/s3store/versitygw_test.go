package s3store

import (
	"cmp"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// findGateway is where versitygw is. The test is skipped where there is none: .ci/run installs it and says where it is in
// VERSITYGW.
func findGateway(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath(cmp.Or(os.Getenv("VERSITYGW"), "versitygw"))
	if err != nil {
		t.Skip("NO REAL S3 SERVER: listings are not tested against versitygw; .ci/run installs it")
	}
	return program
}

// startGateway runs versitygw on a directory whose directories are buckets.
func startGateway(t *testing.T, program, root string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	l.Close()
	cmd := exec.Command(program, "--quiet", "--port", host, "posix", "--nometa", root)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+testID, "ROOT_SECRET_ACCESS_KEY="+testSecret)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", host); err == nil {
			c.Close()
			return "http://" + host
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	t.Fatalf("versitygw doesn't listen: %s", said.String())
	return ""
}

// TestVersitygw lists a real server process.
func TestVersitygw(t *testing.T) {
	keysInEnvironment(t)
	program, root := findGateway(t), t.TempDir()
	put := func(bucket, key string) {
		t.Helper()
		path := filepath.Join(root, bucket, filepath.FromSlash(key))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(key), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var files []string // a directory without files isn't told, as there are no extended attributes
	for _, key := range tree {
		if !strings.HasSuffix(key, "/") {
			files = append(files, key)
			put("bucket", key)
		}
	}
	many := numbered("t/p=%03d/f", 250)
	for _, key := range many {
		put("many", key)
	}
	address := startGateway(t, program, root)
	t.Setenv("AWS_SESSION_TOKEN", "")
	checkTree(t, Options{Endpoint: address}, files)
	s := open(t, Options{Endpoint: address, Bucket: "many", PageSize: 25, Requests: 8})
	if got, err := collect(s, "t/", false); err != nil || len(got) != len(many) {
		t.Errorf("%d directories, %v", len(got), err)
	}
	if got, err := collect(s, "", true); err != nil || !slices.Equal(got, many) {
		t.Errorf("%d objects, %v", len(got), err)
	}

	_, err := collect(open(t, Options{Endpoint: address, Bucket: "nowhere"}), "", true)
	checkError(t, err, "listing s3://nowhere/: ", "there is no bucket nowhere", "check the name")
	_, err = collect(open(t, Options{Endpoint: address, Anonymous: true}), "", true)
	checkError(t, err, "listing s3://bucket/: ", "access denied", "leave out --anonymous")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "not"+testSecret)
	_, err = collect(open(t, Options{Endpoint: address}), "", true)
	checkError(t, err, "listing s3://bucket/: ", "the secret key isn't the one", "AWS_SECRET_ACCESS_KEY")
	t.Setenv("AWS_ACCESS_KEY_ID", "not"+testID)
	_, err = collect(open(t, Options{Endpoint: address}), "", true)
	checkError(t, err, "listing s3://bucket/: ", "the server doesn't know the access key", "AWS_ACCESS_KEY_ID")
}
