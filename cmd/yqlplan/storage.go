package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/projection/store/s3store"
)

// storage are the flags that say where objects are listed. Without one nothing outside the process is touched.
type storage struct {
	Objects string `xor:"storage" placeholder:"FILE" help:"A recorded listing that stands for the storage: one object key a line, or a JSON array of strings."`
	Store   string `xor:"storage" placeholder:"URL" help:"List objects there: s3://bucket/prefix, a directory, or file:///directory."`
	s3flags
}

// s3flags say how the server of an s3:// store is reached. The rest comes from AWS_… variables and ~/.aws.
type s3flags struct {
	Endpoint      endpoint `placeholder:"SERVER" help:"The server of s3:// stores, such as http://localhost:9000. Default: Amazon S3."`
	Region        string   `placeholder:"NAME" help:"The region of s3:// stores. Default: the configured one, or else the bucket's."`
	Profile       string   `placeholder:"NAME" help:"The profile in ~/.aws that s3:// stores are listed with."`
	Anonymous     bool     `help:"List s3:// stores without credentials, as public buckets allow."`
	PathStyle     *bool    `negatable:"" help:"Whether the name of an s3:// store's bucket stands in the path instead of the host. Default: with --endpoint."`
	RequesterPays bool     `help:"Agree to be charged by s3:// stores whose owners want it."`
}

// open gives what the flags name, or nil.
func (s storage) open(ctx context.Context) (store.Lister, error) {
	scheme, _, isURL := strings.Cut(s.Store, "://")
	bucket := isURL && isS3(scheme)
	switch flag := s.s3flags.set(); {
	case flag != "" && !bucket:
		return nil, usageError{fmt.Errorf("%s is for stores such as --store s3://bucket/prefix", flag)}
	case s.Objects == "-":
		return nil, usageError{fmt.Errorf("--objects: - isn't allowed here, name a file")}
	case s.Objects != "":
		return openKeys(s.Objects)
	case bucket:
		return openBucket(ctx, s.Store, s.s3flags)
	case s.Store != "":
		return openTree(s.Store)
	}
	return nil, nil
}

// isS3 reports whether addresses of buckets begin with a scheme.
func isS3(scheme string) bool {
	return slices.Contains([]string{"s3", "s3a", "s3n"}, strings.ToLower(scheme))
}

// set is a flag that is given, or "".
func (f s3flags) set() string {
	switch {
	case f.Endpoint != "":
		return "--endpoint"
	case f.Region != "":
		return "--region"
	case f.Profile != "":
		return "--profile"
	case f.Anonymous:
		return "--anonymous"
	case f.PathStyle != nil:
		return "--path-style"
	case f.RequesterPays:
		return "--requester-pays"
	}
	return ""
}

// endpoint is the URL of a server.
type endpoint string

func (e *endpoint) UnmarshalText(text []byte) error {
	*e = endpoint(text)
	return withHint(s3store.CheckEndpoint(string(text)))
}

// withHint adds to an error what it says should be done, for where there is one line.
func withHint(err error) error {
	if hint := hintOf(err); hint != "" {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}

// openKeys reads a recorded listing.
func openKeys(name string) (store.Lister, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--objects %s: %w", name, cause(err))
	}
	defer f.Close()
	keys, err := store.ReadKeys(f)
	if err != nil {
		return nil, fmt.Errorf("--objects %s: %w", name, cause(err))
	}
	return keys, nil
}

// openBucket makes ready to list a bucket. An address isn't repeated before it is clear that it holds no credentials.
func openBucket(ctx context.Context, address string, f s3flags) (store.Lister, error) {
	bucket, prefix, err := s3store.ParseURL(address)
	if err != nil {
		return nil, usageError{fmt.Errorf("--store: %w", withHint(err))}
	}
	s, err := s3store.Open(ctx, s3store.Options{
		Bucket: bucket, Prefix: prefix, Endpoint: string(f.Endpoint), Region: f.Region, Profile: f.Profile,
		Anonymous: f.Anonymous, PathStyle: f.PathStyle, RequesterPays: f.RequesterPays,
	})
	if err != nil {
		return nil, fmt.Errorf("--store %s: %w", address, err)
	}
	return store.Rooted{Lister: s, Root: "s3://" + strings.TrimSuffix(bucket+"/"+prefix, "/") + "/"}, nil
}

