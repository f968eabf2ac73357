package s3store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"

	"github.com/yqlplan/yqlplan/projection/store"
)

// Error is why a bucket can't be listed, or an object not be read. It never holds credentials.
type Error struct {
	URL    string // of what was listed or read; "" before anything is
	What   string
	Advice string
	Err    error

	reading bool
}

func (e *Error) Error() string {
	if e.URL == "" {
		return e.What
	}
	if e.reading {
		return "reading " + e.URL + ": " + e.What
	}
	return "listing " + e.URL + ": " + e.What
}

func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do about it, or is empty.
func (e *Error) Hint() string { return e.Advice }

// failure says in words what went wrong below a prefix.
func (s *Store) failure(ctx context.Context, prefix string, err error) error {
	return s.explain(ctx, &Error{URL: s.url(prefix), Err: err})
}

// explain says in words what went wrong.
func (s *Store) explain(ctx context.Context, e *Error) error {
	err := e.Err
	var limit *store.LimitError
	var credentials *credentialsError
	var api smithy.APIError
	switch {
	case ctx.Err() != nil: // what else there is followed from it
		e.Err = ctx.Err()
		e.What = e.Err.Error()
	case errors.As(err, &limit):
		e.What, e.Advice = limit.Error(), limit.Hint()
	case errors.As(err, &credentials):
		s.unsigned(e, credentials.error)
	case errors.Is(err, errStuck):
		e.What = "the server sends the same page again and again: its continuation token makes no progress"
		e.Advice = "this is a fault of the server; give a recorded listing, which other programs may be able to make"
	case errors.Is(err, errUnordered):
		e.What = "the server doesn't tell keys in byte order"
		e.Advice = "directory buckets and some servers don't; give a recorded listing"
	case errors.As(err, &api):
		s.refused(e, api)
	default:
		s.unreached(e, err)
	}
	return e
}

// refused says what an error of the server means.
func (s *Store) refused(e *Error, api smithy.APIError) {
	status := statusOf(e.Err)
	tag := strings.TrimSpace(status + " " + api.ErrorCode())
	switch api.ErrorCode() {
	case "NoSuchBucket", "NotFound":
		e.What = fmt.Sprintf("there is no bucket %s (%s)", s.Bucket, tag)
		e.Advice = "check the name"
		if s.Endpoint != "" {
			e.Advice += ", and whether it is at " + s.Endpoint
		}
	case "AccessDenied", "AllAccessDisabled", "AccountProblem", "Forbidden":
		e.What = fmt.Sprintf("access denied (%s)", tag)
		e.Advice = s.accessAdvice(e.reading)
	case "InvalidAccessKeyId", "InvalidClientTokenId", "UnrecognizedClientException", "XAdminUserNotFound":
		e.What = fmt.Sprintf("the server doesn't know the access key (%s)", tag)
		e.Advice = s.credentialsAdvice()
	case "SignatureDoesNotMatch":
		e.What = fmt.Sprintf("the secret key isn't the one of the access key (%s)", tag)
		e.Advice = s.credentialsAdvice()
	case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "InvalidToken", "RequestExpired":
		e.What = fmt.Sprintf("the session token has expired or isn't valid (%s)", tag)
		e.Advice = "sign in again, or choose other credentials by --profile"
	case "RequestTimeTooSkewed":
		e.What = fmt.Sprintf("the clocks of this machine and of the server are too far apart (%s)", tag)
		e.Advice = "set this machine's clock"
	case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException", "InvalidRegionName":
		s.elsewhere(e, tag)
	case "SlowDown", "ServiceUnavailable", "TooManyRequests", "RequestLimitExceeded", "ThrottlingException":
		e.What = fmt.Sprintf("the server is too busy (%s)%s", tag, tries(e.Err))
		e.Advice = "try again later"
	default:
		e.What = fmt.Sprintf("the server refuses (%s): %s", tag, api.ErrorMessage())
		if strings.HasPrefix(status, "5") {
			e.What = fmt.Sprintf("the server fails (%s)%s: %s", tag, tries(e.Err), api.ErrorMessage())
			e.Advice = "try again later"
		}
	}
}

func (s *Store) accessAdvice(reading bool) string {
	right, do := "s3:ListBucket", "list"
	if reading {
		right, do = "s3:GetObject", "read"
	}
	advice := "these credentials need the right to " + right + "; choose others by --profile, or --anonymous where the bucket is public"
	if s.Anonymous {
		advice = "not everybody may " + do + " this bucket: leave out --anonymous and use credentials that may"
	}
	if !s.RequesterPays && !s.Anonymous {
		advice += "; where the requester pays, agree by --requester-pays"
	}
	return advice
}

func (s *Store) credentialsAdvice() string {
	advice := "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or choose other credentials by --profile"
	if s.Profile != "" {
		advice = "check the keys of profile " + s.Profile
	}
	if s.Endpoint != "" {
		advice += "; they have to be those of " + s.Endpoint
	}
	return advice
}

// elsewhere says that the bucket is in another region.
func (s *Store) elsewhere(e *Error, tag string) {
	e.What = fmt.Sprintf("the bucket is in another region (%s)", tag)
	e.Advice = "name it by --region"
	if region := regionOf(e.Err); region != "" {
		e.What = fmt.Sprintf("the bucket is in the region %s (%s)", region, tag)
		e.Advice = "give --region " + region
	}
}

// tries says how often a request was tried, where it was more than once.
func tries(err error) string {
	var last *retry.MaxAttemptsError
	if !errors.As(err, &last) || last.Attempt < 2 {
		return ""
	}
	return fmt.Sprintf(", also after %d tries", last.Attempt)
}

// statusOf is the HTTP status of an answer that is an error, or "".
func statusOf(err error) string {
	var r *awshttp.ResponseError
	if errors.As(err, &r) && r.HTTPStatusCode() != 0 {
		return fmt.Sprint(r.HTTPStatusCode())
	}
	return ""
}
