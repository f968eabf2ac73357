package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestStorage lists one tree through every way of naming it.
func TestStorage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := []string{"y=1/m=1/a", "y=1/m=2/a", "y=2/m=1/a"}
	for _, key := range want {
		write(filepath.Join("with blank", key), "x")
	}
	tree := filepath.Join(dir, "with blank")
	for name, s := range map[string]storage{
		"lines":     {Objects: write("keys.txt", "y=2/m=1/a\ny=1/m=2/a\ny=1/m=1/a\n")},
		"JSON":      {Objects: write("keys.json", `["y=2/m=1/a", "y=1/m=1/a", "y=1/m=2/a"]`)},
		"directory": {Store: tree},
		"URL":       {Store: "file://" + filepath.ToSlash(filepath.Join(dir, "with%20blank"))},
		"localhost": {Store: "file://localhost" + filepath.ToSlash(filepath.Join(dir, "with%20blank"))},
	} {
		lister, err := s.open(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for e, err := range lister.List(context.Background(), "y=", true) {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got = append(got, e.Key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: lists %q", name, got)
		}
	}
	if lister, err := (storage{}).open(t.Context()); lister != nil || err != nil {
		t.Errorf("no flag: %v, %v", lister, err)
	}
}
