package advise

import "fmt"

// The sizes of SelectDB's document "Partitioning and bucketing": 1 to 10 GB in a bucket, partitions of 50 GB.
const (
	leastBucket = 1 * GB
	mostBucket  = 10 * GB
	dorisPart   = 50 * GB
)

// reference is the table of that document, for 10 backends with one disk each.
var reference = []struct {
	size   Bytes
	lo, hi int
}{{500 * MB, 4, 8}, {5 * GB, 8, 16}, {50 * GB, 32, 32}}

func (a *list) doris(in Input) {
	size, partition := in.Size, in.Partition
	if size == 0 && partition > 0 && in.Partitions > 0 {
		size = partition * Bytes(in.Partitions)
	}
	if size > 0 && partition == 0 {
		partition = a.dorisPartitions(size, in)
	}
	if partition > 0 {
		a.dorisBuckets(partition, in)
	}
	a.dorisDeclared(partition, in)
}

// dorisPartitions gives the size of one partition.
func (a *list) dorisPartitions(size Bytes, in Input) Bytes {
	if size <= dorisPart {
		a.add("partitions", "none needed", "%s is up to %s; partition all the same where old data is dropped by time, and by a column that queries restrict", size, dorisPart)
		if in.Partitions > 1 {
			return size / Bytes(in.Partitions)
		}
		return size
	}
	n := ceil(size, dorisPart)
	a.add("partitions", fmt.Sprint(n), "%s in partitions of %s, by time or another column with an order; old ones are dropped whole", size, dorisPart)
	if in.Partitions > 0 {
		return size / Bytes(in.Partitions)
	}
	return size / Bytes(n)
}

// dorisBuckets: the size of a bucket decides; within it, slightly more buckets than disks.
func (a *list) dorisBuckets(partition Bytes, in Input) {
	lo, hi := ceil(partition, mostBucket), max(1, int(partition/leastBucket))
	if in.Size > dorisPart {
		a.add("buckets", "16 … 32 per partition", "the document's table has these for partitions of %s on 10 backends with a disk each", dorisPart)
	}
	for _, r := range reference {
		if in.Size <= dorisPart && partition <= r.size {
			a.add("buckets", between(r.lo, r.hi)+" per partition", "the document's table has these for up to %s on 10 backends with a disk each", r.size)
			break
		}
	}
	a.add("buckets by size", between(lo, hi)+" per partition", "%s in buckets of %s to %s: smaller ones aggregate badly and cost metadata, larger ones are slow to move and to repeat", partition, leastBucket, mostBucket)
	if in.Disks == 0 {
		return
	}
	want := in.Disks + max(1, in.Disks/10)
	switch n := min(max(want, lo), hi); {
	case n == want:
		a.add("buckets by disks", fmt.Sprint(want)+" per partition", "slightly more than the %d disks of the cluster, so that all of them work", in.Disks)
	default:
		a.add("buckets by disks", fmt.Sprint(n)+" per partition", "slightly more than %d disks would be %d, but the size of a bucket comes first", in.Disks, want)
	}
	a.add("growth", "", "with no more buckets than disks, more machines make no query faster: a new partition may have its own number of buckets, existing ones keep theirs")
}

// dorisDeclared holds what is declared against the rules.
func (a *list) dorisDeclared(partition Bytes, in Input) {
	if in.Buckets == 0 {
		return
	}
	if in.Partitions > 0 {
		a.add("tablets", fmt.Sprint(in.Partitions*in.Buckets), "%d partitions with %d buckets each", in.Partitions, in.Buckets)
	}
	if in.Buckets == 1 {
		a.warn("buckets", "1 declared", "one bucket is read by one task: nothing in a partition runs in parallel")
	}
	if partition > 0 {
		switch each := partition / Bytes(in.Buckets); {
		case each > mostBucket:
			a.warn("bucket size", each.String(), "above %s: declare more buckets", mostBucket)
		case each < leastBucket && in.Buckets > 1:
			a.warn("bucket size", each.String(), "below %s: declare fewer buckets, or larger partitions", leastBucket)
		default:
			a.add("bucket size", each.String(), "within %s to %s", leastBucket, mostBucket)
		}
	}
	a.skew(in)
}

// skew tells how many buckets a key with few values fills: N (1 - (1 - 1/N)^d).
func (a *list) skew(in Input) {
	if in.Keys == 0 || in.Buckets < 2 {
		return
	}
	if filled := fill(in.Buckets, in.Keys); filled < 0.9*float64(in.Buckets) {
		a.warn("bucket key", number(filled)+" of "+fmt.Sprint(in.Buckets)+" buckets", "%s different keys fill about so many: choose a key with more values, or fewer buckets", number(in.Keys))
	}
}
