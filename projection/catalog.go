package projection

import (
	"math/big"
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// Partition is a partition that a catalog knows: its values, one for each key, and the path that holds its data.
type Partition struct {
	Values []pruning.Nullable
	Path   string
}

// Catalogued is the layout of partitions that a catalog lists, in the order of their values. Callers add Shape. ps is
// taken over; there is at least one key.
func Catalogued(system string, keys []pruning.Key, ps []Partition) *Layout {
	l := &Layout{System: system, Unit: "prefixes", Keys: keys, Path: objectPath, Total: big.NewInt(int64(len(ps)))}
	for i := range keys {
		l.Levels = append(l.Levels, &dirLevel{level: i, keys: []int{i}})
	}
	slices.SortStableFunc(ps, func(a, b Partition) int { return slices.CompareFunc(a.Values, b.Values, compareNullable) })
	return l.listed(catalogued(keys, ps, 0))
}

// catalogued is the tree of sorted partitions that agree on the keys before level.
func catalogued(keys []pruning.Key, ps []Partition, level int) *branches {
	b := &branches{key: level}
	last := level == len(keys)-1
	for len(ps) > 0 {
		v, n := ps[0].Values[level], 1
		for !last && n < len(ps) && compareNullable(ps[n].Values[level], v) == 0 {
			n++
		}
		name := ps[0].Path
		if !last {
			name = string(keys[level].Type.Append(nil, v.Value))
			b.below = append(b.below, catalogued(keys, ps[:n], level+1))
		}
		b.add(name, KeyValue{Value: v.Value, Null: v.Null})
		ps = ps[n:]
	}
	return b
}
