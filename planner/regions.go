package planner

import (
	"context"
	"slices"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// Regions are the boxes of key values that are read, as far as there are such values: year >= 2021 of a table with the years
// 2010 to 2022 is 2021 to 2022. ok is false when there are more than limit.
func (s *Scan) Regions(limit int) (rs []pruning.Region, ok bool) {
	boxes, ok := s.Diagram.Regions(limit)
	extents := map[int]pruning.Set{}
	for _, box := range boxes {
		if box, some := s.clip(box, extents); some {
			rs = append(rs, box)
		}
	}
	return rs, ok
}

// Hull is the least box around all that is read.
func (s *Scan) Hull() pruning.Region {
	space := s.Diagram.Space().Fork()
	d := space.Adopt(s.Diagram)
	var box pruning.Region
	for key := range space.Keys() {
		k := pruning.KeySet{Key: key, Set: d.Set(key), Null: d.AtNull(key).Outcomes().MayBeTrue()}
		if !k.Null || !k.Set.IsFull() {
			box = append(box, k)
		}
	}
	box, _ = s.clip(box, map[int]pruning.Set{})
	return box
}

// clip cuts the sets of a box to what lies between the first and the last value of their axes. Those that hold all of it
// restrict nothing. some is false when nothing of it lies there. extents keeps what has been looked up.
func (s *Scan) clip(box pruning.Region, extents map[int]pruning.Set) (clipped pruning.Region, some bool) {
	out := box[:0]
	for _, k := range box {
		all, ok := extents[k.Key]
		if !ok {
			all = s.extent(k.Key)
			extents[k.Key] = all
		}
		if !all.IsFull() {
			k.Set, k.Null = k.Set.Intersect(all), false
			switch {
			case k.Set.IsEmpty():
				return nil, false
			case k.Set.Equal(all):
				continue
			}
		}
		out = append(out, k)
	}
	return out, true
}

// extent is what lies between the first and the last value of a key whose values ascend along an axis that is the same
// everywhere; other keys may have any value.
func (s *Scan) extent(key int) pruning.Set {
	l, full := s.Table.Layout, pruning.Full()
	i := slices.IndexFunc(l.Levels, func(level projection.Level) bool { return slices.Contains(level.Keys(), key) })
	if i < 0 || !l.Levels[i].Fixed() || l.Keys[key].Type.Kind == pruning.String {
		return full
	}
	a, err := l.Levels[i].Axis(context.Background(), nil)
	if err != nil || !isRange(projection.Unescaped(a)) {
		return full
	}
	last, ok := a.Last()
	if !ok {
		return full
	}
	first, _, _ := a.Value(0)
	end, _, _ := a.Value(last)
	if next, ok := l.Keys[key].Type.Succ(end); ok {
		return pruning.Range(first, next)
	}
	return pruning.From(first)
}
