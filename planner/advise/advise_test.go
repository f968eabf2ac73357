package advise

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// find is the value of one advice, with "!" in front of a warning; "" where there is none.
func find(list []Advice, what string) (value string) {
	for _, a := range list {
		if a.What == what {
			if value = a.Value; a.Warning {
				value = "! " + value
			}
		}
	}
	return value
}

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		system string
		in     Input
		what   string
		want   string
	}{
		// SelectDB's table: sizes on 10 backends with a disk each.
		{"doris", Input{Size: 500 * MB}, "buckets", "4 … 8 per partition"},
		{"doris", Input{Size: 5 * GB}, "buckets", "8 … 16 per partition"},
		{"doris", Input{Size: 50 * GB}, "buckets", "32 per partition"},
		{"doris", Input{Size: 50 * GB}, "partitions", "none needed"},
		{"doris", Input{Size: 500 * GB}, "partitions", "10"},
		{"doris", Input{Size: 5 * TB}, "partitions", "100"},
		{"doris", Input{Size: 5 * TB}, "buckets", "16 … 32 per partition"},
		// The size of a bucket comes before the number of disks.
		{"doris", Input{Partition: 50 * GB, Disks: 10}, "buckets by disks", "11 per partition"},
		{"doris", Input{Partition: 5 * GB, Disks: 30}, "buckets by disks", "5 per partition"},
		{"doris", Input{Partition: 50 * GB, Buckets: 1}, "bucket size", "! 50 GB"},
		{"doris", Input{Partition: 5 * GB, Buckets: 10}, "bucket size", "! 500 MB"},
		{"doris", Input{Partition: 50 * GB, Buckets: 10}, "bucket size", "5 GB"},
		{"doris", Input{Buckets: 16, Keys: 4}, "bucket key", "! 3.6 of 16 buckets"},
		// Paimon: 10 GB by both rules, 100 million rows in dynamic buckets.
		{"paimon", Input{Partition: 10 * GiB}, "buckets", "10 … 51 per partition"},
		{"paimon", Input{Partition: 10 * GiB}, "buckets by files", "80"},
		{"paimon", Input{Partition: 10 * GB}, "buckets by files", "75"},
		{"paimon", Input{Rows: 1e8}, "dynamic buckets", "50 per partition"},
		{"paimon", Input{Partitions: 365, Buckets: 4}, "directories", "1460"},
		// Only what a table's mode has.
		{"paimon", Input{Partition: 10 * GiB, Mode: "hash-dynamic"}, "buckets", ""},
		{"paimon", Input{Rows: 1e6, Writers: 4, Mode: "hash-dynamic"}, "dynamic buckets", "4 per partition"},
		{"paimon", Input{Mode: "key-dynamic", Lacks: "dt"}, "primary key", "! lacks dt"},
		{"paimon", Input{Mode: "fixed", Buckets: 4, Lacks: "dt"}, "primary key", "! lacks dt"},
		{"paimon", Input{Rows: 1e8, Mode: "unaware"}, "dynamic buckets", ""},
		{"paimon", Input{Mode: "unaware"}, "buckets", "1 per partition"},
		{"paimon", Input{Partition: 5*GiB + 1, Mode: "postpone"}, "first buckets", "6 per partition"},
		{"paimon", Input{Rows: 2001, TargetRows: 1000, Mode: "postpone"}, "first buckets", "3 per partition"},
		{"paimon", Input{Partition: GiB, TargetRows: 1000, Mode: "postpone"}, "first buckets", ""},
		{"paimon", Input{Buckets: 7, Rows: 2001, TargetRows: 1000, Mode: "postpone"}, "first buckets", "7 per partition"},
		{"paimon", Input{Buckets: 4, Writers: 5, Mode: "fixed"}, "writers", "! 5"},
		{"duckdb", Input{Size: 40 * GB}, "partitions", "at most 400"},
		{"duckdb", Input{Size: 40 * GB, Partitions: 3650}, "partition size", "! 11 MB"},
		{"yql", Input{Size: GB}, "partitions", ""},
	} {
		if got := find(For(c.system, c.in), c.what); got != c.want {
			t.Errorf("%s %+v: %s is %q, want %q", c.system, c.in, c.what, got, c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]Bytes{"500MB": 500 * MB, "1.5 TiB": 1.5 * TiB, "10g": 10 * GB, "4096": 4096} {
		var b Bytes
		if err := b.UnmarshalText([]byte(text)); err != nil || b != want {
			t.Errorf("%s: %v, %v", text, b, err)
		}
	}
	for _, text := range []string{"", "much", "-5GB", "5XB", "1e999GB", "NaN"} {
		if err := new(Bytes).UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "500MB") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestFill compares the number of filled buckets with throws of d keys.
func TestFill(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range [][2]int{{16, 4}, {16, 16}, {128, 40}} {
		sum := 0
		for range 2000 {
			seen := map[int]bool{}
			for range c[1] {
				seen[r.IntN(c[0])] = true
			}
			sum += len(seen)
		}
		if got, want := fill(c[0], float64(c[1])), float64(sum)/2000; math.Abs(got-want) > 0.02*want {
			t.Errorf("%v: %g, thrown %g", c, got, want)
		}
	}
}
