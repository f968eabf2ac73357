package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/projection/store"
)

// Listings that take long show what they count on a terminal; short ones, and those elsewhere, show nothing.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		takes    time.Duration
		want     string
	}{
		{true, patience + 500*time.Millisecond, "listing: 1 requests, 0 entries"},
		{true, 0, ""},
		{false, patience + 100*time.Millisecond, ""},
	} {
		var out bytes.Buffer
		ctx, done := progress(context.Background(), &console{err: &out, terminal: c.terminal})
		if err := store.Request(ctx); err != nil {
			t.Fatal(err)
		}
		time.Sleep(c.takes)
		done()
		if got := out.String(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("terminal %v, %v: %q", c.terminal, c.takes, got)
		}
	}
}
