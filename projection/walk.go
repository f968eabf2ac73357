package projection

import (
	"context"
	"io"
	"iter"
	"math/big"

	"github.com/yqlplan/yqlplan/pruning"
)

// Unit is the finest thing read: a prefix, a file, a bucket. It is valid until the next one; Clone keeps it.
type Unit struct {
	Place
	Outcomes pruning.Outcomes // of the predicate on the rows of this unit
	layout   *Layout
}

// Check evaluates for one branch what a diagram could not express. At gets a place whose first known levels are
// settled and gives the outcomes that rows below it can have. Depths tells after which levels (bit i: after level i)
// it may say more than before; At isn't called elsewhere. The zero Check says nothing.
type Check struct {
	Depths uint64
	At     func(at *Place, known int) pruning.Outcomes
}

func Walk(ctx context.Context, l *Layout, d pruning.Diagram, c Check) iter.Seq2[*Unit, error] {
	panic("")
}
func Seek(ctx context.Context, l *Layout, d pruning.Diagram, c Check, n *big.Int) iter.Seq2[*Unit, error] {
	panic("")
}
func Count(ctx context.Context, l *Layout, d pruning.Diagram, c Check) (*big.Int, error) { panic("") }

// WritePaths writes the paths of units first … first+n-1 (n nil: all), each followed by sep.
func WritePaths(ctx context.Context, w io.Writer, l *Layout, d pruning.Diagram, c Check, first, n *big.Int, sep byte) error {
	panic("")
}

// Value is the value that the unit has for a key; known is false where its branch leaves several.
func (u *Unit) Value(key int) (v pruning.Value, null, known bool) { panic("") }
func (u *Unit) AppendPath(dst []byte) []byte                      { panic("") }
func (u *Unit) Clone() *Unit                                      { panic("") }