// openTree makes ready to list a directory. Where tables are named by URIs, its own directories stand for buckets.
func openTree(address string) (store.Lister, error) {
	dir := address
	if rest, ok := cutScheme(address); ok {
		return nil, usageError{fmt.Errorf("--store %s: two slashes are wanted behind s3: for a bucket; write s3://%s, or ./%s for a directory", address, strings.TrimLeft(rest, "/"), address)}
	}
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		u, err := url.Parse(address)
		switch {
		case !strings.EqualFold(scheme, "file"):
			return nil, usageError{fmt.Errorf("--store: %s:// isn't supported; %s", scheme, insteadOf(scheme, rest))}
		case err != nil:
			return nil, usageError{fmt.Errorf("--store %s: not a URL; write %% as %%25, or give the directory without file://", address)}
		case u.Host != "" && u.Host != "localhost":
			return nil, usageError{fmt.Errorf("--store %s: files of another machine can't be listed; a file URL of this one has three slashes: file:///%s%s", address, u.Host, u.Path)}
		}
		dir = u.Path
	}
	f, err := os.Open(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &adviceError{fmt.Errorf("--store %s: %w", address, cause(err)), "check the path; a bucket is written s3://bucket"}
	case err != nil:
		return nil, fmt.Errorf("--store %s: %w", address, cause(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.IsDir() {
		return nil, &adviceError{fmt.Errorf("--store %s: not a directory", address), "a recorded listing is given by --objects"}
	}
	return store.Rooted{Lister: store.FS{Files: os.DirFS(dir)}, Root: "s3://"}, nil
}

// adviceError is an error with a hint.
type adviceError struct {
	error
	advice string
}

func (e *adviceError) Unwrap() error { return e.error }

func (e *adviceError) Hint() string { return e.advice }

// cutScheme finds the address of a bucket that lacks a slash: s3:/bucket, s3:bucket.
func cutScheme(address string) (rest string, ok bool) {
	scheme, rest, ok := strings.Cut(address, ":")
	return rest, ok && isS3(scheme) && !strings.HasPrefix(rest, "//")
}

// insteadOf says what to write for a store of another kind, of which the URL goes on with rest.
func insteadOf(scheme, rest string) string {
	switch strings.ToLower(scheme) {
	case "gs", "gcs":
		return "Google's storage is listed by s3://bucket/prefix and --endpoint https://storage.googleapis.com"
	case "http", "https":
		if place, region := ofAmazon(rest); place != "" {
			return strings.TrimSpace("write s3://" + place + " " + region)
		}
		return "write s3://bucket/prefix, and the server by --endpoint"
	}
	return "list s3://bucket/prefix or a directory, or give a recorded listing with --objects"
}

// ofAmazon takes a URL of Amazon S3 apart: bucket and prefix, and the flag of the region. The bucket stands in the host or
// comes first in the path (Amazon S3 User Guide, "Virtual hosting of general purpose buckets"). It is "" for another URL.
func ofAmazon(rest string) (place, region string) {
	host, path, _ := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "?")
	name, ok := strings.CutSuffix(strings.ToLower(host), ".amazonaws.com")
	if !ok || strings.Contains(host, "@") {
		return "", ""
	}
	labels := strings.Split(name, ".")
	i := slices.IndexFunc(labels, func(l string) bool { return l == "s3" || strings.HasPrefix(l, "s3-") })
	switch {
	case i < 0:
		return "", ""
	case i > 0:
		path = strings.Join(labels[:i], ".") + "/" + path
	}
	if i+1 < len(labels) {
		region = "--region " + labels[len(labels)-1]
	} else if old, ok := strings.CutPrefix(labels[i], "s3-"); ok {
		region = "--region " + old
	}
	return strings.TrimSuffix(path, "/"), region
}
