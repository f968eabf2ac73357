package pruning

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var allTypes = []Type{{Kind: Bool}, {Kind: Int8}, {Kind: Int16}, {Kind: Int32}, {Kind: Int64}, {Kind: Int128}, {Kind: Uint8},
	{Kind: Uint16}, {Kind: Uint32}, {Kind: Uint64}, {Kind: Uint128}, {Kind: Float32}, {Kind: Float64}, {Kind: String}, {Kind: UUID},
	{Kind: Decimal, Precision: 4, Scale: 2}, {Kind: Decimal, Precision: 38}, {Kind: Decimal, Precision: 38, Scale: 38}, {Kind: Date},
	{Kind: Datetime}, {Kind: Timestamp}, {Kind: Timestamp, Precision: 1}, {Kind: Timestamp, Precision: 3}, {Kind: Timestamp, Precision: 8},
	{Kind: Timestamp, Precision: 9}, {Kind: Time}, {Kind: Interval}}

// genOf draws a value of a type, ends and their neighbours often.
func genOf(t *rapid.T, typ Type) Value {
	lo, top := typ.Min(), Value{}
	top, bounded := typ.Max()
	switch form := rapid.IntRange(0, 5).Draw(t, "form"); {
	case form == 0:
		return lo
	case form == 1 && bounded:
		return top
	case form == 2:
		v, _ := typ.Succ(lo)
		return v
	}
	switch {
	case typ.Kind == String:
		return Text(rapid.StringOf(rapid.SampledFrom([]rune("\x00'\\aé"))).Draw(t, "text"))
	case typ.Kind == UUID:
		return Text(string(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid")))
	case typ.Kind == Float32:
		return Float(float64(rapid.Float32().Draw(t, "float")))
	case typ.Kind == Float64:
		return Float(rapid.Float64().Draw(t, "float"))
	}
	from, to := typ.Big(lo), typ.Big(top)
	x := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 17).Draw(t, "number"))
	x.Mod(x, new(big.Int).Add(new(big.Int).Sub(to, from), big.NewInt(1)))
	if rapid.Bool().Draw(t, "near zero") && from.Sign() < 0 {
		x.Mod(x, big.NewInt(1000)).Sub(x, from).Sub(x, big.NewInt(500))
	}
	v, ok := typ.FromBig(x.Add(x, from))
	if !ok {
		v = lo
	}
	return v
}

func TestTypes(t *testing.T) {
	for _, typ := range allTypes {
		t.Run(typ.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkType(t, typ) })
		})
	}
}

func checkType(t *rapid.T, typ Type) {
	v, w := genOf(t, typ), genOf(t, typ)
	text := string(typ.Append(nil, v))
	if back, err := typ.Parse(text); err != nil || back != v {
		t.Fatalf("%v prints as %s, which is read as %v, %v", v, text, back, err)
	}
	if !typ.Holds(v) {
		t.Fatalf("%s isn't in range", text)
	}
	top, bounded := typ.Max()
	next, ok := typ.Succ(v)
	if ok != (!bounded || v != top) {
		t.Fatalf("successor of %s: %v", text, ok)
	}
	if ok {
		if Compare(v, next) >= 0 || Compare(v, w) < 0 && Compare(w, next) < 0 {
			t.Fatalf("%s isn't the successor of %s", typ.Append(nil, next), text)
		}
		if back, ok := typ.Pred(next); !ok || back != v {
			t.Fatalf("%s isn't the predecessor of its successor", text)
		}
	}
	prev, ok := typ.Pred(v)
	if typ.Kind != String && ok != (v != typ.Min()) {
		t.Fatalf("predecessor of %s: %v", text, ok)
	}
	if ok {
		if back, _ := typ.Succ(prev); back != v {
			t.Fatalf("%s isn't the successor of its predecessor", text)
		}
	}
	checkOrder(t, typ, v, w)
}

// checkOrder compares two values by what they mean.
func checkOrder(t *rapid.T, typ Type, v, w Value) {
	want := 0
	switch a, b := typ.Big(v), typ.Big(w); {
	case a != nil:
		want = a.Cmp(b)
		if back, ok := typ.FromBig(a); !ok || back != v {
			t.Fatalf("%v is read as %v", a, back)
		}
	case typ.Kind == Float32 || typ.Kind == Float64:
		switch x, y := v.Float(), w.Float(); {
		case x < y || y != y && x == x:
			want = -1
		case x > y || x != x && y == y:
			want = 1
		}
	default:
		want = strings.Compare(v.Text(), w.Text())
	}
	if got := Compare(v, w); got != want {
		t.Fatalf("%s and %s compare as %d", typ.Append(nil, v), typ.Append(nil, w), got)
	}
}

