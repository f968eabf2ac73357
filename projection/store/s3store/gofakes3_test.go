package s3store

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/yqlplan/yqlplan/projection/store"
)

// tree has what surprises: names around "/" in byte order, markers, characters that URLs encode.
var tree = []string{
	"lake/", "lake/README", "lake/a.b/x", "lake/a/x", "lake/a/y/1", "lake/a/y/2", "lake/a0", "lake/ab/c", "lake/d/",
	"lake/p=1/m=1/f 1+2.csv", "lake/p=1/m=2/é%20.csv", "lake/p=2/m=1/f&g.csv", "lakes/x", "other",
}

// checkTree lists the tree by every prefix that matters, with small pages and with large ones.
func checkTree(t *testing.T, o Options, keys []string) {
	t.Helper()
	want := store.NewKeys(slices.Clone(keys))
	for _, size := range []int32{2, 3, 0} {
		o.PageSize = size
		s := open(t, o)
		for _, prefix := range []string{"", "lake", "lake/", "lake/a", "lake/a/", "lake/p=", "lake/p=1/", "lake/p=1/m=2", "lake/d/", "nowhere/", "other"} {
			for _, deep := range []bool{false, true} {
				got, err := collect(s, prefix, deep)
				if err != nil {
					t.Fatalf("pages of %d: List(%q, %v): %v", size, prefix, deep, err)
				}
				wanted, _ := collect(want, prefix, deep)
				if diff := cmp.Diff(wanted, got); diff != "" {
					t.Errorf("pages of %d: List(%q, %v): %s", size, prefix, deep, diff)
				}
			}
		}
	}
}

// checkRead reads a part of an object that holds its own key.
func checkRead(t *testing.T, o Options) {
	t.Helper()
	s := open(t, o)
	const key = "p=1/m=2/é%20.csv"
	var m store.Meter
	part := make([]byte, 5)
	if err := s.ReadAt(m.Context(t.Context()), key, part, 4); err != nil || string(part) != ("lake/" + key)[4:9] || m.Reads() != 1 || m.Requests() != 0 {
		t.Errorf("read %q by %d reads: %v", part, m.Reads(), err)
	}
	checkError(t, s.ReadAt(t.Context(), "none", part, 0), "reading s3://bucket/lake/none: ", "NoSuchKey", "")
}

// TestGofakes3 lists a server that others have written, in process.
func TestGofakes3(t *testing.T) {
	keysInEnvironment(t)
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	for _, key := range tree {
		if _, err := backend.PutObject("bucket", key, nil, bytes.NewReader([]byte(key)), int64(len(key)), nil); err != nil {
			t.Fatal(err)
		}
	}
	address := start(t, gofakes3.New(backend).Server())
	checkTree(t, Options{Endpoint: address}, tree)
	checkRead(t, Options{Endpoint: address, Prefix: "lake/"})
	_, err := collect(open(t, Options{Endpoint: address, Bucket: "nowhere"}), "", true)
	checkError(t, err, "listing s3://nowhere/: ", "there is no bucket nowhere", "check the name")
}
