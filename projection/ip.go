package projection

import (
	"math/big"
	"net/netip"

	"github.com/yqlplan/yqlplan/pruning"
)

// ParseIP reads an address as the number that a Uint32 or Uint128 column keeps it as: 127.0.0.1 is 0x7f000001.
func ParseIP(text string, t pruning.Type) (pruning.Value, bool) {
	a, err := netip.ParseAddr(text)
	if err != nil || a.Zone() != "" || t.Kind == pruning.Uint32 && !a.Is4() {
		return pruning.Value{}, false
	}
	b := a.AsSlice()
	if t.Kind == pruning.Uint128 {
		wide := a.As16()
		b = wide[:]
	}
	return t.FromBig(new(big.Int).SetBytes(b))
}
