package explain

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestWindow(t *testing.T) {
	for _, test := range []struct {
		win      Window
		count    int64
		first, n int64
	}{
		{Window{}, 156, 0, 156},
		{Window{Limit: 20}, 156, 0, 20},
		{Window{Limit: 20}, 7, 0, 7},
		{Window{Offset: big.NewInt(150)}, 156, 150, 6},
		{Window{Offset: big.NewInt(150), Limit: 5}, 156, 150, 5},
		{Window{Offset: big.NewInt(200)}, 156, 156, 0},
		{Window{Shard: 2, Shards: 3}, 156, 52, 52},
		{Window{Shard: 2, Shards: 3, Offset: big.NewInt(50)}, 156, 102, 2},
		{Window{Shard: 1, Shards: 3}, 1, 0, 0},
		{Window{Shard: 3, Shards: 3}, 1, 0, 1},
		{Window{Shard: 1, Shards: 1}, 0, 0, 0},
	} {
		first, n := test.win.of(big.NewInt(test.count))
		if first.Cmp(big.NewInt(test.first)) != 0 || n.Cmp(big.NewInt(test.n)) != 0 {
			t.Errorf("%+v of %d: %v units from %v, want %d from %d", test.win, test.count, n, first, test.n, test.first)
		}
	}
}

// TestShards: the parts follow each other without a gap, and their sizes differ by one at most.
func TestShards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := new(big.Int).SetUint64(rapid.Uint64().Draw(t, "count"))
		count.Mul(count, new(big.Int).SetUint64(rapid.Uint64Range(1, 1<<40).Draw(t, "times")))
		shards := rapid.Uint64Range(1, 50).Draw(t, "shards")
		at, least := new(big.Int), new(big.Int).Quo(count, new(big.Int).SetUint64(shards))
		for i := uint64(1); i <= shards; i++ {
			first, n := Window{Shard: i, Shards: shards}.of(count)
			if first.Cmp(at) != 0 {
				t.Fatalf("part %d begins at %v, want %v", i, first, at)
			}
			if more := new(big.Int).Sub(n, least); more.Sign() < 0 || more.Cmp(one) > 0 {
				t.Fatalf("part %d has %v units, want %v or one more", i, n, least)
			}
			at.Add(at, n)
		}
		if at.Cmp(count) != 0 {
			t.Fatalf("the parts end at %v of %v", at, count)
		}
	})
}
