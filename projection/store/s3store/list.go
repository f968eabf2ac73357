package s3store

import (
	"context"
	"errors"
	"iter"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/yqlplan/yqlplan/projection/store"
)

// List yields what lies directly below prefix, or every object below it, in byte order of the keys. A page is asked for
// when the one before has been used up, but the parts of a long listing are read ahead, several at once.
func (s *Store) List(ctx context.Context, prefix string, deep bool) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		err := s.cursor(prefix, deep).read(ctx, func(page []store.Entry) bool {
			for _, e := range page {
				if !yield(e, nil) {
					return false
				}
			}
			return true
		})
		if err != nil {
			yield(store.Entry{}, s.failure(ctx, prefix, err))
		}
	}
}

// fetch asks for one page.
func (s *Store) fetch(ctx context.Context, in *s3.ListObjectsV2Input) (out *s3.ListObjectsV2Output, err error) {
	if err := store.Request(ctx); err != nil {
		return nil, err
	}
	in.Bucket, in.EncodingType = &s.Bucket, types.EncodingTypeUrl
	if s.PageSize > 0 {
		in.MaxKeys = &s.PageSize
	}
	if s.RequesterPays {
		in.RequestPayer = types.RequestPayerRequester
	}
	err = s.send(ctx, func(to func(*s3.Options)) error {
		out, err = s.client.ListObjectsV2(ctx, in, to)
		return err
	})
	return out, err
}

// send makes one request, as soon as there are few enough others.
func (s *Store) send(ctx context.Context, request func(to func(*s3.Options)) error) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.signer != nil { // asked here, so that what is wrong with them can be told from what the server refuses
		if _, err := s.signer.Retrieve(ctx); err != nil {
			return &credentialsError{err}
		}
	}
	at := s.region.Load()
	err := request(to(at))
	if moved := s.moved(err, at); moved != nil {
		s.region.Store(moved)
		err = request(to(moved))
	}
	if err == nil {
		s.reached.Store(true)
	}
	return err
}

// to sends a request to a region.
func to(region *string) func(*s3.Options) {
	return func(o *s3.Options) {
		if region != nil {
			o.Region = *region
		}
	}
}

// moved is the region that a bucket of Amazon's turns out to be in, when none is asked for; nil: the one asked already.
func (s *Store) moved(err error, asked *string) *string {
	if s.Region != "" || s.Endpoint != "" {
		return nil
	}
	region, before := regionOf(err), defaultRegion
	if asked != nil {
		before = *asked
	}
	if region == "" || region == before {
		return nil
	}
	return &region
}

// regionOf is the region that an error names as the bucket's, or "".
func regionOf(err error) string {
	var r *awshttp.ResponseError
	if !errors.As(err, &r) || r.Response == nil || r.Response.Response == nil {
		return ""
	}
	return r.Response.Header.Get("X-Amz-Bucket-Region")
}
