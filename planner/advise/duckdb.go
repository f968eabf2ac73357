package advise

import "fmt"

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
