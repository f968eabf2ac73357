package advise

import (
	"context"

	"github.com/yqlplan/yqlplan/projection"
)

// Declared is the input with the numbers of partitions and buckets that a layout has, where none are given.
func (in Input) Declared(l *projection.Layout) Input {
	partitions := 1
	known := false
	for _, level := range l.Levels {
		if h, ok := level.(*projection.Hash); ok {
			if in.Buckets == 0 {
				in.Buckets = h.Count
			}
			continue
		}
		if !level.Fixed() {
			return in
		}
		a, err := level.Axis(context.Background(), nil)
		if err != nil {
			return in
		}
		if last, ok := a.Last(); ok && last < 1<<31 {
			partitions, known = partitions*int(last+1), true
		}
	}
	if in.Partitions == 0 && known {
		in.Partitions = partitions
	}
	return in
}
