package planner

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yqlplan/yqlplan/pruning"
)

// yqlCalls are the functions that predicates over partition columns use (YQL, "Built-in functions" and the UDF modules
// DateTime, String, Unicode and Math).
func yqlCalls() *callTable {
	return &callTable{
		plain: yqlPlain(),
		modules: map[string]map[string]*function{
			"DateTime": yqlDateTime(),
			"String":   yqlString(),
			"Unicode":  yqlUnicode(),
			"Math":     yqlMath(),
			"Re2":      {}, "Json": {}, "Yson": {}, "Url": {}, "Digest": {}, "Ip": {}, "Hyperscan": {}, "Pire": {},
		},
		rows: words("random randomnumber randomuuid currenttzdate currenttzdatetime currenttztimestamp tablerow " +
			"jointablerow tablepath tablename tablerecordindex filepath filecontent foldercontent currentoperationid " +
			"currentauthenticateduser currentoperationsharedid"),
		types: words("ensuretype ensureconvertibleto listcreate setcreate dictcreate nothing convertto unpickle formattype instanceof " +
			"optionaltype listtype streamtype dicttype tupletype structtype varianttype callabletype taggedtype typehandle weakfield variant"),
		totals: words("count sum avg min max some countif sumif avgif minby maxby top bottom topby bottomby aggregatelist " +
			"aggregatelistdistinct aggregatedictmany boolor booland boolxor bitand bitor bitxor median percentile histogram " +
			"linearhistogram variance stddev correlation covariance mode topfreq countdistinctestimate hyperloglog " +
			"aggregateby multiaggregateby udaf rownumber rank denserank percentrank ntile cumedist lag lead firstvalue " +
			"lastvalue nthvalue sessionstart sessionwindow hopstart hopend grouping"),
	}
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

func yqlPlain() map[string]*function {
	return map[string]*function{
		"coalesce":   coalesceFn,
		"nvl":        coalesceFn,
		"if":         ifFn,
		"nullif":     nullIfFn,
		"length":     lengthFn("LENGTH", false),
		"len":        lengthFn("LEN", false),
		"substring":  substringFn("SUBSTRING", false),
		"find":       findFn("FIND", strings.Index),
		"rfind":      findFn("RFIND", strings.LastIndex),
		"startswith": testText("StartsWith", strings.HasPrefix, prefixSet),
		"endswith":   testText("EndsWith", strings.HasSuffix, nil),
		"minof":      extreme("MIN_OF", -1),
		"maxof":      extreme("MAX_OF", 1),
		"least":      extreme("LEAST", -1),
		"greatest":   extreme("GREATEST", 1),
		"abs":        absFn,
		"just":       identityFn("Just", false),
		"ensure":     identityFn("Ensure", false),
		"ensuretype": identityFn("EnsureType", false),
		"unwrap":     identityFn("Unwrap", true),
		"astuple":    tupleFn,
		"aslist":     listFn,
		"asset":      listFn,
		"listcreate": {name: "ListCreate", max: -1, result: func([]expr) (typ, bool) { return typ{}, true }, span: openSpan},
		"listhas":    listHasFn,
		"listlength": listLengthFn,
	}
}

// openSpan is the result of a function that is known by name only.
func openSpan(a *apply, _ []value) value { return unknown(a.t) }

func yqlString() map[string]*function {
	one := func(name string, ascii bool, f func(string) string) *function {
		return ofText("String::"+name, 1, ascii, func(x []string) string { return f(x[0]) })
	}
	return map[string]*function{
		"Strip":               one("Strip", true, func(s string) string { return strings.Trim(s, " \t\n\v\f\r") }),
		"AsciiToLower":        one("AsciiToLower", false, asciiLower),
		"AsciiToUpper":        one("AsciiToUpper", false, asciiUpper),
		"ToLower":             one("ToLower", true, asciiLower),
		"ToUpper":             one("ToUpper", true, asciiUpper),
		"Reverse":             one("Reverse", true, reverse),
		"ReplaceAll":          replaceAllFn("String::ReplaceAll"),
		"Contains":            testText("String::Contains", strings.Contains, nil),
		"HasPrefix":           testText("String::HasPrefix", strings.HasPrefix, prefixSet),
		"StartsWith":          testText("String::StartsWith", strings.HasPrefix, prefixSet),
		"HasSuffix":           testText("String::HasSuffix", strings.HasSuffix, nil),
		"EndsWith":            testText("String::EndsWith", strings.HasSuffix, nil),
		"HasPrefixIgnoreCase": foldTest("String::HasPrefixIgnoreCase", strings.HasPrefix),
		"HasSuffixIgnoreCase": foldTest("String::HasSuffixIgnoreCase", strings.HasSuffix),
		"Find":                placeFn("String::Find", strings.Index),
		"ReverseFind":         placeFn("String::ReverseFind", strings.LastIndex),
		"LeftPad":             padFn("String::LeftPad", true),
		"RightPad":            padFn("String::RightPad", false),
		"Substring":           substringFn("String::Substring", false),
		"SplitToList":         splitFn,
	}
}

// foldTest ignores the case of ASCII letters; texts with others are left open.
func foldTest(name string, test func(s, x string) bool) *function {
	return &function{name: name, min: 2, max: 2, result: takes("t", scalar(pruning.Bool)),
		call: func(a *apply, args []value) value {
			s, x := args[0].lo.Text(), args[1].lo.Text()
			if !isASCII(s) || !isASCII(x) {
				return truth(pruning.True | pruning.False)
			}
			return boolean(test(asciiLower(s), asciiLower(x)))
		}}
}

// placeFn is String::Find: -1 where the text isn't found.
func placeFn(name string, index func(s, x string) int) *function {
	return &function{name: name, min: 2, max: 2, result: takes("t", scalar(pruning.Int64)),
		call: func(_ *apply, args []value) value { return integer(int64(index(args[0].lo.Text(), args[1].lo.Text()))) }}
}

// splitFn is String::SplitToList(text, separator); settings behind these leave it open.
var splitFn = &function{name: "String::SplitToList", min: 2, max: 5,
	result: func(args []expr) (typ, bool) {
		_, ok := takes("t", typ{})(args[:2])
		return listOf(scalar(pruning.String)).nullIf(args[:1]), ok
	},
	call: func(a *apply, args []value) value {
		s, sep := args[0].lo.Text(), args[1].lo.Text()
		if len(args) > 2 || sep == "" || a.t.shape != listShape {
			return anything
		}
		p := &parts{}
		for _, x := range strings.Split(s, sep) {
			p.items = append(p.items, text(x))
		}
		return value{is: some, parts: p}
	}}

func asciiUpper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}

