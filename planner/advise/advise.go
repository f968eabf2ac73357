// Package advise computes how a table should be split from its size: partitions and buckets of Doris, buckets of Paimon,
// files of DuckDB. Each advice comes with its reason and the source of the rule.
package advise

import (
	"fmt"
	"math"
	"strings"
)

// Input is what is known of a table.
type Input struct {
	Size       Bytes   // of the whole table, 0: unknown
	Partition  Bytes   // of one partition, 0: unknown
	Rows       float64 // of one partition that changes, for dynamic buckets; 0: unknown
	Keys       float64 // different values of the bucket key; 0: unknown
	Partitions int     // as declared; 0: unknown
	Buckets    int     // below each partition, as declared; 0: unknown
	Disks      int     // of the whole cluster
	Writers    int     // that write to a partition at once
	File       Bytes   // Paimon's target-file-size; 0: 128 MiB
	TargetRows float64 // rows of a bucket before there is another, in Paimon; 0: 2,000,000
	Bucket     Bytes   // size of a bucket before there is another, in Paimon's postpone mode; 0: 1 GiB
	Mode       string  // how rows get into Paimon's buckets: "fixed", "key-dynamic", …; "": unknown
	Lacks      string  // partition columns that Paimon's primary key lacks
}

// Bytes is a size; written as 500MB or 1.5TiB.
type Bytes float64

// Units of sizes.
const (
	MB  Bytes = 1e6
	GB  Bytes = 1e9
	TB  Bytes = 1e12
	MiB Bytes = 1 << 20
	GiB Bytes = 1 << 30
	TiB Bytes = 1 << 40
)

// String is the size in the largest unit that leaves a number from 1 on.
func (b Bytes) String() string {
	for _, u := range []struct {
		size Bytes
		name string
	}{{TB, "TB"}, {GB, "GB"}, {MB, "MB"}, {1e3, "KB"}} {
		if b >= u.size {
			return number(float64(b/u.size)) + " " + u.name
		}
	}
	return number(float64(b)) + " B"
}

// number has three digits at most behind its whole part's.
func number(f float64) string {
	if f >= 100 || f == math.Trunc(f) {
		return fmt.Sprintf("%.0f", f)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0")
}

// UnmarshalText reads 500MB, 1.5 TiB, 10G, 4096.
func (b *Bytes) UnmarshalText(text []byte) error {
	var f float64
	var unit string
	n, _ := fmt.Sscanf(strings.Replace(string(text), " ", "", 1), "%f%s", &f, &unit)
	units := map[string]Bytes{"": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": MB, "mb": MB, "g": GB, "gb": GB, "t": TB, "tb": TB,
		"kib": 1 << 10, "mib": MiB, "gib": GiB, "tib": TiB}
	u, ok := units[strings.ToLower(unit)]
	if n < 1 || !ok || !(f > 0) || math.IsInf(f, 0) {
		return fmt.Errorf("want a size such as 500MB or 1.5TiB, not %q", text)
	}
	*b = Bytes(f) * u
	return nil
}

// Advice is one recommendation.
type Advice struct {
	What    string // "buckets", "partitions", "files", …
	Value   string // "16 … 32"
	Why     string
	Warning bool // something declared is outside of what is advised
}

// For computes the advice for a system; nil for one without rules.
func For(system string, in Input) []Advice {
	var a list
	switch system {
	case "doris":
		a.doris(in)
	case "paimon":
		a.paimon(in)
	case "duckdb":
		a.duckdb(in)
	}
	return a
}

type list []Advice

func (a *list) add(what, value, why string, args ...any) {
	*a = append(*a, Advice{What: what, Value: value, Why: fmt.Sprintf(why, args...)})
}

func (a *list) warn(what, value, why string, args ...any) {
	a.add(what, value, why, args...)
	(*a)[len(*a)-1].Warning = true
}

func ceil(b, unit Bytes) int { return max(1, int(math.Ceil(float64(b/unit)))) }

func between(lo, hi int) string {
	if lo >= hi {
		return fmt.Sprint(hi)
	}
	return fmt.Sprintf("%d … %d", lo, hi)
}

// fill is how many of n buckets d different keys fill, on average.
func fill(n int, d float64) float64 {
	return float64(n) * (1 - math.Pow(1-1/float64(n), d))
}
