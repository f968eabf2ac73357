// Package s3store lists objects of S3 and of what speaks its protocol.
//
// It is a package of its own so that programs that only plan don't link a client.
package s3store

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
)

// Options say which bucket is listed, and how the server is reached. What they leave out comes from where other
// programs have it from, too: the environment and the shared configuration files (AWS SDKs and Tools Reference Guide).
type Options struct {
	Bucket string
	Prefix string // what keys are relative to, such as lake/sales/; ends in "/" unless it is empty

	Endpoint      string // the server's URL; "": the one of Amazon S3 for the region
	Region        string // "": the configured one, or else the one that the bucket turns out to be in
	Profile       string // of the shared configuration
	Anonymous     bool   // requests aren't signed, and no credentials are looked for
	PathStyle     *bool  // whether the bucket's name stands in the path instead of the host; nil: where there is an endpoint
	RequesterPays bool   // agrees to be charged by buckets whose owners want it

	Requests int           // requests in flight at once; 0: 32
	Attempts int           // tries of a request, the first one included; 0: the configured number, or else 5
	Wait     time.Duration // the longest between two tries; 0: 20 seconds. It doubles with each, by chance somewhat less
	Timeout  time.Duration // of one try; 0: 30 seconds
	PageSize int32         // entries asked for in one request; 0: as many as the server gives, which is 1,000
}

// Store is a [store.Lister] of one bucket. It may be used by several goroutines.
type Store struct {
	Options
	client *s3.Client
	signer aws.CredentialsProvider // nil: requests aren't signed
	slots  chan struct{}           // taken by requests in flight
	spare  chan struct{}           // taken by stretches that are read ahead

	reached atomic.Bool            // a request has been answered
	whole   atomic.Bool            // listings can't be split: the server ignores where they are to start
	tried   atomic.Bool            // whole is known
	region  atomic.Pointer[string] // the one that the bucket turned out to be in; nil: the one asked for
}

// defaultRegion is asked when none is configured. It knows where every other bucket is.
const defaultRegion = "us-east-1"

// Open makes a Store. Nothing is asked for yet but the configuration.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{Options: o.withDefaults()}
	if s.Endpoint != "" {
		if err := CheckEndpoint(s.Endpoint); err != nil {
			return nil, err
		}
	}
	cfg, err := config.LoadDefaultConfig(ctx, s.settings()...)
	if err != nil {
		return nil, s.configError(err)
	}
	if s.Attempts == 0 {
		s.Attempts = cmp.Or(cfg.RetryMaxAttempts, 5)
	}
	s.Region = cfg.Region
	cfg.Region = cmp.Or(cfg.Region, defaultRegion)
	if !s.Anonymous {
		s.signer = cfg.Credentials
	}
	s.slots, s.spare = make(chan struct{}, s.Requests), make(chan struct{}, s.Requests-1)
	s.client = s3.NewFromConfig(cfg, s.configure)
	return s, nil
}

func (o Options) withDefaults() Options {
	if o.Requests <= 0 {
		o.Requests = 32
	}
	if o.Wait <= 0 {
		o.Wait = 20 * time.Second
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	return o
}

// settings are what the configuration has to be loaded with.
func (s *Store) settings() []func(*config.LoadOptions) error {
	client := awshttp.NewBuildableClient().WithTimeout(s.Timeout).WithTransportOptions(func(t *http.Transport) {
		t.MaxIdleConnsPerHost = s.Requests
	})
	out := []func(*config.LoadOptions) error{config.WithHTTPClient(client)}
	if s.Profile != "" {
		out = append(out, config.WithSharedConfigProfile(s.Profile))
	}
	if s.Region != "" {
		out = append(out, config.WithRegion(s.Region))
	}
	if s.Anonymous {
		out = append(out, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	return out
}

func (s *Store) configure(o *s3.Options) {
	if s.Endpoint != "" {
		o.BaseEndpoint = aws.String(s.Endpoint)
	} else if o.BaseEndpoint != nil {
		s.Endpoint = *o.BaseEndpoint
	}
	o.UsePathStyle = s.Endpoint != ""
	if s.PathStyle != nil {
		o.UsePathStyle = *s.PathStyle
	}
	o.Logger = logging.Nop{}
	o.RetryMaxAttempts = 0 // Retryer has it
	o.Retryer = retry.NewStandard(func(r *retry.StandardOptions) {
		r.MaxAttempts, r.MaxBackoff = s.Attempts, s.Wait
		r.RateLimiter = ratelimit.None // attempts are limited already, request by request
		r.Retryables = append([]retry.IsErrorRetryable{retry.IsErrorRetryableFunc(s.retryable)}, r.Retryables...)
	})
}

// retryable says where more or fewer errors are worth another try than the client knows of: answers that were cut short,
// but no server that was never there.
func (s *Store) retryable(err error) aws.Ternary {
	switch {
	case errors.As(err, new(*tls.CertificateVerificationError)), errors.Is(err, syscall.ECONNREFUSED) && !s.reached.Load():
		return aws.FalseTernary
	case errors.As(err, new(*smithy.DeserializationError)):
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}

// url is how messages call a prefix.
func (s *Store) url(prefix string) string { return "s3://" + s.Bucket + "/" + s.Prefix + prefix }

// ParseURL gives the bucket and the prefix of s3://bucket/prefix. The prefix is a directory: it ends in "/" or is empty.
func ParseURL(address string) (bucket, prefix string, err error) {
	_, rest, ok := strings.Cut(address, "://")
	bucket, prefix, _ = strings.Cut(rest, "/")
	switch {
	case strings.Contains(bucket, "@"):
		return "", "", &Error{What: noCredentialsInURL, Advice: keysAdvice}
	case strings.HasPrefix(bucket, "arn:"):
		return "", "", &Error{What: "an ARN is no bucket", Advice: "give the name of the bucket, or the alias of the access point"}
	case !ok || bucket == "":
		return "", "", &Error{What: "a bucket is wanted", Advice: "write s3://bucket or s3://bucket/prefix"}
	case !validBucket(bucket):
		return "", "", &Error{What: "no bucket can be named " + bucket, Advice: "names of buckets have 3 to 63 letters, digits, dots and hyphens: s3://bucket/prefix"}
	}
	if prefix != "" && !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	return bucket, prefix, nil
}

// validBucket follows the older rules, which allow more than those for new buckets (Amazon S3 User Guide, Bucket naming
// rules).
func validBucket(name string) bool {
	if len(name) < 3 || len(name) > 255 || strings.Contains(name, "..") {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") == ""
}
