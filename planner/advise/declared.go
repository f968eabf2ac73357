package advise

import (
	"context"

	"github.com/yqlplan/yqlplan/projection"
)

// Declared is the input with the numbers of partitions and buckets that a layout has, where none are given.
func (in Input) Declared(l *projection.Layout) Input {
	in = in.sized(l.Sizing)
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

// sized is the input with what a declaration says of sizes, where nothing is given.
func (in Input) sized(s *projection.Sizing) Input {
	if s == nil {
		return in
	}
	in.Mode, in.Lacks = s.Mode, s.Lacks
	if in.Buckets == 0 {
		in.Buckets = s.Buckets
	}
	if in.File == 0 {
		in.File = Bytes(s.File)
	}
	if in.TargetRows == 0 {
		in.TargetRows = float64(s.Rows)
	}
	if in.Bucket == 0 {
		in.Bucket = Bytes(s.Bytes)
	}
	return in
}
