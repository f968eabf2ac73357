package projection

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/datefmt"
)

// Declarations that are legal and probably not meant so. These rules are the same in every system that computes its
// partitions; each tells where the setting stands and how it is written there.

// NumberSetting is what a declaration says of a column of numbers.
type NumberSetting struct {
	Column   string
	Min, Max int64
	Lo, Hi   Text // where these stand
	Digits   int  // 0: numbers aren't filled
	// Fill is a hint how digits are declared: add projection.month.digits = "2".
	Fill func(column string, digits int) string
}

// calendarPart is a part of a date as a column counts it.
type calendarPart struct {
	names  []string
	lo, hi int64
}

// calendar are columns that count parts of a date, by the names that they usually have.
var calendar = []calendarPart{
	{[]string{"month", "mon", "mm"}, 1, 12},
	{[]string{"day", "dd"}, 1, 31},
	{[]string{"hour", "hh", "hr"}, 0, 23},
	{[]string{"minute", "mi"}, 0, 59},
	{[]string{"second", "sec", "ss"}, 0, 59},
}

// DoubtNumbers warns of numbers that are no months, days, hours or minutes, of zeros that paths won't have, and of years out
// of reach.
func (f *Findings) DoubtNumbers(numbers []NumberSetting, now time.Time) {
	for _, n := range numbers {
		f.doubtNumber(n, now)
	}
	f.doubtPadding(numbers)
}

func (f *Findings) doubtNumber(n NumberSetting, now time.Time) {
	column := strings.ToLower(n.Column)
	for _, c := range calendar {
		if !slices.Contains(c.names, column) {
			continue
		}
		if n.Min == c.lo-1 {
			f.Warnf("lint.calendar", n.Lo, "write "+strconv.FormatInt(c.lo, 10), "%s begins at %d, and there is no such %s", n.Column, n.Min, c.names[0])
		}
		if n.Max == c.hi+1 {
			f.Warnf("lint.calendar", n.Hi, "write "+strconv.FormatInt(c.hi, 10), "%s ends at %d, and there is no such %s", n.Column, n.Max, c.names[0])
		}
	}
	if n.Digits == 0 {
		for _, t := range []Text{n.Lo, n.Hi} {
			if s := strings.TrimSpace(t.S); len(s) > 1 && s[0] == '0' && n.Max > 0 {
				f.Warnf("lint.digits", t, n.Fill(n.Column, len(s)), "the zero in front of %s has no effect: paths have %s", s, strings.TrimLeft(s[:len(s)-1], "0")+s[len(s)-1:])
				break
			}
		}
	}
	if last := int64(now.Year() + farYears); IsYear(column) && n.Max > last {
		f.Notef("lint.end", n.Hi, fmt.Sprintf("write a nearer year, such as %d", now.Year()+1), "%s goes on to %d: partitions of a far future are looked for in vain", n.Column, n.Max)
	}
}

// IsYear reports whether a column has a name that those of years have.
func IsYear(column string) bool { return slices.Contains(yearNames, strings.ToLower(column)) }

var yearNames = []string{"year", "yyyy", "yr"}

// doubtPadding warns of parts of a date of which some are declared with leading zeros and others aren't: paths have them for
// all or for none.
func (f *Findings) doubtPadding(numbers []NumberSetting) {
	padded := slices.IndexFunc(numbers, func(n NumberSetting) bool { return n.Digits == 2 && isCalendar(n.Column) })
	if padded < 0 {
		return
	}
	for _, n := range numbers {
		if n.Digits == 0 && isCalendar(n.Column) && n.Min < 10 && n.Lo.S != "" && n.Lo.S[0] != '0' {
			f.Warnf("lint.digits", n.Lo, n.Fill(n.Column, 2), "paths have %d for %s, without a zero in front, and two digits for %s", n.Min, n.Column, numbers[padded].Column)
		}
	}
}

func isCalendar(column string) bool {
	return slices.ContainsFunc(calendar, func(c calendarPart) bool { return slices.Contains(c.names, strings.ToLower(column)) })
}

