// Package pruning is the algebra of pruning: values, interval sets, and functions from key values to outcomes.
//
// A predicate is seen as a function of the keys that a layout branches on. At each tuple of key values it gives the
// [Outcomes], of TRUE, FALSE and NULL, that some row with these keys could have:
//
//	no TRUE           no row can match: skip
//	{TRUE}            every row matches: read, no filter
//	TRUE and others   some rows may match: read and filter
//	{}                there are no such rows: skip
//
// What isn't understood is {TRUE, FALSE, NULL} everywhere. That is sound in every position, also under NOT, because NOT
// only swaps TRUE and FALSE.
//
// A [Diagram] is such a function in canonical form: a tree whose level i cuts the values of key i into intervals, with
// one more branch for NULL, and whose leaves are Outcomes; equal subtrees are shared. It is written as
//
//	y: 2021 → (m: 12 → T), 2022 → (m: 1 → T)
//
// for what may be TRUE of (y = 2021 AND m = 12) OR (y = 2022 AND m = 1). Each branch is one or more intervals, as a [Set]
// is written, or null, or both; what isn't mentioned is F.
//
// What a partition can hold is a Diagram too, a cell, with the leaves T and F: predicates and partitions meet by
// [Diagram.Given], predicates and listed or computed branches by [Diagram.Branches] and [Diagram.At].
package pruning
