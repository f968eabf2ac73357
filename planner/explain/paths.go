package explain

import (
	"bufio"
	"context"
	"io"
	"math/big"
	"strconv"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
)

// Paths writes the units of all plans as one list, each followed by sep: paths where units have them, otherwise
// "partition/bucket" or the partition's name alone. Units aren't counted unless the window asks for it.
func Paths(ctx context.Context, w io.Writer, plans []*planner.Plan, win Window, sep byte) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := writePaths(ctx, b, plans, win, sep); err != nil {
		b.Flush() // what was found so far is right
		return err
	}
	return b.Flush()
}

func writePaths(ctx context.Context, b *bufio.Writer, plans []*planner.Plan, win Window, sep byte) error {
	scans := scansOf(plans)
	if win == (Window{}) {
		for _, s := range scans {
			if err := scanPaths(ctx, b, s, new(big.Int), nil, sep); err != nil {
				return err
			}
		}
		return nil
	}
	counts, sum, err := count(ctx, scans)
	if err != nil {
		return err
	}
	first, n := win.of(sum)
	for i, s := range scans {
		// Of this scan's [0, count), the list's [first, first+n) covers at most min(n, count-first) from first on.
		if first.Cmp(counts[i]) >= 0 {
			first.Sub(first, counts[i])
			continue
		}
		here := new(big.Int).Sub(counts[i], first)
		if here.Cmp(n) > 0 {
			here.Set(n)
		}
		if here.Sign() == 0 {
			return nil
		}
		if err := scanPaths(ctx, b, s, first, here, sep); err != nil {
			return err
		}
		n.Sub(n, here)
		first = new(big.Int)
	}
	return nil
}

func scansOf(plans []*planner.Plan) []*planner.Scan {
	var out []*planner.Scan
	for _, p := range plans {
		out = append(out, p.Scans...)
	}
	return out
}

func count(ctx context.Context, scans []*planner.Scan) (counts []*big.Int, sum *big.Int, err error) {
	sum = new(big.Int)
	for _, s := range scans {
		n, _, err := s.Count(ctx)
		if err != nil {
			return nil, nil, err
		}
		counts = append(counts, n)
		sum.Add(sum, n)
	}
	return counts, sum, nil
}

// scanPaths writes n units (nil: all) of one scan from the first-th on.
func scanPaths(ctx context.Context, b *bufio.Writer, s *planner.Scan, first, n *big.Int, sep byte) error {
	if hasPath(s.Table.Layout) {
		return s.WritePaths(ctx, b, first, n, sep)
	}
	all := s.Seek(ctx, first)
	if n != nil {
		all = units(ctx, s, first, n)
	}
	var line []byte
	for u, err := range all {
		if err != nil {
			return err
		}
		line = append(appendName(line[:0], s.Table.Layout, u, "/"), sep)
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// appendName appends what a unit is called: its path, or its partition and, behind between, its bucket.
func appendName(dst []byte, l *projection.Layout, u *projection.Unit, between string) []byte {
	if hasPath(l) {
		return u.AppendPath(dst)
	}
	partition, bucket, hasPartition, hasBucket := l.Names(&u.Place)
	if hasPartition {
		dst = append(dst, partition...)
	}
	if hasBucket {
		dst = appendBucket(dst, between, bucket)
	}
	return dst
}

func appendBucket(dst []byte, between string, bucket int) []byte {
	return strconv.AppendInt(append(dst, between...), int64(bucket), 10)
}

// hasPath reports whether units of a layout have paths.
func hasPath(l *projection.Layout) bool { return l.Template != nil || l.Path != nil }