// farYears is how far a table may reach into the future without a remark.
const farYears = 20

// Enums of more values than mostWords are better declared otherwise (Athena user guide: a few dozen).
const mostWords = 100

// DoubtItems looks at listed values as they stand between commas, where blanks are part of them and repetitions are legal.
func (f *Findings) DoubtItems(column string, items []Text) {
	const code = "lint.enum"
	seen := make(map[string]bool, len(items))
	for _, t := range items {
		trimmed := strings.TrimSpace(t.S)
		switch {
		case trimmed == "":
			f.Warnf(code, t, "drop it", "a value of %s is empty", column)
			continue
		case trimmed != t.S:
			f.Warnf(code, t, "write "+Quote(trimmed)+" without blanks", "the blank at an end of %s is part of the value", Quote(t.S))
		}
		if seen[t.S] {
			f.Warnf(code, t, "drop one of them", "%s lists %s twice", column, Quote(t.S))
		}
		seen[t.S] = true
	}
}

// DoubtWords looks at the listed values of a column as a whole.
func (f *Findings) DoubtWords(column string, words []string, at ast.Node) {
	const code = "lint.enum"
	isDay := func(w string) bool { _, ok := datefmt.ParseDay(w); return ok }
	switch {
	case len(words) == 1:
		f.Notef(code, at, "write it into the template", "%s has one value only: nothing is told apart", column)
	case len(words) > mostWords:
		f.Notef(code, at, "declare the values by a rule, or as directories that are listed", "%s lists %d values, and a few dozen are what enums are for", column, len(words))
	case len(words) > 3 && sequence(words):
		f.Notef(code, at, "use the type integer", "the values of %s are the numbers %s to %s", column, words[0], words[len(words)-1])
	case len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !isDay(w) }):
		f.Notef(code, at, "use the type date", "the values of %s are dates", column)
	}
}

// sequence reports whether words are whole numbers that follow each other.
func sequence(words []string) bool {
	before, err := strconv.ParseInt(words[0], 10, 64)
	for _, w := range words[1:] {
		n, bad := strconv.ParseInt(w, 10, 64)
		if err != nil || bad != nil || n != before+1 {
			return false
		}
		before = n
	}
	return err == nil
}

// DateSetting is what a declaration says of a column of dates.
type DateSetting struct {
	Column       string
	Format       *datefmt.Format
	Unit         datefmt.Unit
	Interval     int64
	Min, Max     int64 // microseconds since 1970
	At           Text  // where the format stands
	Lo, Hi       Text  // where the bounds stand
	TextOfFormat bool  // the column's values are texts in this format, and compared as such
}

// DoubtDates warns of patterns whose letters were confused, of steps that don't fit the pattern, and of ends out of reach.
func (f *Findings) DoubtDates(dates []DateSetting, now time.Time) {
	for _, d := range dates {
		f.doubtDate(d, now)
	}
}

func (f *Findings) doubtDate(s DateSetting, now time.Time) {
	for _, doubt := range s.Format.Doubts() {
		f.Warnf("lint.pattern", s.At, "", "the format %s: %s", Quote(s.At.S), doubt)
	}
	if s.Format.ShortYear() {
		f.Notef("lint.pattern", s.At, "", "the format %s has years of two digits, which tell no century", Quote(s.At.S))
	}
	lo, hi := datefmt.FromMicros(s.Min), datefmt.FromMicros(s.Max)
	if s.TextOfFormat && s.Min < s.Max && !s.Format.Ordered(lo, hi) {
		f.Warnf("lint.order", s.At, "begin with the year, then the month, then the day, with zeros in front",
			"texts of the format %s don't sort as dates: conditions such as %s >= … compare texts", Quote(s.At.S), s.Column)
	}
	f.doubtSteps(s, lo)
	if end := s.Hi.S; !IsNow(end) && hi.Year > int32(now.Year()+farYears) {
		f.Notef("lint.end", s.Hi, "write NOW, or a nearer date", "%s goes on to %s: partitions of a far future are looked for in vain", s.Column, strings.TrimSpace(end))
	}
}

