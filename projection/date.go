package projection

import (
	"math"
	"sync"

	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// DateSpec declares a [Date] axis.
type DateSpec struct {
	Key int
	// Type says how an instant becomes the key's value: Date, the day; Datetime and Timestamp, the time as far as the
	// type has it; an integer type, the days since 1970-01-01; String, the day in ISO 8601 (YDB) or, with Path, the
	// text in paths (Athena).
	Type     pruning.Type
	Path     bool
	Format   *datefmt.Format
	Unit     datefmt.Unit // Years Months Weeks Days Hours Minutes Seconds Milliseconds
	Interval int64        // units in a step; less than 1 counts as 1
	Min, Max int64        // the first instant and the end, included, in microseconds since 1970-01-01T00:00:00Z
	From, To string       // the bounds as written where they are NOW expressions
	Sorted   int          // most branches to sort by text, as in [Limits]; 0: the default
}

// Date is the axis of the instants min, min+interval units, … up to max, in closed form: nothing depends on how many
// there are. Months and years move along the calendar from the previous value, so that a clamped day stays:
// 2024-01-31, 2024-02-29, 2024-03-29 (YDB, yql_s3_path_generator.cpp; Trino, DateProjection.java).
type Date struct {
	*steps
	spec    DateSpec
	format  *datefmt.Format
	value   dateValue
	texts   func() *dateTexts
	stripes []dateStripe
	turning turning
}

// dateValue is how an instant becomes a value.
type dateValue uint8

const (
	dateNumber   dateValue = iota // microseconds divided by scale
	dateUnsigned                  // the same of an unsigned type
	dateISO
	datePath
)

// NewDate makes the axis; Min after Max makes an empty one.
func NewDate(s DateSpec) *Date {
	a := &Date{steps: newSteps(s.Unit, max(1, s.Interval), s.Min, s.Max), spec: s, format: s.Format}
	if !a.empty {
		a.stripes, a.turning = a.findStripes(), a.turns()
		a.texts = sync.OnceValue(a.newTexts)
	}
	switch {
	case s.Type.Kind == pruning.String && s.Path:
		a.value = datePath
	case s.Type.Kind == pruning.String:
		a.value = dateISO
	case unsigned(s.Type.Kind):
		a.value = dateUnsigned
	}
	return a
}

// scale is the number of microseconds in a unit of the key's type; a negative one is the number of units in a
// microsecond.
func (a *Date) scale() int64 {
	switch a.spec.Type.Kind {
	case pruning.Datetime:
		return datefmt.Seconds.Micros()
	case pruning.Timestamp:
		n := int64(1)
		for p := a.spec.Type.Precision; p < 6; p++ {
			n *= 10
		}
		for p := a.spec.Type.Precision; p > 6; p-- {
			n *= 10
		}
		if a.spec.Type.Precision > 6 {
			return -n
		}
		return n
	}
	return day
}

// Last implements [Axis].
func (a *Date) Last() (uint64, bool) { return a.last, !a.empty }

// Instant is the time of branch i in microseconds since 1970-01-01T00:00:00Z.
func (a *Date) Instant(i uint64) int64 { return a.at(i) }

// Value implements [Axis].
func (a *Date) Value(i uint64) (v pruning.Value, null, ok bool) {
	switch a.value {
	case datePath:
		return pruning.Text(string(a.AppendName(nil, i))), false, true
	case dateISO:
		return pruning.Text(string(a.civil(i).AppendDay(nil))), false, true
	}
	n := a.at(i)
	if scale := a.scale(); scale > 0 {
		n = floorDiv(n, scale)
	} else {
		n *= -scale
	}
	if a.value == dateUnsigned {
		return pruning.Uint(uint64(n)), false, true
	}
	return pruning.Int(n), false, true
}

// AppendName implements [Axis].
func (a *Date) AppendName(dst []byte, i uint64) []byte { return a.format.Append(dst, a.civil(i)) }

// Runs implements [Axis]. It takes a division or a binary search for each end of an interval of d.
func (a *Date) Runs(dst []Run, d pruning.Diagram) ([]Run, error) {
	switch {
	case a.empty:
		return dst, nil
	case a.value == datePath:
		return a.texts().runs(dst, d), nil
	}
	return valueRuns(dst, d, a.spec.Key, a.last, a), nil
}

// between implements inverse for values that don't descend.
func (a *Date) between(dst []Run, lo, hi *pruning.Value, rest pruning.Diagram) []Run {
	i, j := uint64(0), a.last+1
	if lo != nil {
		i = a.from(*lo)
	}
	if hi != nil {
		j = a.from(*hi)
	}
	if i >= j {
		return dst
	}
	return appendRun(dst, Run{i, j - 1, rest})
}

// from is the number of branches with values below v.
func (a *Date) from(v pruning.Value) uint64 {
	switch a.value {
	case dateISO:
		return a.fromISO(v.Text())
	case dateUnsigned:
		if v.Uint() > math.MaxInt64 {
			return a.last + 1
		}
		return a.below(scaledInstant(int64(v.Uint()), day))
	}
	return a.below(scaledInstant(v.Int(), a.scale()))
}

// scaledInstant is the least instant whose value is n or more.
func scaledInstant(n, scale int64) int64 {
	switch {
	case scale < 0:
		return -floorDiv(-n, -scale)
	case n > math.MaxInt64/scale:
		return math.MaxInt64
	case n < math.MinInt64/scale:
		return math.MinInt64
	}
	return n * scale
}

// fromISO is from for days in ISO 8601, whose texts ascend in the years 0 to 9999. What is no day is searched for.
func (a *Date) fromISO(text string) uint64 {
	if n, ok := datefmt.ParseDay(text[:min(10, len(text))]); ok {
		if len(text) > 10 { // behind that day, before the next
			n++
		}
		return a.below(n * day)
	}
	var buf [32]byte
	i, j := floorDiv(a.start, day), floorDiv(a.at(a.last), day)+1
	for i < j {
		mid := i + (j-i)/2
		if string(datefmt.FromDays(mid).AppendDay(buf[:0])) < text {
			i = mid + 1
		} else {
			j = mid
		}
	}
	return a.below(i * day)
}

func floorDiv(a, b int64) int64 { return (a - mod(a, b)) / b }
