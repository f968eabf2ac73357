package projection

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/yqlplan/yqlplan/projection/datefmt"
)

// Shape implements [Texts].
func (a *Date) Shape() Shape {
	if a.empty {
		return Shape{}
	}
	ps, _ := a.Pieces()
	return shapeOfPieces(ps)
}

// Pieces implements [Texts].
func (a *Date) Pieces() (ps []Piece, exact bool) {
	if a.empty {
		return nil, false
	}
	all := uint64(1) // texts of the set, saturating
	for _, p := range a.format.Parts(a.first, a.civil(a.last), a.still()) {
		piece := Piece{Words: p.Words, Lo: p.Lo, Hi: p.Hi, Step: 1, Width: p.Width}
		n := uint64(len(p.Words))
		if p.Words == nil {
			if p.Years && a.spec.Unit == datefmt.Years && p.Lo < p.Hi {
				piece.Step = uint64(a.months / 12)
			}
			n = uint64(piece.Hi-p.Lo)/piece.Step + 1
		}
		ps = append(ps, piece)
		over, low := bits.Mul64(all, n)
		if all = low; over != 0 {
			all = math.MaxUint64
		}
	}
	// All texts of branches are in the set; where there are as many of them as the set has, they are all of it.
	if exact = all == a.last+1 && a.format.Plain(); exact {
		_, _, found, decided := a.Twins()
		exact = decided && !found
	}
	return ps, exact
}

// still reports whether all branches have the same time of day.
func (a *Date) still() bool { return a.months > 0 || a.days > 0 }

// Find implements [Texts]. Where texts can neither be read, nor searched, nor sorted, it finds none.
func (a *Date) Find(text string) (i uint64, ok bool) {
	if a.empty {
		return 0, false
	}
	var buf [64]byte
	switch t := a.texts(); {
	case t.read:
		return t.find(text)
	case t.ordered:
		i = t.from(text)
		return i, i <= a.last && string(a.AppendName(buf[:0], i)) == text
	case t.sortable():
		return t.lookup(text)
	}
	return 0, false
}

// Twins implements [Texts]. It reasons on what the format tells apart; formats for which that doesn't decide, such as
// "%m-%d" over several years, are tried out on a bounded number of branches or days.
func (a *Date) Twins() (i, j uint64, found, decided bool) {
	if a.empty || a.last == 0 {
		return 0, 0, false, true
	}
	u, exact := a.format.Apart(a.first, a.civil(a.last))
	switch {
	case a.outgrows(u):
		return 0, 0, false, true
	case exact:
		i, found = a.neighbours(u)
		return i, i + 1, found, true
	}
	if j, found = a.jump(); found {
		return 0, j, true, true
	}
	if i, j, found = a.trial(); found || a.last < mostTrials {
		return i, j, found, true
	}
	return a.wholeDays()
}

// outgrows reports whether no two neighbours can lie in one unit.
func (a *Date) outgrows(u datefmt.Unit) bool {
	switch {
	case u == datefmt.Months:
		return a.months > 0 || a.gap() >= 31*day
	case u == datefmt.Years:
		return a.months >= 12 || a.gap() >= 366*day
	}
	return u.Micros() > 0 && a.gap() >= u.Micros()
}

// neighbours finds the first two neighbours in one unit, when steps are shorter than units.
func (a *Date) neighbours(u datefmt.Unit) (i uint64, found bool) {
	if u == datefmt.NoUnit {
		return 0, true
	}
	if n := u.Micros(); n > 0 && a.months == 0 {
		// The place in the unit moves back by n-every from branch to branch until two fit.
		back := uint64(n - a.every)
		i = uint64(u.Into(a.start)) / back
		return i, i < a.last
	}
	for ; i < a.last; i++ {
		if u.Ordinal(a.civil(i)) == u.Ordinal(a.civil(i+1)) {
			return i, true
		}
	}
	return 0, false
}

// jump tries the branches that lie a round time behind the first: in texts without a date, the same hour comes again
// on the next day.
func (a *Date) jump() (j uint64, found bool) {
	if a.months > 0 {
		return 0, false
	}
	var one, two [64]byte
	first := a.AppendName(one[:0], 0)
	for _, n := range [...]int64{a.every, day / 86400, day / 1440, day / 24, day / 2, day, 7 * day, 28 * day, 29 * day, 30 * day, 31 * day,
		365 * day, 366 * day, 1461 * day, 36524 * day, 36525 * day} {
		if n < a.every || n%a.every != 0 || uint64(n/a.every) > a.last {
			continue
		}
		j = uint64(n / a.every)
		if bytes.Equal(first, a.AppendName(two[:0], j)) {
			return j, true
		}
	}
	return 0, false
}

// mostTrials is the number of branches whose texts are compared one by one.
const mostTrials = 1 << 17

// trial compares the first branches.
func (a *Date) trial() (i, j uint64, found bool) {
	seen := newTextSet()
	var buf []byte
	for j = range min(a.last, mostTrials-1) + 1 {
		buf = a.AppendName(buf[:0], j)
		if i, some := seen.add(buf, j); some && bytes.Equal(a.AppendName(nil, i), buf) {
			return i, j, true
		}
	}
	return 0, 0, false
}

// textSet holds branches by a hash of their texts.
type textSet struct {
	seed maphash.Seed
	at   map[uint64]uint64
}

func newTextSet() *textSet { return &textSet{maphash.MakeSeed(), map[uint64]uint64{}} }

// add puts i in, unless there is a branch before it that, but for one chance in 2^64, has the same text.
func (s *textSet) add(text []byte, i uint64) (before uint64, some bool) {
	h := maphash.Bytes(s.seed, text)
	if before, some = s.at[h]; !some {
		s.at[h] = i
	}
	return before, some
}

// wholeDays compares days, for steps of less than a day that fit the unit in which texts tell the times of a day
// apart: two days have a text in common if their dates have the same text and their first times lie in the same place
// between two steps.
func (a *Date) wholeDays() (i, j uint64, found, decided bool) {
	u, exact := a.format.Clock()
	if n := u.Micros(); !exact || !a.format.Plain() || a.months > 0 || a.every >= day || a.every%n != 0 {
		return 0, 0, false, false
	}
	seen := newTextSet()
	var buf []byte
	for j = 0; j <= a.last; {
		start := a.at(j) - mod(a.at(j), day)
		buf = a.format.Append(buf[:0], datefmt.FromMicros(start))
		place := mod(a.at(j)-start, a.every) / u.Micros()
		buf = append(buf, byte(place), byte(place>>8), byte(place>>16), byte(place>>24), byte(place>>32))
		if i, some := seen.add(buf, j); some { // only the first and the last day can be incomplete and miss each other
			if i, j, ok := a.meet(i, j, u.Micros()); ok {
				return i, j, true, true
			}
		}
		j = a.below(start + day)
	}
	return 0, 0, false, true
}

// meet finds a branch on the day of branch i and one on the day of j with the same time of day, in units; both are the
// first of their days, and the days are known to agree otherwise.
func (a *Date) meet(i, j uint64, unit int64) (x, y uint64, ok bool) {
	first := max(mod(a.at(i), day)/unit, mod(a.at(j), day)/unit)
	step := a.every / unit
	x = i + uint64((first-mod(a.at(i), day)/unit)/step)
	y = j + uint64((first-mod(a.at(j), day)/unit)/step)
	ok = x <= a.last && y <= a.last && bytes.Equal(a.AppendName(nil, x), a.AppendName(nil, y))
	return x, y, ok
}
