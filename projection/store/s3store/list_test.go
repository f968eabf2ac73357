package s3store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/projection/store"
)

// TestAgainstKeys compares listings with those of the recorded keys, whatever surprises the server has.
func TestAgainstKeys(t *testing.T) {
	keysInEnvironment(t)
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab./0 +%é]{1,6}`), 0, 40, rapid.ID).Draw(t, "keys")
		slices.Sort(keys)
		root := rapid.SampledFrom([]string{"", "", "a/", "b/a/"}).Draw(t, "root")
		v := &server{
			keys: keys, repeat: rapid.Bool().Draw(t, "directory twice"), noToken: rapid.Bool().Draw(t, "no token"),
			plain: rapid.Bool().Draw(t, "plain keys"), unsorted: rapid.Bool().Draw(t, "upside down"),
		}
		v.emptyLast = !v.noToken && rapid.Bool().Draw(t, "empty last page")
		s := open(t, Options{Endpoint: start(t, v), Prefix: root, PageSize: int32(rapid.IntRange(2, 7).Draw(t, "page"))})
		var below []string
		for _, k := range keys {
			if k, ok := strings.CutPrefix(k, root); ok {
				below = append(below, k)
			}
		}
		want := store.NewKeys(below)
		for range 3 {
			prefix := rapid.StringMatching(`[ab./0]{0,3}`).Draw(t, "prefix")
			deep := rapid.Bool().Draw(t, "deep")
			got, err := collect(s, prefix, deep)
			if err != nil {
				t.Fatal(err)
			}
			wanted, _ := collect(want, prefix, deep)
			if diff := cmp.Diff(wanted, got); diff != "" {
				t.Fatalf("List(%q, %v): %s", prefix, deep, diff)
			}
		}
	})
}

func TestPagesOnDemand(t *testing.T) {
	keysInEnvironment(t)
	v := &server{keys: numbered("p/%04d", 2500)}
	s := open(t, Options{Endpoint: start(t, v)})
	for _, test := range []struct {
		take     int
		requests int64
	}{{1, 1}, {1000, 1}, {1001, 2}, {2500, 3}} {
		v.requests.Store(0)
		var m store.Meter
		n := 0
		for _, err := range s.List(m.Context(context.Background()), "p/", true) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == test.take {
				break
			}
		}
		if v.requests.Load() != test.requests || m.Requests() != test.requests {
			t.Errorf("%d entries took %d requests, told as %d", test.take, v.requests.Load(), m.Requests())
		}
	}
	var m store.Meter
	for range s.List(m.Context(context.Background()), "p/", true) {
	}
	if m.Entries() != 2500 || m.Bytes() != 2500*6 {
		t.Errorf("%d entries of %d bytes", m.Entries(), m.Bytes())
	}
}

func TestEntries(t *testing.T) {
	keysInEnvironment(t)
	s := open(t, Options{Endpoint: start(t, &server{keys: []string{"lake/", "lake/a", "lake/d/", "lake/d/b"}}), Prefix: "lake/"})
	var got []store.Entry
	for e, err := range s.List(context.Background(), "", false) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	if len(got) != 2 || got[0].Key != "a" || got[0].Size != 6 || got[0].Modified.Unix() != 1700000000 {
		t.Errorf("objects: %+v", got)
	}
	if d := got[1]; d.Key != "d/" || d.Size != -1 || !d.Modified.IsZero() {
		t.Errorf("directory: %+v", d)
	}
}

func TestPageLimit(t *testing.T) {
	keysInEnvironment(t)
	v := &server{keys: numbered("p/%04d", 50)}
	s := open(t, Options{Endpoint: start(t, v), PageSize: 10})
	m := store.Meter{Limit: 3}
	n := 0
	var got error
	for _, err := range s.List(m.Context(context.Background()), "p/", true) {
		if got = err; err == nil {
			n++
		}
	}
	if n != 30 || !errors.As(got, new(*store.LimitError)) || v.requests.Load() != 3 {
		t.Errorf("%d entries of %d requests, %v", n, v.requests.Load(), got)
	}
}

// TestRequests looks at what is sent.
func TestRequests(t *testing.T) {
	keysInEnvironment(t)
	yes := true
	for name, test := range map[string]struct {
		options Options
		check   func(v *server) bool
	}{
		"signed": {Options{Region: "eu-north-1"}, func(v *server) bool {
			a := v.headers[0].Get("Authorization")
			return strings.Contains(a, testID) && strings.Contains(a, "/eu-north-1/s3/")
		}},
		"anonymous":             {Options{Anonymous: true}, func(v *server) bool { return v.headers[0].Get("Authorization") == "" }},
		"requester pays":        {Options{RequesterPays: true}, func(v *server) bool { return v.headers[0].Get("X-Amz-Request-Payer") == "requester" }},
		"owner pays":            {Options{}, func(v *server) bool { return v.headers[0].Get("X-Amz-Request-Payer") == "" }},
		"path style":            {Options{}, func(v *server) bool { return strings.HasSuffix(v.hosts[0], "/bucket") }},
		"path style, asked for": {Options{PathStyle: &yes}, func(v *server) bool { return strings.HasSuffix(v.hosts[0], "/bucket") }},
		"prefix": {Options{Prefix: "lake/"}, func(v *server) bool {
			q := v.seen[0]
			return q.Get("prefix") == "lake/p/" && q.Get("delimiter") == "/" && q.Get("list-type") == "2" && !q.Has("max-keys")
		}},
	} {
		v := &server{keys: []string{"p/a"}}
		test.options.Endpoint = strings.Replace(start(t, v), "127.0.0.1", "localhost", 1)
		if _, err := collect(open(t, test.options), "p/", false); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !test.check(v) {
			t.Errorf("%s: %v %v %v", name, v.hosts, v.seen, v.headers)
		}
	}
}

// TestHostStyle finds the bucket's name in the host, whether or not that host is known here.
func TestHostStyle(t *testing.T) {
	keysInEnvironment(t)
	v, no := &server{}, false
	_, err := collect(open(t, Options{Endpoint: strings.Replace(start(t, v), "127.0.0.1", "localhost", 1), PathStyle: &no}), "", false)
	if e := (*Error)(nil); errors.As(err, &e) {
		if e.What != "there is no host bucket.localhost" || !strings.Contains(e.Hint(), "--path-style") {
			t.Errorf("%v, %s", err, e.Hint())
		}
	} else if !strings.HasPrefix(v.hosts[0], "bucket.localhost:") {
		t.Errorf("asked for %s", v.hosts[0])
	}
}

func TestParseURL(t *testing.T) {
	for address, want := range map[string][2]string{
		"s3://bucket":         {"bucket", ""},
		"s3://bucket/":        {"bucket", ""},
		"s3://bucket/a":       {"bucket", "a/"},
		"s3://bucket/a/b%20/": {"bucket", "a/b%20/"},
		"s3a://my.bucket-1/é": {"my.bucket-1", "é/"},
	} {
		bucket, prefix, err := ParseURL(address)
		if err != nil || bucket != want[0] || prefix != want[1] {
			t.Errorf("ParseURL(%q) = %q, %q, %v", address, bucket, prefix, err)
		}
	}
	for address, want := range map[string]string{
		"s3://":                          "a bucket is wanted",
		"s3:bucket":                      "a bucket is wanted",
		"s3:///prefix":                   "a bucket is wanted",
		"s3://ab":                        "no bucket can be named ab",
		"s3://a b c":                     "no bucket can be named a b c",
		"s3://arn:aws:s3:::bucket/a":     "an ARN is no bucket",
		"s3://" + testID + ":k@bucket/a": "a URL can't hold credentials",
	} {
		_, _, err := ParseURL(address)
		var e *Error
		if !errors.As(err, &e) || e.What != want || e.Hint() == "" || strings.Contains(err.Error()+e.Hint(), testID) {
			t.Errorf("ParseURL(%q): %v", address, err)
		}
	}
}