func TestParse(t *testing.T) {
	i32, u8, dec := Type{Kind: Int32}, Type{Kind: Uint8}, Type{Kind: Decimal, Precision: 5, Scale: 2}
	day, sec, micro := Type{Kind: Date}, Type{Kind: Datetime}, Type{Kind: Timestamp}
	for _, c := range []struct {
		t          Type
		text, want string // want: canonical text, or ! and a part of the error
	}{
		{i32, "02", "2"}, {i32, "+5", "5"}, {i32, "-0", "0"}, {i32, "-2147483648", "-2147483648"},
		{i32, "00000000000000000000000000000000000000000000000000001", "1"},
		{i32, "2147483648", "!want -2147483648…2147483647"}, {i32, "99999999999999999999999999999999999999999999", "!range"},
		{i32, "", "!a whole number"}, {i32, "-", "!a whole"}, {i32, "1.0", "!a whole"}, {i32, " 1", "!a whole"}, {i32, "1e3", "!a whole"},
		{i32, "١", "!a whole"}, {i32, "0x10", "!a whole"}, {i32, "--1", "!a whole"},
		{u8, "255", "255"}, {u8, "-0", "0"}, {u8, "256", "!want 0…255"}, {u8, "-1", "!range"},
		{Type{Kind: Int64}, "-9223372036854775808", "-9223372036854775808"}, {Type{Kind: Int64}, "9223372036854775808", "!range"},
		{Type{Kind: Uint64}, "18446744073709551615", "18446744073709551615"}, {Type{Kind: Uint64}, "18446744073709551616", "!range"},
		{Type{Kind: Int128}, "-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"},
		{Type{Kind: Int128}, "170141183460469231731687303715884105728", "!range"},
		{Type{Kind: Uint128}, "340282366920938463463374607431768211455", "340282366920938463463374607431768211455"},
		{Type{Kind: Uint128}, "340282366920938463463374607431768211456", "!range"},
		{dec, "1", "1.00"}, {dec, "-0.05", "-0.05"}, {dec, "1.2300", "1.23"}, {dec, "999.99", "999.99"}, {dec, "1000", "!range"},
		{dec, "1.234", "!at most 2 digits"}, {dec, ".5", "!digits"}, {dec, "5.", "!digits"}, {dec, "1.x", "!digits"}, {dec, "1.23x", "!digits"},
		{Type{Kind: Float64}, "1e3", "1000"}, {Type{Kind: Float64}, "-0", "0"}, {Type{Kind: Float64}, "nan", "NaN"},
		{Type{Kind: Float64}, "1e999", "!range"}, {Type{Kind: Float32}, "1e39", "!range"}, {Type{Kind: Float64}, "0x1p4", "!a number"},
		{Type{Kind: Float64}, "1_0", "!a number"}, {Type{Kind: Float32}, "0.1", "0.1"},
		{Type{Kind: Bool}, "TRUE", "true"}, {Type{Kind: Bool}, "1", "!true or false"},
		{day, "2024-02-29", "2024-02-29"}, {day, "0000-01-01", "0000-01-01"}, {day, "9999-12-31", "9999-12-31"},
		{day, "2023-02-29", "!a day of the calendar"}, {day, "2023-13-01", "!calendar"}, {day, "2023-00-01", "!calendar"},
		{day, "2023-1-1", "!YYYY-MM-DD"}, {day, "2023-01-01 ", "!YYYY"}, {day, "20230101", "!YYYY"}, {day, "+202-01-01", "!YYYY"},
		{sec, "2021-01-01T00:00:00Z", "2021-01-01T00:00:00Z"}, {sec, "1969-12-31 23:59:59", "1969-12-31T23:59:59Z"},
		{sec, "2021-01-01", "!YYYY-MM-DDThh:mm:ss"}, {sec, "2021-01-01T24:00:00Z", "!hh:mm:ss"}, {sec, "2021-01-01T00:00:00.5Z", "!ss"},
		{sec, "2021-01-01T00:00:00+03:00", "!ss"}, {sec, "2021-02-30T00:00:00Z", "!calendar"},
		{micro, "2021-01-01T00:00:00.5Z", "2021-01-01T00:00:00.500000Z"}, {micro, "2021-01-01T00:00:00.1234567Z", "!ffffff"},
		{micro, "2021-01-01T00:00:00.Z", "!ffffff"}, {micro, "0000-01-01T00:00:00.000001", "0000-01-01T00:00:00.000001Z"},
		{Type{Kind: Timestamp, Precision: 9}, "1677-09-21T00:12:43.145224192Z", "1677-09-21T00:12:43.145224192Z"},
		{Type{Kind: Timestamp, Precision: 9}, "1677-09-21T00:12:43.145224191Z", "!range"},
		{Type{Kind: Timestamp, Precision: 9}, "2262-04-11T23:47:16.854775807Z", "2262-04-11T23:47:16.854775807Z"},
		{Type{Kind: Timestamp, Precision: 9}, "2262-04-11T23:47:16.854775808Z", "!range"},
		{Type{Kind: Timestamp, Precision: 9}, "9999-01-01T00:00:00Z", "!range"},
		{Type{Kind: Time}, "23:59:59.25", "23:59:59.250000"}, {Type{Kind: Time}, "24:00:00", "!hh:mm:ss"}, {Type{Kind: Time}, "1:00:00", "!hh"},
		{Type{Kind: Interval}, "P1DT2H", "P1DT2H"}, {Type{Kind: Interval}, "-PT90M", "-PT1H30M"}, {Type{Kind: Interval}, "P1W", "P7D"},
		{Type{Kind: Interval}, "PT0.5S", "PT0.500000S"}, {Type{Kind: Interval}, "P", "!want"}, {Type{Kind: Interval}, "PT", "!want"},
		{Type{Kind: Interval}, "P1DT", "!want"}, {Type{Kind: Interval}, "PT1M1H", "!want"}, {Type{Kind: Interval}, "P1Y", "!want"},
		{Type{Kind: Interval}, "P999999999999999D", "!range"}, {Type{Kind: Interval}, "P99999999999999999999999D", "!range"},
		{Type{Kind: Interval}, "PT1.5M", "!want"}, {Type{Kind: Interval}, "P1T2H", "!want"},
		{Type{Kind: UUID}, "00112233-4455-6677-8899-AABBCCDDEEFF", "00112233-4455-6677-8899-aabbccddeeff"},
		{Type{Kind: UUID}, "00112233445566778899aabbccddeeff", "!8-4-4-4-12"}, {Type{Kind: UUID}, "0011223g-4455-6677-8899-aabbccddeeff", "!hex"},
		{Type{Kind: String}, "", ""}, {Type{}, "x", "!compared"},
	} {
		v, err := c.t.Parse(c.text)
		got := string(c.t.Append(nil, v))
		if err != nil {
			got = "!" + err.Error()
		}
		part, isErr := strings.CutPrefix(c.want, "!")
		var pe *ParseError
		switch {
		case isErr != (err != nil) || !isErr && got != c.want:
			t.Errorf("%v %q: got %s, want %s", c.t, c.text, got, c.want)
		case isErr && part == "range":
			if !errors.As(err, &pe) || !pe.Range {
				t.Errorf("%v %q: %v isn't about the range", c.t, c.text, err)
			}
		case isErr && !strings.Contains(got, part):
			t.Errorf("%v %q: got %s, want %s", c.t, c.text, got, c.want)
		}
	}
}

