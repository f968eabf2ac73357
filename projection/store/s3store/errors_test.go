package s3store

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yqlplan/yqlplan/projection/store"
)

// say answers with an error of the protocol.
func say(status int, code string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("X-Amz-Request-Id", "1")
		w.WriteHeader(status)
		if code != "" {
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>Some words.</Message><RequestId>1</RequestId></Error>", code)
		}
		return true
	}
}

// write answers with a text as it is.
func write(text string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		w.Write([]byte(text))
		return true
	}
}

// cut ends the connection in the middle of a page.
func cut(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Content-Length", "1000")
	w.Write([]byte("<ListBucketResult><Name>bucket</Name><Contents><Key>p/a</Key></Contents>"))
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// drop ends the connection without an answer.
func drop(w http.ResponseWriter, r *http.Request) bool { panic(http.ErrAbortHandler) }

// hang answers when nobody waits any more.
func hang(w http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	return true
}

// trickle begins an answer and never ends it.
func trickle(w http.ResponseWriter, r *http.Request) bool {
	w.Write([]byte("<ListBucketResult>"))
	w.(http.Flusher).Flush()
	return hang(w, r)
}

// only has the first n requests answered by h.
func only(n int64, h func(http.ResponseWriter, *http.Request) bool) func(v *server) {
	return func(v *server) {
		v.before = func(w http.ResponseWriter, r *http.Request) bool { return v.requests.Load() <= n && h(w, r) }
	}
}

// repeatedly has all requests answered by h.
func repeatedly(h func(http.ResponseWriter, *http.Request) bool) func(v *server) {
	return func(v *server) { v.before = h }
}

const somePage = `<ListBucketResult><Name>bucket</Name><IsTruncated>true</IsTruncated><NextContinuationToken>%s</NextContinuationToken>%s</ListBucketResult>`

// loop sends one page with one token.
var loop = write(fmt.Sprintf(somePage, "t", "<Contents><Key>p/a</Key></Contents>"))

// spin sends empty pages with ever new tokens.
func spin(w http.ResponseWriter, r *http.Request) bool {
	return write(fmt.Sprintf(somePage, r.URL.Query().Get("continuation-token")+"x", ""))(w, r)
}

// TestFailures checks what is said of servers that fail.
func TestFailures(t *testing.T) {
	keysInEnvironment(t)
	for name, test := range map[string]struct {
		fault      func(v *server)
		options    Options
		what, hint string
		requests   int64
	}{
		"no bucket":       {repeatedly(say(404, "NoSuchBucket")), Options{}, "there is no bucket bucket (404 NoSuchBucket)", "whether it is at http://127", 1},
		"denied":          {repeatedly(say(403, "AccessDenied")), Options{}, "access denied (403 AccessDenied)", "--requester-pays", 1},
		"denied, pays":    {repeatedly(say(403, "AccessDenied")), Options{RequesterPays: true}, "access denied", "s3:ListBucket", 1},
		"denied, no keys": {repeatedly(say(403, "AccessDenied")), Options{Anonymous: true}, "access denied", "leave out --anonymous", 1},
		"unknown key":     {repeatedly(say(403, "InvalidAccessKeyId")), Options{}, "the server doesn't know the access key", "AWS_ACCESS_KEY_ID", 1},
		"wrong secret":    {repeatedly(say(403, "SignatureDoesNotMatch")), Options{}, "the secret key isn't the one", "have to be those of http://127", 1},
		"expired":         {repeatedly(say(400, "ExpiredToken")), Options{}, "the session token has expired", "sign in again", 1},
		"clock":           {repeatedly(say(403, "RequestTimeTooSkewed")), Options{}, "the clocks of this machine and of the server", "clock", 0},
		"another region":  {repeatedly(say(301, "PermanentRedirect")), Options{}, "the bucket is in another region", "--region", 1},
		"busy for ever":   {repeatedly(say(503, "SlowDown")), Options{}, "the server is too busy (503 SlowDown), also after 5 tries", "later", 5},
		"broken":          {repeatedly(say(500, "InternalError")), Options{Attempts: 2}, "the server fails (500 InternalError), also after 2 tries: Some words.", "later", 2},
		"not there":       {repeatedly(say(501, "NotImplemented")), Options{}, "the server fails (501 NotImplemented): Some words.", "", 1},
		"odd":             {repeatedly(say(400, "InvalidArgument")), Options{}, "the server refuses (400 InvalidArgument): Some words.", "", 1},
		"bare status":     {repeatedly(say(418, "")), Options{}, "the server refuses (418", "", 1},
		"looping token":   {repeatedly(loop), Options{}, "makes no progress", "recorded listing", 2},
		"endless pages":   {repeatedly(spin), Options{}, "makes no progress", "recorded listing", mostIdle + 1},
		"out of order":    {func(v *server) { v.keys = nil; v.before = outOfOrder() }, Options{}, "byte order", "recorded listing", 2},
		"a web page":      {repeatedly(write("<html><body>Sign in</body></html>")), Options{}, "doesn't speak the protocol of S3", "check --endpoint http://127", 1},
		"nothing":         {repeatedly(write("")), Options{}, "doesn't speak the protocol of S3", "", 1},
		"garbage":         {repeatedly(write("\x00\x01")), Options{}, "doesn't speak the protocol of S3", "", 1},
		"cut for ever":    {repeatedly(cut), Options{}, "was cut short", "", 5},
		"dropped":         {repeatedly(drop), Options{Attempts: 3}, "broke, also after 3 tries", "later", 3},
		"no answer":       {repeatedly(hang), Options{Attempts: 2, Timeout: 30 * time.Millisecond}, "gives no answer within 30ms, also after 2 tries", "later", 2},
		"half an answer":  {repeatedly(trickle), Options{Attempts: 2, Timeout: 30 * time.Millisecond}, "gives no answer within 30ms, also after 2 tries", "later", 2},
	} {
		t.Run(name, func(t *testing.T) {
			v := &server{keys: []string{"p/a", "p/b"}}
			test.fault(v)
			test.options.Endpoint = start(t, v)
			s := open(t, test.options)
			_, err := collect(s, "p/", true)
			checkError(t, err, "listing s3://bucket/p/: ", test.what, test.hint)
			if test.requests != 0 && v.requests.Load() != test.requests {
				t.Errorf("%d requests, want %d", v.requests.Load(), test.requests)
			}
		})
	}
}

// outOfOrder sends a page, and then one before it.
func outOfOrder() func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Has("continuation-token") {
			return write(fmt.Sprintf(somePage, "2", "<Contents><Key>p/a</Key></Contents>"))(w, r)
		}
		return write(fmt.Sprintf(somePage, "1", "<Contents><Key>p/b</Key></Contents>"))(w, r)
	}
}

