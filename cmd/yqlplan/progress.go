package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/yqlplan/yqlplan/projection/store"
)

// patience is how long listings take before their progress is shown.
const patience = 500 * time.Millisecond

// progress counts the listings made with the context that it gives, and shows the counts on a terminal when they take
// long. done takes them away again.
func progress(ctx context.Context, c *console) (listing context.Context, done func()) {
	if !c.terminal {
		return ctx, func() {}
	}
	var meter store.Meter
	stop, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-stop:
		case <-time.After(patience):
			showProgress(c.err, &meter, stop)
		}
	}()
	return meter.Context(ctx), func() {
		close(stop)
		<-gone
	}
}

// showProgress draws a line that moves until stop.
func showProgress(w io.Writer, meter *store.Meter, stop <-chan struct{}) {
	p := mpb.New(mpb.WithOutput(w), mpb.WithAutoRefresh())
	bar := p.New(0, mpb.SpinnerStyle(), mpb.BarWidth(1), mpb.AppendDecorators(
		decor.Any(func(decor.Statistics) string { return progressText(meter) }),
		decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace),
	))
	<-stop
	bar.Abort(true)
	p.Wait()
}

func progressText(m *store.Meter) string {
	return fmt.Sprintf("listing: %d requests, %d entries; Ctrl-C shows what was found", m.Requests(), m.Entries())
}
