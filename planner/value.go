package planner

import (
	"github.com/yqlplan/yqlplan/pruning"
)

// value is what is known of an expression on some set of rows: NULL or not, and between which bounds. A value known
// exactly has equal bounds; a Bool's bounds are 0 and 1, so that {TRUE, NULL} is the one point 1 and perhaps NULL.
// Whatever isn't known is contained: a value never leaves out what some row has.
type value struct {
	is     facts
	lo, hi pruning.Value // bounds of what isn't NULL, of the expression's own type
	parts  *parts        // of composite values and lambdas
}

// facts are what a value may be. The zero facts say that there is no such row.
type facts uint16

const (
	some   facts = 1 << iota // may be other than NULL
	null                     // may be NULL
	low                      // lo doesn't bound
	high                     // hi doesn't bound
	under                    // hi itself is not included
	live                     // may be better known once more keys are
	raised                   // evaluating it fails, which ends the query; nothing else is known
	minus                    // a floating point zero is written -0.0, which is the same value
)

// parts are the contents of a composite value.
type parts struct {
	items  []value      // of a tuple, list, struct or of a dict's keys
	values []value      // of a dict, as many as items; nil in a set
	fn     *closure     // a lambda
	rest   *function    // what is left of a call that waits for its last argument: DateTime::Format("%Y")
	set    *pruning.Set // all items of a long list of constants, instead of items
	nulls  bool         // and NULL is among them
	size   int          // of items, and what these are made of
}

func exactly(v pruning.Value) value { return value{is: some, lo: v, hi: v} }
func integer(n int64) value         { return exactly(pruning.Int(n)) }
func text(s string) value           { return exactly(pruning.Text(s)) }

var nullValue = value{is: null}

func boolean(b bool) value {
	if b {
		return integer(1)
	}
	return integer(0)
}

// between is an unknown value from lo through hi.
func between(lo, hi pruning.Value) value { return value{is: some, lo: lo, hi: hi} }

// unknown is any value of a type.
func unknown(t typ) value {
	v := value{is: some | null | low | high}
	if t.notNull {
		v.is &^= null
	}
	if t.isBool() {
		v.is &^= low | high
		v.lo, v.hi = pruning.Int(0), pruning.Int(1)
	}
	return v
}

// anything is any value that is not NULL; of a Bool use unknown.
var anything = value{is: some | low | high}

// known is the value, when it is exactly one scalar and not NULL.
func (v value) known() (pruning.Value, bool) { return v.lo, v.isKnown() }

func (v value) isKnown() bool {
	return v.is&(some|null|low|high|under) == some && v.lo == v.hi && v.parts == nil
}

// isNull: certainly NULL. mayNull: perhaps.
func (v value) isNull() bool  { return v.is&(some|null) == null }
func (v value) mayNull() bool { return v.is&null != 0 }

// bounded: both ends are known, which also rules out NaN unless it is the one value.
func (v value) bounded() bool { return v.is&(low|high) == 0 }

// settled: nothing is left open: one scalar, NULL, or a composite of such.
func (v value) settled() bool {
	if v.isNull() || v.isKnown() {
		return true
	}
	if v.parts == nil || v.mayNull() {
		return false
	}
	for _, x := range v.parts.items {
		if !x.settled() {
			return false
		}
	}
	for _, x := range v.parts.values {
		if !x.settled() {
			return false
		}
	}
	return true
}

// outcomes are what a Bool may be.
func (v value) outcomes() pruning.Outcomes {
	var o pruning.Outcomes
	if v.is&null != 0 {
		o |= pruning.Null
	}
	if v.is&some != 0 {
		if v.is&high != 0 || v.hi.Int() > 0 {
			o |= pruning.True
		}
		if v.is&low != 0 || v.lo.Int() < 1 {
			o |= pruning.False
		}
	}
	return o
}

// truth is the Bool with some outcomes.
func truth(o pruning.Outcomes) value {
	v := value{lo: pruning.Int(1), hi: pruning.Int(0)}
	if o&pruning.Null != 0 {
		v.is |= null
	}
	if o&pruning.True != 0 {
		v.is |= some
		v.hi = pruning.Int(1)
	}
	if o&pruning.False != 0 {
		v.is |= some
		v.lo = pruning.Int(0)
	}
	if v.is&some == 0 {
		v.lo, v.hi = pruning.Value{}, pruning.Value{}
	}
	return v
}

// join is what is known when either v or w is the case. Both are of one type.
func (v value) join(w value) value {
	switch {
	case v.is&some == 0:
		w.is |= v.is
		return w
	case w.is&some == 0:
		v.is |= w.is
		return v
	}
	out := v
	out.is |= w.is
	if v.parts != w.parts {
		return value{is: out.is | low | high}
	}
	if pruning.Compare(w.lo, v.lo) < 0 {
		out.lo = w.lo
	}
	if c := pruning.Compare(w.hi, v.hi); c > 0 {
		out.hi, out.is = w.hi, out.is&^under|w.is&under
	} else if c < 0 {
		out.is = out.is&^under | v.is&under
	} else if v.is&w.is&under == 0 {
		out.is &^= under
	}
	return out
}

// orNull is v or NULL.
func (v value) orNull() value {
	v.is |= null
	return v
}

// notNull is v where it isn't NULL.
func (v value) notNull() value {
	v.is &^= null
	return v
}

// prefixed is a text that begins with p.
func prefixed(p string) value {
	v := value{is: some | under, lo: pruning.Text(p)}
	next, ok := afterPrefix(p)
	if !ok {
		v.is = some | high
	}
	v.hi = pruning.Text(next)
	return v
}

// afterPrefix is the least text that is above all texts with prefix p; there is none for "" and "\xff…".
func afterPrefix(p string) (string, bool) {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] != 0xff {
			return p[:i] + string([]byte{p[i] + 1}), true
		}
	}
	return "", false
}

// prefix is the longest text that all values of a String begin with.
func (v value) prefix() string {
	if v.is&some == 0 || v.is&(low|high) != 0 || v.parts != nil {
		return ""
	}
	lo, hi := v.lo.Text(), v.hi.Text()
	n := 0
	for n < len(lo) && n < len(hi) && lo[n] == hi[n] {
		n++
	}
	if v.is&under == 0 || n == len(hi) {
		return lo[:n]
	}
	// Below hi = "ac", all texts from "ab" on begin with "ab".
	for k := n + 1; k <= len(lo); k++ {
		if next, ok := afterPrefix(lo[:k]); !ok || next != hi {
			break
		}
		n = k
	}
	return lo[:n]
}