func TestTypeLimits(t *testing.T) {
	wide := Type{Kind: Decimal}
	if top, ok := wide.Max(); !ok || string(wide.Append(nil, top)) != strings.Repeat("9", 38) {
		t.Errorf("a decimal without precision reaches to %s", wide.Append(nil, top))
	}
	if _, ok := (Type{}).Max(); ok || (Type{}).Min() != bottom {
		t.Error("an untyped column has ends")
	}
	for _, typ := range allTypes { // a Value of another type is nonsense, but no reason to panic
		for _, v := range []Value{{}, Int(5), Text("x"), bottom} {
			typ.Append(nil, v)
			typ.Succ(v)
			typ.Pred(v)
			typ.Big(v)
		}
	}
	if _, ok := (Type{}).Succ(Int(1)); ok {
		t.Error("an untyped column has successors")
	}
	for _, c := range []struct {
		t Type
		x string
	}{{Type{Kind: Int8}, "128"}, {Type{Kind: Uint64}, "-1"}, {Type{Kind: Int128}, "170141183460469231731687303715884105728"},
		{Type{Kind: Uint128}, "-1"}, {Type{Kind: Decimal, Precision: 4, Scale: 2}, "10000"}, {Type{Kind: String}, "1"},
		{Type{Kind: Float64}, "1"}, {Type{Kind: Int64}, "1000000000000000000000000000000000000000000"}} {
		x, _ := new(big.Int).SetString(c.x, 10)
		if v, ok := c.t.FromBig(x); ok {
			t.Errorf("%v holds %s as %v", c.t, c.x, v)
		}
	}
	long := strings.Repeat("x", 1000)
	if _, err := (Type{Kind: Int8}).Parse(long); len(err.Error()) > 200 {
		t.Errorf("a long text is told in full: %v", err)
	}
}

