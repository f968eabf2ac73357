package main

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/planner/explain"
)

// window are the flags that choose a part of the units.
type window struct {
	Offset count `placeholder:"N" help:"Leave out the first N units."`
	Shard  shard `placeholder:"I/N" help:"Only the I-th of N parts of equal size, for N workers: each unit is in exactly one part."`
}

func (w window) units(limit uint64) explain.Window {
	return explain.Window{Shard: w.Shard.i, Shards: w.Shard.of, Offset: w.Offset.n, Limit: limit}
}

// number is a whole number.
type number uint64

func (n *number) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("want a whole number from 0, not %q", text)
	}
	*n = number(v)
	return nil
}

// count is a whole number of any size.
type count struct{ n *big.Int }

func (c *count) UnmarshalText(text []byte) error {
	n, ok := new(big.Int).SetString(string(text), 10)
	if !ok || n.Sign() < 0 {
		return fmt.Errorf("want a whole number from 0, not %q", text)
	}
	c.n = n
	return nil
}

// shard is I/N with 1 ≤ I ≤ N.
type shard struct{ i, of uint64 }

func (s *shard) UnmarshalText(text []byte) error {
	i, of, _ := strings.Cut(string(text), "/")
	var err1, err2 error
	s.i, err1 = strconv.ParseUint(i, 10, 64)
	s.of, err2 = strconv.ParseUint(of, 10, 64)
	if err1 != nil || err2 != nil || s.i < 1 || s.i > s.of {
		return fmt.Errorf("want I/N with I from 1 to N, such as 1/4, not %q", text)
	}
	return nil
}
