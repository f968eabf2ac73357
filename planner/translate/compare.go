package translate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// differ says in what two layouts' prefixes differ, or "". base stands in front of the paths of one of them, or is the bucket
// that does.
func differ(ctx context.Context, a, b *projection.Layout, base string) string {
	if open(a) || open(b) {
		return ""
	}
	all := func(l *projection.Layout) pruning.Diagram { return pruning.NewSpace(l.Keys, 0).Const(pruning.True) }
	n, err1 := projection.Count(ctx, a, all(a), projection.Check{})
	m, err2 := projection.Count(ctx, b, all(b), projection.Check{})
	switch {
	case err1 != nil || err2 != nil:
		return "they can't be counted"
	case n.Cmp(m) != 0:
		return fmt.Sprintf("%s instead of %s", m, n)
	case !n.IsUint64() || n.Uint64() > compared:
		return differAt(a, b)
	}
	x, y := paths(ctx, a, all(a), base), paths(ctx, b, all(b), base)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("%s instead of %s", y[i], x[i])
		}
	}
	return ""
}

// open reports whether a layout's paths depend on the query.
func open(l *projection.Layout) bool {
	return slices.ContainsFunc(l.Levels, func(level projection.Level) bool { return !level.Fixed() })
}

// paths are all paths below what the two sides have in front of them, in order.
func paths(ctx context.Context, l *projection.Layout, d pruning.Diagram, base string) (out []string) {
	for u, err := range projection.Walk(ctx, l, d, projection.Check{}) {
		if err != nil {
			break
		}
		out = append(out, below(string(u.AppendPath(nil)), base))
	}
	slices.Sort(out)
	return out
}

// below is a path without scheme, bucket and base.
func below(path, base string) string {
	if rest, ok := strings.CutPrefix(path, base); ok && strings.Contains(base, "/") {
		return strings.Trim(rest, "/")
	}
	if _, rest, ok := split(path); ok {
		path = rest
	}
	return strings.Trim(path, "/")
}

// differAt compares many prefixes column by column: the number of values, their ends, and as many in between as are few.
func differAt(a, b *projection.Layout) string {
	for i, key := range a.Keys {
		j := slices.IndexFunc(b.Keys, func(k pruning.Key) bool { return k.Name == key.Name })
		if j < 0 {
			return "there is no column " + key.Name
		}
		x, err1 := a.Levels[i].Axis(context.Background(), nil)
		y, err2 := b.Levels[j].Axis(context.Background(), nil)
		if err1 != nil || err2 != nil {
			return "the values of " + key.Name + " aren't known"
		}
		last, ok := x.Last()
		if l, o := y.Last(); l != last || o != ok {
			return fmt.Sprintf("%s has %d values instead of %d", key.Name, l+1, last+1)
		}
		step := last/compared + 1
		for k := uint64(0); ok; k += step {
			if s, t := string(x.AppendName(nil, k)), string(y.AppendName(nil, k)); s != t {
				return fmt.Sprintf("%s has %s instead of %s", key.Name, t, s)
			}
			if k >= last-min(last, step-1) {
				break
			}
		}
	}
	return ""
}
