package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// many are n keys of one directory.
func many(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("p/%06d", i)
	}
	return keys
}

// take reads at most n entries of a listing.
func take(list iter.Seq2[Entry, error], n int) (got int, err error) {
	for _, err := range list {
		if err != nil {
			return got, err
		}
		if got++; got == n {
			break
		}
	}
	return got, nil
}

func TestMeter(t *testing.T) {
	tree := fill(many(2500)...)
	for name, l := range map[string]Lister{"keys": NewKeys(many(2500)), "fs": FS{tree}} {
		for _, test := range []struct {
			prefix                    string
			take                      int
			requests, entries, answer int64
		}{
			{"p/", -1, 3, 2500, 2500},
			{"p/0010", -1, 1, 100, 100},
			{"p/000", -1, 1, 1000, 1000},
			{"nowhere/", -1, 1, 0, 0},
			{"p/", 1, 1, 1, 1},
			{"p/", 1000, 1, 1000, 1000},
			{"p/", 1001, 2, 1001, 1001},
		} {
			var m, outer Meter
			n, err := take(l.List(m.Context(outer.Context(context.Background())), test.prefix, true), test.take)
			if err != nil || int64(n) != test.answer {
				t.Fatalf("%s: %d entries, %v", name, n, err)
			}
			bytes := test.entries
			if name == "keys" {
				bytes = 0 // unknown
			}
			for _, m := range []*Meter{&m, &outer} {
				if m.Requests() != test.requests || m.Entries() != test.entries || m.Bytes() != bytes {
					t.Errorf("%s: %+v: requests %d, entries %d, bytes %d", name, test, m.Requests(), m.Entries(), m.Bytes())
				}
			}
		}
	}
}

func TestMeterLimit(t *testing.T) {
	for name, l := range map[string]Lister{"keys": NewKeys(many(2500)), "fs": FS{fill(many(2500)...)}} {
		m := Meter{Limit: 2}
		n, err := take(l.List(m.Context(context.Background()), "p/", false), -1)
		var limit *LimitError
		if n != 2000 || !errors.As(err, &limit) || limit.Limit != 2 || !strings.Contains(err.Error(), `"p/"`) {
			t.Errorf("%s: %d entries, %v", name, n, err)
		}
		var hint interface{ Hint() string }
		if !errors.As(err, &hint) || hint.Hint() != limit.Hint() {
			t.Errorf("%s: no hint", name)
		}
		if n, err = take(l.List(m.Context(context.Background()), "p/", false), -1); n != 0 || !errors.As(err, &limit) {
			t.Errorf("%s: another listing: %d entries, %v", name, n, err)
		}
	}
}

// TestMeterTogether lists with one meter in several goroutines.
func TestMeterTogether(t *testing.T) {
	l := NewKeys(many(1500))
	var m Meter
	ctx := m.Context(context.Background())
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() { take(l.List(ctx, "", true), -1) })
	}
	wait.Wait()
	if m.Requests() != 16 || m.Entries() != 8*1500 {
		t.Errorf("requests %d, entries %d", m.Requests(), m.Entries())
	}
}

func TestNamesBeyondUTF8(t *testing.T) {
	tree := fstest.MapFS{"p/a": {}, "p/\xff/b": {}}
	if _, err := take(FS{tree}.List(context.Background(), "p/", true), -1); err == nil || !strings.Contains(err.Error(), `"p/\xff/": the name isn't UTF-8`) {
		t.Errorf("a directory that can't be opened is left out: %v", err)
	}
}
