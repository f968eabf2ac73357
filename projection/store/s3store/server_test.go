package s3store

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/yqlplan/yqlplan/projection/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server answers ListObjectsV2 as servers do that were met, faults included.
type server struct {
	keys []string

	emptyLast bool // the last page is empty
	repeat    bool // a directory is told on two pages
	ignore    bool // StartAfter is ignored
	noToken   bool // tokens are left out
	plain     bool // keys aren't encoded
	unsorted  bool // a page stands upside down
	before    func(w http.ResponseWriter, r *http.Request) (done bool)

	requests atomic.Int64
	mu       sync.Mutex
	seen     []url.Values
	headers  []http.Header
	hosts    []string
}

// listing is the answer of the protocol (Amazon S3 API reference, ListObjectsV2).
type listing struct {
	XMLName        xml.Name `xml:"ListBucketResult"`
	Name           string
	Prefix         string
	KeyCount       int
	MaxKeys        int
	EncodingType   string `xml:",omitempty"`
	IsTruncated    bool
	Token          string `xml:"NextContinuationToken,omitempty"`
	Contents       []object
	CommonPrefixes []dir
}

type object struct {
	Key          string
	Size         int
	LastModified time.Time
}

type dir struct{ Prefix string }

func (v *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.requests.Add(1)
	v.mu.Lock()
	v.seen, v.headers, v.hosts = append(v.seen, r.URL.Query()), append(v.headers, r.Header.Clone()), append(v.hosts, r.Host+r.URL.Path)
	v.mu.Unlock()
	if v.before != nil && v.before(w, r) {
		return
	}
	v.list(w, r.URL.Query())
}

// list answers a request. A token is the last entry of the page before.
func (v *server) list(w http.ResponseWriter, q url.Values) {
	prefix, token, after := q.Get("prefix"), q.Get("continuation-token"), q.Get("start-after")
	out := listing{Name: "bucket", Prefix: prefix, MaxKeys: 1000}
	if n, err := strconv.Atoi(q.Get("max-keys")); err == nil {
		out.MaxKeys = n
	}
	if v.ignore {
		after = ""
	}
	wholeDir := strings.HasSuffix(token, "/") && q.Get("delimiter") != ""
	if v.repeat && wholeDir {
		out.CommonPrefixes = append(out.CommonPrefixes, dir{token})
	}
	last := ""
	for _, key := range v.keys[sort.SearchStrings(v.keys, max(prefix, token, after)):] {
		below, ok := strings.CutPrefix(key, prefix)
		if !ok {
			break
		}
		name, isDir := key, false
		if i := strings.IndexByte(below, '/'); i >= 0 && q.Get("delimiter") != "" {
			name, isDir = prefix+below[:i+1], true
		}
		if key <= after || key <= token || wholeDir && strings.HasPrefix(key, token) || name == last {
			continue
		}
		if out.KeyCount == out.MaxKeys {
			out.IsTruncated = true
			break
		}
		out.KeyCount++
		last = name
		if isDir {
			out.CommonPrefixes = append(out.CommonPrefixes, dir{name})
		} else {
			out.Contents = append(out.Contents, object{name, len(key), time.Unix(1700000000, 0).UTC()})
		}
	}
	v.finish(&out, last)
	if !v.plain && q.Get("encoding-type") != "" {
		out.encode()
	}
	w.Header().Set("Content-Type", "application/xml")
	xml.NewEncoder(w).Encode(out)
}

// finish says how to go on behind the last entry.
func (v *server) finish(out *listing, last string) {
	if v.emptyLast && out.KeyCount > 0 {
		out.IsTruncated = true
	}
	if out.IsTruncated && !v.noToken {
		out.Token = last
	}
	if v.unsorted {
		slices.Reverse(out.Contents)
		slices.Reverse(out.CommonPrefixes)
	}
}

func (l *listing) encode() {
	l.EncodingType = "url"
	for i := range l.Contents {
		l.Contents[i].Key = url.QueryEscape(l.Contents[i].Key)
	}
	for i := range l.CommonPrefixes {
		l.CommonPrefixes[i].Prefix = url.QueryEscape(l.CommonPrefixes[i].Prefix)
	}
}

// start runs a handler until the test ends.
func start(t tester, h http.Handler) string {
	v := httptest.NewUnstartedServer(h)
	v.Config.ErrorLog = quiet
	v.Start()
	t.Cleanup(func() {
		v.CloseClientConnections()
		v.Close()
	})
	return v.URL
}

type tester interface {
	Helper()
	Cleanup(func())
	Fatal(...any)
	Fatalf(string, ...any)
}

// Keys as no real one may look. Messages mustn't hold the last two.
const (
	testID     = "AKIDFORTESTSONLY"
	testSecret = "verysecretverysecretverysecret"
	testToken  = "sessiontokensessiontoken"
)

// keysInEnvironment has the configuration come from the environment alone.
func keysInEnvironment(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": testID, "AWS_SECRET_ACCESS_KEY": testSecret, "AWS_SESSION_TOKEN": testToken,
		"AWS_REGION": "", "AWS_DEFAULT_REGION": "", "AWS_PROFILE": "", "AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_S3": "",
		"AWS_CONFIG_FILE": "/nonexistent", "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_MAX_ATTEMPTS": "", "AWS_CA_BUNDLE": "", "HTTP_PROXY": "", "HTTPS_PROXY": "", "http_proxy": "", "https_proxy": "",
	} {
		t.Setenv(name, value)
	}
}

// open makes a Store that waits little between tries.
func open(t tester, o Options) *Store {
	t.Helper()
	if o.Bucket == "" {
		o.Bucket = "bucket"
	}
	if o.Wait == 0 {
		o.Wait = time.Millisecond
	}
	s, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// collect gives the keys of a listing.
func collect(l store.Lister, prefix string, deep bool) (keys []string, err error) {
	for e, err := range l.List(context.Background(), prefix, deep) {
		if err != nil {
			return keys, err
		}
		keys = append(keys, e.Key)
	}
	return keys, nil
}

// numbered are n keys of the given form.
func numbered(form string, n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf(form, i)
	}
	slices.Sort(keys)
	return keys
}

// quiet is a log of servers that are broken on purpose.
var quiet = log.New(io.Discard, "", 0)