func reverse(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

func yqlUnicode() map[string]*function {
	one := func(name string, f func(string) string) *function {
		return ofText("Unicode::"+name, 1, true, func(x []string) string { return f(x[0]) })
	}
	return map[string]*function{
		"GetLength": lengthFn("Unicode::GetLength", true),
		"Substring": substringFn("Unicode::Substring", true),
		"ToLower":   one("ToLower", asciiLower),
		"ToUpper":   one("ToUpper", asciiUpper),
		"Strip":     one("Strip", func(s string) string { return strings.Trim(s, " \t\n\v\f\r") }),
		"Reverse":   one("Reverse", reverse),
		"Normalize": one("Normalize", func(s string) string { return s }),
		"IsUtf": {name: "Unicode::IsUtf", min: 1, max: 1, result: takes("t", scalar(pruning.Bool)),
			call: func(_ *apply, args []value) value { return boolean(utf8.ValidString(args[0].lo.Text())) }},
	}
}

func yqlMath() map[string]*function {
	rising := func(fn *function) *function {
		fn.rise = "+"
		return fn
	}
	return map[string]*function{
		"Floor": rising(mathFn("Math::Floor", math.Floor)),
		"Ceil":  rising(mathFn("Math::Ceil", math.Ceil)),
		"Trunc": rising(mathFn("Math::Trunc", math.Trunc)),
		"Sqrt":  mathFn("Math::Sqrt", math.Sqrt),
		"Abs":   mathFn("Math::Abs", math.Abs),
	}
}

func yqlDateTime() map[string]*function {
	out := map[string]*function{
		"Split":            makeFn("DateTime::Split", pruning.Timestamp),
		"MakeDate":         makeFn("DateTime::MakeDate", pruning.Date),
		"MakeDatetime":     makeFn("DateTime::MakeDatetime", pruning.Datetime),
		"MakeTimestamp":    makeFn("DateTime::MakeTimestamp", pruning.Timestamp),
		"ShiftYears":       shiftFn("DateTime::ShiftYears", 12),
		"ShiftQuarters":    shiftFn("DateTime::ShiftQuarters", 3),
		"ShiftMonths":      shiftFn("DateTime::ShiftMonths", 1),
		"ToSeconds":        sinceFn("DateTime::ToSeconds", pruning.Uint32, 1e6),
		"ToMilliseconds":   sinceFn("DateTime::ToMilliseconds", pruning.Uint64, 1e3),
		"ToMicroseconds":   sinceFn("DateTime::ToMicroseconds", pruning.Uint64, 1),
		"FromSeconds":      fromFn("DateTime::FromSeconds", scalar(pruning.Timestamp), 1e6),
		"FromMilliseconds": fromFn("DateTime::FromMilliseconds", scalar(pruning.Timestamp), 1e3),
		"FromMicroseconds": fromFn("DateTime::FromMicroseconds", scalar(pruning.Timestamp), 1),
	}
	out["GetMonthName"] = dateName("DateTime::GetMonthName", func(c civil) string { return time.Month(c.m).String() })
	out["GetDayOfWeekName"] = dateName("DateTime::GetDayOfWeekName", func(c civil) string { return time.Weekday(weekday(c) % 7).String() })
	out["TimeOfDay"] = timeOfDay
	out["StartOf"] = startOfInterval
	out["ParseIso8601"] = dateParser("DateTime::ParseIso8601", readISO)
	out["ParseRfc822"] = dateParser("DateTime::ParseRfc822", readLayout("Mon, 2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 -0700"))
	out["ParseHttp"] = dateParser("DateTime::ParseHttp", readLayout("Monday, 02-Jan-06 15:04:05 -0700", "Mon, 02 Jan 2006 15:04:05 -0700"))
	out["ParseX509"] = dateParser("DateTime::ParseX509", readLayout("20060102150405Z"))
	for name, p := range dateParts() {
		out[name] = p.function("DateTime::"+name, false)
	}
	for name, u := range dateUnits() {
		out["StartOf"+name] = startOf("DateTime::StartOf"+name, u.first)
		out["EndOf"+name] = endOf("DateTime::EndOf"+name, u.next)
	}
	for name, unit := range map[string]int64{"Days": microsADay, "Hours": 3600e6, "Minutes": 60e6, "Seconds": 1e6,
		"Milliseconds": 1e3, "Microseconds": 1} {
		out["IntervalFrom"+name] = fromFn("DateTime::IntervalFrom"+name, scalar(pruning.Interval), unit)
		if _, ok := out["To"+name]; !ok {
			fn := sinceFn("DateTime::To"+name, pruning.Int64, unit)
			fn.result = takes("v", scalar(pruning.Int64))
			out["To"+name] = fn
		}
	}
	return out
}

// dateUnits are the units of StartOf… and EndOf…: where the unit of an instant begins and where the next one does.
func dateUnits() map[string]dateUnit {
	return map[string]dateUnit{
		"Year":    {func(c civil) int64 { return monthStart(c.y, 1) }, func(c civil) int64 { return monthStart(c.y+1, 1) }},
		"Quarter": {func(c civil) int64 { return monthStart(c.y, (c.m-1)/3*3+1) }, func(c civil) int64 { return monthsLater(c.y, (c.m-1)/3*3+1, 3) }},
		"Month":   {func(c civil) int64 { return monthStart(c.y, c.m) }, func(c civil) int64 { return monthsLater(c.y, c.m, 1) }},
		"Week":    {func(c civil) int64 { return monday(c) }, func(c civil) int64 { return monday(c) + 7*microsADay }},
		"Day":     {func(c civil) int64 { return c.days * microsADay }, func(c civil) int64 { return (c.days + 1) * microsADay }},
	}
}

type dateUnit struct{ first, next func(c civil) int64 }

func monday(c civil) int64 { return (c.days + 1 - weekday(c)) * microsADay }
