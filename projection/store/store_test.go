package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// keysOf collects a listing's keys.
func keysOf(t interface {
	Helper()
	Fatal(...any)
}, l Lister, prefix string, deep bool) []string {
	t.Helper()
	var out []string
	for e, err := range l.List(context.Background(), prefix, deep) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.Key)
	}
	return out
}

// fill makes a file tree with these files.
func fill(keys ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, k := range keys {
		m[k] = &fstest.MapFile{Data: []byte("x")}
	}
	return m
}

func TestList(t *testing.T) {
	keys := []string{"a.b", "a/x", "a/y/1", "a/y/2", "a/z", "ab/c", "b", "y=1/m=1/f", "y=1/m=2/f", "y=2/m=1/f"}
	listers := map[string]Lister{"keys": NewKeys(slices.Clone(keys)), "fs": FS{fill(keys...)}}
	for _, test := range []struct {
		prefix string
		deep   bool
		want   []string
	}{
		{"", false, []string{"a.b", "a/", "ab/", "b", "y=1/", "y=2/"}},
		{"", true, keys},
		{"a/", false, []string{"a/x", "a/y/", "a/z"}},
		{"a/", true, []string{"a/x", "a/y/1", "a/y/2", "a/z"}},
		{"a", false, []string{"a.b", "a/", "ab/"}},
		{"a", true, []string{"a.b", "a/x", "a/y/1", "a/y/2", "a/z", "ab/c"}},
		{"y=", false, []string{"y=1/", "y=2/"}},
		{"y=1/m=2", false, []string{"y=1/m=2/"}},
		{"y=3/", false, nil},
		{"b/", false, nil},
		{"b", false, []string{"b"}},
		{"../", false, nil},
		{"zz", true, nil},
	} {
		for name, l := range listers {
			if diff := cmp.Diff(test.want, keysOf(t, l, test.prefix, test.deep)); diff != "" {
				t.Errorf("%s: List(%q, %v): %s", name, test.prefix, test.deep, diff)
			}
		}
	}
}

// slowList is what a listing means, object by object.
func slowList(keys []string, prefix string, deep bool) []string {
	var out []string
	for _, k := range keys {
		below, ok := strings.CutPrefix(k, prefix)
		if !ok || k == "" || below == "" && strings.HasSuffix(k, "/") {
			continue
		}
		if i := strings.IndexByte(below, '/'); i >= 0 && !deep {
			k = prefix + below[:i+1]
		}
		if deep && strings.HasSuffix(k, "/") {
			continue
		}
		out = append(out, k)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestKeysAgainstScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.StringMatching(`[ab./]{0,6}`)).Draw(t, "keys")
		prefix := rapid.StringMatching(`[ab./]{0,3}`).Draw(t, "prefix")
		deep := rapid.Bool().Draw(t, "deep")
		want := slowList(keys, prefix, deep)
		if diff := cmp.Diff(want, keysOf(t, NewKeys(slices.Clone(keys)), prefix, deep)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestReadKeys(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"lines", "b/2\r\na/1\n\n a b \nb/2", []string{" a b ", "a/1", "b/2"}},
		{"json", " [\"b/2\", \"a/\\u00e9\"]\n", []string{"a/é", "b/2"}},
		{"byte order mark", "\ufeffa\n", []string{"a"}},
		{"empty", "", nil},
	} {
		k, err := ReadKeys(strings.NewReader(test.text))
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, keysOf(t, k, "", true)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		if k.Len() != len(test.want) {
			t.Errorf("%s: Len() = %d", test.name, k.Len())
		}
	}
}

func TestReadKeysRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`[1]`:                              "not a JSON array of strings: it holds a value of type number, ending at byte 2",
		`["a"`:                             "not a JSON array of strings: unexpected end of JSON input, at byte 4",
		`["a"] b`:                          "not a JSON array of strings: invalid character 'b' after top-level value, at byte 7",
		"{\n  \"Contents\": []\n}":         "JSON objects aren't keys",
		"{\"Key\": \"a\"}\n":               "JSON objects aren't keys",
		"a\n\n s\ns3://bucket/a":           "line 4: an object's key is wanted, not a URL",
		"gs://bucket/a":                    "line 1: an object's key is wanted, not a URL",
		"s3://bucket/a\na":                 "line 2: a URL is wanted, as in the lines before",
		"\x1f\x8b\x08\x00\x00":             "not a text",
		"2024-05-01 12:00:00       12 a/1": "it has dates and sizes beside the keys",
	} {
		_, err := ReadKeys(strings.NewReader(text))
		var f *FormatError
		if !errors.As(err, &f) || f.Msg != want || f.Hint() == "" {
			t.Errorf("ReadKeys(%q): %v", text, err)
		}
	}
	for _, text := range []string{"{a}/b", "2024-05-01/12", "://x", "a b://x", "2024-05-01 12:00", "2024-05-01T12:00:00 x/y"} {
		if k, err := ReadKeys(strings.NewReader(text)); err != nil || k.Len() != 1 {
			t.Errorf("ReadKeys(%q): %v", text, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, l := range []Lister{NewKeys([]string{"p/a"}), FS{fill("p/a")}} {
		n := 0
		for _, err := range l.List(ctx, "p/", false) {
			if n++; !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), `"p/"`) {
				t.Errorf("%T: %v", l, err)
			}
		}
		if n != 1 {
			t.Errorf("%T: yielded %d times", l, n)
		}
	}
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	must := func(err error) {
		if t.Helper(); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	must(os.MkdirAll(filepath.Join(dir, "d", "e"), 0o777))
	must(os.WriteFile(filepath.Join(dir, "d", "e", "f"), []byte("12"), 0o666))
	must(os.Symlink("../d", filepath.Join(dir, "d", "circle")))
	must(os.Symlink("e/f", filepath.Join(dir, "d", "g")))
	must(os.Symlink("nowhere", filepath.Join(dir, "d", "h")))
	l := FS{os.DirFS(dir)}
	if diff := cmp.Diff([]string{"d/circle/", "d/e/", "d/g"}, keysOf(t, l, "d/", false)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"d/e/f", "d/g"}, keysOf(t, l, "", true)); diff != "" {
		t.Error(diff)
	}
	for e := range l.List(context.Background(), "d/g", false) {
		if e.Size != 2 || e.Modified.IsZero() {
			t.Errorf("link to a file of 2 bytes: %+v", e)
		}
	}
}

// brokenFS fails to read one directory.
type brokenFS struct{ fs.FS }

func (b brokenFS) Open(name string) (fs.File, error) {
	if name == "p" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return b.FS.Open(name)
}

func TestUnreadableDirectory(t *testing.T) {
	var got error
	for _, err := range (FS{brokenFS{fill("p/a", "q")}}).List(context.Background(), "", true) {
		got = err
	}
	if !errors.Is(got, fs.ErrPermission) || got.Error() != `listing "p/": permission denied` {
		t.Errorf("got %v", got)
	}
	var hint interface{ Hint() string }
	if !errors.As(got, &hint) || hint.Hint() == "" {
		t.Error("no hint")
	}
}

func TestOnlyFilesAndDirectories(t *testing.T) {
	tree := fill("p/a", "p/c")
	tree["p/b"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	if diff := cmp.Diff([]string{"p/a", "p/c"}, keysOf(t, FS{tree}, "p/", false)); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkKeysList(b *testing.B) {
	var keys []string
	for d := range 10 {
		for range 100_000 {
			keys = append(keys, "t/d="+string(rune('0'+d))+"/x")
		}
	}
	k := &Keys{keys: keys}
	b.ReportAllocs()
	for b.Loop() {
		for range k.List(context.Background(), "t/", false) {
		}
	}
}
