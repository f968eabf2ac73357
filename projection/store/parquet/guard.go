package parquet

import (
	"errors"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// guard reads a footer that may be broken or forged: it bounds what a decoder allocates by what is there, and how deep it
// follows structures.
type guard struct {
	thrift.BytesReader
	size int
	open []int32 // structures to come on each level
}

const (
	deepest = 32
	listed  = 1 << 20 // items of a list
)

var (
	errLong = errors.New("a list is longer than what is left")
	errDeep = errors.New("it is nested too deep")
)

// ReadField counts structures that begin and end.
func (g *guard) ReadField() (thrift.Field, error) {
	f, err := g.BytesReader.ReadField()
	switch {
	case err != nil:
	case f.Type == thrift.STRUCT:
		err = g.enter(1)
	case f.Type == thrift.STOP && len(g.open) > 0:
		last := len(g.open) - 1
		if g.open[last]--; g.open[last] == 0 {
			g.open = g.open[:last]
		}
	}
	return f, err
}

// ReadList checks the length of a list. A footer has no lists of lists.
func (g *guard) ReadList() (thrift.List, error) {
	l, err := g.BytesReader.ReadList()
	switch {
	case err != nil:
	case l.Size < 0 || int(l.Size) > min(listed, g.size-g.BytesRead()):
		err = errLong
	case l.Type == thrift.LIST || l.Type == thrift.SET || l.Type == thrift.MAP:
		err = errDeep
	case l.Type == thrift.STRUCT && l.Size > 0:
		err = g.enter(l.Size)
	}
	return l, err
}

// ReadSet is ReadList for sets.
func (g *guard) ReadSet() (thrift.Set, error) {
	l, err := g.ReadList()
	return thrift.Set(l), err
}

// ReadMap refuses: a footer has no maps.
func (g *guard) ReadMap() (thrift.Map, error) { return thrift.Map{}, errDeep }

// Discard skips bytes.
func (g *guard) Discard(n int) (int, error) {
	return g.BytesReader.(interface{ Discard(int) (int, error) }).Discard(n)
}

func (g *guard) enter(n int32) error {
	if len(g.open) == deepest {
		return errDeep
	}
	g.open = append(g.open, n)
	return nil
}
