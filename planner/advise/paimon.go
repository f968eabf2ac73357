package advise

import (
	"fmt"
	"math"
)

// paimon: 200 MB to 1 GB in a bucket (Paimon, primary-key-table/index.md). The rule "partition size by target file size" takes
// a bucket for a file, and is told beside it. Where no table is declared, the rules of fixed and of dynamic buckets are told.
func (a *list) paimon(in Input) {
	partition := in.Partition
	if partition == 0 && in.Size > 0 {
		partition = in.Size / Bytes(max(1, in.Partitions))
	}
	if partition > 0 && (in.Mode == "" || in.Mode == "fixed") {
		a.paimonBuckets(partition, in)
	}
	switch in.Mode {
	case "", "hash-dynamic", "key-dynamic":
		a.paimonDynamic(in)
	case "postpone":
		a.paimonPostpone(partition, in)
	case "unaware":
		a.add("buckets", "1 per partition", "without bucket and bucket-key, rows lie as they come: no key prunes files")
	}
	if in.Buckets > 0 && in.Partitions > 0 {
		a.add("directories", fmt.Sprint(in.Partitions*in.Buckets), "%d partitions with %d buckets each; a look-up of one key in one partition reads 1 of them", in.Partitions, in.Buckets)
	}
	if in.Writers > in.Buckets && in.Buckets > 0 {
		a.warn("writers", fmt.Sprint(in.Writers), "more than %d buckets: each bucket has one writer, and is read by one task", in.Buckets)
	}
	a.skew(in)
	if in.Lacks != "" && in.Mode == "key-dynamic" {
		a.warn("primary key", "lacks "+in.Lacks, "each writing job starts by reading all keys of the table into an index; cross-partition-upsert.index-ttl bounds that at the price of duplicates")
	} else if in.Lacks != "" {
		a.warn("primary key", "lacks "+in.Lacks, "no index finds the partition that a key was in: only a complete changelog as input keeps keys unique")
	}
}

func (a *list) paimonBuckets(partition Bytes, in Input) {
	lo, hi := ceil(partition, GiB), max(1, int(partition/(200*MiB)))
	a.add("buckets", between(lo, hi)+" per partition", "%s in buckets of 200 MiB to 1 GiB, about one for each GiB: a bucket has several files, and is read and written by one task", partition)
	file := in.File
	if file == 0 {
		file = 128 * MiB
	}
	a.add("buckets by files", fmt.Sprint(ceil(partition, file)), "partition size by target-file-size (%s) counts files, not buckets: 4 to 128 is its practical range, and the first rule the better one", file)
	if in.Buckets == 0 {
		return
	}
	switch each := partition / Bytes(in.Buckets); {
	case in.Buckets < lo:
		a.warn("bucket size", each.String(), "%d buckets are fewer than %d: each has more than 1 GiB", in.Buckets, lo)
	case in.Buckets > hi:
		a.warn("bucket size", each.String(), "%d buckets are more than %d: each has less than 200 MiB, and small files", in.Buckets, hi)
	}
}

// rowsIn is how many parts of so many rows there are.
func rowsIn(rows, each float64) int { return int(math.Max(1, math.Ceil(rows/each))) }

// paimonDynamic: a new key goes to the first bucket below a number of rows (Paimon, primary-key-table/data-distribution.md).
func (a *list) paimonDynamic(in Input) {
	if in.Rows == 0 {
		return
	}
	target := in.TargetRows
	if target == 0 {
		target = 2_000_000
	}
	n := max(rowsIn(in.Rows, target), in.Writers)
	a.add("dynamic buckets", fmt.Sprint(n)+" per partition", "%s rows by dynamic-bucket.target-row-num = %s, at least one for each assigner that sees keys; the index takes about %s of memory", number(in.Rows), number(target), Bytes(in.Rows*10))
}

// paimonPostpone: what a partition gets when its rows are moved from bucket-postpone (apache/paimon, CoreOptions.java).
func (a *list) paimonPostpone(partition Bytes, in Input) {
	const what = "first buckets"
	switch {
	case in.Buckets > 0:
		a.add(what, fmt.Sprint(in.Buckets)+" per partition", "as postpone.default-bucket-num says")
	case in.TargetRows > 0 && in.Rows > 0:
		a.add(what, fmt.Sprint(rowsIn(in.Rows, in.TargetRows))+" per partition", "%s rows by postpone.target-row-num-per-bucket = %s", number(in.Rows), number(in.TargetRows))
	case in.TargetRows == 0 && partition > 0:
		each := in.Bucket
		if each == 0 {
			each = GiB
		}
		a.add(what, fmt.Sprint(ceil(partition, each))+" per partition", "%s by postpone.target-size-per-bucket = %s", partition, each)
	}
}
