// Package projection describes how a table is split into branches (prefixes, directories, partitions, buckets) and
// enumerates those that a predicate can match.
//
// A [Layout] is a tree: each [Level] splits a branch into the ordered branches of an [Axis]. What a predicate reads is the
// walk over this tree and over the predicate's diagram at once: [Axis.Runs] gives the runs of branches for which the
// diagram can be TRUE, each with what is left of it below. [Count] multiplies the lengths of runs, [Seek] skips them,
// [Walk] and [WritePaths] go through them.
//
//	partition projection    one of Integer, Date, Enum, Injected for each key; a Template makes the paths
//	Hive's directories      Dirs for each key, then files
//	ranges, lists of keys   CellLevel of Ranges or Lists
//	buckets                 Hash, below any of them
//
// A [System] reads declarations of tables and puts their layouts together.
package projection

import "github.com/yqlplan/yqlplan/pruning"

// Axis is an ordered list of sibling branches: the months of a year, the directories below a prefix, hash buckets.
// Axes don't change once made and may be used by several goroutines.
type Axis interface {
	// Last is the number of branches less one, so that 2^64 branches are possible; ok is false for none.
	Last() (last uint64, ok bool)
	// Runs appends, in order, the maximal runs of branches for which d can be TRUE, each with what is left of d below it.
	Runs(dst []Run, d pruning.Diagram) ([]Run, error)
	// Value is the key's value on branch i. ok: the branch fixes its key to one value; null: that value is NULL.
	Value(i uint64) (v pruning.Value, null, ok bool)
	// AppendName appends the branch's text as it stands in paths.
	AppendName(dst []byte, i uint64) []byte
}

// Run is a stretch of neighbouring branches, both ends included, with the diagram that is left below each of them.
type Run struct {
	First, Last uint64
	Rest        pruning.Diagram
}

// appendRun appends a run, or lengthens the one before it where that ends just below and leaves the same diagram.
func appendRun(dst []Run, r Run) []Run {
	if n := len(dst); n > 0 && r.First > 0 && dst[n-1].Last == r.First-1 && dst[n-1].Rest == r.Rest {
		dst[n-1].Last = r.Last
		return dst
	}
	return append(dst, r)
}
