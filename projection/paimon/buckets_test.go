package paimon

import (
	"context"
	"testing"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// manyKeys is key IN (1, …, n).
func manyKeys(n int) pruning.Diagram {
	space := pruning.NewSpace([]pruning.Key{{Name: "k", Type: bigT}}, 0)
	points := make([]pruning.Value, n)
	for i := range points {
		points[i] = pruning.Int(int64(2 * i)) // with gaps, so that they stay apart
	}
	return space.In(0, pruning.Points(bigT, points))
}

// TestStopsEarly: of a million keys no more are hashed than it takes to hit every bucket.
func TestStopsEarly(t *testing.T) {
	calls := 0
	h := projection.Hash{By: []int{0}, Nullable: []bool{false}, Count: 128, Limit: hashLimit, Bucket: func(tuple []pruning.Nullable, n int) int {
		calls++
		return Default.Bucket([]pruning.Type{bigT}, tuple, n)
	}}
	axis, err := h.Axis(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := axis.Runs(nil, manyKeys(1_000_000))
	if err != nil || len(runs) != 1 || runs[0].Last != 127 {
		t.Fatalf("runs %v, %v; want all 128", runs, err)
	}
	if calls > 5000 {
		t.Errorf("%d keys were hashed to hit 128 buckets", calls)
	}
}

func BenchmarkMillionKeys(b *testing.B) {
	h := projection.Hash{By: []int{0}, Nullable: []bool{false}, Count: 128, Limit: hashLimit, Bucket: func(tuple []pruning.Nullable, n int) int {
		return Default.Bucket([]pruning.Type{bigT}, tuple, n)
	}}
	axis, _ := h.Axis(context.Background(), nil)
	d := manyKeys(1_000_000)
	for b.Loop() {
		if _, err := axis.Runs(nil, d); err != nil {
			b.Fatal(err)
		}
	}
}

func TestBucketNumbers(t *testing.T) {
	for dir, want := range map[string]int{"bucket-0": 0, "bucket-10": 10, "bucket-postpone": -2, "bucket--2": -1, "bucket-01": -1, "bucket-": -1, "bucket": -1, "x": -1} {
		n, ok := bucketNumber(dir)
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("%s: %d, want %d", dir, n, want)
		}
	}
}

// TestUnions: what may be 2 or 4 buckets is read in those of either.
func TestUnions(t *testing.T) {
	space := pruning.NewSpace([]pruning.Key{{Name: "k", Type: intT}}, 0)
	for k := range int64(50) {
		d := space.In(0, pruning.Point(intT, pruning.Int(k)))
		b := &buckets{n: 4, only: noBucket}
		for _, n := range []int{2, 4} {
			h := projection.Hash{By: []int{0}, Nullable: []bool{false}, Count: n, Limit: 10, Bucket: func(tuple []pruning.Nullable, n int) int {
				return Default.Bucket([]pruning.Type{intT}, tuple, n)
			}}
			axis, err := h.Axis(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			b.hashes = append(b.hashes, &memo{Axis: axis})
		}
		want := map[int]bool{}
		for _, n := range []int{2, 4} {
			want[Default.Bucket([]pruning.Type{intT}, []pruning.Nullable{{Value: pruning.Int(k)}}, n)] = true
		}
		runs, err := b.Runs(nil, d)
		got := 0
		for _, r := range runs {
			for i := r.First; i <= r.Last; i++ {
				got++
				if !want[int(i)] {
					t.Errorf("key %d: bucket %d is read", k, i)
				}
			}
		}
		if err != nil || got != len(want) {
			t.Errorf("key %d: runs %v, %v; want %v", k, runs, err, want)
		}
	}
}