func checkError(t *testing.T, err error, start, what, hint string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
	if !strings.HasPrefix(err.Error(), start) || !strings.Contains(e.What, what) {
		t.Errorf("got %q, want %q", err, start+what)
	}
	if !strings.Contains(e.Hint(), hint) || e.Hint() == "" && hint != "" {
		t.Errorf("hint %q, want %q", e.Hint(), hint)
	}
	for _, secret := range []string{testID, testSecret, testToken} {
		if strings.Contains(err.Error()+e.Hint(), secret) {
			t.Errorf("credentials are told: %v, %s", err, e.Hint())
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("several lines: %q", err)
	}
}

// TestRecovers checks that a fault that passes isn't noticed.
func TestRecovers(t *testing.T) {
	keysInEnvironment(t)
	for name, fault := range map[string]func(v *server){
		"busy once":    only(1, say(503, "SlowDown")),
		"busy thrice":  only(3, say(503, "SlowDown")),
		"broken once":  only(1, say(500, "InternalError")),
		"cut once":     only(1, cut),
		"dropped once": only(1, drop),
		"slow once":    only(1, hang),
		"stuck once":   only(1, trickle),
		"garbled once": only(1, write("<ListBucketResult><Contents>")),
	} {
		v := &server{keys: numbered("p/%02d", 30)}
		fault(v)
		s := open(t, Options{Endpoint: start(t, v), PageSize: 20, Timeout: 300 * time.Millisecond})
		if keys, err := collect(s, "p/", true); err != nil || len(keys) != 30 {
			t.Errorf("%s: %d keys, %v", name, len(keys), err)
		}
	}
}

func TestConfiguredAttempts(t *testing.T) {
	keysInEnvironment(t)
	t.Setenv("AWS_MAX_ATTEMPTS", "2")
	v := &server{before: say(503, "SlowDown")}
	_, err := collect(open(t, Options{Endpoint: start(t, v)}), "p/", true)
	checkError(t, err, "listing s3://bucket/p/: ", "also after 2 tries", "later")
	if v.requests.Load() != 2 {
		t.Errorf("%d requests", v.requests.Load())
	}
}

func TestNoServer(t *testing.T) {
	keysInEnvironment(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String()
	l.Close()
	_, err = collect(open(t, Options{Endpoint: address, Wait: time.Minute}), "", false)
	checkError(t, err, "listing s3://bucket/: ", l.Addr().String()+" refuses the connection", "check --endpoint "+address)
	_, err = collect(open(t, Options{Endpoint: "http://nowhere.invalid"}), "", false)
	checkError(t, err, "listing s3://bucket/: ", "there is no host nowhere.invalid", "check --endpoint")
}

func TestCertificate(t *testing.T) {
	keysInEnvironment(t)
	v := httptest.NewUnstartedServer(&server{})
	v.Config.ErrorLog = quiet
	v.StartTLS()
	defer v.Close()
	_, err := collect(open(t, Options{Endpoint: v.URL, Wait: time.Minute}), "", false)
	checkError(t, err, "listing s3://bucket/: ", "can't be trusted", "AWS_CA_BUNDLE")
}

func TestCancel(t *testing.T) {
	keysInEnvironment(t)
	for name, h := range map[string]func(http.ResponseWriter, *http.Request) bool{"no answer": hang, "half an answer": trickle, "busy": say(503, "SlowDown")} {
		v := &server{before: h}
		s := open(t, Options{Endpoint: start(t, v), Wait: time.Minute})
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(30*time.Millisecond, cancel)
		var got error
		for _, err := range s.List(ctx, "p/", true) {
			got = err
		}
		if !errors.Is(got, context.Canceled) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestInFlight checks that no more requests are under way than allowed.
func TestInFlight(t *testing.T) {
	keysInEnvironment(t)
	entered, leave := make(chan bool, 10), make(chan bool)
	v := &server{keys: []string{"p/a"}, before: func(http.ResponseWriter, *http.Request) bool {
		entered <- true
		<-leave
		return false
	}}
	s := open(t, Options{Endpoint: start(t, v), Requests: 3})
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := collect(s, "p/", true)
			done <- err
		}()
	}
	for range 3 {
		<-entered
	}
	select {
	case <-entered:
		t.Error("a fourth request")
	case <-time.After(50 * time.Millisecond):
	}
	close(leave)
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestCredentials(t *testing.T) {
	keysInEnvironment(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	v := &server{keys: []string{"p/a"}}
	address := start(t, v)
	_, err := collect(open(t, Options{Endpoint: address}), "p/", true)
	checkError(t, err, "listing s3://bucket/p/: ", "there are no credentials", "--anonymous")
	if v.requests.Load() != 0 {
		t.Error("the server was asked all the same")
	}
	if _, err := collect(open(t, Options{Endpoint: address, Anonymous: true}), "p/", true); err != nil {
		t.Error(err)
	}
}

func TestProfiles(t *testing.T) {
	keysInEnvironment(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	dir := t.TempDir()
	config, credentials := filepath.Join(dir, "config"), filepath.Join(dir, "credentials")
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := &server{keys: []string{"p/a"}}
	address := start(t, v)
	write(config, "[profile work]\nregion = eu-west-3\nendpoint_url = "+address+"\n[profile sso]\nsso_start_url = https://x\nsso_region = eu-west-3\nsso_account_id = 1\nsso_role_name = r\n")
	write(credentials, "[work]\naws_access_key_id = "+testID+"\naws_secret_access_key = "+testSecret+"\n")
	t.Setenv("AWS_CONFIG_FILE", config)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", credentials)
	t.Setenv("HOME", dir)
	if _, err := collect(open(t, Options{Profile: "work"}), "p/", true); err != nil {
		t.Fatal(err)
	}
	if a := v.headers[0].Get("Authorization"); !strings.Contains(a, testID) || !strings.Contains(a, "/eu-west-3/") {
		t.Errorf("signed by %s", a)
	}
	_, err := Open(context.Background(), Options{Bucket: "bucket", Profile: "home"})
	checkError(t, err, "", "there is no profile home", "list-profiles")
	_, err = collect(open(t, Options{Endpoint: address, Profile: "sso"}), "", true)
	checkError(t, err, "listing", "the sign-in of the profile has expired", "aws sso login --profile sso")
	if _, err := collect(open(t, Options{Endpoint: address, Profile: "sso", Anonymous: true}), "p/", true); err != nil {
		t.Error(err)
	}
	write(credentials, "[work\n"+testID+"\naws_secret_access_key "+testSecret+"\n")
	_, err = collect(open(t, Options{Endpoint: address, Profile: "work"}), "", true)
	checkError(t, err, "listing", "there are no credentials", "")
}

func TestEndpoints(t *testing.T) {
	keysInEnvironment(t)
	for endpoint, what := range map[string]string{
		"localhost:9000":               "isn't the URL of a server",
		"ftp://localhost":              "isn't the URL of a server",
		"http://":                      "isn't the URL of a server",
		"http://a b":                   "isn't the URL of a server",
		"http://host/?x=1":             "isn't the URL of a server",
		"http://" + testID + ":b@host": "a URL can't hold credentials",
		"http://" + testID + ":%zz@h":  "a URL can't hold credentials",
	} {
		_, err := Open(context.Background(), Options{Bucket: "bucket", Endpoint: endpoint})
		checkError(t, err, "", what, "")
	}
}

// TestRegion follows a bucket to its region where none is given.
func TestRegion(t *testing.T) {
	keysInEnvironment(t)
	v := &server{keys: []string{"p/a"}}
	v.before = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/s3/") {
			return false
		}
		w.Header().Set("X-Amz-Bucket-Region", "eu-west-1")
		return say(301, "PermanentRedirect")(w, r)
	}
	address := start(t, v)
	_, err := collect(open(t, Options{Endpoint: address, Region: "us-west-2"}), "p/", true)
	checkError(t, err, "listing", "the bucket is in the region eu-west-1", "give --region eu-west-1")
	s := open(t, Options{Endpoint: address})
	s.Endpoint, s.Region = "", "" // as if it were the endpoint of all regions
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if keys, err := collect(s, "p/", true); err != nil || len(keys) != 1 {
				t.Errorf("%q, %v", keys, err)
			}
		})
	}
	wait.Wait()
	v.requests.Store(0)
	if keys, err := collect(s, "p/", true); err != nil || len(keys) != 1 || v.requests.Load() != 1 {
		t.Errorf("%q, %v, %d requests", keys, err, v.requests.Load())
	}
}

var _ store.Lister = (*Store)(nil)