// length is the least time that the format's finest unit takes, in microseconds: two dates that lie further apart have two texts.
func (s *DateSetting) length() int64 {
	const day = 24 * 60 * 60 * 1_000_000
	switch u := s.Format.Finest(); {
	case u.Micros() > 0:
		return u.Micros()
	case u == datefmt.Months:
		return 28 * day
	}
	return 365 * day
}

// stepsOfText is how many units of the steps one text stands for, at the least.
func (s *DateSetting) stepsOfText() int64 {
	if s.Unit == datefmt.Months {
		return 12
	}
	return s.length() / s.Unit.Micros()
}

// doubtSteps compares the steps with what the pattern shows.
func (f *Findings) doubtSteps(s DateSetting, lo datefmt.Civil) {
	finest := s.Format.Finest()
	switch {
	case finest > s.Unit && finest > datefmt.Days && s.Unit != datefmt.NoUnit:
		what := "the time of " + strings.TrimSpace(s.Lo.S)
		if IsNow(s.Lo.S) {
			what = "the time at which the query runs"
		}
		f.Warnf("lint.step", s.At, "step by "+finest.String()+", or leave what is finer out of the format",
			"the format %s is finer than the step of %s: all values of %s have %s", Quote(s.At.S), s.Unit, s.Column, what)
	case s.Unit > finest && finest != datefmt.NoUnit && s.Interval < s.stepsOfText():
		f.Warnf("lint.step", s.At, "step by "+finest.String(), "steps of %d %s are finer than the format %s: several have one text", s.Interval, s.Unit, Quote(s.At.S))
	}
	if (s.Unit == datefmt.Months || s.Unit == datefmt.Years) && lo.Day > 28 && finest >= datefmt.Days {
		f.Warnf("lint.drift", s.Lo, "begin at a day up to 28", "steps of %s from day %d drift to the last day of the shortest month met", s.Unit, lo.Day)
	}
}

// DoubtSplit tells that a date which stands in several columns has combinations that are no dates.
func (f *Findings) DoubtSplit(numbers []NumberSetting, dates []DateSetting, at ast.Node) {
	var parts []string // columns of numbers by what they count
	has := func(names []string) bool {
		i := slices.IndexFunc(numbers, func(n NumberSetting) bool { return slices.Contains(names, strings.ToLower(n.Column)) })
		if i >= 0 {
			parts = append(parts, numbers[i].Column)
		}
		return i >= 0
	}
	has(yearNames)
	if months, days := has(calendar[0].names), has(calendar[1].names); months && days {
		f.Notef("lint.split", at, "one column of the type date, with slashes in its format, has real days only",
			"one date stands in several columns, which know nothing of each other: February has a 31st here")
	}
	whole := slices.DeleteFunc(slices.Clone(dates), func(d DateSetting) bool { return d.Format.Lacks() != "" })
	for _, d := range whole {
		parts, at = append(parts, d.Column), d.At
	}
	if len(whole) > 0 && len(parts) > 1 {
		f.Warnf("lint.split", at, "project one date, and cut it into parts in queries", "%s repeat one another and know nothing of each other: every combination is looked for", enumerated(parts))
	}
}

// enumerated is a list in words: "a, b and c".
func enumerated(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// DoubtTemplate warns of placeholders that nothing separates from each other, or from the word behind.
func (f *Findings) DoubtTemplate(t Text) {
	const code, hint = "lint.template", "put a separator between them"
	if i := strings.Index(t.S, "}${"); i >= 0 {
		f.Warnf(code, t.Part(i, i+3), hint, "nothing separates two columns in the template")
	}
	for i := range t.S {
		if t.S[i] != '}' {
			continue
		}
		word := t.S[i+1:]
		word = word[:len(word)-len(strings.TrimLeft(word, letters))]
		if len(word) > 1 { // 2024-05-01T00 is a usual form
			f.Warnf(code, t.Part(i, i+1+len(word)), hint, "nothing separates a column from %s in the template", Quote(word))
			return
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