func TestTypeAllocs(t *testing.T) {
	buf := make([]byte, 0, 64)
	for text, typ := range map[string]Type{"-12": {Kind: Int32}, "12": {Kind: Uint64}, "2021-01-01": {Kind: Date},
		"2021-01-01T00:00:00.5Z": {Kind: Timestamp}, "true": {Kind: Bool}, "1.5": {Kind: Float64}, "x": {Kind: String}} {
		n := testing.AllocsPerRun(100, func() {
			v, err := typ.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			buf = typ.Append(buf[:0], v)
			typ.Succ(v)
		})
		if n > 0 && typ.Kind != String || n > 1 { // a string's successor is a new string
			t.Errorf("%v: %v allocations", typ, n)
		}
	}
}

// Parse must not fail in other ways than by an error, and what it reads must be in range and print as itself.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "-1.5", "2021-01-01T00:00:00.5Z", "P1DT2H", "NaN", "true", "00112233-4455-6677-8899-aabbccddeeff", "12:00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, typ := range append(slices.Clone(allTypes), Type{}) {
			v, err := typ.Parse(text)
			if err != nil {
				if err.Error() == "" {
					t.Error("an error without text")
				}
				continue
			}
			if back, err := typ.Parse(string(typ.Append(nil, v))); err != nil || back != v || !typ.Holds(v) {
				t.Errorf("%v %q is %v, printed and read again %v, %v", typ, text, v, back, err)
			}
		}
	})
}

func TestFloats(t *testing.T) {
	order := []float64{math.Inf(-1), -math.MaxFloat64, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64, 1,
		math.MaxFloat64, math.Inf(1), math.NaN()}
	for i, f := range order {
		if i > 0 && Compare(Float(order[i-1]), Float(f)) >= 0 {
			t.Errorf("%v isn't below %v", order[i-1], f)
		}
	}
	negZero := math.Copysign(0, -1)
	if Float(negZero) != Float(0) {
		t.Error("-0.0 isn't 0.0")
	}
	if Float(math.Float64frombits(0xfff8000000000123)) != Float(math.NaN()) {
		t.Error("two NaNs")
	}
	for _, k := range []Kind{Float32, Float64} {
		twins := Type{Kind: k}.Twins(Float(0))
		if len(twins) != 1 || math.Float64bits(twins[0].Float()) != math.Float64bits(negZero) {
			t.Errorf("twins of 0.0 are %v", twins)
		}
		if got := (Type{Kind: k}).Twins(Float(1)); got != nil {
			t.Errorf("twins of 1.0 are %v", got)
		}
	}
}

// The calendar agrees with the time package.
func TestCivil(t *testing.T) {
	epoch := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		days := int64(rapid.IntRange(-5_000_000, 5_000_000).Draw(t, "days"))
		y, m, d := CivilFromDays(days)
		want := time.Unix(days*86400, 0).UTC()
		if y != want.Year() || m != int(want.Month()) || d != want.Day() {
			t.Fatalf("day %d is %d-%d-%d, want %v", days, y, m, d, want)
		}
		if back := DaysFromCivil(y, m, d); back != days {
			t.Fatalf("%v is day %d", want, back)
		}
		if last := epoch.AddDate(y-1970, m, -1).Day(); DaysInMonth(y, m) != last {
			t.Fatalf("%d-%d has %d days, want %d", y, m, DaysInMonth(y, m), last)
		}
		n := int64(rapid.IntRange(-50_000, 50_000).Draw(t, "months"))
		y2, m2, d2 := CivilFromDays(AddMonths(days, n))
		if got := int64(y2-y)*12 + int64(m2-m); got != n || d2 != min(d, DaysInMonth(y2, m2)) {
			t.Fatalf("%v and %d months are %d-%d-%d", want, n, y2, m2, d2)
		}
	})
}
