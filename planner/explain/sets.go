package explain

import (
	"iter"
	"math/big"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// interval is a stretch of a column's values: lo ≤ v < hi, a nil end being open.
type interval struct {
	lo, hi *pruning.Value
	point  bool // lo is the only value
}

// intervals yields a set's intervals. Those that hold one value are marked, also where the type ends there: the set
// {true} reaches to the top.
func intervals(t pruning.Type, s pruning.Set) iter.Seq[interval] {
	return func(yield func(interval) bool) {
		for lo, hi := range s.Intervals() {
			i := interval{lo: lo, hi: hi}
			if lo == nil && hi != nil {
				if least := t.Min(); isNext(t, least, *hi) {
					i.lo = &least
				}
			}
			if i.lo != nil {
				if hi == nil {
					top, ok := t.Max()
					i.point = ok && pruning.Compare(*i.lo, top) == 0
				} else {
					i.point = isNext(t, *i.lo, *hi)
				}
			}
			if !yield(i) {
				return
			}
		}
	}
}

// isNext reports whether no value lies between v and w.
func isNext(t pruning.Type, v, w pruning.Value) bool {
	next, ok := t.Succ(v)
	return ok && pruning.Compare(next, w) == 0
}

const shownIntervals = 8

// setText says which values a column has: "1–3 or 12", "2021-03-01 – 2021-03-31", "any but 'x'", "'a…' or NULL".
func setText(t pruning.Type, k pruning.KeySet) string {
	if k.Set.IsEmpty() {
		return "NULL"
	}
	if k.Set.IsFull() {
		return "not NULL"
	}
	set, words := k.Set, ""
	if rest := set.Complement(); isPoints(t, rest) && !isPoints(t, set) {
		set, words = rest, "any but "
	}
	parts, n := intervalTexts(t, set)
	switch {
	case k.Null && words == "":
		parts = append(parts, "NULL")
	case k.Null:
		words = "NULL or " + words
	}
	switch {
	case n > shownIntervals:
		words += strings.Join(parts, ", ") + " … (" + projection.Grouped(big.NewInt(int64(n))) + " ranges)"
	case len(parts) > 1:
		last := len(parts) - 1
		words += strings.Join(parts[:last], ", ") + " or " + parts[last]
	default:
		words += parts[0]
	}
	return words
}

// intervalTexts are the first intervals of a set as text, and how many there are.
func intervalTexts(t pruning.Type, s pruning.Set) (texts []string, n int) {
	for i := range intervals(t, s) {
		if n++; n <= shownIntervals {
			texts = append(texts, intervalText(t, i))
		}
	}
	return texts, n
}

// isPoints reports whether a set is a few single values.
func isPoints(t pruning.Type, s pruning.Set) bool {
	n := 0
	for i := range intervals(t, s) {
		if n++; !i.point || n > shownIntervals {
			return false
		}
	}
	return n > 0
}

// intervalText writes an interval as people do: whole numbers and dates with both ends included, others by comparisons.
func intervalText(t pruning.Type, i interval) string {
	switch {
	case i.point:
		return valueText(t, *i.lo)
	case i.lo == nil && i.hi == nil:
		return "any"
	case i.hi == nil:
		return lowerText(t, *i.lo)
	case i.lo == nil:
		return upperText(t, *i.hi)
	case t.Kind == pruning.String && isPrefix(i.lo.Text(), i.hi.Text()):
		return strings.TrimSuffix(valueText(t, *i.lo), "'") + "…'"
	case isStepped(t):
		last, _ := t.Pred(*i.hi)
		from, to := valueText(t, *i.lo), valueText(t, last)
		if t.Kind == pruning.Date || from[0] == '-' {
			return from + " – " + to
		}
		return from + "–" + to
	}
	return lowerText(t, *i.lo) + " and " + upperText(t, *i.hi)
}

func lowerText(t pruning.Type, lo pruning.Value) string {
	if v, ok := behind(t, lo); ok {
		return "> " + valueText(t, v)
	}
	return "≥ " + valueText(t, lo)
}

func upperText(t pruning.Type, hi pruning.Value) string {
	if v, ok := behind(t, hi); ok || isStepped(t) {
		return "≤ " + valueText(t, v)
	}
	return "< " + valueText(t, hi)
}

// behind is the value just below a cut, where people would name that one: 1.5 rather than 1.5000000000000002.
func behind(t pruning.Type, cut pruning.Value) (v pruning.Value, ok bool) {
	v, ok = t.Pred(cut)
	if isStepped(t) || !ok {
		return v, false
	}
	return v, len(valueText(t, v)) < len(valueText(t, cut))
}

// isStepped reports whether a type's values are counted off: whole numbers and days.
func isStepped(t pruning.Type) bool {
	return pruning.Int8 <= t.Kind && t.Kind <= pruning.Uint128 || t.Kind == pruning.Date
}

// isPrefix reports whether the strings from lo to below hi are those that begin with lo.
func isPrefix(lo, hi string) bool {
	n := len(lo)
	return n > 0 && len(hi) == n && lo[:n-1] == hi[:n-1] && hi[n-1] == lo[n-1]+1
}

const shownText = 40

// valueText is a value as people write it, strings in quotes and long ones shortened.
func valueText(t pruning.Type, v pruning.Value) string {
	text := string(t.AppendLiteral(nil, v))
	if t.Kind == pruning.String && len(text) > shownText {
		return clip(text, shownText) + "'"
	}
	return text
}

// regionText is a box of key values on one line: "year 2021, month 1–3 or 12".
func regionText(keys []pruning.Key, r pruning.Region) string {
	if len(r) == 0 {
		return "everything"
	}
	var b strings.Builder
	for n, k := range r {
		if n > 0 {
			b.WriteString(", ")
		}
		b.WriteString(printable(keys[k.Key].Name))
		b.WriteByte(' ')
		b.WriteString(setText(keys[k.Key].Type, k))
	}
	return b.String()
}
