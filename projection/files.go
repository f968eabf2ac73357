package projection

import (
	"cmp"
	"slices"

	"github.com/yqlplan/yqlplan/pruning"
)

// File is an object with its value of each key, of a table whose keys are found while listing it.
type File struct {
	Path   string
	Size   int64 // bytes; -1 when unknown
	Values []KeyValue
}

// KeyValue is what a directory or an object has of a key: Value, NULL, several values, or one that isn't known.
type KeyValue struct {
	Value         pruning.Value
	Null, Unknown bool
	// Several, when set, stands for several values, and NULL with them if Null is set: it reports whether one of them is
	// from lo on and below hi; nil is the end.
	Several func(lo pruning.Value, hi *pruning.Value) bool
}

func (v KeyValue) state() keyState {
	switch {
	case v.Unknown:
		return unfit
	case v.Several != nil:
		return several
	case v.Null:
		return isNull
	}
	return valued
}

// compare orders by value, then NULL, then what isn't known, then several values: those of all are the same.
func (v KeyValue) compare(w KeyValue) int {
	a, b := v.state(), w.state()
	if a == valued && b == valued {
		return pruning.Compare(v.Value, w.Value)
	}
	return cmp.Compare(a, b)
}

// FilesLayout is the layout of files that have been listed already: a level for each key, whose branches ascend with
// NULL last, then the files with these values in the order given. Files without a level to themselves, such as those of
// different directories with one value, share a branch.
func FilesLayout(system string, keys []pruning.Key, files []File) *Layout {
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.CompareFunc(files[a].Values, files[b].Values, KeyValue.compare) })
	l := &Layout{System: system, Unit: "files", Keys: keys, Path: objectPath}
	root := filesBelow(files, order, 0, len(keys))
	for i := range keys {
		l.Levels = append(l.Levels, &dirLevel{level: i, keys: []int{i}})
	}
	l.Levels = append(l.Levels, &dirLevel{level: len(keys)})
	return l.listed(root)
}

// filesBelow makes the branches of a level from files that agree on the levels before it.
func filesBelow(files []File, order []int, level, levels int) *branches {
	if level == levels {
		b := &branches{key: noKey, names: make([]string, len(order)), sizes: make([]int64, len(order))}
		for i, f := range order {
			b.names[i], b.sizes[i] = files[f].Path, files[f].Size
		}
		return b
	}
	b := &branches{key: level}
	for len(order) > 0 {
		v := files[order[0]].Values[level]
		n := 1
		for n < len(order) && files[order[n]].Values[level].compare(v) == 0 {
			n++
		}
		b.add("", v)
		b.below = append(b.below, filesBelow(files, order[:n], level+1, levels))
		order = order[n:]
	}
	return b
}
