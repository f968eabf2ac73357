package advise

import (
	"fmt"
	"math"
)

// fill is how many of n buckets d different keys fill, on average.
func fill(n int, d float64) float64 {
	return float64(n) * (1 - math.Pow(1-1/float64(n), d))
}

// paimon: 200 MB to 1 GB in a bucket (Paimon, primary-key-table/index.md). The rule "partition size by target file size" takes
// a bucket for a file, and is told beside it.
func (a *list) paimon(in Input) {
	partition := in.Partition
	if partition == 0 && in.Size > 0 {
		partition = in.Size / Bytes(max(1, in.Partitions))
	}
	if partition > 0 {
		a.paimonBuckets(partition, in)
	}
	if in.Rows > 0 {
		target := in.TargetRows
		if target == 0 {
			target = 2_000_000
		}
		n := int(math.Max(1, math.Ceil(in.Rows/target)))
		a.add("dynamic buckets", fmt.Sprint(n)+" per partition", "%s rows by dynamic-bucket.target-row-num = %s, at least one for each assigner that sees keys; the index takes about %s of memory", number(in.Rows), number(target), Bytes(in.Rows*10))
	}
	if in.Buckets > 0 && in.Partitions > 0 {
		a.add("directories", fmt.Sprint(in.Partitions*in.Buckets), "%d partitions with %d buckets each; a look-up of one key in one partition reads 1 of them", in.Partitions, in.Buckets)
	}
	a.skew(in)
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

// duckdb: files of 100 MB to 10 GB, and no partitions that are smaller (DuckDB, performance guide, "File formats").
func (a *list) duckdb(in Input) {
	const least, most = 100 * MB, 10 * GB
	if in.Size > 0 {
		n := max(1, int(in.Size/least))
		a.add("partitions", fmt.Sprintf("at most %d", n), "%s in partitions of at least %s: each is at least one file, and opening many small files costs more than reading them", in.Size, least)
		a.add("files", between(ceil(in.Size, most), n), "of %s to %s each; more files than threads keep all of these at work", least, most)
	}
	if part := in.Size / Bytes(max(1, in.Partitions)); in.Size > 0 && in.Partitions > 0 && part < least {
		a.warn("partition size", part.String(), "%d partitions of %s are too many: partition by a coarser column, such as the month for the day", in.Partitions, in.Size)
	}
}
