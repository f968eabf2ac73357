package doris

import (
	"context"
	"fmt"
	"slices"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// shownPartitions and shownHoles bound what is told of a plan.
const (
	shownPartitions = 12
	shownHoles      = 4
)

// facts are the partitions that are read, with what they hold, the holes between ranges that the predicate asks for, where
// no row can be, and why all buckets are read. They are those of the table as it was when it was laid out: list are the
// partitions of cells, all the normal ones.
func (t *table) facts(ctx context.Context, l *projection.Layout, d pruning.Diagram, c projection.Check, cells projection.Cells,
	list, all []*partition) ([]projection.Fact, error) {
	parts := projection.Fact{Label: "ranges"}
	if t.list {
		parts.Label = "lists"
	}
	above := *l
	above.Levels = l.Levels[:1]
	selected, reason := 0, ""
	for u, err := range projection.Walk(ctx, &above, d, c) {
		if err != nil {
			return nil, err
		}
		if selected++; selected == 1 {
			reason = l.Levels[1].(*projection.Hash).Reason(&u.Place, d)
		}
		if selected <= shownPartitions {
			parts.Lines = append(parts.Lines, cells.Name(u.Index[0])+": "+t.heldText(list[u.Index[0]]))
		}
	}
	if more := selected - shownPartitions; more > 0 {
		parts.Lines = append(parts.Lines, fmt.Sprintf("… and %d more", more))
	}
	total := len(list)
	if l.Whole != nil {
		total = len(all)
	}
	parts.Lines = append([]string{fmt.Sprintf("%d of %d partitions", selected, total)}, parts.Lines...)
	facts := []projection.Fact{parts}
	if l.Whole == nil && c.Depths == 0 {
		if holes := t.touched(d, all); len(holes) > 0 {
			facts = append(facts, projection.Fact{Label: "holes", Lines: holes})
		}
	}
	return append(facts, bucketFacts(reason)...), nil
}

// bucketFacts tell why all buckets are read.
func bucketFacts(reason string) []projection.Fact {
	if reason == "" {
		return nil
	}
	return []projection.Fact{{Label: "buckets", Lines: []string{"all, since " + reason}}}
}

// touched are the holes of the ranges for which d can be TRUE. Where d doesn't ask for
// ranges, and where loading fills them, none is told.
func (t *table) touched(d pruning.Diagram, all []*partition) []string {
	if t.list || t.auto || !slices.ContainsFunc(t.columnsOf().Keys(), d.Depends) {
		return nil
	}
	holes := t.allHoles(all)
	runs, err := projection.NewRanges(*t.columnsOf(), holes).Runs(nil, d.Space().Fork().Adopt(d))
	if err != nil {
		return nil
	}
	var out []string
	for _, r := range runs {
		for i := r.First; i <= r.Last; i++ {
			if len(out) == shownHoles {
				return append(out, "…")
			}
			lo, hi := holes[i].Lo, holes[i].Hi
			if lo == nil {
				lo = least(t.by)
			}
			out = append(out, t.boundsText(lo, hi)+": no row can be there")
		}
	}
	return out
}

// allHoles are the holes between ranges, and what lies below the first and above the last.
func (t *table) allHoles(all []*partition) []projection.Range {
	if len(all) == 0 {
		return []projection.Range{{}}
	}
	var out []projection.Range
	if first := all[0]; compareTuples(first.lo, least(t.by)) > 0 {
		out = append(out, projection.Range{Hi: first.lo})
	}
	out = append(out, gaps(all)...)
	if last := all[len(all)-1]; last.hi != nil {
		out = append(out, projection.Range{Lo: last.hi})
	}
	return out
}
