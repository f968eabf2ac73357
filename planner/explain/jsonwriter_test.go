package explain

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
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
		"0": true, "-5": true, "1.5": true, "1e+06": true, "1.5e-7": true,
		"9007199254740992": true, "9007199254740993": false, "-9007199254740992": true, "-9007199254740993": false,
		"170141183460469231731687303715884105727": false,
		"0.1234567890123456789":                   false,
		"inf":                                     false, "nan": false,
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
