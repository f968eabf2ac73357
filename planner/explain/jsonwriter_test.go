package explain

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

func TestJSONStringAgainstEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.SampledFrom([]byte("a\"\\\n\t\x00\x1f\x7f\x80\xc3\xa9\xe2\x82\xac\xff<&>"))).Draw(t, "bytes"))
		var want string
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		for _, quoted := range [][]byte{appendJSONString(nil, s), appendJSONString(nil, []byte(s))} {
			var got string
			if err := json.Unmarshal(quoted, &got); err != nil || got != want {
				t.Fatalf("%q became %s, which reads %q (%v), want %q", s, quoted, got, err, want)
			}
		}
	})
}

func TestFitsDouble(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-5": true, "1.5": true, "-0.000000000000001": true, "123456789012.345": true, "1234567890123.456": false,
		"9007199254740992": true, "9007199254740993": false, "-9007199254740992": true, "-9007199254740993": false,
		"170141183460469231731687303715884105727": false, "12345678901234567.25": false,
	} {
		if got := fitsDouble([]byte(text)); got != want {
			t.Errorf("fitsDouble(%s) = %v", text, got)
		}
		if want && !json.Valid([]byte(text)) {
			t.Errorf("%s is no JSON number", text)
		}
	}
}

func TestJSONWriterShape(t *testing.T) {
	var b strings.Builder
	j := &jsonWriter{w: &b}
	j.open('{')
	j.key("list").open('[')
	j.openInline('{')
	j.key("a").int(1)
	j.key("b").open('[')
	j.null()
	j.bool(true)
	j.close(']')
	j.key("c").open('{')
	j.close('}')
	j.close('}')
	j.openInline('{')
	j.close('}')
	j.close(']')
	j.key("none").open('[')
	j.close(']')
	j.key("big").count(new(big.Int).Lsh(one, 60))
	j.key("small").count(big.NewInt(7))
	j.key("unknown").count(nil)
	j.key("text").stringOrNull("")
	j.close('}')
	j.flush()
	want := `{
  "list": [
    { "a": 1, "b": [ null, true ], "c": {} },
    {}
  ],
  "none": [],
  "big": "1152921504606846976",
  "small": 7,
  "unknown": null,
  "text": null
}`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

type failing struct{ writes int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	f.writes++
	return 0, errFull
}

func TestJSONWriterStopsAtFirstError(t *testing.T) {
	f := new(failing)
	j := &jsonWriter{w: f}
	j.open('[')
	for range 3 * jsonBlock {
		j.openInline('{')
		j.close('}')
	}
	j.flush()
	if !errors.Is(j.err, errFull) || f.writes != 1 {
		t.Errorf("error %v after %d writes", j.err, f.writes)
	}
	if cap(j.buf) > 4*jsonBlock {
		t.Errorf("%d bytes held", cap(j.buf))
	}
}

// TestJSONValues: every value is valid JSON of the kind that its type wants.
func TestJSONValues(t *testing.T) {
	parse := func(typ pruning.Type, text string) pruning.Value {
		v, err := typ.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	decimal := pruning.Type{Kind: pruning.Decimal, Precision: 38, Scale: 2}
	wide := pruning.Type{Kind: pruning.Int128}
	date := pruning.Type{Kind: pruning.Date}
	for _, test := range []struct {
		typ  pruning.Type
		v    pruning.Value
		want string
	}{
		{pruning.Type{Kind: pruning.Bool}, pruning.Int(1), "true"},
		{pruning.Type{Kind: pruning.Int32}, pruning.Int(-7), "-7"},
		{pruning.Type{Kind: pruning.Int64}, pruning.Int(math.MinInt64), `"-9223372036854775808"`},
		{pruning.Type{Kind: pruning.Uint64}, pruning.Uint(math.MaxUint64), `"18446744073709551615"`},
		{pruning.Type{Kind: pruning.Uint64}, pruning.Uint(5), "5"},
		{wide, parse(wide, "12"), "12"},
		{wide, parse(wide, "170141183460469231731687303715884105727"), `"170141183460469231731687303715884105727"`},
		{pruning.Type{Kind: pruning.Float64}, pruning.Float(0.5), "0.5"},
		{pruning.Type{Kind: pruning.Float64}, pruning.Float(1e300), "1e+300"},
		{pruning.Type{Kind: pruning.Float64}, pruning.Float(-1e-300), "-1e-300"},
		{pruning.Type{Kind: pruning.Float64}, pruning.Float(0.30000000000000004), "0.30000000000000004"},
		{pruning.Type{Kind: pruning.Float64}, pruning.Float(math.Inf(-1)), `"-Inf"`},
		{decimal, parse(decimal, "-1.50"), "-1.50"},
		{decimal, parse(decimal, "123456789012345678901.25"), `"123456789012345678901.25"`},
		{pruning.Type{Kind: pruning.String}, pruning.Text("7"), `"7"`},
		{date, parse(date, "2021-01-01"), `"2021-01-01"`},
	} {
		var b strings.Builder
		j := &jsonWriter{w: &b}
		j.value(test.typ, test.v)
		j.flush()
		if b.String() != test.want || !json.Valid([]byte(b.String())) {
			t.Errorf("%v: %s, want %s", test.typ, b.String(), test.want)
		}
	}
}
